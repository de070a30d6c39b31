#pragma once

#include "engine/contact/areas/fields/axial.hpp"
#include "engine/contact/areas/fields/exact.hpp"

#include <cmath>

namespace ricochet::patch {

/// Force X against V >= 0 [-] and moment M against w >= 0 [m] over mu N, for any scalar type.
template <class Real>
struct Resistance {
  Real X{}, M{};
};

/// The quadratic forms of A.A. Kireenkov (XXI ICTAM, Warsaw 2004), with V and w as magnitudes, N = 1:
///
///     X = V (V + a1 w)/(V^2 + a1 V w + a2 w^2),   M = M0 w (w + m1 V)/(w^2 + m1 V w + m2 V^2)
///
/// From moments a1 = J K/2, a2 = J/2, m1 = J K/(2 M0^2), m2 = K/(2 M0): the forms are exact in the value and
/// two orders of X at w -> 0 and of M at V -> 0, and in the value and slope at the other end (three
/// derivatives at both ends, as in the paper, are not possible). The form is passive if all four coefficients
/// are at least 0. The form has no potential: it is not reciprocal, hence never monotone, and its force lies
/// outside the exact limit surface.
struct PadeCoefficients {
  double a1{}, a2{};  ///< coefficients of the force [m], [m^2]
  double m1{}, m2{};  ///< coefficients of the moment [1/m], [1/m^2]
};
template <class Real>
struct PadeForm {
  Real M0, a1, a2, m1, m2;

  static PadeForm fromMoments(const Real& M0, const Real& J, const Real& K) noexcept {
    const Real half = 0.5 * J * K;
    return {M0, half, 0.5 * J, half / (M0 * M0), 0.5 * K / M0};
  }
  Resistance<Real> computeFrictionResistance(const Real& V, const Real& w) const noexcept {
    const Real V2 = V * V, Vw = V * w, ww = w * w;
    return {(V2 + a1 * Vw) / (V2 + a1 * Vw + a2 * ww), M0 * (ww + m1 * Vw) / (ww + m1 * Vw + m2 * V2)};
  }
};

/// The linear-fractional form, V.F. Zhuravlev, PMM 62 (1998) 705-710: X = V/(V + w/K), M = M0 w/(w + V M0/J).
/// The form is exact in the values at both ends and in the non-zero slope; the wrench lies strictly inside
/// the limit surface.
template <class Real>
struct LinearForm {
  Real M0, J, K;

  static LinearForm fromMoments(const Real& M0, const Real& J, const Real& K) noexcept { return {M0, J, K}; }
  Resistance<Real> computeFrictionResistance(const Real& V, const Real& w) const noexcept {
    return {K * V / (K * V + w), M0 * J * w / (J * w + M0 * V)};
  }
};

/// The quadratic or the linear-fractional form with fixed coefficients, for an axisymmetric patch.
template <template <class> class Form>
struct FractionalKernel {
  static constexpr bool kPotential = false;

  Form<double> form;

  static FractionalKernel fromMoments(const PatchMoments& m) noexcept {
    return {Form<double>::fromMoments(m.M0, m.J.xx, m.K.xx)};
  }
  double spinMoment() const noexcept { return form.M0; }
  AxialResponse response(double V, double w) const noexcept {
    const Resistance<Dual<2>> r =
        formWithDualNumbers().computeFrictionResistance(Dual<2>(V, 0), Dual<2>(w, 1));
    return {r.X.value(), r.M.value(), r.X.slope(0), r.X.slope(1), r.M.slope(0), r.M.slope(1)};
  }

