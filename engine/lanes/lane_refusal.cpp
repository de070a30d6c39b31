#include "engine/lanes/lane_laws.hpp"
#include "engine/lanes/lane_model.hpp"
#include "engine/schemes/integrators.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet::batch {
namespace {

bool canContactRunInLanes(const Contact& contact) {
  return !isCurved(contact.obstacle) && traitsOf(contact.normal).lanes && traitsOf(contact.friction).lanes;
}

/// True if the contact frame or the obstacle moves; lanes support fixed tangent planes and obstacles at rest
/// only.
bool hasMovingContactFrame(const Contact& contact) { return contact.isFollowed(); }

/// True if every step differs from the nominal step by less than the tolerance, in spite of the rounding of
/// its ends.
bool areAllStepsOfNominalLength(const TransientOptions& options) {
  constexpr double kRoundings = 8.0;
  const double latest = std::max(std::abs(options.start), std::abs(options.end));
  return kRoundings * std::numeric_limits<double>::epsilon() * latest < kSnap * options.step;
}

bool haveFunctionsSameBreakpoints(const TimeFunction& a, const TimeFunction& b) {
  if (a.isSameTableOrFormulaAs(b)) return true;
  if (a.formulaOrNull() != nullptr || b.formulaOrNull() != nullptr) return false;
  return a.breakpoints() == b.breakpoints() && a.jumpInstants() == b.jumpInstants();
}

bool haveContactSetsSameRows(const ContactSet& a, const ContactSet& b) {
  for (int i = 0; i < a.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double* one = a.row(i, axis);
      const double* other = b.row(i, axis);
      if ((one == nullptr) != (other == nullptr)) return false;
      if (one != nullptr && !std::equal(one, one + a.rowSize(), other)) return false;
    }
  return true;
}

std::string describeContactDifference(const ContactSet& a, const ContactSet& b) {
  for (int i = 0; i < a.size(); ++i) {
    const Contact& one = a.contact(i);
    const Contact& other = b.contact(i);
    if (one.obstacle.index() != other.obstacle.index()) return "the kind of an obstacle differs";
    if (one.normal.index() != other.normal.index()) return "the kind of a normal law differs";
    if (one.friction.index() != other.friction.index()) return "the kind of a friction law differs";
    if (hasMovingContactFrame(other)) return "an obstacle is curved, or moves, or its surface does";
    if (!haveFunctionsSameBreakpoints(one.imposedForce, other.imposedForce))
      return "an imposed force changes at other instants, or by another formula";
  }
  return haveContactSetsSameRows(a, b) ? "" : "the place or direction of a contact differs";
}

}  // namespace

std::string reasonAgainstLanes(std::string_view scheme, const ModalModel& base,
                               const TransientOptions& options) {
  bool runs = false;
  std::string able;
  Integrators::forEach([&]<class I>() {
    if (!I::traits.lanes) return;
    runs = runs || scheme == I::keyword;
    able += fmt::format("{}{}", able.empty() ? "" : " and ", I::keyword);
  });
  if (!runs) return fmt::format("only {} run in lanes", able);
  if (base.linear.damping) return "the damping couples modes";
  if (!base.loads.movingLoads().empty()) return "a load moves along the structure";
  if (!base.loads.motionJumps().empty()) return "the motion of a base jumps";
  if (base.links.size() > 0) return "a link acts";
  if (scheme == KickDrift::keyword && HeavyDamping::isDampingLossCorrectionNeeded(base.linear, options.step))
    return "modes are damped so heavily that the step cannot follow their velocities";
  if (!areAllStepsOfNominalLength(options)) return "the step is too short against the time for equal steps";
  for (const Contact& contact : base.contacts.contacts()) {
    if (contact.patch) return "a contact is an area that spins";
    if (contact.coupled || !contact.compliance.isZero(0.0)) return "a contact is on a node without mass";
    if (!canContactRunInLanes(contact)) return "a law of a contact has no form in lanes";
    if (hasMovingContactFrame(contact)) return "an obstacle is curved, or moves, or its surface does";
  }
  return "";
}

std::string reasonAgainstSharingLanes(const ModalModel& base, const ModalModel& variant) {
  const LinearSystem& a = base.linear;
  const LinearSystem& b = variant.linear;
  if (b.damping) return "the damping couples modes";
  if (a.modes != b.modes || a.omegaSquared != b.omegaSquared || a.dampingDiagonal != b.dampingDiagonal)
    return "the linear structure differs";
  if (!variant.loads.movingLoads().empty()) return "a load moves along the structure";
  if (!variant.loads.motionJumps().empty()) return "the motion of a base jumps";
  if (variant.links.size() > 0) return "a link acts";
  if (base.loads.termCount() != variant.loads.termCount()) return "the number of loads differs";
  const auto shapeSize = base.loads.termCount() * a.omegaSquared.size();
  if (!std::equal(base.loads.shapes(), base.loads.shapes() + shapeSize, variant.loads.shapes()))
    return "the place or direction of a load differs";
  for (std::size_t i = 0; i < base.loads.loads().size(); ++i)
    if (!haveFunctionsSameBreakpoints(base.loads.loads()[i].scale, variant.loads.loads()[i].scale))
      return "a load changes at other instants, or by another formula";
  if (base.contacts.size() != variant.contacts.size()) return "the number of contacts differs";
  return describeContactDifference(base.contacts, variant.contacts);
}

}  // namespace ricochet::batch
