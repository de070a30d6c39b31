#pragma once

#include "engine/functions/mean_frequency.hpp"
#include "engine/transient/transient.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <vector>

namespace ricochet {

inline constexpr double kSnap = 1e-9;  ///< instants closer than this fraction of a step are equal
inline constexpr long long kChunk =
    256;  ///< number of steps between checks of time, finite values and events

/// Number of nominal steps of a run with a fixed step; numbers beyond the integer range count as endless.
inline long long nominalStepCount(const TransientOptions& options) {
  constexpr double kEndless = 1e18;
  const double steps = std::ceil((options.end - options.start) / options.step - kSnap);
  return static_cast<long long>(std::min(steps, kEndless));
}

/// Shortest step of a scheme that chooses its steps [s].
inline double shortestStepLength(const TransientOptions& options) {
  constexpr double kOfSpan = 1e-14;
  constexpr double kOfTime = 1e-15;  // a few units of rounding of the time
  const double latest = std::max(std::abs(options.start), std::abs(options.end));
  return std::max({options.scheme.stepMin, kOfSpan * (options.end - options.start), kOfTime * latest});
}

/// An output at an instant of a run.
struct TransientOutput {
  static constexpr std::ptrdiff_t kArchive = -1;
  double time;
  std::ptrdiff_t index;  ///< index in TransientOptions::instants, or kArchive

  void sendViewToObserver(TransientObserver& observer, const StepView& view) const {
    if (index == kArchive)
      observer.archive(view);
    else
      observer.onInstant(static_cast<std::size_t>(index), view);
  }
};

/// All outputs in order of time; at equal times those of `instants` come first. Equidistant archived instants
/// need no memory here either.
class TransientOutputs {
 public:
  TransientOutputs() = default;
  explicit TransientOutputs(const TransientOptions& options) : archived_(options.archiveTimes) {
    for (std::size_t i = 0; i < options.instants.size(); ++i)
      instants_.push_back({options.instants[i], static_cast<std::ptrdiff_t>(i)});
    std::ranges::stable_sort(instants_, {}, &TransientOutput::time);
    // number of archived instants before each instant
    std::size_t row = 0;
    for (std::size_t i = 0; i < instants_.size(); ++i) {
      row = indexOfFirstRowAtOrAfter(instants_[i].time, row);
      places_.push_back(i + row);
    }
  }

  std::size_t size() const noexcept { return instants_.size() + archived_.size(); }

  TransientOutput operator[](std::size_t i) const noexcept {
    const auto next = std::ranges::lower_bound(places_, i);
    const auto before = static_cast<std::size_t>(next - places_.begin());
    if (next != places_.end() && *next == i) return instants_[before];
    return {archived_[i - before], TransientOutput::kArchive};
  }

 private:
  /// Index of the first archived instant at or after a time, searched from a given index.
  std::size_t indexOfFirstRowAtOrAfter(double time, std::size_t from) const noexcept {
    std::size_t to = archived_.size();
    while (from < to) {
      const std::size_t middle = from + (to - from) / 2;
      if (archived_[middle] < time)
        from = middle + 1;
      else
        to = middle;
    }
    return from;
  }

  ArchiveTimes archived_;
  std::vector<TransientOutput> instants_;
  std::vector<std::size_t> places_;  // index of each instant among all outputs
};

/// Instants at which a step must end beside the nominal steps, in order of time.
struct TransientGrid {
  std::vector<double> breakpoints;  ///< breakpoints of loads, imposed forces and surfaces inside the run [s]
  TransientOutputs outputs;
};

/// Calls f(function of time) for all functions that excite a model.
template <class Model, class F>
void forEachExcitationFunction(const Model& model, F&& f) {
  for (const Load& load : model.loads.loads()) f(load.scale);
  for (const MovingLoad& load : model.loads.movingLoads()) {
    f(load.scale());
    f(load.position());
  }
  if constexpr (requires { model.linear.spinning; })
    for (const SpinningPart& part : model.linear.spinning) f(part.speed);
  for (const Contact& contact : model.contacts.contacts()) {
    f(contact.imposedForce);
    for (const SurfaceTerm& term : contact.surface) f(term.speed);
    if (contact.isTravelling()) f(contact.way->position());
  }
  for (const Link& link : model.links.links())
    for (const LinkDrive& drive : link.drives) {
      f(drive.displacement);
      if (drive.velocity) f(*drive.velocity);
    }
}

/// Highest of the mean angular frequencies of the functions that drive a model from `start` to `end` [rad/s].
template <class Model>
double highestDrivingFrequency(const Model& model, double start, double end) {
  double highest = 0.0;
  std::vector<const TimeFunction*> known;  // many loads may share a function
  forEachExcitationFunction(model, [&](const TimeFunction& f) {
    if (std::ranges::any_of(known,
                            [&](const TimeFunction* other) { return other->isSameTableOrFormulaAs(f); }))
      return;
    known.push_back(&f);
    highest = std::max(highest, meanAngularFrequency(f, start, end));
  });
  return highest;
}

/// Longest step of a scheme that chooses its steps [s]: the run, or 1/1000 of the run where a formula drives
/// the model. No breakpoint says when a pulse in a formula begins, and a step across the whole pulse shows no
/// error.
template <class Model>
double longestStepResolvingPulses(const Model& model, const TransientOptions& options) {
  constexpr double kOfRun = 1e-3;
  bool byFormula = false;
  const auto look = [&](const TimeFunction& f) { byFormula |= f.formulaOrNull() != nullptr; };
  forEachExcitationFunction(model, look);
  for (const Contact& contact : model.contacts.contacts())
    for (const DriftTerm& term : contact.drift) look(term.displacement);
  return (byFormula ? kOfRun : 1.0) * (options.end - options.start);
}

template <class Model>
std::shared_ptr<const TransientGrid> makeTransientGrid(const Model& model, const TransientOptions& options,
                                                       bool splitsAtKinks) {
  auto grid = std::make_shared<TransientGrid>();
  const double tolerance = kSnap * options.step;
  const auto add = [&](const std::vector<double>& instants) {
    for (const double t : instants)
      if (t > options.start + tolerance && t < options.end - tolerance) grid->breakpoints.push_back(t);
  };
  // kinks make the rates of shifts jump (CoupledShifts)
  splitsAtKinks |= std::ranges::any_of(model.contacts.contacts(), &Contact::coupled);
  forEachExcitationFunction(
      model, [&](const TimeFunction& f) { add(splitsAtKinks ? f.breakpoints() : f.jumpInstants()); });
  for (const MovingLoad& load : model.loads.movingLoads()) add(load.beginTimesOfLoadStages(splitsAtKinks));
  // A load that moves no mass is none of the excitations, but moves the points of contacts.
  for (const Contact& contact : model.contacts.contacts())
    for (const DriftTerm& term : contact.drift) add(term.displacement.jumpInstants());
  for (const MotionJump& jump : model.loads.motionJumps()) add({jump.time});
  std::sort(grid->breakpoints.begin(), grid->breakpoints.end());

  grid->outputs = TransientOutputs(options);
  return grid;
}

}  // namespace ricochet
