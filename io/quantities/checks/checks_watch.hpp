#pragma once

#include "engine/transient/transient.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "io/quantities/checks/beam_force_row.hpp"
#include "io/quantities/checks_piece.hpp"

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// Results of a run without output, used by the next run of the same study.
struct Rehearsal {
  std::vector<Event> events;
  std::vector<double> steps;        ///< the start and the end of every step [s], increasing
  std::vector<bool> closedAtStart;  ///< per contact: true if closed at the start of the run
};

/// Imposed motion (supports, base) to be added to the modal coordinates in a kinematic check.
ImposedMotion imposedMotionOfCheck(const CheckRequest& check, Kinematic kind, const Simulation& simulation);

/// A check over a part of a run: a statistic, a period, an impact, a fraction of time. Receives the needed
/// pieces of the run in order; a piece lies between two step ends, and no contact changes its state inside.
class CheckWatch {
 public:
  static constexpr std::size_t kMostChannels = 6;  // position and velocity of a contact point
  static_assert(kMostChannels >= OfContact::kMostChannels);

  CheckWatch(const CheckRequest& check, const RayleighDamping& rayleigh, const Simulation& simulation);

  static bool appliesToCheck(const CheckRequest& check);

  /// Determines the time interval of the check from the events of the prior run. Without an interval there is
  /// no value.
  void planCheckInterval(const Rehearsal& rehearsal);

  bool doesCheckNeedPiece(double begin, double end) const noexcept;
  std::size_t sampledChannelCount() const noexcept;

  /// Values of the channels at an instant inside a piece.
  void sample(const StepView& view, const ContactRun& contacts, std::span<double> values) const;
  void addStepPiece(const CheckPiece& piece);

  std::optional<double> valueOfCheck(const ContactRun& contacts) const;

  /// Reads or writes the values accumulated from the pieces.
  template <class Archive>
  void serialise(Archive& archive) {
    archive(seen_, highest_, lowest_, sum_, length_, first_, last_, count_, armed_, candidate_, previous_);
    archive(speed_, closing_);
  }

 private:
  /// How the value is computed from the pieces.
  enum class Way {
    reduced,  ///< value of a reduction: mean, extremes, ...
    integral,
    worn,
    period,
    before,
    after,
    duration,
    timeShare,
    change,
    impulses
  };
  /// The sampled quantity.
  enum class Source { history, gapRate, normalForce, phase, frictionEnergy, wear };

  void selectEvaluationMethod();
  void planImpactInterval(const Rehearsal& rehearsal);
  void planInterpolationAroundJump(double begin);
  bool doesIntervalEndInStep(double begin, double end, double time) const noexcept;
  bool doesIntervalBeginInStep(double begin, double end, double time) const noexcept;
  bool doesPieceContainWholeImpulse(double begin, double end) const noexcept;
  double wearFromWork(double work) const;
  void sampleWearChannels(const ContactView& contact, std::span<double> values) const;
  double checkedValueAt(const CheckPiece& piece, double time) const;
  double wearWorkOfImpulsesAt(const CheckPiece& piece, double time) const;
  template <class F>
  void recordTotalAtEnds(const CheckPiece& piece, const F& total);
  double valueFromChannels(std::span<const double> values) const;
  double checkedValueOf(std::span<const double> values) const;
  void includeExtremes(const CheckPiece& piece, double from, double to);
  void includeSamples(const CheckPiece& piece, double from, double to);
  bool isContactPhaseRequested(ContactPhase phase) const;
  void addTimeInState(const CheckPiece& piece, double from, double to);
  void recordCrossings(const CheckPiece& piece, double from, double to);
  const Contact& contact() const { return simulation_->contacts().contact(*check_->contact); }
  std::size_t contactIndex() const { return static_cast<std::size_t>(*check_->contact); }

  const CheckRequest* check_;
  const Simulation* simulation_;
  QuantityAt at_;
  const OfContact* ofContact_{nullptr};  // quantity of a contact history
  Source source_{Source::history};
  bool clampsForce_{false};  // a normal force that never pulls
  Way way_{Way::reduced};
  const Reduction* reduction_{nullptr};
  Eigen::RowVectorXd row_;  // row of the kinematic quantity of a node
  Kinematic kind_{Kinematic::displacement};
  ImposedMotion imposed_;
  std::optional<BeamForceRow> force_;

  std::vector<Event> changes_;  // events of the contact
  bool placed_{false};
  double runStart_{0.0};
  bool wearsByImpulses_{false};  // the wear work of impulses is added to the integral of N |s'|
  double from_{0.0};
  double ahead_{0.0};  // time from `from_` to an impact that lies inside a step [s]
  double to_{0.0};
  bool ended_{true};  // the impact has ended: the contact has opened
  bool impulsesAtEnds_{
      false};  // rigid impacts act at the ends of steps, whose pieces show the totals after them

  // values accumulated from the pieces
  bool seen_{false};
  double highest_{-std::numeric_limits<double>::infinity()};
  double lowest_{std::numeric_limits<double>::infinity()};
  double sum_{0.0};
  double length_{0.0};
  double first_{0.0};  // time of the first crossing; impulse before the impact
  double last_{0.0};   // time of the last crossing; impulse after the impact
  int count_{0};       // number of crossings
  bool armed_{false};  // the velocity has been negative since the last crossing
  std::optional<double> candidate_;
  double previous_{0.0};
  double speed_{0.0};
  double closing_{0.0};  // time after a closing at the end of the last piece [s]
};

}  // namespace ricochet
