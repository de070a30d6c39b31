#include "io/app/batch/variant_lanes.hpp"

#include "io/app/runs/run_study.hpp"
#include "io/text/progress.hpp"

#include <algorithm>

namespace ricochet {
namespace {

/// True if two runs take the same time steps.
bool haveSameTimeSteps(const TransientOptions& a, const TransientOptions& b) {
  return a.start == b.start && a.end == b.end && a.step == b.step;
}

}  // namespace

VariantLanes::VariantLanes(VariantRunner& runner, const std::string& scheme, const TransientOptions& options)
    : runner_(runner), scheme_(scheme), options_(options) {}

std::unique_ptr<VariantLanes> VariantLanes::makeLanesForGroup(VariantRunner& runner, std::size_t variant) {
  const Simulation& simulation = runner.simulation();
  if (runner.outputRecorder().needsCallbackAtEveryStep() ||
      !batch::reasonAgainstLanes(simulation.scheme, simulation.model, runner.optionsOfVariantRun()).empty())
    return nullptr;
  std::unique_ptr<VariantLanes> made(
      new VariantLanes(runner, simulation.scheme, runner.optionsOfVariantRun()));
  for (std::size_t i = 0; i <= batch::kWidth; ++i) made->free_.push_back(std::make_unique<Slot>());
  runner.buildVariantModel(variant, made->base_);
  made->lanes_ = std::make_unique<batch::LaneRun>(made->scheme_, made->base_, made->options_);
  return made;
}

void VariantLanes::runVariants(std::size_t first, std::size_t count, VariantSink& sink) {
  next_ = first;
  end_ = first + count;
  sink_ = &sink;
  lanes_->run(*this);
}

/// Prepares a slot for a variant; false if the variant must be run alone. Throws InputError.
bool VariantLanes::prepareVariant(std::size_t variant, Slot& slot) {
  if (!slot.made || !runner_.changeModelToVariant(variant, slot.model)) {
    slot.made = false;
    const State initial = runner_.buildVariantModel(variant, slot.model);
    const Simulation& simulation = runner_.simulation();
    TransientOptions options = runner_.optionsOfBuiltVariant();
    if (simulation.scheme != scheme_ || !haveSameTimeSteps(options, options_) ||
        !batch::reasonAgainstSharingLanes(base_, slot.model).empty())
      return false;
    slot.initial = initial;
    const std::vector<double> historyTimes = options.archiveTimes.allTimes();
    slot.recorder = std::make_unique<OutputRecorder>(
        runner_.variantPlan().batchRequest().outputs, runner_.variantPlan().batchRequest().histories,
        historyTimes, runner_.variantPlan().study(), simulation, options);
    slot.made = true;
  }
  slot.variant = variant;
  slot.begin = std::chrono::steady_clock::now();
  slot.equation = std::make_unique<ModalEquation>(slot.model);
  slot.state = slot.initial;
  slot.recorder->start(slot.equation->contacts());
  return true;
}

bool VariantLanes::nextVariant(batch::LaneCase& variant) {
  while (next_ < end_ && !InterruptGuard::isStopRequested()) {
    const std::size_t index = next_++;
    std::unique_ptr<Slot> slot = std::move(free_.back());
    free_.pop_back();
    bool together = false;
    try {
      together = prepareVariant(index, *slot);
    } catch (const InputError&) {
      slot->made = false;  // the run of the variant alone reports the cause
    }
    if (!together) {
      sink_->receiveVariantOutcome(index, runner_.runVariant(index, sink_->resultOfVariant(index)));
      free_.push_back(std::move(slot));
      continue;
    }
    variant = {slot->equation.get(), &slot->state, slot->recorder.get()};
    busy_.push_back(std::move(slot));
    return true;
  }
  return false;
}

void VariantLanes::receiveReportOfVariant(const batch::LaneCase& variant, const Report& report) {
  const auto found = std::find_if(busy_.begin(), busy_.end(), [&](const std::unique_ptr<Slot>& slot) {
    return slot->equation.get() == variant.equation;
  });
  std::unique_ptr<Slot> slot = std::move(*found);
  busy_.erase(found);
  VariantOutcome outcome = runner_.outcomeOfVariantRun(
      report, *slot->recorder, slot->equation->contacts().runTotals(), sink_->resultOfVariant(slot->variant));
  const double elapsed =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - slot->begin).count();
  // the variants of a step share its wall time equally
  outcome.seconds = elapsed / static_cast<double>(batch::kWidth);
  sink_->receiveVariantOutcome(slot->variant, outcome);
  free_.push_back(std::move(slot));
}

}  // namespace ricochet
