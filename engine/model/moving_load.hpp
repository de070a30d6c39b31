#pragma once

#include "engine/functions/time_function.hpp"
#include "physical/types.hpp"

#include <cstddef>
#include <memory>
#include <vector>

namespace ricochet {

/// A load whose point of application travels along a chain of N elements,
///
///     f(t) = s(t) sum_j c_ej sigma^j,   sigma = (x(t) - x_e) / (x_e+1 - x_e),   j = 0..3
///
/// in the element e that contains the position x [m]: the interpolation functions of a beam are cubics, so
/// that Phi^t N(sigma)^t F is a cubic in sigma. The load is zero if x lies on no element, and continuous from
/// one element to the next.
///
/// If the position is a table, the instants at which the load reaches the ends of elements are known in
/// advance. If the position is a formula, they are not known: fixed steps pass over them, and the event
/// scheme ends a step there.
class MovingLoad {
 public:
  static constexpr int kTerms = 4;  ///< number of terms of the cubic
  static constexpr int kOff = -1;   ///< index while the load is on no element

  /// `borders`: positions of the ends of the elements, increasing, N + 1 values [m]. `shapes`: coordinates x
  /// 4 N, column 4 e + j is c_ej.
  MovingLoad(TimeFunction position, TimeFunction scale, std::vector<double> borders, SparseMatrix shapes);

  const TimeFunction& position() const noexcept { return position_; }
  const TimeFunction& scale() const noexcept { return scale_; }
  int elementCount() const noexcept { return static_cast<int>(borders_.size()) - 1; }
  double positionOfElementBorder(int i) const noexcept { return borders_[static_cast<std::size_t>(i)]; }
  const SparseMatrix& shapes() const noexcept { return *shapes_; }

  /// From `begin` [s] on the load is on this element, or on none. A formula has a single stage, which is not
  /// used.
  struct Stage {
    double begin;
    int element;
    bool jumps;  ///< true if the load jumps at `begin`: it starts, stops or changes its place discontinuously
  };
  const std::vector<Stage>& stagesOfMovingLoad() const noexcept { return stages_; }

  /// Instants at which the position passes from one element to another, or only the instants of jumps.
  std::vector<double> beginTimesOfLoadStages(bool borders) const;

 private:
  void buildStagesOfMovingLoad();
  int elementAt(double x, double slope) const noexcept;
  void buildStagesOfMovingLoad(const TimeFunction::Piece& piece, double from, bool jumped);
  void addStageOfMovingLoad(double begin, int element, bool jumped);

  TimeFunction position_;
  TimeFunction scale_;
  std::vector<double> borders_;
  std::shared_ptr<const SparseMatrix> shapes_;  // by pointer, so that few files include sparse matrices
  std::vector<Stage> stages_;
};

/// A moving load in a run. The caller owns four columns with c_ej of the current element and passes the same
/// columns in every call.
class MovingLoadRun {
 public:
  explicit MovingLoadRun(const MovingLoad& load);

  const MovingLoad& load() const noexcept { return *load_; }
  const FunctionCursor& position() const noexcept { return position_; }
  const FunctionCursor& scale() const noexcept { return scale_; }

  /// Computes the factors s sigma^j at t, and fills the columns of the element there. Whether the load is on
  /// the chain is decided at the start of the step; for a position that is a formula, at t.
  void at(double t, double* factors, Eigen::Ref<Matrix> columns) noexcept;

  /// Element of the current stage, for a position that is a table.
  int currentElement() const noexcept { return load_->stagesOfMovingLoad()[stage_].element; }
  bool isFormula() const noexcept { return position_.formulaOrNull() != nullptr; }

  /// Fills the columns with the shapes of an element.
  void fillShapeColumns(int element, Eigen::Ref<Matrix> columns) noexcept;

  /// Moves to the stage that is valid after t, as FunctionCursor::advance. Returns true if the load jumped.
  bool advanceTimeFunctions(double t, double tolerance) noexcept;
  void rewind() noexcept;

  /// Next instant at which the element or a piece of its functions changes [s].
  double nextPieceEndOfLoadFunctions() const noexcept;
  bool isVarying() const noexcept {
    return isFormula() ||
           (currentElement() != MovingLoad::kOff && (position_.isVarying() || scale_.isVarying()));
  }

  /// Reads or writes the state; `restore` must be called once after reading.
  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("MovingLoadRun");
    archive(position_, scale_, stage_, held_);
    archive.requireValidWhenReading(stage_ < load_->stagesOfMovingLoad().size() &&
                                    held_ >= MovingLoad::kOff && held_ < load_->elementCount());
  }
  void clearShapeColumns(Eigen::Ref<Matrix> columns) noexcept;

 private:
  const MovingLoad* load_;
  FunctionCursor position_;
  FunctionCursor scale_;
  std::size_t stage_{0};
  int held_{MovingLoad::kOff};  // element whose shapes are in the columns
};

}  // namespace ricochet
