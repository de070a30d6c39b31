// Outputs of a batch inside long steps, and with a moving base.

#include "io/app/batch/run_batch.hpp"
#include "io/app/batch/variant_plan.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ricochet {
namespace {

/// A ball on a spring: its frequency is 100 rad/s.
constexpr const char* kBall = R"deck(
[[nodes]]
name = "ball"
position = [0, 0, 0]
[[masses]]
nodes = ["ball"]
mass = 2.0
[[springs]]
nodes = ["ball"]
stiffness = [2e4, 0, 0]
[[supports]]
nodes = ["ball"]
fixed = ["uy", "uz"]
[basis]
all = true
)deck";

/// x = a cos(100 t) over 10 periods, in steps of 2.5 of them.
constexpr double kAmplitude = 0.004;
std::string deckOf(std::string_view scheme) {
  return kBall + fmt::format(R"deck(
[initial]
displacement = [{{ node = "ball", value = [{}, 0, 0] }}]
[transient]
duration = 0.6283185307179586
scheme = "{}"
step = 0.15707963267948966
[[checks]]
quantity = "max(displacement(ball, ux))"
reference = {}
relative = 5e-6
[[checks]]
quantity = "min(velocity(ball, ux))"
reference = {}
relative = 5e-6
[[checks]]
quantity = "rms(displacement(ball, ux))"
reference = {}
relative = 5e-6
[batch.parameters]
"masses.0.mass" = {{ values = [2.0] }}
[batch.outputs]
high = "max(displacement(ball, ux))"
low = "min(displacement(ball, ux))"
fast = "max(abs(velocity(ball, ux)))"
mean = "mean(displacement(ball, ux))"
rms = "rms(displacement(ball, ux))"
square = "max(displacement(ball, ux)^2)"
)deck",
                             kAmplitude, scheme, kAmplitude, -100.0 * kAmplitude,
                             kAmplitude / std::sqrt(2.0));
}

/// Checks of the same run use the same values.
TEST(OutputRecorder, SeesInsideStepsOfSeveralPeriods) {
  constexpr double kPeak = 1e-4,
                   kClosed = 1e-12;  // error of a parabola through three values; sums are over whole periods
  const double a = kAmplitude;
  const struct {
    double value, tolerance;
  } expected[] = {{a, kPeak * a},
                  {-a, kPeak * a},
                  {100.0 * a, kPeak * 100.0 * a},
                  {0.0, kClosed * a},
                  {a / std::sqrt(2.0), kClosed * a},
                  {a * a, 10.0 * kPeak * a * a}};
  for (const char* scheme : {"kick_drift", "moreau"}) {
    SCOPED_TRACE(scheme);
    const test::ScratchFolder folder;
    const std::filesystem::path deck = folder.write("deck.toml", deckOf(scheme));
    const std::filesystem::path file = folder.path() / "result.h5";
    ASSERT_EQ(runBatch(VariantPlan(deck), {.result = file, .force = true, .progress = false, .threads = 1})
                  .complete,
              1u);
    const std::vector<double> outputs = H5File::open(file).readAny("/batch/outputs").values;
    ASSERT_EQ(outputs.size(), std::size(expected));
    for (std::size_t i = 0; i < outputs.size(); ++i)
      EXPECT_NEAR(outputs[i], expected[i].value, expected[i].tolerance) << "output " << i;
    const test::CommandOutcome checks = folder.ricochet("verify deck.toml");
    EXPECT_EQ(checks.status, 0) << checks.output;
  }
}

