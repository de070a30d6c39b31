// Jumps of the imposed motion of links.

#include "engine/links/link_in_series.hpp"
#include "engine/links/link_set.hpp"

#include <algorithm>

namespace ricochet {

bool LinkRun::advanceTimeFunctions(double t, double tolerance, const Motion& motion, double* force,
                                   std::vector<Event>& events) {
  bool coupled = false;
  jumps_.visitJumpsAtTime(t, tolerance, [&](std::size_t jump, double instant) {
    const auto n = static_cast<int>(jump);
    const int i = n % count_;
    const double after = std::max(t, instant);  // the time may lie before the jump by its tolerance
    if (n == i && set_->link(i).coupled) {
      states_[stateIndex(i, current_)].motion.time = after;
      coupled = true;
    }
    if (coupled && set_->link(i).coupled) return;  // all of them are solved together after the jump
    LinkState to = state(i);
    computeResponse(i, set_->linkMotionAtTime(i, after, motion), state(i), to);
    if (n == i) {
      acceptDisplacementJump(i, to, force);
      recordEvent(i, after, state(i), events);
      return;
    }
    LinkState& now = states_[stateIndex(i, current_)];
    addLinkForceChange(i, now.force, to.force, force);
    now.motion = to.motion;
    now.force = to.force;
  });
  return coupled;
}

void LinkRun::settleAfterMotionJump(double t, const Motion& motion, std::vector<Event>& events) {
  for (int i = 0; i < count_; ++i) {
    if (set_->link(i).coupled) {
      states_[stateIndex(i, current_)].motion.time = t;
      continue;
    }
    LinkState to = state(i);
    computeResponse(i, set_->linkMotionAtTime(i, t, motion), state(i), to);
    acceptDisplacementJump(i, to, nullptr);
    recordEvent(i, t, state(i), events);
  }
}

/// Adds the change of the generalized force of a link to `force`, if there is one.
void LinkRun::addLinkForceChange(int i, const std::array<double, kLinkAxes>& from,
                                 const std::array<double, kLinkAxes>& to, double* force) const noexcept {
  for (std::size_t axis = 0; axis < kLinkAxes && force != nullptr; ++axis)
    if (const double* row = set_->row(i, axis))
      kernels::addScaled(from[axis] - to[axis], row, force, set_->rowSize());
}

/// Accepts the state `to` of a link after a jump of its displacement, with the energies.
void LinkRun::acceptDisplacementJump(int i, const LinkState& to, double* force) noexcept {
  const Link& link = set_->link(i);
  LinkState& now = states_[stateIndex(i, current_)];
  addLinkForceChange(i, now.force, to.force, force);
  LinkState own = now;
  own.stored -= energyOfSpringsInSeries(link, now.force);
  now = linkStateAfterDisplacementJump(link, own, to.motion, to.force);
  now.stored += energyOfSpringsInSeries(link, now.force);
  now.jump = {};
}

void LinkRun::acceptDisplacementJumps(double* force) noexcept {
  for (int i = 0; i < count_; ++i)
    if (set_->link(i).coupled) acceptDisplacementJump(i, trialState(i), force);
}

void LinkRun::recomputeRates(double t, const Motion& motion) noexcept {
  for (int i = 0; i < count_; ++i) recomputeRates(i, t, motion);
}

void LinkRun::recomputeRates(int i, double t, const Motion& motion) noexcept {
  LinkState& now = states_[stateIndex(i, current_)];
  LinkState after = now;
  computeResponse(i, set_->linkMotionAtTime(i, t, motion), now, after);
  now.motion = after.motion;
  now.force = after.force;
}

}  // namespace ricochet
