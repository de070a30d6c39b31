#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/contact_set.hpp"
#include "engine/links/link_set.hpp"
#include "engine/model/coupled_error.hpp"
#include "engine/model/coupled_run.hpp"
#include "engine/model/equation_of_motion.hpp"
#include "engine/model/excitation.hpp"
#include "engine/model/implicit_contact.hpp"
#include "engine/model/linear_system.hpp"
#include "engine/model/modal_balance.hpp"
#include "engine/model/spin_run.hpp"
#include "engine/numerics/state.hpp"
#include "physical/dense_solvers.hpp"

#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace ricochet {

struct RunMemory;

/// A modal model that is ready to run: constant, shared by the runs of a batch.
struct ModalModel {
  LinearSystem linear;
  Excitation loads;
  ContactSet contacts;
  LinkSet links{};
  StaticCoupling coupling{};
};

/// The equation of motion of one run in generalized coordinates: the model with the contacts, loads and
/// energy balance of the run. All memory is allocated in the constructor, nothing in a step.
class ModalEquation {
 public:
  /// True: steps end also where the slope of a load jumps, not only where its value jumps.
  static constexpr bool kSplitsAtKinks = true;

  explicit ModalEquation(const ModalModel& model);

  Eigen::Index size() const noexcept { return model_->linear.omegaSquared.size(); }
  const LinearSystem& linearSystem() const noexcept { return model_->linear; }
  const ModalModel& model() const noexcept { return *model_; }

  // Interface to integrators (equation_of_motion.hpp).
  void acceleration(double t, const Vector& q, const Vector& v, Vector& a) noexcept;
  void implicitAcceleration(double t, double dq, double dv, const Vector& q, const Vector& v,
                            Vector& a) noexcept;
  void force(double t, const Vector& q, const Vector& v, double dv, const Vector& a, Vector& f) noexcept;
  void kick(double t, double dv, const Vector& q, Vector& v, Vector& f) noexcept;

  /// One step h of kick_drift (with its drift tables), and of central_difference and symplectic_euler for
  /// uncoupled modes, in as few passes over the modes as possible. The motion has the same bits as with
  /// separate calls of the functions above.
  void kickDriftAndKickInOnePass(const kernels::DriftTables& tables, double h, State& s, Vector& f) noexcept;
  void kickMoveAndKickInOnePass(double h, State& s) noexcept;
  void kickVelocityAndMove(double h, State& s) noexcept;

  /// Last change of the velocity in a step: v += dv a. As in `kick`, the damping loss of the step is summed
  /// if dv is half the step.
  void kickVelocityAtStepEnd(double dv, const Vector& a, Vector& v) noexcept;

  /// Solves the balance of schemes whose contacts act at the end of the step (implicit_contact.hpp): `a` such
  /// that
  ///     a = base + share f(t, q + dq a, v + dv a)
  /// to a tight tolerance, starting from the guess in `a`; the contacts then hold the trial of the solution.
  /// False if no solution was found. `prepareImplicitContact` is called once at the start of a run.
  void prepareImplicitContact();
  bool solveImplicit(double t, const ImplicitBalance& balance, const Vector& base, const Vector& q,
                     const Vector& v, Vector& a) noexcept;
  const ImplicitContact* implicitContact() const noexcept { return implicit_ ? &*implicit_ : nullptr; }
  /// True if the last solution of `solveImplicit` is stable, see ImplicitContact::isStable.
  bool isBalanceStable() { return implicit_->isForceBalanceStable(); }

  /// State in the coordinates of the contact rows: the generalized coordinates themselves.
  const State& stateInContactCoordinates(const State& s) const noexcept { return s; }

  /// Acceleration under given forces: a = f - C v - Omega^2 q.
  void accelerationFromForce(const Vector& f, const Vector& q, const Vector& v, Vector& a) const noexcept;

