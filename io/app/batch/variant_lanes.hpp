#pragma once

#include "engine/lanes/lane_run.hpp"
#include "io/app/batch/variant_run.hpp"

#include <chrono>
#include <memory>
#include <vector>

namespace ricochet {

/// Runs eight variants of one group at once in the lanes (vector elements) of the processor: explicit schemes
/// only. The results are bit for bit those of a variant that is run alone.
class VariantLanes : public batch::LaneFeed {
 public:
  /// For the variants in the group of `variant`, which the runner has just run; null if these variants cannot
  /// run in lanes.
  static std::unique_ptr<VariantLanes> makeLanesForGroup(VariantRunner& runner, std::size_t variant);

  void runVariants(std::size_t first, std::size_t count, VariantSink& sink);

  bool nextVariant(batch::LaneCase& variant) override;
  void receiveReportOfVariant(const batch::LaneCase& variant, const Report& report) override;

 private:
  struct Slot {
    std::size_t variant{0};
    ModalModel model;
    State initial{0};
    std::unique_ptr<ModalEquation> equation;
    State state{0};
    std::unique_ptr<OutputRecorder> recorder;
    bool made{false};
    std::chrono::steady_clock::time_point begin;
  };

  VariantLanes(VariantRunner& runner, const std::string& scheme, const TransientOptions& options);
  bool prepareVariant(std::size_t variant, Slot& slot);

  VariantRunner& runner_;
  std::string scheme_;
  TransientOptions options_;
  ModalModel base_;
  std::unique_ptr<batch::LaneRun> lanes_;
  std::vector<std::unique_ptr<Slot>> free_, busy_;
  std::size_t next_{0}, end_{0};
  VariantSink* sink_{nullptr};
};

}  // namespace ricochet
