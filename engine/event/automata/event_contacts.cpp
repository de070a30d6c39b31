#include "engine/event/automata/event_contacts.hpp"

#include "engine/event/automata/friction_starts.hpp"
#include "engine/event/automata/noise_levels.hpp"
#include "engine/event/automata/step_accounts.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {
namespace {

/// Largest accelerations per unit of a constraint's row that count as zero, order by order, in a step of
/// length `step` [s]: a fraction of the terms of the order's sum, and no less than the rounding error of
/// lower orders, which the step makes comparable.
std::array<double, kOrdersOfConstraints> largestNegligibleAccelerations(const TaylorExpansion& expansion,
                                                                        double step) {
  std::array<double, kOrdersOfConstraints> most{};
  double lower = 0.0;
  for (std::size_t k = 0; k < most.size(); ++k) {
    const auto order = static_cast<int>(k);
    const double push = expansion.elasticForceNorm(order) + expansion.forceNormSum(order);
    const double power = std::pow(step, order);
    lower = std::max(lower, push * power);
    most[k] = std::max(kKeptConstraint * push, power > 0.0 ? kNoise * lower / power : 0.0);
  }
  return most;
}

}  // namespace

EventContacts::EventContacts(const ContactSet& set, const LinkSet& links, const ModePlanes& planes, int order,
                             double tolerance, ImpactLaw law)
    : set_(&set),
      order_(order),
      tolerance_(tolerance),
      slack_(1.0 + 100.0 * tolerance / kNoise),
      transitions_(slack_, law),
      series_(set, planes, order, tolerance),
      links_(links, order),
      tape_(2 * order),
      starts_(static_cast<std::size_t>(set.size())) {
  const auto length = static_cast<std::size_t>(order + 3);
  contacts_.reserve(static_cast<std::size_t>(set.size()));
  for (int i = 0; i < set.size(); ++i) {
    const bool linear = !series_.hasContact(i);
    place_.push_back(linear ? static_cast<int>(contacts_.size()) : -1);
    if (linear) contacts_.emplace_back(set, planes, i, order);
  }
  for (int i = 0; i < set.size(); ++i) {
    if (isLinearContact(i))
      transitions_.addContactAutomaton(linearContact(i));
    else
      transitions_.addContactAutomaton(series_.seriesContact(i));
  }
  contactsInReach_.reserve(contacts_.size());
  gapBounds_ = motionBounds_ = Vector::Zero(paddedSize(std::ssize(contacts_)));
  bands_ = Matrix::Zero(gapBounds_.size(), TaylorExpansion::kBands);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    bands_.row(static_cast<Eigen::Index>(i)) = contacts_[i].rowBands;
  scratch_.resize(2 * length);
  scratch2_.resize(length);
  turns_.reserve(static_cast<std::size_t>(set.size()));
}

void EventContacts::copyRunStates(ContactRun& run, const LinkRun& links, const State& s, bool remembers) {
  links_.copyRunStates(links);
  links_.rewindTimeFunctions(s.time);
  gapBounds_.setZero();
  transitions_.copyRunStates(run, s, *set_, remembers);
}

void EventContacts::applyGuardTransition(const GuardRef& guard, State& s, ContactRun& run,
                                         EnergyLedger& ledger) {
  series_.discardFittedForcePolynomials();
  if (isLinearContact(guard.contact) && guard.slot < GuardSlot::ahead)
    lowerBoundOfGap(linearContact(guard.contact)) = 0.0;
  transitions_.applyGuardTransition(guard, s, run, ledger);
}

void EventContacts::moveContactToStepStart(const GuardRef& guard, const TaylorExpansion& expansion,
                                           double time) noexcept {
  if (!isLinearContact(guard.contact)) return series_.moveContactToStepStart(guard, expansion, time);
  LinearContact& c = linearContact(guard.contact);
  if (c.state.normal != NormalState::open) c.moveStateToTime(0.0, time, orders_);
  if (guard.slot >= GuardSlot::ahead || !c.isStickingByConstraint() || c.isSlipWithZeroSpeed()) return;
  const NoiseLevels noise(expansion, c);
  c.tractionAtPullOff = leadingTractionCoefficient(c.traction, c.axis, c.lines, orders_, [&](std::size_t k) {
    return std::max(noise.reactionRoundingError(1, k), noise.reactionRoundingError(2, k));
  });
}

bool EventContacts::doesClosingTakeOverLoad(const GuardRef& guard, const State& s) const {
  ContactAutomaton& c = *transitions_.automata()[static_cast<std::size_t>(guard.contact)];
  if (guard.slot > GuardSlot::high || !c.setValuedNormal || c.isClosed()) return false;
  if (std::ranges::none_of(transitions_.automata(), &ContactAutomaton::openedNow)) return false;
  return c.isTouchingAtRest(s);
}

bool EventContacts::startSearchForFewerChanges(const State& s) {
  search_.startSlipsOnStaticFrictionCone(transitions_.canStickTractionsBeShared());
  eventsBeforeSearch_ = transitions_.pendingEventCount();
  return search_.gatherChangedContacts(transitions_.automata(), s);
}

