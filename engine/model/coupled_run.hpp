#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/contact_view.hpp"
#include "engine/model/implicit_contact.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ricochet {

enum class ForcesOf : std::uint8_t { accepted, trial };

/// Forces of contacts and links on the points of a static coupling, along all axes; zero along the axes of
/// other bodies [N].
Vector forcesOnCoupledPoints(const StaticCoupling& coupling, const ContactRun& contacts, const LinkRun& links,
                             ForcesOf of);

/// Displacements of the points of a static coupling by `along` (coordinates or their rates), along all axes.
Vector displacementsOfCoupledPoints(const StaticCoupling& coupling, const ContactSet& contacts,
                                    const LinkSet& links, const Vector& along);

/// True if a change of the forces shifts the points much farther than `motion`, the motion by coordinates,
/// supports and loads: the points then jumped, however short the step.
bool isPointShiftBeyondMotion(const StaticCoupling& coupling, const Vector& change, const Vector& motion);

/// Static coupling in one run: finds the forces and the motion of points without inertia for given
/// coordinates and rates.
class CoupledRun : private ContactCompliance {
 public:
  static constexpr Eigen::Index kAxes = ContactSet::kAxes;

  /// The static coupling must not be empty.
  CoupledRun(const StaticCoupling& coupling, ContactRun& contacts, LinkRun& links);
  CoupledRun(const CoupledRun&) = delete;
  CoupledRun& operator=(const CoupledRun&) = delete;
  CoupledRun(CoupledRun&&) = delete;
  CoupledRun& operator=(CoupledRun&&) = delete;
  ~CoupledRun() override;

  /// Evaluates the trial of contacts and links whose points are shifted by the forces of the trial: x = rows
  /// q + S lambda(x). The shifts are NaN if no solution is found.
  void solve(double t, const Motion& motion) noexcept;

  /// Returns true if no solution was found since the last call; the motion must then not be accepted.
  bool takeFlagOfLostForceBalance() noexcept { return std::exchange(lostBalance_, false); }

  /// Evaluates contacts and links at the start of a run, and makes the solution their initial states.
  void start(double t, const Motion& motion) noexcept;

  /// Stores the terms of the energy balance at an accepted motion, for the detection of jumps.
  void startEnergyBalance(const State& s) {
    books_ = energyTermsAtState(s, 0.0);
    acceptedAt_ = s.time;
    rates_.step = 0.0;
  }

  /// Adds the energy lost by jumps of points in an accepted step to the ledger: if a point without inertia
  /// snaps through, its springs and laws lose energy while the coordinates do not move. `before`: ledger
  /// before contacts were accepted. If forces change from f to f' without a jump, their work is (f + f')/2
  /// (x' - x) within |f' - f| |x' - x|/2, x the motion of the coordinates; a larger missing energy is a loss
  /// if the point has moved much farther than the coordinates.
  void acceptStep(const State& s, const EnergyLedger& before, EnergyLedger& ledger) noexcept;

  /// Passes a jump of the displacements of links and contacts by loads, which the functions of time have
  /// passed: adds the change of the generalized forces to `force` (padded; null: to nothing), and what the
  /// springs and contacts store, and slip dissipates, to the work of the loads. Without a solution nothing is
  /// accepted, and the balance is lost (takeLostBalanceFlag).
  void applyDisplacementJumps(const State& s, double* force, EnergyLedger& ledger);

  /// Energy of the springs that shift the points, lambda S lambda/2, under the accepted forces [J].
  double storedEnergy() const noexcept;

  /// Adds the shifts S lambda and their rates to views with final forces at the motion `s`. The rates follow
  /// from the laws linearised just ahead of this motion, lambda' = K x' with x' = x_free' + S lambda', and
  /// lambda'' = K x'' + K' x'; for laws that depend on rates, and dashpots that relax in less than a step,
  /// from the last steps (CoupledShifts). The integral of these rates over a step is the change of
  /// the force.
  void addCoupledMotionTo(const State& s, std::span<ContactView> contacts, std::span<LinkState> links) const;

