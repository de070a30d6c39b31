#pragma once

namespace ricochet {

/// Rayleigh damping C = a M + b K: a [1/s], b [s].
struct RayleighDamping {
  double mass{0.0};
  double stiffness{0.0};
};

}  // namespace ricochet
