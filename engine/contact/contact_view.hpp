#pragma once

#include "engine/contact/contact_set.hpp"

#include <span>
#include <vector>

namespace ricochet {

/// A contact as results show it: forces on the first node, along the normal and the tangents of the side that
/// is touched (a slot's normal points away from the nearer plane and its first tangent turns with it).
struct ContactView {
  double gap{0.0};                       ///< [m]
  double gapRate{0.0};                   ///< [m/s]
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

}  // namespace ricochet
