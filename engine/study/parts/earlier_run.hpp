#pragma once

#include "engine/model/run_memory.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ricochet {

struct Simulation;
struct Study;

/// What a run takes from an earlier one beside the state.
struct Restart {
  std::optional<RunMemory> memory;  ///< of contacts and links
  std::vector<std::byte> stepping;  ///< of the scheme, where the run is the same one going on; or empty
  double step{0.0};                 ///< with this step [s]
};

/// An earlier run from which a study goes on. Both functions throw StudyError where the study is of another
/// model.
class EarlierRun {
 public:
  EarlierRun() = default;
  EarlierRun(const EarlierRun&) = delete;
  EarlierRun& operator=(const EarlierRun&) = delete;
  EarlierRun(EarlierRun&&) = delete;
  EarlierRun& operator=(EarlierRun&&) = delete;
  virtual ~EarlierRun() = default;

  /// Puts the state at which the earlier run is left into `Simulation::initial`: coordinates where the basis
  /// is the same, else the field, projected by mass.
  virtual void putState(const Study& study, Simulation& simulation) const = 0;

  /// After contacts, links, scheme and step: puts what they go on with into `Simulation::restart`.
  virtual void putMemory(const Study& study, Simulation& simulation) const = 0;
};

}  // namespace ricochet
