#pragma once

#include "engine/contact/frictionless.hpp"

namespace ricochet {

/// Friction of a contact area that slides and spins, as contacts list it. What it does is in the contact's
/// PatchLaw; it has no traction at a point and no form for schemes that need one (event, moreau).
struct PatchFriction : Frictionless {
  static constexpr std::string_view keyword = "patch";
  static constexpr bool kTraction = true;
  static constexpr bool kArea = true;

  double muStatic{0.0};
  double muDynamic{0.0};
  double dropSpeed{0.0};
  double stiffness{0.0};
  double damping{0.0};

  static constexpr auto fields() {
    using F = Field<PatchFriction>;
    return std::array{
        F{"static", &PatchFriction::muStatic, "-", 0.0, 0.3, "static coefficient mu_s"},
        F{"dynamic", &PatchFriction::muDynamic, "-", 0.0, 0.2, "dynamic coefficient mu_d"},
        F{"drop_speed", &PatchFriction::dropSpeed, "m/s", 0.0, 0.1, "speed over which mu falls"},
        F{"stiffness", &PatchFriction::stiffness, "N/m", 0.0, 1.0e5, "stick stiffness k_t"},
        F{"damping", &PatchFriction::damping, "N s/m", 0.0, 50.0, "stick damping c_t"}};
  }

  double contactStiffness() const noexcept { return stiffness; }
  double contactDamping() const noexcept { return damping; }
};

/// Whether a friction law is that of an area: it takes the rotation about the normal too.
template <class L>
inline constexpr bool kIsArea = requires {
  requires L::kArea;
};

}  // namespace ricochet
