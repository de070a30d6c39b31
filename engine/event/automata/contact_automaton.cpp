#include "engine/event/automata/contact_automaton.hpp"

#include "engine/event/series/resolved_step.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// Longest step in which a slow slip with a fixed direction stays about as slow [s]: the direction must
/// follow the slip rate of a faster slip.
double longestStepWithFixedSlipDirection(const ContactAutomaton& c,
                                         const std::array<std::span<double>, 2>& path, int order) noexcept {
  constexpr double kGrown = 4.0;
  double longest = std::numeric_limits<double>::infinity();
  if (!c.isSlipWithZeroSpeed() || !(c.fixedDirectionSpeedLimit > 0.0)) return longest;
  // each term of the change of the slip rate takes an equal share
  const double most = kGrown * c.fixedDirectionSpeedLimit / (order - 1);
  for (int k = 1; k < order; ++k) {
    const auto at = static_cast<std::size_t>(k + 1);
    const double size = (k + 1) * std::hypot(path[0][at], path[1][at]);
    if (size > 0.0) longest = std::min(longest, std::pow(most / size, 1.0 / k));
  }
  return longest;
}

}  // namespace

double euclideanNormOfRow(const double* row, Eigen::Index size) noexcept {
  return row == nullptr ? 0.0 : std::sqrt(kernels::dot(row, row, size));
}

Phase ContactAutomaton::phase() const noexcept {
  if (state.normal != NormalState::closed)
    return state.normal == NormalState::open ? Phase::open : Phase::released;
  return isSlipping() ? slipPhase : Phase::stick;
}

void ContactAutomaton::reset(const ContactSet& /*set*/) {
  pulls = canNormalForceBeTensile = false;
  std::visit(
      [this]<class L>(const L& law) {
        bearsTraction = law.bearsTraction();
        setValuedStick = L::traits.setValued && hasTraction();
        if constexpr (requires { law.relaxationRate(); })
          relaxation = hasTraction() ? law.relaxationRate() : 0.0;
      },
      contact->friction);
  std::visit(
      [this]<class L>(const L& law) {
        imposedNormal = L::traits.imposed;
        setValuedNormal = L::traits.setValued;
        doesForceDependOnGapRate = law.doesForceDependOnGapRate();
        if constexpr (requires { law.canNormalForceBeTensile(); })
          canNormalForceBeTensile = law.canNormalForceBeTensile();
      },
      contact->normal);
  vanishesWithGap = !doesForceDependOnGapRate;
  pushesFromGeometry = hasGap(contact->obstacle);
  slipPhase = Phase::slip;
  unloaded = slidesOnLine = false;
  closedNow = closedFromOpen = forceGrowsFromZero = openedNow = openedAtZeroForce = openedByForce =
      tractionDrops = false;
  frictionChanges = slowSteps = 0;
  tractionAtPullOff = movingTraction = {};
  known = {};
  phaseBefore = Phase::open;
  directionBefore = {};
  rounding = {};
  stickDrift = speedBefore = fastestSlip = largestSlip = largestImpact = lastApproach = 0.0;
  openedAt = -std::numeric_limits<double>::infinity();
  lowFlights = fastReturns = 0;
}

bool ContactAutomaton::doesStickTractionDropAtSlipStart() const noexcept {
  return setValuedStick && std::visit([](const auto& law) { return law.tractionDropAtBreakaway(1.0); },
                                      contact->friction) > 0.0;
}

FrictionKinematics<double> ContactAutomaton::frictionKinematics() const noexcept {
  FrictionKinematics<double> k;
  k.position = state.position;
  k.slipRate = state.slipRate;
  k.compression = state.compression;
  k.reaction = state.traction;
  return k;
}

double ContactAutomaton::stickEnergy(const FrictionKinematics<double>& k) const noexcept {
  return std::visit([&](const auto& law) { return law.template storedEnergy<double>(k, state.friction); },
                    contact->friction);
}

double ContactAutomaton::stickEnergy() const noexcept {
  return isClosed() && hasTraction() ? stickEnergy(frictionKinematics()) : 0.0;
}

