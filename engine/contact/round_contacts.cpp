// Contacts with a circle or a disc at rest whose body moves only across the axis.
//
// The functions give the same bits as those of followed_contacts.cpp, without the terms that are zero in a
// plane: the position along the axis, the second tangent, moving supports, moving surfaces and rolling.

#include "engine/contact/contact_set.hpp"
#include "engine/contact/followed_slip.hpp"

#include <variant>

namespace ricochet {
namespace {

/// Copies the two components across the axis; the third one of a FollowedState keeps its initial value.
void copyComponentsAcrossCircleAxis(const Local<double>& from, Local<double>& to) noexcept {
  to[0] = from[0];
  to[1] = from[1];
}

/// Path of a contact along the arc [m] when the contact point is at `place`. For the friction automaton
/// (`anchored`) the path is measured along the present tangent.
double slipPathAlongArc(const Local<double>& place, const Local<double>& n, const Local<double>& tangent,
                        const ContactState& from, const FollowedState& before, bool anchored) noexcept {
  if (!from.isClosed()) return tangent[0] * place[0] + tangent[1] * place[1];
  if (anchored)
    return from.friction.anchorPosition.first +
           (tangent[0] * (place[0] - before.anchor[0]) + tangent[1] * (place[1] - before.anchor[1]));
  const ContactFrame<double> frame = contactFrameAtNormal(TangentKind::inPlane, n, nullptr);
  return from.position.first +
         slipPathAlongSurface(TangentKind::inPlane, before.frame, before.place, frame, place).first;
}

/// Motion in a plane across the axis of a circle or a disc.
template <class Shape>
class PlaneCircleKinematics {
 public:
  struct Rows {
    const double *first, *second;
    Eigen::Index size;
  };
  PlaneCircleKinematics(const Shape& shape, const Touch<double>& touch, const Local<double>& place,
                        const Rows& rows, const Motion& motion, const ContactState& from,
                        const FollowedState& before, bool anchored, double elapsed) noexcept
      : shape_(shape),
        touch_(touch),
        place_(place),
        rows_(rows),
        motion_(motion),
        from_(from),
        before_(before),
        anchored_(anchored),
        elapsed_(elapsed) {}

  double gap() const noexcept { return touch_.gap; }
  double normalSign() const noexcept { return 1.0; }
  double gapRate() noexcept {
    computeVelocity();
    return touch_.normal[0] * rates_[0] + touch_.normal[1] * rates_[1];
  }
  SlipMotion<double> slip(bool /*withRate*/) noexcept {
    if (elapsed_ > 0.0 && from_.isClosed() && !anchored_) return slipFromSlipRates();
    return {
        {slipPathAlongArc(place_, touch_.normal, tangentDirection(), from_, before_, anchored_), place_[2]},
        slipRate()};
  }
  Tangential<double> slipRate() noexcept {
    computeVelocity();
    const Local<double> t = tangentDirection();
    return {t[0] * rates_[0] + t[1] * rates_[1], 0.0};
  }

  Local<double> tangentDirection() const noexcept { return {-touch_.normal[1], touch_.normal[0], 0.0}; }
  /// Position of the contact point `elapsed` [s] earlier, at the present velocity.
  Local<double> positionAtEarlierTime(double elapsed) noexcept {
    computeVelocity();
    return {place_[0] - elapsed * rates_[0], place_[1] - elapsed * rates_[1], place_[2]};
  }

 private:
  /// Slip whose path follows the rates at start, middle and end of the step.
  SlipMotion<double> slipFromSlipRates() noexcept {
    const Tangential<double> rate = slipRate();
    const Local<double>&n = before_.frame.normal, &t = before_.frame.first;
    Local<double> velocity{};
    for (std::size_t a = 0; a < 2; ++a) velocity[a] = from_.gapRate * n[a] + from_.slipRate.first * t[a];
    const MiddleOfPath middle(before_.place, velocity, place_, {rates_[0], rates_[1], 0.0}, elapsed_);
    const Local<double> normal = shape_.template gapAndNormal<double>(middle.place).normal;
    const Tangential<double> between{normal[0] * middle.velocity[1] - normal[1] * middle.velocity[0], 0.0};
    return {{from_.position.first + slipPathFromSlipRates(from_.slipRate, between, rate, elapsed_).first,
             place_[2]},
            rate};
  }
  void computeVelocity() noexcept {
    if (completed_) return;
    completed_ = true;
    kernels::velocitiesAlongRows(rows_.first, rows_.second, motion_.v, motion_.dv, motion_.a, rows_.size,
                                 rates_);
  }

