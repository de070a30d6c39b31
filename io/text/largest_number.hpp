#pragma once

namespace ricochet {

/// Largest magnitude of numbers in a deck or its files; larger numbers are refused, because products of a few
/// of them, such as energies, would be infinite.
inline constexpr double kLargestNumber = 1e100;

}  // namespace ricochet