  /// Adds the motion of coupled points without inertia to the views of contacts and links at the motion `s`.
  void addCoupledMotion(const State& s, std::span<ContactView> contacts, std::span<LinkState> links) const {
    if (masslessParts_) masslessParts_->addCoupledMotionTo(s, contacts, links);
  }
  /// Stores the states of coupled points without inertia at the start of a step that contains outputs, and
  /// sets their motion in views at the motion `s` inside this step, see CoupledRun.
  void storeCoupledStatesAtStepStart(const State& s) {
    if (masslessParts_) masslessParts_->storeStatesAtStepStart(s);
  }
  void setCoupledMotionInsideStep(const State& s, std::span<ContactView> contacts,
                                  std::span<LinkState> links) {
    if (masslessParts_) masslessParts_->setCoupledMotionInsideStep(s, contacts, links);
  }
  /// True if a point without inertia has lost its balance, see CoupledRun::takeFlagOfLostForceBalance.
  bool takeFlagOfLostForceBalance() noexcept {
    return masslessParts_ && masslessParts_->takeFlagOfLostForceBalance();
  }
  /// Error of the balance of points without inertia in the last trial, at the end of `step`.
  CoupledError::Parts errorOfCoupledPoints(const StepEnds& step);
  bool hasErrorOfCoupledPoints() const noexcept { return coupledError_ != nullptr; }

  /// Sets the stored state of contacts and links that `start` restores. Null: no stored state.
  void setStatesOfEarlierRun(const RunMemory* memory) noexcept { memory_ = memory; }

  /// Initialises contacts, links and energy balance at the initial state.
  void start(const State& s) noexcept;

  /// Restarts the energy balance at a state; the totals of links, which may count from an earlier run, are
  /// subtracted.
  void startEnergyBalance(const State& s) noexcept {
    if (masslessParts_) masslessParts_->startEnergyBalance(s);
    ledger_.restartEnergyBalanceAt(ledger(s));
  }

  /// Moves the functions past an instant at which loads or imposed forces may jump; adds the jump to
  /// `forceLike` (an acceleration or a force). Events within `tolerance` [s] after t count as events at t.
  void advanceTimeFunctions(const State& s, double tolerance, Vector& forceLike);
  /// The part of `advanceTimeFunctions` for links; `force` is null if the scheme takes no change of the
  /// forces. `contactsMoved`: loads have moved coupled contacts at once, which are then solved with the
  /// links.
  void applyLinkJumps(const State& s, double tolerance, double* force, bool contactsMoved = false);

  /// Adds the jumps of the motion at s.time, within `tolerance` [s], to s. Returns the instant of the last
  /// one [s], or nothing without a jump.
  std::optional<double> addMotionJumps(State& s, double tolerance);
  /// Evaluates contacts and links at s after such a jump and the jumps of all functions at t [s].
  void settleAfterMotionJump(const State& s, double t);

  /// Accepts the last trial as the state s, a step h after the previous one. If a force jumped inside the
  /// step, the impulse that the quadrature of the scheme missed is added to the velocity
  /// (ContactRun::accept).
  void acceptStep(State& s, double h) noexcept;

  /// Called after `acceptStep` by schemes of an order above 2: adds the error of the trapezoidal rule to work
  /// and damping loss of the step. `from` and `to` include their accelerations.
  void refineEnergyTerms(const State& from, const State& to, double h) noexcept;
  /// Bends work and damping loss of a ledger that is linear over the step just accepted, at a state within
  /// it; for the schemes of refineEnergyTerms.
  void addEnergyTermCurvature(const State& from, const State& within, const State& to,
                              EnergyLedger& ledger) const noexcept;

  const ContactRun& contacts() const noexcept { return contacts_; }
  ContactRun& contacts() noexcept { return contacts_; }
  /// Limits the damping of the links for steps of h [s], see LinkRun::limitDamping.
  void limitLinkDamping(double h) {
    links_.limitDamping(h, [&](const double* a, const double* b) { return kernels::dot(a, b, size()); });
  }
  const LinkRun& links() const noexcept { return links_; }
  LinkRun& links() noexcept { return links_; }

  /// Data that a run carries from one step to the next beside state, contacts and `accounts`, for the lanes
  /// of a batch: generalized load and q at the accepted instant (padded), and partial sums of twice the work
  /// of the loads, of the damping power v.C v and of the damping loss.
  struct Carried {
    ExcitationRun::Kept loads;
    double* power;
    double* lost;
  };
  Carried dataCarriedBetweenSteps() noexcept {
    return {loads_.valuesAtStepStart(), damping_.powerBefore, damping_.lostBefore};
  }

