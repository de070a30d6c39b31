#include "engine/contact/contact.hpp"

#include "engine/contact/followed.hpp"
#include "engine/contact/patch_law.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

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

std::string_view whyNotLinear(const Contact& contact) {
  if (std::holds_alternative<Curved>(contact.obstacle)) return "a curved obstacle";
  if (!std::visit([](const auto& law) { return law.kLinear; }, contact.normal))
    return "a normal law that is not linear";
  if (!contact.surfaceSpin.empty()) return "a surface that spins";
  if (!contact.drift.empty()) return "supports that move";
  if (contact.rollRow.size() > 0) return "a body that rolls";
  if (contact.patch) return "a patch";
  if (std::holds_alternative<Stribeck>(contact.friction)) return "friction that depends on the slip speed";
  if (std::holds_alternative<Automaton>(contact.friction)) return "the friction automaton";
  return {};
}

}  // namespace

std::string_view whyNotByEvents(const Contact& contact) { return whyNotLinear(contact); }
std::string_view whyNotByMoreau(const Contact& contact) { return whyNotLinear(contact); }

double reducedMass(const Eigen::RowVectorXd& row) {
  const double compliance = row.squaredNorm();
  return compliance > 0.0 ? 1.0 / compliance : std::numeric_limits<double>::infinity();
}

double criticalStickDamping(const Contact& contact, double stickStiffness) {
  double mass = std::min(reducedMass(contact.rows.row(1)), reducedMass(contact.rows.row(2)));
  if (tangentKind(contact.obstacle) != TangentKind::fixed)
    mass = std::min(mass, reducedMass(contact.rows.row(0)));
  return std::isfinite(mass) ? 2.0 * std::sqrt(mass * stickStiffness) : 0.0;
}

void scaleTangents(Contact& contact) {
  if (contact.isFollowed()) return;
  contact.rows.row(1) *= contact.tangentScale.first;
  contact.rows.row(2) *= contact.tangentScale.second;
  contact.offset[1] *= contact.tangentScale.first;
  contact.offset[2] *= contact.tangentScale.second;
}

void dampStickCritically(Contact& contact) {
  std::visit(
      [&contact]<class Law>(Law& law) {
        if constexpr (requires { law.stiffness, law.damping; })
          law.damping = criticalStickDamping(contact, law.stiffness);
      },
      contact.friction);
}

}  // namespace ricochet
