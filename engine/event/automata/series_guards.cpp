// Guards of non-linear contacts in a step.

#include "engine/event/automata/friction_starts.hpp"
#include "engine/event/automata/guard_scan.hpp"
#include "engine/event/automata/power_guard.hpp"
#include "engine/event/automata/series_contacts.hpp"
#include "engine/event/automata/series_noise.hpp"
#include "engine/event/series/resolved_step.hpp"
#include "engine/numerics/certified_root.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {
namespace {

RoundPolynomials::Place positionSeriesOfContact(const SeriesContact& c, std::size_t count) noexcept {
  return {c.place[0].first(count), c.place[1].first(count), c.place[2].first(count)};
}

/// Difference of a speed limit and the slip speed along a line, upwards (`way` 1) or downwards (`way` -1); in
/// a plane, the difference of their squares, which are polynomials. Coefficients that are rounding at the
/// start are removed; empty if all coefficients are rounding.
std::span<const double> slipSpeedDeficitSeries(const SeriesContact& c, const SeriesNoise& noise, double speed,
                                               int way, std::size_t orders, std::span<double> lack) {
  const auto rate = [&c](std::size_t a, std::size_t k) {
    return static_cast<double>(k + 1) * c.path[a][k + 1];
  };
  const double sign = dot(c.state.friction.direction, c.axis[0]) > 0.0 ? -1.0 : 1.0;
  lack = lack.first(c.canSlipInPlane() ? 2 * orders - 1 : orders);
  std::fill(lack.begin(), lack.end(), 0.0);
  lack[0] = way * (c.canSlipInPlane() ? speed * speed : speed);
  for (std::size_t k = 0; k < orders; ++k) {
    if (!c.canSlipInPlane()) lack[k] -= way * sign * rate(0, k);
    for (std::size_t j = 0; c.canSlipInPlane() && j < orders; ++j)
      lack[k + j] -= way * (rate(0, k) * rate(0, j) + rate(1, k) * rate(1, j));
  }
  const auto rounding = [&](std::size_t k) {
    if (!c.canSlipInPlane()) return noise.rateRoundingError(k);
    double sum = 0.0;
    for (std::size_t j = 0; j <= k; ++j)
      sum += 2.0 * std::hypot(rate(0, j), rate(1, j)) * noise.rateRoundingError(k - j);
    return sum;
  };
  std::size_t zeros = 0;
  while (zeros < orders && std::abs(lack[zeros]) <= rounding(zeros)) ++zeros;
  // The rounding of the instant of a change leaves the speed beyond the end; it is back at once.
  const double beyond = c.slipSpeedRoundingError(speed) * (c.canSlipInPlane() ? 2.0 * std::abs(speed) : 1.0);
  if (zeros == 0 && lack[0] < 0.0 && -lack[0] <= beyond && lack[1] > rounding(1)) zeros = 1;
  return zeros + 1 < orders ? deflatedPolynomial(lack, static_cast<int>(zeros)) : std::span<const double>();
}

}  // namespace

/// Visits the guards of an open contact: its distances to the obstacle, or the RoundGuard of a round
/// obstacle.
template <class Visit>
void SeriesContacts::examineClosingGuards(SeriesContact& c, const TaylorExpansion& expansion, Visit&& visit) {
  const auto count = static_cast<std::size_t>(expansion.order() + 3);
  const auto noise = [](const SeriesNoise& n, std::size_t k) { return n.positionRoundingError(k); };
  if (isCurved(c.contact->obstacle)) {
    visit(c, GuardSlot::low,
          round_.gap(polynomialGapGuardOf(c.contact->obstacle), positionSeriesOfContact(c, count)), noise);
    return;
  }
  const FreeInterval free = contactFreeIntervalOfObstacle(c.contact->obstacle);
  const std::span<double> p(scratch2_.data(), count);
  std::copy_n(c.place[0].begin(), count, p.begin());
  p[0] -= free.low;
  if (std::isfinite(free.low)) visit(c, GuardSlot::low, p, noise);
  for (std::size_t k = 0; k < count; ++k) p[k] = -c.place[0][k];
  p[0] += free.high;
  if (std::isfinite(free.high)) visit(c, GuardSlot::high, p, noise);
}

