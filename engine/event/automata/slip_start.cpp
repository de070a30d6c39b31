// Start of slips in two dimensions from rest: directions and turning, order by order.

#include "engine/event/automata/slip_turn.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace ricochet {

/// Slip acceleration w of a contact by its own traction T: w = free + m T.
struct OwnResponse {
  double m[2][2];

  Tangential<double> responseToTraction(const Tangential<double>& t) const noexcept {
    return {m[0][0] * t.first + m[0][1] * t.second, m[1][0] * t.first + m[1][1] * t.second};
  }
  double determinant() const noexcept { return m[0][0] * m[1][1] - m[0][1] * m[1][0]; }
  Tangential<double> column(std::size_t i) const noexcept { return {m[0][i], m[1][i]}; }
  /// Unit vector along the only line on which tractions move the point, if m is singular.
  Tangential<double> lineOfResponse() const noexcept {
    const Tangential<double> longer = length(column(0)) > length(column(1)) ? column(0) : column(1);
    return scaled(1.0 / length(longer), longer);
  }
  /// Larger singular value of m; the smaller value is |det|/largestSingularValue().
  double largestSingularValue() const noexcept {
    const double sum = m[0][0] * m[0][0] + m[0][1] * m[0][1] + m[1][0] * m[1][0] + m[1][1] * m[1][1];
    const double product = 2.0 * std::abs(determinant());
    return std::sqrt(0.5 * (sum + std::sqrt(std::max(0.0, (sum - product) * (sum + product)))));
  }
  /// Solution (shift + factor m)^-1 t.
  Tangential<double> solveShiftedLinearSystem(const Tangential<double>& t, double shift,
                                              double factor) const noexcept {
    const double a = shift + factor * m[0][0];
    const double d = shift + factor * m[1][1];
    const double b = factor * m[0][1];
    const double c = factor * m[1][0];
    const double det = a * d - b * c;
    return {(d * t.first - b * t.second) / det, (a * t.second - c * t.first) / det};
  }
};

namespace {

/// Response along a held line, relative to that of the structure without constraints.
constexpr double kHeldResponse = 1e-10;

/// Rounding error of a slip acceleration of order k.
double accelerationNoise(const SlipStart& s, const TaylorExpansion& expansion, int k) noexcept {
  return s.row * kNoise * (expansion.elasticForceNorm(k) + expansion.forceNormSum(k));
}

/// Coefficient k of the speed tau^power w |u| of a slip, from orders up to k - power of w and u.
double slipSpeedOfOrder(const SlipTurn& turn, int k) noexcept {
  double speed = 0.0;
  for (int i = 0; i <= k - turn.start.power; ++i)
    speed += turn.start.w[static_cast<std::size_t>(i)] * turn.size.coefficient(k - turn.start.power - i);
  return speed;
}

/// Normal force of a slip as a function of its own traction, N = base + by.T, and mu_d.
struct OwnCompression {
  double base;
  Tangential<double> by;
  double coefficient;

