#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/contact/obstacles/round_polynomials.hpp"
#include "engine/event/automata/linear_contact.hpp"
#include "engine/event/automata/series_contact.hpp"
#include "engine/event/series/outlook.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/numerics/series.hpp"

#include <utility>
#include <vector>

namespace ricochet {

/// A force on the structure: an amplitude along a channel of the expansion.
struct ChannelForce {
  int channel;
  double amount;
};

/// The contacts of a run of the event scheme whose forces are nonlinear functions of the motion. Between
/// events they are smooth: obstacle, normal law and friction are evaluated in `Series`, order by order, each
/// order from the lower orders of the motion,
///
///     x_k  ->  g_k, n_k, N_k, T_k  ->  F_k = (N n + T t)_k  ->  x_{k+2}
///
/// A power of the penetration has no series where the contact starts or ends: over a short interval a fitted
/// polynomial takes its place (series_fit.cpp). A rigid contact has the N at which g''_k = 0, a stick
/// without stiffness the traction at which s''_k = 0.
class SeriesContacts {
 public:
  SeriesContacts(const ContactSet& set, const ModePlanes& planes, int order, double tolerance);

  /// For each contact of a set: 1 if it is computed as series. These are the contacts whose force is not
  /// linear, and those with reactions on which a reaction of such a contact may depend, directly or through
  /// other contacts: all these reactions are found together. Reactions that accelerate each other depend on
  /// each other, b_i M^-1 b_j beyond rounding.
  static std::vector<char> contactsComputedAsSeries(const ContactSet& set);

  bool empty() const noexcept { return contacts_.empty(); }
  std::size_t size() const noexcept { return contacts_.size(); }

  void addForces(TaylorExpansion& expansion) noexcept;
  void expandTimeFunctionsInSeries(FunctionSeries& functions, double t);

  /// True if a contact is closed, so that the orders of the expansion must be computed one by one.
  bool isSolvedOrderByOrder() const noexcept { return closedCount_ > 0; }
  void beginSeriesExpansion(const TaylorExpansion& expansion);
  /// Computes the forces of order k from the motion up to order k + 1; `applyContactForces` adds them to the
  /// expansion.
  void computeContactForces(const TaylorExpansion& expansion, int k);
  void applyContactForces(TaylorExpansion& expansion, int k);
  /// Finds the reactions of order k of rigid contacts and set-valued sticks after the computation of this
  /// order, and computes the order again.
  void solveReactions(TaylorExpansion& expansion, int k);

  // Functions for slips in a plane that start from rest (SlipStarts), by their index in the present
  // expansion.
  template <class Visit>
  void forEachSlipStart(Visit&& visit) {
    for (std::size_t i = 0; i < contactSeries_.size(); ++i)
      if (contactSeries_[i].contact->isSlipWithZeroSpeed()) visit(*contactSeries_[i].contact, i);
  }
  template <class Visit>
  void forEachContact(Visit&& visit) {
    for (SeriesContact& c : contacts_) visit(c);
  }
  double displacementBoundOfContact(std::size_t place) const noexcept {
    return contactSeries_[place].contact->reach;
  }
  void setTractionCoefficient(std::size_t place, std::size_t line, int k, double value) {
    tape_.setCoefficient(contactSeries_[place].traction[line], k, value);
  }
  /// Updates the slip rates to the motion up to order k + 2, for `slipAcceleration` of order k.
  void updateSlipRates(const TaylorExpansion& expansion, int k);
  Tangential<double> slipAcceleration(std::size_t place, int k) const noexcept;
  double normalForceOfOrder(std::size_t place, int k) const noexcept {
    return contactSeries_[place].compression.coefficient(k);
  }
  /// Appends the channel forces of a unit traction along a slip line.
  void appendForcesOfUnitTraction(std::size_t place, std::size_t line,
                                  std::vector<ChannelForce>& forces) const;
  /// Reactions of the held lines to given channel forces.
  const Vector& reactionsToAppliedForces(std::span<const ChannelForce> forces,
                                         const TaylorExpansion& expansion);
  void appendForcesOfReactions(const Vector& reactions, std::vector<ChannelForce>& forces) const;
  /// Acceleration of a slip along a line under channel forces [m/s^2].
  double slipAccelerationUnderForces(std::size_t place, std::size_t line,
                                     std::span<const ChannelForce> forces,
                                     const TaylorExpansion& expansion) noexcept {
    return ConstrainedLine{&contactSeries_[place], line}.accelerationUnderForces(forces, expansion);
  }
  /// Normal force N of a rigid contact among the reactions of `reactionsToAppliedForces` [N].
  double normalReactionOfContact(std::size_t place, const Vector& reactions) const noexcept;

