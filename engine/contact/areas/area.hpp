#pragma once

#include "engine/contact/areas/fields/twist.hpp"
#include "engine/numerics/real.hpp"

#include <array>

namespace ricochet {

/// What the law of a contact area is told at a trial: its centre of pressure in the tangent plane, and the
/// rotation about the normal (counter-clockwise from the first to the second tangent).
struct AreaMotion {
  Tangential<double> position{};  ///< [m]
  double spin{0.0};               ///< [rad]
  Tangential<double> rate{};      ///< [m/s]
  double spinRate{0.0};           ///< [rad/s]
  double compression{0.0};        ///< N [N]
  double elapsed{0.0};            ///< since the memory was kept [s]
  double dashpot{0.0};            ///< tau = c_t/k_t of the bed [s]
  patch::Wrench<double> held{};   ///< the wrench when the memory was kept [N], [N m]
  bool begins{false};             ///< there was no contact before
};

/// What a contact area remembers of its friction: the wrench of its springs where its bed was last hooked,
/// and where that was.
struct AreaMemory {
  patch::Wrench<double> wrench{};  ///< [N], [N m]
  Tangential<double> position{};   ///< [m]
  double spin{0.0};                ///< [rad]
  double slipSpeed{0.0};           ///< v_eq [m/s]
  bool slipping{false};            ///< the area slips, or most of it
  bool yielding{false};            ///< some of it does
};

/// A point of an area that is followed by points.
struct Bristle {
  Tangential<double> force{};  ///< of its spring where it was last hooked [N]
  bool slipping{false};
  Tangential<double> held{};  ///< its whole force, with its dashpot's [N]
};

struct AreaTrial {
  patch::Wrench<double> wrench{};  ///< on the area [N], [N m]
  AreaMemory next{};
  double stored{0.0};  ///< elastic energy of the bed [J]
};

/// The wrench of a trial and its derivatives. Rows: both forces, moment; columns: both positions and the
/// spin.
struct AreaTangent {
  patch::Wrench<double> wrench{};
  patch::WrenchTangent byPosition{};
  patch::WrenchTangent byRate{};
  std::array<double, 3> byCompression{};
};

}  // namespace ricochet
