#pragma once

#include <cstddef>

namespace ricochet {

/// Selects the archived steps of a run whose scheme chooses its steps and whose deck requests no rows, about
/// `most` at the end: every step up to half of this number, then each step that ends at least 2 duration /
/// most after the last row. The first and the last instant are rows.
class RowLimit {
 public:
  RowLimit() = default;  ///< without a limit every step is a row
  RowLimit(double start, double duration, std::size_t most)
      : half_(most / 2), interval_(2.0 * duration / static_cast<double>(most)), end_(start + duration) {}

  /// True if the step that ends now is kept as a row; `rows`: number of rows kept so far.
  bool isStepKeptAsRow(double time, std::size_t rows) noexcept {
    if (interval_ > 0.0 && rows >= half_ && time - last_ < interval_ && time < end_) {
      ++leftOut_;
      return false;
    }
    last_ = time;
    return true;
  }
  /// True if the number of rows is limited.
  bool hasRowLimit() const noexcept { return interval_ > 0.0; }
  /// Number of steps that were not kept as rows.
  std::size_t omittedSteps() const noexcept { return leftOut_; }
  /// Number of rows that are kept whatever the time between them: half of the limit.
  std::size_t rowsKeptUnconditionally() const noexcept { return half_; }
  /// Least time between two rows after the first half of the limit [s].
  double leastTimeBetweenRows() const noexcept { return interval_; }

  template <class Archive>
  void serialise(Archive& archive) {
    archive(last_, leftOut_);
  }

 private:
  std::size_t half_{0}, leftOut_{0};
  double interval_{0.0}, end_{0.0}, last_{0.0};
};

}  // namespace ricochet
