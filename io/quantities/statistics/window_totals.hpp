#pragma once

#include "engine/numerics/extremes.hpp"
#include "io/quantities/statistics/impact_tracker.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

namespace ricochet {

/// Histories of a contact whose mean, root mean square and extremes are computed.
enum class Signal : unsigned char { normalForce, tangentialForce, gap, position1, position2, position3 };
inline constexpr std::size_t kSignals = 6;
using Signals = std::array<double, kSignals>;

/// Integrals and extremes of a history over a window.
struct Moments {
  double integral{0.0};
  double square{0.0};  ///< integral of the square
  double low{std::numeric_limits<double>::infinity()};
  double high{-std::numeric_limits<double>::infinity()};
};

/// Sums over the impacts that begin in a window.
struct ImpactSums {
  double count{0.0};
  double duration{0.0}, longest{0.0};  ///< sum and largest [s]
  double velocity{0.0}, fastest{0.0};  ///< sum and largest approach velocity [m/s]
  double peak{0.0}, hardest{0.0};      ///< sum and largest peak force [N]
  double impulse{0.0};                 ///< sum of the impulses [N s]
  double rebounds{0.0}, most{0.0};

  void addImpactToSums(const Impact& impact) noexcept {
    count += 1.0;
    duration += impact.duration();
    longest = largerValueOrNan(longest, impact.duration());
    velocity += impact.velocity;
    fastest = largerValueOrNan(fastest, impact.velocity);
    peak += impact.peak;
    hardest = largerValueOrNan(hardest, impact.peak);
    impulse += impact.impulse;
    rebounds += impact.rebounds;
    most = largerValueOrNan(most, impact.rebounds);
  }
};

/// Statistics of a contact over a window [from, to].
struct WindowTotals {
  double from{0.0};     ///< [s]
  double to{0.0};       ///< end of the window [s]; the end of the run if the run ended earlier
  double covered{0.0};  ///< part of the window that the run has covered [s]
  /// Time in each ContactPhase [s]; a contact whose force does not exceed the threshold counts as open.
  std::array<double, 3> time{};
  std::array<Moments, kSignals> signals{};
  struct {
    double integral{0.0};  ///< [N s]
    double square{0.0};    ///< integral of the square [N^2 s]
  } forceWhileCountedClosed{};
  double impulse{0.0};  ///< integral of N, with the impulses of rigid contacts [N s]
  double wear{0.0};     ///< integral of N |s'| during slip [J]
  ImpactSums impacts{};
  ImpactSums globals{};

  const Moments& momentsOf(Signal signal) const noexcept { return signals[static_cast<std::size_t>(signal)]; }
  /// Time in which the contact is closed [s]; zero if it is only rounding of the window.
  double closedTime() const noexcept {
    constexpr double kRounding = 1e-12;
    const double sum = time[1] + time[2];
    return sum > kRounding * covered ? sum : 0.0;
  }
  bool doesWindowContainInstant(double instant, double end) const noexcept {
    return instant >= from && (instant < to || (to >= end && instant <= to));
  }
};

}  // namespace ricochet