/// Records the derivative of a series as an input of the tape.
Series SeriesContacts::recordSeriesRateOnTape(std::span<const double> series, std::size_t orders) {
  for (std::size_t i = 0; i < orders; ++i) scratch_[i] = static_cast<double>(i + 1) * series[i + 1];
  return guardTape_.recordInput({scratch_.data(), orders});
}

template <class Visit>
void SeriesContacts::examineNormalGuards(SeriesContact& c, std::size_t orders, Visit&& visit) {
  guardTape_.clear();
  NormalKinematics<Series> k{.gap = guardTape_.recordInput(c.gap.first(orders)),
                             .gapRate = recordSeriesRateOnTape(c.gap, orders),
                             .approach = Series(c.state.approach)};
  if (c.setValuedNormal) k.reaction = guardTape_.recordInput(c.compression.first(orders));
  if (c.imposedNormal) k.imposed = guardTape_.recordInput(c.imposedSeries.first(orders));
  const NormalGuards<Series> guards = std::visit(
      [&](const auto& law) { return law.template guards<Series>(c.state.normal, k); }, c.contact->normal);
  guardTape_.computeSeriesOrders(1, static_cast<int>(orders) - 1);
  // Without a dashpot, N and the gap vanish together; the gap alone is then the guard, unless the law may
  // pull.
  const std::size_t count = c.doesForceDependOnGapRate || guards[0].isConstant() ? 2 : 1;
  for (std::size_t g = 0; g < count; ++g) {
    if (guards[g].isConstant()) continue;
    const std::span<double> p(scratch2_.data(), orders);
    for (std::size_t i = 0; i < orders; ++i) p[i] = guards[g].coefficient(static_cast<int>(i));
    const GuardSlot slot = g == 0 ? GuardSlot::normalFirst : GuardSlot::normalSecond;
    // Slope of a guard (N, 1 - c g' or g) with respect to the gap.
    const double perGap = c.state.gap != 0.0 ? std::abs(p[0] / c.state.gap) : 1.0;
    visit(c, slot, p, [&](const SeriesNoise& n, std::size_t i) {
      if (c.setValuedNormal) return n.compressionRoundingError(i);
      if (c.imposedNormal) return kNoise * std::abs(c.imposedSeries[i]);
      if (g == 1 || !c.doesForceDependOnGapRate) return std::max(1.0, perGap) * n.positionRoundingError(i);
      return c.isPower ? kNoise * std::abs(p[i]) + (i == 0 ? kNoise : 0.0) : n.compressionRoundingError(i);
    });
  }
  if (!c.hasTensionGuard()) return;
  const std::span<double> p(scratch2_.data(), orders);
  std::ranges::transform(c.compression.first(orders), p.begin(), [&](double n) { return c.pulls ? -n : n; });
  visit(c, GuardSlot::pull, p,
        [](const SeriesNoise& n, std::size_t i) { return n.compressionRoundingError(i); });
}

/// Series of N of a contact before its opening, whose N in the expansion is a fitted polynomial.
std::span<const double> SeriesContacts::expandNormalForce(const SeriesContact& c, std::size_t orders) {
  guardTape_.clear();
  const NormalKinematics<Series> k{.gap = guardTape_.recordInput(c.gap.first(orders)),
                                   .gapRate = recordSeriesRateOnTape(c.gap, orders),
                                   .approach = Series(c.state.approach)};
  const Series force = std::visit(
      [&](const auto& law) { return law.template force<Series>(c.state.normal, k); }, c.contact->normal);
  guardTape_.computeSeriesOrders(1, static_cast<int>(orders) - 1);
  for (std::size_t i = 0; i < orders; ++i) forceSeries_[i] = force.coefficient(static_cast<int>(i));
  return std::span(forceSeries_).first(orders);
}

