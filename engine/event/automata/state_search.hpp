#pragma once

#include "engine/event/automata/contact_automaton.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace ricochet {

/// Search for the states of all contacts that are at their limit at one instant. On bodies with several
/// contacts each reaction depends on the states of the others: changing one state at a time may cycle without
/// end although one combination of states satisfies all guards.
///
/// Force level, for contacts that touch at rest (g = g' = 0, or s' = 0):
///
///     g'' >= 0 , N >= 0 , one of them zero        s'' = 0 and |T| <= mu_s N , or |T| = mu_d N against s''
///
/// and where both members of a pair vanish, the next coefficients of their series decide. Candidates are the
/// combinations of open, stick and slip, ordered by the number of contacts that they change; the caller
/// expands the motion for each candidate and examines every guard, order by order.
/// Closed contacts that depend on each other and rub have reactions that are not unique and decide the
/// motion. Those of least norm, which the expansion takes, may pull although others press: the last
/// candidates leave contacts closed without a reaction, whose share the others bear. Where such contacts hold
/// a point but for one line, the traction with which it rests may lift them: there it may slide. Source: F.
/// Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral Contacts (Wiley, 1996), chapters 5, 6.
class StateSearch {
 public:
  /// Gathers the contacts at their limit at s. `drifts`: rates that may be drift count as zero too
  /// (ContactAutomaton::largestDriftRate). `unloads`: the candidates are those that leave closed contacts
  /// without a reaction, or let slips start along the only free line. False where there are none, or more
  /// combinations than can be tried, or where drift makes no difference.
  bool gatherSoughtContacts(std::span<ContactAutomaton* const> automata, const State& s, bool drifts,
                            bool unloads = false);

  /// Puts the next candidate into the automata; false after the last one, which restores their states.
  bool applyNextCandidate();

  /// Lets the gathered contacts stick that can slide in a plane and have no slip rate; false if there are
  /// none.
  bool applySticks();

  /// Takes out of the velocity the rates that count as zero with the present candidate. False if that changes
  /// the motion by more than drift.
  bool removeDrift(State& s) const;

  /// Contacts whose states are sought.
  std::span<ContactAutomaton* const> soughtContacts() const noexcept { return contacts_; }

 private:
  struct Choice {
    Phase phase{Phase::stick};
    Tangential<double> direction{};  ///< of the traction of a slip
    bool fromRest{false};            ///< the slip starts without a speed
    bool unloaded{false};            ///< closed without a reaction
    bool slidesOnLine{false};        ///< ContactAutomaton::slidesOnLine
    bool isUnloadedOrOnLine() const noexcept { return unloaded || slidesOnLine; }
  };
  static constexpr std::size_t kMostChoices = 7;  // open; stick, slip to either side, with N or without
  struct Choices {
    std::array<Choice, kMostChoices> list{};
    std::size_t count{0};
    std::size_t present{0};  ///< the one that the contact is in
    void add(const Choice& choice, bool isPresent) {
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
    bool atSurface;  ///< neither arrives at its obstacle nor leaves
  };
  static Choices possibleStatesOf(ContactAutomaton& c, const State& s, bool atSurface);
  static void addUnloadedStates(Choices& choices, bool rigid) noexcept;
  static void applyChoice(ContactAutomaton& c, const Choice& choice, bool atSurface);
  void restoreState(std::size_t contact);
  void listCombinations(bool unloads);

  std::vector<ContactAutomaton*> contacts_;
  std::vector<Choices> choices_;
  std::vector<Kept> kept_;
  std::vector<std::vector<std::uint8_t>> combinations_;
  std::size_t next_{0};
};

}  // namespace ricochet
