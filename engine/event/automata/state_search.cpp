#include "engine/event/automata/state_search.hpp"

#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ricochet {
namespace {

constexpr std::size_t kMostCombinations = 20000;

}  // namespace

bool StateSearch::gatherSoughtContacts(std::span<ContactAutomaton* const> automata, const State& s,
                                       bool drifts, bool unloads) {
  const std::size_t before = combinations_.size();
  contacts_.clear();
  choices_.clear();
  kept_.clear();
  combinations_.clear();
  next_ = 0;
  std::size_t count = 1;
  for (ContactAutomaton* c : automata) {
    const double known = std::exchange(c->stickDrift, drifts ? c->largestDriftRate(s) : c->stickDrift);
    const bool atSurface = c->isTouchingAtRest(s);
    if (atSurface || (c->isClosed() && c->setValuedStick)) {
      contacts_.push_back(c);
      kept_.push_back({c->state, c->known, c->slipPhase, c->tractionDrops, c->forceGrowsFromZero,
                       c->openedNow, c->openedAtZeroForce, c->openedByForce, c->unloaded, c->slidesOnLine,
                       atSurface});
      choices_.push_back(possibleStatesOf(*c, s, atSurface));
      if (unloads) addStatesWithoutForce(choices_.back(), c->setValuedNormal);
      count *= choices_.back().count;
    }
    c->stickDrift = known;
    if (count > kMostCombinations) return false;
  }
  if (contacts_.empty()) return false;
  listStateCombinations(unloads);
  return !drifts || combinations_.size() > before;
}

StateSearch::Choices StateSearch::possibleStatesOf(ContactAutomaton& c, const State& s, bool atSurface) {
  Choices choices;
  const bool closed = c.isClosed();
  if (atSurface) choices.addChoice({.phase = Phase::open}, !closed);
  c.updateContactPoint(s);
  if (!c.setValuedStick) {
    choices.addChoice({.phase = Phase::stick}, closed);
    return choices;
  }
  const bool slips = closed && c.state.friction.slipping;
  if (!c.isAtRest(s)) {
    const Tangential<double> against = scaled(-1.0 / length(c.state.slipRate), c.state.slipRate);
    choices.addChoice({.phase = Phase::slip, .direction = against}, closed);
    return choices;
  }
  choices.addChoice({.phase = Phase::stick}, closed && !slips);
  if (c.slidesInPlane()) {
    const double pull = length(c.state.traction);
    const Tangential<double> guess = pull > 0.0 ? scaled(1.0 / pull, c.state.traction) : c.axis[0];
    choices.addChoice({.phase = Phase::slipWithoutSpeed, .direction = guess, .fromRest = true}, slips);
    return choices;
  }
  for (const double sign : {1.0, -1.0}) {
    const Tangential<double> direction = scaled(sign, c.axis[0]);
    choices.addChoice({.phase = Phase::slip, .direction = direction, .fromRest = true},
                      slips && dot(c.state.friction.direction, direction) > 0.0);
  }
  return choices;
}

/// Adds each closed state of a rigid contact a second time, without a reaction. A slip in a plane that starts
/// from rest needs a reaction, which determines its direction; such a slip may also move along the only free
/// line.
void StateSearch::addStatesWithoutForce(Choices& choices, bool rigid) noexcept {
  const std::size_t count = choices.count;
  for (std::size_t i = 0; i < count; ++i) {
    Choice choice = choices.list[i];
    if (choice.phase == Phase::open) continue;
    choice.slidesOnLine = choice.phase == Phase::slipWithoutSpeed;
    choice.unloaded = !choice.slidesOnLine;
    if (choice.unloaded && !rigid) continue;
    choices.addChoice(choice, false);
  }
}

/// Lists all combinations of states, ordered by the number of contacts that they change; `unloads`: only
/// those in which a contact is closed without a reaction or slips along its only line.
void StateSearch::listStateCombinations(bool unloads) {
  std::vector<std::uint8_t> combination(contacts_.size(), 0);
  const auto hasSpecial = [this](const std::vector<std::uint8_t>& each) {
    for (std::size_t i = 0; i < each.size(); ++i)
      if (choices_[i].list[each[i]].isUnloadedOrSlidesOnLine()) return true;
    return false;
  };
  while (true) {
    if (!unloads || hasSpecial(combination)) combinations_.push_back(combination);
    std::size_t i = 0;
    while (i < contacts_.size() && ++combination[i] == choices_[i].count) combination[i++] = 0;
    if (i == contacts_.size()) break;
  }
  const auto changes = [this](const std::vector<std::uint8_t>& each) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < each.size(); ++i) count += each[i] != choices_[i].present ? 1 : 0;
    return count;
  };
  std::ranges::stable_sort(combinations_, {}, changes);
}

