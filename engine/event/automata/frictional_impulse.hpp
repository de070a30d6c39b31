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

  /// Whether friction at its bound turns the normal velocity by so much (half of it or more) that the
  /// impulses do not follow from each other in turns.
  bool isEntangled() const noexcept;
};

/// Impulse after which the normal velocity has grown by `change`, with |p_t| <= mu p: inside the bound
/// without a slip velocity, on it against the slip. `slip`: the velocities before. A stick comes first where
/// there are several (P. Painleve, C. R. Acad. Sci. 121, 1895: mu |G_nt| > G_nn). Empty if there is none.
std::optional<FrictionalImpulse> impulseOf(const StruckContact& contact, double change,
                                           const std::array<double, 2>& slip) noexcept;

}  // namespace ricochet
