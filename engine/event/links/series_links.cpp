#include "engine/event/links/series_links.hpp"

#include "engine/event/links/rest_between_pieces.hpp"
#include "engine/links/link_in_series.hpp"
#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomials.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace ricochet {
namespace {

constexpr double kRoundoff = std::numeric_limits<double>::epsilon();

/// The shortest time for which a piece of a law must hold that was chosen a `shift` [s] after the instant
/// `time` [s].
double shortestDurationOfLawPiece(double shift, double time) noexcept {
  return std::max(4.0 * std::max(shift, kRoundoff * std::abs(time)), std::numeric_limits<double>::min());
}

}  // namespace

SeriesLinks::SeriesLinks(const LinkSet& set, int order) : tape_(order + 1) {
  const auto length = static_cast<std::size_t>(order + 3);
  for (int i = 0; i < set.size(); ++i) {
    SeriesLink& link = links_.emplace_back(SeriesLink{.link = &set.link(i)});
    for (std::size_t a = 0; a < kLinkAxes; ++a) {
      link.row[a] = set.row(i, a);
      if (const double* row = link.row[a]; row != nullptr)
        link.reach += std::sqrt(kernels::dot(row, row, set.rowSize()));
    }
    for (const LinkDrive& drive : link.link->drives) link.drives.emplace_back(drive.displacement);
    link.storage.assign(3 * kLinkAxes * length, 0.0);
    std::size_t next = 0;
    for (PerAxis* each : {&link.x, &link.imposed, &link.force})
      for (std::span<double>& series : *each)
        series = std::span<double>(link.storage.data() + length * next++, length);
  }
  scratch_.resize(2 * length);
}

void SeriesLinks::copyRunStates(const LinkRun& run) {
  for (std::size_t i = 0; i < links_.size(); ++i) {
    links_[i].state = run.state(static_cast<int>(i));
    links_[i].shift = 0.0;
    links_[i].keepsPiece = links_[i].startsLater = links_[i].keepsForce = links_[i].leaps = false;
    links_[i].restsAtYield = links_[i].flows = links_[i].takesPieceBeside = false;
    links_[i].largestForce = 0.0;
  }
  linkWithoutPiece_ = -1;
}

void SeriesLinks::addForces(TaylorExpansion& expansion) noexcept {
  for (SeriesLink& link : links_)
    for (std::size_t a = 0; a < kLinkAxes; ++a)
      link.channel[a] = link.row[a] == nullptr ? -1 : expansion.addGivenForce(link.row[a], true);
}

void SeriesLinks::expandTimeFunctionsInSeries(FunctionSeries& functions, double t) {
  for (SeriesLink& link : links_) {
    if (link.drives.empty()) continue;
    for (std::span<double>& series : link.imposed) std::fill(series.begin(), series.end(), 0.0);
    for (std::size_t n = 0; n < link.drives.size(); ++n) {
      const auto count = static_cast<std::size_t>(functions.expandSupportMotion(link.drives[n], t, scratch_));
      for (std::size_t a = 0; a < kLinkAxes; ++a)
        for (std::size_t k = 0; k < count; ++k)
          link.imposed[a][k] += link.link->drives[n].factors[a] * scratch_[k];
    }
  }
}

LinkMotion<double> SeriesLinks::linkMotionWithoutForces(const SeriesLink& link,
                                                        const TaylorExpansion& expansion, double t) const {
  LinkMotion<double> motion;
  motion.time = t;
  for (std::size_t a = 0; a < kLinkAxes; ++a) {
    motion.x[a] = link.imposed[a][0];
    motion.v[a] = link.imposed[a][1];
    if (link.channel[a] < 0) continue;
    motion.x[a] += expansion.motion(link.channel[a])[0];
    motion.v[a] += expansion.motion(link.channel[a])[1];
  }
  return motion;
}

