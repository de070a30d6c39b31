#pragma once

#include "engine/study/simulation.hpp"

#include <optional>
#include <vector>

namespace ricochet {

/// Forces on dofs without inertia (physical/assembly/massless.hpp). Beside T^t f, which moves the dofs with
/// mass, each of these forces displaces its own point and the others on the same part at once:
///
///     w = rows q + S lambda + B F f_load,   S = B F B^t,   F = K_mm^-1
///
/// with w the local coordinates of contacts and links, and lambda their forces. S is a property of the
/// structure, whatever a basis keeps of it.
struct MasslessForces {
  struct OfContact {
    Mat3 compliance{Mat3::Zero()};        ///< S of the contact alone, along e1, e2, e3 [m/N]
    Vec3 offset{Vec3::Zero()};            ///< B F f of the constant loads [m]
    std::vector<DriftTerm> drift;         ///< and of those that vary in time, without jumps
    std::vector<CrossCompliance> others;  ///< S to an opposite stop
    std::optional<double> alongTangents;  ///< flexibility of the friction law, in its own coordinates [m/N];
                                          ///< empty: not the same for all directions of the slip
    bool coupled{
        false};  ///< the forces are solved together with others: a set-valued law takes the
                 ///< flexibility compliance(0, 0) or alongTangents with it, the rest is in `coupling`
  };
  std::vector<OfContact> contacts;
  std::vector<ContactField> fields;  ///< F B^t of the contacts with a compliance
  /// Of the links of the study, then of the dashpots on dofs without inertia, which are turned so that no one
  /// acts on another: D^t F D = V Lambda V^t, each column of D V in series with a spring 1/Lambda.
  std::vector<MasslessLink> links;
  std::vector<LinkField> linkFields;
  std::vector<Vector> unknown;  ///< fields F f of loads that have no closed form in time: see Simulation
  /// Of contacts, links and dashpots that share a part without inertia, and of contacts whose flexibility or
  /// law has no closed form in series: schemes that step solve them together. Two stops on opposite sides are
  /// never pressed together and need no coupling.
  StaticCoupling coupling;
};

/// Throws StudyError, with the place and the remedy, for forces that no solver takes: areas, bodies that
/// roll, curved and carried obstacles on dofs without inertia; laws there whose forces depend on rates and
/// are solved together with others; reactions there that are not unique; loads in step with contacts and
/// links there that jump; gyroscopic moments there; and parts without inertia that nothing holds.
MasslessForces masslessForces(const Study& study, const Simulation& simulation);

}  // namespace ricochet
