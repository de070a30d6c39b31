#pragma once

#include "engine/numerics/extremes.hpp"

#include <algorithm>

namespace ricochet {

/// An impact, or several consecutive impacts that count as one global impact.
struct Impact {
  double start{0.0};     ///< [s]
  double end{0.0};       ///< end of the impact [s]; the end of the run if the contact is still closed
  double velocity{0.0};  ///< approach velocity at the start [m/s]
  double peak{0.0};      ///< largest normal force [N]
  double impulse{0.0};   ///< [N s]
  double rebounds{0.0};  ///< number of impacts after the first

  double duration() const noexcept { return end - start; }
};

/// Groups the impacts of a contact, given in the order of time. A `Sink` receives each impact that has ended
/// by `addImpact(const Impact&)`, and each global impact by `addGlobalImpact(const Impact&)` when the next
/// global impact begins.
class ImpactTracker {
 public:
  /// Impacts that begin within `rest` [s] after the end of another impact belong to the same global impact.
  explicit ImpactTracker(double rest) noexcept : rest_(rest) {}

  bool isImpactActive() const noexcept { return active_; }
  double peakForceOfImpact() const noexcept { return single_.peak; }

  template <class Sink>
  void beginTrackedImpact(double time, double velocity, Sink& sink) {
    if (open_ && !(rest_ > 0.0 && time - global_.end <= rest_)) endGlobalImpact(sink);
    single_ = {.start = time, .end = time, .velocity = velocity};
    active_ = true;
    if (open_)
      global_.rebounds += 1.0;
    else
      global_ = single_;
    open_ = true;
  }

  /// Adds impulse and peak force of a part of the present impact.
  void recordImpulseAndPeakForce(double impulse, double peak) noexcept {
    single_.impulse += impulse;
    single_.peak = largerValueOrNan(single_.peak, peak);
  }

  template <class Sink>
  void endTrackedImpact(double time, Sink& sink) {
    single_.end = global_.end = time;
    global_.impulse += single_.impulse;
    global_.peak = largerValueOrNan(global_.peak, single_.peak);
    active_ = false;
    sink.addImpact(single_);
  }

  /// Ends the present impact and the global impact at the end of the run.
  template <class Sink>
  void finishAtTime(double time, Sink& sink) {
    if (active_) endTrackedImpact(time, sink);
    if (open_) endGlobalImpact(sink);
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive(single_, global_, active_, open_);
  }

 private:
  template <class Sink>
  void endGlobalImpact(Sink& sink) {
    open_ = false;
    sink.addGlobalImpact(global_);
  }

  double rest_;
  Impact single_{}, global_{};
  bool active_{false};
  bool open_{false};  // true while there is a global impact
};

}  // namespace ricochet
