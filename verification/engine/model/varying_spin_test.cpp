// Discs that spin at a speed that varies:
//   Id ry'' + d/dt (Ip W rz) = My,   Id rz'' - d/dt (Ip W ry) = Mz,   the rate of the angular momentum.

#include "io/app/runs/run_study.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/outcome.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::distance;
using test::studyOf;
using test::StudyOutcome;

const std::vector<double> kTimes{0.4, 0.75, 1.0, 1.6};

constexpr const char* kTight = "scheme = \"event\"\ntolerance = { absolute = 1e-15, relative = 1e-13 }\n";

std::string checksAt(const std::string& node, const std::string& quantity = "displacement") {
  std::string text;
  for (const double t : kTimes)
    for (const char* dof : {"uy", "uz", "ry", "rz"})
      text += fmt::format(
          "[[checks]]\nquantity = \"{}\"\nnode = \"{}\"\ndof = \"{}\"\ntime = {}\nreference = 0.0\n"
          "absolute = 1e9\nsource = \"asked for\"\n",
          quantity, node, dof, t);
  return text;
}

constexpr const char* kDisc = R"deck(
[[nodes]]
name = "left"
position = [0.0, 0.0, 0.0]
[[nodes]]
name = "disc"
position = [0.3, 0.0, 0.0]
[[nodes]]
name = "right"
position = [1.0, 0.0, 0.0]
[materials.light]
young = 2.1e11
poisson = 0.3
density = 0.0
[sections.shaft]
type = "circle"
radius = 0.01
[[beams]]
name = "short"
nodes = ["left", "disc"]
elements = 1
material = "light"
section = "shaft"
theory = "euler_bernoulli"
[[beams]]
name = "long"
nodes = ["disc", "right"]
elements = 1
material = "light"
section = "shaft"
theory = "euler_bernoulli"
[[masses]]
nodes = ["disc"]
mass = 5.0
inertia = [0.035, 0.02, 0.02, 0.0, 0.0, 0.0]
spin = {}
spin_axis = [1.0, 0.0, 0.0]
[[supports]]
nodes = "all"
fixed = ["ux", "rx"]
[[supports]]
nodes = ["left", "right"]
fixed = ["uy", "uz"]
[basis]
all = true
damping_ratio = 0.0
[functions.speed]
times = [0.0, 2.0]
values = [40.0, 440.0]
[functions.formula]
formula = "40 + 200*t"
[functions.kinked]
times = [0.0, 0.8, 2.0]
values = [40.0, 200.0, 80.0]
[functions.steady]
times = [0.0]
values = [300.0]
before = "constant"
after = "constant"
[functions.y]
formula = "1e-3*((40 + 200*t)^2*cos(40*t + 100*t^2) + 200*sin(40*t + 100*t^2))"
[functions.z]
formula = "1e-3*((40 + 200*t)^2*sin(40*t + 100*t^2) - 200*cos(40*t + 100*t^2))"
[[loads]]
nodes = ["disc"]
force = [0.0, 1.0, 0.0]
scale = "y"
[[loads]]
nodes = ["disc"]
force = [0.0, 0.0, 1.0]
scale = "z"
[transient]
duration = 1.6
{}
[output]
nodes = ["disc"]
interval = 0.1
)deck";

/// The disc of rotor-disc.toml with an unbalance of 1e-3 kg m that runs up through its critical speed of
/// about 149 rad/s: W = 40 + 200 t.
std::string runUpDeck(const std::string& spin, const std::string& run) {
  return fmt::format(kDisc, spin, run) + checksAt("disc");
}

StudyOutcome spinOutcomeOf(const std::string& deck) {
  const Deck study = studyOf(deck);
  return test::outcomeOf(study, *prepare(study));
}

/// The four equations of the disc, by the classical Runge-Kutta scheme. Flexibility of a pinned beam at the
/// distances a, b from its ends: [a^2 b^2, a b (b - a); ., a^2 - a b + b^2] / (3 E I L), of deflection and
/// slope.
class Disc {
 public:
  using State = std::array<double, 8>;  // uy, uz, ry, rz and their rates

