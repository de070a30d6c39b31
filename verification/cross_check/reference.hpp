#pragma once

#include "verification/cross_check/oracle.hpp"
#include "verification/cross_check/rigid_system.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace ricochet::cross {

/// Oracle's motion and how far rounding may move it. Tolerances grow with the difference of further runs
/// of the oracle: one starts 1e-12 (of the scales of length and speed) away, others take gaps and speeds for
/// zero below larger and smaller limits. A motion that depends on such changes is compared only as far as it
/// does not.
class Reference {
 public:
  /// Finer limits of "zero", down to what event takes for one: an impact of a contact that has hardly left is
  /// another one. Early in a run that goes far, event tells gaps apart that are rounding at its end.
  static constexpr std::array kFiner{
      OracleVariant{.factor = 1.0 / 16.0}, OracleVariant{.factor = 1.0 / 256.0},
      OracleVariant{.factor = 1.0 / 4096.0}, OracleVariant{.factor = 1.0 / 4096.0, .seesPlaces = true}};
  /// How closely the oracle looks.
  struct Effort {
    int parts{OracleVariant{}.parts};  ///< see OracleVariant
    std::uint64_t samples{1};          ///< of starts nearby
    std::vector<double> judgeAt{};     ///< see OracleVariant
  };
  Reference() = default;
  Reference(const RigidSystem& system, const std::vector<double>& instants, const Effort& effort);

  const OracleRun& run() const noexcept { return run_; }
  double length() const noexcept { return length_; }  ///< largest displacement [m, rad]
  double speed() const noexcept { return speed_; }    ///< largest velocity [m/s, rad/s]
  /// Number of leading instants at which the motion is known.
  std::size_t known() const noexcept { return known_; }
  /// Number of leading instants at which a tolerance means something.
  std::size_t decisive() const noexcept { return decisive_; }
  /// Number of leading instants before which errors grow by less than 1e3.
  std::size_t calm() const noexcept { return calm_; }
  double tolerance(std::size_t instant) const;       ///< of displacements [m, rad]
  double speedTolerance(std::size_t instant) const;  ///< of velocities; infinite at a velocity jump

 private:
  void addSpread(const OracleRun& other, const std::vector<double>& instants, double until);
  void measure(const RigidSystem& system);

  OracleRun run_;
  std::vector<double> spread_, speedSpread_;  // differences of the further runs
  double length_{0.0}, speed_{0.0};
  std::size_t known_{0}, decisive_{0}, calm_{0};
};

}  // namespace ricochet::cross
