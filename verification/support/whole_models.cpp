#include "verification/support/whole_models.hpp"

#include "engine/links/links.hpp"
#include "engine/model/modal_equation.hpp"
#include "engine/study/run_transient.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/prepare/prepare.hpp"
#include "io/prepare/run_options.hpp"
#include "verification/support/deck_file.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>
#include <variant>

namespace ricochet::test {
namespace {

std::string text(const Vec3& v) { return fmt::format("[{:.17g}, {:.17g}, {:.17g}]", v[0], v[1], v[2]); }

std::string textOfSixNumbers(const Vec3& first, const Vec3& second) {
  std::string both = text(first);
  both.back() = ',';
  return both + " " + text(second).substr(1);
}

std::string list(const std::vector<double>& values, double factor) {
  std::string all;
  for (const double each : values) all += fmt::format("{}{:.17g}", all.empty() ? "" : ", ", each * factor);
  return "[" + all + "]";
}

/// The fields of a law as "key = value" near their examples, converted by the units that the fields declare.
template <class L>
std::string fieldsOf(Dice& dice, const Units& units, std::string_view separator) {
  std::optional<double> exponent;
  for (const auto& field : L::numericParameters())
    if (field.name == "exponent") exponent = field.example;
  std::string all;
  for (const auto& field : L::numericParameters()) {
    const double value = field.name == "exponent" ? field.example : dice.randomNumberNear(field.example);
    all += fmt::format("{}{} = {:.17g}", all.empty() ? "" : separator, field.name,
                       value * units.of(field.unit, exponent));
  }
  return all;
}

template <class L>
std::string normalText(Dice& dice, const Units& units) {
  if constexpr (std::is_same_v<L, ImposedForce>)
    return fmt::format("{{ force = {:.17g} }}", dice.randomNumberNear(30.0) * units.force());
  else if constexpr (std::is_same_v<L, ForceTable>) {
    const std::string force = list({0.0, 60.0, 150.0, 900.0}, dice.randomNumberNear(1.0) * units.force());
    return fmt::format("{{ law = \"table\", penetration = {}, force = {} }}",
                       list({0.0, 1.0e-4, 3.0e-4, 1.0e-3}, dice.randomNumberNear(1.0) * units.length), force);
  } else if constexpr (std::is_same_v<L, LinearPenalty>)
    return "{ " + fieldsOf<L>(dice, units, ", ") + " }";
  else
    return fmt::format("{{ law = \"{}\", {} }}", L::keyword, fieldsOf<L>(dice, units, ", "));
}

template <class L>
std::string frictionText(Dice& dice, const Units& units) {
  const std::string fields = fieldsOf<L>(dice, units, ", ");
  if constexpr (std::is_same_v<L, Frictionless>) return "";
  if constexpr (L::traits.ofSpeed)
    return fmt::format("{{ {}{}velocity_law = {{ speeds = {}, coefficients = {} }} }}", fields,
                       fields.empty() ? "" : ", ", list({0.0, 0.05, 0.3}, units.velocity()),
                       list({0.3, 0.2, 0.15}, dice.randomNumberNear(1.0)));
  if constexpr (std::is_same_v<L, PatchFriction>)
    return fmt::format("{{ law = \"patch\", {}, patch = {{ shape = \"disc\", radius = {:.17g} }} }}", fields,
                       dice.randomNumberNear(0.01) * units.length);
  if constexpr (kNamedInDeck<L>) return fmt::format("{{ law = \"{}\", {} }}", L::keyword, fields);
  return "{ " + fields + " }";
}

std::string formula(double factor, std::string_view rest) { return fmt::format("{:.17g}*{}", factor, rest); }

template <class L>
std::string linkText(Dice& dice, const Units& u) {
  const std::string law = fmt::format("law = \"{}\"\n", L::keyword);
  const double k = dice.randomNumberNear(4.0e4) * u.stiffness(),
               c = dice.randomNumberNear(30.0) * u.of("N s/m");
  if constexpr (std::is_same_v<L, ForceDisplacement>)
    return law + fmt::format("formula = \"{} + {}\"\n", formula(k, "x"),
                             formula(dice.randomNumberNear(1e9) * u.of("N/m^3"), "x^3"));
  else if constexpr (std::is_same_v<L, ForceVelocity>)
    return law + fmt::format("formula = \"{} + {}\"\n", formula(c, "v"),
                             formula(dice.randomNumberNear(20.0) * u.of("N s^2/m^2"), "abs(v)*v"));
  else if constexpr (std::is_same_v<L, FormulaForce>) {
    const double circular = dice.randomNumberNear(400.0) / u.time,
                 amplitude = dice.randomNumberNear(20.0) * u.force();
    return law + fmt::format("formula = \"{} + {} + {}*sin({:.17g}*t)\"\n", formula(k, "x"),
                             formula(dice.randomNumberNear(2e6) * u.of("N s/m^3"), "v*x^2"), amplitude,
                             circular);
  } else if constexpr (std::is_same_v<L, Elastoplastic>)
    return law + fmt::format("displacement = {}\nforce = {}\n", list({5e-4, 1.5e-3, 8e-3}, u.length),
                             list({20.0, 30.0, 40.0}, dice.randomNumberNear(1.0) * u.force()));
  else if constexpr (std::is_same_v<L, CrackedRotor>)
    return law + fmt::format("stiffness = \"crack\"\n{}\n", fieldsOf<L>(dice, u, "\n"));
  else if constexpr (std::is_same_v<L, Zener>)
    return law + fmt::format(
                     "stiffness_1 = {:.17g}\nstiffness_2 = {:.17g}\nstiffness_3 = {:.17g}\ndamping = "
                     "{:.17g}\nexponent = 0.5\n",
                     k, 0.2 * k, 0.7 * k, dice.randomNumberNear(60.0) * u.of("N (s/m)^alpha", 0.5));
  else if constexpr (std::is_same_v<L, Crushing>) {
    const std::string force = list({20.0, 30.0, 15.0}, dice.randomNumberNear(1.0) * u.force());
    return law + fmt::format(
                     "stiffness = {:.17g}\ndamping = {:.17g}\ngap = {:.17g}\npenetration = {}\nforce = {}\n",
                     2.0 * k, c, dice.randomNumberNear(1e-4) * u.length, list({0.0, 5e-4, 1e-3}, u.length),
                     force);
  } else if constexpr (std::is_same_v<L, Buckling>) {  // scale of the forces of these masses [N]
    const double after = dice.randomNumberNear(12.0) * u.force(),
                 critical = dice.randomNumberNear(30.0) * u.force();
    return law +
           fmt::format(
               "stiffness = {:.17g}\ndamping = {:.17g}\ncritical_force = {:.17g}\npost_buckling_force = "
               "{:.17g}\n",
               k, c, critical, after);
  } else
    return law + fieldsOf<L>(dice, u, "\n") + "\n";
}

template <class Variant, class F>
void forEachTypeOfList(F&& f) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (f.template operator()<std::variant_alternative_t<I, Variant>>(), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>());
}

/// Directions of the model before its rotation, none of them along a global axis.
Mat3 axesOfModelBeforeRotation() {
  return (Eigen::AngleAxisd(0.7, Vec3(1.0, 2.0, -0.5).normalized())).toRotationMatrix();
}

constexpr double kGap = 4.0e-4, kSpeed = 0.4;
constexpr int kInstants = 64;

/// Nodes, masses and springs. Each random number is drawn in a separate statement, because compilers may
/// evaluate the draws of one statement in any order.
std::string structure(Dice& dice, const Writing& w, const Vec3& a, const Vec3& b, const Vec3& velocity,
                      const Vec3& spin = Vec3::Zero()) {
  const Units& u = w.units;
  const auto place = [&](const Vec3& x) { return text(u.length * (w.turn * x + w.shift)); };
  const auto node = [&](const char* name, const Vec3& x) {
    return fmt::format("[[nodes]]\nname = \"{}\"\nposition = {}\n", name, place(x));
  };
  const std::string first = node("a", a), second = node("b", b);
  std::string deck = w.reversed ? second + first : first + second;
  const Mat3 axes = w.turn * axesOfModelBeforeRotation();
  const auto spring = [&](const std::string& nodes, double size, bool turns) {
    const double k = size * u.stiffness(), r = 40.0 * u.energy();
    const double kz = dice.randomNumberNear(1.3 * k), ky = dice.randomNumberNear(0.7 * k),
                 kx = dice.randomNumberNear(k);
    return fmt::format(
        "[[springs]]\nnodes = {}\nstiffness = [{:.17g}, {:.17g}, {:.17g}{}]\naxes = {{ x = {}, y = {} }}\n",
        nodes, kx, ky, kz, turns ? fmt::format(", {:.17g}, {:.17g}, {:.17g}", r, r, r) : "",
        text(axes.col(0)), text(axes.col(1)));
  };
  const auto mass = [&](const char* name, double m) {
    const double inertia = 2e-4 * u.mass * u.length * u.length;
    return fmt::format(
        "[[masses]]\nnodes = [\"{}\"]\nmass = {:.17g}\ninertia = [{:.17g}, {:.17g}, {:.17g}, 0, 0, 0]\n",
        name, dice.randomNumberNear(m) * u.mass, inertia, inertia, inertia);
  };
  const std::string between = spring("[\"a\", \"b\"]", 4.0e4, false);
  const std::string underB = spring("[\"b\"]", 1.5e5, true), underA = spring("[\"a\"]", 2.0e5, true);
  const std::string massB = mass("b", 1.5), massA = mass("a", 2.0);
  deck += massA + massB + underA + underB + between;
  return deck + "[basis]\nall = true\ndamping_ratio = 0.02\n" +
         fmt::format("[initial]\nvelocity = [ {{ node = \"a\", value = {} }} ]\n",
                     textOfSixNumbers(u.velocity() * (w.turn * velocity), w.turn * spin / u.time));
}

std::string run(const Units& u, const std::string& scheme, double duration) {
  std::string how = fmt::format("step = {:.17g}\n", 1.0e-5 * u.time);
  if (scheme == "event")
    how = fmt::format("tolerance = {{ absolute = {:.17g}, relative = 1e-13 }}\n",
                      1e-14 * std::sqrt(u.energy()));
  return fmt::format("[transient]\nduration = {:.17g}\nscheme = \"{}\"\n{}[output]\ninterval = {:.17g}\n",
                     duration * u.time, scheme, how, duration * u.time / kInstants);
}

/// An obstacle as a deck gives it, about a centre; `from` is a position near the obstacle in its own axes.
struct Shape {
  std::string keys;  ///< further keys, with {center}, {e1}, {e2}, {e3} to be replaced
  Vec3 from;
  Vec3 normal;
};
Shape shapeOf(const std::string& name, Dice& dice, const Units& u, bool pair) {
  const double size = dice.randomNumberNear(0.01);
  const auto length = [&](double x) { return fmt::format("{:.17g}", x * u.length); };
  const Vec3 out = Vec3(std::cos(0.4), std::sin(0.4), 0.0), steep = Vec3(0.6, 0.5, 0.4).normalized();
  // The obstacle of a pair is centred on the second node.
  const std::string center = pair ? "" : ", center = {center}";
  const std::string radius = pair ? "" : ", radius = " + length(size);
  if (name == "none") return {"normal = {e1}, tangent = {e2}", Vec3::Zero(), Vec3::UnitX()};
  if (name == "plane")
    return {fmt::format("normal = {{e1}}, tangent = {{e2}}{}", pair ? "" : ", point = {center}"),
            (pair ? -1.0 : 1.0) * kGap * Vec3::UnitX(), (pair ? -1.0 : 1.0) * Vec3::UnitX()};
  if (name == "slot")
    return {"axis = {e3}, direction = {e1}, gap = " + length(size) + center, (size - kGap) * Vec3::UnitX(),
            -Vec3::UnitX()};
  if (name == "circle") return {"axis = {e3}, gap = " + length(size) + center, (size - kGap) * out, -out};
  if (name == "disc") return {"axis = {e3}" + center + radius, (size + kGap) * out, out};
  if (name == "sphere") return {pair ? "" : "center = {center}" + radius, (size + kGap) * steep, steep};
  if (name == "torus") {
    const Vec3 side = std::cos(0.5) * out + std::sin(0.5) * Vec3::UnitZ();
    return {"axis = {e3}, ring_radius = " + length(2.0 * size) + ", radius = " + length(size) + center,
            2.0 * size * out + (size + kGap) * side, side};
  }
  if (name == "profile")
    return {
        fmt::format("axis = {{e3}}, reference = {{e1}}, angles_deg = [0, 90, 180, 270], radii = [{0}, {0}, "
                    "{0}, {0}]{1}",
                    length(size), center),
        (size / std::sqrt(2.0) - kGap) * Vec3(1.0, 1.0, 0.0).normalized(), -Vec3(1.0, 1.0, 0.0).normalized()};
  ADD_FAILURE() << "no deck for obstacle " << name;
  return {};
}

std::string textWithPlaceholderFilled(std::string keys, const std::string& mark, const std::string& value) {
  for (std::size_t at = keys.find(mark); at != std::string::npos; at = keys.find(mark))
    keys.replace(at, mark.size(), value);
  return keys;
}

}  // namespace

