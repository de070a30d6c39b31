#include "engine/lanes/lane_run.hpp"

#include "engine/lanes/lane_group.hpp"
#include "engine/lanes/lane_loop.hpp"
#include "engine/numerics/flush_to_zero.hpp"
#include "engine/schemes/integrators.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <optional>

namespace ricochet::batch {

class LaneRun::Driver {
 public:
  virtual ~Driver() = default;
  virtual void run(LaneFeed& feed) = 0;
};

namespace {

/// Observer that ignores all callbacks and only passes on the statistics of another observer.
class Blind : public TransientObserver {
 public:
  explicit Blind(StepStatistics* statistics) : statistics_(statistics) {}
  void archive(const StepView&) override {}
  StepStatistics* stepStatistics() override { return statistics_; }

 private:
  StepStatistics* statistics_;
};

/// While the object exists, the thread has the floating-point mode that it had before the run.
class Outside {
 public:
  explicit Outside(FlushToZero::Word before) noexcept : inside_(FlushToZero::readControlWord()) {
    FlushToZero::writeControlWord(before);
  }
  ~Outside() { FlushToZero::writeControlWord(inside_); }
  Outside(const Outside&) = delete;
  Outside& operator=(const Outside&) = delete;

 private:
  FlushToZero::Word inside_;
};

template <class I>
class DriverOf : public LaneRun::Driver {
 public:
  DriverOf(const ModalModel& base, const TransientOptions& options, const LaneOptions& lanes)
      : options_(options),
        model_(kScheme, base, options),
        grid_(makeTransientGrid(base, options, ModalEquation::kSplitsAtKinks)) {
    const LaneKernels& kernels = lanes.kernels == nullptr ? *laneKernels().front() : *lanes.kernels;
    groups_.reserve(lanes.groups);
    for (std::size_t g = 0; g < lanes.groups; ++g) groups_.emplace_back(model_, kernels, base);
    lanes_.reserve(kWidth * lanes.groups);
    for (std::size_t i = 0; i < kWidth * lanes.groups; ++i)
      lanes_.emplace_back(makeIntegrator<I>(base.linear, options.scheme));
  }

  void run(LaneFeed& feed) override {
    follows_ = false;
    running_ = 0;
    before_ = FlushToZero::readControlWord();
    const FlushToZero flush;
    for (std::size_t i = 0; i < lanes_.size(); ++i) fillLaneWithNextVariant(i, feed);
    updateGroupAfterLaneChange();
    while (running_ > 0) {
      advanceLaneGroups(stepCountToNextScalarStep());
      for (std::size_t i = 0; i < lanes_.size(); ++i)
        if (lanes_[i].loop && lanes_[i].n == lanes_[i].stop) resumeVariant(i, feed);
      updateGroupAfterLaneChange();
    }
  }

 private:
  static constexpr LaneScheme kScheme =
      std::is_same_v<I, KickDrift> ? LaneScheme::kickDrift : LaneScheme::centralDifference;

  struct Lane {
    explicit Lane(I made) : integrator(std::move(made)) {}
    I integrator;
    LaneCase variant;
    State initial;
    std::optional<LaneLoop<I>> loop;
    long long n{0};      // number of nominal steps computed
    long long since{0};  // number of these steps that the loop has recorded
    long long stop{0};   // nominal step after which the loop takes over
  };
  LaneGroup& groupOfLane(std::size_t i) { return groups_[i / kWidth]; }

  void advanceLaneGroups(long long count) {
    for (long long k = 0; k < count; ++k)
      for (LaneGroup& group : groups_)
        if (group.hasVariants()) group.advanceOneStep();
    for (Lane& lane : lanes_)
      if (lane.loop) lane.n += count;
  }

  long long stepCountToNextScalarStep() const {
    long long steps = std::numeric_limits<long long>::max();
    for (const Lane& lane : lanes_)
      if (lane.loop) steps = std::min(steps, lane.stop - lane.n);
    return steps;
  }

  bool isStepComputedByScalarCode(long long n) const {
    return std::binary_search(model_.special.begin(), model_.special.end(), n);
  }

  /// Next nominal step after which the scalar code has to handle a variant.
  long long nextStepForScalarCode(long long n) const {
    const long long special = *std::upper_bound(model_.special.begin(), model_.special.end(), n);
    long long stop = std::min(special - 1, (n / kChunk + 1) * kChunk);
    if (options_.archiveTimes.empty())
      stop = std::min(stop, (n / options_.archiveEvery + 1) * options_.archiveEvery);
    return stop;
  }

  void updateGroupAfterLaneChange() {
    for (LaneGroup& group : groups_) group.updateGroupAfterLaneChange();
  }

