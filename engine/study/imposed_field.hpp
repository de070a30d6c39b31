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

/// Motion of the dofs that is known beforehand and does not come from the coordinates: a field times a
/// function of time. Of a base, to be added where the absolute motion is asked for; the static response that
/// a truncated basis leaves out of a load, added to displacements always; or what takes the static mode of
/// supports from coordinates that hold it, always too.
struct ImposedField {
  Vector field;                                                        ///< all dofs
  std::array<std::optional<TimeFunction>, kKinematicNames.size()> of;  ///< its displacement, velocity ...
  bool isBase{false};
  std::array<double, kComponents> direction{};  ///< of a base
  std::vector<Dof> supports;                    ///< that move; none: all
};

/// A load on all dofs [N], times a function of time.
struct FieldLoad {
  Vector force;
  TimeFunction scale;
};

/// The fields of a study on a basis (null: physical coordinates, which leave nothing out). Those of `before`
/// that are still the same are not solved for again. Throws StudyError.
std::vector<ImposedField> imposedFields(const Study& study, const PhysicalModel& physical,
                                        const ModalBasis* basis, std::vector<ImposedField> before);

/// Gravity, and what a base that moves does to coordinates that are relative to it: -M u_s s'' of its field
/// u_s, and for moving supports what dashpots make of it as well, -C u_s s'. Throws StudyError (the field of
/// a moving support).
std::vector<FieldLoad> inertiaLoads(const Study& study, const PhysicalModel& physical,
                                    const std::vector<ImposedField>& imposed);

/// What a dof gets from imposed fields.
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
