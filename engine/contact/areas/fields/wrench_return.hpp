#pragma once

#include "engine/contact/areas/fields/axial.hpp"
#include "engine/contact/areas/fields/exact.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace ricochet::patch {

/// Elastic stick of a contact area: a bed of equal tangential springs.
struct ElasticBed {
  double stiffness{};      ///< k_t [N/m]
  double spinStiffness{};  ///< k_phi [N m/rad]

  /// Bed of a patch with the moments m: k_phi = k_t <r^2>.
  static ElasticBed fromMoments(double stiffness, const PatchMoments& m) noexcept {
    return {stiffness, stiffness * (m.J.xx + m.J.yy)};
  }
};

/// Result of the return of a trial wrench to the limit surface.
struct WrenchReturn {
  Wrench<double> wrench{};  ///< [N], [N m]
  Twist<double> plastic{};  ///< slip increment [m], [rad]: (f - f*) over the stiffness
  bool slips{false};
  double angle{};     ///< angle b of the slip increment: tan b = gyration radius times spin over sliding
  double distance{};  ///< distance lambda of the trial wrench from the limit surface, over mu N
  int evaluations{};  ///< number of evaluations of the kernel
};

/// Return of a trial wrench to the limit surface of an axisymmetric patch (law B): the closest point in the
/// norm of the elastic energy, that is, maximum dissipation.
///
/// In units of mu N and of the gyration radius l = sqrt(k_phi/k_t) the springs are equal and the return is
/// the nearest point of a convex set. Its boundary is (X, m)(b) with normal n = (cos b, sin b), so for the
/// trial (T, m*) >= 0, b in [0, pi/2] solves
///
///     g(b) = (T - X) sin b - (m* - m) cos b = 0,  lambda(b) = (T - X) cos b + (m* - m) sin b = f*.n - Phi(n)
///
/// g(0) <= 0 <= g(pi/2) always. As lambda' = -g and Phi + Phi'' >= 0, lambda'' + lambda <= 0: by Sturm's
/// comparison a stationary value lambda(b1) bounds lambda(b) <= lambda(b1) cos(b - b1) on all of [0, pi/2].
/// Hence any root with lambda <= 0 proves that the trial is inside (stick), and a root with lambda > 0 is the
/// only root: a bracketing method is safe. Newton's method is used inside the bracket. A kernel without a
/// potential may have several roots, so its interval is first divided into 64 parts.
///
/// A trial within 1e-13 of the surface sticks, so that rounding causes no creep. In a continuing slip the
/// motion `along` is a good initial value of the root: Newton's method then needs two or three evaluations.
template <AxialKernel Kernel>
class WrenchMap {
 public:
  WrenchMap(const Kernel& kernel, const ElasticBed& bed) noexcept
      : kernel_(kernel), bed_(bed), gyration_(std::sqrt(bed.spinStiffness / bed.stiffness)) {}

  /// Returns a trial wrench f* [N], [N m] to the limit surface of size `limit` = mu N [N], not negative.
  WrenchReturn returnWrenchToLimitSurface(const Wrench<double>& trial, double limit,
                                          const Twist<double>* along = nullptr) const noexcept {
    WrenchReturn result{trial, {}, false, 0.0, 0.0, 0};
    if (!(limit > 0.0)) return wrenchReturnWithoutFriction(trial);
    const Trial t = normalisedTrialWrench(trial, limit);
    // the chord between pure sliding and pure spin lies inside any convex limit surface
    if (Kernel::kPotential && t.T + t.m / (kernel_.spinMoment() / gyration_) <= 1.0) return result;
    const Root root = findRoot(t, along == nullptr ? std::atan2(t.m, t.T) : angleOfLimitSurfaceNormal(*along),
                               result.evaluations);
    if (!(root.lambda > kSlack)) return result;
    result.slips = true;
    result.angle = root.b;
    result.distance = root.lambda;
    const double share = t.T > 0.0 ? root.X / t.T : 0.0;
    result.wrench = {scaled(share, trial.force), std::copysign(limit * gyration_ * root.m, trial.moment)};
    // The slip increment is (f - f*)/S, written without cancellation for small lambda.
    const double size = -root.lambda * limit / bed_.stiffness;
    result.plastic = {scaled(t.T > 0.0 ? size * std::cos(root.b) / (t.T * limit) : 0.0, trial.force),
                      std::copysign(size / gyration_ * std::sin(root.b), -trial.moment)};
    return result;
  }

