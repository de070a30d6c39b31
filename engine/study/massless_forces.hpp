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
    std::optional<double> alongTangents;  ///< flexibility of the friction law, in its own coordinates [m/N];
                                          ///< empty: not the same for all directions of the slip
  };
  std::vector<OfContact> contacts;
  std::vector<ContactField> fields;  ///< F B^t of the contacts with a compliance
  std::vector<Vector> unknown;       ///< fields F f of loads that have no closed form in time: see Simulation
};

/// Throws StudyError, with the place and the remedy, for forces that no solver takes: links and areas on dofs
/// without inertia, contacts that share a part without inertia, loads in step with contacts there that vary
/// in time, dashpots at dofs without inertia, and parts without inertia that nothing holds.
MasslessForces masslessForces(const Study& study, const Simulation& simulation);

}  // namespace ricochet
