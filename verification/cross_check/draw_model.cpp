#include "verification/cross_check/draw_model.hpp"

#include "verification/cross_check/random.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

namespace ricochet::cross {
namespace {

constexpr double kDegree = std::numbers::pi / 180.0;

/// Half lengths of the sides of a body; its inertia is that of a homogeneous box.
struct Box {
  double x{0.5}, y{0.2}, z{0.3};
};

Body bodyOf(Random& random, const Box& box, const Vector3& position) {
  Body body;
  body.mass = random.pick({1.0, 2.0, 20.0, 35.0});
  const Vector3 square(box.x * box.x, box.y * box.y, box.z * box.z);
  body.inertia = body.mass / 3.0 * Vector3::Constant(square.sum()) - body.mass / 3.0 * square;
  body.position = position;
  return body;
}

Box boxOf(Random& random) {
  return {.x = random.pick({0.25, 0.3, 0.5, 1.0}),
          .y = random.pick({0.1, 0.2, 0.5, 1.0}),
          .z = random.pick({0.2, 0.3})};
}

double frictionOf(Random& random) { return random.pick({0.0, 0.1, 0.2, 0.3, 0.4, 0.6, 0.9, 1.2}); }

double restitutionCoefficientOf(Random& random) {
  if (random.chance(0.5)) return 0.0;
  return random.pick({0.2, 0.4, 0.5, 0.8, 0.9, 1.0});
}

Vector3 directionOf(double degrees) {
  // Multiples of right angles are computed without rounding, so that coordinates of flat walls are exact.
  const double turn = std::remainder(degrees, 360.0);
  if (turn == 0.0) return {1.0, 0.0, 0.0};
  if (turn == 90.0) return {0.0, 1.0, 0.0};
  if (turn == -90.0) return {0.0, -1.0, 0.0};
  if (std::abs(turn) == 180.0) return {-1.0, 0.0, 0.0};
  return {std::cos(turn * kDegree), std::sin(turn * kDegree), 0.0};
}

LoadFunction functionOf(Random& random, double size, double duration) {
  LoadFunction f;
  f.kind = random.pick({LoadFunction::Kind::ramp, LoadFunction::Kind::sine, LoadFunction::Kind::power});
  const double amplitude = size * (random.chance(0.5) ? 1.0 : -1.0);
  if (f.kind == LoadFunction::Kind::ramp) {
    f.parameter = random.chance(0.5) ? 10.0 : random.decimal(0.1, 1.0, 2) * duration;
    f.amplitude = amplitude / std::min(f.parameter, duration);
  } else if (f.kind == LoadFunction::Kind::sine) {
    f.parameter = random.decimal(1.0, 30.0, 1);
    f.amplitude = amplitude;
  } else {
    f.parameter = random.chance(0.1) ? 1.5 : random.pick({2.0, 3.0});
    f.amplitude = amplitude / std::pow(duration, f.parameter);
  }
  f.amplitude = std::round(f.amplitude * 1e3) / 1e3;
  return f;
}

void addUnknownForces(Random& random, ContactModel& model) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    if (!random.chance(model.bodies.size() == 1 ? 0.65 : 0.4)) continue;
    BodyLoad load;
    load.body = static_cast<int>(b);
    const double weight = model.bodies[b].mass * 9.81;
    load.force.head<2>() = directionOf(random.pick({0.0, 0.0, 180.0, 15.0, 45.0, 90.0, 270.0})).head<2>();
    if (!model.planar && random.chance(0.5)) load.force[2] = random.decimal(-1.0, 1.0, 1);
    if (random.chance(0.3)) load.force[5] = random.decimal(-0.5, 0.5, 2);
    load.function = functionOf(random, random.decimal(0.2, 3.0, 2) * weight, model.duration);
    model.loads.push_back(load);
  }
  if (random.chance(0.12)) {
    TableMotion table;
    table.direction = directionOf(random.pick({0.0, 90.0, 30.0}));
    table.acceleration = {LoadFunction::Kind::sine, random.decimal(2.0, 20.0, 1),
                          random.decimal(5.0, 40.0, 1)};
    model.table = table;
  }
}

double gapOf(Random& random) {
  return random.chance(0.65) ? 0.0 : random.pick({0.001, 0.01, 0.05, random.decimal(0.0, 0.1, 4)});
}

void addVelocity(Random& random, ContactModel& model) {
  for (Body& body : model.bodies) {
    if (!random.chance(0.25)) continue;
    body.velocity[0] = random.decimal(-2.0, 2.0, 1);
    if (random.chance(0.4)) body.velocity[1] = random.decimal(-2.0, 2.0, 1);
    if (random.chance(0.4)) body.velocity[5] = random.decimal(-3.0, 3.0, 1);
  }
}

