#pragma once

#include "engine/contact/areas/fields/twist.hpp"
#include "engine/numerics/real.hpp"

#include <array>

namespace ricochet {

/// Input of the law of a contact area in a trial: motion of its centre of pressure in the tangent plane, and
/// rotation about the normal (counter-clockwise from the first to the second tangent).
struct AreaMotion {
  Tangential<double> position{};  ///< position of the centre of pressure [m]
  double spin{0.0};               ///< rotation about the normal [rad]
  Tangential<double> rate{};      ///< rate of the position [m/s]
  double spinRate{0.0};           ///< rotation rate [rad/s]
  double compression{0.0};        ///< normal force N [N]
  double elapsed{0.0};            ///< time since the accepted state [s]
  double dashpot{0.0};            ///< relaxation time c_t/k_t of the elastic bed [s]
  patch::Wrench<double> held{};   ///< wrench of the accepted state [N], [N m]
  bool begins{false};             ///< the contact was open in the accepted state
};

/// Friction memory of a contact area: anchor position of its springs, from which the elastic deflection is
/// measured, and the wrench of the springs at the anchor.
struct AreaMemory {
  patch::Wrench<double> wrench{};  ///< wrench of the springs at the anchor [N], [N m]
  Tangential<double> position{};   ///< position of the anchor [m]
  double spin{0.0};                ///< rotation at the anchor [rad]
  double slipSpeed{0.0};           ///< mean slip speed v_eq, weighted by the pressure [m/s]
  /// The area slips; an area of points slips while the points in slip carry more than half of the load.
  bool slipping{false};
  bool yielding{false};  ///< at least one point of the area slips
};

/// State of a point of an area (bristle model): an elastic spring in series with a slider.
struct Bristle {
  Tangential<double> force{};  ///< force of the spring at the anchor position [N]
  bool slipping{false};
  Tangential<double> held{};  ///< total force of spring and dashpot at the accepted state [N]
};

/// Result of a trial of an area.
struct AreaTrial {
  patch::Wrench<double> wrench{};  ///< wrench on the area [N], [N m]
  AreaMemory next{};
  double storedEnergy{0.0};  ///< elastic energy of the bed [J]
};

/// Wrench of a trial and its derivatives. Rows: both force components, moment; columns: both positions,
/// rotation.
struct AreaTangent {
  patch::Wrench<double> wrench{};
  patch::WrenchTangent byPosition{};
  patch::WrenchTangent byRate{};
  std::array<double, 3> byCompression{};
};

}  // namespace ricochet
