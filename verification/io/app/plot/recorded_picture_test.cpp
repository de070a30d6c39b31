// `ricochet plot` and `table` of data of a result beside histories: forces of beams, states, statistics.

#include "verification/support/plot_pictures.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::rowsOf;
using testing::HasSubstr;
using testing::Not;

class RecordedPicture : public test::PlotPicture {
 protected:
  /// A mass of 1 kg at 1 m/s strikes a stop of 1e6 N/m 5 mm away: the contact lasts from 5 ms to 5 ms + pi
  /// ms, with 1000 N at most and an impulse of 2 N s.
  void runImpactOnStop(const std::string& statistics) {
    folder_.write("stop.toml",
                  "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
                  "[[supports]]\nnodes = [\"m\"]\nfixed = [\"uy\", \"uz\"]\n"
                  "[initial]\nvelocity = [ { node = \"m\", value = [1, 0, 0] } ]\n"
                  "[[contacts]]\nname = \"stop\"\nnode = \"m\"\n"
                  "obstacle = { type = \"plane\", normal = [-1, 0, 0], gap = 0.005 }\n"
                  "normal = { stiffness = 1e6 }\n[transient]\nduration = 0.01\nscheme = \"event\"\n"
                  "[output]\ninterval = 1e-4\n" +
                      statistics);
    command("run stop.toml -q");
  }
  std::vector<std::vector<double>> drawnCurves(const std::string& arguments) const {
    std::vector<std::vector<double>> rows = rowsOf(gnuplotInputOf(arguments + " -o x.svg"));
    std::erase_if(rows, [](const std::vector<double>& row) { return row.empty(); });  // gap between pieces
    return rows;
  }
  static constexpr double kTouches = 0.005, kLeaves = 0.005 + std::numbers::pi * 1e-3;
};

const std::string kWindows =
    "[statistics]\nwindows = [[0.0, 0.004], [0.004, 0.01]]\nimpact_table = true\nbins = 8\n"
    "ranges = { impact_peak = [0, 1600] }\n";

/// A force that is negative by rounding counts as zero: an axis from -1e-12 N would begin below all forces.
TEST_F(RecordedPicture, DrawsRoundingBesideLargeForcesAsZero) {
  runImpactOnStop("");
  const auto rows = drawnCurves("stop.h5 'normal_force(stop) - 1e-12'");
  ASSERT_GT(rows.size(), 10u);
  EXPECT_EQ(rows.front()[1], 0.0);
  for (const std::vector<double>& row : rows) EXPECT_GE(row[1], 0.0);
}

/// A cantilever of 1 m at rest under 3 N across its tip: the moment is 3 N times the distance from the tip.
TEST_F(RecordedPicture, DrawsForcesOfBeams) {
  folder_.write(
      "beam.toml",
      test::cantilever(2,
                       "theory = \"euler_bernoulli\"\n[basis]\nall = true\n[initial]\nequilibrium = true\n"
                       "[[loads]]\nnodes = [\"tip\"]\nforce = [0, 3, 0]\n"
                       "[transient]\nduration = 0.01\n[output]\ninterval = 0.002\n"));
  command("run beam.toml -q");
  EXPECT_THAT(command("plot beam.h5 'beam_force(rod, 1, Mz1)'", 2).output,
              HasSubstr("`ricochet restore RESULT --fields beam_force` writes a file that does"));
  command("restore beam.h5 -q --fields beam_force,beam_elastic_force -o forces.h5");
  const auto isAbout = [&](const std::string& quantity, double expected) {
    const auto rows = drawnCurves("forces.h5 '" + quantity + "'");
    ASSERT_GE(rows.size(), 2u);
    EXPECT_NEAR(rows.front()[1], expected, 1e-6) << quantity;
    EXPECT_NEAR(rows.back()[1], expected, 1e-6) << quantity;
  };
  isAbout("beam_force(rod, 1, Mz1)", 3.0);
  isAbout("beam_force(rod, 2, Mz1)", 1.5);
  isAbout("beam_elastic_force(rod, 1, Mz2)", 1.5);
  isAbout("beam_force(rod, 2, Vy2)", 3.0);
  EXPECT_THAT(gnuplotInputOf("forces.h5 'beam_force(rod, 1, Mz1)' -o x.svg"),
              HasSubstr("set ylabel 'beam_force [N m]'"));
  EXPECT_THAT(command("table forces.h5 'beam_force(rod, 1, Vy1)'").output,
              HasSubstr("\"beam_force(rod, 1, Vy1) [N]\""));
  EXPECT_THAT(command("plot forces.h5 'beam_force(rod, 3, Mz1)'", 2).output,
              HasSubstr("beam rod has no element 3"));
  EXPECT_THAT(command("plot forces.h5 'beam_force(rob, 1, Mz1)'", 2).output,
              HasSubstr("did you mean \"rod\"?"));
  EXPECT_THAT(command("plot forces.h5 'beam_force(rod, 1, Mz)'", 2).output, HasSubstr("must be one of"));
}

TEST_F(RecordedPicture, DrawsStatesInSteps) {
  runImpactOnStop("");
  const std::string told = gnuplotInputOf("stop.h5 'state(stop)' -o x.svg");
  EXPECT_THAT(told, HasSubstr("with steps"));
  EXPECT_THAT(told, HasSubstr("set ylabel 'state [0 open, 1 stick, 2 slip]'"));
  for (const auto& row : drawnCurves("stop.h5 'state(stop)'"))
    EXPECT_EQ(row[1], row[0] > kTouches && row[0] < kLeaves ? 2.0 : 0.0) << row[0];
}

