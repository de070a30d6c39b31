#pragma once

#include "engine/contact/areas/fields/axial.hpp"
#include "engine/contact/areas/fields/elliptic.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet::patch {

// Exact resistance of circular patches at sliding speed V and spin rate w >= 0: integrals of the unit slip
// velocity, weighted by the pressure (Coulomb's law at each point). X [-] is the force over mu N, M [m] the
// moment over mu N, q = w R the speed of the rim, k = V/q, m the square of the ratio of the smaller to the
// larger of V and q. Sources: the elliptic forms of A.A. Kireenkov, 2004, and of V.F. Zhuravlev, PMM 62
// (1998) 705-710 for Hertz, rewritten in B, C, D, E (elliptic.hpp) so that every term is positive and no
// digit is lost for V >> q or V << q.

/// Force X [-] and moment M [m] over mu N of a thin ring of radius R [m] at sliding speed V and rim speed q:
/// V >= q: X = (2/pi) E, M = R (2/pi) (q/V) B;  V <= q: X = (2/pi) (V/q) B, M = R (2/pi) E.
struct Ring {
  static constexpr bool kPotential = true;
  double radius{1.0};

  double spinMoment() const noexcept { return radius; }
  AxialResponse response(double V, double w) const noexcept {
    constexpr double kScale = 2.0 / std::numbers::pi;
    const double q = w * radius;
    const double larger = std::max(V, q);
    const double ratio = std::min(V, q) / larger;
    const EllipticIntegrals e =
        ellipticIntegrals(ratio * ratio, std::abs(V - q) * (V + q) / (larger * larger));
    const double near = kScale * e.E;
    const double far = kScale * ratio * e.B;
    const double c = kScale * e.D * radius * radius / (larger * larger * larger);
    return V >= q ? wrenchAndSlopesOfPotential(near, radius * far, V, w, c)
                  : wrenchAndSlopesOfPotential(far, radius * near, V, w, c);
  }
};

/// Force X [-] and moment M [m] over mu N of a disc of radius R [m] under uniform pressure, k = V/(w R):
///     k <= 1:  X = 4 k (E + B)/(3 pi),  M = 4 R ((3 - 2 m) E + m B)/(9 pi)
///     k >= 1:  X = 4 (E + B)/(3 pi),    M = 4 R (2 B + (1 - m) C)/(9 pi k)
struct UniformDisc {
  static constexpr bool kPotential = true;
  double radius{1.0};

  double spinMoment() const noexcept { return 2.0 / 3.0 * radius; }
  AxialResponse response(double V, double w) const noexcept {
    constexpr double kForce = 4.0 / (3.0 * std::numbers::pi);
    const double q = w * radius;
    const double larger = std::max(V, q);
    const double ratio = std::min(V, q) / larger;
    const double m = ratio * ratio;
    const double complement = std::abs(V - q) * (V + q) / (larger * larger);
    const EllipticIntegrals e = ellipticIntegrals(m, complement);
    if (V <= q) {
      const double slope = kForce * ((3.0 - 2.0 * m) * e.B + 2.0 * m * complement * e.C) / q;
      return wrenchAndSlopesOfPotential(kForce * ratio * (e.E + e.B),
                                        kForce / 3.0 * radius * ((3.0 - 2.0 * m) * e.E + m * e.B), V, w,
                                        slope / (w * w));
    }
    const double c = kForce * (e.B - complement * e.C) * radius * radius / (V * V * V);
    return wrenchAndSlopesOfPotential(
        kForce * (e.E + e.B), kForce / 3.0 * radius * ratio * (2.0 * e.B + complement * e.C), V, w, c);
  }
};

/// Annulus under uniform pressure: the disc of radius R minus the disc of radius Ri. The relative error grows
/// as 1/(1 - Ri/R) for a thin annulus.
struct Annulus {
  static constexpr bool kPotential = true;
  double radius{1.0};
  double innerRadius{0.5};

  double spinMoment() const noexcept {
    const double rho = innerRadius / radius;
    return 2.0 / 3.0 * radius * (1.0 + rho + rho * rho) / (1.0 + rho);
  }
  AxialResponse response(double V, double w) const noexcept {
    const double share = (innerRadius / radius) * (innerRadius / radius);
    const AxialResponse whole = UniformDisc{radius}.response(V, w);
    const AxialResponse hole = UniformDisc{innerRadius}.response(V, w);
    const auto rest = [share](double a, double b) { return (a - share * b) / (1.0 - share); };
    return {rest(whole.X, hole.X),       rest(whole.M, hole.M),       rest(whole.dXdV, hole.dXdV),
            rest(whole.dXdw, hole.dXdw), rest(whole.dMdV, hole.dMdV), rest(whole.dMdw, hole.dMdw)};
  }
};

