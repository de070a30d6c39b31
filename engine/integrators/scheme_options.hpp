#pragma once

namespace ricochet {

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
  double stepMin{0.0};                   ///< [s]; 0: a tiny fraction of the run
  double stepMax{0.0};                   ///< [s]; 0: nothing, or what the scheme says
};

}  // namespace ricochet
