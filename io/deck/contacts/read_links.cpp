#include "engine/study/supports.hpp"
#include "engine/transient/transient.hpp"
#include "io/deck/contacts/read_laws.hpp"
#include "io/deck/contacts/read_link_laws.hpp"
#include "io/deck/deck.hpp"
#include "io/deck/read_parts.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace ricochet {
namespace {

using LinkAxis = std::array<double, kComponents>;

LinkAxis translationalLinkAxis(const Vec3& direction) {
  return {direction.x(), direction.y(), direction.z(), 0, 0, 0};
}
LinkAxis rotationalLinkAxis(const Vec3& direction) {
  return {0, 0, 0, direction.x(), direction.y(), direction.z()};
}

/// Two directions orthogonal to an axis: the projection of global x, or of global y for an axis along x, and
/// the second direction that completes a right-handed triad.
std::array<Vec3, 2> orthogonalAxes(const Vec3& axis) {
  constexpr double kAlongX = 1e-6;
  Vec3 first = Vec3::UnitX() - axis.x() * axis;
  if (first.norm() <= kAlongX) first = Vec3::UnitY() - axis.y() * axis;
  first.normalize();
  return {first, axis.cross(first)};
}

bool readLinkNodes(ReadContext& context, const Section& link, LinkRequest& request) {
  const auto nodes = context.readDifferentNodes(link, "nodes");
  if (!nodes) return false;
  if (nodes->size() > 2) {
    link.problem("nodes", fmt::format("must be one node (to the ground) or two, got {}", nodes->size()));
    return false;
  }
  request.first = nodes->front();
  if (nodes->size() == 2) request.second = nodes->back();
  return true;
}

/// The axis of a link, or its dof. Without a key, the axis is the direction from node 1 to node 2.
struct LinkDirection {
  std::optional<Component> dof{};
  Vec3 axis{Vec3::UnitX()};
};

LinkDirection readLinkDirection(ReadContext& context, const Section& link, const LinkRequest& request,
                                bool known) {
  LinkDirection found;
  const std::string key = link.onlyPresentKeyOf({"dof", "axis"});
  if (key == "dof") {
    found.dof = context.readDofComponent(link, "dof");
    return found;
  }
  if (key == "axis") {
    found.axis = link.direction("axis", kRequired);
    return found;
  }
  if (!known) return found;
  if (!request.second) {
    link.problem("axis", "missing; a link to the ground takes `axis` or `dof`");
    return found;
  }
  for (const NodeIndex node : {request.first, *request.second})
    if (!context.requirePosition(link, "nodes", node)) return found;
  const auto& positions = context.study.structure.positions;
  const auto at = [&](NodeIndex node) { return positions[static_cast<std::size_t>(node.value)]; };
  const Vec3 apart = at(*request.second) - at(request.first);
  if (apart.norm() == 0.0) {
    link.problem("axis",
                 "missing; the two nodes are at the same place, so that their direction cannot give it");
    return found;
  }
  found.axis = apart.normalized();
  context.recordDefaultValue(link.pathOf("axis"),
                             fmt::format("[{}, {}, {}]", found.axis.x(), found.axis.y(), found.axis.z()));
  return found;
}

void setLinkAxes(const Section& link, const LinkDirection& direction, LinkRequest& request) {
  const bool turns = traitsOf(request.law).actsOnRotations;
  const std::size_t count = std::visit([](const auto& law) { return law.axisCount(); }, request.law);
  if (direction.dof && count > 1) link.problem("dof", "this law acts across an axis: give `axis`");
  if (count > 1) {
    for (const Vec3& each : orthogonalAxes(direction.axis))
      request.axes.push_back(turns ? rotationalLinkAxis(each) : translationalLinkAxis(each));
  } else if (direction.dof) {
    LinkAxis axis{};
    axis[static_cast<std::size_t>(*direction.dof)] = 1.0;
    request.axes.push_back(axis);
  } else {
    request.axes.push_back(translationalLinkAxis(direction.axis));
  }
}

/// Reports a problem unless each node can move, or is fixed by the deck, along each axis.
void requireDofsOfLinkAxes(const ReadContext& context, const Section& link, const LinkRequest& request) {
  const auto require = [&](NodeIndex node) {
    std::vector<Component> along;
    for (const LinkAxis& axis : request.axes)
      for (int c = 0; c < kComponents; ++c)
        if (axis[static_cast<std::size_t>(c)] != 0.0) along.push_back(componentOfIndex(c));
    if (const std::optional<Component> missing = context.findUndeterminedComponent(node, along))
      return link.problem("nodes", fmt::format("node \"{}\" has no {}: no element is on it, and neither a "
                                               "relation nor a support gives it one",
                                               context.nodeName(node), componentName(*missing)));
    for (const LinkAxis& axis : request.axes)
      for (int c = 0; c < kComponents; ++c)
        if (axis[static_cast<std::size_t>(c)] != 0.0 && context.hasDof({node, componentOfIndex(c)})) return;
    link.problem("nodes", fmt::format("node \"{}\" does not move along the axes of the link: no element "
                                      "gives it such a dof and no support fixes it",
                                      context.nodeName(node)));
  };
  require(request.first);
  if (request.second) require(*request.second);
}

}  // namespace

void readLinks(ReadContext& context) {
  for (const Section& link : context.root.sections("links")) {
    LinkRequest request;
    const ProblemWatch watch(link);
    context.links.declareName(link);
    request.name = context.links.all().back();
    context.study.places.addPlaceOfPart("links." + request.name, link.where());
    const bool known = readLinkNodes(context, link, request);
    const LinkDirection direction = readLinkDirection(context, link, request, known);
    request.law = readLinkLaw(context, link);
    setLinkAxes(link, direction, request);
    if (known && watch.isFreeOfProblems()) requireDofsOfLinkAxes(context, link, request);
    requireSchemeForLaw(context, link, "", request.law);
    context.study.links.push_back(std::move(request));
  }
  if (context.root.kind("links") == ValueKind::table) context.links.markNamesAsIncomplete();
}

}  // namespace ricochet
