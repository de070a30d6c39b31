#include "engine/study/parts/beam_request.hpp"
#include "io/deck/read_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace ricochet {
namespace {

using Components = std::array<double, kComponents>;

/// Subject and verb of a message: "node "a" has", "nodes "a", "b" and 3 more have".
std::string nodesAsSubjectText(const ReadContext& context, const std::vector<NodeIndex>& nodes) {
  constexpr std::size_t kMostShown = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(nodes.size(), kMostShown); ++i)
    text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", context.nodeName(nodes[i]));
  if (nodes.size() > kMostShown) text += fmt::format(" and {} more", nodes.size() - kMostShown);
  return nodes.size() == 1 ? "node " + text + " has" : "nodes " + text + " have";
}

/// Reports non-zero components without a dof on which they act. `first`: the component of the key's first
/// value.
void requireDofsOfComponents(const ReadContext& context, const Section& section, std::string_view key,
                             int first, const std::vector<NodeIndex>& nodes,
                             const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i] == 0.0) continue;
    const Component component = componentOfIndex(first + static_cast<int>(i));
    std::vector<NodeIndex> lacking;
    for (const NodeIndex node : nodes)
      if (!context.hasDof({node, component})) lacking.push_back(node);
    if (lacking.empty()) continue;
    section.problem(key, i,
                    fmt::format("{} no {}: no element gives {} one", nodesAsSubjectText(context, lacking),
                                componentName(component), lacking.size() == 1 ? "it" : "them"));
  }
}

/// Reads three components of a load; sets nothing if the key is absent.
void readThreeComponents(const ReadContext& context, const Section& section, std::string_view key, int first,
                         const std::optional<std::vector<NodeIndex>>& nodes, Components& components) {
  const ProblemWatch watch(section);
  const std::optional<std::vector<double>> values =
      section.numbers(key, {3}, {.unit = first == 0 ? "N" : "N m"});
  if (!values || !watch.isFreeOfProblems()) return;
  if (nodes) requireDofsOfComponents(context, section, key, first, *nodes, *values);
  std::copy(values->begin(), values->end(), components.begin() + first);
}

void readLoadScale(ReadContext& context, const Section& section, TimeFunction& scale) {
  if (section.hasKey("scale"))
    scale = context.readNumberOrFunction(section, "scale", {});
  else
    section.number("scale", 1.0);
}

void readMovingLoad(ReadContext& context, const Section& section) {
  MovingLoadRequest load;
  load.beams = readBeamPath(context, section);
  readThreeComponents(context, section, "force", 0, {}, load.components);
  readThreeComponents(context, section, "moment", 3, {}, load.components);
  if (!section.hasKey("force") && !section.hasKey("moment"))
    section.problem("one of force, moment is needed");
  load.position = readPositionAlongBeams(context, section, BeforeStart::isAway);
  readLoadScale(context, section, load.scale);
  if (!load.beams.empty()) context.study.movingLoads.push_back(std::move(load));
}

void readLoad(ReadContext& context, const Section& section, int entry) {
  if (section.hasKey("beam")) {
    section.onlyPresentKeyOf({"nodes", "beam"});
    return readMovingLoad(context, section);
  }
  const auto nodes = context.readNodesOfKey(section, "nodes");
  NodalLoad load;
  readThreeComponents(context, section, "force", 0, nodes, load.components);
  readThreeComponents(context, section, "moment", 3, nodes, load.components);
  if (!section.hasKey("force") && !section.hasKey("moment"))
    section.problem("one of force, moment is needed");
  readLoadScale(context, section, load.scale);
  load.staticCorrection = section.boolean("static_correction", false);
  load.entry = entry;
  context.study.places.addPlaceOfPart(partName(load), section.where());
  for (const NodeIndex node : nodes.value_or(std::vector<NodeIndex>{})) {
    load.node = node;
    context.study.loads.push_back(load);
  }
}

/// Reports initial values on fixed dofs, which contradict the support.
void requireFreeDofsForInitialValues(const ReadContext& context, const Section& section, NodeIndex node,
                                     const std::vector<double>& values) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Component component = componentOfIndex(static_cast<int>(i));
    if (values[i] == 0.0 || !context.isFixed({node, component})) continue;
    section.problem("value", i,
                    fmt::format("must be 0: a support fixes {} of node \"{}\"", componentName(component),
                                context.nodeName(node)));
  }
}

