#include "engine/event/links/rest_between_pieces.hpp"
#include "engine/event/links/series_links.hpp"

#include <utility>

namespace ricochet {

/// Way over which the pieces that meet at the start of the expansion make no difference to a link at rest
/// [m]; 0 if they do.
double SeriesLinks::restWay(const SeriesLink& link) const noexcept {
  return staysBetweenEqualPieces(link.link->law, link.state, link.start, link.x) ? kEqualPieces : 0.0;
}

/// Whether a piece ends within the short way from the start of the expansion.
bool SeriesLinks::pieceEndsNearby(const SeriesLink& link, const Series& decision, double way) {
  bool ends = !(decision.coefficient(0) > 0.0);
  for (std::size_t a = 0; a < link.link->axes(); ++a)
    for (const auto& [moved, reach] :
         {std::pair{link.position[a], way}, std::pair{link.rate[a], kEqualPieces}}) {
      const double start = moved.coefficient(0);
      for (const double sign : {-1.0, 1.0}) {
        tape_.setCoefficient(moved, 0, start + sign * reach);
        tape_.recomputeOrder(0);
        ends = ends || !(decision.coefficient(0) > 0.0);
      }
      tape_.setCoefficient(moved, 0, start);
    }
  tape_.recomputeOrder(0);
  return ends;
}

/// Ends the step where a link that rests has left the short way over which pieces make no difference.
void SeriesLinks::endStepLeavingRest(const SeriesLink& link, double way, FunctionSeries& functions) {
  const std::span<double> p(scratch_.data(), orders_);
  for (std::size_t a = 0; a < link.link->axes(); ++a)
    for (const bool rate : {false, true}) {
      if (rate && !dependsOnRate(link.link->law, link.state, link.start, a, way)) continue;
      p[0] = rate ? kEqualPieces : way;
      for (const double sign : {-1.0, 1.0}) {
        for (std::size_t k = 1; k < orders_; ++k)
          p[k] = sign * (rate ? static_cast<double>(k + 1) * link.x[a][k + 1] : link.x[a][k]);
        functions.endStepAtRoot(p);
      }
    }
}

}  // namespace ricochet
