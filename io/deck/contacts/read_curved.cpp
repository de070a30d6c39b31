#include "io/deck/contacts/read_curved.hpp"

#include "engine/study/parts/contact_request.hpp"
#include "io/toml/read_fields.hpp"

#include <Eigen/Geometry>
#include <fmt/core.h>

#include <numbers>

namespace ricochet {
namespace {

/// Unit vector orthogonal to `axis`: the projection of the given direction, else of global x, or of global y
/// for an axis along x.
Vec3 orthogonalUnitVector(const Vec3& axis, const Vec3& given) {
  constexpr double kParallel = 1e-9;
  for (const Vec3& each : {given, Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY())})
    if (const Vec3 part = each - each.dot(axis) * axis; part.norm() > kParallel) return part.normalized();
  return axis.unitOrthogonal();
}

Mat3 contactFrameAboutAxis(const Vec3& axis, const Vec3& first) {
  Mat3 frame;
  frame << first.transpose(), axis.cross(first).transpose(), axis.transpose();
  return frame;
}

void readObstacleCentre(const Section& obstacle, const ContactNodes& nodes, ContactRequest& request) {
  if (!nodes.isPair) {
    request.origin = obstacle.vector3("center", {.unit = "m"}).value_or(nodes.first);
    return;
  }
  if (obstacle.hasKey("center") && nodes.known)
    obstacle.problem("center", "is for one `node`; the obstacle of a pair is centred on the second node");
}

void refuseThicknessOfContact(const Section& contact, std::string_view why) {
  if (contact.hasKey("thickness")) contact.problem("thickness", std::string(why));
}

Circle readCircularObstacle(const Section& contact, const Section& obstacle, const ContactNodes& nodes) {
  Circle circle;
  readFields(obstacle, circle);
  if (nodes.isPair)
    refuseThicknessOfContact(contact, "does not count in a ring, whose `gap` is its clearance");
  else
    circle.body = contact.number("thickness", 0.0, rangeAtLeast(0.0, "m"));
  return circle;
}

/// Reads a radius. In a pair the radii count as the thickness of the nodes; the radius of a bar is added to
/// the thickness of its node.
template <class Shape>
double readObstacleRadius(const Section& contact, const Section& obstacle, const ContactNodes& nodes,
                          double sign, double& body) {
  if (nodes.isPair && sign > 0.0) {
    if (obstacle.hasKey("radius") && nodes.known)
      obstacle.problem("radius", "is for one `node`; the radii of a pair are its `thickness` = [da, db]");
    const auto both = contact.numbers("thickness", kRequired, {2}, rangeAtLeast(0.0, "m"));
    body = both[0];
    return both[0] + both[1];
  }
  const double radius = obstacle.number("radius", kRequired, allowedRange<Shape>("radius"));
  if (nodes.isPair) {
    refuseThicknessOfContact(
        contact, "does not count inside a sphere, whose `radius` is the way from centre to centre");
    return radius;
  }
  body = contact.number("thickness", 0.0, rangeAtLeast(0.0, "m"));
  if (sign < 0.0 && body >= radius && contact.hasKey("thickness"))
    contact.problem("thickness",
                    fmt::format("must be less than the radius {} of the sphere around it", radius));
  return radius + sign * body;
}

/// Reads the parameters of a shape whose deck keys are its fields.
void readFieldsOfObstacle(const Section& contact, const Section& obstacle, std::string_view type,
                          ContactRequest& request) {
  CurvedObstacles::forEach([&]<class O>() {
    if constexpr (O::traits.byFields) {
      if (type != O::keyword) return;
      refuseThicknessOfContact(
          contact, "does not count here: let the obstacle be where the centre of the node may not go");
      O shape;
      readFields(obstacle, shape);
      request.obstacle = Curved{shape};
    }
  });
}

Profile readProfileObstacle(const Section& obstacle) {
  const ProblemWatch watch(obstacle);
  std::vector<double> angles = obstacle.numbers("angles_deg", kRequired);
  std::vector<double> radii = obstacle.numbers("radii", kRequired, {}, rangeAbove(0.0, "m"));
  Profile profile;
  if (!watch.isFreeOfProblems()) return profile;
  if (angles.size() != radii.size()) {
    obstacle.problem(
        "radii", fmt::format("must be one for each of the {} angles, got {}", angles.size(), radii.size()));
    return profile;
  }
  if (angles.size() > 1 && angles.back() - angles.front() == 360.0) {  // the last point repeats the first one
    if (radii.back() != radii.front()) {
      obstacle.problem("radii", radii.size() - 1,
                       fmt::format("must close the profile: {} as the first one", radii.front()));
      return profile;
    }
    angles.pop_back();
    radii.pop_back();
  }
  if (angles.size() < 3) obstacle.problem("angles_deg", "must be three corners at least");
  for (std::size_t i = 0; i < angles.size() && watch.isFreeOfProblems(); ++i) {
    const double next = i + 1 < angles.size() ? angles[i + 1] : angles.front() + 360.0;
    if (!(next > angles[i]) || !(next - angles[i] < 180.0))
      obstacle.problem("angles_deg", std::min(i + 1, angles.size() - 1),
                       "angles must increase, by less than 180 degrees, and go once around");
  }
  if (!watch.isFreeOfProblems()) return profile;
  const double first = angles.front();
  for (double& angle : angles) angle = (angle - first) * (std::numbers::pi / 180.0);
  profile.line = std::make_shared<const ProfileLine>(angles, radii);
  return profile;
}

}  // namespace