  /// Adds the damping loss of a step h that ended at s, for a lane whose `acceptStep` changed the velocity by
  /// an impulse.
  void addDampingLoss(const State& s, double h) noexcept {
    computeDampingLoss(s, h);
    std::swap(damping_.powerBefore, damping_.power);
    std::swap(damping_.lostBefore, damping_.lost);
  }

  /// Resumes at s after steps of the lanes, the last of which began at `from` [s]; the caller has filled
  /// `dataCarriedBetweenSteps`, contacts and accounts.
  void resume(const State& s, double from) noexcept {
    contacts_.resume(s.time, from, s.q.data());
    loads_.resume(from);
  }

  /// The accumulated terms of the energy balance, for schemes with their own quadrature.
  EnergyLedger& accumulatedLedger() noexcept { return ledger_; }

  /// Energy balance at a state: accumulated terms of the accepted steps, instantaneous terms of s.
  EnergyLedger ledger(const State& s) const noexcept;

  /// Bound P of the impulse transmitted in a run of `duration` [s], in J^1/2, see EnergyWatch.
  double boundOfTransmittedImpulse(double duration) const;

  double kineticEnergy(const Vector& v) const noexcept { return 0.5 * v.squaredNorm(); }
  double elasticEnergy(const Vector& q) const noexcept {
    return 0.5 * (model_->linear.omegaSquared.array() * q.array().square()).sum();
  }

  /// Power v.C v dissipated by the damping of the structure [W].
  double dampingPower(const Vector& v) const noexcept { return dampingPower(v.data()); }
  double dampingPower(const double* v) const noexcept;

  /// Inverses and factorizations are not stored; they are recomputed when needed.
  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("ModalEquation");
    archive(contacts_, loads_, ledger_);
    for (double* each : {damping_.powerBefore, damping_.power, damping_.lostBefore, damping_.lost})
      archive.transferArray(each, kLanes);
    archive(kicked_, worksAtEnd_, spins_, drivePower_, links_);
    if (masslessParts_) archive(*masslessParts_);
  }

 private:
  const kernels::LoadStep& evaluateForces(double t, const Vector& q, const Vector& v, double dv,
                                          const Vector& a) noexcept;
  const kernels::LoadStep& evaluateForcesAt(const State& s, double dv, const Vector& a,
                                            double squared) noexcept;
  kernels::RowForces forcesAlongContactRows(double t, const Vector& q, const Vector& v, double dv,
                                            const Vector& a) noexcept;
  kernels::RowForces forcesAlongContactAndLinkRows(double t, const Vector& q, const Vector& v, double dv,
                                                   const Vector& a) noexcept;
  void acceptLinkStates(State& s, double h) noexcept;
  double rateOfDampingPower(const State& s) const noexcept;
  void addEnergyTermsOfOptionalParts(const State& s, double h) noexcept;
  void computeDampingLoss(const State& s, double h) noexcept;
  void addLinearForces(const Vector& q, const Vector& v, Vector& a) const noexcept;
  void invertImplicitDiagonal(double dq, double dv) noexcept;
  void advanceSpins(const State& s, double tolerance, Vector& forceLike) noexcept;
  void addDriveWork(const State& s, double h) noexcept;

  const ModalModel* model_;
  const RunMemory* memory_{nullptr};
  ContactRun contacts_;
  ExcitationRun loads_;
  EnergyLedger ledger_;
  Matrix dampingLanes_;  // power v.C v at the accepted instant and in the trial, and the loss at both
  kernels::DampingStep damping_;  // pointers to the columns above; accepting swaps them
  double kicked_{0.0};  // dv of the closing kick that summed the damping loss of the trial [s]; 0: none
  bool damped_;
  mutable Vector coupled_;  // work vector C v, coupled modes only

  // Inverse (I + dv C + dq Omega^2)^-1 per mode, for the last (dq, dv).
  double invertedDq_{-1.0};
  double invertedDv_{-1.0};
  Vector inverse_;
  /// Factorization of I + dv C + dq Omega^2 for a coupling C.
  struct Factored {
    double dq{-1.0};
    double dv{-1.0};
    Eigen::PartialPivLU<Matrix> factor;
  };
  const Eigen::PartialPivLU<Matrix>& factorisedImplicitMatrix(double t, double dq, double dv) noexcept;
  std::array<Factored, 2> factored_;  // last two factorizations, since a scheme may also evaluate at mid-step
  std::size_t oldest_{0};
  Matrix system_;

  LinkRun links_;
  SpinRun spins_;
  double drivePower_{0.0};  // power of the spin drives at the accepted instant [W]

  std::unique_ptr<CoupledRun> masslessParts_;  // null if no points without inertia are coupled
  EnergyLedger before_;  // ledger before the contacts of a step are accepted; only with masslessParts_
  std::unique_ptr<CoupledError> coupledError_;  // null if no law on points without inertia depends on a rate
  std::unique_ptr<ModalBalance>
      balance_;  // balance_ and implicit_ are created by prepareImplicitContact only
  std::optional<ImplicitContact> implicit_;
  Vector free_, qTrial_, vTrial_;
  bool worksAtEnd_{
      false};  // the final q of the step was unknown at the last evaluation: `acceptStep` adds the work
};

