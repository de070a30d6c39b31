#include "engine/contact/contact.hpp"

#include "engine/contact/areas/patch_law.hpp"
#include "engine/contact/followed.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {

bool bearsTraction(const Contact& contact) noexcept {
  return std::visit([](const auto& law) { return law.bearsTraction(); }, contact.friction);
}

bool doesForceDependOnRate(const AnyNormalLaw& any) noexcept {
  return std::visit([](const auto& law) { return law.doesForceDependOnGapRate(); }, any);
}

bool doesForceDependOnRate(const AnyFrictionLaw& any) noexcept {
  return std::visit(
      []<class L>(const L& friction) {
        const bool asks = L::traits.asksRate || L::traits.ofSpeed || friction.contactDamping() > 0.0;
        return asks && friction.bearsTraction();
      },
      any);
}

bool doesForceDependOnRate(const Contact& contact) noexcept {
  return doesForceDependOnRate(contact.normal) || doesForceDependOnRate(contact.friction);
}

double stickRelaxationTime(const Contact& contact) noexcept {
  return std::visit(
      []<class L>(const L& law) {
        return L::traits.ofArea ? law.contactDamping() / law.contactStiffness() : 0.0;
      },
      contact.friction);
}

ClosedContact stiffnessAndDampingOfClosedContact(const Contact& contact) {
  ClosedContact closed;
  std::visit(
      [&](const auto& law) {
        closed.normalStiffness = law.contactStiffness();
        closed.normalDamping = law.contactDamping();
      },
      contact.normal);
  std::visit(
      [&](const auto& law) {
        closed.stickStiffness = law.contactStiffness();
        closed.stickDamping = law.contactDamping();
      },
      contact.friction);
  if (contact.patch) closed.spinStiffness = contact.patch->spinStiffness();
  const TangentKind kind = tangentKind(contact.obstacle);
  const double twice = contact.isRolling() ? 2.0 : 1.0;  // (x + y)^2 <= 2 x^2 + 2 y^2
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool normal =
        axis == 0 || kind == TangentKind::turning || (axis == 1 && kind == TangentKind::inPlane);
    const bool tangential = axis > 0 || kind != TangentKind::fixed;
    if (tangential) closed.stiffness[axis] = twice * closed.stickStiffness;
    if (tangential) closed.damping[axis] = twice * closed.stickDamping;
    if (normal) closed.stiffness[axis] = std::max(closed.stiffness[axis], closed.normalStiffness);
    if (normal) closed.damping[axis] = std::max(closed.damping[axis], closed.normalDamping);
  }
  if (contact.isRolling()) closed.rollStiffness = twice * closed.stickStiffness;
  return closed;
}

void scaleTangentialRowsOfContact(Contact& contact) {
  if (contact.isFollowed()) return;
  contact.rows.row(1) *= contact.tangentScale.first;
  contact.rows.row(2) *= contact.tangentScale.second;
  contact.offset[1] *= contact.tangentScale.first;
  contact.offset[2] *= contact.tangentScale.second;
}

void setCriticalDampingOfStick(AnyFrictionLaw& friction, double mass) {
  std::visit(
      [mass]<class Law>(Law& law) {
        if constexpr (Law::traits.dashpot)
          law.damping = std::isfinite(mass) ? 2.0 * std::sqrt(mass * law.stiffness) : 0.0;
      },
      friction);
}

namespace {

template <class Any>
bool addSeriesFlexibilityToLaw(Any& law, double flexibility) {
  if (flexibility == 0.0) return true;
  return std::visit(
      [&](const auto& own) {
        const auto both = own.lawWithSpringInSeries(flexibility);
        if constexpr (requires { *both; }) {
          if (!both) return false;
          law = *both;
          return true;
        }
        return false;
      },
      Any(law));
}

}  // namespace

bool addNormalFlexibility(Contact& contact, double flexibility) {
  return addSeriesFlexibilityToLaw(contact.normal, flexibility);
}

bool addFrictionFlexibility(Contact& contact, double flexibility) {
  return addSeriesFlexibilityToLaw(contact.friction, flexibility);
}

bool canSlipInPlane(const Contact& contact) {
  std::array<bool, 3> moves{};
  for (Eigen::Index i = 0; i < 3; ++i) {
    moves[static_cast<std::size_t>(i)] = !contact.rows.row(i).isZero(0.0);
    for (const DriftTerm& term : contact.drift)
      moves[static_cast<std::size_t>(i)] |= term.direction[i] != 0.0;
  }
  const bool still =
      contact.drift.empty() && contact.surface.empty() && contact.surfaceSpin.empty() && !contact.isRolling();
  moves[1] |= contact.isRolling();
  for (const SurfaceTerm& term : contact.surface) {
    moves[1] |= term.direction.first != 0.0;
    moves[2] |= term.direction.second != 0.0;
  }
  switch (tangentKind(contact.obstacle)) {
    case TangentKind::turning:
      return true;
    case TangentKind::inPlane:
      return moves[2];
    case TangentKind::fixed:
      break;
  }
  if (!contact.surfaceSpin.empty()) return true;
  if (!moves[1] || !moves[2]) return false;
  constexpr double kParallel = 1e-12;
  const double sizes = contact.rows.row(1).norm() * contact.rows.row(2).norm();
  return !still || std::abs(contact.rows.row(1).dot(contact.rows.row(2))) < (1.0 - kParallel) * sizes;
}

}  // namespace ricochet
