// Pictures read back and compared with the plotted numbers.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/datasets.hpp"
#include "verification/support/plot_pictures.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <numbers>
#include <regex>
#include <span>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::DrawnPoint;
using test::DrawnSvg;
using test::kDotRounding;
using test::rowsOf;
using testing::HasSubstr;
using testing::Not;

class PlotPicture : public test::PlotPicture {};

/// A circle of 1 mm at 100 rad/s: two equal springs, x = 1e-3 cos 100 t, y = 1e-3 sin 100 t.
const std::string kCircle =
    "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
    "[[springs]]\nnodes = [\"m\"]\nstiffness = [1e4, 1e4, 0]\n"
    "[[supports]]\nnodes = [\"m\"]\nfixed = [\"uz\"]\n"
    "[initial]\ndisplacement = [ { node = \"m\", value = [1e-3, 0, 0] } ]\n"
    "velocity = [ { node = \"m\", value = [0, 0.1, 0] } ]\n"
    "[transient]\nduration = 10.0\n[output]\ninterval = 0.0005\n";

constexpr double kQuarter = 0.25;

TEST_F(PlotPicture, ACircleIsDrawnAsACircle) {
  folder_.write("circle.toml", kCircle);
  command("run circle.toml -q");
  command("plot circle.h5 'displacement(m, uy)' -x 'displacement(m, ux)'");
  const DrawnSvg svg = picture("circle.svg");
  // Both axes have one unit and one scale.
  EXPECT_NEAR(svg.horizontalDotsPerUnit(), svg.verticalDotsPerUnit(), 1e-3 * svg.verticalDotsPerUnit());
  const double radius = 1e-3 * svg.verticalDotsPerUnit();
  const DrawnPoint middle{svg.across(0.0), svg.up(0.0)};
  EXPECT_GT(radius, 100.0);
  const auto lines = svg.curve(1);
  ASSERT_FALSE(lines.empty());
  double worst = 0.0;
  const auto look = [&](double x, double y) {
    worst = std::max(worst, std::abs(std::hypot(x - middle.x, y - middle.y) - radius));
  };
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) {
      look(line[i].x, line[i].y);
      if (i > 0) look(0.5 * (line[i].x + line[i - 1].x), 0.5 * (line[i].y + line[i - 1].y));
    }
  EXPECT_LT(worst, kQuarter + kDotRounding);
  // No part of the circle is missing.
  for (int i = 0; i < 360; ++i) {
    const double angle = i * std::numbers::pi / 180.0;
    const DrawnPoint exact{middle.x + radius * std::cos(angle), middle.y - radius * std::sin(angle)};
    ASSERT_LT(test::distanceFrom(lines, exact), kQuarter + kDotRounding) << i << " degrees";
  }

  // a history of the same rows keeps its extremes: 1e-3 at the start, and the row nearest to half a turn
  command("plot circle.h5 'displacement(m, ux)' -o history.svg");
  const DrawnSvg history = picture("history.svg");
  double low = 1e9, high = -1e9;
  std::size_t points = 0;
  for (const auto& line : history.curve(1))
    for (const DrawnPoint& point : line) {
      low = std::min(low, point.y);
      high = std::max(high, point.y);
      ++points;
    }
  EXPECT_NEAR(low, history.up(1e-3), 2.0 * kDotRounding);
  EXPECT_NEAR(high, history.up(-1e-3), 2.0 * kDotRounding);
  EXPECT_GT(points, 1000u);
}

/// An ellipse with the axis ratio 1 : 50 is drawn with this ratio.
TEST_F(PlotPicture, AFlatOrbitIsDrawnFlat) {
  std::string deck = kCircle;
  deck.replace(deck.find("0.1, 0]"), 3, "0.002");
  deck.replace(deck.find("10.0"), 4, "0.1");
  folder_.write("flat.toml", deck);
  command("run flat.toml -q");
  command("plot flat.h5 'displacement(m, uy)' -x 'displacement(m, ux)'");
  const DrawnSvg svg = picture("flat.svg");
  EXPECT_NEAR(svg.horizontalDotsPerUnit(), svg.verticalDotsPerUnit(), 2e-3 * svg.verticalDotsPerUnit());
}

