#pragma once

#include "engine/model/excitation.hpp"
#include "engine/numerics/state.hpp"
#include "engine/study/parts/study.hpp"
#include "physical/assembly/assembler.hpp"

#include <functional>
#include <vector>

namespace ricochet {

struct ImposedField;

/// Whether supports move by themselves beside contacts. Contacts see where things are, and obstacles stay
/// where they are in space: the coordinates then are y of the whole motion instead of y_rel, relative to the
/// static modes u_s of these supports. With p the coordinates of u_s,
///
///     y = y_rel + p s,   M y'' + C y' + K y = (loads on y_rel) + M p s'' + C p s' + K p s,
///
/// so that p must hold all of u_s where nothing is fixed.
bool seesSupportsMove(const Study& study);

/// Of one base: u_s in coordinates.
struct SupportShift {
  const BaseMotion* motion;
  Vector part;
  Vector following{};  ///< M p s'' + C p s' at the start: what makes coordinates at rest on u_s go along

  /// Adds the loads above; M p, C p and K p in coordinates.
  void addLoads(const Vector& inertia, const Vector& damping, const Vector& stiffness, double start,
                std::vector<Load>& loads);
  /// Adds p s and p s' at the start to a state that is relative.
  void shift(State& state) const;
};

/// One for each base whose supports move, if contacts see that. `coordinatesOf` gives the coordinates of a
/// field on all dofs, `fieldOf` the field of coordinates. Throws StudyError: they hold less than the field.
std::vector<SupportShift> supportShifts(const Study& study, const PhysicalModel& physical,
                                        const std::vector<ImposedField>& imposed,
                                        const std::function<Vector(const Vector&)>& coordinatesOf,
                                        const std::function<Vector(const Vector&)>& fieldOf);

/// What the supports do by themselves, on all dofs.
Vector motionOfSupports(const BaseMotion& motion, const DofMap& dofs);

}  // namespace ricochet