std::vector<Part> textsOfNormalLaws() {
  std::vector<Part> parts;
  forEachTypeOfList<AnyNormalLaw>([&]<class L>() {
    parts.push_back(
        {std::string(L::keyword), [](Dice& dice, const Units& u) { return normalText<L>(dice, u); }});
  });
  return parts;
}

std::vector<Part> textsOfFrictionLaws() {
  std::vector<Part> parts;
  forEachTypeOfList<AnyFrictionLaw>([&]<class L>() {
    parts.push_back({fmt::format("{}{}", L::keyword, std::is_same_v<L, Coulomb> ? " (true stick)" : ""),
                     [](Dice& dice, const Units& u) { return frictionText<L>(dice, u); }});
  });
  return parts;
}

std::vector<Part> textsOfLinkLaws() {
  std::vector<Part> parts;
  forEachTypeOfList<AnyLinkLaw>([&]<class L>() {
    parts.push_back(
        {std::string(L::keyword), [](Dice& dice, const Units& u) { return linkText<L>(dice, u); }});
  });
  return parts;
}

std::vector<std::string> obstacleNames() {
  std::vector<std::string> names;
  Obstacles::forEach([&]<class O>() { names.emplace_back(O::keyword); });
  CurvedObstacles::forEach([&]<class O>() { names.emplace_back(O::keyword); });
  return names;
}

