#include "modal/eigen_solver.hpp"

#include "modal/basis_limits.hpp"
#include "modal/basis_properties.hpp"
#include "modal/block_lanczos.hpp"
#include "modal/dense_modes.hpp"
#include "modal/factorization.hpp"
#include "physical/sparse.hpp"

#include <Eigen/Eigenvalues>
#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <sstream>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

constexpr int kLargestDense = 4000;  // a complete basis costs about 10 n^3 flops: a few minutes at this size
constexpr int kLargestByVectors = 10000;  // dofs; beyond, blocks share the passes over a large factor
constexpr int kAlwaysDense = 48;          // below this the dense solver is faster than a Lanczos space

/// Units that bring M and the largest eigenvalue of (K - sigma M)^-1 M near 1: the tolerances of Spectra are
/// absolute.
struct Units {
  double mass{1.0};        ///< [kg]
  double eigenvalue{1.0};  ///< [rad^2/s^2]
};

Units unitsOf(const SparseMatrix& mass, const ShiftedFactorization& factor) {
  const auto norm = [&](const Vector& v) { return std::sqrt(v.dot(mass * v)); };
  Vector x = Vector::LinSpaced(mass.rows(), 1.0, 2.0);
  double largest = 0.0;
  constexpr int kPowerIterations = 5;
  for (int i = 0; i < kPowerIterations; ++i) {
    const Vector next = factor.solve(mass * x / norm(x));
    largest = norm(next);
    x = next;
  }
  return {mass.diagonal().maxCoeff(), 1.0 / largest};
}

/// (K - sigma M)^-1 for Spectra, on a factorization that is made once (Spectra fixes the names of the
/// members).
class ShiftInvert {
 public:
  using Scalar = double;
  ShiftInvert(const ShiftedFactorization& factor, const Units& units, Eigen::Index size)
      : factor_(&factor), unit_(units.mass * units.eigenvalue), size_(size) {}
  Eigen::Index rows() const { return size_; }          // NOLINT(readability-identifier-naming)
  Eigen::Index cols() const { return size_; }          // NOLINT(readability-identifier-naming)
  void set_shift(double) {}                            // NOLINT(readability-identifier-naming)
  void perform_op(const double* x, double* y) const {  // NOLINT(readability-identifier-naming)
    Eigen::Map<Matrix> result(y, size_, 1);
    result = unit_ * Eigen::Map<const Vector>(x, size_);
    factor_->solveAll(result);
  }

 private:
  const ShiftedFactorization* factor_;
  double unit_;
  Eigen::Index size_;
};

/// y = M x for Spectra.
class MassProduct {
 public:
  using Scalar = double;
  MassProduct(const SparseMatrix& mass, const Units& units) : mass_(&mass), unit_(units.mass) {}
  Eigen::Index rows() const { return mass_->rows(); }  // NOLINT(readability-identifier-naming)
  Eigen::Index cols() const { return mass_->cols(); }  // NOLINT(readability-identifier-naming)
  void perform_op(const double* x, double* y) const {  // NOLINT(readability-identifier-naming)
    Eigen::Map<Vector>(y, rows()) = *mass_ * Eigen::Map<const Vector>(x, rows()) / unit_;
  }

 private:
  const SparseMatrix* mass_;
  double unit_;
};

/// The lowest `modes` pairs by shift-invert Lanczos, or nothing when it did not converge.
std::optional<Eigenpairs> solveByVectors(const PhysicalModel& model, const ShiftedFactorization& factor,
                                         int modes, int subspace) {
  const Units units = unitsOf(model.mass, factor);
  ShiftInvert inverse(factor, units, model.size());
  MassProduct mass(model.mass, units);
  Spectra::SymGEigsShiftSolver<ShiftInvert, MassProduct, Spectra::GEigsMode::ShiftInvert> solver(
      inverse, mass, modes, subspace, factor.shift() / units.eigenvalue);
  constexpr int kIterations = 1000;
  constexpr double kTolerance = 1e-13;
  try {
    solver.init();
    solver.compute(Spectra::SortRule::LargestMagn, kIterations, kTolerance, Spectra::SortRule::SmallestAlge);
  } catch (const BasisError&) {  // of the factorization
    throw;
  } catch (const std::runtime_error&) {  // its way to say that the projected problem has no solution
    return std::nullopt;
  }
  if (solver.info() != Spectra::CompInfo::Successful) return std::nullopt;
  return Eigenpairs{units.eigenvalue * solver.eigenvalues(), solver.eigenvectors()};
}

/// Rayleigh-Ritz on the computed space: the eigenvectors within it.
void rotate(const PhysicalModel& model, Eigenpairs& pairs) {
  const Matrix gramMass = pairs.vectors.transpose() * (model.mass * pairs.vectors);
  const Matrix gramStiffness = pairs.vectors.transpose() * (model.stiffness * pairs.vectors);
  const Eigen::GeneralizedSelfAdjointEigenSolver<Matrix> solver(gramStiffness, gramMass);
  if (solver.info() != Eigen::Success) throw BasisError("the computed modes are not independent");
  pairs.values = solver.eigenvalues();
  pairs.vectors = pairs.vectors * solver.eigenvectors();
}

