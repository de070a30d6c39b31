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

/// The end of an earlier run, or an archived instant of it, in its result: `initial.restart`.
class EarlierResult : public EarlierRun {
 public:
  /// `motion`: the digest of the deck that goes on (motionDigest).
  EarlierResult(RestartRequest from, std::string motion)
      : from_(std::move(from)), motion_(std::move(motion)) {}

  void putState(const Study& study, Simulation& simulation) const override;
  void putMemory(const Study& study, Simulation& simulation) const override;

 private:
  RestartRequest from_;
  std::string motion_;
};

/// The digest of all that decides how a run goes on from a state: the deck without what it starts from, how
/// long it runs, what it shows and checks, and the files that it names.
std::string motionDigest(const Deck& study);

/// Names and laws of contacts and links, in their order.
std::vector<std::string> contactKinds(const Study& study);
std::vector<std::string> linkKinds(const Study& study);

/// Writes the final state to continue from: readable, and as the program keeps it.
void writeRestart(const H5File& file, const Deck& study, const Simulation& simulation, const State& s,
                  const RunMemory& memory, std::span<const std::byte> stepping);

}  // namespace ricochet
