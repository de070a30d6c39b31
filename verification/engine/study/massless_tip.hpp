#pragma once

#include "engine/study/run.hpp"
#include "engine/study/simulation.hpp"
#include "physical/elements/elements.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// A mass with a massless tip on springs at an obstacle: comparison with an integration of the mass alone,
/// which solves for the tip at every stage.
namespace ricochet::test::tip {

inline constexpr NodeIndex kMassNode{0}, kTipNode{1};
inline constexpr double kSpring = 2.0e5, kStop = 1.0e6, kGap = 0.005;  // [N/m], [m]
inline constexpr double kFinest = 1.0e-6, kDuration = 0.013;           // [s]
inline constexpr int kRows = 130;

/// Motion of a mass of 1 kg along x and y and of its tip at the archived instants.
struct Motion2 {
  std::vector<std::array<double, 2>> mass, tip;
};

/// Integrates u'' = -force(u) by the classical Runge-Kutta method; `tipOf(u)` solves for the tip, whose
/// springs act on the mass. `drift`: rate of an internal variable of the tip, such as its position behind a
/// dashpot.
struct Reference {
  std::array<double, 2> springs{kSpring, 0.0};
  std::array<double, 2> velocity{1.0, 0.0};
  std::function<std::array<double, 2>(const std::array<double, 2>& u, double memory)> tipOf;
  std::function<double(const std::array<double, 2>& u, double memory)> drift{};

