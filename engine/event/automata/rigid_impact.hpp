#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/accounts/impact_counts.hpp"
#include "engine/contact/impulse/impact_law.hpp"
#include "engine/contact/impulse/impulse_solver.hpp"
#include "engine/event/automata/contact_automaton.hpp"

#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace ricochet {

/// A rigid contact that takes part in an impact. Components: normal, then the lines of the contact.
struct Striker {
  ContactAutomaton* contact{nullptr};
  ImpactAxes axes{};
  bool rubs{false};         ///< has a Coulomb cone; only then rates and impulses along its lines are used
  double friction{0.0};     ///< mu_d [-]
  double restitution{0.0};  ///< e [-]
  double rest{0.0};         ///< limit below which a gap rate counts as zero [m/s]
  std::array<double, 3> rate{};     ///< gap rate and slip rates, under the impulses so far [m/s]
  std::array<double, 3> impulse{};  ///< so far [N s]
  std::array<double, 3> lost{};     ///< work that the impulses so far have taken [J]
  bool loses{false};    ///< its flights became too low to tell from touching before its speed was lost
  bool touches{false};  ///< the last impulses press it and leave no gap rate, to rounding

  std::size_t axisCount() const noexcept { return rubs ? 3 : 1; }
  /// Gap rate that Newton's law asks for after an approach [m/s]; 0 where bouncing ends.
  double reboundFrom(double approach) const noexcept {
    const double rebound = restitution * approach;
    return rebound > rest ? rebound : 0.0;
  }
};

/// Impact of all rigid contacts that touch, by Coulomb's law for the tangential impulses p_t and one of three
/// laws for the normal impulses p (ImpactLaw). Newton's law:
///
///     g'+ >= -e g'- , p >= 0 , and one of the two is an equality
///     |p_t| <= mu_d p , and at that bound p_t opposes the slip
///
/// Sources: J.J. Moreau, CISM 302 (1988); F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral
/// Contacts (Wiley, 1996), chapter 8.
class RigidImpact {
 public:
  explicit RigidImpact(ImpactLaw law) : law_(law) {}

  /// Starts an impact without contacts.
  void begin() noexcept { strikers_.clear(); }
  /// Adds a rigid contact in its motion s before the impact.
  void add(ContactAutomaton& contact, const State& s);
  /// Whether all contacts approach no faster than in the last of their bounces. Such an impact ends no stick.
  bool endsBouncing() const noexcept;

  /// Finds the impulses and changes s.v by them. False: there are none that satisfy all laws, or impacts that
  /// gain speed follow each other without end; s is as before. Where restitution leaves no solution (bodies
  /// that jam), the impact has none, nor do contacts whose flights have become too low to tell from touching.
  bool resolve(State& s);
  /// Impact of contacts that touch and do not approach (P. Painleve, C. R. Acad. Sci. 121, 1895): where a
  /// slip has no reaction that is finite, impulses of friction end it. False: none but zero satisfy the laws.
  bool resolveWithoutCollision(State& s);
  std::span<const Striker> strikers() const noexcept { return strikers_; }

  /// Books work and impulses.
  void bookImpulses(ContactRun& run, EnergyLedger& ledger) const noexcept;

  ImpactCounts& counts() noexcept { return counts_; }
  const ImpactCounts& counts() const noexcept { return counts_; }

 private:
  /// Matrices for as many blocks as the largest impact has had.
  struct Workspace {
    explicit Workspace(int blocks) : problem(blocks), solver(blocks), room(blocks) {}
    ImpulseProblem problem;
    ImpulseSolver solver;
    int room;
  };
  ImpulseProblem& clearProblem(std::size_t blocks);
  ImpulseBlock& addBlock(std::size_t striker);
  void fillCompliance(Eigen::Index modes) noexcept;
  bool solve(Eigen::Index modes) noexcept;
  void readImpulses() noexcept;
  void applyImpulses(Vector& v) noexcept;
  void countFlights(const State& s) noexcept;
  bool endLowBounces() noexcept;
  bool actTogether() const noexcept;
  void count(const Vector& v) noexcept;

  bool applyImpactLaw(Vector& v);
  bool strikeTogether(Vector& v, bool rebounds);
  bool compressAndRelease(Vector& v);
  bool strikeInTurn(Vector& v);

  ImpactLaw law_;
  ImpactCounts counts_{};
  std::vector<Striker> strikers_;
  std::vector<std::size_t> blockStriker_;        ///< striker of each block of the problem
  std::vector<std::array<double, 3>> impulses_;  ///< of one stage of the impact, by striker [N s]
  Vector velocity_;                              ///< before the impact, in modal coordinates [m/s kg^1/2]
  bool isUnique_{true};
  bool leftRestitution_{false};  ///< restitution was left out
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace ricochet
