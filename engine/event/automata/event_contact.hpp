#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/event/series/linear_form.hpp"
#include "engine/event/series/outlook.hpp"
#include "engine/event/series/taylor_expansion.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

namespace ricochet {

/// Rounding of a sum of many terms, relative to their sizes; generous, because a coefficient that counts as
/// zero only hands the decision over to the next one.
inline constexpr double kNoise = 1024.0 * std::numeric_limits<double>::epsilon();

/// A gap smaller than this part of the distances that make it up is none: impacts take such contacts along.
inline constexpr double kTouching = 1e-12;

/// No expansion has more coefficients.
inline constexpr std::size_t kMostOrders = 40;

/// A contact as the event scheme runs it: its automaton's state, its place in the expansion, and the series
/// of what its laws see over the present step.
struct EventContact {
  EventContact(const ContactSet& set, const ModePlanes& planes, int index, int order);
  EventContact(const EventContact&) = delete;
  EventContact& operator=(const EventContact&) = delete;
  EventContact(EventContact&&) = default;
  EventContact& operator=(EventContact&&) = delete;
  ~EventContact() = default;

  /// Takes the numbers of the contact, which may have changed since the run before.
  void readNumbers(const ContactSet& set);

  int index;
  const Contact* contact;
  ContactState state{};  ///< anchors are relative to the surface

  // geometry: rows along the normal's axis and along the lines on which the node can move tangentially
  const double* normalRow{nullptr};
  int tangents{0};  ///< dimension of the tangential motion against the surface, 0 to 2
  std::array<Tangential<double>, 2> axis{};
  std::array<const double*, 2> tangentRow{};  ///< null: only the surface moves along it
  std::array<Vector, 2> ownRow{};             ///< where the line is not an axis of the contact
  std::array<double, 3> rowSize{};            ///< Euclidean norms: normal, tangents
  TaylorExpansion::Bands rowBands{TaylorExpansion::Bands::Zero()};  ///< of the normal
  Tangential<double> origin{};      ///< tangential position of the undeformed structure
  double stiffnessWhenClosed{0.0};  ///< dN/dpenetration [N/m]; 0: a rigid obstacle
  double low{0.0}, high{0.0};       ///< b_0 q within which the contact is open

  // functions of time
  FunctionCursor imposed;
  std::vector<FunctionCursor> surface;
  Tangential<double> travel{};  ///< of the surface since the start [m]

  // place in the expansion
  bool absent{false};  ///< apart, and nothing of it is there
  int normalChannel{-1};
  int longRow{-1};  ///< number of the normal's row in long steps
  int normalConstraint{-1};
  std::array<int, 2> tangentChannel{-1, -1};
  std::array<int, 2> tangentConstraint{-1, -1};
  LinearForm normalForce{};                  ///< of gap, gap rate and imposed force
  std::array<LinearForm, 2> tangentForce{};  ///< along each axis
  std::array<LinearForm, 2> normalGuard{};   ///< of the normal law in its state
  std::array<bool, 2> normalGuardUsed{};
  LinearForm aheadGuard{}, backGuard{}, slipGuard{};  ///< of friction along one line
  bool turning{false};                                ///< slips in two dimensions: the direction changes
  bool starting{false};                               ///< slips, but has no speed yet
  bool opensBeforeSlipTurns{false};                   ///< opens before its friction turns anything
  bool silent{false};               ///< too far from its obstacle to be touched in this long step
  bool fresh{false};                ///< closed at this very instant
  bool forceGrowsFromZero{false};   ///< ... and the force grows from zero
  bool drops{false};                ///< its traction fell as its slip began, which starts the motion
  bool openedAtThisInstant{false};  ///< rigid, and let go at this very instant as N < 0
  Tangential<double>
      tractionAtPullOff{};      ///< traction of a true stick under which N < 0 opened it at this very instant
  KnownRoots known{};           ///< roots known to lie at the start, per guard slot
  bool dashpot{false};          ///< its stick dissipates
  double compressionRate{0.0};  ///< N' of a contact that slips in two dimensions [N/s]
  double fastestSlip{0.0};      ///< since the contact closed [m/s]
  double drift{0.0};            ///< slip rate of a stick before the impact going on, none of its doing [m/s]
  double largestImpact{0.0};    ///< of a rigid contact: the fastest approach so far [m/s]
  double relaxation{0.0};       ///< kappa of a damped slider's spring [1/s]; 0: it carries the traction
  bool settled{false};          ///< ... whose transient has died away