void EventContacts::addCandidatesForFailingGuards(TaylorExpansion& expansion, double time, double step) {
  failing_.clear();
  static_cast<void>(findFirstEvent(expansion, time, step, &failing_));
  search_.addCandidatesForFailingGuards(failing_);
}

bool EventContacts::isGuardOfReactionLimit(const GuardRef& guard) const noexcept {
  const ContactAutomaton& c = *transitions_.automata()[static_cast<std::size_t>(guard.contact)];
  const bool endsStick = guard.slot >= GuardSlot::ahead && c.setValuedStick && !c.isSlipping();
  return endsStick || (guard.slot == GuardSlot::normalFirst && c.setValuedNormal && c.isClosed());
}

bool EventContacts::isGuardOfPlanarStickEnd(const GuardRef& guard) const noexcept {
  const ContactAutomaton& c = *transitions_.automata()[static_cast<std::size_t>(guard.contact)];
  return guard.slot == GuardSlot::back && c.canSlipInPlane() && c.setValuedStick;
}

bool EventContacts::holdSticksAtRest(const State& s) {
  if (!search_.gatherContactsForStateSearch(transitions_.automata(), s, {}) || !search_.applyStickStates())
    return false;
  series_.discardFittedForcePolynomials();
  transitions_.markContactStateChange();
  return true;
}

bool EventContacts::applyNextCandidateStates() {
  const bool found = search_.applyNextCandidateStates();
  transitions_.discardPendingEventsBeyondCount(eventsBeforeSearch_);
  discardDataOfOldContactStates();
  return found;
}

bool EventContacts::closeContactsHeldByOthers(const TaylorExpansion& expansion, State& s, bool onCone) {
  constexpr std::size_t kLooked = 8;  // number of orders in which a motion is sought
  const std::size_t orders = std::min(kLooked, orders_);
  held_.clear();
  for (LinearContact& c : contacts_) {
    const NoiseLevels noise(expansion, c);
    const auto moves = [&](std::span<const double> path, std::size_t line) {
      for (std::size_t k = 2; k < orders; ++k)
        if (std::abs(path[k]) > noise.positionRoundingError(line, k)) return true;
      return false;
    };
    if (c.isSlipWithoutMotion(s, onCone, [&](std::size_t a) { return moves(c.slide[a], a + 1); })) {
      held_.push_back(c.index);
    } else if (!c.isClosed() && c.setValuedNormal && c.isTouchingAtRest(s)) {
      expansion.motionSeriesAlongRow(c.normalRow, c.along.first(orders + 2));
      if (!moves(c.along, 0)) held_.push_back(c.index);
    }
  }
  series_.listContactsHeldByOthers(expansion, s, orders, onCone, held_);
  std::erase_if(held_, [&](int each) { return std::ranges::find(idle_, each) != idle_.end(); });
  if (held_.empty()) return false;
  setPhaseOfContacts(held_, Phase::stick, s);
  transitions_.projectOutSlipRatesOfSticks(s);
  return true;
}

bool EventContacts::closeContactsThatStartSliding(const TaylorExpansion& expansion, const State& s) {
  constexpr std::size_t kTerms = 3;  // up to the acceleration
  held_.clear();
  std::vector<Tangential<double>> tractions;
  for (LinearContact& c : contacts_) {
    if (!c.isTouchingAtRestWithoutForce(s)) continue;
    const NoiseLevels noise(expansion, c);
    expansion.motionSeriesAlongRow(c.normalRow, c.along.first(kTerms));
    if (std::abs(c.along[2]) > noise.positionRoundingError(0, 2)) continue;
    Tangential<double> acceleration{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
      if (c.tangentRow[a] == nullptr) continue;
      expansion.motionSeriesAlongRow(c.tangentRow[a], c.along.first(kTerms));
      if (std::abs(c.along[2]) > noise.positionRoundingError(a + 1, 2))
        acceleration = acceleration + scaled(c.along[2], c.axis[a]);
    }
    const double size = length(acceleration);
    if (!(size > 0.0)) continue;
    held_.push_back(c.index);
    tractions.push_back(scaled(-1.0 / size, acceleration));
  }
  series_.appendContactsThatStartSliding(expansion, s, held_, tractions);
  if (held_.empty()) return false;
  setPhaseOfContacts(held_, Phase::slip, s, tractions);
  return true;
}

void EventContacts::openUnloadedContacts(const State& s) { setPhaseOfContacts(idle_, Phase::open, s); }

/// See StateSearch::applyPhaseToContacts; restoreStatesBeforeStateSearch undoes it.
void EventContacts::setPhaseOfContacts(std::span<const int> which, Phase phase, const State& s,
                                       std::span<const Tangential<double>> tractions) {
  eventsBeforeSearch_ = transitions_.pendingEventCount();
  search_.applyPhaseToContacts(transitions_.automata(), s, which, phase, tractions);
  discardDataOfOldContactStates();
}

