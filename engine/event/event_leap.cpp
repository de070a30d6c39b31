// Long steps of the event scheme (Chebyshev polynomials), and when such steps are taken.

#include "engine/event/chebyshev/formula_batch.hpp"
#include "engine/event/event_run.hpp"
#include "engine/event/event_scheme.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {

std::string_view reasonAgainstLongSteps(const ModalModel& model) {
  const auto isFormula = [](const TimeFunction& f) { return f.formulaOrNull() != nullptr; };
  if (!LongStep::areLongStepsPossibleForStructure(model.linear))
    return "modes are coupled by damping or by what spins";
  if (!model.loads.movingLoads().empty()) return "a load moves";
  if (model.links.size() > 0) return "a link acts";
  for (const Load& load : model.loads.loads())
    if (const Formula* formula = load.scale.formulaOrNull(); formula != nullptr) {
      if (!formula->isSmooth()) return "the formula of a load decides";
      if (canPowerSeriesMislead(*formula)) return "the formula of a load may be flat for a long time";
    }
  for (const Contact& contact : model.contacts.contacts()) {
    if (SeriesContact::isNonLinear(contact)) return "a contact is curved or its law is not linear";
    if (isFormula(contact.imposedForce) ||
        std::any_of(contact.surface.begin(), contact.surface.end(),
                    [&](const SurfaceTerm& term) { return isFormula(term.speed); }))
      return "a formula drives a contact";
  }
  return {};
}

/// Takes a long step if long steps are faster, possible in the present contact states and resolve the forces.
/// A guard that starts at zero without a known root needs the power series. Empty if no long step was taken;
/// otherwise true if the run continues.
std::optional<bool> EventRun::takeLongStep() {
  const bool pays = takesLong_ && areLongStepsFaster();
  if (pays && !long_)
    long_ = std::make_unique<LongStep>(planes_, largestForceChannelCount(),
                                       3 * equation_.model().contacts.size());
  if (pays && !needsSeries_ &&
      (contacts_.takeStateChangedFlag() || (!longHasForces_ && contacts_.doContactsAllowLongStep()))) {
    buildPowerSeriesExpansion();
    expanded_ = false;
  }
  const bool mayTakeLongStep = pays && contacts_.doContactsAllowLongStep();
  order_ = mayTakeLongStep ? kOrderBetweenLongSteps : seriesOrder_;
  if (expandedOrder_ != order_) {  // the present expansion was made for output
    expanded_ = false;
    contacts_.discardFittedForcePolynomials();
  }
  if (!mayTakeLongStep || needsSeries_) return {};
  double limit = std::min(options_.end, breakpoint_) - state_.time;
  if (options_.scheme.stepMax > 0.0) limit = std::min(limit, options_.scheme.stepMax);
  functions_.begin();
  contacts_.setForcesKnownInAdvance(expansion_, functions_, state_);
  expanded_ = false;  // the contacts then use the series of a long step
  int& preferred = levels_[contacts_.hasClosedContact() ? 1 : 0];
  for (int level = preferred; level < LongStep::kLevels; ++level) {
    if (level + 1 < LongStep::kLevels && long_->length(level + 1) >= limit) continue;
    const std::optional<Outlook> outlook = tryLongStep(level, limit);
    if (!outlook) continue;
    needsSeries_ = outlook->unclear;
    if (needsSeries_) return {};
    if (level != preferred) patience_ = std::min(2 * patience_, kMostPatience);
    preferred = nextLengthLevelOfLongSteps(level, outlook->step, limit);
    inLongStep_ = true;
    endsAtKink_ = false;
    return completeStepUpToEvent(*outlook, std::min(limit, long_->length()));
  }
  needsSeries_ = true;
  return {};
}

