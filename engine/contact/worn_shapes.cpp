#include "engine/contact/worn_shapes.hpp"

#include "engine/numerics/quadrature.hpp"

namespace ricochet {
namespace {

// Below this angle a series is used, because differences of the closed form lose digits; relative error 1e-12
// at the change.
constexpr double kSmall = 0.2;

/// Half angle f of a circular segment of height h: 1 - cos f = h/R. The formula with sin^2(f/2) keeps the
/// digits of a small f.
double circularSegmentHalfAngle(double height, double radius) noexcept {
  return 2.0 * std::asin(std::sqrt(std::clamp(0.5 * height / radius, 0.0, 1.0)));
}

/// Area of a circular segment over R^2: f - sin f cos f.
double circularSegmentArea(double f) noexcept {
  if (f > kSmall) return f - std::sin(f) * std::cos(f);
  const double s = f * f;
  return f * s *
         (2.0 / 3.0 - s * (2.0 / 15.0 - s * (4.0 / 315.0 - s * (2.0 / 2835.0 - s * (4.0 / 155925.0)))));
}

/// Integral of the segment area over its height, over R^3: sin f - f cos f - sin^3 f/3.
double circularSegmentIntegral(double f) noexcept {
  if (f > kSmall) {
    const double sine = std::sin(f);
    return sine - f * std::cos(f) - sine * sine * sine / 3.0;
  }
  const double s = f * f;
  return f * s * s *
         (2.0 / 15.0 -
          s * (11.0 / 315.0 - s * (17.0 / 3780.0 - s * (461.0 / 1247400.0 - s * (8303.0 / 389188800.0)))));
}

/// Area of the part of a circle R outside a circle R0 when the circle R has passed the circle R0 by d: its
/// segment minus the segment of R0 on the same chord. With e = R0 - R + d between the centres the heights of
/// the segments are d + h and h = d (2 R - d)/(2 e).
double areaOfCircleIntersection(const WornBore& shape, double depth) noexcept {
  const double radius = shape.radius, bore = shape.bore;
  const double height = depth * (2.0 * radius - depth) / (2.0 * (bore - radius + depth));
  return radius * radius * circularSegmentArea(circularSegmentHalfAngle(depth + height, radius)) -
         bore * bore * circularSegmentArea(circularSegmentHalfAngle(height, bore));
}

}  // namespace

double WornFlat::volume(double depth) const noexcept {
  const auto angle = [this](double d) { return circularSegmentHalfAngle(std::min(d, radius), radius); };
  if (inclination == 0.0) return length * radius * radius * circularSegmentArea(angle(depth));
  const double slope = std::tan(inclination);
  const double cut =
      circularSegmentIntegral(angle(depth)) - circularSegmentIntegral(angle(depth - length * slope));
  return radius * radius * radius / slope * cut;
}

double WornBore::volume(double depth) const noexcept {
  if (inclination == 0.0) return places * length * areaOfCircleIntersection(*this, depth);
  static const GaussLegendre rule(24);
  // Integration over the square root of the depth, because the area is a smooth function of this root.
  const double slope = std::tan(inclination);
  const double low = std::sqrt(std::max(0.0, depth - length * slope)), high = std::sqrt(depth);
  double sum = 0.0;
  for (std::size_t i = 0; i < rule.point.size(); ++i) {
    const double root = 0.5 * (low + high) + 0.5 * (high - low) * rule.point[i];
    sum += rule.weight[i] * (high - low) * root * areaOfCircleIntersection(*this, root * root);
  }
  return places * sum / slope;
}

/// In every plane normal to the approach the intersection of both cylinders is a parallelogram with the sides
/// 2 w1/sin c and 2 w2/sin c, w1 = sqrt(t (2 R - t)) at a depth t below the surface of the first cylinder, w2
/// likewise at d - t. With t = d sin^2 f the integrand is periodic and smooth: equal weights.
double WornCrossed::volume(double depth) const noexcept {
  constexpr int kParts = 48;
  double sum = 0.0;
  for (int i = 1; i < kParts; ++i) {
    const double f = 0.5 * std::numbers::pi * i / kParts;
    const double sine = std::sin(f), cosine = std::cos(f);
    const double t = depth * sine * sine;
    sum += sine * sine * cosine * cosine * std::sqrt((2.0 * radius - t) * (2.0 * other - depth + t));
  }
  return 4.0 * std::numbers::pi / kParts * depth * depth / std::sin(angle) * sum;
}

double WornTable::volume(double depth) const noexcept {
  const auto next = std::lower_bound(depths.begin() + 1, depths.end() - 1, depth);
  const auto i = static_cast<std::size_t>(next - depths.begin());
  const double slope = (volumes[i] - volumes[i - 1]) / (depths[i] - depths[i - 1]);
  return volumes[i - 1] + slope * (depth - depths[i - 1]);
}

double wornDepth(const AnyWornShape& shape, double volume) noexcept {
  constexpr int kHalvings = 1100;  // reaches the smallest numbers; equal bounds end the loop long before
  double low = 0.0, high = std::visit([](const auto&each) { return each.largestDepth(); }, shape);
  if (!(volume > 0.0)) return 0.0;
  if (volume >= wornVolume(shape, high)) return high;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (wornVolume(shape, middle) < volume ? low : high) = middle;
  }
  return high;
}

}  // namespace ricochet
