#pragma once

#include "engine/links/link_law.hpp"
#include "engine/numerics/dual_functions.hpp"
#include "engine/numerics/field.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace ricochet {

/// A generalized Zener damper: spring K1 in series with K2, which is parallel to K3 in series with a dashpot.
///
/// The parameters are flexibilities, so that K1 or K3 may be rigid, but not both. The internal variable e
/// follows e' = sign(s) |s/C|^(1/alpha) along the cubic x(t) of the step, which is computed from
/// displacements and rates of its ends, so that e cannot drift from x. Each step is two steps of an L-stable
/// method of order 4 with five stages; each stage is a scalar equation s + w |s/C|^(1/alpha) = r with one
/// root: E. Hairer, G. Wanner, Solving Ordinary Differential Equations II, section IV.6, SDIRK of order 4.
struct Zener {
  static constexpr std::string_view keyword = "zener";
  static constexpr std::string_view title = "Generalized Zener damper";
  static constexpr std::string_view formula =
      "s = C sign(e') |e'|^alpha            force in the dashpot, e its own elongation\n"
      "s = G (beta x - e)                   beta = 1/(1 + K2/K1),  1/G = 1/K3 + (1/K1)/(1 + K2/K1)\n"
      "f = beta (K2 x + s)\n"
      "\n"
      "Spring K1 in series with K2, which is parallel to K3 in series with the dashpot. K1 or K3 may be "
      "rigid\n"
      "(flexibility 0), not both.\n"
      "The scheme event follows exponents whose inverse is a whole number: 1, 1/2, 1/3 ...\n"
      "x   displacement of the first node relative to the second or to the ground [m]\n"
      "f   pushes the first node by -f and the second by +f [N]";
  static constexpr std::string_view source = "law DIS_VISC of Code_Aster, R5.03.17";
  static constexpr std::string_view kEvent{};

  double flexibility1{0.0};
  double stiffness2{0.0};
  double flexibility3{0.0};
  double damping{1.0};
  double exponent{0.5};

  static constexpr auto numericParameters() {
    using F = Field<Zener>;
    return std::array{
        F{"flexibility_1", &Zener::flexibility1, "m/N", 0.0, 1.0 / 120.0, "flexibility 1/K1"},
        F{"stiffness_2", &Zener::stiffness2, "N/m", 0.0, 10.0, "stiffness K2", Need::required},
        F{"flexibility_3", &Zener::flexibility3, "m/N", 0.0, 1.0 / 60.0, "flexibility 1/K3"},
        F{"damping", &Zener::damping, "N (s/m)^alpha", 0.0, 1.7, "C of the dashpot", Need::positive},
        F{"exponent", &Zener::exponent, "-", 0.0, 0.5, "exponent alpha of the dashpot", Need::positive, 1.0}};
  }
  static constexpr auto deckKeys() {
    return std::array{
        DeckKey::optional("stiffness_1", "N/m", "120.0", "K1").required().allows("> 0"),
        DeckKey::optional("flexibility_1", "m/N", "0.01", "1/K1").allows(">= 0").insteadOf("stiffness_1"),
        DeckKey::optional("flexibility_2", "m/N", "0.1", "1/K2").allows("> 0").insteadOf("stiffness_2"),
        DeckKey::optional("stiffness_3", "N/m", "60.0", "K3").required().allows("> 0"),
        DeckKey::optional("flexibility_3", "m/N", "0.02", "1/K3").allows(">= 0").insteadOf("stiffness_3")};
  }
  static constexpr auto internalVariables() {
    return std::array{LinkVariable{"dashpot_displacement", "m", "elongation of the dashpot"}};
  }
  static constexpr LinkTraits traits{.work = LinkWork::dissipated,
                                     .forceFollowsRate = true,
                                     .hidesRates = true,
                                     .relaxes = true,
                                     .seriesLawFor = SeriesLawFor::everyLink};
  std::string_view reasonAgainstPowerSeriesOfLaw() const noexcept {
    return integerInverseExponent() > 0
               ? ""
               : "a dashpot whose 1/exponent is not a whole number, which has no series at rest";
  }
  /// The spring is a part of the law itself (flexibility_1).
  static constexpr std::string_view reasonAgainstSpringInSeries() noexcept { return ""; }
  std::size_t axisCount() const noexcept { return 1; }
  /// A linear dashpot in series with a spring of this flexibility, without the other springs.
  static Zener makeMaxwell(double damping, double flexibility) noexcept {
    return {.flexibility1 = 0.0,
            .stiffness2 = 0.0,
            .flexibility3 = flexibility,
            .damping = damping,
            .exponent = 1.0};
  }
  std::optional<Zener> lawWithSpringInSeries(double flexibility) const noexcept {
    Zener law = *this;
    law.flexibility1 += flexibility;
    return law;
  }
  Zener lawAfterRelaxation() const noexcept {
    constexpr double kRelaxed = 1e200;  // flexibility in series with the dashpot [m/N]
    Zener law = *this;
    law.flexibility3 = kRelaxed;
    return law;
  }
  std::array<double, kLinkMemory> internalVariablesAtRest(double x) const noexcept {
    return {stiffnessShareOfSpringInSeries() * x};
  }

