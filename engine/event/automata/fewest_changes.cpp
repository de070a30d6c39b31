// The search for contact states with the fewest changes since an instant began.

#include "engine/contact/impulse/coupled_groups.hpp"
#include "engine/event/automata/state_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

namespace ricochet {
namespace {

constexpr std::size_t kMostCandidates = 128;

/// True if a contact slips, also where it does not move yet in a plane.
bool isSlip(Phase phase) noexcept {
  return phase == Phase::slip || phase == Phase::slipWithoutSpeed || phase == Phase::slipUntilOpening;
}

/// True if a set-valued contact has changed between stick and slip since the instant began, or its slip
/// turned back.
bool hasFrictionChanged(const ContactAutomaton& c) noexcept {
  if (!c.isClosed() || !c.setValuedStick || !c.hasTraction()) return false;
  const bool slips = c.isSlipping() && !c.isOnStaticFrictionCone();
  if (slips != isSlip(c.phaseBefore)) return true;
  return slips && !c.canSlipInPlane() && dot(c.state.friction.direction, c.directionBefore) < 0.0;
}

}  // namespace

bool StateSearch::gatherChangedContacts(std::span<ContactAutomaton* const> automata, const State& s) {
  const auto drops = [](const ContactAutomaton* c) {
    return hasFrictionChanged(*c) && c->isSlipping() && c->doesStickTractionDropAtSlipStart();
  };
  const auto changes = [](const ContactAutomaton* c) { return hasFrictionChanged(*c); };
  if (std::ranges::count_if(automata, changes) < 2 || std::ranges::none_of(automata, drops)) return false;
  gatherContactsAtTheirLimits(automata, s, {});
  proposalIndex_ = std::numeric_limits<std::size_t>::max();
  found_.clear();
  for (Choices& each : choices_) found_.push_back(static_cast<std::uint8_t>(each.present));
  for (std::size_t i = 0; i < contacts_.size(); ++i) choices_[i].present = findStateBefore(i);
  const std::size_t changed = changeCount(found_);
  if (changed < 2) return false;
  mostChanges_ = changed - 1;
  findCoupledContacts(s);
  std::vector<std::uint8_t> before;
  for (const Choices& each : choices_) before.push_back(static_cast<std::uint8_t>(each.present));
  combinations_.push_back(std::move(before));
  return true;
}

/// Index of the choice that is the state of a contact before the instant; of its present state if it cannot
/// have that state, or its normal force has begun or ended. A contact that has just closed sticks if it can.
std::size_t StateSearch::findStateBefore(std::size_t contact) const noexcept {
  const ContactAutomaton& c = *contacts_[contact];
  const Choices& choices = choices_[contact];
  if (!c.isClosed() || !c.setValuedStick) return choices.present;
  const bool slipped = isSlip(c.phaseBefore);
  for (std::size_t i = 0; i < choices.count; ++i) {
    const Choice& each = choices.list[i];
    if (each.phase == Phase::open || isSlip(each.phase) != slipped) continue;
    if (!slipped || c.canSlipInPlane() || dot(each.direction, c.directionBefore) > 0.0) return i;
  }
  return choices.present;
}

/// Finds the groups of gathered contacts whose forces move each other.
void StateSearch::findCoupledContacts(const State& s) {
  constexpr double kNone = 1e-12;  // relative to the effects of the two on themselves
  std::vector<ImpactAxes> axes;
  for (ContactAutomaton* c : contacts_) axes.push_back(c->impulseAxesOfContact(s));
  const auto areCoupled = [&](std::size_t i, std::size_t j) {
    for (std::size_t a = 0; a < 9; ++a)
      if (std::abs(axes[i].compliance(a / 3, axes[j], a % 3, s.v.size())) >
          kNone * axes[i].size[a / 3] * axes[j].size[a % 3])
        return true;
    return false;
  };
  groups_.assign(contacts_.size(), 0);
  std::size_t number = 0;
  for (const std::vector<std::size_t>& group : groupsOfCoupledIndices(contacts_.size(), areCoupled)) {
    for (const std::size_t member : group) groups_[member] = number;
    ++number;
  }
}

/// Number of contacts whose states in a combination are not those before the instant.
std::size_t StateSearch::changeCount(std::span<const std::uint8_t> combination) const noexcept {
  std::size_t count = 0;
  for (std::size_t i = 0; i < combination.size(); ++i)
    count += combination[i] == choices_[i].present ? std::size_t{0} : std::size_t{1};
  return count;
}

/// Least number of contacts that have to change beside those that a combination changes: one in each group
/// with a contact whose guard does not hold, unless the group has changed contacts, whose states may differ.
std::size_t StateSearch::leastFurtherChanges(std::span<const std::uint8_t> combination,
                                             std::span<const std::size_t> failing) const {
  std::set<std::size_t> groups;
  for (const std::size_t i : failing) groups.insert(groups_[i]);
  for (std::size_t i = 0; i < combination.size(); ++i)
    if (combination[i] != choices_[i].present) groups.erase(groups_[i]);
  return groups.size();
}

/// True if a guard that does not hold allows a change to a state: a stick along a line slips to the side
/// where its traction leaves the cone.
bool StateSearch::isChangeOfGuard(const ContactAutomaton& c, const Choice& choice, GuardSlot slot) noexcept {
  if (c.canSlipInPlane() || !isSlip(choice.phase)) return true;
  if (slot != GuardSlot::ahead && slot != GuardSlot::back) return true;
  return (dot(choice.direction, c.axis[0]) > 0.0) == (slot == GuardSlot::ahead);
}

/// Adds a candidate behind those that change no more contacts, unless it changes too many or is known.
void StateSearch::addCandidate(const std::vector<std::uint8_t>& combination) {
  const std::size_t changes = changeCount(combination);
  if (changes > mostChanges_ || combinations_.size() >= kMostCandidates ||
      std::ranges::find(combinations_, combination) != combinations_.end())
    return;
  const auto place =
      std::find_if(combinations_.begin() + static_cast<std::ptrdiff_t>(next_), combinations_.end(),
                   [&](const std::vector<std::uint8_t>& other) { return changeCount(other) > changes; });
  combinations_.insert(place, combination);
}

void StateSearch::addCandidatesForFailingGuards(std::span<const GuardRef> failing) {
  std::vector<std::uint8_t> combination = combinations_[next_ - 1];
  std::vector<std::pair<std::size_t, GuardSlot>> ends;
  for (const GuardRef& guard : failing) {
    const auto place = std::ranges::find(contacts_, guard.contact, &ContactAutomaton::index);
    if (place == contacts_.end()) continue;
    ends.emplace_back(static_cast<std::size_t>(place - contacts_.begin()), guard.slot);
  }
  // At a root of a guard, rounding may leave it positive: the contacts that have changed are taken.
  if (isCandidateOfStatesBefore() && ends.empty())
    for (std::size_t i = 0; i < contacts_.size(); ++i)
      if (found_[i] != choices_[i].present) ends.emplace_back(i, GuardSlot::slip);
  std::vector<std::size_t> contacts;
  for (const auto& [contact, slot] : ends) contacts.push_back(contact);
  if (changeCount(combination) + leastFurtherChanges(combination, contacts) > mostChanges_) return;
  for (const auto& [contact, slot] : ends) {
    const std::uint8_t kept = combination[contact];
    for (std::size_t i = 0; i < choices_[contact].count; ++i) {
      if (i == kept || !isChangeOfGuard(*contacts_[contact], choices_[contact].list[i], slot)) continue;
      combination[contact] = static_cast<std::uint8_t>(i);
      addCandidate(combination);
    }
    combination[contact] = kept;
  }
}

}  // namespace ricochet
