#include "engine/study/initial_state.hpp"

#include "engine/contact/contact_view.hpp"
#include "engine/study/coordinates.hpp"
#include "engine/study/parts/earlier_run.hpp"

#include <fmt/core.h>

#include <cmath>
#include <string_view>

namespace ricochet {
namespace {

/// Checks initial values on dofs that follow from linear relations: the mass projection ignores these dofs,
/// so that a given value must equal the value that follows from the relations.
void requireValuesObeyRelations(const std::vector<InitialValue>& values, const PhysicalModel& physical,
                                std::string_view what, const Vector& field,
                                std::vector<StudyProblem>& problems) {
  constexpr double kNoticeable = 1e-6;  // relative; decks usually have at least six digits
  Vector independent(physical.size());
  for (Eigen::Index i = 0; i < independent.size(); ++i)
    independent[i] = field[physical.dofs.independentDofs()[static_cast<std::size_t>(i)].value];
  const Vector follows = physical.dofs.transformation() * independent;
  for (const InitialValue& value : values)
    for (int c = 0; c < kComponents; ++c) {
      const double given = value.components[static_cast<std::size_t>(c)];
      const DofIndex dof = physical.dofs.find({value.node, componentOfIndex(c)});
      if (given == 0.0 || !dof.exists() || !physical.dofs.isGivenByRelation(dof)) continue;
      if (std::abs(given - follows[dof.value]) <= kNoticeable * std::abs(given)) continue;
      problems.push_back(
          {fmt::format("initial.{}", what),
           fmt::format("{} of this node follows from the relations: with the initial {} of the "
                       "other nodes it is {}, got {}; give them theirs",
                       componentName(componentOfIndex(c)), what, follows[dof.value], given),
           fmt::format("initial.{}[{}]", what, &value - values.data())});
    }
}

/// Field on all dofs with the given nodal values; a value on a dof that cannot move is an error.
Vector initialFieldOfCoordinates(const std::vector<InitialValue>& values, const PhysicalModel& physical,
                                 std::string_view what, std::vector<StudyProblem>& problems) {
  Vector field = Vector::Zero(physical.dofs.totalDofCount());
  for (const InitialValue& value : values)
    for (int c = 0; c < kComponents; ++c) {
      const double x = value.components[static_cast<std::size_t>(c)];
      if (x == 0.0) continue;
      const DofIndex dof = physical.dofs.find({value.node, componentOfIndex(c)});
      if (!dof.exists() || physical.dofs.isFixed(dof))
        problems.push_back({fmt::format("initial.{}", what),
                            fmt::format("{} of this node does not move: its initial {} must be 0, got {}",
                                        componentName(componentOfIndex(c)), what, x),
                            fmt::format("initial.{}[{}]", what, &value - values.data())});
      else
        field[dof.value] = x;
    }
  if (problems.empty()) requireValuesObeyRelations(values, physical, what, field, problems);
  return field;
}

/// Text of the warning that the coordinates do not represent a part (`remainder`) of a field.
std::string warningAboutTruncatedField(Mode mode, std::string_view what, double remainder) {
  if (mode == Mode::direct)
    return fmt::format("relations and supports do not allow the initial {} as given", what);
  return fmt::format(
      "the basis leaves out {:.2g} of the initial {} (relations, supports and the modes kept decide what it "
      "can hold)",
      remainder, what);
}

}  // namespace

double initialRemainder(const Study& study, const Simulation& simulation, Kinematic kind) {
  if (kind == Kinematic::acceleration) return 0.0;  // no deck gives one
  const bool isVelocity = kind == Kinematic::velocity;
  const std::vector<InitialValue>& values = isVelocity ? study.initialVelocity : study.initialDisplacement;
  if (values.empty()) return 0.0;
  std::vector<StudyProblem> problems;  // those of values that setInitialState has refused
  const std::string_view what = kKinematicNames[static_cast<std::size_t>(kind)];
  return projectField(simulation, initialFieldOfCoordinates(values, simulation.physical, what, problems))
      .remainder;
}

Vector initialDisplacementOf(const Study& study, const Simulation& simulation) {
  if (study.earlierRun) return study.earlierRun->finalDisplacement(study, simulation);
  const PhysicalModel& physical = simulation.physical;
  Vector given = Vector::Zero(physical.size());
  for (Eigen::Index i = 0; i < given.size(); ++i) {
    const Dof dof = physical.dofs.dof(physical.dofs.independentDofs()[static_cast<std::size_t>(i)]);
    for (const InitialValue& value : study.initialDisplacement)
      if (value.node == dof.node) given[i] += value.components[static_cast<std::size_t>(dof.component)];
  }
  return given;
}

void setInitialState(const Study& study, Simulation& simulation) {
  std::vector<StudyProblem> problems;
  simulation.initial = State(simulation.size());
  simulation.initial.time = study.transient ? study.transient->start : 0.0;
  const auto put = [&](const std::vector<InitialValue>& values, std::string_view what, Vector& target) {
    if (values.empty()) return;
    const Vector field = initialFieldOfCoordinates(values, simulation.physical, what, problems);
    const ProjectedField projected = projectField(simulation, field);
    target.head(simulation.size()) = projected.coordinates;
    constexpr double kNoticeable = 1e-6;  // relative; decks usually have at least six digits
    if (projected.remainder > kNoticeable)
      simulation.warnings.push_back(warningAboutTruncatedField(simulation.mode, what, projected.remainder));
  };
  put(study.initialDisplacement, "displacement", simulation.initial.q);
  put(study.initialVelocity, "velocity", simulation.initial.v);
  throwIfAnyProblem(problems);
}

void requireNoInitialOverlap(const Study& study, const Simulation& simulation) {
  // Rounding error relative to the coordinates of the contact point.
  constexpr double kRounding = 1e-9;
  // Least rounding error of an overlap [m], and that of the places of the bodies in units of
  // `offsetRoundingError`.
  constexpr double kLeast = 1e-12, kOfPlaces = 512.0;
  // The direct mode refuses rigid contacts.
  if (simulation.mode != Mode::modal) return;
  const ContactSet& set = simulation.model.contacts;
  ContactRun run(set);
  const State& s = simulation.initial;
  run.start(s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
  std::vector<ContactView> views;
  fillContactViews(run, s, views);
  std::vector<StudyProblem> problems;
  for (std::size_t i = 0; i < views.size(); ++i) {
    const double rounding =
        kRounding * views[i].position.norm() + kLeast + kOfPlaces * set.contacts()[i].offsetRoundingError;
    if (!traitsOf(set.contacts()[i].normal).setValued || views[i].gap >= -rounding) continue;
    problems.push_back(
        {"contacts." + study.contacts[i].name,
         fmt::format("its bodies overlap by {:.6g} m at the start, and rigid bodies cannot: change the gap, "
                     "a thickness, the places of its nodes or the initial displacement",
                     -views[i].gap)});
  }
  throwIfAnyProblem(problems);
}

}  // namespace ricochet
