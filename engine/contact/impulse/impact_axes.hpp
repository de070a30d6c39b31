#pragma once

#include "engine/numerics/kernels.hpp"

#include <array>

namespace ricochet {

/// Axes along which an impact acts on a rigid contact at one instant: its normal, then the lines on which it
/// can slide. With x_i the impulses [N s] and v the modal velocity of the structure,
///
///     gap rate = y_0,  slip rate along line i = y_i,   y_i = sign_i row_i.v + imposed_i,
///     v+ = v- + sum_i sign_i row_i x_i
struct ImpactAxes {
  /// Row of the modal basis; null: no mode moves the contact along this axis.
  std::array<const double*, 3> row{};
  std::array<double, 3> sign{1.0, 1.0, 1.0};  ///< sign of the row: 1 or -1
  std::array<double, 3> size{};               ///< Euclidean norms of the rows [kg^-1/2]
  std::array<double, 3> imposed{};  ///< rates that supports and surfaces impose along the axes [m/s]

  double rate(std::size_t axis, const Vector& v) const noexcept {
    return (row[axis] == nullptr ? 0.0 : sign[axis] * kernels::dot(row[axis], v.data(), v.size())) +
           imposed[axis];
  }
  void addImpulse(std::size_t axis, double impulse, Vector& v) const noexcept {
    if (row[axis] != nullptr) kernels::addScaled(sign[axis] * impulse, row[axis], v.data(), v.size());
  }
  /// Rate along an axis per unit impulse along an axis of another contact [1/kg].
  double compliance(std::size_t axis, const ImpactAxes& other, std::size_t otherAxis,
                    Eigen::Index modes) const noexcept {
    if (row[axis] == nullptr || other.row[otherAxis] == nullptr) return 0.0;
    const double signs = sign[axis] * other.sign[otherAxis];
    if (row[axis] == other.row[otherAxis]) return signs * size[axis] * size[axis];
    return signs * kernels::dot(row[axis], other.row[otherAxis], modes);
  }
};

}  // namespace ricochet
