// Determines the impacts of a contact from the pieces of a run.

#include "engine/numerics/extremes.hpp"
#include "io/quantities/statistics/contact_follower.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ricochet {
namespace {

/// Relative size below which an impulse is rounding.
constexpr double kRounding = 1e-10;

}  // namespace

/// Detects closing and opening between two pieces or inside a piece. Without a threshold an impact lasts as
/// long as the contact is closed, and the force of a step counts fully for the impact.
void ContactFollower::detectImpactsInPiece() {
  const bool before = piece_.before != ContactPhase::open;
  const bool after = piece_.after != ContactPhase::open;
  if (countsImpulses_ && !isRigid_)
    stepImpulse_ = piece_.totals->impulse - std::exchange(lastImpulse_, piece_.totals->impulse);
  if (isRigid_) {
    detectShortImpacts();
  } else if (before != closed_) {
    // If the velocity does not jump, the approach velocity is evaluated in the closed state, where no other
    // side of the obstacle is near.
    before ? beginImpact(piece_.begin, approachVelocityAt(piece_.begin)) : endImpact(piece_.begin);
  }
  begun_ = true;
  if (!before && after) {
    const bool jumps = countsImpulses_ && !isRigid_;
    beginImpact(piece_.change, jumps ? approachVelocityBeforeImpact(piece_.change)
                                     : approachVelocityAt(isRigid_ ? piece_.begin : piece_.change));
  }
  if (threshold_ == 0.0) {
    if (before || after) recordImpulseAndPeakForce();
  } else if (before || after) {
    const Interval closed{before ? piece_.begin : piece_.change, after ? piece_.end : piece_.change};
    findLoadedIntervals(closed);
    detectImpactsAboveThreshold(closed);
  } else {
    loadedCount_ = 0;
  }
  if (before && !after) endImpact(piece_.change);
  if (isRigid_) lastRate_ = approachVelocityAt(piece_.end);
  if (countsImpulses_ && !isRigid_)
    lastSlope_ =
        (approachVelocityAt(piece_.end) - approachVelocityAt(piece_.begin)) / (piece_.end - piece_.begin);
}

void ContactFollower::beginImpact(double time, double velocity) {
  closed_ = true;
  closingVelocity_ = velocity;
  if (threshold_ == 0.0) tracker_.beginTrackedImpact(time, velocity, *this);
}

void ContactFollower::endImpact(double time) {
  closed_ = false;
  if (tracker_.isImpactActive()) tracker_.endTrackedImpact(time, *this);
}

void ContactFollower::recordImpulseAndPeakForce() {
  const Interval all{piece_.begin, piece_.end};
  tracker_.recordImpulseAndPeakForce(countsImpulses_ ? stepImpulse_ : normalImpulse(all), peakForceOver(all));
}

/// An instant of a cell at whose ends the force is on the same side of the threshold, at which it is on the
/// other side: by golden sections towards the extremum.
std::optional<double> ContactFollower::instantOfThresholdCrossing(double from, double to,
                                                                  bool over) const noexcept {
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kSections = 30;
  const double sign = over ? -1.0 : 1.0;
  const auto beyond = [&](double t) { return sign * (signalAt(Signal::normalForce, t) - threshold_); };
  double x = to - kGolden * (to - from), y = from + kGolden * (to - from);
  double atX = beyond(x), atY = beyond(y);
  for (int pass = 0; pass < kSections && !(atX > 0.0) && !(atY > 0.0); ++pass) {
    if (atX >= atY) {
      to = std::exchange(y, x);
      atY = atX;
      atX = beyond(x = to - kGolden * (to - from));
    } else {
      from = std::exchange(x, y);
      atX = atY;
      atY = beyond(y = from + kGolden * (to - from));
    }
  }
  if (atX > 0.0) return x;
  return atY > 0.0 ? std::optional(y) : std::nullopt;
}

/// Finds the intervals of a closed interval of the piece in which the force exceeds the threshold.
void ContactFollower::findLoadedIntervals(Interval closed) noexcept {
  constexpr int kHalvings = 60;
  loadedCount_ = 0;
  if (!(closed.to > closed.from)) return;
  const EvenCells cells{closed.from, closed.to, grid_->cellCount()};
  const std::size_t n = cells.count;
  std::array<double, kMostCells + 1> force{};
  for (std::size_t i = 0; i <= n; ++i) force[i] = signalAt(Signal::normalForce, cells.endOfCell(i));
  const auto over = [&](double t) { return signalAt(Signal::normalForce, t) > threshold_; };
  bool was = force[0] > threshold_;
  double since = closed.from;
  const auto cross = [&](double from, double to) {
    for (int pass = 0; pass < kHalvings; ++pass) {
      const double middle = 0.5 * (from + to);
      (over(middle) == was ? from : to) = middle;
    }
    if (was) loaded_[loadedCount_++] = {since, to};
    since = to;
    was = !was;
  };
  // A smooth extremum between the ends of cells exceeds the larger end by at most the falls beside it.
  const auto mayTurnBeyond = [&](std::size_t i) {
    const double sign = was ? -1.0 : 1.0;
    const bool first = sign * force[i - 1] > sign * force[i];
    const double here = sign * (first ? force[i - 1] : force[i]),
                 other = sign * (first ? force[i] : force[i - 1]);
    const bool atEnd = first ? i == 1 : i == n;
    const double outside = atEnd ? here : sign * force[first ? i - 2 : i + 1];
    return !(outside > here) && here + (here - other) + (here - outside) > sign * threshold_;
  };
  for (std::size_t i = 1; i <= n; ++i) {
    const double from = cells.endOfCell(i - 1), to = cells.endOfCell(i);
    if ((force[i] > threshold_) != was) {
      cross(from, to);
    } else if (isSeries_ && mayTurnBeyond(i)) {
      if (const std::optional<double> beyond = instantOfThresholdCrossing(from, to, was)) {
        cross(from, *beyond);
        cross(*beyond, to);
      }
    }
  }
  if (was) loaded_[loadedCount_++] = {since, closed.to};
}

