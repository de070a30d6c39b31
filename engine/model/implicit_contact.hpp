#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/contact/contact_tangent.hpp"
#include "engine/links/link_set.hpp"
#include "engine/model/static_coupling.hpp"
#include "engine/numerics/state.hpp"

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// Balance of an implicit scheme at the end of its step: an acceleration a such that
///
///     a = base + share f(t, q + dq a, v + dv a),   f = loads + contacts - C v - Omega^2 q
struct ImplicitBalance {
  double share{1.0};
  double dq{0.0};  ///< displacement per acceleration [s^2]
  double dv{0.0};  ///< velocity per acceleration [s]
};

/// Compliance of the linear part at the contacts: A = M + dv C + dq K, with M = I in generalized coordinates.
/// `row` and `response` are vectors over the coordinates of the contact rows (padded).
class ContactCompliance {
 public:
  virtual ~ContactCompliance() = default;

  /// Sets the coefficients of A; called when they change.
  virtual void prepareCompliance(double dq, double dv) = 0;

  /// Response to a unit force along a row: response = A^-1 row^t.
  virtual void computeUnitForceResponse(const double* row, double* response) noexcept = 0;
};

/// Newton's method for contacts whose forces are evaluated at the end of a step.
///
///     A = M + share (dv C + dq K)                a = a_free + Y lambda,   Y = share A^-1 B^t
///     w = B a = w_free + W lambda(w),            W = B Y: reduced compliance
///
/// All vectors are over the coordinates of the contact rows: all generalized coordinates, or in physical
/// coordinates the contact dofs.
///
/// The unknowns are the accelerations w of the contact points along their local axes, so that a step solves a
/// dense system of the size of the closed contacts: (I - W K) dw = w_free + W lambda - w, with K = dq
/// d(lambda)/dx + dv d(lambda)/dx' from the laws on dual numbers (contact_tangent.hpp). Piecewise linear laws
/// need one iteration per change of branch; other laws converge quadratically. The iteration has converged
/// when the forces of the laws equal the forces of the balance. An open contact closes when it penetrates by
/// more than rounding: the force of a dashpot jumps at closing, and no balance exists at a gap of zero.
///
/// Laws of links may have infinite slopes (|v|^a). If the iteration does not converge, one row after the
/// other is balanced by bisection. At an infinite slope, motions that differ by rounding have different
/// forces: every force between both is in balance. Friction laws whose branch jumps with the direction of the
/// slip (`branchesBySteps`) keep their branch for a step if no balance is found.
///
/// Links are treated like contacts that are always closed; their indices follow the contacts. The static
/// displacement of points without inertia, S lambda, is one of the accelerations S lambda/dq, so that W has
/// S/dq as a further term. Its rate is S lambda' (CoupledShifts), not a rate of the scheme. For laws that
/// depend on rates, K is therefore (I - d(lambda)/dx' S_r)^-1 (dq d(lambda)/dx + dv d(lambda)/dx'), with S_r
/// the change of S lambda' per change of lambda in excess of dv/dq S.
///
/// Newton on the return mapping: J.C. Simo, T.A. Laursen, Comput. Struct. 42 (1992) 97-116.
class ImplicitContact {
 public:
  static constexpr int kIterations = 40;
  static constexpr double kTolerance =
      1e-10;  ///< limit of the force residual divided by the largest contact force
  /// Relative rounding error of positions and rates.
  static constexpr double kRounding = 64.0 * std::numeric_limits<double>::epsilon();

  /// Balance of the contacts of a set and of `links` (null: no links). `coupling`: static coupling, null or
  /// empty: none. `onlyCoupled`: only the bodies of the coupling are solved for.
  ImplicitContact(ContactCompliance& linear, const ContactSet& set, LinkRun* links = nullptr,
                  const StaticCoupling* coupling = nullptr, bool onlyCoupled = false);

  /// Sets the matrix A; stored compliances are kept if A is unchanged.
  void prepareForceBalance(const ImplicitBalance& balance);

  /// Discards the stored compliances if A has changed although the balance may be equal.
  void discardCompliance() noexcept { balance_.share = 0.0; }

