#pragma once

#include "engine/accounts/checkpoint.hpp"
#include "engine/accounts/energy_ledger.hpp"
#include "engine/accounts/events.hpp"
#include "engine/accounts/impact_counts.hpp"
#include "engine/contact/contact_view.hpp"
#include "engine/links/link_law.hpp"
#include "engine/model/modal_equation.hpp"
#include "engine/model/run_memory.hpp"
#include "engine/numerics/state.hpp"
#include "engine/transient/archive_times.hpp"
#include "engine/transient/scheme_options.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ricochet {

struct TransientOptions {
  double start{0.0};  ///< start of the run [s]
  double end{0.0};    ///< end of the run [s], after the start
  double step{0.0};   ///< nominal or first step h [s], positive
  /// Archived rows: the start, every n-th accepted step and the end; 0, for the event scheme with
  /// archiveTimes: rows at every event too, up to a million.
  int archiveEvery{1};
  ArchiveTimes archiveTimes{};     ///< if not empty, rows are archived at these instants instead
  std::vector<double> instants{};  ///< further instants for the observer [s], in any order
  std::vector<double> within{};  ///< fractions of every accepted step for the observer, in [0, 1], increasing
  SchemeOptions scheme{};        ///< parameters of the scheme
  /// Checkpoint of the same run: the run continues from this state with the same bits.
  std::optional<std::span<const std::byte>> resumeFrom{};
  /// Stored state of contacts and links at the end of an earlier run, which is the start of this run.
  const RunMemory* memory{nullptr};
  /// Bytes that the earlier run passed to `ended`, if model, loads and step are the same: this run then
  /// continues with the same bits (within rounding under event, which would not have ended a step there).
  /// Energy balance and totals start anew.
  std::optional<std::span<const std::byte>> goesOnFrom{};
};

/// View of a run at one instant, without copies.
struct StepView {
  const State& state;
  std::span<const ContactView> contacts;
  const EnergyLedger& ledger;
  std::span<const LinkState> links{};
};

class StepStatistics;

/// Receives the results of a run. Called at archived instants and a few times per thousand steps, never
/// inside a step.
class TransientObserver {
 public:
  virtual ~TransientObserver() = default;
  virtual void archive(const StepView& view) = 0;
  /// `index`: index in TransientOptions::instants.
  virtual void onInstant(std::size_t /*index*/, const StepView& /*view*/) {}
  virtual void onEvents(std::span<const Event> /*events*/) {}
  /// State inside an accepted step from `begin` to `end`; `index`: index in TransientOptions::within. No
  /// contact state changes inside the step. The view has no energies.
  virtual void onInstantInsideStep(double /*begin*/, double /*end*/, std::size_t /*index*/,
                                   const StepView& /*view*/) {}
  /// Statistics to which every accepted step of a time-stepping scheme is added, or null; called once before
  /// the start.
  virtual StepStatistics* stepStatistics() { return nullptr; }
  /// Called every few hundred steps and several times per second; false stops the run.
  virtual bool onProgress(double /*time*/, long long /*steps*/) { return true; }

  /// Called after `onProgress`; true requests a checkpoint. The checkpoint contains the progress up to the
  /// last output; events before the checkpoint may be reported after it.
  virtual bool isCheckpointRequested() { return false; }
  virtual void saveCheckpoint(std::span<const std::byte> /*bytes*/) {}
  /// True requests, at the end of a complete run, the data from which another run can continue.
  virtual bool isFinalStateRequested() { return false; }
  virtual void receiveFinalState(std::span<const std::byte> /*bytes*/) {}
  /// Called when a run continues from a checkpoint; earlier outputs are not repeated.
  virtual void startFromCheckpoint() {}
  /// False allows a run to leave out the rows for `archive`.
  virtual bool needsRowOfEveryStep() const noexcept { return true; }
};

/// `notConverged`: an implicit scheme found no solution for its contacts, even with the shortest step.
/// `stepTooSmall`: a scheme that chooses its steps refused the shortest step.
/// `stalled`: contact states change without end at one instant.
enum class RunStatus { complete, diverged, interrupted, notConverged, stepTooSmall, stalled };

/// Steps of a scheme that were replaced by their halves.
struct HalvedSteps {
  long long count{0};
  double firstAt{0.0};   ///< start of the first replaced step [s]
  double shortest{0.0};  ///< length of the shortest half [s]

  void add(double start, double half) noexcept {
    if (count == 0) firstAt = start;
    shortest = count == 0 ? half : std::min(shortest, half);
    ++count;
  }
};

struct Report {
  RunStatus status{RunStatus::complete};
  double time{0.0};        ///< last instant of the run [s]; if diverged, the instant of the last finite state
  long long steps{0};      ///< number of steps, with the parts of steps split at breakpoints
  long long longSteps{0};  ///< event scheme: number of steps that no high mode limited
  long long refused{0};    ///< number of refused steps
  double refusedAt{0.0};   ///< implicit scheme: start of the first step that was halved [s]
  int refusedBy{-1};       ///< contact out of balance in this step
  HalvedSteps shortened;   ///< schemes of fixed steps: those halved because a law gets stiffer than at rest
  long long events{0};     ///< number of changes of contact state
  ImpactCounts impacts{};  ///< event, moreau: impacts of rigid contacts beyond the laws of one contact
  /// Contact that caused the failure: diverged, a link whose force is no number, or the contact with the
  /// largest force; notConverged, the contact out of balance; stepTooSmall and stalled, a contact that
  /// changed its state; -1: none. Link i has the index (number of contacts) + i.
  int contact{-1};
  bool withoutNormal{false};  ///< stalled: the contact is where its obstacle has no normal
  double energyError{0.0};    ///< largest residual of the energy balance divided by the largest energy [-]
  EnergyLedger energy;        ///< energy ledger at the end
};

inline constexpr std::string_view kEventScheme = "event";

}  // namespace ricochet
