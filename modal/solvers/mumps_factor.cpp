// The library MUMPS is loaded at run time when the first large matrix is factorized. If the program were
// linked with MUMPS, the dense algebra library would cost some milliseconds at every start, and the MPI
// replacement of sequential MUMPS would have name conflicts with the MPI of batches.
#include "modal/solvers/basis_error.hpp"
#include "modal/solvers/symmetric_factor.hpp"
#include "physical/sparse.hpp"

#ifdef RICOCHET_WITH_MUMPS
#include <dlfcn.h>
#include <dmumps_c.h>
#endif

#include <algorithm>
#include <cmath>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

#ifdef RICOCHET_WITH_MUMPS

namespace {

using Entry = void (*)(DMUMPS_STRUC_C*);

/// Loads the library and returns its single entry function; null if MUMPS is not installed.
Entry loadMumpsLibrary() {
  // MUMPS needs the symbols of the MPI replacement without declaring the dependency: they must be global
  if (dlopen(RICOCHET_MPISEQ_LIBRARY, RTLD_NOW | RTLD_GLOBAL) == nullptr) return nullptr;
  void* library = dlopen(RICOCHET_MUMPS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  return library == nullptr ? nullptr : reinterpret_cast<Entry>(dlsym(library, "dmumps_c"));
}

Entry mumpsEntryFunction() {
  static const Entry function = loadMumpsLibrary();
  return function;
}

/// Mutex for all calls of MUMPS: the library has global state besides the structure passed to it.
std::mutex& mumpsMutex() {
  static std::mutex mutex;
  return mutex;
}

/// Scale factors 1 / sqrt|a_ii|, so that pivots are comparable with 1. If a diagonal entry nearly cancels,
/// the largest entry of its column replaces it.
Vector symmetricScaleFactors(const SparseMatrix& matrix) {
  constexpr double kCancelled = 1e-8;
  Vector scale(matrix.cols());
  for (int j = 0; j < matrix.cols(); ++j) {
    double diagonal = 0.0, largest = 0.0;
    for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
      largest = std::max(largest, std::abs(entry.value()));
      if (entry.row() == j) diagonal = std::abs(entry.value());
    }
    const double size = std::max(diagonal, kCancelled * largest);
    scale[j] = size > 0.0 ? 1.0 / std::sqrt(size) : 1.0;
  }
  return scale;
}

enum Job { kStart = -1, kEnd = -2, kAnalyse = 1, kFactorize = 2, kSolve = 3 };

/// A MUMPS instance: initialised by the constructor; the destructor frees all of its memory.
class Mumps {
 public:
  Mumps() {
    constexpr int kUseCommWorld = -987654, kTakesPart = 1, kSymmetric = 2;
    data_.comm_fortran = kUseCommWorld;
    data_.par = kTakesPart;
    data_.sym = kSymmetric;
    runMumpsJob(kStart);
    for (const int output : {1, 2, 3}) controlParameter(output) = -1;
    constexpr int kVerbosity = 4, kScaling = 8;
    controlParameter(kVerbosity) = controlParameter(kScaling) = 0;
  }
  Mumps(const Mumps&) = delete;
  Mumps& operator=(const Mumps&) = delete;
  Mumps(Mumps&&) = delete;
  Mumps& operator=(Mumps&&) = delete;
  ~Mumps() {
    const std::scoped_lock lock(mumpsMutex());
    runMumpsJob(kEnd);
  }

  DMUMPS_STRUC_C& mumpsData() noexcept { return data_; }

  // controls and results by their numbers in the users' guide (version 5.5, sections 5 and 7), which count
  // from 1
  int& controlParameter(int number) { return data_.icntl[number - 1]; }
  int resultParameter(int number) const { return data_.infog[number - 1]; }

  /// Calls MUMPS; the caller must hold the lock.
  void runMumpsJob(Job job) {
    data_.job = job;
    mumpsEntryFunction()(&data_);
  }

 private:
  DMUMPS_STRUC_C data_{};
};

class FrontFactor final : public SymmetricFactor {
 public:
  /// `keeps`: true stores the factor for later solutions, false computes only the inertia.
  FrontFactor(const SparseMatrix& matrix, const EliminationOrder& order, double tiny, bool keeps)
      : scale_(symmetricScaleFactors(matrix)) {
    const std::scoped_lock lock(mumpsMutex());
    mumps_.emplace();
    constexpr int kDetectNullPivots = 24, kDiscard = 31;
    mumps_->controlParameter(kDetectNullPivots) = 1;
    mumps_->mumpsData().cntl[2] =
        -tiny;  // CNTL(3) < 0: absolute threshold, compared with the scaled diagonal 1
    mumps_->controlParameter(kDiscard) = keeps ? 0 : 1;
    factorize(entriesOfLowerTriangle(matrix), positionsInEliminationOrder(order));
  }

  bool hasFactorizationSucceeded() const noexcept { return succeeded_; }

  void solve(Eigen::Ref<Matrix> columns, Vector&) const override {
    if (columns.size() == 0) return;
    constexpr int kBlock = 27;
    // number of columns per solution: more columns fill the caches and the work array
    constexpr Eigen::Index kColumnsAtOnce = 32;
    columns = scale_.asDiagonal() * columns;
    const std::scoped_lock lock(mumpsMutex());
    DMUMPS_STRUC_C& data = mumps_->mumpsData();
    data.nrhs = static_cast<int>(columns.cols());
    data.lrhs = static_cast<int>(columns.outerStride());
    data.rhs = columns.data();
    mumps_->controlParameter(kBlock) = static_cast<int>(std::min(columns.cols(), kColumnsAtOnce));
    mumps_->runMumpsJob(kSolve);
    data.rhs = nullptr;
    throwOnMumpsError("solution");
    columns = scale_.asDiagonal() * columns;
  }
  int negativePivotCount() const override { return negativePivots_; }
  std::vector<int> rowsOfTinyPivots() const override { return tinyRows_; }
  double factorEntryCount() const override { return fill_; }

