// Reads [gravity] and [[base_motions]]: accelerations that act on every mass.

#include "io/deck/deck.hpp"
#include "io/deck/read_parts.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

std::array<double, kComponents> readMotionDirection(const Section& section) {
  const ProblemWatch watch(section);
  const std::vector<double> written = section.numbers("direction", kRequired, {3, kComponents});
  std::array<double, kComponents> direction{};
  if (!watch.isFreeOfProblems()) return direction;
  std::copy(written.begin(), written.end(), direction.begin());
  if (std::all_of(direction.begin(), direction.end(), [](double x) { return x == 0.0; }))
    section.problem("direction", "must not be zero");
  return direction;
}

/// Reads the dofs that the named supports fix along the direction.
void readMovingSupports(ReadContext& context, const Section& section, BaseMotion& motion) {
  const ProblemWatch watch(section);
  const std::vector<Located<std::string>> names = section.strings("supports", kRequired);
  if (watch.isFreeOfProblems() && names.empty())
    section.problem("supports", "must name at least one of [[supports]]");
  std::vector<Dof> fixed;
  for (const Located<std::string>& name : names)
    if (const std::optional<int> index = context.supports.resolveName(name, section.diagnostics())) {
      const std::vector<Dof>& dofs = context.supportDofs[static_cast<std::size_t>(*index)];
      fixed.insert(fixed.end(), dofs.begin(), dofs.end());
    }
  if (!watch.isFreeOfProblems()) return;
  for (int c = 0; c < kComponents; ++c) {
    const auto along = [c](const Dof& dof) { return dof.component == componentOfIndex(c); };
    if (motion.direction[static_cast<std::size_t>(c)] == 0.0) continue;
    if (std::none_of(fixed.begin(), fixed.end(), along))
      section.problem(
          "direction", static_cast<std::size_t>(c),
          fmt::format("must be 0: these supports do not fix {}", componentName(componentOfIndex(c))));
    std::copy_if(fixed.begin(), fixed.end(), std::back_inserter(motion.supports), along);
  }
  for (const Dof& dof : motion.supports) {
    const auto& relations = context.relationsOnFixed;
    if (std::find(relations.begin(), relations.end(), dof) != relations.end())
      section.problem("supports", fmt::format("{} of node \"{}\" moves and is a term of a relation, which "
                                              "takes what is fixed to be at rest",
                                              componentName(dof.component), context.nodeName(dof.node)));
  }
}

/// Contacts need the displacement and velocity of the supports: reports a base motion without them.
void requireMotionForContacts(const ReadContext& context, const Section& section, const BaseMotion& motion) {
  if (!motion.ofSupports || context.study.contacts.empty()) return;
  if (!section.hasKey("displacement"))
    section.problem("supports", "beside contacts the `displacement` of supports that move is needed");
  if (!section.hasKey("velocity"))
    section.problem("supports", "beside contacts the `velocity` of supports that move is needed");
}

bool doesMotionContainRotation(const std::array<double, kComponents>& direction) {
  return std::any_of(direction.begin() + 3, direction.end(), [](double x) { return x != 0.0; });
}

/// Inertia forces need the motion of the position of every mass: reports masses for which this motion is
/// unknown.
void requireKnownMassMotion(const ReadContext& context, const Section& section, std::string_view key,
                            const std::array<double, kComponents>& direction) {
  if (!context.inertiaNowhere.empty()) return section.problem(key, context.inertiaNowhere);
  if (doesMotionContainRotation(direction) && !context.inertiaNearby.empty())
    section.problem(key, context.inertiaNearby);
}

void readBaseMotion(ReadContext& context, const Section& section) {
  BaseMotion motion;
  motion.direction = readMotionDirection(section);
  motion.ofSupports = section.hasKey("supports");
  if (motion.ofSupports) readMovingSupports(context, section, motion);
  if (!motion.ofSupports) requireKnownMassMotion(context, section, "direction", motion.direction);
  if (motion.ofSupports && !context.study.spins.empty())
    section.problem("supports", "cannot move beside a spin that varies; give a constant one");
  if (!motion.ofSupports && !context.study.spins.empty() && doesMotionContainRotation(motion.direction))
    section.problem("direction", "a frame cannot turn beside a spin that varies; give a constant one");
  motion.acceleration = context.readNumberOrFunction(section, "acceleration", {});
  if (section.hasKey("displacement"))
    motion.displacement = context.readNumberOrFunction(section, "displacement", {});
  if (section.hasKey("velocity")) motion.velocity = context.readNumberOrFunction(section, "velocity", {});
  requireMotionForContacts(context, section, motion);
  context.study.places.addPlaceOfPart(fmt::format("base_motions[{}]", context.study.baseMotions.size()),
                                      section.where());
  context.study.baseMotions.push_back(std::move(motion));
}

/// Reports a load with a static correction in a model with contacts or links: the correction changes the
/// output, but not the gaps of contacts and the deformations of links.
void requireNoCorrectedContacts(ReadContext& context) {
  if (context.study.contacts.empty() && context.study.links.empty()) return;
  for (const NodalLoad& load : context.study.loads)
    if (load.staticCorrection) {
      context.root.diagnostics().addProblem(
          context.study.places.locationOfPart(partName(load)), "loads.static_correction",
          "corrects what is shown, not what contacts and links feel: take [basis] "
          "residual = \"loads\" instead");
      return;
    }
}

}  // namespace

void readMotions(ReadContext& context) {
  if (const std::optional<Section> gravity = context.root.section("gravity")) {
    const Vec3 g = gravity->vector3("acceleration", kRequired, {.unit = "m/s^2"});
    context.study.gravity = {g.x(), g.y(), g.z()};
    requireKnownMassMotion(context, *gravity, "acceleration", {g.x(), g.y(), g.z(), 0.0, 0.0, 0.0});
  }
  for (const Section& section : context.root.sections("base_motions")) readBaseMotion(context, section);
  requireNoCorrectedContacts(context);
}

void requireAbsoluteMotion(const ReadContext& context, const Section& section, std::string_view key,
                           Kinematic kind) {
  const std::vector<BaseMotion>& motions = context.study.baseMotions;
  if (motions.empty() && !context.root.hasKey("base_motions"))
    section.problem(key, "needs a base that moves: [[base_motions]]");
  const auto lacks = [kind](const BaseMotion& motion) {
    return (kind == Kinematic::displacement && !motion.displacement) ||
           (kind == Kinematic::velocity && !motion.velocity);
  };
  if (std::any_of(motions.begin(), motions.end(), lacks))
    section.problem(key, fmt::format("needs the {} of every base that moves: give base_motions.{}",
                                     kKinematicNames[static_cast<std::size_t>(kind)],
                                     kKinematicNames[static_cast<std::size_t>(kind)]));
}

}  // namespace ricochet