  template <class Real>
  LinkResponse<Real> computeResponse(const LinkState& from, const LinkMotion<Real>& to) const noexcept {
    double lost = 0.0;
    const Real e = dashpotElongation(from, to, lost);
    LinkResponse<Real> response;
    response.force[0] =
        stiffnessShareOfSpringInSeries() *
        (stiffness2 * to.x[0] + stiffnessOfDashpot() * (stiffnessShareOfSpringInSeries() * to.x[0] - e));
    response.memory[0] = valueOf(e);
    response.memory[1] = from.memory[1] + lost;
    return response;
  }

  void addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept {
    const double f = to.force[0];
    const double x = to.motion.x[0];
    const double s = stiffnessOfDashpot() * (stiffnessShareOfSpringInSeries() * x - to.memory[0]);
    const double inner = x - flexibility1 * f;
    to.stored = 0.5 * (flexibility1 * f * f + stiffness2 * inner * inner + flexibility3 * s * s);
    to.dissipated = from.dissipated + (to.memory[1] - from.memory[1]);
  }

  LinkBounds slopeBounds(const LinkMotion<double>& /*at*/) const noexcept {
    return {stiffnessShareOfSpringInSeries() *
                (stiffness2 + stiffnessOfDashpot() * stiffnessShareOfSpringInSeries()),
            0.0};
  }

  /// Elongation e of the dashpot at a displacement x and a force f.
  double dashpotElongationAt(double x, double f) const noexcept {
    return stiffnessShareOfSpringInSeries() * x -
           (f / stiffnessShareOfSpringInSeries() - stiffness2 * x) / stiffnessOfDashpot();
  }

  double stiffnessShareOfSpringInSeries() const noexcept { return 1.0 / (1.0 + stiffness2 * flexibility1); }
  double stiffnessOfDashpot() const noexcept {
    return 1.0 / (flexibility3 + flexibility1 * stiffnessShareOfSpringInSeries());
  }

 private:
  template <class Real>
  Real dashpotElongation(const LinkState& from, const LinkMotion<Real>& to, double& lost) const noexcept {
    if constexpr (std::is_same_v<Real, Series>) {
      return elongationSeries(from.memory[0], to);
    } else {
      const double h = valueOf(to.time) - from.motion.time;
      return h > 0.0 ? integrateElongation(from, to, h, lost) : Real(from.memory[0]);
    }
  }

  /// 1/alpha, where this is a whole number; else 0.
  int integerInverseExponent() const noexcept {
    constexpr double kRounding = 1e-12, kHighest = 20.0;
    const double power = 1.0 / exponent, whole = std::round(power);
    return std::abs(power - whole) <= kRounding * whole && whole <= kHighest ? static_cast<int>(whole) : 0;
  }

  /// e' = sign(s) |s/C|^p with a whole number p is a polynomial of s on each side of s = 0, and for odd p the
  /// same on both.
  Series elongationSeries(double start, const LinkMotion<Series>& to) const {
    const Series e = integratedSeries(to.x[0], start);
    const Series s = stiffnessOfDashpot() / damping * (stiffnessShareOfSpringInSeries() * to.x[0] - e);
    Series rate = s;
    for (int n = 1; n < integerInverseExponent(); ++n) rate = rate * s;
    setRateOfSeries(e, integerInverseExponent() % 2 == 0 && s < Series(0.0) ? -rate : rate);
    return e;
  }

