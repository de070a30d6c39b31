// Maps and scatter plots of batches, read back and compared with the plotted numbers.

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
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::DrawnSvg;
using test::kDotRounding;
using test::rowsOf;
using testing::HasSubstr;

class MapPicture : public test::PlotPicture {};

/// The sum of three initial displacements, for a batch whose map over two of them must average over the
/// third.
const std::string kSum =
    "title = \"A sum\"\n"
    "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
    "[[springs]]\nnodes = [\"m\"]\nstiffness = [1e4, 1e4, 1e4]\n"
    "[initial]\ndisplacement = [ { node = \"m\", value = [1, 1, 1] } ]\n"
    "[transient]\nduration = 0.1\n[output]\ninterval = 0.01\n";

std::string levelsOf(const std::string& path, const std::string& values) {
  return fmt::format("\"{}\" = {{ values = [{}] }}\n", path, values);
}

std::string batchOfThreeParameters() {
  return kSum + "[batch.parameters]\n" + levelsOf("initial.displacement.0.value.0", "1, 2, 3") +
         levelsOf("initial.displacement.0.value.1", "1, 2, 3") +
         levelsOf("initial.displacement.0.value.2", "100, 0, -50") +
         "[batch.outputs]\nsum = \"at(displacement(m, ux), 0) + at(displacement(m, uy), "
         "0) + at(displacement(m, uz), 0)\"\n";
}

