#pragma once

#include "engine/numerics/state.hpp"
#include "physical/dof.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ricochet {
struct Deck;
struct Simulation;
}  // namespace ricochet

namespace ricochet::cross {

/// What ricochet makes of a deck.
struct EngineRun {
  enum class Ending { refused, complete, stalled, unbalanced, infinite, late };
  Ending ending{Ending::refused};
  std::string failure;               ///< why the run did not complete, or why the deck was refused
  double time{0.0};                  ///< end of the run [s]
  Eigen::MatrixXd positions;         ///< displacements of nodes b0, b1 ... at the instants, a column for each
  Eigen::MatrixXd velocities;        ///< their velocities
  double smallestGap{0.0};           ///< of all contacts, at instants and inside steps [m]
  std::vector<double> smallestGaps;  ///< of each contact
  double energyError{0.0};           ///< largest ledger residual over the largest energy
  bool shortened{false};             ///< steps were halved, where a law gets stiffer than at rest
  double largestEnergy{0.0};         ///< largest kinetic energy at the instants [J]
  Eigen::VectorXd lastPosition;      ///< state in which the run ended
  Eigen::VectorXd lastVelocity;
  std::string events;                 ///< a line for each change of a contact state
  std::vector<double> changes;        ///< instants at which contact states change [s]
  State end;                          ///< generalized coordinates at the end
  std::vector<std::byte> checkpoint;  ///< written about halfway, if asked for

  bool complete() const noexcept { return ending == Ending::complete; }
};

/// How a prepared deck is run, where not as the deck says.
struct RunChoice {
  double step{0.0};                   ///< and longest step [s]; 0: those of the deck
  std::optional<double> tolerance{};  ///< relative tolerance of schemes with error control
  double apart{0.0};                  ///< distance of the start from that of the deck, of `scale`
  const State* scale{nullptr};        ///< largest coordinates and rates give the scale
  long long mostSteps{0};             ///< after which a run takes too long; 0: no limit
  bool looksInside{true};             ///< looks at gaps inside every step
  bool keepsCheckpoint{false};
  std::span<const std::byte> resumeFrom{};  ///< checkpoint from which the run goes on
};

/// Runs a prepared deck in this process; a run is stopped after `seconds` of processor time.
EngineRun runPrepared(const Deck& deck, const Simulation& simulation, const std::vector<Dof>& dofs,
                      const std::vector<double>& instants, double seconds, const RunChoice& choice = {});

/// Processor time that a run may take [s].
inline constexpr double kMostSeconds = 1.0;

/// Reads a deck from its text and runs it in this process. `planar`: nodes b have ux, uy, rz, else six
/// degrees of freedom. A run is stopped after `seconds` of processor time.
EngineRun runDeck(const std::string& deck, int bodies, bool planar, const std::vector<double>& instants,
                  double seconds);

}  // namespace ricochet::cross
