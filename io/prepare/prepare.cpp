#include "io/prepare/prepare.hpp"

#include "engine/study/parts/study_error.hpp"
#include "io/deck/batch_request.hpp"
#include "io/deck/check_request.hpp"

#include <fmt/core.h>

#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

/// Returns the result of `work`; converts StudyError to InputError with a place in the deck.
template <class Work>
decltype(auto) addDeckPositionsToErrors(const Deck& deck, Work&& work) {
  try {
    return std::forward<Work>(work)(static_cast<const Study&>(deck));
  } catch (const StudyError& error) {
    Diagnostics diagnostics;
    for (const StudyProblem& each : error.problems())
      diagnostics.addProblem(deck.places.locationOfPart(each.part.empty() ? each.path : each.part), each.path,
                             each.problem);
    diagnostics.throwInputErrorIfAny();
    throw;
  }
}

/// Adds what reading the deck has found to what a run tells.
void addMessagesOfDeck(const Deck& deck, Simulation& simulation) {
  for (const DefaultTaken& taken : deck.defaults)
    if (taken.isTold) simulation.choices.push_back(fmt::format("{} = {}", taken.path, taken.value));
  simulation.warnings.insert(simulation.warnings.begin(), deck.warnings.begin(), deck.warnings.end());
}

/// Adds the dofs of nodes that a formula of a batch reads.
void addDofsOfHistory(const HistoryExpression& history, std::set<Dof>& asked) {
  for (const QuantityAt& channel : history.channels)
    if (channel.nodeQuantityOrNull() != nullptr) asked.insert(channel.dof);
}

/// Adds the dofs of nodes that the outputs and histories of a batch read.
void addDofsOfBatch(const BatchRequest& batch, std::set<Dof>& asked) {
  for (const BatchOutput& output : batch.outputs)
    for (const OutputTerm& term : output.expression.terms)
      if (term.history) addDofsOfHistory(*term.history, asked);
  for (const BatchHistory& history : batch.histories) addDofsOfHistory(history.expression, asked);
}

}  // namespace

PhysicalModel assembleStudy(const Deck& deck) {
  return addDeckPositionsToErrors(deck, [](const Study& study) { return assembleStudy(study); });
}

ModalBasis computeModalBasisOfStudy(const Deck& deck, const PhysicalModel& physical) {
  return addDeckPositionsToErrors(
      deck, [&](const Study& study) { return computeModalBasisOfStudy(study, physical); });
}

std::unique_ptr<Simulation> prepare(const Deck& deck) {
  auto simulation = addDeckPositionsToErrors(deck, [](const Study& study) { return prepare(study); });
  addMessagesOfDeck(deck, *simulation);
  return simulation;
}

void projectStudy(const Deck& deck, Simulation& simulation) {
  addDeckPositionsToErrors(deck, [&](const Study& study) { projectStudy(study, simulation); });
}

std::unique_ptr<Simulation> prepareDirectSimulation(const Deck& deck, const Simulation* modal) {
  auto simulation = addDeckPositionsToErrors(
      deck, [&](const Study& study) { return prepareDirectSimulation(study, modal); });
  if (modal == nullptr) addMessagesOfDeck(deck, *simulation);
  return simulation;
}

void requireKnownNodeMotions(const Deck& deck, const Simulation& simulation, bool rows) {
  if (simulation.unknown.empty()) return;
  std::set<Dof> asked;
  if (rows)
    for (const NodeIndex node : deck.output.nodes)
      for (int c = 0; c < kComponents; ++c) asked.insert({node, componentOfIndex(c)});
  if (deck.batch) addDofsOfBatch(*deck.batch, asked);
  for (const CheckRequest& check : deck.checks)
    for (const std::optional<NodeIndex>& node : {check.node, check.node2})
      if (node && check.dof) asked.insert({*node, *check.dof});
  addDeckPositionsToErrors(deck, [&](const Study& study) {
    std::vector<StudyProblem> problems;
    std::optional<NodeIndex> told;
    for (const Dof& dof : asked) {
      if (dof.node == told || !simulation.isMotionUnknown(dof)) continue;  // one problem of a node is enough
      problems.push_back(problemOfUnknownMotion(study, dof));
      told = dof.node;
    }
    throwIfAnyProblem(problems);
  });
}

}  // namespace ricochet
