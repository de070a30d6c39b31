#pragma once

#include <Eigen/Core>

#include <string>
#include <vector>

namespace ricochet::cross {

/// What ricochet makes of a deck.
struct EngineRun {
  enum class Ending { refused, complete, stalled, unbalanced, infinite, late };
  Ending ending{Ending::refused};
  std::string failure;           ///< why the run did not complete, or why the deck was refused
  double time{0.0};              ///< end of the run [s]
  Eigen::MatrixXd positions;     ///< displacements of nodes b0, b1 ... at the instants, a column for each
  Eigen::MatrixXd velocities;    ///< their velocities
  double smallestGap{0.0};       ///< of all contacts, at instants and inside steps [m]
  double energyError{0.0};       ///< largest ledger residual over the largest energy
  double largestEnergy{0.0};     ///< largest kinetic energy at the instants [J]
  Eigen::VectorXd lastPosition;  ///< state in which the run ended
  Eigen::VectorXd lastVelocity;
  std::string events;  ///< a line for each change of a contact state

  bool complete() const noexcept { return ending == Ending::complete; }
};

/// Reads a deck from its text and runs it in this process. `planar`: nodes b have ux, uy, rz, else six
/// degrees of freedom. A run is stopped after `seconds` of processor time.
EngineRun runDeck(const std::string& deck, int bodies, bool planar, const std::vector<double>& instants,
                  double seconds);

}  // namespace ricochet::cross
