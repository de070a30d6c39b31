// Determines the impacts of a contact from the pieces of a run.

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
void ContactFollower::followImpacts() {
  const bool before = piece_.before != ContactPhase::open;
  const bool after = piece_.after != ContactPhase::open;
  if (countsImpulses_ && !isRigid_)
    stepImpulse_ = piece_.totals->impulse - std::exchange(lastImpulse_, piece_.totals->impulse);
  if (isRigid_) {
    followShortImpacts();
  } else if (before != closed_) {
    // If the velocity does not jump, the approach velocity is evaluated in the closed state, where no other
    // side of the obstacle is near.
    before ? beginImpact(piece_.begin, approachAt(piece_.begin)) : endImpact(piece_.begin);
  }
  begun_ = true;
  if (!before && after) {
    const bool jumps = countsImpulses_ && !isRigid_;
    beginImpact(piece_.change,
                jumps ? approachBefore(piece_.change) : approachAt(isRigid_ ? piece_.begin : piece_.change));
  }
  if (threshold_ == 0.0) {
    if (before || after) recordLoad();
  } else if (before || after) {
    followForce({before ? piece_.begin : piece_.change, after ? piece_.end : piece_.change});
  }
  if (before && !after) endImpact(piece_.change);
  if (isRigid_) lastRate_ = approachAt(piece_.end);
  if (countsImpulses_ && !isRigid_)
    lastSlope_ = (approachAt(piece_.end) - approachAt(piece_.begin)) / (piece_.end - piece_.begin);
}

void ContactFollower::beginImpact(double time, double velocity) {
  closed_ = true;
  closingVelocity_ = velocity;
  if (threshold_ == 0.0) tracker_.begin(time, velocity, *this);
}

void ContactFollower::endImpact(double time) {
  closed_ = false;
  if (tracker_.isActive()) tracker_.end(time, *this);
}

void ContactFollower::recordLoad() {
  const Interval all{piece_.begin, piece_.end};
  tracker_.recordLoad(countsImpulses_ ? stepImpulse_ : normalImpulse(all), peakOver(all));
}

/// Detects crossings of the threshold by the force while the contact is closed.
void ContactFollower::followForce(Interval closed) {
  constexpr int kHalvings = 60;
  if (!(closed.to > closed.from)) return;
  const auto over = [&](double t) { return signalAt(Signal::normalForce, t) > threshold_; };
  const auto begin = [&](double t) { tracker_.begin(t, closingVelocity_, *this); };
  double since = closed.from;
  bool was = over(closed.from);
  if (was && !tracker_.isActive()) begin(since);
  if (!was && tracker_.isActive()) tracker_.end(since, *this);
  double last = closed.from;
  const std::size_t n = grid_->cells();
  for (std::size_t i = 1; i <= n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n);
    const double t = i == n ? closed.to : closed.from + share * (closed.to - closed.from);
    if (const bool is = over(t); is != was) {
      double from = last, to = t;
      for (int pass = 0; pass < kHalvings; ++pass) {
        const double middle = 0.5 * (from + to);
        (over(middle) == was ? from : to) = middle;
      }
      if (is) {
        begin(to);
      } else {
        tracker_.recordLoad(normalImpulse({since, to}), peakOver({since, to}));
        tracker_.end(to, *this);
      }
      since = to;
      was = is;
    }
    last = t;
  }
  if (was) tracker_.recordLoad(normalImpulse({since, closed.to}), peakOver({since, closed.to}));
}

/// Adds impulses that are not integrals of the force: the gain of the totals minus the integral. In the event
/// scheme such an impulse acts at the start of a piece, and the approach velocity is that at the end of the
/// preceding piece; in the other schemes the impulse acts during the step.
void ContactFollower::followShortImpacts() {
  const bool before = piece_.before != ContactPhase::open;
  const double gained = piece_.totals->impulse - lastImpulse_;
  const int impacts = piece_.totals->impacts - lastImpacts_;
  lastImpulse_ = piece_.totals->impulse;
  lastImpacts_ = piece_.totals->impacts;
  if (!isSeries_) {
    stepImpulse_ = gained;
    if (before != closed_)
      before ? beginImpact(piece_.begin, approachAt(piece_.begin)) : endImpact(piece_.begin);
    const bool touches = before || piece_.after != ContactPhase::open;
    if (!touches && impacts > 0) {
      lastRate_ = approachAt(piece_.begin);
      addBounce(piece_.change, gained, impacts);
    }
    return;
  }
  double lump = gained - lastIntegral_;
  if (!(lump > kRounding * gained)) lump = 0.0;
  lastIntegral_ = normalImpulse({piece_.begin, piece_.end});
  addShortImpact(piece_.begin, lump);
  const bool wasClosed = closed_;
  if (wasClosed && tracker_.isActive()) tracker_.recordLoad(lump, 0.0);
  if (before != closed_)
    before ? beginImpact(piece_.begin, begun_ ? lastRate_ : approachAt(piece_.begin))
           : endImpact(piece_.begin);
  if (wasClosed) return;
  if (before && tracker_.isActive()) tracker_.recordLoad(lump, 0.0);
  if (!before && impacts > 0) addBounce(piece_.begin, lump, impacts);
}

void ContactFollower::addShortImpact(double time, double impulse) noexcept {
  for (WindowTotals& each : windows_)
    if (each.containsInstant(time, end_)) each.impulse += impulse;
}

/// Records impacts of zero duration.
void ContactFollower::addBounce(double time, double impulse, int count) {
  for (int i = 0; i < count; ++i) {
    tracker_.begin(time, lastRate_, *this);
    tracker_.recordLoad(impulse / count, 0.0);
    tracker_.end(time, *this);
  }
}

void ContactFollower::addImpact(const Impact& impact) {
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    if (!windows_[w].containsInstant(impact.start, end_)) continue;
    windows_[w].impacts.add(impact);
    if (histograms_.empty()) continue;
    const auto add = [&](Histogrammed what, double value) {
      histograms_[static_cast<std::size_t>(what)].add(w, value, 1.0);
    };
    add(Histogrammed::impactPeak, impact.peak);
    add(Histogrammed::impactVelocity, impact.velocity);
    add(Histogrammed::impactDuration, impact.duration());
  }
}

void ContactFollower::addGlobalImpact(const Impact& impact) {
  for (WindowTotals& each : windows_)
    if (each.containsInstant(impact.start, end_)) each.globals.add(impact);
  if (keepsTable_) table_.push_back(impact);
}

void ContactFollower::finish(double time, const ContactTotals& totals) {
  if (isRigid_ && isSeries_) {
    const double lump = totals.impulse - lastImpulse_ - lastIntegral_;
    if (lump > kRounding * totals.impulse) addShortImpact(lastEnd_, lump);
  }
  tracker_.finish(time, *this);
  // the windows of an interrupted or failed run end at its last instant
  for (WindowTotals& each : windows_) each.to = std::clamp(time, each.from, each.to);
}

}  // namespace ricochet
