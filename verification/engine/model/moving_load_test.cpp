// Loads that travel along beams, against sums of exact modes:
//   q_n'' + w_n^2 q_n = F/m_n sin(n pi x(t)/L),   w(x) = sum q_n sin(n pi x/L)
// (L. Fryba, Vibration of Solids and Structures under Moving Loads; L07_moving_load.json).

#include "io/app/runs/run_study.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/outcome.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using std::numbers::pi;
using test::distance;
using test::studyOf;
using test::StudyOutcome;

constexpr double kLength = 12.0;
constexpr double kTravellingForce = 1.0e4;
constexpr double kSpeed = 20.0;
constexpr double kRigidity = 3.0e6;  // bending stiffness E I [N m^2]
constexpr double kLineMass = 50.0;   // [kg/m]
const std::vector<double> kTimes{0.15, 0.3, 0.45, 0.8};

constexpr const char* kBridge = R"deck(
[[nodes]]
name = "left"
position = [0.0, 0.0, 0.0]
[[nodes]]
name = "right"
position = [{0}, 0.0, 0.0]
[materials.light]
young = 2.0e11
poisson = 0.25
density = 5000.0
[sections.shaft]
type = "general"
area = 0.01
iy = 1.5e-5
iz = 1.5e-5
torsion = 3.0e-5
[sections.deep]
type = "general"
area = 0.01
iy = 1.5e-5
iz = 1.5e-3
torsion = 3.0e-5
shear_y = 0.005
shear_z = 0.005
[[beams]]
name = "bridge"
nodes = ["left", "right"]
elements = {1}
material = "light"
section = "{2}"
theory = "{3}"
mass = "{4}"
[[supports]]
nodes = "all"
fixed = ["ux", "uz", "rx", "ry"]
[[supports]]
{12}
[basis]
modes = {5}
damping_ratio = 0.0
[[loads]]
beam = "bridge"
force = [0.0, {6}, 0.0]
{7}
[transient]
duration = {8}
{9}
[output]
nodes = ["bridge.{10}"]
interval = 0.1
{11}
)deck";

/// A simply supported beam in the plane x-y, with the displacements at midspan at kTimes.
struct Bridge {
  int elements{24};
  int modes{5};
  std::string load{"speed = 20.0\n"};
  std::string run{"scheme = \"event\"\ntolerance = { absolute = 1e-14, relative = 1e-13 }\n"};
  std::string theory{"euler_bernoulli"};
  std::string mass{"consistent"};
  std::string section{"shaft"};
  std::string more{};
  std::string held{"nodes = [\"left\", \"right\"]\nfixed = [\"uy\"]"};
  bool direct{false};
  double duration{0.8};

  std::string text() const {
    std::string deck = fmt::format(kBridge, kLength, elements, section, theory, mass, modes, kTravellingForce,
                                   load, duration, run, elements / 2, more, held);
    for (const double t : kTimes)
      deck += fmt::format(
          "[[checks]]\nquantity = \"displacement\"\nnode = \"bridge.{}\"\ndof = \"uy\"\ntime = {}\n"
          "reference = 0.0\nabsolute = 1.0\nsource = \"asked for\"\n{}",
          elements / 2, t, direct ? "mode = \"direct\"\n" : "");
    return deck;
  }
};

/// Runs the bridge; the values are those at kTimes.
StudyOutcome motionOfBridge(const Bridge& bridge) {
  const Deck study = studyOf(bridge.text());
  const auto simulation = bridge.direct ? prepareDirectSimulation(study) : prepare(study);
  return test::outcomeOf(study, *simulation);
}

/// Modes of the closed form: w_n and the generalized mass of sin(n pi x/L).
struct ExactMode {
  double omega, mass;
};
ExactMode eulerBernoulli(int n) {
  const double k = n * pi / kLength;
  return {k * k * std::sqrt(kRigidity / kLineMass), 0.5 * kLineMass * kLength};
}

