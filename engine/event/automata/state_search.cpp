#include "engine/event/automata/state_search.hpp"

#include "engine/contact/impulse/impulse_solver.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ricochet {
namespace {

/// Largest number of combinations that are tried. The cost of one grows at least with the square of the
/// number of contacts.
std::size_t largestStateCombinationCount(std::size_t contacts) noexcept {
  constexpr double kMost = 20000.0;
  constexpr double kContacts = 8.0;
  const double many = std::max(1.0, static_cast<double>(contacts) / kContacts);
  return static_cast<std::size_t>(kMost / (many * many));
}

}  // namespace

/// Gathers the contacts with their possible states; returns the number of all combinations.
double StateSearch::gatherContactsAtTheirLimits(std::span<ContactAutomaton* const> automata, const State& s,
                                                SearchScope scope) {
  contacts_.clear();
  choices_.clear();
  kept_.clear();
  combinations_.clear();
  next_ = 0;
  double count = 1.0;
  hasSprings_ = false;
  for (ContactAutomaton* c : automata) {
    const double known = std::exchange(c->stickDrift, scope.drifts ? c->largestDriftRate(s) : c->stickDrift);
    const bool atSurface = c->isTouchingAtRest(s);
    if (atSurface || (c->isClosed() && c->setValuedStick)) {
      if (!c->isClosed()) c->updateClosingPosition(s);  // springs that a candidate attaches start there
      contacts_.push_back(c);
      kept_.push_back({c->state, c->known, c->slipPhase, c->tractionDrops, c->forceGrowsFromZero,
                       c->openedNow, c->openedAtZeroForce, c->openedByForce, c->unloaded, c->slidesOnLine,
                       atSurface, c->balancedReaction, c->balancedFor});
      choices_.push_back(possibleContactStates(*c, s, atSurface));
      if (scope.springs) hasSprings_ |= addStickSlipChoiceOfSpring(choices_.back(), *c);
      if (scope.unloads) addStatesWithoutForce(choices_.back(), c->setValuedNormal);
      count *= static_cast<double>(choices_.back().count);
    }
    c->stickDrift = known;
  }
  return count;
}

bool StateSearch::gatherContactsForStateSearch(std::span<ContactAutomaton* const> automata, const State& s,
                                               SearchScope scope) {
  const double count = gatherContactsAtTheirLimits(automata, s, scope);
  const double before = std::exchange(possible_, count);
  if (contacts_.empty() || (scope.springs && !hasSprings_)) return false;
  if (scope.drifts && !scope.springs && !(possible_ > before)) return false;
  listStateCombinations(scope.unloads);
  return true;
}

StateSearch::Choices StateSearch::possibleContactStates(ContactAutomaton& c, const State& s, bool atSurface) {
  Choices choices;
  const bool closed = c.isClosed();
  if (atSurface) choices.addStateChoice({.phase = Phase::open}, !closed);
  c.updateContactPoint(s);
  if (!c.setValuedStick) {
    choices.addStateChoice({.phase = Phase::stick}, closed);
    return choices;
  }
  const bool slips = closed && c.state.friction.slipping;
  if (!c.isAtRest(s) && !(closed && c.isSlipWithZeroSpeed())) {
    const Tangential<double> against = scaled(-1.0 / length(c.state.slipRate), c.state.slipRate);
    choices.addStateChoice({.phase = Phase::slip, .direction = against}, closed);
    return choices;
  }
  choices.addStateChoice({.phase = Phase::stick}, closed && !slips);
  if (c.canSlipInPlane()) {
    const double pull = length(c.state.traction);
    const Tangential<double> guess = pull > 0.0 ? scaled(1.0 / pull, c.state.traction) : c.axis[0];
    choices.addStateChoice({.phase = Phase::slipWithoutSpeed, .direction = guess, .fromRest = true}, slips);
    return choices;
  }
  for (const double sign : {1.0, -1.0}) {
    const Tangential<double> direction = scaled(sign, c.axis[0]);
    choices.addStateChoice({.phase = Phase::slip, .direction = direction, .fromRest = true},
                           slips && dot(c.state.friction.direction, direction) > 0.0);
  }
  return choices;
}