  /// Friction limit mu_d N if the traction opposes a slip in this direction [N].
  double frictionLimitAgainstSlip(const Tangential<double>& direction) const noexcept {
    return std::max(0.0, coefficient * base / (1.0 + coefficient * dot(by, direction)));
  }
  /// Friction limit mu_d N if the traction is `needed` along a line and has no component across [N].
  double frictionLimitWithoutTractionAcross(const Tangential<double>& along, double needed) const noexcept {
    return coefficient * (base + needed * dot(by, along));
  }
  /// Growth of the friction limit per traction across a line. Above one, the traction across presses the
  /// contact by more than it needs: together with the contacts that hold the point, it is self-stress.
  double limitPerTractionAcross(const Tangential<double>& along) const noexcept {
    return coefficient * dot(by, {-along.second, along.first});
  }
  /// True if a traction on the cone, |T| = mu_d N, can have the component `needed` along a line: with the
  /// component r across, needed^2 + r^2 = mu_d^2 (N + n r)^2 has a solution. Where N grows with r, the last
  /// solution has r != 0: it is a double root, near which r is a square root of time, without a series.
  bool canTractionHoldContactAlong(const Tangential<double>& along, double needed,
                                   double excess) const noexcept {
    constexpr double kDouble = 1e-8, kPart = 1e-2;
    const double pressed = frictionLimitWithoutTractionAcross(along, needed);
    const double grown = limitPerTractionAcross(along);
    const double square = needed * needed;
    const double least = std::max(excess, std::min(kDouble, kPart * grown * grown));
    return pressed * pressed + square * (grown * grown - 1.0) > least * square;
  }
};

/// Traction of one contact and its kind: drop (slip with an acceleration), smooth (on the cone without
/// acceleration), inside (stick).
struct Limit {
  enum Kind { drop, smooth, inside } kind;
  Tangential<double> traction;
  Tangential<double> moving{};  ///< see ContactAutomaton::movingTraction
};

/// Direction d of a traction of size g that opposes the slip acceleration w = -lambda d, lambda > 0:
/// (lambda + g m) d = -free, |d| = 1, where |d| >= 1 for lambda = `least`. Newton's method on 1/|d|, which is
/// concave in lambda and converges from below if m is symmetric. Beside contacts that slide, m is not; a step
/// that leaves the bracket of the root then halves it.
Tangential<double> tractionDirectionInSlip(const OwnResponse& own, const Tangential<double>& free, double g,
                                           double least) {
  constexpr int kMost = 200;
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  double lambda = least, low = least, high = std::numeric_limits<double>::infinity();
  Tangential<double> x = own.solveShiftedLinearSystem(free, lambda, g);
  for (int i = 0; i < kMost; ++i) {
    const double size = length(x);
    if (!(std::abs(size - 1.0) > 4.0 * kEpsilon) || !(high - low > kEpsilon * low)) break;
    (size > 1.0 ? low : high) = lambda;
    const double slope = dot(x, own.solveShiftedLinearSystem(x, lambda, g));
    double next = lambda + (size - 1.0) * size * size / slope;
    if (!(next > low && next < high))
      next = std::isfinite(high) ? std::midpoint(low, high) : 2.0 * low + length(free);
    if (next == lambda) break;
    lambda = next;
    x = own.solveShiftedLinearSystem(free, lambda, g);
  }
  return scaled(-1.0 / length(x), x);
}

/// Traction of a contact point that can move along one line only: w = u (f + v.T), where v and u differ if
/// other contacts slide. The point does not move as long as v.T = -f is possible within the cone; its
/// traction is then on the cone, on the side of `direction`. Slip is along u. If v and u differ, the point
/// may slip although a traction could hold it, which it does if `slides`. It slips, too, where no traction on
/// the cone can hold it, as its N, `pressed`, depends on the traction across the line; where a traction
/// across is self-stress, which could hold every load, only the traction along the line counts.
Limit tractionWithinFrictionConeAlongLine(const OwnResponse& own, const Tangential<double>& free, double g,
                                          const Tangential<double>& direction, double excess,
                                          const OwnCompression& pressed, bool slides) {
  const Tangential<double> u = own.lineOfResponse();
  const Tangential<double> v{dot(u, own.column(0)), dot(u, own.column(1))};
  const Tangential<double> along = scaled(1.0 / length(v), v);
  const double pushed = dot(u, free), needed = -pushed / length(v);
  for (const double way : {1.0, -1.0}) {
    const double limit = slides ? pressed.frictionLimitAgainstSlip(scaled(way, u)) : 0.0;
    if (slides && way * pushed - limit * dot(v, u) > excess * limit * length(v))
      return {Limit::drop, scaled(-way * limit, u)};
  }
  if (std::abs(pressed.limitPerTractionAcross(along)) >= 1.0) {
    const double limit = pressed.frictionLimitWithoutTractionAcross(along, needed);
    if (std::abs(needed) < (1.0 - excess) * limit) return {Limit::inside, scaled(needed, along)};
    const double way = std::copysign(1.0, pushed);
    const Tangential<double> against = scaled(-way * pressed.frictionLimitAgainstSlip(scaled(way, u)), u);
    const bool isSmooth =
        std::abs(needed) <= (1.0 + excess) * limit && std::abs(dot(u, along)) >= 1.0 - excess;
    return {isSmooth ? Limit::smooth : Limit::drop, against};
  }
  const Tangential<double> sliding = scaled(std::copysign(g, needed), u);
  if (std::abs(needed) > (1.0 + excess) * g) return {Limit::drop, sliding};
  // If the traction is on the cone within rounding, its transverse part would be the square root of rounding.
  if (std::abs(needed) >= (1.0 - excess) * g)
    return {std::abs(dot(u, along)) < 1.0 - excess ? Limit::drop : Limit::smooth, sliding};
  if (!pressed.canTractionHoldContactAlong(along, needed, excess)) {
    const double way = std::copysign(1.0, pushed);
    return {Limit::drop, scaled(-way * pressed.frictionLimitAgainstSlip(scaled(way, u)), u)};
  }
  const Tangential<double> across{-along.second, along.first};
  const double rest = std::sqrt((g - needed) * (g + needed));
  return {Limit::smooth, scaled(needed, along) + scaled(std::copysign(rest, dot(across, direction)), across),
          along};
}

/// Slip acceleration of a point that no traction changes, because other contacts hold the point in this
/// direction while their supports move.
Tangential<double> imposedAcceleration(const OwnResponse& own, double held, const Tangential<double>& free) {
  const double largest = own.largestSingularValue();
  if (!(largest > held)) return free;
  if (std::abs(own.determinant()) > held * largest) return {};
  const Tangential<double> u = own.lineOfResponse();
  return free - scaled(dot(u, free), u);
}

/// Traction of one contact: the traction of a stick if it is within the cone |T| <= g, otherwise a traction
/// on the cone. Along lines on which other contacts hold the point, the traction is undetermined and is kept,
/// unless these contacts move the point by more than `noise`.
Limit tractionWithinFrictionCone(const OwnResponse& own, double size, const Tangential<double>& free,
                                 double g, const Tangential<double>& direction, double excess,
                                 const OwnCompression& pressed, bool slides, double noise) {
  const double largest = own.largestSingularValue();
  const double imposed = length(imposedAcceleration(own, kHeldResponse * size, free));
  // If the traction could hold the point, the motion is rounding.
  if (imposed > noise && length(own.solveShiftedLinearSystem(free, imposed, g)) > 1.0 - 1e-6)
    return {Limit::drop, scaled(g, tractionDirectionInSlip(own, free, g, imposed))};
  if (!(largest > kHeldResponse * size)) return {Limit::smooth, scaled(g, direction)};
  if (!(g > 0.0)) return {length(free) > 0.0 ? Limit::drop : Limit::smooth, {}};
  if (!(std::abs(own.determinant()) > kHeldResponse * size * largest))
    return tractionWithinFrictionConeAlongLine(own, free, g, direction, excess, pressed, slides);
  const Tangential<double> needed = scaled(-1.0, own.solveShiftedLinearSystem(free, 0.0, 1.0));
  const double most = length(needed);
  if (most > (1.0 + excess) * g) return {Limit::drop, scaled(g, tractionDirectionInSlip(own, free, g, 0.0))};
  if (most < (1.0 - excess) * g) return {Limit::inside, needed};
  return {Limit::smooth, scaled(g / most, needed)};
}

}  // namespace

