#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace ricochet {

/// Law of impacts in which rigid contacts act on each other; for a single contact all laws give the same
/// rebound. `newton`: all contacts at once, g'+ >= -e g'-. `poisson`: all contacts at once, compressed until
/// no gap closes, then released with e times the impulses of the compression or more. `sequential`: one
/// contact after another, the fastest approach first, each by Newton's law, until none approaches.
enum class ImpactLaw : std::uint8_t { newton, poisson, sequential };

/// Names of the impact laws in decks and results, in the order of the values of ImpactLaw.
inline constexpr std::array<std::string_view, 3> kImpactLawNames{"newton", "poisson", "sequential"};
inline constexpr std::string_view nameOf(ImpactLaw law) noexcept {
  return kImpactLawNames[static_cast<std::size_t>(law)];
}

}  // namespace ricochet