TEST_F(MapPicture, AMapOverTwoOfThreeParametersShowsTheThirdThatIsAskedFor) {
  folder_.write("sum.toml", batchOfThreeParameters());
  command("batch -q sum.toml -o sum.h5");
  for (const double third : {100.0, 0.0, -50.0}) {
    const std::string told = gnuplotInputOf(fmt::format("--batch sum.h5 -o x.svg --at value.2={}", third));
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
  const auto points =
      rowsOf(gnuplotInputOf("--batch sum.h5 -x value.2 --at value.0=3 --at value.1=2 -o x.svg"));
  ASSERT_EQ(points.size(), 3u);
  for (const std::vector<double>& point : points) EXPECT_NEAR(point[1], point[0] + 5.0, 1e-10);

  // The smallest and the largest sum have the ends of the colour scale, and lie in their corners.
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

/// Every level of a third parameter has its own panel, all with one colour scale: the range of all sums.
TEST_F(MapPicture, AMapOfThreeParametersHasAPanelForEachLevelOfTheThird) {
  folder_.write("sum.toml", batchOfThreeParameters());
  command("batch -q sum.toml -o sum.h5");
  const std::string told = gnuplotInputOf("--batch sum.h5 -o x.svg");
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

/// 27 sums in 2 * 27^(1/3) = 6 bins from -48 to 106, with the quantiles of an explicit list: a + b is 2, 3,
/// 3, 4, 4, 4, 5, 5, 6, beside -50, 0 and 100.
TEST_F(MapPicture, AHistogramCountsTheCasesOfAnOutput) {
  folder_.write("sum.toml", batchOfThreeParameters());
  command("batch -q sum.toml -o sum.h5");
  const std::string told = gnuplotInputOf("--batch sum.h5 --histogram -o x.svg");
  const auto rows = rowsOf(told);
  constexpr std::array kCounts{9.0, 3.0, 6.0, 0.0, 0.0, 9.0};
  ASSERT_EQ(rows.size(), kCounts.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NEAR(rows[i][0], -48.0 + 154.0 / 6.0 * (static_cast<double>(i) + 0.5), 1e-9);
    EXPECT_EQ(rows[i][1], kCounts[i]);
  }
  EXPECT_THAT(told, HasSubstr("27 cases: mean 20.67, standard deviation 63.56; 5 % are below -47, half below "
                              "4, 95 % below 105'"));
  EXPECT_THAT(told, HasSubstr("set ylabel 'number of cases'"));
  const std::string fixed = gnuplotInputOf("--batch sum.h5 --histogram --at value.2=100 -o x.svg");
  EXPECT_THAT(fixed, HasSubstr("'at initial.displacement.0.value.2 = 100; 9 cases: mean 104,"));
  command("plot --batch sum.h5 --histogram -o sum.svg");
  EXPECT_THAT(command("plot --batch sum.h5 --histogram -x value.0 -o no.svg", 2).output,
              HasSubstr("leave -x and -y out"));
  EXPECT_THAT(command("plot sum.h5 --histogram -o no.svg", 2).output, HasSubstr("give --batch"));
}

TEST_F(MapPicture, RefusesAMapInWhichCasesHideEachOther) {
  folder_.write("sum.toml", batchOfThreeParameters());
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

/// Two of ten cases are refused because of a negative mass. Their cells are empty in the range of all cases.
TEST_F(MapPicture, CasesThatFailedAreHolesOfAMap) {
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

  const std::string told = gnuplotInputOf("--batch holes.h5 -o x.svg");
  EXPECT_THAT(told, HasSubstr("title 'A sum'.\"\\n\".'x; left out of 10 cases: 2 failed'"));
  EXPECT_THAT(told, HasSubstr("set xrange [-2:"));  // with the cells of -1, half way to 1
  EXPECT_THAT(told, HasSubstr("'masses.0.mass [kg]'"));
  EXPECT_THAT(told, HasSubstr("'initial.displacement.0.value.0 [m]'"));
  EXPECT_EQ(rowsOf(told).size(), 8u);
  for (const std::vector<double>& row : rowsOf(told)) EXPECT_NEAR(row[6], row[1], 1e-12);
  command("plot --batch holes.h5 -o holes.svg");
  EXPECT_EQ(picture("holes.svg").cells().size(), 8u);
}

/// Levels in a geometric series: cells of equal width, from a factor sqrt(10) below to a factor sqrt(10)
/// above.
TEST_F(MapPicture, LogarithmicLevelsHaveALogarithmicAxis) {
  folder_.write("log.toml",
                kSum +
                    "[batch.parameters]\n\"masses.0.mass\" = { from = 1.0, to = 1000.0, count = 4, "
                    "scale = \"logarithmic\" }\n" +
                    levelsOf("initial.displacement.0.value.0", "1, 2") +
                    "[batch.outputs]\nx = \"at(displacement(m, ux), 0)\"\n");
  command("batch -q log.toml -o log.h5");
  const std::string told = gnuplotInputOf("--batch log.h5 -o x.svg");
  EXPECT_THAT(told, HasSubstr("set logscale x\n"));
  const double half = std::sqrt(10.0);
  for (const std::vector<double>& row : rowsOf(told)) {
    EXPECT_NEAR(row[2], row[0] / half, 1e-9 * row[0]);
    EXPECT_NEAR(row[3], row[0] * half, 1e-9 * row[0]);
  }
}

/// A sample over three decades: a sample that is uniform in the logarithm has a logarithmic axis, a uniform
/// sample has a linear axis.
TEST_F(MapPicture, ASampleHasTheAxisInWhichItIsEven) {
  for (const std::string scale : {"logarithmic", "linear"}) {
    folder_.write("sample.toml",
                  kSum + "[batch]\nmethod = \"latin_hypercube\"\nsamples = 20\n" +
                      "[batch.parameters]\n\"masses.0.mass\" = { from = 1.0, to = 1000.0, scale "
                      "= \"" +
                      scale + "\" }\n[batch.outputs]\nx = \"at(displacement(m, ux), 0)\"\n");
    command("batch -q -f sample.toml -o sample.h5");
    const bool isLogarithmic =
        gnuplotInputOf("--batch sample.h5 -o x.svg").find("set logscale x\n") != std::string::npos;
    EXPECT_EQ(isLogarithmic, scale == "logarithmic");
  }
}

/// 90 000 cases: no case is left out, for any thinning ratio of the picture. The cases of one row failed.
TEST_F(MapPicture, ALargeMapHasAllOfItsCells) {
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
    test::writeHeaderOfResult(file);
    file.write("/batch/parameters", {kCases, 2}, parameters, {"1", ""});
    file.setAttribute("/batch/parameters", "names", std::span<const std::string>(names));
    file.write("/batch/outputs", {kCases, 1}, outputs, {"1", ""});
    file.setAttribute("/batch/outputs", "names", std::span<const std::string>(output));
    file.write("/batch/defined", {kCases, 1}, std::vector<std::uint8_t>(kCases, 1), {"1", ""});
    file.write("/batch/status", {kCases}, status, {"1", ""});
  }
  const std::string told = gnuplotInputOf("--batch large.h5 -o x.svg");
  EXPECT_THAT(told, HasSubstr("title 'sum; left out of 90000 cases: 300 failed'"));
  const auto rows = rowsOf(told);
  EXPECT_EQ(rows.size(), kCases - kSide);
  for (const std::vector<double>& row : rows) {
    ASSERT_EQ(row[6], row[0] + 1000.0 * row[1]);
    ASSERT_NE(row[0], 7.0);
    ASSERT_EQ(row[3] - row[2], 1.0);  // cells beside the empty cell do not cover it
  }
}

}  // namespace
}  // namespace ricochet