  explicit Disc(bool kinked) : kinked_(kinked) {
    const double a = 0.3, b = 0.7, inertia = std::acos(-1.0) * 1e-8 / 4.0;
    const double scale = 1.0 / (3.0 * 2.1e11 * inertia);
    const double f = a * a * b * b * scale, h = a * b * (b - a) * scale, g = (a * a - a * b + b * b) * scale;
    const double det = f * g - h * h;
    k11_ = g / det;
    k12_ = -h / det;
    k22_ = f / det;
  }

  State rate(double t, const State& s, bool late) const {
    const double m = 5.0, polar = 0.035, across = 0.02;
    double w = 40.0 + 200.0 * t, dw = 200.0;
    if (kinked_ && late) {
      w = 200.0 - 100.0 * (t - 0.8);
      dw = -100.0;
    }
    const double drive = 40.0 + 200.0 * t, phi = 40.0 * t + 100.0 * t * t;
    const double fy = 1e-3 * (drive * drive * std::cos(phi) + 200.0 * std::sin(phi));
    const double fz = 1e-3 * (drive * drive * std::sin(phi) - 200.0 * std::cos(phi));
    const auto [uy, uz, ry, rz, vy, vz, wy, wz] = s;
    return {vy,
            vz,
            wy,
            wz,
            (fy - k11_ * uy - k12_ * rz) / m,
            (fz - k11_ * uz + k12_ * ry) / m,
            (k12_ * uz - k22_ * ry - polar * (w * wz + dw * rz)) / across,
            (-k12_ * uy - k22_ * rz + polar * (w * wy + dw * ry)) / across};
  }

  std::vector<double> displacementsAtTimes() const {
    std::vector<double> found;
    State s{};
    const double h = 2.5e-6;  // error (1400 rad/s h)^4/120 * 1400 rad/s * 1.6 s = 3e-9 of the fastest motion
    for (long i = 1; i <= 640000; ++i) {
      const double t = static_cast<double>(i - 1) * h;
      const bool late = i > 320000;
      const State k1 = rate(t, s, late), k2 = rate(t + 0.5 * h, moved(s, k1, 0.5 * h), late);
      const State k3 = rate(t + 0.5 * h, moved(s, k2, 0.5 * h), late);
      const State k4 = rate(t + h, moved(s, k3, h), late);
      for (std::size_t j = 0; j < s.size(); ++j) s[j] += h / 6.0 * (k1[j] + 2.0 * (k2[j] + k3[j]) + k4[j]);
      for (const double at : kTimes)
        if (std::abs(static_cast<double>(i) * h - at) < 0.5 * h)
          found.insert(found.end(), s.begin(), s.begin() + 4);
    }
    return found;
  }

 private:
  static State moved(const State& s, const State& k, double h) {
    State next = s;
    for (std::size_t j = 0; j < s.size(); ++j) next[j] += h * k[j];
    return next;
  }
  bool kinked_;
  double k11_, k12_, k22_;
};

TEST(VaryingSpin, RunUpThroughTheCriticalSpeed) {
  const std::vector<double> exact = Disc(false).displacementsAtTimes();
  ASSERT_EQ(exact.size(), 16U);
  const StudyOutcome table = spinOutcomeOf(runUpDeck("\"speed\"", kTight));
  const StudyOutcome formula = spinOutcomeOf(runUpDeck("\"formula\"", kTight));
  // The amplitudes are 3e-3 m.
  EXPECT_LT(distance(table.values, exact), 1e-11);
  EXPECT_LT(distance(formula.values, exact), 1e-11);
  EXPECT_LT(table.energyError, 1e-10);
  // The moments of the varying spin matter: at a constant speed the response differs.
  EXPECT_GT(distance(spinOutcomeOf(runUpDeck("40.0", kTight)).values, exact), 1e-5);
}

