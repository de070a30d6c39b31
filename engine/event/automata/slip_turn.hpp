#pragma once

#include "engine/event/automata/linear_contact.hpp"
#include "engine/event/automata/series_contacts.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/numerics/series.hpp"

#include <array>
#include <limits>
#include <span>
#include <vector>

namespace ricochet {

/// Start of a slip in two dimensions from rest. With unit vectors a (along the slip) and e (across),
///
///     N = tau^lead n(tau)      s' = tau^power w(tau) u(tau)      u = a + y(tau) e, y(0) = 0
///     T = mu_d N d             d = -u/|u|
///
/// The direction has a series although s'/|s'| has no value at the start. Where the traction drops as slip
/// starts, the speed begins with the order at which N acts, power = lead + 1; where the traction leaves the
/// cone without a drop the acceleration vanishes as well, power = lead + 2. If mu_d depends on the slip
/// speed, T of order k depends on w and y only up to order k - power: the speed is a further input of the
/// tape.
struct SlipStart {
  bool hasDirection{false};  ///< true: the vector a is known
  bool holds{false};         ///< true: the contact sticks under the tractions of the others
  int lead{0};
  int power{1};
  double coefficient{0.0};    ///< friction coefficient mu_d at the start [-]
  double row{0.0};            ///< norm of the longer tangent row
  double noise{0.0};          ///< rounding error of the slip acceleration at the order of the start [m/s^2]
  bool bearsReaction{false};  ///< N is a reaction, known only after the computation of its order
  double first{0.0};          ///< first coefficient n(0) of N
  Tangential<double> free{};  ///< slip acceleration without friction of the starting slips [m/s^2]
  double freeCompression{0.0};
  Tangential<double> traction{};
  Tangential<double> moving{};  ///< see ContactAutomaton::movingTraction
  Tangential<double> ahead{}, across{};
  std::array<double, kMostOrders> w{}, y{};
  bool followsImposedMotion{false};  ///< see SlipStarts::turnTowardsImposedMotion

  /// Scales unknowns by the normal force so that all are of order one.
  double scaleOfUnknowns() const noexcept { return first > 0.0 ? first : 1.0; }
};

/// Series of a slip that turns, on the tape. A nonlinear contact is included only if its slip starts from
/// rest: the friction of a slip with a speed is expanded together with its other forces.
struct SlipTurn {
  ContactAutomaton* contact;
  LinearContact* linear{nullptr};  ///< the contact, if its force is linear in the motion
  std::size_t place{0};            ///< else index of the contact in SeriesContacts
  FrictionKinematics<Series> kinematics{};
  /// Series tau^power w |u| and |u| of a slip whose coefficient depends on its speed.
  Series speed{}, size{};
  Tangential<Series> direction{};  ///< direction of the traction
  Tangential<Series> rate{};       ///< rate of the direction, for a law that integrates it
  Tangential<Series> force{};
  Tangential<Series> spring{}, springRate{};  ///< force of a damped slip's spring
  bool integrated{false};
  int delay{0};  ///< orders of the expansion that come before order 0 of the tape, for N from the motion
  SlipStart start{};
};

/// Coefficient k of the acceleration of a slip, from the motion known up to order k + 2.
Tangential<double> slipAcceleration(const LinearContact& c, const TaylorExpansion& expansion, int k) noexcept;
/// Coefficient N_k of a normal law that is not a constraint, from the motion known up to order k + 1.
double normalForceOfOrder(const LinearContact& c, const TaylorExpansion& expansion, int k) noexcept;

/// Largest turning of a slip over a step in which it is not known.
inline constexpr double kMostTurn = 3e-3;

struct OwnResponse;

/// Slips that start from rest at one instant; their directions are found order by order. The slips act on
/// each other, and on rigid contacts, through accelerations of the same order.
class SlipStarts {
 public:
  explicit SlipStarts(std::size_t contacts);

  /// Gathers the slips that start from rest; the caller owns the slips and `series`.
  void gatherSlipStarts(std::span<SlipTurn> turns, const TaylorExpansion& expansion, SeriesContacts& series);
  bool empty() const noexcept { return starts_.empty(); }