/// Adds the other state of a stick with a spring, or of its slip; returns false for other contacts. A contact
/// that closes with a slip rate may slip at once.
bool StateSearch::addStickSlipChoiceOfSpring(Choices& choices, const ContactAutomaton& c) noexcept {
  if (c.setValuedStick || !c.hasTraction()) return false;
  if (c.isClosed()) {
    choices.addStateChoice({.switchesStickSlip = true}, false);
    return true;
  }
  const double speed = length(c.state.slipRate);
  if (!(speed > 0.0)) return false;
  choices.addStateChoice({.phase = Phase::slip, .direction = scaled(-1.0 / speed, c.state.slipRate)}, false);
  return true;
}

/// Adds each closed state of a rigid contact a second time, without a reaction. A slip in a plane from rest
/// needs a reaction, which determines its direction; it may also move along the only free line.
void StateSearch::addStatesWithoutForce(Choices& choices, bool rigid) noexcept {
  const std::size_t count = choices.count;
  for (std::size_t i = 0; i < count; ++i) {
    Choice choice = choices.list[i];
    if (choice.phase == Phase::open) continue;
    choice.slidesOnLine = choice.phase == Phase::slipWithoutSpeed;
    choice.unloaded = !choice.slidesOnLine;
    if (choice.unloaded && !rigid) continue;
    choices.addStateChoice(choice, false);
  }
}

/// Lists combinations of states in the order of the number of contacts that they change, as many as can be
/// tried; `unloads`: only those in which a contact is closed without a reaction or slips along its only line.
void StateSearch::listStateCombinations(bool unloads) {
  constexpr std::size_t kMany = 3;
  const std::size_t most = largestStateCombinationCount(contacts_.size());
  proposalIndex_ = std::numeric_limits<std::size_t>::max();
  std::vector<std::uint8_t> combination(contacts_.size(), 0);
  for (std::size_t changes = 0; changes <= contacts_.size() && combinations_.size() < most; ++changes) {
    if (changes == kMany && !unloads) proposalIndex_ = combinations_.size();
    appendStateCombinations(contacts_.size(), changes, unloads, most, combination);
  }
}

/// Appends the combinations that change `changes` of the first `contacts` contacts; the states of the others
/// are chosen.
void StateSearch::appendStateCombinations(std::size_t contacts, std::size_t changes, bool unloads,
                                          std::size_t most, std::vector<std::uint8_t>& combination) {
  if (changes > contacts || combinations_.size() >= most) return;
  if (contacts == 0) {
    bool isSpecial = !unloads;
    for (std::size_t i = 0; i < combination.size(); ++i)
      isSpecial |= choices_[i].list[combination[i]].isUnloadedOrSlidesOnLine();
    if (isSpecial) combinations_.push_back(combination);
    return;
  }
  const Choices& choices = choices_[contacts - 1];
  for (std::size_t k = 0; k < choices.count; ++k) {
    const std::size_t change = k == choices.present ? 0 : 1;
    if (change > changes) continue;
    combination[contacts - 1] = static_cast<std::uint8_t>(k);
    appendStateCombinations(contacts - 1, changes - change, unloads, most, combination);
  }
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
  c.balancedReaction = kept.balancedReaction;
  c.balancedFor = kept.balancedFor;
}

bool StateSearch::openAllGatheredContacts() {
  proposalIndex_ = std::numeric_limits<std::size_t>::max();
  for (const Choices& each : choices_)
    if (each.list[0].phase != Phase::open) return false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    restoreState(i);
    applyStateChoice(*contacts_[i], choices_[i].list[0], kept_[i].atSurface);
  }
  return true;
}

