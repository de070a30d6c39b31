// Contacts in long steps (Chebyshev polynomials), whose length the highest mode does not limit.

#include "engine/event/automata/guard_walk.hpp"
#include "engine/event/chebyshev/chebyshev_root.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

bool EventContacts::doContactsAllowLongStep() const noexcept {
  return std::all_of(contacts_.begin(), contacts_.end(), [](const LinearContact& c) {
    return !c.isClosed() ||
           (!(c.canSlipInPlane() && c.isSlipping()) && !c.hasRelaxingSlipSpring() && !c.unloaded);
  });
}

bool EventContacts::hasClosedContact() const noexcept {
  return std::any_of(contacts_.begin(), contacts_.end(), [](const LinearContact& c) { return c.isClosed(); });
}

void EventContacts::setForcesKnownInAdvance(LongStep& step, const TaylorExpansion& expansion) const noexcept {
  for (const LinearContact& c : contacts_) {
    if (!c.isClosed()) continue;
    for (const int channel : {c.normalChannel, c.tangentChannel[0], c.tangentChannel[1]})
      if (channel >= 0) step.setGivenForce(channel, expansion.givenForce(channel));
    for (const int constraint : {c.normalConstraint, c.tangentConstraint[0], c.tangentConstraint[1]})
      if (constraint >= 0) step.setTargetAcceleration(constraint, expansion.targetAcceleration(constraint));
  }
}

namespace {

/// The guard p divided by t^roots, which must be positive at the start. A value p(0) within rounding of zero
/// counts as one root. Empty if the sign at the start is uncertain, because the derivatives of an interpolant
/// at its end are less exact than its values.
std::optional<ChebyshevPolynomial> guardWithoutKnownRoots(std::span<const double> p, int roots,
                                                          double step) noexcept {
  constexpr double kPositive = 1e-10;
  constexpr double kZero = 1e-12;
  constexpr double kRises = 1e-3;
  if (roots == 0) {
    const ChebyshevPolynomial guard(p, step);
    if (p[0] > kPositive * guard.sumOfCoefficientMagnitudes()) return guard;
    if (std::abs(p[0]) > kZero * guard.sumOfCoefficientMagnitudes()) return {};
    roots = 1;
  }
  const std::span<const double> rest = deflatedPolynomial(p, roots);
  const ChebyshevPolynomial guard(rest, step);
  if (!(rest[0] > kRises * guard.sumOfCoefficientMagnitudes())) return {};
  return guard;
}

}  // namespace

Outlook EventContacts::findFirstEventInLongStep(double step) {
  constexpr double kAtOnce = 1e-6;  // part of the step in which a root counts as a root at the start
  LinearGuards guards(*this);
  Outlook outlook{.step = step};
  const auto look = [&](LinearContact& c, GuardSlot slot, std::span<const double> p, const auto& /*noise*/) {
    if (outlook.unclear) return;
    const std::optional<ChebyshevPolynomial> found =
        guardWithoutKnownRoots(p, c.known[static_cast<std::size_t>(slot)], outlook.step);
    outlook.unclear = !found;
    if (!found) return;
    const ChebyshevPolynomial& guard = *found;
    const RootSearch search = guard.firstRoot();
    outlook.unclear = search.found && search.time <= kAtOnce * step;
    if (outlook.unclear || (!search.found && search.time >= outlook.step)) return;
    outlook.endStepAtRoot(c.index, slot, search);
    outlook.fromRoot = c.known[static_cast<std::size_t>(slot)] > 0;
  };
  for (LinearContact& c : contacts_)
    if (!c.cannotClose) guards.visitGuards(c, look);
  return outlook;
}

double EventContacts::timeToRootOfGuard(const Outlook& outlook, const TaylorExpansion& expansion,
                                        double most) {
  const GuardRef guard = *outlook.guard;
  constexpr int kNewton = 5;
  double offset = 0.0;
  LinearContact& contact = linearContact(guard.contact);
  if (!contact.isClosed() && contact.normalRow != nullptr)
    expansion.motionSeriesAlongRow(contact.normalRow, contact.along.first(orders_ + 2));
  LinearGuards guards(*this);
  guards.visitGuards(contact,
                     [&](LinearContact& c, GuardSlot slot, std::span<const double> p, const auto& noiseOf) {
                       if (slot != guard.slot) return;
                       const double touching = kTouching / kNoise * noiseOf(NoiseLevels(expansion, c), 0);
                       if (outlook.fromRoot && std::abs(p[0]) <= touching) return;
                       for (int i = 0; i < kNewton; ++i) {
                         const double slope = slopeAt(p, offset);
                         if (slope == 0.0) break;
                         offset -= polynomialAt(p, offset) / slope;
                       }
                     });
  return std::abs(offset) <= most ? offset : 0.0;
}

}  // namespace ricochet
