#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace ricochet::patch {

/// Points of a quadrature rule on [0, 1] and their weights, which sum to 1.
struct UnitRule {
  std::vector<double> points;
  std::vector<double> weights;
};

/// Gauss-Legendre rule with n points on [0, 1], exact for polynomials up to degree 2 n - 1.
UnitRule gaussLegendreRule(std::size_t n);

/// Points and weights of the Gauss rule with 10 points and the Kronrod rule with 21 points on [-1, 1] (R.
/// Piessens et al., QUADPACK, Springer 1983): exact up to degree 19 and 31. Points are symmetric about 0,
/// only x >= 0 is stored, the last one is 0; the points with an odd index belong to both rules.
struct GaussKronrod {
  static constexpr std::array<double, 11> kPoints{0.995657163025808080735527280689003,
                                                  0.973906528517171720077964012084452,
                                                  0.930157491355708226001207180059508,
                                                  0.865063366688984510732096688423493,
                                                  0.780817726586416897063717578345042,
                                                  0.679409568299024406234327365114874,
                                                  0.562757134668604683339000099272694,
                                                  0.433395394129247190799265943165784,
                                                  0.294392862701460198131126603103866,
                                                  0.148874338981631210884826001129720,
                                                  0.0};
  static constexpr std::array<double, 11> kKronrod{
      0.011694638867371874278064396062192, 0.032558162307964727478818972459390,
      0.054755896574351996031381300244580, 0.075039674810919952767043140916190,
      0.093125454583697605535065465083366, 0.109387158802297641899210590325805,
      0.123491976262065851077958109585166, 0.134709217311473325928054001771707,
      0.142775938577060080797094273138717, 0.147739104901338491374841515972068,
      0.149445554002916905664936468389821};
  static constexpr std::array<double, 5> kGauss{
      0.066671344308688137593568809893332, 0.149451349150580593145863396957658,
      0.219086362515982043995534934228163, 0.269266719309996355091226921569469,
      0.295524224714752870173815619188769};
};

/// Value and error of a vector-valued integral over one subinterval.
template <std::size_t N>
struct Panel {
  std::array<double, N> value{};
  double error{0.0};  ///< largest error of a component, relative for large components
};

/// Error estimate of QUADPACK from the difference e of both rules.
inline double gaussKronrodErrorEstimate(double e) noexcept { return std::min(e, std::pow(200.0 * e, 1.5)); }

/// Integral of f over [from, to] by the Kronrod rule, with an error estimate.
template <std::size_t N, class F>
Panel<N> integrateByGaussKronrod(const F& f, double from, double to) noexcept {
  const double centre = 0.5 * (from + to), half = 0.5 * (to - from);
  Panel<N> sum;
  std::array<double, N> gauss{}, size{};
  for (std::size_t i = 0; i < GaussKronrod::kPoints.size(); ++i) {
    const double x = half * GaussKronrod::kPoints[i];
    std::array<double, N> both = f(centre + x);
    if (x != 0.0) {
      const std::array<double, N> other = f(centre - x);
      for (std::size_t n = 0; n < N; ++n) both[n] += other[n];
    }
    for (std::size_t n = 0; n < N; ++n) {
      sum.value[n] += half * GaussKronrod::kKronrod[i] * both[n];
      size[n] += GaussKronrod::kKronrod[i] * std::abs(both[n]);
      if (i % 2 == 1) gauss[n] += half * GaussKronrod::kGauss[i / 2] * both[n];
    }
  }
  for (std::size_t n = 0; n < N; ++n)
    sum.error =
        std::max(sum.error, gaussKronrodErrorEstimate(std::abs(sum.value[n] - gauss[n]) / (1.0 + size[n])));
  return sum;
}

/// Integral of f over [from, to]: every subinterval whose estimated error exceeds its part of `tolerance` is
/// halved. The heap is not used. At a logarithmic singularity at an end the halving stops after 50 times,
/// with an error of 1e-15; the number of subintervals is at most 2000.
template <std::size_t N, class F>
std::array<double, N> integrateAdaptively(const F& f, double from, double to, double tolerance) noexcept {
  constexpr std::size_t kDepth = 50;
  std::array<double, kDepth + 1> ends{to};
  std::array<double, N> sum{};
  std::size_t waiting = 1, panels = 0;
  const double width = to - from;
  double start = from;
  while (waiting > 0) {
    const double end = ends[waiting - 1];
    const Panel<N> p = integrateByGaussKronrod<N>(f, start, end);
    const double share = std::max((end - start) / width, 1e-3);
    if (p.error > tolerance * share && waiting <= kDepth && ++panels < 2000) {
      ends[waiting++] = 0.5 * (start + end);
      continue;
    }
    for (std::size_t n = 0; n < N; ++n) sum[n] += p.value[n];
    start = end;
    --waiting;
  }
  return sum;
}

}  // namespace ricochet::patch
