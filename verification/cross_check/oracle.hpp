#pragma once

#include "verification/cross_check/rigid_system.hpp"

#include <Eigen/Core>

#include <cstdint>
#include <string>
#include <vector>

namespace ricochet::cross {

/// How a second run of the oracle differs from the first, to see how far the motion depends on what no
/// program resolves.
struct OracleVariant {
  double perturbation{0.0};  ///< change of the initial state, of the scales of length and speed
  std::uint64_t sample{0};   ///< which change
  double factor{1.0};        ///< of all limits below which gaps and speeds count as zero
  bool seesPlaces{false};    ///< gaps count as zero below 1e-12 of the present displacements at most
  int parts{20};             ///< of the run: whether the motion is the only one is judged at least as often
  std::vector<double> judgeAt{};  ///< further instants at which it is judged, in their order [s]
};

/// Motion of a model by enumeration of all contact states.
struct OracleRun {
  enum class End {
    complete,
    notUnique,   ///< several motions satisfy all inequalities from `until` on
    noSolution,  ///< none does (P. Painleve, C. R. Acad. Sci. 121, 1895)
    many,        ///< more events than the oracle follows
    lost         ///< the oracle itself does not get on: a fault of the oracle
  };
  End end{End::complete};
  double until{0.0};           ///< the motion is known up to this instant [s]
  std::vector<double> times;   ///< output instants [s]
  Eigen::MatrixXd positions;   ///< q at the output instants, a column for each, up to `until`
  Eigen::MatrixXd velocities;  ///< q' likewise
  std::vector<double> jumps;   ///< instants of velocity jumps [s]
  int events{0};
  std::string history;  ///< a line for each event: instant and states, if asked for
};

/// Output instants of a run: `count` equal parts of the duration.
std::vector<double> outputInstants(double duration, int count);

/// Follows the motion of a system without friction that turns in a plane. Between events the accelerations
/// are linear in the load functions, whose integrals are closed forms; events are located to rounding; at an
/// event all combinations of contact states are tried, at velocity level and at the level of all series
/// coefficients of the forces.
OracleRun follow(const RigidSystem& system, const std::vector<double>& instants,
                 const OracleVariant& variant = {}, bool withHistory = false);

/// Whether exactly one motion follows a given state of the system, several, or none: `complete`, `notUnique`
/// or `noSolution`. The state may carry the rounding of another program.
OracleRun::End judgeState(const RigidSystem& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          double t);

}  // namespace ricochet::cross