std::string deckOf(const Meeting& meeting, const Writing& w) {
  Dice dice(meeting.seed);
  const Units& u = w.units;
  const Shape shape = shapeOf(meeting.obstacle, dice, u, meeting.pair);
  const Mat3 frame = axesOfModelBeforeRotation();  // columns e1, e2, e3
  const Vec3 a(0.3, -0.2, 0.1), place = frame * shape.from, normal = frame * shape.normal;
  const Vec3 b = meeting.pair ? Vec3(a - place) : Vec3(a + Vec3(0.2, 0.3, -0.1));
  const Vec3 slide = frame.col(2) + normal.cross(frame.col(2));
  const Vec3 velocity = kSpeed * (0.25 * slide - normal);
  std::string deck = structure(dice, w, a, b, velocity);
  std::string keys = shape.keys;
  keys = textWithPlaceholderFilled(keys, "{center}", text(u.length * (w.turn * (a - place) + w.shift)));
  for (int i = 0; i < 3; ++i)
    keys = textWithPlaceholderFilled(keys, fmt::format("{{e{}}}", i + 1), text(w.turn * frame.col(i)));
  const double half = 0.5 * (place.norm() - kGap) * u.length;
  const bool thick = meeting.pair && (meeting.obstacle == "disc" || meeting.obstacle == "sphere");
  deck += fmt::format("[[contacts]]\nname = \"c\"\n{}\nobstacle = {{ type = \"{}\"{}{} }}\nnormal = {}\n",
                      meeting.pair ? "nodes = [\"a\", \"b\"]" : "node = \"a\"", meeting.obstacle,
                      keys.empty() ? "" : ", ", keys, meeting.normal.text(dice, u));
  if (thick) deck += fmt::format("thickness = [{0:.17g}, {0:.17g}]\n", half);
  const std::string friction = meeting.friction.text(dice, u);
  if (!friction.empty()) deck += "friction = " + friction + "\n";
  return deck + run(u, meeting.scheme, meeting.duration);
}

