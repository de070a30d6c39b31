#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/study/parts/study.hpp"
#include "engine/transient/probes.hpp"
#include "modal/modal_basis.hpp"
#include "physical/assembly/assembler.hpp"

#include <array>
#include <optional>
#include <vector>

namespace ricochet {

/// A prescribed motion of the dofs that is not part of the coordinates: a field times a function of time.
/// There are three cases: the motion of a base, added only to absolute results; the static response to a load
/// that a truncated basis leaves out, always added to displacements; and minus the static mode of supports,
/// always added to coordinates that contain this mode.
struct ImposedField {
  Vector field;  ///< one value per dof
  std::array<std::optional<TimeFunction>, kKinematicNames.size()>
      of;  ///< functions for displacement, velocity and acceleration
  bool isBase{false};
  std::array<double, kComponents> direction{};  ///< direction of a base motion
  std::vector<Dof> supports;                    ///< supports that move; empty: the whole base moves
};

/// A load on all dofs [N], multiplied by a function of time.
struct FieldLoad {
  Vector force;
  TimeFunction scale;
};

/// The imposed fields of a study on a basis (null: physical coordinates, which leave out no response). Fields
/// of `before` that have not changed are reused. Throws StudyError.
std::vector<ImposedField> imposedFields(const Study& study, const PhysicalModel& physical,
                                        const ModalBasis* basis, std::vector<ImposedField> before);

/// Loads of gravity and of moving bases on relative coordinates: -M u_s s'' of the field u_s of a base, and
/// for moving supports also the damping forces -C u_s s'. Throws StudyError (from the field of a moving
/// support).
std::vector<FieldLoad> inertiaLoads(const Study& study, const PhysicalModel& physical,
                                    const std::vector<ImposedField>& imposed);

/// Motion that imposed fields add to a dof.
class ImposedMotion {
 public:
  ImposedMotion() = default;
  ImposedMotion(const std::vector<ImposedField>& fields, const DofMap& dofs, Dof dof, Kinematic kind,
                bool absolute);

  bool empty() const noexcept { return terms_.empty(); }
  double at(double time) const noexcept {
    double sum = 0.0;
    for (const auto& [factor, function] : terms_) sum += factor * function.at(time);
    return sum;
  }
  ImposedMotion& operator-=(const ImposedMotion& other) {
    for (const auto& [factor, function] : other.terms_) terms_.emplace_back(-factor, function);
    return *this;
  }

 private:
  std::vector<std::pair<double, TimeFunction>> terms_;
};

}  // namespace ricochet
