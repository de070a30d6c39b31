#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/contact_view.hpp"
#include "engine/model/implicit_contact.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace ricochet {

enum class ForcesOf : std::uint8_t { accepted, trial };

/// Forces of contacts and links on the points of a static coupling, along all axes; zero along those of
/// others [N].
Vector coupledForces(const StaticCoupling& coupling, const ContactRun& contacts, const LinkRun& links,
                     ForcesOf of);

/// Products of the rows of the points with `along`, coordinates or their rates, along all axes.
Vector coupledMotion(const StaticCoupling& coupling, const ContactSet& contacts, const LinkSet& links,
                     const Vector& along);

/// Whether a change of the forces shifts the points much farther than `motion`, of the coordinates and of
/// what drives them: they jumped, however short the step.
bool shiftsFarther(const StaticCoupling& coupling, const Vector& change, const Vector& motion);

/// The static coupling of one run: finds the forces and the motion of points without inertia where the
/// coordinates and their rates are given.
class CoupledRun : private ContactCompliance {
 public:
  /// `coupling` is not empty.
  CoupledRun(const StaticCoupling& coupling, ContactRun& contacts, LinkRun& links);
  CoupledRun(const CoupledRun&) = delete;
  CoupledRun& operator=(const CoupledRun&) = delete;
  CoupledRun(CoupledRun&&) = delete;
  CoupledRun& operator=(CoupledRun&&) = delete;
  ~CoupledRun() override = default;

  /// Evaluates the trial of contacts and links whose points the forces of the trial shift:
  /// x = rows q + S lambda(x). The shifts are not numbers where no solution is found.
  void solve(double t, const Motion& motion) noexcept;

  /// Whether no solution was found since this was last asked: the motion must not be accepted.
  bool takeLostBalanceFlag() noexcept { return std::exchange(lostBalance_, false); }

  /// The same at the start, as the states from which the run starts.
  void start(double t, const Motion& motion) noexcept;

  /// Begins to account for jumps, at an accepted motion.
  void startAccounts(const State& s) { books_ = accountsAt(s); }

  /// Adds to the ledger what was lost in a step that was accepted at `s`, if a point jumped in it: the
  /// springs and laws of a point without inertia that snaps through lose energy at once, while the
  /// coordinates stay. `before`: the ledger before contacts were accepted. Forces that go from f to f'
  /// without a jump do the work (f + f')/2 (x' - x) to |f' - f| |x' - x|/2, x the motion of the coordinates;
  /// what is missing beyond was lost, where the point went much farther than the coordinates.
  void accept(const State& s, const EnergyLedger& before, EnergyLedger& ledger) noexcept;

  /// Energy of the springs that shift the points, lambda S lambda/2, under the accepted forces [J].
  double stored() const noexcept;

  /// Adds the shifts S lambda and their rates to views at the motion `s`, in which the forces are final. The
  /// rates are those of the laws linearised there, lambda' = (1 - K S)^-1 K x_free', lambda'' likewise; of
  /// laws that depend on rates those of the last steps (CoupledShifts).
  void addTo(const State& s, std::span<ContactView> contacts, std::span<LinkState> links) const;

  template <class Archive>
  void persist(Archive& archive) {
    archive(books_.forces, books_.moved, books_.driven, books_.held);
  }

 private:
  /// What the balance of a step compares, at an accepted motion.
  struct Books {
    Vector forces;     ///< on the points, along all axes [N]
    Vector moved;      ///< motion of the points by the coordinates [m]
    Vector driven;     ///< by supports and loads [m]
    double held{0.0};  ///< energy of the springs, the contacts and links of the points [J]
  };
  Books accountsAt(const State& s) const;

  void prepare(double, double) override {}
  void respond(const double* row, double* response) noexcept override;
  Vector acceptedForces() const;
  void computeSlopes(int body, const State& s, const Vector& free, const Vector& moved, Matrix& slopes) const;
  double relaxationRate(int link, std::size_t axis) const;
  Vector freeMotion(const State& s, int derivative) const;
  Vec3 driftOfContact(int contact, double t) const;
  Vector viewedForces(const State& s, std::span<const ContactView> contacts,
                      std::span<const LinkState> links) const;

  const StaticCoupling* coupling_;
  ContactRun* contacts_;
  LinkRun* links_;
  ImplicitContact balance_;
  Vector q_, v_, none_, a_;
  bool lostBalance_{false};
  Books books_;
};

}  // namespace ricochet
