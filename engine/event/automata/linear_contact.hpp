#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/event/automata/contact_automaton.hpp"
#include "engine/event/series/linear_form.hpp"
#include "engine/event/series/taylor_expansion.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// A contact whose force is a linear function of the motion: its channels and constraints in the expansion,
/// and the series of its gap, positions and forces over the present step. Anchors of its friction are
/// relative to the surface.
struct LinearContact final : ContactAutomaton {
  LinearContact(const ContactSet& set, const ModePlanes& planes, int index, int order);

  void updateContactPoint(const State& s) noexcept override;
  void updateClosingPosition(const State& s) noexcept override { updateContactPoint(s); }
  double speedScaleOfSlipRate(const State& s) const noexcept override;
  double slipRateRoundingError() const noexcept override { return largestTangentRowNorm() * rounding.speed; }
  double projectOutSlipRate(State& s) const noexcept override;
  double projectOutGap(State& s) const noexcept override;
  bool isGapBeyondRounding(const State& s) noexcept override;
  double gapRate(const State& s) noexcept override;
  bool isTouchingAtRest(const State& s) noexcept override;
  bool isTouching(const State& s) noexcept override;
  double largestNegligibleGapRate(const State& s) const noexcept override;
  double largestTouchingGap(const Vector& q) const noexcept;
  ImpactAxes impulseAxesOfContact(const State& s) noexcept override;
  double normalForceAtClosing(const State& s) const noexcept override;
  bool isNormalForceZeroWithinRounding(double time) const noexcept override;
  bool hasImposedMotion() const noexcept override { return !surface.empty(); }
  void rewindTimeFunctions(double t) override;
  bool advanceTimeFunctions(double t) override;
  double nextBreakpoint() const noexcept override;
  void reset(const ContactSet& set) override;

  // Geometry: rows along the axis of the normal and along the lines of tangential motion.
  const double* normalRow{nullptr};
  std::array<const double*, 2> tangentRow{};  ///< null: only the surface moves along the line
  std::array<Vector, 2> ownRow{};             ///< memory for rows that are scaled or no axis
  std::array<double, 3> rowSize{};            ///< Euclidean norms of the rows: normal, tangents
  /// Norms of the row of the normal in bands of modes.
  TaylorExpansion::Bands rowBands{TaylorExpansion::Bands::Zero()};
  Tangential<double> origin{};      ///< tangential position of the undeformed structure, scaled
  double stiffnessWhenClosed{0.0};  ///< stiffness dN/dpenetration [N/m]; 0: a rigid obstacle
  double low{0.0}, high{0.0};       ///< interval of b_0 q in which the contact is open [m]

  // Functions of time.
  FunctionCursor imposed;
  std::vector<FunctionCursor> surface;
  /// Direction of each surface term, times the factors of the tangents.
  std::vector<Tangential<double>> surfaceDirection;
  Tangential<double> travel{};  ///< displacement of the surface since the start [m]

  // Numbers of channels and constraints in the expansion; -1: none.
  bool isUninstalled{false};  ///< the contact is open and has no channels and constraints
  int normalChannel{-1};
  int longRow{-1};  ///< number of the normal row in long steps
  int normalConstraint{-1};
  std::array<int, 2> tangentChannel{-1, -1};
  std::array<int, 2> tangentConstraint{-1, -1};
  LinearForm normalForce{};                  ///< N as a form of gap, gap rate and imposed force
  std::array<LinearForm, 2> tangentForce{};  ///< traction along each axis
  /// Guards of the normal law in its present state.
  std::array<LinearForm, 2> normalGuard{};
  std::array<bool, 2> normalGuardUsed{};
  LinearForm aheadGuard{}, backGuard{}, slipGuard{};  ///< guards of friction along one line
  bool cannotClose{false};       ///< the contact is too far away to close in this long step
  bool stickHasDashpot{false};   ///< the stick has a dashpot
  double compressionRate{0.0};   ///< N' at the end of the last step, of a contact that slips in a plane [N/s]
  bool transientDecayed{false};  ///< the transient of a damped slip's spring is below rounding

  // Numbers of the leading coefficients of the series below that may differ from zero.
  std::size_t imposedCount{1};
  std::size_t gapCount{1};
  std::size_t compressionCount{1};
  std::array<std::size_t, 2> tractionCount{1, 1};

  // Series over the step with `order` + 3 coefficients each.
  std::vector<double> storage;
  std::span<double> along;                 ///< row product b_0 q [m]
  std::span<double> gap;                   ///< gap on the touched side [m]
  std::span<double> compression;           ///< normal force N [N]
  std::span<double> imposedSeries;         ///< imposed force
  std::array<std::span<double>, 2> slide;  ///< position along each axis, relative to the surface
  std::array<std::span<double>, 2> moved;  ///< travel of the surface along each axis
  std::array<std::span<double>, 2> traction;
  std::array<std::span<double>, 2>
      tractionDirection;  ///< direction of the traction (e2, e3) of a slip that turns
  /// The other slip of the expansion that turns most, if any: its rounding error is in the reactions beside
  /// it.
  const LinearContact* mostTurningSlip{nullptr};
  /// Spring force T_e of a damped slip along each axis; along one line, only the excess of this force over
  /// the traction, D = T_e.e - mu_d N.
  std::array<std::span<double>, 2> spring;

