// The shoes SDND106 and SDND100 with friction and stick springs, compared with the exact solutions of the
// penalised law: reference/problems/F02_sdnd106_penalised.json and F04_sdnd100_penalised.json (20 to 25
// digits).

#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::Outcome;
using test::runModel;

struct Displacements {
  double time, first, second;
};

/// Instants, and the displacements of masses 1 and 2 at these instants.
const std::vector<Displacements> kUndamped{{0.02, 2.2441321179671218e-05, 0.11221182463434941},
                                           {0.15, 1.353560735781504, 1.8077253716477142},
                                           {0.25, 3.446784801049935, 3.603959313974134},
                                           {0.339965, 3.955999194020287, 3.968566647032371},
                                           {0.34, 3.956001875325326, 3.9685600230035374}};
const std::vector<Displacements> kDampedShoe{{0.02, 2.0621624332447088e-05, 0.11221159233964144},
                                             {0.15, 1.3535745680777234, 1.8077346963898229},
                                             {0.339965, 3.956057576896361, 3.968599749832149},
                                             {0.34, 3.9560575757292225, 3.9685931197481263}};

constexpr double kCriticalDashpot = 44721.35954999579;  // 2 sqrt(10 k_t) [N s/m]

struct ShoeErrors {
  double displacement{0.0};  ///< largest error, relative to 3.96 m
  double breakaway{0.0};     ///< [s]
  double stop{0.0};          ///< [s]
};
ShoeErrors shoeErrors(const char* scheme, double stickDamping, double h,
                      const std::vector<Displacements>& exact, double breakaway, double stop,
                      double tolerance = 0.0) {
  TransientOptions options{.end = 0.34, .step = h};
  options.scheme.relativeTolerance = tolerance;
  if (std::string_view(scheme) == "adaptive_central") options.scheme.stepMax = h;
  for (const Displacements& at : exact) options.archiveTimes.push_back(at.time);
  const Outcome run = runModel(test::sdnd106(stickDamping).build(), scheme, State(2), options);
  ShoeErrors errors;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    const Vector q = run.seen.rows[i].state.q.head(2);
    const double first = std::abs(test::modeShapeOfSdnd106Mass(1).dot(q) - exact[i].first);
    const double second = std::abs(test::modeShapeOfSdnd106Mass(2).dot(q) - exact[i].second);
    errors.displacement = std::max({errors.displacement, first / 3.96, second / 3.96});
  }
  const auto breaks = run.seen.times(EventKind::stickToSlip);
  const auto stops = run.seen.times(EventKind::slipToStick);
  errors.breakaway = breaks.size() == 1 ? std::abs(breaks[0] - breakaway) : 1.0;
  errors.stop = stops.size() == 1 ? std::abs(stops[0] - stop) : 1.0;
  return errors;
}

/// Observed order from h = 4e-5 to 1e-5: the constant of the error depends on the position of an event within
/// its step, which two halvings average.
double observedOrder(const char* scheme, double stickDamping, const std::vector<Displacements>& exact,
                     double breakaway, double stop) {
  const double coarse = shoeErrors(scheme, stickDamping, 4e-5, exact, breakaway, stop).displacement;
  const double fine = shoeErrors(scheme, stickDamping, 1e-5, exact, breakaway, stop).displacement;
  return std::log2(coarse / fine) / 2.0;
}

TEST(Shoe, ConvergesAtSecondOrderThroughItsEvents) {
  for (const char* scheme : {"kick_drift", "central_difference"}) {
    EXPECT_NEAR(observedOrder(scheme, 0.0, kUndamped, 0.03512943568700869, 0.31493092204609185), 2.0, 0.3)
        << scheme;
    EXPECT_NEAR(observedOrder(scheme, kCriticalDashpot, kDampedShoe, 0.03512767043859185, 0.3149313410604321),
                2.0, 0.3)
        << scheme << ", dashpot";
  }
}

TEST(Shoe, ImplicitAndAdaptiveSchemesConvergeAtSecondOrderThroughItsEvents) {
  for (const char* scheme : {"newmark", "hht", "adaptive_central"}) {
    EXPECT_NEAR(observedOrder(scheme, 0.0, kUndamped, 0.03512943568700869, 0.31493092204609185), 2.0, 0.3)
        << scheme;
    EXPECT_NEAR(observedOrder(scheme, kCriticalDashpot, kDampedShoe, 0.03512767043859185, 0.3149313410604321),
                2.0, 0.4)
        << scheme << ", dashpot";
  }
}

TEST(Shoe, DevogelaereIsLimitedByItsEvents) {
  // These errors are of second order, with a small constant that depends on the position of events within
  // half a step.
  for (const double h : {4e-5, 2e-5, 1e-5}) {
    EXPECT_LT(
        shoeErrors("devogelaere", 0.0, h, kUndamped, 0.03512943568700869, 0.31493092204609185).displacement,
        2e2 * h * h)
        << h;
    EXPECT_LT(
        shoeErrors("devogelaere", kCriticalDashpot, h, kDampedShoe, 0.03512767043859185, 0.3149313410604321)
            .displacement,
        2e2 * h * h)
        << h << ", dashpot";
  }
}

