#pragma once

#include "engine/accounts/impact_counts.hpp"
#include "engine/contact/impulse/impulse_solver.hpp"
#include "engine/contact/impulse/staged_impact.hpp"
#include "engine/functions/time_function.hpp"
#include "engine/model/modal_equation.hpp"
#include "engine/numerics/state.hpp"
#include "engine/schemes/link_means.hpp"
#include "engine/schemes/modal_response.hpp"
#include "engine/schemes/moreau_followed.hpp"
#include "engine/transient/scheme_options.hpp"
#include "engine/transient/scheme_traits.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

/// Time stepping with set-valued contact: no event is located, and a step may contain many events.
///
/// 1. Flight. Every mode moves exactly under a force that is constant over the step (modal_response.hpp): the
///    mean load, and the reactions r of the contacts that touch. Unknown impulses x = h r, mean rates y = B
///    (q+ - q)/h, W = B S B^t / h^2:
///        rigid: x_n >= 0, y_n >= 0, x_n y_n = 0      penalty, imposed: x_n = h N, mean of the law over the
///        step set-valued friction: y_t = 0 while |x_t| <= mu_s x_n, else |x_t| = mu_d x_n against y_t
///        regularised friction: x_t = h T(s + h/2 y_t, y_t, x_n/h), its return mapping
///    A rigid contact touches when it was closed, or its gap is not positive, at the start of the step; other
///    contacts touch when the flight without contacts ends with penetration. Reactions do no work except the
///    dissipation of their laws: springs store and return their energy exactly.
/// 2. Impulses at the end of the step, v+ = v + B^t (P - x), W = B B^t, for rigid contacts that had a
///    reaction or whose gap half a step on, g + h/2 g', would not be positive: they collide at the instant of
///    the grid nearest to the impact. P is the whole impulse of the step:
///        g'+ >= -e min(0, g'), P_n >= 0, one of them an equality;   s'+ = 0 while |P_t| <= mu P_n, else at
///        the bound against s'+ (mu_d in slip and at an impact, where P_n exceeds twice the reaction x_n)
///    If contacts jam a body, no motion may have the rebounds of all laws; e is then 0 in the impact. A run
///    with approaching contacts at its start begins with such impulses. With an impact law other than
///    Newton's (staged_impact.hpp), contacts with a reaction first come to rest by these rules with e = 0;
///    then all touching contacts take part in an impact by this law.
///
/// The force of a link is the mean of its forces at both ends of the flight (link_means.hpp), with the rates
/// before the impulses: its energy changes by the work of this mean.
///
/// If the frame of a contact turns or its obstacle moves, its rows B are combinations of its axes, computed
/// for each flight and for its end (moreau_followed.hpp); the combinations of the flight depend on its end
/// and are found by iteration.
///
/// The scheme is of first order through impacts, at starts and ends of friction and for slip that turns;
/// otherwise of second order. It has no step limit: neither the flight nor impulses with restitution 0 create
/// energy. Flight and impulses are both needed: impulses alone let a contact that carries a constant force
/// creep by r h^2/2 in every step. Penetration: an impact leaves at most |g'| h/2, and while the contact
/// lasts it does not grow, since the mean rate is not negative; nothing pushes it back. A corner of a profile
/// is met by at most |v| h.
class Moreau {
 public:
  static constexpr std::string_view keyword = "moreau";
  static constexpr std::string_view title =
      "Time stepping with set-valued contact, exact flight and impulses";
  static constexpr std::string_view formula =
      "flight:   every mode moves exactly under the mean load and the mean reactions of the contacts that "
      "touch;\n"
      "          rigid: x_n >= 0, y_n >= 0, x_n y_n = 0   for the impulse x and the mean rate y of the "
      "step;\n"
      "          springs push with their mean force, whose work is what they store;\n"
      "          links push with the mean of their forces at both ends of the flight\n"
      "impulses: at the end of the step, v+ = v + B^t (P - x), by Newton's and Coulomb's laws";
  static constexpr std::string_view source =
      "J.J. Moreau, CISM 302 (1988) 1-82; M. Jean, Comput. Methods Appl. Mech. Eng. 177 (1999) 235-257; "
      "reactions and impulses apart as in Q.-Z. Chen, V. Acary, G. Virlez, O. Bruls, Int. J. Numer. Methods "
      "Eng. 96 (2013) 487-511; mean forces as in R.A. LaBudde, D. Greenspan, Numer. Math. 25 (1976) 323-346";
  static constexpr std::array<std::string_view, 1> keys{"impact_law"};
  static constexpr SchemeTraits traits{.order = 2,
                                       .adaptive = false,
                                       .implicit = true,
                                       .contacts = ContactForm::impulse,
                                       .links = true,
                                       .varyingSpin = false,
                                       .direct = false,
                                       .lanes = false,
                                       .forecasts = false,
                                       .exactDrift = true,
                                       .keys = keys};

