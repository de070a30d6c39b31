#include "engine/event/automata/state_search.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr std::size_t kMostCombinations = 20000;

}  // namespace

bool StateSearch::gatherContacts(std::span<ContactAutomaton* const> automata, const State& s) {
  contacts_.clear();
  choices_.clear();
  kept_.clear();
  combinations_.clear();
  next_ = 0;
  std::size_t count = 1;
  for (ContactAutomaton* c : automata) {
    const bool atSurface = c->touchesAtRest(s);
    if (!atSurface && !(c->closed() && c->setValuedStick)) continue;
    contacts_.push_back(c);
    kept_.push_back({c->state, c->known, c->slipPhase, c->tractionDrops, c->forceGrowsFromZero, c->openedNow,
                     c->openedAtZeroForce, atSurface});
    choices_.push_back(possibleStates(*c, s, atSurface));
    count *= choices_.back().count;
    if (count > kMostCombinations) return false;
  }
  if (contacts_.empty()) return false;
  listCombinations();
  return true;
}

StateSearch::Choices StateSearch::possibleStates(ContactAutomaton& c, const State& s, bool atSurface) {
  Choices choices;
  const bool closed = c.closed();
  if (atSurface) choices.add({.phase = Phase::open}, !closed);
  c.updateContactPoint(s);
  if (!c.setValuedStick) {
    choices.add({.phase = Phase::stick}, closed);
    return choices;
  }
  const bool slips = closed && c.state.friction.slipping;
  if (!c.isAtRest(s)) {
    const Tangential<double> against = scaled(-1.0 / length(c.state.slipRate), c.state.slipRate);
    choices.add({.phase = Phase::slip, .direction = against}, closed);
    return choices;
  }
  choices.add({.phase = Phase::stick}, closed && !slips);
  if (c.inPlane()) {
    const double pull = length(c.state.traction);
    const Tangential<double> guess = pull > 0.0 ? scaled(1.0 / pull, c.state.traction) : c.axis[0];
    choices.add({.phase = Phase::slipWithoutSpeed, .direction = guess, .fromRest = true}, slips);
    return choices;
  }
  for (const double sign : {1.0, -1.0}) {
    const Tangential<double> direction = scaled(sign, c.axis[0]);
    choices.add({.phase = Phase::slip, .direction = direction, .fromRest = true},
                slips && dot(c.state.friction.direction, direction) > 0.0);
  }
  return choices;
}

/// Lists all combinations of states, ordered by the number of contacts that they change.
void StateSearch::listCombinations() {
  std::vector<std::uint8_t> combination(contacts_.size(), 0);
  while (true) {
    combinations_.push_back(combination);
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

/// Gives a contact the state that it had before the search.
void StateSearch::restore(std::size_t contact) {
  ContactAutomaton& c = *contacts_[contact];
  const Kept& kept = kept_[contact];
  c.state = kept.state;
  c.known = kept.known;
  c.slipPhase = kept.slipPhase;
  c.tractionDrops = kept.tractionDrops;
  c.forceGrowsFromZero = kept.forceGrowsFromZero;
  c.openedNow = kept.openedNow;
  c.openedAtZeroForce = kept.openedAtZeroForce;
}

bool StateSearch::applyNextCandidate() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) restore(i);
  if (next_ == combinations_.size()) return false;
  const std::vector<std::uint8_t>& combination = combinations_[next_++];
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    applyChoice(*contacts_[i], choices_[i].list[combination[i]], kept_[i].atSurface);
  }
  return true;
}

void StateSearch::applyChoice(ContactAutomaton& c, const Choice& choice, bool atSurface) {
  const bool closed = c.closed();
  c.known = {};
  c.slipPhase = Phase::slip;
  c.tractionDrops = false;
  c.openedNow = c.openedAtZeroForce = false;
  if (choice.phase == Phase::open) {
    c.state.normal = NormalState::open;
    c.state.compression = 0.0;
    c.state.traction = {};
    c.state.friction = {};
    c.openedNow = true;
    c.knownRoots(c.state.side > 0.0 ? GuardSlot::low : GuardSlot::high) = 2;  // gap and gap rate
    return;
  }
  c.state.normal = NormalState::closed;
  if (atSurface && !c.setValuedNormal) {  // gap and gap rate are zero: so is N, without a dashpot also N'
    c.knownRoots(GuardSlot::normalFirst) = c.usesGapRate ? 1 : 2;
    c.knownRoots(GuardSlot::normalSecond) = 2;
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
  c.knownRoots(GuardSlot::slip) = 1;
}

}  // namespace ricochet