  Motion2 run() const {
    using State = std::array<double, 5>;  // u, u', internal variable
    const auto rates = [&](const State& s) {
      const std::array<double, 2> u{s[0], s[1]}, w = tipOf(u, s[4]);
      return State{s[2], s[3], -springs[0] * (u[0] - w[0]), -springs[1] * (u[1] - w[1]),
                   drift ? drift(u, s[4]) : 0.0};
    };
    const auto ahead = [](const State& s, const State& r, double h) {
      State next;
      for (std::size_t i = 0; i < s.size(); ++i) next[i] = s[i] + h * r[i];
      return next;
    };
    State s{0.0, 0.0, velocity[0], velocity[1], 0.0};
    Motion2 motion;
    const int perRow = static_cast<int>(std::lround(kDuration / kRows / kFinest));
    for (int row = 0; row <= kRows; ++row) {
      const std::array<double, 2> u{s[0], s[1]};
      motion.mass.push_back(u);
      motion.tip.push_back(tipOf(u, s[4]));
      for (int i = 0; i < perRow; ++i) {
        const State a = rates(s), b = rates(ahead(s, a, 0.5 * kFinest)),
                    c = rates(ahead(s, b, 0.5 * kFinest)), d = rates(ahead(s, c, kFinest));
        for (std::size_t k = 0; k < s.size(); ++k)
          s[k] += kFinest / 6.0 * (a[k] + 2.0 * b[k] + 2.0 * c[k] + d[k]);
      }
    }
    return motion;
  }
};

/// The mass at 1 m/s along x, its tip on springs, and a stop 5 mm before the tip.
inline Study struck(const AnyNormalLaw& normal) {
  Study study;
  study.addNode("m");
  study.addNode("tip", {1.0, 0.0, 0.0});
  study.addMass({kMassNode}, 1.0);
  study.addSpring(kMassNode, kTipNode, {kSpring, 0.0, 0.0});
  study.fix({kMassNode, kTipNode}, {Component::uy, Component::uz});
  for (const NodeIndex node : {kMassNode, kTipNode}) study.initialVelocity.push_back({node, {1.0}});
  ContactRequest stop;
  stop.name = "stop";
  stop.first = kTipNode;
  stop.obstacle = Plane{};
  stop.frame = contactFrame({-1.0, 0.0, 0.0});
  stop.origin = {1.0 + kGap, 0.0, 0.0};
  stop.normal = normal;
  study.contacts.push_back(stop);
  study.transient.emplace().duration = kDuration;
  return study;
}

struct SchemeCase {
  std::string_view scheme;
  bool direct;
  double step;       ///< step [s]; 0: selected by the scheme
  double tolerance;  ///< tolerance of displacements, relative to 5 mm
};

class MasslessTip : public testing::TestWithParam<SchemeCase> {
 protected:
  /// Compares a run with the reference, and its energy with the initial energy.
  static Result expectMotion(Study study, const Reference& reference) {
    const SchemeCase& c = GetParam();
    (c.direct ? study.direct.scheme : study.transient->scheme) = std::string(c.scheme);
    study.transient->options.relativeTolerance = 1e-10;  // tolerance of schemes with step control
    if (c.step > 0.0) (c.direct ? study.direct.step : study.transient->step) = c.step;
    RunChoice choice;
    choice.direct = c.direct;
    for (int i = 0; i <= kRows; ++i) choice.archiveTimes.push_back(kDuration / kRows * i);
    Result result = run(study, choice);
    EXPECT_EQ(result.report().status, RunStatus::complete);
    const Motion2 expected = reference.run();
    const double allowed = c.tolerance * kGap;
    for (const Component along : {Component::ux, Component::uy}) {
      const auto i = static_cast<std::size_t>(along);
      if (reference.springs[i] == 0.0) continue;
      const auto mass = result.displacement(kMassNode, along), tip = result.displacement(kTipNode, along);
      for (std::size_t row = 0; row < mass.size(); ++row) {
        EXPECT_NEAR(mass[row], expected.mass[row][i], allowed) << result.time()[row];
        EXPECT_NEAR(tip[row], expected.tip[row][i], 2.0 * allowed) << result.time()[row];
      }
    }
    EXPECT_NEAR(result.report().energy.balanceResidual(), 0.0, 5e-4);
    return result;
  }
};

/// The mass moves in a plane, and its tip on springs of different stiffness strikes an inclined stop, whose
/// normal force therefore moves the tip along the surface.
inline constexpr double kAcross = 5.0e4;  // [N/m]
inline const double kCosine = std::cos(0.6), kSine = std::sin(0.6);

inline Study slanting(const AnyFrictionLaw& friction) {
  Study study;
  study.addNode("m");
  study.addNode("tip", {1.0, 0.0, 0.0});
  study.addMass({kMassNode}, 1.0);
  study.addSpring(kMassNode, kTipNode, {kSpring, kAcross, 0.0});
  study.fix({kMassNode, kTipNode}, {Component::uz});
  for (const NodeIndex node : {kMassNode, kTipNode}) study.initialVelocity.push_back({node, {1.0}});
  ContactRequest stop;
  stop.name = "stop";
  stop.first = kTipNode;
  stop.obstacle = Plane{};
  stop.frame = contactFrame({-kCosine, -kSine, 0.0});
  stop.origin = {1.0 + kGap / kCosine, 0.0, 0.0};
  stop.normal = LinearPenalty{.stiffness = kStop};
  stop.friction.law = friction;
  study.contacts.push_back(stop);
  study.transient.emplace().duration = kDuration;
  return study;
}

/// Tip of a mass at u under the force of a stop of stiffness kStop and a traction along its surface t =
/// (-sin, cos): `ratio` times the normal force, or a spring `stick` from `anchor`.
inline std::array<double, 2> slantingTip(const std::array<double, 2>& u, double ratio, double stick,
                                         double anchor) {
  const double n[2] = {kCosine, kSine}, t[2] = {-kSine, kCosine};
  if (n[0] * u[0] + n[1] * u[1] <= kGap) return u;
  // K (u - w) = kStop (n.w - gap) (n - ratio t) + stick (t.w - anchor) t
  const double k[2] = {kSpring, kAcross};
  double a[2][2], b[2];
  for (int i = 0; i < 2; ++i) {
    const double push = n[i] - ratio * t[i];
    for (int j = 0; j < 2; ++j) a[i][j] = (i == j ? k[i] : 0.0) + kStop * push * n[j] + stick * t[i] * t[j];
    b[i] = k[i] * u[static_cast<std::size_t>(i)] + kStop * kGap * push + stick * anchor * t[i];
  }
  const double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
  return {(b[0] * a[1][1] - b[1] * a[0][1]) / det, (a[0][0] * b[1] - a[1][0] * b[0]) / det};
}

/// The schemes that solve the forces on massless parts together.
inline auto steppingSchemes() {
  return testing::Values(
      SchemeCase{"kick_drift", false, 1e-6, 1e-3}, SchemeCase{"central_difference", false, 1e-6, 1e-3},
      SchemeCase{"symplectic_euler", false, 1e-6, 2e-3}, SchemeCase{"newmark", false, 2e-6, 1e-3},
      SchemeCase{"hht", false, 2e-6, 2e-3}, SchemeCase{"rk54", false, 0.0, 1e-3},
      SchemeCase{"newmark", true, 2e-6, 1e-3}, SchemeCase{"central_difference", true, 1e-6, 1e-3});
}

inline std::string nameOf(const testing::TestParamInfo<SchemeCase>& each) {
  return std::string(each.param.direct ? "direct_" : "") + std::string(each.param.scheme);
}

}  // namespace ricochet::test::tip
