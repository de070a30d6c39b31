#pragma once

#include "engine/functions/formula.hpp"
#include "engine/functions/time_function.hpp"
#include "verification/support/models.hpp"
#include "verification/support/recorder.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet::test {

inline constexpr long long kLong = 200'000;  // steps

/// Runs a model until `end` [s]; schemes with step control use a tight tolerance.
inline Outcome runUntilEndTime(const ModelParts& parts, const State& initial, double end,
                               std::vector<double> instants = {}, std::string_view scheme = kEventScheme) {
  Recorder recorder;
  recorder.stopAfter = kLong;
  TransientOptions options{.end = end, .step = 1e-4, .archiveEvery = 1 << 30};
  options.instants = std::move(instants);
  if (scheme != kEventScheme) options.scheme.relativeTolerance = 1e-12;
  return runModel(parts.build(), scheme, initial, options, recorder);
}

inline TimeFunction formula(const std::string& text) {
  const std::array<std::string_view, 1> variables{"t"};
  return TimeFunction::formula(Formula::parse(text, variables));
}

}  // namespace ricochet::test
