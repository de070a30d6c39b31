#include "engine/contact/contact_tangent.hpp"

#include "engine/contact/areas/patch_law.hpp"
#include "engine/contact/try_contact.hpp"
#include "engine/numerics/dual_functions.hpp"

namespace ricochet {
namespace {

/// Derivatives with respect to the three positions of the contact point, then to its three rates.
using Slope = Dual<6>;

/// Prescribed motion of a contact point whose positions and rates are the variables of the derivatives.
class GivenCoordinates {
 public:
  explicit GivenCoordinates(const LocalMotion& motion) noexcept : motion_(motion) {}

  Slope position(int axis) const noexcept {
    const auto a = static_cast<std::size_t>(axis);
    return {motion_.position[a], a};
  }
  Slope rate(int axis) const noexcept {
    const auto a = static_cast<std::size_t>(axis);
    return {motion_.rate[a], a + 3};
  }
  AxisMotionOf<Slope> motion(int axis) const noexcept { return {position(axis), rate(axis)}; }

 private:
  const LocalMotion& motion_;
};

/// Adds the wrench of an area (force and moment) and its derivatives, which the law of the area computes.
void addWrenchOfContactArea(const Contact& contact, const ContactState& accepted, const Slope& normalForce,
                            const LocalMotion& motion, double elapsed, const AcceptedArea& area,
                            ContactTangent& tangent) noexcept {
  const Slope compression = normalForceForFriction(normalForce);
  const AreaMotion now{.position = {motion.position[1], motion.position[2]},
                       .spin = motion.position[3],
                       .rate = {motion.rate[1], motion.rate[2]},
                       .spinRate = motion.rate[3],
                       .compression = compression.value(),
                       .elapsed = elapsed,
                       .dashpot = stickRelaxationTime(contact),
                       .held = {accepted.traction, area.state->moment},
                       .begins = !accepted.isClosed()};
  AreaMemory memory = area.state->memory;
  if (!accepted
           .isClosed())  // the bed starts without force at the present position, as in evaluateContactArea
    memory = {.wrench = {}, .position = now.position, .spin = now.spin, .slipSpeed = 0.0, .slipping = true};
  const AreaTangent slopes = contact.patch->tangentMatrix(now, memory, area.bristles);
  const std::array<double, 3> wrench = wrenchComponents(slopes.wrench);
  for (std::size_t i = 0; i < 3; ++i) {
    tangent.force[i + 1] = wrench[i];
    for (std::size_t j = 0; j < 3; ++j) {
      tangent.byPosition[i + 1][j + 1] = slopes.byPosition[i][j];
      tangent.byRate[i + 1][j + 1] = slopes.byRate[i][j];
    }
    tangent.byPosition[i + 1][0] = slopes.byCompression[i] * compression.slope(0);
    tangent.byRate[i + 1][0] = slopes.byCompression[i] * compression.slope(3);
  }
}

}  // namespace

ContactTangent contactTangentMatrix(const Contact& contact, const ContactState& accepted, double imposed,
                                    const LocalMotion& motion, double elapsed,
                                    const AcceptedArea& area) noexcept {
  const GivenCoordinates coordinates(motion);
  FlatKinematics<Slope, GivenCoordinates> at(contact, coordinates);
  ContactTrial<Slope> trial;
  computeContactTrial<Slope>(contact, at, imposed, elapsed, accepted, trial);
  ContactTangent tangent;
  if (!trial.isClosed()) return tangent;
  const std::array<Slope, 3> force{trial.side * trial.compression, trial.traction.first,
                                   trial.traction.second};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    tangent.force[axis] = force[axis].value();
    for (std::size_t i = 0; i < 3; ++i) {
      tangent.byPosition[axis][i] = force[axis].slope(i);
      tangent.byRate[axis][i] = force[axis].slope(i + 3);
    }
  }
  if (area.state != nullptr)
    addWrenchOfContactArea(contact, accepted, trial.compression, motion, elapsed, area, tangent);
  return tangent;
}

}  // namespace ricochet
