#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>

namespace ricochet {

/// The archived instants between two instants that a user writes, both included. Instants of rows are sums of
/// steps: a row at 0.35000000000000003 s is that of 0.35 s.
class TimeWindow {
 public:
  /// Without `from` or `to` the window has no end there. `archived`: all instants of the rows, in order.
  TimeWindow(std::optional<double> from, std::optional<double> to, std::span<const double> archived) {
    constexpr double kShare = 1e-9;  // of the mean distance of rows
    constexpr double kRoundings = 4.0;
    if (archived.empty()) return;
    const double first = archived.front(), last = archived.back();
    const double rows = static_cast<double>(std::max<std::size_t>(archived.size(), 2) - 1);
    const double same =
        std::max(kShare * (last - first) / rows, kRoundings * std::numeric_limits<double>::epsilon() *
                                                     std::max(std::abs(first), std::abs(last)));
    if (from) from_ = *from - same;
    if (to) to_ = *to + same;
  }

  bool contains(double time) const noexcept { return time >= from_ && time <= to_; }

 private:
  double from_{-std::numeric_limits<double>::infinity()};
  double to_{std::numeric_limits<double>::infinity()};
};

}  // namespace ricochet
