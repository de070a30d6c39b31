#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/accounts/impact_counts.hpp"
#include "engine/contact/impulse/staged_impact.hpp"
#include "engine/event/automata/contact_automaton.hpp"

#include <vector>

namespace ricochet {

/// Impacts of a run of the event scheme: what they mean for contacts, and how they are counted and booked.
class RigidImpact : public StagedImpact {
 public:
  explicit RigidImpact(ImpactLaw law) : StagedImpact(law) {}

  void begin() noexcept {
    StagedImpact::begin();
    automata_.clear();
  }
  /// Adds a rigid contact in its motion s before the impact.
  void add(ContactAutomaton& contact, const State& s);
  /// Whether all contacts approach no faster than in the last of their bounces. Such an impact ends no stick.
  bool endsBouncing() const noexcept;

  /// Finds the impulses and changes s.v by them. False: there are none that satisfy all laws, or impacts that
  /// gain speed follow each other without end; s is as before. Where restitution leaves no solution (bodies
  /// that jam), the impact has none, nor do contacts whose flights have become too low to tell from touching.
  bool solveImpact(State& s);
  /// Impact of contacts that touch and do not approach (P. Painleve, C. R. Acad. Sci. 121, 1895): where a
  /// slip has no reaction that is finite, impulses of friction end it. False: none but zero satisfy the laws.
  bool solveWithoutCollision(State& s);

  /// Books work and impulses.
  void recordImpulses(ContactRun& run, EnergyLedger& ledger) const noexcept;

  ImpactCounts& impactCounts() noexcept { return counts_; }
  const ImpactCounts& impactCounts() const noexcept { return counts_; }

 private:
  void countLowFlights(const State& s) noexcept;
  bool endLowBounces() noexcept;
  bool areImpactsCoupled() const noexcept;
  void countImpact(const Vector& v) noexcept;

  ImpactCounts counts_{};
  std::vector<ContactAutomaton*> automata_;  ///< of the strikers
  Vector velocity_;                          ///< before the impact, in modal coordinates [m/s kg^1/2]
};

}  // namespace ricochet
