#include "engine/contact/contact.hpp"

#include "engine/contact/areas/patch_law.hpp"
#include "engine/contact/followed.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

bool bearsTraction(const Contact& contact) noexcept {
  return std::visit([](const auto& law) { return law.bearsTraction(); }, contact.friction);
}

double stickDashpot(const Contact& contact) noexcept {
  return std::visit(
      []<class L>(const L& law) {
        return L::traits.ofArea ? law.contactDamping() / law.contactStiffness() : 0.0;
      },
      contact.friction);
}

ClosedContact closedContact(const Contact& contact) {
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
  const double twice = contact.rolls() ? 2.0 : 1.0;  // (x + y)^2 <= 2 x^2 + 2 y^2
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool normal =
        axis == 0 || kind == TangentKind::turning || (axis == 1 && kind == TangentKind::inPlane);
    const bool tangential = axis > 0 || kind != TangentKind::fixed;
    if (tangential) closed.stiffness[axis] = twice * closed.stickStiffness;
    if (tangential) closed.damping[axis] = twice * closed.stickDamping;
    if (normal) closed.stiffness[axis] = std::max(closed.stiffness[axis], closed.normalStiffness);
    if (normal) closed.damping[axis] = std::max(closed.damping[axis], closed.normalDamping);
  }
  if (contact.rolls()) closed.rollStiffness = twice * closed.stickStiffness;
  return closed;
}

namespace {

bool dependsOnDirection(const Contact& contact) {
  return contact.tangentScale.first != 1.0 || contact.tangentScale.second != 1.0;
}

/// What neither event nor moreau follows.
std::string_view whyOnlyBySteps(const Contact& contact) {
  if (contact.patch) return "a patch";
  if (contact.rolls()) return "a body that rolls";
  // `scaleTangents` does nothing there: what follows the contact scales by itself
  if (contact.isFollowed() && dependsOnDirection(contact))
    return "friction that depends on the direction (`along`, `across`) on a surface that is curved or moves";
  return traitsOf(contact.friction).onlyBySteps;
}

/// Why the force of a contact is not linear in the motion between events; empty: it is.
std::string_view whyNotLinear(const Contact& contact) {
  if (isCurved(contact.obstacle)) return "a curved obstacle";
  if (traitsOf(contact.normal).form != ForceForm::linear) return "a normal law that is not linear";
  if (!contact.surfaceSpin.empty()) return "a surface that spins";
  if (!contact.drift.empty()) return "supports that move";
  return {};
}

/// Whether the contact point slides along both tangents.
bool slidesInPlane(const Contact& contact) {
  std::array<bool, 3> moves{};
  for (Eigen::Index i = 0; i < 3; ++i) {
    moves[static_cast<std::size_t>(i)] = !contact.rows.row(i).isZero(0.0);
    for (const DriftTerm& term : contact.drift)
      moves[static_cast<std::size_t>(i)] |= term.direction[i] != 0.0;
  }
  const bool still = contact.drift.empty() && contact.surface.empty() && contact.surfaceSpin.empty();
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

}  // namespace

std::string_view whyNotByEvents(const Contact& contact) {
  if (const std::string_view why = whyOnlyBySteps(contact); !why.empty()) return why;
  const std::string_view why = whyNotLinear(contact);
  if (why.empty()) return why;
  const NormalTraits& normal = traitsOf(contact.normal);
  if (normal.setValued || normal.imposed) return why;
  if (normal.form == ForceForm::none) return "a normal law without a series";
  if (dependsOnDirection(contact))
    return "friction that depends on the direction beside a force that is not linear";
  if (const AnyCurvedObstacle* curved = curvedOf(contact.obstacle)) {
    const CurvedTraits& shape = traitsOf(*curved);
    if (!shape.onlyBySteps.value.empty()) return shape.onlyBySteps;
    if (!(roundGuardOf(contact.obstacle).radius > 0.0)) return "a circle without a gap";
  }
  if (traitsOf(contact.friction).traction && slidesInPlane(contact))
    return "friction in two directions beside a force that is not linear";
  return {};
}

std::string_view whyNotByMoreau(const Contact& contact) {
  const std::string_view why = whyOnlyBySteps(contact);
  return why.empty() ? whyNotLinear(contact) : why;
}

void scaleTangents(Contact& contact) {
  if (contact.isFollowed()) return;
  contact.rows.row(1) *= contact.tangentScale.first;
  contact.rows.row(2) *= contact.tangentScale.second;
  contact.offset[1] *= contact.tangentScale.first;
  contact.offset[2] *= contact.tangentScale.second;
}

void dampStickCritically(Contact& contact, double mass) {
  std::visit(
      [mass]<class Law>(Law& law) {
        if constexpr (Law::traits.dashpot)
          law.damping = std::isfinite(mass) ? 2.0 * std::sqrt(mass * law.stiffness) : 0.0;
      },
      contact.friction);
}

}  // namespace ricochet
