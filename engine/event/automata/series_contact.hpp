#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/followed.hpp"
#include "engine/event/automata/contact_automaton.hpp"
#include "engine/event/series/mode_planes.hpp"
#include "engine/numerics/series.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// A contact whose force is no linear function of the motion: a curved obstacle, a surface or supports that
/// move, a normal law with a power of the penetration or a table. `state.position` is the path covered along
/// the surface [m].
struct SeriesContact final : ContactAutomaton {
  SeriesContact(const ContactSet& set, const ModePlanes& planes, int index, int order);

  /// Whether the force of a contact is no linear function of the motion.
  static bool isNonLinear(const Contact& contact) noexcept;

  /// Brings position in space, frame, gap, N and slip rate to s; the path covered along the surface stays.
  void updateContactPoint(const State& s) noexcept override;
  void updateClosingPosition(const State& s) noexcept override;
  double speedScale(const State& s) const noexcept override;
  double projectOutSlipRate(State& s) const noexcept override;
  double gapRate(const State& s) noexcept override;
  double closingForce(const State& /*s*/) const noexcept override {
    return normalForceAt(state.gap, state.gapRate);
  }
  bool stickOutgrowsForce() const noexcept override { return isSteep && -state.gap <= rounding(); }
  bool isDriven() const noexcept override { return surfaceMoves() || !drift.empty(); }
  void prepareClosing() noexcept override;
  void rewindFunctions(double t) override;
  bool advanceFunctions(double t) override;
  double nextBreakpoint() const noexcept override;
  void reset(const ContactSet& set) override;

  FollowedState followed{};  ///< position, frame and surface rate where the contact touches

  // geometry
  std::array<const double*, 3>
      row{};  ///< rows along e1, e2, e3; null: no mode moves the contact along that axis
  std::array<double, 3> rowSize{};  ///< Euclidean norms of the rows
  double reach{0.0};                ///< bound of the displacement of the contact point per path of q
  double compliance{0.0};           ///< bound of the acceleration per force [1/kg]
  TangentKind kind{TangentKind::fixed};

  // form of the normal law
  bool isPower{false};  ///< N is a power of the penetration where the contact starts
  bool isSteep{false};  ///< ... with an exponent above 1
  bool hasKinks{false};

  // functions of time
  std::vector<FunctionCursor> drift, surface, spin;

  // of the present step
  std::array<int, 3> channel{-1, -1, -1};
  bool isFitted{false};  ///< N has no series here and is given as a fitted polynomial (series_fit.cpp)
  int pass{0};           ///< of Picard's iteration for that polynomial
  bool ends{
      false};  ///< the interval of the polynomial leads up to the opening; false: it begins at the closing
  double most{0.0};            ///< upper bound of the length of that interval; 0: none [s]
  double fitInterval{0.0};     ///< length of that interval [s]
  double scale{0.0};           ///< size of the terms whose sum is the position [m]
  double offsetPastKink{0.0};  ///< shift of the gap in the law, past a kink of its table [m]
  bool endsAtKink{false};      ///< the step that was examined last ends at a kink of the table

  // series over the step: `order` + 3 coefficients each
  std::vector<double> storage;
  std::array<std::span<double>, 3> place;    ///< position x along e1, e2, e3
  std::array<std::span<double>, 3> carried;  ///< part of the position that supports impose
  std::array<std::span<double>, 3> push;     ///< force along e1, e2, e3
  std::span<double> gap, compression;
  std::array<std::span<double>, 2> path, moved;   ///< path along the lines, of the contact and of the surface
  std::array<std::span<double>, 2> surfaceSpeed;  ///< velocity of the surface along the lines
  std::array<std::span<double>, 2> traction, spring;
  std::span<double> spinRate;  ///< rotation rate of a surface that turns about the normal of a plane

  /// Discards the fitted polynomial: the motion has changed.
  void discardFit() noexcept {
    pass = 0;
    most = 0.0;
  }

  /// Whether the contact closed at this instant at the surface of its obstacle, not within.
  bool closedAtSurface() const noexcept { return closedNow && closedFromOpen; }
  bool surfaceMoves() const noexcept { return !surface.empty() || !spin.empty(); }

  /// Brings place, path, forces and energies to local time t of a step; `orders` coefficients of forces.
  void bring(double t, double time, std::size_t orders) noexcept;

  /// Brings the spring of a slip to t, after `bring`: the spring of a damped slip has a force of its own, any
  /// other carries the traction.
  void moveSpring(double t, std::size_t orders) noexcept;
  /// Books the work of moving supports over the step up to t.
  void addSupportWork(double t, std::size_t orders, EnergyLedger& ledger) const noexcept;
  void showStateTo(ContactRun& run) const noexcept;

  struct Motion {
    ContactState state;
    FollowedState followed;
  };
  Motion motion() const noexcept { return {state, followed}; }
  void setMotion(const Motion& motion) noexcept {
    state = motion.state;
    followed = motion.followed;
  }

  std::span<const double> gapSeries(std::size_t orders) const noexcept { return gap.first(orders + 1); }
  std::span<const double> compressionSeries(std::size_t orders) const noexcept {
    return compression.first(orders);
  }
  std::span<const double> tractionSeries(std::size_t a, std::size_t orders) const noexcept {
    return traction[a].first(orders);
  }
  std::span<const double> pathSeries(std::size_t a, std::size_t orders) const noexcept {
    return path[a].first(orders + 1);
  }
  std::span<const double> surfaceSeries(std::size_t a, std::size_t orders) const noexcept {
    return moved[a].first(orders + 1);
  }
  /// Friction that alternates at one instant by rounding keeps its state until a guard exceeds rounding.
  static constexpr bool kHoldsWithinRounding = true;
  /// Number of leading coefficients of a guard that are free of truncation: the two highest orders are not.
  static constexpr std::size_t decisiveCoefficients(std::size_t size, int order) noexcept {
    const std::size_t count = std::min(size, static_cast<std::size_t>(order - 1));
    return count > 2 ? count - 2 : 0;
  }
  /// Whether N of a contact that begins is a fitted polynomial: its guards have values, but no series.
  bool forceLacksSeries() const noexcept { return isFitted && !ends; }

  /// A fitted polynomial has no peak of its own within the step.
  bool peaksAtEnds() const noexcept { return isFitted; }

  /// Rounding of the gap: a few units in the last place of the terms whose sum it is [m].
  double rounding() const noexcept;

  double storedNormal(double gap) const noexcept;
  /// N at a gap and its rate.
  double normalForceAt(double gapAt, double gapRate) const noexcept;

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("SeriesContact");
    persistAutomaton(archive);
    archive(followed, drift, surface, spin, scale, offsetPastKink);
  }

 private:
  void findSlidingLines(Eigen::Index size);
  void press(const Local<double>& x, const Local<double>& v, double time) noexcept;
};

}  // namespace ricochet
