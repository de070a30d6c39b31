#pragma once

#include "engine/event/series/mode_kernel.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/event/series/volterra_kernel.hpp"
#include "engine/event/series/volterra_level.hpp"
#include "physical/dense_solvers.hpp"

#include <array>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// The motion over a step, as an alternative to TaylorExpansion whose step the highest mode does not limit:
/// the modes move exactly, and the forces of the contacts are polynomials of degree P - 1 through P Chebyshev
/// points, found from the Volterra equation on the contact rows
///
///     F_a = given_a - k_a u_a - c_a u_a' + factor_a F_follows,  u_a = b_a.(free motion) + sum of G_ab F_b,
///
/// and for a constraint from u_a'' = target_a. The modes must be uncoupled. The rate of change of the forces
/// limits the step: `truncationError` estimates the truncation error of a force.
///
/// The responses G_ab of pairs of rows are computed at first use and stored. Later steps allocate no memory,
/// unless a dense solution for the forces is needed.
class ChebyshevExpansion {
 public:
  ChebyshevExpansion(const VolterraBasis& basis, const LinearSystem& linear, int mostChannels, int mostRows,
                     int mostConstraints = 0);
  /// Prepares the expansion of the sorted modes of `planes`, which must outlive the expansion.
  ChebyshevExpansion(const VolterraBasis& basis, const ModePlanes& planes, int mostChannels, int mostRows,
                     int mostConstraints);

  /// Number of a row (padded; the row must outlive the expansion); a new row is added.
  int findOrAddRow(const double* row);
  /// Norm |b| of the row with this number.
  double euclideanNormOfRow(int row) noexcept;

  void reset() noexcept { channels_ = constraints_ = 0; }
  /// Adds the force of a channel and returns its number. A channel that follows must be added after its
  /// leader.
  int addForce(const Channel& channel);
  int channelCount() const noexcept { return channels_; }
  /// Adds a constraint b.q'' = target and returns its number; b.q and b.q' are continuous.
  int addConstraint(const double* row);
  int constraintCount() const noexcept { return constraints_; }

  /// Sets the step [s] of the next expansion. Tables of earlier step lengths are kept. `kernels`: basis with
  /// the same points for forces and fewer points for kernels; null: basis of the constructor.
  void setStepLength(double step, const VolterraBasis* kernels = nullptr);
  double stepLength() const noexcept { return level_->modalResponseTables().stepLength(); }

  /// Values of a given force at the P points, to be filled by the caller; zero after `addForce`.
  std::span<double> givenForce(int channel) noexcept { return column(given_, channel); }
  /// Values of b.q'' of a constraint at the P points [m/s^2], to be filled by the caller; zero after
  /// `addConstraint`.
  std::span<double> targetAcceleration(int constraint) noexcept {
    return column(given_, unknownColumnOfConstraint(constraint));
  }

  /// Solves for all forces from q, v (padded). Block Gauss-Seidel over the channels; if the sweeps do not
  /// converge, a dense solution. Returns the number of sweeps, 0 for a dense solution.
  int solveForcesAndMotion(const Vector& q, const Vector& v);

  /// Values at the points: of a force, and of b.q along a channel with stiffness or damping, or a watched
  /// channel.
  std::span<const double> force(int channel) const noexcept { return column(force_, channel); }
  std::span<const double> motion(int channel) const noexcept { return column(motion_, channel); }
  std::span<const double> reaction(int constraint) const noexcept {
    return column(force_, unknownColumnOfConstraint(constraint));
  }
  /// Samples b.q, b.q' or b.q'' at the points, for the row number `row`.
  void motionValuesAlongRow(int row, std::span<double> values, Answer answer = Answer::displacement);

  /// Bounds of b.q over the step from three scalar products. The truncation error of the forces is not
  /// included.
  struct Reach {
    double low{0.0};
    double high{0.0};
  };
  Reach displacementBoundsAlongRow(int row) noexcept;

  /// Bounds of the interpolation error of b.q anywhere in the step, for the row number `row`: error of the
  /// free motion, and error of the motion under the forces. The error of a gap is at most their sum, apart
  /// from the truncation error of the forces and from rounding.
  double freeMotionInterpolationError(int row) const noexcept;
  double forcedMotionInterpolationError(int row);
  /// True if freeMotionInterpolationError + forcedMotionInterpolationError <= `most`; a bound by the norms of
  /// the rows is evaluated first.
  bool isInterpolationErrorBelow(int row, double most);

  /// Truncation error of a force: the larger of its last Chebyshev coefficient and half of the last but one,
  /// from its values at the points.
  double truncationError(std::span<const double> values) const noexcept {
    return basis_->truncationError(values);
  }

  /// Displacements q and velocities v (padded) at the end of the step, or at any instant inside.
  void evaluateMotionAtStepEnd(Vector& q, Vector& v) noexcept;
  void evaluate(double tau, Vector& q, Vector& v) noexcept;

