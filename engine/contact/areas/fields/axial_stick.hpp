#pragma once

#include "engine/contact/areas/fields/friction_drop.hpp"
#include "engine/contact/areas/fields/wrench_return.hpp"

#include <cmath>

namespace ricochet::patch {

/// What a contact area remembers of its friction.
struct StickMemory {
  Wrench<double> wrench{};  ///< carried at the last accepted instant [N], [N m]
  double slipSpeed{};       ///< v_eq there [m/s]
  bool slipping{false};
};

struct StickTrial {
  Wrench<double> wrench{};  ///< on the area [N], [N m]
  StickMemory next{};
  double dissipated{};  ///< of the step [J], not negative
};

/// Time-stepping form of combined friction of an axial patch: elastic stick, return to the limit surface,
/// static and dynamic coefficient.
///
///     f* = f_a - diag(k_t, k_t, k_phi) dq,   f = f* if it is held, else its return at mu N
///
/// f_a the wrench at the last accepted step, dq the motion since (du [m], dphi [rad]) at the centre of
/// pressure, both in axes that do not turn with the spin. A drop over a speed takes v_eq of the last accepted
/// step: first order, as the step is. Without a spin it is the radial return of point Coulomb friction.
template <AxialKernel Kernel>
struct AxialStick {
  Kernel kernel;
  ElasticBed bed;
  FrictionDrop drop;

  /// N [N] at the end of the step, its length h [s].
  StickTrial trial(const StickMemory& memory, const Twist<double>& dq, double N, double h) const noexcept {
    const WrenchMap<Kernel> map(kernel, bed);
    const Wrench<double> f{memory.wrench.force - scaled(bed.stiffness, dq.sliding),
                           memory.wrench.moment - bed.spinStiffness * dq.spin};
    const double holding = drop.holding(memory.slipping, memory.slipSpeed) * N;
    WrenchReturn back = map.apply(f, holding);
    if (!back.slips) return {f, {f, 0.0, false}, 0.0};
    const double limit = drop.sliding(memory.slipSpeed) * N;
    if (limit != holding) back = map.apply(f, limit);
    const double dissipated = -power(back.wrench, back.plastic);
    const double slipSpeed = limit > 0.0 ? dissipated / (limit * h) : 0.0;
    return {back.wrench, {back.wrench, slipSpeed, true}, dissipated};
  }

  /// Energy of the springs [J].
  double stored(const StickMemory& memory) const noexcept {
    const Wrench<double>& f = memory.wrench;
    return 0.5 * (dot(f.force, f.force) / bed.stiffness + f.moment * f.moment / bed.spinStiffness);
  }
};

}  // namespace ricochet::patch
