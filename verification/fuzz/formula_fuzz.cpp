// Parses, simplifies and evaluates random formulas of functions and links.

#include "engine/functions/formula.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ricochet;
  constexpr std::array<std::string_view, 2> kVariables{"t", "x"};
  try {
    const Formula formula = Formula::parse({reinterpret_cast<const char*>(data), size}, kVariables);
    for (const double t : {0.0, 0.5, -3.0}) {
      const std::array values{t, 1.0 - t};
      (void)formula.evaluate<double>(values);
    }
  } catch (const FormulaError&) {
    // An invalid formula is refused with an error, which is correct.
  }
  return 0;
}
