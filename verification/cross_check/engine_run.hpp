#pragma once

#include "engine/numerics/state.hpp"
#include "physical/dof.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ricochet {
struct Deck;
struct Simulation;
}  // namespace ricochet

namespace ricochet::cross {

/// Outcome of a deck in ricochet.
struct EngineRun {
  enum class Ending { refused, complete, stalled, unbalanced, infinite, late };
  Ending ending{Ending::refused};
  std::string failure;         ///< reason why the run did not complete, or why the deck was refused
  double time{0.0};            ///< end of the run [s]
  Eigen::MatrixXd positions;   ///< displacements of nodes b0, b1 ... at the instants, one column per instant
  Eigen::MatrixXd velocities;  ///< velocities of these nodes
  double smallestGap{0.0};     ///< smallest gap of all contacts, at instants and inside steps [m]
  std::vector<double> smallestGaps;  ///< impulse of each contact
  double energyError{0.0};           ///< largest residual of the energy balance over the largest energy
  bool shortened{false};             ///< true: steps were halved because a law is stiffer than at rest
  double largestEnergy{0.0};         ///< largest kinetic energy at the instants [J]
  Eigen::VectorXd lastPosition;      ///< status at the end of the run
  Eigen::VectorXd lastVelocity;
  std::string events;           ///< one line for each change of a contact state
  std::vector<double> changes;  ///< instants at which contact states change [s]
  /// Shortest positive time between closings of two contacts [s].
  double shortestBetweenClosings{std::numeric_limits<double>::infinity()};
  bool hasUniqueImpulses{true};       ///< false: the impulses of some impact are one choice of several
  State end;                          ///< generalized coordinates at the end
  std::vector<std::byte> checkpoint;  ///< checkpoint at about half of the run, if requested

  bool complete() const noexcept { return ending == Ending::complete; }
};

/// Settings of a run that differ from its deck.
struct RunChoice {
  double step{0.0};                   ///< step, and longest step [s]; 0: as in the deck
  std::optional<double> tolerance{};  ///< relative tolerance of schemes with error control
  double apart{0.0};                  ///< change of the start, relative to `scale`
  const State* scale{nullptr};        ///< scale: largest coordinates and rates
  long long mostSteps{0};             ///< time limit of a run [s]; 0: no limit
  bool looksInside{true};             ///< true: evaluates gaps inside every step
  bool keepsCheckpoint{false};
  std::span<const std::byte> resumeFrom{};  ///< checkpoint from which the run continues
};

/// Runs a prepared deck in this process; the run stops after `seconds` of processor time.
EngineRun runPrepared(const Deck& deck, const Simulation& simulation, const std::vector<Dof>& dofs,
                      const std::vector<double>& instants, double seconds, const RunChoice& choice = {});

/// Limit of the processor time of a run [s].
inline constexpr double kMostSeconds = 4.0;

/// Reads a deck from its text and runs this deck in this process. `planar`: nodes b have ux, uy, rz, else six
/// degrees of freedom. The run stops after `seconds` of processor time.
EngineRun runDeck(const std::string& deck, int bodies, bool planar, const std::vector<double>& instants,
                  double seconds);

}  // namespace ricochet::cross
