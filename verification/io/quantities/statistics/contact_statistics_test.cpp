// Statistics of contacts over windows: closed forms, windows, how rows are archived.

#include "io/app/runs/run_study.hpp"
#include "verification/support/deck_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numbers>
#include <string>

namespace ricochet {
namespace {

constexpr double kPi = std::numbers::pi;

RunSummary summaryOf(const std::string& deck) {
  const Deck study = test::studyOf(deck);
  return runStudy(study, *prepare(study), nullptr, false);
}

/// A statistic of the only selected contact; window 0 is the whole run.
double statisticOf(const RunSummary& summary, std::string_view name, std::size_t window = 0,
                   const WearRequest* wear = nullptr) {
  return statisticColumn(name)->value(summary.statistics.front().windows[window], wear);
}

/// SDND101: 100 kg on a spring of 1e4 N/m with 1 m/s at a wall of 1e6 N/m, in contact at the start: half a
/// period at w in the wall, half a period at w0 outside, and so on.
struct Thrown {
  double w{std::sqrt(1.01e4)};  // [rad/s]
  double w0{10.0};
  double inside{kPi / w};  // [s]
  double outside{kPi / w0};
  double stiffness{1e6};

  static std::string deck(const std::string& run, const std::string& statistics = "[statistics]\n") {
    return "[[nodes]]\nname = \"mass\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = \"all\"\nmass = 100.0\n"
           "[[springs]]\nnodes = [\"mass\"]\nstiffness = [1.0e4, 0, 0]\n"
           "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[basis]\nall = true\n"
           "[initial]\nvelocity = [ { node = \"mass\", value = [1, 0, 0] } ]\n"
           "[[contacts]]\nname = \"wall\"\nnode = \"mass\"\n"
           "obstacle = { type = \"plane\", normal = [-1, 0, 0], point = [0, 0, 0] }\n"
           "normal = { stiffness = 1.0e6 }\n[transient]\n" +
           run + "\n" + statistics;
  }
};

const std::string kEvent = "duration = 1.0\nscheme = \"event\"\n";

TEST(ContactStatistics, OfAMassThrownAtAWallAreItsClosedForm) {
  const Thrown exact;
  const RunSummary summary = summaryOf(Thrown::deck(kEvent));
  // The contact closes at 0, 0.345 and 0.691 s; the last impact ends at 0.722 s.
  EXPECT_EQ(statisticOf(summary, "impacts"), 3.0);
  EXPECT_EQ(statisticOf(summary, "global_impacts"), 3.0);
  const double peak = exact.stiffness / exact.w;
  EXPECT_NEAR(statisticOf(summary, "peak_force"), peak, 1e-10 * peak);
  EXPECT_NEAR(statisticOf(summary, "impact_peak_mean"), peak, 1e-10 * peak);
  EXPECT_NEAR(statisticOf(summary, "impact_velocity_mean"), 1.0, 1e-10);
  EXPECT_NEAR(statisticOf(summary, "impact_velocity_max"), 1.0, 1e-10);
  EXPECT_NEAR(statisticOf(summary, "impact_duration_mean"), exact.inside, 1e-10 * exact.inside);
  EXPECT_NEAR(statisticOf(summary, "impact_duration_max"), exact.inside, 1e-10 * exact.inside);
  const double impulse = 2.0 * exact.stiffness / (exact.w * exact.w);
  EXPECT_NEAR(statisticOf(summary, "impact_impulse_mean"), impulse, 1e-10 * impulse);
  EXPECT_NEAR(statisticOf(summary, "impulse"), 3.0 * impulse, 3e-10 * impulse);
  EXPECT_NEAR(statisticOf(summary, "share_slip"), 3.0 * exact.inside, 1e-10);
  EXPECT_NEAR(statisticOf(summary, "share_open"), 1.0 - 3.0 * exact.inside, 1e-10);
  // The mean of sin^2 over half a period is 1/2.
  const double square = 1.5 * exact.inside * peak * peak;
  EXPECT_NEAR(statisticOf(summary, "normal_force_rms"), std::sqrt(square), 1e-10 * peak);
  EXPECT_NEAR(statisticOf(summary, "normal_force_rms_closed"), peak / std::numbers::sqrt2, 1e-10 * peak);
  EXPECT_NEAR(statisticOf(summary, "normal_force_mean_closed"), 2.0 / kPi * peak, 1e-10 * peak);
  EXPECT_NEAR(statisticOf(summary, "normal_force_min"), 0.0, 1e-13 * peak);
  // Half periods outward to V/w0 and inward to V/w; the axis of the plane points away from the wall.
  EXPECT_NEAR(statisticOf(summary, "gap_max"), 1.0 / exact.w0, 1e-11);
  EXPECT_NEAR(statisticOf(summary, "gap_min"), -1.0 / exact.w, 1e-11);
  EXPECT_NEAR(statisticOf(summary, "position_1_min"), -1.0 / exact.w, 1e-11);
}

TEST(ContactStatistics, ByStepsAreOfSecondOrder) {
  const Thrown exact;
  const auto errorsAt = [&](double step) {
    const RunSummary s =
        summaryOf(Thrown::deck(fmt::format("duration = 1.0\nscheme = \"kick_drift\"\nstep = {}\n", step)));
    EXPECT_EQ(statisticOf(s, "impacts"), 3.0);
    const double peak = exact.stiffness / exact.w;
    return std::array{std::abs(statisticOf(s, "peak_force") / peak - 1.0),
                      std::abs(statisticOf(s, "impact_velocity_mean") - 1.0),
                      std::abs(statisticOf(s, "impact_duration_mean") / exact.inside - 1.0),
                      std::abs(statisticOf(s, "impulse") * exact.w * exact.w / (6.0 * exact.stiffness) - 1.0),
                      std::abs(statisticOf(s, "share_slip") / (3.0 * exact.inside) - 1.0),
                      std::abs(statisticOf(s, "gap_max") * exact.w0 - 1.0)};
  };
  // Errors of a closing inside a step depend on its position in the step: a ratio of 16 between steps
  // averages this effect; errors fall by 256 for second order and 16 for first order.
  const auto coarse = errorsAt(8e-4), fine = errorsAt(5e-5);
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    EXPECT_LT(coarse[i], 0.02) << i;
    EXPECT_LT(fine[i], std::max(coarse[i] / 40.0, 2e-6)) << i;
  }
}

TEST(ContactStatistics, ByStepsAreOfSecondOrderThroughADashpot) {
  // 1 kg at 1 m/s against 1e6 N/m and 400 N s/m, until the acceleration vanishes, tan(w t) = 2 s w/(s^2 -
  // w^2)
  constexpr double kS = 200.0;
  const double w = std::sqrt(1e6 - kS * kS);
  const double duration = (kPi - std::atan2(2.0 * kS * w, w * w - kS * kS)) / w;
  const double rebound =
      -std::exp(-kS * duration) * (std::cos(w * duration) - kS / w * std::sin(w * duration));
  const auto errorsAt = [&](double step) {
    std::array<double, 3> sum{};
    constexpr int kPhases = 12;
    for (int i = 0; i < kPhases; ++i) {
      const RunSummary s = summaryOf(fmt::format(
          "[[nodes]]\nname = \"mass\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = \"all\"\nmass = 1.0\n"
          "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[basis]\nall = true\n"
          "[initial]\nvelocity = [ {{ node = \"mass\", value = [1, 0, 0] }} ]\n"
          "[[contacts]]\nname = \"wall\"\nnode = \"mass\"\n"
          "obstacle = {{ type = \"plane\", normal = [-1, 0, 0], gap = {} }}\n"
          "normal = {{ stiffness = 1.0e6, damping = 400 }}\n"
          "[transient]\nduration = 0.006\nscheme = \"kick_drift\"\nstep = {}\n[statistics]\n",
          1e-3 + step * (i + 0.37) / kPhases, step));
      EXPECT_NEAR(statisticOf(s, "impulse"), s.totals.front().impulse, 1e-12);
      const std::array errors{statisticOf(s, "impulse") - 1.0 - rebound,
                              statisticOf(s, "impact_velocity_max") - 1.0,
                              statisticOf(s, "impact_duration_max") - duration};
      for (std::size_t k = 0; k < 3; ++k) sum[k] += errors[k] * errors[k] / kPhases;
    }
    return sum;
  };
  const auto coarse = errorsAt(4e-5), fine = errorsAt(1e-5);
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_LT(std::sqrt(coarse[k]), 1e-3) << k;
    EXPECT_LT(std::sqrt(fine[k]), std::max(std::sqrt(coarse[k]) / 12.0, 1e-11)) << k;
  }
}

