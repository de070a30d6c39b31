#pragma once

#include <array>
#include <string_view>

namespace ricochet {

enum class Kinematic : unsigned char { displacement, velocity, acceleration };

inline constexpr std::array<std::string_view, 3> kKinematicNames{"displacement", "velocity", "acceleration"};
inline constexpr std::array<std::string_view, 3> kKinematicUnits{"m", "m/s", "m/s^2"};

inline constexpr std::array<std::string_view, 3> kKinematicMeanings{
    "displacement of nodes", "velocity of nodes", "acceleration of nodes"};

}  // namespace ricochet
