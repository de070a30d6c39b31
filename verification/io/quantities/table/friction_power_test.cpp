// A quantity that only the list of quantities defines is available in all places that take quantities.

#include "io/app/batch/run_batch.hpp"
#include "io/app/batch/variant_plan.hpp"
#include "io/archive/read_curve.hpp"
#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

using testing::HasSubstr;

constexpr double kNormalForce = 10.0, kEnd = 0.5;  // [N], [s]

/// A block of 1 kg slides at 1 m/s under 10 N: mu N |v|, with v = 1 m/s - mu N t / m.
double frictionPowerAt(double mu, double t) { return mu * kNormalForce * (1.0 - mu * kNormalForce * t); }

std::string slider(const std::string& scheme, const std::string& more) {
  return fmt::format(
      "[[nodes]]\nname = \"block\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"block\"]\nmass = 1.0\n"
      "[[supports]]\nnodes = [\"block\"]\nfixed = [\"uy\", \"uz\"]\n"
      "[initial]\nvelocity = [ {{ node = \"block\", value = [1.0, 0, 0] }} ]\n"
      "[[contacts]]\nname = \"sole\"\nnode = \"block\"\n"
      "obstacle = {{ type = \"none\", normal = [0, 0, 1] }}\n"
      "normal = {{ force = {} }}\nfriction = {{ coefficient = 0.1 }}\n"
      "[transient]\nduration = {}\n{}\n[output]\nnodes = \"all\"\ninterval = 0.05\n{}",
      kNormalForce, kEnd, scheme, more);
}

std::string checkTable(const std::string& keys, double reference) {
  return fmt::format("[[checks]]\n{}\nreference = {}\nabsolute = 1e-9\n", keys, reference);
}

TEST(FrictionPower, IsAQuantityOfChecks) {
  const test::ScratchFolder folder;
  const std::string keys = "quantity = \"friction_power\"\ncontact = \"sole\"\n";
  folder.write(
      "deck.toml",
      slider(
          "scheme = \"event\"",
          checkTable(keys + "time = 0.25", frictionPowerAt(0.1, 0.25)) +
              checkTable(keys + "statistic = \"mean\"",
                         0.5 * (frictionPowerAt(0.1, 0.0) + frictionPowerAt(0.1, kEnd))) +
              checkTable("quantity = \"max(friction_power(sole), from = 0.2)\"", frictionPowerAt(0.1, 0.2)) +
              checkTable("quantity = \"min(friction_power(sole))\"", frictionPowerAt(0.1, kEnd))));
  const test::CommandOutcome outcome = folder.ricochet("verify deck.toml");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
  EXPECT_THAT(outcome.output, HasSubstr("4 passed, 0 failed"));
}

/// Moreau's scheme computes the velocity to the accuracy of its step, and no force before the first step.
TEST(FrictionPower, IsAnOutputAndAHistoryOfBatches) {
  const test::ScratchFolder folder;
  for (const auto& [scheme, tolerance] :
       {std::pair{"scheme = \"event\"", 1e-11}, std::pair{"scheme = \"moreau\"\nstep = 1e-4", 1e-3}}) {
    const VariantPlan plan(folder.write(
        "deck.toml",
        slider(scheme,
               "[batch.parameters]\n\"contacts.sole.friction.coefficient\" = { values = [0.1, 0.05] }\n"
               "[batch.outputs]\nmiddle = \"at(friction_power(sole), 0.25)\"\n"
               "mean = \"mean(friction_power(sole))\"\nmost = \"max(friction_power(sole)/2)\"\n"
               "[batch.histories]\np = \"friction_power(sole)\"\n")));
    const std::filesystem::path file = folder.path() / "batch.h5";
    ASSERT_EQ(runBatch(plan, {.result = file, .force = true, .progress = false, .threads = 1}).complete, 2u);
    const H5File result = H5File::open(file);
    const std::vector<double> outputs = result.readAny("/batch/outputs").values;
    const std::vector<double> times = result.readAny("/batch/histories/time").values;
    const std::vector<double> histories = result.readAny("/batch/histories/p").values;
    ASSERT_EQ(histories.size(), 2 * times.size());
    const bool knowsStart = std::string_view(scheme).find("event") != std::string_view::npos;
    for (std::size_t i = 0; i < 2; ++i) {
      const double mu = std::array{0.1, 0.05}[i];
      EXPECT_NEAR(outputs[3 * i], frictionPowerAt(mu, 0.25), tolerance) << scheme << mu;
      EXPECT_NEAR(outputs[3 * i + 1], 0.5 * (frictionPowerAt(mu, 0.0) + frictionPowerAt(mu, kEnd)), tolerance)
          << scheme << mu;
      if (knowsStart) {
        EXPECT_NEAR(outputs[3 * i + 2], 0.5 * frictionPowerAt(mu, 0.0), tolerance) << scheme << mu;
      }
      for (std::size_t k = knowsStart ? 0 : 1; k < times.size(); ++k)
        EXPECT_NEAR(histories[i * times.size() + k], frictionPowerAt(mu, times[k]), tolerance)
            << scheme << times[k];
    }
  }
}

