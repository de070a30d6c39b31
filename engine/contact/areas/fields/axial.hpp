#pragma once

#include "engine/contact/areas/fields/twist.hpp"

namespace ricochet::patch {

/// Resistance of an axisymmetric patch (contact area) at sliding speed V and spin rate w >= 0, not both zero,
/// and its derivatives, over mu N: force X opposite to the velocity [-], moment M [m].
struct AxialResponse {
  double X{}, M{};
  double dXdV{}, dXdw{}, dMdV{}, dMdw{};
};

/// Response of a law with a potential Phi: its four derivatives follow from one number c, X_V = c w^2, X_w =
/// M_V = -c V w, M_w = c V^2, because the law is homogeneous of degree 0. c [m^2 s^3 / m^3] is the curvature
/// of Phi across the ray of (V, w).
inline AxialResponse wrenchAndSlopesOfPotential(double X, double M, double V, double w, double c) noexcept {
  return {X, M, c * w * w, -c * V * w, -c * V * w, c * V * V};
}

/// A kernel gives the resistance of an axisymmetric patch: `response(V, w)`.
template <class K>
concept AxialKernel = requires(const K kernel, double V) {
  { kernel.response(V, V) }
  noexcept->std::same_as<AxialResponse>;
  { kernel.spinMoment() }
  noexcept->std::same_as<double>;  // spin moment without sliding (V = 0), per mu N: M0 [m]
  { K::kPotential } -> std::convertible_to<bool>;
};

/// Friction law in the plane from the kernel of an axisymmetric patch: the force is opposite to V, the moment
/// opposite to the spin.
template <AxialKernel Kernel>
struct Axial {
  static constexpr bool kPotential = Kernel::kPotential;

  Kernel kernel;

  Wrench<double> wrench(const Twist<double>& q) const noexcept {
    const double V = std::sqrt(dot(q.sliding, q.sliding));
    const double w = std::abs(q.spin);
    if (V == 0.0 && w == 0.0) return {};
    const AxialResponse r = kernel.response(V, w);
    const double along = V > 0.0 ? -r.X / V : 0.0;
    return {scaled(along, q.sliding), -std::copysign(w > 0.0 ? r.M : 0.0, q.spin)};
  }

  template <std::size_t N>
  Wrench<Dual<N>> wrench(const Twist<Dual<N>>& q) const noexcept {
    return wrenchOfDualMotion(*this, q);
  }

  /// The derivative of the force is X_V along the velocity and X/V across the velocity; at V = 0 both are
  /// X_V.
  WrenchTangent tangentMatrix(const Twist<double>& q) const noexcept {
    const double V = std::sqrt(dot(q.sliding, q.sliding));
    const double w = std::abs(q.spin);
    if (V == 0.0 && w == 0.0) return {};
    const AxialResponse r = kernel.response(V, w);
    const Tangential<double> e = V > 0.0 ? scaled(1.0 / V, q.sliding) : Tangential<double>{1.0, 0.0};
    const double across = V > 0.0 ? r.X / V : r.dXdV;
    const double along = r.dXdV - across;
    const double sign = q.spin < 0.0 ? -1.0 : 1.0;
    return {{{-across - along * e.first * e.first, -along * e.first * e.second, -sign * r.dXdw * e.first},
             {-along * e.first * e.second, -across - along * e.second * e.second, -sign * r.dXdw * e.second},
             {-sign * r.dMdV * e.first, -sign * r.dMdV * e.second, -r.dMdw}}};
  }
};

}  // namespace ricochet::patch
