#include "io/prepare/run_options.hpp"

#include "io/prepare/prepare.hpp"
#include "io/prepare/restart.hpp"

#include <stdexcept>

namespace ricochet {

ArchiveTimes archiveTimesOf(const Deck& study) {
  if (!study.output.interval) return study.output.times;
  const double start = study.transient->start;
  return ArchiveTimes::every(*study.output.interval, start, start + study.transient->duration);
}

TransientOptions optionsOf(const Deck& study, const Simulation& simulation) {
  if (!study.transient) throw std::invalid_argument("a study without a run has nothing to be run");
  TransientOptions options;
  options.start = study.transient->start;
  options.end = options.start + study.transient->duration;
  options.step = simulation.step;
  options.scheme = simulation.mode == Mode::modal ? study.transient->options : study.direct.options;
  options.archiveEvery = study.output.every;
  options.archiveTimes = archiveTimesOf(study);
  if (const Restart* from = simulation.restart.get()) {
    if (from->memory) options.memory = &*from->memory;
    if (!from->stepping.empty() && from->step == options.step) options.goesOnFrom = from->stepping;
  }
  return options;
}

}  // namespace ricochet
