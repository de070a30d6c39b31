#pragma once

#include "engine/accounts/events.hpp"
#include "verification/support/models.hpp"

#include <vector>

namespace ricochet::test {

/// SDND106 with other numbers: two masses joined by a spring, the first rubs with true stick, the second is
/// pulled until an instant. Starts from the origin.
///
///     m1 x1'' = k (x2 - x1) + T       m2 x2'' = F(t) - k (x2 - x1)       F = pull before `cut`, 0 after
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
  double firstSpeed{0.0};  ///< x2' at the start [m/s]
  double askew{0.0};       ///< of the line of motion, from the first tangent of the contact [rad]
};

/// The engine's model of it, in its two modes, and how to read them.
ModelParts shoeParts(const Shoe& shoe);
Vector shoeShape(const Shoe& shoe, int mass);

/// Its exact solution: in stick x2 is a harmonic oscillator; in slip x2 - x1 is one and the centre of mass
/// follows a parabola. The guards are monotonous between instants that are known in closed form, where their
/// signs are read, so that no root is passed over; each root is bisected in extended precision.
struct ShoeSolution {
  double x1{0.0}, x2{0.0};   ///< at the end [m]
  double v1{0.0}, v2{0.0};   ///< [m/s]
  double farthest{0.0};      ///< what displacements are measured against: travel and swing [m]
  double fastest{0.0};       ///< the same for speeds [m/s]
  std::vector<Event> found;  ///< changes of friction state
};
ShoeSolution solveShoe(const Shoe& shoe);

}  // namespace ricochet::test
