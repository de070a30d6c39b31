#pragma once

#include "engine/functions/function_series.hpp"
#include "engine/model/linear_system.hpp"

#include <vector>

namespace ricochet {

/// Parts that spin at a speed that varies, in one run of a scheme of time steps: the force
///
///     -(W - W_included) G v - W' G q
///
/// and its matrices at an instant.
class SpinRun {
 public:
  explicit SpinRun(const LinearSystem& linear);

  bool empty() const noexcept { return cursors_.empty(); }

  /// a += the force at t.
  void addForce(double t, const Vector& q, const Vector& v, Vector& a) noexcept;

  /// system += dv (W - W_included) G + dq W' G
  void addTo(Matrix& system, double t, double dq, double dv) noexcept;

  /// Power that the drives give to the motion, -W' v.G q [W].
  double power(double t, const Vector& q, const Vector& v) noexcept;

  void start(double t) noexcept;

  /// Passes an instant at which W' may jump; `forceLike` takes the difference. Whether one did.
  bool advance(double t, double tolerance, const Vector& q, Vector& forceLike) noexcept;

  template <class Archive>
  void persist(Archive& archive) {
    archive(cursors_);
  }

 private:
  void read(double t) noexcept;
  Vector& turned(std::size_t part, const Vector& q) noexcept;

  const LinearSystem* linear_;
  std::vector<FunctionCursor> cursors_;
  FunctionSeries series_{1};
  std::vector<double> speed_;   // W - W_included
  std::vector<double> change_;  // W'
  Vector argument_, product_;   // modes
};

}  // namespace ricochet
