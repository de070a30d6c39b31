#include "engine/contact/areas/patch_law.hpp"

#include <type_traits>

namespace ricochet {
namespace {

template <class Area>
inline constexpr bool kHasPoints = std::is_same_v<Area, BristleArea>;

}  // namespace

PatchLaw::PatchLaw(AnyArea area, const patch::FrictionDrop& drop, const AreaSize& size)
    : area_(std::move(area)), drop_(drop), size_(size) {}

std::size_t PatchLaw::bristleCount() const noexcept {
  const auto* points = std::get_if<BristleArea>(&area_);
  return points == nullptr ? 0 : points->size();
}

AreaTrial PatchLaw::computeTrial(const AreaMotion& now, const AreaMemory& from,
                                 std::span<const Bristle> accepted, std::span<Bristle> next) const noexcept {
  return std::visit(
      [&]<class Area>(const Area& area) {
        if constexpr (kHasPoints<Area>)
          return area.computeTrial(now, from, drop_, accepted, next);
        else
          return area.computeTrial(now, from, drop_, size_.sizeAtNormalForce(now.compression));
      },
      area_);
}

AreaTangent PatchLaw::tangentMatrix(const AreaMotion& now, const AreaMemory& from,
                                    std::span<const Bristle> accepted) const noexcept {
  return std::visit(
      [&]<class Area>(const Area& area) {
        if constexpr (kHasPoints<Area>)
          return area.tangentMatrix(now, from, drop_, accepted);
        else
          return area.tangentMatrix(now, from, drop_, size_.sizeAtNormalForce(now.compression),
                                    size_.sizeDerivativeAtForce(now.compression));
      },
      area_);
}

double PatchLaw::distanceFromLimitSurface(const AreaMotion& now, const AreaMemory& from) const noexcept {
  return std::visit(
      [&]<class Area>(const Area& area) {
        if constexpr (kHasPoints<Area>)
          return 0.0;
        else
          return area.distanceFromLimitSurface(
              now, from, drop_.frictionCoefficientOfLimit(from.slipping, from.slipSpeed) * now.compression,
              size_.sizeAtNormalForce(now.compression));
      },
      area_);
}

double PatchLaw::bristleForceDifference(std::span<const Bristle> a,
                                        std::span<const Bristle> b) const noexcept {
  const auto* points = std::get_if<BristleArea>(&area_);
  return points == nullptr ? 0.0 : points->forceDifferenceOfPoints(a, b);
}

double PatchLaw::reversedSlipEnergyOfBristles(const AreaMotion& from, const AreaMotion& to,
                                              std::span<const Bristle> accepted,
                                              std::span<const Bristle> next) const noexcept {
  const auto* points = std::get_if<BristleArea>(&area_);
  return points == nullptr ? 0.0 : points->reversedSlipEnergyOfPoints(from, to, accepted, next);
}

double PatchLaw::spinStiffness() const noexcept {
  const double scale = size_.doesSizeDependOnNormalForce() ? size_.largest : 1.0;
  return scale * scale * std::visit([](const auto& area) { return area.spinStiffness(); }, area_);
}

}  // namespace ricochet
