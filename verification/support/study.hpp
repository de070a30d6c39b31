#pragma once

#include "engine/lanes/lane_run.hpp"
#include "engine/transient/step_statistics.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace ricochet::test {

/// Observes a variant: records its rows, and statistics of channels if there are any.
class StudyObserver : public Recorder {
 public:
  explicit StudyObserver(const std::vector<StepChannel>& channels = {}) {
    if (!channels.empty()) statistics = std::make_unique<StepStatistics>(channels);
  }
  std::unique_ptr<StepStatistics> statistics;
  StepStatistics* stepStatistics() override { return statistics.get(); }
};

/// A variant and its outcome.
struct StudyVariant {
  StudyVariant(const ModelParts& parts, State start, const std::vector<StepChannel>& channels = {})
      : model(std::make_unique<ModalModel>(parts.build())),
        equation(std::make_unique<ModalEquation>(*model)),
        state(std::move(start)),
        observer(channels) {}
  std::unique_ptr<ModalModel> model;
  std::unique_ptr<ModalEquation> equation;
  State state;
  StudyObserver observer;
  Report report;
  bool ended{false};
};
using StudyVariants = std::vector<StudyVariant>;

/// Runs a study in lanes.
void runInLanes(StudyVariants& study, std::string_view scheme, const TransientOptions& options,
                const batch::LaneOptions& lanes = {});
/// Runs each variant of a study alone.
void runVariantsAlone(StudyVariants& study, std::string_view scheme, const TransientOptions& options);

/// Expects the same bits in all numbers of two outcomes. `what` is part of the messages.
void expectSameBits(const StudyVariant& lanes, const StudyVariant& alone, std::size_t what);

/// Runs the variants of `make()` in lanes and alone, and compares them; returns the outcome of the lanes.
template <class Make>
StudyVariants expectSameInLanes(Make&& make, std::string_view scheme, const TransientOptions& options,
                                const batch::LaneOptions& lanes = {}) {
  StudyVariants together = make();
  StudyVariants alone = make();
  runInLanes(together, scheme, options, lanes);
  runVariantsAlone(alone, scheme, options);
  for (std::size_t i = 0; i < alone.size(); ++i) expectSameBits(together[i], alone[i], i);
  return together;
}

}  // namespace ricochet::test
