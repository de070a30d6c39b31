#pragma once

#include "engine/contact/areas/fields/axial.hpp"
#include "engine/contact/areas/fields/exact.hpp"

#include <cmath>

namespace ricochet::patch {

/// Two doubles in one register.
using Pair = double __attribute__((vector_size(16)));

/// P^(-5/6) for P > 0. For P near 1 (compact patches) a polynomial of degree 15 through the Chebyshev points
/// of [0.62, 1], relative error 2e-15; its two halves are summed in parallel, because the length of the chain
/// of operations determines the time.
inline double powerMinusFiveSixths(double P) noexcept {
  const double x = P - 0.81;
  if (!(std::abs(x) < 0.19 + 1e-9)) [[unlikely]]
    return std::pow(P, -5.0 / 6.0);
  const double xx = x * x, x4 = xx * xx;
  const Pair c0 =
      Pair{1.1919622032168247, 3.9951006068811807} + Pair{-1.226298562980272, -4.840884364314105} * x;
  const Pair c2 =
      Pair{1.387786439594233, 5.883015133087113} + Pair{-1.6181323369758691, -7.152978034437698} * x;
  const Pair c4 =
      Pair{1.9144569786817216, 8.504520892190296} + Pair{-2.284742896241421, -10.364032260182961} * x;
  const Pair c6 =
      Pair{2.742319258561516, 16.114525375045467} + Pair{-3.30497031673236, -19.67910790265873} * x;
  const Pair halves = (c0 + xx * c2) + x4 * (c4 + xx * c6);
  return halves[0] + (x4 * x4) * halves[1];
}
template <std::size_t N>
Dual<N> powerMinusFiveSixths(const Dual<N>& P) noexcept {
  const double value = powerMinusFiveSixths(P.value());
  return value - (5.0 / 6.0 * value / P.value()) * (P - P.value());
}

/// The sextic potential of an axisymmetric patch, N = 1:
///
///     Phi^6 = V^6 + 3 J V^4 w^2 + 3 M0^5 K V^2 w^4 + M0^6 w^6
///
/// Its value and two orders are exact where V or w vanishes; in between, the error is 0.03 (disc) to 0.08
/// (ring). Unlike the quadratic Pade form with equal moments the law has a potential: passive, reciprocal,
/// monotone if convex(), odd and even like the exact law, and smooth except at rest.
///
/// The potential is evaluated on the unit circle of (V, M0 w)/n, n^2 = V^2 + M0^2 w^2, with u = V^2/n^2, v =
/// 1 - u:
///     P = u^3 + p u^2 v + q u v^2 + v^3 = 1 - 3 u v (a u + b v),  Phi = n P^(1/6)
///     p = 3 (1 - a) = 3 J/M0^2,  q = 3 (1 - b) = 3 M0 K
struct AxialPotential {
  static constexpr bool kPotential = true;

  double M0{2.0 / 3.0};  ///< [m]
  double a{7.0 / 16.0};  ///< 1 - J/M0^2; 7/16 for the uniform disc
  double b{1.0 / 3.0};   ///< 1 - M0 K; 1/3 for the uniform disc

  static AxialPotential fromMoments(const PatchMoments& m) noexcept {
    return {m.M0, 1.0 - m.J.xx / (m.M0 * m.M0), 1.0 - m.M0 * m.K.xx};
  }

  double spinMoment() const noexcept { return M0; }

  template <class Real>
  Wrench<Real> wrench(const Twist<Real>& twist) const noexcept {
    const Real y = M0 * twist.spin;
    const Real V2 = dot(twist.sliding, twist.sliding), yy = y * y;
    const Real nn = V2 + yy;
    if (!(nn > 0.0)) return {};
    const Real inverse = Real(1.0) / nn;
    const Real u = V2 * inverse, v = yy * inverse;
    const Real au = a * u, bv = b * v;
    const Real sum = au + bv;
    const Real scale = powerMinusFiveSixths(Real(1.0 - 3.0 * u * v * sum)) * sqrt(inverse);
    const Real along = scale - scale * (v * (sum + au));
    const Real across = scale - scale * (u * (sum + bv));
    return {scaled(-along, twist.sliding), -M0 * (across * y)};
  }

