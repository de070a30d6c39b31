#include "engine/event/links/rest_between_pieces.hpp"
#include "engine/event/links/series_links.hpp"

namespace ricochet {

/// Whether a piece ends within the short way from the start of the expansion.
bool SeriesLinks::pieceEndsNearby(const SeriesLink& link, const Series& decision) {
  bool ends = !(decision.coefficient(0) > 0.0);
  for (std::size_t a = 0; a < link.link->axes(); ++a)
    for (const Series& moved : {link.position[a], link.rate[a]}) {
      const double start = moved.coefficient(0);
      for (const double sign : {-1.0, 1.0}) {
        tape_.setCoefficient(moved, 0, start + sign * kEqualPieces);
        tape_.recomputeOrder(0);
        ends = ends || !(decision.coefficient(0) > 0.0);
      }
      tape_.setCoefficient(moved, 0, start);
    }
  tape_.recomputeOrder(0);
  return ends;
}

/// Ends the step where a link that rests has left the short way over which pieces make no difference.
void SeriesLinks::endStepLeavingRest(const SeriesLink& link, FunctionSeries& functions) {
  const std::span<double> p(scratch_.data(), orders_);
  p[0] = kEqualPieces;
  for (std::size_t a = 0; a < link.link->axes(); ++a)
    for (const bool rate : {false, true}) {
      if (rate && !dependsOnRate(link.link->law, link.state, link.start, a)) continue;
      for (const double sign : {-1.0, 1.0}) {
        for (std::size_t k = 1; k < orders_; ++k)
          p[k] = sign * (rate ? static_cast<double>(k + 1) * link.x[a][k + 1] : link.x[a][k]);
        functions.endStepAtRoot(p);
      }
    }
}

}  // namespace ricochet