 private:
  Form<Dual<2>> formWithDualNumbers() const noexcept {
    if constexpr (requires { form.a1; })
      return {form.M0, form.a1, form.a2, form.m1, form.m2};
    else
      return {form.M0, form.J, form.K};
  }
};
using PadeKernel = FractionalKernel<PadeForm>;
using LinearKernel = FractionalKernel<LinearForm>;

inline PadeKernel padeFormFromCoefficients(double M0, const PadeCoefficients& c) noexcept {
  return {{M0, c.a1, c.a2, c.m1, c.m2}};
}

/// Lateral force of the quadratic forms, Y = b1 w^2/(b2 V^2 + b3 V w + w^2), to the left of V:
///     b1 = S_x,  b2 = S_x/J_xy,  b3 = -K_xy/S_x  in axes along V
/// The force exists only if the denominator has no zero. Otherwise the form of the paper has a pole, or b1 =
/// 0 although the exact force is not zero; the lateral force is then set to zero.
struct LateralCoefficients {
  double b1{}, b2{}, b3{};
  bool exists() const noexcept {
    return b1 != 0.0 && b2 > 0.0 && std::isfinite(b2) && b3 > -2.0 * std::sqrt(b2);
  }
};
inline PadeCoefficients padeCoefficientsOfPatch(const PatchMoments& alongV) noexcept {
  const PadeForm<double> form = PadeForm<double>::fromMoments(alongV.M0, alongV.J.xx, alongV.K.xx);
  return {form.a1, form.a2, form.m1, form.m2};
}
/// Coefficients for counter-clockwise spin; for clockwise spin use the moments of the patch rotated by pi.
inline LateralCoefficients lateralForceCoefficients(const PatchMoments& alongV) noexcept {
  const double S = alongV.S.first;
  return {S, S / alongV.J.xy, -alongV.K.xy / S};
}

/// The quadratic or the linear-fractional form for any patch: J and K are the components along the velocity.
template <template <class> class Form>
class Fractional {
 public:
  static constexpr bool kPotential = false;

  explicit Fractional(const PatchMoments& moments) noexcept : m_(moments) {}

  template <class Real>
  Wrench<Real> wrench(const Twist<Real>& q) const noexcept {
    const bool clockwise = !(q.spin > 0.0) && 0.0 > valueOf(q.spin);
    const Real w = clockwise ? -q.spin : q.spin;
    const double sign = clockwise ? -1.0 : 1.0;
    const Real V2 = dot(q.sliding, q.sliding);
    if (!(V2 > 0.0)) return {{}, w > 0.0 ? Real(-sign * m_.M0) : Real(0.0)};
    const Real V = sqrt(V2);
    const Tangential<Real> e = scaled(Real(1.0) / V, q.sliding);
    const Form<Real> form =
        Form<Real>::fromMoments(Real(m_.M0), tensorComponentAlong(m_.J, e), tensorComponentAlong(m_.K, e));
    const Resistance<Real> r = form.computeFrictionResistance(V, w);
    const Real Y = isQuadratic ? lateralFrictionForce(e, V, w, sign) : Real(0.0);
    return {{Y * e.second - r.X * e.first, -(Y * e.first) - r.X * e.second}, -sign * r.M};
  }

  /// At V = 0 the slope of X depends on the direction of V; the diagonal components K_xx and K_yy are used.
  WrenchTangent tangentMatrix(const Twist<double>& q) const noexcept {
    if (dot(q.sliding, q.sliding) > 0.0) return tangentMatrixByDualNumbers(*this, q);
    if (q.spin == 0.0) return {};
    const double w = std::abs(q.spin);
    return {{{-m_.K.xx / w, 0.0, 0.0}, {0.0, -m_.K.yy / w, 0.0}, {0.0, 0.0, 0.0}}};
  }

 private:
  static constexpr bool isQuadratic = requires(Form<double> f) { f.a1; };
  static double valueOf(double x) noexcept { return x; }
  template <std::size_t N>
  static double valueOf(const Dual<N>& x) noexcept {
    return x.value();
  }

  template <class Real>
  static Real tensorComponentAlong(const Symmetric& t, const Tangential<Real>& e) noexcept {
    return t.xx * e.first * e.first + 2.0 * t.xy * e.first * e.second + t.yy * e.second * e.second;
  }
  template <class Real>
  static Real shearComponentOfTensor(const Symmetric& t, const Tangential<Real>& e) noexcept {
    return (t.yy - t.xx) * e.first * e.second + t.xy * (e.first * e.first - e.second * e.second);
  }
  template <class Real>
  Real lateralFrictionForce(const Tangential<Real>& e, const Real& V, const Real& w,
                            double sign) const noexcept {
    const Real S = sign * (m_.S.first * e.first + m_.S.second * e.second);
    const Real J = shearComponentOfTensor(m_.J, e), K = shearComponentOfTensor(m_.K, e);
    const double b2 = valueOf(S) / valueOf(J), b3 = -valueOf(K) / valueOf(S);
    if (!LateralCoefficients{valueOf(S), b2, b3}.exists()) return Real(0.0);
    return S * w * w / (S / J * V * V - K / S * V * w + w * w);
  }

  PatchMoments m_;
};
using Pade = Fractional<PadeForm>;
using LinearFractional = Fractional<LinearForm>;

}  // namespace ricochet::patch
