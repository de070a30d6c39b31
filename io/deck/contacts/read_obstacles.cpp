#include "io/deck/contacts/read_obstacles.hpp"

#include "engine/study/parts/contact_request.hpp"
#include "io/deck/contacts/read_curved.hpp"
#include "io/toml/read_fields.hpp"

#include <Eigen/Geometry>
#include <fmt/core.h>

#include <cmath>

namespace ricochet {
namespace {

/// Sine of the angle below which two directions are treated as parallel.
constexpr double kParallel = 1e-9;

/// Unit vector along the part of a given direction that is orthogonal to the unit vector `other`. For
/// parallel vectors: reports a problem and returns any orthogonal direction.
Vec3 orthogonalDirection(const Section& section, std::string_view key, const Vec3& given, const Vec3& other,
                         std::string_view otherName) {
  const Vec3 orthogonal = given - given.dot(other) * other;
  if (orthogonal.norm() > kParallel) return orthogonal.normalized();
  section.problem(key, fmt::format("must not be parallel to {}", otherName));
  return other.unitOrthogonal();
}

Mat3 contactFrameFromAxes(const Vec3& e1, const Vec3& e2, const Vec3& e3) {
  Mat3 frame;
  frame << e1.transpose(), e2.transpose(), e3.transpose();
  return frame;
}

/// Tangents about the normal of a plane: tangent 2 along `axis`, or tangent 1 along `tangent`, else along
/// global x (global y for a normal along x); (normal, tangent 1, tangent 2) is right-handed.
///
/// In a pair the plane pushes the first node along -normal: e1 of this node is -normal, its tangents are
/// unchanged.
Mat3 readTangentFrame(const Section& obstacle, const Vec3& normal, bool isPair) {
  const std::string key = obstacle.onlyPresentKeyOf({"axis", "tangent"});
  Vec3 tangent = defaultTangent(normal);
  if (!key.empty()) {
    const ProblemWatch watch(obstacle);
    const Vec3 given = obstacle.direction(key, kRequired);
    if (watch.isFreeOfProblems()) {
      const Vec3 inPlane = orthogonalDirection(obstacle, key, given, normal, "the normal");
      tangent = key == "axis" ? inPlane.cross(normal) : inPlane;
    }
  }
  return contactFrameFromAxes(isPair ? Vec3(-normal) : normal, tangent, normal.cross(tangent));
}

/// Reads `normal`; a pair without this key uses the direction from the first node to the second.
Vec3 readContactNormal(ReadContext& context, const Section& obstacle, const ContactNodes& nodes) {
  if (!nodes.isPair || obstacle.hasKey("normal")) return obstacle.direction("normal", kRequired);
  if (!nodes.known) return Vec3::UnitX();
  const Vec3 apart = nodes.second - nodes.first;
  if (apart.norm() == 0.0) {
    obstacle.problem("normal",
                     fmt::format("missing; {} are at the same place, so that their direction cannot give it",
                                 nodes.names));
    return Vec3::UnitX();
  }
  Vec3 normal = apart.normalized();
  if (obstacle.exists()) {
    context.recordDefaultValue(obstacle.pathOf("normal"),
                               fmt::format("[{}, {}, {}]", normal.x(), normal.y(), normal.z()));
  }
  return normal;
}

/// Reports keys of the obstacle of a single node that have no meaning for a pair.
void refuseKeysForNodePair(const Section& obstacle, const ContactNodes& nodes, const NameList& keys,
                           std::string_view reason) {
  for (const std::string_view key : keys)
    if (obstacle.hasKey(key) && nodes.known)
      obstacle.problem(key, fmt::format("is for one `node`; {}", reason));
}

void readFrameWithoutObstacle(ReadContext& context, const Section& obstacle, const ContactNodes& nodes,
                              ContactRequest& request) {
  request.obstacle = NoObstacle{};
  request.frame = readTangentFrame(obstacle, readContactNormal(context, obstacle, nodes), nodes.isPair);
  request.origin = nodes.isPair ? Vec3(nodes.first - nodes.second) : nodes.first;
}

void readPlaneObstacle(ReadContext& context, const Section& obstacle, const ContactNodes& nodes,
                       ContactRequest& request) {
  const Vec3 normal = readContactNormal(context, obstacle, nodes);
  request.frame = readTangentFrame(obstacle, normal, nodes.isPair);
  if (nodes.isPair) {
    refuseKeysForNodePair(
        obstacle, nodes, {"point", "gap"},
        "the gap of a pair is the distance of the nodes along `normal` less their `thickness`");
    return;
  }
  const std::string key = obstacle.onlyPresentKeyOf(kRequired, {"point", "gap"});
  if (key == "point") request.origin = obstacle.vector3("point", kRequired, {.unit = "m"});
  if (key == "gap") request.origin = nodes.first - obstacle.number("gap", kRequired, {.unit = "m"}) * normal;
}

/// Reads a contact in the plane orthogonal to `axis`: e1 = direction, e2 in that plane, e3 = axis.
void readSlotObstacle(ReadContext&, const Section& obstacle, const ContactNodes& nodes,
                      ContactRequest& request) {
  const ProblemWatch watch(obstacle);
  const Vec3 axis = obstacle.direction("axis", kRequired);
  Vec3 direction = obstacle.direction("direction", kRequired);
  if (watch.isFreeOfProblems())
    direction = orthogonalDirection(obstacle, "direction", direction, axis, "`axis`");
  request.frame = contactFrameFromAxes(direction, axis.cross(direction), axis);
  if (obstacle.hasKey("tangent")) {
    const ProblemWatch tangentWatch(obstacle);
    const Vec3 given = obstacle.direction("tangent", kRequired);
    if (watch.isFreeOfProblems() && tangentWatch.isFreeOfProblems()) {
      const Vec3 tangent = orthogonalDirection(obstacle, "tangent", given, direction, "`direction`");
      request.frame = contactFrameFromAxes(direction, tangent, direction.cross(tangent));
    }
  }

  Slot slot;
  readFields(obstacle, slot);
  request.obstacle = slot;
  if (nodes.isPair) {
    refuseKeysForNodePair(obstacle, nodes, {"center"}, "the slot of a pair is centred on the second node");
  } else {
    request.origin = obstacle.vector3("center", {.unit = "m"}).value_or(nodes.first);
  }
}

/// Reads the thickness of the material around the node (plane), or the sum da + db of both nodes (pair) [m].
void readContactThickness(ReadContext& context, const Section& contact, bool isPair, std::string_view type,
                          ContactRequest& request) {
  if (type != Plane::keyword) {
    if (contact.hasKey("thickness"))
      contact.problem("thickness", fmt::format("does not count with obstacle type \"{}\"", type));
    return;
  }
  Plane plane;
  if (isPair) {
    const auto given = contact.numbers("thickness", {2}, allowedRange<Plane>("thickness"));
    if (given) plane.thickness = (*given)[0] + (*given)[1];
    if (!given) context.recordDefaultValue(contact.pathOf("thickness"), "[0, 0]", "m");
  } else if (contact.hasKey("thickness")) {
    plane.thickness = contact.number("thickness", kRequired, allowedRange<Plane>("thickness"));
  }
  request.obstacle = plane;
}

}  // namespace

std::string readObstacle(ReadContext& context, const Section& contact, const ContactNodes& nodes,
                         ContactRequest& request) {
  const Section obstacle = contact.section("obstacle", kRequired);
  if (const auto names = obstacle.strings("carried_by"))
    for (const Located<std::string>& name : *names)
      if (const std::optional<int> index = context.supports.resolveName(name, obstacle.diagnostics())) {
        const std::vector<Dof>& dofs = context.supportDofs[static_cast<std::size_t>(*index)];
        request.carriers.insert(request.carriers.end(), dofs.begin(), dofs.end());
      }
  if (nodes.isPair && !request.carriers.empty())
    obstacle.problem("carried_by", "is for one `node`; the obstacle of a pair is its second node");
  std::vector<std::string_view> types{Plane::keyword, Slot::keyword};
  CurvedObstacles::forEach([&]<class O>() { types.push_back(O::keyword); });
  types.push_back(NoObstacle::keyword);
  const std::string type = obstacle.choice("type", kRequired, types);
  if (type.empty()) {
    obstacle.acceptAllFurtherKeys();
    return type;
  }
  if (type == NoObstacle::keyword) readFrameWithoutObstacle(context, obstacle, nodes, request);
  if (type == Slot::keyword) readSlotObstacle(context, obstacle, nodes, request);
  if (type == Plane::keyword) {
    request.obstacle = Plane{};
    readPlaneObstacle(context, obstacle, nodes, request);
  }
  if (type == NoObstacle::keyword || type == Slot::keyword || type == Plane::keyword)
    readContactThickness(context, contact, nodes.isPair, type, request);
  else
    readCurvedObstacle(contact, obstacle, type, nodes, request);
  return type;
}

}  // namespace ricochet