TEST(Shoe, ErrorFollowsTheToleranceThroughItsEvents) {
  // Each event has an error of about the tolerance, which grows by omega T until the end: a factor of 300 and
  // 1000 is allowed, with a margin of 3.
  for (const char* scheme : {"rk32", "rk54"})
    for (const double tolerance : {1e-7, 1e-8, 1e-9, 1e-10}) {
      EXPECT_LT(shoeErrors(scheme, 0.0, 1e-5, kUndamped, 0.03512943568700869, 0.31493092204609185, tolerance)
                    .displacement,
                1e3 * tolerance)
          << scheme << " " << tolerance;
      EXPECT_LT(shoeErrors(scheme, kCriticalDashpot, 1e-5, kDampedShoe, 0.03512767043859185,
                           0.3149313410604321, tolerance)
                    .displacement,
                1e3 * tolerance)
          << scheme << " " << tolerance << ", dashpot";
    }
}

TEST(Shoe, MeetsTheExactDisplacementsAndInstants) {
  // The limits are the second-order errors at h = 4e-5 s divided by 16, with a margin of 3, because the
  // constants depend on the position of the events within a step.
  for (const char* scheme : {"kick_drift", "central_difference"}) {
    const ShoeErrors undamped =
        shoeErrors(scheme, 0.0, 1e-5, kUndamped, 0.03512943568700869, 0.31493092204609185);
    EXPECT_LT(undamped.displacement, 4.5e-7) << scheme;
    EXPECT_LT(undamped.breakaway, 6e-8) << scheme;
    EXPECT_LT(undamped.stop, 2e-8) << scheme;
    const ShoeErrors damped =
        shoeErrors(scheme, kCriticalDashpot, 1e-5, kDampedShoe, 0.03512767043859185, 0.3149313410604321);
    EXPECT_LT(damped.displacement, 6e-8) << scheme << ", dashpot";
    EXPECT_LT(damped.breakaway, 2e-9) << scheme << ", dashpot";
    EXPECT_LT(damped.stop, 1.3e-8) << scheme << ", dashpot";
  }
}

struct ReleaseErrors {
  double displacement{0.0};  ///< largest error, relative to the initial displacement
  double instant{1.0};       ///< largest error of the first eight events [s]
};
ReleaseErrors releaseErrors(const char* scheme, double h) {
  // Instants at which slip starts and ends alternately (F04: events 1 to 8).
  const std::array starts{0.0007748891781143435, 0.03253001505034716, 0.0638731052015739, 0.0951563067765192};
  const std::array ends{0.031347388296357796, 0.06248032220082242, 0.0933773676857163, 0.12330390916784281};
  State initial(1);
  initial.q[0] = test::kSdnd100Start;
  TransientOptions options{.end = 0.3, .step = h};
  options.archiveTimes = {0.05, 0.1, 0.2, 0.3};
  const std::array exact{7.479491667557941e-05, -0.00020724705806893633, 4.572458797684687e-05,
                         4.700792075018975e-05};
  const Outcome run = runModel(test::sdnd100().build(), scheme, initial, options);
  ReleaseErrors errors;
  for (std::size_t i = 0; i < exact.size(); ++i)
    errors.displacement =
        std::max(errors.displacement, std::abs(run.seen.rows[i].state.q[0] - exact[i]) / test::kSdnd100Start);
  const auto slipStarts = run.seen.times(EventKind::stickToSlip);
  const auto slipEnds = run.seen.times(EventKind::slipToStick);
  if (slipStarts.size() < starts.size() || slipEnds.size() < ends.size()) return errors;
  errors.instant = 0.0;
  for (std::size_t i = 0; i < starts.size(); ++i)
    errors.instant =
        std::max({errors.instant, std::abs(slipStarts[i] - starts[i]), std::abs(slipEnds[i] - ends[i])});
  return errors;
}

TEST(ReleasedShoe, ConvergesAtSecondOrderThroughItsEvents) {
  for (const char* scheme : {"kick_drift", "central_difference"}) {
    const double coarse = releaseErrors(scheme, 8e-5).displacement;
    const double fine = releaseErrors(scheme, 1e-5).displacement;
    EXPECT_NEAR(std::log2(coarse / fine) / 3.0, 2.0, 0.4) << scheme;
  }
}

TEST(ReleasedShoe, MeetsTheExactDisplacementsAndInstants) {
  // The limits follow as above, from h = 8e-5 s, divided by 64.
  for (const char* scheme : {"kick_drift", "central_difference"}) {
    const ReleaseErrors errors = releaseErrors(scheme, 1e-5);
    EXPECT_LT(errors.displacement, 1e-6) << scheme;
    EXPECT_LT(errors.instant, 1.5e-7) << scheme;
  }
}

}  // namespace
}  // namespace ricochet