/// One inverse iteration, M-orthonormalised from the lowest mode up, and Rayleigh quotients. Soft modes lose
/// what rounding of stiff ones had left in them, so that their eigenvalues are accurate against themselves.
void polish(const PhysicalModel& model, const ShiftedFactorization& factor, Eigenpairs& pairs) {
  pairs.vectors = model.mass * pairs.vectors;
  factor.solveAll(pairs.vectors);
  for (Eigen::Index i = 0; i < pairs.values.size(); ++i) {
    auto x = pairs.vectors.col(i);
    x /= std::sqrt(x.dot(model.mass * x));
  }
  for (int pass = 0; pass < 2;
       ++pass) {  // V L^-t with V^t M V = L L^t; the second pass removes the first's rounding
    const Matrix gram = pairs.vectors.transpose() * (model.mass * pairs.vectors);
    const Eigen::LLT<Matrix> cholesky(gram);
    if (cholesky.info() != Eigen::Success) throw BasisError("the computed modes are not independent");
    cholesky.matrixU().solveInPlace<Eigen::OnTheRight>(pairs.vectors);
  }
  const Vector quotients = pairs.vectors.cwiseProduct(model.stiffness * pairs.vectors).colwise().sum();
  std::vector<Eigen::Index> order(static_cast<std::size_t>(quotients.size()));
  std::iota(order.begin(), order.end(), Eigen::Index{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return quotients[a] < quotients[b]; });
  pairs.values = quotients(order);
  pairs.vectors = Matrix(pairs.vectors(Eigen::all, order));
}

/// Eigenvalues below `eigenvalue`. A vanishing pivot (the eigenvalue of the structure or of a part of it) is
/// left by going down a little.
int countAt(const PhysicalModel& model, double eigenvalue) {
  double tried = eigenvalue;
  for (const double step : {1e-13, 1e-12, 1e-11}) {
    if (const auto factor = ShiftedFactorization::attempt(model.stiffness, model.mass, tried))
      return factor->negativePivots();
    tried = eigenvalue - step * (eigenvalue != 0.0 ? std::abs(eigenvalue)
                                                   : localOscillators(model.stiffness, model.mass).back());
  }
  return ShiftedFactorization(model.stiffness, model.mass, tried).negativePivots();
}

/// Sets the eigenvalues of rigid-body modes to exactly 0 and refuses negative ones.
void settleRigidModes(const PhysicalModel& model, double shift, Eigenpairs& pairs, ModalBasis& basis) {
  // K phi of a rigid-body mode is pure cancellation: rounding against its terms
  constexpr double kRigid = 1e-13;
  // a part without any stiffness (a free mass beside a structure) has nothing to cancel: what it has is the
  // rounding of the vector in the stiffest mode, squared
  constexpr double kTrace = 1e-30;
  const double trace = shift < 0.0 ? kTrace * localOscillators(model.stiffness, model.mass).back() : 0.0;
  for (Eigen::Index i = 0; i < pairs.values.size(); ++i) {
    double& value = pairs.values[i];
    if (shift < 0.0 &&
        (std::abs(value) < trace || checkShape(model, 0.0, pairs.vectors.col(i)).stiffnessShare < kRigid)) {
      value = 0.0;
      ++basis.rigidModes;
    } else if (value <= 0.0) {
      std::ostringstream text;
      text << "mode " << i + 1 << " has a negative stiffness (omega^2 = " << value
           << " rad^2/s^2): the structure is unstable";
      throw BasisError(text.str());
    }
  }
}

/// The lowest modes, the factorization they were found with, and how many are left out up to the last one's
/// frequency.
struct Extraction {
  Eigenpairs pairs;
  ShiftedFactorization factor;
  int missed{0};
};

/// What is looked for: all of the `modes` below `limit` [rad^2/s^2] when it is known that they are that many.
struct Search {
  int modes;
  int available;
  bool wholeMultiplets{false};
  double limit{-std::numeric_limits<double>::infinity()};
};

/// Far enough from an eigenvalue for its copies to lie on one side [rad^2/s^2].
double marginOf(double eigenvalue, double shift) {
  return 1e-6 * std::max(std::abs(eigenvalue), std::abs(shift));
}

/// How many modes up to just above the last one's frequency were not found; nothing when one below it is
/// among them (Sylvester's inertia).
std::optional<int> missedUpToLast(const PhysicalModel& model, const Eigenpairs& pairs, const Search& search,
                                  double shift) {
  const Eigen::Index modes = pairs.values.size();
  const double last = pairs.values[modes - 1];
  if (last <= search.limit) return 0;
  const double margin = marginOf(last, shift);
  const int missed = countAt(model, last + margin) - static_cast<int>(modes);
  if (missed == 0) return 0;
  const double below = last - margin;
  if (countAt(model, below) != (pairs.values.array() < below).count()) return std::nullopt;
  return missed;
}

