#include "engine/contact/contact.hpp"

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
  return closed;
}

double reducedMass(const Eigen::RowVectorXd& row) {
  const double compliance = row.squaredNorm();
  return compliance > 0.0 ? 1.0 / compliance : std::numeric_limits<double>::infinity();
}

double criticalStickDamping(const Contact& contact, double stickStiffness) {
  const double mass = std::min(reducedMass(contact.rows.row(1)), reducedMass(contact.rows.row(2)));
  return std::isfinite(mass) ? 2.0 * std::sqrt(mass * stickStiffness) : 0.0;
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
