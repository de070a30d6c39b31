#include "engine/contact/obstacles/profile.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

namespace ricochet {

ProfileLine::ProfileLine(const std::vector<double>& angles, const std::vector<double>& radii) {
  const std::size_t count = angles.size();
  if (count < 3 || radii.size() != count) throw std::invalid_argument("a profile has three corners at least");
  for (std::size_t i = 0; i < count; ++i) {
    const double before = i == 0 ? -std::numeric_limits<double>::min() : angles[i - 1];
    const double next = i + 1 < count ? angles[i + 1] : angles[0] + 2.0 * std::numbers::pi;
    if (!(angles[i] > before) || !(next - angles[i] < std::numbers::pi) || !(radii[i] > 0.0))
      throw std::invalid_argument("angles must increase by less than half a turn, radii be positive");
  }
  const auto corner = [&](std::size_t i) -> std::array<double, 2> {
    const std::size_t k = i % count;
    return {radii[k] * std::cos(angles[k]), radii[k] * std::sin(angles[k])};
  };
  for (std::size_t i = 0; i < count; ++i) {
    const auto a = corner(i), b = corner(i + 1);
    const double length = std::hypot(b[0] - a[0], b[1] - a[1]);
    sides_.push_back({a, {(b[0] - a[0]) / length, (b[1] - a[1]) / length}, length});
  }
}

const ProfileLine::Side& ProfileLine::precedingSideOfProfile(const Side& side) const noexcept {
  return &side == &sides_.front() ? sides_.back() : *(&side - 1);
}

ProfileLine::Nearest ProfileLine::nearestPointOnProfile(double x, double y) const noexcept {
  Nearest nearest{&sides_.front(), false, true};
  double least = std::numeric_limits<double>::infinity();
  for (const Side& side : sides_) {
    const double dx = x - side.start[0], dy = y - side.start[1];
    const double along = dx * side.along[0] + dy * side.along[1];
    if (along > side.length) continue;  // the end corner of a side belongs to the next side
    const bool corner = along < 0.0;
    const double height = dy * side.along[0] - dx * side.along[1];
    const double distance = corner ? std::hypot(dx, dy) : std::abs(height);
    if (distance >= least) continue;
    least = distance;
    // a corner can be the nearest point from inside only if the line turns outwards at this corner
    const Side& previous = precedingSideOfProfile(side);
    const double turn = previous.along[0] * side.along[1] - previous.along[1] * side.along[0];
    nearest = {&side, corner, corner ? turn < 0.0 : height > 0.0};
  }
  return nearest;
}

std::optional<std::array<Local<double>, 2>> ProfileLine::normalsOfSidesAtCorner(double x,
                                                                                double y) const noexcept {
  constexpr double kSmooth = 0.8660254037844386;  // cos(30 degrees): a smaller turn may be part of a curve
  const Nearest nearest = nearestPointOnProfile(x, y);
  if (!nearest.corner || nearest.inside) return {};
  const Side& side = *nearest.side;
  const Side& previous = precedingSideOfProfile(side);
  if (previous.along[0] * side.along[0] + previous.along[1] * side.along[1] > kSmooth) return {};
  const auto normal = [](const Side& of) -> Local<double> { return {-of.along[1], of.along[0], 0.0}; };
  return std::array{normal(previous), normal(side)};
}

std::shared_ptr<const ProfileLine> Profile::makeExample() {
  const double quarter = 0.5 * std::numbers::pi, r = 0.01 * std::numbers::sqrt2;
  static const auto square = std::make_shared<const ProfileLine>(
      std::vector{0.5 * quarter, 1.5 * quarter, 2.5 * quarter, 3.5 * quarter}, std::vector{r, r, r, r});
  return square;
}

}  // namespace ricochet
