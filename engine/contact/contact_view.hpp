#pragma once

#include "engine/contact/contact_set.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace ricochet {

/// Quantities of a contact in results: forces on the first node along the normal and the tangents of the
/// surface that is touched (the normal of a slot points away from the nearer plane; its first tangent changes
/// sign with the normal).
struct ContactView {
  double gap{0.0};                       ///< gap, negative in penetration [m]
  double gapRate{0.0};                   ///< [m/s]
  double approach{0.0};                  ///< closing speed, see ContactState [m/s]
  double normalForce{0.0};               ///< normal force [N], positive in compression
  Tangential<double> tangentialForce{};  ///< friction force on the first node [N]
  Tangential<double> slipVelocity{};     ///< slip velocity [m/s]; zero while open
  double spinMoment{0.0};                ///< moment of an area about tangent 1 x tangent 2 [N m]
  double slipSpeed{0.0};                 ///< slip speed of an area, mean weighted by the pressure [m/s]
  double storedNormal{0.0};              ///< elastic energy of the normal law [J]
  double frictionEnergy{0.0};            ///< energy dissipated by slip since the start [J]
  double impulseWear{0.0};               ///< wear work of impulses since the start [J], see ContactTotals
  ContactPhase phase{ContactPhase::open};
  Vec3 normal{Vec3::UnitX()};   ///< unit normal, away from the obstacle, along e1, e2, e3
  Vec3 position{Vec3::Zero()};  ///< local coordinates (e1, e2, e3) [m]
  Vec3 velocity{Vec3::Zero()};  ///< rate of the position [m/s]
  std::array<Vec3, 3> staticForce{Vec3::Zero(), Vec3::Zero(),
                                  /// Force on the first node along e1, e2, e3 [N], and its first and second
                                  /// rate; only for contacts with a compliance.
                                  Vec3::Zero()};
};

/// Fills one view per contact with the forces of the accepted states and the kinematics of the state `s`.
/// Allocates nothing if `views` has one entry per contact.
void fillContactViews(const ContactRun& contacts, const State& s, std::vector<ContactView>& views);

/// Fills views at an instant between two accepted instants, with the kinematics of `s`. The normal law gives
/// the normal force and decides whether the contact is closed at this instant; tractions, forces of rigid
/// contacts, slip speeds and energies are linear in time; the phase is that of `from`. The traction is
/// proportional to the normal force where the contact slips, opens or closes.
void interpolateViews(const ContactSet& set, std::span<const ContactView> from,
                      std::span<const ContactView> to, double theta, const State& s,
                      std::vector<ContactView>& views);

/// True if the normal force may be negative: it is imposed, or a dashpot holds the contact back.
/// Interpolation across a corner of another force undershoots zero.
bool canNormalForceBeTensile(const Contact& contact);

/// Index of the contact with the largest normal force of the run so far, and of the first contact whose phase
/// the last trial changes; -1 if there is none.
int mostLoadedContact(const ContactRun& contacts);
int firstContactThatChangesPhase(const ContactRun& contacts);

}  // namespace ricochet