  /// Sets the coefficients of order k of the inputs of the tape; the unknown coefficients y_k count as zero.
  void setTapeInputsOfOrder(const TaylorExpansion& expansion, SeriesTape& tape, int k);
  /// Finds y_k after a computation of order k with y_k = 0. A traction that exceeds mu_d N by at most the
  /// fraction `excess` counts as on the cone. Returns false if a contact sticks instead: its `hasDirection`
  /// stays false.
  bool solveCoefficientsOfOrder(const TaylorExpansion& expansion, SeriesTape& tape, int k, double excess);
  /// Reads the slip speeds w of order k after the final computation of this order.
  void readSlipSpeeds(const TaylorExpansion& expansion, int k);
  bool turnTowardsImposedMotion(const TaylorExpansion& expansion, int k) noexcept;

  /// Longest step in which the directions are known [s]. Slips of three and more feet of a rigid body that
  /// start without acceleration turn by y that the equations of one order leave open in one component: it is
  /// taken as zero, so that the step ends before the others have turned by 0.003. From there on, the slips
  /// have speeds, and turn with them.
  double longestStep() const noexcept { return longest_; }
  void resetLongestStepOfTurningSlips() noexcept { longest_ = std::numeric_limits<double>::infinity(); }

  /// Contacts that `solveCoefficientsOfOrder` found sticking.
  std::span<ContactAutomaton* const> stickingContacts() const noexcept { return sticking_; }

 private:
  /// Acceleration of slip i along tangent a, or its N (a = 2), per unit traction of slip j along tangent b.
  double& response(std::size_t a, std::size_t i, std::size_t j, std::size_t b) noexcept {
    return response_[((i * 3 + a) * starts_.size() + j) * 2 + b];
  }
  double& tractionMatrixEntry(std::size_t row, std::size_t column) noexcept {
    return matrix_[row * 2 * starts_.size() + column];
  }
  static bool doesSlipStartAtOrder(const SlipStart& s, int k) noexcept {
    return !s.hasDirection && s.lead <= k;
  }
  static bool doesSlipTurnAtOrder(const SlipStart& s, int k) noexcept { return s.hasDirection && k > s.lead; }
  Tangential<double> slipAccelerationOfOrder(const SlipTurn& turn, const TaylorExpansion& expansion,
                                             int k) const noexcept;
  double compressionCoefficientOfOrder(const SlipTurn& turn, const TaylorExpansion& expansion,
                                       int k) const noexcept;
  void readResponseToUnitTraction(std::size_t j, std::size_t b, const TaylorExpansion& expansion);
  Tangential<double> slipAccelerationByForce(std::size_t i, std::size_t j,
                                             const Tangential<double>& force) noexcept;
  double normalForceChangeByForce(std::size_t i, std::size_t j, const Tangential<double>& force) noexcept;
  OwnResponse ownResponse(std::size_t i) noexcept;
  void limitStepOfHeldPoint(const SlipStart& s, const Tangential<double>& imposed, int k) noexcept;
  bool solveSlipDirections(const TaylorExpansion& expansion, SeriesTape& tape, int k, double excess);
  bool findStartingSlips(const TaylorExpansion& expansion, int k) noexcept;
  double iterateTractionsToConvergence(int k, double excess);
  bool updateTractionsInOneSweep(int k, double excess, double share) noexcept;
  Tangential<double> slipAccelerationByOtherTractions(std::size_t i, int k) noexcept;
  void solveTurningSlips(SeriesTape& tape, int k);
  void setUpTractionEquations(std::size_t i, int k) noexcept;
  bool solveTractionEquations(std::size_t n) noexcept;
  void moveLargestEntryToPivot(std::size_t n, std::size_t at) noexcept;

  SeriesContacts* series_{nullptr};
  std::vector<ChannelForce> forces_;  ///< forces of a unit traction, with the reactions of held lines
  std::vector<SlipTurn*> starts_;
  std::vector<ContactAutomaton*> sticking_;
  std::vector<double>
      /// Slip accelerations along both tangents, and N, per traction along both tangents.
      response_;
  std::vector<double> matrix_, right_;
  std::vector<std::size_t> order_;
  double longest_{std::numeric_limits<double>::infinity()};
};

}  // namespace ricochet