  /// Wrench for doubles; u and v are computed in parallel in one register.
  Wrench<double> wrench(const Twist<double>& twist) const noexcept {
    const double y = M0 * twist.spin;
    const double V2 = dot(twist.sliding, twist.sliding), yy = y * y;
    const double nn = V2 + yy;
    if (!(nn > 0.0)) return {};
    const double inverse = 1.0 / nn;
    const Pair uv = Pair{V2, yy} * inverse;
    const Pair weighted = Pair{a, b} * uv;
    const double sum = weighted[0] + weighted[1];
    const double scale = powerMinusFiveSixths(1.0 - (3.0 * uv[0]) * uv[1] * sum) * std::sqrt(inverse);
    const Pair against = scale * (Pair{uv[1], uv[0]} * (sum + weighted)) - scale;
    return {scaled(against[0], twist.sliding), (M0 * y) * against[1]};
  }

  WrenchTangent tangentMatrix(const Twist<double>& twist) const noexcept {
    return Axial<AxialPotential>{*this}.tangentMatrix(twist);
  }

  /// Response from the potential, with the curvature c = M0^2 G/(9 n^3 P^(11/6)) and the polynomial G =
  /// curvature(u, v).
  AxialResponse response(double V, double w) const noexcept {
    const double y = M0 * w;
    const double inverse = 1.0 / (V * V + y * y);
    const double u = V * V * inverse, v = y * y * inverse;
    const double au = a * u, bv = b * v;
    const double P = 1.0 - 3.0 * u * v * (au + bv);
    const double scale = powerMinusFiveSixths(P) * std::sqrt(inverse);
    const double c = M0 * M0 * curvature(u, v) * scale * inverse / (9.0 * P);
    return wrenchAndSlopesOfPotential(V * scale * (1.0 - v * (au + au + bv)),
                                      M0 * y * scale * (1.0 - u * (au + bv + bv)), V, w, c);
  }

  /// Polynomial G(u, v) in the shares u and v of sliding and spin: the potential Phi of the law is convex
  /// where G >= 0.
  double curvature(double u, double v) const noexcept {
    const double p = 3.0 * (1.0 - a), q = 3.0 * (1.0 - b);
    const double uu = u * u, uv = u * v, vv = v * v;
    return 3.0 * p * uu * uu +
           uv * ((18.0 * q - 2.0 * p * p) * uu + (45.0 + p * q) * uv + (18.0 * p - 2.0 * q * q) * vv) +
           3.0 * q * vv * vv;
  }
  /// True if Phi is convex, that is, the law is monotone. This holds for the moments of every real patch;
  /// moments given by the user may violate it.
  bool isConvex() const noexcept {
    constexpr int kPlaces = 1000;
    for (int i = 0; i <= kPlaces; ++i) {
      const double u = static_cast<double>(i) / kPlaces;
      if (curvature(u, 1.0 - u) < 0.0) return false;
    }
    return true;
  }
};

/// The sextic potential of any patch, from the tensors J, K and the third moments, N = 1:
///
///     Phi^6 = |V|^6 + 3 |V|^2 (V.J V) w^2 + 3 I3(V) w^3 + [3 M0^5 (V.K V) + 15 M0^4 (s.V)^2] w^4
///             + 6 M0^5 (s.V) w^5 + M0^6 w^6,    s = (-S_y, S_x),  I3(V) = mean of (p.V)^2 (p.(z x V))
///
/// The law contains the lateral force of oblique sliding and the force of pure spin on an unsymmetric patch.
struct Potential {
  static constexpr bool kPotential = true;

  explicit Potential(const PatchMoments& moments) noexcept : m_(moments) {}

