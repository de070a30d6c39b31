#pragma once

#include "verification/cross_check/oracle.hpp"
#include "verification/cross_check/rigid_system.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace ricochet::cross {

/// Motion of the oracle with its sensitivity to rounding. Tolerances grow with the difference of further runs
/// of the oracle: one starts 1e-12 (of the scales of length and speed) away, others use larger and smaller
/// limits below which gaps and speeds are zero. A motion that depends on such changes is compared only up to
/// the instant at which this dependence begins.
class Reference {
 public:
  /// Smaller limits for zero gaps and speeds, down to the limits of event: an impact of a contact that has
  /// just opened is a separate impact. Early in a long run, event resolves gaps that are rounding at its end.
  static constexpr std::array kFiner{
      OracleVariant{.factor = 1.0 / 16.0}, OracleVariant{.factor = 1.0 / 256.0},
      OracleVariant{.factor = 1.0 / 4096.0}, OracleVariant{.factor = 1.0 / 4096.0, .seesPlaces = true}};
  /// Effort of the reference.
  struct Effort {
    int parts{OracleVariant{}.parts};  ///< interval of the checks of uniqueness, see OracleVariant
    std::uint64_t samples{1};          ///< number of runs with changed starts
    std::vector<double> judgeAt{};     ///< further instants of the checks, see OracleVariant
  };
  Reference() = default;
  Reference(const RigidSystem& system, const std::vector<double>& instants, const Effort& effort);

  const OracleRun& run() const noexcept { return run_; }
  double length() const noexcept { return length_; }  ///< largest displacement [m, rad]
  double speed() const noexcept { return speed_; }    ///< largest velocity [m/s, rad/s]
  /// Number of leading instants at which the motion is known.
  std::size_t knownInstantCount() const noexcept { return known_; }
  /// Number of leading instants at which the tolerance is small enough for a comparison.
  std::size_t decisiveInstantCount() const noexcept { return decisive_; }
  /// Number of leading instants before which errors grow by less than 1e3.
  std::size_t calmInstantCount() const noexcept { return calm_; }
  double tolerance(std::size_t instant) const;  ///< tolerances of displacements [m, rad]
  /// Tolerances of velocities; infinite at a velocity jump.
  double speedTolerance(std::size_t instant) const;

 private:
  void addSpreadOfMotions(const OracleRun& other, const std::vector<double>& instants, double until);
  void measure(const RigidSystem& system);

  OracleRun run_;
  std::vector<double> spread_, speedSpread_;  // differences of the further runs
  double length_{0.0}, speed_{0.0};
  std::size_t known_{0}, decisive_{0}, calm_{0};
};

}  // namespace ricochet::cross
