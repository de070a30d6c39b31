#include "io/quantities/table/reduction.hpp"

#include "engine/numerics/extremes.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {
namespace {

using T = IntervalTotals;

constexpr std::array kReductions{
    Reduction{.keyword = "max",
              .meaning = "largest value",
              .value = [](const T& t) { return t.highest; },
              .highest = true,
              .ofSize = "max_abs",
              .isFunction = true},
    Reduction{.keyword = "min",
              .meaning = "smallest value",
              .value = [](const T& t) { return t.lowest; },
              .lowest = true,
              .isFunction = true},
    Reduction{
        .keyword = "mean", .meaning = "mean over time", .value = [](const T& t) { return t.sum / t.length; }},
    Reduction{.keyword = "rms",
              .meaning = "root mean square over time",
              .value = [](const T& t) { return std::sqrt(t.sum / t.length); },
              .squares = true,
              .ofSize = "rms"},
    Reduction{.keyword = "peak_to_peak",
              .meaning = "largest value less the smallest",
              .value = [](const T& t) { return t.highest - t.lowest; },
              .highest = true,
              .lowest = true},
    Reduction{.keyword = "max_abs",
              .meaning = "largest size",
              .value = [](const T& t) { return largerValueOrNan(std::abs(t.highest), std::abs(t.lowest)); },
              .highest = true,
              .lowest = true,
              .ofSize = "max_abs"},
    Reduction{.keyword = "last", .meaning = "value at the end of the run"},
    Reduction{.keyword = "at", .meaning = "value at an instant", .takesInstant = true}};

}  // namespace

std::span<const Reduction> allReductions() { return kReductions; }

const Reduction* findReduction(std::string_view keyword) {
  const auto* const found = std::ranges::find(kReductions, keyword, &Reduction::keyword);
  return found == kReductions.end() ? nullptr : found;
}

}  // namespace ricochet
