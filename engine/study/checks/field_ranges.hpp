#pragma once

#include "engine/numerics/field.hpp"
#include "engine/study/parts/study_error.hpp"

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <vector>

namespace ricochet {

/// "at least 0 N/m", "above 0 and at most 1".
template <class T>
std::string textOfAllowedRange(const Field<T>& field) {
  const std::string unit = field.unit == "-" ? "" : fmt::format(" {}", field.unit);
  const std::string least =
      fmt::format("{} {:g}{}", field.isLowestExcluded() ? "above" : "at least", field.lowest, unit);
  return std::isfinite(field.highest) ? fmt::format("{} and at most {:g}{}", least, field.highest, unit)
                                      : least;
}

/// Adds a problem for each field of a law, an obstacle or the options of a scheme whose value is outside the
/// range of the field. The value of an optional field in a default-constructed T is always allowed.
template <class T>
void addRangeProblems(const T& kind, const std::string& path, std::vector<StudyProblem>& problems) {
  if constexpr (requires { T::numericParameters(); }) {
    for (const auto& field : T::numericParameters()) {
      const double value = kind.*field.member;
      const bool mayLack = field.need == Need::optional || field.need == Need::together;
      if (mayLack && value == T{}.*field.member) continue;
      const bool aboveLowest = field.isLowestExcluded() ? value > field.lowest : value >= field.lowest;
      if (!std::isfinite(value) || !aboveLowest || value > field.highest)
        problems.push_back({fmt::format("{}.{}", path, field.name),
                            fmt::format("must be {}, got {:g}", textOfAllowedRange(field), value)});
    }
  }
}

}  // namespace ricochet
