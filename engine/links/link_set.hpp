#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/accounts/events.hpp"
#include "engine/contact/contact_set.hpp"
#include "engine/functions/imposed_displacement.hpp"
#include "engine/functions/jump_instants.hpp"
#include "engine/links/links.hpp"
#include "engine/numerics/kernels.hpp"
#include "engine/numerics/state.hpp"

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// Imposed part of the motion of a link, such as the motion of supports: factors times a function of time.
struct LinkDrive : ImposedDisplacement {
  std::array<double, kLinkAxes> factors{};
};

/// Treatment of the massless springs that hold the dofs of a link (link_in_series.hpp).
enum class InSeries : std::uint8_t {
  none,      ///< the dofs of the link have mass
  solved,    ///< x = x_free - S f(x) is solved with the law
  withinLaw  ///< the law contains the springs: its x is x_free
};

/// A link of a model: a law, and its motion x = rows q + drives(t) of node 1 relative to node 2.
struct Link {
  AnyLinkLaw law{};
  Eigen::Matrix<double, 2, Eigen::Dynamic>
      rows{};  ///< rows of the axes [kg^-1/2]; the second is zero for a link with one axis
  std::vector<LinkDrive> drives{};
  LinkBounds bounds{};  ///< bounds of the law at the initial motion, along each axis
  std::array<double, kLinkMemory> initialMemory{};  ///< internal variables at the start of a run
  InSeries inSeries{InSeries::none};
  Eigen::Matrix2d compliance{Eigen::Matrix2d::Zero()};  ///< compliance S of dofs without inertia [m/N]
  /// The forces on the part without inertia add a shift to x (setDisplacementShift).
  bool coupled{false};

  std::size_t axisCount() const noexcept {
    return std::visit([](const auto& l) { return l.axisCount(); }, law);
  }
};

/// The links of a model and their rows, stored like the rows of a ContactSet: one row per axis, padded and
/// aligned. Constant during a run and shared by the runs of a batch.
class LinkSet {
 public:
  LinkSet() = default;
  LinkSet(std::vector<Link> links, Eigen::Index modes);

  int size() const noexcept { return static_cast<int>(links_.size()); }
  const Link& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  const std::vector<Link>& links() const noexcept { return links_; }

  /// Row of a link along an axis; null if no mode moves the link along the axis.
  const double* row(int link, std::size_t axis) const noexcept {
    return pointers_[kLinkAxes * static_cast<std::size_t>(link) + axis];
  }
  Eigen::Index rowSize() const noexcept { return rows_.rows(); }

  LinkMotion<double> linkMotionAtTime(int link, double t, const Motion& motion,
                                      double elapsed = 0.0) const noexcept;

  /// Adds the imposed motion of the drives to a motion.
  void addImposedDriveMotion(int link, LinkMotion<double>& motion, double elapsed = 0.0) const noexcept;

  // A copy would keep pointers_ into the rows_ of the original.
  LinkSet(const LinkSet&) = delete;
  LinkSet& operator=(const LinkSet&) = delete;
  LinkSet(LinkSet&&) noexcept = default;
  LinkSet& operator=(LinkSet&&) noexcept = default;
  ~LinkSet() = default;

 private:
  std::vector<Link> links_;
  Matrix rows_;
  std::vector<const double*> pointers_;
};

/// Force at a displacement of 1 m and a rate of 1 m/s of a law whose force grows infinitely fast with its
/// rate at rest [N]; 0: the slope is finite.
double dashpotForceWithInfiniteSlope(const Link& link) noexcept;

/// True if f(c x) = c f(x) for c > 0 (LinkLaw::kFirstDegree).
bool isLawHomogeneousOfDegreeOne(const AnyLinkLaw& law) noexcept;

/// c where row = c other to rounding, for rows of links of one size; none if the rows are not parallel.
std::optional<double> proportionalityFactorOfRows(const double* row, const double* other,
                                                  Eigen::Index size) noexcept;

/// Links of one run: accepted states and trial states. A trial becomes accepted only by `acceptStep`. Every
/// evaluation evaluates all links.
class LinkRun {
 public:
  /// Creates the states of all links. `contacts`: number of contacts; link i has the index `contacts` + i in
  /// events.
  LinkRun(const LinkSet& set, int contacts);

  bool empty() const noexcept { return count_ == 0; }
  const LinkSet& linkSet() const noexcept { return *set_; }

  /// Initialises the links at the start: each law is loaded in one increment from its unloaded position to
  /// the initial motion. The energy balance starts with the energy stored then.
  void start(double t, const Motion& motion) noexcept;