/// Sets a contact to its state before the search.
void StateSearch::restoreState(std::size_t contact) {
  ContactAutomaton& c = *contacts_[contact];
  const Kept& kept = kept_[contact];
  c.state = kept.state;
  c.known = kept.known;
  c.slipPhase = kept.slipPhase;
  c.tractionDrops = kept.tractionDrops;
  c.forceGrowsFromZero = kept.forceGrowsFromZero;
  c.openedNow = kept.openedNow;
  c.openedAtZeroForce = kept.openedAtZeroForce;
  c.openedByForce = kept.openedByForce;
  c.unloaded = kept.unloaded;
  c.slidesOnLine = kept.slidesOnLine;
}

bool StateSearch::applyNextCandidate() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) restoreState(i);
  if (next_ == combinations_.size()) return false;
  const std::vector<std::uint8_t>& combination = combinations_[next_++];
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    applyStateChoice(*contacts_[i], choices_[i].list[combination[i]], kept_[i].atSurface);
  }
  return true;
}

bool StateSearch::applyStickStates() {
  bool any = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ContactAutomaton& c = *contacts_[i];
    if (!c.isClosed() || !c.slidesInPlane() || !c.setValuedStick) continue;
    for (std::size_t k = 0; k < choices_[i].count; ++k) {
      const Choice& choice = choices_[i].list[k];
      if (choice.phase != Phase::stick) continue;
      applyStateChoice(c, choice, kept_[i].atSurface);
      any = true;
    }
  }
  return any;
}

bool StateSearch::removeDriftRates(State& s) const {
  constexpr double kDependent = 1e-9;
  constexpr double kMagnified = 1e3;
  double most = 0.0;
  std::vector<Vector> rows;  // rows of unit norm
  std::vector<double> rates;
  const std::vector<std::uint8_t>& combination = combinations_[next_ - 1];
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const Choice& choice = choices_[i].list[combination[i]];
    ContactAutomaton& c = *contacts_[i];
    if (choice.phase == Phase::open) continue;
    const ImpactAxes axes = c.impactAxes(s);
    const bool isAlongLines = c.hasTraction() && (choice.phase == Phase::stick || choice.fromRest);
    const std::size_t count = isAlongLines ? static_cast<std::size_t>(c.lines) + 1 : 1;
    for (std::size_t axis = c.setValuedNormal ? 0 : 1; axis < count; ++axis) {
      if (axes.row[axis] == nullptr) continue;
      rows.emplace_back(axes.sign[axis] / axes.size[axis] *
                        Eigen::Map<const Vector>(axes.row[axis], s.v.size()));
      rates.push_back(axes.rate(axis, s.v) / axes.size[axis]);
      most = std::max(most, kMagnified * c.largestDriftRate(s) / axes.size[axis]);
    }
  }
  if (rows.empty()) return true;
  Matrix all(std::ssize(rows), s.v.size());
  for (std::size_t i = 0; i < rows.size(); ++i) all.row(static_cast<Eigen::Index>(i)) = rows[i].transpose();
  Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
  decomposition.setThreshold(kDependent);
  const Vector drift =
      decomposition.compute(all).solve(Vector(Eigen::Map<const Vector>(rates.data(), std::ssize(rates))));
  if (!(drift.norm() <= most)) return false;
  s.v -= drift;
  return true;
}

void StateSearch::applyStateChoice(ContactAutomaton& c, const Choice& choice, bool atSurface) const {
  const bool closed = c.isClosed();
  c.known = {};
  c.slipPhase = Phase::slip;
  c.tractionDrops = false;
  c.openedNow = c.openedAtZeroForce = c.openedByForce = false;
  c.unloaded = choice.unloaded;
  c.slidesOnLine = choice.slidesOnLine;
  if (choice.phase == Phase::open) {
    c.state.normal = NormalState::open;
    c.state.compression = 0.0;
    c.state.traction = {};
    c.state.friction = {};
    c.openedNow = true;
    // Both gap and gap rate are zero.
    c.knownRootCount(c.state.side > 0.0 ? GuardSlot::low : GuardSlot::high) = 2;
    return;
  }
  c.state.normal = NormalState::closed;
  // Gap and gap rate are zero, hence N, and without a dashpot also N', are zero.
  if (atSurface && !c.setValuedNormal) {
    c.knownRootCount(GuardSlot::normalFirst) = c.usesGapRate ? 1 : 2;
    c.knownRootCount(GuardSlot::normalSecond) = 2;
    c.forceGrowsFromZero = true;
  }
  if (closed && !c.setValuedStick) return;
  c.state.friction = {};
  c.state.friction.anchorPosition = c.state.position;
  if (choice.phase == Phase::stick || !c.hasTraction()) return;
  c.state.friction.slipping = true;
  c.state.friction.direction = choice.direction;
  if (!choice.fromRest) return;
  c.slipPhase = choice.phase;
  c.tractionDrops = true;
  c.state.friction.onStaticCone = slipsStartOnStaticCone_ && c.tractionDropsWithMotion();
  c.knownRootCount(GuardSlot::slip) = 1;
}

}  // namespace ricochet
