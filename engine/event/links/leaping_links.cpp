// Links whose displacement a load makes jump.

#include "engine/event/links/series_links.hpp"
#include "engine/links/link_in_series.hpp"

namespace ricochet {

/// Moves the state of a link to the start of the expansion, to which its displacement jumps.
void SeriesLinks::leap(SeriesLink& link) noexcept {
  LinkState own = link.state;
  own.stored -= energyInSeries(*link.link, own.force);
  const auto force =
      std::visit([&](const auto& law) { return law.template computeResponse<double>(own, link.start).force; },
                 link.link->law);
  link.state = stateAfterLeap(*link.link, own, link.start, force);
  link.state.stored += energyInSeries(*link.link, force);
}

}  // namespace ricochet
