// Imposed motion of links, and links whose displacement a load makes jump.

#include "engine/event/links/series_links.hpp"
#include "engine/links/link_in_series.hpp"

#include <algorithm>
#include <limits>

namespace ricochet {

void SeriesLinks::rewindTimeFunctions(double t) {
  for (SeriesLink& link : links_)
    for (FunctionCursor& cursor : link.drives) {
      cursor.rewind();
      cursor.advance(t, 0.0);
    }
}

void SeriesLinks::advanceTimeFunctions(double t) {
  for (SeriesLink& link : links_)
    for (FunctionCursor& cursor : link.drives) link.leaps |= cursor.advance(t, 0.0);
}

double SeriesLinks::nextBreakpoint() const noexcept {
  double next = std::numeric_limits<double>::infinity();
  for (const SeriesLink& link : links_)
    for (const FunctionCursor& cursor : link.drives) next = std::min(next, cursor.piece().end);
  return next;
}

/// True if a formula with decisions, which may jump at any instant, moves a link.
bool SeriesLinks::canDriveJumpAtAnyInstant(const SeriesLink& link) noexcept {
  return std::ranges::any_of(link.drives, [](const FunctionCursor& drive) {
    return drive.formulaOrNull() != nullptr && !drive.formulaOrNull()->isSmooth();
  });
}

/// Moves the state of a link to the start of the expansion, to which its displacement jumps.
void SeriesLinks::moveLinkByJumpToExpansionStart(SeriesLink& link) noexcept {
  LinkState own = link.state;
  own.stored -= energyOfSpringsInSeries(*link.link, own.force);
  const auto force =
      std::visit([&](const auto& law) { return law.template computeResponse<double>(own, link.start).force; },
                 link.link->law);
  link.state = linkStateAfterDisplacementJump(*link.link, own, link.start, force);
  link.state.stored += energyOfSpringsInSeries(*link.link, force);
}

}  // namespace ricochet