TEST(ContactStatistics, WindowsCutImpactsAndAddUpToTheRun) {
  const Thrown exact;
  // The first window ends during the first impact, the second window during the second impact.
  const double a = 0.3 * exact.inside, b = exact.inside + exact.outside + 0.6 * exact.inside;
  for (const std::string& run :
       {kEvent, std::string("duration = 1.0\nscheme = \"kick_drift\"\nstep = 1.3e-4\n"),
        std::string("duration = 1.0\nscheme = \"newmark\"\nstep = 1.3e-4\n")}) {
    const RunSummary s = summaryOf(Thrown::deck(
        run,
        fmt::format("[statistics]\nwindows = [[0, {0:.17g}], [{0:.17g}, {1:.17g}], [{1:.17g}, 1]]\n", a, b)));
    const auto& w = s.statistics.front().windows;
    ASSERT_EQ(w.size(), 4U);
    const auto sum = [&](auto&& of) { return of(w[1]) + of(w[2]) + of(w[3]); };
    const auto expectSum = [&](std::string_view what, auto&& of) {
      EXPECT_NEAR(sum(of), of(w[0]), 1e-12 * std::abs(of(w[0]))) << what << ", " << run;
    };
    expectSum("impulse", [](const WindowTotals& x) { return x.impulse; });
    expectSum("time open", [](const WindowTotals& x) { return x.time[0]; });
    expectSum("time closed", [](const WindowTotals& x) { return x.closedTime(); });
    expectSum("force squared", [](const WindowTotals& x) { return x.momentsOf(Signal::normalForce).square; });
    expectSum("gap squared", [](const WindowTotals& x) { return x.momentsOf(Signal::gap).square; });
    expectSum("covered", [](const WindowTotals& x) { return x.covered; });
    // An impact belongs to the window in which it begins.
    EXPECT_EQ(w[1].impacts.count, 1.0) << run;
    EXPECT_EQ(w[2].impacts.count, 1.0) << run;
    EXPECT_EQ(w[3].impacts.count, 1.0) << run;
    EXPECT_EQ(std::max({w[1].momentsOf(Signal::gap).high, w[2].momentsOf(Signal::gap).high,
                        w[3].momentsOf(Signal::gap).high}),
              w[0].momentsOf(Signal::gap).high);
    if (run != kEvent) continue;
    const double part = exact.stiffness / (exact.w * exact.w) * (1.0 - std::cos(exact.w * a));
    EXPECT_NEAR(w[1].impulse, part, 1e-10 * part);
    // The force is still growing there.
    const double atEnd = exact.stiffness / exact.w * std::sin(exact.w * a);
    EXPECT_NEAR(w[1].momentsOf(Signal::normalForce).high, atEnd, 1e-9 * atEnd);
  }
}

