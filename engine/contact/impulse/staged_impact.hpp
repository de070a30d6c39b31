#pragma once

#include "engine/contact/impulse/impact_axes.hpp"
#include "engine/contact/impulse/impact_law.hpp"
#include "engine/contact/impulse/impulse_solver.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

namespace ricochet {

/// A rigid contact that takes part in an impact. Components: normal, then the lines of the contact.
struct ImpactingContact {
  int contact{0};
  ImpactAxes axes{};
  bool rubs{false};         ///< the contact has a Coulomb cone: rates and impulses along its lines are used
  bool wasClosed{false};    ///< closed before the impact: no approach, only drift by rounding
  double friction{0.0};     ///< friction coefficient mu_d [-]
  double restitution{0.0};  ///< coefficient of restitution e [-]
  double rest{0.0};         ///< limit below which a gap rate counts as zero [m/s]
  std::array<double, 3> rate{};     ///< gap rate and slip rates, under the impulses so far [m/s]
  std::array<double, 3> impulse{};  ///< sum of its impulses so far [N s]
  std::array<double, 3> lost{};     ///< work taken by its impulses so far [J]
  bool touches{false};              ///< the last impulses close it: its gap rate is zero within rounding

  std::size_t axisCount() const noexcept { return rubs ? 3 : 1; }
  /// Gap rate after the impact by Newton's law, from the approach speed [m/s]; 0 below the limit `rest`.
  double reboundRateByNewtonLaw(double approach) const noexcept {
    const double rebound = restitution * approach;
    return rebound > rest ? rebound : 0.0;
  }
};

/// Impact of all rigid contacts that touch, by Coulomb's law for the tangential impulses p_t and one of three
/// laws for the normal impulses p (ImpactLaw), in one stage or several. Newton's law:
///
///     g'+ >= -e g'- , p >= 0 , and one of the two is an equality
///     |p_t| <= mu_d p , and at that bound p_t opposes the slip
///
/// Sources: J.J. Moreau, CISM 302 (1988); F. Pfeiffer, C. Glocker, Multibody Dynamics with Unilateral
/// Contacts (Wiley, 1996), chapter 8.
class StagedImpact {
 public:
  explicit StagedImpact(ImpactLaw law) : law_(law) {}
  /// A copy has the same law and allocates its own workspace when needed: no impact lasts longer than a call.
  StagedImpact(const StagedImpact& other) : StagedImpact(other.law_) {}
  StagedImpact& operator=(const StagedImpact& other) noexcept {
    law_ = other.law_;
    return *this;
  }
  StagedImpact(StagedImpact&&) = default;
  StagedImpact& operator=(StagedImpact&&) = default;
  ~StagedImpact() = default;

  ImpactLaw impactLaw() const noexcept { return law_; }
  /// Allocates memory for impacts of up to `contacts` contacts.
  void reserve(std::size_t contacts);
  /// Starts an impact without contacts.
  void begin() noexcept { strikers_.clear(); }
  /// Adds a rigid contact at the velocity v before the impact; the caller sets its limit `rest`. Slip along
  /// its lines counts only if it `rubs` and has a Coulomb cone.
  ImpactingContact& addImpactingContact(int contact, const Contact& laws, bool rubs, const ImpactAxes& axes,
                                        const Vector& v);
  std::span<const ImpactingContact> impactingContacts() const noexcept { return strikers_; }
  /// True if a contact of the impact approaches.
  bool hasApproachingContact() const noexcept {
    return std::ranges::any_of(strikers_,
                               [](const ImpactingContact& each) { return -each.rate[0] > each.rest; });
  }

  /// True if the impulses of the last impact were unique; true if restitution was left out of the last
  /// impact.
  bool wereImpulsesUnique() const noexcept { return isUnique_; }
  bool wasRestitutionOmitted() const noexcept { return leftRestitution_; }

  /// Finds the impulses by the impact law and changes v by them. Returns false if no impulses satisfy all
  /// laws; v is then undefined. If restitution leaves no solution (jammed bodies), the impact has no
  /// restitution.
  bool applyImpactLaw(Vector& v);

 protected:
  /// Matrices for as many blocks as the largest impact so far.
  struct Workspace {
    explicit Workspace(int blocks) : problem(blocks), solver(blocks), room(blocks) {}
    ImpulseProblem problem;
    ImpulseSolver solver;
    int room;
  };
  void reserveBlockMemory(std::size_t blocks);
  void resetImpulses();
  ImpulseProblem& beginImpulseProblemWithoutBlocks(std::size_t blocks);
  ImpulseBlock& addBlock(std::size_t striker);
  void fillCompliance(Eigen::Index modes) noexcept;
  bool solve(Eigen::Index modes) noexcept;
  void copyImpulsesFromSolvedBlocks() noexcept;
  void applyImpulsesToVelocity(Vector& v) noexcept;

  bool solveImpactsSimultaneously(Vector& v, bool rebounds);
  bool solveCompressionAndRelease(Vector& v);
  bool solveImpactsSequentially(Vector& v);

  ImpactLaw law_;
  std::vector<ImpactingContact> strikers_;
  std::vector<std::size_t> blockStriker_;        ///< index of the striker of each block
  std::vector<std::array<double, 3>> impulses_;  ///< impulses of one stage of the impact, by striker [N s]
  bool isUnique_{true};
  bool leftRestitution_{false};  ///< restitution was left out of the last impact
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace ricochet
