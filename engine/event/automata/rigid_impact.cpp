// Impacts of rigid contacts.

#include "engine/event/automata/contact_transitions.hpp"
#include "engine/event/automata/frictional_impulse.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ricochet {
namespace {

double velocityAlong(const double* row, const Vector& v) {
  return row == nullptr ? 0.0 : kernels::dot(row, v.data(), v.size());
}

void applyImpulse(Vector& v, const double* row, double impulse) {
  if (row != nullptr) kernels::addScaled(impulse, row, v.data(), v.size());
}

/// A rigid contact that takes part in an impact.
struct Striker {
  LinearContact* contact;
  double before;     ///< g' [m/s]
  double target;     ///< g' after the impact by Newton's law [m/s]
  double rest{0.0};  ///< limit below which a gap rate counts as zero [m/s]
  double impulse{0.0};
  std::array<double, 2> slideBefore{};
  std::array<double, 2> friction{};
  StruckContact struck{};
};

/// Velocities per impulse of a contact with friction; no tangents if the contact has no friction.
StruckContact velocitiesPerImpulse(const LinearContact& c, Eigen::Index size) {
  StruckContact struck;
  const auto law = stickConeOf(c.contact->friction);
  if (!law || !c.hasTraction()) return struck;
  struck.tangents = c.lines;
  struck.friction = law->muDynamic;
  struck.normal = c.rowSize[0] * c.rowSize[0];
  const auto tangents = static_cast<std::size_t>(c.lines);
  for (std::size_t a = 0; a < tangents; ++a) {
    if (c.tangentRow[a] == nullptr) continue;
    struck.across[a] = c.state.side * kernels::dot(c.tangentRow[a], c.normalRow, size);
    for (std::size_t b = 0; b < tangents; ++b)
      if (c.tangentRow[b] != nullptr)
        struck.tangential[a][b] = kernels::dot(c.tangentRow[a], c.tangentRow[b], size);
  }
  return struck;
}

/// Whether all contacts approach no faster than in the last of their bounces. Such an impact ends no stick.
bool endsBouncing(const std::vector<Striker>& strikers) {
  constexpr double kLeast = 0.01;  // restitution coefficient
  return std::ranges::all_of(strikers, [&](const Striker& each) {
    const double restitution = restitutionOf(each.contact->contact->normal);
    return each.contact->closed() || -each.before * std::max(restitution, kLeast) <= each.rest;
  });
}

/// Solves for normal and tangential impulses of one contact together, for given impulses of the others.
/// Returns the largest change of velocity [m/s]; empty if there is no solution.
std::optional<double> solveImpulses(Striker& each, Vector& v, double t) {
  const LinearContact& c = *each.contact;
  const StruckContact& g = each.struck;
  std::array<double, 2> slip{};
  double change = each.target - c.state.side * velocityAlong(c.normalRow, v) + g.normal * each.impulse;
  for (std::size_t a = 0; a < 2; ++a) {
    change += g.across[a] * each.friction[a];
    if (a >= static_cast<std::size_t>(g.tangents)) continue;
    slip[a] = velocityAlong(c.tangentRow[a], v) - c.surfaceSpeed(a, t) - g.across[a] * each.impulse;
    for (std::size_t b = 0; b < 2; ++b) slip[a] -= g.tangential[a][b] * each.friction[b];
  }
  const std::optional<FrictionalImpulse> found = solveImpulse(g, change, slip);
  if (!found) return std::nullopt;
  const FrictionalImpulse& p = *found;
  double largest = std::abs(p.normal - each.impulse) * g.normal;
  applyImpulse(v, c.normalRow, c.state.side * (p.normal - each.impulse));
  each.impulse = p.normal;
  for (std::size_t a = 0; a < static_cast<std::size_t>(g.tangents); ++a) {
    const double difference = p.tangential[a] - each.friction[a];
    applyImpulse(v, c.tangentRow[a], difference);
    largest = std::max(largest, std::abs(difference) * g.tangential[a][a]);
    each.friction[a] = p.tangential[a];
  }
  return largest;
}

/// Takes one sweep of projected Gauss-Seidel over the impulses; returns the largest change of velocity [m/s].
double sweepImpulses(std::vector<Striker>& strikers, Vector& v, double t) {
  double change = 0.0;
  for (Striker& each : strikers) {
    const LinearContact& c = *each.contact;
    if (each.struck.needsCoupledSolution())
      if (const std::optional<double> together = solveImpulses(each, v, t)) {
        change = std::max(change, *together);
        continue;
      }
    const double compliance = c.rowSize[0] * c.rowSize[0];
    const double rate = c.state.side * velocityAlong(c.normalRow, v);
    const double impulse = std::max(0.0, each.impulse + (each.target - rate) / compliance);
    applyImpulse(v, c.normalRow, c.state.side * (impulse - each.impulse));
    change = std::max(change, std::abs(impulse - each.impulse) * compliance);
    each.impulse = impulse;
    const auto law = stickConeOf(c.contact->friction);
    if (!law || !c.hasTraction()) continue;
    std::array<double, 2> wanted{};
    double length = 0.0;
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
      const double own = c.rowSize[a + 1] * c.rowSize[a + 1];
      wanted[a] = each.friction[a];
      if (own > 0.0) wanted[a] -= (velocityAlong(c.tangentRow[a], v) - c.surfaceSpeed(a, t)) / own;
      length = std::hypot(length, wanted[a]);
    }
    const double limit = law->muDynamic * each.impulse;
    const double scale = length > limit ? limit / length : 1.0;
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
      const double difference = scale * wanted[a] - each.friction[a];
      applyImpulse(v, c.tangentRow[a], difference);
      change = std::max(change, std::abs(difference) * c.rowSize[a + 1] * c.rowSize[a + 1]);
      each.friction[a] += difference;
    }
  }
  return change;
}