  const Shape& shape_;
  const Touch<double>& touch_;
  const Local<double>& place_;
  Rows rows_;
  const Motion& motion_;
  const ContactState& from_;
  const FollowedState& before_;
  bool anchored_;
  double elapsed_;  // time since the accepted state if the path follows the rates; 0: it does not [s]
  bool completed_{false};
  double rates_[2]{};  // NOLINT: kernels::velocitiesAlongRows writes to an array
};

}  // namespace

bool isContactWithCircleInPlane(const Contact& contact) noexcept {
  const AnyCurvedObstacle* curved = curvedObstacleOrNull(contact.obstacle);
  if (curved == nullptr) return false;
  const bool round = std::visit([]<class O>(const O&) { return kIsCircular<O>; }, *curved);
  const bool atRest =
      contact.drift.empty() && contact.surface.empty() && contact.surfaceSpin.empty() && !contact.isRolling();
  const bool inPlane =
      !contact.rows.row(0).isZero(0.0) && !contact.rows.row(1).isZero(0.0) && contact.rows.row(2).isZero(0.0);
  const bool stepped = doesMotionDetermineForce(traitsOf(contact.normal));
  const bool isotropic = contact.tangentScale.first == 1.0 && contact.tangentScale.second == 1.0;
  return round && atRest && inPlane && stepped && isotropic && !contact.patch;
}

template <class Shape>
void ContactRun::evaluateCircleShape(const Shape& shape, std::size_t i, double t,
                                     const Motion& motion) noexcept {
  const int index = static_cast<int>(i);
  const Contact& contact = set_->contact(index);
  const ContactState& from = acceptedState(i);
  ContactState& to = writableTrialState(i);
  const FollowedState& before = followed_.state(i, current_[i]);
  FollowedState& after = followed_.state(i, 1U - current_[i]);

  const double* places = gaps_.trialDisplacementsAlongRows() + i;
  const Local<double> place{contact.offset[0] + places[0], contact.offset[1] + places[set_->rowStride()],
                            contact.offset[2]};
  const Touch<double> touch = shape.template gapAndNormal<double>(place);
  after.place = place;
  copyComponentsAcrossCircleAxis({}, after.push);
  if (from.normal == NormalState::open && touch.gap > 0.0) {
    to = {};
    to.gap = touch.gap;
    return;
  }
  const double elapsed = t - time_;
  const bool anchored = traitsOf(contact.friction).anchorsPlace;
  PlaneCircleKinematics<Shape> at(shape, touch, place,
                                  {set_->row(index, 0), set_->row(index, 1), set_->rowSize()}, motion, from,
                                  before, anchored, followsRates_ ? elapsed : 0.0);
  computeContactTrial<double>(contact, at, 0.0, elapsed, from, to);
  if (followsRates_ && to.isClosed()) to.gapRate = at.gapRate();
  if (!to.isClosed() && !from.isClosed()) return;
  const Local<double>& n = touch.normal;
  const Local<double> tangent = at.tangentDirection();
  copyComponentsAcrossCircleAxis(n, after.frame.normal);
  copyComponentsAcrossCircleAxis(tangent, after.frame.first);
  if (!to.isClosed()) return;
  const double pull = to.traction.first;
  copyComponentsAcrossCircleAxis(
      {to.compression * n[0] + pull * tangent[0], to.compression * n[1] + pull * tangent[1], 0.0},
      after.push);
  if (!anchored) return;
  after.anchor = before.anchor;
  if (to.friction.slipping)
    after.anchor = place;
  else if (!from.isClosed())  // a contact that closes in stick has its anchor one step earlier
    after.anchor = at.positionAtEarlierTime(elapsed);
}

void ContactRun::evaluateCircleContactInPlane(std::size_t i, double t, const Motion& motion) noexcept {
  std::visit(
      [&]<class O>(const O& shape) {
        if constexpr (kIsCircular<O>) evaluateCircleShape(shape, i, t, motion);
      },
      *curvedObstacleOrNull(set_->contacts()[i].obstacle));
}

void ContactRun::evaluateCircleContactAndCollectForces(std::size_t i, double t,
                                                       const Motion& motion) noexcept {
  evaluateCircleContactInPlane(i, t, motion);
  if (!writableTrialState(i).isClosed()) return;
  const Local<double>& push = followed_.state(i, 1U - current_[i]).push;
  const auto at = static_cast<std::size_t>(active_);
  for (const std::size_t axis : {std::size_t{0}, std::size_t{1}}) {
    activeRows_[at + axis] = set_->row(static_cast<int>(i), static_cast<int>(axis));
    activeForces_[at + axis] = push[axis];
  }
  active_ += 2;
}

}  // namespace ricochet