  /// Stores the accepted states and the motion `s` as those from which the next step starts, for instants
  /// inside this step.
  void storeStatesAtStepStart(const State& s);
  /// Sets the forces and states of coupled contacts and links in the views of an instant inside the step that
  /// was accepted after `storeStatesAtStepStart`, and adds the shifts and their rates. The forces balance the
  /// motion `s` at this instant, from the states at the start of the step: the ends of the step alone do not
  /// tell where inside a contact closed, opened or began to slip. Where there is no balance, the views keep
  /// their values.
  void setCoupledMotionInsideStep(const State& s, std::span<ContactView> contacts,
                                  std::span<LinkState> links);

  template <class Archive>
  void serialise(Archive& archive) {
    archive(books_.forces, books_.moved, books_.driven, books_.held);
    archive(rates_.mean, rates_.rate, rates_.second, rates_.step, rates_.smoothSteps, acceptedAt_);
  }

 private:
  /// Terms of the energy balance of points without inertia at an accepted motion, which two instants of a
  /// step compare.
  struct Books {
    Vector forces;  ///< forces on the points along all axes [N]
    Vector moved;   ///< displacement of the points by the coordinates [m]
    Vector driven;  ///< displacement of the points by supports and loads [m]
    /// Stored and dissipated energy of the springs, contacts and links of the points [J].
    double held{0.0};
  };
  Books energyTermsAtState(const State& s, double elapsed) const;

  /// Rates of the forces along all axes at the end of the last accepted step, by the backward differences of
  /// CoupledShifts.
  struct ForceRates {
    Vector mean;               ///< mean rate over the step [N/s]
    Vector rate;               ///< rate at the end of the step [N/s]
    Vector second;             ///< second derivative [N/s^2]
    double step{0.0};          ///< length of the step [s]; 0: none since the start
    long long smoothSteps{0};  ///< number of steps since the rates jumped
  };
  void updateForceRates(const Vector& change, double h);
  struct LinearisedForces;
  struct PointsInView;
  void findPressedContacts(const State& s, std::span<const ContactView> contacts, PointsInView& points) const;
  LinearisedForces linearisedForcesOfCoupledPoints(const PointsInView& points,
                                                   std::span<const ContactView> contacts) const;
  LinearisedForces findForceRates(const Vector& free, std::span<const ContactView> contacts,
                                  PointsInView& points, Vector& first) const;
  void addForceCurvature(const PointsInView& points, LinearisedForces& of) const;
  void addTimeDependentForceRates(const PointsInView& points, LinearisedForces& of) const;

  void prepareCompliance(double, double) override {}
  void computeUnitForceResponse(const double* row, double* response) noexcept override;
  Vector acceptedForces() const;
  Mat3 slopesOfLinkForces(int link, const LinkState& from, double ahead, const Vec3& rate) const;
  double relaxationRate(int link, LinkState from, std::size_t axis) const;
  double unloadedRelaxation(const Link& link, LinkState from, std::size_t axis, double move) const;
  Vector freeMotion(const State& s, int derivative) const;
  Vec3 supportDriftOf(int contact, double t, double elapsed = 0.0) const;
  Vector forcesOfViews(const State& s, std::span<const ContactView> contacts,
                       std::span<const LinkState> links) const;

  const StaticCoupling* coupling_;
  ContactRun* contacts_;
  LinkRun* links_;
  ImplicitContact balance_;
  Vector q_, v_, none_, a_;
  bool lostBalance_{false};
  Books books_;
  ForceRates rates_;
  double acceptedAt_{0.0};    // time of the last accepted motion [s]
  double previousStep_{0.0};  // step before the present one whose mean rates can be used [s]; 0: none
  struct StatesInsideStep;
  std::unique_ptr<StatesInsideStep> inside_;  // null until a step with instants inside begins
};

}  // namespace ricochet
