#include "engine/study/simulation.hpp"

#include "engine/study/push_directions.hpp"
#include "modal/static_remainder.hpp"
#include "physical/model_error.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

/// Rethrows an error of the assembler with the names of the nodes.
[[noreturn]] void rethrow(const Study& study, const ModelError& error) {
  if (error.dofs().empty())
    throw StudyError(StudyProblem{"", fmt::format("{}: free some with [[supports]]", error.what())});
  std::vector<StudyProblem> problems;
  for (const Dof dof : error.dofs())
    problems.push_back(
        {"nodes." + study.nodes[static_cast<std::size_t>(dof.node.value)].name,
         fmt::format("{} of this node: {}; give it a spring or a mass, or fix it with [[supports]]",
                     name(dof.component), error.what()),
         partOf(dof.node)});
  throw StudyError(std::move(problems));
}

/// Truncation (static - modal flexibility) x contact stiffness, along each local axis.
Truncation truncationOf(const ContactRequest& request, const Contact& contact, const Simulation& simulation,
                        const StaticRemainder& remainder) {
  Truncation truncation;
  const ClosedContact closed = closedContact(contact);
  for (int axis = 0; axis < 3; ++axis) {
    const double stiffness = closed.stiffness[static_cast<std::size_t>(axis)];
    const Vector direction = contactDirection(request, axis, simulation.physical);
    if (stiffness == 0.0 || direction.isZero(0.0)) continue;
    // the laws already contain the compliance of dofs without inertia
    const double left = std::max(0.0, remainder.flexibility(direction) - contact.compliance(axis, axis));
    truncation.withoutResidual[axis] = std::max(0.0, stiffness * left);
    truncation.indicator[axis] =
        std::max(0.0, stiffness * (left - flexibilityOfResidualVectors(simulation.basis, direction)));
  }
  return truncation;
}

/// Adds warnings and notes about the basis.
void describeBasis(const Study& study, Simulation& simulation) {
  const ModalBasis& basis = simulation.basis;
  if (basis.missedModes > 0)
    simulation.warnings.push_back(fmt::format(
        "the basis cuts a group of equal frequencies at {:.6g} Hz: {} more belong to it ([basis] modes = {})",
        basis.frequency()[basis.modes() - 1], basis.missedModes, basis.modes() + basis.missedModes));
  if (const int asked = study.basis.selection.modes.value_or(basis.modes()); basis.modes() > asked)
    simulation.choices.push_back(
        fmt::format("{} modes, not {}: the last frequency, {:.6g} Hz, belongs to all of these", basis.modes(),
                    asked, basis.frequency()[basis.modes() - 1]));
  if (basis.masslessResponses > 0)
    simulation.warnings.push_back(fmt::format(
        "{} of the static responses left out by the modes move{} no mass and cannot become a "
        "residual vector: some contacts or loads are on massless dofs; give them a mass, or accept the "
        "truncation indicator",
        basis.masslessResponses, basis.masslessResponses == 1 ? "s" : ""));
  if (study.basis.loadResiduals && !study.movingLoads.empty())
    simulation.choices.push_back("basis.residual: no vectors for loads that move along beams");
  if (basis.residualVectors > 0 && study.basis.dampingRatio.size() > 1)
    simulation.choices.push_back(fmt::format(
        "damping ratio of the {} residual vector{} = {:.6g}: that of the last mode", basis.residualVectors,
        basis.residualVectors == 1 ? "" : "s", study.basis.dampingRatio.back()));
}

void warnOfTruncation(const Study& study, Simulation& simulation) {
  constexpr double kNoticeable = 0.05;
  for (std::size_t i = 0; i < simulation.truncation.size(); ++i)
    if (const double t = simulation.truncation[i].largest(); t > kNoticeable)
      simulation.warnings.push_back(fmt::format(
          "contact {}: the modes left out make the structure {:.0f} % of a contact spring too "
          "stiff there; take more modes ([basis] modes){}",
          study.contacts[i].name, 100.0 * t,
          study.basis.contactResiduals ? "" : " or residual vectors ([basis] residual = \"contacts\")"));
}

}  // namespace

PhysicalModel assembleStudy(const Study& study) {
  try {
    return assemble(study.structure);
  } catch (const ModelError& error) {
    rethrow(study, error);
  }
}

std::unique_ptr<Simulation> prepare(const Study& study) {
  auto simulation = std::make_unique<Simulation>();
  simulation->physical = assembleStudy(study);
  simulation->basis = extractBasis(study, simulation->physical);
  describeBasis(study, *simulation);
  project(study, *simulation);
  if (!study.contacts.empty()) {
    const StaticRemainder remainder(simulation->basis, simulation->physical);
    for (std::size_t i = 0; i < study.contacts.size(); ++i)
      simulation->truncation.push_back(
          truncationOf(study.contacts[i], simulation->model.contacts.contacts()[i], *simulation, remainder));
    warnOfTruncation(study, *simulation);
  }
  return simulation;
}

}  // namespace ricochet
