#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/accounts/impact_counts.hpp"
#include "engine/contact/impulse/staged_impact.hpp"
#include "engine/event/automata/contact_automaton.hpp"

#include <vector>

namespace ricochet {

/// Impacts of a run of the event scheme, with their counts and energies, and the end of bouncing.
class RigidImpact : public StagedImpact {
 public:
  explicit RigidImpact(ImpactLaw law) : StagedImpact(law) {}

  void begin() noexcept {
    StagedImpact::begin();
    automata_.clear();
  }
  /// Adds a rigid contact with its motion s before the impact. `jumped`: the velocity has jumped, so that a
  /// closed contact may approach too.
  void addImpactingContact(ContactAutomaton& contact, const State& s, bool jumped = false);
  /// True if all contacts approach no faster than in the last of their bounces. Such an impact ends no stick.
  bool doesImpactEndBouncing() const noexcept;

  /// Finds the impulses and changes s.v by them. Returns false, with s unchanged, if no impulses satisfy all
  /// laws, or impacts that gain speed follow each other without end. The restitution is zero if there is no
  /// solution with restitution (jammed bodies), and for contacts whose flights are within rounding.
  bool solveImpact(State& s);
  /// Impact of contacts that touch and do not approach (P. Painleve, C. R. Acad. Sci. 121, 1895): if a slip
  /// has no finite reaction, friction impulses end the slip. Returns false if only zero impulses satisfy the
  /// laws.
  bool solveImpactWithoutCollision(State& s);

  /// Adds work and impulses of the impact to the totals of the contacts and to the energy ledger.
  void recordImpulses(ContactRun& run, EnergyLedger& ledger) const noexcept;

  ImpactCounts& impactCounts() noexcept { return counts_; }
  const ImpactCounts& impactCounts() const noexcept { return counts_; }

 private:
  void countLowBounces(const State& s) noexcept;
  bool endLowBounces() noexcept;
  bool areImpactsCoupled() const noexcept;
  void countImpact(const Vector& v) noexcept;

  ImpactCounts counts_{};
  std::vector<ContactAutomaton*> automata_;  ///< automaton of each striker
  Vector velocity_;                          ///< velocity before the impact [m/s kg^1/2]
};

}  // namespace ricochet