  /// Elongation rate e' of the dashpot at a force s. `slopeOfElongationRate` is the derivative of this rate.
  double elongationRate(double s) const noexcept {
    return std::copysign(std::pow(std::abs(s) / damping, 1.0 / exponent), s);
  }
  double slopeOfElongationRate(double s) const noexcept {
    return std::pow(std::abs(s) / damping, 1.0 / exponent - 1.0) / (exponent * damping);
  }

  /// Root of s + w elongationRate(s) = r. For s > 0 the function increases and is convex or concave, so that
  /// Newton's method from an upper bound converges monotonically; both bounds used for the start are within a
  /// constant factor of the root.
  double dashpotForce(double r, double w) const noexcept {
    constexpr int kMost = 60;
    const double size = std::abs(r);
    if (size == 0.0) return 0.0;
    double s = std::min(size, damping * std::pow(size / w, exponent));
    for (int i = 0; i < kMost; ++i) {
      const double next = s - (s + w * elongationRate(s) - size) / (1.0 + w * slopeOfElongationRate(s));
      const bool done = std::abs(next - s) <= 4.0 * std::numeric_limits<double>::epsilon() * s;
      s = next;
      if (done) break;
    }
    return std::copysign(s, r);
  }

  /// Displacement x(t) on the cubic, or on the straight line, at a fraction theta of the step.
  template <class Real>
  static Real displacementAt(const LinkMotion<double>& from, const LinkMotion<Real>& to, double h,
                             double theta) noexcept {
    const double left = 1.0 - theta;
    if (to.isStraight) return left * from.x[0] + theta * to.x[0];
    return left * left * (1.0 + 2.0 * theta) * from.x[0] + theta * theta * (3.0 - 2.0 * theta) * to.x[0] +
           h * theta * left * left * from.v[0] - h * theta * theta * left * to.v[0];
  }

  template <class Real>
  Real integrateElongation(const LinkState& from, const LinkMotion<Real>& to, double h,
                           double& lost) const noexcept {
    constexpr std::size_t kStages = 5;
    constexpr int kSteps = 2;
    constexpr double kDiagonal = 0.25;
    constexpr std::array<double, kStages> kNode{0.25, 0.75, 11.0 / 20.0, 0.5, 1.0};
    constexpr std::array<std::array<double, kStages>, kStages> kWeight{
        {{0.25, 0.0, 0.0, 0.0, 0.0},
         {0.5, 0.25, 0.0, 0.0, 0.0},
         {17.0 / 50.0, -1.0 / 25.0, 0.25, 0.0, 0.0},
         {371.0 / 1360.0, -137.0 / 2720.0, 15.0 / 544.0, 0.25, 0.0},
         {25.0 / 24.0, -49.0 / 48.0, 125.0 / 16.0, -85.0 / 12.0, 0.25}}};
    const double g = stiffnessOfDashpot();
    const double beta = stiffnessShareOfSpringInSeries();
    const double step = h / kSteps;
    const double w = g * step * kDiagonal;
    Real e = Real(from.memory[0]);
    for (int n = 0; n < kSteps; ++n) {
      std::array<Real, kStages> rates{};
      Real reached = e;
      for (std::size_t i = 0; i < kStages; ++i) {
        Real known = e;
        for (std::size_t j = 0; j < i; ++j) known = known + step * kWeight[i][j] * rates[j];
        const double theta = (n + kNode[i]) / kSteps;
        const Real r = g * (beta * displacementAt(from.motion, to, h, theta) - known);
        const double s = dashpotForce(valueOf(r), w);
        // Derivative ds/dr = 1/(1 + w rate') by one more Newton step, which carries the derivatives of a dual
        // number.
        const double slope = slopeOfElongationRate(s);
        rates[i] = elongationRate(s) + slope / (1.0 + w * slope) * (r - valueOf(r));
        reached = known + step * kDiagonal * rates[i];
        lost += step * kWeight[kStages - 1][i] * s * elongationRate(s);
      }
      e = reached;
    }
    return e;
  }
};

}  // namespace ricochet
