#include "engine/contact/areas/fields/quadrature.hpp"
#include "engine/contact/areas/fields/spin_field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet::patch {
namespace {

constexpr double kTolerance = 1e-13;
constexpr double kQuarter = 0.5 * std::numbers::pi;

}  // namespace

EllipticField::EllipticField(const PatchShape& shape) : pressure_(shape.pressure) {
  const bool isEllipse = shape.outline == Outline::ellipse;
  const std::array<double, 2> sides =
      isEllipse ? shape.halfSides : std::array<double, 2>{shape.radius, shape.radius};
  size_ = std::max(sides[0], sides[1]);
  a_ = sides[0] / size_;
  b_ = sides[1] / size_;
  if (pressure_ == Pressure::linear)
    gradient_ = {sides[0] * shape.gradient.first, sides[1] * shape.gradient.second};
}

/// Integrand of the means along a chord: unit direction, distance, and for N = 6 the spread (PoleMeans).
/// `atPole`: linear pressure at the pole q.
template <std::size_t N>
std::array<double, N> EllipticField::integrateAlongEllipseChord(const Chord& chord,
                                                                double atPole) const noexcept {
  const double cosine = std::cos(chord.psi), sine = std::sin(chord.psi);
  const double x = a_ * cosine, y = b_ * sine;
  const double length = std::sqrt(x * x + y * y);
  const double cc = chord.half * chord.half, t = chord.middle;
  double c0 = 0.0, c1 = 0.0, c2 = 0.0;
  if (pressure_ == Pressure::hertz) {
    c0 = 0.75 * cc;
    c1 = c0 * t;
    c2 = c0 * (t * t + 0.25 * cc);
  } else if (pressure_ == Pressure::punch) {
    c0 = 0.5;
    c1 = c0 * t;
    c2 = c0 * (t * t + 0.5 * cc);
  } else {
    const double slope = gradient_.first * cosine + gradient_.second * sine;
    const double m0 = 2.0 * chord.half / std::numbers::pi;
    const double m1 = m0 * t, m2 = m0 * (t * t + cc / 3.0), m3 = m1 * (t * t + cc);
    c0 = atPole * m0 + slope * m1;
    c1 = atPole * m1 + slope * m2;
    c2 = atPole * m2 + slope * m3;
  }
  const double w = chord.measure, direction = w * c1 / length;
  if constexpr (N == 3) {
    return {direction * x, direction * y, w * c2 * length};
  } else {
    const double spread = w * c0 / (length * length * length);
    return {direction * x, direction * y, w * c2 * length, spread * x * x, spread * x * y, spread * y * y};
  }
}

template <std::size_t N>
PoleMeans EllipticField::computeMeanSlipAboutPole(const Tangential<double>& q) const noexcept {
  const Tangential<double> u{q.first / (a_ * size_), q.second / (b_ * size_)};
  const double kappa = std::sqrt(dot(u, u));
  const double towards = std::atan2(u.second, u.first);
  const double atPole = 1.0 + dot(gradient_, u);
  const double complement = (1.0 - kappa) * (1.0 + kappa);

  // the interval is split at its middle; each half is integrated from its outer end, where c may be small,
  // with x = pi/2 - chi (inside) or pi/2 - tau (outside)
  std::array<double, N> sum{};
  for (const double side : {-1.0, 1.0}) {
    const auto inside = [&](double x) {
      const double cosine = std::sin(x);
      const double half = std::sqrt(complement + kappa * kappa * cosine * cosine);
      return integrateAlongEllipseChord<N>({towards + side * (kQuarter - x), half, -kappa * cosine, 1.0},
                                           atPole);
    };
    const auto outside = [&](double x) {
      const double cosine = std::sin(x);
      // cosine of the middle angle, kappa cos eta
      const double middle = std::sqrt(cosine * cosine - complement);
      const double eta = side * std::asin(std::cos(x) / kappa);
      return integrateAlongEllipseChord<N>(
          {towards + std::numbers::pi + eta, cosine, middle, cosine / middle}, atPole);
    };
    const std::array<double, N> part = kappa <= 1.0
                                           ? integrateAdaptively<N>(inside, 0.0, kQuarter, 0.5 * kTolerance)
                                           : integrateAdaptively<N>(outside, 0.0, kQuarter, 0.5 * kTolerance);
    for (std::size_t n = 0; n < N; ++n) sum[n] += part[n];
  }
  PoleMeans means{{sum[0], sum[1]}, size_ * sum[2], {}};
  if constexpr (N == 6) means.spread = {sum[3] / size_, sum[4] / size_, sum[5] / size_};
  return means;
}

PoleMeans EllipticField::meanSlipAboutPole(const Tangential<double>& q, PoleWork work) const noexcept {
  return work == PoleWork::means ? computeMeanSlipAboutPole<3>(q) : computeMeanSlipAboutPole<6>(q);
}

}  // namespace ricochet::patch
