#pragma once

#include "engine/model/run_memory.hpp"
#include "physical/types.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ricochet {

struct Simulation;
struct Study;

/// Data that a run takes from an earlier run beside the state.
struct Restart {
  std::optional<RunMemory> memory;  ///< state of contacts and links
  /// Internal state of the time scheme, if this run continues the earlier run with the same settings; else
  /// empty.
  std::vector<std::byte> stepping;
  double step{0.0};  ///< step of the scheme for this internal state [s]
};

/// An earlier run whose end is the start of a study. All functions throw StudyError if the study has another
/// model.
class EarlierRun {
 public:
  EarlierRun() = default;
  EarlierRun(const EarlierRun&) = delete;
  EarlierRun& operator=(const EarlierRun&) = delete;
  EarlierRun(EarlierRun&&) = delete;
  EarlierRun& operator=(EarlierRun&&) = delete;
  virtual ~EarlierRun() = default;

  /// Displacement of the independent dofs where the study starts, which gives the lengths of dashpots on dofs
  /// without inertia; zero if the model of the earlier run has no such dashpots.
  virtual Vector finalDisplacement(const Study& study, const Simulation& simulation) const = 0;

  /// Copies the final state of the earlier run to `Simulation::initial`: the coordinates if the basis is the
  /// same, else the mass projection of the field.
  virtual void setStateOfEarlierRun(const Study& study, Simulation& simulation) const = 0;

  /// Copies the state of contacts, links and scheme to `Simulation::restart`; called after contacts, links,
  /// scheme and step are set.
  virtual void setContactMemory(const Study& study, Simulation& simulation) const = 0;
};

}  // namespace ricochet