/// Level of the next long step (each level has a quarter of the length of the level before): one level higher
/// if an event ended the step in its first 12 %, one level lower after steps without an event, earlier if
/// their error was far below the tolerance (the error grows as the power 15 of the length).
int EventRun::nextLengthLevelOfLongSteps(int level, double step, double limit) noexcept {
  constexpr double kEarly = 0.12;
  constexpr double kWell = 1e-8;
  const double length = long_->length();
  if (step < length) {
    wholeSteps_ = 0;
    return step < kEarly * length && step < limit ? std::min(level + 1, LongStep::kLevels - 1) : level;
  }
  if (++wholeSteps_ < (long_->largestRelativeTruncationError() > kWell ? 4 : 1) * patience_) return level;
  wholeSteps_ = 0;
  return std::max(0, level - 1);
}

/// First event and admissible length of a long step of this level. Empty if the step does not resolve the
/// forces or the gaps.
std::optional<Outlook> EventRun::tryLongStep(int level, double limit) {
  const SchemeOptions& tolerance = options_.scheme;
  const double error = tolerance.eventRelativeTolerance * largestSpeed_ + tolerance.eventAbsoluteTolerance;
  long_->setStepLength(level);
  setKnownForcesOfLongStep();
  if (!long_->solveForcesAndMotion(state_.q, state_.v, error, largestSpeed_)) return {};
  if (!contacts_.collectContactSeries(*long_, error, largestSpeed_)) return {};
  return contacts_.findFirstEventInLongStep(std::min(limit, long_->length()));
}

void EventRun::setKnownForcesOfLongStep() {
  int channel = 0;
  for (const FunctionCursor& cursor : loads_.functionCursorsOfFixedLoads()) {
    const std::span<double> values = long_->givenForce(channel++);
    std::array<double, LongStep::kPoints> times;
    for (std::size_t l = 0; l < times.size(); ++l)
      times[l] = state_.time + long_->instantOfChebyshevPoint(static_cast<int>(l));
    if (const Formula* formula = cursor.formulaOrNull(); formula != nullptr)
      std::ranges::copy(formulaValuesAtInstants(*formula, Instants(times)).values(), values.begin());
    else
      std::ranges::transform(times, values.begin(), [&](double t) { return cursor.at(t); });
  }
  contacts_.setForcesKnownInAdvance(*long_, expansion_);
}

/// Moves the state from the end of a long step to the event. The polynomials of the long step
/// locate the root of the guard approximately; a short power series of the exact motion gives the
/// remaining offset.
void EventRun::moveStateToEvent(const Outlook& outlook) {
  constexpr double kMost = 1e-2;  // largest offset, as a part of the step
  inLongStep_ = expanded_ = false;
  order_ = kOrderToEvent;
  expandMotionInPowerSeries();
  const double last = std::min(options_.end, breakpoint_);
  const double found = contacts_.timeToRootOfGuard(outlook, expansion_, kMost * outlook.step);
  const double offset = std::min(found, last - state_.time);
  if (offset > 0.0) writeOutputs(offset, state_.time + offset);
  if (offset != 0.0) moveStateToStepEnd(offset, state_.time + offset);
  order_ = kOrderBetweenLongSteps;
}

/// True if long steps are cheaper than power series. Power series need one step per 4 rad of the fastest mode
/// and one per event; long steps need one per 17 rad and one or two per event, at two to three times the
/// cost.
bool EventRun::areLongStepsFaster() const noexcept {
  if (options_.scheme.propagator != Propagator::automatic)
    return options_.scheme.propagator == Propagator::chebyshev;
  const double passed = state_.time - countedFrom_;
  const double before = std::max(1.0, kPhaseOfTables / (highestOmega_ * (options_.end - options_.start)));
  return highestOmega_ * passed > kPhasePerEvent * (static_cast<double>(interruptions_ + 1) + before);
}

/// Counts an event or breakpoint. Old counts are halved regularly, so that recent ones have more weight.
void EventRun::countInterruptedStep() noexcept {
  patience_ = 1;
  constexpr long long kMemory = 64;
  if (++interruptions_ < kMemory) return;
  interruptions_ /= 2;
  countedFrom_ += 0.5 * (state_.time - countedFrom_);
}

}  // namespace ricochet