void readInitialValues(ReadContext& context, const Section& initial, std::string_view key,
                       std::vector<InitialValue>& found) {
  for (const Section& section : initial.sections(key)) {
    const ProblemWatch watch(section);
    const std::optional<std::vector<NodeIndex>> nodes = context.readNodesOfKey(section, "node");
    const std::vector<double> values =
        section.numbers("value", kRequired, {3, 6},
                        key == "velocity" ? Range{.unit = "m/s", .turningUnit = "rad/s"}
                                          : Range{.unit = "m", .turningUnit = "rad"});
    if (!nodes || !watch.isFreeOfProblems()) continue;
    requireDofsOfComponents(context, section, "value", 0, *nodes, values);
    for (const NodeIndex node : *nodes) {
      requireFreeDofsForInitialValues(context, section, node, values);
      const bool twice =
          std::any_of(found.begin(), found.end(), [node](const InitialValue& v) { return v.node == node; });
      if (twice) section.problem("node", fmt::format("\"{}\" has a value already", context.nodeName(node)));
      InitialValue value;
      value.node = node;
      std::copy(values.begin(), values.end(), value.components.begin());
      context.study.places.addPlaceOfPart(fmt::format("initial.{}[{}]", key, found.size()), section.where());
      found.push_back(value);
    }
  }
}

Equilibrium readEquilibrium(const Section& initial) {
  const bool wanted = initial.boolean("equilibrium", false),
             friction = initial.boolean("with_friction", false);
  if (initial.hasKey("with_friction") && !wanted)
    initial.problem("with_friction", "is of the equilibrium: add `equilibrium = true`");
  if (!wanted) return Equilibrium::none;
  return friction ? Equilibrium::withFriction : Equilibrium::withoutFriction;
}

}  // namespace

std::vector<std::size_t> readBeamPath(const ReadContext& context, const Section& section) {
  const ProblemWatch watch(section);
  const std::vector<BeamRequest>& beams = context.study.beams;
  std::vector<std::size_t> way;
  for (const Located<std::string>& name : section.strings("beam", kRequired)) {
    context.beams.resolveName(name, section.diagnostics());
    const auto found = std::find_if(beams.begin(), beams.end(),
                                    [&](const BeamRequest& beam) { return beam.name == name.value; });
    if (found == beams.end()) return {};  // a problem of the beam has already been reported
    if (!found->mesh.empty()) {
      section.diagnostics().addProblem(
          name.where, name.path,
          fmt::format("\"{}\" lies on the lines of a mesh, which have no order to travel "
                      "along: give it `nodes` and `elements`",
                      name.value));
      return {};
    }
    if (!way.empty() && beams[way.back()].nodes.back() != found->nodes.front())
      section.diagnostics().addProblem(
          name.where, name.path,
          fmt::format("must begin where \"{}\" ends, at node \"{}\"; \"{}\" begins at node \"{}\"",
                      beams[way.back()].name, context.nodeName(beams[way.back()].nodes.back()), name.value,
                      context.nodeName(found->nodes.front())));
    way.push_back(static_cast<std::size_t>(found - beams.begin()));
  }
  return watch.isFreeOfProblems() ? way : std::vector<std::size_t>{};
}

TimeFunction readPositionAlongBeams(ReadContext& context, const Section& section, BeforeStart before) {
  const std::string given = section.onlyPresentKeyOf(kRequired, {"position", "speed"});
  if (given.empty()) return TimeFunction::constant(0.0);
  if (given == "position") return context.readNumberOrFunction(section, "position", {.unit = "m"});
  const double speed = section.number("speed", kRequired, {.unit = "m/s"});
  const double start = section.number("start", 0.0, {.unit = "s"});
  const double from = section.number("from", 0.0, {.unit = "m"});
  const bool comesAlong = before == BeforeStart::isAway && from == 0.0;
  if (comesAlong || !section.hasKey("start")) return TimeFunction::line(start, from, speed);
  const std::array times{start, start, start + 1.0};
  const std::array places{before == BeforeStart::waits ? from : -1.0, from, from + speed};
  return TimeFunction::table(times, places, TimeFunction::Outside::constant, TimeFunction::Outside::linear);
}

void readLoads(ReadContext& context) {
  int entry = 0;
  for (const Section& section : context.root.sections("loads")) readLoad(context, section, entry++);
}

void readInitialState(ReadContext& context) {
  const std::optional<Section> initial = context.root.section("initial");
  if (!initial || initial->hasKey("restart")) return;
  if (initial->hasKey("restart_time"))
    initial->problem("restart_time", "needs `restart`, the result it is of");
  readInitialValues(context, *initial, "displacement", context.study.initialDisplacement);
  readInitialValues(context, *initial, "velocity", context.study.initialVelocity);
  context.study.equilibrium = readEquilibrium(*initial);
  context.study.places.addPlaceOfPart("initial.equilibrium", initial->where("equilibrium"));
  if (context.study.equilibrium != Equilibrium::none && initial->hasKey("displacement"))
    initial->problem("displacement", "contradicts `equilibrium`, which finds it");
}

}  // namespace ricochet
