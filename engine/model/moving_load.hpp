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
/// in the element e that holds the position x [m]: the interpolation functions of a beam are cubics, so that
/// Phi^t N(sigma)^t F is one. Zero where x is on no element. It is continuous from one element to the next.
///
/// A position that is a table meets the ends of elements at instants known beforehand. One that is a formula
/// does not: fixed steps take it as they find it, the event scheme ends a step there.
class MovingLoad {
 public:
  static constexpr int kTerms = 4;  ///< of the cubic
  static constexpr int kOff = -1;   ///< on no element

  /// `borders`: positions of the ends of the elements, increasing, N + 1 of them [m]. `shapes`: coordinates x
  /// 4 N, column 4 e + j is c_ej.
  MovingLoad(TimeFunction position, TimeFunction scale, std::vector<double> borders, SparseMatrix shapes);

  const TimeFunction& position() const noexcept { return position_; }
  const TimeFunction& scale() const noexcept { return scale_; }
  int elements() const noexcept { return static_cast<int>(borders_.size()) - 1; }
  double border(int i) const noexcept { return borders_[static_cast<std::size_t>(i)]; }
  const SparseMatrix& shapes() const noexcept { return *shapes_; }

  /// From `begin` [s] on the load is on this element, or off. Of a formula one that says nothing.
  struct Stage {
    double begin;
    int element;
    bool jumps;  ///< into it: the load comes, goes or is moved at once
  };
  const std::vector<Stage>& stages() const noexcept { return stages_; }

  /// Instants at which the position passes from element to element, or only those of jumps.
  std::vector<double> instants(bool borders) const;

 private:
  void follow();
  int elementAt(double x, double slope) const noexcept;
  void follow(const TimeFunction::Piece& piece, double from, bool jumped);
  void enter(double begin, int element, bool jumped);

  TimeFunction position_;
  TimeFunction scale_;
  std::vector<double> borders_;
  std::shared_ptr<const SparseMatrix> shapes_;  // elsewhere, so that few have to know sparse matrices
  std::vector<Stage> stages_;
};

/// A moving load in a run. Four columns hold c_ej of the element that it is on; those who ask for factors or
/// hold an element hand in the same ones every time.
class MovingLoadRun {
 public:
  explicit MovingLoadRun(const MovingLoad& load);

  const MovingLoad& load() const noexcept { return *load_; }
  const FunctionCursor& position() const noexcept { return position_; }
  const FunctionCursor& scale() const noexcept { return scale_; }

  /// s sigma^j at t, and the columns of the element there. The load is on or off as it is where the step
  /// starts; a position that is a formula says so itself.
  void at(double t, double* factors, Eigen::Ref<Matrix> columns) noexcept;

  /// The element of the present stage, for a position that is a table.
  int element() const noexcept { return load_->stages()[stage_].element; }
  bool isFormula() const noexcept { return position_.formulaOrNull() != nullptr; }

  /// Columns of an element.
  void hold(int element, Eigen::Ref<Matrix> columns) noexcept;

  /// Moves to what holds from t on, as FunctionCursor::advance. Whether the load jumped.
  bool advance(double t, double tolerance) noexcept;
  void rewind() noexcept;

  /// Next instant at which it has another element, or its functions other pieces.
  double end() const noexcept;
  bool varies() const noexcept {
    return isFormula() || (element() != MovingLoad::kOff && (position_.varies() || scale_.varies()));
  }

  /// `restore` once after reading.
  template <class Archive>
  void persist(Archive& archive) {
    archive.section("MovingLoadRun");
    archive(position_, scale_, stage_, held_);
    archive.expect(stage_ < load_->stages().size() && held_ >= MovingLoad::kOff && held_ < load_->elements());
  }
  void restore(Eigen::Ref<Matrix> columns) noexcept;

 private:
  const MovingLoad* load_;
  FunctionCursor position_;
  FunctionCursor scale_;
  std::size_t stage_{0};
  int held_{MovingLoad::kOff};  // element in the columns
};

}  // namespace ricochet