  /// Solves for `a`, starting from the guess in `a`. On entry, `run` contains a trial at the guess; on
  /// return, a trial at the solution. Returns false if no solution was found; `indexOfUnsolvedContactOrLink`
  /// then returns the contact.
  bool solve(ContactRun& run, double t, const Vector& q, const Vector& v, const Vector& free,
             Vector& a) noexcept;

  /// Adds the contact forces of the solution along their rows, B^t lambda.
  void addForces(Vector& force) const noexcept;
  bool hasForces() const noexcept;

  /// True if the last solution is stable, for a balance without rates (dv = 0): a minimum of the potential of
  /// structure, contacts and links plus |dq a|^2/(2 share dq), not a saddle. A contact outside of a round
  /// obstacle of radius R has the stiffness -N/R along its tangent and destabilises long steps.
  bool isForceBalanceStable();

  /// Index of the contact or link with the largest force residual; -1: none.
  int indexOfUnsolvedContactOrLink() const noexcept { return troubled_; }

  /// Largest force residual after each iteration of the last solve [N].
  std::span<const double> forceResiduals() const noexcept {
    return {residuals_.data(), static_cast<std::size_t>(iterations_)};
  }

 private:
  struct Active {
    int contact;
    double imposed;
    std::size_t firstRow;  // first row of the body's axes in the system
    std::size_t axes;
    ContactTangent law;
    std::array<double, 4> predicted;  // force by the linearised law [N]
    std::array<double, 4> before;     // accepted force of a coupled body [N]
    std::array<double, 4> mean;       // mean force rate in the previous step, coupled contact [N/s]
    std::array<double, 4> rate;       // force rate at the accepted instant [N/s]
    double grows;                     // time in which the force has grown [s]
    bool rests;                       // the run starts with the point at rest
    // Rates of the shift at which the laws are first evaluated after a jump or at the start; null: S lambda'.
    std::optional<Local<double>> begins;
  };
  struct Row {
    std::size_t active;
    std::size_t axis;
    const double* coefficients;
    Eigen::Index index;  // index in responses_ and compliance_
    double position;     // position without the acceleration of the step
    double rate;
    const double* slope;      // rate of the coefficients of a travelling contact; else null
    double slopeOfFree{0.0};  // slope times the accelerations without contacts
  };
  // An axis of a link: its row is `factor` times the row with index `leader`, the first that is parallel to
  // it.
  struct ParallelAxis {
    Eigen::Index leader{-1};
    double factor{1.0};
  };

  // Bodies are the contacts, then the links, in one numbering.
  bool isLink(int body) const noexcept { return body >= set_->size(); }
  int linkOf(int body) const noexcept { return body - set_->size(); }
  int contactAndLinkCount() const noexcept {
    return set_->size() + (links_ != nullptr ? links_->linkSet().size() : 0);
  }
  const double* rowOfContactOrLink(int body, int axis) const noexcept;
  double offsetOfContactOrLink(int body, std::size_t axis) const noexcept;
  double distanceByImposedMotion(int body, std::size_t axis) const noexcept;
  bool isCoupled(int body) const noexcept {
    return coupling_ != nullptr && coupling_->isContactOrLinkCoupled(body);
  }
  /// True if forces along a row displace a mode or a point without inertia.
  bool canForcesMovePointAlongRow(const Row& row) const noexcept {
    return row.coefficients != nullptr ||
           (isCoupled(active_[row.active].contact) && coupling_->canForcesMovePointAlongRow(row.index));
  }
  double displacementShiftOfRow(const Row& row) const noexcept;
  double factorOfDisplacementShiftRate(const Row& row, const Row& other) const noexcept;
  double rateOfDisplacementShift(const Row& row) const noexcept;
  double rateOfDisplacementShiftDueToForces(const Row& row) const noexcept;
  double rateOfDisplacementShiftAtStart(const Row& row) const noexcept;
  void findGrowthTimesOfForces(const ContactRun& run) noexcept;
  void computeLawTangents() noexcept;
  void storeDisplacementShifts(ContactRun& run) const noexcept;
  void setInitialGuessesOfForces(const ContactRun& run) noexcept;
  void findForceRates(const ContactRun& run, Active& active) noexcept;
  Local<double> rateOfDisplacementShiftAfterJump(const Active& active,
                                                 const ContactState& from) const noexcept;
  LocalMotion motionOfContactOrLink(const Active& active) const noexcept;
  ContactTangent tangentOfContactOrLink(const Active& active, const LocalMotion& motion) const noexcept;
  std::array<double, 4> acceptedForce(const Active& active, ContactRun& run) const noexcept;
  void addActiveContactOrLink(const ContactRun& run, int body, double imposed, std::size_t axes);

