#include "io/batch/variant_run.hpp"

#include "io/run_study.hpp"

#include <algorithm>
#include <chrono>

namespace ricochet {

/// What runs variants of one group: allocated once, and used again where only contact laws vary.
struct VariantRunner::Machine {
  Machine(const VariantPlan& plan, const Study& study, const Simulation& simulation,
          std::vector<double>& historyTimes)
      : options(optionsOf(study, simulation)) {
    historyTimes = options.archiveTimes;
    recorder.emplace(plan.request().outputs, plan.request().histories, historyTimes, simulation, options);
  }

  TransientOptions options;
  std::optional<OutputRecorder> recorder;
  std::optional<ModalEquation> equation;
  State state{0};
  std::optional<EventRun> events;
};

VariantRunner::VariantRunner(const VariantPlan& plan) : plan_(plan), document_(plan.document()) {}
VariantRunner::~VariantRunner() = default;

/// Makes the machine ready for a variant. Throws InputError.
void VariantRunner::takeUp(std::size_t variant) {
  const bool sameGroup = group_ == plan_.group(variant);
  if (sameGroup && machine_ && bindings_) {
    if (bindings_->apply(plan_.valuesOf(variant), simulation_->model.contacts)) return;
    machine_.reset();  // reading the deck tells what is wrong
  }
  machine_.reset();
  const Study study = plan_.read(variant, document_);
  if (sameGroup && simulation_) {
    simulation_->choices.clear();
    simulation_->warnings.clear();
    project(study, *simulation_);
  } else {
    simulation_.reset();
    group_.reset();
    auto made = std::make_unique<Simulation>();
    made->physical = assembleStudy(study);
    made->basis = extractBasis(study, made->physical);
    project(study, *made);
    simulation_ = std::move(made);
    group_ = plan_.group(variant);
  }
  if (!bindingsKnown_) {
    bindings_ = LawBindings::find(plan_, simulation_->scheme != kEventScheme);
    bindingsKnown_ = true;
  }
  machine_ = std::make_unique<Machine>(plan_, study, *simulation_, historyTimes_);
}

VariantOutcome VariantRunner::integrate(const VariantResult& result) {
  Machine& machine = *machine_;
  machine.recorder->start();
  machine.state = simulation_->initial;
  Report report;
  if (simulation_->scheme == kEventScheme) {
    if (!machine.events) {
      machine.equation.emplace(simulation_->model);
      machine.events.emplace(*machine.equation, machine.state, machine.options, *machine.recorder);
    }
    report = machine.events->run();
  } else {
    machine.equation.emplace(simulation_->model);
    report = ricochet::run(simulation_->scheme, *machine.equation, machine.state, machine.options,
                           *machine.recorder);
  }
  machine.recorder->finish(report, machine.equation->contacts().totals(), result.outputs, result.defined);
  VariantOutcome outcome;
  outcome.time = report.time;
  constexpr VariantStatus kOf[] = {VariantStatus::complete,     VariantStatus::diverged,
                                   VariantStatus::pending,      VariantStatus::notConverged,
                                   VariantStatus::stepTooSmall, VariantStatus::stalled};
  outcome.status = kOf[static_cast<std::size_t>(report.status)];
  if (report.status == RunStatus::complete)
    std::copy(machine.recorder->histories().begin(), machine.recorder->histories().end(),
              result.histories.begin());
  else
    outcome.reason = failureOf(plan_.study(), report);
  return outcome;
}

VariantOutcome VariantRunner::run(std::size_t variant, const VariantResult& result) {
  const auto begin = std::chrono::steady_clock::now();
  std::fill(result.outputs.begin(), result.outputs.end(), 0.0);
  std::fill(result.defined.begin(), result.defined.end(), std::uint8_t{0});
  std::fill(result.histories.begin(), result.histories.end(), 0.0);
  VariantOutcome outcome;
  try {
    takeUp(variant);
    outcome = integrate(result);
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
