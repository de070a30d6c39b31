// Slip in two dimensions: the direction of the traction has a series, which is found order by order.

#include "engine/event/automata/event_contacts.hpp"
#include "engine/event/automata/friction_starts.hpp"
#include "engine/event/series/resolved_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

namespace ricochet {
namespace {

/// True if a damped slip starts with zero spring force and zero slip rate while N grows from zero. The terms
/// of its direction are then divided by the local time.
bool doesSlipStartUnloaded(const LinearContact& c, double speed) {
  const double rest = kNoise * c.largestTangentRowNorm() * speed;
  const FrictionMemory<double>& memory = c.state.friction;
  const Tangential<double>& rate = c.state.slipRate;
  return c.hasRelaxingSlipSpring() && c.forceGrowsFromZero && c.normalConstraint < 0 &&
         dot(memory.anchorForce, memory.anchorForce) == 0.0 && dot(rate, rate) <= rest * rest;
}

/// True if the traction of a slip is zero over the whole expansion: mu_d = 0, or an imposed N that is zero.
/// The direction of the slip is then kept, since the rate of the direction has the divisor mu_d N = 0.
bool isSlipWithoutTraction(const LinearContact& c, double coefficient) {
  if (coefficient == 0.0) return true;
  const auto given = std::span<const double>(c.imposedSeries).first(c.imposedCount);
  return c.imposedNormal && std::ranges::all_of(given, [](double force) { return force == 0.0; });
}

/// Order m of the first coefficient in N = tau^m n(tau), n(0) > 0, within rounding; 0 if N > 0 at the start.
/// Without a gap rate, the acceleration of the gap presses the contact, m = 2.
int leadingSeriesOrderOfNormalForce(LinearContact& c, const State& s) {
  // Another contact may close within rounding of the instant at which this one did.
  const bool closedBefore = c.compressionRate > 0.0 && c.isNormalForceZeroWithinRounding(s.time);
  std::size_t m = c.forceGrowsFromZero || closedBefore ? 1 : 0;
  if (!c.imposedNormal)
    return m > 0 && std::abs(c.gapRate(s)) <= c.largestNegligibleGapRate(s) ? 2 : static_cast<int>(m);
  const std::span<const double> given = c.imposedSeries;
  while (m + 1 < c.imposedCount && std::abs(given[m]) <= kNoise * std::abs(given[m + 1] * s.time)) ++m;
  return static_cast<int>(m);
}

template <class Law>
void recordSlipForce(const Law& law, const FrictionMemory<Series>& memory, SlipTurn& turn) {
  turn.force = law.template force<Series>(FrictionState::slip, turn.kinematics, memory);
  FrictionKinematics<double> pressed;
  pressed.compression = 1.0;
  FrictionMemory<double> along{.direction = {1.0, 0.0}, .onStaticCone = memory.onStaticCone};
  turn.start.coefficient = law.template force<double>(FrictionState::slip, pressed, along).first;
}

SlipTurn recordTurningSlipOnTape(LinearContact& c, SeriesTape& tape, double speed, const State& s) {
  SlipTurn turn{.contact = &c, .linear = &c};
  const bool unloaded = doesSlipStartUnloaded(c, speed);
  if (unloaded) turn.start.lead = turn.delay = 1;
  // Without a slip rate the direction is a guess, which SlipStarts corrects at the order where the slip
  // starts.
  const Tangential<double> slip =
      c.isSlipWithZeroSpeed() || unloaded ? scaled(-1.0, c.state.friction.direction) : c.state.slipRate;
  turn.kinematics.slipRate = {tape.recordInputByOrder(slip.first), tape.recordInputByOrder(slip.second)};
  turn.kinematics.compression = tape.recordInputByOrder(c.state.compression);
  std::visit(
      [&]<class Law>(const Law& law) {
        FrictionMemory<Series> memory;
        memory.slipping = true;
        memory.onStaticCone = c.state.friction.onStaticCone;
        if constexpr (Law::traits.coneStick)
          if (c.hasRelaxingSlipSpring()) {
            const Tangential<double>& spring = c.state.friction.anchorForce;
            turn.spring = {tape.recordInputByOrder(spring.first), tape.recordInputByOrder(spring.second)};
            memory.anchorForce = turn.spring;
            memory.direction = turn.direction = law.template slipDirection<Series>(turn.kinematics, memory);
            turn.force = law.template force<Series>(FrictionState::slip, turn.kinematics, memory);
            turn.springRate = law.template springForceRate<Series>(memory, turn.force);
            return;
          }
        if constexpr (Law::traits.setValued) {
          turn.direction = law.template tractionDirection<Series>(turn.kinematics);
        } else if constexpr (Law::traits.coneStick) {
          turn.integrated = true;
          const bool bears = !isSlipWithoutTraction(c, law.muDynamic);
          turn.start.lead = bears ? leadingSeriesOrderOfNormalForce(c, s) : 0;
          if (!c.imposedNormal) turn.delay = std::max(0, turn.start.lead - 1);
          Tangential<double>& e = c.state.friction.direction;
          const double rate = length(c.state.slipRate);
          if (turn.start.lead > 0 && rate > 0.0) e = scaled(-1.0 / rate, c.state.slipRate);
          turn.direction = {tape.recordInputByOrder(e.first), tape.recordInputByOrder(e.second)};
          if (bears) turn.rate = law.template turningRateOfTraction<Series>(turn.kinematics, turn.direction);
        }
        memory.direction = turn.direction;
        recordSlipForce(law, memory, turn);
      },
      c.contact->friction);
  return turn;
}

/// Records the traction of a slip from rest whose coefficient depends on the slip speed: the speed is an
/// input.
void recordTractionOfSpeed(SeriesContact& c, SlipTurn& turn, SeriesTape& tape) {
  const double speed = length(c.state.slipRate);  // speed of rounding, or of a creeping slip
  c.chooseSpeedPiece(speed);
  turn.speed = tape.recordInputByOrder(speed);
  turn.size = sqrt(dot(turn.kinematics.slipRate, turn.kinematics.slipRate));
  const Series coefficient = c.speedPiece.coefficient + c.speedPiece.slope * turn.speed;
  turn.force = scaled(coefficient * turn.kinematics.compression, turn.direction);
  turn.start.coefficient = coefficient.value();
}

/// Records the start from rest of a set-valued slip of a contact with a nonlinear force.
SlipTurn recordSlipStartOnTape(SeriesContact& c, std::size_t place, SeriesTape& tape) {
  SlipTurn turn{.contact = &c, .place = place};
  const Tangential<double> slip = scaled(-1.0, c.state.friction.direction);
  turn.kinematics.slipRate = {tape.recordInputByOrder(slip.first), tape.recordInputByOrder(slip.second)};
  turn.kinematics.compression = tape.recordInputByOrder(c.state.compression);
  std::visit(
      [&]<class Law>(const Law& law) {
        if constexpr (Law::traits.setValued) {
          FrictionMemory<Series> memory;
          memory.slipping = true;
          memory.direction = turn.direction = law.template tractionDirection<Series>(turn.kinematics);
          Law::traits.ofSpeed ? recordTractionOfSpeed(c, turn, tape) : recordSlipForce(law, memory, turn);
        }
      },
      c.contact->friction);
  return turn;
}

void setSlipKinematicsOfOrder(SlipTurn& turn, const TaylorExpansion& expansion, SeriesTape& tape, int k) {
  const LinearContact& c = *turn.linear;
  const int own = k - turn.delay;
  if (own < 0) return;
  const int order = turn.integrated ? own : k;  // a damped slip from zero divides its rate by the time
  Tangential<double> rate{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    double along = 0.0;
    if (c.tangentChannel[a] >= 0) along = expansion.motion(c.tangentChannel[a])[order + 1];
    if (!c.surface.empty()) along -= c.moved[a][static_cast<std::size_t>(order + 1)];
    rate = rate + scaled((order + 1) * along, c.axis[a]);
  }
  tape.setCoefficient(turn.kinematics.slipRate.first, own, rate.first);
  tape.setCoefficient(turn.kinematics.slipRate.second, own, rate.second);
  // N_k is a reaction, known only after the computation of order k
  const bool free = c.normalConstraint >= 0;
  tape.setCoefficient(turn.kinematics.compression, own,
                      free ? 0.0 : normalForceOfOrder(c, expansion, own + turn.start.lead));
  if (own < k) tape.recomputeOrder(own);
}

/// Solves for coefficient k of the direction e of a law that integrates its direction, where N = tau^m n(tau)
/// starts from zero. With the rate R of the law for n instead of N,
///
///     tau^m e' = R(s', n, e),  that is  (k - m + 1) e_{k-m+1} = R_k,  R_0 = 0
///
/// R_k depends linearly on e_k, separately along and across e_0; a trial value of e_k gives the slope.
void solveSlipDirection(SlipTurn& turn, SeriesTape& tape, int k) {
  if (k <= 0) return;
  const Tangential<double>& e = turn.contact->state.friction.direction;
  const auto rateWith = [&](const Tangential<double>& trial) -> Tangential<double> {
    tape.setCoefficient(turn.direction.first, k, trial.first);
    tape.setCoefficient(turn.direction.second, k, trial.second);
    tape.recomputeOrder(k);
    return {turn.rate.first.coefficient(k), turn.rate.second.coefficient(k)};
  };
  const Tangential<double> without = rateWith({});
  const int earlier = k - turn.start.lead + 1;  // order of e on the left side of the equation
  Tangential<double> made{};
  if (earlier > 0 && earlier < k)
    made = scaled(earlier, Tangential<double>{turn.direction.first.coefficient(earlier),
                                              turn.direction.second.coefficient(earlier)});
  const auto slip = [&turn](int order) {
    const Tangential<Series>& s = turn.kinematics.slipRate;
    return std::hypot(s.first.coefficient(order), s.second.coefficient(order));
  };
  Tangential<double> solution{};
  for (const Tangential<double>& line : {e, Tangential<double>{-e.second, e.first}}) {
    // A trial value as large as the other terms keeps the accuracy of the difference.
    const double turned = slip(0) > 0.0 ? slip(k) / slip(0) : 0.0;
    const double size = std::max({std::abs(dot(without, line)), std::abs(dot(made, line)), turned});
    if (size == 0.0) continue;
    const double share = dot(rateWith(scaled(size, line)) - without, line) / size;
    const double own = earlier == k ? k - share : -share;
    solution = solution + scaled(dot(without - made, line) / own, line);
  }
  rateWith(solution);
}

double seriesComponentOfOrder(const Tangential<Series>& vector, const Tangential<double>& axis, int k) {
  return axis.first * vector.first.coefficient(k) + axis.second * vector.second.coefficient(k);
}

/// Sets the tractions of order k as forces on the structure.
void setTractionsOfOrder(const SlipTurn& turn, TaylorExpansion& expansion, SeriesContacts& series, int k) {
  const int own = k - turn.start.lead;
  const bool acts = own >= 0 && (!turn.contact->isSlipWithZeroSpeed() || turn.start.hasDirection);
  if (turn.linear == nullptr) {
    for (std::size_t a = 0; a < 2; ++a)
      series.setTractionCoefficient(
          turn.place, a, k, acts ? seriesComponentOfOrder(turn.force, turn.contact->axis[a], own) : 0.0);
    return;
  }
  LinearContact& c = *turn.linear;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    const double force = acts ? seriesComponentOfOrder(turn.force, c.axis[a], own) : 0.0;
    c.traction[a][static_cast<std::size_t>(k)] = force;
    if (c.tangentChannel[a] >= 0)
      expansion.givenForce(c.tangentChannel[a], k + 1)[static_cast<std::size_t>(k)] = force;
  }
}

/// Stores the series of order k that guards read, and sets the spring force of the next order.
void storeSlipSeriesForGuards(SlipTurn& turn, SeriesTape& tape, int k) {
  const int own = turn.integrated ? k - turn.delay : k - turn.start.lead;
  if (turn.linear == nullptr) {
    auto& direction = static_cast<SeriesContact*>(turn.contact)->tractionDirection;
    for (std::size_t a = 0; a < 2; ++a) direction[a][static_cast<std::size_t>(k)] = 0.0;
    if (own < 0) return;
    direction[0][static_cast<std::size_t>(own)] = turn.direction.first.coefficient(own);
    direction[1][static_cast<std::size_t>(own)] = turn.direction.second.coefficient(own);
    return;
  }
  LinearContact& c = *turn.linear;
  for (std::size_t a = 0; a < 2; ++a) c.tractionDirection[a][static_cast<std::size_t>(k)] = 0.0;
  if (own >= 0) {
    c.tractionDirection[0][static_cast<std::size_t>(own)] = turn.direction.first.coefficient(own);
    c.tractionDirection[1][static_cast<std::size_t>(own)] = turn.direction.second.coefficient(own);
  }
  if (c.hasRelaxingSlipSpring()) {
    for (std::size_t a = 0; a < 2; ++a)
      c.spring[a][static_cast<std::size_t>(k)] =
          own < 0 ? 0.0 : seriesComponentOfOrder(turn.spring, c.axis[a], own);
    const auto next = [&](const Series& rate) { return own < 0 ? 0.0 : rate.coefficient(own) / (k + 1); };
    tape.setCoefficient(turn.spring.first, own + 1, next(turn.springRate.first));
    tape.setCoefficient(turn.spring.second, own + 1, next(turn.springRate.second));
  }
  if (!turn.integrated || turn.start.lead > 0) return;
  tape.setCoefficient(turn.direction.first, k + 1, turn.rate.first.coefficient(k) / (k + 1));
  tape.setCoefficient(turn.direction.second, k + 1, turn.rate.second.coefficient(k) / (k + 1));
}

/// Step over which the series of an imposed force and of the surface travel are exact to the tolerance [s].
/// Guards depend on both series, even if neither of them moves the structure.
double longestStepOfImposedMotion(const LinearContact& c, int order, double tolerance) noexcept {
  double longest = std::numeric_limits<double>::infinity();
  if (c.imposedNormal) longest = longestStepResolvingSeries(c.imposedSeries, order, tolerance);
  if (c.surface.empty() || !c.isClosed() || !c.hasTraction()) return longest;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
    longest = std::min(longest, longestStepResolvingRate(c.moved[a], order, tolerance));
  return longest;
}

}  // namespace