/// Gauss's series 2F1(a, b; c; m), for m <= 1/4: 30 terms reach 1e-18.
inline double hypergeometricFunction(double a, double b, double c, double m) noexcept {
  double term = 1.0;
  double sum = 1.0;
  for (int n = 0; n < 40 && std::abs(term) > 1e-18; ++n) {
    term *= (a + n) * (b + n) / ((c + n) * (1.0 + n)) * m;
    sum += term;
  }
  return sum;
}

/// Force X [-] and moment M [m] over mu N of a disc under the pressure of Hertz, 3 N sqrt(1 - r^2/R^2)/(2 pi
/// R^2), with k = V/(w R):
///     k <= 1:  X = 3 pi (4 k - k^3)/32,  M = 3 pi R (8 - 8 k^2 + 3 k^4)/128
///     k >= 1:  X = 3 [(4 k - k^3) A + (k^2 + 2) s]/16,  M = 3 R [(8 - 8 k^2 + 3 k^4) A + (6 k - 3 k^3) s]/64
/// A = asin(1/k), s = sqrt(1 - 1/k^2). These lose digits as k^4, so from k = 2 on, with m = 1/k^2,
///     X = 2F1(1/2, -1/2; 5/2; m),  M = R 2F1(1/2, 1/2; 7/2; m)/(5 k).
struct HertzDisc {
  static constexpr bool kPotential = true;
  double radius{1.0};

  double spinMoment() const noexcept { return 3.0 / 16.0 * std::numbers::pi * radius; }
  AxialResponse response(double V, double w) const noexcept {
    constexpr double kScale = 3.0 * std::numbers::pi / 32.0;
    const double q = w * radius;
    if (V <= q) {
      const double k = V / q, m = k * k;
      return wrenchAndSlopesOfPotential(kScale * k * (4.0 - m),
                                        0.25 * kScale * radius * (8.0 + m * (3.0 * m - 8.0)), V, w,
                                        kScale * (4.0 - 3.0 * m) / (q * w * w));
    }
    const double r = q / V, m = r * r;
    const double c = radius * radius / (V * V * V);
    if (m <= 0.25)
      return wrenchAndSlopesOfPotential(hypergeometricFunction(0.5, -0.5, 2.5, m),
                                        0.2 * radius * r * hypergeometricFunction(0.5, 0.5, 3.5, m), V, w,
                                        0.2 * c * hypergeometricFunction(1.5, 0.5, 3.5, m));
    const double k = V / q, kk = k * k, A = std::asin(r), s = std::sqrt((V - q) * (V + q)) / V;
    const double slope = 3.0 / 16.0 * ((4.0 - 3.0 * kk) * A + (3.0 * k - 2.0 / k) * s) / q;
    return wrenchAndSlopesOfPotential(
        3.0 / 16.0 * (k * (4.0 - kk) * A + (kk + 2.0) * s),
        3.0 / 64.0 * radius * ((8.0 + kk * (3.0 * kk - 8.0)) * A + 3.0 * k * (2.0 - kk) * s), V, w,
        slope / (w * w));
  }
};

/// Force X [-] and moment M [m] over mu N of a disc under the pressure of a rigid flat punch, N/(2 pi R^2
/// sqrt(1 - r^2/R^2)), with k = V/(w R), A = asin(1/k), s = sqrt(1 - 1/k^2):
///     k <= 1:  X = pi k/4,  M = pi R (2 - k^2)/8
///     k >= 1:  X = (k A + s)/2,  M = R [(2 - k^2) A + k s]/4
/// and from k = 2 on  X = 2F1(1/2, -1/2; 3/2; m),  M = R 2F1(1/2, 1/2; 5/2; m)/(3 k).
struct PunchDisc {
  static constexpr bool kPotential = true;
  double radius{1.0};

  double spinMoment() const noexcept { return 0.25 * std::numbers::pi * radius; }
  AxialResponse response(double V, double w) const noexcept {
    const double q = w * radius;
    if (V <= q) {
      const double k = V / q;
      return wrenchAndSlopesOfPotential(0.25 * std::numbers::pi * k,
                                        0.125 * std::numbers::pi * radius * (2.0 - k * k), V, w,
                                        0.25 * std::numbers::pi / (q * w * w));
    }
    const double r = q / V, m = r * r;
    const double c = radius * radius / (V * V * V);
    if (m <= 0.25)
      return wrenchAndSlopesOfPotential(hypergeometricFunction(0.5, -0.5, 1.5, m),
                                        radius * r * hypergeometricFunction(0.5, 0.5, 2.5, m) / 3.0, V, w,
                                        c * hypergeometricFunction(1.5, 0.5, 2.5, m) / 3.0);
    const double k = V / q, A = std::asin(r), s = std::sqrt((V - q) * (V + q)) / V;
    return wrenchAndSlopesOfPotential(0.5 * (k * A + s), 0.25 * radius * ((2.0 - k * k) * A + k * s), V, w,
                                      0.5 * (A - r * s) / (q * w * w));
  }
};

}  // namespace ricochet::patch