  /// Distance lambda of a trial wrench from the limit surface, over mu N; negative inside.
  double distanceFromLimitSurface(const Wrench<double>& trial, double limit) const noexcept {
    int evaluations = 0;
    if (!(limit > 0.0)) return 0.0;
    const Trial t = normalisedTrialWrench(trial, limit);
    return findRoot(t, std::atan2(t.m, t.T), evaluations).lambda;
  }

  /// Derivatives of the returned wrench by the trial wrench, and by mu N.
  struct Tangent {
    WrenchTangent byTrial{};
    Wrench<double> byLimit{};
  };
  Tangent tangentMatrix(const Wrench<double>& trial, double limit, const WrenchReturn& at) const noexcept {
    if (!at.slips) return {{{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}}, {}};
    if (!(limit > 0.0)) return {};
    const Trial t = normalisedTrialWrench(trial, limit);
    const double s = std::sin(at.angle), c = std::cos(at.angle);
    const AxialResponse r = kernel_.response(c, s / gyration_);
    // derivative (X', m') along the boundary of the limit surface, from g(b; T, m*) = 0
    const double dX = -r.dXdV * s + r.dXdw * c / gyration_;
    const double dm = (-r.dMdV * s + r.dMdw * c / gyration_) / gyration_;
    const double slope = at.distance - dX * s + dm * c;
    const double sign = trial.moment < 0.0 ? -1.0 : 1.0;
    const Tangential<double> e =
        t.T > 0.0 ? scaled(1.0 / (limit * t.T), trial.force) : Tangential<double>{1.0, 0.0};
    const double across = t.T > 0.0 ? r.X / t.T : returnedForceRatioInPureSpin(r, t);

    Tangent result;
    const double xx = -dX * s / slope, xm = dX * c / slope, mx = -dm * s / slope, mm = dm * c / slope;
    const double along = t.T > 0.0 ? xx : across;
    result.byTrial = {{{across + (along - across) * e.first * e.first, (along - across) * e.first * e.second,
                        sign * xm * e.first / gyration_},
                       {(along - across) * e.first * e.second,
                        across + (along - across) * e.second * e.second, sign * xm * e.second / gyration_},
                       {sign * mx * e.first * gyration_, sign * mx * e.second * gyration_, mm}}};
    // the return is homogeneous of degree 1 in trial and limit
    const std::array<double, 3> f = wrenchComponents(at.wrench), f0 = wrenchComponents(trial);
    std::array<double, 3> by{};
    for (std::size_t i = 0; i < 3; ++i) {
      by[i] = f[i];
      for (std::size_t j = 0; j < 3; ++j) by[i] -= result.byTrial[i][j] * f0[j];
      by[i] /= limit;
    }
    result.byLimit = {{by[0], by[1]}, by[2]};
    return result;
  }

 private:
  static constexpr double kSlack = 1e-13;
  static constexpr double kRounding = 4e-16;  // relative rounding error of the terms of g
  static constexpr int kMostSteps = 100;      // largest number of steps; bisection alone needs 55

  struct Trial {
    double T, m;
  };
  struct Root {
    double b{}, X{}, m{}, g{}, slope{}, lambda{-1.0};
    double size{};  // magnitude of the terms of g
  };

  Trial normalisedTrialWrench(const Wrench<double>& f, double limit) const noexcept {
    return {std::sqrt(dot(f.force, f.force)) / limit, std::abs(f.moment) / (limit * gyration_)};
  }