/// A ball on a spring whose base moves by 0.01 t^2: outputs relative to the base, and absolute outputs.
TEST(OutputRecorder, AddsTheMotionOfTheBaseWhereItIsAskedFor) {
  const auto outputsOf = [](bool isAbsolute) {
    const test::ScratchFolder folder;
    const std::filesystem::path file = folder.path() / "result.h5";
    const std::filesystem::path deck = folder.write("deck.toml", kBall + fmt::format(R"deck(
[functions]
place = {{ formula = "0.01*t^2" }}
speed = {{ formula = "0.02*t" }}
pull = {{ formula = "0.02" }}
[[base_motions]]
direction = [1, 0, 0]
displacement = "place"
velocity = "speed"
acceleration = "pull"
[transient]
duration = 1.0
scheme = "event"
[output]
absolute_motion = {}
[batch.parameters]
"masses.0.mass" = {{ values = [2.0] }}
[batch.outputs]
place = "at(displacement(ball, ux), 0.7)"
speed = "last(velocity(ball, ux))"
high = "max(velocity(ball, ux))"
)deck",
                                                                                     isAbsolute));
    runBatch(VariantPlan(deck), {.result = file, .force = true, .progress = false, .threads = 1});
    return H5File::open(file).readAny("/batch/outputs").values;
  };
  const std::vector<double> relative = outputsOf(false), absolute = outputsOf(true);
  ASSERT_EQ(absolute.size(), 3u);
  EXPECT_NEAR(absolute[0] - relative[0], 0.01 * 0.49, 1e-12);
  EXPECT_NEAR(absolute[1] - relative[1], 0.02, 1e-12);
  // x' = -w a sin(w t) + 0.02 t with w = 100, a = 2e-6: the largest sum is in the last period.
  EXPECT_GT(absolute[2], 0.0199);
  EXPECT_LT(absolute[2], 0.0202);
}

/// A ball that oscillates by x = a sin(10 t) between two stops at 2a, or in a circle of this clearance: the
/// gap 2a - |x| has kinks inside the steps.
TEST(OutputRecorder, GapsTurnWhereTheNearestSideChanges) {
  const double a = 0.01, whole = std::cos(10.0), window = std::cos(7.0);
  // integrals of |sin 10t| over 0 ... 1 and 0.1 ... 0.7, and of its square over 0 ... 1
  const double sine = (7.0 + whole) / 10.0, sineInWindow = (4.0 + std::cos(1.0) - window) / 10.0;
  const double square = 0.5 - std::sin(20.0) / 40.0;
  const double expected[] = {2.0 * a,          a,
                             a * (2.0 - sine), a * std::sqrt(4.0 - 4.0 * sine + square),
                             2.0 * a,          a * (2.0 - sineInWindow / 0.6)};
  const struct {
    const char* scheme;
    double tolerance;  // relative to a; of steps of h, (10 h)^2/10
  } kSchemes[] = {{"event", 1e-10}, {"newmark", 1e-3}};
  for (const auto& [scheme, tolerance] : kSchemes)
    for (const char* obstacle : {"slot", "circle"}) {
      SCOPED_TRACE(std::string(scheme) + " " + obstacle);
      const test::ScratchFolder folder;
      const std::filesystem::path file = folder.path() / "result.h5";
      const std::filesystem::path deck = folder.write(
          "deck.toml",
          kBall + fmt::format(R"deck(
[initial]
velocity = [{{ node = "ball", value = [{}, 0, 0] }}]
[[contacts]]
name = "stops"
node = "ball"
obstacle = {{ type = "{}", axis = [0, 0, 1], {} gap = {} }}
normal = {{ stiffness = 1e5 }}
[transient]
duration = 1.0
scheme = "{}"
{}
[batch.parameters]
"springs.0.stiffness.0" = {{ values = [200.0] }}
[batch.outputs]
high = "max(gap(stops))"
low = "min(gap(stops))"
mean = "mean(gap(stops))"
rms = "rms(gap(stops))"
at-kinks = "max(gap(stops), from=0.2, to=0.315)"
in-window = "mean(gap(stops), from=0.1, to=0.7)"
)deck",
                              10.0 * a, obstacle, obstacle[0] == 's' ? "direction = [1, 0, 0]," : "", 2.0 * a,
                              scheme, scheme[0] == 'e' ? "" : "step = 0.01"));
      runBatch(VariantPlan(deck), {.result = file, .force = true, .progress = false, .threads = 1});
      const std::vector<double> outputs = H5File::open(file).readAny("/batch/outputs").values;
      ASSERT_EQ(outputs.size(), std::size(expected));
      for (std::size_t i = 0; i < outputs.size(); ++i)
        EXPECT_NEAR(outputs[i], expected[i], tolerance * a) << "output " << i;
    }
}

