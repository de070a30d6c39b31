#pragma once

#include "engine/numerics/dual.hpp"
#include "engine/numerics/real.hpp"

#include <array>
#include <cmath>
#include <concepts>
#include <cstddef>

namespace ricochet::patch {

/// Motion of a contact area relative to the other body, in axes that move with the area: velocity of its
/// centre of pressure and spin rate about the contact normal, counter-clockwise from first to second axis.
///
/// The friction laws of contact areas are homogeneous of degree 0 in a twist, so a slip increment may replace
/// the velocity.
template <class Real>
struct Twist {
  Tangential<Real> sliding{};  ///< V [m/s]
  Real spin{};                 ///< omega [rad/s]
};

/// Friction force and moment at the centre of pressure, in the axes of the twist, over mu N: a force [-], at
/// most 1, and a moment [m].
template <class Real>
struct Wrench {
  Tangential<Real> force{};
  Real moment{};

  friend Wrench operator+(const Wrench& a, const Wrench& b) noexcept {
    return {a.force + b.force, a.moment + b.moment};
  }
  friend Wrench operator-(const Wrench& a, const Wrench& b) noexcept {
    return {a.force - b.force, a.moment - b.moment};
  }
  friend Wrench scaled(double factor, const Wrench& a) noexcept {
    return {scaled(factor, a.force), factor * a.moment};
  }
};

/// Derivatives of a wrench. Rows: force along both axes, moment; columns: both velocities, spin.
using WrenchTangent = std::array<std::array<double, 3>, 3>;

template <class Real>
Real powerOfFrictionWrench(const Wrench<Real>& w, const Twist<Real>& q) noexcept {
  return dot(w.force, q.sliding) + w.moment * q.spin;
}

template <class Real>
std::array<Real, 3> wrenchComponents(const Wrench<Real>& w) noexcept {
  return {w.force.first, w.force.second, w.moment};
}

/// A law of combined friction (sliding and spin): the wrench in slip and its tangent. The law has no stick:
/// at rest, where the law is set-valued, its wrench is zero. With kPotential there is a convex Phi(V, omega)
/// >= 0 of degree 1, the pressure-weighted mean slip speed, and wrench = -grad Phi: passive, reciprocal
/// (symmetric tangent) and monotone. Without a potential only power < 0 holds.
template <class L>
concept PatchModel = requires(const L law, const Twist<double> q, const Twist<Dual<3>> dual) {
  { law.wrench(q) }
  noexcept->std::same_as<Wrench<double>>;
  { law.wrench(dual) }
  noexcept->std::same_as<Wrench<Dual<3>>>;
  { law.tangentMatrix(q) }
  noexcept->std::same_as<WrenchTangent>;
  { L::kPotential } -> std::convertible_to<bool>;
};

/// Pressure-weighted mean slip speed v_eq [m/s]: the power dissipated by friction is mu N v_eq. Equal to Phi
/// if there is a potential.
template <PatchModel L>
double meanSlipSpeedOfPatch(const L& law, const Twist<double>& q) noexcept {
  return -powerOfFrictionWrench(law.wrench(q), q);
}

/// Wrench for dual numbers, from a law that computes its own tangent.
template <class L, std::size_t N>
Wrench<Dual<N>> wrenchOfDualMotion(const L& law, const Twist<Dual<N>>& q) noexcept {
  const Twist<double> at{{q.sliding.first.value(), q.sliding.second.value()}, q.spin.value()};
  const std::array<double, 3> value = wrenchComponents(law.wrench(at));
  const WrenchTangent slope = law.tangentMatrix(at);
  const std::array<Dual<N>, 3> change{q.sliding.first - at.sliding.first,
                                      q.sliding.second - at.sliding.second, q.spin - at.spin};
  std::array<Dual<N>, 3> sum{};
  for (std::size_t i = 0; i < 3; ++i)
    sum[i] = value[i] + slope[i][0] * change[0] + slope[i][1] * change[1] + slope[i][2] * change[2];
  return {{sum[0], sum[1]}, sum[2]};
}

/// Tangent by automatic differentiation (dual numbers), for a law that is written for any scalar type.
template <class L>
WrenchTangent tangentMatrixByDualNumbers(const L& law, const Twist<double>& q) noexcept {
  using D = Dual<3>;
  const std::array<D, 3> w =
      wrenchComponents(law.wrench(Twist<D>{{D(q.sliding.first, 0), D(q.sliding.second, 1)}, D(q.spin, 2)}));
  WrenchTangent tangent{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) tangent[i][j] = w[i].slope(j);
  return tangent;
}

/// A law for a patch of unit size, scaled to a patch of `size` [m]: for a radius that depends on the normal
/// force, as a = (3 N R / (4 E*))^(1/3) of Hertz.
template <class L>
struct Resized {
  static constexpr bool kPotential = L::kPotential;

  L law;
  double size{1.0};

  template <class Real>
  Wrench<Real> wrench(const Twist<Real>& q) const noexcept {
    const Wrench<Real> w = law.wrench(Twist<Real>{q.sliding, size * q.spin});
    return {w.force, size * w.moment};
  }
  WrenchTangent tangentMatrix(const Twist<double>& q) const noexcept {
    WrenchTangent t = law.tangentMatrix({q.sliding, size * q.spin});
    for (std::size_t i = 0; i < 3; ++i) {
      t[i][2] *= size;
      t[2][i] *= size;
    }
    return t;
  }
};

}  // namespace ricochet::patch