/// Quantities with rows at different instants: a panel combines quantities of equal instants, not of equal
/// numbers of rows.
TEST_F(PlotPicture, PairsRowsOfOneInstant) {
  {
    const H5File file = H5File::create(folder_.path() / "rows.h5");
    test::writeHeaderOfResult(file);
    file.write("/physical/time", {4}, std::vector<double>{0.0, 1.0, 2.0, 3.0}, {"s", ""});
    file.writeStrings("/physical/node", {"m"}, {"1", ""});
    file.writeStrings("/physical/component", {"ux"}, {"1", ""});
    file.write("/physical/displacement", {4, 1, 1}, std::vector<double>{0.5, 1.5, 2.5, 3.5}, {"m", ""});
    file.write("/energy/time", {2}, std::vector<double>{1.0, 3.0}, {"s", ""});
    file.write("/energy/kinetic", {2}, std::vector<double>{10.0, 30.0}, {"J", ""});
  }
  const std::string energy = gnuplotInputOf("rows.h5 'energy(kinetic)' -x 'displacement(m, ux)' -o x.svg");
  EXPECT_EQ(rowsOf(energy), (std::vector<std::vector<double>>{{1.5, 10.0}, {3.5, 30.0}}));
  const std::string displacement =
      gnuplotInputOf("rows.h5 'displacement(m, ux)' -x 'energy(kinetic)' -o x.svg");
  EXPECT_EQ(rowsOf(displacement), (std::vector<std::vector<double>>{{10.0, 1.5}, {30.0, 3.5}}));
}

/// A diverged run has rows without a number: the picture has a gap, which a message reports.
TEST_F(PlotPicture, RowsWithoutANumberAreGaps) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  {
    const H5File file = H5File::create(folder_.path() / "gap.h5");
    test::writeHeaderOfResult(file);
    file.write("/energy/time", {6}, std::vector<double>{0, 1, 2, 3, 4, 5}, {"s", ""});
    file.write("/energy/kinetic", {6}, std::vector<double>{1, 3, none, none, 2, 4}, {"J", ""});
    file.write("/energy/elastic", {6}, std::vector<double>(6, none), {"J", ""});
  }
  EXPECT_THAT(command("plot gap.h5 'energy(kinetic)'").output,
              HasSubstr("energy(kinetic): 2 of 6 rows hold no finite number; they are gaps of the curve"));
  const DrawnSvg svg = picture("gap.svg");
  const auto lines = svg.curve(1);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_NEAR(lines[0].back().x, svg.across(1.0), 2.0 * kDotRounding);
  EXPECT_NEAR(lines[1].front().x, svg.across(4.0), 2.0 * kDotRounding);
  EXPECT_NEAR(lines[1].back().y, svg.up(4.0), 2.0 * kDotRounding);
  EXPECT_THAT(command("plot -f gap.h5 'energy(elastic)'", 2).output, HasSubstr("holds a finite number"));
}

/// A mass of 1 kg at 1 m/s strikes a stop of 1e6 N/m 5 mm away and separates half a period later, after 3.14
/// ms. The largest force is v sqrt(k m) = 1000 N.
TEST_F(PlotPicture, SaysThatAPeakLiesBetweenRows) {
  const auto deck = [](const std::string& interval, const std::string& more = {}) {
    return more +
           "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
           "[[supports]]\nnodes = [\"m\"]\nfixed = [\"uy\", \"uz\"]\n"
           "[initial]\nvelocity = [ { node = \"m\", value = [1, 0, 0] } ]\n"
           "[[contacts]]\nname = \"stop\"\nnode = \"m\"\n"
           "obstacle = { type = \"plane\", normal = [-1, 0, 0], gap = 0.005 }\nnormal = { stiffness = 1e6 }\n"
           "[transient]\nduration = 0.1\n[output]\ninterval = " +
           interval + "\n";
  };
  folder_.write("coarse.toml", deck("0.02"));
  command("run coarse.toml -q");
  const std::string force = command("plot coarse.h5 'normal_force(stop)'").output;
  EXPECT_THAT(force,
              HasSubstr("normal_force(stop): archived every 0.02 s; the largest of the run, 1000 N, lies "
                        "between rows, the largest of which is 0 N"));
  EXPECT_THAT(force, HasSubstr("1 of the 1 times that the contact was closed, 0.00314159 s at most"));
  EXPECT_THAT(text("coarse.svg"), HasSubstr("normal_force(stop) (largest of the run, 1000 N, between rows)"));
  EXPECT_THAT(command("plot -f coarse.h5 'gap(stop)'").output, HasSubstr("lie between rows"));
  EXPECT_THAT(command("plot -f coarse.h5 'displacement(m, ux)'").output, Not(HasSubstr("note")));

  folder_.write("fine.toml", deck("0.0001"));
  command("run fine.toml -q");
  EXPECT_EQ(command("plot fine.h5 'normal_force(stop)'").output, "fine.svg\n");

  // Times of contact outside the time that is archived or asked for do not lie between its rows.
  std::string later = deck("0.02");
  later.replace(later.find("interval = 0.02"), 15, "times = [0.02, 0.04, 0.06]");
  folder_.write("later.toml", later);
  command("run later.toml -q");
  const std::string after = command("plot later.h5 'normal_force(stop)'").output;
  EXPECT_THAT(after, HasSubstr("1000 N, lies outside 0.02 s to 0.06 s or between rows"));
  EXPECT_THAT(after, Not(HasSubstr("times that the contact")));
  folder_.write("once.toml", later.replace(later.find("[0.02, 0.04, 0.06]"), 18, "[0.02]"));
  command("run once.toml -q");
  EXPECT_THAT(command("plot once.h5 'normal_force(stop)'").output,
              HasSubstr("archived at one instant; the largest of the run, 1000 N, lies outside"));
  EXPECT_THAT(command("plot -f coarse.h5 'gap(stop)' --from 0.01").output, Not(HasSubstr("note")));

  // With more than 256 contacts the largest forces are a column of a table.
  std::string others;
  for (int i = 0; i < 256; ++i)
    others += fmt::format(
        "[[contacts]]\nname = \"c{}\"\nnode = \"m\"\nobstacle = {{ type = \"plane\", normal "
        "= [-1, 0, 0], gap = 9 }}\nnormal = {{ stiffness = 1 }}\n",
        i);
  folder_.write("many.toml", deck("0.02", others));
  command("run many.toml -q");
  EXPECT_THAT(command("plot many.h5 'normal_force(stop)'").output,
              HasSubstr("the largest of the run, 1000 N, lies between rows"));
}

