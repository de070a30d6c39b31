#pragma once

#include "engine/event/taylor_expansion.hpp"
#include "engine/event/volterra_tables.hpp"

#include <map>
#include <span>
#include <vector>

namespace ricochet {

/// The motion over a step as TaylorExpansion gives it, for a step that no high mode limits: the modes move
/// exactly, and the forces of the contacts are polynomials of degree P - 1 through P Chebyshev points, found
/// from the Volterra equation on the contact rows
///
///     F_a = given_a - k_a u_a + factor_a F_follows,    u_a = b_a.(free motion) + sum over b of G_ab F_b.
///
/// Uncoupled modes; forces without dashpots and without constraints. What limits the step is how fast the
/// forces change: `tail` says how much the last coefficients of one leave out.
class ChebyshevExpansion {
 public:
  ChebyshevExpansion(const VolterraBasis& basis, const LinearSystem& linear, int mostChannels, int mostRows);

  /// Number by which a row (padded; its memory must outlive the expansion) is known, new or not.
  int rowOf(const double* row);

  void reset() noexcept { channels_ = 0; }
  /// A force, as TaylorExpansion::add; a channel that follows comes after its leader.
  int add(const Channel& channel);
  int channels() const noexcept { return channels_; }

  /// The step [s] of the next expansion. Tables of steps that were used before are kept.
  void prepare(double step);
  double step() const noexcept { return level_->tables.step(); }

  /// Values at the P points of a given force, to be filled. Zero after `add`.
  std::span<double> given(int channel) noexcept { return column(given_, channel); }

  /// Solves for all forces from q, v (padded). Block Gauss-Seidel over the channels; where that does not
  /// converge, a dense solution. Returns the sweeps that were taken, 0 for a dense solution.
  int expand(const Vector& q, const Vector& v);

  /// Values at the points: of a force, and of b.q of a channel with stiffness or that is watched.
  std::span<const double> force(int channel) const noexcept { return column(force_, channel); }
  std::span<const double> motion(int channel) const noexcept { return column(motion_, channel); }
  /// The same along any row, by its number.
  void along(int row, std::span<double> values);

  /// Bound of |b.q - its interpolant| anywhere in the step for the free part of the motion, of a row by its
  /// number: no gap is further from what its values at the points say, but for the forces' own tails.
  double freeRemainder(int row) const noexcept;

  /// Largest of the last two Chebyshev coefficients of values at the points, the last but one halved.
  double tail(std::span<const double> values) const noexcept;

  /// q and v (padded) at the end of the step, or anywhere inside.
  void end(Vector& q, Vector& v) noexcept;
  void evaluate(double tau, Vector& q, Vector& v) noexcept;

 private:
  /// Compliance of two rows.
  struct Block {
    Matrix compliance;
    bool known{false};
    bool couples{false};
  };
  /// (1 + k G)^-1 of a row with stiffness k.
  struct Inverse {
    double stiffness;
    Matrix matrix;
  };
  struct Level {
    VolterraTables tables;
    std::vector<Block> blocks;                   ///< of rows a <= b at a mostRows + b
    std::vector<std::vector<Inverse>> inverses;  ///< of every row
  };

  std::span<double> column(Matrix& m, int c) noexcept { return {m.col(c).data(), size()}; }
  std::span<const double> column(const Matrix& m, int c) const noexcept { return {m.col(c).data(), size()}; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(basis_->points()); }
  const Block& block(int a, int b);
  void sampleFree(int row, Eigen::Ref<Vector> values) const noexcept;
  const Matrix& inverse(int channel);
  Eigen::Map<const Vector> row(int number) const noexcept {
    return {rows_[static_cast<std::size_t>(number)], q_.size()};
  }
  int rowNumber(int channel) const noexcept { return rowOf_[static_cast<std::size_t>(channel)]; }
  void addPushed(int row, Eigen::Ref<Vector> values);
  double sweep();
  void solveDense();
  bool isFedBack(int channel) const noexcept;

  const VolterraBasis* basis_;
  const LinearSystem* linear_;
  std::size_t mostRows_;
  std::vector<const double*> rows_;
  std::map<double, Level> levels_;  // by step
  Level* level_{nullptr};
  std::vector<Channel> channel_;
  std::vector<int> rowOf_;  // of every channel
  int channels_{0};
  Matrix given_, free_, force_, motion_;  // P x channels
  Vector q_, v_;                          // at the start
  Vector next_, coupled_, push_;          // scratch
  Matrix polynomials_, modePolynomials_;
};

}  // namespace ricochet
