#pragma once

#include "engine/transient/scheme_traits.hpp"
#include "engine/transient/transient.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// Keyword, description and properties of the event scheme for decks and the manual; EventRun computes it.
struct EventScheme {
  static constexpr std::string_view keyword = kEventScheme;
  static constexpr std::string_view title = "Power series between events that are located";
  static constexpr std::string_view formula =
      "q_{k+2} = (f - C v - Omega^2 q)_k / ((k+1)(k+2))     coefficients of q(t) between events\n"
      "a step ends at the first root of a guard, at a breakpoint of a load, or where the tolerance ends it\n"
      "with many modes and few events: F_a = given_a - k_a u_a at Chebyshev points of a long step,\n"
      "u_a = b_a.(free motion) + sum_b integral G_ab(t - s) F_b(s) ds, modes exact";
  static constexpr std::string_view source =
      "the recurrence is Taylor's method, E. Hairer, S.P. Norsett, G. Wanner, Solving Ordinary Differential "
      "Equations I, section I.8";
  static constexpr std::array<std::string_view, 4> keys{"tolerance", "step_max", "propagator", "impact_law"};
  static constexpr SchemeTraits traits{.order = 0,
                                       .adaptive = true,
                                       .implicit = false,
                                       .contacts = ContactForm::series,
                                       .links = true,
                                       .varyingSpin = true,
                                       .direct = false,
                                       .lanes = false,
                                       .forecasts = false,
                                       .exactDrift = true,
                                       .keys = keys};
};

/// Number of modes from which long steps may pay. With fewer modes power series take steps as long, and are
/// more exact for a small part of a model.
inline constexpr Eigen::Index kModesForLongSteps = 30;

/// Reason why a model cannot use long steps (Propagator::chebyshev); empty if the model can.
std::string_view reasonAgainstLongSteps(const ModalModel& model);

}  // namespace ricochet
