#pragma once

#include "engine/model/run_memory.hpp"
#include "engine/study/parts/earlier_run.hpp"
#include "engine/study/simulation.hpp"
#include "io/deck/bare_deck.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace ricochet {

class H5File;

/// The end of an earlier run, or one of its archived instants, read from its result: `initial.restart`.
class EarlierResult : public EarlierRun {
 public:
  /// `motion`: digest of the deck of the new run (motionDigest).
  EarlierResult(RestartRequest from, std::string motion)
      : from_(std::move(from)), motion_(std::move(motion)) {}

  Vector finalDisplacement(const Study& study, const Simulation& simulation) const override;
  void setStateOfEarlierRun(const Study& study, Simulation& simulation) const override;
  void setContactMemory(const Study& study, Simulation& simulation) const override;

 private:
  RestartRequest from_;
  std::string motion_;
};

/// Digest of all data that determine the motion from a state on: the deck and the files that it names, except
/// initial state, duration, output and checks.
std::string motionDigest(const Deck& study);

/// Dataset of the displacement of all dofs by which dashpots on dofs without inertia start, within the group.
inline constexpr const char* kDashpotField = "/displacement_with_dashpots";
/// Name of a dashpot on dofs without inertia in the list of links: it has neither a name nor a law.
inline constexpr const char* kDashpotKind = "dashpot on dofs without inertia";

/// Names and laws of all contacts and links, in their order.
std::vector<std::string> namesAndLawsOfContacts(const Study& study);
std::vector<std::string> namesAndLawsOfLinks(const Study& study, const Simulation& simulation);

/// Writes the final state of a run: readable fields, and the internal state of the program.
void writeRestartState(const H5File& file, const Deck& study, const Simulation& simulation, const State& s,
                       const RunMemory& memory, std::span<const std::byte> stepping);

}  // namespace ricochet
