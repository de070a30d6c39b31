#pragma once

#include "engine/contact/areas/area.hpp"
#include "engine/contact/areas/bed_relaxation.hpp"
#include "engine/contact/areas/fields/friction_drop.hpp"
#include "engine/contact/areas/fields/wrench_return.hpp"

#include <cmath>

namespace ricochet {

/// Stick and slip of an axisymmetric area (law B) of unit size; `size` [m] scales the area. f is the wrench,
/// f_a and q_a are its value and the position at the anchor, f_e is the wrench of the springs of the bed, tau
/// the ratio of its damping to its stiffness, q_p the motion of the slider, and mu N X(q_p') the wrench of a
/// slip.
///
///     stick: f = f_a - S (q - q_a + tau q')          q = (position, spin), S = diag(k, k, k <r^2>)
///     slip:  f = mu N X(q_p'), with q_p' = q' + S^-1 f_e'  of the slider and tau f_e' = f - f_e of the
///     springs
///
/// In slip, the wrench is the return of the trial wrench `base - span S q'` (BedRelaxation) to the limit
/// surface of mu N. While a slip continues, its direction follows from the rates at the end of the trial: the
/// error is the error of the scheme plus the deflection of the bed in a step, h f'/S (position increments
/// would give the direction half a step earlier). In stick, and when the trial wrench from the rates lies
/// inside the limit surface, positions relative to the anchor are used: stick does not creep. With dashpots
/// the wrench is continuous: q_p' = 0 where a slip begins and ends. Without dashpots a trial of zero length
/// that continues a slip gives mu N X(q'); so does a slip that begins with the run.
template <patch::AxialKernel Kernel>
class AxialArea {
 public:
  AxialArea(const Kernel& kernel, double stiffness, double meanSquare) noexcept
      : law_{kernel}, bed_{stiffness, stiffness * meanSquare}, map_(kernel, bed_) {}

  AreaTrial computeTrial(const AreaMotion& now, const AreaMemory& from, const patch::FrictionDrop& drop,
                         double size) const noexcept {
    const double holding = drop.frictionCoefficientOfLimit(from.slipping, from.slipSpeed) * now.compression;
    const double sliding = drop.frictionCoefficientInSlip(from.slipSpeed) * now.compression;
    if (from.slipping && now.elapsed == 0.0 && (now.dashpot == 0.0 || now.begins) && isAreaMoving(now))
      return frictionTrialOfZeroStep(now, sliding, size);
    const BedRelaxation bed(now.elapsed, now.dashpot);
    bool byRates = false;
    const patch::WrenchReturn back =
        selectReturnMappingOfWrench(now, from, bed, holding, sliding, size, byRates);
    AreaTrial result;
    result.wrench = {back.wrench.force, size * back.wrench.moment};
    result.next = from;
    result.next.yielding = false;
    result.next.slipping = back.slips;
    result.next.slipSpeed = 0.0;
    if (!back.slips) {
      result.storedEnergy = elasticEnergy(springWrenchInStick(now, from, size));
      return result;
    }
    const patch::Wrench<double> f = springWrenchInSlip(now, from, bed, back.wrench, byRates, size);
    result.storedEnergy = elasticEnergy(f);
    const double span = byRates ? bed.slipRateFactor() : bed.slipIncrementPerSlipRate();
    const double lost = -powerOfFrictionWrench(back.wrench, back.plastic);
    const double speed = span > 0.0 && sliding > 0.0 ? lost / (sliding * span) : from.slipSpeed;
    result.next = {{f.force, size * f.moment}, now.position, now.spin, speed, true, true};
    return result;
  }