/// A shoe on a floor with friction, released at 4.8 mm, slips twice for half a period of pi/100 s and sticks.
TEST_F(PlotPicture, ShadesWhereAContactSticksAndSlips) {
  folder_.write("shoe.toml", R"(
nodes = [ { name = "m", position = [0, 0, 0] } ]
masses = [ { nodes = ["m"], mass = 1.0 } ]
springs = [ { nodes = ["m"], stiffness = [1e4, 0, 0] } ]
supports = [ { nodes = "all", fixed = ["uy", "uz"] } ]
[initial]
displacement = [ { node = "m", value = [4.8e-3, 0, 0] } ]
[[contacts]]
name = "floor"
node = "m"
obstacle = { type = "none", normal = [0, 0, 1] }
normal = { force = 20.0 }
friction = { coefficient = 0.5 }
[transient]
duration = 0.2
)");
  command("run shoe.toml -q");
  const std::string told = gnuplotInputOf("shoe.h5 'displacement(m, ux)' -o x.svg");
  std::vector<std::array<double, 2>> bands;
  std::vector<std::string> colours;
  const std::regex pattern("from ([-+.e0-9]+), graph 0 to ([-+.e0-9]+), graph 1 .*rgb '(#[0-9a-f]+)'");
  for (std::sregex_iterator it(told.begin(), told.end(), pattern), end; it != end; ++it) {
    bands.push_back({std::stod((*it)[1]), std::stod((*it)[2])});
    colours.push_back((*it)[3]);
  }
  // Amplitudes decrease by 2 mu N/k = 2 mm in each half period: 4.8, 2.8, 0.8 mm, where 8 N do not exceed 10
  // N.
  const double stop = std::numbers::pi / 50.0;
  ASSERT_EQ(bands.size(), 2u);
  EXPECT_NEAR(bands[0][0], 0.0, 1e-12);
  EXPECT_NEAR(bands[0][1], stop, 1e-9);
  EXPECT_NEAR(bands[1][0], stop, 1e-9);
  EXPECT_NEAR(bands[1][1], 0.2, 1e-12);
  EXPECT_NE(colours[0], colours[1]);
  EXPECT_THAT(told, HasSubstr("'floor sticks'"));
  EXPECT_THAT(told, HasSubstr("'floor slips'"));
}

/// A motion of 1e-15 m beside a motion of 1 m is rounding.
TEST_F(PlotPicture, DrawsRoundingAsZero) {
  folder_.write(
      "two.toml",
      "[[nodes]]\nname = \"a\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"b\"\nposition = [1, 0, 0]\n"
      "[[masses]]\nnodes = \"all\"\nmass = 1.0\n[[springs]]\nnodes = [\"a\"]\nstiffness = [1e4, 1e4, 1e4]\n"
      "[[springs]]\nnodes = [\"b\"]\nstiffness = [1e4, 1e4, 1e4]\n[initial]\ndisplacement = [ { node = "
      "\"a\", "
      "value = [1, 0, 0] }, { node = \"b\", value = [1e-15, 1e-9, 0] } ]\n"
      "[transient]\nduration = 0.1\n[output]\ninterval = 0.01\n");
  command("run two.toml -q");
  EXPECT_THAT(command("plot two.h5 'displacement(b, ux)'").output,
              HasSubstr("displacement(b, ux): is drawn as zero"));
  for (const std::vector<double>& row : rowsOf(gnuplotInputOf("two.h5 'displacement(b, ux)' -o x.svg")))
    EXPECT_EQ(row[1], 0.0);
  EXPECT_EQ(command("plot -f two.h5 'displacement(b, uy)'").output, "two.svg\n");
}

}  // namespace
}  // namespace ricochet