double normalForceOfOrder(const LinearContact& c, const TaylorExpansion& expansion, int k) noexcept {
  const LinearForm& form = c.normalForce;
  const auto order = static_cast<std::size_t>(k);
  double value = order < c.imposedSeries.size() ? form.input * c.imposedSeries[order] : 0.0;
  if (k == 0) value += c.normalForceAtZeroDisplacement();
  if (c.normalChannel < 0 || (form.position == 0.0 && form.rate == 0.0)) return value;
  const double* x = expansion.motion(c.normalChannel);
  return value + c.state.side * (form.position * x[k] + form.rate * (k + 1) * x[k + 1]);
}

namespace {
// Coefficients of a series with a very small radius of convergence may overflow.
constexpr double kLargest = 1e130;
constexpr int kLowestOrderOfTurn = 6;

/// The slip whose direction changes most with a transverse force; null if none has a speed.
const LinearContact* slipThatTurnsMost(std::span<const SlipTurn> turns) noexcept {
  const LinearContact* found = nullptr;
  double largest = 0.0;
  for (const SlipTurn& turn : turns) {
    const LinearContact& c = *turn.linear;
    const double speed = c.isSlipWithZeroSpeed() ? 0.0 : length(c.state.slipRate);
    if (!(speed > 0.0) || !(c.largestTangentRowNorm() / speed > largest)) continue;
    largest = c.largestTangentRowNorm() / speed;
    found = &c;
  }
  return found;
}

void reduceSeriesOrderBeforeOverflow(TaylorExpansion& expansion) noexcept {
  const auto isSmall = [&](int k) { return expansion.velocityNorm(k) < kLargest; };
  int order = expansion.order();
  while (order > kLowestOrderOfTurn && !(isSmall(order + 1) && isSmall(order))) --order;
  if (order < expansion.order()) expansion.reduceSeriesOrder(order);
}

}  // namespace