/// Records the laws on the tape. The pieces are selected at `shift` after the start on the motion of the last
/// trial; then the displacements and rates at the start are set again. The whole series of the motion is
/// used: where velocity and acceleration are zero, the jerk selects the piece.
void SeriesLinks::beginSeriesExpansion(const TaylorExpansion& expansion, double t) {
  tape_.clear();
  time_ = t;
  for (SeriesLink& link : links_) {
    const LinkMotion<double> free = linkMotionWithoutForces(link, expansion, t);
    link.start = link.shift > 0.0 ? linkMotionAfterForceDrop(*link.link, link.state, free)
                                  : linkMotionWithoutSeriesSprings(*link.link, link.state, free);
    if (std::exchange(link.leaps, false)) moveLinkByJumpToExpansionStart(link);
    chooseLeadingPowerOfTime(link, expansion);
    if (link.lead >= 0) recordLawOnTape(link, link.lead == 0 ? link.start.x : link.start.v);
  }
  if (std::ranges::any_of(links_,
                          [](const SeriesLink& link) { return link.shift > 0.0 || link.takesPieceBeside; }))
    tape_.recomputeOrder(0);
}

/// Records the law of a link for the motion x at the start, divided by t^m (m is `lead`).
void SeriesLinks::recordLawOnTape(SeriesLink& link, const std::array<double, kLinkAxes>& x) {
  const bool jumps =
      link.hasSpringInSeries() && std::abs(link.start.x[0] - link.state.motion.x[0]) > kEqualPieces;
  LinkMotion<Series> motion;
  const std::array<double, 2> clock{time_ + link.shift, 1.0};
  motion.time = link.clock = tape_.recordInput(clock);
  for (std::size_t a = 0; a < kLinkAxes; ++a) {
    double ahead = x[a], rate = link.restsAtYield ? 0.0 : link.start.v[a];
    if (link.shift > 0.0 && !jumps) {
      const std::span<const double> whole = finiteMotionCoefficients(link, a);
      ahead = polynomialAt(deflatedPolynomial(whole, link.lead), link.shift);
      rate = slopeAt(whole, link.shift);
    }
    if (link.takesPieceBeside) ahead += kEqualPieces, rate += kEqualPieces;
    motion.x[a] = link.position[a] = tape_.recordInputByOrder(ahead);
    motion.v[a] = link.rate[a] = tape_.recordInputByOrder(rate);
  }
  link.decisionsBegin = tape_.decisionsOfRecordedBranches().size();
  link.pull = link.keepsForce ? forceAtStart(link) : forceSeriesOfLaw(link, motion);
  link.decisionsEnd = tape_.decisionsOfRecordedBranches().size();
  if (link.startsLater) return;
  for (std::size_t a = 0; a < kLinkAxes; ++a) {
    tape_.setCoefficient(link.position[a], 0, x[a]);
    tape_.setCoefficient(link.rate[a], 0, link.start.v[a]);
  }
  tape_.setCoefficient(link.clock, 0, time_);
}

/// Coefficient of order k of the displacement of a link along an axis.
double SeriesLinks::linkMotionCoefficient(const SeriesLink& link, const TaylorExpansion& expansion,
                                          std::size_t axis, int k) noexcept {
  const double imposed = link.imposed[axis][static_cast<std::size_t>(k)];
  return link.channel[axis] < 0 ? imposed : imposed + expansion.motion(link.channel[axis])[k];
}

/// Sets the displacement and the rate of a link on the tape in order k, from the motion of the structure up
/// to order k + 1.
void SeriesLinks::setLinkMotionCoefficient(SeriesLink& link, const TaylorExpansion& expansion, int k) {
  for (std::size_t a = 0; a < kLinkAxes; ++a) {
    tape_.setCoefficient(link.position[a], k, linkMotionCoefficient(link, expansion, a, k));
    tape_.setCoefficient(link.rate[a], k, (k + 1) * linkMotionCoefficient(link, expansion, a, k + 1));
  }
}

/// Evaluates the laws of all links in order k.
void SeriesLinks::setLinkMotionCoefficients(const TaylorExpansion& expansion, int k) {
  for (SeriesLink& link : links_)
    if (link.lead == 0) setLinkMotionCoefficient(link, expansion, k);
  tape_.recomputeOrder(k);
  evaluateLawsOfMotionDividedByTime(expansion, k);
  if (std::any_of(links_.begin(), links_.end(),
                  [](const SeriesLink& link) { return link.hasSpringInSeries(); }))
    solveSpringsInSeries(k);
}