void StateSearch::proposeContactStates(const State& s, const State& later) {
  constexpr double kStill = 1e-7;  // slip acceleration of a contact that rests, relative to the largest one
  const auto count = static_cast<int>(contacts_.size());
  const double moment = later.time - s.time;
  std::vector<std::array<double, 3>> before;
  for (ContactAutomaton* c : contacts_) {
    const ImpactAxes axes = c->impulseAxesOfContact(s);
    before.push_back({axes.rate(0, s.v), axes.rate(1, s.v), axes.rate(2, s.v)});
  }
  ImpulseProblem problem(count);
  std::vector<ImpactAxes> axes;
  double largest = 0.0;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ContactAutomaton& c = *contacts_[i];
    axes.push_back(c.impulseAxesOfContact(later));
    ImpulseBlock& block = problem.addBlock();
    block.contact = static_cast<int>(i);
    for (std::size_t a = 0; a < 3; ++a) {
      block.rate[a] = (axes[i].rate(a, later.v) - before[i][a]) / moment;
      largest = std::max(largest, std::abs(block.rate[a]));
    }
    const auto cone = stickConeOf(c.contact->friction);
    if (!c.hasTraction() || !cone) continue;
    block.tangent = TangentRule::disc;
    block.coefficient = cone->muStatic;
    const Choice& only = choices_[i].list[choices_[i].count - 1];
    if (only.fromRest || only.phase == Phase::stick) continue;
    block.tangent = TangentRule::sliding;
    block.coefficient = cone->muDynamic;
    block.direction = {-dot(only.direction, c.axis[0]), -dot(only.direction, c.axis[1])};
  }
  for (std::size_t i = 0; i < axes.size(); ++i)
    for (std::size_t j = 0; j < axes.size(); ++j)
      for (std::size_t a = 0; a < 9; ++a)
        problem.compliance(i, a / 3, j, a % 3) = axes[i].compliance(a / 3, axes[j], a % 3, s.v.size());
  ImpulseSolver solver(count);
  bool solved = solver.solve(problem, 1.0).isSolved();
  for (bool again = true; solved && again;) {  // moving contacts have their dynamic coefficient
    again = false;
    for (ImpulseBlock& block : problem.blocks()) {
      const auto cone = stickConeOf(contacts_[static_cast<std::size_t>(block.contact)]->contact->friction);
      if (block.tangent != TangentRule::disc || !block.slides || block.coefficient == cone->muDynamic ||
          lengthOfTangentialVector(block.slipRate()) <= kStill * largest)
        continue;
      block.coefficient = cone->muDynamic;
      again = true;
    }
    if (again) solved = solver.solve(problem, 1.0).isSolved();
  }
  for (ContactAutomaton* c : contacts_) c->updateContactPoint(s);
  if (!solved) return;
  combinations_.insert(combinations_.begin() + static_cast<std::ptrdiff_t>(next_),
                       statesOfSolution(problem, kStill * largest));
}

/// Combination of the states of a solution; `slowest`: least slip acceleration of a slip [m/s^2].
std::vector<std::uint8_t> StateSearch::statesOfSolution(const ImpulseProblem& problem, double slowest) const {
  std::vector<std::uint8_t> combination;
  for (const ImpulseBlock& block : problem.blocks()) {
    const auto i = static_cast<std::size_t>(block.contact);
    const ContactAutomaton& c = *contacts_[i];
    const Tangential<double> traction =
        scaled(block.impulse[1], c.axis[0]) + scaled(block.impulse[2], c.axis[1]);
    const bool slips = block.tangent == TangentRule::sliding ||
                       (block.slides && lengthOfTangentialVector(block.slipRate()) > slowest);
    const auto isState = [&](const Choice& each) {
      if (block.isOpen() || each.phase == Phase::open) return block.isOpen() == (each.phase == Phase::open);
      if (!c.hasTraction() || !slips) return each.phase == Phase::stick;
      return each.phase != Phase::stick && dot(each.direction, traction) >= 0.0;
    };
    const auto& list = choices_[i].list;
    const auto* const end = list.begin() + choices_[i].count;
    const auto* const found = std::find_if(list.begin(), end, isState);
    combination.push_back(
        static_cast<std::uint8_t>(found == end ? choices_[i].present : found - list.begin()));
  }
  return combination;
}

bool StateSearch::applyNextCandidateStates() {
  restoreStates();
  if (next_ == combinations_.size()) return false;
  const std::vector<std::uint8_t>& combination = combinations_[next_++];
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    applyStateChoice(*contacts_[i], choices_[i].list[combination[i]], kept_[i].atSurface);
  return true;
}

