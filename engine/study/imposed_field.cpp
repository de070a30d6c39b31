#include "engine/study/imposed_field.hpp"

#include "engine/functions/function_series.hpp"
#include "engine/study/parts/held_at_end.hpp"
#include "engine/study/parts/study_error.hpp"
#include "engine/study/push_directions.hpp"
#include "engine/study/support_shift.hpp"
#include "modal/eigen_solver.hpp"
#include "modal/static_modes.hpp"
#include "modal/static_remainder.hpp"
#include "physical/assembly/assembler.hpp"
#include "physical/assembly/massless.hpp"

#include <algorithm>

namespace ricochet {
namespace {

Vector fieldOfBaseMotion(const Study& study, const BaseMotion& motion, const PhysicalModel& physical) {
  if (!motion.ofSupports) return rigidDisplacementField(physical, motion.direction);
  try {
    return staticResponseToSupportMotion(physical, motionOfSupports(motion, physical.dofs));
  } catch (const BasisError& error) {
    throw StudyError(StudyProblem{"base_motions", error.what(), partName(study, motion)});
  }
}

ImposedField staticCorrectionOfLoad(const NodalLoad& load, const TimeFunction& scale,
                                    const PhysicalModel& physical, const MasslessPart& massless,
                                    const ModalBasis& basis, const StaticRemainder& remainder) {
  // The part of dofs without inertia has its own field (responseOfMasslessDofs).
  const Vector force = massless.forceCondensedToMass(loadDirection(load, physical));
  const std::optional<Vector> response = remainder.staticResponse(force);
  if (!response)
    throw StudyError(
        StudyProblem{"loads.static_correction",
                     "the basis leaves out a rigid-body mode, which has no static response: take more modes",
                     partName(load)});
  ImposedField correction;
  // the coordinates of residual vectors hold their part of the response
  correction.field =
      physical.dofs.transformation() * (*response - residualVectorResponse(basis, force)).eval();
  correction.of[static_cast<std::size_t>(Kinematic::displacement)] = scale;
  correction.isDifferentiated = true;
  return correction;
}

/// Displacement field F f of dofs without inertia under a load f on them.
ImposedField responseOfMasslessDofs(const Vector& direction, const TimeFunction& scale,
                                    const PhysicalModel& physical, const MasslessPart& massless) {
  ImposedField response;
  response.field = physical.dofs.transformation() * massless.staticResponse(direction);
  response.of[static_cast<std::size_t>(Kinematic::displacement)] = scale;
  response.isDifferentiated = true;
  return response;
}

/// Force on all dofs whose reduced force on the independent dofs is `reduced`.
Vector expandForceToAllDofs(const PhysicalModel& physical, const Vector& reduced) {
  Vector full = Vector::Zero(physical.dofs.totalDofCount());
  const std::vector<DofIndex>& independent = physical.dofs.independentDofs();
  for (std::size_t i = 0; i < independent.size(); ++i)
    full[independent[i].value] = reduced[static_cast<Eigen::Index>(i)];
  return full;
}

Vector reduceToIndependentDofs(const PhysicalModel& physical, const Vector& full) {
  Vector reduced(physical.size());
  for (Eigen::Index i = 0; i < reduced.size(); ++i)
    reduced[i] = full[physical.dofs.independentDofs()[static_cast<std::size_t>(i)].value];
  return reduced;
}

/// Generalized damping force T^t C u_s of a static mode u_s, with C of the structure (no Rayleigh damping).
Vector dampingForce(const BaseMotion& motion, const PhysicalModel& physical, const Vector& field) {
  return physical.supportDamping * motionOfSupports(motion, physical.dofs) +
         physical.damping * reduceToIndependentDofs(physical, field);
}

/// Field that subtracts the static mode from coordinates which contain this mode (support_shift.hpp).
ImposedField subtractStaticMode(const ImposedField& base, const DofMap& dofs) {
  ImposedField taken = base;
  taken.isBase = false;
  taken.field = -base.field;
  for (Eigen::Index i = 0; i < taken.field.size(); ++i)
    if (dofs.isFixed(DofIndex{static_cast<int>(i)})) taken.field[i] = 0.0;
  return taken;
}

/// True if the damping force exceeds rounding; dashpots proportional to the springs give zero force in a
/// static mode.
bool doesForceExceedRounding(const Vector& force, const PhysicalModel& physical, const Vector& field) {
  constexpr double kRounding = 1e-12;
  const SparseMatrix size = physical.damping.cwiseAbs();
  const Vector terms = size * reduceToIndependentDofs(physical, field).cwiseAbs();
  return force.size() > 0 && force.cwiseAbs().maxCoeff() > kRounding * terms.maxCoeff();
}

}  // namespace

std::vector<ImposedField> imposedFields(const Study& study, const PhysicalModel& physical,
                                        const ModalBasis* basis, std::vector<ImposedField> before) {
  std::vector<ImposedField> fields;
  for (const BaseMotion& motion : study.baseMotions) {
    const auto known = std::find_if(before.begin(), before.end(), [&](const ImposedField& f) {
      return f.isBase && f.direction == motion.direction && f.supports == motion.supports;
    });
    ImposedField& base = fields.emplace_back();
    base.field = known != before.end() ? known->field : fieldOfBaseMotion(study, motion, physical);
    base.of = {motion.displacement, motion.velocity, motion.acceleration};
    for (auto& each : base.of)
      if (each) each = holdTimeFunctionAtEnd(*each, study);
    base.isBase = true;
    base.direction = motion.direction;
    base.supports = motion.supports;
  }
  if (hasMovingSupports(study))
    for (std::size_t i = 0; i < study.baseMotions.size(); ++i)
      if (study.baseMotions[i].ofSupports) fields.push_back(subtractStaticMode(fields[i], physical.dofs));
  std::optional<StaticRemainder> remainder;
  const MasslessPart massless(physical);
  for (const NodalLoad& load : study.loads) {
    if (const Vector direction = loadDirection(load, physical); massless.doesForceLoadMasslessDofs(direction))
      fields.push_back(responseOfMasslessDofs(direction, continueTimeFunctionBeyondEnd(load.scale, study),
                                              physical, massless));
    if (!load.staticCorrection || basis == nullptr) continue;
    if (!remainder) remainder.emplace(*basis, physical);
    fields.push_back(staticCorrectionOfLoad(load, continueTimeFunctionBeyondEnd(load.scale, study), physical,
                                            massless, *basis, *remainder));
  }
  return fields;
}

std::vector<FieldLoad> inertiaLoads(const Study& study, const PhysicalModel& physical,
                                    const std::vector<ImposedField>& imposed) {
  std::vector<FieldLoad> loads;
  if (study.gravity) {
    const Vec3 g(study.gravity->data());
    loads.push_back({physical.fullMass * rigidDisplacementField(physical, {g[0], g[1], g[2], 0.0, 0.0, 0.0}),
                     TimeFunction::constant(1.0)});
  }
  for (std::size_t i = 0; i < study.baseMotions.size(); ++i) {
    const BaseMotion& motion = study.baseMotions[i];
    const Vector& field = imposed[i].field;
    loads.push_back({-(physical.fullMass * field), motion.acceleration, &motion});
    if (!motion.ofSupports) {
      if (hasUnsymmetricDamping(study.structure, physical.dofs, field))
        throw StudyError(StudyProblem{
            "base_motions.direction",
            "turns a frame beside a damping matrix whose moments about rotations are not symmetric: the "
            "matrix "
            "does not tell whether the rotation of the frame makes such moments too; give parts that spin by "
            "`spin`",
            partName(study, motion)});
      // The gyroscopic moments are those of the rotation of the frame and of the rotation in it.
      const Vector moments = gyroscopicForce(study.structure, physical.dofs, field);
      if (moments.isZero(0.0)) continue;
      if (!motion.velocity)
        throw StudyError(StudyProblem{"base_motions.velocity",
                                      "missing: the rotation of this frame makes gyroscopic moments",
                                      partName(study, motion)});
      loads.push_back({moments, *motion.velocity, &motion, Kinematic::velocity});
      continue;
    }
    const Vector force = dampingForce(motion, physical, field);
    if (!doesForceExceedRounding(force, physical, field)) continue;
    if (!motion.velocity)
      throw StudyError(StudyProblem{"base_motions.velocity",
                                    "missing: dashpots make a force of the velocity of these supports",
                                    partName(study, motion)});
    loads.push_back({-expandForceToAllDofs(physical, force), *motion.velocity, &motion, Kinematic::velocity});
  }
  return loads;
}

ImposedMotion::ImposedMotion(const std::vector<ImposedField>& fields, const DofMap& dofs, Dof dof,
                             Kinematic kind, bool absolute) {
  const DofIndex index = dofs.find(dof);
  if (!index.exists()) return;
  for (const ImposedField& each : fields) {
    const int derivative = each.isDifferentiated ? static_cast<int>(kind) : 0;
    const auto& function = each.of[each.isDifferentiated ? 0 : static_cast<std::size_t>(kind)];
    const double factor = each.field[index.value];
    if (function && factor != 0.0 && (absolute || !each.isBase))
      terms_.push_back({factor, *function, derivative});
  }
}

void ImposedMotion::addMotionOfBase(const std::vector<ImposedField>& fields, const PhysicalModel& physical,
                                    Dof dof, Kinematic kind) {
  for (const ImposedField& each : fields) {
    const auto& function = each.of[static_cast<std::size_t>(kind)];
    if (!each.isBase || !function) continue;
    double factor = 0.0;
    if (each.supports.empty())
      factor = rigidDisplacementOfDof(physical, dof, each.direction);
    else if (std::ranges::find(each.supports, dof) != each.supports.end())
      factor = each.direction[static_cast<std::size_t>(dof.component)];
    if (factor != 0.0) terms_.push_back({factor, *function, 0});
  }
}

void ImposedMotion::addContacts(const std::vector<ContactField>& fields, const DofMap& dofs, Dof dof,
                                Kinematic kind) {
  const DofIndex index = dofs.find(dof);
  if (!index.exists()) return;
  for (const ContactField& each : fields)
    if (const Vec3 factor = each.field.row(index.value).transpose(); !factor.isZero(0.0))
      pushes_.push_back({each.contact, kind, factor});
}

void ImposedMotion::addLinks(const std::vector<LinkField>& fields, const DofMap& dofs, Dof dof,
                             Kinematic kind) {
  const DofIndex index = dofs.find(dof);
  if (!index.exists()) return;
  for (const LinkField& each : fields)
    if (const Eigen::Vector2d factor = each.field.row(index.value).transpose(); !factor.isZero(0.0))
      pulls_.push_back({each.link, kind, factor});
}

double ImposedMotion::motionWithoutForces(double time) const {
  double sum = 0.0;
  for (const auto& [factor, function, derivative] : terms_)
    sum += factor * (derivative == 0
                         ? function.at(time)
                         : valueAndDerivativesAt(function, time)[static_cast<std::size_t>(derivative)]);
  return sum;
}

double ImposedMotion::motionUnderForces(std::span<const ContactView> contacts,
                                        std::span<const LinkState> links) const noexcept {
  double sum = 0.0;
  for (const Push& push : pushes_)
    sum += push.factor.dot(contacts[push.contact].staticForce[static_cast<std::size_t>(push.kind)]);
  for (const Pull& pull : pulls_) {
    const LinkState& link = links[pull.link];
    const auto& force = pull.kind == Kinematic::displacement
                            ? link.force
                            : link.forceRates[static_cast<std::size_t>(pull.kind) - 1];
    sum -= pull.factor[0] * force[0] + pull.factor[1] * force[1];
  }
  return sum;
}

ImposedMotion& ImposedMotion::operator-=(const ImposedMotion& other) {
  for (const auto& [factor, function, derivative] : other.terms_)
    terms_.push_back({-factor, function, derivative});
  for (const auto& [contact, kind, factor] : other.pushes_) pushes_.push_back({contact, kind, -factor});
  for (const auto& [link, kind, factor] : other.pulls_) pulls_.push_back({link, kind, -factor});
  return *this;
}

}  // namespace ricochet