  /// Series of the gap in an expansion of `orders` force coefficients, without trailing zeros.
  std::span<const double> gapSeries(std::size_t orders) const noexcept {
    return gap.first(std::min(gapCount, orders + 2));
  }
  std::span<const double> compressionSeries(std::size_t orders) const noexcept {
    return compression.first(std::min(compressionCount, orders));
  }
  std::span<const double> tractionSeries(std::size_t a, std::size_t orders) const noexcept {
    return traction[a].first(std::min(tractionCount[a], orders));
  }
  std::span<const double> slipPathSeries(std::size_t a, std::size_t orders) const noexcept {
    return slide[a].first(orders + 2);
  }
  std::span<const double> surfaceMotionSeries(std::size_t a, std::size_t orders) const noexcept {
    return moved[a].first(orders + 2);
  }
  bool isSurfaceMoving() const noexcept { return !surface.empty(); }
  /// Adds no work: supports of a contact with a linear force do not move.
  static void addSupportWork(double /*t*/, std::size_t /*orders*/, const EnergyLedger& /*ledger*/) noexcept {}
  /// False: alternating friction at one instant shows that the states of coupled contacts must be found
  /// together.
  static constexpr bool kHoldsWithinRounding = false;
  /// Number of leading coefficients of a guard that are free of truncation.
  static constexpr std::size_t untruncatedCoefficientCount(std::size_t size, int /*order*/) noexcept {
    const std::size_t count = std::min(size, kMostOrders);
    return count > 3 ? count - 3 : 0;
  }

  /// The peak of the force may lie within the step.
  static bool isForcePeakAtStepEnds() noexcept { return false; }

  /// Moves the state to local time t of a step; `orders`: number of force coefficients.
  void moveStateToTime(double t, double time, std::size_t orders) noexcept;
  /// Moves the spring of a slip to local time t, after `moveStateToTime`. The spring of a damped slip has its
  /// own force; any other spring carries the traction.
  void moveSlipSpringToTime(double t, std::size_t orders) noexcept;
  Tangential<double> tractionOfTurningSlip() const noexcept;
  ContactState motion() const noexcept { return state; }
  void setMotion(const ContactState& motion) noexcept { state = motion; }
  void reportStateToRun(ContactRun& run) const noexcept {
    ContactState reported = state;
    reported.friction.slipping = state.friction.slipping && !state.friction.onStaticCone;
    run.setState(static_cast<std::size_t>(index), reported);
  }

  /// True if the contact is open and the gap decides about closing.
  bool isOpenAndClosesByGap() const noexcept {
    return state.normal == NormalState::open && pushesFromGeometry;
  }
  /// Gap at b_0 q = 0 on the touched side [m].
  double gapAtZeroDisplacement() const noexcept { return state.side > 0.0 ? -low : high; }
  /// Normal force N at b_0 q = 0, at rest and without an imposed force [N].
  double normalForceAtZeroDisplacement() const noexcept {
    // A law without stiffness does not use the gap, which may be infinite.
    return normalForce.constant +
           (normalForce.position != 0.0 ? normalForce.position * gapAtZeroDisplacement() : 0.0);
  }
  /// Velocity of the surface along an axis [m/s].
  double surfaceSpeed(std::size_t line, double t) const noexcept;
  double largestTangentRowNorm() const noexcept { return std::max(rowSize[1], rowSize[2]); }
  /// Archives the data on which the next step depends; series and forms are computed again after reading.
  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("LinearContact");
    serialiseAutomaton(archive);
    archive(imposed, surface, travel, stickHasDashpot, compressionRate, transientDecayed);
    if constexpr (Archive::kReads) resetSeries();
  }

 private:
  void resetSeries() noexcept {
    cannotClose = isUninstalled = false;
    imposedCount = gapCount = compressionCount = 1;
    tractionCount = {1, 1};
    std::fill(storage.begin(), storage.end(), 0.0);
  }
};

/// Sets the number of valid coefficients of a series to `count`; the coefficients from `count` to `used`
/// become zero.
inline void setSeriesCoefficientCount(std::span<double> series, std::size_t& used,
                                      std::size_t count) noexcept {
  for (std::size_t k = count; k < used; ++k) series[k] = 0.0;
  used = count;
}

/// Series that a linear form combines: x (position), u (input), r (reaction).
struct FormTerms {
  std::span<const double> x;
  std::span<const double> u;
  std::span<const double> r;
};
void linearCombination(const LinearForm& form, const FormTerms& terms, std::span<double> series) noexcept;

}  // namespace ricochet
