#pragma once

#include "engine/functions/function_series.hpp"
#include "engine/model/linear_system.hpp"

#include <vector>

namespace ricochet {

/// Parts with a varying spin speed in one run of a time-stepping scheme: the force
///
///     -(W - W_included) G v - W' G q
///
/// and the matrices of this force at an instant.
class SpinRun {
 public:
  explicit SpinRun(const LinearSystem& linear);

  bool empty() const noexcept { return cursors_.empty(); }

  /// Adds the gyroscopic force at t to the acceleration `a`.
  void addGyroscopicForce(double t, const Vector& q, const Vector& v, Vector& a) noexcept;

  /// Adds the matrices of the gyroscopic force at t to an implicit matrix: system += dv (W - W_included) G +
  /// dq W' G.
  void addGyroscopicMatricesTo(Matrix& system, double t, double dq, double dv) noexcept;

  /// Power that the drives of the spin supply to the motion, -W' v.G q [W].
  double powerOfSpinDrives(double t, const Vector& q, const Vector& v) noexcept;

  void start(double t) noexcept;

  /// Moves the speeds past an instant at which W' may jump; adds the jump of the force to `forceLike`.
  /// Returns true if W' jumped.
  bool advanceTimeFunctions(double t, double tolerance, const Vector& q, Vector& forceLike) noexcept;

  template <class Archive>
  void serialise(Archive& archive) {
    archive(cursors_);
  }

 private:
  void readSpinSpeeds(double t) noexcept;
  Vector& gyroscopicProduct(std::size_t part, const Vector& q) noexcept;

  const LinearSystem* linear_;
  std::vector<FunctionCursor> cursors_;
  FunctionSeries series_{1};
  std::vector<double> speed_;   // speed W - W_included of each part at the instant [rad/s]
  std::vector<double> change_;  // acceleration W' of each part [rad/s^2]
  Vector argument_, product_;   // work vectors, one entry per mode
};

}  // namespace ricochet
