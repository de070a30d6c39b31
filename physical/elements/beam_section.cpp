#include "physical/elements/beam_section.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

constexpr double kPi = std::numbers::pi;

/// J of a rectangle of sides a >= b. tanh is written as 1 - (1 - tanh), so that the slowly convergent part of
/// the series has a known sum: 1 / n^5 over odd n gives 31/32 zeta(5).
double torsionConstantOfRectangle(double a, double b) noexcept {
  constexpr double kZeta5 = 1.0369277551433699263;
  constexpr int kTerms = 15;  // n = 1, 3, ... 29: 1 - tanh(n pi / 2) is below 1e-39 then
  double sum = 31.0 / 32.0 * kZeta5;
  for (int i = 0; i < kTerms; ++i) {
    const double n = 2.0 * i + 1.0;
    sum -= 2.0 / (1.0 + std::exp(n * kPi * a / b)) / std::pow(n, 5);
  }
  return a * b * b * b * (1.0 / 3.0 - 64.0 * b / (std::pow(kPi, 5) * a) * sum);
}

}  // namespace

SectionConstants TubeSection::computeSectionConstants() const noexcept {
  const double inner = outerRadius - thickness;
  SectionConstants c;
  c.area = kPi * thickness * (outerRadius + inner);
  c.inertiaY = 0.25 * c.area * (outerRadius * outerRadius + inner * inner);
  c.inertiaZ = c.inertiaY;
  c.torsion = 2.0 * c.inertiaY;
  return c;
}

double TubeSection::shearCoefficient(double poisson) const noexcept {
  const double m = (outerRadius - thickness) / outerRadius;
  const double sum = (1.0 + m * m) * (1.0 + m * m);
  return 6.0 * (1.0 + poisson) * sum / ((7.0 + 6.0 * poisson) * sum + (20.0 + 12.0 * poisson) * m * m);
}

SectionConstants CircleSection::computeSectionConstants() const noexcept {
  return TubeSection{radius, radius}.computeSectionConstants();
}

double CircleSection::shearCoefficient(double poisson) const noexcept {
  return TubeSection{radius, radius}.shearCoefficient(poisson);
}

SectionConstants RectangleSection::computeSectionConstants() const noexcept {
  SectionConstants c;
  c.area = heightY * heightZ;
  c.inertiaY = c.area * heightZ * heightZ / 12.0;
  c.inertiaZ = c.area * heightY * heightY / 12.0;
  c.torsion = torsionConstantOfRectangle(std::max(heightY, heightZ), std::min(heightY, heightZ));
  return c;
}

double RectangleSection::shearCoefficient(double poisson) const noexcept {
  return 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson);
}

SectionConstants sectionConstants(const AnySection& section, double poisson, double shearCoefficient) {
  SectionConstants c = std::visit([](const auto& shape) { return shape.computeSectionConstants(); }, section);
  std::visit(
      [&](const auto& shape) {
        if constexpr (requires { shape.shearCoefficient(poisson); }) {
          const double k = shearCoefficient > 0.0 ? shearCoefficient : shape.shearCoefficient(poisson);
          c.shearAreaY = k * c.area;
          c.shearAreaZ = k * c.area;
        }
      },
      section);
  return c;
}

}  // namespace ricochet