/// The lower root of the Timoshenko beam with rotations B cos(n pi x/L); E, G, A etc. of section "deep".
ExactMode timoshenko(int n) {
  const double k = n * pi / kLength;
  const double bending = 2.0e11 * 1.5e-3, shear = 0.8e11 * 0.005;  // E I, G A_s
  const double rotary = 5000.0 * 1.5e-3;                           // rho I
  // rho A rho I w^4 - w^2 (rho A (E I k^2 + G As) + rho I G As k^2) + G As E I k^4 = 0
  const double b = kLineMass * (bending * k * k + shear) + rotary * shear * k * k;
  const double product = shear * bending * std::pow(k, 4);
  const double square = 2.0 * product / (b + std::sqrt(b * b - 4.0 * kLineMass * rotary * product));
  const double turn = k - kLineMass * square / (shear * k);  // amplitude B, from G As k (k - B) = rho A w^2
  return {std::sqrt(square), 0.5 * kLength * (kLineMass + rotary * turn * turn)};
}

/// Displacement at midspan at t after a crossing at constant speed, with free motion from L / v on, as a sum
/// of `modes` modes.
double crossing(double t, int modes, const std::function<ExactMode(int)>& modeOf) {
  double sum = 0.0;
  for (int n = 1; n <= modes; ++n) {
    const auto [omega, mass] = modeOf(n);
    const double drive = n * pi * kSpeed / kLength;
    const double scale = kTravellingForce / (mass * (omega * omega - drive * drive));
    const double inside = std::min(t, kLength / kSpeed);
    const double q = scale * (std::sin(drive * inside) - drive / omega * std::sin(omega * inside));
    const double v = scale * drive * (std::cos(drive * inside) - std::cos(omega * inside));
    const double after = omega * (t - inside);
    sum += (q * std::cos(after) + v / omega * std::sin(after)) * std::sin(0.5 * n * pi);
  }
  return sum;
}
std::vector<double> crossings(int modes, const std::function<ExactMode(int)>& modeOf) {
  std::vector<double> values;
  for (const double t : kTimes) values.push_back(crossing(t, modes, modeOf));
  return values;
}

TEST(MovingLoad, ClosedFormIsThePublishedOne) {
  const std::vector<double> published{0.06751061096700266, 0.17154974210653332, 0.052271545628580794,
                                      -0.022324535198614492};  // L07, five modes
  EXPECT_LT(distance(crossings(5, eulerBernoulli), published), 1e-15);
}

TEST(MovingLoad, ConvergesToTheClosedFormWithTheFourthOrderOfTheMesh) {
  // The relative errors of frequencies are (n pi/N)^4/1440; the errors of shapes and of the load between
  // nodes are of the same size.
  const std::vector<double> exact = crossings(5, eulerBernoulli);
  std::vector<double> errors;
  for (const int elements : {24, 48, 96}) {
    const StudyOutcome outcome = motionOfBridge({.elements = elements});
    errors.push_back(distance(outcome.values, exact));
    EXPECT_LT(outcome.energyError, 1e-11) << elements;
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 4.0, 0.2);  // the fifth mode has not quite reached this order
  // Rounding of the stiffness contributes 3e-10 of 2e-9.
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 4.0, 0.2);
}

TEST(MovingLoad, FollowsTimoshenkoBeams) {
  // A beam so deep that shear and rotary inertia change w_1 by 3 %, w_3 by 22 %. Between nodes static
  // deflections describe the motion under the load, without h^2 w^2 rho A/(8 G As) of the mode: a force that
  // pulsates at 2 pi v/h as elements pass. The force is small if this frequency is well above w_3 = 1.4e3
  // rad/s, from 192 elements on.
  const std::vector<double> exact = crossings(3, timoshenko);
  std::vector<double> errors;
  for (const int elements : {192, 384})
    errors.push_back(distance(motionOfBridge({.elements = elements,
                                              .modes = 3,
                                              .theory = "timoshenko",
                                              .mass = "corrected",
                                              .section = "deep"})
                                  .values,
                              exact) /
                     std::abs(exact[1]));
  EXPECT_LT(errors[0], 1e-6);
  EXPECT_LT(errors[1], 5e-8);
  EXPECT_GT(std::log2(errors[0] / errors[1]), 3.8);
}

