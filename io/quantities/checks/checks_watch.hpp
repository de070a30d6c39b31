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

/// What a run without output tells about the next one of the same study.
struct Rehearsal {
  std::vector<Event> events;
  std::vector<double> steps;        ///< the start, and where every step ends [s], increasing
  std::vector<bool> closedAtStart;  ///< per contact
};

/// What a kinematic check sees beside the coordinates.
ImposedMotion imposedMotionOf(const CheckRequest& check, Kinematic kind, const Simulation& simulation);

/// A check that looks at a stretch of a run: a statistic, a period, an impact, a share of the time. It is
/// shown the pieces of the run that it wants, in order; between the ends of two steps nothing changes state.
class CheckWatch {
 public:
  static constexpr std::size_t kMostChannels = OfContact::kMostChannels;

  CheckWatch(const CheckRequest& check, const Simulation& simulation);

  static bool isFor(const CheckRequest& check);

  /// Where it looks: from the events of the rehearsal. Without a place there is no value.
  void plan(const Rehearsal& rehearsal);

  bool wants(double begin, double end) const noexcept;
  std::size_t channels() const noexcept;

  /// The channels at an instant inside a piece.
  void sample(const StepView& view, const ContactRun& contacts, std::span<double> values) const;
  void take(const CheckPiece& piece);

  std::optional<double> value(const ContactRun& contacts) const;

  /// What the pieces gave so far.
  template <class Archive>
  void persist(Archive& archive) {
    archive(seen_, highest_, lowest_, sum_, length_, first_, last_, count_, armed_, candidate_, previous_);
    archive(speed_);
  }

 private:
  /// How the number is made of the pieces.
  enum class Way {
    reduced,  ///< by a reduction of the list
    integral,
    worn,
    period,
    before,
    after,
    duration,
    timeShare,
    friction,
    change,
    impulses
  };
  /// What is sampled.
  enum class Source { history, gapRate, normalForce, phase, friction, frictionEnergy, wear };

  void choose();
  void planImpact(const Rehearsal& rehearsal);
  void planJump(double begin);
  bool endsIn(double begin, double end, double time) const noexcept;
  bool beginsIn(double begin, double end, double time) const noexcept;
  double slipSpeed(const ContactView& contact) const;
  void sampleFriction(const ContactView& contact, std::span<double> values) const;
  double valueAt(const CheckPiece& piece, double time) const;
  double stored(const CheckPiece& piece, double time) const;
  void extremes(const CheckPiece& piece, double from, double to);
  void crossings(const CheckPiece& piece, double from, double to);
  void dissipation(const CheckPiece& piece, double from, double to);
  const Contact& contact() const { return simulation_->contacts().contact(*check_->contact); }
  std::size_t contactIndex() const { return static_cast<std::size_t>(*check_->contact); }

  const CheckRequest* check_;
  const Simulation* simulation_;
  QuantityAt at_;
  const OfContact* ofContact_{nullptr};  // of a history of a contact
  Source source_{Source::history};
  Way way_{Way::reduced};
  const Reduction* reduction_{nullptr};
  Eigen::RowVectorXd row_;  // of a node
  Kinematic kind_{Kinematic::displacement};
  ImposedMotion imposed_;
  std::optional<BeamForceRow> force_;

  bool placed_{false};
  double runStart_{0.0};
  double from_{0.0};
  double ahead_{0.0};  // from there to an impact, when it is not at the end of a step [s]
  double to_{0.0};
  bool ended_{true};  // an impact: it has let go

  // what the pieces gave
  bool seen_{false};
  double highest_{-std::numeric_limits<double>::infinity()};
  double lowest_{std::numeric_limits<double>::infinity()};
  double sum_{0.0};
  double length_{0.0};
  double first_{0.0};  // crossing; impulse before
  double last_{0.0};   // crossing; impulse after
  int count_{0};       // of crossings
  bool armed_{false};  // the velocity has been negative since the last crossing
  std::optional<double> candidate_;
  double previous_{0.0};
  double speed_{0.0};
};

}  // namespace ricochet
