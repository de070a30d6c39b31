#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/contact_set.hpp"
#include "engine/links/link_set.hpp"
#include "engine/model/direct_system.hpp"
#include "engine/model/equation_of_motion.hpp"
#include "engine/model/excitation.hpp"
#include "engine/model/implicit_contact.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace ricochet {

struct RunMemory;

/// A model ready to run in physical coordinates: constant, shared by runs. The rows of its contacts are on
/// the dofs that contacts touch, in the order of `contactDofs`.
struct DirectModel {
  DirectSystem linear;
  Excitation loads;                       ///< shapes on all independent dofs
  ContactSet contacts;                    ///< rows on the contact dofs
  std::vector<Eigen::Index> contactDofs;  ///< independent dofs of contacts and links, increasing
  LinkSet links{};                        ///< rows on the contact dofs
};

/// The equation of motion of one run in physical coordinates, for the same integrators, contacts, loads and
/// accounts as ModalEquation. Accelerations are M^-1 (loads + contacts - C v - K y).
///
/// A step costs one solve with a factorization that is kept: contacts act through the compliance of their
/// dofs, A^-1 on a few unit forces, so that one that opens or closes changes nothing in it.
class DirectEquation : private ContactCompliance {
 public:
  /// A step that ends at a kink of a load would need a factorization of its own: only jumps split steps.
  static constexpr bool kSplitsAtKinks = false;

  /// Throws std::runtime_error when M is singular.
  explicit DirectEquation(const DirectModel& model);

  Eigen::Index size() const noexcept { return padded(model_->linear.size()); }
  const DirectModel& model() const noexcept { return *model_; }

  // the seam to integrators (equation_of_motion.hpp)
  void acceleration(double t, const Vector& y, const Vector& v, Vector& a);
  void implicitAcceleration(double t, double dq, double dv, const Vector& y, const Vector& v, Vector& a);
  void force(double t, const Vector& y, const Vector& v, double dv, const Vector& a, Vector& f);

  void prepareImplicit();
  bool solveImplicit(double t, const ImplicitBalance& balance, const Vector& base, const Vector& y,
                     const Vector& v, Vector& a);
  const ImplicitContact* implicit() const noexcept { return implicit_ ? &*implicit_ : nullptr; }

  // what the loop asks for, as of ModalEquation
  void remember(const RunMemory* memory) noexcept { memory_ = memory; }
  void start(const State& s);
  void openAccounts(const State& s) noexcept { ledger_.open(ledger(s)); }
  void advance(const State& s, double tolerance, Vector& forceLike);
  void accept(State& s, double h);
  const ContactRun& contacts() const noexcept { return contacts_; }
  ContactRun& contacts() noexcept { return contacts_; }
  const LinkRun& links() const noexcept { return links_; }
  LinkRun& links() noexcept { return links_; }
  EnergyLedger ledger(const State& s) const noexcept;
  /// See EnergyWatch.
  double passedImpulse();
  double kineticEnergy(const Vector& v) const noexcept;
  double elasticEnergy(const Vector& y) const noexcept;
  double dampingPower(const Vector& v) const noexcept;

  /// Displacement and velocity of the contact dofs.
  const State& atContacts(const State& s) const noexcept;

  /// Factorizations are made again when they are asked for.
  template <class Archive>
  void persist(Archive& archive) {
    archive.section("DirectEquation");
    archive(contacts_, loads_, ledger_, dampingPower_, links_);
  }

  /// Factorizations made so far, and the entries of the largest.
  int factorizations() const noexcept { return made_; }
  Eigen::Index fill() const noexcept { return fill_; }

 private:
  /// A factorization, and what unit forces on the contact dofs do: A^-1 G^t.
  struct Inverse {
    double dq;
    double dv;
    DirectFactor factor;
    Matrix responses;   // padded dofs x contact dofs; empty until asked for
    Matrix compliance;  // G A^-1 G^t, padded
  };

  Inverse& inverse(double dq, double dv);
  const DirectFactor& mass() { return inverse(0.0, 0.0).factor; }
  void makeResponses(Inverse& inverse);

  // ContactCompliance
  void prepare(double dq, double dv) override;
  void respond(const double* row, double* response) noexcept override;

  void gather(const Vector& x, Vector& z) const noexcept;
  void addToDofs(const Vector& z, Vector& x) const noexcept;
  void subtractLinear(const Vector& y, const Vector& v, Vector& f) const noexcept;
  void pushAll(double t, const Vector& y, const Vector& v, double dv, const Vector& a);

  const DirectModel* model_;
  const RunMemory* memory_{nullptr};
  ContactRun contacts_;
  LinkRun links_;
  ExcitationRun loads_;
  EnergyLedger ledger_;
  double dampingPower_{0.0};

  std::vector<std::unique_ptr<Inverse>> inverses_;  // the first two, of M and of a whole step, stay
  std::size_t oldest_{0};
  const Inverse* prepared_{nullptr};
  int made_{0};
  Eigen::Index fill_{0};

  std::optional<ImplicitContact> implicit_;
  Vector force_;                  // dofs
  Vector zero_;                   // contact dofs
  Vector zY_, zV_, zA_, zForce_;  // contact dofs
  Vector zTrialY_, zTrialV_;
  mutable Vector modal_, product_;
  mutable State atContacts_;
};

}  // namespace ricochet
