// Wear by angular sectors: orbits with a constant normal force.

#include "io/app/runs/run_study.hpp"
#include "io/hdf5/hdf5.hpp"
#include "verification/support/datasets.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

namespace ricochet {
namespace {

constexpr double kWholeTurn = 2.0 * std::numbers::pi;

/// 1 kg on a circle of R = 12 mm in a hole of 10 mm, at the angular rate w: rotating forces balance N = 40 N,
/// 8 N of friction, and the inertia.
struct Orbit {
  double w{20.0};    // angular rate, of either sign [rad/s]
  double from{0.0};  // [degrees]
  double turns{1.0};
  std::string run{"scheme = \"event\"\n"};
  bool pair{false};    // true: the ring moves at 0.3, -0.2 m/s
  bool smooth{false};  // true: no friction, but slip

  static constexpr double kRadius = 0.012, kNormal = 40.0;

  double duration() const { return turns * kWholeTurn / std::abs(w); }
  double wearPower() const { return kNormal * std::abs(w) * kRadius; }
  double timeAt(double degree) const { return (degree - from) / 360.0 * kWholeTurn / w; }

  std::string deck(const std::string& statistics) const {
    const double at = from / 360.0 * kWholeTurn, drag = smooth ? 0.0 : w > 0.0 ? 8.0 : -8.0;
    std::string text = fmt::format(
        "[functions.cosine]\nformula = \"cos({0:.17g} + {1:.17g}*t)\"\n"
        "[functions.sine]\nformula = \"sin({0:.17g} + {1:.17g}*t)\"\n",
        at, w);
    const auto node = [&](const std::string& name, double radial, double around, double vx, double vy) {
      text += fmt::format("[[nodes]]\nname = \"{0}\"\nposition = [0, 0, 0]\n", name);
      text += fmt::format(
          "[[loads]]\nnodes = [\"{0}\"]\nforce = [{1:.17g}, {2:.17g}, 0]\nscale = \"cosine\"\n"
          "[[loads]]\nnodes = [\"{0}\"]\nforce = [{3:.17g}, {1:.17g}, 0]\nscale = \"sine\"\n",
          name, radial, around, -around);
      return fmt::format("{{ node = \"{}\", value = [{:.17g}, {:.17g}, 0] }}, ", name, vx, vy);
    };
    const double fly = pair ? 1.0 : 0.0, speed = w * kRadius;
    std::string velocity = node("mass", kNormal - w * w * kRadius, drag, 0.3 * fly - speed * std::sin(at),
                                -0.2 * fly + speed * std::cos(at));
    if (pair) velocity += node("ring", -kNormal, -drag, 0.3, -0.2);
    text +=
        "[[masses]]\nnodes = \"all\"\nmass = 1.0\n[[supports]]\nnodes = \"all\"\nfixed = [\"uz\"]\n"
        "[basis]\nall = true\n";
    text += fmt::format(
        "[initial]\ndisplacement = [ {{ node = \"mass\", value = [{:.17g}, {:.17g}, 0] }} ]\n"
        "velocity = [ {} ]\n",
        kRadius * std::cos(at), kRadius * std::sin(at), velocity);
    text += pair ? "[[contacts]]\nname = \"hole\"\nnodes = [\"mass\", \"ring\"]\n"
                 : "[[contacts]]\nname = \"hole\"\nnode = \"mass\"\n";
    text +=
        "obstacle = { type = \"circle\", axis = [0, 0, 1], gap = 0.01 }\nnormal = { stiffness = 2.0e4 }\n"
        "wear = { coefficient = 1e-10, shape = \"ring\", radius = 0.01, length = 0.02 }\n";
    if (!smooth) text += "friction = { coefficient = 0.2 }\n";
    text += fmt::format("[transient]\nduration = {:.17g}\n", duration());
    return text + run + statistics;
  }

