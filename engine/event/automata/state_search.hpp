#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"
#include "engine/event/automata/contact_automaton.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ricochet {

/// States that a search may give to the contacts, beside those of its first pass.
struct SearchScope {
  bool drifts{false};   ///< rates that may be drift count as zero too (ContactAutomaton::largestDriftRate)
  bool springs{false};  ///< sticks with a spring may slip, and slips of such contacts stick
  /// In the candidates, closed contacts have no reaction, or slips start along the only free line.
  bool unloads{false};
};

/// Search for the states of all contacts that are at their limit at one instant. On bodies with several
/// contacts each reaction depends on the states of the others: changing one state at a time may cycle without
/// end although one combination of states satisfies all guards.
///
/// Force level, for contacts that touch at rest (g = g' = 0, or s' = 0):
///
///     g'' >= 0 , N >= 0 , one of them zero        s'' = 0 and |T| <= mu_s N , or |T| = mu_d N against s''
///
/// If both quantities of a pair vanish, the next coefficients of their series decide. Candidates are the
/// combinations of open, stick and slip, ordered by the number of contacts that they change; after those that
/// change few, a solution of the force level comes first (`proposeContactStates`). The caller
/// expands the motion for each candidate and examines every guard, order by order. Closed contacts with
/// friction that depend on each other have reactions that are not unique and influence the motion. The
/// reactions of least norm, which the expansion uses, may be negative although others press: in the last
/// candidates, contacts are closed without a reaction, and the other contacts bear their load. If such
/// contacts hold a point except along one line, the traction that holds the point may open them: the point
/// may then slip along this line. Source: F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral
/// Contacts (Wiley, 1996), chapters 5, 6.
class StateSearch {
 public:
  /// Gathers the contacts at their limit at s. Returns false if there are no such contacts, or if `scope`
  /// allows no states that the passes before did not.
  bool gatherContactsForStateSearch(std::span<ContactAutomaton* const> automata, const State& s,
                                    SearchScope scope);

  /// Gathers the contacts at their limit at s for the search for states with fewer changes, if at least two
  /// contacts have changed between stick and slip at this instant, and a traction dropped to mu_d N; else
  /// false. With mu_s > mu_d, several combinations may satisfy all guards: changing one state at a time finds
  /// one that depends on the order of the contacts, and a contact that changed first may no longer need to.
  /// The candidates start from the states before the instant. Each of the next ones changes another contact
  /// whose guard does not hold with the one before (`addCandidatesForFailingGuards`), fewer changes first.
  bool gatherChangedContacts(std::span<ContactAutomaton* const> automata, const State& s);
  /// Adds candidates that change, from the present candidate, one contact whose guard does not hold.
  void addCandidatesForFailingGuards(std::span<const GuardRef> failing);
  /// True if the present candidate of `gatherChangedContacts` has the states before the instant.
  bool isCandidateOfStatesBefore() const noexcept { return next_ == 1; }

  /// Lets slips that start from rest keep mu_s N until they move (FrictionMemory::onStaticCone).
  void startSlipsOnStaticFrictionCone(bool allowed) noexcept { slipsStartOnStaticCone_ = allowed; }

  /// Applies the next candidate states to the contacts; false after the last candidate, when the contacts
  /// have their previous states again.
  bool applyNextCandidateStates();

  /// True once the candidates that change few states were tried: it is time to propose states. False if
  /// no states can be proposed.
  bool isStateProposalDue() const noexcept { return next_ == proposalIndex_; }
  /// Opens all gathered contacts, so that their motion without forces can be computed; false if one cannot
  /// open.
  bool openAllGatheredContacts();
  /// Proposes as next candidate the states of the force level at a moment after s: of all combinations, one
  /// whose accelerations and reactions satisfy the laws together (ImpulseSolver). `later`: motion without the
  /// forces of the contacts at that moment, when loads that begin to exceed limits do so clearly.
  void proposeContactStates(const State& s, const State& later);

  /// Lets contacts stick, by their indices: slips without a slip rate, and open contacts that touch at rest,
  /// which close; or opens those that touch at rest; or lets these slip from rest, under tractions along the
  /// unit vectors `tractions`. All others keep their states. No candidates follow.
  void applyPhaseToContacts(std::span<ContactAutomaton* const> automata, const State& s,
                            std::span<const int> which, Phase wanted,
                            std::span<const Tangential<double>> tractions = {});
  /// Gives the gathered contacts their previous states.
  void restoreStates();

