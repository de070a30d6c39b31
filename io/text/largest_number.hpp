#pragma once

namespace ricochet {

/// Numbers beyond this size are refused wherever a deck or a file of it gives them: products of a few of
/// them, such as energies, would be infinite.
inline constexpr double kLargestNumber = 1e100;

}  // namespace ricochet
