#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/contact_set.hpp"
#include "engine/links/link_set.hpp"
#include "engine/model/equation_of_motion.hpp"
#include "engine/model/excitation.hpp"
#include "engine/model/implicit_contact.hpp"
#include "engine/model/linear_system.hpp"
#include "engine/model/modal_balance.hpp"
#include "engine/model/spin_run.hpp"
#include "engine/numerics/state.hpp"

#include <Eigen/LU>

#include <array>
#include <memory>
#include <optional>
#include <utility>

namespace ricochet {

struct RunMemory;

/// A model ready to run: constant, shared by the runs of a batch.
struct ModalModel {
  LinearSystem linear;
  Excitation loads;
  ContactSet contacts;
  LinkSet links{};
};

/// The equation of motion of one run in generalized coordinates: the model, plus contacts, loads and accounts
/// of the run. Everything is allocated here; nothing in a step.
class ModalEquation {
 public:
  /// Whether steps end where the slope of a load changes too, and not only where it jumps.
  static constexpr bool kSplitsAtKinks = true;

  explicit ModalEquation(const ModalModel& model);

  Eigen::Index size() const noexcept { return model_->linear.omegaSquared.size(); }
  const LinearSystem& linear() const noexcept { return model_->linear; }
  const ModalModel& model() const noexcept { return *model_; }

  // the seam to integrators (equation_of_motion.hpp)
  void acceleration(double t, const Vector& q, const Vector& v, Vector& a) noexcept;
  void implicitAcceleration(double t, double dq, double dv, const Vector& q, const Vector& v,
                            Vector& a) noexcept;
  void force(double t, const Vector& q, const Vector& v, double dv, const Vector& a, Vector& f) noexcept;
  void kick(double t, double dv, const Vector& q, Vector& v, Vector& f) noexcept;

  /// A step of h of kick_drift, with its tables, and of central_difference and symplectic_euler where modes
  /// are uncoupled, each in as few passes as it takes: motions have the bits of the calls above one by one.
  void kickDriftAndKick(const kernels::DriftTables& tables, double h, State& s, Vector& f) noexcept;
  void kickMoveAndKick(double h, State& s) noexcept;
  void kickAndMove(double h, State& s) noexcept;

  /// v += dv a, the last that happens to v in a step. As that of `kick` it takes part in the accounts when dv
  /// is half the step.
  void closingKick(double dv, const Vector& a, Vector& v) noexcept;

  /// For schemes whose contacts act at the end of the step (implicit_contact.hpp): `a` such that
  ///     a = base + share f(t, q + dq a, v + dv a)
  /// to a tight tolerance, from the guess that `a` holds; the trial of the contacts is the one of the
  /// solution. False when none was found. `prepareImplicit` once before, at the start of a run.
  void prepareImplicit();
  bool solveImplicit(double t, const ImplicitBalance& balance, const Vector& base, const Vector& q,
                     const Vector& v, Vector& a) noexcept;
  const ImplicitContact* implicit() const noexcept { return implicit_ ? &*implicit_ : nullptr; }

  /// The state in the coordinates of the contacts' rows: these.
  const State& atContacts(const State& s) const noexcept { return s; }

  /// f - C v - Omega^2 q with forces already known.
  void accelerationFrom(const Vector& f, const Vector& q, const Vector& v, Vector& a) const noexcept;

  /// What contacts and links start with: they take it up in `start`. Null: nothing.
  void remember(const RunMemory* memory) noexcept { memory_ = memory; }

  /// Opens the accounts at the initial state.
  void start(const State& s) noexcept;

  /// Begins the accounts anew at a state: what links lost and put in since the start of an earlier run goes
  /// on counting with them.
  void openAccounts(const State& s) noexcept { ledger_.open(ledger(s)); }

  /// Passes an instant at which loads or imposed forces may jump; `forceLike` (an acceleration or a force)
  /// takes the difference. Events within `tolerance` [s] after t count as at t.
  void advance(const State& s, double tolerance, Vector& forceLike) noexcept;