TEST(ContactStatistics, AreThoseOfTheMotionHoweverRowsAreArchived) {
  for (const std::string& run :
       {kEvent, std::string("duration = 1.0\nscheme = \"kick_drift\"\nstep = 1e-4\n")}) {
    const RunSummary every = summaryOf(Thrown::deck(run));
    for (const std::string output : {"every = 77", "interval = 0.0123", "times = [0.5]"}) {
      const RunSummary other = summaryOf(Thrown::deck(run) + "[output]\n" + output + "\n");
      const WindowTotals &a = every.statistics.front().windows[0], &b = other.statistics.front().windows[0];
      EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0) << run << output;
    }
  }
}

TEST(ContactStatistics, AThresholdBoundsImpactsAndContactByTheForce) {
  const Thrown exact;
  const double peak = exact.stiffness / exact.w;
  for (const bool exactly : {true, false}) {
    const std::string run =
        exactly ? kEvent : std::string("duration = 1.0\nscheme = \"kick_drift\"\nstep = 5e-5\n");
    const RunSummary s =
        summaryOf(Thrown::deck(run, fmt::format("[statistics]\nthreshold = {:.17g}\n", 0.5 * peak)));
    const double tolerance = exactly ? 1e-9 : 1e-4;
    EXPECT_EQ(statisticOf(s, "impacts"), 3.0);
    // sin x > 1/2 between pi/6 and 5 pi/6
    EXPECT_NEAR(statisticOf(s, "impact_duration_mean") / exact.inside, 2.0 / 3.0, tolerance);
    EXPECT_NEAR(statisticOf(s, "impact_impulse_mean") * exact.w * exact.w / exact.stiffness, std::sqrt(3.0),
                2.0 * tolerance);
    EXPECT_NEAR(statisticOf(s, "impact_velocity_mean"), 1.0, tolerance) << "that of the closing";
    EXPECT_NEAR(statisticOf(s, "share_slip"), 2.0 * exact.inside, tolerance);
    EXPECT_NEAR(statisticOf(s, "share_open"), 1.0 - 2.0 * exact.inside, tolerance);
    // means of sin and sin^2 between pi/6 and 5 pi/6
    EXPECT_NEAR(statisticOf(s, "normal_force_mean_closed") / peak, 1.5 * std::sqrt(3.0) / kPi, tolerance);
    EXPECT_NEAR(statisticOf(s, "normal_force_rms_closed") / peak,
                std::sqrt(0.5 + 0.375 * std::sqrt(3.0) / kPi), tolerance);
    EXPECT_NEAR(statisticOf(s, "impulse") * exact.w * exact.w / exact.stiffness, 6.0, 4.0 * tolerance)
        << "of the whole motion";
    const RunSummary none =
        summaryOf(Thrown::deck(run, fmt::format("[statistics]\nthreshold = {}\n", 1.01 * peak)));
    EXPECT_EQ(statisticOf(none, "impacts"), 0.0);
    EXPECT_EQ(statisticOf(none, "share_open"), 1.0);
    EXPECT_EQ(statisticOf(none, "normal_force_mean_closed"), 0.0);
  }
}

