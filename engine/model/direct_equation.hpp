#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/contact_set.hpp"
#include "engine/links/link_set.hpp"
#include "engine/model/coupled_run.hpp"
#include "engine/model/direct_system.hpp"
#include "engine/model/equation_of_motion.hpp"
#include "engine/model/excitation.hpp"
#include "engine/model/implicit_contact.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace ricochet {

struct RunMemory;

/// A model in physical coordinates that is ready to run: constant, shared by runs. The rows of contacts and
/// links cover only the contact dofs, in the order of `contactDofs`.
struct DirectModel {
  DirectSystem linear;
  Excitation loads;                       ///< shapes on all independent dofs
  ContactSet contacts;                    ///< rows on the contact dofs
  std::vector<Eigen::Index> contactDofs;  ///< independent dofs that contacts or links move, increasing
  LinkSet links{};                        ///< rows on the contact dofs
  StaticCoupling coupling{};
};

/// The equation of motion of one run in physical coordinates, with the same interface to integrators,
/// contacts, loads and energies as ModalEquation. Accelerations are M^-1 (loads + contacts - C v - K y).
///
/// A step costs one solve with a stored factorization. Contacts act through the compliance A^-1 of their dofs
/// (responses to unit forces), so that a contact that opens or closes needs no new factorization.
class DirectEquation : private ContactCompliance {
 public:
  /// False: steps are split only at jumps of loads, not at kinks, because a step of another length needs its
  /// own factorization.
  static constexpr bool kSplitsAtKinks = false;

  /// Throws std::runtime_error when M is singular.
  explicit DirectEquation(const DirectModel& model);

  Eigen::Index size() const noexcept { return paddedSize(model_->linear.size()); }
  const DirectModel& model() const noexcept { return *model_; }

  // Interface to integrators (equation_of_motion.hpp).
  void acceleration(double t, const Vector& y, const Vector& v, Vector& a);
  void implicitAcceleration(double t, double dq, double dv, const Vector& y, const Vector& v, Vector& a);
  void force(double t, const Vector& y, const Vector& v, double dv, const Vector& a, Vector& f);

  void prepareImplicitContact();
  bool solveImplicit(double t, const ImplicitBalance& balance, const Vector& base, const Vector& y,
                     const Vector& v, Vector& a);
  const ImplicitContact* implicitContact() const noexcept { return implicit_ ? &*implicit_ : nullptr; }
  /// True if the last solution of `solveImplicit` is stable, see ImplicitContact::isStable.
  bool isBalanceStable() { return implicit_->isForceBalanceStable(); }

  // Interface to the time loop, as in ModalEquation.
  void setStatesOfEarlierRun(const RunMemory* memory) noexcept { memory_ = memory; }
  void start(const State& s);
  void startEnergyBalance(const State& s) noexcept {
    if (masslessParts_) masslessParts_->startEnergyBalance(stateInContactCoordinates(s));
    ledger_.restartEnergyBalanceAt(ledger(s));
  }
  /// Adds the motion of points without inertia to views, see ModalEquation; `s` contains the contact dofs
  /// only.
  void addCoupledMotion(const State& s, std::span<ContactView> contacts, std::span<LinkState> links) const {
    if (masslessParts_) masslessParts_->addCoupledMotionTo(s, contacts, links);
  }
  /// Stores the states of coupled points without inertia at the start of a step that contains outputs, and
  /// sets their motion in views at the motion `s` inside this step, see CoupledRun.
  void storeCoupledStatesAtStepStart(const State& s) {
    if (masslessParts_) masslessParts_->storeStatesAtStepStart(stateInContactCoordinates(s));
  }
  void setCoupledMotionInsideStep(const State& s, std::span<ContactView> contacts,
                                  std::span<LinkState> links) {
    if (masslessParts_) masslessParts_->setCoupledMotionInsideStep(s, contacts, links);
  }
  /// True if a point without inertia has lost its balance, see CoupledRun::takeFlagOfLostForceBalance.
  bool takeFlagOfLostForceBalance() noexcept {
    return masslessParts_ && masslessParts_->takeFlagOfLostForceBalance();
  }
  void advanceTimeFunctions(const State& s, double tolerance, Vector& forceLike);
  std::optional<double> addMotionJumps(State& s, double tolerance);
  void settleAfterMotionJump(const State& s, double t);
  void acceptStep(State& s, double h);
  const ContactRun& contacts() const noexcept { return contacts_; }
  ContactRun& contacts() noexcept { return contacts_; }
  /// Limits the damping of the links for steps of h [s], see LinkRun::limitDamping.
  void limitLinkDamping(double h);
  const LinkRun& links() const noexcept { return links_; }
  LinkRun& links() noexcept { return links_; }
  EnergyLedger ledger(const State& s) const noexcept;
  /// Bound P of the impulse transmitted in a run of `duration` [s], in J^1/2, see EnergyWatch.
  double boundOfTransmittedImpulse(double duration);
  double kineticEnergy(const Vector& v) const noexcept;
  double elasticEnergy(const Vector& y) const noexcept;
  double dampingPower(const Vector& v) const noexcept;

  /// Displacement and velocity of the contact dofs, taken from a state.
  const State& stateInContactCoordinates(const State& s) const noexcept;

  /// Factorizations are not stored; they are recomputed when needed.
  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("DirectEquation");
    archive(contacts_, loads_, ledger_, dampingPower_, links_);
    if (masslessParts_) archive(*masslessParts_);
  }

  /// Statistics of the factorizations: their number so far, and the entries of the largest factor.
  int factorizations() const noexcept { return made_; }
  Eigen::Index factorEntryCount() const noexcept { return fill_; }

 private:
  /// A factorization of A, and the responses A^-1 G^t of the contact dofs to unit forces.
  struct Inverse {
    double dq;
    double dv;
    DirectFactor factor;
    Matrix responses;   // A^-1 G^t, padded dofs x contact dofs; empty until needed
    Matrix compliance;  // G A^-1 G^t, padded
  };

  Inverse& effectiveMassInverse(double dq, double dv);
  const DirectFactor& factorisedMass() { return effectiveMassInverse(0.0, 0.0).factor; }
  void computeContactDofResponses(Inverse& inverse);

  // Interface of ContactCompliance.
  void prepareCompliance(double dq, double dv) override;
  void computeUnitForceResponse(const double* row, double* response) noexcept override;

  void gatherContactDofs(const Vector& x, Vector& z) const noexcept;
  void addContactDofs(const Vector& z, Vector& x) const noexcept;
  void subtractLinearForces(const Vector& y, const Vector& v, Vector& f) const noexcept;
  void evaluateForces(double t, const Vector& y, const Vector& v, double dv, const Vector& a);

  const DirectModel* model_;
  const RunMemory* memory_{nullptr};
  ContactRun contacts_;
  LinkRun links_;
  ExcitationRun loads_;
  EnergyLedger ledger_;
  double dampingPower_{0.0};

  std::vector<std::unique_ptr<Inverse>>
      inverses_;  // the first two, of M and of the nominal step, are never replaced
  std::size_t oldest_{0};
  const Inverse* prepared_{nullptr};
  int made_{0};
  Eigen::Index fill_{0};

  std::unique_ptr<CoupledRun> masslessParts_;  // null if no points without inertia are coupled
  std::optional<ImplicitContact> implicit_;
  Vector force_;                  // force on all dofs
  Vector zero_;                   // zero vector over the contact dofs
  Vector zY_, zV_, zA_, zForce_;  // vectors over the contact dofs
  Vector zTrialY_, zTrialV_;
  mutable Vector modal_, product_;
  mutable State atContacts_;
};

}  // namespace ricochet