 private:
  /// Scaled entries on and below the diagonal; indices from 1.
  struct Entries {
    std::vector<int> rows, columns;
    std::vector<double> values;
  };

  Entries entriesOfLowerTriangle(const SparseMatrix& matrix) const {
    Entries entries;
    const auto half = static_cast<std::size_t>(matrix.nonZeros() + matrix.cols()) / 2;
    entries.rows.reserve(half);
    entries.columns.reserve(half);
    entries.values.reserve(half);
    for (int j = 0; j < matrix.cols(); ++j)
      for (SparseMatrix::InnerIterator entry(matrix, j); entry; ++entry) {
        if (entry.row() < j) continue;
        entries.rows.push_back(static_cast<int>(entry.row()) + 1);
        entries.columns.push_back(j + 1);
        entries.values.push_back(scale_[entry.row()] * entry.value() * scale_[j]);
      }
    return entries;
  }

  static std::vector<int> positionsInEliminationOrder(const EliminationOrder& order) {
    std::vector<int> places(order.size());
    for (std::size_t k = 0; k < order.size(); ++k)
      places[static_cast<std::size_t>(order[k])] = static_cast<int>(k) + 1;
    return places;
  }

  void factorize(Entries entries, std::vector<int> places) {
    DMUMPS_STRUC_C& data = mumps_->mumpsData();
    data.n = static_cast<int>(scale_.size());
    data.nnz = static_cast<MUMPS_INT8>(entries.values.size());
    data.irn = entries.rows.data();
    data.jcn = entries.columns.data();
    data.a = entries.values.data();
    data.perm_in = places.data();
    // Ordering PORD is used without METIS, because its order is reproducible, unlike that of SCOTCH.
    constexpr int kOrdering = 7, kGiven = 1, kPord = 4;
    mumps_->controlParameter(kOrdering) = places.empty() ? kPord : kGiven;
    mumps_->runMumpsJob(kAnalyse);
    throwOnMumpsError("analysis");

    constexpr int kMoreSpace = 14, kTooSmall = -9, kIntegersTooSmall = -8, kSingular = -10;
    for (int percent = 20; percent <= 160; percent *= 2) {
      mumps_->controlParameter(kMoreSpace) = percent;
      mumps_->runMumpsJob(kFactorize);
      if (mumps_->resultParameter(1) != kTooSmall && mumps_->resultParameter(1) != kIntegersTooSmall) break;
    }
    data.irn = data.jcn = data.perm_in = nullptr;  // MUMPS keeps copies of these arrays
    data.a = nullptr;
    if (mumps_->resultParameter(1) == kSingular) return;
    throwOnMumpsError("factorization");
    succeeded_ = true;
    negativePivots_ = mumps_->resultParameter(12);
    constexpr int kNullPivots = 28, kFactorEntries = 29;
    for (int i = 0; i < mumps_->resultParameter(kNullPivots); ++i)
      tinyRows_.push_back(data.pivnul_list[i] - 1);
    const int held = mumps_->resultParameter(kFactorEntries);  // a negative number counts millions
    fill_ = held >= 0 ? held : -1e6 * held;
  }

  /// Throws BasisError if MUMPS reports an error.
  void throwOnMumpsError(const std::string& what) const {
    constexpr int kNoMemory = -13, kNoIntegerMemory = -7, kMegabytes = 16;
    const int status = mumps_->resultParameter(1);
    if (status >= 0) return;
    if (status == kNoMemory || status == kNoIntegerMemory)
      throw BasisError("not enough memory for the " + what + " of a matrix of " +
                       std::to_string(scale_.size()) + " rows, which takes some " +
                       std::to_string(mumps_->resultParameter(kMegabytes)) + " MB");
    throw BasisError("MUMPS failed in the " + what + ": INFOG(1) = " + std::to_string(status) +
                     ", INFOG(2) = " + std::to_string(mumps_->resultParameter(2)));
  }

  mutable std::optional<Mumps> mumps_;  // mutable, because a solution writes into the MUMPS structure
  Vector scale_;
  int negativePivots_{0};
  std::vector<int> tinyRows_;
  double fill_{0.0};
  bool succeeded_{false};
};

}  // namespace

bool isMumpsAvailable() {
  const std::scoped_lock lock(mumpsMutex());
  return mumpsEntryFunction() != nullptr;
}

std::unique_ptr<SymmetricFactor> factorizeMultifrontal(const SparseMatrix& matrix,
                                                       const EliminationOrder& order, double tiny) {
  auto factor = std::make_unique<FrontFactor>(matrix, order, tiny, true);
  if (!factor->hasFactorizationSucceeded()) return nullptr;
  return factor;
}

std::optional<Inertia> inertiaByMultifrontalFactor(const SparseMatrix& matrix, const EliminationOrder& order,
                                                   double tiny) {
  const FrontFactor factor(matrix, order, tiny, false);
  if (!factor.hasFactorizationSucceeded()) return std::nullopt;
  return Inertia{factor.negativePivotCount(), factor.rowsOfTinyPivots()};
}

#else

bool isMumpsAvailable() { return false; }

std::unique_ptr<SymmetricFactor> factorizeMultifrontal(const SparseMatrix&, const EliminationOrder&, double) {
  throw BasisError("ricochet was built without MUMPS");
}

std::optional<Inertia> inertiaByMultifrontalFactor(const SparseMatrix&, const EliminationOrder&, double) {
  throw BasisError("ricochet was built without MUMPS");
}

#endif

}  // namespace ricochet