  /// Keeps the last trial as the state at s, a step h after the last one. The velocity takes the impulse that
  /// the scheme's quadrature missed where a force jumped inside the step (ContactRun::accept).
  void accept(State& s, double h) noexcept;

  /// After `accept`, for schemes of an order above the trapezoid's: adds to work and damping of the step what
  /// the trapezoid left out. `from` and `to` with their accelerations.
  void refineAccounts(const State& from, const State& to, double h) noexcept;

  const ContactRun& contacts() const noexcept { return contacts_; }
  ContactRun& contacts() noexcept { return contacts_; }
  const LinkRun& links() const noexcept { return links_; }
  LinkRun& links() noexcept { return links_; }

  /// What a run carries from one step to the next beside state, contacts and `accounts`, for the lanes of a
  /// batch: generalized load and q of the accepted instant (padded), lanes of twice the loads' work, of the
  /// power v.C v and of what it took.
  struct Carried {
    ExcitationRun::Kept loads;
    double* power;
    double* lost;
  };
  Carried carried() noexcept { return {loads_.kept(), damping_.powerBefore, damping_.lostBefore}; }

  /// Books the damping of a step of h that ended at s where the lanes cannot: `accept` after an impulse.
  void bookDamping(const State& s, double h) noexcept {
    sumDamping(s, h);
    std::swap(damping_.powerBefore, damping_.power);
    std::swap(damping_.lostBefore, damping_.lost);
  }

  /// Goes on at s after lanes took the steps so far, the last of which began at `from` [s]: what is
  /// `carried`, contacts and accounts have been filled in.
  void resume(const State& s, double from) noexcept {
    contacts_.resume(s.time, from, s.q.data());
    loads_.resume(from);
  }

  /// The accumulated parts of the accounts, for schemes that do their own quadrature.
  EnergyLedger& accounts() noexcept { return ledger_; }

  /// The accounts at a state: accumulated parts as accepted, instantaneous parts of s.
  EnergyLedger ledger(const State& s) const noexcept;

  /// See EnergyWatch.
  double passedImpulse() const;

  double kineticEnergy(const Vector& v) const noexcept { return 0.5 * v.squaredNorm(); }
  double elasticEnergy(const Vector& q) const noexcept {
    return 0.5 * (model_->linear.omegaSquared.array() * q.array().square()).sum();
  }

  /// Power lost in the structure's damping, v.C v [W].
  double dampingPower(const Vector& v) const noexcept { return dampingPower(v.data()); }
  double dampingPower(const double* v) const noexcept;

  /// Inverses and factorizations are made again when they are asked for.
  template <class Archive>
  void persist(Archive& archive) {
    archive.section("ModalEquation");
    archive(contacts_, loads_, ledger_);
    for (double* each : {damping_.powerBefore, damping_.power, damping_.lostBefore, damping_.lost})
      archive.array(each, kLanes);
    archive(kicked_, worksAtEnd_, spins_, drivePower_, links_);
  }

 private:
  const kernels::LoadStep& evaluate(double t, const Vector& q, const Vector& v, double dv,
                                    const Vector& a) noexcept;
  const kernels::LoadStep& evaluateAt(const State& s, double dv, const Vector& a, double squared) noexcept;
  kernels::RowForces pushes(double t, const Vector& q, const Vector& v, double dv, const Vector& a) noexcept;
  kernels::RowForces pushesWithLinks(double t, const Vector& q, const Vector& v, double dv,
                                     const Vector& a) noexcept;
  void acceptLinks(State& s, double h) noexcept;
  double dampingPowerRate(const State& s) const noexcept;
  void sumRest(const State& s, double h) noexcept;
  void sumDamping(const State& s, double h) noexcept;
  void addLinear(const Vector& q, const Vector& v, Vector& a) const noexcept;
  void invert(double dq, double dv) noexcept;
  void passSpins(const State& s, double tolerance, Vector& forceLike) noexcept;
  void bookDrives(const State& s, double h) noexcept;

