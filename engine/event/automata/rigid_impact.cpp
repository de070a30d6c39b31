#include "engine/event/automata/rigid_impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

void RigidImpact::add(ContactAutomaton& contact, const State& s) {
  const ImpactAxes axes = contact.impactAxes(s);
  if (axes.row[0] == nullptr) return;  // nothing moves along the normal
  Striker& striker = strikers_.emplace_back();
  striker.contact = &contact;
  striker.axes = axes;
  striker.restitution = restitutionOf(contact.contact->normal);
  const std::optional<StickCone> law = stickConeOf(contact.contact->friction);
  striker.rubs = law && contact.hasTraction();
  if (!striker.rubs) striker.axes.row[1] = striker.axes.row[2] = nullptr;
  for (std::size_t axis = 0; axis < striker.axisCount(); ++axis)
    striker.rate[axis] = striker.axes.rate(axis, s.v);
  if (striker.rubs)  // at the slip speed before the impact
    striker.friction =
        stickConeOf(contact.contact->friction, std::hypot(striker.rate[1], striker.rate[2]))->muDynamic;
  contact.largestImpact = std::max(contact.largestImpact, -striker.rate[0]);
  striker.rest = contact.restRate(s);
}

/// Counts flights of a contact, up to the one that ends with this approach, that are too low to tell from
/// touching, and those too short for the time to show although the approach is among the fastest of the run.
/// Where bodies rattle between several contacts, flights become low before the speeds are lost. The fastest
/// approach is that of all contacts which are struck together: one that has rested so far knows rounding
/// only.
void RigidImpact::countFlights(const State& s) noexcept {
  constexpr double kLow = 30.0;   // of the gap within which a contact takes part in impacts of others
  constexpr double kFast = 1e-3;  // of the fastest approach so far
  constexpr double kInstant = 8.0 * std::numeric_limits<double>::epsilon();
  double fastest = 0.0;  // [m/s kg^1/2]
  for (const Striker& each : strikers_)
    fastest = std::max(fastest, each.contact->largestImpact / each.axes.size[0]);
  for (Striker& each : strikers_) {
    ContactAutomaton& c = *each.contact;
    const double approach = -each.rate[0];
    if (c.closed() || !(approach > 0.0)) continue;
    const double size = each.axes.size[0];
    const double time = s.time - c.openedAt;
    const bool isFast = approach > kFast * fastest * size;
    const bool isLow = approach * time < kLow * size * (kTouching * s.q.norm() + c.rounding.place);
    each.loses = isFast && isLow && approach < c.lastApproach;
    c.lastApproach = approach;
    c.lowFlights = !isFast && isLow ? c.lowFlights + 1 : 0;
    c.fastReturns = isFast && time <= kInstant * std::abs(s.time) ? c.fastReturns + 1 : 0;
  }
}

/// Ends the bounces of contacts that take part in each other's impacts between them, because their flights
/// are too low: their speeds need not fall any more, and no later bounce would be exact. Those that are lost
/// in infinitely many bounces from here on are lost at once. False if bounces follow each other ever faster
/// without losing speed: no motion leads on from there.
bool RigidImpact::endLowBounces() noexcept {
  constexpr int kMostLow = 200, kMostFast = 4;
  for (Striker& each : strikers_) {
    if (each.contact->fastReturns > kMostFast) return false;
    if (strikers_.size() > 1 && (each.loses || each.contact->lowFlights > kMostLow)) each.restitution = 0.0;
  }
  return true;
}

bool RigidImpact::endsBouncing() const noexcept {
  constexpr double kLeast = 0.01;  // restitution coefficient
  return std::ranges::all_of(strikers_, [&](const Striker& each) {
    return each.contact->closed() || -each.rate[0] * std::max(each.restitution, kLeast) <= each.rest;
  });
}

ImpulseProblem& RigidImpact::clearProblem(std::size_t blocks) {
  const int needed = static_cast<int>(blocks);
  if (!workspace_ || workspace_->room < needed)
    workspace_ = std::make_unique<Workspace>(workspace_ ? std::max(needed, 2 * workspace_->room) : needed);
  workspace_->problem.clear();
  blockStriker_.clear();
  return workspace_->problem;
}

/// Adds a block of a striker, which starts from its present rates. Rates along the lines are slip rates.
ImpulseBlock& RigidImpact::addBlock(std::size_t striker) {
  const Striker& each = strikers_[striker];
  ImpulseBlock& block = workspace_->problem.add();
  blockStriker_.push_back(striker);
  block.contact = each.contact->index;
  block.rounding = each.rest;
  block.rate = each.rate;
  if (!each.rubs) return block;
  block.tangent = TangentRule::disc;
  block.coefficient = each.friction;
  return block;
}

