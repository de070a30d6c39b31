#include "io/result/archive_size.hpp"

#include "io/prepare/prepare.hpp"
#include "io/prepare/run_options.hpp"

#include <algorithm>

namespace ricochet {

ArchiveSize archiveSize(const Deck& study, const Simulation& simulation) {
  constexpr std::size_t kOthers = 16, kOfContact = 12, kOfLink = 12;
  ArchiveSize size;
  size.rowSize = kOthers + kOfContact * study.contacts.size() + kOfLink * study.links.size() +
                 kComponents * study.output.nodes.size() * study.output.fields.size();
  if (simulation.mode == Mode::modal) size.rowSize += 3 * static_cast<std::size_t>(simulation.basis.size());
  if (!study.transient) return size;
  constexpr double kMostRows = 1e12;
  size.rows = archiveTimesOf(study).size();
  const SchemeOptions& scheme =
      simulation.mode == Mode::modal ? study.transient->options : study.direct.options;
  const bool isSteady = simulation.step > 0.0 && simulation.scheme != kEventScheme && scheme.stepMax == 0.0;
  if (size.rows == 0 && isSteady)
    size.rows = static_cast<std::size_t>(
                    std::min(study.transient->duration / (simulation.step * study.output.every), kMostRows)) +
                1;
  return size;
}

}  // namespace ricochet