  /// Sets the gathered contacts to stick that can slip in a plane and have no slip rate; false if there are
  /// none.
  bool applyStickStates();

  /// Removes the rates that count as zero with the present candidate from the velocity. Returns false if this
  /// changes the motion by more than drift.
  bool removeDriftRatesFromVelocity(State& s) const;

  /// Contacts whose states the search determines.
  std::span<ContactAutomaton* const> contactsOfStateSearch() const noexcept { return contacts_; }
  /// Energy of the springs of sticks that the present candidate takes from the contact of this index among
  /// `contactsOfStateSearch` [J].
  double releasedSpringEnergy(std::size_t contact) const noexcept {
    return kept_[contact].state.storedTangential - contacts_[contact]->stickEnergy();
  }

 private:
  struct Choice {
    Phase phase{Phase::stick};
    Tangential<double> direction{};  ///< direction of the traction of a slip
    bool fromRest{false};            ///< true: the slip starts without a speed
    bool unloaded{false};            ///< true: closed without a reaction
    bool slidesOnLine{false};        ///< see ContactAutomaton::slidesOnLine
    bool switchesStickSlip{false};   ///< a closed stick with a spring slips, a slip with a spring sticks
    bool isUnloadedOrSlidesOnLine() const noexcept { return unloaded || slidesOnLine; }
  };
  // The choices are open; stick and slip to either side, each with or without reaction.
  static constexpr std::size_t kMostChoices = 7;
  struct Choices {
    std::array<Choice, kMostChoices> list{};
    std::size_t count{0};
    std::size_t present{0};  ///< index of the present state of the contact
    void addStateChoice(const Choice& choice, bool isPresent) {
      if (isPresent) present = count;
      list[count++] = choice;
    }
  };
  struct Kept {
    ContactState state;
    KnownRoots known;
    Phase slipPhase;
    bool tractionDrops, forceGrowsFromZero, openedNow, openedAtZeroForce, openedByForce, unloaded,
        slidesOnLine;
    bool atSurface;  ///< contact at the surface without gap rate
    decltype(ContactAutomaton::balancedReaction) balancedReaction;
    double balancedFor;
  };
  double gatherContactsAtTheirLimits(std::span<ContactAutomaton* const> automata, const State& s,
                                     SearchScope scope);
  static Choices possibleContactStates(ContactAutomaton& c, const State& s, bool atSurface);
  static bool addStickSlipChoiceOfSpring(Choices& choices, const ContactAutomaton& c) noexcept;
  static void addStatesWithoutForce(Choices& choices, bool rigid) noexcept;
  static void switchBetweenStickAndSlip(ContactAutomaton& c) noexcept;
  void applyStateChoice(ContactAutomaton& c, const Choice& choice, bool atSurface) const;
  void restoreState(std::size_t contact);
  std::size_t findStateBefore(std::size_t contact) const noexcept;
  void findCoupledContacts(const State& s);
  std::size_t changeCount(std::span<const std::uint8_t> combination) const noexcept;
  std::size_t leastFurtherChanges(std::span<const std::uint8_t> combination,
                                  std::span<const std::size_t> failing) const;
  void addCandidate(const std::vector<std::uint8_t>& combination);
  static bool isChangeOfGuard(const ContactAutomaton& c, const Choice& choice, GuardSlot slot) noexcept;
  std::vector<std::uint8_t> statesOfSolution(const ImpulseProblem& problem, double slowest) const;
  void listStateCombinations(bool unloads);
  void appendStateCombinations(std::size_t contacts, std::size_t changes, bool unloads, std::size_t most,
                               std::vector<std::uint8_t>& combination);

  std::vector<ContactAutomaton*> contacts_;
  std::vector<Choices> choices_;
  std::vector<Kept> kept_;
  std::vector<std::vector<std::uint8_t>> combinations_;
  std::vector<std::uint8_t> found_;  ///< states that changing one contact at a time has found
  std::vector<std::size_t> groups_;  ///< number of the group of each contact; those of one group are coupled
  std::size_t mostChanges_{0};       ///< largest number of changes that is sought
  std::size_t next_{0};
  std::size_t proposalIndex_{0};  ///< index of the first combination with many changes
  bool hasSprings_{false};        ///< a gathered contact has states of a spring
  double possible_{0.0};          ///< number of all combinations, also of those that are too many to try
  bool slipsStartOnStaticCone_{false};
};

}  // namespace ricochet
