#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {

/// What wear takes off a cylinder of radius R, and how deep it goes for a worn volume.
///
/// Archard's law gives the volume, V = k W with k the wear coefficient [m^3/J = 1/Pa] and W the integral of
/// N |s'| over slip [J]. Source: J.F. Archard, J. Appl. Phys. 24 (1953) 981-988.
///
///   flat   by a bar of width L across the axis, which may lean by an angle a along it. A cut of depth d
///   takes
///          the segment A(d) = R^2 (f - sin f cos f), cos f = 1 - d/R, and the depth falls by tan a per
///          length:
///              V = L A(d),  or  V = (F(d) - F(d - L tan a))/tan a,  F(d) = R^3 (sin f - f cos f - sin^3 f/3)
///          F the integral of A. Small depths: V = 4/3 L sqrt(2 R) d^(3/2); V = 8/15 sqrt(2 R) d^(5/2)/tan a.
///   ring   all around, over a length L: V = pi L (R^2 - (R - d)^2)
struct WornShape {
  enum class Kind : unsigned char { flat, ring };
  Kind kind{Kind::flat};
  double radius{0.0};       ///< R [m]
  double length{0.0};       ///< L [m]
  double inclination{0.0};  ///< a [rad], in [0, pi/2)

  /// Of a depth in [0, R] [m^3].
  double volume(double depth) const noexcept {
    if (kind == Kind::ring) return std::numbers::pi * length * depth * (2.0 * radius - depth);
    if (inclination == 0.0) return length * radius * radius * segment(angle(depth));
    const double slope = std::tan(inclination);
    const double cut = integral(angle(depth)) - integral(angle(depth - length * slope));
    return radius * radius * radius / slope * cut;
  }

  /// Of a volume; no more than R, where half the cylinder or all of it is gone [m].
  double depth(double worn) const noexcept {
    constexpr int kHalvings = 1100;  // down to the smallest numbers; equal bounds end it long before
    double low = 0.0, high = radius;
    if (!(worn > 0.0)) return 0.0;
    if (worn >= volume(radius)) return radius;
    for (int i = 0; i < kHalvings; ++i) {
      const double middle = 0.5 * (low + high);
      if (middle <= low || middle >= high) break;
      (volume(middle) < worn ? low : high) = middle;
    }
    return high;
  }

 private:
  /// f: sin^2(f/2) = d/(2 R) keeps the digits of a small depth.
  double angle(double depth) const noexcept {
    return 2.0 * std::asin(std::sqrt(std::clamp(0.5 * depth / radius, 0.0, 0.5)));
  }

  // by their series where differences would lose digits: to 1e-12 at the change
  static constexpr double kSmall = 0.2;
  static double segment(double f) noexcept {
    if (f > kSmall) return f - std::sin(f) * std::cos(f);
    const double s = f * f;
    return f * s *
           (2.0 / 3.0 - s * (2.0 / 15.0 - s * (4.0 / 315.0 - s * (2.0 / 2835.0 - s * (4.0 / 155925.0)))));
  }
  static double integral(double f) noexcept {
    if (f > kSmall) {
      const double sine = std::sin(f);
      return sine - f * std::cos(f) - sine * sine * sine / 3.0;
    }
    const double s = f * f;
    return f * s * s *
           (2.0 / 15.0 -
            s * (11.0 / 315.0 - s * (17.0 / 3780.0 - s * (461.0 / 1247400.0 - s * (8303.0 / 389188800.0)))));
  }
};

}  // namespace ricochet