/// Position, slip rate, forces and memory of the friction of a contact, as series on the tape of guards.
/// `compression`: series of N.
SeriesContacts::FrictionSeries SeriesContacts::recordFrictionGuards(const SeriesContact& c,
                                                                    std::span<const double> compression,
                                                                    std::size_t orders) {
  guardTape_.clear();
  const auto lines = static_cast<std::size_t>(c.lines);
  const auto along = [&](const auto& seriesOf) {
    Tangential<Series> sum{};
    for (std::size_t a = 0; a < lines; ++a) {
      const Series part = seriesOf(a);
      sum = sum + Tangential<Series>{c.axis[a].first * part, c.axis[a].second * part};
    }
    return sum;
  };
  const auto input = [&](const std::array<std::span<double>, 2>& series) {
    return along([&](std::size_t a) { return guardTape_.recordInput(series[a].first(orders)); });
  };
  Tangential<double> across = c.state.position;
  for (std::size_t a = 0; a < lines; ++a)
    across = across - scaled(dot(c.state.position, c.axis[a]), c.axis[a]);
  FrictionSeries guards;
  FrictionKinematics<Series>& k = guards.kinematics;
  k.position = input(c.path) + Tangential<Series>{across.first, across.second};
  k.slipRate = along([&](std::size_t a) { return recordSeriesRateOnTape(c.path[a], orders); });
  k.compression = guardTape_.recordInput(compression.first(orders));
  k.compressionRate = recordSeriesRateOnTape(compression, orders);
  k.reaction = input(c.traction);
  if (c.speedTable != nullptr)
    k.reactionRate = along([&](std::size_t a) { return recordSeriesRateOnTape(c.traction[a], orders); });
  const FrictionMemory<double>& m = c.state.friction;
  guards.memory = {{m.anchorForce.first, m.anchorForce.second},
                   {m.anchorPosition.first, m.anchorPosition.second},
                   {m.direction.first, m.direction.second},
                   m.slipping};
  if (c.hasRelaxingSlipSpring()) {
    guards.memory.anchorForce = input(c.spring);
    guards.memory.anchorPosition = k.position;
  } else if (c.isTurningSlip()) {
    guards.memory.direction = {guardTape_.recordInput(c.tractionDirection[0].first(orders)),
                               guardTape_.recordInput(c.tractionDirection[1].first(orders))};
  }
  return guards;
}

template <class Visit>
void SeriesContacts::examinePlanarFrictionGuard(SeriesContact& c, std::size_t orders, Visit&& visit) {
  const FrictionSeries at = recordFrictionGuards(c, c.compression, orders);
  const bool slips = c.state.friction.slipping, isHeld = slips && c.isHeldOnCone();
  const std::size_t length = slips ? orders : 2 * orders - 1;  // a product has twice the degree
  const auto guard = [&](const auto& law) {
    if (isHeld) return coneGuardWhileHeld(at.kinematics.reaction, at.memory.direction, c.movingTraction);
    const FrictionState state = slips ? FrictionState::slip : FrictionState::stick;
    return law.template guard<Series>(state, at.kinematics, at.memory);
  };
  const Series margin = std::visit(guard, c.contact->friction);
  guardTape_.computeSeriesOrders(1, static_cast<int>(length) - 1);
  const std::span<double> p(scratch2_.data(), length);
  for (std::size_t i = 0; i < length; ++i) p[i] = margin.coefficient(static_cast<int>(i));
  visit(c, slips ? GuardSlot::slip : GuardSlot::back, p, [&](const SeriesNoise& n, std::size_t i) {
    return slips && !isHeld ? n.frictionGuardRoundingError(GuardSlot::slip, i) : n.coneGuardRoundingError(i);
  });
}