  static bool isUnconditionallyStable(const SchemeOptions&) noexcept { return true; }

  explicit Moreau(const LinearSystem& linear, const SchemeOptions& options = {});

  void start(ModalEquation& eq, State& s, double nominalStep);

  /// Returns false if no impulses were found; state and contacts are then unchanged.
  bool step(ModalEquation& eq, State& s, double h) noexcept;

  /// Accepts the last step: contact states, events, totals and energy terms.
  void acceptStep(ModalEquation& eq, State& s, double h) noexcept;

  /// Impacts of the steps that were accepted since the last call.
  ImpactCounts takeImpactCounts() noexcept { return std::exchange(counts_, {}); }

  /// Passes an instant at which loads, imposed forces and surfaces may jump.
  void advanceTimeFunctions(const State& s, double tolerance) noexcept;

  Vector& vectorChangedByLoadJump(State&) noexcept { return loadBefore_; }
  void completeAcceleration(ModalEquation& eq, State& s) noexcept;

  /// Motion of the flight, without impulses, after the part `theta` of the step: v jumps at the end of the
  /// step by the impulses.
  void interpolate(ModalEquation& eq, const State& from, const State& to, double theta, State& at);

  /// Index of the contact with the largest violation of its laws when a step found no impulses; -1: none.
  int indexOfUnsolvedContactOrLink() const noexcept { return troubled_; }