std::string deckOf(const Linking& linking, const Writing& w) {
  Dice dice(linking.seed);
  const Units& u = w.units;
  const Vec3 a(0.3, -0.2, 0.1), b(0.5, 0.1, 0.2);
  const Vec3 axis = linking.link.name == "cracked_rotor" ? Vec3::UnitX() : Vec3((b - a).normalized());
  const Vec3 spin(1.0, 4.0, -3.0);
  std::string deck = structure(dice, w, a, b, kSpeed * (b - a).normalized() + Vec3(0.05, -0.1, 0.02), spin);
  std::vector<double> angles, values;
  for (int i = 0; i < 24; ++i) {
    angles.push_back(2.0 * M_PI * i / 24);
    values.push_back(4e4 + 1e4 * std::cos(angles.back()));
  }
  deck += fmt::format("[functions.crack]\ntimes = {}\nvalues = {}\n", list(angles, 1.0),
                      list(values, linking.link.name == "cracked_rotor" ? u.energy() * 1e-3 : u.stiffness()));
  deck += fmt::format("[[links]]\nname = \"l\"\nnodes = [\"a\", \"b\"]\naxis = {}\n{}", text(w.turn * axis),
                      linking.link.text(dice, u));
  return deck + run(u, linking.scheme, linking.duration);
}

