#include "verification/cross_check/laws/draw_parts.hpp"

#include "verification/cross_check/laws/draw_law.hpp"
#include "verification/cross_check/laws/numbers.hpp"
#include "verification/cross_check/random.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

namespace ricochet::cross {
namespace {

constexpr double kSpacing = 0.5;  // distance of the nodes [m]

/// Properties of the structure that the draw of a law needs.
struct Structure {
  std::vector<std::string> nodes;  ///< nodes on which laws may act
  std::vector<bool> heavy;         ///< nodes with a mass
  int axes{1};                     ///< free translations
  bool turns{false};               ///< true: rotations are free
  std::string scheme;              ///< scheme that supports all drawn laws
};

std::string quoted(const std::string& name) { return fmt::format("\"{}\"", name); }

/// A list with a single name.
std::string listed(const std::string& name) { return fmt::format("[\"{}\"]", name); }

std::string list(const std::vector<double>& values) {
  std::string all;
  for (double x : values) all += fmt::format("{}{}", all.empty() ? "" : ", ", numberText(x));
  return fmt::format("[{}]", all);
}

/// A number between two powers of ten, with two digits.
double drawSize(Random& random, double low, double high) {
  return roundedTo(std::pow(10.0, random.uniform(std::log10(low), std::log10(high))), 2);
}

/// Stiffnesses or dampings of the free components of a node, and of its rotations.
std::string drawComponents(Random& random, const Structure& s, double low, double high) {
  std::vector<double> values(s.turns ? 6 : 3, 0.0);
  constexpr double kArm2 = 0.01;  // square of the radius of a body [m^2]
  for (std::size_t i = 0; i < values.size(); ++i)
    if (i < static_cast<std::size_t>(s.axes) || i >= 3)
      values[i] = roundedTo(drawSize(random, low, high) * (i < 3 ? 1.0 : kArm2), 2);
  return list(values);
}

void addNode(PartModel& model, const std::string& name, double x) {
  Part part{"[[nodes]]"};
  part.add("name", quoted(name));
  part.add("position", list({x, 0.0, 0.0}));
  model.parts.push_back(part);
}

void addSpring(Random& random, const Structure& s, PartModel& model, const std::string& nodes) {
  Part part{"[[springs]]"};
  part.add("nodes", nodes);
  part.add("stiffness", drawComponents(random, s, 3e2, 6e4));
  model.parts.push_back(part);
}

/// A row of bodies along x, joined by springs; some bodies have no mass.
void drawRow(Random& random, Structure& s, PartModel& model) {
  constexpr double kMassless = 0.07, kGround = 0.8, kDamper = 0.3;
  const int count = s.turns ? 1 : random.integer(1, s.axes == 1 ? 4 : 2);
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("n{}", i);
    addNode(model, name, kSpacing * i);
    s.nodes.push_back(name);
    s.heavy.push_back(s.turns || count == 1 || !random.chance(kMassless));
    if (s.heavy.back()) {
      Part mass{"[[masses]]"};
      mass.add("nodes", listed(name));
      mass.add("mass", numberText(drawSize(random, 0.3, 3.0)));
      if (s.turns) mass.add("inertia", "[0.01, 0.02, 0.015, 0.0, 0.0, 0.0]");
      model.parts.push_back(mass);
    }
    if (random.chance(kGround) || !s.heavy.back()) addSpring(random, s, model, listed(name));
    if (i > 0) addSpring(random, s, model, fmt::format("[\"n{}\", \"n{}\"]", i - 1, i));
    if (random.chance(kDamper)) {
      Part damper{"[[dampers]]"};
      damper.add("nodes", listed(name));
      damper.add("damping", drawComponents(random, s, 0.5, 30.0));
      model.parts.push_back(damper);
    }
  }
  constexpr std::array kFixed{"[\"uy\", \"uz\"]", "[\"uz\"]", "[]"};
  if (s.axes == 3) return;
  Part support{"[[supports]]"};
  support.add("nodes", "\"all\"");
  support.add("fixed", kFixed[static_cast<std::size_t>(s.axes - 1)]);
  model.parts.push_back(support);
}

/// A clamped planar beam of two or three elements.
void drawBeam(Random& random, Structure& s, PartModel& model) {
  const int elements = random.integer(2, 3);
  addNode(model, "n0", 0.0);
  addNode(model, "n1", kSpacing);
  Part steel{"[materials.steel]"}, rod{"[sections.rod]"}, beam{"[[beams]]"}, clamp{"[[supports]]"},
      plane{"[[supports]]"};
  steel.add("young", "2.1e11");
  steel.add("poisson", "0.3");
  steel.add("density", "7800.0");
  rod.add("type", "\"circle\"");
  rod.add("radius", numberText(random.decimal(0.005, 0.02, 3)));
  beam.add("name", "\"rod\"");
  beam.add("nodes", "[\"n0\", \"n1\"]");
  beam.add("elements", fmt::format("{}", elements));
  beam.add("material", "\"steel\"");
  beam.add("section", "\"rod\"");
  beam.add("theory", random.chance(0.5) ? "\"timoshenko\"" : "\"euler_bernoulli\"");
  clamp.add("nodes", "[\"n0\"]");
  clamp.add("fixed", "[\"ux\", \"uy\", \"rz\"]");
  plane.add("nodes", "\"all\"");
  plane.add("fixed", "[\"uz\", \"rx\", \"ry\"]");
  for (const Part& part : {steel, rod, beam, clamp, plane}) model.parts.push_back(part);
  for (int i = 1; i < elements; ++i) s.nodes.push_back(fmt::format("rod.{}", i));
  s.nodes.emplace_back("n1");
  s.heavy.assign(s.nodes.size(), true);
  s.axes = 2;
}

/// A direction in which the nodes can move.
std::string drawDirection(Random& random, const Structure& s) {
  const double sign = random.chance(0.5) ? 1.0 : -1.0;
  if (s.axes > 1 && random.chance(0.3)) return list({0.6 * sign, 0.8, 0.0});
  const int axis = random.integer(0, s.axes - 1);
  return list({axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0});
}

std::size_t drawNode(Random& random, const Structure& s) {
  return static_cast<std::size_t>(random.integer(0, static_cast<int>(s.nodes.size()) - 1));
}

/// Centre of an obstacle such that a node is near its surface, outside or in the tube of a ring.
void placeCentre(Random& random, DrawnLaw& obstacle, double x) {
  const std::string* radius = obstacle.find("radius");
  if (radius == nullptr || obstacle.find("gap") != nullptr) return;
  const std::string* side = obstacle.find("side");
  const bool inside = side != nullptr && *side == "\"inside\"";
  const std::string* ring = obstacle.find("ring_radius");
  double away = inside ? 0.0 : std::stod(*radius) + random.decimal(0.0002, 0.004, 4);
  if (ring != nullptr) away += std::stod(*ring);
  obstacle.set("center", list({roundedTo(x - away, 6), 0.0, 0.0}));
}

/// Directions, gap and centre of an obstacle, of one node or between two neighbours on the x axis.
void placeObstacle(Random& random, const Structure& s, DrawnLaw& obstacle, bool pair, double x) {
  if (!s.turns || pair) obstacle.erase("rolling_radius");
  if (obstacle.find("surface_velocity") != nullptr) obstacle.erase("surface_spin");
  if (obstacle.find("normal") != nullptr) obstacle.set("normal", drawDirection(random, s));
  const double gap = random.decimal(0.0002, 0.004, 4);
  if (obstacle.find("gap") != nullptr) obstacle.set("gap", numberText(gap));
  if (!pair) return placeCentre(random, obstacle, x);
  const bool outside = obstacle.page->keyword == "plane" || obstacle.find("radius") != nullptr;
  if (outside) {
    obstacle.erase("gap");
    obstacle.erase("radius");
    obstacle.set("thickness", list({0.5 * kSpacing, roundedTo(0.5 * kSpacing - gap, 5)}));
    if (obstacle.find("normal") != nullptr) obstacle.set("normal", "[1.0, 0.0, 0.0]");
    return;
  }
  obstacle.erase("thickness");
  if (obstacle.find("axis") != nullptr) obstacle.set("axis", "[1.0, 0.0, 0.0]");
  if (obstacle.find("direction") != nullptr) obstacle.set("direction", "[0.0, 1.0, 0.0]");
}

void addLawToPart(Part& part, const DrawnLaw& law, const std::string& table) {
  for (const Entry& entry : law.entries) {
    const auto key = std::ranges::find(law.page->keys, entry.key, &PageKey::name);
    const bool ofContact = key != law.page->keys.end() && key->ofContact;
    part.add((ofContact ? "" : table + ".") + entry.key, entry.value, entry.needed);
  }
  part.tables += law.tables;
  part.law += (part.law.empty() ? "" : "/") + law.page->keyword;
}

void drawContact(Random& random, const Structure& s, PartModel& model, int number) {
  Part part{"[[contacts]]"};
  part.add("name", fmt::format("\"c{}\"", number));
  const std::size_t node = drawNode(random, s);
  const bool pair = node > 0 && random.chance(0.2);
  if (pair)
    part.add("nodes", fmt::format("[\"{}\", \"{}\"]", s.nodes[node - 1], s.nodes[node]));
  else
    part.add("node", quoted(s.nodes[node]));
  DrawnLaw obstacle = drawLaw(random, drawPage(random, LawKind::obstacle, s.scheme));
  placeObstacle(random, s, obstacle, pair, kSpacing * static_cast<double>(node));
  addLawToPart(part, obstacle, "obstacle");
  addLawToPart(part, drawLaw(random, drawNormal(random, obstacle.page->hasGap, s.scheme)), "normal");
  const LawPage& friction = drawPage(random, LawKind::friction, s.scheme);
  if (friction.keyword != "none") addLawToPart(part, drawLaw(random, friction), "friction");
  model.parts.push_back(part);
}

void drawLink(Random& random, const Structure& s, PartModel& model, int number) {
  Part part{"[[links]]"};
  const LawPage& page = drawPage(random, LawKind::link, s.scheme);
  DrawnLaw law = drawLaw(random, page);
  const std::size_t node = drawNode(random, s);
  const bool pair = node > 0 && random.chance(0.3);
  law.set("name", fmt::format("\"l{}\"", number));
  law.set("nodes",
          pair ? fmt::format("[\"{}\", \"{}\"]", s.nodes[node - 1], s.nodes[node]) : listed(s.nodes[node]));
  law.set("axis", s.turns ? "[1.0, 0.0, 0.0]" : drawDirection(random, s));
  for (Entry& entry : law.entries) part.add(entry.key, entry.value, entry.needed);
  part.tables = law.tables;
  part.law = page.keyword;
  model.parts.push_back(part);
}

/// A function of time as entries of its table: a step, a ramp, a pulse that jumps, or a sine.
std::string drawFunction(Random& random, const std::string& name, double duration) {
  const auto instant = [&](double part) { return numberText(roundedTo(part * duration, 3)); };
  std::string text = fmt::format("[functions.{}]\n", name);
  switch (random.integer(0, 3)) {
    case 0:
      return text + "formula = \"1.0\"";
    case 1:
      return text +
             fmt::format("times = [0.0, {}]\nvalues = [0.0, 1.0]\nafter = \"constant\"", instant(0.37));
    case 2:
      return text +
             fmt::format("times = [0.0, {0}, {0}, {1}]\nvalues = [0.2, 1.0, -0.6, 0.3]\nafter = \"zero\"",
                         instant(0.313), instant(0.671));
    default:
      return text + fmt::format("formula = \"sin({}*t)\"", drawSize(random, 20.0, 300.0));
  }
}

void drawLoads(Random& random, const Structure& s, PartModel& model) {
  constexpr double kLoad = 0.6, kBase = 0.2, kGravity = 0.2;
  for (int i = 0; i < 2; ++i) {
    if (!random.chance(kLoad)) continue;
    Part part{"[[loads]]"};
    part.add("nodes", listed(s.nodes[drawNode(random, s)]));
    std::vector<double> force(3, 0.0);
    for (int axis = 0; axis < s.axes; ++axis)
      force[static_cast<std::size_t>(axis)] = roundedTo(random.uniform(-200.0, 200.0), 2);
    part.add("force", list(force));
    part.add("scale", fmt::format("\"push{}\"", i));
    part.tables = drawFunction(random, fmt::format("push{}", i), model.duration);
    model.parts.push_back(part);
  }
  if (random.chance(kBase)) {
    Part part{"[[base_motions]]"};
    part.add("direction", drawDirection(random, s));
    part.add("acceleration", "\"base\"");
    part.tables = fmt::format("[functions.base]\nformula = \"{}*sin({}*t)\"", drawSize(random, 5.0, 100.0),
                              drawSize(random, 20.0, 300.0));
    model.parts.push_back(part);
  }
  if (random.chance(kGravity)) {
    Part part{"[gravity]"};
    part.add("acceleration", s.axes > 1 ? "[0.0, -9.81, 0.0]" : "[-9.81, 0.0, 0.0]");
    model.parts.push_back(part);
  }
}

/// Displacements and velocities at the start, of some bodies; or the equilibrium.
void drawStart(Random& random, const Structure& s, PartModel& model) {
  constexpr double kEquilibrium = 0.08, kMoves = 0.6;
  Part part{"[initial]"};
  if (random.chance(kEquilibrium)) {
    part.add("equilibrium", "true");
    model.parts.push_back(part);
    return;
  }
  const auto drawMotion = [&](const char* key, double size) {
    std::string all;
    for (std::size_t i = 0; i < s.nodes.size(); ++i) {
      if (!s.heavy[i] || s.nodes[i].find('.') != std::string::npos || !random.chance(kMoves)) continue;
      std::vector<double> value(3, 0.0);
      for (int axis = 0; axis < s.axes; ++axis)
        value[static_cast<std::size_t>(axis)] = roundedTo(random.uniform(-size, size), 2);
      all +=
          fmt::format("{}{{ node = \"{}\", value = {} }}", all.empty() ? "" : ", ", s.nodes[i], list(value));
    }
    if (!all.empty()) part.add(key, fmt::format("[{}]", all), false);
  };
  // Set-valued contacts start outside their obstacles.
  if (s.scheme == "central_difference" && random.chance(0.6)) drawMotion("displacement", 3e-3);
  drawMotion("velocity", 1.0);
  if (!part.entries.empty()) model.parts.push_back(part);
}

void drawBasis(Random& random, PartModel& model) {
  Part part{"[basis]"};
  part.add("all", "true");
  switch (random.integer(0, 5)) {
    case 0:
      part.add("damping_ratio", numberText(random.decimal(0.002, 0.05, 3)), false);
      break;
    case 1:
      part.add("rayleigh", "{ mass = 2.0, stiffness = 1e-5 }", false);
      break;
    default:
      break;
  }
  model.parts.push_back(part);
}

}  // namespace

PartModel drawPartModel(std::uint64_t seed, std::uint64_t index, int attempt) {
  constexpr std::uint64_t kAttempts = 64;
  Random random(seed ^ 0x6c617773ULL, kAttempts * index + static_cast<std::uint64_t>(attempt));
  PartModel model;
  model.duration = random.decimal(0.02, 0.1, 2);
  Structure s;
  const double kind = random.uniform(0.0, 1.0);
  s.turns = kind > 0.85;
  s.scheme = random.pick({"event", "moreau", "central_difference", "central_difference"});
  s.axes = s.turns ? 3 : random.pick({1, 1, 2, 2, 3});
  drawBasis(random, model);
  if (kind < 0.1)
    drawBeam(random, s, model);
  else
    drawRow(random, s, model);
  const int contacts = random.pick({0, 1, 1, 1, 2});
  const int links = contacts == 0 ? random.integer(1, 2) : random.pick({0, 0, 1});
  for (int i = 0; i < contacts; ++i) drawContact(random, s, model, i);
  for (int i = 0; i < links; ++i) drawLink(random, s, model, i);
  drawLoads(random, s, model);
  drawStart(random, s, model);
  return model;
}

}  // namespace ricochet::cross
