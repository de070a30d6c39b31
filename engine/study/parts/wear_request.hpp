#pragma once

#include "engine/contact/wear.hpp"
#include "engine/contact/worn_shapes.hpp"

#include <optional>
#include <string_view>

namespace ricochet {

/// `wear` of a contact: the law of each body, and the shape of what goes.
struct WearRequest {
  AnyWearLaw law{};
  std::optional<AnyWearLaw> other{};    ///< of the obstacle or the second node; absent: it does not wear
  std::optional<AnyWornShape> shape{};  ///< absent: no depth
  std::optional<double> after{};  ///< time worn at the mean rate of a window [s]; absent: the window itself

  /// Off the first body [m^3]: `work` [J] is the integral of N |s'| over slip, `duration` [s] its window.
  double volume(double work, double duration) const noexcept { return worn(law, work, duration); }
  double otherVolume(double work, double duration) const noexcept {
    return other ? worn(*other, work, duration) : 0.0;
  }

  /// A cut between two bodies that wear: its depth is of both volumes, and shared as they are [m].
  double depth(double work, double duration) const noexcept {
    return shared(volume(work, duration), work, duration);
  }
  double otherDepth(double work, double duration) const noexcept {
    return shared(otherVolume(work, duration), work, duration);
  }

  /// Of a check: "wear_volume", "wear_depth", "wear_volume_other", "wear_depth_other".
  double named(std::string_view name, double work, double duration) const noexcept {
    const bool ofOther = name.ends_with("_other");
    if (name.starts_with("wear_depth")) return ofOther ? otherDepth(work, duration) : depth(work, duration);
    return ofOther ? otherVolume(work, duration) : volume(work, duration);
  }

  /// Of one of so many sectors of a turn, worn all around over its part of a ring: V = L (R^2 - (R - d)^2)
  /// pi/n.
  double sectorDepth(double work, double duration, int sectors) const noexcept {
    return wornDepth(*shape, sectors * volume(work, duration));
  }
  bool hasSectorDepth() const noexcept { return shape && std::holds_alternative<WornRing>(*shape); }

  bool hasOtherDepth() const noexcept { return other && shape && isSharedCut(*shape); }

 private:
  double worn(const AnyWearLaw& by, double work, double duration) const noexcept {
    if (!(duration > 0.0)) return 0.0;
    return std::visit(
        [&](const auto& each) { return each.volume(work / duration, after.value_or(duration)); }, by);
  }
  double shared(double part, double work, double duration) const noexcept {
    if (!hasOtherDepth()) return wornDepth(*shape, part);
    const double all = volume(work, duration) + otherVolume(work, duration);
    return all > 0.0 ? part / all * wornDepth(*shape, all) : 0.0;
  }
};

}  // namespace ricochet
