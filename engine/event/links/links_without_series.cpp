// Laws without a power series where the motion starts, as f = x^1.5 at x = 0: their force has a series at any
// later instant.

#include "engine/event/links/series_links.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

/// Coefficients of the displacement of a link along an axis that are finite: a force without a series spoils
/// those of higher order.
std::span<const double> SeriesLinks::finiteMotionCoefficients(const SeriesLink& link,
                                                              std::size_t axis) const noexcept {
  const std::span<const double> all = link.x[axis].first(orders_ + 2);
  const auto isFinite = [](double each) { return std::isfinite(each); };
  const auto count = std::ranges::find_if_not(all, isFinite) - all.begin();
  const auto least = static_cast<std::size_t>(std::max(0, link.lead) + 1);
  return all.first(std::max(static_cast<std::size_t>(count), least));
}

/// The link whose force is the first to have a coefficient that is not finite, although the motion up to this
/// order is; null if all are finite, or if a later start would change the motion.
SeriesLinks::SeriesLink* SeriesLinks::indexOfLinkWithoutSeries() noexcept {
  constexpr double kLatest = 1e-3;  // [s]
  for (std::size_t k = 0; k <= orders_; ++k)
    for (SeriesLink& link : links_)
      if (!std::isfinite(link.force[0][k]) || !std::isfinite(link.force[1][k]))
        return k > 0 && link.shift < kLatest ? &link : nullptr;
  return nullptr;
}

int SeriesLinks::indexOfLinkWithoutForce() const noexcept {
  const auto found = std::ranges::find_if_not(
      links_, [](const SeriesLink& link) { return std::isfinite(link.force[0][0] + link.force[1][0]); });
  return found == links_.end() ? -1 : static_cast<int>(found - links_.begin());
}

}  // namespace ricochet
