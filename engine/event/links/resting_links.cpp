#include "engine/event/links/rest_between_pieces.hpp"
#include "engine/event/links/series_links.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

/// True if the present piece of a law gives the force of the law up to `kEqualPieces` to both sides of the
/// motion at the start, in displacement and rate. The piece of a point, as that of sign(x) at x = 0, does
/// not.
bool SeriesLinks::isRecordedPieceThatOfLaw(const SeriesLink& link) {
  constexpr double kDeviation = 1e-3;  // largest deviation, relative to the change of force
  constexpr double kRounding = 1e-9;   // relative rounding error of the force
  const Eigen::Vector2d present = forceCoefficient(link, 0);
  bool same = true;
  for (std::size_t a = 0; a < link.link->axisCount(); ++a)
    for (const bool rate : {false, true}) {
      const Series& moved = rate ? link.rate[a] : link.position[a];
      const double start = moved.coefficient(0);
      for (const double way : {-kEqualPieces, kEqualPieces}) {
        tape_.setCoefficient(moved, 0, start + way);
        tape_.recomputeOrder(0);
        const Eigen::Vector2d ofLaw = forceAtNeighbouringMotion(link.link->law, link.state, link.start, a,
                                                                rate ? 0.0 : way, rate ? way : 0.0);
        const Eigen::Vector2d ofPiece = forceCoefficient(link, 0);
        // A piece as v^1.5 has no value beyond its end.
        same = same && !((ofPiece - ofLaw).norm() >
                         kDeviation * std::max((ofLaw - present).norm(), (ofPiece - present).norm()) +
                             kRounding * (present.norm() + ofLaw.norm()));
      }
      tape_.setCoefficient(moved, 0, start);
    }
  tape_.recomputeOrder(0);
  return same;
}

/// Notes which links rest where pieces of their laws are equal, and has a law recorded beside the point where
/// its link rests if the law is straight there but for this point. True if a law must be recorded again.
bool SeriesLinks::findLinksAtRestBetweenEqualLawPieces() {
  bool changes = false;
  for (SeriesLink& link : links_) {
    link.restsInEqualPieces =
        link.decisionsBegin < link.decisionsEnd && !link.keepsPiece &&
        doesLinkRestBetweenEqualLawPieces(link.link->law, link.state, link.start, link.x);
    if (!link.restsInEqualPieces || link.lead != 0 || isRecordedPieceThatOfLaw(link)) continue;
    link.restsInEqualPieces = false;
    if (link.startsLater || (link.shift > 0.0 && !link.takesPieceBeside)) continue;
    // If even the piece beside is another, the motion tells which piece follows.
    link.takesPieceBeside = !link.takesPieceBeside;
    link.shift = link.takesPieceBeside ? 0.0 : kFirstShift;
    changes = true;
  }
  return changes;
}

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
void SeriesLinks::endStepWhereLinkLeavesRest(const SeriesLink& link, FunctionSeries& functions) {
  const std::span<double> p(scratch_.data(), orders_);
  p[0] = kEqualPieces;
  for (std::size_t a = 0; a < link.link->axisCount(); ++a)
    for (const bool rate : {false, true}) {
      if (rate && !doesForceDependOnRate(link.link->law, link.state, link.start, a)) continue;
      for (const double sign : {-1.0, 1.0}) {
        for (std::size_t k = 1; k < orders_; ++k)
          p[k] = sign * (rate ? static_cast<double>(k + 1) * link.x[a][k + 1] : link.x[a][k]);
        functions.endStepAtRoot(p);
      }
    }
}

/// Change of a decision between pieces of a law if displacement and rate change by `roundings` times their
/// rounding errors.
double SeriesLinks::roundingErrorOfPieceDecision(const SeriesLink& link, const Series& decision,
                                                 double roundings) {
  const double present = decision.coefficient(0);
  double largest = 0.0;
  for (std::size_t a = 0; a < link.link->axisCount(); ++a)
    for (const Series& moved : {link.position[a], link.rate[a]}) {
      const double start = moved.coefficient(0);
      for (const double sign : {-1.0, 1.0}) {
        tape_.setCoefficient(moved, 0, start + sign * roundings * rounding_);
        tape_.recomputeOrder(0);
        largest = std::max(largest, std::abs(decision.coefficient(0) - present));
      }
      tape_.setCoefficient(moved, 0, start);
    }
  tape_.recomputeOrder(0);
  return largest;
}

