#pragma once

#include "engine/numerics/description.hpp"

#include <array>

namespace ricochet {

/// Keys of a deck that not all schemes take: each scheme names its own in `keys`.
inline constexpr std::array kSchemeKeys{
    DeckKey::of("beta", "-", "0.25", "share of the acceleration at the end in the displacement")
        .allows("0 to 1")
        .otherwise("0.25"),
    DeckKey::of("gamma", "-", "0.5", "share of the acceleration at the end in the velocity")
        .allows("0.5 to 1")
        .otherwise("0.5"),
    DeckKey::of("alpha", "-", "-0.05", "by how much the balance of forces is shifted back")
        .allows("-1/3 to 0")
        .otherwise("-0.05"),
    DeckKey::of("tolerance", "-", "{ absolute = 1e-12, relative = 1e-8 }",
                "error allowed per step, in the energy norm [J^1/2] and of its largest so far [-]")
        .otherwise("absolute 1e-12, relative 1e-8; event: 0, 1e-12"),
    DeckKey::of("step_min", "s", "1e-9", "shortest step").allows("> 0").otherwise("1e-14 of the duration"),
    DeckKey::of("step_max", "s", "1e-3", "longest step")
        .allows("> 0")
        .otherwise("the duration; adaptive_central: a twentieth of the shortest period, 0.9 of the "
                   "limit of central_difference"),
    DeckKey::of("propagator", "-", "\"chebyshev\"",
                "from event to event by power series of all modes, or by exact modes and contact "
                "forces as Chebyshev polynomials")
        .allows("taylor, chebyshev")
        .otherwise("chosen as the run goes")};

/// What carries the event scheme from event to event: power series of all modes, whose step omega_max limits,
/// or exact modes with contact forces as Chebyshev polynomials; `automatic` chooses as the run goes.
enum class Propagator { automatic, taylor, chebyshev };

/// Parameters of the schemes; each scheme reads those it names in `keys`.
struct SchemeOptions {
  double beta{0.25};    ///< newmark [-]
  double gamma{0.5};    ///< newmark [-]
  double alpha{-0.05};  ///< hht [-], in [-1/3, 0]
  // local error allowed per step, in the energy norm sqrt(|v|^2 + |omega q|^2)
  double absoluteTolerance{1e-12};  ///< [J^1/2]
  double relativeTolerance{1e-8};   ///< [-], of the largest norm so far
  // the same for event, which is exact otherwise; its step follows from it
  double eventAbsoluteTolerance{0.0};    ///< [J^1/2]
  double eventRelativeTolerance{1e-12};  ///< [-]
  Propagator propagator{Propagator::automatic};
  double stepMin{0.0};  ///< [s]; 0: a tiny fraction of the run
  double stepMax{0.0};  ///< [s]; 0: nothing, or what the scheme says
};

}  // namespace ricochet
