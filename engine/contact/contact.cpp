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
  const auto* law = std::get_if<PatchFriction>(&contact.friction);
  return law == nullptr ? 0.0 : law->damping / law->stiffness;
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
  const double twice = contact.rollRow.size() > 0 ? 2.0 : 1.0;  // (x + y)^2 <= 2 x^2 + 2 y^2
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const bool normal =
        axis == 0 || kind == TangentKind::turning || (axis == 1 && kind == TangentKind::inPlane);
    const bool tangential = axis > 0 || kind != TangentKind::fixed;
    if (tangential) closed.stiffness[axis] = twice * closed.stickStiffness;
    if (tangential) closed.damping[axis] = twice * closed.stickDamping;
    if (normal) closed.stiffness[axis] = std::max(closed.stiffness[axis], closed.normalStiffness);
    if (normal) closed.damping[axis] = std::max(closed.damping[axis], closed.normalDamping);
  }
  if (contact.rollRow.size() > 0) closed.rollStiffness = twice * closed.stickStiffness;
  return closed;
}

namespace {

bool dependsOnDirection(const Contact& contact) {
  return contact.tangentScale.first != 1.0 || contact.tangentScale.second != 1.0;
}

/// What neither event nor moreau follows.
std::string_view whyOnlyBySteps(const Contact& contact) {
  if (contact.patch) return "a patch";
  if (contact.rollRow.size() > 0) return "a body that rolls";
  // `scaleTangents` does nothing there: what follows the contact scales by itself
  if (contact.isFollowed() && dependsOnDirection(contact))
    return "friction that depends on the direction (`along`, `across`) on a surface that is curved or moves";
  return std::visit([](const auto& law) -> std::string_view { return law.traits.onlyBySteps; },
                    contact.friction);
}

/// Why the force of a contact is not linear in the motion between events; empty: it is.
std::string_view whyNotLinear(const Contact& contact) {
  if (std::holds_alternative<Curved>(contact.obstacle)) return "a curved obstacle";
  if (!std::visit([](const auto& law) { return law.kLinear; }, contact.normal))
    return "a normal law that is not linear";
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
  const auto setValued = [](const auto& law) { return law.kSetValued; };
  const auto imposed = [](const auto& law) { return law.kImposed; };
  if (std::visit(setValued, contact.normal) || std::visit(imposed, contact.normal)) return why;
  if (dependsOnDirection(contact))
    return "friction that depends on the direction beside a force that is not linear";
  if (const auto* curved = std::get_if<Curved>(&contact.obstacle)) {
    const std::string_view shape = std::visit(
        []<class O>(const O& round) -> std::string_view {
          if constexpr (O::traits.onlyBySteps.value.empty())
            return round.roundGuard().radius > 0.0 ? "" : "a circle without a gap";
          else
            return O::traits.onlyBySteps;
        },
        curved->shape);
    if (!shape.empty()) return shape;
  }
  const bool slides = std::visit([](const auto& law) { return law.traits.traction; }, contact.friction);
  if (slides && slidesInPlane(contact)) return "friction in two directions beside a force that is not linear";
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
        if constexpr (requires { law.stiffness, law.damping; })
          law.damping = std::isfinite(mass) ? 2.0 * std::sqrt(mass * law.stiffness) : 0.0;
      },
      contact.friction);
}

}  // namespace ricochet
