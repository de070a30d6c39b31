#pragma once

#include "engine/contact/followed.hpp"
#include "io/quantities/table/quantity.hpp"

namespace ricochet {

/// Value of a quantity of a contact between two instants, from the numbers that are smooth and therefore
/// interpolated instead of the quantity (OfContact::interpolatedNumberCount).
inline double valueFromInterpolatedNumbers(const OfContact& quantity, const Contact& contact,
                                           const double* numbers, int tangent) {
  if (!quantity.byPosition) return quantity.value(numbers, tangent);
  return gapAndNormalOf(contact.obstacle, Local<double>{numbers[0], numbers[1], numbers[2]}).gap;
}

/// Instant at which a direction turns against that at `from`; `to` if that at `to` does not.
template <class DirectionAt>
double instantOfReversal(double from, double to, const DirectionAt& directionAt) {
  constexpr int kHalvings = 50;
  const Local<double> first = directionAt(from);
  const auto isTurned = [&](double t) { return innerProduct(first, directionAt(t)) < 0.0; };
  if (!isTurned(to)) return to;
  for (int i = 0; i < kHalvings; ++i) {
    const double middle = 0.5 * (from + to);
    (isTurned(middle) ? to : from) = middle;
  }
  return to;
}

/// Instant at which the nearest side of an obstacle changes, where the gap has a kink; `to` if the normals at
/// both instants are to one side. `place(t)`: local coordinates of the contact point.
template <class Place>
double instantOfSideChange(const AnyObstacle& obstacle, double from, double to, const Place& place) {
  return instantOfReversal(from, to, [&](double t) {
    const auto x = place(t);
    return gapAndNormalOf(obstacle, Local<double>{x[0], x[1], x[2]}).normal;
  });
}

}  // namespace ricochet
