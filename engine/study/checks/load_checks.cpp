#include "engine/study/checks/study_checks.hpp"
#include "engine/study/parts/study.hpp"
#include "engine/transient/run_interval.hpp"
#include "physical/assembly/assembler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <string>

namespace ricochet {
namespace {

/// Checks of numbers and functions of time that act on a structure.
class LoadChecks {
 public:
  LoadChecks(const Study& study, StudyProblems& problems)
      : study_(study),
        problems_(problems),
        run_{study.transient->start, study.transient->start + study.transient->duration},
        present_(dofsOfElements(study.structure)) {}

  void checkNodalLoads();
  void checkOtherLoads();
  void checkFunctionsOfContacts();
  void checkInitialValues();

 private:
  void add(std::string path, std::string problem) {
    problems_.push_back({std::move(path), std::move(problem)});
  }
  template <class Numbers>
  void requireFinite(const Numbers& numbers, const std::string& path) {
    if (!std::ranges::all_of(numbers, [](double each) { return std::isfinite(each); }))
      add(path, "must be finite numbers");
  }
  void requireDefined(const TimeFunction& function, const std::string& path) {
    const double rounding = run_.timeRounding();
    if (!function.isDefined(run_.start + rounding, run_.end - rounding))
      add(path, fmt::format("the table ends inside the run, {}; continue it by Outside::constant, zero or "
                            "linear",
                            run_.description()));
  }
  bool isFixed(Dof dof) const { return std::ranges::find(study_.structure.fixed, dof) != endOfFixedDofs(); }
  std::vector<Dof>::const_iterator endOfFixedDofs() const { return study_.structure.fixed.end(); }

  /// True if something gives this dof to its node: an element, a matrix, a support, or a relation where the
  /// node has no element.
  bool hasDof(Dof dof) const;

  const Study& study_;
  StudyProblems& problems_;
  RunInterval run_;
  std::vector<DofFlags> present_;
};

bool LoadChecks::hasDof(Dof dof) const {
  if (present_[static_cast<std::size_t>(dof.node.value)][static_cast<std::size_t>(dof.component)])
    return true;
  if (isFixed(dof)) return true;
  return std::ranges::any_of(study_.structure.relations, [dof](const LinearRelation& relation) {
    return std::ranges::any_of(relation.terms,
                               [dof](const LinearRelation::Term& term) { return term.dof == dof; });
  });
}

void LoadChecks::checkNodalLoads() {
  for (std::size_t i = 0; i < study_.loads.size(); ++i) {
    const NodalLoad& load = study_.loads[i];
    const std::string path = fmt::format("loads[{}]", i);
    requireFinite(load.components, path);
    requireDefined(load.scale, path + ".scale");
    for (int c = 0; c < kComponents; ++c)
      if (load.components[static_cast<std::size_t>(c)] != 0.0 && !hasDof({load.node, componentOfIndex(c)}))
        add(path, fmt::format("node \"{}\" has no {}: no element gives it one",
                              study_.nodes[static_cast<std::size_t>(load.node.value)].name,
                              componentName(componentOfIndex(c))));
  }
}

void LoadChecks::checkOtherLoads() {
  for (std::size_t i = 0; i < study_.movingLoads.size(); ++i) {
    const std::string path = fmt::format("movingLoads[{}]", i);
    requireFinite(study_.movingLoads[i].components, path);
    requireDefined(study_.movingLoads[i].position, path + ".position");
    requireDefined(study_.movingLoads[i].scale, path + ".scale");
  }
  for (std::size_t i = 0; i < study_.spins.size(); ++i)
    requireDefined(study_.spins[i].speed, fmt::format("spins[{}].speed", i));
  for (const BaseMotion& motion : study_.baseMotions) {
    const std::string path = partName(study_, motion);
    requireFinite(motion.direction, path + ".direction");
    if (motion.displacement) requireDefined(*motion.displacement, path + ".displacement");
    if (motion.velocity) requireDefined(*motion.velocity, path + ".velocity");
    requireDefined(motion.acceleration, path + ".acceleration");
  }
  if (study_.gravity) requireFinite(*study_.gravity, "gravity.acceleration");
}

void LoadChecks::checkFunctionsOfContacts() {
  for (const ContactRequest& contact : study_.contacts) {
    const std::string path = "contacts." + contact.name;
    requireDefined(contact.imposedForce, path + ".normal.force");
    for (const SurfaceTerm& term : contact.surface) requireDefined(term.speed, path + ".surface");
    for (const SurfaceSpin& spin : contact.surfaceSpin) requireDefined(spin.rate, path + ".surfaceSpin");
    if (contact.travel) requireDefined(contact.travel->position, path + ".travel.position");
  }
}

void LoadChecks::checkInitialValues() {
  for (const auto& [values, path] : {std::pair(&study_.initialDisplacement, "initial.displacement"),
                                     std::pair(&study_.initialVelocity, "initial.velocity")})
    for (std::size_t i = 0; i < values->size(); ++i)
      requireFinite((*values)[i].components, fmt::format("{}[{}]", path, i));
}

}  // namespace

void addLoadProblems(const Study& study, StudyProblems& problems) {
  LoadChecks checks(study, problems);
  checks.checkNodalLoads();
  checks.checkOtherLoads();
  checks.checkFunctionsOfContacts();
  checks.checkInitialValues();
}

}  // namespace ricochet