bool EventContacts::expandMotionInPowerSeries(TaylorExpansion& expansion, State& s) {
  const double t = s.time;
  turns_.clear();
  tape_.clear();
  starts_.resetLongestStepOfTurningSlips();
  for (ContactAutomaton* c : transitions_.automata()) c->movingTraction = {};
  for (LinearContact& c : contacts_)
    if (c.isTurningSlip()) turns_.push_back(recordTurningSlipOnTape(c, tape_, expansion.velocityNorm(0), s));
  const LinearContact* turnsMost = slipThatTurnsMost(turns_);
  for (LinearContact& c : contacts_) c.mostTurningSlip = &c == turnsMost ? nullptr : turnsMost;
  if (!hasForcesNonlinearInMotion()) {
    expansion.computeSeriesOrders(0, expansion.order());
    reduceSeriesOrderBeforeOverflow(expansion);
    return true;
  }
  series_.beginSeriesExpansion(expansion);
  if (!links_.empty()) links_.beginSeriesExpansion(expansion, t);
  series_.forEachSlipStart(
      [&](SeriesContact& c, std::size_t place) { turns_.push_back(recordSlipStartOnTape(c, place, tape_)); });
  starts_.gatherSlipStarts(turns_, expansion, series_);
  for (int k = 0; k <= expansion.order(); ++k) {
    if (computeMotionOfOrder(expansion, k)) {
      if (k < kLowestOrderOfTurn || expansion.velocityNorm(k + 1) < kLargest) continue;
      expansion.reduceSeriesOrder(k - 1);
      break;
    }
    for (ContactAutomaton* each : starts_.stickingContacts()) transitions_.cancelSlipStart(*each, s);
    transitions_.markContactStateChange();
    return false;
  }
  for (SlipTurn& turn : turns_)
    if (turn.contact->isSlipWithZeroSpeed())
      turn.contact->knownRootCount(GuardSlot::slip) = turn.contact->isHeldOnCone() ? 0 : turn.start.power;
  if (!links_.empty() && !links_.areLawPiecesValidAtStart(expansion)) {
    transitions_.markContactStateChange();
    return false;
  }
  const bool transientDecayed = series_.fitForcePolynomials(expansion);
  transitions_.markContactStateChange(!transientDecayed);
  return transientDecayed;
}

