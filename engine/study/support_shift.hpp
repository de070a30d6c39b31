#pragma once

#include "engine/model/excitation.hpp"
#include "engine/numerics/state.hpp"
#include "engine/study/parts/study.hpp"
#include "physical/assembly/assembler.hpp"

#include <cmath>
#include <functional>
#include <span>
#include <vector>

namespace ricochet {

struct ImposedField;
struct Simulation;

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
  void makeRelativeStateAbsolute(State& state) const;
};

/// One shift for each base with moving supports, in studies with contacts. `coordinatesOfStaticMode` gives
/// the coordinates of a field on all dofs, `displacementFieldOfCoordinates` the field of coordinates. Throws
/// StudyError if the coordinates do not represent the field.
std::vector<SupportShift> makeSupportShifts(
    const Study& study, const PhysicalModel& physical, const std::vector<ImposedField>& imposed,
    const std::function<Vector(const Vector&)>& coordinatesOfStaticMode,
    const std::function<Vector(const Vector&)>& displacementFieldOfCoordinates);

/// Imposed displacement of the supports themselves, as a field on all dofs.
Vector motionOfSupports(const BaseMotion& motion, const DofMap& dofs);

/// Generalized forces of one base motion s: g s'' + d s' + forces without derivatives of s.
class BaseForces {
 public:
  BaseForces(const BaseMotion& motion, Eigen::Index size)
      : motion_(&motion), g_(Vector::Zero(size)), d_(g_), terms_(g_) {}

  void addForceOfAcceleration(const Vector& term) { addTerm(term, g_); }
  void addForceOfVelocity(const Vector& term) { addTerm(term, d_); }

  const BaseMotion& motion() const noexcept { return *motion_; }
  /// g and d, without their rounding.
  Vector ofAcceleration() const { return withoutRounding(g_); }
  Vector ofVelocity() const { return withoutRounding(d_); }

 private:
  void addTerm(const Vector& term, Vector& sum) {
    sum += term.head(sum.size());
    terms_ += term.head(sum.size()).cwiseAbs();
  }
  Vector withoutRounding(const Vector& sum) const {
    constexpr double kRounding = 1e-12;
    const double least = terms_.size() > 0 ? kRounding * terms_.maxCoeff() : 0.0;
    return sum.unaryExpr([least](double x) { return std::abs(x) > least ? x : 0.0; });
  }

  const BaseMotion* motion_;
  Vector g_, d_, terms_;
};

/// Jumps [q] and [q'] of the coordinates where displacement or velocity of a base jump during the run. With
///
///     M q'' + C q' + K q = g s'' + d s' + ...,
///     [q] = M^-1 g [s],   [q'] = M^-1 (g [s'] + d [s] - C M^-1 g [s])
///
/// the masses keep place and velocity in space, but for the impulses that dashpots give them.
std::vector<MotionJump> motionJumps(const Study& study, const Simulation& simulation,
                                    std::span<const BaseForces> bases);

/// Throws StudyError if the motion of a base jumps in a way that a contact or a link cannot follow, or by a
/// formula, which does not tell the instant.
void requirePassableJumps(const Study& study, const Simulation& simulation);

}  // namespace ricochet