TEST(MovingLoad, TakesAFunctionAsItsScale) {
  // sin(a t) sin(b t) = [cos((a-b) t) - cos((a+b) t)]/2; the response to cos(c t) from rest is (cos c t - cos
  // w t)/(w^2 - c^2), while the load is on the beam.
  const double b = 31.0;
  std::vector<double> exact;
  for (const double t : {0.15, 0.3, 0.45}) {
    double sum = 0.0;
    for (int n = 1; n <= 5; ++n) {
      const auto [omega, mass] = eulerBernoulli(n);
      const double a = n * pi * kSpeed / kLength;
      const auto answer = [&, w = omega](double c) {
        return (std::cos(c * t) - std::cos(w * t)) / (w * w - c * c);
      };
      sum += 0.5 * kTravellingForce / mass * (answer(a - b) - answer(a + b)) * std::sin(0.5 * n * pi);
    }
    exact.push_back(sum);
  }
  std::vector<double> errors;
  for (const int elements : {24, 48}) {
    StudyOutcome outcome = motionOfBridge({.elements = elements,
                                           .load = "speed = 20.0\nscale = \"pulse\"\n",
                                           .more = "[functions.pulse]\nformula = \"sin(31*t)\"\n"});
    EXPECT_LT(outcome.energyError, 1e-11);
    outcome.values.pop_back();
    errors.push_back(distance(outcome.values, exact));
  }
  EXPECT_LT(errors[1], 2e-8);
  // The contributions of the modes, of either sign, are added in one sum.
  EXPECT_GT(std::log2(errors[0] / errors[1]), 3.5);
}

TEST(MovingLoad, SameWayBySpeedTableOrFormula) {
  const StudyOutcome speed = motionOfBridge({});
  const StudyOutcome table =
      motionOfBridge({.load = "position = \"way\"\n",
                      .more = "[functions.way]\ntimes = [-1.0, 2.0]\nvalues = [-20.0, 40.0]\n"});
  const StudyOutcome formula =
      motionOfBridge({.load = "position = \"way\"\n", .more = "[functions.way]\nformula = \"20*t\"\n"});
  EXPECT_LT(distance(speed.values, table.values), 1e-13);
  EXPECT_LT(distance(speed.values, formula.values), 1e-13);
  EXPECT_LT(formula.energyError, 1e-11);
}

TEST(MovingLoad, FollowsAWayThatTurnsAndRests) {
  // The load moves forth to 9 m, rests, and moves back past the first end: given by a table, and by a formula
  // of the same lines. The event scheme finds the ends of elements of the formula; rk54 shares no code with
  // this search.
  const std::string table =
      "[functions.way]\ntimes = [0.0, 0.3, 0.4, 0.7]\nvalues = [-1.0, 9.0, 9.0, -3.0]\nafter = "
      "\"constant\"\n";
  const std::string formula =
      "[functions.way]\nformula = \"if(t < 0.3, -1 + t/0.03, max(-3, 9 - 40*max(0, t - 0.4)))\"\n";
  const std::string pairs = "scheme = \"rk54\"\ntolerance = { absolute = 1e-13, relative = 1e-12 }\n";
  const StudyOutcome a = motionOfBridge({.load = "position = \"way\"\n", .more = table});
  const StudyOutcome b = motionOfBridge({.load = "position = \"way\"\n", .more = formula});
  const StudyOutcome c = motionOfBridge({.load = "position = \"way\"\n", .run = pairs, .more = table});
  EXPECT_LT(distance(a.values, b.values), 1e-12);
  EXPECT_LT(distance(a.values, c.values), 1e-10);
  EXPECT_LT(a.energyError, 1e-11);
  EXPECT_LT(b.energyError, 1e-11);
}