namespace {

class Watcher : public TransientObserver {
 public:
  Watcher(const Simulation& simulation, const ricochet::Deck& study, const Writing& writing, Histories& found)
      : writing_(writing), found_(found), turns_(!study.links.empty() && study.links.front().isRotational()) {
    for (const char* name : {"a", "b"})
      for (std::size_t i = 0; i < study.nodes.size(); ++i)
        if (study.nodes[i].name == name)
          for (int c = 0; c < kComponents; ++c)
            rows_.push_back(simulation.row({NodeIndex{static_cast<int>(i)}, componentOfIndex(c)}));
  }
  void archive(const StepView& view) override {
    const Units& u = writing_.units;
    for (std::size_t group = 0; group < 4; ++group) {  // translations, then rotations of both nodes
      Vec3 moved;
      for (std::size_t c = 0; c < 3; ++c) {
        const Eigen::RowVectorXd& row = rows_[3 * group + c];
        moved[static_cast<Eigen::Index>(c)] =
            row.dot(view.state.q.head(row.size())) / (group % 2 == 0 ? u.length : 1.0);
      }
      moved = writing_.turn.transpose() * moved;
      found_.displacement.insert(found_.displacement.end(), {moved[0], moved[1], moved[2]});
    }
    for (const ContactView& contact : view.contacts)
      take({contact.normalForce, std::hypot(contact.tangentialForce.first, contact.tangentialForce.second)});
    for (const LinkState& link : view.links) {
      // Lever arm: scale of a moment over the scale of a force [m].
      const double unit = turns_ ? u.length : 1.0;
      take({link.force[0] / unit, link.force[1] / unit});
    }
  }
  void onEvents(std::span<const Event> events) override {
    for (const Event& event : events) found_.impacts += event.kind == EventKind::closing ? 1 : 0;
    found_.touched |= found_.impacts > 0;
  }

 private:
  void take(std::initializer_list<double> forces) {
    for (const double force : forces) {
      found_.force.push_back(force / writing_.units.force());
      found_.touched |= force != 0.0;
    }
  }
  const Writing& writing_;
  Histories& found_;
  bool turns_;  ///< true: the link acts about an axis
  std::vector<Eigen::RowVectorXd> rows_;
};

}  // namespace

Histories runDeck(const std::string& deck, const Writing& writing) {
  const ricochet::Deck study = studyOf(deck);
  const std::unique_ptr<Simulation> simulation = prepare(study);
  Histories found;
  Watcher watcher(*simulation, study, writing, found);
  ModalEquation equation(simulation->model);
  State state = simulation->initial;
  const TransientOptions options = transientOptionsOf(study, *simulation);
  const Report report = run(simulation->scheme, equation, state, options, watcher);
  EXPECT_EQ(report.status, RunStatus::complete) << deck;
  return found;
}

double relativeDeviationOfRuns(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double largest = 0.0, worst = 0.0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    largest = std::max({largest, std::abs(a[i]), std::abs(b[i])});
    worst = std::max(worst, std::abs(a[i] - b[i]));
  }
  return largest > 0.0 ? worst / largest : 0.0;
}

}  // namespace ricochet::test