void readCurvedObstacle(const Section& contact, const Section& obstacle, std::string_view type,
                        const ContactNodes& nodes, ContactRequest& request) {
  readObstacleCentre(obstacle, nodes, request);
  if (type == Sphere::keyword) {
    Sphere sphere;
    readChoices(obstacle, sphere);
    double body = 0.0;
    sphere.radius = readObstacleRadius<Sphere>(contact, obstacle, nodes, sphere.inside ? -1.0 : 1.0, body);
    request.obstacle = Curved{sphere};
    if (const auto tangent = obstacle.direction("tangent"))
      request.frame = contactFrameAboutAxis(orthogonalUnitVector(*tangent, Vec3::UnitZ()), *tangent);
    return;
  }
  const Vec3 axis = obstacle.direction("axis", kRequired);
  request.frame = contactFrameAboutAxis(axis, orthogonalUnitVector(axis, Vec3::UnitX()));
  if (type == Circle::keyword) request.obstacle = Curved{readCircularObstacle(contact, obstacle, nodes)};
  if (type == Disc::keyword) {
    Disc disc;
    disc.radius = readObstacleRadius<Disc>(contact, obstacle, nodes, 1.0, disc.body);
    request.obstacle = Curved{disc};
  }
  if (type != Profile::keyword) return readFieldsOfObstacle(contact, obstacle, type, request);
  refuseThicknessOfContact(contact,
                           "does not count in a profile, which is where the centre of the node may not go");
  const ProblemWatch watch(obstacle);
  const Vec3 reference = obstacle.direction("reference", kRequired);
  if (watch.isFreeOfProblems() && (reference - reference.dot(axis) * axis).norm() < 1e-9)
    obstacle.problem("reference", "must not be parallel to `axis`");
  const double first = [&] {
    const auto angles = obstacle.numbers("angles_deg");
    return angles && !angles->empty() ? angles->front() : 0.0;
  }();
  // The angle 0 of the profile points to its first corner.
  request.frame = contactFrameAboutAxis(axis, Eigen::AngleAxisd(first * std::numbers::pi / 180.0, axis) *
                                                  orthogonalUnitVector(axis, reference));
  request.obstacle = Curved{readProfileObstacle(obstacle)};
}

}  // namespace ricochet