  const ModalModel* model_;
  const RunMemory* memory_{nullptr};
  ContactRun contacts_;
  ExcitationRun loads_;
  EnergyLedger ledger_;
  Matrix dampingLanes_;  // v.C v at the accepted instant and of the trial, and what it took until then
  kernels::DampingStep damping_;  // accepting turns over its pointers to them
  double kicked_{0.0};            // half the step that the trial's closing kick took accounts of; 0: none
  bool damped_;
  mutable Vector coupled_;  // C v, modes only

  // (I + dv C + dq Omega^2)^-1 by mode, for the last (dq, dv)
  double invertedDq_{-1.0};
  double invertedDv_{-1.0};
  Vector inverse_;
  /// I + dv C + dq Omega^2 of a coupled C, factorised.
  struct Factored {
    double dq{-1.0};
    double dv{-1.0};
    Eigen::PartialPivLU<Matrix> factor;
  };
  const Eigen::PartialPivLU<Matrix>& factorised(double t, double dq, double dv) noexcept;
  std::array<Factored, 2> factored_;  // the last two: a scheme may evaluate in the middle of a step too
  std::size_t oldest_{0};
  Matrix system_;

  LinkRun links_;
  SpinRun spins_;
  double drivePower_{0.0};  // at the accepted instant [W]

