#include "io/app/plot/rounding.hpp"

#include "io/archive/field_ranges.hpp"
#include "io/archive/result_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace ricochet {

const std::pair<double, double>& RoundingFilter::largestValuesOfGroup(const std::string& group,
                                                                      const std::string& field) {
  const std::string path = group + "/" + field;
  const auto [entry, isNew] = largest_.try_emplace(path, 0.0, 0.0);
  if (!isNew) return entry->second;
  const auto nodes = file_.readStrings(group + "/node");
  const auto components = file_.readStrings(group + "/component");
  const std::vector<ColumnRange> ranges = columnRanges(file_, path, {nodes.size(), components.size()});
  for (std::size_t c = 0; c < ranges.size(); ++c) {
    auto& [translations, rotations] = entry->second;
    double& largest = isRotation(components[c % components.size()]) ? rotations : translations;
    largest = std::max({largest, -ranges[c].low, ranges[c].high});
  }
  return entry->second;
}

std::string RoundingFilter::setRoundingErrorsToZero(Curve& curve) {
  constexpr double kRounding = 1e-12;
  double own = 0.0;
  for (const double value : curve.values)
    if (!(own >= std::abs(value))) own = std::abs(value);
  if (!(own > 0.0) || !std::isfinite(own)) return {};
  for (double& value : curve.values)  // otherwise -1e-13 of 100 N would make the axis begin at -20
    if (std::abs(value) <= kRounding * own) value = 0.0;
  const std::string group = std::string(runGroupPrefix(curve.mode)) + "/physical";
  if (curve.group != group) return {};
  const auto& [translations, rotations] = largestValuesOfGroup(group, curve.quantity);
  const double largest = curve.units.find("rad") != std::string::npos ? rotations : translations;
  if (own > kRounding * largest) return {};
  std::ranges::fill(curve.values, 0.0);
  return fmt::format("{}: is drawn as zero: its {:.2g} {} are the rounding of motions of {:.2g} {}",
                     curve.label, own, curve.units, largest, curve.units);
}

}  // namespace ricochet