/// Impacts with a threshold: they last as long as the force exceeds it while the contact is closed.
void ContactFollower::detectImpactsAboveThreshold(Interval closed) {
  if (!(closed.to > closed.from)) return;
  if (tracker_.isImpactActive() && (loadedCount_ == 0 || loaded_[0].from > closed.from))
    tracker_.endTrackedImpact(closed.from, *this);
  for (std::size_t i = 0; i < loadedCount_; ++i) {
    const Interval loaded = loaded_[i];
    if (!tracker_.isImpactActive()) tracker_.beginTrackedImpact(loaded.from, closingVelocity_, *this);
    tracker_.recordImpulseAndPeakForce(normalImpulse(loaded), peakForceOver(loaded));
    if (loaded.to < closed.to) tracker_.endTrackedImpact(loaded.to, *this);
  }
}

/// Adds impulses that are not integrals of the force: the gain of the totals minus the integral. In the event
/// scheme such an impulse acts at the start of a piece, and the approach velocity is that at the end of the
/// preceding piece; in the other schemes the impulse acts during the step.
void ContactFollower::detectShortImpacts() {
  const bool before = piece_.before != ContactPhase::open;
  const double gained = piece_.totals->impulse - lastImpulse_;
  const int impacts = piece_.totals->impacts - lastImpacts_;
  lastImpulse_ = piece_.totals->impulse;
  lastImpacts_ = piece_.totals->impacts;
  if (!isSeries_) {
    stepImpulse_ = gained;
    if (begun_)
      lastRate_ = approachVelocityAt(piece_.begin);  // not that after an impact at the start of the run
    if (before != closed_) before ? beginImpact(piece_.begin, lastRate_) : endImpact(piece_.begin);
    const bool touches = before || piece_.after != ContactPhase::open;
    if (!touches && impacts > 0) addInstantaneousImpacts(piece_.change, gained, impacts);
    return;
  }
  double lump = gained - lastIntegral_;
  if (!(lump > kRounding * gained)) lump = 0.0;
  lastIntegral_ = normalImpulse({piece_.begin, piece_.end});
  addShortImpact(piece_.begin, lump);
  const bool wasClosed = closed_;
  if (wasClosed && tracker_.isImpactActive()) tracker_.recordImpulseAndPeakForce(lump, 0.0);
  if (before != closed_) before ? beginImpact(piece_.begin, lastRate_) : endImpact(piece_.begin);
  if (wasClosed) return;
  if (before && tracker_.isImpactActive()) tracker_.recordImpulseAndPeakForce(lump, 0.0);
  if (!before && impacts > 0) addInstantaneousImpacts(piece_.begin, lump, impacts);
}

void ContactFollower::addShortImpact(double time, double impulse) noexcept {
  for (WindowTotals& each : windows_)
    if (each.doesWindowContainInstant(time, end_)) each.impulse += impulse;
}

/// Records impacts of zero duration.
void ContactFollower::addInstantaneousImpacts(double time, double impulse, int count) {
  for (int i = 0; i < count; ++i) {
    tracker_.beginTrackedImpact(time, lastRate_, *this);
    tracker_.recordImpulseAndPeakForce(impulse / count, 0.0);
    tracker_.endTrackedImpact(time, *this);
  }
}

void ContactFollower::addImpact(const Impact& impact) {
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    if (!windows_[w].doesWindowContainInstant(impact.start, end_)) continue;
    windows_[w].impacts.addImpactToSums(impact);
    if (histograms_.empty()) continue;
    const auto add = [&](Histogrammed what, double value) {
      histograms_[static_cast<std::size_t>(what)].addWeight(w, value, 1.0);
    };
    add(Histogrammed::impactPeak, impact.peak);
    add(Histogrammed::impactVelocity, impact.velocity);
    add(Histogrammed::impactDuration, impact.duration());
  }
}

void ContactFollower::addGlobalImpact(const Impact& impact) {
  for (WindowTotals& each : windows_)
    if (each.doesWindowContainInstant(impact.start, end_)) each.globals.addImpactToSums(impact);
  if (keepsTable_) table_.push_back(impact);
}

void ContactFollower::finishAtTime(double time, const ContactTotals& totals) {
  if (isRigid_ && isSeries_) {
    const double lump = totals.impulse - lastImpulse_ - lastIntegral_;
    if (lump > kRounding * totals.impulse) addShortImpact(lastEnd_, lump);
  }
  if (wearsByImpulses_ && isSeries_) addWearWorkOfImpulses(totals.impulseWear, {lastEnd_, lastEnd_});
  tracker_.finishAtTime(time, *this);
  // the windows of an interrupted or failed run end at its last instant
  for (WindowTotals& each : windows_) each.to = std::clamp(time, each.from, each.to);
}

}  // namespace ricochet
