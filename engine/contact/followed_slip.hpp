#pragma once

#include "engine/contact/followed.hpp"
#include "engine/contact/try_contact.hpp"

#include <type_traits>
#include <variant>

namespace ricochet {

/// Components of a vector v along both tangents.
template <class Real>
Tangential<Real> tangentialComponents(const ContactFrame<Real>& frame, const Local<Real>& v) noexcept {
  return {innerProduct(frame.first, v), innerProduct(frame.second, v)};
}

/// Values of a vector (frame) of dual numbers, without their derivatives.
template <class Real>
Local<double> valuesWithoutDerivatives(const Local<Real>& x) noexcept {
  return {valueOf(x[0]), valueOf(x[1]), valueOf(x[2])};
}
template <class Real>
ContactFrame<double> valuesWithoutDerivatives(const ContactFrame<Real>& frame) noexcept {
  return {valuesWithoutDerivatives(frame.normal), valuesWithoutDerivatives(frame.first),
          valuesWithoutDerivatives(frame.second)};
}

/// Position, velocity and frame of a followed contact. `roll`: rolling radius times rotation of a body that
/// rolls [m], and its rate.
template <class Real>
struct FollowedPlace {
  Local<Real> place{}, velocity{};
  ContactFrame<Real> frame{};
  AxisMotionOf<Real> roll{};
};

/// Velocity of an obstacle's surface along the tangents [m/s], and its displacement since the accepted state
/// [m].
struct SurfaceMotion {
  Tangential<double> rate{}, travel{};
};

/// Position and velocity of a contact point in the middle of a step of h [s], on the cubic through those of
/// its ends.
struct MiddleOfPath {
  Local<double> place{}, velocity{};
  MiddleOfPath(const Local<double>& place0, const Local<double>& velocity0, const Local<double>& place1,
               const Local<double>& velocity1, double h) noexcept {
    for (std::size_t a = 0; a < 3; ++a) {
      place[a] = 0.5 * (place0[a] + place1[a]) + 0.125 * h * (velocity0[a] - velocity1[a]);
      velocity[a] = 1.5 / h * (place1[a] - place0[a]) - 0.25 * (velocity0[a] + velocity1[a]);
    }
  }
};

/// Path over a step of h [s] from the slip rates at its start, its middle and its end, by Simpson's rule: of
/// fourth order, where `slipPathAlongSurface` is of second order.
inline Tangential<double> slipPathFromSlipRates(const Tangential<double>& first,
                                                const Tangential<double>& middle,
                                                const Tangential<double>& last, double h) noexcept {
  return scaled(h / 6.0, first + scaled(4.0, middle) + last);
}

/// Slip of a followed contact: the path of the contact point along the surface (`slipPathAlongSurface`),
/// minus the displacement of the surface, minus the rolling of the body, times Contact::tangentScale.
/// `before` belongs to the accepted state `from`, `elapsed` [s] before the instant t.
template <class Real>
SlipMotion<Real> slipOfFollowedContact(const Contact& contact, const ContactState& from,
                                       const FollowedState& before, const FollowedPlace<Real>& at, double t,
                                       double elapsed, SurfaceMotion& surface) noexcept {
  const ContactFrame<double> here = valuesWithoutDerivatives(at.frame);
  const double share = rollingSlipFactor(here);
  surface = {};
  if (!contact.surface.empty() || !contact.surfaceSpin.empty())
    surface.rate = tangentialComponents(
        here, surfaceVelocity(contact, t, valuesWithoutDerivatives(at.place), here.normal, elapsed));
  const Tangential<double>& scale = contact.tangentScale;
  SlipMotion<Real> slip{tangentialComponents(at.frame, at.place),
                        tangentialComponents(at.frame, at.velocity) - convertToConstants<Real>(surface.rate)};
  slip.rate.first = slip.rate.first - share * at.roll.rate;
  slip.rate = {scale.first * slip.rate.first, scale.second * slip.rate.second};
  if (!from.isClosed()) {
    slip.path = {scale.first * slip.path.first, scale.second * slip.path.second};
    return slip;
  }
  surface.travel = scaled(0.5 * elapsed, before.surfaceRate + surface.rate);
  const Real rolled = 0.5 * (share + rollingSlipFactor(before.frame)) * (at.roll.position - before.roll);
  const auto against = [&](Tangential<Real> way) {  // path relative to the surface and the rolling body
    way = way - convertToConstants<Real>(surface.travel);
    way.first = way.first - rolled;
    return Tangential<Real>{scale.first * way.first, scale.second * way.second};
  };
  // the path is the chord from the anchor along the present tangents
  if (traitsOf(contact.friction).anchorsPlace) {
    Local<Real> chord;
    for (std::size_t a = 0; a < 3; ++a) chord[a] = at.place[a] - before.anchor[a];
    slip.path = convertToConstants<Real>(from.friction.anchorPosition) +
                against(tangentialComponents(at.frame, chord));
    return slip;
  }
  slip.path = convertToConstants<Real>(from.position) +
              against(slipPathAlongSurface(tangentKind(contact.obstacle), before.frame, before.place,
                                           at.frame, at.place));
  return slip;
}

}  // namespace ricochet