  // coefficients of the series below that may not be zero
  std::size_t prescribedCount{1};
  std::size_t gapCount{1};
  std::size_t compressionCount{1};
  std::array<std::size_t, 2> tractionCount{1, 1};

  // series over the step: `order` + 3 coefficients each
  std::vector<double> storage;
  std::span<double> along;                 ///< b_0 q
  std::span<double> gap;                   ///< side-dependent
  std::span<double> compression;           ///< N
  std::span<double> prescribed;            ///< imposed force
  std::array<std::span<double>, 2> slide;  ///< position along each axis, relative to the surface
  std::array<std::span<double>, 2> moved;  ///< travel of the surface along each axis
  std::array<std::span<double>, 2> traction;
  std::array<std::span<double>, 2> heading;  ///< direction of the traction (e2, e3) of a slip that turns
  /// Of a damped slip: force T_e of the spring along each axis; along one line only its excess over the
  /// traction, D = T_e.e - mu_d N.
  std::array<std::span<double>, 2> spring;

  /// What there is of the series in an expansion of `orders` coefficients of forces.
  std::span<const double> gapSeries(std::size_t orders) const noexcept {
    return gap.first(std::min(gapCount, orders + 2));
  }
  std::span<const double> compressionSeries(std::size_t orders) const noexcept {
    return compression.first(std::min(compressionCount, orders));
  }
  std::span<const double> tractionSeries(std::size_t a, std::size_t orders) const noexcept {
    return traction[a].first(std::min(tractionCount[a], orders));
  }

  /// Open, and where the node is tells when it closes.
  bool isApart() const noexcept { return state.normal == NormalState::open && pushesFromGeometry; }
  /// Gap where b_0 q = 0, on the side that is touched [m].
  double gapAtOrigin() const noexcept { return state.side > 0.0 ? -low : high; }
  /// N where b_0 q = 0, at rest and without an imposed force [N].
  double forceAtOrigin() const noexcept {
    // a law without stiffness has no gap that counts: it may be infinite
    return normalForce.constant + (normalForce.position != 0.0 ? normalForce.position * gapAtOrigin() : 0.0);
  }
  /// Velocity of the surface along an axis [m/s].
  double surfaceSpeed(std::size_t line, double t) const noexcept;
  /// Elastic energy of the stick, at given kinematics [J].
  double storedInStick(const FrictionKinematics<double>& k) const noexcept;

  /// Slips with a spring that does not carry all of the traction.
  bool relaxes() const noexcept { return relaxation > 0.0 && state.friction.slipping; }
  bool turns() const noexcept { return tangents == 2; }
  double largestTangentRow() const noexcept { return std::max(rowSize[1], rowSize[2]); }
  bool closed() const noexcept { return state.closed(); }
  bool hasTraction() const noexcept { return tangents > 0 && carriesTraction; }
  /// A true stick, which an impact may tear loose.
  bool holds() const noexcept {
    return closed() && hasTraction() && setValuedStick && (!state.friction.slipping || starting);
  }
  bool carriesTraction{false};
  bool setValuedStick{false};
  bool setValuedNormal{false};
  bool imposedNormal{false};
  bool pushesFromGeometry{false};

  /// Without what is found anew for every step, and the forms, which are installed anew after reading.
  template <class Archive>
  void persist(Archive& archive) {
    archive.section("EventContact");
    archive(state, imposed, surface, travel, turning, starting, opensBeforeSlipTurns, fresh,
            forceGrowsFromZero, drops, openedAtThisInstant, tractionAtPullOff, known);
    archive(dashpot, compressionRate, fastestSlip, largestImpact, settled);
    if constexpr (Archive::kReads) forgetStep();
  }

 private:
  void forgetStep() noexcept {
    silent = absent = false;
    prescribedCount = gapCount = compressionCount = 1;
    tractionCount = {1, 1};
    std::fill(storage.begin(), storage.end(), 0.0);
  }
};

/// The first `count` coefficients of a series are new; those after them are zero, as all beyond `used` were.
inline void keep(std::span<double> series, std::size_t& used, std::size_t count) noexcept {
  for (std::size_t k = count; k < used; ++k) series[k] = 0.0;
  used = count;
}

/// Coefficients of a linear form of series: x (position), u (input), r (reaction).
struct FormTerms {
  std::span<const double> x;
  std::span<const double> u;
  std::span<const double> r;
};
void combine(const LinearForm& form, const FormTerms& terms, std::span<double> series) noexcept;

}  // namespace ricochet