/// The force exceeds the threshold for so short a time that no sample of a piece may show it.
TEST(ContactStatistics, AThresholdJustBelowAPeakIsPassedUnderEvent) {
  const Thrown exact;
  const double peak = exact.stiffness / exact.w;
  for (const double share : {0.99, 0.999, 0.99999}) {
    const RunSummary s =
        summaryOf(Thrown::deck(kEvent, fmt::format("[statistics]\nthreshold = {:.17g}\n", share * peak)));
    const double length = 2.0 * std::acos(share) / exact.w;
    EXPECT_EQ(statisticOf(s, "impacts"), 3.0) << share;
    EXPECT_NEAR(statisticOf(s, "share_slip") / (3.0 * length), 1.0, 1e-6) << share;
    EXPECT_NEAR(statisticOf(s, "normal_force_mean_closed") * exact.w * length / (2.0 * peak),
                std::sin(std::acos(share)), 1e-8)
        << share;
  }
}

/// A ball of 2 kg dropped from 1 m on a rigid floor with a restitution of 1/2; g = 8 m/s^2: the ball lands at
/// 4 m/s after 1/2 s and then flies for 2 e^n s.
std::string bouncing(const std::string& statistics) {
  return "[[nodes]]\nname = \"ball\"\nposition = [0, 0, 1]\n[[masses]]\nnodes = \"all\"\nmass = 2.0\n"
         "[[supports]]\nnodes = \"all\"\nfixed = [\"ux\", \"uy\"]\n[basis]\nall = true\n"
         "[gravity]\nacceleration = [0, 0, -8]\n"
         "[[contacts]]\nname = \"floor\"\nnode = \"ball\"\n"
         "obstacle = { type = \"plane\", normal = [0, 0, 1], point = [0, 0, 0] }\n"
         "normal = { law = \"rigid\", restitution = 0.5 }\n"
         // at 0.5, 1, 1.25, 1.375, 1.4375 s
         "[transient]\nduration = 1.45\nscheme = \"event\"\n" +
         statistics;
}

