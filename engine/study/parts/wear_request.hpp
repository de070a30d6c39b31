#pragma once

#include "engine/contact/wear.hpp"
#include "engine/contact/worn_shapes.hpp"

#include <optional>
#include <string_view>

namespace ricochet {

/// Wear of a contact: the wear law of each body, and the shape of the worn volume.
struct WearRequest {
  AnyWearLaw law{};
  std::optional<AnyWearLaw>
      /// Wear law of the obstacle or the second node; absent: this body does not wear.
      other{};
  std::optional<AnyWornShape> shape{};  ///< shape of the worn volume; absent: no wear depth is computed
  std::optional<double>
      after{};  ///< time over which the mean wear rate of a window is applied [s]; absent: the window itself

  /// Volume worn off the first body [m^3]: `work` [J] is the integral of N |s'| over slip, `duration` [s] its
  /// window.
  double volume(double work, double duration) const noexcept { return wornVolume(law, work, duration); }
  double volumeOfOtherBody(double work, double duration) const noexcept {
    return other ? wornVolume(*other, work, duration) : 0.0;
  }

  /// Wear depth of the first body [m]. A cut shared by two wearing bodies has the depth of both volumes
  /// together, divided between the bodies in proportion to their volumes.
  double depth(double work, double duration) const noexcept {
    return wearDepthOfVolumeShare(volume(work, duration), work, duration);
  }
  double depthOfOtherBody(double work, double duration) const noexcept {
    return wearDepthOfVolumeShare(volumeOfOtherBody(work, duration), work, duration);
  }

  /// Value of the wear quantity with this name: "wear_volume" [m^3], "wear_depth" [m]; with "_other": of the
  /// other body.
  double wearQuantity(std::string_view name, double work, double duration) const noexcept {
    const bool ofOther = name.ends_with("_other");
    if (name.starts_with("wear_depth"))
      return ofOther ? depthOfOtherBody(work, duration) : depth(work, duration);
    return ofOther ? volumeOfOtherBody(work, duration) : volume(work, duration);
  }

  /// Wear depth in one of `sectors` angular sectors of a ring, uniform over the sector: V = L (R^2 - (R -
  /// d)^2) pi/n, n = `sectors`.
  double sectorDepth(double work, double duration, int sectors) const noexcept {
    return wornDepth(*shape, sectors * volume(work, duration));
  }
  bool hasSectorDepth() const noexcept { return shape && doesWearDepthVaryBetweenSectors(*shape); }

  bool hasDepthOfOtherBody() const noexcept { return other && shape && canBothBodiesWear(*shape); }

 private:
  double wornVolume(const AnyWearLaw& by, double work, double duration) const noexcept {
    if (!(duration > 0.0)) return 0.0;
    return std::visit(
        [&](const auto& each) { return each.volume(work / duration, after.value_or(duration)); }, by);
  }
  double wearDepthOfVolumeShare(double part, double work, double duration) const noexcept {
    if (!hasDepthOfOtherBody()) return wornDepth(*shape, part);
    const double all = volume(work, duration) + volumeOfOtherBody(work, duration);
    return all > 0.0 ? part / all * wornDepth(*shape, all) : 0.0;
  }
};

}  // namespace ricochet
