// Bodies that stop on a contact area, and a shoe driven by spin on a spring, against the reference runs of
// friction.md 4.

#include "engine/contact/areas/fields/pade.hpp"
#include "engine/contact/areas/fields/potential.hpp"
#include "verification/support/patches.hpp"
#include "verification/support/tight_steps.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>

namespace ricochet::patch {
namespace {

using test::integrateWithTightSteps;
using test::patchShapeNamed;
using test::readTable;
using test::TableRow;

/// State vx, vy [m/s], omega [rad/s], x, y [m], heading [rad], t [s] for mu g = R = m = 1.
using Motion = std::array<double, 7>;

struct Stop {
  double time{}, x{}, y{}, heading{}, ratio{};
};

/// Free motion to rest of a body of mass 1 whose centre is over the centre of pressure.
///
/// In the variable tau, dt = E dtau with E^2 = |V|^2 + kappa omega^2, speeds decrease exponentially and the
/// ratio of both converges; at E = 1e-15 the remaining time is E/(power over E), with an error of 1e-30 in
/// the path.
template <class L>
Stop integrateToStop(const L& law, double kappa, Motion start) {
  const auto rate = [&](const Motion& s) {
    const double E = std::sqrt(s[0] * s[0] + s[1] * s[1] + kappa * s[2] * s[2]);
    const double c = std::cos(s[5]), n = std::sin(s[5]);
    const Wrench<double> w = law.wrench(Twist<double>{{c * s[0] + n * s[1], c * s[1] - n * s[0]}, s[2]});
    return Motion{E * (c * w.force.first - n * w.force.second),
                  E * (n * w.force.first + c * w.force.second),
                  E * w.moment / kappa,
                  E * s[0],
                  E * s[1],
                  E * s[2],
                  E};
  };
  Motion s = start;
  integrateWithTightSteps<7>(rate, s, 1e-13, [](const Motion& now, double) {
    return now[0] * now[0] + now[1] * now[1] + now[2] * now[2] < 1e-30;
  });
  const double E = std::sqrt(s[0] * s[0] + s[1] * s[1] + kappa * s[2] * s[2]);
  const Motion slope = rate(s);
  const double decayRate = -(s[0] * slope[0] + s[1] * slope[1] + kappa * s[2] * slope[2]) / (E * E);
  return {s[6] + E / decayRate, s[3], s[4], s[5], std::hypot(s[0], s[1]) / s[2]};
}

/// Calls a function with the law of a name of the reference files.
template <class Call>
void callWithLaw(const std::string& patch, const std::string& law, const Call& call) {
  const ExactPatch exact(patchShapeNamed(patch));
  const PatchMoments& m = exact.moments();
  if (law == "exact") call(exact);
  if (law == "pade_q") call(Axial<PadeKernel>{PadeKernel::fromMoments(m)});
  if (law == "pade_lin") call(Axial<LinearKernel>{LinearKernel::fromMoments(m)});
  if (law == "pot6") call(AxialPotential::fromMoments(m));
}

TEST(PatchStop, DiscHertzAndRingStopAsTheReferenceDoes) {
  int runs = 0;
  for (const TableRow& row : readTable("patch_free_stop.csv", 2))
    callWithLaw(row.words[0], row.words[1], [&](const auto& law) {
      const std::vector<double>& n = row.numbers;
      const Stop stop = integrateToStop(law, n[0], {n[1], 0.0, n[2], 0.0, 0.0, 0.0, 0.0});
      const std::string where =
          row.words[0] + " " + row.words[1] + " V0 " + std::to_string(n[1]) + " w0 " + std::to_string(n[2]);
      // 11 digits are confirmed in the reference (required: 1e-6).
      EXPECT_NEAR(stop.time / n[3], 1.0, 1e-10) << where;
      EXPECT_NEAR(stop.x / n[4], 1.0, 1e-10) << where;
      EXPECT_NEAR(stop.heading / n[5], 1.0, 1e-10) << where;
      ++runs;
    });
  EXPECT_EQ(runs, 96);
}

TEST(PatchStop, RingAtEqualSpeedsStopsInAQuarterTurn) {
  const Stop stop = integrateToStop(Axial<Ring>{}, 1.0, {1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0});
  EXPECT_NEAR(stop.time, std::numbers::pi / 2.0, 1e-11);
  EXPECT_NEAR(stop.x, std::numbers::pi / 4.0, 1e-11);
  EXPECT_NEAR(stop.heading, std::numbers::pi / 4.0, 1e-11);
}

TEST(PatchStop, RatioOfBothSpeedsSettles) {
  // Root of kappa X(d)/d = M(d), 20 digits in the reference; the ratio approaches the root as a power of the
  // speed.
  const Motion start{1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0};
  EXPECT_NEAR(integrateToStop(Axial<UniformDisc>{}, 0.5, start).ratio, 0.65300178920559764, 1e-4);
  EXPECT_NEAR(integrateToStop(Axial<Annulus>{{1.0, 0.5}}, 0.625, start).ratio, 0.77446886991307020, 1e-4);
  EXPECT_NEAR(integrateToStop(Axial<Ring>{}, 1.0, start).ratio, 1.0, 1e-4);
  const PatchMoments m = ExactPatch(patchShapeNamed("disc_uniform")).moments();
  EXPECT_NEAR(integrateToStop(AxialPotential::fromMoments(m), 0.5, start).ratio, 0.5694297464687929, 1e-4);
  EXPECT_NEAR(integrateToStop(Pade(m), 0.5, start).ratio, 0.0542396539114883945, 1e-4);
}

/// Root of kappa X(d, 1) = d M(d, 1) in [low, high], by bisection.
template <class K>
double terminalRatio(const K& kernel, double kappa, double low, double high) {
  const auto g = [&](double d) {
    const AxialResponse r = kernel.response(d, 1.0);
    return kappa * r.X - d * r.M;
  };
  const bool rising = g(high) > 0.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    ((g(middle) > 0.0) == rising ? high : low) = middle;
  }
  return 0.5 * (low + high);
}

TEST(PatchStop, TerminalRatiosOfAllLaws) {
  const auto moments = [](const char* name) { return ExactPatch(patchShapeNamed(name)).moments(); };
  // All digits of dynamics_disc.json that are above the rounding of X and M.
  EXPECT_NEAR(terminalRatio(UniformDisc{}, 0.5, 0.3, 0.9), 0.65300178920559763899, 1e-14);
  EXPECT_NEAR(terminalRatio(Annulus{}, 0.625, 0.5, 0.9), 0.77446886991307019536, 1e-13);
  EXPECT_NEAR(terminalRatio(PadeKernel::fromMoments(moments("disc_uniform")), 0.5, 0.02, 0.2),
              0.0542396539114883945, 1e-14);
  EXPECT_NEAR(terminalRatio(LinearKernel::fromMoments(moments("disc_uniform")), 0.5, 0.1, 0.9), 0.25, 1e-14);
  EXPECT_NEAR(terminalRatio(AxialPotential::fromMoments(moments("disc_uniform")), 0.5, 0.3, 0.9),
              0.5694297464687929, 1e-14);
  EXPECT_NEAR(terminalRatio(PadeKernel::fromMoments(moments("ring")), 1.0, 0.1, 0.5), 0.17545252575195587,
              1e-14);
  EXPECT_NEAR(terminalRatio(PadeKernel::fromMoments(moments("annulus_0.5")), 0.625, 0.05, 0.5),
              0.124024184513816245, 1e-13);
  EXPECT_NEAR(terminalRatio(AxialPotential::fromMoments(moments("annulus_0.5")), 0.625, 0.5, 0.9),
              0.7456430062761231, 1e-13);
}

TEST(PatchStop, PlatesLeaveTheirLine) {
  int runs = 0;
  for (const TableRow& row : readTable("patch_planar_stop.csv", 1)) {
    const ExactPatch law(patchShapeNamed(row.words[0]));
    const std::vector<double>& n = row.numbers;
    const Stop stop = integrateToStop(law, n[0], {n[1], n[2], n[4], 0.0, 0.0, n[3], 0.0});
    const std::string where = row.words[0] + " row " + std::to_string(runs);
    // The reference is accurate to about 1e-8 (required: 1e-5).
    EXPECT_NEAR(stop.time, n[5], 2e-8) << where;
    EXPECT_NEAR(stop.x, n[6], 2e-8) << where;
    EXPECT_NEAR(stop.y, n[7], 2e-8) << where;
    EXPECT_NEAR(stop.heading, n[8], 2e-8) << where;
    ++runs;
  }
  EXPECT_EQ(runs, 13);
}

/// x'' + x + 0.1 X(x') = 0 from rest at x0: instants and values of the first twelve peaks.
template <class L>
std::array<std::array<double, 2>, 12> springPeaks(const L& law, double x0) {
  const auto rate = [&](const std::array<double, 3>& s) {
    return std::array{s[1], 0.1 * law.wrench(Twist<double>{{s[1], 0.0}, 1.0}).force.first - s[0], 1.0};
  };
  std::array<std::array<double, 2>, 12> peaks{};
  std::array<double, 3> s{x0, 0.0, 0.0};
  for (auto& peak : peaks) {
    const double side = s[0] > 0.0 ? -1.0 : 1.0;  // sign of the velocity until the next peak
    const double left = s[2];
    integrateWithTightSteps<3>(rate, s, 1e-13 * x0, [&](const std::array<double, 3>& now, double) {
      return now[2] > left + 1.0 && side * now[1] <= 0.0;
    });
    // A Newton iteration on the length of one small step returns to x' = 0.
    for (int i = 0; i < 4; ++i) s = test::dormandPrince<3>(rate, s, -s[1] / rate(s)[1]).next;
    peak = {s[2], s[0]};
  }
  return peaks;
}

TEST(PatchSpring, SpunShoeDecaysAsTheReferenceDoes) {
  int runs = 0;
  for (const TableRow& row : readTable("patch_spring.csv", 2))
    callWithLaw(row.words[0], row.words[1], [&](const auto& law) {
      const std::vector<double>& n = row.numbers;
      const auto peaks = springPeaks(law, n[0]);
      const std::string where = row.words[0] + " " + row.words[1] + " x0 " + std::to_string(n[0]);
      EXPECT_NEAR(std::log(n[0] / peaks[1][1]), n[1], 1e-9) << where;  // required tolerance: 1e-5
      EXPECT_NEAR(peaks[11][0], n[2], 1e-8) << where;
      EXPECT_NEAR(peaks[11][1] / n[3], 1.0, 1e-9) << where;
      ++runs;
    });
  EXPECT_EQ(runs, 60);
}

}  // namespace
}  // namespace ricochet::patch
