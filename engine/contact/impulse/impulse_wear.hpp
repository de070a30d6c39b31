#pragma once

#include "engine/contact/contact.hpp"

#include <cmath>

namespace ricochet {

/// Impulse of a contact and the work of its friction. Tangential vectors are those of the friction law
/// (Contact::tangentScale).
struct RubbingImpulse {
  double coefficient{0.0};        ///< friction coefficient mu, one during the impulse [-]
  double normal{0.0};             ///< normal impulse [N s]
  Tangential<double> friction{};  ///< friction impulse [N s]
  Tangential<double> slipRate{};  ///< slip rate after the impulse [m/s]
  double lost{0.0};               ///< work taken by the friction impulse [J]
};

/// Slip speed |s'| of a contact whose friction law sees the slip rate z' [m/s].
inline double slipSpeedOf(const Contact& contact, const Tangential<double>& z) noexcept {
  const auto unscaled = [](double rate, double scale) { return scale == 0.0 ? 0.0 : rate / scale; };
  return std::hypot(unscaled(z.first, contact.tangentScale.first),
                    unscaled(z.second, contact.tangentScale.second));
}

/// Wear work of an impulse, the integral of N |s'| over it [J]. While the contact slips, friction takes
/// mu N |z'| and opposes z'; without friction the slip rate does not change.
inline double wearWorkOfImpulse(const Contact& contact, const RubbingImpulse& p) noexcept {
  if (p.coefficient == 0.0) return p.normal * slipSpeedOf(contact, p.slipRate);
  const double size = std::hypot(p.friction.first, p.friction.second);
  return size > 0.0 ? p.lost / p.coefficient * (slipSpeedOf(contact, p.friction) / size) : 0.0;
}

}  // namespace ricochet
