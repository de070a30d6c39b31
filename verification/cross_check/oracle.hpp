#pragma once

#include "verification/cross_check/rigid_system.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace ricochet::cross {

/// Differences of a second run of the oracle from the first. They show how strongly the motion depends on
/// changes below the resolution of any program.
struct OracleVariant {
  double perturbation{0.0};  ///< change of the initial state, relative to the scales of length and speed
  std::uint64_t sample{0};   ///< number of the random change
  double factor{1.0};        ///< factor of all limits below which gaps and speeds count as zero
  bool seesPlaces{false};    ///< gaps count as zero below 1e-12 of the present displacements at most
  int parts{20};  ///< longest interval between two checks of the uniqueness of the motion, over the duration
  std::vector<double> judgeAt{};  ///< further instants of these checks, in increasing order [s]
};

/// Motion of a model by enumeration of all contact states.
struct OracleRun {
  enum class End {
    complete,
    notUnique,   ///< several motions satisfy all inequalities from `until` on
    noSolution,  ///< no motion satisfies all inequalities (P. Painleve, C. R. Acad. Sci. 121, 1895)
    many,        ///< the number of events exceeds the limit of the oracle
    lost         ///< the oracle finds no further event: a fault of the oracle
  };
  End end{End::complete};
  double until{0.0};           ///< the motion is known up to this instant [s]
  std::vector<double> times;   ///< output instants [s]
  Eigen::MatrixXd positions;   ///< q at the output instants up to `until`, one column per instant
  Eigen::MatrixXd velocities;  ///< q' at the same instants
  std::vector<double> jumps;   ///< instants of velocity jumps [s]
  int events{0};
  std::string history;  ///< one line for each event: instant and states, on request
};

/// Output instants of a run: `count` equal parts of the duration.
std::vector<double> outputInstants(double duration, int count);

/// Computes the motion of a system without friction that turns in a plane. Between events the accelerations
/// are linear in the load functions, whose integrals are closed forms; events are located to rounding; at an
/// event all combinations of contact states are tried, at velocity level and at the level of all series
/// coefficients of the forces.
OracleRun computeOracleMotion(const RigidSystem& system, const std::vector<double>& instants,
                              const OracleVariant& variant = {}, bool withHistory = false);

/// Number of motions that follow a given state of the system: `complete` (one), `notUnique` or `noSolution`.
/// The state may contain the rounding of another program.
OracleRun::End judgeState(const RigidSystem& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          double t);

}  // namespace ricochet::cross