/// W between the blocks of the problem.
void RigidImpact::fillCompliance(Eigen::Index modes) noexcept {
  const auto product = [modes](const ImpactAxes& left, std::size_t a, const ImpactAxes& right,
                               std::size_t b) {
    if (left.row[a] == nullptr || right.row[b] == nullptr) return 0.0;
    if (left.row[a] == right.row[b]) return left.sign[a] * right.sign[b] * left.size[a] * left.size[a];
    return left.sign[a] * right.sign[b] * kernels::dot(left.row[a], right.row[b], modes);
  };
  ImpulseProblem& problem = workspace_->problem;
  for (std::size_t i = 0; i < problem.size(); ++i)
    for (std::size_t j = 0; j <= i; ++j)
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < (i == j ? a + 1 : 3U); ++b)
          problem.compliance(i, a, j, b) = problem.compliance(j, b, i, a) =
              product(strikers_[blockStriker_[i]].axes, a, strikers_[blockStriker_[j]].axes, b);
}

bool RigidImpact::solve(Eigen::Index modes) noexcept {
  fillCompliance(modes);
  const ImpulseResult result = workspace_->solver.solve(workspace_->problem, 1.0);
  isUnique_ = isUnique_ && result.isUnique;
  if (result.solved()) workspace_->solver.polish(workspace_->problem);
  return result.solved();
}

/// Adds the impulses of the blocks to those of this stage, and notes which rates they make zero.
void RigidImpact::readImpulses() noexcept {
  for (Striker& each : strikers_) each.touches = false;
  const std::span<const ImpulseBlock> blocks = workspace_->problem.blocks();
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const ImpulseBlock& block = blocks[i];
    Striker& each = strikers_[blockStriker_[i]];
    for (std::size_t axis = 0; axis < 3; ++axis) impulses_[blockStriker_[i]][axis] += block.impulse[axis];
    each.touches |= block.normal == NormalRule::unilateral && block.target == 0.0 && !block.isOpen();
  }
}

/// Ends a stage: changes the velocity by its impulses, whose work is each times the mean of the rates before
/// and after.
void RigidImpact::applyImpulses(Vector& v) noexcept {
  for (std::size_t i = 0; i < strikers_.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (impulses_[i][axis] != 0.0) strikers_[i].axes.push(axis, impulses_[i][axis], v);
  for (std::size_t i = 0; i < strikers_.size(); ++i) {
    Striker& each = strikers_[i];
    for (std::size_t axis = 0; axis < each.axisCount(); ++axis) {
      const double impulse = std::exchange(impulses_[i][axis], 0.0);
      const double rate = each.axes.rate(axis, v);
      each.lost[axis] -= 0.5 * impulse * (each.rate[axis] + rate);
      each.impulse[axis] += impulse;
      each.rate[axis] = rate;
    }
  }
}

bool RigidImpact::resolve(State& s) {
  velocity_ = s.v;
  impulses_.assign(strikers_.size(), {});
  isUnique_ = true;
  leftRestitution_ = false;
  countFlights(s);
  if (!endLowBounces() || !applyImpactLaw(s.v)) {
    s.v = velocity_;
    return false;
  }
  count(s.v);
  return true;
}

/// Whether normal impulses of several contacts change each other's gap rates.
bool RigidImpact::actTogether() const noexcept {
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

void RigidImpact::count(const Vector& v) noexcept {
  counts_.withoutRestitution += leftRestitution_ ? 1 : 0;
  double lost = 0.0;
  for (const Striker& each : strikers_) lost += each.lost[0] + each.lost[1] + each.lost[2];
  const double speed = std::max(velocity_.norm(), v.norm());
  counts_.gains += lost < -kNoise * speed * speed ? 1 : 0;
  if (strikers_.size() < 2 || !actTogether()) return;
  ++counts_.together;
  counts_.notUnique += isUnique_ ? 0 : 1;
}

void RigidImpact::bookImpulses(ContactRun& run, EnergyLedger& ledger) const noexcept {
  for (const Striker& each : strikers_) {
    ContactTotals& totals = run.totalsOf(static_cast<std::size_t>(each.contact->index));
    // other contacts may drive a contact back against its friction: what that gives is booked with the normal
    const double along = each.lost[1] + each.lost[2];
    const double rubbed = std::max(0.0, along);
    totals.impulse += each.impulse[0];
    totals.frictionEnergy += rubbed;
    ledger.friction += rubbed;
    ledger.damping += each.lost[0] + (along - rubbed);
    for (std::size_t axis = 0; axis < each.axisCount(); ++axis)
      ledger.external -= each.impulse[axis] * each.axes.imposed[axis];
  }
}

}  // namespace ricochet
