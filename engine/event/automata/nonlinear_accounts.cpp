// Work, impulses and states of contacts that are not linear, over a step.

#include "engine/event/automata/nonlinear_contacts.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

/// What a contact did over the part of a step that ends at t, to which it has been brought; `before` is its
/// state at the start.
void NonlinearContacts::book(NonlinearContact& c, const ContactState& before, double t, std::size_t orders,
                             double& dissipated, EnergyLedger& ledger) noexcept {
  const std::span<const double> force = c.compression.first(orders);
  if (c.usesGapRate) {
    ledger.damping -= c.state.storedNormal - before.storedNormal;
    if (c.closed()) ledger.damping -= work(force, c.gap.first(orders + 1), t);
  }
  if (!c.closed()) return;
  for (std::size_t i = 0; i < 3 && !c.drift.empty(); ++i)
    ledger.external -= work(c.push[i].first(orders), c.carried[i].first(orders + 1), t);
  if (!c.hasTraction) return;
  const bool slips = c.state.friction.slipping;
  const bool dashpot = !slips && c.relaxation > 0.0;
  double done = 0.0;  // by the traction, against the surface
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    const std::span<const double> traction = c.traction[a].first(orders);
    if (slips || dashpot) done += work(traction, c.path[a].first(orders + 1), t);
    if (c.moves()) ledger.external += work(traction, c.moved[a].first(orders + 1), t);
  }
  if (slips) carrySpring(c, t, orders);
  c.state.storedTangential = c.setValuedStick ? 0.0 : c.storedInStick();
  const double lost = -done - (c.state.storedTangential - before.storedTangential);
  if (slips) {
    ledger.friction += lost;
    dissipated += lost;
  } else if (dashpot) {
    ledger.damping += lost;
  }
}

void NonlinearContacts::accept(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
                               EnergyLedger& ledger) noexcept {
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  for (NonlinearContact& c : contacts_) {
    c.known = {};
    c.forgetInterval();
    if (time + step > time) c.turns = 0;
    if (c.state.normal == NormalState::open) continue;
    const ContactState before = c.state;
    c.bring(step, time, orders);
    ContactTotals& totals = run.totalsOf(static_cast<std::size_t>(c.index));
    book(c, before, step, orders, totals.frictionEnergy, ledger);
    if (c.closed()) {
      totals.impulse += integral(c.compression.first(orders), step);
      totals.peakForce =
          std::max({totals.peakForce, c.state.compression,
                    c.graded ? 0.0 : peakOf(c.compression.first(orders), step, totals.peakForce)});
    }
    c.scale = c.reach * expansion.size(0) + c.contact->offset.norm() +
              std::sqrt(inner(c.followed.drift, c.followed.drift));
    // what decided on a piece of the law is not to decide again as it did
    const bool again = std::abs(c.state.gapRate) * step <= 8.0 * std::abs(c.offsetPastKink);
    c.offsetPastKink =
        c.endsAtKink ? std::copysign(again ? 4.0 * std::abs(c.offsetPastKink) : c.rounding(), c.state.gapRate)
                     : 0.0;
    c.endsAtKink = false;
  }
}

/// The accounts at t in the step, for output: the states stay.
void NonlinearContacts::bookUntil(double t, double time, const TaylorExpansion& expansion,
                                  EnergyLedger& ledger) noexcept {
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  for (NonlinearContact& c : contacts_) {
    if (c.state.normal == NormalState::open) continue;
    const ContactState before = c.state;
    const FollowedState followed = c.followed;
    double dissipated = 0.0;
    c.bring(t, time, orders);
    book(c, before, t, orders, dissipated, ledger);
    c.state = before;
    c.followed = followed;
  }
}

void NonlinearContacts::openAccounts(ContactRun& run) const noexcept {
  for (const NonlinearContact& c : contacts_)
    run.totalsOf(static_cast<std::size_t>(c.index)) = {.impacts = c.closed() ? 1 : 0,
                                                       .impulse = 0.0,
                                                       .frictionEnergy = 0.0,
                                                       .peakForce = c.closed() ? c.state.compression : 0.0};
}

void NonlinearContacts::show(double t, double time, const TaylorExpansion& expansion,
                             ContactRun& run) noexcept {
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  for (NonlinearContact& c : contacts_) {
    const ContactState kept = c.state;
    const FollowedState followed = c.followed;
    if (c.state.normal != NormalState::open) c.bring(t, time, orders);
    if (c.closed() && c.hasTraction && !c.setValuedStick) {
      if (c.slips()) carrySpring(c, t, orders);
      c.state.storedTangential = c.storedInStick();
    }
    put(c, run);
    c.state = kept;
    c.followed = followed;
  }
}

void NonlinearContacts::put(const NonlinearContact& c, ContactRun& run) noexcept {
  run.put(static_cast<std::size_t>(c.index), c.state);
  if (c.contact->isFollowed()) run.put(static_cast<std::size_t>(c.index), c.followed);
}

void NonlinearContacts::put(ContactRun& run) const noexcept {
  for (const NonlinearContact& c : contacts_) put(c, run);
}

}  // namespace ricochet
