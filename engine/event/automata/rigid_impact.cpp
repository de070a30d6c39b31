#include "engine/event/automata/rigid_impact.hpp"

#include "engine/contact/impulse/impulse_wear.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

void RigidImpact::addImpactingContact(ContactAutomaton& contact, const State& s, bool jumped) {
  const ImpactAxes axes = contact.impulseAxesOfContact(s);
  if (axes.row[0] == nullptr) return;  // no mode moves the contact along the normal
  ImpactingContact& striker =
      StagedImpact::addImpactingContact(contact.index, *contact.contact, contact.hasTraction(), axes, s.v);
  striker.wasClosed = contact.isClosed() && !(jumped && -striker.rate[0] > contact.largestDriftRate(s));
  automata_.push_back(&contact);
  contact.largestImpact = std::max(contact.largestImpact, -striker.rate[0]);
  striker.rest = contact.largestNegligibleGapRate(s);
}

/// Counts consecutive flights of a contact, up to the present impact: flights whose gap is within rounding,
/// and flights whose duration is within the rounding of the time although the approach is among the fastest
/// of the run. If bodies rattle between several contacts, flights become low before the speeds are lost. The
/// fastest approach is that of all contacts in the impact, because a contact that has rested so far has only
/// rounding speeds. Once flights are within rounding, the speeds that infinitely many further bounces would
/// lose are lost at once.
void RigidImpact::countLowBounces(const State& s) noexcept {
  // Height of a low flight, in units of the gap within which a contact takes part in impacts.
  constexpr double kLow = 30.0;
  constexpr double kFast = 1e-3;  // relative to the fastest approach so far
  constexpr double kInstant = 8.0 * std::numeric_limits<double>::epsilon();
  double fastest = 0.0;  // fastest approach of all strikers [m/s kg^1/2]
  for (std::size_t i = 0; i < strikers_.size(); ++i)
    fastest = std::max(fastest, automata_[i]->largestImpact / strikers_[i].axes.size[0]);
  for (std::size_t i = 0; i < strikers_.size(); ++i) {
    ImpactingContact& each = strikers_[i];
    ContactAutomaton& c = *automata_[i];
    const double approach = -each.rate[0];
    if (c.isClosed() || !(approach > 0.0)) continue;
    const double size = each.axes.size[0];
    const double time = s.time - c.openedAt;
    const bool isFast = approach > kFast * fastest * size;
    const bool isLow = approach * time < kLow * size * (kTouching * s.q.norm() + c.rounding.place);
    if (isFast && isLow && approach < c.lastApproach && strikers_.size() > 1) each.restitution = 0.0;
    c.lastApproach = approach;
    c.lowFlights = !isFast && isLow ? c.lowFlights + 1 : 0;
    c.fastReturns = isFast && time <= kInstant * std::abs(s.time) ? c.fastReturns + 1 : 0;
  }
}

/// Ends the bounces between contacts whose flights are too low and which take part in each other's impacts:
/// their speeds may not decrease any more, and no later bounce would be exact. Returns false if bounces
/// follow each other ever faster without loss of speed, so that no motion continues the run.
bool RigidImpact::endLowBounces() noexcept {
  constexpr int kMostLow = 200, kMostFast = 4;
  for (std::size_t i = 0; i < strikers_.size(); ++i) {
    if (automata_[i]->fastReturns > kMostFast) return false;
    if (strikers_.size() > 1 && automata_[i]->lowFlights > kMostLow) strikers_[i].restitution = 0.0;
  }
  return true;
}

bool RigidImpact::doesImpactEndBouncing() const noexcept {
  constexpr double kLeast = 0.01;  // least restitution coefficient of fast bounces
  return std::ranges::all_of(strikers_, [&](const ImpactingContact& each) {
    return each.wasClosed || -each.rate[0] * std::max(each.restitution, kLeast) <= each.rest;
  });
}

bool RigidImpact::solveImpact(State& s) {
  velocity_ = s.v;
  countLowBounces(s);
  if (!endLowBounces() || !applyImpactLaw(s.v)) {
    s.v = velocity_;
    return false;
  }
  countImpact(s.v);
  return true;
}