/// Corners of a box with walls at random angles near the adjacent faces.
void addContactsAtCorners(Random& random, ContactModel& model, int body, const Box& box, int count) {
  struct Corner {
    double x, y, face;
  };
  std::vector<Corner> corners{{box.x, -box.y, 90.0}, {-box.x, -box.y, 90.0}, {-box.x, box.y, 0.0},
                              {box.x, box.y, 180.0}, {0.0, -box.y, 90.0},    {box.x, 0.0, 180.0},
                              {-box.x, 0.0, 0.0}};
  for (int i = 0; i < count && !corners.empty(); ++i) {
    const int last = static_cast<int>(corners.size()) - 1;
    const auto chosen = corners.begin() + random.integer(0, last);
    PointContact c;
    c.body = body;
    c.offset = Vector3(chosen->x, chosen->y, 0.0);
    c.normal = directionOf(chosen->face + random.pick({0.0, 0.0, 0.0, 30.0, -30.0, 90.0, -90.0, 15.0}));
    c.gap = gapOf(random);
    c.friction = frictionOf(random);
    c.restitution = restitutionCoefficientOf(random);
    model.contacts.push_back(c);
    corners.erase(chosen);
  }
}

/// One planar body in front of walls.
ContactModel drawBody(Random& random) {
  ContactModel model;
  const Box box = boxOf(random);
  model.bodies.push_back(bodyOf(random, box, Vector3::Zero()));
  addContactsAtCorners(random, model, 0, box, random.pick({1, 2, 2, 3, 3, 4, 5, 6}));
  addVelocity(random, model);
  return model;
}

/// A block on two or three feet that falls flat or tilted, rests, or slides towards a wall.
ContactModel drawBlock(Random& random) {
  ContactModel model;
  const Box box = boxOf(random);
  model.bodies.push_back(bodyOf(random, box, Vector3::Zero()));
  const double drop = random.chance(0.5) ? 0.0 : random.pick({0.01, 0.05});
  const double tilt = random.chance(0.6) ? 0.0 : random.pick({0.001, 0.01, 0.025});
  const double friction = frictionOf(random), restitution = restitutionCoefficientOf(random);
  std::vector<double> feet{-box.x, box.x};
  if (random.chance(0.25)) feet.push_back(0.0);
  for (double x : feet) {
    PointContact c;
    c.offset = Vector3(x, -box.y, 0.0);
    c.gap = drop + tilt * (x + box.x) / (2.0 * box.x);
    c.friction = random.chance(0.8) ? friction : frictionOf(random);
    c.restitution = random.chance(0.8) ? restitution : restitutionCoefficientOf(random);
    model.contacts.push_back(c);
  }
  if (random.chance(0.4)) {  // height of the next wall
    model.bodies[0].velocity[0] = random.decimal(0.2, 2.0, 1);
    PointContact c;
    c.offset = Vector3(box.x, random.pick({-box.y, 0.0, box.y}), 0.0);
    c.normal = directionOf(random.pick({180.0, 180.0, 150.0}));
    c.gap = random.decimal(0.005, 0.1, 3);
    c.friction = frictionOf(random);
    c.restitution = restitutionCoefficientOf(random);
    model.contacts.push_back(c);
  }
  return model;
}

/// A rod that leans between floor and wall.
ContactModel drawLeaningRod(Random& random) {
  ContactModel model;
  const double angle = random.decimal(40.0, 80.0, 1) * kDegree, half = random.pick({0.5, 1.0, 2.0});
  const Vector3 top(half * std::cos(angle), half * std::sin(angle), 0.0);
  Body rod;
  rod.mass = random.pick({1.0, 20.0});
  rod.inertia = Vector3::Constant(rod.mass * half * half / 3.0);
  model.bodies.push_back(rod);
  PointContact foot, head;
  foot.offset = -top;
  head.offset = top;
  head.normal = Vector3(-1.0, 0.0, 0.0);
  for (PointContact* c : {&foot, &head}) {
    c->friction = frictionOf(random);
    c->restitution = restitutionCoefficientOf(random);
    c->gap = random.chance(0.85) ? 0.0 : 0.01;
    model.contacts.push_back(*c);
  }
  return model;
}