/// Computes order k of an expansion with turning slips or nonlinear contacts. Returns false if a contact
/// sticks instead of starting a slip, or starts in another direction.
bool EventContacts::computeMotionOfOrder(TaylorExpansion& expansion, int k) {
  series_.computeContactForces(expansion, k);
  links_.computeForceSeriesOfLinks(expansion, k);
  for (SlipTurn& turn : turns_)
    if (!turn.contact->isSlipWithZeroSpeed()) setSlipKinematicsOfOrder(turn, expansion, tape_, k);
  starts_.setTapeInputsOfOrder(expansion, tape_, k);
  tape_.recomputeOrder(k);
  for (SlipTurn& turn : turns_)
    if (turn.integrated && turn.start.lead > 0) solveSlipDirection(turn, tape_, k - turn.delay);
  const auto run = [&] {
    for (const SlipTurn& turn : turns_) setTractionsOfOrder(turn, expansion, series_, k);
    series_.applyContactForces(expansion, k);
    expansion.computeSeriesOrders(k, k);
    series_.solveReactions(expansion, k);
    if (!starts_.empty()) series_.updateSlipRates(expansion, k);
  };
  run();
  if (!starts_.empty()) {
    if (!starts_.solveCoefficientsOfOrder(expansion, tape_, k, slack_ * kNoise)) return false;
    run();
    starts_.readSlipSpeeds(expansion, k);
    if (starts_.turnTowardsImposedMotion(expansion, k)) return false;
  }
  bool again = false;
  for (SlipTurn& turn : turns_)
    if (const int r = turn.linear == nullptr ? -1 : turn.linear->normalConstraint;
        r >= 0 && !turn.contact->isSlipWithZeroSpeed()) {
      tape_.setCoefficient(turn.kinematics.compression, k,
                           turn.contact->state.side * expansion.reaction(r)[static_cast<std::size_t>(k)]);
      again = true;
    }
  if (again) tape_.recomputeOrder(k);
  for (SlipTurn& turn : turns_) storeSlipSeriesForGuards(turn, tape_, k);
  return true;
}

double EventContacts::longestStepForFriction(const TaylorExpansion& expansion, double step) noexcept {
  const int order = expansion.order();
  double longest = std::min(series_.longestStep(expansion, step), starts_.longestStep());
  for (LinearContact& c : contacts_) {
    longest = std::min(longest, longestStepOfImposedMotion(c, order, tolerance_));
    if (c.hasRelaxingSlipSpring() && c.isClosed())
      longest = std::min(longest, longestStepForDampedContacts(c, order, step));
    else if (c.isTurningSlip())
      longest = std::min(longest, longestStepOfTurningSlip(c, c.tractionDirection, c.slide, order));
    // A contact that was expected to open may stay closed; without a force it opens at once.
    if (c.slipPhase == Phase::slipUntilOpening && c.state.compression > 0.0)
      longest = std::min(longest, 4.0 * c.state.compression / -c.compressionRate);
  }
  return longest;
}

}  // namespace ricochet