  /// Wrench of the area with its derivatives; `sizeSlope` is the derivative of the size by the normal force,
  /// d size/dN [m/N].
  AreaTangent tangentMatrix(const AreaMotion& now, const AreaMemory& from, const patch::FrictionDrop& drop,
                            double size, double sizeSlope) const noexcept {
    const double holding = drop.frictionCoefficientOfLimit(from.slipping, from.slipSpeed) * now.compression;
    const double mu = drop.frictionCoefficientInSlip(from.slipSpeed);
    const double sliding = mu * now.compression;
    const BedRelaxation bed(now.elapsed, now.dashpot);
    bool byRates = false;
    const patch::WrenchReturn back =
        selectReturnMappingOfWrench(now, from, bed, holding, sliding, size, byRates);
    const patch::Wrench<double> held =
        byRates ? trialWrenchFromRates(now, from, bed, size) : trialWrenchFromPositions(now, from, size);
    const auto slopes = map_.tangentMatrix(held, sliding, back);

    AreaTangent result;
    result.wrench = {back.wrench.force, size * back.wrench.moment};
    const double length = byRates ? bed.slipRateFactor() : now.dashpot;  // factor of the rate [s]
    const double angle = (byRates ? 0.0 : now.spin - from.spin) + length * now.spinRate;
    const double moment = (byRates ? bed.trialForceWithoutSlip(from.wrench, now.held) : from.wrench).moment;
    const std::array<double, 3> scale{1.0, 1.0, size};
    const std::array<double, 3> stiffness{bed_.stiffness, bed_.stiffness, bed_.spinStiffness * size};
    const std::array<double, 3> byLimit = wrenchComponents(slopes.byLimit);
    const double byTurn =
        size > 0.0 ? -(moment / (size * size) + bed_.spinStiffness * angle) * sizeSlope : 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        const double slope = -scale[i] * slopes.byTrial[i][j] * stiffness[j];
        result.byPosition[i][j] = byRates ? 0.0 : slope;
        result.byRate[i][j] = length * slope;
      }
      result.byCompression[i] =
          scale[i] * ((back.slips ? mu * byLimit[i] : 0.0) + slopes.byTrial[i][2] * byTurn);
    }
    result.byCompression[2] += sizeSlope * back.wrench.moment;
    return result;
  }

  /// Distance of the wrench of a held slider from the limit surface, over mu N; negative inside.
  double distanceFromLimitSurface(const AreaMotion& now, const AreaMemory& from, double limit,
                                  double size) const noexcept {
    return map_.distanceFromLimitSurface(trialWrenchFromPositions(now, from, size), limit);
  }

  double spinStiffness() const noexcept { return bed_.spinStiffness; }

 private:
  /// True if the area slides or spins.
  static bool isAreaMoving(const AreaMotion& now) noexcept {
    return dot(now.rate, now.rate) > 0.0 || now.spinRate != 0.0;
  }

  // Functions for an area of unit size: moments are divided by the size, angles multiplied by the size.

  static patch::Wrench<double> wrenchPerUnitAreaSize(const patch::Wrench<double>& w, double size) noexcept {
    return {w.force, size > 0.0 ? w.moment / size : 0.0};
  }
  patch::Wrench<double> springWrenchAfterMotion(const patch::Wrench<double>& from,
                                                const Tangential<double>& move, double turn,
                                                double size) const noexcept {
    const patch::Wrench<double> w = wrenchPerUnitAreaSize(from, size);
    return {w.force - scaled(bed_.stiffness, move), w.moment - bed_.spinStiffness * size * turn};
  }
  patch::Wrench<double> springWrenchInStick(const AreaMotion& now, const AreaMemory& from,
                                            double size) const noexcept {
    return springWrenchAfterMotion(from.wrench, now.position - from.position, now.spin - from.spin, size);
  }
  patch::Wrench<double> trialWrenchFromPositions(const AreaMotion& now, const AreaMemory& from,
                                                 double size) const noexcept {
    return springWrenchAfterMotion(from.wrench, now.position - from.position + scaled(now.dashpot, now.rate),
                                   now.spin - from.spin + now.dashpot * now.spinRate, size);
  }
  patch::Wrench<double> trialWrenchFromRates(const AreaMotion& now, const AreaMemory& from,
                                             const BedRelaxation& bed, double size) const noexcept {
    return springWrenchAfterMotion(bed.trialForceWithoutSlip(from.wrench, now.held),
                                   scaled(bed.slipRateFactor(), now.rate),
                                   bed.slipRateFactor() * now.spinRate, size);
  }

  /// Wrench of the springs after a trial that slips under the wrench `whole`.
  patch::Wrench<double> springWrenchInSlip(const AreaMotion& now, const AreaMemory& from,
                                           const BedRelaxation& bed, const patch::Wrench<double>& whole,
                                           bool byRates, double size) const noexcept {
    if (byRates)
      return bed.springForceInSlip(wrenchPerUnitAreaSize(from.wrench, size),
                                   wrenchPerUnitAreaSize(now.held, size), whole);
    return bed.springForceAtSlipStart(springWrenchInStick(now, from, size),
                                      trialWrenchFromPositions(now, from, size), whole);
  }

  patch::WrenchReturn projectOntoLimitSurface(const patch::Wrench<double>& trial, double holding,
                                              double sliding,
                                              const patch::Twist<double>* along = nullptr) const noexcept {
    const patch::WrenchReturn back = map_.returnWrenchToLimitSurface(trial, holding, along);
    return back.slips && sliding != holding ? map_.returnWrenchToLimitSurface(trial, sliding, along) : back;
  }
  patch::WrenchReturn selectReturnMappingOfWrench(const AreaMotion& now, const AreaMemory& from,
                                                  const BedRelaxation& bed, double holding, double sliding,
                                                  double size, bool& byRates) const noexcept {
    byRates = from.slipping && bed.slipRateFactor() > 0.0;
    if (byRates) {
      const patch::Twist<double> along{now.rate, size * now.spinRate};
      const patch::WrenchReturn back =
          projectOntoLimitSurface(trialWrenchFromRates(now, from, bed, size), holding, sliding, &along);
      if (back.slips) return back;
      byRates = false;
    }
    return projectOntoLimitSurface(trialWrenchFromPositions(now, from, size), holding, sliding);
  }

  AreaTrial frictionTrialOfZeroStep(const AreaMotion& now, double limit, double size) const noexcept {
    const patch::Twist<double> q{now.rate, size * now.spinRate};
    const patch::Wrench<double> w = law_.wrench(q);
    const patch::Wrench<double> unit{scaled(limit, w.force), limit * w.moment};
    const patch::Wrench<double> whole{unit.force, size * unit.moment};
    return {whole,
            {whole, now.position, now.spin, -powerOfFrictionWrench(w, q), true, true},
            elasticEnergy(unit)};
  }
  double elasticEnergy(const patch::Wrench<double>& f) const noexcept {
    return 0.5 * (dot(f.force, f.force) / bed_.stiffness + f.moment * f.moment / bed_.spinStiffness);
  }

  patch::Axial<Kernel> law_;
  patch::ElasticBed bed_;
  patch::WrenchMap<Kernel> map_;
};

}  // namespace ricochet