  Root evaluateReturnResidual(const Trial& t, double b, int& evaluations) const noexcept {
    ++evaluations;
    const double s = std::sin(b), c = std::cos(b);
    const AxialResponse r = kernel_.response(c, s / gyration_);
    const double m = r.M / gyration_;
    const double dX = -r.dXdV * s + r.dXdw * c / gyration_;
    const double dm = (-r.dMdV * s + r.dMdw * c / gyration_) / gyration_;
    const double lambda = (t.T - r.X) * c + (t.m - m) * s;
    return {b, r.X, m, (t.T - r.X) * s - (t.m - m) * c, lambda - dX * s + dm * c, lambda, t.T * s + t.m * c};
  }

  double angleOfLimitSurfaceNormal(const Twist<double>& q) const noexcept {
    return std::atan2(gyration_ * std::abs(q.spin), std::sqrt(dot(q.sliding, q.sliding)));
  }

  Root findRoot(const Trial& t, double start, int& evaluations) const noexcept {
    constexpr double kQuarter = 0.5 * std::numbers::pi;
    if (t.m == 0.0) return evaluateReturnResidual(t, 0.0, evaluations);
    if (t.T == 0.0) return returnSolutionInPureSpin(t, evaluations);
    if constexpr (Kernel::kPotential) {
      return solveReturnInBracket(t, 0.0, kQuarter, start, evaluations);
    } else {
      constexpr int kCuts = 64;
      Root best;
      double before = -1.0;
      for (int i = 1; i <= kCuts; ++i) {
        const double b = kQuarter * i / kCuts;
        const double g = i < kCuts ? evaluateReturnResidual(t, b, evaluations).g : 1.0;
        if (before <= 0.0 && g > 0.0) {
          const double from = kQuarter * (i - 1) / kCuts;
          const Root root = solveReturnInBracket(t, from, b, 0.5 * (from + b), evaluations);
          if (root.lambda > best.lambda) best = root;
        }
        before = g;
      }
      return best;
    }
  }

  Root returnSolutionInPureSpin(const Trial& t, int& evaluations) const noexcept {
    ++evaluations;
    const double m = kernel_.spinMoment() / gyration_;
    return {0.5 * std::numbers::pi, 0.0, m, 0.0, 1.0, t.m - m, t.m};
  }

  /// Newton's method in a bracket with g(low) <= 0 < g(high); a bisection step is taken if the bracket has
  /// not halved in three steps.
  Root solveReturnInBracket(const Trial& t, double low, double high, double b,
                            int& evaluations) const noexcept {
    Root root = evaluateReturnResidual(t, b, evaluations);
    double width = high - low;
    for (int i = 0; i < kMostSteps && std::abs(root.g) > kRounding * root.size; ++i) {
      (root.g < 0.0 ? low : high) = root.b;
      double next = root.b - root.g / root.slope;
      const bool slow = i % 3 == 2 && high - low > 0.5 * width;
      if (i % 3 == 2) width = high - low;
      if (!(next > low && next < high) || slow) next = 0.5 * (low + high);
      const double step = std::abs(next - root.b);
      if (step <= 2e-16 * std::max(1.0, root.b) || next <= low || next >= high) break;
      root = evaluateReturnResidual(t, next, evaluations);
    }
    return root;
  }

  /// Ratio of returned to trial tangential force for a small force in pure spin, K/(K + lambda) with X = K V,
  /// from g = 0.
  double returnedForceRatioInPureSpin(const AxialResponse& r, const Trial& t) const noexcept {
    const double K = r.dXdV;
    const double lambda = t.m - r.M / gyration_;
    return K / (K + lambda);
  }

  WrenchReturn wrenchReturnWithoutFriction(const Wrench<double>& trial) const noexcept {
    return {{},   {scaled(-1.0 / bed_.stiffness, trial.force), -trial.moment / bed_.spinStiffness},
            true, 0.0,
            0.0,  0};
  }

  Kernel kernel_;
  ElasticBed bed_;
  double gyration_;  // gyration radius l [m]
};

}  // namespace ricochet::patch
