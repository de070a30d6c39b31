#pragma once

#include "engine/transient/kinematic.hpp"
#include "io/archive/restored_nodes.hpp"

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// Which forces of beams are restored (restored_beams.hpp).
struct BeamForceFields {
  bool force{false};         ///< those that are in balance with the inertia of the element
  bool elasticForce{false};  ///< those of the stiffness alone
  bool any() const noexcept { return force || elasticForce; }
};

/// What is asked of a result afterwards: histories of nodes on the physical basis.
struct RestoreRequest {
  std::filesystem::path output;
  bool force{false};               ///< replace a file that is there
  std::vector<std::string> nodes;  ///< names of nodes or groups; empty: all nodes
  std::vector<Kinematic> fields;
  bool reactions{false};           ///< forces that supports exert, of nodes that have some
  BeamForceFields beamForces{};    ///< of elements of [[beams]]
  std::vector<std::string> beams;  ///< names of those; empty: all
  bool absoluteMotion{false};      ///< with the motion of the base
  std::vector<double> times;       ///< the archived instants nearest to these [s]; empty: all
  std::optional<double> from, to;  ///< part of the archived instants [s]
  std::size_t every{1};
  bool xdmf{false};  ///< writes OUTPUT.xdmf too, which ParaView opens as a moving model
  bool progress{true};
};

struct RestoreSummary {
  std::size_t nodes{0};
  std::size_t instants{0};
  bool interrupted{false};  ///< the file holds what came before
};

/// Restores histories, u = Phi q, from the generalized coordinates of a result (result_file.hpp) into a file
/// of its own that has the same layout: /physical with the nodes and the instants asked for. Only the rows
/// of the mode shapes that are asked for are read, and the instants go through memory in blocks: what is
/// needed is 8 bytes times (dofs asked for x modes) and a block, however large the structure and long the
/// run.
///
/// Absolute motion, reactions and forces of beams need the deck that the result holds; files that this deck
/// names are looked for in its folder, or beside the result where that is gone. Reactions are R = M a + C v +
/// K u - F at the dofs that supports fix (restored_reaction.hpp). Forces of beams go into /beams of the file.
///
/// Throws RestoreError, TargetError (the output cannot be written), ResultError, InputError (the deck).
RestoreSummary restoreResult(const std::filesystem::path& result, const RestoreRequest& request);

}  // namespace ricochet
