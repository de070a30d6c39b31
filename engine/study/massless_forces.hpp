#pragma once

#include "engine/study/push_directions.hpp"
#include "engine/study/simulation.hpp"

#include <optional>
#include <vector>

namespace ricochet {

/// Forces on dofs without inertia (physical/assembly/massless.hpp). Each of these forces has a generalized
/// force T^t f on the dofs with mass; in addition, it displaces its own point and the other points on the
/// same part:
///
///     w = rows q + S lambda + B F f_load,   S = B F B^t,   F = K_mm^-1
///
/// with w the local coordinates of contacts and links, and lambda their forces. S is a property of the
/// structure and independent of the basis.
struct MasslessForces {
  struct OfContact {
    Mat3 compliance{Mat3::Zero()};  ///< compliance S of the contact alone, along e1, e2, e3 [m/N]
    Vec3 offset{Vec3::Zero()};      ///< displacement B F f of the constant loads [m]
    std::vector<DriftTerm> drift;   ///< displacements by loads that vary; only those of coupled contacts jump
    std::vector<CrossCompliance> others;  ///< compliances S to an opposite stop
    /// Flexibility of the friction law in its own coordinates [m/N]; empty: not equal for all directions of
    /// slip.
    std::optional<double> alongTangents;
    /// The forces are solved together with others: a set-valued law contains the flexibility compliance(0, 0)
    /// or alongTangents, `coupling` the rest.
    bool coupled{false};
  };
  std::vector<OfContact> contacts;
  std::vector<DampedStick> sticks;  ///< friction of the contacts, with the damping of their sticks
  /// Fields F B^t of the contacts with a compliance.
  std::vector<ContactField> fields;
  /// Compliances of the links of the study, then of the dashpots on dofs without inertia. The dashpots are
  /// combined so that none acts on another: D^t F D = V Lambda V^t, each column of D V in series with a
  /// spring 1/Lambda.
  std::vector<MasslessLink> links;
  std::vector<LinkField> linkFields;
  std::vector<Vector> unknown;  ///< fields F f of loads that have no closed form in time: see Simulation
  /// Coupling of contacts, links and dashpots that share a part without inertia, and of contacts whose
  /// flexibility or law has no closed form in series: time-stepping schemes solve their forces together. Two
  /// stops on opposite sides are never closed together and need no coupling.
  StaticCoupling coupling;
};

/// Throws StudyError, with the place and the remedy, for forces on dofs without inertia that no solver
/// supports: areas, rolling bodies, curved and carried obstacles; laws whose forces depend on rates and are
/// solved together with others; reactions that are not unique; loads that jump and move the points of
/// contacts with dashpots of their own; gyroscopic moments; and parts that nothing holds.
MasslessForces findForcesOnMasslessDofs(const Study& study, const Simulation& simulation);

}  // namespace ricochet