/// Whether the motion starts past the end of the piece that is kept by more than rounding.
bool SeriesLinks::hasMotionLeftLawPiece(const SeriesLink& link) {
  for (std::size_t next = link.decisionsBegin; next < link.decisionsEnd; ++next) {
    const Series decision = tape_.decisionsOfRecordedBranches()[next];
    if (decision.coefficient(0) < -roundingErrorOfPieceDecision(link, decision, kManyRoundings)) return true;
  }
  return false;
}

/// Whether a piece ends before the link has moved by more than rounding. `p` is the distance to its end as a
/// series, in the unit of the decision.
bool SeriesLinks::doesLawPieceEndWithinRounding(const SeriesLink& link, const Series& decision,
                                                std::span<const double> p) {
  if (p.size() < 2 || !(p[0] > 0.0) || !(p[1] < 0.0)) return false;
  if (p[0] <= kRoundings * rounding_) return true;
  double place = 0.0, rate = 0.0;
  for (std::size_t a = 0; a < link.link->axisCount(); ++a) {
    place = std::max(place, std::abs(link.x[a][1]));
    rate = std::max(rate, 2.0 * std::abs(link.x[a][2]));
  }
  // Most pieces last longer: they need no evaluation of the decision.
  if (p[0] * std::min(place, rate) > -p[1] * kRoundings * rounding_) return false;
  return decision.coefficient(0) == p[0] && p[0] <= roundingErrorOfPieceDecision(link, decision, kRoundings);
}

/// Force by which a link is below its yield force at a displacement [N]; infinite for a law without flow.
double SeriesLinks::forceMarginBelowYield(const SeriesLink& link, double x) const noexcept {
  return std::visit(
      [&](const auto& law) {
        if constexpr (requires { law.forceBelowYield(link.state, x); })
          return law.forceBelowYield(link.state, x);
        else
          return std::numeric_limits<double>::infinity();
      },
      link.link->law);
}

/// Lets links that rest at their yield force within rounding be elastic; true if a link begins to be so.
bool SeriesLinks::keepLinksElasticAtYieldLimit() noexcept {
  bool changes = false;
  for (SeriesLink& link : links_) {
    if (link.keepsPiece || link.flows || !isLinkAtRest(link.x)) continue;
    const double stiffness =
        std::visit([&](const auto& law) { return law.slopeBounds(link.start).stiffness; }, link.link->law);
    const double below = forceMarginBelowYield(link, link.start.x[0]);
    if (!(std::abs(below) <= kManyRoundings * rounding_ * stiffness)) continue;
    link.restsAtYield = link.keepsPiece = changes = true;
    link.shift = 0.0;
  }
  return changes;
}

/// Records after a step whether a link has left its rest at the yield force: the link flows until it turns
/// back, even if slowly.
void SeriesLinks::recordPlasticFlowAfterStep(SeriesLink& link, double step) const noexcept {
  constexpr double kLeft = 0.5;  // part of the way to the end of the rest
  const std::span<const double> x = link.x[0].first(orders_ + 2);
  if (link.restsAtYield) {
    const double stiffness =
        std::visit([&](const auto& law) { return law.slopeBounds(link.start).stiffness; }, link.link->law);
    link.flows =
        forceMarginBelowYield(link, polynomialAt(x, step)) < -kLeft * kManyRoundings * rounding_ * stiffness;
  } else if (link.flows) {
    link.flows = x[1] * slopeAt(x, step) > 0.0;
  }
}

/// Whether the force of the present piece is that of the law at the start or close beside the start. A long
/// shift may select a piece that the motion reaches much later, or only beyond where its series hold.
bool SeriesLinks::isForceContinuous(const SeriesLink& link) {
  constexpr double kLongShift = 1e-9;  // [s]
  if (link.shift <= kLongShift || link.lead != 0) return true;
  const Eigen::Vector2d present = forceCoefficient(link, 0);
  return isForceReachedNearMotion(link.link->law, link.state, link.start, present);
}

}  // namespace ricochet
