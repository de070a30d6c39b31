#include "engine/study/support_shift.hpp"

#include "engine/links/links.hpp"
#include "engine/study/coordinates.hpp"
#include "engine/study/imposed_field.hpp"
#include "engine/study/parts/study_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string_view>

namespace ricochet {
namespace {

/// Field with zeros at all fixed dofs.
Vector fieldWithZerosAtFixedDofs(const Vector& field, const DofMap& dofs) {
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
  Vector imposed = Vector::Zero(dofs.totalDofCount());
  for (const Dof dof : motion.supports)
    if (const DofIndex i = dofs.find(dof); i.exists())
      imposed[i.value] = motion.direction[static_cast<std::size_t>(dof.component)];
  return imposed;
}

std::vector<SupportShift> makeSupportShifts(
    const Study& study, const PhysicalModel& physical, const std::vector<ImposedField>& imposed,
    const std::function<Vector(const Vector&)>& coordinatesOfStaticMode,
    const std::function<Vector(const Vector&)>& displacementFieldOfCoordinates) {
  std::vector<SupportShift> shifts;
  if (!hasMovingSupports(study)) return shifts;
  for (std::size_t i = 0; i < study.baseMotions.size(); ++i) {
    const BaseMotion& motion = study.baseMotions[i];
    if (!motion.ofSupports) continue;
    const Vector field = fieldWithZerosAtFixedDofs(imposed[i].field, physical.dofs);
    shifts.push_back({&motion, coordinatesOfStaticMode(field), {}});
    requireFieldSeenByContacts(study, motion, field, displacementFieldOfCoordinates(shifts.back().part));
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

void SupportShift::makeRelativeStateAbsolute(State& state) const {
  state.q.head(part.size()) += motion->displacement->at(state.time) * part;
  state.v.head(part.size()) += motion->velocity->at(state.time) * part;
}
namespace {

/// M^-1 f of a generalized force f.
Vector divideByMass(const Simulation& simulation, const Vector& force) {
  Vector x = force;
  if (simulation.mode == Mode::direct && !x.isZero(0.0))
    DirectFactor(simulation.direct.linear, 0.0, 0.0).solve(x);
  return x;
}

/// Instants within the run at which a function jumps. At its end no step follows.
std::vector<double> jumpsWithinRun(const std::optional<TimeFunction>& function, const Study& study) {
  constexpr double kRounding = 8.0 * std::numeric_limits<double>::epsilon();
  if (!function || !study.transient) return {};
  const double start = study.transient->start, end = start + study.transient->duration;
  std::vector<double> instants = function->jumpInstants();
  std::erase_if(instants, [&](double t) { return !(t > start) || !(t < end - kRounding * std::abs(end)); });
  return instants;
}

double jumpAt(const TimeFunction& function, double t) { return function.at(t) - function.valueJustBefore(t); }

/// Instant within the run at which a formula jumps, or nothing: the largest change between neighbours of many
/// instants remains in ever shorter intervals.
std::optional<double> jumpOfFormula(const std::optional<TimeFunction>& function, const Study& study) {
  constexpr int kSamples = 4096, kHalvings = 60;
  constexpr double kNoticeable = 1e-6;
  if (!function || function->formulaOrNull() == nullptr || function->formulaOrNull()->isSmooth()) return {};
  const double start = study.transient->start, length = study.transient->duration;
  double size = 0.0;
  for (int i = 0; i <= kSamples; ++i)
    size = std::max(size, std::abs(function->at(start + length * i / kSamples)));
  for (int i = 0; i < kSamples; ++i) {
    double a = start + length * i / kSamples, b = start + length * (i + 1) / kSamples;
    const double change = std::abs(function->at(b) - function->at(a));
    if (!(change > kNoticeable * size)) continue;
    for (int k = 0; k < kHalvings; ++k) {
      const double middle = 0.5 * (a + b);
      const bool isFirst =
          std::abs(function->at(middle) - function->at(a)) > std::abs(function->at(b) - function->at(middle));
      (isFirst ? b : a) = middle;
    }
    if (std::abs(function->at(b) - function->at(a)) > 0.5 * change) return b;
  }
  return {};
}

void refuseJumpOfFormula(const Study& study, const BaseMotion& motion) {
  for (const auto& [name, function] :
       {std::pair("displacement", &motion.displacement), std::pair("velocity", &motion.velocity)})
    if (const std::optional<double> t = jumpOfFormula(*function, study))
      throw StudyError(StudyProblem{
          fmt::format("base_motions.{}", name),
          fmt::format("jumps near {:.6g} s by a formula, which does not tell the instant: give a "
                      "table of `times` and `values` with this time twice",
                      *t),
          partName(study, motion)});
}

/// Jump of a contact or a link along an axis, in a row over the coordinates or the contact dofs.
class LocalJumps {
 public:
  LocalJumps(const Simulation& simulation, const MotionJump& jump) : time_(jump.time), q_(jump.displacement) {
    if (simulation.mode == Mode::modal) return;
    const std::vector<Eigen::Index>& dofs = simulation.direct.contactDofs;
    q_ = Vector(jump.displacement(dofs));
  }

  template <class Row>
  bool doesJumpMoveRow(const Row& row) const {
    constexpr double kRounding = 1e-12;
    const auto size = std::min<Eigen::Index>(row.size(), q_.size());
    return std::abs(row.head(size).dot(q_.head(size))) > kRounding * row.norm() * q_.norm();
  }
  bool doesJumpMoveDrive(const ImposedDisplacement& drive) const {
    return jumpAt(drive.displacement, time_) != 0.0;
  }

 private:
  double time_;
  Vector q_;
};

bool isContactMoved(const LocalJumps& jumps, const Contact& contact) {
  for (Eigen::Index axis = 0; axis < 3; ++axis)
    if (jumps.doesJumpMoveRow(contact.rows.row(axis).transpose())) return true;
  return std::ranges::any_of(contact.drift,
                             [&](const DriftTerm& term) { return jumps.doesJumpMoveDrive(term); });
}

bool isLinkMoved(const LocalJumps& jumps, const Link& link) {
  for (Eigen::Index axis = 0; axis < link.rows.rows(); ++axis)
    if (jumps.doesJumpMoveRow(link.rows.row(axis).transpose())) return true;
  return std::ranges::any_of(link.drives,
                             [&](const LinkDrive& drive) { return jumps.doesJumpMoveDrive(drive); });
}

/// Reason why a contact cannot follow a jump of its point or obstacle; empty if it can.
std::string_view whyContactCannotFollow(const Contact& contact) {
  if (traitsOf(contact.normal).setValued)
    return "and a rigid body cannot give way within no time: give the contact a `stiffness`";
  if (doesForceDependOnRate(contact.normal))
    return "whose dashpot, struck at an infinite speed, would have an infinite force: take `stiffness` "
           "without `damping`";
  if (traitsOf(contact.friction).traction)
    return "where friction depends on the way of the jump: leave out the friction";
  return {};
}

bool dependsOnRate(const Link& link) {
  if (!link.compliance.isZero(0.0) || link.coupled) return false;
  return traitsOf(link.law).forceFollowsRate ||
         std::visit([](const auto& law) { return !law.reasonAgainstSpringInSeries().empty(); }, link.law);
}

[[noreturn]] void refuseJump(std::size_t motion, const std::string& body) {
  throw StudyError(StudyProblem{
      "base_motions.displacement",
      fmt::format("jumps and moves {}; or let it rise in a short time, with the velocity and acceleration of "
                  "this rise",
                  body),
      fmt::format("base_motions[{}]", motion)});
}

/// Index of the base motion whose displacement jumps at t.
std::size_t motionThatJumpsAt(const Study& study, double t) {
  const auto jumps = [t](const BaseMotion& motion) {
    return motion.displacement && jumpAt(*motion.displacement, t) != 0.0;
  };
  return static_cast<std::size_t>(std::ranges::find_if(study.baseMotions, jumps) - study.baseMotions.begin());
}

}  // namespace

std::vector<MotionJump> motionJumps(const Study& study, const Simulation& simulation,
                                    std::span<const BaseForces> bases) {
  std::vector<MotionJump> jumps;
  for (const BaseForces& base : bases) {
    const BaseMotion& motion = base.motion();
    const std::vector<double> moved = jumpsWithinRun(motion.displacement, study);
    const std::vector<double> struck = jumpsWithinRun(motion.velocity, study);
    if (moved.empty() && struck.empty()) continue;
    const Vector shift = divideByMass(simulation, base.ofAcceleration());
    const Vector damped = linearForcesAlongVector(simulation, shift).damping;
    const Vector impulse = divideByMass(simulation, base.ofVelocity() - damped);
    for (const double t : moved) {
      const double jump = jumpAt(*motion.displacement, t);
      jumps.push_back({t, jump * shift, jump * impulse});
    }
    for (const double t : struck)
      jumps.push_back({t, Vector::Zero(shift.size()), jumpAt(*motion.velocity, t) * shift});
  }
  std::erase_if(jumps, [&study](const MotionJump& jump) {
    const bool movesBodies = motionThatJumpsAt(study, jump.time) < study.baseMotions.size();
    return !movesBodies && jump.displacement.isZero(0.0) && jump.velocity.isZero(0.0);
  });
  std::ranges::stable_sort(jumps, {}, &MotionJump::time);
  return jumps;
}

void requirePassableJumps(const Study& study, const Simulation& simulation) {
  if (!study.transient) return;
  for (const BaseMotion& motion : study.baseMotions) refuseJumpOfFormula(study, motion);
  const bool isModal = simulation.mode == Mode::modal;
  const Excitation& loads = isModal ? simulation.model.loads : simulation.direct.loads;
  const ContactSet& contacts = isModal ? simulation.model.contacts : simulation.direct.contacts;
  const LinkSet& links = isModal ? simulation.model.links : simulation.direct.links;
  for (const MotionJump& jump : loads.motionJumps()) {
    const std::size_t motion = motionThatJumpsAt(study, jump.time);
    if (motion == study.baseMotions.size()) continue;
    const LocalJumps jumps(simulation, jump);
    for (std::size_t i = 0; i < contacts.contacts().size(); ++i)
      if (const std::string_view why = whyContactCannotFollow(contacts.contacts()[i]);
          !why.empty() && isContactMoved(jumps, contacts.contacts()[i]))
        refuseJump(motion, fmt::format("contact {} at once, {}", study.contacts[i].name, why));
    for (std::size_t i = 0; i < links.links().size(); ++i)
      if (dependsOnRate(links.links()[i]) && isLinkMoved(jumps, links.links()[i]))
        refuseJump(motion,
                   fmt::format("link {} at once, whose force depends on the speed, which is infinite: give "
                               "a dashpot by [[dampers]], which passes its impulse on",
                               i < study.links.size() ? study.links[i].name : "of a dashpot"));
  }
}

}  // namespace ricochet
