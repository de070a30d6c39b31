#pragma once

#include "engine/functions/formula.hpp"
#include "engine/functions/time_function.hpp"

#include <array>
#include <string_view>

namespace ricochet::test {

/// A load or a force of the time, "3*sin(4*t)".
inline TimeFunction formulaOfTime(std::string_view text) {
  constexpr std::array<std::string_view, 1> kVariables{"t"};
  return TimeFunction::formula(Formula::parse(text, kVariables));
}

}  // namespace ricochet::test
