// Pictures read back and compared with the numbers that they are to show.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/datasets.hpp"
#include "verification/support/drawn_svg.hpp"
#include "verification/support/program.hpp"

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
using testing::HasSubstr;
using testing::Not;

class PlotPicture : public ::testing::Test {
 protected:
  void SetUp() override {
    if (test::runShell("command -v gnuplot").status != 0) GTEST_SKIP() << "no gnuplot";
  }

  CommandOutcome command(const std::string& line, int status = 0) const {
    CommandOutcome outcome = folder_.ricochet(line);
    EXPECT_EQ(outcome.status, status) << line << "\n" << outcome.output;
    return outcome;
  }
  std::string text(const std::string& name) const { return test::readText(folder_.path() / name); }
  DrawnSvg picture(const std::string& name) const { return DrawnSvg(text(name)); }

  /// What gnuplot is told: one that keeps it and gives up.
  std::string toldBy(const std::string& arguments) const {
    folder_.write("gnuplot", "#!/bin/sh\ncat > told\nexit 1\n");
    std::filesystem::permissions(folder_.path() / "gnuplot", std::filesystem::perms::owner_all);
    const CommandOutcome plot = test::runShell(fmt::format(
        "cd '{}' && PATH=\"$PWD:$PATH\" '" RICOCHET_PROGRAM "' plot {}", folder_.path().string(), arguments));
    EXPECT_EQ(plot.status, 2) << plot.output;
    return text("told");
  }

  test::ScratchFolder folder_;
};

/// A circle of 1 mm at 100 rad/s: two equal springs, x = 1e-3 cos 100 t, y = 1e-3 sin 100 t.
const std::string kCircle =
    "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
    "[[springs]]\nnodes = [\"m\"]\nstiffness = [1e4, 1e4, 0]\n"
    "[[supports]]\nnodes = [\"m\"]\nfixed = [\"uz\"]\n"
    "[initial]\ndisplacement = [ { node = \"m\", value = [1e-3, 0, 0] } ]\n"
    "velocity = [ { node = \"m\", value = [0, 0.1, 0] } ]\n"
    "[transient]\nduration = 10.0\n[output]\ninterval = 0.0005\n";

/// gnuplot rounds places to a hundredth of a dot.
constexpr double kDotRounding = 0.015, kQuarter = 0.25;