// Functions that every step calls are inline, so that the loop of a scheme becomes one function.

/// Evaluates contacts and loads; the caller sums their generalized forces.
inline const kernels::LoadStep& ModalEquation::evaluateForces(double t, const Vector& q, const Vector& v,
                                                              double dv, const Vector& a) noexcept {
  kicked_ = 0.0;
  // With dv = 0, the vector `a` is not used and may contain any values.
  const Motion motion{q.data(), v.data(), dv, dv == 0.0 ? v.data() : a.data()};
  contacts_.evaluate(t, motion);
  if (masslessParts_) [[unlikely]]
    masslessParts_->solve(t, motion);
  return loads_.evaluateLoads(t);
}

/// Forces per row: contacts of the last trial, and links, which are evaluated here.
inline kernels::RowForces ModalEquation::forcesAlongContactRows(double t, const Vector& q, const Vector& v,
                                                                double dv, const Vector& a) noexcept {
  if (links_.empty()) [[likely]]
    return contacts_.forces();
  return forcesAlongContactAndLinkRows(t, q, v, dv, a);
}

inline void ModalEquation::force(double t, const Vector& q, const Vector& v, double dv, const Vector& a,
                                 Vector& f) noexcept {
  // Contacts and links are evaluated before `f` is written, since `a` and `f` may be the same vector.
  const kernels::LoadStep& loads = evaluateForces(t, q, v, dv, a);
  const kernels::RowForces along = forcesAlongContactRows(t, q, v, dv, a);
  kernels::sumForces(loads, along, q.data(), f.data(), q.size());
}

inline void ModalEquation::kick(double t, double dv, const Vector& q, Vector& v, Vector& f) noexcept {
  const kernels::LoadStep& loads = evaluateForces(t, q, v, dv, f);
  const kernels::RowForces along = forcesAlongContactRows(t, q, v, dv, f);
  kernels::sumForcesAndKick(loads, along, q.data(), dv, damping_, f.data(), v.data(), v.size());
  if (!model_->linear.damping) kicked_ = dv;
}

/// Evaluates contacts and loads at s, after a kernel that has computed the projections of q.
inline const kernels::LoadStep& ModalEquation::evaluateForcesAt(const State& s, double dv, const Vector& a,
                                                                double squared) noexcept {
  const Motion motion{s.q.data(), s.v.data(), dv, a.data()};
  contacts_.evaluate(s.time, motion, squared);
  if (masslessParts_) [[unlikely]]
    masslessParts_->solve(s.time, motion);
  kicked_ = dv;
  return loads_.evaluateLoads(s.time);
}

inline void ModalEquation::kickDriftAndKickInOnePass(const kernels::DriftTables& tables, double h, State& s,
                                                     Vector& f) noexcept {
  const double dv = 0.5 * h;
  const double squared = kernels::kickDriftAndMultiplyRows(tables, dv, f.data(), s.q.data(), s.v.data(),
                                                           contacts_.rowsMultipliedByKernel(), s.q.size());
  s.time += h;  // the loop then sets the exact instant, so that the time does not drift
  const kernels::LoadStep& loads = evaluateForcesAt(s, dv, f, squared);
  const kernels::RowForces along = forcesAlongContactRows(s.time, s.q, s.v, dv, f);
  kernels::sumForcesAndKick(loads, along, s.q.data(), dv, damping_, f.data(), s.v.data(), s.v.size());
}

