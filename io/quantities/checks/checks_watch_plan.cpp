// Time interval of a check, and the values sampled at an instant.

#include "io/quantities/checks/checks_watch.hpp"
#include "io/quantities/statistics/contact_follower.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <string_view>

namespace ricochet {
namespace {

/// Start of the step that contains an instant; for the end of a step, the instant itself.
double startOfStepContaining(const std::vector<double>& steps, double time) {
  constexpr double kEnd = 1e-9;  // tolerance, relative to the step
  const auto end = std::lower_bound(steps.begin(), steps.end(), time);
  if (end == steps.begin() || end == steps.end()) return time;
  const double begin = *std::prev(end);
  const bool isInside = std::min(*end - time, time - begin) > kEnd * (*end - begin);
  return isInside ? begin : time;
}

/// Last end of a step before an instant, or the start of the run.
double endOfStepBefore(const std::vector<double>& steps, double time) {
  const auto end = std::lower_bound(steps.begin(), steps.end(), time);
  return end == steps.begin() ? time : *std::prev(end);
}

}  // namespace

bool CheckWatch::appliesToCheck(const CheckRequest& check) {
  const Quantity& quantity = *check.quantity;
  if (check.statistic != nullptr || quantity.place == QuantityPlace::impact) return true;
  if (quantity.isNumberOfRun(OfRun::frictionEnergy)) return check.from || check.to;
  return quantity.isNumberOfRun(OfRun::period) || quantity.isNumberOfRun(OfRun::timeShare) ||
         quantity.isNumberOfRun(OfRun::wearPower) || check.wear;
}

CheckWatch::CheckWatch(const CheckRequest& check, const RayleighDamping& rayleigh,
                       const Simulation& simulation)
    : check_(&check), simulation_(&simulation), at_(check.history()), reduction_(check.statistic) {
  selectEvaluationMethod();
  if (check.beamForce) force_.emplace(*check.beamForce, rayleigh, simulation);
  ofContact_ = std::get_if<OfContact>(&check.quantity->source);
  const bool isForce = ofContact_ != nullptr ? ofContact_->probes[0] == ContactProbe::Kind::normalForce
                                             : source_ == Source::normalForce;
  clampsForce_ = isForce && way_ != Way::impulses && !canNormalForceBeTensile(contact());
  if (!check.node) return;
  row_ = simulation.row({*check.node, *check.dof});
  if (check.node2) row_ -= simulation.row({*check.node2, *check.dof});
  // A check of a period without a quantity counts the zeros of the velocity.
  kind_ = at_.nodeQuantityOrNull() != nullptr ? at_.nodeQuantityOrNull()->kind : Kinematic::velocity;
  imposed_ = imposedMotionOfCheck(check, kind_, simulation);
}

ImposedMotion imposedMotionOfCheck(const CheckRequest& check, Kinematic kind, const Simulation& simulation) {
  ImposedMotion motion = simulation.imposedMotion({*check.node, *check.dof}, kind, check.absoluteMotion);
  if (check.node2) motion -= simulation.imposedMotion({*check.node2, *check.dof}, kind, check.absoluteMotion);
  return motion;
}

/// Chooses how the check is computed from the samples; histories have their own reduction.
void CheckWatch::selectEvaluationMethod() {
  struct NumberOfRun {
    OfRun number;
    Source source;
    Way way;
    std::string_view reduction{};
  };
  constexpr std::array kNumbers{NumberOfRun{OfRun::period, Source::history, Way::period},
                                NumberOfRun{OfRun::impulse, Source::normalForce, Way::integral},
                                NumberOfRun{OfRun::impactPeak, Source::normalForce, Way::reduced, "max"},
                                NumberOfRun{OfRun::impactDuration, Source::normalForce, Way::duration},
                                NumberOfRun{OfRun::impactVelocity, Source::gapRate, Way::before},
                                NumberOfRun{OfRun::reboundVelocity, Source::gapRate, Way::after},
                                NumberOfRun{OfRun::timeShare, Source::phase, Way::timeShare},
                                NumberOfRun{OfRun::wearPower, Source::wear, Way::reduced, "mean"},
                                NumberOfRun{OfRun::wear, Source::wear, Way::worn},
                                NumberOfRun{OfRun::frictionEnergy, Source::frictionEnergy, Way::change}};
  for (const NumberOfRun& each : kNumbers) {
    if (!check_->quantity->isNumberOfRun(each.number)) continue;
    source_ = each.source;
    way_ = each.way;
    reduction_ = findReduction(each.reduction);
  }
  // the impulse of a rigid impact is not an integral of the contact force
  if (way_ == Way::integral && traitsOf(contact().normal).setValued) {
    way_ = Way::impulses;
    impulsesAtEnds_ = simulation_->scheme != kEventScheme;
  }
  // nor its wear work one of the force and the slip
  wearsByImpulses_ = source_ == Source::wear && doImpulsesCauseWear(contact());
  if (wearsByImpulses_) way_ = simulation_->scheme == kEventScheme ? Way::worn : Way::change;
}

std::size_t CheckWatch::sampledChannelCount() const noexcept {
  if (source_ == Source::gapRate) return 6;
  if (source_ == Source::wear && way_ != Way::change) return wearsByImpulses_ ? 4 : 3;
  if (ofContact_ == nullptr) return 1;
  return ofContact_->interpolatedNumberCount();
}

void CheckWatch::planCheckInterval(const Rehearsal& rehearsal) {
  if (rehearsal.steps.empty()) return;
  runStart_ = rehearsal.steps.front();
  from_ = check_->from.value_or(runStart_);
  to_ = check_->to.value_or(rehearsal.steps.back());
  placed_ = true;
  if (way_ == Way::timeShare)
    std::ranges::copy_if(rehearsal.events, std::back_inserter(changes_),
                         [&](const Event& event) { return event.contact == *check_->contact; });
  if (check_->quantity->place == QuantityPlace::impact) planImpactInterval(rehearsal);
}

/// Interval from the closing (or the start of the run) to the opening (or the end of the run).
void CheckWatch::planImpactInterval(const Rehearsal& rehearsal) {
  int left = check_->index;
  bool open = true;
  placed_ = ended_ = false;
  const auto begin = [&](double time) {
    open = false;
    if (--left != 0) return;
    placed_ = true;
    from_ = time;
  };
  if (rehearsal.closedAtStart[contactIndex()]) begin(runStart_);
  for (const Event& event : rehearsal.events) {
    if (event.contact != *check_->contact) continue;
    if (event.kind == EventKind::closing) begin(event.time);
    if (event.kind != EventKind::opening || open) continue;
    open = true;
    if (!placed_) continue;
    to_ = event.time;
    ended_ = true;
    break;
  }
  if (impulsesAtEnds_ && placed_) from_ = endOfStepBefore(rehearsal.steps, from_);
  if (way_ == Way::before) ended_ = placed_;
  if (way_ == Way::after) from_ = to_;
  if (placed_) planInterpolationAroundJump(startOfStepContaining(rehearsal.steps, from_));
}

/// The force of a dashpot jumps when its contact closes. The interpolation inside this step is inaccurate:
/// the totals give the impulse, the preceding step gives the velocity.
void CheckWatch::planInterpolationAroundJump(double begin) {
  if (!energyAccountingTraitsOf(contact()).normalDashpot || begin == from_) return;
  if (way_ == Way::integral) way_ = Way::impulses;
  if (way_ != Way::impulses && way_ != Way::before) return;
  ahead_ = from_ - begin;
  from_ = begin;
}

/// True if an instant lies inside this piece or at its end: the value just before the instant.
bool CheckWatch::doesIntervalEndInStep(double begin, double end, double time) const noexcept {
  return time > begin && time <= end;
}
bool CheckWatch::doesIntervalBeginInStep(double begin, double end, double time) const noexcept {
  return time >= begin && time < end;
}

/// True if the totals in a piece contain all impulses of the impact, and no impulse after the impact.
bool CheckWatch::doesPieceContainWholeImpulse(double begin, double end) const noexcept {
  return impulsesAtEnds_ ? doesIntervalEndInStep(begin, end, to_) : doesIntervalBeginInStep(begin, end, to_);
}

bool CheckWatch::doesCheckNeedPiece(double begin, double end) const noexcept {
  if (!placed_) return false;
  switch (way_) {
    case Way::duration:
      return false;
    case Way::before:
      return from_ > runStart_ ? doesIntervalEndInStep(begin, end, from_) : begin == from_;
    case Way::after:
      return ended_ && doesIntervalBeginInStep(begin, end, from_);
    case Way::impulses:
      return doesIntervalEndInStep(begin, end, from_) || (ended_ && doesPieceContainWholeImpulse(begin, end));
    case Way::change:
      return doesIntervalBeginInStep(begin, end, from_) || doesIntervalEndInStep(begin, end, to_);
    default:
      return begin < to_ && end > from_;
  }
}

void CheckWatch::sample(const StepView& view, const ContactRun& contacts, std::span<double> values) const {
  if (check_->node) {
    values[0] = row_.dot(kinematicVector(view.state, kind_).head(row_.size())) + imposed_.at(view);
    return;
  }
  if (check_->beamForce) {
    values[0] = force_->forceInView(view);
    return;
  }
  if (way_ == Way::impulses) {
    values[0] = contacts.runTotals()[contactIndex()].impulse;
    return;
  }
  if (source_ == Source::history) {
    if (ofContact_ == nullptr)
      values[0] = at_.valueInView(view);
    else
      ofContact_->sampleInterpolatedNumbers(view, contactIndex(), values.data());
    return;
  }
  const ContactView& seen = view.contacts[contactIndex()];
  switch (source_) {
    case Source::gapRate:
      // The gap has a kink where the nearest side changes; the position has none.
      for (Eigen::Index axis = 0; axis < 3; ++axis) {
        values[static_cast<std::size_t>(axis)] = seen.position[axis];
        values[static_cast<std::size_t>(axis) + 3] = seen.velocity[axis];
      }
      break;
    case Source::phase:
      values[0] = static_cast<double>(seen.phase);
      break;
    case Source::frictionEnergy:
      values[0] = seen.frictionEnergy;
      break;
    case Source::wear:
      sampleWearChannels(seen, values);
      break;
    default:
      values[0] = seen.normalForce;
  }
}

/// Channels of the wear work: the normal force and the slip, for an area v_eq, whose product N |s'| may have
/// a kink; then the wear work of impulses. By steps that is all.
void CheckWatch::sampleWearChannels(const ContactView& seen, std::span<double> values) const {
  if (way_ == Way::change) {
    values[0] = seen.impulseWear;
    return;
  }
  Tangential<double> slip;
  if (contact().patch)
    slip = {seen.slipSpeed, 0.0};
  else if (seen.phase == ContactPhase::slip)
    slip = seen.slipVelocity;
  values[0] = seen.normalForce;
  values[1] = slip.first;
  values[2] = slip.second;
  if (wearsByImpulses_) values[3] = seen.impulseWear;
}

}  // namespace ricochet
