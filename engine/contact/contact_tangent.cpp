#include "engine/contact/contact_tangent.hpp"

#include "engine/dual.hpp"

namespace ricochet {
namespace {

/// Along the three positions, then the three rates.
using Local = Dual<6>;

Tangential<Local> constant(const Tangential<double>& t) { return {t.first, t.second}; }

FrictionMemory<Local> constant(const FrictionMemory<double>& memory) {
  return {.anchorForce = constant(memory.anchorForce),
          .anchorPosition = constant(memory.anchorPosition),
          .direction = constant(memory.direction),
          .slipping = memory.slipping};
}

struct Normal {
  Local compression{};
  double side{1.0};
  bool closed{false};
};

Normal normalOf(const Contact& contact, const ContactState& accepted, double imposed,
                const std::array<Local, 6>& x) {
  Normal normal;
  Local gap;
  std::visit(
      [&](const auto& shape) {
        gap = shape.gap(x[0]);
        normal.side = shape.side(x[0].value());
      },
      contact.obstacle);
  std::visit(
      [&](const auto& law) {
        const NormalKinematics<Local> k{gap, normal.side * x[3], imposed};
        const NormalState state =
            settle(law, accepted.normal, {k.gap.value(), k.gapRate.value(), k.imposed.value()});
        normal.compression = law.template force<Local>(state, k);
        normal.closed = state == NormalState::closed;
      },
      contact.normal);
  return normal;
}

/// As `evaluateFriction`: a contact that has just closed hooks its spring where it is.
Tangential<Local> tractionOf(const Contact& contact, const ContactState& accepted, const Local& compression,
                             const std::array<Local, 6>& x) {
  return std::visit(
      [&]<class Law>(const Law& law) -> Tangential<Local> {
        if constexpr (Law::kSetValued)
          return {};  // has no time-stepping form
        else {
          FrictionKinematics<Local> k;
          k.position = {x[1], x[2]};
          k.slipRate = {x[4], x[5]};
          k.compression = compression;
          FrictionMemory<Local> memory = constant(accepted.friction);
          if (!accepted.closed())
            memory = {.anchorForce = {}, .anchorPosition = k.position, .direction = {}, .slipping = false};
          return law.template trial<Local>(k, memory).traction;
        }
      },
      contact.friction);
}

}  // namespace

ContactTangent contactTangent(const Contact& contact, const ContactState& accepted, double imposed,
                              const LocalMotion& motion) noexcept {
  std::array<Local, 6> x;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    x[axis] = Local(motion.position[axis], axis);
    x[axis + 3] = Local(motion.rate[axis], axis + 3);
  }
  ContactTangent tangent;
  const Normal normal = normalOf(contact, accepted, imposed, x);
  if (!normal.closed) return tangent;
  const Tangential<Local> traction = tractionOf(contact, accepted, normal.compression, x);
  const std::array<Local, 3> force{normal.side * normal.compression, traction.first, traction.second};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    tangent.force[axis] = force[axis].value();
    for (std::size_t i = 0; i < 3; ++i) {
      tangent.byPosition[axis][i] = force[axis].slope(i);
      tangent.byRate[axis][i] = force[axis].slope(i + 3);
    }
  }
  return tangent;
}

}  // namespace ricochet
