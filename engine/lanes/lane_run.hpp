#pragma once

#include "engine/lanes/lane_model.hpp"
#include "engine/model/modal_equation.hpp"
#include "engine/transient/transient.hpp"

#include <cstddef>
#include <memory>
#include <string_view>

namespace ricochet::batch {

struct LaneKernels;

/// What `run` takes for one variant: its equation, its initial state and who looks on. They must stay where
/// they are until the variant has ended.
struct LaneCase {
  ModalEquation* equation{nullptr};
  State* state{nullptr};
  TransientObserver* observer{nullptr};
};

/// Variants in, outcomes out.
class LaneFeed {
 public:
  virtual ~LaneFeed() = default;
  /// The next variant, one that `whyNotTogether` has nothing against; false when there is none left.
  virtual bool next(LaneCase& variant) = 0;
  /// A variant has ended: equation, state and observer are as `run` would have left them. Variants end in the
  /// order in which their lanes come to an end.
  virtual void ended(const LaneCase& variant, const Report& report) = 0;
};

struct LaneOptions {
  /// Of eight variants that go along side by side; more than one gains nothing on what was measured, for the
  /// step fills the processor by itself.
  std::size_t groups{1};
  const LaneKernels* kernels{nullptr};  ///< null: the best for this processor
};

/// Runs many variants of one model with an explicit scheme, eight to a group, one in each lane of the vector
/// registers; every variant has the bits of `run(scheme, equation, state, options, observer)`.
///
/// The lanes take the nominal steps. Steps with a breakpoint or an output inside, those at whose start
/// something jumps, the start, and all that is shown, recorded or reported are left to the code of a single
/// run, on the variant's own equation. So a lane that is free takes the next variant at once, wherever the
/// others stand. A variant that diverges is run again by that code, from its start and unseen: what happens
/// to numbers that are none is then the same too.
class LaneRun {
 public:
  /// `base`: a model of the batch, for what they all share; outlives this. `whyNotInLanes` has nothing
  /// against it. All memory but that of the variants is taken here.
  LaneRun(std::string_view scheme, const ModalModel& base, const TransientOptions& options,
          const LaneOptions& lanes = {});
  ~LaneRun();
  LaneRun(const LaneRun&) = delete;
  LaneRun& operator=(const LaneRun&) = delete;

  /// Runs all variants of the feed. Subnormal numbers are flushed to zero on this thread meanwhile, but not
  /// while the feed is asked or told.
  void run(LaneFeed& feed);

  class Driver;

 private:
  std::unique_ptr<Driver> driver_;
};

}  // namespace ricochet::batch