OwnResponse SlipStarts::ownResponse(std::size_t i) noexcept {
  return {{{response(0, i, i, 0), response(0, i, i, 1)}, {response(1, i, i, 0), response(1, i, i, 1)}}};
}

void SlipStarts::setTapeInputsOfOrder(const TaylorExpansion& expansion, SeriesTape& tape, int k) {
  for (SlipTurn* each : starts_) {
    const SlipStart& start = each->start;
    const int own = k - start.lead;
    if (!start.hasDirection || own == 0) continue;
    tape.setCoefficient(each->kinematics.slipRate.first, own, 0.0);
    tape.setCoefficient(each->kinematics.slipRate.second, own, 0.0);
    tape.setCoefficient(each->kinematics.compression, own,
                        start.bearsReaction ? 0.0 : compressionCoefficientOfOrder(*each, expansion, k));
    if (!each->speed.isConstant()) tape.setCoefficient(each->speed, own, slipSpeedOfOrder(*each, own));
    if (start.lead > 0) tape.recomputeOrder(own);
  }
}

bool SlipStarts::solveCoefficientsOfOrder(const TaylorExpansion& expansion, SeriesTape& tape, int k,
                                          double excess) {
  for (SlipTurn* each : starts_) {
    each->start.free = slipAccelerationOfOrder(*each, expansion, k);
    each->start.freeCompression = compressionCoefficientOfOrder(*each, expansion, k);
  }
  if (k > 0) solveTurningSlips(tape, k);
  return solveSlipDirections(expansion, tape, k, excess);
}