Eigen::Vector2d SeriesLinks::forceCoefficient(const SeriesLink& link, int k) const noexcept {
  return {link.pull[0].coefficient(k), link.pull[1].coefficient(k)};
}

/// Adds the flexibility in series of each link. Before, the tape holds the forces of order k at the
/// displacement x_free,k without this flexibility; after, those at x_k with it.
void SeriesLinks::solveSpringsInSeries(int k) {
  for (SeriesLink& link : links_) {
    if (!link.hasSpringInSeries()) continue;
    const Eigen::Vector2d pull = forceCoefficient(link, k);
    if (k == 1) {
      Eigen::Matrix2d stiffness = Eigen::Matrix2d::Zero();
      for (std::size_t a = 0; a < link.link->axisCount(); ++a) {
        const double x = link.position[a].coefficient(1), change = x == 0.0 ? 1.0 : std::abs(x);
        tape_.setCoefficient(link.position[a], 1, x + change);
        tape_.recomputeOrder(1);
        stiffness.col(static_cast<Eigen::Index>(a)) = (forceCoefficient(link, 1) - pull) / change;
        tape_.setCoefficient(link.position[a], 1, x);
      }
      link.softening = (Eigen::Matrix2d::Identity() + stiffness * link.link->compliance).inverse();
    }
    const Eigen::Vector2d back = link.link->compliance * (link.softening * pull);
    for (std::size_t a = 0; a < link.link->axisCount(); ++a)
      tape_.setCoefficient(link.position[a], k,
                           link.position[a].coefficient(k) - back[static_cast<Eigen::Index>(a)]);
  }
  tape_.recomputeOrder(k);
}

void SeriesLinks::computeForceSeriesOfLinks(TaylorExpansion& expansion, int k) {
  if (k > 0) setLinkMotionCoefficients(expansion, k);
  for (const SeriesLink& link : links_)
    for (std::size_t a = 0; a < kLinkAxes; ++a)
      if (link.channel[a] >= 0)
        expansion.givenForce(link.channel[a], k + 1)[static_cast<std::size_t>(k)] =
            -forceCoefficient(link, a, k);
}

bool SeriesLinks::areLawPiecesValidAtStart(const TaylorExpansion& expansion) {
  const int order = expansion.order();
  orders_ = static_cast<std::size_t>(order + 1);
  setLinkMotionCoefficients(expansion, order + 1);
  evaluateLastOrdersOfMotionDividedByTime(expansion);
  bool ratesChange = false;
  for (SeriesLink& link : links_)
    for (std::size_t a = 0; a < kLinkAxes; ++a) {
      if (link.hasSpringInSeries()) {
        for (std::size_t k = 0; k <= orders_; ++k)
          link.x[a][k] = link.position[a].coefficient(static_cast<int>(k));
        link.x[a][orders_ + 1] = 0.0;  // coefficient below the tolerance of the expansion
        for (int k = 1; k <= order; ++k)
          tape_.setCoefficient(link.rate[a], k, (k + 1) * link.position[a].coefficient(k + 1));
        ratesChange = true;
        continue;
      }
      std::copy(link.imposed[a].begin(), link.imposed[a].end(), link.x[a].begin());
      if (link.channel[a] >= 0)
        for (std::size_t k = 0; k < orders_ + 2; ++k) link.x[a][k] += expansion.motion(link.channel[a])[k];
    }
  if (ratesChange) tape_.computeSeriesOrders(1, order + 1);
  for (SeriesLink& link : links_)
    for (std::size_t a = 0; a < kLinkAxes; ++a)
      for (std::size_t k = 0; k <= orders_; ++k)
        link.force[a][k] = forceCoefficient(link, a, static_cast<int>(k));
  const double time = links_.front().state.motion.time;
  constexpr double kLongest = 1.0;  // longest step with links [s]
  rounding_ = 0.0;
  const double size = std::max(expansion.displacementNorm(0), expansion.velocityNorm(0));
  for (const SeriesLink& link : links_) rounding_ = std::max(rounding_, kRoundoff * link.reach * size);
  if (keepLinksElasticAtYieldLimit() || findLinksAtRestBetweenEqualLawPieces()) return false;
  if (SeriesLink* link = indexOfLinkWithoutSeries(); link != nullptr) {
    link->startsLater = true;
    link->takesPieceBeside = false;
    link->shift = std::max(4.0 * shortestDurationOfLawPiece(link->shift, time), kFirstShift);
    return false;
  }
  linkWithoutPiece_ = indexOfLinkWithMissedKink(time);  // a kink of a law lies before the time `shift`
  if (linkWithoutPiece_ < 0) return !holdForcesConstantWhereSeriesFails();
  SeriesLink& link = links_[static_cast<std::size_t>(linkWithoutPiece_)];
  if (link.keepsPiece) return true;
  if (holdLinkForceConstantIfNegligible(link)) return false;
  if (link.shift >= kLongest) {
    if (!isForceContinuousNearMotion(link.link->law, link.state, link.start)) return true;
    link.keepsPiece = true;
    link.shift = 0.0;
    return false;
  }
  link.shift = std::max(4.0 * shortestDurationOfLawPiece(link.shift, time), kFirstShift);
  return false;
}