TEST(ContactStatistics, ImpactsWithinARestAreOneGlobalImpact) {
  const RunSummary s = summaryOf(
      bouncing("[statistics]\nrest_time = 0.3\nwindows = [[0, 1.0], [1.0, 1.375], [1.375, 1.45]]\n"));
  EXPECT_EQ(statisticOf(s, "impacts"), 5.0);
  EXPECT_EQ(statisticOf(s, "global_impacts"), 2.0);
  EXPECT_EQ(statisticOf(s, "rebounds_max"), 3.0);
  EXPECT_EQ(statisticOf(s, "rebounds_mean"), 1.5);
  EXPECT_NEAR(statisticOf(s, "global_duration_max"), 0.4375, 1e-12);
  EXPECT_EQ(statisticOf(s, "impact_duration_max"), 0.0);
  EXPECT_NEAR(statisticOf(s, "impact_velocity_max"), 4.0, 1e-11);
  EXPECT_NEAR(statisticOf(s, "impact_velocity_mean"), (4.0 + 2.0 + 1.0 + 0.5 + 0.25) / 5.0, 1e-11);
  // m v (1 + e) each
  EXPECT_NEAR(statisticOf(s, "impulse"), 3.0 * 7.75, 1e-10);
  EXPECT_NEAR(statisticOf(s, "impact_impulse_mean"), 3.0 * 7.75 / 5.0, 1e-10);
  EXPECT_EQ(statisticOf(s, "share_open"), 1.0);
  // Instants are accurate to rounding only: an impact at an edge of a window may be on either side, but
  // counts once.
  EXPECT_EQ(statisticOf(s, "impacts", 1) + statisticOf(s, "impacts", 2) + statisticOf(s, "impacts", 3), 5.0);
  EXPECT_GE(statisticOf(s, "impacts", 1), 1.0);
  EXPECT_NEAR(statisticOf(s, "impulse", 1) + statisticOf(s, "impulse", 2) + statisticOf(s, "impulse", 3),
              3.0 * 7.75, 1e-10);
}

TEST(ContactStatistics, ARigidWallByStepsKeepsItsImpulses) {
  std::string deck = bouncing("[statistics]\n");
  deck.replace(deck.find("scheme = \"event\""), 16, "scheme = \"moreau\"\nstep = 1e-4");
  const RunSummary s = summaryOf(deck);
  EXPECT_EQ(statisticOf(s, "impacts"), 5.0);
  EXPECT_NEAR(statisticOf(s, "impact_velocity_max"), 4.0, 2e-3);  // of first order: g h = 8e-4
  EXPECT_NEAR(statisticOf(s, "impulse"), s.totals.front().impulse, 1e-9);
  EXPECT_NEAR(statisticOf(s, "impulse"), 3.0 * 7.75, 0.02);
}

/// A shoe of 1 kg pressed with 10 N with an initial speed of 4 m/s, mu = 0.2: it stops after 2 s and 4 m.
std::string launched(const std::string& scheme, double duration, const std::string& friction) {
  return "[[nodes]]\nname = \"shoe\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = \"all\"\nmass = 1.0\n"
         "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[basis]\nall = true\n"
         "[initial]\nvelocity = [ { node = \"shoe\", value = [4, 0, 0] } ]\n"
         "[[contacts]]\nname = \"sole\"\nnode = \"shoe\"\nobstacle = { type = \"none\", normal = [0, 0, 1] "
         "}\n"
         "normal = { force = 10.0 }\n"
         "friction = { " +
         friction +
         " }\n"
         "wear = { coefficient = 1.0e-15 }\n[transient]\nduration = " +
         std::to_string(duration) + "\n" + scheme + "\n[statistics]\nwindows = [[0, 1], [1, 2]]\n";
}