/// Spectra's one vector at a time, and on a large structure, whose factor is much to pass over, blocks. The
/// later tries have more room and begin elsewhere.
std::optional<Eigenpairs> solveLanczos(const PhysicalModel& model, const ShiftedFactorization& factor,
                                       const Search& search, int attempt) {
  if (model.size() > kLargestByVectors) {
    BlockLanczosOptions options;
    options.room *= attempt + 1;
    options.seed += static_cast<unsigned>(attempt);
    if (auto pairs = blockLanczos(factor, model.mass, search.modes, search.available, options)) return pairs;
  }
  constexpr std::array kRoom{20, 60, 180};
  const int subspace = std::max(2 * search.modes, search.modes + kRoom[static_cast<std::size_t>(attempt)]);
  return solveByVectors(model, factor, search.modes, std::min(search.available, subspace));
}

void extractLanczos(const PhysicalModel& model, const Search& search, Extraction& found) {
  constexpr int kAttempts = 3;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    auto pairs = solveLanczos(model, found.factor, search, attempt);
    if (!pairs) continue;
    rotate(model, *pairs);
    found.pairs = *std::move(pairs);
    if (const auto missed = missedUpToLast(model, found.pairs, search, found.factor.shift())) {
      found.missed = *missed;
      return;
    }
  }
  throw BasisError("the Lanczos iteration did not find all modes; ask for a few more or fewer modes");
}

void extractDense(const PhysicalModel& model, const Search& search, Extraction& found) {
  if (model.size() > kLargestDense)
    throw BasisError("more than half of the modes of a structure of " + std::to_string(model.size()) +
                     " degrees of freedom: ask for fewer than " + std::to_string(model.size() / 2));
  const Eigenpairs all = solveDense(model.stiffness, model.mass);
  const Eigen::Index kept = std::min<Eigen::Index>(search.modes, all.values.size());
  found.pairs = {all.values.head(kept), all.vectors.leftCols(kept)};
  found.missed = kept < search.available
                     ? missedUpToLast(model, found.pairs, search, found.factor.shift()).value_or(0)
                     : 0;
}

void extract(const PhysicalModel& model, const Search& search, Extraction& found) {
  const bool dense = model.size() <= kAlwaysDense || 2 * search.modes > search.available;
  found.factor.requireDefinite();
  dense ? extractDense(model, search, found) : extractLanczos(model, search, found);
  if (!search.wholeMultiplets || found.missed == 0) return;
  const double last = found.pairs.values[search.modes - 1];
  extract(model,
          {.modes = search.modes + found.missed,
           .available = search.available,
           .limit = last + marginOf(last, found.factor.shift())},
          found);
}

Extraction extractLowest(const PhysicalModel& model, const Search& search) {
  Extraction found{{}, ShiftedFactorization::regular(model.stiffness, model.mass)};
  extract(model, search, found);
  // a shift far beyond the first elastic mode blurs it: come closer, as far as rounding allows
  constexpr double kFar = 100.0, kResolved = 1e-6;
  const double far = -found.factor.shift();
  const Vector& values = found.pairs.values;
  const auto first =
      std::find_if(values.begin(), values.end(), [&](double value) { return value > kResolved * far; });
  if (first != values.end() && *first * kFar < far) {
    found.factor = ShiftedFactorization(model.stiffness, model.mass, -*first);
    extract(model, search, found);
  }
  polish(model, found.factor, found.pairs);
  return found;
}

}  // namespace

int countBelow(const PhysicalModel& model, double eigenvalue) { return countAt(model, eigenvalue); }

ModalBasis extractModes(const PhysicalModel& model, const BasisSelection& selection) {
  requireComputable(model);
  const int available = massRank(model.mass);
  if (available < 1)
    throw BasisError(
        "nothing that moves has a mass, so that there is no mode: give one with [[masses]] or a "
        "density");
  Search search{.modes = selection.modes.value_or(available),
                .available = available,
                .wholeMultiplets = selection.wholeMultiplets};
  if (selection.frequencyMax) {
    constexpr double kIncluded = 1.0 + 1e-10;  // a mode at the limit is below it, whatever its rounding
    const double omega = 2.0 * std::numbers::pi * *selection.frequencyMax;
    search.limit = omega * omega * kIncluded;
    search.modes = countAt(model, search.limit);
  }
  if (search.modes < 1) throw BasisError("no mode below the highest frequency asked for: raise it");
  if (search.modes > available)
    throw BasisError(std::to_string(search.modes) + " modes asked for, but the structure has " +
                     std::to_string(available));

  Extraction found = extractLowest(model, search);
  ModalBasis basis;
  settleRigidModes(model, found.factor.shift(), found.pairs, basis);
  fixSigns(found.pairs.vectors);
  basis.complete = found.pairs.values.size() >= available;
  basis.missedModes = basis.complete ? 0 : found.missed;
  basis.eigenvalue = std::move(found.pairs.values);
  basis.reducedShapes = std::move(found.pairs.vectors);
  setProperties(model, basis);
  requireFinite(basis);
  return basis;
}

}  // namespace ricochet
