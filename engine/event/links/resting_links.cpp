#include "engine/event/links/rest_between_pieces.hpp"
#include "engine/event/links/series_links.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

/// True if a piece of a law ends within `kEqualPieces` of the motion at the start of the expansion. A piece
/// that ends at an instant does not: time passes the instant.
bool SeriesLinks::isLawPieceEndNearby(const SeriesLink& link, const Series& decision) {
  const double present = decision.coefficient(0);
  bool ends = !(present > 0.0), depends = false;
  for (std::size_t a = 0; a < link.link->axisCount(); ++a)
    for (const Series& moved : {link.position[a], link.rate[a]}) {
      const double start = moved.coefficient(0);
      for (const double sign : {-1.0, 1.0}) {
        tape_.setCoefficient(moved, 0, start + sign * kEqualPieces);
        tape_.recomputeOrder(0);
        ends = ends || !(decision.coefficient(0) > 0.0);
        depends = depends || decision.coefficient(0) != present;
      }
      tape_.setCoefficient(moved, 0, start);
    }
  tape_.recomputeOrder(0);
  return ends && depends;
}

/// Ends the step where a link at rest has moved by `kEqualPieces`: up to there, adjacent pieces of its law
/// are equal.
void SeriesLinks::endStepLeavingRest(const SeriesLink& link, FunctionSeries& functions) {
  const std::span<double> p(scratch_.data(), orders_);
  p[0] = kEqualPieces;
  for (std::size_t a = 0; a < link.link->axisCount(); ++a)
    for (const bool rate : {false, true}) {
      if (rate && !dependsOnRate(link.link->law, link.state, link.start, a)) continue;
      for (const double sign : {-1.0, 1.0}) {
        for (std::size_t k = 1; k < orders_; ++k)
          p[k] = sign * (rate ? static_cast<double>(k + 1) * link.x[a][k + 1] : link.x[a][k]);
        functions.endStepAtRoot(p);
      }
    }
}

/// How far a decision changes where displacement and rate change by many times their rounding.
double SeriesLinks::roundingOfDecision(const SeriesLink& link, const Series& decision) {
  constexpr double kManyRoundings = 1e5;
  const double present = decision.coefficient(0);
  double largest = 0.0;
  for (std::size_t a = 0; a < link.link->axisCount(); ++a)
    for (const Series& moved : {link.position[a], link.rate[a]}) {
      const double start = moved.coefficient(0);
      for (const double sign : {-1.0, 1.0}) {
        tape_.setCoefficient(moved, 0, start + sign * kManyRoundings * rounding_);
        tape_.recomputeOrder(0);
        largest = std::max(largest, std::abs(decision.coefficient(0) - present));
      }
      tape_.setCoefficient(moved, 0, start);
    }
  tape_.recomputeOrder(0);
  return largest;
}

/// Whether the motion starts past the end of the piece that is kept by more than rounding.
bool SeriesLinks::isLawPieceLeft(const SeriesLink& link) {
  for (std::size_t next = link.decisionsBegin; next < link.decisionsEnd; ++next) {
    const Series decision = tape_.branchDecisions()[next];
    if (decision.coefficient(0) < -roundingOfDecision(link, decision)) return true;
  }
  return false;
}

/// Whether the force of the present piece is that of the law at the start or close beside the start. A long
/// shift may select a piece that the motion reaches much later, or only beyond where its series hold.
bool SeriesLinks::isForceContinuous(const SeriesLink& link) {
  constexpr double kLongShift = 1e-9;  // [s]
  if (link.shift <= kLongShift || link.lead != 0) return true;
  const Eigen::Vector2d present = forceCoefficient(link, 0);
  return isForceReachedNearby(link.link->law, link.state, link.start, present);
}

}  // namespace ricochet
