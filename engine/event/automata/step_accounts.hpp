#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/contact_set.hpp"
#include "engine/event/automata/contact_automaton.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>

namespace ricochet {

/// Work, impulse and peak force of a contact over a step, from the series of its motion and force. `C` is the
/// class LinearContact or SeriesContact.

/// Adds the work of a contact from the start of a step to local time t. `c` is in the state at t, `before` is
/// its state at the start.
template <class C>
void addContactWork(C& c, const ContactState& before, double t, std::size_t orders, double& dissipated,
                    EnergyLedger& ledger) noexcept {
  const std::span<const double> force = c.compressionSeries(orders);
  if (c.imposedNormal) {
    ledger.external += workOfForce(force, c.gapSeries(orders), t);
  } else if (c.doesForceDependOnGapRate) {  // the work on a spring is its stored energy
    ledger.damping -= c.state.storedNormal - before.storedNormal;
    if (c.isClosed()) ledger.damping -= workOfForce(force, c.gapSeries(orders), t);
  }
  if (!c.isClosed()) return;
  c.addSupportWork(t, orders, ledger);
  if (!c.hasTraction()) return;
  const bool slips = c.state.friction.slipping;
  const bool dashpot = !slips && c.relaxation > 0.0;
  double done = 0.0;  // work of the traction relative to the surface [J]
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    const std::span<const double> traction = c.tractionSeries(a, orders);
    if (slips || dashpot) done += workOfForce(traction, c.slipPathSeries(a, orders), t);
    if (c.isSurfaceMoving()) ledger.external += workOfForce(traction, c.surfaceMotionSeries(a, orders), t);
  }
  if (c.isTurningSlip())
    c.state.friction.direction = unitVector(c.state.traction, dot(c.state.traction, c.state.traction));
  if (slips) c.moveSlipSpringToTime(t, orders);
  c.state.storedTangential = c.stickEnergy();
  const double lost = -done - (c.state.storedTangential - before.storedTangential);
  if (slips) {
    ledger.friction += lost;
    dissipated += lost;
  } else if (dashpot) {
    ledger.damping += lost;
  }
}

/// Adds the work, impulse and peak force of the last step, and moves the contact to the end of the step.
template <class C>
void acceptStep(C& c, double step, double time, std::size_t orders, ContactRun& run,
                EnergyLedger& ledger) noexcept {
  const ContactState before = c.state;
  if (c.isClosed()) c.largestSlip = std::max(c.largestSlip, c.fastestSlip);
  c.moveStateToTime(step, time, orders);
  ContactTotals& totals = run.totalsOfContact(static_cast<std::size_t>(c.index));
  const double lost = totals.frictionEnergy;
  addContactWork(c, before, step, orders, totals.frictionEnergy, ledger);
  totals.frictionGain += std::max(0.0, lost - totals.frictionEnergy);
  if (!c.isClosed()) return;
  if (c.isSlipping()) c.largestSlip = std::max(c.largestSlip, length(c.state.slipRate));
  const std::span<const double> force = c.compressionSeries(orders);
  totals.impulse += integral(force, step);
  totals.peakForce =
      std::max({totals.peakForce, c.state.compression,
                c.isForcePeakAtStepEnds() ? 0.0 : largestPolynomialValue(force, step, totals.peakForce)});
}

/// Adds the work from the start of the step to local time t to the ledger and to the friction energy of the
/// contact, for output; the state of the contact is unchanged.
template <class C>
void addWorkUpToTime(C& c, double t, double time, std::size_t orders, ContactRun& run,
                     EnergyLedger& ledger) noexcept {
  if (c.state.normal == NormalState::open) return;
  const auto kept = c.motion();
  const ContactState before = c.state;
  c.moveStateToTime(t, time, orders);
  addContactWork(c, before, t, orders, run.totalsOfContact(static_cast<std::size_t>(c.index)).frictionEnergy,
                 ledger);
  c.setMotion(kept);
}

/// Copies the state at local time t of the step to the run, for output; the contact itself is unchanged.
template <class C>
void reportContactStateAtTime(C& c, double t, double time, std::size_t orders, ContactRun& run) noexcept {
  const auto kept = c.motion();
  if (c.state.normal != NormalState::open) c.moveStateToTime(t, time, orders);
  if (c.isClosed() && c.hasTraction() && !c.setValuedStick) {
    if (c.isSlipping()) c.moveSlipSpringToTime(t, orders);
    c.state.storedTangential = c.stickEnergy();
  }
  c.reportStateToRun(run);
  c.setMotion(kept);
}

}  // namespace ricochet