/// Row of the basis along an axis of an impulse: normal, then the lines of the contact.
const double* rowOf(const LinearContact& c, std::size_t axis) noexcept {
  return axis == 0 ? c.normalRow : c.tangentRow[axis - 1];
}

/// Impulses of all strikers by the solver of coupled contacts, from the velocity before the impact. False
/// where the solver finds none.
bool solveTogether(std::vector<Striker>& strikers, State& s, ImpulseProblem& problem, ImpulseSolver& solver) {
  problem.clear();
  const auto sign = [](const LinearContact& c, std::size_t axis) { return axis == 0 ? c.state.side : 1.0; };
  for (const Striker& each : strikers) {
    const LinearContact& c = *each.contact;
    ImpulseBlock& block = problem.add();
    block.contact = c.index;
    block.target = each.target;
    block.rounding = each.rest;
    for (std::size_t axis = 0; axis < 3; ++axis)
      block.rate[axis] = sign(c, axis) * velocityAlong(rowOf(c, axis), s.v);
    if (each.struck.tangents == 0) continue;
    block.tangent = TangentRule::disc;
    block.coefficient = each.struck.friction;
    block.surface = {c.surfaceSpeed(0, s.time), c.lines > 1 ? c.surfaceSpeed(1, s.time) : 0.0};
  }
  const auto product = [&](const LinearContact& c, std::size_t a, const LinearContact& o, std::size_t b) {
    const double* row = rowOf(c, a);
    const double* other = rowOf(o, b);
    if (row == nullptr || other == nullptr) return 0.0;
    return sign(c, a) * sign(o, b) * kernels::dot(row, other, s.v.size());
  };
  for (std::size_t i = 0; i < strikers.size(); ++i)
    for (std::size_t j = 0; j < strikers.size(); ++j)
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b)
          problem.compliance(i, a, j, b) = product(*strikers[i].contact, a, *strikers[j].contact, b);
  if (!solver.solve(problem, 1.0).solved()) return false;
  for (std::size_t i = 0; i < strikers.size(); ++i) {
    Striker& each = strikers[i];
    const std::array<double, 3>& impulse = problem.blocks()[i].impulse;
    each.impulse = impulse[0];
    each.friction = {impulse[1], impulse[2]};
    for (std::size_t axis = 0; axis < 3; ++axis)
      applyImpulse(s.v, rowOf(*each.contact, axis), sign(*each.contact, axis) * impulse[axis]);
  }
  return true;
}

/// Whether impulses leave some contact slower than Newton's law asks for, by more than sweeps that no longer
/// gain leave.
bool misses(const std::vector<Striker>& strikers, const Vector& v) {
  constexpr double kMissed = 1e-9;  // of the largest approach
  double largest = 0.0;
  for (const Striker& each : strikers) largest = std::max(largest, std::abs(each.before));
  return std::ranges::any_of(strikers, [&](const Striker& each) {
    const double rate = each.contact->state.side * velocityAlong(each.contact->normalRow, v);
    return rate < each.target - std::max(each.rest, kMissed * largest);
  });
}

/// Adds the work of the impulses: impulse times the mean of the velocities before and after.
void addImpactWork(const std::vector<Striker>& strikers, const Vector& v, double t, ContactRun& run,
                   EnergyLedger& ledger) {
  for (const Striker& each : strikers) {
    const LinearContact& c = *each.contact;
    const double after = c.state.side * velocityAlong(c.normalRow, v);
    ledger.damping -= 0.5 * each.impulse * (each.before + after);
    ContactTotals& totals = run.totalsOf(static_cast<std::size_t>(c.index));
    totals.impulse += each.impulse;
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
      const double surface = c.surfaceSpeed(a, t);
      const double slide = velocityAlong(c.tangentRow[a], v) - surface;
      const double lost = -0.5 * each.friction[a] * (each.slideBefore[a] + slide);
      ledger.friction += lost;
      totals.frictionEnergy += lost;
      ledger.external += each.friction[a] * surface;
    }
  }
}

}  // namespace