  /// Archives the compliances too, because their last bits depend on the order in which contacts asked for
  /// them.
  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("Moreau");
    archive(full_, odd_, impulseCompliance_, loads_, imposed_, flights_, loadBefore_, load_, force_);
    archive(passages_, forced_, pending_, scaleQ_, troubled_, linkMeans_, wasShared_);
    // without the counts of the impact at the start, which is not part of the run
    if constexpr (Archive::kReads) counts_ = {};
  }

 private:
  struct Tables {
    ModalResponse response;
    Matrix compliance;  // B S B^t / h^2 between axes of contacts; NaN: not computed yet

    template <class Archive>
    void serialise(Archive& archive) {
      double step = response.stepLength();
      archive(step, compliance);
      if (step >= 0.0) response.prepare(step);
    }
  };
  /// Change of a contact in a step: reaction, impulse, work and next state.
  struct Passage {
    bool touched{false};
    bool slips{false};                  // set-valued friction slips in the flight: mu_d applies
    bool rests{false};                  // closed without slip at the start of the step
    bool isRevised{false};              // `slips` was changed in this step
    bool closes{false};                 // closes on elastic friction, whose spring has no force yet
    bool endsShortFlight{false};        // an impact that ends a flight of few steps
    int reaction{-1}, impact{-1};       // index of its block in each problem; -1: none
    double gap{0.0};                    // gap at the start of the step [m]
    std::array<double, 3> freeRates{};  // mean rates without contact forces [m/s]
    std::array<double, 3> before{};     // rates before the impulses [m/s]
    std::array<double, 3> lost{};       // work taken by the impulses [J]
    double impulse{0.0};                // normal impulse of the whole step [N s]
    double friction{0.0};               // energy dissipated by friction [J]
    double wear{0.0};                   // wear work of a rigid contact with set-valued friction [J]
    ContactState next;
  };

  Tables& modalTablesForStepLength(double h);
  void evaluateLoads(double t, Vector& f) noexcept;
  void resolveImpactsAtStart(ModalEquation& eq, State& s);
  void initialiseStatesAtRunStart(ModalEquation& eq, const State& s);
  void findContactForcesAtRunStart(ModalEquation& eq, const State& s, double h);

  bool advanceFreeFlightWithLinks(ModalEquation& eq, const State& s, double h, Tables& tables) noexcept;
  void acceptLinkStates(ModalEquation& eq, State& s, double h) noexcept;
  bool computeFreeFlight(const ContactRun& run, const State& s, double h, Tables& tables) noexcept;
  bool solve(ImpulseProblem& problem, double h) noexcept;
  bool solveReactions(const ContactRun& run, const State& s, double h, Tables& tables) noexcept;
  struct Approach {
    double side;
    double gap, endGap;  // gap at the start and at the end of the flight [m]
  };
  Approach sideAndGapsOfContact(std::size_t i, const State& s, bool isOpen) const noexcept;
  bool isTouching(std::size_t i, const State& s, const Approach& approach) const noexcept;
  bool addReactionOfContact(const ContactRun& run, std::size_t i, const State& s, double h) noexcept;
  /// True if a gap rate at the end of the flight is rounding: the contact stays closed without a reaction.
  bool isAtRest(std::size_t contact, double gapRate) const noexcept {
    return std::abs(gapRate) <= rowSizes_[contact] * rounding_;
  }
  double gapRateAtStepStart(std::size_t i, const State& s, double side) const noexcept;
  bool solveImpulsesOfContactBlocks(double h, Tables& tables) noexcept;
  void advanceFreeFlight(const State& s, double h, const Tables& tables) noexcept;
  double largestErrorOfObstacleCurvature(double h) noexcept;
  bool updateContactDirections(const State& s, double h, Tables& tables) noexcept;
  bool updateBlockFriction(int round) noexcept;
  bool startSlipAtClosing() noexcept;
  bool doesImpulseMoveStickingContact(const ImpulseBlock& block) const noexcept;
  bool doesReactionEndStick(const ImpulseBlock& block) const noexcept;
  bool doReactionsEndAnyStick() const noexcept;
  bool keepContactStatesOfStepStart() noexcept;
  bool keepContactsAtRestWherePossible() noexcept;
  template <class DoesEnd>
  bool keepSticksAtRest(ImpulseProblem& problem, const DoesEnd& doesEnd) noexcept;
  void keepSticksAtRestUnderImpacts() noexcept;
  bool keepContactGroupAtRest(ImpulseProblem& problem, std::span<const std::size_t> group) noexcept;
  enum class Flight { complete, missed, none };
  Flight classifyFreeFlight() noexcept;
  void advanceModesOverStep(const State& s, const Tables& tables) noexcept;
  bool resolveImpacts(const State& s, double h) noexcept;
  void limitFrictionOfContactsWithoutImpact() noexcept;
  void limitFrictionOnCurvedObstacles() noexcept;
  std::array<double, 3> reactionImpulseOfContact(const Passage& passage) const noexcept;
  bool removeRestitutionFromImpacts() noexcept;
  bool addImpactOfContact(std::size_t i, double h) noexcept;
  void addImpulseBlocksOfImpacts(const State& s, double h, bool bearing) noexcept;
  bool removeReboundsAgainstPressedContacts() noexcept;
  bool useDynamicFrictionAtImpacts() noexcept;
  bool solveImpulses(double h) noexcept;
  bool solveImpactsSimultaneously(double h) noexcept;
  bool resolveImpactsInStages(const State& s, double h) noexcept;
  bool isContactPressedByImpact(const ImpulseBlock& block) const noexcept;
  bool isContactImpacting(const ImpulseBlock& block, double speed) const noexcept;
  bool areImpactingContactsCoupled(double speed) noexcept;
  void countImpact(double speed) noexcept;
  ImpactAxes impulseAxesOfContact(std::size_t i) noexcept;

  void updateContactState(const ContactRun& run, std::size_t i, double h) noexcept;
  void updateNormalState(const ContactState& from, std::size_t i, double h) noexcept;
  void updateSlipState(const ContactState& from, std::size_t i, double h) noexcept;
  void updateFrictionState(const ContactState& from, std::size_t i, double h) noexcept;
  void recordSupportWork(std::size_t i) noexcept;
  void recordNormalWork(const ContactState& from, std::size_t i) noexcept;
  void recordFrictionWork(const ContactState& from, std::size_t i) noexcept;
  double wearWorkOfContact(std::size_t i) const noexcept;
  void addWorkOfUnfinishedStep(EnergyLedger& ledger) const noexcept;
  void removeImpactImpulseFromContactForce(const ContactRun& run, std::size_t i, double h) noexcept;
  void recordEvents(ContactRun& run, std::size_t i, double t, double h) noexcept;

  double rowProduct(std::size_t contact, int axis, const Vector& x) const noexcept;
  double position(std::size_t contact, int axis, const Vector& q) const noexcept;
  double contactCoordinateAtStepEnd(std::size_t contact) const noexcept;
  double gapAtStepEnd(std::size_t contact, double x) const noexcept;
  double normalSignAtStepEnd(std::size_t contact, double x) const noexcept;
  std::array<double, 3> contactRatesAtStepEnd(std::size_t contact) const noexcept;

  const LinearSystem* linear_;
  const ContactSet* set_{nullptr};
  Tables full_, odd_;
  ModalResponse dense_;
  Matrix impulseCompliance_;  // change of the rates along the contact rows B per impulse, B B^t (modes of
                              // unit mass); an entry is NaN until an impact needs this entry

  LoadCursors loads_;
  std::vector<FunctionCursor> imposed_;
  FollowedFlights flights_;
  std::vector<double> factors_;
  Vector loadBefore_, load_;
  Vector given_;  // mean force of loads and links over the step
  Vector force_;  // constant force of the last flight
  Vector q_, v_, mean_;

  std::vector<Passage> passages_;
  std::vector<double>
      // Side on which a contact acts although the free flight does not end in its obstacle; 0: not forced.
      forced_;
  LinkMeans linkMeans_;
  ImpulseProblem reactions_{0}, impacts_{0};
  ImpulseSolver solver_{0};
  std::vector<ContactTrialState> startStates_;
  StagedImpact staged_;
  Matrix impactRows_;             // rows of followed contacts in an impact in stages, three columns each
  std::vector<double> rowSizes_;  // norms of the normal rows
  EnergyLedger pending_;          // energy terms of the last step
  double scaleQ_{0.0};            // norm of q, a scale for the rounding of gaps and rates
  // Slip rate of a contact that does not move: rounding of the solution, relative to the largest rate of a
  // contact without forces [m/s].
  double unmovedSlipRate_{0.0};
  double rounding_{0.0};  // rounding error of mean rates along a row of norm 1
  int troubled_{-1};
  bool isUnique_{true};          // the impulses of the last problem are unique
  double sharedTime_{0.0};       // length of the step if its reactions are not unique, else 0 [s]
  bool leftRestitution_{false};  // the last impact was solved without restitution
  bool wasShared_{false};        // the reactions of the last accepted step were not unique
  bool isStruck_{false};         // a rigid contact hit at the end of the last step
  ImpactCounts struck_{};        // impacts at the end of the last step
  ImpactCounts counts_{};
};

}  // namespace ricochet
