#pragma once

#include "engine/contact/areas/fields/twist.hpp"

namespace ricochet::patch {

/// Resistance of a patch that looks the same from all sides, at sliding speed V and spin w >= 0, not both
/// zero, and its derivatives: force X along the velocity [-], moment M [m].
struct AxialResponse {
  double X{}, M{};
  double dXdV{}, dXdw{}, dMdV{}, dMdw{};
};

/// Of a potential, whose derivatives are one number: X_V = c w^2, X_w = M_V = -c V w, M_w = c V^2, since the
/// law is of degree 0. c [m^2 s^3 / m^3] is the curvature of Phi across the ray of (V, w).
inline AxialResponse reciprocal(double X, double M, double V, double w, double c) noexcept {
  return {X, M, c * w * w, -c * V * w, -c * V * w, c * V * V};
}

/// A kernel says how an axially symmetric patch resists: `at(V, w)`.
template <class K>
concept AxialKernel = requires(const K kernel, double V) {
  { kernel.at(V, V) }
  noexcept->std::same_as<AxialResponse>;
  { kernel.spinMoment() }
  noexcept->std::same_as<double>;  // M at V = 0: M0 [m]
  { K::kPotential } -> std::convertible_to<bool>;
};

/// The plane law of an axial kernel: the force is along -V, the moment against the spin.
template <AxialKernel Kernel>
struct Axial {
  static constexpr bool kPotential = Kernel::kPotential;

  Kernel kernel;

  Wrench<double> wrench(const Twist<double>& q) const noexcept {
    const double V = std::sqrt(dot(q.sliding, q.sliding));
    const double w = std::abs(q.spin);
    if (V == 0.0 && w == 0.0) return {};
    const AxialResponse r = kernel.at(V, w);
    const double along = V > 0.0 ? -r.X / V : 0.0;
    return {scaled(along, q.sliding), -std::copysign(w > 0.0 ? r.M : 0.0, q.spin)};
  }

  template <std::size_t N>
  Wrench<Dual<N>> wrench(const Twist<Dual<N>>& q) const noexcept {
    return lifted(*this, q);
  }

  /// Along the velocity X_V, across it X/V; at V = 0 both are the slope K/w of X.
  WrenchTangent tangent(const Twist<double>& q) const noexcept {
    const double V = std::sqrt(dot(q.sliding, q.sliding));
    const double w = std::abs(q.spin);
    if (V == 0.0 && w == 0.0) return {};
    const AxialResponse r = kernel.at(V, w);
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
