#pragma once

#include "engine/event/series/mode_plane.hpp"
#include "engine/event/series/volterra_bounds.hpp"
#include "engine/event/series/volterra_tables.hpp"

#include <array>
#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// Quantity along a row that responds to a force along another row.
enum class Answer : unsigned char { displacement, velocity, acceleration };

/// Law of a force F along a row with the motion u: F = given - stiffness u - damping u', or a constraint, F
/// such that u'' = given.
struct VolterraLaw {
  double stiffness{0.0};  ///< stiffness k of the law [N/m]
  double damping{0.0};    ///< damping c of the law [N s/m]
  bool constrained{false};

  bool hasFeedback() const noexcept { return stiffness != 0.0 || damping != 0.0 || constrained; }
  bool operator==(const VolterraLaw&) const = default;
};

/// Tables of one step length, and the responses of pairs of rows, computed at first use and stored. Rows are
/// identified by their numbers; the values in `rows` are read at first use only.
class VolterraLevel {
 public:
  using Rows = std::span<const PlaneRow>;

  VolterraLevel(const VolterraBasis& basis, const LinearSystem& linear, const ModalWaves& waves, double step,
                std::size_t mostRows);

  const VolterraTables& modalResponseTables() const noexcept { return tables_; }
  /// Bounds of the motion over the step, computed at first use.
  const VolterraBounds& boundsOfMotionOverStep();

  /// Motion along row a at point l under a force along row b that is 1 at point l' and 0 at the others:
  /// element (l, l') of a stride x P matrix. Symmetric in a and b. Null if the rows have no common mode.
  const double* responseMatrixOfRowPair(Answer answer, Rows rows, int a, int b);

  /// Bounds of the interpolation error of the motion along row a under forces T_k along row b: P values. Null
  /// if the rows have no common mode.
  const double* boundsOfInterpolationError(Rows rows, int a, int b);
  /// Largest interpolation error over the modes of a plane under forces T_k, divided by the product of the
  /// norms of the rows: P values.
  const Vector& largestInterpolationErrors(const ModePlane& plane);

  /// Inverse block of a row with a law: (1 + k G + c G')^-1, or G''^-1 for a constraint; stride x P.
  const double* inverseResponseMatrixOfRow(const VolterraLaw& law, Rows rows, int row);

 private:
  static constexpr int kUnknown = -1, kZero = -2;
  struct Inverse {
    VolterraLaw law;
    Matrix matrix;
  };

  /// Index of the stored response of two rows, kUnknown if not computed, kZero if zero.
  int& cachedResponseIndex(std::vector<int>& known, int a, int b) const;
  const Matrix& forcedMotionInterpolationError();
  bool multiplyRowsModeByMode(const PlaneRow& a, const PlaneRow& b) noexcept;
  void sampleResponseAtKernelPoints(const Matrix& kernel, const ModePlane& plane,
                                    Vector& values) const noexcept;
  bool computeResponseMatrixOfRowPair(Answer answer, const PlaneRow& a, const PlaneRow& b, Matrix& block);

  const VolterraBasis* basis_;
  const LinearSystem* linear_;
  std::size_t mostRows_;
  VolterraTables tables_;
  std::optional<VolterraBounds> bounds_;
  // By answer: index in blocks_ of the rows a <= b at a mostRows + b.
  std::array<std::vector<int>, 3> blockOf_;
  std::deque<Matrix> blocks_;
  Matrix forcedRemainder_;
  struct Largest {
    ModePlane plane;
    Vector remainders;
  };
  std::deque<Largest> largest_;
  std::vector<int> remainderOf_;
  std::deque<Vector> remainders_;
  std::vector<std::deque<Inverse>> inverses_;  // inverse blocks of each row
  Vector product_, samples_, part_;            // work vectors; products only in the plane of their rows
};

}  // namespace ricochet
