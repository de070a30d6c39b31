#include "io/app/batch/variant_run.hpp"

#include "engine/study/run_transient.hpp"
#include "io/app/batch/variant_lanes.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/prepare/run_options.hpp"
#include "io/text/progress.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

namespace ricochet {

namespace {

void clearVariantResult(const VariantResult& result) {
  std::fill(result.outputs.begin(), result.outputs.end(), kNoValue);
  std::fill(result.defined.begin(), result.defined.end(), std::uint8_t{0});
  std::fill(result.histories.begin(), result.histories.end(), kNoValue);
}

}  // namespace

/// Model, contacts and stepping that run the variants of a group: allocated once, and reused while only
/// parameters of contact laws vary.
struct VariantRunner::Machine {
  Machine(const VariantPlan& plan, const Deck& study, const Simulation& simulation)
      : options(transientOptionsOf(study, simulation)) {
    const std::vector<double> historyTimes = options.archiveTimes.allTimes();
    recorder.emplace(plan.batchRequest().outputs, plan.batchRequest().histories, historyTimes, study,
                     simulation, options);
  }

  TransientOptions options;
  std::optional<OutputRecorder> recorder;
  std::optional<ModalEquation> equation;
  State state{0};
  std::optional<EventRun> events;
};

VariantRunner::VariantRunner(const VariantPlan& plan) : plan_(plan), document_(plan.documentForVariants()) {}
VariantRunner::~VariantRunner() = default;

/// Prepares the machine for a variant. Throws InputError.
void VariantRunner::prepareVariant(std::size_t variant) {
  const bool sameGroup = group_ == plan_.groupOfVariant(variant);
  if (sameGroup && machine_ && bindings_) {
    if (bindings_->applyToContactLaws(plan_.valuesOfVariant(variant), simulation_->model.contacts)) return;
    machine_.reset();  // reading the deck of the variant reports the error
  }
  machine_.reset();
  const Deck study = plan_.readDeckOfVariant(variant, document_);
  if (sameGroup && simulation_) {
    simulation_->choices.clear();
    simulation_->warnings.clear();
    ricochet::projectStudy(study, *simulation_);
  } else {
    lanes_.reset();
    lanesKnown_ = false;
    simulation_.reset();
    group_.reset();
    auto made = std::make_unique<Simulation>();
    made->physical = assembleStudy(study);
    made->basis = computeModalBasisOfStudy(study, made->physical);
    ricochet::projectStudy(study, *made);
    simulation_ = std::move(made);
    group_ = plan_.groupOfVariant(variant);
  }
  if (!bindingsKnown_) {
    // Laws in series with a node without mass depend on more of the deck than its numbers; an equilibrium at
    // the start depends on the laws.
    if (simulation_->contactFields.empty() && simulation_->linkFields.empty() &&
        study.equilibrium == Equilibrium::none)
      bindings_ = LawBindings::bindingsOfParameters(plan_, simulation_->scheme != kEventScheme);
    bindingsKnown_ = true;
  }
  machine_ = std::make_unique<Machine>(plan_, study, *simulation_);
}

VariantOutcome VariantRunner::integrateVariant(const VariantResult& result) {
  Machine& machine = *machine_;
  machine.state = simulation_->initial;
  const bool byEvents = simulation_->scheme == kEventScheme;
  if (!byEvents || !machine.events) machine.equation.emplace(simulation_->model);
  machine.recorder->start(machine.equation->contacts());
  Report report;
  if (byEvents) {
    if (!machine.events) {
      machine.events.emplace(*machine.equation, machine.state, machine.options, *machine.recorder);
      if (SeriesStatistics* followed = machine.recorder->seriesStatistics())
        machine.events->recordStatisticsInto(*followed);
    }
    report = machine.events->run();
  } else {
    report = ricochet::run(simulation_->scheme, *machine.equation, machine.state, machine.options,
                           *machine.recorder);
  }
  return outcomeOfVariantRun(report, *machine.recorder, machine.equation->contacts().runTotals(), result);
}

VariantOutcome VariantRunner::outcomeOfVariantRun(const Report& report, OutputRecorder& recorder,
                                                  std::span<const ContactTotals> totals,
                                                  const VariantResult& result) const {
  recorder.computeOutputs(report, totals, result.outputs, result.defined);
  VariantOutcome outcome;
  outcome.time = report.time;
  constexpr VariantStatus kOf[] = {VariantStatus::complete,     VariantStatus::diverged,
                                   VariantStatus::pending,      VariantStatus::notConverged,
                                   VariantStatus::stepTooSmall, VariantStatus::stalled};
  outcome.status = kOf[static_cast<std::size_t>(report.status)];
  // a failed case has neither outputs nor histories, not even partial ones
  if (report.status != RunStatus::complete) {
    clearVariantResult(result);
    outcome.reason = failureTextOfRun(plan_.study(), report);
  } else if (const auto output = recorder.firstNonFiniteOutput()) {
    clearVariantResult(result);
    outcome.status = VariantStatus::badInput;
    outcome.reason = fmt::format("batch.outputs.{}: is made of what is no finite number",
                                 plan_.batchRequest().outputs[*output].name);
  } else if (const auto place = recorder.firstNonFiniteHistoryValue()) {
    clearVariantResult(result);
    outcome.status = VariantStatus::badInput;
    outcome.reason = fmt::format("batch.histories.{}: is no finite number at t = {:.9g} s",
                                 plan_.batchRequest().histories[place->history].name,
                                 archiveTimesOfRun(plan_.study())[place->instant]);
  } else {
    std::copy(recorder.histories().begin(), recorder.histories().end(), result.histories.begin());
  }
  return outcome;
}

const OutputRecorder& VariantRunner::outputRecorder() const noexcept { return *machine_->recorder; }
const TransientOptions& VariantRunner::optionsOfVariantRun() const noexcept { return machine_->options; }

State VariantRunner::buildVariantModel(std::size_t variant, ModalModel& model) {
  const Deck study = plan_.readDeckOfVariant(variant, document_);
  machine_.reset();  // the machine points into the model that is replaced
  simulation_->choices.clear();
  simulation_->warnings.clear();
  ricochet::projectStudy(study, *simulation_);
  projectedOptions_ = transientOptionsOf(study, *simulation_);
  model = std::move(simulation_->model);
  return simulation_->initial;
}

bool VariantRunner::changeModelToVariant(std::size_t variant, ModalModel& model) const {
  return bindings_ && bindings_->applyToContactLaws(plan_.valuesOfVariant(variant), model.contacts);
}

void VariantRunner::runVariants(std::size_t first, std::size_t count, VariantSink& sink) {
  std::size_t next = first;
  const std::size_t end = first + count;
  const auto alone = [&] {
    const VariantOutcome outcome = runVariant(next, sink.resultOfVariant(next));
    sink.receiveVariantOutcome(next++, outcome);
    return outcome.status == VariantStatus::complete;
  };
  constexpr std::size_t kWorthLanes = 4;
  while (next < end && !InterruptGuard::isStopRequested()) {
    const bool sameGroup = group_ == plan_.groupOfVariant(next);
    if (sameGroup && lanes_ && end - next >= kWorthLanes) return lanes_->runVariants(next, end - next, sink);
    const std::size_t variant = next;
    if (!alone() || lanesKnown_) continue;
    lanesKnown_ = true;
    lanes_ = VariantLanes::makeLanesForGroup(*this, variant);
  }
}

VariantOutcome VariantRunner::runVariant(std::size_t variant, const VariantResult& result) {
  const auto begin = std::chrono::steady_clock::now();
  clearVariantResult(result);
  VariantOutcome outcome;
  try {
    prepareVariant(variant);
    outcome = integrateVariant(result);
  } catch (const InputError& error) {
    machine_.reset();
    outcome.status = VariantStatus::badInput;
    const InputProblem& first = error.problems().front();
    outcome.reason = first.path + ": " + first.problem;
  }
  outcome.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return outcome;
}

}  // namespace ricochet