/// Distance from the end of a piece as a series, positive in the piece. A coefficient is set to zero if the
/// terms after it outweigh it within the time `shift`, and so on for the next: the motion has then passed the
/// value at the start, which is the rounding of a link at rest.
std::span<const double> SeriesLinks::distanceToLawPieceEnd(const Series& decision, double shift) {
  for (std::size_t k = 0; k < orders_; ++k) scratch_[k] = decision.coefficient(static_cast<int>(k));
  const std::span<double> p(scratch_.data(), orders_);
  for (std::size_t k = 0; k + 1 < orders_; ++k) {  // compares |p_k| with the sum of the later |p_j| tau^(j-k)
    const double after = shift * polynomialAt(p.subspan(k + 1), shift);
    if (!(std::abs(p[k]) <= std::abs(after))) break;
    p[k] = 0.0;
  }
  return p;
}

/// Index of a link whose present piece is shorter than `shortestDurationOfLawPiece` or than the rounding
/// error of its displacement, so that a step to the end of the piece would not move the link; -1: no such
/// link.
int SeriesLinks::indexOfLinkWithMissedKink(double time) {
  const std::span<const Series> decisions = tape_.decisionsOfRecordedBranches();
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const SeriesLink& link = links_[i];
    if (link.keepsPiece ? hasMotionLeftLawPiece(link) : !isForceContinuous(link)) return static_cast<int>(i);
    if (link.keepsPiece) continue;
    const double step = shortestDurationOfLawPiece(link.shift, time);
    for (std::size_t next = link.decisionsBegin; next < link.decisionsEnd; ++next) {
      if (link.restsInEqualPieces && isLawPieceEndNearby(link, decisions[next])) continue;
      std::span<const double> p = distanceToLawPieceEnd(decisions[next], link.shift);
      while (p.size() > 1 && p[0] == 0.0) p = deflatedPolynomial(p, 1);
      if (p[0] < 0.0 || doesLawPieceEndWithinRounding(link, decisions[next], p) ||
          (p[0] > 0.0 && firstRoot(p, step).time < step))
        return static_cast<int>(i);
    }
  }
  return -1;
}

void SeriesLinks::addKinksOfLinkLaws(FunctionSeries& functions) {
  const std::span<const Series> decisions = tape_.decisionsOfRecordedBranches();
  for (const SeriesLink& link : links_) {
    bool passes = false;
    for (std::size_t next = link.decisionsBegin; next < link.decisionsEnd; ++next) {
      if (link.restsInEqualPieces && isLawPieceEndNearby(link, decisions[next])) {
        passes = true;
        continue;
      }
      const double past =
          link.keepsPiece ? roundingErrorOfPieceDecision(link, decisions[next], kManyRoundings) : 0.0;
      std::ignore = distanceToLawPieceEnd(decisions[next], link.shift);
      scratch_[0] += past;
      functions.endStepAtRoot(std::span<const double>(scratch_.data(), orders_));
    }
    if (passes) endStepWhereLinkLeavesRest(link, functions);
    if (link.lead >= 0 && isLawHomogeneousOfDegreeOne(link.link->law))
      endStepAtZeroDisplacement(link, functions);
  }
}

