#pragma once

#include "engine/accounts/checkpoint.hpp"
#include "engine/accounts/energy_ledger.hpp"
#include "engine/accounts/events.hpp"
#include "engine/contact/contact_view.hpp"
#include "engine/links/link_law.hpp"
#include "engine/model/modal_equation.hpp"
#include "engine/model/run_memory.hpp"
#include "engine/numerics/state.hpp"
#include "engine/transient/archive_times.hpp"
#include "engine/transient/scheme_options.hpp"

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace ricochet {

struct TransientOptions {
  double start{0.0};               ///< [s]
  double end{0.0};                 ///< [s], must exceed start
  double step{0.0};                ///< nominal or first step h [s], positive
  int archiveEvery{1};             ///< archived rows: the start, every n-th accepted step and the end
  ArchiveTimes archiveTimes{};     ///< archived instead at these instants, when there are some
  std::vector<double> instants{};  ///< further instants shown to the observer [s], any order
  std::vector<double> within{};    ///< parts of every accepted step that are shown too, in [0, 1], increasing
  SchemeOptions scheme{};          ///< parameters of the scheme
  /// A checkpoint of the same run: it goes on from there, with the same bits, instead of starting.
  std::optional<std::span<const std::byte>> resumeFrom{};
  /// What contacts and links remember of an earlier run, the end of which is the start of this one.
  const RunMemory* memory{nullptr};
  /// What that run showed as `ended`, if it was of the same model, loads and step: then this one goes on with
  /// the same bits (to rounding under event, which would not have ended a step there). Accounts and totals
  /// begin anew.
  std::optional<std::span<const std::byte>> goesOnFrom{};
};

/// A const view of a run at one instant.
struct StepView {
  const State& state;
  std::span<const ContactView> contacts;
  const EnergyLedger& ledger;
  std::span<const LinkState> links{};
};

class StepStatistics;

/// Receives a run. Called at archived instants and a few times per thousand steps, never in a step.
class TransientObserver {
 public:
  virtual ~TransientObserver() = default;
  virtual void archive(const StepView& view) = 0;
  /// `index` into TransientOptions::instants.
  virtual void instant(std::size_t /*index*/, const StepView& /*view*/) {}
  virtual void events(std::span<const Event> /*events*/) {}
  /// Inside an accepted step from `begin` to `end`, `index` into TransientOptions::within; no state changes
  /// in between. The view has no accounts.
  virtual void within(double /*begin*/, double /*end*/, std::size_t /*index*/, const StepView& /*view*/) {}
  /// Fed with every accepted step of a scheme that steps in time, when there is one; asked for once, before
  /// the start.
  virtual StepStatistics* stepStatistics() { return nullptr; }
  /// Every few hundred steps, and some times a second; false stops the run.
  virtual bool progress(double /*time*/, long long /*steps*/) { return true; }

  /// After `progress`, whether to be given a checkpoint; it counts all that was shown before. Events that
  /// happened before it may be shown after it.
  virtual bool wantsCheckpoint() { return false; }
  virtual void checkpoint(std::span<const std::byte> /*bytes*/) {}
  /// Whether to be given, at the end of a complete run, what another one needs to go on from there.
  virtual bool wantsEnd() { return false; }
  virtual void ended(std::span<const std::byte> /*bytes*/) {}
  /// A checkpoint was read and the run goes on; what it showed before is not shown again.
  virtual void resumed() {}
};

/// `notConverged`: an implicit scheme found no balance of its contacts, however short the step.
/// `stepTooSmall`: a scheme that chooses its steps refused the shortest one.
/// `stalled`: contact states change without end at one instant.
enum class RunStatus { complete, diverged, interrupted, notConverged, stepTooSmall, stalled };

struct Report {
  RunStatus status{RunStatus::complete};
  double time{0.0};        ///< instant reached; of the last finite state when diverged [s]
  long long steps{0};      ///< steps taken, splits at breakpoints included
  long long longSteps{0};  ///< of the event scheme, those that no high mode limited
  long long refused{0};    ///< steps that were tried and taken back
  double refusedAt{0.0};   ///< of an implicit scheme, start of the first step that was halved [s]
  int refusedBy{-1};       ///< and the contact that was out of balance
  long long events{0};     ///< changes of contact state
  /// Where it happened: diverged, the contact that pushed hardest; notConverged, the one out of balance;
  /// stepTooSmall and stalled, one that changed its state; -1: none. Links count on after the contacts.
  int contact{-1};
  double energyError{0.0};  ///< largest ledger residual over the largest energy [-]
  EnergyLedger energy;      ///< at the end
};

inline constexpr std::string_view kEventScheme = "event";

}  // namespace ricochet
