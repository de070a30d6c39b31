#pragma once

#include "engine/contact/areas/fields/friction_drop.hpp"
#include "engine/contact/areas/fields/wrench_return.hpp"

#include <cmath>

namespace ricochet::patch {

/// Friction memory of a contact area with elastic stick.
struct StickMemory {
  Wrench<double> wrench{};  ///< wrench at the last accepted instant [N], [N m]
  double slipSpeed{};       ///< mean slip speed v_eq at the last accepted instant [m/s]
  bool slipping{false};
};

/// Result of a trial of the elastic stick of a contact area.
struct StickTrial {
  Wrench<double> wrench{};  ///< wrench on the area [N], [N m]
  StickMemory next{};
  double dissipated{};  ///< energy dissipated in the step, not negative [J]
};

/// Time-stepping form of the friction (sliding and spin) of an axisymmetric patch: elastic stick, return of
/// the trial wrench to the limit surface, static and dynamic coefficient.
///
///     f* = f_a - diag(k_t, k_t, k_phi) dq,   f = f* in stick, else its return at mu N
///
/// f_a is the wrench at the last accepted step, dq the motion since then (du [m], dphi [rad]) at the centre
/// of pressure; both in axes that do not rotate with the spin. A coefficient that depends on v_eq uses v_eq
/// of the last accepted step, with an error of first order in the step, like the law itself. Without spin the
/// law is the radial return of Coulomb friction at a point.
template <AxialKernel Kernel>
struct AxialStick {
  Kernel kernel;
  ElasticBed bed;
  FrictionDrop drop;

  /// Evaluates a step of length h [s] with the normal force N [N] at its end.
  StickTrial computeTrial(const StickMemory& memory, const Twist<double>& dq, double N,
                          double h) const noexcept {
    const WrenchMap<Kernel> map(kernel, bed);
    const Wrench<double> f{memory.wrench.force - scaled(bed.stiffness, dq.sliding),
                           memory.wrench.moment - bed.spinStiffness * dq.spin};
    const double holding = drop.frictionCoefficientOfLimit(memory.slipping, memory.slipSpeed) * N;
    WrenchReturn back = map.returnWrenchToLimitSurface(f, holding);
    if (!back.slips) return {f, {f, 0.0, false}, 0.0};
    const double limit = drop.frictionCoefficientInSlip(memory.slipSpeed) * N;
    if (limit != holding) back = map.returnWrenchToLimitSurface(f, limit);
    const double dissipated = -powerOfFrictionWrench(back.wrench, back.plastic);
    const double slipSpeed = limit > 0.0 ? dissipated / (limit * h) : 0.0;
    return {back.wrench, {back.wrench, slipSpeed, true}, dissipated};
  }

  /// Elastic energy of the springs of the contact area [J].
  double storedEnergy(const StickMemory& memory) const noexcept {
    const Wrench<double>& f = memory.wrench;
    return 0.5 * (dot(f.force, f.force) / bed.stiffness + f.moment * f.moment / bed.spinStiffness);
  }
};

}  // namespace ricochet::patch
