#pragma once

#include <array>
#include <optional>

namespace ricochet {

/// Impulse between a body and an obstacle: normal, along up to two tangents [N s].
struct FrictionalImpulse {
  double normal{0.0};
  std::array<double, 2> tangential{};
};

/// A rigid contact with Coulomb friction that is struck: velocities per impulse [1/kg] and the coefficient.
struct StruckContact {
  int tangents{0};  ///< 1 or 2
  double normal{0.0};
  std::array<double, 2> across{};  ///< tangential velocities per normal impulse
  std::array<std::array<double, 2>, 2> tangential{};
  double friction{0.0};

  /// Whether friction at its bound changes the normal velocity by half of the change that the normal impulse
  /// makes, or more: normal and tangential impulses are then solved together, not in turn.
  bool needsCoupledSolution() const noexcept;
};

/// Impulse that changes the normal velocity by `change`, with |p_t| <= mu p: within the bound there is no
/// slip velocity afterwards, at the bound p_t opposes it. `slip`: tangential velocities before [m/s]. The
/// solution that sticks is taken where there are several (P. Painleve, C. R. Acad. Sci. 121, 1895: mu |G_nt|
/// > G_nn). Empty if there is none.
std::optional<FrictionalImpulse> solveImpulse(const StruckContact& contact, double change,
                                              const std::array<double, 2>& slip) noexcept;

}  // namespace ricochet
