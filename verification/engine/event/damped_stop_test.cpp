// A mass on a stop with a dashpot, compared with the closed form: the force jumps to c v when the contact
// closes, and vanishes before the gap opens again.

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <ostream>
#include <string>

namespace ricochet {
namespace {

constexpr double kMass = 1.0, kStopStiffness = 1e6, kSpeed = 1.0, kGap = 1e-3;

/// A mass at kSpeed that strikes a stop with k and c; no other force acts:
///
///     x = v/w exp(-s t) sin(w t),   s = c/2m,   w^2 = k/m - s^2.
struct StopImpact {
  double s, w;
  bool tension;

  explicit StopImpact(const LinearPenalty& law)
      : s(0.5 * law.damping / kMass), w(std::sqrt(law.stiffness / kMass - s * s)), tension(law.tension) {}

  /// Duration until the acceleration vanishes, tan(w t) = 2 s w/(s^2 - w^2); half a period for a stop that
  /// can pull.
  double duration() const {
    const double ahead = tension ? 0.0 : std::atan2(2.0 * s * w, w * w - s * s);
    return (std::numbers::pi - ahead) / w;
  }
  double reboundSpeed() const {
    const double t = duration();
    return -kSpeed * std::exp(-s * t) * (std::cos(w * t) - s / w * std::sin(w * t));
  }
};

struct Case {
  const char* scheme;
  const char* name;
  double damping;
  bool tension;
  bool round;
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.scheme << ' ' << c.name; }

struct Errors {
  double speed{0.0}, duration{0.0}, impulse{0.0}, energy{0.0};
};

/// Root mean square over the instant of the closing within its step.
Errors errorsOf(const Case& c, double h) {
  const LinearPenalty law{.stiffness = kStopStiffness, .damping = c.damping, .tension = c.tension};
  const StopImpact exact(law);
  constexpr int kPhases = 24;
  Errors mean;
  for (int i = 0; i < kPhases; ++i) {
    const double gap = kGap + kSpeed * h * (i + 0.37) / kPhases;
    test::ModelParts parts;
    const Eigen::Index modes = c.round ? 2 : 1;
    parts.linear = LinearSystem(Vector::Zero(modes), Matrix::Zero(modes, modes), true);
    const AnyObstacle obstacle =
        c.round ? AnyObstacle(Curved{Circle{.clearance = gap}}) : AnyObstacle(Slot{gap});
    parts.contacts.push_back(test::contactOf(modes, obstacle, law));
    for (Eigen::Index axis = 0; axis < modes; ++axis) parts.contacts[0].rows(axis, axis) = 1.0;
    State start(modes);  // and end
    start.v[0] = c.round ? 0.6 * kSpeed : kSpeed;
    if (c.round) start.v[1] = 0.8 * kSpeed;
    const ModalModel model = parts.build();
    ModalEquation equation(model);
    test::Recorder seen;
    const Report report = run(c.scheme, equation, start, {.end = 0.006, .step = h}, seen);
    const auto closings = seen.times(EventKind::closing);
    const auto openings = seen.times(EventKind::opening);
    if (closings.size() != 1 || openings.size() != 1) return {1.0, 1.0, 1.0, 1.0};
    const auto add = [](double& sum, double error) { sum += error * error / kPhases; };
    add(mean.speed, start.v.norm() - exact.reboundSpeed());
    add(mean.duration, openings[0] - closings[0] - exact.duration());
    add(mean.impulse, equation.contacts().runTotals()[0].impulse - kMass * (kSpeed + exact.reboundSpeed()));
    add(mean.energy, report.energy.balanceResidual());
  }
  for (double* each : {&mean.speed, &mean.duration, &mean.impulse, &mean.energy}) *each = std::sqrt(*each);
  return mean;
}

class DampedStop : public ::testing::TestWithParam<Case> {};

TEST_P(DampedStop, IsLeftWithAnErrorOfSecondOrder) {
  const Errors coarse = errorsOf(GetParam(), 2e-5), fine = errorsOf(GetParam(), 5e-6);
  const auto order = [](double from, double to) { return 0.5 * std::log2(from / to); };
  EXPECT_GT(order(coarse.speed, fine.speed), 1.8) << coarse.speed << ' ' << fine.speed;
  EXPECT_GT(order(coarse.duration, fine.duration), 1.8) << coarse.duration << ' ' << fine.duration;
  EXPECT_GT(order(coarse.impulse, fine.impulse), 1.8) << coarse.impulse << ' ' << fine.impulse;
  EXPECT_GT(order(coarse.energy, fine.energy), 1.8) << coarse.energy << ' ' << fine.energy;
  EXPECT_LT(fine.speed, 5e-5 * kSpeed);
}

std::string nameOf(const ::testing::TestParamInfo<Case>& info) {
  return std::string(info.param.scheme) + '_' + info.param.name;
}
INSTANTIATE_TEST_SUITE_P(Schemes, DampedStop,
                         ::testing::Values(Case{"kick_drift", "clamped", 400.0, false, false},
                                           Case{"kick_drift", "pulling", 400.0, true, false},
                                           Case{"kick_drift", "round", 400.0, false, true},
                                           Case{"central_difference", "clamped", 400.0, false, false},
                                           Case{"newmark", "clamped", 400.0, false, false},
                                           Case{"newmark", "pulling", 400.0, true, false},
                                           Case{"hht", "clamped", 400.0, false, false},
                                           Case{"devogelaere", "clamped", 400.0, false, false}),
                         nameOf);

}  // namespace
}  // namespace ricochet
