#pragma once

#include "engine/model/excitation.hpp"
#include "engine/numerics/state.hpp"
#include "engine/study/parts/study.hpp"
#include "physical/assembly/assembler.hpp"

#include <functional>
#include <vector>

namespace ricochet {

struct ImposedField;

/// True if supports move relative to their base in a study with contacts. Contacts depend on absolute
/// positions, and obstacles do not move with the supports. The coordinates are then those of the absolute
/// motion, y, instead of those relative to the static modes u_s of these supports, y_rel. With p the
/// coordinates of u_s,
///
///     y = y_rel + p s,   M y'' + C y' + K y = (loads on y_rel) + M p s'' + C p s' + K p s,
///
/// so that p must represent u_s exactly except at fixed dofs.
bool hasMovingSupports(const Study& study);

/// The static mode u_s of one moving base, in coordinates.
struct SupportShift {
  const BaseMotion* motion;
  Vector part;
  /// Loads M p s'' + C p s' at the start, under which a structure at rest on u_s follows its supports.
  Vector following{};

  /// Adds the loads of the moving supports to y; the arguments are M p, C p and K p in coordinates.
  void addLoads(const Vector& inertia, const Vector& damping, const Vector& stiffness, double start,
                std::vector<Load>& loads);
  /// Adds p s and p s' at the start to a relative state, which makes the state absolute.
  void makeStateAbsolute(State& state) const;
};

/// One shift for each base with moving supports, in studies with contacts. `coordinatesOf` gives the
/// coordinates of a field on all dofs, `fieldOf` the field of coordinates. Throws StudyError if the
/// coordinates do not represent the field.
std::vector<SupportShift> supportShifts(const Study& study, const PhysicalModel& physical,
                                        const std::vector<ImposedField>& imposed,
                                        const std::function<Vector(const Vector&)>& coordinatesOf,
                                        const std::function<Vector(const Vector&)>& fieldOf);

/// Imposed displacement of the supports themselves, as a field on all dofs.
Vector motionOfSupports(const BaseMotion& motion, const DofMap& dofs);

}  // namespace ricochet
