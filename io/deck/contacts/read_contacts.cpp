#include "engine/contact/followed.hpp"
#include "engine/study/parts/beam_request.hpp"
#include "engine/transient/transient.hpp"
#include "io/deck/contacts/read_laws.hpp"
#include "io/deck/contacts/read_obstacles.hpp"
#include "io/deck/deck.hpp"
#include "io/deck/read_parts.hpp"
#include "io/toml/read_fields.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>

namespace ricochet {
namespace {

/// Reports a problem unless the structure can move at the contact or the deck fixes the node there.
void requireDisplacementOfNode(const ReadContext& context, const Section& contact, std::string_view key,
                               NodeIndex node) {
  constexpr std::array kTranslations{Component::ux, Component::uy, Component::uz};
  if (const std::optional<Component> missing = context.findUndeterminedComponent(node, kTranslations)) {
    contact.problem(key, fmt::format("node \"{}\" has no {}: no element is on it, and neither a relation nor "
                                     "a support gives it one",
                                     context.nodeName(node), componentName(*missing)));
    return;
  }
  for (int c = 0; c < 3; ++c)
    if (context.hasDof({node, componentOfIndex(c)})) return;
  contact.problem(key, fmt::format("node \"{}\" has no displacement: no element is on it and no support "
                                   "fixes it",
                                   context.nodeName(node)));
}

ContactNodes readContactNodes(ReadContext& context, const Section& contact, ContactRequest& request) {
  ContactNodes found;
  const std::string key = contact.onlyPresentKeyOf(kRequired, {"node", "nodes"});
  found.isPair = key == "nodes";
  if (key.empty()) return found;
  const auto& positions = context.study.structure.positions;
  const auto at = [&positions](NodeIndex node) { return positions[static_cast<std::size_t>(node.value)]; };

  if (!found.isPair) {
    const std::optional<NodeIndex> node = context.readNodeIndex(contact, "node");
    if (!node || !context.requirePosition(contact, "node", *node)) return found;
    request.first = *node;
    found.first = at(*node);
  } else {
    const auto nodes = context.readDifferentNodes(contact, "nodes");
    if (!nodes) return found;
    if (nodes->size() != 2) {
      contact.problem("nodes", fmt::format("must be two nodes, got {}{}", nodes->size(),
                                           nodes->size() == 1 ? "; for one, the key is `node`" : ""));
      return found;
    }
    for (const NodeIndex node : *nodes)
      if (!context.requirePosition(contact, "nodes", node)) return found;
    request.first = nodes->front();
    request.second = nodes->back();
    found.first = at(request.first);
    found.second = at(*request.second);
    found.names =
        fmt::format("\"{}\" and \"{}\"", context.nodeName(request.first), context.nodeName(*request.second));
    requireDisplacementOfNode(context, contact, key, *request.second);
  }
  requireDisplacementOfNode(context, contact, key, request.first);
  found.known = true;
  return found;
}

bool canContactPointSpin(const AnyObstacle& any) {
  return surfaceRadius(any) != 0.0 || visitPlanarObstacle(any, false, []<class O>(const O&) -> bool {
           return O::traits.spinsAboutNormal;
         });
}

using SurfaceVelocity = std::array<TimeFunction, 3>;

bool isZeroFunction(const TimeFunction& speed) {
  return speed.formulaOrNull() == nullptr && speed.breakpoints().empty() && speed.at(0.0) == 0.0;
}

/// Instants at which a velocity is examined: points of tables and instants between them, or even instants of
/// the run if a component is a formula.
std::vector<double> instantsToExamineVelocity(const ReadContext& context, const SurfaceVelocity& velocity) {
  constexpr int kOfRun = 257;
  std::vector<double> instants{context.run ? context.run->start : 0.0};
  for (const TimeFunction& speed : velocity) {
    const std::vector<double>& points = speed.breakpoints();
    instants.insert(instants.end(), points.begin(), points.end());
    for (std::size_t i = 0; i + 1 < points.size(); ++i) instants.push_back(0.5 * (points[i] + points[i + 1]));
    for (int i = 0; speed.formulaOrNull() != nullptr && context.run && i <= kOfRun; ++i)
      instants.push_back(context.run->start + i * (context.run->end - context.run->start) / kOfRun);
  }
  return instants;
}

/// Component of a velocity that moves a surface along its normal; empty if the components together move it
/// along the surface only. `normals`: local axes e1, e2 that are normals of the surface.
std::optional<std::size_t> componentAlongNormal(const ReadContext& context, const SurfaceVelocity& velocity,
                                                const Mat3& frame, int normals) {
  constexpr double kAcross = 1e-9;
  for (const double t : instantsToExamineVelocity(context, velocity)) {
    const Vec3 global(velocity[0].at(t), velocity[1].at(t), velocity[2].at(t));
    if ((frame * global).head(normals).norm() <= kAcross * global.norm()) continue;
    for (std::size_t i = 0; i < velocity.size(); ++i)
      if (!isZeroFunction(velocity[i]) &&
          frame.col(static_cast<Eigen::Index>(i)).head(normals).norm() > kAcross)
        return i;
  }
  return std::nullopt;
}

/// Reads the velocity of the surface in its own plane, and splits each component into its parts along both
/// tangents.
void readSurfaceVelocity(ReadContext& context, const Section& contact, ContactRequest& request) {
  const Section obstacle = contact.section("obstacle", kRequired);
  if (!obstacle.exists()) return;
  if (obstacle.hasKey("surface_spin")) {
    const bool spins = canContactPointSpin(request.obstacle);
    request.surfaceSpin.push_back(
        {context.readNumberOrFunction(obstacle, "surface_spin", {.unit = "rad/s"})});
    if (!spins || request.second)
      obstacle.problem("surface_spin",
                       "is for one `node` on a plane (about its normal), in a circle or on a disc");
    if (obstacle.hasKey("surface_velocity"))
      obstacle.problem("surface_velocity", "contradicts `surface_spin`; give one of them");
  }
  const auto velocity = context.readVectorOfFunctions(obstacle, "surface_velocity");
  if (!velocity) return;
  const bool curved = isCurved(request.obstacle);
  const bool turns = tangentKind(request.obstacle) == TangentKind::turning;
  if (const auto i = componentAlongNormal(context, *velocity, request.frame, turns ? 3 : curved ? 2 : 1))
    obstacle.problem("surface_velocity", *i,
                     curved
                         ? "must be along `axis`: this component moves a curved surface along its normal"
                         : "must lie in the plane of the surface: this component moves it along its normal");
  for (std::size_t i = 0; i < velocity->size(); ++i) {
    if (isZeroFunction((*velocity)[i])) continue;
    const Vec3 local = request.frame.col(static_cast<Eigen::Index>(i));
    request.surface.push_back({(*velocity)[i], {local[1], local[2]}});
  }
}

/// Reads the radius at which the body around the node touches: the slip velocity then contains the rotation
/// about the contact axis (tangent 2), and friction applies a moment to the body. Bodies touch each other
/// from outside and their radii add; a hole encloses the other body, and its surface is on the same side of
/// both.
void readRollingRadius(const ReadContext& context, const Section& contact, ContactRequest& request) {
  if (!contact.hasKey("rolling_radius")) return;
  const Range range = rangeAtLeast(0.0, "m");
  if (request.second) {
    const auto both = contact.numbers("rolling_radius", kRequired, {2}, range);
    request.rollingRadius = {both[0], both[1]};
    if (isHole(request.obstacle)) {
      const bool isFirstHole = both[0] > both[1] && both[1] > 0.0;  // the wider one
      request.rollingRadius[isFirstHole ? 0 : 1] *= -1.0;
    }
  } else {
    request.rollingRadius[0] = contact.number("rolling_radius", kRequired, range);
  }
  if (tangentKind(request.obstacle) == TangentKind::turning)
    contact.problem("rolling_radius", "needs an obstacle with an axis; a sphere has none");
  const std::array<std::optional<NodeIndex>, 2> nodes{request.first, request.second};
  for (std::size_t k = 0; k < 2; ++k) {
    if (!nodes[k] || request.rollingRadius[k] == 0.0) continue;
    bool rotates = false;
    for (int c = 3; c < kComponents; ++c)
      rotates = rotates || context.hasDof({*nodes[k], componentOfIndex(c)});
    if (!rotates)
      contact.problem("rolling_radius",
                      fmt::format("node \"{}\" has no rotation", context.nodeName(*nodes[k])));
  }
}

/// Reads the beams along which the contact travels, and its place on them.
void readTravelAlongBeams(ReadContext& context, const Section& contact, bool isPair,
                          ContactRequest& request) {
  if (!contact.hasKey("beam")) {
    for (const std::string_view key : {"position", "speed", "start", "from"})
      if (contact.hasKey(key)) contact.problem(key, "is of a contact that travels: give its `beam`");
    return;
  }
  if (isPair) contact.problem("beam", "is for one `node`: the second side is then the beam");
  TravelRequest travel;
  travel.beams = readBeamPath(context, contact);
  travel.position = readPositionAlongBeams(context, contact, BeforeStart::waits);
  if (!travel.beams.empty()) request.travel = std::move(travel);
}

/// Refuses properties that a contact travelling along beams cannot have.
void requirePropertiesForTravel(const ReadContext& context, const Section& contact, const std::string& type,
                                const ContactRequest& request) {
  if (!request.isTravelling()) return;
  const Section obstacle = contact.section("obstacle", kRequired);
  if (!type.empty() && type != Plane::keyword && type != Slot::keyword)
    obstacle.problem("type", "must be \"plane\" or \"slot\" where the contact travels along a `beam`");
  for (const std::string_view key : {"point", "center", "carried_by", "surface_velocity", "surface_spin"})
    if (obstacle.hasKey(key))
      obstacle.problem(key, key == "point"
                                ? "is not for a contact that travels along a `beam`: give the `gap`"
                                : "is not for a contact that travels along a `beam`, which is its obstacle");
  for (const std::string_view key : {"friction", "rolling_radius", "wear"})
    if (contact.hasKey(key))
      contact.problem(key, "is not for a contact that travels along a `beam`: it is without friction");
  constexpr double kAcross = 1e-9;
  for (const std::size_t beam : request.travel->beams) {
    const BeamRequest& way = context.study.beams[beam];
    const Vec3 along = way.element.axes.row(0).transpose();
    if (std::abs(along.dot(request.frame.row(0))) > kAcross)
      obstacle.problem(
          type == Slot::keyword ? "direction" : "normal",
          fmt::format("must be across the beam \"{}\", along which the contact travels", way.name));
  }
}

}  // namespace

void readContacts(ReadContext& context) {
  for (const Section& contact : context.root.sections("contacts")) {
    ContactRequest request;
    context.contacts.declareName(contact);
    request.name = context.contacts.all().back();
    context.study.places.addPlaceOfPart("contacts." + request.name, contact.where());
    if (contact.hasKey("carried_by")) contact.problem("carried_by", "is a key of `obstacle`");
    const ContactNodes nodes = readContactNodes(context, contact, request);
    const std::string obstacle = readObstacle(context, contact, nodes, request);
    readTravelAlongBeams(context, contact, nodes.isPair, request);
    requirePropertiesForTravel(context, contact, obstacle, request);
    if (!obstacle.empty()) readSurfaceVelocity(context, contact, request);
    readRollingRadius(context, contact, request);
    readNormalLaw(context, contact, obstacle, request);
    readFriction(context, contact, request);
    readWear(contact, request);
    context.study.contacts.push_back(std::move(request));
  }
  if (context.root.kind("contacts") == ValueKind::table) context.contacts.markNamesAsIncomplete();
}

}  // namespace ricochet
