#pragma once

#include "engine/accounts/events.hpp"
#include "verification/support/models.hpp"

#include <vector>

namespace ricochet::test {

/// SDND106 with variable parameters: two masses joined by a spring; the first has set-valued friction, a
/// force acts on the second until the instant `cut`. The masses start from the origin.
///
///     m1 x1'' = k (x2 - x1) + T
///     m2 x2'' = F(t) - k (x2 - x1)
///
/// F = pull before `cut`, 0 after.
struct Shoe {
  double m1{5.0};          ///< [kg]
  double m2{5.0};          ///< [kg]
  double stiffness{1e4};   ///< k [N/m]
  double normal{1e4};      ///< N [N]
  double muStatic{0.3};    ///< [-]
  double muDynamic{0.2};   ///< [-]
  double pull{3000.0};     ///< F [N]
  double cut{0.2};         ///< [s]
  double end{0.4};         ///< [s]
  double firstSpeed{0.0};  ///< velocity x2' at the start [m/s]
  double askew{0.0};       ///< angle of the line of motion from the first tangent of the contact [rad]
};

/// Model of the engine in its two modes, with the rows of both displacements.
ModelParts shoeParts(const Shoe& shoe);
Vector modeShapeOfShoeMass(const Shoe& shoe, int mass);

/// Exact solution: in stick x2 is a harmonic oscillation; in slip x2 - x1 is a harmonic oscillation and the
/// centre of mass moves on a parabola. Between instants in closed form the guards are monotonic, and their
/// signs are evaluated at these instants, so that no root is missed. Each root is bisected in extended
/// precision.
struct ShoeSolution {
  double x1{0.0}, x2{0.0};   ///< displacements at the end [m]
  double v1{0.0}, v2{0.0};   ///< [m/s]
  double farthest{0.0};      ///< reference of displacements: path and amplitude [m]
  double fastest{0.0};       ///< reference of velocities [m/s]
  std::vector<Event> found;  ///< number of changes of the friction state
};
ShoeSolution solveShoe(const Shoe& shoe);

}  // namespace ricochet::test