TEST(FrictionPower, IsACurveOfResults) {
  const test::ScratchFolder folder;
  folder.write("deck.toml", slider("scheme = \"event\"", ""));
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  const H5File result = H5File::open(folder.path() / "deck.h5");
  const Curve curve = readCurve(result, "friction_power(sole)");
  EXPECT_EQ(curve.units, "W");
  EXPECT_EQ(curve.quantity, "friction_power");
  ASSERT_EQ(curve.values.size(), 11u);
  for (std::size_t i = 0; i < curve.values.size(); ++i)
    EXPECT_NEAR(curve.values[i], frictionPowerAt(0.1, curve.time[i]), 1e-11);
  const Curve share = readCurve(result, "friction_power(sole)/normal_force(sole)");
  for (std::size_t i = 0; i < share.values.size(); ++i)
    EXPECT_NEAR(share.values[i], frictionPowerAt(0.1, share.time[i]) / kNormalForce, 1e-12);
  // The traction opposes the motion, along tangent 1 or 2; without a number of the tangent the quantity is
  // the magnitude.
  const std::vector<double> size = readCurve(result, "tangential_force(sole)").values;
  for (const double each : size) EXPECT_NEAR(each, 0.1 * kNormalForce, 1e-12);
}

/// A formula of histories may have no value at some instants, here log(0); a load may not.
TEST(FunctionOfAResult, IsFiniteEverywhere) {
  const test::ScratchFolder folder;
  folder.write("deck.toml", slider("scheme = \"event\"", ""));
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  folder.write("second.toml", slider("scheme = \"event\"",
                                     "[functions.f]\nresult = \"deck.h5\"\n"
                                     "quantity = \"1/(friction_power(sole) - at_start)\"\n"));
  EXPECT_THAT(folder.ricochet("check second.toml").output, HasSubstr("no quantity \"at_start\""));
  folder.write("second.toml", slider("scheme = \"event\"",
                                     "[functions.f]\nresult = \"deck.h5\"\n"
                                     "quantity = \"log(displacement(block, ux))\"\n"));
  const test::CommandOutcome outcome = folder.ricochet("check second.toml");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, HasSubstr("functions.f.quantity: is no finite number at 0 s"));
}

/// Decks from versions in which a function of a result took tangent 1 keep this meaning, with a warning.
TEST(FunctionOfAResult, TakesTheFirstComponentOfAVectorAndTellsSo) {
  const test::ScratchFolder folder;
  folder.write("deck.toml", slider("scheme = \"event\"", ""));
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  const H5File result = H5File::open(folder.path() / "deck.h5");
  const double first = readCurve(result, "tangential_force(sole, 1)").values.front();
  const double second = readCurve(result, "tangential_force(sole, 2)").values.front();
  EXPECT_NEAR(std::hypot(first, second), 0.1 * kNormalForce, 1e-12);
  const Deck study = readDeck(folder.write(
      "second.toml", slider("scheme = \"event\"",
                            "[functions.f]\nresult = \"deck.h5\"\nquantity = \"tangential_force(sole)\"\n"
                            "[[loads]]\nnodes = [\"block\"]\nforce = [1, 0, 0]\nscale = \"f\"\n")));
  EXPECT_EQ(study.loads.front().scale.at(0.0), first);
  const auto isTold = [](const DefaultTaken& each) {
    return each.path == "functions.f.quantity" && each.value == "component 1 of tangential_force(sole)";
  };
  EXPECT_TRUE(std::any_of(study.defaults.begin(), study.defaults.end(), isTold));
}

}  // namespace
}  // namespace ricochet
