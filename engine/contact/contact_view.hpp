#pragma once

#include "engine/contact/contact_set.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace ricochet {

/// A contact as results show it: forces on the first node, along the normal and the tangents of the side that
/// is touched (a slot's normal points away from the nearer plane and its first tangent turns with it).
struct ContactView {
  double gap{0.0};                       ///< [m]
  double gapRate{0.0};                   ///< [m/s]
  double approach{0.0};                  ///< see ContactState [m/s]
  double normalForce{0.0};               ///< [N], pushes the first node off the obstacle
  Tangential<double> tangentialForce{};  ///< [N]
  Tangential<double> slipVelocity{};     ///< [m/s]; zero while open
  double spinMoment{0.0};                ///< of an area, about tangent 1 x tangent 2 [N m]
  double slipSpeed{0.0};                 ///< of an area, its mean weighted by the pressure [m/s]
  double frictionEnergy{0.0};            ///< dissipated by slip since the start [J]
  ContactPhase phase{ContactPhase::open};
  Vec3 normal{Vec3::UnitX()};   ///< out of the nearest matter, along e1, e2, e3
  Vec3 position{Vec3::Zero()};  ///< local coordinates (e1, e2, e3) [m]
};

/// Fills one view per contact: forces as accepted, kinematics of the state `s`. No allocation when `views`
/// has the right size.
void viewContacts(const ContactRun& contacts, const State& s, std::vector<ContactView>& views);

/// Views between two accepted instants: kinematics of `s`, the normal force of its law there, in contact
/// where that is; tractions, imposed forces, impulses, slip speeds and energies linear in time, the phase of
/// the earlier one. Traction goes with the normal force where the contact slips, opens or closes.
void viewBetween(const ContactSet& set, std::span<const ContactView> from, std::span<const ContactView> to,
                 double theta, const State& s, std::vector<ContactView>& views);

/// Contact with the largest force of a run so far, and the first one that the last trial would put into
/// another phase; -1 where there is none.
int hardestContact(const ContactRun& contacts);
int contactThatChanges(const ContactRun& contacts);

/// Bound of the impulse that contacts have passed on, in coordinates of unit mass: the sum of their integrals
/// of N dt, each times the size of its largest row [kg^1/2 m/s]. `compliance` gives b M^-1 b^t of a row b
/// [1/kg].
template <class Compliance>
double passedImpulse(const ContactRun& contacts, Compliance&& compliance) {
  double total = 0.0;
  for (int i = 0; i < contacts.set().size(); ++i) {
    double largest = 0.0;
    for (int axis = 0; axis < 3; ++axis)
      if (const double* row = contacts.set().row(i, axis)) largest = std::max(largest, compliance(row));
    total += contacts.totals()[static_cast<std::size_t>(i)].impulse * std::sqrt(largest);
  }
  return total;
}

}  // namespace ricochet