  void addClosedContacts(const ContactRun& run, const Vector& q, const Vector& v);
  void addActiveLinks(const ContactRun& run, const Vector& q, const Vector& v);
  void addActiveRow(std::size_t active, int axis, const Vector& q, const Vector& v);
  double compliance(const Row& i, const Row& j) noexcept;
  const double* responseToUnitForceOnRow(const Row& row) noexcept;
  void discardTravellingRows() noexcept;
  double rateByChangeOfRow(const Row& row) noexcept;
  void evaluateLaws(const ContactRun& run) noexcept;
  void evaluateLaw(const ContactRun& run, Active& active) noexcept;
  bool iterateNewton(const ContactRun& run) noexcept;
  bool solveRowsOneAfterAnother(const ContactRun& run) noexcept;
  void findParallelLinks();
  void distributeForcesAmongParallelRowsAtRest() noexcept;
  void distributeForceAmongParallelRowsAtRest(const Row& leader) noexcept;
  double solvedAccelerationOfRow(const ContactRun& run, const Row& row, double base,
                                 double ownCompliance) noexcept;
  bool solveWithActiveContactsAndLinks(ContactRun& run, const Vector& q, const Vector& v, const Vector& free,
                                       Vector& a) noexcept;
  void evaluateTrial(ContactRun& run, const Vector& q, const Vector& v, const Vector& a) noexcept;
  bool keepSticksAndSlips(ContactRun& run, bool kept) const noexcept;
  bool areAllContactsAndLinksBalanced(bool atJumps) const noexcept;
  bool isInsideForceJump(const Active& active) const noexcept;
  bool canSolutionBeUnstable(const Active& active) const;
  void assembleEquations() noexcept;
  bool solveLinearEquations() noexcept;
  void applyNewtonStepToForces(double factor) noexcept;
  double largestForceResidual() noexcept;
  bool isContactOrLinkBalanced(const Active& active, const std::array<double, 4>& force) const noexcept;
  bool isContactGrazing(const ContactRun& run, int contact, const LocalMotion& motion) const noexcept;
  bool doContactForcesMatchSolution(ContactRun& run) noexcept;
  void addForceResponses(const Vector& free, Vector& a) noexcept;
  bool doActiveRowsContainClosedContacts(const ContactRun& run) const noexcept;

  ContactCompliance* linear_;
  const ContactSet* set_;
  LinkRun* links_;
  const StaticCoupling* coupling_;  // null: no static coupling
  bool onlyCoupled_;
  bool travels_{false};  // true if a contact travels along beams
  ImplicitBalance balance_{.share = 0.0};
  Vector norms_;      // norm |b| of every row
  Matrix responses_;  // responses Y; a column is computed when needed
  std::vector<char> hasResponse_;
  Matrix compliance_;  // compliance W; NaN until an entry is computed

  std::vector<ParallelAxis> parallel_;       // axes of parallel links, by row
  std::vector<Eigen::Index> sharedLeaders_;  // rows to which others are parallel

  std::vector<Active> active_;
  std::vector<Row> rows_;
  std::vector<int> slot_;  // index of every contact in active_, or -1
  Vector w_, free_, step_;
  Matrix jacobian_;
  // With a coupling: slopes d lambda/dw of all bodies, then lambda at dw = 0.
  Matrix slopes_, delays_;
  Vector qTrial_, vTrial_;
  std::array<double, kIterations> residuals_{};
  double time_{0.0};                  // instant of the contact forces [s]
  double elapsed_{0.0};               // time since the accepted states [s]
  double factorOfMean_{1.0};          // factor CoupledShifts::weightOfMeanForceRate
  bool mayBeginAfterJump_{true};      // laws may use the rates Active::begins
  bool beganAfterJump_{false};        // a law has used Active::begins in this solution
  double largestForce_{0.0};          // largest force of the last iteration [N]
  double scaleQ_{0.0}, scaleV_{0.0};  // norms of q and v, for the rounding of local motion
  int iterations_{0};
  int troubled_{-1};
};

}  // namespace ricochet