  template <class Real>
  Wrench<Real> wrench(const Twist<Real>& twist) const noexcept {
    const Real w = m_.M0 * twist.spin;
    const Real nn = dot(twist.sliding, twist.sliding) + w * w;
    if (!(nn > 0.0)) return {};
    const Real inverse = Real(1.0) / sqrt(nn);
    const Tangential<Real> a = scaled(inverse, twist.sliding);
    const Real b = inverse * w, bb = b * b, bbb = b * bb, aa = dot(a, a);

    // Computes the forms a.J a, a.K a, s.a, I3(a) and parts of their gradients, with all lengths divided by
    // M0.
    const double toJ = 1.0 / (m_.M0 * m_.M0), toI = toJ / m_.M0;
    const Tangential<Real> Ja = tensorTimesVector(m_.J, toJ, a), Ka = tensorTimesVector(m_.K, m_.M0, a);
    const Real aJa = dot(a, Ja), aKa = dot(a, Ka);
    const Real sa = m_.S.first * a.second - m_.S.second * a.first;
    const Tangential<Real> dI = scaled(toI, gradientOfCubicTerm(a));
    const Real I = (a.first * dI.first + a.second * dI.second) * (1.0 / 3.0);

    const Real quartic = 3.0 * aKa + 15.0 * sa * sa;
    const Real P = aa * aa * aa + bb * (3.0 * aa * aJa) + bbb * (3.0 * I + b * quartic + 6.0 * sa * bb + bbb);
    const Real scale = powerMinusFiveSixths(P) * (1.0 / 6.0);
    // gradient of P with respect to a: P_a = alongA a + alongJ J a + 3 b^3 dI + 6 b^4 K a + alongS (-S_y,
    // S_x)
    const Real alongA = 6.0 * aa * aa + 6.0 * bb * aJa, alongJ = 6.0 * bb * aa;
    const Real alongS = bb * bb * (30.0 * sa + 6.0 * b), bbbb = 6.0 * bb * bb, cubic = 3.0 * bbb;
    const Tangential<Real> Pa{
        alongA * a.first + alongJ * Ja.first + cubic * dI.first + bbbb * Ka.first - m_.S.second * alongS,
        alongA * a.second + alongJ * Ja.second + cubic * dI.second + bbbb * Ka.second + m_.S.first * alongS};
    const Real Pb =
        6.0 * b * aa * aJa + 9.0 * bb * I + 4.0 * bbb * quartic + 30.0 * sa * bb * bb + 6.0 * bb * bbb;
    return {scaled(-scale, Pa), -m_.M0 * (scale * Pb)};
  }

  WrenchTangent tangentMatrix(const Twist<double>& twist) const noexcept {
    return tangentMatrixByDualNumbers(*this, twist);
  }

 private:
  template <class Real>
  static Tangential<Real> tensorTimesVector(const Symmetric& t, double scale,
                                            const Tangential<Real>& a) noexcept {
    return {scale * t.xx * a.first + scale * t.xy * a.second,
            scale * t.xy * a.first + scale * t.yy * a.second};
  }
  /// Gradient with respect to a of I3(a) = -a1^2 a2 m_xxx + a1 (a1^2 - 2 a2^2) m_xxy
  /// + a2 (2 a1^2 - a2^2) m_xyy + a1 a2^2 m_yyy, with the third moments m_xxx to m_yyy of the patch.
  template <class Real>
  Tangential<Real> gradientOfCubicTerm(const Tangential<Real>& a) const noexcept {
    const Real xx = a.first * a.first, xy = a.first * a.second, yy = a.second * a.second;
    return {(3.0 * xx - 2.0 * yy) * m_.xxy + xy * (4.0 * m_.xyy - 2.0 * m_.xxx) + yy * m_.yyy,
            (2.0 * xx - 3.0 * yy) * m_.xyy + xy * (2.0 * m_.yyy - 4.0 * m_.xxy) - xx * m_.xxx};
  }

  PatchMoments m_;
};

}  // namespace ricochet::patch
