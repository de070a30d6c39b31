#include "engine/contact/contact_tangent.hpp"

#include "engine/contact/areas/patch_law.hpp"
#include "engine/contact/followed.hpp"
#include "engine/numerics/dual_functions.hpp"

namespace ricochet {
namespace {

/// Along the three positions, then the three rates.
using Slope = Dual<6>;

struct Normal {
  Slope compression{};
  double side{1.0};
  bool closed{false};
};

Normal normalOf(const Contact& contact, const ContactState& accepted, double imposed,
                const std::array<Slope, 6>& x) {
  Normal normal;
  Slope gap;
  std::visit(
      [&]<class O>(const O& shape) {
        if constexpr (!std::is_same_v<O, Curved>) {
          gap = shape.gap(x[0]);
          normal.side = shape.side(x[0].value());
        }
      },
      contact.obstacle);
  std::visit(
      [&](const auto& law) {
        const NormalKinematics<Slope> k{gap, normal.side * x[3], imposed};
        const NormalState state =
            settle(law, accepted.normal, {k.gap.value(), k.gapRate.value(), k.imposed.value()});
        normal.compression = law.template force<Slope>(state, k);
        normal.closed = state == NormalState::closed;
      },
      contact.normal);
  return normal;
}

/// As `evaluateFriction`: a contact that has just closed hooks its spring where it is.
Tangential<Slope> tractionOf(const Contact& contact, const ContactState& accepted, const Slope& compression,
                             const std::array<Slope, 6>& x) {
  return std::visit(
      [&]<class Law>(const Law& law) -> Tangential<Slope> {
        if constexpr (Law::kSetValued || kIsArea<Law>)
          return {};  // has no time-stepping form, or none at a point
        else {
          if (!law.bearsTraction()) return {};
          FrictionKinematics<Slope> k;
          k.position = {x[1], x[2]};
          k.slipRate = {x[4], x[5]};
          k.compression = compression;
          FrictionMemory<Slope> memory = constantIn<Slope>(accepted.friction);
          if (!accepted.closed())
            memory = {.anchorForce = {}, .anchorPosition = k.position, .direction = {}, .slipping = false};
          return law.template trial<Slope>(k, memory).traction;
        }
      },
      contact.friction);
}

/// The wrench of an area: its law knows its derivatives.
void addArea(const Contact& contact, const ContactState& accepted, const Slope& compression,
             const LocalMotion& motion, const AcceptedArea& area, ContactTangent& tangent) noexcept {
  const AreaMotion now{.position = {motion.position[1], motion.position[2]},
                       .spin = motion.position[3],
                       .rate = {motion.rate[1], motion.rate[2]},
                       .spinRate = motion.rate[3],
                       .compression = compression.value(),
                       .elapsed = area.elapsed,
                       .dashpot = stickDashpot(contact),
                       .held = {accepted.traction, area.state->moment},
                       .begins = !accepted.closed()};
  AreaMemory memory = area.state->memory;
  if (!accepted.closed())  // hooked where it closed, as evaluateArea does
    memory = {.wrench = {}, .position = now.position, .spin = now.spin, .slipSpeed = 0.0, .slipping = true};
  const AreaTangent slopes = contact.patch->tangent(now, memory, area.bristles);
  const std::array<double, 3> wrench = components(slopes.wrench);
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

ContactTangent contactTangent(const Contact& contact, const ContactState& accepted, double imposed,
                              const LocalMotion& motion, const AcceptedArea& area) noexcept {
  std::array<Slope, 6> x;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    x[axis] = Slope(motion.position[axis], axis);
    x[axis + 3] = Slope(motion.rate[axis], axis + 3);
  }
  ContactTangent tangent;
  const Normal normal = normalOf(contact, accepted, imposed, x);
  if (!normal.closed) return tangent;
  const Tangential<Slope> traction = tractionOf(contact, accepted, normal.compression, x);
  const std::array<Slope, 3> force{normal.side * normal.compression, traction.first, traction.second};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    tangent.force[axis] = force[axis].value();
    for (std::size_t i = 0; i < 3; ++i) {
      tangent.byPosition[axis][i] = force[axis].slope(i);
      tangent.byRate[axis][i] = force[axis].slope(i + 3);
    }
  }
  if (area.state != nullptr) addArea(contact, accepted, normal.compression, motion, area, tangent);
  return tangent;
}

}  // namespace ricochet