  ContactSummary summary(const std::string& statistics) const {
    const Deck study = test::studyOf(deck(statistics));
    return runStudy(study, *prepare(study), nullptr, false).statistics.front();
  }
};

double sumOf(const std::vector<double>& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

TEST(SectorStatistics, OfATurnAreAlike) {
  for (const double w : {20.0, -20.0})
    for (const bool pair : {false, true})
      for (const int sectors : {1, 7, 36}) {
        const Orbit orbit{.w = w, .from = 33.0, .pair = pair};
        const ContactSummary found = orbit.summary(fmt::format("[statistics]\nsectors = {}\n", sectors));
        const std::vector<double>& work = found.sectors[0];
        ASSERT_EQ(work.size(), static_cast<std::size_t>(sectors));
        for (const double each : work)
          EXPECT_NEAR(each * sectors / (orbit.wearPower() * orbit.duration()), 1.0, 1e-9)
              << w << " " << sectors;
        EXPECT_NEAR(sumOf(work) / found.windows[0].wear, 1.0, 1e-13);
      }
}

TEST(SectorStatistics, BeginAndEndAtTheirBorders) {
  // Sectors of 30 degrees: from the border at -150 through 171, with windows between borders, and across
  // +-180.
  const Orbit orbit{.from = -150.0, .turns = 351.0 / 360.0};
  const ContactSummary found = orbit.summary(
      fmt::format("[statistics]\nsectors = 12\nwindows = [[{:.17g}, {:.17g}], [{:.17g}, {:.17g}]]\n",
                  orbit.timeAt(-60.0), orbit.timeAt(30.0), orbit.timeAt(160.0), orbit.timeAt(185.0)));
  const double whole = orbit.wearPower() * orbit.timeAt(-150.0 + 30.0);  // over a sector
  const auto expect = [&](std::size_t window, std::size_t sector, double degrees) {
    EXPECT_NEAR(found.sectors[window][sector] / whole, degrees / 30.0, 1e-9) << window << " " << sector;
  };
  for (std::size_t i = 0; i < 12; ++i) {
    expect(0, i, i == 0 ? 21.0 : 30.0);  // the window ends 21 degrees beyond +-180
    expect(1, i, i >= 4 && i < 7 ? 30.0 : 0.0);
    expect(2, i, i == 11 ? 20.0 : i == 0 ? 5.0 : 0.0);
  }
  for (std::size_t w = 0; w < 3; ++w)
    EXPECT_NEAR(sumOf(found.sectors[w]) / found.windows[w].wear, 1.0, 1e-13) << w;
}

TEST(SectorStatistics, WhereItDoesNotRubAreZero) {
  const Orbit orbit{.from = -80.0, .turns = 0.1};  // to -44
  const ContactSummary found = orbit.summary("[statistics]\nsectors = 8\n");
  for (const std::size_t i : {0U, 1U, 4U, 5U, 6U, 7U}) EXPECT_EQ(found.sectors[0][i], 0.0) << i;
  EXPECT_NEAR(found.sectors[0][3] / (orbit.wearPower() * orbit.timeAt(-79.0)), 1.0, 1e-8);  // one degree
}

TEST(SectorStatistics, ByStepsAreOfSecondOrder) {
  double before = 0.0;
  for (const int steps : {500, 1000, 2000}) {
    Orbit orbit{.from = 10.0, .turns = 0.9, .smooth = true};
    orbit.run = fmt::format("scheme = \"newmark\"\nstep = {:.17g}\n", orbit.duration() / steps);
    const ContactSummary found = orbit.summary("[statistics]\nsectors = 9\n");
    const std::vector<double>& work = found.sectors[0];
    EXPECT_NEAR(sumOf(work) / found.windows[0].wear, 1.0, 1e-13);
    const double error = std::abs(work[6] - orbit.wearPower() * orbit.duration() / 8.1);  // 60 to 100 degrees
    if (before > 0.0) {
      EXPECT_GT(before / error, 3.0) << steps;
    }
    before = error;
  }
}

TEST(SectorStatistics, GoOnWhereARunWasKilled) {
  for (const std::string scheme : {"kick_drift", "event"}) {
    Orbit orbit{.w = 30.0, .turns = scheme == "event" ? 500.0 : 30.0, .smooth = scheme != "event"};
    orbit.run = "scheme = \"" + scheme + "\"\n" + (scheme == "event" ? "" : "step = 1e-4\n") +
                "[output]\nevery = 1\n";
    const test::ScratchFolder folder;
    folder.write("deck.toml", orbit.deck("[statistics]\nsectors = 16\nwindows = [[0, 1], [0.5, 2.5]]\n"));
    ASSERT_EQ(folder.ricochet("run deck.toml -q -o whole.h5").status, 0);
    {
      test::Child run = folder.start("run deck.toml -q");
      ASSERT_TRUE(run.waitForSize(folder.path() / "deck.h5.partial", 1'500'000));
      EXPECT_EQ(run.finish(SIGKILL).signal, SIGKILL);
    }
    const test::CommandOutcome outcome = folder.ricochet("run deck.toml --resume");
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    EXPECT_THAT(outcome.output, testing::HasSubstr("resumed at t"));
    test::expectSameDatasets(folder.path() / "whole.h5", folder.path() / "deck.h5");
    const H5File file = H5File::open(folder.path() / "deck.h5");
    const std::string group = "/contacts/hole/statistics/";
    for (const std::string name : {"sector_wear_work", "sector_wear_volume", "sector_wear_depth"})
      EXPECT_EQ(file.shape(group + name), (H5Shape{2, 16})) << name;
    EXPECT_EQ(file.meaning(group + "sector_wear_volume").units, "m^3");
    const auto edges = file.readAny(group + "sector_edges").values;
    ASSERT_EQ(edges.size(), 17U);
    EXPECT_EQ(edges.front(), -180.0);
    EXPECT_EQ(edges[8], 0.0);
    EXPECT_EQ(edges.back(), 180.0);
    const auto work = file.readAny(group + "sector_wear_work").values,
               total = file.readAny(group + "wear_work").values;
    EXPECT_GT(total[1], 0.0);
    for (std::size_t w = 0; w < 2; ++w) {
      double sum = 0.0;
      for (std::size_t i = 0; i < 16; ++i) sum += work[16 * w + i];
      EXPECT_NEAR(sum / total[w], 1.0, 1e-12) << w;
    }
  }
}

}  // namespace
}  // namespace ricochet