/// Examines the friction guards of a contact along one line.
template <class Visit>
void SeriesContacts::examineFrictionGuards(SeriesContact& c, std::size_t orders, double step, Visit&& visit) {
  if (c.canSlipInPlane()) return examinePlanarFrictionGuard(c, orders, visit);
  const bool hasSeries =
      !c.isPower || (!c.isFitted &&
                     step <= longestStepResolvingSeries(c.compression, static_cast<int>(orders), tolerance_));
  const FrictionSeries at = recordFrictionGuards(
      c, c.isFitted && c.ends ? expandNormalForce(c, orders + 1) : std::span<const double>(c.compression),
      orders);
  std::visit(
      [&](const auto& law) {
        const auto show = [&](GuardSlot slot, const Series& guard) {
          const std::span<double> p(scratch2_.data(), orders);
          for (std::size_t i = 0; i < orders; ++i) p[i] = guard.coefficient(static_cast<int>(i));
          const auto noise = [slot](const SeriesNoise& n, std::size_t i) {
            return n.frictionGuardRoundingError(slot, i);
          };
          const bool ofMotion = slot == GuardSlot::slip && c.setValuedStick;
          if (hasSeries || ofMotion) {
            visit(c, slot, p, noise);
            return;
          }
          const PowerGuard exact(c, slot, orders);
          if (c.isFitted && !c.ends) p[0] = exact.valueAtStart();
          visit(c, slot, p, noise, exact);
        };
        const bool slips = c.state.friction.slipping;
        const std::array slots{slips ? GuardSlot::slip : GuardSlot::ahead, GuardSlot::back};
        std::array<Series, 2> guards;
        for (std::size_t g = 0; g < (slips ? 1 : 2); ++g)
          guards[g] = frictionGuard(frictionLawOnSpeedPiece(law, c.speedPiece), c, slots[g], at.kinematics,
                                    at.memory);
        guardTape_.computeSeriesOrders(1, static_cast<int>(orders) - 1);
        for (std::size_t g = 0; g < (slips ? 1 : 2); ++g) show(slots[g], guards[g]);
      },
      c.contact->friction);
}

/// First time in a step at which the gap of a contact leaves its piece of the table at a kink. At a start on
/// the kink, the first term of the motion beyond rounding selects the piece; a gap at rest keeps its piece.
RootSearch SeriesContacts::firstTimeAtForceKink(const SeriesContact& c, double kink, std::size_t orders,
                                                double step) noexcept {
  const bool beyond = c.isBeyondForceKink(kink);
  const std::span<double> p(scratch2_.data(), orders);
  for (std::size_t k = 0; k < orders; ++k) p[k] = beyond ? -c.gap[k] : c.gap[k];
  p[0] += (beyond ? -1.0 : 1.0) * (kink + c.offsetPastKink);
  const double rounding = c.largestTouchingGap();
  if (p[0] <= rounding && StepPowers(step).largestExcursionOfPolynomial(p) <= rounding) return {false, step};
  if (p[0] > std::max(2.0 * std::abs(c.offsetPastKink), c.gapRoundingError())) return firstRoot(p, step);
  std::size_t first = 1;
  for (double power = step; first + 1 < orders && p[first] <= 0.0 && -p[first] * power <= rounding;
       power *= step)
    ++first;
  if (p[first] < 0.0) return {true, 0.0};
  return firstRoot(deflatedPolynomial(p, static_cast<int>(first)), step);
}

/// Ends the step at the first kink of a law in pieces (table), since a series is valid on one piece only. All
/// contacts that reach a kink there, within rounding, pass it.
void SeriesContacts::endStepAtForceKinks(const TaylorExpansion& expansion, Outlook& outlook) noexcept {
  constexpr double kSame = 1e-12;
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  SeriesContact* first = nullptr;
  int way = 0;
  for (const ContactSeries& u : contactSeries_) {
    SeriesContact& c = *u.contact;
    c.wayPastKink = 0;
    if (!c.hasKinks) continue;
    for (const double kink : penetrationsAtForceKinks(c.contact->normal)) {
      const RootSearch search = firstTimeAtForceKink(c, kink, orders, outlook.step);
      if (search.time >= outlook.step * (1.0 - kSame)) continue;
      outlook.step = search.time;
      outlook.guard.reset();
      first = search.found ? &c : nullptr;
      way = c.isBeyondForceKink(kink) ? 1 : -1;
    }
  }
  if (first == nullptr) return;
  for (const ContactSeries& u : contactSeries_)
    u.contact->wayPastKink = u.contact == first ? way : sideOfReachedKink(*u.contact, outlook.step, orders);
}

