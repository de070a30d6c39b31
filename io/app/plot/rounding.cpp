#include "io/app/plot/rounding.hpp"

#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

bool isRotationComponent(const std::string& component) { return component.starts_with('r'); }

/// Largest size of a field over all nodes and rows, of its translations or of its rotations.
double largestOf(const H5File& file, const std::string& group, const std::string& field, bool rotations) {
  const auto nodes = file.readStrings(group + "/node");
  const auto components = file.readStrings(group + "/component");
  const H5Array<double> data = file.read(group + "/" + field, {kAny, nodes.size(), components.size()});
  double largest = 0.0;
  for (std::size_t i = 0; i < data.values.size(); ++i)
    if (isRotationComponent(components[i % components.size()]) == rotations && std::isfinite(data.values[i]))
      largest = std::max(largest, std::abs(data.values[i]));
  return largest;
}

}  // namespace

std::string zeroRounding(const H5File& file, Curve& curve) {
  constexpr double kRounding = 1e-12;
  const std::string group = std::string(rootOf(curve.mode)) + "/physical";
  if (curve.group != group) return {};
  double own = 0.0;
  for (const double value : curve.values)
    if (!(own >= std::abs(value))) own = std::abs(value);
  if (!(own > 0.0) || !std::isfinite(own)) return {};
  const double largest = largestOf(file, group, curve.quantity, curve.units.find("rad") != std::string::npos);
  if (own > kRounding * largest) return {};
  std::ranges::fill(curve.values, 0.0);
  return fmt::format("{}: is drawn as zero: its {:.2g} {} are the rounding of motions of {:.2g} {}",
                     curve.label, own, curve.units, largest, curve.units);
}

}  // namespace ricochet
