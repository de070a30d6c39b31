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

/// Motion along a row, as answer to a force along another.
enum class Answer : unsigned char { displacement, velocity, acceleration };

/// What a force takes from the motion along its row: F = given - stiffness u - damping u'. A constraint: F
/// such that u'' = given.
struct VolterraLaw {
  double stiffness{0.0};  ///< [N/m]
  double damping{0.0};    ///< [N s/m]
  bool constrained{false};

  bool fedBack() const noexcept { return stiffness != 0.0 || damping != 0.0 || constrained; }
  bool operator==(const VolterraLaw&) const = default;
};

/// Tables of one step length and, made when they are first asked for and kept, what rows are to each other.
/// Rows have numbers; those of `rows` are looked at only then.
class VolterraLevel {
 public:
  using Rows = std::span<const PlaneRow>;

  VolterraLevel(const VolterraBasis& basis, const LinearSystem& linear, const ModalWaves& waves, double step,
                std::size_t mostRows);

  const VolterraTables& tables() const noexcept { return tables_; }
  /// Made when they are first asked for.
  const VolterraBounds& bounds();

  /// Motion along row a at point l under a force along row b that is 1 at point l' and 0 at the others:
  /// element (l, l') of a stride x P matrix. Symmetric in a and b. Null where no mode has both: it is zero.
  const double* block(Answer answer, Rows rows, int a, int b);

  /// Bounds of what interpolation at the points leaves out of the motion along row a under forces T_k along
  /// row b: P numbers. Null where it is zero.
  const double* remainder(Rows rows, int a, int b);
  /// The largest of any mode of a plane, per unit of the product of the sizes of the rows: P numbers.
  const Vector& largestRemainders(const ModePlane& plane);

  /// (1 + k G + c G')^-1 of a row under a law, G''^-1 of a constraint: stride x P.
  const double* inverse(const VolterraLaw& law, Rows rows, int row);

 private:
  static constexpr int kUnknown = -1, kZero = -2;
  struct Inverse {
    VolterraLaw law;
    Matrix matrix;
  };

  /// Number of what two rows have in common, to be made when it is `kUnknown`.
  int& numberOf(std::vector<int>& known, int a, int b) const;
  const Matrix& forcedRemainder();
  bool multiply(const PlaneRow& a, const PlaneRow& b) noexcept;
  void sample(const Matrix& kernel, const ModePlane& plane, Vector& values) const noexcept;
  bool respond(Answer answer, const PlaneRow& a, const PlaneRow& b, Matrix& block);

  const VolterraBasis* basis_;
  const LinearSystem* linear_;
  std::size_t mostRows_;
  VolterraTables tables_;
  std::optional<VolterraBounds> bounds_;
  std::array<std::vector<int>, 3> blockOf_;  // by answer, of rows a <= b at a mostRows + b
  std::deque<Matrix> blocks_;
  Matrix forcedRemainder_;
  struct Largest {
    ModePlane plane;
    Vector remainders;
  };
  std::deque<Largest> largest_;
  std::vector<int> remainderOf_;
  std::deque<Vector> remainders_;
  std::vector<std::deque<Inverse>> inverses_;  // of every row
  Vector product_, samples_, part_;            // scratch; products only in the plane of their rows
};

}  // namespace ricochet