void StateSearch::applyPhaseToContacts(std::span<ContactAutomaton* const> automata, const State& s,
                                       std::span<const int> which, Phase wanted,
                                       std::span<const Tangential<double>> tractions) {
  gatherContactsAtTheirLimits(automata, s, {});
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto place = std::ranges::find(which, contacts_[i]->index);
    if (place == which.end()) continue;
    const std::span<const Choice> choices = std::span(choices_[i].list).first(choices_[i].count);
    const auto found = std::ranges::find(choices, wanted, &Choice::phase);
    if (found == choices.end() && contacts_[i]->isClosed()) continue;
    // A contact that closes with a slip rate slips.
    Choice choice = found != choices.end() ? *found : choices.back();
    if (!tractions.empty()) choice.direction = tractions[static_cast<std::size_t>(place - which.begin())];
    applyStateChoice(*contacts_[i], choice, kept_[i].atSurface);
  }
}

void StateSearch::restoreStates() {
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    restoreState(i);
    contacts_[i]->keepsBalance = true;
  }
}

bool StateSearch::applyStickStates() {
  bool any = false;
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    ContactAutomaton& c = *contacts_[i];
    if (!c.isClosed() || !c.canSlipInPlane() || !c.setValuedStick) continue;
    for (const Choice& choice : std::span(choices_[i].list).first(choices_[i].count)) {
      if (choice.phase != Phase::stick) continue;
      applyStateChoice(c, choice, kept_[i].atSurface);
      any = true;
    }
  }
  return any;
}

bool StateSearch::removeDriftRatesFromVelocity(State& s) const {
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
    const ImpactAxes axes = c.impulseAxesOfContact(s);
    const bool isAlongLines =
        c.hasTraction() && c.setValuedStick && (choice.phase == Phase::stick || choice.fromRest);
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

/// Lets a closed stick with a spring slip, or a slip of such a contact stick; the spring keeps its force.
void StateSearch::switchBetweenStickAndSlip(ContactAutomaton& c) noexcept {
  const bool stops = c.state.friction.slipping;
  c.enterFrictionState(stops ? FrictionState::stick : FrictionState::slip, c.frictionKinematics(),
                       c.state.friction);
  if (stops) return;
  if (!c.canSlipInPlane()) {  // the traction is exactly along the line
    const double along = dot(c.state.friction.direction, c.axis[0]);
    c.state.friction.direction = scaled(along < 0.0 ? -1.0 : 1.0, c.axis[0]);
  }
  if (!c.hasRelaxingSlipSpring()) c.moveSpringAnchor(c.frictionKinematics());
}

void StateSearch::applyStateChoice(ContactAutomaton& c, const Choice& choice, bool atSurface) const {
  const bool closed = c.isClosed();
  c.known = {};
  c.slipPhase = Phase::slip;
  c.keepsBalance = false;  // shares of the reactions in the states before do not balance those of others
  c.tractionDrops = c.openedNow = c.openedAtZeroForce = c.openedByForce = false;
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
    c.knownRootCount(GuardSlot::normalFirst) = c.doesForceDependOnGapRate ? 1 : 2;
    c.knownRootCount(GuardSlot::normalSecond) = 2;
    c.forceGrowsFromZero = true;
  }
  if (closed && !c.setValuedStick) {
    if (choice.switchesStickSlip) switchBetweenStickAndSlip(c);
    return;
  }
  c.state.friction = {};
  c.state.friction.anchorPosition = c.state.position;
  if (choice.phase == Phase::stick || !c.hasTraction()) return;
  c.state.friction.slipping = true;
  c.state.friction.direction = choice.direction;
  if (!choice.fromRest) return;
  c.slipPhase = choice.phase;
  c.tractionDrops = true;
  c.state.friction.onStaticCone = slipsStartOnStaticCone_ && c.doesStickTractionDropAtSlipStart();
  c.knownRootCount(GuardSlot::slip) = 1;
}

}  // namespace ricochet
