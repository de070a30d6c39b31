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
/// move, a normal law with a power of the penetration or a table. Its `state.position` is what is covered
/// along the surface.
struct SeriesContact final : ContactAutomaton {
  SeriesContact(const ContactSet& set, const ModePlanes& planes, int index, int order);

  /// Whether the force of a contact is one.
  static bool isOne(const Contact& contact) noexcept;

  /// Brings place, frame, gap, N and slip rate to s; what is covered along the surface stays.
  void locate(const State& s) noexcept override;
  void locateHook(const State& s) noexcept override;
  double speeds(const State& s) const noexcept override;
  double projectOutSlipRate(State& s) const noexcept override;
  double gapRate(const State& s) noexcept override;
  double closingForce(const State& /*s*/) const noexcept override {
    return pressed(state.gap, state.gapRate);
  }
  bool stickOutgrowsForce() const noexcept override { return isSteep && -state.gap <= rounding(); }
  bool isDriven() const noexcept override { return surfaceMoves() || !drift.empty(); }
  void prepareClosing() noexcept override;
  void rewindFunctions(double t) override;
  bool advanceFunctions(double t) override;
  double nextBreakpoint() const noexcept override;
  void reset(const ContactSet& set) override;

  FollowedState followed{};  ///< where it touches

  // geometry
  std::array<const double*, 3> row{};  ///< along e1, e2, e3; null: no mode moves the contact along it
  std::array<double, 3> rowSize{};     ///< Euclidean norms
  double reach{0.0};                   ///< the place moves by no more than this times the path of q
  double compliance{0.0};              ///< bound of the acceleration per force [1/kg]
  TangentKind kind{TangentKind::fixed};

  // what the normal law is
  bool isPower{false};  ///< the force starts as a power of the penetration
  bool isSteep{false};  ///< ... above the first
  bool hasKinks{false};

  // functions of time
  std::vector<FunctionCursor> drift, surface, spin;

  // of the present step
  std::array<int, 3> channel{-1, -1, -1};
  bool graded{false};          ///< its force is given as a polynomial, since it has no series: see `fit`
  int pass{0};                 ///< of finding that polynomial
  bool ends{false};            ///< up to the end of the contact, not from its start
  double most{0.0};            ///< the longest that this interval may be, if there is one [s]
  double horizon{0.0};         ///< end of the interval on which it is one [s]
  double scale{0.0};           ///< size of what makes up its place [m]
  double offsetPastKink{0.0};  ///< by which the gap that its law sees is past a kink [m]
  bool endsAtKink{false};      ///< the step that was looked at last

  // series over the step: `order` + 3 coefficients each
  std::vector<double> storage;
  std::array<std::span<double>, 3> place;    ///< x
  std::array<std::span<double>, 3> carried;  ///< the part of it that is not the structure's
  std::array<std::span<double>, 3> push;     ///< force along e1, e2, e3
  std::span<double> gap, compression;
  std::array<std::span<double>, 2> path, moved;   ///< covered along the lines, by the contact, by the surface
  std::array<std::span<double>, 2> surfaceSpeed;  ///< along the lines
  std::array<std::span<double>, 2> traction, spring;
  std::span<double> spinRate;  ///< of a surface that turns about the normal of a plane

  /// The polynomial is to be found from the beginning, for another motion.
  void forgetInterval() noexcept {
    pass = 0;
    most = 0.0;
  }

  /// Closed at this very instant at the surface of the obstacle, not within.
  bool touchesNow() const noexcept { return closedNow && closedFromOpen; }
  bool surfaceMoves() const noexcept { return !surface.empty() || !spin.empty(); }

  /// Brings place, path, forces and energies to local time t of a step; `orders` coefficients of forces.
  void bring(double t, double time, std::size_t orders) noexcept;

  /// The spring at t in the step of a slip, where the contact has been brought: a damped one has its own
  /// force, the other the traction.
  void carrySpring(double t, std::size_t orders) noexcept;
  /// Books the work of supports that move.
  void bookSupports(double t, std::size_t orders, EnergyLedger& ledger) const noexcept;
  void put(ContactRun& run) const noexcept;

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
  /// Friction that goes to and fro at one instant within rounding keeps its state.
  static constexpr bool kHoldsWithinRounding = true;
  /// Leading coefficients of a guard that no truncation falsifies: the two highest orders of the expansion
  /// are.
  static constexpr std::size_t decisiveCoefficients(std::size_t size, int order) noexcept {
    const std::size_t count = std::min(size, static_cast<std::size_t>(order - 1));
    return count > 2 ? count - 2 : 0;
  }
  /// The force of a contact that begins is given as a polynomial: its guards have values, but no series.
  bool forceLacksSeries() const noexcept { return graded && !ends; }

  /// A force that is given as a polynomial has no peak of its own within the step.
  bool peaksAtEnds() const noexcept { return graded; }

  /// Of the gap, a few units in the last place of what makes it up [m].
  double rounding() const noexcept;

  double storedNormal(double gap) const noexcept;
  /// N at a gap and its rate.
  double pressed(double gapAt, double gapRate) const noexcept;

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("SeriesContact");
    persistAutomaton(archive);
    archive(followed, drift, surface, spin, scale, offsetPastKink);
  }

 private:
  void findLines(Eigen::Index size);
  void press(const Local<double>& x, const Local<double>& v, double time) noexcept;
};

}  // namespace ricochet
