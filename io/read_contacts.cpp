#include "engine/contact/followed.hpp"
#include "engine/integrators/integrators.hpp"
#include "engine/transient.hpp"
#include "io/read_fields.hpp"
#include "io/read_obstacles.hpp"
#include "io/read_parts.hpp"
#include "io/read_patch.hpp"

#include <fmt/format.h>

#include <cmath>

namespace ricochet {
namespace {

/// A contact needs something that moves, or that is held in place.
void requireDisplacement(const ReadContext& context, const Section& contact, std::string_view key,
                         NodeIndex node) {
  for (int c = 0; c < 3; ++c)
    if (context.hasDof({node, componentAt(c)})) return;
  contact.problem(key, fmt::format("node \"{}\" has no displacement: no element is on it and no support "
                                   "fixes it",
                                   context.nodeName(node)));
}

ContactNodes readContactNodes(ReadContext& context, const Section& contact, ContactRequest& request) {
  ContactNodes found;
  const std::string key = contact.oneOf(kRequired, {"node", "nodes"});
  found.isPair = key == "nodes";
  if (key.empty()) return found;
  const auto& positions = context.study.structure.positions;
  const auto at = [&positions](NodeIndex node) { return positions[static_cast<std::size_t>(node.value)]; };

  if (!found.isPair) {
    const std::optional<NodeIndex> node = context.node(contact, "node");
    if (!node) return found;
    request.first = *node;
    found.first = at(*node);
  } else {
    const auto nodes = context.namedNodes(contact, "nodes");
    if (!nodes) return found;
    if (nodes->size() != 2) {
      contact.problem("nodes", fmt::format("must be two nodes, got {}{}", nodes->size(),
                                           nodes->size() == 1 ? "; for one, the key is `node`" : ""));
      return found;
    }
    request.first = nodes->front();
    request.second = nodes->back();
    found.first = at(request.first);
    found.second = at(*request.second);
    found.names =
        fmt::format("\"{}\" and \"{}\"", context.nodeName(request.first), context.nodeName(*request.second));
    requireDisplacement(context, contact, key, *request.second);
  }
  requireDisplacement(context, contact, key, request.first);
  found.known = true;
  return found;
}

/// What only schemes that solve for reactions can do, refused with the others by name.
void requireSetValuedScheme(const ReadContext& context, const Section& section, std::string_view key,
                            std::string_view what, std::string_view remedy) {
  if (!context.study.transient) return;
  const std::string& scheme = context.study.transient->scheme;
  if (scheme.empty() || scheme == kEventScheme || schemeTraits(scheme).setValued) return;
  const std::string text = fmt::format("{} cannot be right under scheme {}; take scheme {} or {}, or {}",
                                       what, scheme, kEventScheme, Moreau::keyword, remedy);
  if (key.empty())
    section.problem(text);
  else
    section.problem(key, text);
}

bool canSpin(const AnyObstacle& any) {
  const auto* curved = std::get_if<Curved>(&any);
  return curved != nullptr &&
         std::visit([](const auto& shape) { return shape.surfaceRadius() != 0.0; }, curved->shape);
}

/// Along the axis only: other directions would move a curved surface along its normal.
void readCurvedSurface(const Section& obstacle, const std::array<TimeFunction, 3>& velocity,
                       ContactRequest& request) {
  constexpr double kAcross = 1e-9;
  for (std::size_t i = 0; i < velocity.size(); ++i) {
    const TimeFunction& speed = velocity[i];
    if (speed.formulaOrNull() == nullptr && speed.breakpoints().empty() && speed.at(0.0) == 0.0) continue;
    const Vec3 local = request.frame * Vec3::Unit(static_cast<Eigen::Index>(i));
    const bool turning = tangentKind(request.obstacle) == TangentKind::turning;
    if (turning || std::hypot(local[0], local[1]) > kAcross)
      obstacle.problem("surface_velocity", i,
                       "must be along `axis`: this component moves a curved surface along its normal");
    request.surface.push_back({speed, {local[1], local[2]}});
  }
}

/// The velocity of the surface in its own plane: its components along the tangents, component by component.
void readSurface(ReadContext& context, const Section& contact, ContactRequest& request) {
  const Section obstacle = contact.section("obstacle", kRequired);
  if (!obstacle.exists()) return;
  if (obstacle.has("surface_spin")) {
    const bool spins = std::holds_alternative<Plane>(request.obstacle) || canSpin(request.obstacle);
    request.surfaceSpin.push_back({context.numberOrFunction(obstacle, "surface_spin", {.unit = "rad/s"})});
    if (!spins || request.second)
      obstacle.problem("surface_spin",
                       "is for one `node` on a plane (about its normal), in a circle or on a disc");
    if (obstacle.has("surface_velocity"))
      obstacle.problem("surface_velocity", "contradicts `surface_spin`; give one of them");
  }
  const auto velocity = context.vectorOfFunctions(obstacle, "surface_velocity");
  if (!velocity) return;
  if (std::holds_alternative<Curved>(request.obstacle))
    return readCurvedSurface(obstacle, *velocity, request);
  constexpr double kAcross = 1e-9;
  for (std::size_t i = 0; i < velocity->size(); ++i) {
    const TimeFunction& speed = (*velocity)[i];
    if (speed.formulaOrNull() == nullptr && speed.breakpoints().empty() && speed.at(0.0) == 0.0) continue;
    const Vec3 axis = Vec3::Unit(static_cast<Eigen::Index>(i));
    const Vec3 local = request.frame * axis;
    if (std::abs(local[0]) > kAcross)
      obstacle.problem("surface_velocity", i,
                       "must lie in the plane of the surface: this component moves it along its normal");
    request.surface.push_back({speed, {local[1], local[2]}});
  }
}

template <class Law>
Law readPower(const Section& normal) {
  Law law;
  readFields(normal, law, {.positive = {"stiffness"}});
  return law;
}

/// Points of a force over the penetration, from (0, 0).
ForceTable readForceTable(const Section& normal) {
  const ProblemWatch watch(normal);
  ForcePieces pieces;
  pieces.penetration = normal.numbers("penetration", kRequired, {}, atLeast(0.0, "m"));
  pieces.force = normal.numbers("force", kRequired, {}, atLeast(0.0, "N"));
  ForceTable table;
  if (!watch.isClean()) return table;
  if (pieces.force.size() != pieces.penetration.size())
    normal.problem("force", fmt::format("must be one for each of the {} penetrations, got {}",
                                        pieces.penetration.size(), pieces.force.size()));
  else if (pieces.force.size() < 2)
    normal.problem("penetration", "must be two points at least");
  else if (pieces.penetration[0] != 0.0 || pieces.force[0] != 0.0)
    normal.problem(pieces.force[0] != 0.0 ? "force" : "penetration", 0,
                   "must be 0: no force without penetration");
  for (std::size_t i = 1; watch.isClean() && i < pieces.force.size(); ++i) {
    if (!(pieces.penetration[i] > pieces.penetration[i - 1]))
      normal.problem("penetration", i, "must increase");
    if (!(pieces.force[i] >= pieces.force[i - 1])) normal.problem("force", i, "must not decrease");
  }
  if (watch.isClean()) table.pieces = std::make_shared<const ForcePieces>(std::move(pieces));
  return table;
}

/// The imposed force of an obstacle without geometry, or the penalty of one that has it.
void readNormalLaw(ReadContext& context, const Section& contact, const std::string& obstacle,
                   ContactRequest& request) {
  const Section normal = contact.section("normal", kRequired);
  if (normal.has("law")) {
    const std::string law = normal.choice("law", kRequired, {"hertz", "hunt_crossley", "table", "rigid"});
    if (obstacle == NoObstacle::keyword && !law.empty())
      normal.problem("law", "obstacle type \"none\" has no gap: its normal force is imposed by `force`");
    if (law == Rigid::keyword) {
      Rigid rigid;
      rigid.restitution = normal.number("restitution", kRequired, between(0.0, 1.0));
      requireSetValuedScheme(context, normal, "law", "a rigid contact",
                             "give `stiffness` instead (a penalty)");
      request.normal = rigid;
      return;
    }
    if (law == Hertz::keyword) request.normal = readPower<Hertz>(normal);
    if (law == HuntCrossley::keyword) request.normal = readPower<HuntCrossley>(normal);
    if (law == ForceTable::keyword) request.normal = readForceTable(normal);
    if (!law.empty()) return;
    normal.ignoreRest();
    return;
  }
  const std::string key = normal.oneOf({"stiffness", "force"});
  const bool isNone = obstacle == NoObstacle::keyword;
  if (key == "force" && !isNone && !obstacle.empty()) {
    normal.problem("force", fmt::format("is for obstacle type \"none\"; a {} takes `stiffness`", obstacle));
  }
  if (key != "force" && isNone) {
    normal.problem(key.empty() ? "force" : key,
                   fmt::format("{}obstacle type \"none\" has no gap: its normal force is imposed by `force`",
                               key.empty() ? "missing; " : ""));
  }
  if (key == "force") {
    for (const std::string_view other : {"damping", "tension"})
      if (normal.has(other)) normal.problem(other, "contradicts `force`, which is imposed");
    request.imposedForce = context.numberOrFunction(normal, "force", atLeast(0.0, "N"));
    request.normal = ImposedForce{};
    return;
  }
  if (key.empty() && isNone) return;
  LinearPenalty penalty;
  readFields(normal, penalty, {.positive = {"stiffness"}});
  penalty.tension = normal.boolean("tension", false);
  request.normal = penalty;
}

void readCoefficients(const Section& friction, RegularisedCoulomb& law) {
  for (const std::string_view key : {"static", "dynamic"}) {
    if (friction.has("coefficient") && friction.has(key))
      friction.problem(key, "contradicts `coefficient`, which is both static and dynamic");
  }
  if (friction.has("coefficient")) {
    law.muStatic = friction.number("coefficient", kRequired, rangeOf<RegularisedCoulomb>("static"));
    law.muDynamic = law.muStatic;
    return;
  }
  if (!friction.has("static") && !friction.has("dynamic")) {
    friction.problem("coefficient", "missing; give `coefficient`, or `static` and `dynamic`");
    return;
  }
  const ProblemWatch watch(friction);
  law.muStatic = friction.number("static", kRequired, rangeOf<RegularisedCoulomb>("static"));
  law.muDynamic = friction.number("dynamic", kRequired, rangeOf<RegularisedCoulomb>("dynamic"));
  if (watch.isClean() && law.muStatic < law.muDynamic) {
    friction.problem("static", fmt::format("must be at least the dynamic coefficient {}, got {}",
                                           law.muDynamic, law.muStatic));
  }
}

void readFriction(ReadContext& context, const Section& contact, ContactRequest& whole) {
  FrictionRequest& request = whole.friction;
  const std::optional<Section> friction = contact.section("friction");
  if (!friction) {
    context.takeDefault(contact.pathOf("friction"), "none");
    return;
  }
  friction->unsupported({"along", "velocity_law"});
  if (friction->has("law")) {
    const std::string law = friction->choice("law", kRequired, {"patch"});
    if (law.empty()) {
      friction->ignoreRest();
      return;
    }
  }
  RegularisedCoulomb law;
  readCoefficients(*friction, law);
  if (friction->has("law")) {
    if (whole.isFollowed())
      friction->problem("law", "a patch needs a planar obstacle whose surface does not move");
    return readPatchFriction(context, *friction, law, whole);
  }
  if (!friction->has("stiffness")) {  // true stick
    if (friction->has("damping"))
      friction->problem("damping", "is of an elastic stick: it needs `stiffness`");
    requireSetValuedScheme(context, *friction, "", "set-valued stick (no `stiffness`)",
                           "give `stiffness` (elastic stick)");
    request.law = Coulomb{law.muStatic, law.muDynamic};
    return;
  }
  readStick(*friction, law, request);
  request.law = law;
}

/// Radius at which the body on a node touches: its rotation about the axis of the contact (tangent 2) then
/// enters the slip, and friction turns it.
void readRolling(const ReadContext& context, const Section& contact, ContactRequest& request) {
  if (!contact.has("rolling_radius")) return;
  const Range range = atLeast(0.0, "m");
  if (request.second) {
    const auto both = contact.numbers("rolling_radius", kRequired, {2}, range);
    request.rollingRadius = {both[0], both[1]};
  } else {
    request.rollingRadius[0] = contact.number("rolling_radius", kRequired, range);
  }
  if (tangentKind(request.obstacle) == TangentKind::turning)
    contact.problem("rolling_radius", "needs an obstacle with an axis; a sphere has none");
  const std::array<std::optional<NodeIndex>, 2> nodes{request.first, request.second};
  for (std::size_t k = 0; k < 2; ++k) {
    if (!nodes[k] || request.rollingRadius[k] == 0.0) continue;
    bool rotates = false;
    for (int c = 3; c < kComponents; ++c) rotates = rotates || context.hasDof({*nodes[k], componentAt(c)});
    if (!rotates)
      contact.problem("rolling_radius",
                      fmt::format("node \"{}\" has no rotation", context.nodeName(*nodes[k])));
  }
}

}  // namespace

void readContacts(ReadContext& context) {
  for (const Section& contact : context.root.sections("contacts")) {
    ContactRequest request;
    context.contacts.declare(contact);
    request.name = context.contacts.all().back();
    request.where = contact.where();
    if (contact.has("carried_by")) contact.problem("carried_by", "is a key of `obstacle`");
    const ContactNodes nodes = readContactNodes(context, contact, request);
    const std::string obstacle = readObstacle(context, contact, nodes, request);
    if (!obstacle.empty()) readSurface(context, contact, request);
    readRolling(context, contact, request);
    readNormalLaw(context, contact, obstacle, request);
    readFriction(context, contact, request);
    context.study.contacts.push_back(std::move(request));
  }
  if (context.root.kind("contacts") == ValueKind::table) context.contacts.markIncomplete();
}

}  // namespace ricochet
