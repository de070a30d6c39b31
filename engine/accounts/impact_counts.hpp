#pragma once

namespace ricochet {

/// Numbers of impacts of rigid contacts that the laws of a single contact do not determine. With the scheme
/// moreau, all contacts that strike at the end of one step are one impact, and `withoutCollision` and `gains`
/// stay 0.
struct ImpactCounts {
  long long together{0};   ///< several contacts acted on each other
  long long notUnique{0};  ///< ... and their impulses were not unique: those of least norm were taken
  long long withoutRestitution{0};  ///< no solution with restitution: it was left out
  long long withoutCollision{0};    ///< friction stopped a contact that did not approach (Painleve)
  long long gains{0};               ///< the impulses of the contacts added energy to the structure

  ImpactCounts& operator+=(const ImpactCounts& other) noexcept {
    together += other.together;
    notUnique += other.notUnique;
    withoutRestitution += other.withoutRestitution;
    withoutCollision += other.withoutCollision;
    gains += other.gains;
    return *this;
  }
};

}  // namespace ricochet