  /// Visits the held lines of contacts that keep their frames over the step: contact, line (0 or 1, 2 is the
  /// normal), and the force on `size` modes per unit of the reaction.
  template <class Visit>
  void forEachConstrainedLine(const TaylorExpansion& expansion, Visit&& visit) {
    for (const ConstrainedLine& held : constrainedLines_)
      if (isContactFrameConstant(*held.u->contact, expansion))
        visit(*held.u->contact, held.line, held.modalForcePerUnitReaction(expansion.rowSize()));
  }
  /// Adds the open rigid contacts that touch at s and whose gaps do not change in the first `orders` of the
  /// motion, and the slips that do not move: others hold them. `onCone`: see isSlipWithoutMotion.
  void listContactsHeldByOthers(const TaylorExpansion& expansion, const State& s, std::size_t orders,
                                bool onCone, std::vector<int>& contacts);
  /// Appends rigid contacts with planar obstacles that touch at rest without force, neither approach nor
  /// separate, but begin to slide in the expansion, and unit vectors against their tangential accelerations.
  void appendContactsThatStartSliding(const TaylorExpansion& expansion, const State& s,
                                      std::vector<int>& contacts, std::vector<Tangential<double>>& tractions);
  /// True if reactions of the present expansion are not unique, and the motion may not satisfy all
  /// constraints.
  bool hasDependentReactions() const noexcept { return hasDependentLines_; }
  /// Index of a contact whose constraint the expansion does not satisfy; -1: none. `most`: largest
  /// accelerations of a constraint that holds, order by order.
  int violatingContact(std::span<const double> most) const noexcept;
  /// Fits the polynomials of forces at the end of the expansion. Returns false if they do not agree with the
  /// motion yet, so that the expansion must be repeated.
  bool fitForcePolynomials(const TaylorExpansion& expansion);

  void collectContactSeries(const TaylorExpansion& expansion);
  /// Longest step over which the series of contacts are exact to the tolerance, if it is below `step` [s].
  double longestStep(const TaylorExpansion& expansion, double step) noexcept;
  Outlook findFirstEvent(TaylorExpansion& expansion, double time, const Outlook& outlook);
  /// Index of a contact that a step of length `step` brings to a place where its obstacle has no normal; -1:
  /// none.
  int contactAtSingularNormal(double step) const noexcept {
    return step >= normalEnds_ ? withoutNormal_ : -1;
  }
  /// True if a step of length `step` ends inside the interval of a fitted polynomial, whose moments are exact
  /// only at the end of the interval. The interval is then shortened to the step, or the series of the force
  /// replaces the polynomial, and the expansion must be repeated.
  bool doesStepEndInsideForceFit(double step) noexcept;

  void moveContactToStepStart(const GuardRef& guard, const TaylorExpansion& expansion, double time) noexcept;
  /// Discards all fitted polynomials if the motion has changed.
  void discardFittedForcePolynomials() noexcept {
    for (SeriesContact& c : contacts_) c.discardFittedForcePolynomial();
  }
  void acceptStep(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
                  EnergyLedger& ledger) noexcept;
  void addWorkUpToTime(double t, double time, const TaylorExpansion& expansion, ContactRun& run,
                       EnergyLedger& ledger) noexcept;
  void reportStatesToRunAt(double t, double time, const TaylorExpansion& expansion, ContactRun& run) noexcept;
  void reportStatesToRun(ContactRun& run) const noexcept;

  bool hasContact(int contact) const noexcept { return place_[static_cast<std::size_t>(contact)] >= 0; }
  SeriesContact& seriesContact(int contact) noexcept {
    return contacts_[static_cast<std::size_t>(place_[static_cast<std::size_t>(contact)])];
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("SeriesContacts");
    archive(contacts_);
  }

 private:
  /// Series of a contact over a step, recorded on the tape.
  struct ContactSeries {
    SeriesContact* contact;
    SeriesContact::PerAxis<Series> x{}, v{};
    SeriesContact::PerAxis<bool> isFed{};
    Touch<Series> touch{};
    Series gapRate{}, compression{};
    ContactFrame<Series> frame{};
    std::array<Series, 2> surface{}, path{}, rate{}, traction{}, spring{}, springRate{};
    std::array<SeriesContact::PerAxis<Series>, 2> tangent{};
    Tangential<Series> direction{};  ///< direction of the traction of a turning slip
    SeriesContact::PerAxis<Series> force{};
    Tangential<double> perCompression{};  ///< traction of a slip per N
  };

  /// A line along which a contact cannot move: the normal of a rigid contact, or a tangent of a true stick.
  /// Its reaction is the force at which the rate along it does not change.
  struct ConstrainedLine {
    static constexpr std::size_t kNormal = 2;
    ContactSeries* u;
    std::size_t line;  ///< tangent 0 or 1, or kNormal

    const Series& rate() const noexcept { return line == kNormal ? u->gapRate : u->rate[line]; }
    const Series& reaction() const noexcept { return line == kNormal ? u->compression : u->traction[line]; }
    /// Component of a held line along a coordinate.
    double constraintDirectionComponent(std::size_t axis) const noexcept;
    /// Traction of a slip along a coordinate per unit of its N.
    double tractionPerUnitNormalReaction(std::size_t axis) const noexcept;
    /// Force along a coordinate per unit of the reaction of a held line; N of a slip includes its traction.
    double forcePerUnitReaction(std::size_t axis) const noexcept;
    /// Force on `size` modes per unit of the reaction.
    Vector modalForcePerUnitReaction(Eigen::Index size) const;
    void appendForcesOfUnitReaction(double reaction, std::vector<ChannelForce>& forces) const;
    /// Acceleration along the line under forces [m/s^2].
    double accelerationUnderForces(std::span<const ChannelForce> forces,
                                   const TaylorExpansion& expansion) const noexcept;
  };

