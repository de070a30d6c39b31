// A run that a history of an earlier run drives: both oscillators have a closed form.

#include "io/archive/read_curve.hpp"
#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <string>
#include <utility>

namespace ricochet {
namespace {

constexpr double kDrivenMass = 2.0, kDrivenStiffness = 5000.0, kDrivenDamping = 40.0, kDrivingForce = 100.0;

/// An oscillator of 50 rad/s, whose transient is gone after 2 s to 1e-9 of it.
std::string oscillatorUnder(const std::string& function, const std::string& more) {
  return fmt::format(R"(
[[nodes]]
name = "a"
position = [0, 0, 0]
[[masses]]
nodes = ["a"]
mass = {}
[[springs]]
nodes = ["a"]
stiffness = [{}, 0, 0]
[[dampers]]
nodes = ["a"]
damping = [{}, 0, 0]
[[supports]]
nodes = "all"
fixed = ["uy", "uz"]
[[loads]]
nodes = ["a"]
force = [1, 0, 0]
scale = "f"
[functions.f]
{}
[basis]
all = true
[transient]
duration = 3
{}
)",
                     kDrivenMass, kDrivenStiffness, kDrivenDamping, function, more);
}

double receptance(double omega) {
  return 1.0 / std::abs(std::complex<double>(kDrivenStiffness - kDrivenMass * omega * omega,
                                             kDrivenDamping * omega));
}

/// What `verify` prints of the second run, driven by `factor` times a quantity of the first one, whose
/// largest displacement in the steady state must be `expected`.
test::CommandOutcome verified(const test::ScratchFolder& folder, const std::string& quantity, double expected,
                              double tolerance) {
  const std::string check = fmt::format(
      "[[checks]]\nquantity = \"displacement\"\nnode = \"a\"\ndof = \"ux\"\nstatistic = \"max_abs\"\nfrom = "
      "2.5\n"
      "reference = {:.17g}\nrelative = {}\nsource = \"steady amplitude\"\n",
      expected, tolerance);
  folder.write("second.toml",
               oscillatorUnder(fmt::format("result = \"first.h5\"\nquantity = \"{}\"", quantity), check));
  return folder.ricochet("verify second.toml");
}

std::string sineOf(double omega) { return fmt::format("formula = \"{}*sin({}*t)\"", kDrivingForce, omega); }

TEST(DrivenByResult, HasTheAmplitudeOfTheChain) {
  for (const double omega : {48.0, 200.0, 700.0}) {
    const test::ScratchFolder folder;
    folder.write("first.toml", oscillatorUnder(sineOf(omega), ""));
    ASSERT_EQ(folder.ricochet("run first.toml -q").status, 0);
    const double r = receptance(omega);
    for (const auto& [quantity, amplitude] :
         {std::pair(std::string("5000*displacement(a, ux)"), 5000.0 * kDrivingForce * r * r),
          std::pair(std::string("2*acceleration(a, ux)"), 2.0 * omega * omega * kDrivingForce * r * r),
          std::pair(std::string("40*velocity(a, ux) - 3*displacement(a, ux)"),
                    std::hypot(40.0 * omega, 3.0) * kDrivingForce * r * r)}) {
      const test::CommandOutcome outcome = verified(folder, quantity, amplitude, 1e-3);
      EXPECT_EQ(outcome.status, 0) << omega << ' ' << quantity << '\n' << outcome.output;
    }
    EXPECT_THAT(folder.ricochet("check second.toml").output, testing::Not(testing::HasSubstr("warning")));
  }
}

TEST(DrivenByResult, WarnsOfRowsThatLeaveOutTheMotion) {
  constexpr double kOmega = 200.0, kPeriod = 0.031415926535897934;
  const auto warningOf = [](const std::string& output, const std::string& quantity) {
    const test::ScratchFolder folder;
    folder.write("first.toml", oscillatorUnder(sineOf(kOmega), output));
    EXPECT_EQ(folder.ricochet("run first.toml -q").status, 0);
    folder.write("second.toml",
                 oscillatorUnder(fmt::format("result = \"first.h5\"\nquantity = \"{}\"", quantity),
                                 "[output]\ninterval = 0.01\n"));
    const std::string check = folder.ricochet("check second.toml").output;
    const std::string run = folder.ricochet("run second.toml").output;
    EXPECT_EQ(check.find("`interval` in [output]") == std::string::npos,
              run.find("`interval` in [output]") == std::string::npos);
    return check;
  };
  const auto rows = [](double perPeriod) {
    return fmt::format("[output]\ninterval = {:.17g}\n", kPeriod / perPeriod);
  };
  EXPECT_THAT(warningOf(rows(5.0), "displacement(a, ux)"), testing::Not(testing::HasSubstr("functions.f: ")));
  // Without rates a fifth of a period leaves out 1 - sinc(36 degrees)^2 = 0.125, by their estimate 0.115.
  EXPECT_THAT(
      warningOf(rows(5.0) + "fields = [\"displacement\"]\n", "displacement(a, ux)"),
      testing::HasSubstr("functions.f: the rows of first.h5 are 0.0063 s apart on the mean, and what is "
                         "read between them would leave out about 0.1"));
  EXPECT_THAT(warningOf(rows(5.0), "acceleration(a, ux)"),  // followed by the velocity
              testing::Not(testing::HasSubstr("functions.f: ")));
  EXPECT_THAT(warningOf(rows(5.0) + "fields = [\"acceleration\"]\n", "acceleration(a, ux)"),
              testing::HasSubstr("leave out about 0.1"));
  EXPECT_THAT(warningOf(rows(1.0), "displacement(a, ux)"), testing::HasSubstr("`interval` in [output]"));
}

/// A ball that falls onto a rigid floor and bounces: its displacement is parabolas, which the pieces follow
/// without going through the floor.
TEST(DrivenByResult, FollowsImpactsWithoutOvershoot) {
  constexpr double kGravity = 10.0, kHeight = 0.05;
  const std::string ball = R"(
[[nodes]]
name = "a"
position = [0, 0, 0]
[[masses]]
nodes = ["a"]
mass = 1
[[supports]]
nodes = "all"
fixed = ["ux", "uy"]
[basis]
all = true
[transient]
duration = 0.5
[gravity]
acceleration = [0, 0, -10]
)";
  const std::string floor = R"(
[[contacts]]
name = "floor"
node = "a"
obstacle = { type = "plane", normal = [0, 0, 1], gap = 0.05 }
normal = { law = "rigid", restitution = 1.0 }
)";
  for (const std::string output : {"", "[output]\ninterval = 0.0123\n"}) {
    const test::ScratchFolder folder;
    folder.write("first.toml", ball + floor + output);
    ASSERT_EQ(folder.ricochet("run first.toml -q").status, 0) << output;
    const Deck second = readDeck(folder.write(
        "second.toml", ball + "[[loads]]\nnodes = [\"a\"]\nforce = [0, 0, 1]\nscale = \"f\"\n[functions.f]\n"
                              "result = \"first.h5\"\nquantity = \"displacement(a, uz)\"\n"));
    const TimeFunction& f = second.loads.front().scale;
    const double fall = std::sqrt(2.0 * kHeight / kGravity);
    double worst = 0.0;
    for (double t = 0.0; t < 0.5; t += 1e-4) {
      const double since = std::abs(t - 2.0 * fall * std::round(t / (2.0 * fall)));  // since the top
      worst = std::max(worst, std::abs(f.at(t) + 0.5 * kGravity * since * since));
      EXPECT_GE(f.at(t), -kHeight * (1.0 + 1e-9));
    }
    // A straight piece beside an impact is off by the way of a piece at most: 0.0123 s at 1 m/s.
    EXPECT_LT(worst, output.empty() ? 1e-4 * kHeight : 0.0123) << output;
  }
}