 private:
  ChebyshevExpansion(const VolterraBasis& basis, const LinearSystem& linear, const ModePlanes* planes,
                     int mostChannels, int mostRows, int mostConstraints);
  std::span<double> column(Matrix& m, int c) const noexcept { return {m.col(c).data(), size()}; }
  std::span<const double> column(const Matrix& m, int c) const noexcept { return {m.col(c).data(), size()}; }
  std::size_t size() const noexcept { return static_cast<std::size_t>(basis_->pointCount()); }
  int unknownColumnOfConstraint(int constraint) const noexcept {
    return static_cast<int>(channel_.size()) + constraint;
  }
  int rowNumberOfColumn(int column) const noexcept { return rowOf_[static_cast<std::size_t>(column)]; }
  const PlaneRow& row(int number) const noexcept { return rows_[static_cast<std::size_t>(number)]; }
  const VolterraLaw& feedbackLaw(int column) const noexcept { return law_[static_cast<std::size_t>(column)]; }
  int indexOfLeadingForce(int column) const noexcept { return leader_[static_cast<std::size_t>(column)]; }
  double factorOfLeadingForce(int column) const noexcept {
    return feedbackLaw(column).constrained ? 0.0 : channel_[static_cast<std::size_t>(column)].factor;
  }

  // Functions that solve for the forces (chebyshev_solution.cpp).
  void sortUnknownForces();
  void setUpEquationOfUnknownForce(int column);
  void addForceEquationTerms(int column, double factor, Answer answer);
  int solveForces();
  /// Factorized equations of all forces of a step.
  struct DenseSystem {
    std::vector<double> key;
    std::optional<Eigen::PartialPivLU<Matrix>> factor;
    std::optional<Eigen::CompleteOrthogonalDecomposition<Matrix>> shared;
  };
  bool areConstraintsDependent();
  void buildDenseSystemCacheKey(std::vector<double>& key) const;
  const DenseSystem* findCachedDenseSystem();
  const DenseSystem& factoriseDenseSystem();
  int solveDenseSystem(const DenseSystem& system);
  void addMotionUnderUnknownForces(std::span<const int> columns, Answer answer, int row, double* values);
  const Matrix& freeMotion(Answer answer) noexcept;
  void sampleFreeMotion(Answer answer, int row, double* values) noexcept;
  void addMotionUnderGivenForces(Answer answer, int row, double* values);

  void prepareModeBlocks();
  void evaluateHeavilyDampedMode(Eigen::Index j, double tau, Vector& q, Vector& v) const noexcept;

  // Functions for polynomials of the forces and bounds.
  void computeForcePolynomials() noexcept;
  double interpolationErrorBoundPerUnitRowNorm(const ModePlane& plane);
  template <class Values>
  int listNonZeroForces(const ModePlane& plane, Values&& values) noexcept;
  int coefficientCount(int column) const noexcept;
  const Vector& modalEnergyNorms() const noexcept;
  const Vector& freeMotionInterpolationErrors() const noexcept;
  void computeMotionBounds() noexcept;

  const VolterraBasis* basis_;
  const LinearSystem* linear_;
  const ModePlanes* planes_;
  std::vector<ModePlane> plane_;
  ModalWaves waves_;
  std::size_t mostRows_;
  std::vector<PlaneRow> rows_;
  std::vector<double> rowSizes_;            // norms of rows; negative: not computed
  std::map<double, VolterraLevel> levels_;  // tables by step length
  VolterraLevel* level_{nullptr};

  // Arrays with a column per channel; constraints have the columns from `mostChannels` on.
  std::vector<Channel> channel_;
  std::vector<int> rowOf_, leader_;
  std::vector<VolterraLaw> law_;
  int channels_{0}, constraints_{0};
  Matrix given_, free_, right_, force_, motion_;  // stride x columns
  std::vector<int> live_, pushing_;               // columns of unknown forces, columns of non-zero forces
  std::vector<int> places_;                       // index in live_ of each column
  std::vector<kernels::VolterraUnknown> unknowns_;
  std::vector<kernels::VolterraTerm> terms_;
  bool backwards_{false};  // a force depends on a later force: several sweeps are needed
  std::vector<DenseSystem> dense_;
  std::vector<double> key_;
  std::vector<int> constrainedRows_;  // rows of the constraints for which dependent_ was computed
  bool dependent_{false};

  Vector q_, v_;                            // displacement and velocity at the start
  std::array<Matrix, 3> freeMotion_;        // padded modes x P, by answer
  std::array<bool, 3> freeKnown_{};         // freeMotion_ is computed for the present expansion
  std::array<Vector, 4> derivatives_;       // derivatives of the free motion at the start, from order 0
  Matrix chebyshev_, powers_, polynomial_;  // polynomials of non-zero forces: stride x columns
  bool polynomialsKnown_{false};
  mutable Vector energy_;      // sqrt(v^2 + omega^2 q^2) by mode
  mutable Vector remainders_;  // bounds of the interpolation error of the free motion by mode
  mutable bool energyKnown_{false}, remaindersKnown_{false};
  // Bound of the interpolation error along a row of norm 1 in each plane; < 0: not computed.
  std::array<double, ModePlanes::kMost> shareOfRemainder_{};
  Matrix line_;                    // q and v of slow modes, 0 for all others
  Vector departures_, pushSizes_;  // largest distances of the modes from q + t v, sizes of the forces
  bool reachKnown_{false};
  std::vector<const double*> pushRows_, pushValues_;  // work arrays

  // Frequencies and growth rates of blocks of modes, for `evaluate`.
  Vector slowest_, fastest_, growth_;
  std::vector<int> blockTerms_, termsOfGrowth_;
  std::vector<Eigen::Index> heavy_;  // modes whose damping may be too high for the vectorised kernel
};

}  // namespace ricochet
