// The parts of a batch: cases, paths, expressions, statistics, variants.

#include "io/app/batch/run_batch.hpp"
#include "io/app/batch/variant_plan.hpp"
#include "io/deck/batch_request.hpp"
#include "io/quantities/batch/parameter_path.hpp"
#include "verification/support/bits.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <set>

namespace ricochet {
namespace {

using testing::HasSubstr;

TEST(ParameterPath, LeadsByNameAndByIndex) {
  Document d = Document::parse(
      "[[masses]]\nmass = 5\n[functions.pull]\nvalues = [1.5, 2.5]\n[[contacts]]\nname = \"so.le\"\n"
      "friction = { dynamic = 0.2 }\n[[checks]]\nreference = 1.0\n",
      "deck");
  ASSERT_NE(findNumericValue(d, "contacts.so.le.friction.dynamic"), nullptr);
  EXPECT_EQ(findNumericValue(d, "contacts.0.friction.dynamic"),
            findNumericValue(d, "contacts.so.le.friction.dynamic"));
  EXPECT_EQ(std::get<double>(findNumericValue(d, "functions.pull.values.1")->content), 2.5);
  EXPECT_EQ(findNumericValue(d, "functions.pull.values.2"), nullptr);
  EXPECT_EQ(findNumericValue(d, "functions.pull.values"), nullptr);
  EXPECT_EQ(findNumericValue(d, "checks.0.reference"), nullptr);
  EXPECT_THAT(describeMissingNumber(d, "contacts.so.le.friction.dynamik"),
              HasSubstr("contacts.so.le.friction.dynamic"));

  replaceNumberInDeck(*findNumericValue(d, "masses.0.mass"), 7.0);
  EXPECT_EQ(std::get<std::int64_t>(findNumericValue(d, "masses.0.mass")->content), 7);
  replaceNumberInDeck(*findNumericValue(d, "masses.0.mass"), 7.5);
  EXPECT_EQ(std::get<double>(findNumericValue(d, "masses.0.mass")->content), 7.5);
}

BatchParameter& addParameter(BatchRequest& request, const char* path) {
  BatchParameter& made = request.parameters.emplace_back();
  made.path = path;
  return made;
}

TEST(BatchCases, GridVariesItsLastParameterFastest) {
  BatchRequest request;
  addParameter(request, "a").levels = {1, 2};
  addParameter(request, "b").levels = {3, 4, 5};
  EXPECT_EQ(parameterValuesOfCases(request), (std::vector<double>{1, 3, 1, 4, 1, 5, 2, 3, 2, 4, 2, 5}));
}

/// Every stratum of every parameter holds one case, and other seeds give other cases.
TEST(BatchCases, LatinHypercubeFillsEveryStratumOnce) {
  BatchRequest request;
  request.method = BatchRequest::Method::latinHypercube;
  request.samples = 50;
  BatchParameter& linear = addParameter(request, "a");
  linear.from = -1.0;
  linear.to = 4.0;
  BatchParameter& logarithmic = addParameter(request, "b");
  logarithmic.from = 1e3;
  logarithmic.to = 1e5;
  logarithmic.logarithmic = true;
  const std::vector<double> values = parameterValuesOfCases(request);
  std::set<int> first, second;
  for (std::size_t i = 0; i < request.samples; ++i) {
    first.insert(static_cast<int>((values[2 * i] + 1.0) / 5.0 * 50.0));
    second.insert(static_cast<int>(std::log(values[2 * i + 1] / 1e3) / std::log(100.0) * 50.0));
  }
  EXPECT_EQ(first.size(), 50u);
  EXPECT_EQ(second.size(), 50u);
  EXPECT_EQ(*first.begin(), 0);
  EXPECT_EQ(*second.rbegin(), 49);
  request.seed = 2;
  EXPECT_NE(parameterValuesOfCases(request), values);
}

/// x = 0.004 cos(w t), w = 100 rad/s; the stops at 5 mm are never reached.
std::string oscillatorDeck(const std::string& scheme, const std::string& batch) {
  std::string deck = test::bouncer(0.125, batch);
  deck.replace(deck.find("0.125"), 8, fmt::format("{}", 0.2 * std::numbers::pi));
  deck.replace(deck.find("0.009"), 5, "0.004");
  const std::string old = "scheme = \"kick_drift\"\nstep = 1.0e-5";
  deck.replace(deck.find(old), old.size(), scheme);
  return deck;
}

const std::string kSwingOutputs =
    "[batch.outputs]\n"
    "top = \"max(displacement(ball, ux))\"\n"
    "low = \"min(displacement(ball, ux))\"\n"
    "swing = \"peak_to_peak(velocity(ball, ux))\"\n"
    "mean_size = \"mean(abs(displacement(ball, ux)))\"\n"
    "rms = \"rms(displacement(ball, ux))\"\n"
    "at = \"at(displacement(ball, ux), 0.01)\"\n"
    "end = \"last(velocity(ball, ux))\"\n"
    "square = \"max(displacement(ball, ux)^2 + (velocity(ball, ux)/100)^2)\"\n"
    "touches = \"event_count(stops, closing)\"\n"
    "never = \"event_time(stops, closing)\"\n";

struct Results {
  BatchSummary summary;
  std::vector<double> outputs;
  std::vector<std::uint8_t> defined;
  std::size_t width;
  std::span<const double> caseOf(std::size_t i) const { return std::span(outputs).subspan(i * width, width); }
};

Results runBatchIn(const test::ScratchFolder& folder, const std::string& deck, int threads = 1) {
  const VariantPlan plan(folder.write("deck.toml", deck));
  const std::filesystem::path file = folder.path() / fmt::format("result{}.h5", threads);
  Results results;
  results.summary = runBatch(plan, {.result = file, .force = true, .progress = false, .threads = threads});
  const H5File content = H5File::open(file);
  results.outputs = content.readAny("/batch/outputs").values;
  results.defined = content.readAny<std::uint8_t>("/batch/defined").values;
  results.width = plan.batchRequest().outputs.size();
  return results;
}

/// The mean of a magnitude has kinks inside the steps, which are located by bisection, so that the tolerance
/// is larger.
void expectSwing(std::span<const double> outputs, double amplitude, double tolerance) {
  const double pi = std::numbers::pi;
  const double expected[] = {amplitude,
                             -amplitude,
                             200.0 * amplitude,
                             2.0 / pi * amplitude,
                             amplitude / std::sqrt(2.0),
                             amplitude * std::cos(1.0),
                             0.0,
                             amplitude * amplitude,
                             0.0};
  const double scale[] = {amplitude, amplitude, 200.0 * amplitude,     amplitude, amplitude,
                          amplitude, amplitude, amplitude * amplitude, 1.0};
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NEAR(outputs[i], expected[i],
                (i == 3 ? std::max(tolerance, 1e-6) : tolerance) * scale[i] * (i == 6 ? 100.0 : 1.0))
        << "output " << i;
}

/// Exactly ten periods: closed forms of every reduction.
TEST(BatchRun, EventStatisticsAreThoseOfTheMotion) {
  const test::ScratchFolder folder;
  const Results r = runBatchIn(folder, oscillatorDeck("scheme = \"event\"",
                                                      "[batch.parameters]\n"
                                                      "\"initial.displacement.0.value.0\" = "
                                                      "{ values = [0.004, 0.001] }\n" +
                                                          kSwingOutputs));
  ASSERT_EQ(r.summary.complete, 2u);
  for (std::size_t i = 0; i < 2; ++i) {
    expectSwing(r.caseOf(i), i == 0 ? 0.004 : 0.001, 1e-11);
    EXPECT_EQ(r.defined[i * r.width + 9], 0);  // no event, hence no instant
    EXPECT_TRUE(std::isnan(r.caseOf(i)[9]));
    EXPECT_EQ(r.defined[i * r.width + 8], 1);
  }
}

/// Windows of x = a cos(w t) that begin and end inside steps: x decreases from cos(0.3) a to cos(2) a, and
/// has its minimum in the second window; a window after the end of a shorter run has no value.
TEST(BatchRun, OutputsOfWindowsAreThoseOfTheMotion) {
  const test::ScratchFolder folder;
  const std::string outputs =
      "[batch.parameters]\n\"transient.duration\" = { values = [0.628, 0.024] }\n[batch.outputs]\n"
      "high = \"max(displacement(ball, ux), from = 0.003, to = 0.02)\"\n"
      "low = \"min(displacement(ball, ux), from = 0.003, to = 0.02)\"\n"
      "mean = \"mean(displacement(ball, ux), from = 0.003, to = 0.02)\"\n"
      "rms = \"rms(displacement(ball, ux), to = 0.02)\"\n"
      "size = \"max(abs(displacement(ball, ux)), from = 0.025, to = 0.035)\"\n"
      "square = \"max(displacement(ball, ux)^2, from = 0.003, to = 0.02)\"\n";
  const double a = 0.004;
  const double expected[] = {a * std::cos(0.3),
                             a * std::cos(2.0),
                             a * (std::sin(2.0) - std::sin(0.3)) / 1.7,
                             a * std::sqrt(0.5 + std::sin(4.0) / 8.0),
                             a,
                             a * a * std::pow(std::cos(0.3), 2)};
  const auto expectWindows = [&](const std::string& scheme, double tolerance) {
    const Results r = runBatchIn(folder, oscillatorDeck(scheme, outputs));
    ASSERT_EQ(r.summary.complete, 2u);
    for (std::size_t i = 0; i < std::size(expected); ++i)
      EXPECT_NEAR(r.caseOf(0)[i], expected[i], tolerance * (i == 5 ? a * a : a))
          << scheme << ", output " << i;
    EXPECT_EQ(r.defined[r.width + 4], 0);
    EXPECT_NEAR(r.caseOf(1)[2], expected[2], tolerance * a);
  };
  expectWindows("scheme = \"event\"", 1e-11);
  expectWindows("scheme = \"kick_drift\"\nstep = 4e-5", 16e-6);
}

/// Formulas that are affine in a motion, and formulas that are not: closed forms of x = a cos(w t), v = -w a
/// sin(w t).
TEST(BatchRun, EventExtremesOfFormulasAreThoseOfTheMotion) {
  const test::ScratchFolder folder;
  const Results r =
      runBatchIn(folder, oscillatorDeck("scheme = \"event\"",
                                        "[batch.parameters]\n\"masses.0.mass\" = { values = [2.0] }\n"
                                        "[batch.outputs]\n"
                                        "shifted = \"max(0.001 - 2*displacement(ball, ux))\"\n"
                                        "size = \"max(abs(displacement(ball, ux) - 0.001))\"\n"
                                        "least = \"min(abs(displacement(ball, ux) - 0.006))\"\n"
                                        "crossed = \"min(abs(displacement(ball, ux) - 0.001))\"\n"
                                        "both = \"max(displacement(ball, ux) + velocity(ball, ux)/100)\"\n"
                                        "pull = \"max(acceleration(ball, ux))\"\n"
                                        "gap = \"min(gap(stops))\"\n"
                                        "mean = \"mean(velocity(ball, ux) + 0.5)\"\n"
                                        "rms = \"rms(velocity(ball, ux))\"\n"));
  ASSERT_EQ(r.summary.complete, 1u);
  const double a = 0.004, expected[] = {0.001 + 2.0 * a,           a + 0.001, 0.006 - a, 0.0,
                                        std::sqrt(2.0) * a,        1e4 * a,   0.005 - a, 0.5,
                                        100.0 * a / std::sqrt(2.0)};
  const double scale[] = {a, a, a, a, a, 1e4 * a, a, 1.0, 100.0 * a};
  // A gap has a kink where the nearest side changes: its extremes are those of parabolas.
  for (std::size_t i = 0; i < std::size(expected); ++i)
    EXPECT_NEAR(r.caseOf(0)[i], expected[i], (i == 6 ? 1e-3 : 1e-11) * scale[i]) << "output " << i;
}

/// kick_drift is exact for the free structure, so that errors are due to interpolation between the ends of
/// steps: the error of a maximum by the cubic is below (w h)^4, that of kinks and integrals below (w h)^2.
TEST(BatchRun, StepStatisticsConvergeWithTheStep) {
  const test::ScratchFolder folder;
  for (const double step : {4e-4, 2e-4, 1e-4}) {
    const Results r = runBatchIn(
        folder,
        oscillatorDeck(fmt::format("scheme = \"kick_drift\"\nstep = {}", step),
                       "[batch.parameters]\n\"masses.0.mass\" = { values = [2.0] }\n" + kSwingOutputs));
    const double phase = 100.0 * step;
    EXPECT_LT(std::abs(r.caseOf(0)[1] / 0.004 + 1.0), std::pow(phase, 4));
    EXPECT_LT(std::abs(r.caseOf(0)[3] / 0.004 - 2.0 / std::numbers::pi), phase * phase);
    expectSwing(r.caseOf(0), 0.004, phase * phase);
  }
}

/// A ball of 2 kg starts 4 mm deep in a stop: the energy in the stop and in the spring of 2e4 N/m is kinetic
/// at the middle.
TEST(BatchRun, EveryVariantHasItsStiffnessOfTheStops) {
  const test::ScratchFolder folder;
  std::string deck = oscillatorDeck(
      "scheme = \"event\"",
      "[batch.parameters]\n\"contacts.stops.normal.stiffness\" = { values = [1e5, 2e5, 4e5, 5e4] }\n"
      "[batch.outputs]\nfastest = \"max(velocity(ball, ux))\"\n");
  const Results r = runBatchIn(folder, deck.replace(deck.find("0.004"), 5, "0.009"));
  ASSERT_EQ(r.summary.complete, 4u);
  const double stiffness[] = {1e5, 2e5, 4e5, 5e4};
  for (std::size_t i = 0; i < 4; ++i) {
    const double fastest = std::sqrt((2e4 * 0.009 * 0.009 + stiffness[i] * 0.004 * 0.004) / 2.0);
    EXPECT_NEAR(r.caseOf(i)[0], fastest, 1e-11 * fastest) << i;
  }
}

/// SDND106 without its stick spring; a ramp load grows until k x2 = mu_s N.
std::string shoeDeck(const std::string& more, const std::string& run = "scheme = \"event\"") {
  return "[[nodes]]\nname = \"shoe\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"puller\"\nposition = [1, 0, "
         "0]\n"
         "[[masses]]\nnodes = \"all\"\nmass = 5.0\n"
         "[[springs]]\nnodes = [\"shoe\", \"puller\"]\nstiffness = [1.0e4, 0, 0]\n"
         "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[basis]\nall = true\n"
         "[functions.pull]\ntimes = [0.0, 0.2, 0.2]\nvalues = [0.0, 3000.0, 0.0]\nafter = \"constant\"\n"
         "[[loads]]\nnodes = [\"puller\"]\nforce = [1.0, 0, 0]\nscale = \"pull\"\n"
         "[[contacts]]\nname = \"sole\"\nnode = \"shoe\"\nobstacle = { type = \"none\", normal = [0, 0, 1] "
         "}\n"
         "normal = { force = 1.0e3 }\nfriction = { static = 0.3, dynamic = 0.2 }\n"
         "[transient]\nduration = 0.35\n" +
         run + "\n[output]\ninterval = 0.07\n" + more;
}

/// x2 = (a/k)(t - sin(w t)/w) with the shoe at rest, a = 15000 N/s, w^2 = k/m.
double breakawayInstant(double muStatic) {
  const double w = std::sqrt(2000.0);
  double low = 0.0;
  double high = 0.2;
  for (int i = 0; i < 100; ++i) {
    const double t = 0.5 * (low + high);
    (15000.0 * (t - std::sin(w * t) / w) < muStatic * 1e3 ? low : high) = t;
  }
  return low;
}

const std::string kShoeBatch =
    "[batch.parameters]\n"
    "\"contacts.sole.friction.static\" = { from = 0.2, to = 0.4, count = 5 }\n"
    "\"contacts.sole.friction.dynamic\" = { values = [0.1, 0.15, 0.25] }\n"
    "[batch.outputs]\n"
    "t1 = \"event_time(sole, stick_to_slip)\"\n"
    "x = \"last(displacement(shoe, ux))\"\n"
    "peak = \"max(velocity(shoe, ux))\"\n"
    "work = \"friction_energy(sole)/(0.35*wear_power(sole))\"\n"
    "ledger = \"energy_error()\"\n"
    "[batch.histories]\nslip = \"displacement(shoe, ux) - displacement(puller, ux)\"\n";

TEST(BatchRun, EveryVariantBreaksAwayWhereItMust) {
  const test::ScratchFolder folder;
  const Results r = runBatchIn(folder, shoeDeck(kShoeBatch));
  EXPECT_EQ(r.summary.complete, 14u);
  // Static coefficient 0.2 below the dynamic coefficient 0.25.
  ASSERT_EQ(r.summary.failed, std::vector<std::size_t>{2});
  EXPECT_THAT(r.summary.reasons[0], HasSubstr("must be at least the dynamic coefficient 0.25"));
  for (std::size_t i = 0; i < 15; ++i) {
    if (i == 2) continue;
    const double muStatic = 0.2 + 0.05 * static_cast<double>(i / 3);
    EXPECT_NEAR(r.caseOf(i)[0], breakawayInstant(muStatic), 1e-12) << i;
    const double muDynamic = std::array{0.1, 0.15, 0.25}[i % 3];
    EXPECT_NEAR(r.caseOf(i)[3], muDynamic, 1e-12) << i;  // mu N |s'| over N |s'|
    EXPECT_LT(r.caseOf(i)[4], 1e-12) << i;
  }
  EXPECT_EQ(r.defined[2 * r.width], 0);
  for (const double value : r.caseOf(2)) EXPECT_TRUE(std::isnan(value));
}

/// A variant alone has the same bits as after other variants, whether its numbers are written into the laws,
/// the deck is read again or the basis is recomputed.
TEST(BatchRun, GivesTheBitsOfASingleRun) {
  const test::ScratchFolder folder;
  const std::string outputs = kShoeBatch.substr(kShoeBatch.find("[batch.outputs]"));
  for (const char* run : {"scheme = \"event\"", "scheme = \"moreau\"\nstep = 1e-4"}) {
    for (const auto& [path, values] :
         {std::pair{"contacts.sole.friction.static", "0.3, 0.35"}, std::pair{"loads.0.force.0", "1.0, 1.25"},
          std::pair{"masses.0.mass", "5.0, 4.0"}, std::pair{"contacts.sole.normal.force", "1e3, 900.0"}}) {
      const auto batch = [&, key = path](const std::string& list) {
        return fmt::format("[batch.parameters]\n\"{}\" = {{ values = [{}] }}\n{}", key, list, outputs);
      };
      const std::string text = values;
      const Results both = runBatchIn(folder, shoeDeck(batch(text), run));
      const Results alone = runBatchIn(folder, shoeDeck(batch(text.substr(text.find(',') + 2)), run));
      ASSERT_EQ(both.summary.complete, 2u) << path;
      EXPECT_NE(std::vector(both.caseOf(0).begin(), both.caseOf(0).end()), alone.outputs) << path << run;
      EXPECT_EQ(std::vector(both.caseOf(1).begin(), both.caseOf(1).end()), alone.outputs) << path << run;
    }
  }
}

/// Explicit schemes run eight variants in lanes: each has the same bits as alone.
TEST(BatchRun, LanesGiveTheBitsOfASingleRun) {
  const test::ScratchFolder folder;
  for (const char* scheme : {"kick_drift", "central_difference"})
    for (const auto& [path, first, by] :
         {std::tuple{"contacts.stops.obstacle.gap", 0.002, 4e-4},
          std::tuple{"contacts.stops.normal.stiffness", 1e4, 3e4},
          std::tuple{"transient.duration", 0.4, 0.02}, std::tuple{"transient.step", 1e-4, 2e-6}}) {
      const auto batch = [&, key = path](const std::string& list) {
        std::string deck = oscillatorDeck(
            fmt::format("scheme = \"{}\"\nstep = 1e-4", scheme),
            fmt::format("[batch.parameters]\n\"{}\" = {{ values = [{}] }}\n{}", key, list, kSwingOutputs));
        return deck.replace(deck.find("0.004"), 5, "0.009");
      };
      std::vector<std::string> values;
      for (int i = 0; i < 21; ++i) values.push_back(fmt::format("{}", first + by * i));
      const Results all = runBatchIn(folder, batch(fmt::format("{}", fmt::join(values, ", "))));
      ASSERT_EQ(all.summary.complete, values.size());
      EXPECT_GT(all.caseOf(0)[8], 10.0);  // closings
      for (std::size_t i = 0; i < values.size(); i += 5)
        EXPECT_EQ(test::bitPatternsOf(all.caseOf(i)),
                  test::bitPatternsOf(runBatchIn(folder, batch(values[i])).outputs))
            << scheme << " " << path << " " << values[i];
    }
}

TEST(BatchRun, DoesNotDependOnTheNumberOfThreads) {
  const test::ScratchFolder folder;
  std::string deck = shoeDeck(kShoeBatch);
  deck.replace(deck.find("count = 5"), 9, "count = 60");
  const Results one = runBatchIn(folder, deck, 1);
  const Results three = runBatchIn(folder, deck, 3);
  EXPECT_EQ(test::bitPatternsOf(one.outputs), test::bitPatternsOf(three.outputs));
  EXPECT_EQ(one.defined, three.defined);
  const H5File a = H5File::open(folder.path() / "result1.h5"), b = H5File::open(folder.path() / "result3.h5");
  EXPECT_EQ(test::bitPatternsOf(a.readAny("/batch/histories/slip").values),
            test::bitPatternsOf(b.readAny("/batch/histories/slip").values));
  EXPECT_EQ(a.readAny("/batch/histories/slip").shape, (H5Shape{180, 6}));
  EXPECT_EQ(a.readAny<std::int8_t>("/batch/status").values, b.readAny<std::int8_t>("/batch/status").values);
  EXPECT_EQ(a.readAny<std::int64_t>("/batch/failures/case").values,
            b.readAny<std::int64_t>("/batch/failures/case").values);
}

TEST(BatchRun, GoesOnPastAVariantThatDiverges) {
  const test::ScratchFolder folder;
  // A negative stiffness between the masses: exp(63 t) overflows after 11 s.
  const Results r = runBatchIn(
      folder,
      oscillatorDeck("scheme = \"central_difference\"\nstep = 1e-3",
                     "[batch.parameters]\n\"springs.0.stiffness.0\" = { values = [2.0e4, -1.0e6, 1.0e4] }\n"
                     "\"transient.duration\" = { values = [2.0] }\n"
                     "[batch.outputs]\ntop = \"max(displacement(ball, ux))\"\n"));
  EXPECT_EQ(r.summary.complete + r.summary.failed.size(), 3u);
  ASSERT_EQ(r.summary.failed, std::vector<std::size_t>{1});
  EXPECT_FALSE(r.summary.reasons[0].empty());
  EXPECT_TRUE(std::isnan(r.caseOf(1)[0]));
  EXPECT_EQ(r.defined[1], 0);
  EXPECT_NEAR(r.caseOf(2)[0], 0.004, 1e-5);
}

}  // namespace
}  // namespace ricochet
