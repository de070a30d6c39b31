#include "engine/study/support_shift.hpp"

#include "engine/study/imposed_field.hpp"
#include "engine/study/parts/study_error.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

/// Field with zeros at all fixed dofs.
Vector fieldOnFreeDofs(const Vector& field, const DofMap& dofs) {
  Vector free = field;
  for (Eigen::Index i = 0; i < free.size(); ++i)
    if (dofs.isFixed(DofIndex{static_cast<int>(i)})) free[i] = 0.0;
  return free;
}

void requireFieldSeenByContacts(const Study& study, const BaseMotion& motion, const Vector& field,
                                const Vector& held) {
  constexpr double kNoticeable = 1e-9;
  if (field.size() == 0) return;
  const double missing = (field - held).cwiseAbs().maxCoeff();
  if (missing <= kNoticeable * field.cwiseAbs().maxCoeff()) return;
  throw StudyError(StudyProblem{
      "base_motions.supports",
      fmt::format("contacts would not see {:.2g} of the static motion that these supports give to "
                  "parts without mass; give those a mass",
                  missing / field.cwiseAbs().maxCoeff()),
      partName(study, motion)});
}

}  // namespace

bool hasMovingSupports(const Study& study) {
  return !study.contacts.empty() && std::any_of(study.baseMotions.begin(), study.baseMotions.end(),
                                                [](const BaseMotion& motion) { return motion.ofSupports; });
}

Vector motionOfSupports(const BaseMotion& motion, const DofMap& dofs) {
  Vector imposed = Vector::Zero(dofs.fullSize());
  for (const Dof dof : motion.supports)
    if (const DofIndex i = dofs.find(dof); i.exists())
      imposed[i.value] = motion.direction[static_cast<std::size_t>(dof.component)];
  return imposed;
}

std::vector<SupportShift> supportShifts(const Study& study, const PhysicalModel& physical,
                                        const std::vector<ImposedField>& imposed,
                                        const std::function<Vector(const Vector&)>& coordinatesOf,
                                        const std::function<Vector(const Vector&)>& fieldOf) {
  std::vector<SupportShift> shifts;
  if (!hasMovingSupports(study)) return shifts;
  for (std::size_t i = 0; i < study.baseMotions.size(); ++i) {
    const BaseMotion& motion = study.baseMotions[i];
    if (!motion.ofSupports) continue;
    const Vector field = fieldOnFreeDofs(imposed[i].field, physical.dofs);
    shifts.push_back({&motion, coordinatesOf(field), {}});
    requireFieldSeenByContacts(study, motion, field, fieldOf(shifts.back().part));
  }
  return shifts;
}

void SupportShift::addLoads(const Vector& inertia, const Vector& damping, const Vector& stiffness,
                            double start, std::vector<Load>& loads) {
  following = motion->acceleration.at(start) * inertia;
  if (!damping.isZero(0.0)) following += motion->velocity->at(start) * damping;
  loads.push_back({inertia, motion->acceleration});
  if (!damping.isZero(0.0)) loads.push_back({damping, *motion->velocity});
  loads.push_back({stiffness, *motion->displacement});
}

void SupportShift::makeStateAbsolute(State& state) const {
  state.q.head(part.size()) += motion->displacement->at(state.time) * part;
  state.v.head(part.size()) += motion->velocity->at(state.time) * part;
}

}  // namespace ricochet
