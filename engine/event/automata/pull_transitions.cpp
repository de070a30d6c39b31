// Friction of a contact whose dashpot may pull: friction ends where N becomes negative and begins again where
// N becomes positive.

#include "engine/event/automata/contact_transitions.hpp"

#include <cmath>

namespace ricochet {

void ContactTransitions::addFrictionEnergy(const ContactAutomaton& c, ContactRun& run, EnergyLedger& ledger,
                                           double energy) noexcept {
  ledger.friction += energy;
  run.totalsOf(static_cast<std::size_t>(c.index)).frictionEnergy += energy;
}

/// Ends friction where N becomes negative: the contact then slips freely. The spring of a damped stick
/// relaxes by its dashpot, T_e' = -kappa T_e. The ledger receives the whole energy of the spring here;
/// `endTension` subtracts the remaining energy again.
void ContactTransitions::startTension(ContactAutomaton& c, double t, ContactRun& run, EnergyLedger& ledger) {
  if (!c.state.friction.slipping) recordEvent(c, EventKind::stickToSlip, t);
  const FrictionMemory<double> memory = c.state.friction;
  if (c.relaxation > 0.0) c.enterFrictionState(FrictionState::slip, c.frictionKinematics(), memory);
  c.springAtPull = c.relaxation > 0.0 ? c.state.friction.anchorForce : Tangential<double>{};
  c.state.friction = memory;
  const double compression = c.state.compression;
  releaseContact(c, run, ledger);
  c.state.compression = compression;
  c.state.friction.slipping = c.pulls = true;
  c.pulledAt = t;
  clearFrictionRoots(c.known);
  c.knownRootCount(GuardSlot::pull) = 1;
}

/// Starts friction where N becomes positive again, as for a contact that closes.
void ContactTransitions::endTension(ContactAutomaton& c, bool jumped, const State& s, ContactRun& run,
                                    EnergyLedger& ledger) {
  c.pulls = false;
  attachFrictionSpring(c, s, !jumped);
  if (length(c.springAtPull) > 0.0) {
    FrictionMemory<double> memory = c.state.friction;
    memory.anchorForce = scaled(std::exp(-c.relaxation * (s.time - c.pulledAt)), c.springAtPull);
    c.enterFrictionState(FrictionState::slip, c.frictionKinematics(), memory);
    c.state.storedTangential = c.stickEnergy();
    addFrictionEnergy(c, run, ledger, -c.state.storedTangential);
  }
  if (!c.state.friction.slipping) recordEvent(c, EventKind::slipToStick, s.time);
  if (jumped) return;
  c.knownRootCount(GuardSlot::pull) = 1;
  if (c.isSpringUnloaded()) c.knownRootCount(GuardSlot::ahead) = c.knownRootCount(GuardSlot::back) = 1;
}

}  // namespace ricochet
