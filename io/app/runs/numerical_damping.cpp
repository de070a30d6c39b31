#include "io/app/runs/numerical_damping.hpp"

#include "engine/study/supports.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

namespace ricochet {

std::string removeNumericalDamping(std::string_view scheme, SchemeOptions& options) {
  const SchemeTraits* traits = schemeTraits(scheme);
  if (traits == nullptr) return {};
  const std::span<const std::string_view> keys = traits->keys;
  const auto takes = [&](std::string_view key) { return std::ranges::find(keys, key) != keys.end(); };
  if (takes("gamma") && options.gamma > 0.5)
    return fmt::format("{} with gamma = {:.4g}", scheme, std::exchange(options.gamma, 0.5));
  if (takes("alpha") && options.alpha < 0.0)
    return fmt::format("{} with alpha = {:.4g}", scheme, std::exchange(options.alpha, 0.0));
  return {};
}

}  // namespace ricochet
