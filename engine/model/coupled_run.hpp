#pragma once

#include "engine/contact/contact_view.hpp"
#include "engine/model/implicit_contact.hpp"

#include <span>
#include <utility>
#include <vector>

namespace ricochet {

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
  bool takeLostBalance() noexcept { return std::exchange(lostBalance_, false); }

  /// The same at the start, as the states from which the run starts.
  void start(double t, const Motion& motion) noexcept;

  /// Energy of the springs that shift the points, lambda S lambda/2, under the accepted forces [J].
  double stored() const noexcept;

  /// Adds the shifts S lambda and their rates to views at the motion `s`, in which the forces are final. The
  /// rates are those of the laws linearised there, lambda' = (1 - K S)^-1 K x_free', lambda'' likewise; of
  /// laws that depend on rates those of the last steps (CoupledShifts).
  void addTo(const State& s, std::span<ContactView> contacts, std::span<LinkState> links) const;

 private:
  void prepare(double, double) override {}
  void respond(const double* row, double* response) noexcept override;
  Vector acceptedForces() const;
  void putSlopes(int body, const State& s, const Vector& free, const Vector& moved, Matrix& slopes) const;
  double relaxation(int link, std::size_t axis) const;
  Vector freeMotion(const State& s, int derivative) const;
  Vec3 driftOf(int contact, double t) const;
  Vector viewedForces(const State& s, std::span<const ContactView> contacts,
                      std::span<const LinkState> links) const;

  const StaticCoupling* coupling_;
  ContactRun* contacts_;
  LinkRun* links_;
  ImplicitContact balance_;
  Vector q_, v_, none_, a_;
  bool lostBalance_{false};
};

}  // namespace ricochet