/// Way of the gap of a contact past a kink of its table that it reaches within rounding at time t of the
/// step.
int SeriesContacts::sideOfReachedKink(const SeriesContact& c, double t, std::size_t orders) noexcept {
  if (!c.hasKinks) return 0;
  const double gap = polynomialAt(c.gap.first(orders), t), rounding = c.gapRoundingError();
  if (std::abs(gap - c.gap[0]) <= std::max(rounding, 2.0 * std::abs(c.offsetPastKink))) return 0;
  for (const double kink : penetrationsAtForceKinks(c.contact->normal))
    if (std::abs(gap + kink) <= rounding) return c.isBeyondForceKink(kink) ? 1 : -1;
  return 0;
}

/// Ends the step where the slip speed of a contact leaves its piece of the speed table. At zero speed, the
/// guard of a set-valued slip ends the step instead.
void SeriesContacts::endStepAtEndsOfSpeedPieces(const TaylorExpansion& expansion, Outlook& outlook) noexcept {
  constexpr double kSame = 1e-12;
  constexpr int kMostChanges = 4;
  const auto orders = static_cast<std::size_t>(expansion.order());
  for (SeriesContact& c : contacts_) c.speedPieceExit = 0;
  for (const ContactSeries& u : contactSeries_) {
    SeriesContact& c = *u.contact;
    if (c.speedTable == nullptr || !c.isSlipping()) continue;
    const SeriesNoise noise(expansion, c);
    for (const int way : {1, -1}) {
      const double end = way > 0 ? c.speedPiece.to : c.speedPiece.from;
      if (!std::isfinite(end) || (end == 0.0 && c.setValuedStick)) continue;
      const std::span<const double> left = slipSpeedDeficitSeries(c, noise, end, way, orders, scratch2_);
      // A speed that stays at the common end of two pieces leaves both only by rounding.
      if (left.empty() || (c.pieceChanges >= kMostChanges && !(left[0] > 0.0))) continue;
      const RootSearch search = left[0] > 0.0 ? firstRoot(left, outlook.step) : RootSearch{true, 0.0};
      if (search.time >= outlook.step * (1.0 - kSame)) continue;
      outlook.step = search.time;
      outlook.guard.reset();
      for (SeriesContact& other : contacts_) other.wayPastKink = 0, other.speedPieceExit = 0;
      c.speedPieceExit = search.found ? way : 0;
    }
  }
}

/// Ends the step where a pressed point reaches the centre of a round obstacle from outside, or the axis of
/// the ring from inside of a tube: the normal jumps there, and the run ends.
void SeriesContacts::endStepAtSingularNormal(TaylorExpansion& expansion, Outlook& outlook) noexcept {
  const auto count = static_cast<std::size_t>(expansion.order() + 2);
  double path = -1.0;
  for (const SeriesContact& c : contacts_) {
    if (c.state.normal == NormalState::open || c.kind == TangentKind::fixed) continue;
    const RoundGuard guard = polynomialGapGuardOf(c.contact->obstacle);
    if (path < 0.0) path = expansion.boundOfMotionOverStep(outlook.step, 1);
    double reach = c.reach * path;
    for (std::size_t i = 0; i < 3 && !c.drift.empty(); ++i)
      reach += StepPowers(outlook.step).largestExcursionOfPolynomial(c.carried[i]);
    const double distance = distanceToSingularNormal(guard, {c.place[0][0], c.place[1][0], c.place[2][0]});
    if (distance > reach) continue;
    const std::span<const double> p =
        leadingFiniteCoefficients(round_.guardOfSingularNormal(guard, positionSeriesOfContact(c, count)));
    const RootSearch search =
        distance > 0.0 && p[0] > 0.0 ? firstRoot(p, outlook.step) : RootSearch{true, 0.0};
    if (!search.found && search.time >= outlook.step) continue;
    outlook.step = search.time;
    outlook.guard.reset();
    for (SeriesContact& other : contacts_) other.wayPastKink = 0, other.speedPieceExit = 0;
    withoutNormal_ = search.found ? c.index : -1;
    normalEnds_ = search.time;
  }
}

