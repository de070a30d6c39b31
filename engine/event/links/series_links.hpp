#pragma once

#include "engine/event/series/taylor_expansion.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/links/link_set.hpp"
#include "engine/numerics/series.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// The links of a run of the event scheme. Up to the instant at which a law changes its branch, the force is
/// a function of displacement x, rate v and time, evaluated in `Series`, order by order,
///
///     x_k, v_k  ->  f_k  ->  x_{k+2}
///
/// A table, or a formula with branches, is smooth up to the instant at which the law passes to its next piece
/// (kink), where the step ends. The next piece is selected at a time `shift` after the kink, of the size of
/// rounding, for each link separately: the kink of one link must not change the piece of another.
///
/// A law of the first degree (LinkLaw::kFirstDegree) may have no series where x = 0, at the start of a run
/// from rest or in the middle of an oscillation. There x = t^m y(t) with y(0) != 0, so that f(x) = t^m f(y):
/// the law is evaluated at y, m orders behind the motion.
///
/// On dofs without inertia (engine/links/link_in_series.hpp) x = x_free - S f. The force of order k is linear
/// in x_k, f_k = a_k + K x_k with the K of order 1, so that f_k = (1 + K S)^-1 (a_k + K x_free,k).
class SeriesLinks {
 public:
  SeriesLinks(const LinkSet& set, int order);

  bool empty() const noexcept { return links_.empty(); }

  /// Takes over the states of a run at its start.
  void copyRunStates(const LinkRun& run);

  void addForces(TaylorExpansion& expansion) noexcept;
  void expandTimeFunctionsInSeries(FunctionSeries& functions, double t);
  /// Records the laws at the start of an expansion at time t [s].
  void beginSeriesExpansion(const TaylorExpansion& expansion, double t);
  /// Forces of order k, from the motion up to k + 1.
  void computeForceSeriesOfLinks(TaylorExpansion& expansion, int k);
  /// Longest step over which the series of angles in laws are exact to a tolerance [s].
  double longestStep(double tolerance);
  /// True if no piece of a law ends at the start of the expansion. Otherwise the expansion must be repeated
  /// with pieces that are selected at a later time. Also true if a link has no valid piece
  /// (`indexOfLinkWithoutValidPiece`).
  bool areLawPiecesValidAtStart(const TaylorExpansion& expansion);
  /// Index of a link whose force jumps at its present displacement so that no piece of its law is valid; -1:
  /// no link.
  int indexOfLinkWithoutValidPiece() const noexcept { return linkWithoutPiece_; }
  /// Index of a link whose force is no finite number at the start of the expansion; -1: none.
  int indexOfLinkWithoutForce() const noexcept;
  /// Longest part of a step over which laws given by formulas agree with their series, at samples at most
  /// `sampling` apart [s].
  double longestStepOfAccurateSeries(double step, double sampling) const noexcept;
  /// Adds the ends of the present pieces of all laws to `functions`, which end the step at the first of these
  /// kinks.
  void addKinksOfLinkLaws(FunctionSeries& functions);