TEST(MovingLoad, SpeedsUpAsAFormulaSays) {
  // x = 15 t + 40 t^2/2: modal equations with exact modes by the classical Runge-Kutta scheme in small steps.
  const auto way = [](double t) { return 15.0 * t + 20.0 * t * t; };
  std::vector<double> exact(kTimes.size(), 0.0);
  for (int n = 1; n <= 5; ++n) {
    const auto [omega, mass] = eulerBernoulli(n);
    const auto a = [&, w = omega, m = mass](double t, double q) {
      const double x = way(t);
      return (x <= kLength ? kTravellingForce / m * std::sin(n * pi * x / kLength) : 0.0) - w * w * q;
    };
    double q = 0.0, v = 0.0;
    const int steps = 40000;
    const double h = 0.8 / steps;
    for (int i = 1; i <= steps; ++i) {
      const double t = (i - 1) * h;
      const double v1 = v, a1 = a(t, q), v2 = v + 0.5 * h * a1, a2 = a(t + 0.5 * h, q + 0.5 * h * v1);
      const double v3 = v + 0.5 * h * a2, a3 = a(t + 0.5 * h, q + 0.5 * h * v2);
      const double v4 = v + h * a3, a4 = a(t + h, q + h * v3);
      q += h / 6.0 * (v1 + 2.0 * v2 + 2.0 * v3 + v4);
      v += h / 6.0 * (a1 + 2.0 * a2 + 2.0 * a3 + a4);
      for (std::size_t k = 0; k < kTimes.size(); ++k)
        if (std::abs(i * h - kTimes[k]) < 0.5 * h) exact[k] += q * std::sin(0.5 * n * pi);
    }
  }
  const StudyOutcome outcome = motionOfBridge({.elements = 96,
                                               .load = "position = \"way\"\n",
                                               .more = "[functions.way]\nformula = \"15*t + 20*t^2\"\n"});
  EXPECT_LT(distance(outcome.values, exact), 3e-9);  // error 3e-9 of the mesh, by the order above
  EXPECT_LT(outcome.energyError, 1e-11);
}

/// Order of a scheme with fixed steps, compared with the event scheme on the same mesh; energy balance of
/// this scheme.
void expectOrder(const std::string& scheme, int order, double step) {
  const std::vector<double> exact = motionOfBridge({.elements = 12}).values;
  std::vector<double> errors;
  for (const double h : {step, 0.5 * step}) {
    Bridge bridge{.elements = 12};
    bridge.run = fmt::format("scheme = \"{}\"\nstep = {}\n", scheme, h);
    const StudyOutcome outcome = motionOfBridge(bridge);
    errors.push_back(distance(outcome.values, exact));
    EXPECT_LT(outcome.energyError, 1e-3) << scheme;
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.2) << scheme << " " << errors[1];
}

TEST(MovingLoad, SchemesKeepTheirOrder) {
  expectOrder("newmark", 2, 2e-4);
  expectOrder("hht", 2, 2e-4);
  expectOrder("central_difference", 2, 2e-4);
  expectOrder("kick_drift", 2, 2e-4);
  expectOrder("moreau", 2, 2e-4);
  expectOrder("devogelaere", 4, 1e-3);
}

TEST(MovingLoad, ComesAtOnceOntoAFreeEnd) {
  // The load jumps when it reaches the end of a cantilever, between two steps of any scheme.
  Bridge bridge{.load = "speed = 20.0\nstart = 0.05037\n"};
  bridge.held = "nodes = [\"right\"]\nfixed = [\"uy\", \"rz\"]";
  const StudyOutcome event = motionOfBridge(bridge);
  EXPECT_LT(event.energyError, 1e-11);
  bridge.run = "scheme = \"rk54\"\ntolerance = { absolute = 1e-12, relative = 1e-11 }\n";
  EXPECT_LT(distance(motionOfBridge(bridge).values, event.values), 1e-11);
  for (const auto& [scheme, order] : {std::pair{"kick_drift", 2}, {"newmark", 2}, {"devogelaere", 4}}) {
    std::vector<double> errors;
    for (const double h : {4e-4, 2e-4}) {
      bridge.run = fmt::format("scheme = \"{}\"\nstep = {}\n", scheme, h);
      errors.push_back(distance(motionOfBridge(bridge).values, event.values));
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.2) << scheme << " " << errors[1];
  }
}

TEST(MovingLoad, DirectModeIsTheModalOneWithAllModes) {
  const std::string newmark = "scheme = \"newmark\"\nstep = 1e-3\n";
  const StudyOutcome modal = motionOfBridge({.elements = 6, .modes = 12, .run = newmark});
  Bridge bridge{.elements = 6, .modes = 12, .run = newmark};
  bridge.more = "[direct]\nscheme = \"newmark\"\nstep = 1e-3\n";
  bridge.direct = true;
  const StudyOutcome direct = motionOfBridge(bridge);
  // The modal run also ends steps at the ends of elements, where the load is only C1: here no such end is
  // within the run.
  EXPECT_LT(distance(modal.values, direct.values), 1e-9);
}

}  // namespace
}  // namespace ricochet