void ContactAutomaton::enterFrictionState(FrictionState entered, const FrictionKinematics<double>& k,
                                          const FrictionMemory<double>& memory) noexcept {
  state.friction = std::visit(
      [&](const auto& law) { return law.template frictionMemoryAtStateStart<double>(entered, k, memory); },
      contact->friction);
}

void ContactAutomaton::moveSpringAnchor(const FrictionKinematics<double>& k) noexcept {
  const FrictionMemory<double> before = state.friction;
  enterFrictionState(FrictionState::stick, k, state.friction);
  state.friction.direction = before.direction;
  state.friction.onStaticCone = before.onStaticCone;
  state.friction.slipping = true;
}

bool ContactAutomaton::isAtRest(const State& s) const noexcept {
  constexpr double kRounding = 1e-13;
  const double rest = std::max(kRounding * std::max(speedScaleOfSlipRate(s), largestSlip), 2.0 * stickDrift);
  return length(state.slipRate) <= std::max(rest, slipRateRoundingError());
}

double ContactAutomaton::projectOutGapRate(State& s) noexcept {
  const ImpactAxes axes = impulseAxesOfContact(s);
  if (!(axes.size[0] > 0.0)) return 0.0;
  const double rate = axes.rate(0, s.v);
  axes.addImpulse(0, -rate / (axes.size[0] * axes.size[0]), s.v);
  return std::abs(rate);
}

GuardSlot ContactAutomaton::coneGuardInDirection(const Tangential<double>& direction) const noexcept {
  return !canSlipInPlane() && dot(direction, axis[0]) > 0.0 ? GuardSlot::ahead : GuardSlot::back;
}

bool ContactAutomaton::isSpringUnloaded() const noexcept {
  if (!hasTraction() || canSlipInPlane() || setValuedStick || state.friction.slipping) return false;
  return std::visit(
      [this](const auto& law) {
        return length(law.template force<double>(FrictionState::stick, frictionKinematics(),
                                                 state.friction)) == 0.0;
      },
      contact->friction);
}

bool ContactAutomaton::doesStickStartExceedFrictionCone(const State& s) const noexcept {
  FrictionKinematics<double> k = frictionKinematics();
  k.compression = normalForceAtClosing(s);
  return std::visit(
      [&](const auto& law) {
        return law.template guard<double>(FrictionState::stick, k, state.friction) < 0.0;
      },
      contact->friction);
}

double longestStepOfTurningSlip(const ContactAutomaton& c, const std::array<std::span<double>, 2>& direction,
                                const std::array<std::span<double>, 2>& path, int order) noexcept {
  constexpr double kTurn = 1e-3;
  constexpr double kGrown = 1e4;  // factor by which the step may magnify rounding of the direction
  constexpr int kLooked = 4;      // orders of the slip rate that tell how fast it changes
  double longest = longestStepWithFixedSlipDirection(c, path, order);
  // The direction s/|s| is computed from the series of 1/|s|, which converges only up to the time in which
  // the slip rate s would have vanished, even if the direction is constant. A slip that speeds up gets
  // further.
  const auto rate = [&path](std::size_t a, int j) {
    return (j + 1) * path[a][static_cast<std::size_t>(j + 1)];
  };
  const double square = rate(0, 0) * rate(0, 0) + rate(1, 0) * rate(1, 0);
  const double slow = c.leastSlipSpeedThatGivesDirection();
  for (int j = 1; j <= std::min(kLooked, order - 1) && square > slow * slow; ++j)
    if (const double growth = (rate(0, 0) * rate(0, j) + rate(1, 0) * rate(1, j)) / square; growth > 0.0)
      longest = std::min(longest, std::pow(kGrown, 1.0 / order) / std::pow(growth, 1.0 / j));
  const auto turn = [&direction](std::size_t k) { return std::hypot(direction[0][k], direction[1][k]); };
  return std::min(longest, longestStepResolvingSparseSeries(order, kTurn, turn));
}

}  // namespace ricochet