/// Two or three bodies on top of each other or in a row, each with contacts of its own.
ContactModel drawBodies(Random& random) {
  ContactModel model;
  const int count = random.pick({2, 2, 3});
  const bool stacked = random.chance(0.6);
  std::vector<Box> boxes;
  for (int b = 0; b < count; ++b) {
    boxes.push_back(boxOf(random));
    Vector3 place = Vector3::Zero();
    if (b > 0) {
      place = model.bodies.back().position;
      const Box &below = boxes[static_cast<std::size_t>(b - 1)], &own = boxes.back();
      if (stacked)
        place.y() += below.y + own.y;
      else
        place.x() += below.x + own.x;
    }
    model.bodies.push_back(bodyOf(random, boxes.back(), place));
    int left = 6 - static_cast<int>(model.contacts.size());
    if (b == 0 || !stacked) {
      const int own = random.integer(1, std::max(1, std::min(2, left - 2)));
      addContactsAtCorners(random, model, b, boxes.back(), own);
      left -= own;
    }
    if (b == 0) continue;
    const double side = std::min(boxes[static_cast<std::size_t>(b - 1)].x, boxes.back().x);
    const double height = std::min(boxes[static_cast<std::size_t>(b - 1)].y, boxes.back().y);
    const int pairs = std::min(left, random.pick({1, 2, 2}));
    for (int i = 0; i < pairs; ++i) {
      PointContact c;
      c.body = b;
      c.other = b - 1;
      c.offset = stacked ? Vector3(i == 0 ? side : -side, -boxes.back().y, 0.0)
                         : Vector3(-boxes.back().x, i == 0 ? -height : height, 0.0);
      c.normal = stacked ? Vector3(0.0, 1.0, 0.0) : Vector3(1.0, 0.0, 0.0);
      c.friction = frictionOf(random);
      c.restitution = restitutionCoefficientOf(random);
      c.gap = random.chance(0.8) ? 0.0 : 0.01;
      model.contacts.push_back(c);
    }
  }
  addVelocity(random, model);
  return model;
}

/// A box on feet in space; friction in the plane, along one line, or none.
ContactModel drawSpatialBox(Random& random) {
  ContactModel model;
  model.planar = false;
  const Box box{.x = random.pick({0.3, 0.5}), .y = random.pick({0.1, 0.2}), .z = random.pick({0.2, 0.3})};
  model.bodies.push_back(bodyOf(random, box, Vector3::Zero()));
  const int kind = random.integer(0, 3);  // 0: friction in the plane, 1 and 2: along a line, 3: none
  const double drop = random.chance(0.5) ? 0.0 : 0.05;
  const double friction = kind == 3 ? 0.0 : std::max(0.1, frictionOf(random));
  const double restitution = restitutionCoefficientOf(random);
  std::vector<Vector3> feet{{-box.x, -box.y, -box.z}, {box.x, -box.y, -box.z}, {0.0, -box.y, box.z}};
  if (random.chance(0.35))
    feet = {
        {-box.x, -box.y, -box.z}, {box.x, -box.y, -box.z}, {-box.x, -box.y, box.z}, {box.x, -box.y, box.z}};
  for (const Vector3& foot : feet) {
    PointContact c;
    c.offset = foot;
    c.gap = drop + (random.chance(0.3) ? 0.01 : 0.0);
    c.friction = friction;
    c.restitution = restitution;
    if (kind == 1 || kind == 2) c.line = kind == 1 ? Vector3(1.0, 0.0, 0.0) : Vector3(0.0, 0.0, 1.0);
    model.contacts.push_back(c);
  }
  if (random.chance(0.3)) {  // true: a wall, frictionless or with friction along its edge with the floor
    PointContact c;
    c.offset = Vector3(box.x, random.pick({-box.y, 0.0, box.y}), random.pick({-box.z, 0.0, box.z}));
    c.normal = Vector3(-1.0, 0.0, 0.0);
    c.gap = gapOf(random);
    c.friction = kind == 0 ? frictionOf(random) : kind == 3 ? 0.0 : friction;
    c.restitution = restitutionCoefficientOf(random);
    if (kind == 1 || kind == 2) c.line = Vector3(0.0, 0.0, 1.0);
    model.contacts.push_back(c);
  }
  if (random.chance(0.4)) model.bodies[0].velocity[0] = random.decimal(-2.0, 2.0, 1);
  if (random.chance(0.4)) model.bodies[0].velocity[2] = random.decimal(-1.0, 1.0, 1);
  if (random.chance(0.2)) model.bodies[0].velocity[4] = random.decimal(-2.0, 2.0, 1);
  return model;
}

}  // namespace

ContactModel drawContactModel(std::uint64_t seed, std::uint64_t index) {
  Random random(seed, index);
  const int kind = random.integer(0, 99);
  ContactModel model = kind < 35   ? drawBody(random)
                       : kind < 55 ? drawBlock(random)
                       : kind < 65 ? drawLeaningRod(random)
                       : kind < 85 ? drawBodies(random)
                                   : drawSpatialBox(random);
  model.duration = random.pick({0.3, 0.5, 0.6, 1.0});
  addUnknownForces(random, model);
  return model;
}

}  // namespace ricochet::cross
