// Random excitation from a spectral density, and loads from histories of an earlier run.

#include "engine/functions/random_signal.hpp"

#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>

namespace ricochet {
namespace {

const SpectralDensity kDensity{{10.0, 40.0, 60.0}, {0.0, 3.0, 1.0}};

double meanSquare(const RandomSignal& signal) {
  double sum = 0.0;
  for (std::size_t i = 0; i + 1 < signal.values.size(); ++i) sum += signal.values[i] * signal.values[i];
  return sum / static_cast<double>(signal.values.size() - 1);
}

/// Integral of the density by trapezia, 45 + 40 square units, for any period; also for bands narrower than
/// the spacing of lines.
TEST(RandomSignal, HasTheMeanSquareOfItsDensity) {
  for (const std::uint64_t seed : {1U, 2U, 77U}) {
    const RandomSignal signal = generateRandomSignal(kDensity, 4.0, seed);
    EXPECT_NEAR(meanSquare(signal), 85.0, 1e-12 * 85.0);
    for (const double period : {0.5, 0.77, 1.0})
      EXPECT_NEAR(meanSquare(generateRandomSignal(kDensity, period, seed)), 85.0, 1e-11);
    EXPECT_NEAR(meanSquare(generateRandomSignal({{10.3, 11.9}, {1.0, 1.0}}, 1.0, seed)), 1.6, 1e-13);
    EXPECT_NEAR(meanSquare(generateRandomSignal({{0.1, 1.2}, {1.0, 1.0}}, 1.0, seed)), 1.1, 1e-13);
    EXPECT_EQ(signal.values.front(), signal.values.back());
    EXPECT_EQ(signal.times.back(), 4.0);
    EXPECT_LE(signal.times[1], 1.0 / (64.0 * 60.0));
    EXPECT_NEAR(std::accumulate(signal.values.begin(), signal.values.end() - 1, 0.0), 0.0, 1e-8);
  }
}

/// Variance of the band of half a hertz around line k, by 1000 trapezia.
double bandVariance(int k) {
  constexpr int kParts = 1000;
  double sum = 0.0;
  for (int i = 0; i < kParts; ++i) sum += kDensity.at((k - 0.5 + (i + 0.5) / kParts) / 2.0) / (2.0 * kParts);
  return sum;
}

/// The harmonics of the signal, by projection, have the variance of the band around each line.
TEST(RandomSignal, HasTheSpectrumOfItsDensity) {
  const RandomSignal signal = generateRandomSignal(kDensity, 2.0, 5);
  const std::size_t points = signal.values.size() - 1;
  for (const int k : {10, 25, 80, 100, 119, 120, 121, 150}) {
    double c = 0.0, s = 0.0;
    for (std::size_t i = 0; i < points; ++i) {
      const double phase = 2.0 * std::numbers::pi * k * static_cast<double>(i) / static_cast<double>(points);
      c += signal.values[i] * std::cos(phase);
      s += signal.values[i] * std::sin(phase);
    }
    const double power = 2.0 * (c * c + s * s) / std::pow(static_cast<double>(points), 2);
    EXPECT_NEAR(power, bandVariance(k), 1e-6) << k;
  }
}

TEST(RandomSignal, LiesOnTheStepsOfARun) {
  EXPECT_EQ(generateRandomSignal(kDensity, 1.0, 3).times.size(), 5001u);   // 2e-4 s, below 1/3840 s
  EXPECT_EQ(generateRandomSignal(kDensity, 0.35, 3).times.size(), 1751u);  // 2e-4 s
  EXPECT_EQ(generateRandomSignal(kDensity, std::sqrt(2.0), 3).times.size(), 8193u);
}

TEST(RandomSignal, IsTheSameForASeedAndAnotherForAnother) {
  const RandomSignal a = generateRandomSignal(kDensity, 1.0, 3), b = generateRandomSignal(kDensity, 1.0, 3),
                     c = generateRandomSignal(kDensity, 1.0, 4);
  EXPECT_EQ(a.values, b.values);
  EXPECT_NE(a.values, c.values);
  double product = 0.0;  // signals of different seeds are not correlated, up to 1/sqrt(harmonics)
  for (std::size_t i = 0; i + 1 < a.values.size(); ++i) product += a.values[i] * c.values[i];
  product /= static_cast<double>(a.values.size() - 1);
  EXPECT_LT(std::abs(product), 0.5 * meanSquare(a));
}

TEST(FunctionOfADeck, IsARandomSignalOverTheRun) {
  const test::ScratchFolder folder;
  const Deck study = readDeck(folder.write(
      "deck.toml",
      test::bouncer(2.0,
                    "[functions.wind]\npsd = { frequency = [0, 50], density = [2, 2] }\nseed "
                    "= 9\n[[loads]]\nnodes = [\"ball\"]\nforce = [1, 0, 0]\nscale = \"wind\"\n")));
  const TimeFunction& wind = study.loads.front().scale;
  double sum = 0.0;
  constexpr int kPoints = 100000;
  for (int i = 0; i < kPoints; ++i) sum += std::pow(wind.at(2.0 * (i + 0.5) / kPoints), 2);
  // Linear interpolation between points reduces the variance slightly.
  EXPECT_NEAR(sum / kPoints, 100.0, 0.2);
  EXPECT_TRUE(wind.isDefined(0.0, 2.0));
}

TEST(FunctionOfADeck, IsAHistoryOfAnEarlierRun) {
  const test::ScratchFolder folder;
  folder.write("first.toml", test::bouncer(0.2));
  ASSERT_EQ(folder.ricochet("run first.toml -q").status, 0);
  const H5File first = H5File::open(folder.path() / "first.h5");
  const std::vector<double> times = first.readAny("/contacts/stops/time").values,
                            forces = first.readAny("/contacts/stops/normal_force").values;
  const std::string load =
      "[functions.again]\nresult = \"first.h5\"\nquantity = \"normal_force(stops)\"\nafter = \"zero\"\n"
      "[[loads]]\nnodes = [\"ball\"]\nforce = [1, 0, 0]\nscale = \"again\"\n";
  const Deck study = readDeck(folder.write("second.toml", test::bouncer(0.3, load)));
  const TimeFunction& again = study.loads.front().scale;
  double largest = 0.0;
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(again.at(times[i]), i + 1 < times.size() ? forces[i] : again.at(times[i]));
    largest = std::max(largest, forces[i]);
  }
  EXPECT_GT(largest, 1.0);
  EXPECT_EQ(again.at(0.25), 0.0);
  std::string wrong = test::bouncer(0.3, load);
  wrong.replace(wrong.find("(stops)"), 7, "(stps)");
  const test::CommandOutcome outcome =
      folder.ricochet("check " + folder.write("third.toml", wrong).filename().string());
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(
      outcome.output,
      testing::HasSubstr(
          "functions.again.quantity: normal_force(stps): no contact \"stps\"; did you mean \"stops\"?"));
}

}  // namespace
}  // namespace ricochet
