#pragma once

#include "engine/lanes/lane_model.hpp"
#include "engine/model/modal_equation.hpp"
#include "engine/transient/transient.hpp"

#include <cstddef>
#include <memory>
#include <string_view>

namespace ricochet::batch {

struct LaneKernels;

/// Arguments of `run` for one variant: equation, initial state and observer. The objects must stay in place
/// until the run of the variant has ended.
struct LaneCase {
  ModalEquation* equation{nullptr};
  State* state{nullptr};
  TransientObserver* observer{nullptr};
};

/// Source of variants and receiver of their results.
class LaneFeed {
 public:
  virtual ~LaneFeed() = default;
  /// Gets the next variant, for which `reasonAgainstSharingLanes` is empty; false when no variant is left.
  virtual bool nextVariant(LaneCase& variant) = 0;
  /// Called when the run of a variant has ended: equation, state and observer have the values that `run`
  /// would leave. The order is that in which the runs end.
  virtual void receiveReportOfVariant(const LaneCase& variant, const Report& report) = 0;
};

struct LaneOptions {
  /// Number of groups of eight variants that are advanced step by step together. More than one group gave no
  /// gain in measurements, because the step of one group already fills the processor.
  std::size_t groups{1};
  const LaneKernels* kernels{nullptr};  ///< null: the widest kernels of this processor
};

/// Runs many variants of one model with an explicit scheme, eight to a group, one in each lane of the vector
/// registers; every variant has the bits of `run(scheme, equation, state, options, observer)`.
///
/// The lanes (vectorised kernels) compute the nominal steps. The scalar code of a single run, on the
/// variant's own equation, computes the start, the steps with a breakpoint or an output inside or with a jump
/// at their start, and everything that is shown, recorded or reported. A free lane therefore takes the next
/// variant at once, at whatever step the other lanes are. If a variant diverges, the scalar code repeats its
/// run from the start without observer, so that values that are not finite also have the bits of `run`.
class LaneRun {
 public:
  /// `base` is a model of the batch and gives the data that all variants share; it outlives this object, and
  /// `reasonAgainstLanes` is empty for it. All memory except that of the variants is allocated here.
  LaneRun(std::string_view scheme, const ModalModel& base, const TransientOptions& options,
          const LaneOptions& lanes = {});
  ~LaneRun();
  LaneRun(const LaneRun&) = delete;
  LaneRun& operator=(const LaneRun&) = delete;

  /// Runs all variants of the feed. Subnormal numbers are flushed to zero on this thread during the steps,
  /// but not during calls of the feed.
  void run(LaneFeed& feed);

  class Driver;

 private:
  std::unique_ptr<Driver> driver_;
};

}  // namespace ricochet::batch
