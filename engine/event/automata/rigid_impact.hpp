#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/impulse/impulse_solver.hpp"
#include "engine/event/automata/contact_automaton.hpp"

#include <memory>
#include <span>
#include <vector>

namespace ricochet {

/// A rigid contact that takes part in an impact.
struct Striker {
  ContactAutomaton* contact{nullptr};
  ImpactAxes axes{};
  bool rubs{false};         ///< has a Coulomb cone; only then rates and impulses along its lines are used
  double friction{0.0};     ///< mu_d [-]
  double restitution{0.0};  ///< e of this impact [-]; 0 where the contact does not approach or stops bouncing
  double rest{0.0};         ///< limit below which a gap rate counts as zero [m/s]
  std::array<double, 3> before{};   ///< gap rate, slip rates before the impact [m/s]
  std::array<double, 3> after{};    ///< ... and after it
  std::array<double, 3> impulse{};  ///< normal, along the lines [N s]
};

/// Impact of all rigid contacts that touch, by Newton's law for the normal impulses p and Coulomb's law for
/// the tangential impulses p_t: g'+ >= -e g'-, p >= 0, and one of the two is an equality; |p_t| <= mu_d p,
/// and at that bound p_t opposes the slip. Source: J.J. Moreau, CISM 302 (1988).
class RigidImpact {
 public:
  /// Starts an impact without contacts.
  void begin() noexcept { strikers_.clear(); }
  /// Adds a rigid contact in its motion s before the impact.
  void add(ContactAutomaton& contact, const State& s);
  /// Whether all contacts approach no faster than in the last of their bounces. Such an impact ends no stick.
  bool endsBouncing() const noexcept;

  /// Finds the impulses and changes s.v by them. False: there are none that satisfy all laws; s is as before.
  /// Where restitution leaves no solution (bodies that jam), the impact has none.
  bool resolve(State& s);
  std::span<const Striker> strikers() const noexcept { return strikers_; }

  /// Books work and impulses: the work is the impulse times the mean of the rates before and after.
  void book(ContactRun& run, EnergyLedger& ledger) const noexcept;

 private:
  /// Matrices for as many contacts as the largest impact has had.
  struct Workspace {
    explicit Workspace(int contacts) : problem(contacts), solver(contacts), room(contacts) {}
    ImpulseProblem problem;
    ImpulseSolver solver;
    int room;
  };
  void reserve(std::size_t contacts);
  ImpulseBlock& addBlock(const Striker& striker, const Vector& v);
  void fillCompliance(Eigen::Index modes) noexcept;
  bool solveNewton(const Vector& v, bool rebounds);

  std::vector<Striker> strikers_;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace ricochet