TEST_F(RecordedPicture, DrawsStatisticsOfWindowsAsBars) {
  runImpactOnStop(kWindows);
  const std::vector<std::vector<double>> impacts{{0.0, 0.0}, {0.004, 0.0}, {0.004, 1.0}, {0.01, 1.0}};
  EXPECT_EQ(drawnCurves("stop.h5 'contact_statistic(stop, impacts)'"), impacts);
  const auto impulse = drawnCurves("stop.h5 'contact_statistic(stop, impulse)'");
  ASSERT_EQ(impulse.size(), 4u);
  EXPECT_NEAR(impulse.back()[1], 2.0, 1e-9);
  const std::string told = gnuplotInputOf("stop.h5 'contact_statistic(stop, impacts)' -o x.svg");
  EXPECT_THAT(told, Not(HasSubstr("set object rectangle")));  // a window is no state
  EXPECT_THAT(command("plot stop.h5 'contact_statistic(stop, impulsee)'", 2).output,
              HasSubstr("did you mean \"impulse\"?"));
}

TEST_F(RecordedPicture, DrawsImpactsAsMarksAndAgainstEachOther) {
  runImpactOnStop(kWindows);
  EXPECT_THAT(gnuplotInputOf("stop.h5 'impact(stop, peak_force)' -o x.svg"), HasSubstr("with points"));
  const auto peaks = drawnCurves("stop.h5 'impact(stop, peak_force)'");
  ASSERT_EQ(peaks.size(), 1u);
  EXPECT_NEAR(peaks[0][0], kTouches, 1e-12);
  EXPECT_NEAR(peaks[0][1], 1000.0, 1e-6);
  const auto portrait = drawnCurves("stop.h5 'impact(stop, peak_force)' -x 'impact(stop, velocity)'");
  ASSERT_EQ(portrait.size(), 1u);
  EXPECT_NEAR(portrait[0][0], 1.0, 1e-9);
  EXPECT_NEAR(portrait[0][1], 1000.0, 1e-6);
}

/// Eight bins of 200 N: the impact of 1000 N is in the bin from 1000 to 1200 N, or by rounding in the bin
/// before.
TEST_F(RecordedPicture, DrawsHistogramsOverTheirBins) {
  runImpactOnStop(kWindows);
  EXPECT_THAT(command("plot stop.h5 'histogram(stop, impact_peak)'", 2).output, HasSubstr("has 2 windows"));
  const auto bins = drawnCurves("stop.h5 'histogram(stop, impact_peak, 2)'");
  ASSERT_EQ(bins.size(), 16u);
  double all = 0.0;
  for (std::size_t bin = 0; bin < 8; ++bin) {
    EXPECT_EQ(bins[2 * bin][0], 200.0 * static_cast<double>(bin));
    EXPECT_EQ(bins[2 * bin + 1][0], 200.0 * static_cast<double>(bin + 1));
    if (bin != 4 && bin != 5) {
      EXPECT_EQ(bins[2 * bin][1], 0.0);
    }
    all += bins[2 * bin][1];
  }
  EXPECT_EQ(all, 1.0);
  EXPECT_THAT(gnuplotInputOf("stop.h5 'histogram(stop, impact_peak, 2)' -o x.svg"),
              HasSubstr("set xlabel 'impact_peak [N]'"));
  EXPECT_THAT(command("plot stop.h5 'histogram(stop, impact_peak, 2)' 'gap(stop)'", 2).output,
              HasSubstr("draw a picture of each"));
  EXPECT_THAT(command("plot stop.h5 'histogram(stop, impact_peak, 3)'", 2).output,
              HasSubstr("there is no window 3"));
}

TEST_F(RecordedPicture, SaysWhatStatisticsTheDeckLacks) {
  runImpactOnStop("");
  EXPECT_THAT(command("plot stop.h5 'contact_statistic(stop, impacts)'", 2).output,
              HasSubstr("no statistics of it: give the deck [statistics]"));
  EXPECT_THAT(command("plot stop.h5 'impact(stop, velocity)'", 2).output, HasSubstr("impact_table = true"));
  EXPECT_THAT(command("plot stop.h5 'histogram(stop, impact_peak)'", 2).output, HasSubstr("with bins"));
}

/// A function of a deck that comes from a result needs a value at every instant.
TEST_F(RecordedPicture, ImpactsAreNoFunctionsOfTime) {
  runImpactOnStop(kWindows);
  folder_.write(
      "next.toml",
      test::bouncer(0.1, "[functions.f]\nresult = \"stop.h5\"\nquantity = \"impact(stop, velocity)\"\n"));
  EXPECT_THAT(command("check next.toml", 2).output, HasSubstr("is no history"));
}

TEST_F(RecordedPicture, APictureIsReplacedByForceOnly) {
  runImpactOnStop("");
  command("plot stop.h5");
  const std::string before = text("stop.svg");
  EXPECT_THAT(command("plot stop.h5 'gap(stop)'", 2).output, HasSubstr("stop.svg: exists; give --force"));
  EXPECT_EQ(text("stop.svg"), before);
  command("plot stop.h5 'gap(stop)' --force");
  EXPECT_NE(text("stop.svg"), before);
}

}  // namespace
}  // namespace ricochet
