#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace ricochet {

/// Rows of doubles stored consecutively in pages that fit into a cache. Pages are allocated when rows are
/// added, and are reused.
class RowPages {
 public:
  RowPages() = default;
  explicit RowPages(std::size_t rowSize)
      : rowSize_(rowSize),
        pageRows_(
            std::max<std::size_t>(kPageBytes / (sizeof(double) * std::max<std::size_t>(rowSize, 1)), 1)) {}

  /// Adds a row with undefined values; returns its memory.
  std::span<double> appendRow() {
    if (inPage_ == pageRows_ || begun_ == 0) begin();
    return {pages_[begun_ - 1].get() + rowSize_ * inPage_++, rowSize_};
  }

  /// Removes the last row.
  void removeLastRow() noexcept {
    if (--inPage_ > 0) return;
    --begun_;
    inPage_ = begun_ > 0 ? pageRows_ : 0;
  }

  std::size_t pageCount() const noexcept { return begun_; }
  /// Values of all rows of a page.
  std::span<const double> valuesOfPage(std::size_t i) const noexcept {
    return {pages_[i].get(), rowSize_ * (i + 1 == begun_ ? inPage_ : pageRows_)};
  }

  void clear() noexcept { begun_ = inPage_ = 0; }

 private:
  static constexpr std::size_t kPageBytes = std::size_t{128} << 10U;

  void begin() {
    if (begun_ == pages_.size())
      pages_.push_back(std::make_unique_for_overwrite<double[]>(rowSize_ * pageRows_));
    ++begun_;
    inPage_ = 0;
  }

  std::size_t rowSize_{0};
  std::size_t pageRows_{1};
  std::vector<std::unique_ptr<double[]>> pages_;
  std::size_t begun_{0};   // number of pages that hold rows
  std::size_t inPage_{0};  // number of rows in the last of these pages
};

}  // namespace ricochet
