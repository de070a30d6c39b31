#include "engine/study/supports.hpp"

#include "engine/contact/contact.hpp"
#include "engine/contact/followed.hpp"

#include <algorithm>

namespace ricochet {
namespace {

/// Reason why a scheme that solves for the impulses of a step does not support a contact; empty if the scheme
/// supports it. A moving contact point is no such reason, because its frame is computed in every step.
std::string_view reasonAgainstImpulseSolution(const SchemeTraits& scheme, const Contact& contact) {
  const std::string_view why = reasonAgainstScheme(scheme, traitsOf(contact.friction));
  return why.empty() ? reasonAgainstScheme(scheme, traitsOf(contact.normal)) : why;
}

/// Reason why the force of a contact is not a linear function of the motion between events; empty if it is
/// linear.
std::string_view reasonAgainstLinearForce(const Contact& contact) {
  if (isCurved(contact.obstacle)) return "a curved obstacle";
  if (traitsOf(contact.normal).form != ForceForm::linear) return "a normal law that is not linear";
  if (!contact.surfaceSpin.empty()) return "a surface that spins";
  if (!contact.drift.empty()) return "supports that move";
  if (contact.isRolling()) return "a body that rolls";
  if (traitsOf(contact.friction).ofSpeed) return "friction that depends on the slip speed";
  return {};
}

/// True if a coefficient of friction of an elastic stick exceeds the one at rest.
bool doesFrictionExceedThatAtRest(const Contact& contact) {
  const SpeedTable* table = frictionSpeedTableOrNull(contact.friction);
  return table != nullptr && !traitsOf(contact.friction).setValued &&
         std::ranges::max(table->coefficient) > table->coefficient.front();
}

/// Reason why a scheme does not follow an elastic stick whose coefficient rises with the slip speed. The
/// stick ends at mu(0) N, below the traction of the slip that begins. A step finds that traction from the
/// rate of the node, not of the slider, and without a dashpot it would push the slider back and create
/// energy. Event follows the slider without a dashpot; with one its guards leave the tractions from mu(0) N
/// to mu(v) N out.
std::string_view reasonAgainstRisingCoefficient(const SchemeTraits& scheme, const Contact& contact) {
  if (!doesFrictionExceedThatAtRest(contact)) return {};
  const bool hasDashpot = stiffnessAndDampingOfClosedContact(contact).stickDamping > 0.0;
  if (scheme.contacts == ContactForm::series && hasDashpot)
    return "a damped elastic stick whose coefficient rises above the one at rest";
  if (scheme.contacts != ContactForm::series && !hasDashpot)
    return "an elastic stick without `damping` whose coefficient rises above the one at rest";
  return {};
}

/// Reason why a nonlinear contact force has no power series between events; empty if it has a power series.
std::string_view reasonAgainstPowerSeries(const Contact& contact) {
  if (const AnyCurvedObstacle* curved = curvedObstacleOrNull(contact.obstacle)) {
    const CurvedTraits& shape = traitsOf(*curved);
    if (!shape.onlyBySteps.value.empty()) return shape.onlyBySteps;
    const RoundGuard guard = polynomialGapGuardOf(contact.obstacle);
    if (!guard.isValid())
      return guard.ringRadius > 0.0 ? "a torus whose tube reaches the axis of its ring"
                                    : "a circle without a gap";
  }
  if (const SpeedTable* table = frictionSpeedTableOrNull(contact.friction);
      table && canSlipInPlane(contact)) {
    if (!traitsOf(contact.friction).setValued)
      return "elastic friction in two directions that depends on the slip speed";
    if (table->bearsTraction() && table->coefficient.front() == 0.0)
      return "friction in two directions whose coefficient is 0 at rest";
  }
  const bool hasForms =
      traitsOf(contact.friction).setValued && traitsOf(contact.normal).form == ForceForm::linear;
  if (traitsOf(contact.friction).traction && !hasForms && canSlipInPlane(contact))
    return traitsOf(contact.friction).setValued
               ? "friction in two directions beside a normal force that is not linear"
               : "elastic friction in two directions where the surface curves or moves, a body rolls or the "
                 "normal force is not linear";
  return {};
}

}  // namespace

const SchemeTraits* schemeTraits(std::string_view keyword) {
  const SchemeTraits* found = nullptr;
  Schemes::forEach([&]<class S>() {
    if (keyword == S::keyword) found = &S::traits;
  });
  return found;
}

std::string_view reasonAgainstScheme(const SchemeTraits& scheme, const NormalTraits& law) {
  switch (scheme.contacts) {
    case ContactForm::trial:
      return law.setValued ? "a rigid contact" : "";
    case ContactForm::impulse:
      return law.form == ForceForm::none ? "a normal law without a mean over a step" : "";
    case ContactForm::series:
      return law.form == ForceForm::none ? "a normal law without a series" : "";
  }
  return {};
}

std::string_view reasonAgainstScheme(const SchemeTraits& scheme, const FrictionTraits& law) {
  switch (scheme.contacts) {
    case ContactForm::trial:
      return law.setValued ? "true stick" : "";
    case ContactForm::impulse:
      return law.noImpulse;
    case ContactForm::series:
      return law.noSeries;
  }
  return {};
}

std::string_view reasonAgainstScheme(const SchemeTraits& scheme, const Contact& contact) {
  if (const std::string_view why = reasonAgainstRisingCoefficient(scheme, contact); !why.empty()) return why;
  if (contact.isTravelling() && scheme.contacts != ContactForm::trial)
    return "a contact that travels along a beam";
  if (contact.coupled && scheme.contacts != ContactForm::trial)
    return "a contact on a part without mass whose forces are solved together with its displacement";
  const NormalTraits& normal = traitsOf(contact.normal);
  if (scheme.contacts == ContactForm::trial) {
    const std::string_view why = reasonAgainstScheme(scheme, normal);
    return why.empty() ? reasonAgainstScheme(scheme, traitsOf(contact.friction)) : why;
  }
  if (scheme.contacts == ContactForm::impulse) return reasonAgainstImpulseSolution(scheme, contact);
  if (const std::string_view why = reasonAgainstScheme(scheme, traitsOf(contact.friction)); !why.empty())
    return why;
  const std::string_view bent = reasonAgainstLinearForce(contact);
  if (bent.empty()) return {};
  if (normal.imposed) return isCurved(contact.obstacle) ? bent : reasonAgainstPowerSeries(contact);
  const std::string_view why = reasonAgainstScheme(scheme, normal);
  return why.empty() ? reasonAgainstPowerSeries(contact) : why;
}

std::string_view reasonAgainstScheme(const SchemeTraits& scheme, const AnyLinkLaw& law) {
  if (!scheme.links) return "links";
  if (scheme.contacts != ContactForm::series) return {};
  return std::visit([](const auto& each) -> std::string_view { return each.reasonAgainstPowerSeriesOfLaw(); },
                    law);
}

}  // namespace ricochet