void EventContacts::restoreStatesBeforeStateSearch() {
  search_.restoreStates();
  transitions_.discardPendingEventsBeyondCount(eventsBeforeSearch_);
  discardDataOfOldContactStates();
}

bool EventContacts::openContactsOfStateSearch() {
  const bool found = search_.openAllGatheredContacts();
  discardDataOfOldContactStates();
  return found;
}

void EventContacts::discardDataOfOldContactStates() noexcept {
  gapBounds_.setZero();
  series_.discardFittedForcePolynomials();
  transitions_.markContactStateChange();
}

int EventContacts::violatingContact(const TaylorExpansion& expansion, double step) {
  // At a zero of the sum of varying loads, the acceleration is zero and a later order decides.
  const std::array<double, kOrdersOfConstraints> most = largestNegligibleAccelerations(expansion, step);
  const auto moves = [&most](std::span<const double> path, double rowSize) {
    for (std::size_t k = 0; k < most.size(); ++k)
      if (std::abs(static_cast<double>((k + 1) * (k + 2)) * path[k + 2]) > rowSize * most[k]) return true;
    return false;
  };
  for (LinearContact& c : contacts_) {
    if (!c.isClosed()) continue;
    if (c.normalConstraint >= 0) {
      expansion.motionSeriesAlongRow(c.normalRow, c.along.first(most.size() + 2));
      if (moves(c.along, c.rowSize[0])) return c.index;
    }
    for (std::size_t a = 0; a < 2; ++a)
      if (c.tangentConstraint[a] >= 0 && moves(c.slide[a], c.rowSize[a + 1])) return c.index;
  }
  return series_.violatingContact(most);
}

void EventContacts::acceptCandidateContactStates(const TaylorExpansion& expansion, const State& s,
                                                 ContactRun& run, EnergyLedger& ledger) {
  constexpr std::size_t kLooked = 6;  // number of orders in which the motion of a slip is sought
  transitions_.recordEventsOfFoundStates(
      search_.contactsOfStateSearch(), s.time, run, [&](const ContactAutomaton& any) {
        if (!isLinearContact(any.index)) return true;
        const LinearContact& c = linearContact(any.index);
        const NoiseLevels noise(expansion, c);
        for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
          for (std::size_t k = 2; k < std::min(kLooked, orders_); ++k)
            if (std::abs(c.slide[a][k]) > noise.positionRoundingError(a + 1, k)) return true;
        return false;
      });
  for (std::size_t i = 0; i < search_.contactsOfStateSearch().size(); ++i)
    ContactTransitions::addLostSpringEnergyToFriction(*search_.contactsOfStateSearch()[i],
                                                      search_.releasedSpringEnergy(i), run, ledger);
}

bool EventContacts::applyImpactWithoutCollision(State& s, ContactRun& run, EnergyLedger& ledger) {
  gapBounds_.setZero();
  series_.discardFittedForcePolynomials();
  return transitions_.applyImpactWithoutCollision(s, run, ledger);
}

void EventContacts::acceptStep(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
                               EnergyLedger& ledger) noexcept {
  transitions_.clearRecordsOfPresentInstant(time + step > time);
  if (hasDependentConstraints(expansion)) transitions_.impactCounts().sharedTime += step;
  links_.acceptStep(step, time);
  series_.acceptStep(step, time, expansion, run, ledger);
  for (LinearContact& c : contacts_) {
    if (c.state.normal == NormalState::open) continue;
    ricochet::acceptStep(c, step, time, orders_, run, ledger);
    c.moveBalancedReactionToStepEnd(step);
    if (c.canSlipInPlane() && c.isClosed()) c.compressionRate = slopeAt(c.compression.first(orders_), step);
    if (!c.isSurfaceMoving() || !c.isClosed() || !c.hasTraction()) continue;
    c.travel = {};
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
      c.travel = c.travel + scaled(polynomialAt(c.surfaceMotionSeries(a, orders_), step), c.axis[a]);
  }
}

void EventContacts::addWorkUpToTime(double t, double time, const TaylorExpansion& expansion, ContactRun& run,
                                    EnergyLedger& ledger) noexcept {
  series_.addWorkUpToTime(t, time, expansion, run, ledger);
  for (LinearContact& c : contacts_) ricochet::addWorkUpToTime(c, t, time, orders_, run, ledger);
}

void EventContacts::reportStatesToRunAt(double t, double time, const TaylorExpansion& expansion,
                                        ContactRun& run, LinkRun& links) noexcept {
  links_.reportStatesToRunAt(t, time, links);
  series_.reportStatesToRunAt(t, time, expansion, run);
  for (LinearContact& c : contacts_) reportContactStateAtTime(c, t, time, orders_, run);
}

void EventContacts::reportStatesToRun(ContactRun& run, LinkRun& links) const noexcept {
  links_.reportStatesToRun(links);
  series_.reportStatesToRun(run);
  for (const LinearContact& c : contacts_) c.reportStateToRun(run);
}

}  // namespace ricochet