TEST(VaryingSpin, TurnsAboutWhereTheSpeedHasAKink) {
  const std::vector<double> exact = Disc(true).displacementsAtTimes();
  const StudyOutcome event = spinOutcomeOf(runUpDeck("\"kinked\"", kTight));
  EXPECT_LT(distance(event.values, exact), 1e-11);
  EXPECT_LT(event.energyError, 1e-10);
  const StudyOutcome pairs = spinOutcomeOf(
      runUpDeck("\"kinked\"", "scheme = \"rk54\"\ntolerance = { absolute = 1e-13, relative = 1e-12 }\n"));
  EXPECT_LT(distance(pairs.values, exact), 1e-9);
}

TEST(VaryingSpin, SchemesKeepTheirOrder) {
  const std::vector<double> exact = spinOutcomeOf(runUpDeck("\"kinked\"", kTight)).values;
  for (const auto& [scheme, order] :
       {std::pair{"newmark", 2}, {"hht", 2}, {"central_difference", 2}, {"devogelaere", 4}}) {
    std::vector<double> errors;
    for (const double h : {5e-5, 2.5e-5}) {
      const StudyOutcome outcome =
          spinOutcomeOf(runUpDeck("\"kinked\"", fmt::format("scheme = \"{}\"\nstep = {}\n", scheme, h)));
      errors.push_back(distance(outcome.values, exact));
      EXPECT_LT(outcome.energyError, 1e-3) << scheme;
    }
    EXPECT_NEAR(std::log2(errors[0] / errors[1]), order, 0.3) << scheme << " " << errors[1];
  }
}

TEST(VaryingSpin, ConstantFunctionIsAConstant) {
  for (const std::string scheme : {"event", "newmark", "central_difference", "rk54", "devogelaere"}) {
    const std::string run = fmt::format("scheme = \"{}\"\n{}", scheme,
                                        scheme == "event" || scheme == "rk54" ? "" : "step = 1e-4\n");
    const StudyOutcome number = spinOutcomeOf(runUpDeck("300.0", run));
    const StudyOutcome function = spinOutcomeOf(runUpDeck("\"steady\"", run));
    EXPECT_LT(distance(number.values, function.values), 1e-16) << scheme;  // of 3e-3 m
  }
}

TEST(VaryingSpin, AngularMomentumOfAFreeDiscIsKept) {
  // Without a spring, Id ry' + Ip W rz and Id rz' - Ip W ry keep their initial values.
  const std::string deck = R"deck(
[[nodes]]
name = "disc"
position = [0.0, 0.0, 0.0]
[[masses]]
nodes = ["disc"]
mass = 5.0
inertia = [0.035, 0.02, 0.02, 0.0, 0.0, 0.0]
spin = "speed"
spin_axis = [1.0, 0.0, 0.0]
[functions.speed]
formula = "30*cos(2*t)"
[basis]
all = true
damping_ratio = 0.0
[initial]
displacement = [ { node = "disc", value = [0, 0, 0, 0, 0.01, 0.02] } ]
velocity = [ { node = "disc", value = [0, 0, 0, 0, 0.5, -0.2] } ]
[transient]
duration = 1.6
scheme = "event"
tolerance = { absolute = 1e-15, relative = 1e-13 }
[output]
nodes = ["disc"]
interval = 0.1
)deck" + checksAt("disc") + checksAt("disc", "velocity");
  const StudyOutcome outcome = spinOutcomeOf(deck);
  const double alongY = 0.02 * 0.5 + 0.035 * 30.0 * 0.02;
  const double alongZ = 0.02 * -0.2 - 0.035 * 30.0 * 0.01;
  for (std::size_t i = 0; i < kTimes.size(); ++i) {
    const double* at = &outcome.values[4 * i];
    const double* rate = &outcome.values[16 + 4 * i];
    const double w = 30.0 * std::cos(2.0 * kTimes[i]);
    EXPECT_NEAR(0.02 * rate[2] + 0.035 * w * at[3], alongY, 1e-12) << kTimes[i];
    EXPECT_NEAR(0.02 * rate[3] - 0.035 * w * at[2], alongZ, 1e-12) << kTimes[i];
  }
  EXPECT_LT(outcome.energyError, 1e-10);
}

}  // namespace
}  // namespace ricochet