  std::unique_ptr<ModalBalance> balance_;  // these two only for schemes that ask for them
  std::optional<ImplicitContact> implicit_;
  Vector free_, qTrial_, vTrial_;
  bool worksAtEnd_{false};  // the last evaluation was not at the end of the step
};

// What every step goes through is inline: the loop of a scheme becomes one function.

/// Tries contacts and loads; what they are is left to be added up.
inline const kernels::LoadStep& ModalEquation::evaluate(double t, const Vector& q, const Vector& v, double dv,
                                                        const Vector& a) noexcept {
  kicked_ = 0.0;
  // an `a` that does not count may hold anything
  contacts_.evaluate(t, Motion{q.data(), v.data(), dv, dv == 0.0 ? v.data() : a.data()});
  return loads_.evaluate(t);
}

/// What pushes along rows: contacts as tried, and links, which are tried here.
inline kernels::RowForces ModalEquation::pushes(double t, const Vector& q, const Vector& v, double dv,
                                                const Vector& a) noexcept {
  if (links_.empty()) [[likely]]
    return contacts_.forces();
  return pushesWithLinks(t, q, v, dv, a);
}

inline void ModalEquation::force(double t, const Vector& q, const Vector& v, double dv, const Vector& a,
                                 Vector& f) noexcept {
  // contacts and links read `a` before `f` is written: they may be the same vector
  const kernels::LoadStep& loads = evaluate(t, q, v, dv, a);
  const kernels::RowForces along = pushes(t, q, v, dv, a);
  kernels::push(loads, along, q.data(), f.data(), q.size());
}

inline void ModalEquation::kick(double t, double dv, const Vector& q, Vector& v, Vector& f) noexcept {
  const kernels::LoadStep& loads = evaluate(t, q, v, dv, f);
  const kernels::RowForces along = pushes(t, q, v, dv, f);
  kernels::pushAndKick(loads, along, q.data(), dv, damping_, f.data(), v.data(), v.size());
  if (!model_->linear.damping) kicked_ = dv;
}

/// The same after a kernel that has looked at the contacts.
inline const kernels::LoadStep& ModalEquation::evaluateAt(const State& s, double dv, const Vector& a,
                                                          double squared) noexcept {
  contacts_.evaluate(s.time, Motion{s.q.data(), s.v.data(), dv, a.data()}, squared);
  kicked_ = dv;
  return loads_.evaluate(s.time);
}

inline void ModalEquation::kickDriftAndKick(const kernels::DriftTables& tables, double h, State& s,
                                            Vector& f) noexcept {
  const double dv = 0.5 * h;
  const double squared =
      kernels::kickDriftAndLook(tables, dv, f.data(), s.q.data(), s.v.data(), contacts_.next(), s.q.size());
  s.time += h;  // the loop then sets the exact instant, so that it does not drift
  const kernels::LoadStep& loads = evaluateAt(s, dv, f, squared);
  const kernels::RowForces along = pushes(s.time, s.q, s.v, dv, f);
  kernels::pushAndKick(loads, along, s.q.data(), dv, damping_, f.data(), s.v.data(), s.v.size());
}

inline void ModalEquation::kickMoveAndKick(double h, State& s) noexcept {
  const double dv = 0.5 * h;
  if (invertedDq_ != 0.0 || invertedDv_ != dv) [[unlikely]]
    invert(0.0, dv);
  const double squared =
      kernels::kickMoveAndLook(dv, s.a.data(), h, s.v.data(), s.q.data(), contacts_.next(), s.q.size());
  s.time += h;
  const kernels::LoadStep& loads = evaluateAt(s, dv, s.a, squared);
  const kernels::RowForces along = pushes(s.time, s.q, s.v, dv, s.a);
  const LinearSystem& linear = model_->linear;
  kernels::pushAccelerateAndKick(loads, along,
                                 {linear.omegaSquared.data(), linear.dampingDiagonal.data(), inverse_.data()},
                                 s.q.data(), dv, damping_, s.a.data(), s.v.data(), s.v.size());
}

inline void ModalEquation::kickAndMove(double h, State& s) noexcept {
  if (invertedDq_ != 0.0 || invertedDv_ != 0.0) [[unlikely]]
    invert(0.0, 0.0);
  const double squared =
      kernels::kickMoveAndLook(h, s.a.data(), h, s.v.data(), s.q.data(), contacts_.next(), s.q.size());
  s.time += h;
  const kernels::LoadStep& loads = evaluateAt(s, 0.0, s.v, squared);
  kicked_ = 0.5 * h;  // the dashpots' account
  const kernels::RowForces along = pushes(s.time, s.q, s.v, 0.0, s.v);
  const LinearSystem& linear = model_->linear;
  kernels::pushAndAccelerate(loads, along,
                             {linear.omegaSquared.data(), linear.dampingDiagonal.data(), inverse_.data()},
                             s.q.data(), s.v.data(), 0.5 * h, damping_, s.a.data(), s.v.size());
}

inline void ModalEquation::closingKick(double dv, const Vector& a, Vector& v) noexcept {
  if (!damped_ || model_->linear.damping) return kernels::addScaled(dv, a.data(), v.data(), v.size());
  kernels::closingKick(dv, a.data(), damping_, v.data(), v.size());
  kicked_ = dv;
}

inline void ModalEquation::advance(const State& s, double tolerance, Vector& forceLike) noexcept {
  loads_.advance(s.time, tolerance, forceLike);
  if (!spins_.empty()) [[unlikely]]
    passSpins(s, tolerance, forceLike);
  if (contacts_.mayJump())
    contacts_.advance(s.time, tolerance, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()}, forceLike.data(),
                      ledger_);
}

inline void ModalEquation::accept(State& s, double h) noexcept {
  if (contacts_.accept(s.time, h, ledger_, s.v.data())) kicked_ = 0.0;  // the velocity is another one
  if (!links_.empty()) [[unlikely]]
    acceptLinks(s, h);
  if (std::exchange(worksAtEnd_, false)) ledger_.external += loads_.workUntil(s.q);
  loads_.accept();
  if (!damped_) return;
  if (kicked_ != 0.5 * h || !spins_.empty()) [[unlikely]]
    sumRest(s, h);
  std::swap(damping_.powerBefore, damping_.power);
  std::swap(damping_.lostBefore, damping_.lost);
}

}  // namespace ricochet
