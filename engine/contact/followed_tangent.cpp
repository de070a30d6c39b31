// Consistent tangent (derivative of the contact forces) of contacts whose tangent plane turns or whose
// obstacle moves.

#include "engine/contact/contact_tangent.hpp"
#include "engine/contact/followed_slip.hpp"
#include "engine/numerics/dual_functions.hpp"

namespace ricochet {
namespace {

/// A number with its derivatives by the four coordinates of a contact (three positions and the rotation of a
/// rolling body) and by the rates of these coordinates.
using FollowedSlope = Dual<8>;

/// Prescribed motion whose positions and rates are the variables of the derivatives.
class GivenFollowed {
 public:
  GivenFollowed(const Contact& contact, const ContactState& accepted, const FollowedState& known,
                const LocalMotion& motion, const TrialInstant& instant) noexcept
      : contact_(contact), accepted_(accepted), known_(known), instant_(instant) {
    const Drift drift = supportDriftAtTime(contact, instant.time, instant.elapsed);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      at_.place[axis] = FollowedSlope(motion.position[axis] + drift.displacement[axis], axis);
      at_.velocity[axis] = FollowedSlope(motion.rate[axis] + drift.velocity[axis], axis + 4);
    }
    at_.roll = {FollowedSlope(motion.position[3], 3), FollowedSlope(motion.rate[3], 7)};
    touch_ = gapAndNormalOf(contact.obstacle, at_.place);
    at_.frame = contactFrameAtNormal(tangentKind(contact.obstacle), touch_.normal,
                                     accepted.isClosed() ? &known.frame : nullptr);
  }

  FollowedSlope gap() const noexcept { return touch_.gap; }
  double normalSign() const noexcept { return 1.0; }
  FollowedSlope gapRate() const noexcept { return innerProduct(touch_.normal, at_.velocity); }
  SlipMotion<FollowedSlope> slip(bool /*withRate*/) noexcept {
    SurfaceMotion surface;
    slip_ = slipOfFollowedContact(contact_, accepted_, known_, at_, instant_.time, instant_.elapsed, surface);
    return slip_;
  }
  Tangential<FollowedSlope> slipRate() const noexcept { return slip_.rate; }

  const ContactFrame<FollowedSlope>& frame() const noexcept { return at_.frame; }

 private:
  const Contact& contact_;
  const ContactState& accepted_;
  const FollowedState& known_;
  TrialInstant instant_;
  FollowedPlace<FollowedSlope> at_{};
  Touch<FollowedSlope> touch_{};
  SlipMotion<FollowedSlope> slip_{};
};

}  // namespace

double gapOfContactAtMotion(const Contact& contact, const LocalMotion& motion, double t,
                            double elapsed) noexcept {
  Local<double> x{motion.position[0], motion.position[1], motion.position[2]};
  if (!contact.drift.empty()) {
    const Drift drift = supportDriftAtTime(contact, t, elapsed);
    for (std::size_t i = 0; i < 3; ++i) x[i] += drift.displacement[i];
  }
  return gapAndNormalOf(contact.obstacle, x).gap;
}

ContactTangent tangentMatrixOfFollowedContact(const Contact& contact, const ContactState& accepted,
                                              const FollowedState& known, double imposed,
                                              const LocalMotion& motion,
                                              const TrialInstant& instant) noexcept {
  GivenFollowed at(contact, accepted, known, motion, instant);
  ContactTrial<FollowedSlope> trial;
  computeContactTrial<FollowedSlope>(contact, at, imposed, instant.elapsed, accepted, trial);
  ContactTangent tangent;
  if (!trial.isClosed()) return tangent;
  const ContactFrame<FollowedSlope>& frame = at.frame();
  const Tangential<FollowedSlope> traction{contact.tangentScale.first * trial.traction.first,
                                           contact.tangentScale.second * trial.traction.second};
  const double roll = rollingSlipFactor(valuesWithoutDerivatives(frame));
  for (std::size_t axis = 0; axis < 4; ++axis) {
    const FollowedSlope force = axis == 3 ? -roll * traction.first
                                          : trial.compression * frame.normal[axis] +
                                                traction.first * frame.first[axis] +
                                                traction.second * frame.second[axis];
    tangent.force[axis] = force.value();
    for (std::size_t i = 0; i < 4; ++i) {
      tangent.byPosition[axis][i] = force.slope(i);
      tangent.byRate[axis][i] = force.slope(i + 4);
    }
  }
  return tangent;
}

}  // namespace ricochet