  /// Limits the dashpots without a finite slope for a scheme that evaluates forces ahead of steps of h [s],
  /// so that no dashpot turns the motion round within a step. `mobility(a, b)`: velocity along row a per
  /// impulse along row b [1/kg]. The limits d_i = s_i/(2 h sum_j |w_ij| s_j) are in the ratio of the steep
  /// forces s, so that dashpots side by side share a load at rest as their laws do, and the spectral radius
  /// of h |W| D is at most 1/2: it is below max_i (D |W| s)_i h/s_i (Collatz).
  template <class Mobility>
  void limitDamping(double h, Mobility&& mobility) {
    constexpr double kShare = 0.5;  // part of the impulse that stops the motion
    for (int i = 0; i < count_; ++i) {
      const double own = dashpotForceWithInfiniteSlope(set_->link(i));
      if (own == 0.0) continue;
      double w = 0.0;
      for (std::size_t a = 0; a < kLinkAxes; ++a)
        for (std::size_t b = 0; b < kLinkAxes * static_cast<std::size_t>(count_); ++b) {
          const double* row = set_->row(i, a);
          const auto other = static_cast<int>(b / kLinkAxes);
          const double* otherRow = set_->row(other, b % kLinkAxes);
          if (row == nullptr || otherRow == nullptr) continue;
          const double steep = dashpotForceWithInfiniteSlope(set_->link(other));
          w += std::abs(mobility(row, otherRow)) * (steep > 0.0 ? steep / own : 1.0);
        }
      if (w > 0.0) mostDamping_[static_cast<std::size_t>(i)] = kShare / (h * w);
    }
  }

  /// Lets coupled links follow the rates at the ends of a step, for schemes that control their error.
  void enableDisplacementShiftRates() noexcept { followsRates_ = true; }
  bool areDisplacementShiftRatesUsed() const noexcept { return followsRates_; }

  /// Sets all links to their unloaded states at t, from which `start` loads them.
  void setLinksUnloaded(double t) noexcept;

  /// Copies the states of another run for the first links, after `start` at this motion; the other links keep
  /// their states. The parameters of the laws and the imposed motion may differ from that run.
  void restore(std::span<const LinkState> states, double t, const Motion& motion) noexcept;

  /// Evaluates all links at a motion (trial states).
  void evaluate(double t, const Motion& motion) noexcept;

  /// Forces of the links in the last trial, per row, appended to the row forces `beside` of the contacts.
  kernels::RowForces forces(const kernels::RowForces& beside) noexcept;

  /// Adds the generalized forces of the last trial to `force` (padded).
  void addForces(double* force) noexcept;

  /// Error of the internal variables in the last trial in energy norm [J^1/2], for schemes with step size
  /// control: the change Delta f of each force when two halves of the step, along the cubic through
  /// displacements and rates of its ends, replace the step, as |Delta f|/sqrt(stiffness).
  double errorOfInternalVariables() const noexcept;
  /// Adds the generalized forces of the accepted state to `force` (padded).
  void addForcesTo(double* force) const noexcept;

  /// Passes an instant at which a support or a load may change the velocity or the displacement of a link at
  /// once: adds the change of the generalized forces at this motion to `force` (padded; null: to nothing),
  /// and the events of the jump to `events`. Returns true if the displacement of a coupled link jumps, whose
  /// force is then that before the jump.
  bool advanceTimeFunctions(double t, double tolerance, const Motion& motion, double* force,
                            std::vector<Event>& events);
  /// Accepts the trial of the coupled links at the instant of such a jump: adds the change of the generalized
  /// forces to `force` (padded; null: to nothing).
  void acceptDisplacementJumps(double* force) noexcept;
  /// Accepts the state of all links after a jump of the motion to `motion` at t [s]; of coupled ones, their
  /// time alone. Adds the events of the jump to `events`.
  void settleAfterMotionJump(double t, const Motion& motion, std::vector<Event>& events);
  bool canImposedMotionJump() const noexcept { return !jumps_.empty(); }

  /// Updates rates and forces at the present instant after a jump of the velocity.
  void recomputeRates(double t, const Motion& motion) noexcept;

  /// Accepts the trial: adds energies and events. If a force jumped inside the step, the impulse that the
  /// quadrature of the scheme missed is added to `velocity` (padded), as in ContactRun::accept. Returns true
  /// if such an impulse was added.
  bool acceptStep(double h, std::vector<Event>& events, double* velocity) noexcept;

  /// Records the event of the law in a step from the time `begin` to the state `to`, if it has one.
  void recordEvent(int link, double begin, const LinkState& to, std::vector<Event>& events) const;

  /// Sets the share of a force jump in the impulse of a step (see ContactRun::setImpulseShareOfForceJump).
  void setImpulseShareOfForceJump(double (*share)(double theta) noexcept) noexcept { shareOfJump_ = share; }

  /// State at an instant inside the last accepted step, computed from the state at the start of this step.
  LinkState stateInsideStep(int link, double t, const Motion& motion) const noexcept;