/// Motion of a link at local time t of the step.
LinkMotion<double> SeriesLinks::linkMotionAt(const SeriesLink& link, double t, double time) const noexcept {
  LinkMotion<double> motion;
  motion.time = time + t;
  for (std::size_t a = 0; a < kLinkAxes; ++a) {
    motion.x[a] = polynomialAt(link.x[a].first(orders_ + 2), t);
    motion.v[a] = slopeAt(link.x[a].first(orders_ + 2), t);
  }
  return motion;
}

/// State of a link at the start of the step, after jumps, without the energy of the springs in series.
LinkState SeriesLinks::linkStateAtStart(const SeriesLink& link, double time) const noexcept {
  const LinkMotion<double> motion = linkMotionAt(link, 0.0, time);
  LinkState own = link.state;
  own.stored -= energyOfSpringsInSeries(*link.link, own.force);
  if (link.hasSpringInSeries())
    own = linkStateAfterJump(*link.link, own, motion, {link.force[0][0], link.force[1][0]});
  own.motion = motion;
  return own;
}

/// State of a link at local time t of the step: motion and force from the series, energies from exact work.
LinkState SeriesLinks::linkStateAtTime(const SeriesLink& link, double t, double time) const noexcept {
  const LinkMotion<double> motion = linkMotionAt(link, t, time);
  const LinkState own = linkStateAtStart(link, time);
  LinkState to = link.state;
  std::visit(
      [&]<class Law>(const Law& law) {
        to.setResponse(motion, law.template computeResponse<double>(own, motion));
        double done = 0.0, bySupports = 0.0;  // work of the nodes on the law, and that of the supports [J]
        for (std::size_t a = 0; a < kLinkAxes; ++a) {
          to.force[a] = polynomialAt(link.force[a].first(orders_), t);
          done += workOfForce(link.force[a].first(orders_), link.x[a].first(orders_ + 1), t);
          if (!link.drives.empty())
            bySupports += workOfForce(link.force[a].first(orders_), link.imposed[a].first(orders_ + 1), t);
        }
        if constexpr (requires { law.dashpotElongationAt(0.0, 0.0); })
          to.memory[0] = law.dashpotElongationAt(motion.x[0], to.force[0]);
        if constexpr (requires { Law::kYielding; })
          if (link.restsAtYield) to.event = -1.0, to.memory[Law::kYielding] = 0.0;
        to.stored = own.stored, to.dissipated = own.dissipated, to.external = own.external;
        law.addEnergiesOfStep(own, to);
        const double told =
            (to.stored - own.stored) + (to.dissipated - own.dissipated) - (to.external - own.external);
        switch (Law::traits.work) {
          case LinkWork::stored:
            to.stored += done - told;
            break;
          case LinkWork::dissipated:
            to.dissipated += done - told;
            break;
          case LinkWork::external:
            to.external -= done - told;
            break;
        }
        to.external += bySupports;
        to.stored += energyOfSpringsInSeries(*link.link, to.force);
      },
      link.link->law);
  return to;
}

void SeriesLinks::acceptStep(double step, double time) noexcept {
  for (SeriesLink& link : links_) {
    recordPlasticFlowAfterStep(link, step);
    link.state = linkStateAtTime(link, step, time);
    link.largestForce = std::max(link.largestForce, std::abs(link.state.force[0]));
    link.shift = 0.0;
    link.keepsPiece = link.startsLater = link.keepsForce = link.restsAtYield = false;
    link.takesPieceBeside = false;
    link.leaps = canDriveJumpAtAnyInstant(link);
  }
}

}  // namespace ricochet
