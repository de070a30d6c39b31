// Points of parts without inertia in the balance of contacts (static_coupling.hpp).

#include "engine/model/implicit_contact.hpp"

#include <algorithm>

namespace ricochet {

/// Static displacement of a point along a row under the forces of the balance [m].
double ImplicitContact::shiftOf(const Row& row) const noexcept {
  double shift = 0.0;
  for (const Row& other : rows_)
    shift += coupling_->beside(row.index, other.index) * active_[other.active].predicted[other.axis];
  return shift;
}

/// The same under the forces of the accepted states.
double ImplicitContact::shiftBefore(const Row& row) const noexcept {
  double shift = 0.0;
  for (const Row& other : rows_)
    shift += coupling_->beside(row.index, other.index) * active_[other.active].before[other.axis];
  return shift;
}

/// Gives the shifts of the balance to the trial.
void ImplicitContact::putShifts(ContactRun& run) const noexcept {
  for (const Active& active : active_) {
    if (!isCoupled(active.contact)) continue;
    Local<double> shift{};
    LinkRun::Shift ofLink;
    for (std::size_t axis = 0; axis < std::min<std::size_t>(active.axes, 3); ++axis) {
      const Row& row = rows_[active.firstRow + axis];
      shift[axis] = shiftOf(row);
      if (axis >= kLinkAxes) continue;
      ofLink.displacement[axis] = shift[axis];
      if (elapsed_ > 0.0) ofLink.rate[axis] = (shift[axis] - shiftBefore(row)) / elapsed_;
    }
    if (isLink(active.contact))
      links_->setShift(linkOf(active.contact), ofLink);
    else
      run.setShift(static_cast<std::size_t>(active.contact), shift);
  }
}

/// Forces of the accepted state of a coupled body.
std::array<double, 4> ImplicitContact::forceBefore(const ContactRun& run, int body) const noexcept {
  if (!isCoupled(body)) return {};
  if (isLink(body)) {
    const LinkState& kept = links_->state(linkOf(body));
    return {-kept.force[0], -kept.force[1], 0.0, 0.0};
  }
  const auto i = static_cast<std::size_t>(body);
  const ContactState& kept = run.state(i);
  if (!kept.closed()) return {};
  if (!set_->isFollowed(body))
    return {kept.side * kept.compression, kept.traction.first, kept.traction.second};
  const Local<double>& push = run.followed(i).push;
  return {push[0], push[1], push[2], 0.0};
}

/// Starts from the shifts of the accepted states.
void ImplicitContact::startFromShifts() noexcept {
  for (Active& active : active_) {
    if (!isCoupled(active.contact)) continue;
    active.predicted = active.before;
    for (std::size_t axis = 0; axis < active.axes; ++axis)
      w_[static_cast<Eigen::Index>(active.firstRow + axis)] +=
          shiftBefore(rows_[active.firstRow + axis]) / balance_.dq;
  }
}

}  // namespace ricochet
