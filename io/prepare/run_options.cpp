#include "io/prepare/run_options.hpp"

#include "engine/study/supports.hpp"
#include "engine/transient/transient_grid.hpp"
#include "io/prepare/prepare.hpp"
#include "io/prepare/restart.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace ricochet {
namespace {

constexpr double kMostRowsUnasked = 1e6;  // largest number of rows without a request in the deck
constexpr double kMostBytes = 1.0e9;      // largest size of these rows [bytes]
constexpr double kMatters = 1e-3;         // share of the compliance or of the energy

/// Raises `highest` to the angular frequency of the highest mode with a share of kMatters or more of the sum
/// of part(mode) over the elastic modes.
template <class Part>
void raiseToHighestRelevantMode(double& highest, const Simulation& simulation, const Part& part) {
  const LinearSystem& linear = simulation.model.linear;
  double sum = 0.0;
  for (Eigen::Index j = 0; j < linear.modes; ++j)
    if (linear.omegaSquared[j] > 0.0) sum += part(j);
  for (Eigen::Index j = 0; j < linear.modes; ++j) {
    const double square = linear.omegaSquared[j];
    if (square > highest * highest && part(j) >= kMatters * sum && part(j) > 0.0) highest = std::sqrt(square);
  }
}

double highestRelevantFrequency(const Simulation& simulation) {
  const ModalModel& model = simulation.model;
  const Vector& squares = model.linear.omegaSquared;
  double highest = 0.0;
  const auto lookAlong = [&](const double* row) {
    if (row != nullptr)
      raiseToHighestRelevantMode(highest, simulation,
                                 [&](Eigen::Index j) { return row[j] * row[j] / squares[j]; });
  };
  for (Eigen::Index i = 0; i < model.loads.termCount(); ++i)
    lookAlong(model.loads.shapes() + i * squares.size());
  for (int i = 0; i < model.contacts.size(); ++i)
    for (int axis = 0; axis < ContactSet::kAxes; ++axis) lookAlong(model.contacts.row(i, axis));
  const State& start = simulation.initial;
  raiseToHighestRelevantMode(highest, simulation, [&](Eigen::Index j) {
    return squares[j] * start.q[j] * start.q[j] + start.v[j] * start.v[j];
  });
  return highest;
}

/// True if rows at evenly spaced instants and at events replace rows at steps.
bool areRowsEvenlySpaced(const Deck& study, const Simulation& simulation) {
  return simulation.scheme == kEventScheme && doesDeckRequestNoRows(study);
}

}  // namespace

ArchiveTimes archiveTimesOfRun(const Deck& study) {
  if (!study.output.interval) return study.output.times;
  const double start = study.transient->start;
  return ArchiveTimes::equidistantTimes(*study.output.interval, start, start + study.transient->duration);
}

std::size_t rowLimitWithoutRequest(const Deck& study, const Simulation& simulation) {
  constexpr double kFewest = 2.0;  // rows at the start and at the end
  const double bytes = sizeof(double) * static_cast<double>(approximateValuesPerRow(study, simulation));
  return static_cast<std::size_t>(std::clamp(kMostBytes / bytes, kFewest, kMostRowsUnasked));
}

bool doesDeckRequestNoRows(const Deck& study) {
  const OutputRequest& output = study.output;
  return output.every == 0 && !output.interval && output.times.empty();
}

bool hasEvenSteps(const Deck& study, const Simulation& simulation) {
  const SchemeOptions& scheme =
      simulation.mode == Mode::modal ? study.transient->options : study.direct.options;
  const bool choosesSteps = simulation.scheme == kEventScheme || schemeTraits(simulation.scheme)->adaptive;
  return simulation.step > 0.0 && !choosesSteps && scheme.stepMax == 0.0;
}

int stepsPerRow(const Deck& study, const Simulation& simulation) {
  constexpr double kMostSteps = 1e9;
  if (areRowsEvenlySpaced(study, simulation)) return 0;
  if (!doesDeckRequestNoRows(study) || !hasEvenSteps(study, simulation))
    return std::max(1, study.output.every);
  const auto most = static_cast<double>(rowLimitWithoutRequest(study, simulation));
  const double steps = std::min(study.transient->duration / simulation.step, most * kMostSteps);
  return std::max(1, static_cast<int>(std::ceil(steps / most)));
}

RowLimit rowLimitOf(const Deck& study, const Simulation& simulation) {
  if (!doesDeckRequestNoRows(study) || hasEvenSteps(study, simulation)) return {};
  return {study.transient->start, study.transient->duration, rowLimitWithoutRequest(study, simulation)};
}

std::size_t approximateValuesPerRow(const Deck& study, const Simulation& simulation) {
  constexpr std::size_t kOthers = 16, kOfContact = 12, kOfLink = 12;
  std::size_t values = kOthers + kOfContact * study.contacts.size() + kOfLink * study.links.size() +
                       kComponents * study.output.nodes.size() * study.output.fields.size();
  if (simulation.mode == Mode::modal) values += 3 * static_cast<std::size_t>(simulation.basis.size());
  return values;
}

ArchiveTimes archiveTimesOfRun(const Deck& study, const Simulation& simulation) {
  if (!areRowsEvenlySpaced(study, simulation)) return archiveTimesOfRun(study);
  constexpr double kPerPeriod = 20.0, kFewest = 1000.0, kMostValues = 2e7;
  const double start = study.transient->start, duration = study.transient->duration;
  const double highest = std::max(highestRelevantFrequency(simulation),
                                  highestDrivingFrequency(simulation.model, start, start + duration));
  const double wanted = kPerPeriod * duration * highest / (2.0 * std::numbers::pi);
  // Rows at events are added to these rows: half of the allowed number is reserved for them.
  const double allowed =
      std::max(1.0, 0.5 * static_cast<double>(rowLimitWithoutRequest(study, simulation)) - 1.0);
  const double few = kMostValues / static_cast<double>(approximateValuesPerRow(study, simulation));
  const double rows =
      std::ceil(std::min(std::clamp(wanted, kFewest, std::max(kFewest, few)), std::floor(allowed)));
  return ArchiveTimes::equidistantTimes(duration / rows, start, start + duration);
}

TransientOptions transientOptionsOf(const Deck& study, const Simulation& simulation) {
  return transientOptionsOf(study, simulation, archiveTimesOfRun(study, simulation));
}

TransientOptions transientOptionsOf(const Deck& study, const Simulation& simulation, ArchiveTimes archived) {
  if (!study.transient) throw std::invalid_argument("a study without a run has nothing to be run");
  TransientOptions options;
  options.start = study.transient->start;
  options.end = options.start + study.transient->duration;
  options.step = simulation.step;
  options.scheme = simulation.mode == Mode::modal ? study.transient->options : study.direct.options;
  options.archiveEvery = stepsPerRow(study, simulation);
  options.archiveTimes = std::move(archived);
  if (const Restart* from = simulation.restart.get()) {
    if (from->memory) options.memory = &*from->memory;
    if (!from->stepping.empty() && from->step == options.step) options.goesOnFrom = from->stepping;
  }
  return options;
}

}  // namespace ricochet