inline void ModalEquation::kickMoveAndKickInOnePass(double h, State& s) noexcept {
  const double dv = 0.5 * h;
  if (invertedDq_ != 0.0 || invertedDv_ != dv) [[unlikely]]
    invertImplicitDiagonal(0.0, dv);
  const double squared = kernels::kickMoveAndMultiplyRows(dv, s.a.data(), h, s.v.data(), s.q.data(),
                                                          contacts_.rowsMultipliedByKernel(), s.q.size());
  s.time += h;
  const kernels::LoadStep& loads = evaluateForcesAt(s, dv, s.a, squared);
  const kernels::RowForces along = forcesAlongContactRows(s.time, s.q, s.v, dv, s.a);
  const LinearSystem& linear = model_->linear;
  kernels::sumForcesAccelerateAndKick(
      loads, along, {linear.omegaSquared.data(), linear.dampingDiagonal.data(), inverse_.data()}, s.q.data(),
      dv, damping_, s.a.data(), s.v.data(), s.v.size());
}

inline void ModalEquation::kickVelocityAndMove(double h, State& s) noexcept {
  if (invertedDq_ != 0.0 || invertedDv_ != 0.0) [[unlikely]]
    invertImplicitDiagonal(0.0, 0.0);
  const double squared = kernels::kickMoveAndMultiplyRows(h, s.a.data(), h, s.v.data(), s.q.data(),
                                                          contacts_.rowsMultipliedByKernel(), s.q.size());
  s.time += h;
  const kernels::LoadStep& loads = evaluateForcesAt(s, 0.0, s.v, squared);
  kicked_ = 0.5 * h;  // half the step, over which the kernel sums the damping loss
  const kernels::RowForces along = forcesAlongContactRows(s.time, s.q, s.v, 0.0, s.v);
  const LinearSystem& linear = model_->linear;
  kernels::sumForcesAndAccelerate(
      loads, along, {linear.omegaSquared.data(), linear.dampingDiagonal.data(), inverse_.data()}, s.q.data(),
      s.v.data(), 0.5 * h, damping_, s.a.data(), s.v.size());
}

inline void ModalEquation::kickVelocityAtStepEnd(double dv, const Vector& a, Vector& v) noexcept {
  if (!damped_ || model_->linear.damping) return kernels::addScaled(dv, a.data(), v.data(), v.size());
  kernels::kickVelocityAtStepEnd(dv, a.data(), damping_, v.data(), v.size());
  kicked_ = dv;
}

inline void ModalEquation::advanceTimeFunctions(const State& s, double tolerance, Vector& forceLike) {
  loads_.advanceTimeFunctions(s.time, tolerance, forceLike);
  if (!spins_.empty()) [[unlikely]]
    advanceSpins(s, tolerance, forceLike);
  const bool moved =
      contacts_.canForceJump() &&
      contacts_.advanceTimeFunctions(s.time, tolerance, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()},
                                     forceLike.data(), ledger_);
  if (moved || links_.canImposedMotionJump()) [[unlikely]]
    applyLinkJumps(s, tolerance, forceLike.data(), moved);
}

inline void ModalEquation::acceptStep(State& s, double h) noexcept {
  if (masslessParts_) [[unlikely]]
    before_ = ledger_;
  if (contacts_.acceptStep(s.time, h, ledger_, s.v.data()))
    kicked_ = 0.0;  // an impulse has changed the velocity, so the loss is recomputed
  if (!links_.empty()) [[unlikely]]
    acceptLinkStates(s, h);
  if (masslessParts_) [[unlikely]]
    masslessParts_->acceptStep(s, before_, ledger_);
  if (std::exchange(worksAtEnd_, false)) ledger_.external += loads_.workOfLoadsUpToDisplacement(s.q);
  loads_.acceptStep();
  if (!damped_) return;
  if (kicked_ != 0.5 * h || !spins_.empty()) [[unlikely]]
    addEnergyTermsOfOptionalParts(s, h);
  std::swap(damping_.powerBefore, damping_.power);
  std::swap(damping_.lostBefore, damping_.lost);
}

}  // namespace ricochet