/// Finds the initial directions of the slips that start at order k. Returns false if a contact sticks
/// instead.
bool SlipStarts::solveSlipDirections(const TaylorExpansion& expansion, SeriesTape& tape, int k,
                                     double excess) {
  if (!findStartingSlips(expansion, k)) return true;
  constexpr double kLocked = 1e9;
  const auto largestTraction = [&] {
    double largest = 0.0;
    for (const SlipTurn* each : starts_)
      if (doesSlipStartAtOrder(each->start, k)) largest = std::max(largest, length(each->start.traction));
    return largest;
  };
  // A slip may begin where the traction of its stick makes N zero within rounding: the traction of the first
  // sweep is then no measure of the tractions.
  double first = largestTraction();
  for (const SlipTurn* each : starts_)
    if (doesSlipStartAtOrder(each->start, k))
      first = std::max(first, each->start.coefficient * std::abs(each->start.freeCompression));
  first = std::max(first, iterateTractionsToConvergence(k, excess));
  for (SlipTurn* each : starts_)
    if (SlipStart& s = each->start;
        doesSlipStartAtOrder(s, k) && !s.holds && s.first * s.row * s.row <= s.noise) {
      s.first = 0.0;  // N within rounding is no scale of a slip
      s.traction = {};
    }
  // If N grows with the traction that it limits, a slip locks itself and does not start.
  const bool locks = first > 0.0 && !(largestTraction() <= kLocked * first);
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    SlipStart& s = starts_[i]->start;
    if (!doesSlipStartAtOrder(s, k)) continue;
    if (s.holds || locks) {
      sticking_.push_back(starts_[i]->contact);
      continue;
    }
    // An acceleration within the error of the sweeps counts as zero.
    const double weak = 10.0 * excess * s.coefficient * s.first * s.row * s.row;
    if (s.first > 0.0 &&
        dot(slipAccelerationByOtherTractions(i, k) + slipAccelerationByForce(i, i, s.traction), s.ahead) <=
            weak)
      s.power = k + 2;
  }
  for (SlipTurn* each : starts_) {
    SlipStart& s = each->start;
    if (!doesSlipStartAtOrder(s, k) || s.holds) continue;
    s.hasDirection = true;
    s.across = {-s.ahead.second, s.ahead.first};
    each->contact->state.friction.direction = scaled(-1.0, s.ahead);
    each->contact->movingTraction = s.moving;
    tape.setCoefficient(each->kinematics.slipRate.first, 0, s.ahead.first);
    tape.setCoefficient(each->kinematics.slipRate.second, 0, s.ahead.second);
    tape.setCoefficient(each->kinematics.compression, 0, s.first);
  }
  tape.recomputeOrder(0);
  return sticking_.empty();
}

/// True if a slip starts at order k. A slip without acceleration and without friction limit at this order
/// starts at a later order.
bool SlipStarts::findStartingSlips(const TaylorExpansion& expansion, int k) noexcept {
  bool any = false;
  for (SlipTurn* each : starts_) {
    SlipStart& s = each->start;
    if (s.hasDirection) continue;
    s.noise = accelerationNoise(s, expansion, k);
    const double push = s.coefficient * std::abs(s.freeCompression) * s.row * s.row;
    const bool begins = k > 0 || length(s.free) > s.noise || push > s.noise;
    s.lead = begins ? k : k + 1;
    s.traction = each->contact->state.traction;  // initial value: close to the solution if nothing jumps
    any |= begins;
  }
  return any;
}