TEST_F(PlotPicture, ACircleIsDrawnAsACircle) {
  folder_.write("circle.toml", kCircle);
  command("run circle.toml -q");
  command("plot circle.h5 'displacement(m, uy)' -x 'displacement(m, ux)'");
  const DrawnSvg svg = picture("circle.svg");
  EXPECT_NEAR(svg.acrossScale(), svg.upScale(), 1e-3 * svg.upScale());  // one unit, one scale
  const double radius = 1e-3 * svg.upScale();
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
  // and no part of the circle is missing
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

/// An ellipse of 1 : 50 is drawn as flat as it is.
TEST_F(PlotPicture, AFlatOrbitIsDrawnFlat) {
  std::string deck = kCircle;
  deck.replace(deck.find("0.1, 0]"), 3, "0.002");
  deck.replace(deck.find("10.0"), 4, "0.1");
  folder_.write("flat.toml", deck);
  command("run flat.toml -q");
  command("plot flat.h5 'displacement(m, uy)' -x 'displacement(m, ux)'");
  const DrawnSvg svg = picture("flat.svg");
  EXPECT_NEAR(svg.acrossScale(), svg.upScale(), 2e-3 * svg.upScale());
}

/// The cells or dots that gnuplot is told: rows of numbers.
std::vector<std::vector<double>> rowsOf(const std::string& told) {
  std::istringstream stream(told.substr(told.find("\nplot ") + 1));
  std::string line;
  std::getline(stream, line);
  std::vector<std::vector<double>> rows;
  while (std::getline(stream, line) && line != "e") {
    std::istringstream numbers(line);
    rows.emplace_back();
    for (double number = 0.0; numbers >> number;) rows.back().push_back(number);
  }
  return rows;
}

/// Quantities whose rows are not of the same instants: those that are go together, not those of one number.
TEST_F(PlotPicture, PairsRowsOfOneInstant) {
  {
    const H5File file = H5File::create(folder_.path() / "rows.h5");
    test::saysFormat(file);
    file.write("/physical/time", {4}, std::vector<double>{0.0, 1.0, 2.0, 3.0}, {"s", ""});
    file.writeStrings("/physical/node", {"m"}, {"1", ""});
    file.writeStrings("/physical/component", {"ux"}, {"1", ""});
    file.write("/physical/displacement", {4, 1, 1}, std::vector<double>{0.5, 1.5, 2.5, 3.5}, {"m", ""});
    file.write("/energy/time", {2}, std::vector<double>{1.0, 3.0}, {"s", ""});
    file.write("/energy/kinetic", {2}, std::vector<double>{10.0, 30.0}, {"J", ""});
  }
  const std::string energy = toldBy("rows.h5 'energy(kinetic)' -x 'displacement(m, ux)' -o x.svg");
  EXPECT_EQ(rowsOf(energy), (std::vector<std::vector<double>>{{1.5, 10.0}, {3.5, 30.0}}));
  const std::string displacement = toldBy("rows.h5 'displacement(m, ux)' -x 'energy(kinetic)' -o x.svg");
  EXPECT_EQ(rowsOf(displacement), (std::vector<std::vector<double>>{{10.0, 1.5}, {30.0, 3.5}}));
}

/// A diverged run has rows without a number: a gap, which the terminal tells.
TEST_F(PlotPicture, RowsWithoutANumberAreGaps) {
  const double none = std::numeric_limits<double>::quiet_NaN();
  {
    const H5File file = H5File::create(folder_.path() / "gap.h5");
    test::saysFormat(file);
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
  EXPECT_THAT(command("plot gap.h5 'energy(elastic)'", 2).output, HasSubstr("holds a finite number"));
}

/// A mass of 1 kg flies at 1 m/s into a stop of 1e6 N/m, 5 mm away: half a period later, 3.14 ms, it leaves.
/// The largest force is v sqrt(k m) = 1000 N.
TEST_F(PlotPicture, SaysThatAPeakLiesBetweenRows) {
  const auto deck = [](const std::string& interval) {
    return "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
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
  EXPECT_THAT(command("plot coarse.h5 'gap(stop)'").output, HasSubstr("lie between rows"));
  EXPECT_THAT(command("plot coarse.h5 'displacement(m, ux)'").output, Not(HasSubstr("note")));

  folder_.write("fine.toml", deck("0.0001"));
  command("run fine.toml -q");
  EXPECT_EQ(command("plot fine.h5 'normal_force(stop)'").output, "fine.svg\n");
}

/// A shoe on a rough floor, released at 4.8 mm, slips twice half a period of pi/100 s and sticks.
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
  const std::string told = toldBy("shoe.h5 'displacement(m, ux)' -o x.svg");
  std::vector<std::array<double, 2>> bands;
  std::vector<std::string> colours;
  const std::regex pattern("from ([-+.e0-9]+), graph 0 to ([-+.e0-9]+), graph 1 .*rgb '(#[0-9a-f]+)'");
  for (std::sregex_iterator it(told.begin(), told.end(), pattern), end; it != end; ++it) {
    bands.push_back({std::stod((*it)[1]), std::stod((*it)[2])});
    colours.push_back((*it)[3]);
  }
  // amplitudes fall by 2 mu N/k = 2 mm in each half period: 4.8, 2.8, 0.8 mm, where 8 N do not overcome 10 N
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

/// A motion of 1e-15 m beside one of 1 m is rounding.
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
  for (const std::vector<double>& row : rowsOf(toldBy("two.h5 'displacement(b, ux)' -o x.svg")))
    EXPECT_EQ(row[1], 0.0);
  EXPECT_EQ(command("plot two.h5 'displacement(b, uy)'").output, "two.svg\n");
}

/// The sum of three initial displacements, as in a batch whose map over two of them showed the last third.
const std::string kSum =
    "title = \"A sum\"\n"
    "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
    "[[springs]]\nnodes = [\"m\"]\nstiffness = [1e4, 1e4, 1e4]\n"
    "[initial]\ndisplacement = [ { node = \"m\", value = [1, 1, 1] } ]\n"
    "[transient]\nduration = 0.1\n[output]\ninterval = 0.01\n";

std::string levelsOf(const std::string& path, const std::string& values) {
  return fmt::format("\"{}\" = {{ values = [{}] }}\n", path, values);
}

std::string sumOfThree() {
  return kSum + "[batch.parameters]\n" + levelsOf("initial.displacement.0.value.0", "1, 2, 3") +
         levelsOf("initial.displacement.0.value.1", "1, 2, 3") +
         levelsOf("initial.displacement.0.value.2", "100, 0, -50") +
         "[batch.outputs]\nsum = \"at(displacement(m, ux), 0) + at(displacement(m, uy), "
         "0) + at(displacement(m, uz), 0)\"\n";
}

TEST_F(PlotPicture, AMapOverTwoOfThreeParametersShowsTheThirdThatIsAskedFor) {
  folder_.write("sum.toml", sumOfThree());
  command("batch -q sum.toml -o sum.h5");
  for (const double third : {100.0, 0.0, -50.0}) {
    const std::string told = toldBy(fmt::format("--batch sum.h5 -o x.svg --at value.2={}", third));
    const auto rows = rowsOf(told);
    ASSERT_EQ(rows.size(), 9u);
    for (const std::vector<double>& row : rows) {
      ASSERT_EQ(row.size(), 7u);
      EXPECT_NEAR(row[6], row[0] + row[1] + third, 1e-10);
      EXPECT_EQ(row[2], row[0] - 0.5);
      EXPECT_EQ(row[5], row[1] + 0.5);
    }
    EXPECT_THAT(told, HasSubstr(fmt::format("sum; at initial.displacement.0.value.2 = {}'", third)));
  }
  const auto points = rowsOf(toldBy("--batch sum.h5 -x value.2 --at value.0=3 --at value.1=2 -o x.svg"));
  ASSERT_EQ(points.size(), 3u);
  for (const std::vector<double>& point : points) EXPECT_NEAR(point[1], point[0] + 5.0, 1e-10);

  // the lowest and the highest sum have the ends of the scale of colours, and lie in their corners
  command("plot --batch sum.h5 -o sum.svg --at value.2=100");
  const DrawnSvg svg = picture("sum.svg");
  const auto cells = svg.cells();
  ASSERT_EQ(cells.size(), 9u);
  int lowest = 0, highest = 0;
  for (const test::DrawnCell& cell : cells) {
    const bool isLowest = cell.colour == "rgb(44,62,128)", isHighest = cell.colour == "rgb(192,57,43)";
    lowest += isLowest ? 1 : 0;
    highest += isHighest ? 1 : 0;
    if (!isLowest && !isHighest) continue;
    EXPECT_NEAR(cell.left, svg.across(isLowest ? 0.5 : 2.5), 3.0 * kDotRounding);
    EXPECT_NEAR(cell.right, svg.across(isLowest ? 1.5 : 3.5), 3.0 * kDotRounding);
    EXPECT_NEAR(cell.bottom, svg.up(isLowest ? 0.5 : 2.5), 3.0 * kDotRounding);
    EXPECT_NEAR(cell.top, svg.up(isLowest ? 1.5 : 3.5), 3.0 * kDotRounding);
  }
  EXPECT_EQ(lowest, 1);
  EXPECT_EQ(highest, 1);
}

/// Every level of a third parameter has a panel of its own, in one scale of colours: the range of all sums.
TEST_F(PlotPicture, AMapOfThreeParametersHasAPanelForEachLevelOfTheThird) {
  folder_.write("sum.toml", sumOfThree());
  command("batch -q sum.toml -o sum.h5");
  const std::string told = toldBy("--batch sum.h5 -o x.svg");
  const auto rows = rowsOf(told);
  ASSERT_EQ(rows.size(), 27u);
  constexpr std::array kThird{-50.0, 0.0, 100.0};
  for (std::size_t i = 0; i < rows.size(); ++i)
    EXPECT_NEAR(rows[i][6], rows[i][0] + rows[i][1] + kThird[i / 9], 1e-10);
  EXPECT_THAT(told, HasSubstr("set multiplot layout 2,2"));
  EXPECT_THAT(told, HasSubstr("set cbrange [-48:106]"));
  for (const char* third : {"-50", "0", "100"})
    EXPECT_THAT(told, HasSubstr(fmt::format("'at initial.displacement.0.value.2 = {}'", third)));
}

TEST_F(PlotPicture, RefusesAMapInWhichCasesHideEachOther) {
  folder_.write("sum.toml", sumOfThree());
  command("batch -q sum.toml -o sum.h5");
  folder_.write("many.toml",
                kSum + "[batch.parameters]\n" + levelsOf("initial.displacement.0.value.0", "1, 2") +
                    levelsOf("initial.displacement.0.value.1", "1, 2") +
                    levelsOf("initial.displacement.0.value.2", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12") +
                    "[batch.outputs]\nx = \"at(displacement(m, ux), 0)\"\n");
  command("batch -q many.toml -o many.h5");
  const std::string refused = command("plot --batch many.h5", 2).output;
  EXPECT_THAT(refused, HasSubstr("differ in initial.displacement.0.value.2 (0, 1, 2, 3, 4, 5, 6, 7 ... 12)"));
  EXPECT_THAT(refused, HasSubstr("--at \"initial.displacement.0.value.2=0\""));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "sum.svg"));
  const std::string curve = command("plot --batch sum.h5 -x value.0 --at value.2=0", 2).output;
  EXPECT_THAT(curve, HasSubstr("differ in initial.displacement.0.value.1 (1, 2, 3)"));
  const auto says = [&](const std::string& arguments, const std::string& problem) {
    EXPECT_THAT(command("plot --batch sum.h5 -o no.svg " + arguments, 2).output, HasSubstr(problem));
  };
  says("--at value.2=40",
       "no case has this value of initial.displacement.0.value.2; the nearest are 0 and 100");
  says("--at value.2=400", "the nearest is 100, and there are 3: -50, 0, 100");
  says("--at value.2", "write PARAMETER=VALUE");
  says("--at value.2=ten", "write PARAMETER=VALUE");
  says("--at value.7=1", "no parameter \"value.7\"");
  says("--at value.0=1", "initial.displacement.0.value.0 is drawn over");
  says("--at value.2=0 --at value.2=0", "is fixed already");
  EXPECT_THAT(command("plot sum.h5 --at value.2=0", 2).output, HasSubstr("give --batch"));
}

/// Two of ten cases are refused: a mass below zero. Their cells are holes in the range of all cases.
TEST_F(PlotPicture, CasesThatFailedAreHolesOfAMap) {
  folder_.write("holes.toml", kSum + "[batch.parameters]\n" +
                                  levelsOf("masses.0.mass", "-1.0, 1.0, 10.0, 100.0, 1000.0") +
                                  levelsOf("initial.displacement.0.value.0", "1, 2") +
                                  "[batch.outputs]\nx = \"at(displacement(m, ux), 0)\"\n");
  command("batch -q holes.toml -o holes.h5", 1);
  const H5File file = H5File::open(folder_.path() / "holes.h5");
  const std::vector<double> outputs = file.readAny("/batch/outputs").values;
  ASSERT_EQ(outputs.size(), 10u);
  EXPECT_TRUE(std::isnan(outputs[0]));
  EXPECT_TRUE(std::isnan(outputs[1]));
  EXPECT_NEAR(outputs[2], 1.0, 1e-12);

  const std::string told = toldBy("--batch holes.h5 -o x.svg");
  EXPECT_THAT(told, HasSubstr("set title 'A sum'.\"\\n\".'x; left out of 10 cases: 2 failed'"));
  EXPECT_THAT(told, HasSubstr("set xrange [-2:"));  // with the cells of -1, half way to 1
  EXPECT_EQ(rowsOf(told).size(), 8u);
  for (const std::vector<double>& row : rowsOf(told)) EXPECT_NEAR(row[6], row[1], 1e-12);
  command("plot --batch holes.h5 -o holes.svg");
  EXPECT_EQ(picture("holes.svg").cells().size(), 8u);
}

/// Levels in one proportion: cells as wide as each other, from the root of 10 below to that above.
TEST_F(PlotPicture, LogarithmicLevelsHaveALogarithmicAxis) {
  folder_.write("log.toml",
                kSum +
                    "[batch.parameters]\n\"masses.0.mass\" = { from = 1.0, to = 1000.0, count = 4, "
                    "scale = \"logarithmic\" }\n" +
                    levelsOf("initial.displacement.0.value.0", "1, 2") +
                    "[batch.outputs]\nx = \"at(displacement(m, ux), 0)\"\n");
  command("batch -q log.toml -o log.h5");
  const std::string told = toldBy("--batch log.h5 -o x.svg");
  EXPECT_THAT(told, HasSubstr("set logscale x\n"));
  const double half = std::sqrt(10.0);
  for (const std::vector<double>& row : rowsOf(told)) {
    EXPECT_NEAR(row[2], row[0] / half, 1e-9 * row[0]);
    EXPECT_NEAR(row[3], row[0] * half, 1e-9 * row[0]);
  }
}

/// 90 000 cases: none is left out, whatever their number is divided by. Those of one row failed.
TEST_F(PlotPicture, ALargeMapHasAllOfItsCells) {
  constexpr std::size_t kSide = 300, kCases = kSide * kSide;
  std::vector<double> parameters, outputs;
  std::vector<std::int8_t> status;
  for (std::size_t i = 0; i < kCases; ++i) {
    const auto a = static_cast<double>(i / kSide), b = static_cast<double>(i % kSide);
    parameters.insert(parameters.end(), {a, b});
    outputs.push_back(a + 1000.0 * b);
    status.push_back(i / kSide == 7 ? 2 : 1);
  }
  {
    const H5File file = H5File::create(folder_.path() / "large.h5");
    const std::vector<std::string> names{"a", "b"}, output{"sum"};
    test::saysFormat(file);
    file.write("/batch/parameters", {kCases, 2}, parameters, {"1", ""});
    file.setAttribute("/batch/parameters", "names", std::span<const std::string>(names));
    file.write("/batch/outputs", {kCases, 1}, outputs, {"1", ""});
    file.setAttribute("/batch/outputs", "names", std::span<const std::string>(output));
    file.write("/batch/defined", {kCases, 1}, std::vector<std::uint8_t>(kCases, 1), {"1", ""});
    file.write("/batch/status", {kCases}, status, {"1", ""});
  }
  const std::string told = toldBy("--batch large.h5 -o x.svg");
  EXPECT_THAT(told, HasSubstr("set title 'sum; left out of 90000 cases: 300 failed'"));
  const auto rows = rowsOf(told);
  EXPECT_EQ(rows.size(), kCases - kSide);
  for (const std::vector<double>& row : rows) {
    ASSERT_EQ(row[6], row[0] + 1000.0 * row[1]);
    ASSERT_NE(row[0], 7.0);
    ASSERT_EQ(row[3] - row[2], 1.0);  // cells beside the hole do not reach into it
  }
}

}  // namespace
}  // namespace ricochet
