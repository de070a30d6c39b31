#pragma once

#include "physical/types.hpp"

namespace ricochet {

/// Number of lanes of a vector operation. Vectors over modes are padded with zeros to a multiple of this
/// number, and sums run over this number of lanes in a fixed order: the same bits for every register width.
inline constexpr Eigen::Index kLanes = 8;

constexpr Eigen::Index paddedSize(Eigen::Index size) noexcept {
  return (size + kLanes - 1) / kLanes * kLanes;
}

/// State of a run in generalized coordinates, padded (the padding stays zero).
struct State {
  double time{0.0};  ///< instant of the state [s]
  Vector q;          ///< generalized displacement [kg^1/2 m]
  Vector v;          ///< generalized velocity [kg^1/2 m/s]
  Vector a;          ///< generalized acceleration [kg^1/2 m/s^2]

  State() = default;
  explicit State(Eigen::Index size)
      : q(Vector::Zero(paddedSize(size))),
        v(Vector::Zero(paddedSize(size))),
        a(Vector::Zero(paddedSize(size))) {}

  template <class Archive>
  void serialise(Archive& archive) {
    archive(time, q, v, a);
  }
};

}  // namespace ricochet