/// Gauss-Seidel iteration over the contacts, each at its limit under the tractions of the others. The
/// tractions minimise a convex function as long as they do not change the normal forces. Where they do, the
/// sweeps may run in circles: further ones take a part of each change only. If these do not agree either, the
/// states of the whole sweeps stay, whose guards show that other contacts have to stick or slip. Returns the
/// largest traction of the first sweep [N].
double SlipStarts::iterateTractionsToConvergence(int k, double excess) {
  constexpr int kWhole = 1000, kInParts = 2000;
  double first = 0.0;
  for (int sweep = 0; sweep < kWhole; ++sweep) {
    if (!updateTractionsInOneSweep(k, excess, 1.0)) return first;
    if (sweep > 0) continue;
    for (const SlipTurn* each : starts_)
      if (doesSlipStartAtOrder(each->start, k)) first = std::max(first, length(each->start.traction));
  }
  std::vector<SlipStart> whole;
  for (const SlipTurn* each : starts_) whole.push_back(each->start);
  for (int sweep = 0; sweep < kInParts; ++sweep)
    if (!updateTractionsInOneSweep(k, excess, sweep < kInParts / 2 ? 0.3 : 0.05)) return first;
  for (std::size_t i = 0; i < starts_.size(); ++i) starts_[i]->start = whole[i];
  return first;
}

/// Takes one Gauss-Seidel sweep over the tractions, and a share of their changes; false once they no longer
/// change.
bool SlipStarts::updateTractionsInOneSweep(int k, double excess, double share) noexcept {
  constexpr double kConverged = 1e-15;
  double change = 0.0;
  double largest = 0.0;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    SlipStart& s = starts_[i]->start;
    if (!doesSlipStartAtOrder(s, k)) continue;
    const ContactAutomaton& c = *starts_[i]->contact;
    double compression = s.freeCompression;
    for (std::size_t j = 0; j < starts_.size(); ++j)
      if (doesSlipStartAtOrder(starts_[j]->start, k))
        compression += normalForceChangeByForce(i, j, starts_[j]->start.traction);
    s.first = std::max(0.0, compression);
    const Tangential<double> free = slipAccelerationByOtherTractions(i, k);
    const OwnResponse own = ownResponse(i);
    const OwnCompression pressed{compression - normalForceChangeByForce(i, i, s.traction),
                                 {response(2, i, i, 0), response(2, i, i, 1)},
                                 s.coefficient};
    const Limit limit =
        tractionWithinFrictionCone(own, s.row * s.row, free, s.coefficient * s.first,
                                   c.state.friction.direction, excess, pressed, c.slidesOnLine, s.noise);
    const double pull = length(limit.traction);
    change = std::max(change, length(limit.traction - s.traction));
    largest = std::max(largest, pull);
    s.traction = s.traction + scaled(share, limit.traction - s.traction);
    s.moving = limit.moving;
    s.holds = limit.kind == Limit::inside;
    s.power = limit.kind == Limit::smooth ? k + 2 : k + 1;
    if (pull > 0.0)
      s.ahead = scaled(-1.0 / pull, limit.traction);
    else if (limit.kind == Limit::drop)
      s.ahead = scaled(1.0 / length(free), free);
    else
      s.ahead = scaled(-1.0, c.state.friction.direction);
  }
  return change > kConverged * largest;
}

/// Turns slips that start without acceleration towards the motion that moving supports impose on them. Other
/// contacts hold such a point, so that no traction changes this motion, and it tells the direction with the
/// first order k in which it is not rounding. Returns true if a direction has changed, so that the expansion
/// must be repeated.
bool SlipStarts::turnTowardsImposedMotion(const TaylorExpansion& expansion, int k) noexcept {
  constexpr double kSame = 1e-9;
  bool turned = false;
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    SlipStart& s = starts_[i]->start;
    if (!doesSlipTurnAtOrder(s, k) || s.power == s.lead + 1) continue;
    const OwnResponse own = ownResponse(i);
    const double held = kHeldResponse * s.row * s.row;
    const Tangential<double> imposed =
        imposedAcceleration(own, held, slipAccelerationOfOrder(*starts_[i], expansion, k));
    const double size = length(imposed);
    if (!(size > accelerationNoise(s, expansion, k))) continue;
    // A point that can move along a line has the component of its traction along this line.
    const bool isFree = own.largestSingularValue() > held;
    if (std::exchange(s.followsImposedMotion, true)) {
      if (!isFree) limitStepOfHeldPoint(s, imposed, k);
      continue;
    }
    const Tangential<double> way = scaled(1.0 / size, imposed);
    if (isFree ? dot(s.ahead, way) >= -kSame : length(s.ahead - way) <= kSame) continue;
    starts_[i]->contact->state.friction.direction = scaled(-1.0, way);
    turned = true;
  }
  return turned;
}

}  // namespace ricochet