bool RigidImpact::solveImpactWithoutCollision(State& s) {
  constexpr double kApproach = 1e-6;  // slow approach, relative to the fastest slip
  constexpr double kVanishing = 10.0 * kApproach;
  double fastest = 0.0;
  for (const ImpactingContact& each : strikers_)
    fastest = std::max(fastest, std::hypot(each.rate[1], each.rate[2]));
  velocity_ = s.v;
  resetImpulses();
  // Zero impulses satisfy the laws too. A slow approach excludes this solution; Newton's method then removes
  // the approach, starting from the impulses that it required.
  ImpulseProblem& problem = beginImpulseProblemWithoutBlocks(strikers_.size());
  for (std::size_t i = 0; i < strikers_.size(); ++i)
    if (addBlock(i).rate[0] <= strikers_[i].rest) problem.blocks()[i].rate[0] = -kApproach * fastest;
  if (!solve(s.v.size())) return false;
  for (std::size_t i = 0; i < strikers_.size(); ++i) {
    ImpulseBlock& block = problem.blocks()[i];
    if (strikers_[i].rate[0] <= strikers_[i].rest)
      block.rate[0] += strikers_[i].rate[0] + kApproach * fastest;
  }
  if (!workspace_->solver.iterateNewton(problem, 1.0)) return false;
  double largest = 0.0;  // largest change of a slip rate
  for (std::size_t i = 0; i < strikers_.size(); ++i)
    for (std::size_t axis = 1; axis < strikers_[i].axisCount(); ++axis)
      largest = std::max(largest, std::abs(problem.blocks()[i].rate[axis] - strikers_[i].rate[axis]));
  if (!(largest > kVanishing * fastest)) return false;
  copyImpulsesFromSolvedBlocks();
  applyImpulsesToVelocity(s.v);
  countImpact(s.v);
  ++counts_.withoutCollision;
  return true;
}

/// True if normal impulses of several contacts change each other's gap rates.
bool RigidImpact::areImpactsCoupled() const noexcept {
  constexpr double kCoupled = 1e-12;
  for (std::size_t i = 1; i < strikers_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const ImpactAxes &left = strikers_[i].axes, &right = strikers_[j].axes;
      if (!(strikers_[i].impulse[0] > 0.0 && strikers_[j].impulse[0] > 0.0)) continue;
      const double product = kernels::dot(left.row[0], right.row[0], velocity_.size());
      if (std::abs(product) > kCoupled * left.size[0] * right.size[0]) return true;
    }
  return false;
}

void RigidImpact::countImpact(const Vector& v) noexcept {
  counts_.withoutRestitution += leftRestitution_ ? 1 : 0;
  double lost = 0.0;
  for (const ImpactingContact& each : strikers_) lost += each.lost[0] + each.lost[1] + each.lost[2];
  const double speed = std::max(velocity_.norm(), v.norm());
  counts_.gains += lost < -kNoise * speed * speed ? 1 : 0;
  if (strikers_.size() < 2 || !areImpactsCoupled()) return;
  ++counts_.together;
  counts_.notUnique += isUnique_ ? 0 : 1;
}

void RigidImpact::recordImpulses(ContactRun& run, EnergyLedger& ledger) const noexcept {
  for (std::size_t i = 0; i < strikers_.size(); ++i) {
    const ImpactingContact& each = strikers_[i];
    ContactTotals& totals = run.totalsOfContact(static_cast<std::size_t>(each.contact));
    // Other contacts may drive a contact backwards against its friction: this energy gain is added to its
    // normal work.
    const double along = each.lost[1] + each.lost[2];
    const double rubbed = std::max(0.0, along);
    totals.impulse += each.impulse[0];
    totals.frictionEnergy += rubbed;
    if (each.rubs)
      totals.impulseWear +=
          wearWorkOfImpulse(*automata_[i]->contact, {.coefficient = each.friction,
                                                     .normal = each.impulse[0],
                                                     .friction = {each.impulse[1], each.impulse[2]},
                                                     .slipRate = {each.rate[1], each.rate[2]},
                                                     .lost = rubbed});
    ledger.friction += rubbed;
    ledger.damping += each.lost[0] + (along - rubbed);
    for (std::size_t axis = 0; axis < each.axisCount(); ++axis)
      ledger.external -= each.impulse[axis] * each.axes.imposed[axis];
  }
}

}  // namespace ricochet
