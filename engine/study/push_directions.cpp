#include "engine/study/push_directions.hpp"

#include "engine/contact/followed.hpp"
#include "engine/study/massless_directions.hpp"
#include "engine/study/parts/study_error.hpp"
#include "engine/study/support_shift.hpp"
#include "modal/static_modes.hpp"
#include "physical/assembly/massless.hpp"
#include "physical/assembly/reduced_mass.hpp"
#include "physical/model_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace ricochet {

std::string_view reasonAgainstJumpOfContact(const ContactRequest& request, const DampedStick& stick,
                                            bool tangential) {
  if (doesForceDependOnRate(request.normal))
    return "whose dashpot, struck at an infinite speed, would have an infinite force: take `stiffness` "
           "without "
           "`damping`";
  if (doesForceDependOnRate(stick.law) && tangential)
    return "and the dashpot of its stick, of critical damping unless given, would have an infinite force: "
           "give "
           "`friction.damping` = 0";
  if (request.isFollowed() &&
      std::visit([](const auto& law) { return law.bearsTraction(); }, request.friction.law))
    return "along a surface that curves or moves, where friction depends on the way of the jump: leave out "
           "the "
           "friction";
  return {};
}

Vector loadDirection(const NodalLoad& load, const PhysicalModel& physical) {
  Vector direction = Vector::Zero(physical.size());
  for (int c = 0; c < kComponents; ++c)
    if (const double value = load.components[static_cast<std::size_t>(c)]; value != 0.0)
      direction += value * physical.reducedForce({load.node, componentOfIndex(c)});
  return direction;
}

Vector linkDirection(const LinkRequest& request, std::size_t axis, const PhysicalModel& physical) {
  Vector direction = Vector::Zero(physical.size());
  for (int c = 0; c < kComponents; ++c) {
    const double factor = request.axes[axis][static_cast<std::size_t>(c)];
    if (factor == 0.0) continue;
    direction += factor * physical.reducedForce({request.first, componentOfIndex(c)});
    if (request.second) direction -= factor * physical.reducedForce({*request.second, componentOfIndex(c)});
  }
  return direction;
}

Vector contactDirection(const ContactRequest& request, int axis, const PhysicalModel& physical) {
  Vector direction = Vector::Zero(physical.size());
  for (int c = 0; c < 3; ++c) {
    direction += request.frame(axis, c) * physical.reducedForce({request.first, componentOfIndex(c)});
    if (request.second)
      direction -= request.frame(axis, c) * physical.reducedForce({*request.second, componentOfIndex(c)});
  }
  return direction;
}

std::optional<double> reducedMassOfContact(const ContactRequest& request, int axis,
                                           const PhysicalModel& physical) {
  try {
    return reducedMass(physical, contactDirection(request, axis, physical));
  } catch (const ModelError&) {
    return std::nullopt;
  }
}

namespace {

double effectiveMassOfStick(const ContactRequest& request, const PhysicalModel& physical,
                            const MasslessDirections& directions) {
  double mass = std::numeric_limits<double>::infinity();
  const auto take = [&](int axis, double share) {
    if (share == 0.0 || mass == 0.0) return;
    if (directions.movesWithoutInertia(contactDirection(request, axis, physical))) {
      mass = 0.0;
      return;
    }
    const std::optional<double> found = reducedMassOfContact(request, axis, physical);
    if (!found)
      throw StudyError(StudyProblem{
          fmt::format("contacts.{}.friction.damping", request.name),
          "\"critical\" needs the mass of the node, and a part of the structure there has neither "
          "mass nor a stiffness that holds it: give a number"});
    mass = std::min(mass, *found / (share * share));
  };
  take(1, request.tangentScale.first);
  take(2, request.tangentScale.second);
  if (tangentKind(request.obstacle) != TangentKind::fixed) take(0, request.tangentScale.first);
  return mass;
}

}  // namespace

std::vector<DampedStick> findDampedSticks(const Study& study, const PhysicalModel& physical,
                                          const MasslessDirections& directions) {
  std::vector<DampedStick> sticks;
  for (const ContactRequest& request : study.contacts) {
    DampedStick& stick = sticks.emplace_back(DampedStick{request.friction.law, {}});
    if (!request.friction.criticalDamping) continue;
    stick.mass = effectiveMassOfStick(request, physical, directions);
    setCriticalDampingOfStick(stick.law, *stick.mass);
  }
  return sticks;
}

std::optional<std::string> reportOfCriticalDamping(const std::string& contact, const DampedStick& stick) {
  if (!stick.mass) return std::nullopt;
  const double damping = std::visit([](const auto& law) { return law.contactDamping(); }, stick.law);
  std::string of = fmt::format("2 sqrt(m k_t) with m = {:.6g} kg of the node", *stick.mass);
  if (std::isinf(*stick.mass)) of = "the node does not move along the surface";
  if (*stick.mass == 0.0) of = "the node has no mass along the surface";
  return fmt::format("contacts.{}.friction.damping = {:.6g} N s/m (critical: {})", contact, damping, of);
}

std::vector<std::span<const NodalLoad>> groupNodalLoadsByDeckEntry(const Study& study) {
  std::vector<std::span<const NodalLoad>> entries;
  const std::span<const NodalLoad> loads(study.loads);
  for (std::size_t first = 0, i = 1; i <= loads.size(); ++i)
    if (i == loads.size() || loads[i].entry != loads[first].entry) {
      entries.push_back(loads.subspan(first, i - first));
      first = i;
    }
  return entries;
}

namespace {

/// Reduced inertia force M u of a rigid motion u of the frame.
Vector inertiaForceOfMovingFrame(const PhysicalModel& physical,
                                 const std::array<double, kComponents>& direction) {
  return physical.dofs.transformation().transpose() *
         (physical.fullMass * rigidDisplacementField(physical, direction));
}

void addLoadDirections(const Study& study, const PhysicalModel& physical, const MasslessPart& massless,
                       std::vector<Vector>& directions) {
  for (const std::span<const NodalLoad> entry : groupNodalLoadsByDeckEntry(study)) {
    Vector& direction = directions.emplace_back(Vector::Zero(physical.size()));
    for (const NodalLoad& load : entry) direction += loadDirection(load, physical);
    direction = massless.forceCondensedToMass(direction);
  }
  if (study.gravity) {
    const auto& [x, y, z] = *study.gravity;
    directions.push_back(
        massless.forceCondensedToMass(inertiaForceOfMovingFrame(physical, {x, y, z, 0.0, 0.0, 0.0})));
  }
  for (const BaseMotion& motion : study.baseMotions)
    if (!motion.ofSupports)
      directions.push_back(
          massless.forceCondensedToMass(inertiaForceOfMovingFrame(physical, motion.direction)));
}

}  // namespace

std::vector<Vector> directionsOfResidualVectors(const Study& study, const PhysicalModel& physical) {
  const MasslessPart massless(physical);
  std::vector<Vector> directions;
  if (study.basis.contactResiduals && study.basis.residualInertia)
    for (const ContactRequest& request : study.contacts) {
      const bool isSmooth = !traitsOf(request.friction.law).traction;
      for (int axis = 0; axis < (isSmooth ? 1 : 3); ++axis)
        directions.push_back(massless.forceCondensedToMass(contactDirection(request, axis, physical)));
    }
  if (study.basis.loadResiduals) addLoadDirections(study, physical, massless, directions);
  if (hasMovingSupports(study))
    for (const BaseMotion& motion : study.baseMotions)
      if (motion.ofSupports)
        directions.push_back(physical.supportStiffness * motionOfSupports(motion, physical.dofs));
  return directions;
}

}  // namespace ricochet