/// Impact of all rigid contacts that touch, by Newton's law for the normal impulses p and Coulomb's law for
/// the tangential impulses p_t: g'+ >= -e g'-, p >= 0, and one of the two is an equality; |p_t| <= mu_d p,
/// and at that bound p_t opposes the slip. Source: J.J. Moreau, CISM 302 (1988).
void ContactTransitions::resolveImpact(const ContactAutomaton& hit, State& s, ContactRun& run,
                                       EnergyLedger& ledger) {
  std::vector<Striker> strikers;
  double compliance = 0.0;
  for (LinearContact* candidate : linear_) {
    LinearContact& c = *candidate;
    if (!c.setValuedNormal || c.normalRow == nullptr) continue;
    if (&c != &hit && !c.closed() && !c.touches(s.q)) continue;
    Striker striker{.contact = &c,
                    .before = c.state.side * velocityAlong(c.normalRow, s.v),
                    .target = 0.0,
                    .slideBefore = {},
                    .friction = {},
                    .struck = velocitiesPerImpulse(c, s.v.size())};
    c.largestImpact = std::max(c.largestImpact, -striker.before);
    // a closed contact has no approach, only drift by rounding
    const double rebound =
        c.closed() ? 0.0 : -restitutionOf(c.contact->normal) * std::min(0.0, striker.before);
    striker.rest = c.restRate(s);
    striker.target = rebound > striker.rest ? rebound : 0.0;
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
      striker.slideBefore[a] = velocityAlong(c.tangentRow[a], s.v) - c.surfaceSpeed(a, s.time);
    if (&c == &hit) compliance = c.rowSize[0];
    strikers.push_back(striker);
  }

  const bool ends = endsBouncing(strikers);
  const double speed = s.v.norm();
  for (ContactAutomaton* c : automata_) {
    recordStickDrift(*c, s, ends);
    c->speedBefore = std::max(c->speedBefore, speed);
  }
  constexpr int kSweeps = 20000;
  constexpr double kConverged = 1e-15;
  velocityBefore_ = s.v;
  bool solved = false;
  for (int i = 0; i < kSweeps && !solved; ++i)
    solved = sweepImpulses(strikers, s.v, s.time) <= kConverged * speed * compliance;
  if (!solved && misses(strikers, s.v)) {
    s.v = velocityBefore_;
    if (!solver_) solver_ = std::make_unique<CoupledImpulses>(static_cast<int>(linear_.size()));
    if (!solveTogether(strikers, s, solver_->problem, solver_->solver)) {
      unsolvedImpact_ = hit.index;
      return;
    }
  }
  addImpactWork(strikers, s.v, s.time, run, ledger);
  changed_ = true;

  for (const Striker& each : strikers) {
    // a contact that opened at this instant because N < 0 touches, but takes no part in this impact
    const double after = each.contact->state.side * velocityAlong(each.contact->normalRow, s.v);
    const bool leaves = after > each.rest;
    if (each.contact->openedNow && each.contact != &hit && !leaves && !(each.impulse > 0.0)) continue;
    endImpact(*each.contact, after, leaves, s, run, ledger);
  }
  for (ContactAutomaton* c : automata_) releaseOrKeepStick(*c, s);
}

/// Sets the state of a rigid contact after an impact: closed, or open if the gap rate is positive.
void ContactTransitions::endImpact(LinearContact& c, double rate, bool leaves, State& s, ContactRun& run,
                                   EnergyLedger& ledger) {
  if (!c.closed()) {
    recordEvent(c, EventKind::closing, s.time);
    ++run.totalsOf(static_cast<std::size_t>(c.index)).impacts;
  }
  c.known = {};
  if (!leaves) return closeAfterImpact(c, rate, s);
  if (c.closed()) releaseContact(c, run, ledger);
  c.state.normal = NormalState::open;
  recordEvent(c, EventKind::opening, s.time);
  c.knownRoots(c.state.side > 0.0 ? GuardSlot::low : GuardSlot::high) = 1;
}

/// Closes a rigid contact or keeps it closed after an impact. Its slip is restarted with the slip rate after
/// the impact, which may be zero or reversed.
void ContactTransitions::closeAfterImpact(LinearContact& c, double rate, State& s) {
  const bool wasClosed = c.closed();
  const bool slips = wasClosed && c.hasTraction() && c.state.friction.slipping && !c.lacksSlipSpeed();
  const Tangential<double> before = c.state.friction.direction;
  c.state.normal = NormalState::closed;
  applyImpulse(s.v, c.normalRow, -c.state.side * rate / (c.rowSize[0] * c.rowSize[0]));  // rounding
  c.closedNow |= !wasClosed;
  if (!wasClosed) return attachSpring(c, s);
  if (!slips || !c.setValuedStick) return;
  restartFriction(c, s);
  if (c.closedNow) return;
  if (!c.state.friction.slipping)
    recordEvent(c, EventKind::slipToStick, s.time);
  else if (!c.inPlane() && dot(before, c.state.friction.direction) < 0.0)
    recordEvent(c, EventKind::slipReversal, s.time);
}

}  // namespace ricochet
