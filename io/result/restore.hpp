#pragma once

#include "engine/transient/kinematic.hpp"
#include "io/archive/restored_nodes.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// Section forces of beams to restore (restored_beams.hpp).
struct BeamForceFields {
  bool force{false};         ///< forces in balance with the inertia of the element
  bool elasticForce{false};  ///< forces of the stiffness alone
  bool areRequested() const noexcept { return force || elasticForce; }
};

/// Request to restore histories of nodes on the physical basis from a result.
struct RestoreRequest {
  std::filesystem::path output;
  bool force{false};               ///< replaces an existing file
  std::vector<std::string> nodes;  ///< names of nodes or groups; empty: all nodes
  std::vector<Kinematic> fields;
  bool reactions{false};           ///< restores support reactions of the nodes that have supports
  BeamForceFields beamForces{};    ///< section forces of the elements of [[beams]]
  std::vector<std::string> beams;  ///< names of the beams; empty: all beams
  bool absoluteMotion{false};      ///< adds the motion of the base
  std::vector<double> times;       ///< instants: the nearest archived instants are restored [s]; empty: all
  std::optional<double> from, to;  ///< restricts the archived instants to this interval [s]
  std::size_t every{1};
  bool xdmf{false};  ///< also writes OUTPUT.xdmf, which ParaView opens as an animated model
  bool progress{true};
};

struct RestoreSummary {
  std::size_t nodes{0};
  std::size_t instants{0};
  bool interrupted{false};  ///< true: interrupted, the file holds the blocks written until then
};

/// Restores histories, u = Phi q, from the generalized coordinates of a result (result_file.hpp) and writes
/// them into a separate file with the same layout: /physical with the requested nodes and instants. Only the
/// requested rows of the mode shapes are read, and the instants are processed in blocks: the memory needed is
/// 8 bytes times (requested dofs x modes) plus one block, independent of the size of the structure and the
/// length of the run.
///
/// Absolute motion, reactions, forces of beams and static corrections of loads need the deck in the result;
/// files that this deck names are read from its folder, or from the folder of the result if the former no
/// longer exists. Reactions are R = M a + C v + K u - F at the dofs that supports fix
/// (restored_reaction.hpp). Forces of beams are written to /beams of the file.
///
/// Throws RestoreError, TargetError (the output cannot be written), ResultError, InputError (the deck).
RestoreSummary restoreHistoriesOfResult(const std::filesystem::path& result, const RestoreRequest& request);

}  // namespace ricochet