/// The force on a ball falls from 25 N to nothing, at the end of a step or inside one: both values of the
/// jump count.
TEST(OutputRecorder, TakesBothValuesOfAForceThatJumps) {
  for (const char* scheme : {"kick_drift", "newmark"})
    for (const double jump : {0.1, 0.1004}) {
      SCOPED_TRACE(fmt::format("{} {}", scheme, jump));
      const test::ScratchFolder folder;
      const std::filesystem::path file = folder.path() / "result.h5";
      const std::filesystem::path deck = folder.write("deck.toml", kBall + fmt::format(R"deck(
[functions.hold]
times = [0, {0}, {0}, 0.2]
values = [25, 25, 0, 0]
[[contacts]]
name = "clamp"
node = "ball"
obstacle = {{ type = "none", normal = [0, 0, 1] }}
normal = {{ force = "hold" }}
friction = {{ coefficient = 0.4, stiffness = 2e4 }}
[transient]
duration = 0.2
scheme = "{1}"
step = 1e-3
[batch.parameters]
"masses.0.mass" = {{ values = [2.0] }}
[batch.outputs]
mean = "mean(normal_force(clamp), from=0.026, to=0.122)"
before = "min(normal_force(clamp), from=0.026, to={0})"
after = "max(normal_force(clamp), from={0}, to=0.122)"
)deck",
                                                                                       jump, scheme));
      runBatch(VariantPlan(deck), {.result = file, .force = true, .progress = false, .threads = 1});
      const std::vector<double> outputs = H5File::open(file).readAny("/batch/outputs").values;
      ASSERT_EQ(outputs.size(), 3u);
      EXPECT_NEAR(outputs[0], 25.0 * (jump - 0.026) / 0.096, 1e-10);
      EXPECT_EQ(outputs[1], 25.0);
      EXPECT_EQ(outputs[2], 0.0);
    }
}

/// The ball hits a stop at 2 m/s, whose stiffness K is three times that of the spring: x = (2/200) sin(200
/// t), so that the force of the stop is at most 6e4/100 = 600 N, at 7.9 ms. The stop starts with no force,
/// and once more with the ball pressed into it by 0.02 m, where the force is largest at once.
TEST(OutputRecorder, TakesTheLargestForceOfAContactFromItsSeries) {
  const struct {
    const char* initial;
    double largest;
  } starts[] = {{"velocity = [{ node = \"ball\", value = [2, 0, 0] }]", 600.0},
                {"displacement = [{ node = \"ball\", value = [0.02, 0, 0] }]", 1200.0}};
  for (const auto& start : starts) {
    const test::ScratchFolder folder;
    const std::filesystem::path file = folder.path() / "result.h5";
    const std::filesystem::path deck = folder.write("deck.toml", kBall + fmt::format(R"deck(
[initial]
{}
[[contacts]]
name = "stop"
node = "ball"
obstacle = {{ type = "plane", normal = [-1, 0, 0], gap = 0.0 }}
normal = {{ stiffness = 6e4 }}
[transient]
duration = 0.04
scheme = "event"
[batch.parameters]
"masses.0.mass" = {{ values = [2.0] }}
[batch.outputs]
largest = "max(normal_force(stop))"
size = "max(abs(normal_force(stop)))"
both = "max(2*normal_force(stop) + 1)"
early = "max(normal_force(stop), from=0, to=0.002)"
)deck",
                                                                                     start.initial));
    runBatch(VariantPlan(deck), {.result = file, .force = true, .progress = false, .threads = 1});
    const std::vector<double> outputs = H5File::open(file).readAny("/batch/outputs").values;
    ASSERT_EQ(outputs.size(), 4u);
    const bool isPressed = start.largest > 1000.0;
    EXPECT_NEAR(outputs[0], start.largest, 1e-10 * start.largest);
    EXPECT_NEAR(outputs[1], start.largest, 1e-10 * start.largest);
    EXPECT_NEAR(outputs[2], 2.0 * start.largest + 1.0, 1e-8 * start.largest);
    EXPECT_NEAR(outputs[3], isPressed ? 1200.0 : 600.0 * std::sin(0.4), 1e-8 * start.largest);
  }
}

}  // namespace
}  // namespace ricochet
