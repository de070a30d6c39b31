#pragma once

namespace ricochet {

/// Numbers of impacts in which several rigid contacts act on each other, so that more than the law of one
/// contact decides, and the time in which reactions are not unique. With the scheme moreau, all contacts that
/// strike at the end of one step are one impact, and `withoutCollision` and `gains` stay 0.
struct ImpactCounts {
  long long together{0};   ///< number of impacts in which several contacts act on each other
  long long notUnique{0};  ///< number of these impacts without unique impulses: those of least norm are used
  /// Number of impacts whose equations have no solution with restitution: these are solved with e = 0.
  long long withoutRestitution{0};
  /// Number of impacts in which friction stops a contact without approach (Painleve).
  long long withoutCollision{0};
  long long gains{0};  ///< number of impacts whose impulses add energy to the structure
  /// Time between impacts in which reactions of closed contacts were not unique [s].
  double sharedTime{0.0};

  ImpactCounts& operator+=(const ImpactCounts& other) noexcept {
    together += other.together;
    notUnique += other.notUnique;
    withoutRestitution += other.withoutRestitution;
    withoutCollision += other.withoutCollision;
    gains += other.gains;
    sharedTime += other.sharedTime;
    return *this;
  }
};

}  // namespace ricochet
