#pragma once

#include "engine/model/run_memory.hpp"
#include "io/prepare/simulation.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace ricochet {

class H5File;

/// What a run takes from an earlier one beside the state: `initial.restart`.
struct Restart {
  std::optional<RunMemory> memory;  ///< of contacts and links
  std::vector<std::byte> stepping;  ///< of the scheme, where the run is the same one going on; or empty
  double step{0.0};                 ///< with this step [s]
};

/// Puts the end of an earlier run, or an archived instant of it, into the initial state: coordinates where
/// the basis is the same, else the field, projected by mass. Throws InputError: the nodes are others.
void restartState(const Study& study, Simulation& simulation);

/// After contacts, links, scheme and step: what they go on with. Throws InputError: contacts or links are
/// others than those that remember, or what they remember is not in the file.
void restartMemory(const Study& study, Simulation& simulation);

/// The digest of all that decides how a run goes on from a state: the deck without what it starts from, how
/// long it runs, what it shows and checks, and the files that it names.
std::string motionDigest(const Study& study);

/// Names and laws of contacts and links, in their order.
std::vector<std::string> contactKinds(const Study& study);
std::vector<std::string> linkKinds(const Study& study);

/// Writes the final state to continue from: readable, and as the program keeps it.
void writeRestart(const H5File& file, const Study& study, const Simulation& simulation, const State& s,
                  const RunMemory& memory, std::span<const std::byte> stepping);

}  // namespace ricochet