  void readTimeFunctionSeries(SeriesContact& c, FunctionSeries& functions, double t);
  void recordContactOnTape(ContactSeries& u, const TaylorExpansion& expansion);
  void recordFrictionOnTape(ContactSeries& u);
  void recordTractionOnTape(ContactSeries& u);
  void setTapeInputsOfOrder(ContactSeries& u, const TaylorExpansion& expansion, int k);
  static double forceCoefficient(const ContactSeries& u, std::size_t i, int k) noexcept;
  void listConstrainedLines();
  void collectPositionSeries(SeriesContact& c, const TaylorExpansion& expansion);
  void collectGapSeries(SeriesContact& c, int order);
  void addBalancedReactions() noexcept;
  static bool isContactFrameConstant(const SeriesContact& c, const TaylorExpansion& expansion);
  void computeResponseToSlipOfStickSprings(const TaylorExpansion& expansion);
  void invertResponseOfConstrainedLines(const TaylorExpansion& expansion);

  bool tryNeglectingSpringTransient(SeriesContact& c, std::size_t orders) noexcept;

  // Functions for fitted polynomials (series_fit.cpp).
  bool needsForceFit(const SeriesContact& c) const noexcept;
  double longestStepOfValidSeries(const TaylorExpansion& expansion) const noexcept;
  bool chooseForceFitIntervals(const TaylorExpansion& expansion) noexcept;
  void chooseForceFitInterval(SeriesContact& c, const TaylorExpansion& expansion) noexcept;
  static double fitForcePolynomial(SeriesContact& c, const TaylorExpansion& expansion) noexcept;

  bool isGapTooFarToCloseInStep(SeriesContact& c, const TaylorExpansion& expansion, double reach,
                                double step);
  template <class Visit>
  void examineClosingGuards(SeriesContact& c, const TaylorExpansion& expansion, Visit&& visit);
  template <class Visit>
  void examineNormalGuards(SeriesContact& c, std::size_t orders, Visit&& visit);
  Series recordSeriesRateOnTape(std::span<const double> series, std::size_t orders);
  std::span<const double> expandNormalForce(const SeriesContact& c, std::size_t orders);
  struct FrictionSeries {
    FrictionKinematics<Series> kinematics;
    FrictionMemory<Series> memory;
  };
  FrictionSeries recordFrictionGuards(const SeriesContact& c, std::span<const double> compression,
                                      std::size_t orders);
  template <class Visit>
  void examinePlanarFrictionGuard(SeriesContact& c, std::size_t orders, Visit&& visit);
  template <class Visit>
  void examineFrictionGuards(SeriesContact& c, std::size_t orders, double step, Visit&& visit);
  RootSearch firstTimeAtForceKink(const SeriesContact& c, double kink, std::size_t orders,
                                  double step) noexcept;
  static int sideOfReachedKink(const SeriesContact& c, double t, std::size_t orders) noexcept;
  void endStepAtForceKinks(const TaylorExpansion& expansion, Outlook& outlook) noexcept;
  void endStepAtEndsOfSpeedPieces(const TaylorExpansion& expansion, Outlook& outlook) noexcept;
  void endStepAtSingularNormal(TaylorExpansion& expansion, Outlook& outlook) noexcept;

  static constexpr int kLeastFitted = 8;  ///< lowest order of an expansion with fitted polynomials
  /// Value of `pass` for a contact whose force has a series over the step.
  static constexpr int kUnfitted = -1;
  static constexpr double kPastFitInterval = 1.001;

  double tolerance_;
  double slack_;
  std::vector<SeriesContact> contacts_;
  std::vector<int> place_;  ///< index in contacts_ of each contact of the set, or -1
  int closedCount_{0};
  SeriesTape tape_, guardTape_;
  std::vector<ContactSeries> contactSeries_;
  std::vector<double> scratch_, scratch2_, forceSeries_;
  std::vector<ConstrainedLine> constrainedLines_;
  // Places of the tape of which the rates along the held lines are computed, and those computed of reactions.
  std::vector<int> rateSources_, reactionDependents_;
  std::vector<Series> listed_;
  std::vector<ChannelForce> unitForces_;  ///< forces of a unit reaction of each held line
  Matrix reactionPerAcceleration_;        ///< reactions of the held lines per acceleration along them
  /// Accelerations along the held lines per reaction, all and those of slips of springs: the present ones,
  /// and those whose inverse is `reactionPerAcceleration_`.
  Matrix response_, slipResponse_, inverted_, invertedSlips_;
  Vector heldAccelerations_, reactions_;
  bool hasDependentLines_{false}, areInvertedDependent_{false};
  RoundPolynomials round_;
  int withoutNormal_{-1};   ///< contact that reaches a place without a normal; -1: none
  double normalEnds_{0.0};  ///< local time at which this contact reaches the place [s]
};

}  // namespace ricochet