  // Writes the states of all links at the motion s. No allocation if `seen` has the right size and no link is
  // on dofs without inertia.
  void writeLinkStates(const State& s, std::vector<LinkState>& seen) const;
  void writeLinkStatesInStep(const State& s, std::vector<LinkState>& seen) const;

  /// Sets the state of a link, for a scheme without trials: accepted, or at an instant within the step.
  void setState(int link, const LinkState& state) noexcept { states_[stateIndex(link, current_)] = state; }

  /// Accepted states of all links.
  std::vector<LinkState> states() const;
  const LinkState& state(int link) const noexcept { return states_[stateIndex(link, current_)]; }
  const LinkState& trialState(int link) const noexcept { return states_[stateIndex(link, 1 - current_)]; }
  /// Sets the force of a link in the trial that balances the motion, if the law gives this force between two
  /// motions that differ only by rounding.
  void setTrialForce(int link, std::size_t axis, double force) noexcept {
    states_[stateIndex(link, 1 - current_)].force[axis] = force;
  }

  double storedEnergy() const noexcept { return sumStateMemberOverLinks(&LinkState::stored); }
  double dissipatedEnergy() const noexcept { return sumStateMemberOverLinks(&LinkState::dissipated); }
  double externalWork() const noexcept { return sumStateMemberOverLinks(&LinkState::external); }

  /// Shift of a coupled link in the next trials, in addition to the motion by coordinates and drives.
  struct Shift {
    std::array<double, kLinkAxes> displacement{}, rate{};
  };
  void setDisplacementShift(int link, const Shift& shift) noexcept {
    shifts_[static_cast<std::size_t>(link)] = shift;
  }

  /// Index of a link whose force is no finite number although its motion is, in the accepted state or in the
  /// trial; -1: none.
  int indexOfLinkWithoutForce() const noexcept;

  /// Index of a link whose event lies in the trial, as the cause of a refused step; -1: none.
  int indexOfLinkWithEvent() const noexcept;

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("LinkRun");
    archive(states_, current_, shifts_, jumps_);
  }

 private:
  std::size_t stateIndex(int link, int which) const noexcept {
    return static_cast<std::size_t>(which * count_ + link);
  }
  void computeResponse(int link, const LinkMotion<double>& free, const LinkState& from,
                       LinkState& to) const noexcept;
  void computeResponseOfLink(int link, const LinkMotion<double>& own, const LinkState& from,
                             LinkState& to) const noexcept;
  void recomputeRates(int link, double t, const Motion& motion) noexcept;
  void addLinkForceChange(int link, const std::array<double, kLinkAxes>& from,
                          const std::array<double, kLinkAxes>& to, double* force) const noexcept;
  void acceptDisplacementJump(int link, const LinkState& to, double* force) noexcept;
  void addEnergiesOfLaw(int link, const LinkState& from, LinkState& to) const noexcept;
  void addEnergiesOfStep(int link, const LinkState& from, LinkState& to) const noexcept;
  double errorOfInternalVariables(int link) const noexcept;
  void adaptRestoredLinkState(int link, double t, const Motion& motion, LinkState& taken) const noexcept;
  bool correctImpulseOfForceJump(int link, double h, double* velocity) const noexcept;
  double sumStateMemberOverLinks(double LinkState::*part) const noexcept {
    double total = 0.0;
    for (int i = 0; i < count_; ++i) total += state(i).*part;
    return total;
  }

  const LinkSet* set_;
  int count_;
  int contacts_;
  std::vector<LinkState>
      states_;  // accepted states, then trial states, of all links; accepting swaps the two halves
  int current_{0};
  // Jumps of the displacement of link i by loads, as i, and of its velocity by supports, as count_ + i:
  // those of one instant come in this order.
  JumpInstants jumps_;
  std::vector<Shift> shifts_;        // shifts of coupled links; empty without coupled links
  bool followsRates_{false};         // see enableDisplacementShiftRates
  std::vector<double> mostDamping_;  // limit LinkMotion::mostDamping of each link
  std::vector<const double*> rows_;  // rows of the links and contacts that have a force
  std::vector<double> forces_;
  double (*shareOfJump_)(double) noexcept = [](double) noexcept { return 0.5; };
};

/// Replaces the energies of links at a fraction theta of a step, which `ledger` interpolates linearly between
/// the states of its ends, by those of the states `at` of this instant.
inline void replaceInterpolatedEnergiesOfLinks(std::span<const LinkState> from, std::span<const LinkState> to,
                                               std::span<const LinkState> at, double theta,
                                               EnergyLedger& ledger) noexcept {
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto bend = [&](double LinkState::*part) {
      return at[i].*part - std::lerp(from[i].*part, to[i].*part, theta);
    };
    ledger.contact += bend(&LinkState::stored);
    ledger.damping += bend(&LinkState::dissipated);
    ledger.external += bend(&LinkState::external);
  }
}

}  // namespace ricochet