/// Rows of an impact on a rigid contact hold no force, so that a run under its normal force would be at rest.
TEST(DrivenByResult, WarnsOfAnImpulseThatRowsDoNotHave) {
  const test::ScratchFolder folder;
  const auto replaced = [](std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? "" : text.replace(at, from.size(), to);
  };
  const std::string fine = replaced(test::bouncer(0.2), "every = 100", "interval = 1e-6");
  std::string rigid = replaced(fine, "stiffness = 1.0e5", "law = \"rigid\", restitution = 0.5");
  rigid = replaced(rigid, "\"kick_drift\"\nstep = 1.0e-5", "\"event\"");
  rigid = replaced(rigid, "displacement = [ { node = \"ball\", value = [0.009,",
                   "velocity = [ { node = \"ball\", value = [1.0,");
  folder.write("fine.toml", fine);
  folder.write("rigid.toml", replaced(rigid, "1e-6", "1e-4"));
  for (const std::string name : {"fine", "rigid"}) {
    ASSERT_EQ(folder.ricochet("run " + name + ".toml -q").status, 0) << name;
    folder.write("second.toml", test::bouncer(0.1, "[functions.f]\nresult = \"" + name +
                                                       ".h5\"\nquantity = \"2*normal_force(stops)\"\n"
                                                       "[[loads]]\nnodes = [\"ball\"]\nforce = [1, 0, 0]\n"
                                                       "scale = \"f\"\n"));
    const bool warns =
        folder.ricochet("check second.toml").output.find("off by 1 of it") != std::string::npos;
    EXPECT_EQ(warns, name == "rigid") << name;
  }
}

TEST(DrivenByResult, HoldsAStateUntilTheNextRow) {
  const test::ScratchFolder folder;
  folder.write("first.toml", test::bouncer(0.2));
  ASSERT_EQ(folder.ricochet("run first.toml -q").status, 0);
  const Deck second = readDeck(folder.write(
      "second.toml", test::bouncer(0.2,
                                   "[functions.f]\nresult = \"first.h5\"\nquantity = \"state(stops)\"\n"
                                   "[[loads]]\nnodes = [\"ball\"]\nforce = [1, 0, 0]\nscale = \"f\"\n")));
  const TimeFunction& f = second.loads.front().scale;
  EXPECT_FALSE(f.jumpInstants().empty());
  for (double t = 0.0; t < 0.2; t += 1e-4)
    EXPECT_TRUE(f.at(t) == 0.0 || f.at(t) == 2.0 || f.at(t) == 1.0) << t;
}

}  // namespace
}  // namespace ricochet
