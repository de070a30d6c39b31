#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace ricochet {

/// Instants at which imposed motions jump, each with the body that feels the jump, and the position of a
/// run among them.
class JumpInstants {
 public:
  void add(std::span<const double> times, std::size_t body) {
    for (const double t : times) jumps_.emplace_back(t, body);
    std::sort(jumps_.begin(), jumps_.end());
  }
  bool empty() const noexcept { return jumps_.empty(); }

  /// Calls pass(body, instant) for each jump at t [s], within the tolerance; jumps before it are left behind.
  /// A run that begins again, or that goes on from one whose time was later, begins before its jumps.
  template <class Pass>
  void visitJumpsAtTime(double t, double tolerance, Pass&& pass) {
    while (next_ > 0 && jumps_[next_ - 1].first > t + tolerance) --next_;
    for (; next_ < jumps_.size() && jumps_[next_].first <= t + tolerance; ++next_)
      if (jumps_[next_].first >= t - tolerance) pass(jumps_[next_].second, jumps_[next_].first);
  }

  /// First jump after t [s]; infinite if there is none.
  double firstAfter(double t) const noexcept {
    const auto later =
        std::upper_bound(jumps_.begin(), jumps_.end(), t,
                         [](double instant, const auto& jump) { return instant < jump.first; });
    return later == jumps_.end() ? std::numeric_limits<double>::infinity() : later->first;
  }

  template <class Archive>
  void serialise(Archive& archive) {
    // A later run may have other jumps, as the tables of loads end with the run.
    double last = next_ > 0 ? jumps_[next_ - 1].first : -std::numeric_limits<double>::infinity();
    archive(last);
    archive.requireValidWhenReading(!std::isnan(last));
    next_ = 0;
    while (next_ < jumps_.size() && jumps_[next_].first <= last) ++next_;
  }

 private:
  std::vector<std::pair<double, std::size_t>> jumps_;
  std::size_t next_{0};
};

}  // namespace ricochet