  /// Advances the link states to the end of the step, with the exact work of the forces.
  void acceptStep(double step, double time) noexcept;
  /// Records the events of the laws in an accepted step that began at `begin`, in the order of time.
  void recordEvents(double begin, const LinkRun& run, std::vector<Event>& events) const {
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const std::size_t before = events.size();
      run.recordEvent(static_cast<int>(i), begin, links_[i].state, events);
      if (events.size() == before) continue;
      const auto later = std::upper_bound(events.begin(), events.end() - 1, events.back(),
                                          [](const Event& a, const Event& b) { return a.time < b.time; });
      std::rotate(later, events.end() - 1, events.end());
    }
  }
  /// Copies the link states at local time t of the step, or at the present instant, to the run.
  void reportStatesToRunAt(double t, double time, LinkRun& run) const noexcept {
    for (std::size_t i = 0; i < links_.size(); ++i)
      run.setState(static_cast<int>(i), linkStateAtTime(links_[i], t, time));
  }
  void reportStatesToRun(LinkRun& run) const noexcept {
    for (std::size_t i = 0; i < links_.size(); ++i) run.setState(static_cast<int>(i), links_[i].state);
  }

  void rewindTimeFunctions(double t);
  void advanceTimeFunctions(double t);
  /// Records that the motion jumps: links move to it at the start of the next expansion.
  void recordMotionJump() noexcept {
    for (SeriesLink& link : links_) link.leaps = true;
  }
  double nextBreakpoint() const noexcept;

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("SeriesLinks");
    for (SeriesLink& link : links_)
      archive(link.state, link.drives, link.shift, link.keepsPiece, link.startsLater, link.keepsForce,
              link.takesPieceBeside, link.largestForce, link.leaps, link.flows);
  }

 private:
  using PerAxis = std::array<std::span<double>, kLinkAxes>;
  struct SeriesLink {
    const Link* link;
    std::array<const double*, kLinkAxes> row{};
    std::array<int, kLinkAxes> channel{-1, -1};
    double reach{0.0};                     ///< largest displacement of the link per |q|
    std::vector<FunctionCursor> drives{};  ///< displacements that supports impose
    LinkState state{};
    double largestForce{0.0};  ///< largest force of the run at the end of a step [N]
    double shift{0.0};         ///< time after the start whose displacement selects the piece of the law [s]
    /// At a bend of its law, where rounding moves the link to and fro so that no piece holds: the piece at
    /// the start is kept until the motion is past its end by more than rounding.
    bool keepsPiece{false};
    /// The law has no series at the start, as x^1.5 at x = 0: it is expanded at the motion `shift` later.
    bool startsLater{false};
    bool leaps{false};  ///< the imposed displacement may jump at the start of the next expansion
    /// The series of the law holds for less than the rounding of the time: the force stays as it is.
    bool keepsForce{false};
    /// At rest at its yield force, where rounding moves the link to and fro between flow and elastic motion:
    /// the link is elastic until it is past its yield force by more than rounding.
    bool restsAtYield{false};
    /// At rest where the law is straight but for a piece that is no more than the point of rest, as that of
    /// sign(x) at x = 0: the law is recorded beside this point.
    bool takesPieceBeside{false};
    bool restsInEqualPieces{false};  ///< pieces that end close to where the link rests are equal
    bool flows{false};               ///< the link has left such a rest and has not turned back

    // Series of the link over the step.
    std::vector<double> storage{};
    PerAxis x{};        ///< displacement of the link
    PerAxis imposed{};  ///< part of the displacement that supports impose
    PerAxis force{};

    // Motion and force of the link on the tape.
    std::array<Series, kLinkAxes> position{}, rate{}, pull{};
    Series clock{};
    std::size_t decisionsBegin{0}, decisionsEnd{0};  ///< range of the kink functions of its law on the tape
    /// Power m of the time by which the motion of a law of the first degree is divided; kAtRest: all known
    /// orders of the motion are zero, and so is the force.
    int lead{0};
    static constexpr int kAtRest = -1;

    // Links in series with massless springs.
    LinkMotion<double> start{};  ///< motion of the law itself at the start of the expansion
    Eigen::Matrix2d softening{Eigen::Matrix2d::Zero()};  ///< (1 + K S)^-1
    bool hasSpringInSeries() const noexcept { return link->inSeries == InSeries::solved; }
  };

  static bool canDriveJumpAtAnyInstant(const SeriesLink& link) noexcept;
  static void moveLinkByJumpToExpansionStart(SeriesLink& link) noexcept;
  void chooseLeadingPowerOfTime(SeriesLink& link, const TaylorExpansion& expansion) const noexcept;
  void recordLawOnTape(SeriesLink& link, const std::array<double, kLinkAxes>& x);
  void findLeadingPowerOfTime(SeriesLink& link, const TaylorExpansion& expansion, int k);
  void evaluateLawsOfMotionDividedByTime(const TaylorExpansion& expansion, int k);
  void evaluateLastOrdersOfMotionDividedByTime(const TaylorExpansion& expansion);
  void setLinkMotionCoefficient(SeriesLink& link, const TaylorExpansion& expansion, int k);
  void setLinkMotionCoefficients(const TaylorExpansion& expansion, int k);
  void solveSpringsInSeries(int k);
  static double linkMotionCoefficient(const SeriesLink& link, const TaylorExpansion& expansion,
                                      std::size_t axis, int k) noexcept;
  /// Coefficient of order k of the link force along an axis.
  static double forceCoefficient(const SeriesLink& link, std::size_t axis, int k) noexcept {
    const int own = k - link.lead;
    return link.lead == SeriesLink::kAtRest || own < 0 ? 0.0 : link.pull[axis].coefficient(own);
  }
  void endStepAtZeroDisplacement(const SeriesLink& link, FunctionSeries& functions);
  Eigen::Vector2d forceCoefficient(const SeriesLink& link, int k) const noexcept;
  LinkMotion<double> linkMotionWithoutForces(const SeriesLink& link, const TaylorExpansion& expansion,
                                             double t) const;
  LinkMotion<double> linkMotionAt(const SeriesLink& link, double t, double time) const noexcept;
  LinkState linkStateAtStart(const SeriesLink& link, double time) const noexcept;
  LinkState linkStateAtTime(const SeriesLink& link, double t, double time) const noexcept;
  std::span<const double> distanceToLawPieceEnd(const Series& decision, double shift);
  bool isRecordedPieceThatOfLaw(const SeriesLink& link);
  bool findLinksAtRestBetweenEqualLawPieces();
  bool isLawPieceEndNearby(const SeriesLink& link, const Series& decision);
  static std::array<Series, kLinkAxes> forceSeriesOfLaw(const SeriesLink& link,
                                                        const LinkMotion<Series>& motion);
  static std::array<Series, kLinkAxes> forceAtStart(const SeriesLink& link) noexcept;
  bool isValidTimeOfSeriesTooShort(const SeriesLink& link, double shortest) const noexcept;
  bool holdForcesConstantWhereSeriesFails() noexcept;
  static bool holdLinkForceConstantIfNegligible(SeriesLink& link) noexcept;
  static void holdLinkForceConstant(SeriesLink& link) noexcept;
  double roundingErrorOfLinkForce(const SeriesLink& link, const LinkMotion<double>& at) const noexcept;
  bool doesForceAgreeWithSeries(const SeriesLink& link, double t, double& largest) const noexcept;
  void endStepWhereLinkLeavesRest(const SeriesLink& link, FunctionSeries& functions);
  double roundingErrorOfPieceDecision(const SeriesLink& link, const Series& decision, double roundings);
  bool doesLawPieceEndWithinRounding(const SeriesLink& link, const Series& decision,
                                     std::span<const double> p);
  double forceMarginBelowYield(const SeriesLink& link, double x) const noexcept;
  bool keepLinksElasticAtYieldLimit() noexcept;
  void recordPlasticFlowAfterStep(SeriesLink& link, double step) const noexcept;
  bool hasMotionLeftLawPiece(const SeriesLink& link);
  bool isForceContinuous(const SeriesLink& link);
  std::span<const double> finiteMotionCoefficients(const SeriesLink& link, std::size_t axis) const noexcept;
  SeriesLink* indexOfLinkWithoutSeries() noexcept;
  int indexOfLinkWithMissedKink(double time);

  static constexpr double kFirstShift = 1e-18;  // first shift of the time at which pieces are selected [s]
  static constexpr double kRoundings = 4.0;     // rounding errors below which a displacement is zero
  /// Rounding errors that the tolerance of the motion leaves in the place of a link at rest.
  static constexpr double kManyRoundings = 1e5;

  std::vector<SeriesLink> links_;
  SeriesTape tape_;
  std::vector<double> scratch_;
  std::size_t orders_{0};  ///< number of force coefficients in the present step
  int linkWithoutPiece_{-1};
  double time_{0.0};      ///< time at the start of the expansion [s]
  double rounding_{0.0};  ///< rounding error of displacements and rates at the start [m], [m/s]
};

}  // namespace ricochet
