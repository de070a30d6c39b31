#pragma once

#include "engine/transient.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// The event scheme as decks and the manual name it; EventRun runs it.
struct EventScheme {
  static constexpr std::string_view keyword = kEventScheme;
  static constexpr std::string_view title = "Power series between events that are located";
  static constexpr std::string_view formula =
      "q_{k+2} = (f - C v - Omega^2 q)_k / ((k+1)(k+2))     coefficients of q(t) between events\n"
      "a step ends at the first root of a guard, at a breakpoint of a load, or where the tolerance ends it";
  static constexpr std::string_view source =
      "the recurrence is Taylor's method, E. Hairer, S.P. Norsett, G. Wanner, Solving Ordinary Differential "
      "Equations I, section I.8";
  static constexpr std::array<std::string_view, 2> keys{"tolerance", "step_max"};
};

}  // namespace ricochet
