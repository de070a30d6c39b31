#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace ricochet {

/// A point of a quadrature on [0, 1].
struct QuadraturePoint {
  double at;
  double weight;
};

/// Gauss-Legendre with 12 points: exact for polynomials up to degree 23.
inline constexpr std::array kGaussPoints{QuadraturePoint{0.00921968287664037465, 0.0235876681932559136},
                                         QuadraturePoint{0.0479413718147625717, 0.0534696629976592155},
                                         QuadraturePoint{0.115048662902847656, 0.0800391642716731132},
                                         QuadraturePoint{0.206341022856691276, 0.101583713361532961},
                                         QuadraturePoint{0.316084250500909903, 0.116746268269177404},
                                         QuadraturePoint{0.437383295744265542, 0.124573522906701393},
                                         QuadraturePoint{0.562616704255734458, 0.124573522906701393},
                                         QuadraturePoint{0.683915749499090097, 0.116746268269177404},
                                         QuadraturePoint{0.793658977143308724, 0.101583713361532961},
                                         QuadraturePoint{0.884951337097152344, 0.0800391642716731132},
                                         QuadraturePoint{0.952058628185237428, 0.0534696629976592155},
                                         QuadraturePoint{0.990780317123359625, 0.0235876681932559136}};

/// Gauss-Legendre with 8, 6 and 4 points: exact for polynomials up to degree 15, 11 and 7.
inline constexpr std::array kEightGaussPoints{QuadraturePoint{0.0198550717512318842, 0.0506142681451881296},
                                              QuadraturePoint{0.101666761293186630, 0.111190517226687235},
                                              QuadraturePoint{0.237233795041835507, 0.156853322938943644},
                                              QuadraturePoint{0.408282678752175098, 0.181341891689180991},
                                              QuadraturePoint{0.591717321247824902, 0.181341891689180991},
                                              QuadraturePoint{0.762766204958164493, 0.156853322938943644},
                                              QuadraturePoint{0.898333238706813370, 0.111190517226687235},
                                              QuadraturePoint{0.980144928248768116, 0.0506142681451881296}};
inline constexpr std::array kSixGaussPoints{QuadraturePoint{0.0337652428984239861, 0.0856622461895851725},
                                            QuadraturePoint{0.169395306766867743, 0.180380786524069304},
                                            QuadraturePoint{0.380690406958401546, 0.233956967286345524},
                                            QuadraturePoint{0.619309593041598454, 0.233956967286345524},
                                            QuadraturePoint{0.830604693233132257, 0.180380786524069304},
                                            QuadraturePoint{0.966234757101576014, 0.0856622461895851725}};
inline constexpr std::array kFourGaussPoints{QuadraturePoint{0.0694318442029737124, 0.173927422568726929},
                                             QuadraturePoint{0.330009478207571868, 0.326072577431273071},
                                             QuadraturePoint{0.669990521792428132, 0.326072577431273071},
                                             QuadraturePoint{0.930568155797026288, 0.173927422568726929}};

/// Gauss-Legendre points on [-1, 1] for integration (exact to degree 2 count - 1) and interpolation.
struct GaussLegendre {
  explicit GaussLegendre(std::size_t count);

  std::vector<double> point;
  std::vector<double> weight;
  std::vector<double> barycentric;
};

/// Values at x of the polynomials through samples at `points`, by the barycentric formula. Sample i of
/// polynomial c is samples[i * stride + c].
void interpolatePolynomials(std::span<const double> points, std::span<const double> barycentric,
                            const double* samples, std::size_t stride, double x,
                            std::span<double> values) noexcept;

/// Integral of a function that may have a kink: parts are halved until two estimates agree to `tolerance`, at
/// most `halvings` times, which is enough for some kinks and bounds the cost where rounding is larger than
/// the tolerance. `sum(from, to)` estimates the integral over a part, `whole` is the estimate of the
/// undivided one. Without a kink the first two estimates agree.
template <class Sum>
double integrateByHalving(Sum&& sum, double from, double to, double whole, double tolerance, int& halvings) {
  const double middle = 0.5 * (from + to);
  const double left = sum(from, middle), right = sum(middle, to);
  if (halvings == 0 || std::abs(left + right - whole) <= tolerance) return left + right;
  --halvings;
  const double first = integrateByHalving(sum, from, middle, left, tolerance, halvings);
  return first + integrateByHalving(sum, middle, to, right, tolerance, halvings);
}
template <class Sum>
double integrateByHalving(Sum&& sum, double from, double to, double whole, double tolerance) {
  int halvings = 200;
  return integrateByHalving(sum, from, to, whole, tolerance, halvings);
}

}  // namespace ricochet