TEST(ContactStatistics, OfAShoeThatStopsAreItsClosedForm) {
  const Deck study = test::studyOf(launched("scheme = \"event\"", 3.0, "coefficient = 0.2"));
  const RunSummary s = runStudy(study, *prepare(study), nullptr, false);
  const WearRequest* wear = study.contacts.front().wear.get();
  EXPECT_NEAR(statisticOf(s, "share_slip"), 2.0 / 3.0, 1e-10);
  EXPECT_NEAR(statisticOf(s, "share_stick"), 1.0 / 3.0, 1e-10);
  EXPECT_NEAR(statisticOf(s, "wear_work"), 40.0, 1e-9);
  EXPECT_NEAR(statisticOf(s, "wear_power"), 40.0 / 3.0, 1e-9);
  EXPECT_NEAR(statisticOf(s, "wear_volume", 0, wear), 4.0e-14, 1e-24);
  EXPECT_NEAR(statisticOf(s, "tangential_force_max"), 2.0, 1e-12);
  EXPECT_NEAR(statisticOf(s, "tangential_force_rms"), std::sqrt(8.0 / 3.0), 1e-10);
  EXPECT_NEAR(statisticOf(s, "wear_work", 1), 30.0, 1e-9);  // 3 m, then 1 m
  EXPECT_NEAR(statisticOf(s, "wear_work", 2), 10.0, 1e-9);
  EXPECT_NEAR(statisticOf(s, "position_2_max"), 4.0, 1e-10);
  EXPECT_NEAR(s.totals.front().frictionEnergy, 0.2 * statisticOf(s, "wear_work"), 1e-9);
}

TEST(ContactStatistics, OfAShoeByStepsTendToIt) {
  const std::string friction = "coefficient = 0.2, stiffness = 1.0e4, damping = 2.0";
  const RunSummary s = summaryOf(launched("scheme = \"kick_drift\"\nstep = 1e-4", 3.0, friction));
  // The elastic stick reduces the slip by 2e-4 m; then the shoe oscillates for a second at up to 0.02 m/s
  // without slip, hence without wear.
  EXPECT_NEAR(statisticOf(s, "share_slip"), 2.0 / 3.0, 1e-3);
  EXPECT_NEAR(statisticOf(s, "share_stick"), 1.0 / 3.0, 1e-3);
  EXPECT_NEAR(statisticOf(s, "wear_work"), 40.0, 1e-2);
}

/// 1 kg on 100 N/m, released at 1.05 m under 10 N of friction (mu N/k = 0.1 m): each half period reduces the
/// amplitude by 0.2 m, and the mass is at rest at 0.05 m after five half periods.
TEST(ContactStatistics, OfAFrictionOscillatorAreItsClosedForm) {
  std::string deck = launched("scheme = \"event\"", 2.0, "coefficient = 0.2");
  deck.replace(deck.find("value = [4, 0, 0]"), 17, "value = [0, 0, 0]");
  deck.replace(deck.find("force = 10.0"), 12, "force = 50.0");
  deck += "[[springs]]\nnodes = [\"shoe\"]\nstiffness = [100.0, 0, 0]\n";
  deck.replace(deck.find("[initial]\n"), 10,
               "[initial]\ndisplacement = [ { node = \"shoe\", value = [1.05, 0, 0] } ]\n");
  const RunSummary s = summaryOf(deck);
  EXPECT_NEAR(statisticOf(s, "share_slip"), 5.0 * kPi / 10.0 / 2.0, 1e-10);
  // paths 2 (0.95 - 0.2 i)
  const double path = 2.0 * (0.95 + 0.75 + 0.55 + 0.35 + 0.15);
  EXPECT_NEAR(statisticOf(s, "wear_work"), 50.0 * path, 1e-8);
  EXPECT_NEAR(statisticOf(s, "position_2_min"), -0.85, 1e-10);
  EXPECT_NEAR(statisticOf(s, "position_2_max"), 1.05, 1e-12);
  EXPECT_EQ(statisticOf(s, "impacts"), 1.0) << "closed all along";
  EXPECT_NEAR(statisticOf(s, "impact_duration_max"), 2.0, 1e-12);
}

}  // namespace
}  // namespace ricochet