  /// Fills a lane with the next variant that does not end during its first steps, which the scalar code
  /// computes.
  void fillLaneWithNextVariant(std::size_t i, LaneFeed& feed) {
    Lane& lane = lanes_[i];
    lane.loop.reset();
    while (fetchNextVariantFromFeed(lane.variant, feed)) {
      ++running_;
      lane.initial = *lane.variant.state;
      StepStatistics* const statistics = lane.variant.observer->stepStatistics();
      if (!follows_ && statistics != nullptr) {
        for (LaneGroup& group : groups_) group.setChannels(statistics->channels());
        follows_ = true;
      }
      lane.loop.emplace(lane.integrator, *lane.variant.equation, *lane.variant.state, options_,
                        *lane.variant.observer, grid_);
      lane.n = lane.since = 0;
      lane.loop->begin();
      groupOfLane(i).assignVariantToLane(
          i % kWidth, {lane.variant.equation, lane.variant.state,
                       &lane.integrator.vectorChangedByLoadJump(*lane.variant.state), statistics});
      if (advanceToNextLaneStep(i)) return;
      finishRunOfVariant(i, feed);
    }
  }

  bool fetchNextVariantFromFeed(LaneCase& variant, LaneFeed& feed) const {
    const Outside outside(before_);
    return feed.nextVariant(variant);
  }

  /// Computes special steps by the scalar code and puts the variant into its lane; false if the run of the
  /// variant has ended.
  bool advanceToNextLaneStep(std::size_t i) {
    Lane& lane = lanes_[i];
    while (lane.loop->isRunning() && lane.n < model_.count && isStepComputedByScalarCode(lane.n + 1)) {
      lane.loop->computeStep(++lane.n, model_.count);
      lane.since = lane.n;
    }
    if (!lane.loop->isRunning() || lane.n == model_.count) return false;
    groupOfLane(i).loadStateIntoLane(i % kWidth, lane.n);
    lane.stop = nextStepForScalarCode(lane.n);
    return true;
  }

  void resumeVariant(std::size_t i, LaneFeed& feed) {
    Lane& lane = lanes_[i];
    groupOfLane(i).writeStateBackToVariant(i % kWidth);
    lane.loop->resumeRunAfterLanes(lane.n, lane.n - lane.since, model_.count);
    lane.since = lane.n;
    if (lane.loop->isRunning()) {
      if (!isStepComputedByScalarCode(lane.n + 1)) {
        lane.stop = nextStepForScalarCode(lane.n);
        return;
      }
      const State& s = *lane.variant.state;
      lane.variant.equation->resume(s, s.time - model_.step);
      if (advanceToNextLaneStep(i)) return;
    }
    finishRunOfVariant(i, feed);
    fillLaneWithNextVariant(i, feed);
  }

  void finishRunOfVariant(std::size_t i, LaneFeed& feed) {
    Lane& lane = lanes_[i];
    groupOfLane(i).removeVariantFromLane(i % kWidth);
    const Report report = lane.loop->hasDiverged() ? rerunWithScalarCode(lane) : lane.loop->finish();
    lane.loop.reset();
    --running_;
    const Outside outside(before_);
    feed.receiveReportOfVariant(lane.variant, report);
  }

  /// Repeats the whole run of a diverged variant with the scalar code.
  Report rerunWithScalarCode(Lane& lane) {
    Blind blind(lane.variant.observer->stepStatistics());
    *lane.variant.state = lane.initial;
    lane.loop.emplace(lane.integrator, *lane.variant.equation, *lane.variant.state, options_, blind, grid_);
    return lane.loop->run();
  }

  TransientOptions options_;
  LaneModel model_;
  std::shared_ptr<const TransientGrid> grid_;
  std::vector<LaneGroup> groups_;
  std::vector<Lane> lanes_;
  std::size_t running_{0};
  bool follows_{false};
  FlushToZero::Word before_{};
};

}  // namespace

LaneRun::LaneRun(std::string_view scheme, const ModalModel& base, const TransientOptions& options,
                 const LaneOptions& lanes) {
  assert(reasonAgainstLanes(scheme, base, options).empty() && lanes.groups > 0);
  if (scheme == KickDrift::keyword)
    driver_ = std::make_unique<DriverOf<KickDrift>>(base, options, lanes);
  else
    driver_ = std::make_unique<DriverOf<CentralDifference>>(base, options, lanes);
}
LaneRun::~LaneRun() = default;

void LaneRun::run(LaneFeed& feed) { driver_->run(feed); }

}  // namespace ricochet::batch
