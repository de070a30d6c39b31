#pragma once

#include "engine/contact/laws/frictionless.hpp"
#include "engine/contact/laws/patch_keys.hpp"

#include <optional>

namespace ricochet {

/// Friction of a contact area that slides and spins: the entry in the list of friction laws. PatchLaw of the
/// contact computes force and moment; this law has no traction at a point, which the schemes event and moreau
/// need.
struct PatchFriction : Frictionless {
  static constexpr std::string_view keyword = "patch";
  static constexpr std::string_view title = "Friction of a contact area that slides and spins";
  static constexpr std::string_view formula =
      "F = -mu int sigma v/|v|,   M = -mu int sigma p x v/|v|,   v(p) = V + omega z x p\n"
      "\n"
      "p          place in the area, from its centre of pressure [m]\n"
      "sigma      pressure [Pa], with the integral N\n"
      "V, omega   slip rate [m/s] and spin rate [rad/s]\n"
      "F, M       force [N] and moment [N m] on the area\n"
      "`model` takes the integrals or an approximation of them; `ricochet patch` compares these.\n"
      "Stick is elastic: a bed of stiffness k_t per unit of area, and the wrench returns to the limit "
      "surface.\n"
      "The coefficient falls from mu_s to mu_d over `drop_speed`.\n"
      "The obstacle is flat and at rest: it takes no `surface_velocity`, `surface_spin` or `carried_by`,\n"
      "and the contact no `rolling_radius` and no `beam` to travel along.";
  static constexpr std::string_view source =
      "S. Goyal, A. Ruina, J. Papadopoulos, Wear 143 (1991) 307-330; V.F. Zhuravlev, J. Appl. Math. Mech. 62 "
      "(1998) 705-710";
  static constexpr bool kChosenByKeys = false;
  static constexpr FrictionTraits traits{.traction = true,
                                         .coefficients = true,
                                         .setValued = false,
                                         .dashpot = true,
                                         .coneStick = false,
                                         .ofArea = true,
                                         .asksRate = false,
                                         .ofSpeed = false,
                                         .opensSlipping = false,
                                         .anchorsPlace = false,
                                         .numbersOnly = false,
                                         .branchesBySteps = false,
                                         .lanes = false,
                                         .noSeries = "a patch, whose points stick and slip one by one",
                                         .noImpulse = "a patch, whose points stick and slip one by one"};

  double muStatic{0.0};
  double muDynamic{0.0};
  double dropSpeed{0.0};
  double stiffness{0.0};
  double damping{0.0};

  static constexpr auto numericParameters() {
    using F = Field<PatchFriction>;
    return std::array{
        F{"static", &PatchFriction::muStatic, "-", 0.0, 0.3, "static coefficient mu_s", Need::required},
        F{"dynamic", &PatchFriction::muDynamic, "-", 0.0, 0.2, "dynamic coefficient mu_d", Need::required},
        F{"drop_speed", &PatchFriction::dropSpeed, "m/s", 0.0, 0.1, "speed over which mu falls"},
        F{"stiffness", &PatchFriction::stiffness, "N/m", 0.0, 1.0e5, "stick stiffness k_t", Need::positive},
        F{"damping", &PatchFriction::damping, "N s/m", 0.0, 50.0, "stick damping c_t"}};
  }
  static constexpr auto deckKeys() { return patch_keys::kAll; }

  bool bearsTraction() const noexcept { return muStatic > 0.0 || muDynamic > 0.0; }
  double contactStiffness() const noexcept { return stiffness; }
  double contactDamping() const noexcept { return damping; }
  /// No law of the list of friction laws equals this law in series with a spring.
  std::nullopt_t lawWithSpringInSeries(double) const noexcept { return std::nullopt; }
};

}  // namespace ricochet