Outlook SeriesContacts::findFirstEvent(TaylorExpansion& expansion, double time, const Outlook& outlook) {
  GuardScan<SeriesContact, SeriesNoise> scan(expansion, time, slack_, outlook);
  double path = -1.0;
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  for (SeriesContact& c : contacts_) {
    if (c.state.normal != NormalState::open || c.imposedNormal) {
      examineNormalGuards(c, orders, scan);
      if (c.isClosed() && c.hasTraction()) examineFrictionGuards(c, orders - 1, scan.outlook.step, scan);
      continue;
    }
    if (path < 0.0) path = expansion.boundOfMotionOverStep(scan.outlook.step, 1);
    if (isGapTooFarToCloseInStep(c, expansion, c.reach * path, scan.outlook.step)) continue;
    examineClosingGuards(c, expansion, scan);
  }
  if (!scan.outlook.doesStepEndAtGuard()) {
    endStepAtForceKinks(expansion, scan.outlook);
    endStepAtEndsOfSpeedPieces(expansion, scan.outlook);
    endStepAtSingularNormal(expansion, scan.outlook);
  }
  return scan.outlook;
}

/// True if the gap of an open contact exceeds its largest motion `reach` in the step. Otherwise the series of
/// its position is computed.
bool SeriesContacts::isGapTooFarToCloseInStep(SeriesContact& c, const TaylorExpansion& expansion,
                                              double reach, double step) {
  Local<double> x;
  for (std::size_t i = 0; i < 3; ++i) {
    x[i] = c.contact->offset[static_cast<Eigen::Index>(i)] + c.carried[i][0];
    if (c.row[i] != nullptr) x[i] += kernels::dot(c.row[i], expansion.column(0), expansion.rowSize());
    if (!c.drift.empty()) reach += StepPowers(step).largestExcursionOfPolynomial(c.carried[i]);
  }
  if (gapAndNormalOf(c.contact->obstacle, x).gap > reach) return true;
  const auto count = static_cast<std::size_t>(expansion.order() + 3);
  for (std::size_t i = 0; i < 3; ++i) {
    std::copy_n(c.carried[i].begin(), count, c.place[i].begin());
    c.place[i][0] += c.contact->offset[static_cast<Eigen::Index>(i)];
    if (c.row[i] == nullptr) continue;
    const std::span<double> along = std::span(scratch_).first(count);
    expansion.motionSeriesAlongRow(c.row[i], along);
    for (std::size_t k = 0; k < count; ++k) c.place[i][k] += along[k];
  }
  c.followed.place = x;
  return false;
}

void SeriesContacts::moveContactToStepStart(const GuardRef& guard, const TaylorExpansion& expansion,
                                            double time) noexcept {
  SeriesContact& c = seriesContact(guard.contact);
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  if (c.state.normal != NormalState::open) c.moveStateToTime(0.0, time, orders);
  if (guard.slot >= GuardSlot::ahead || !c.isClosed() || !c.isStickingByConstraint()) return;
  const SeriesNoise noise(expansion, c);
  c.tractionAtPullOff = leadingTractionCoefficient(
      c.traction, c.axis, c.lines, orders, [&](std::size_t k) { return noise.tractionRoundingError(k); });
}

}  // namespace ricochet
