#pragma once

#include "engine/event/automata/event_contacts.hpp"
#include "engine/event/chebyshev/long_step.hpp"
#include "engine/event/series/mode_planes.hpp"
#include "engine/event/series/moving_series.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/numerics/quadrature.hpp"
#include "engine/transient/pace.hpp"
#include "engine/transient/transient_grid.hpp"

#include <array>
#include <memory>
#include <optional>
#include <vector>

namespace ricochet {

/// The event scheme. Between events every contact state of piecewise-linear laws is a linear system: its
/// solution is a Taylor series of the modal coordinates, whose coefficients give every gap and every contact
/// force as a polynomial of the time at no extra cost. The step comes from the last coefficients and the
/// tolerance; it ends at the first root of a guard, certified, or at a breakpoint of a load, whichever is
/// first. States change there, one at a time, until all guards hold.
///
/// Errors are those of the truncation (the tolerance per step) and of rounding; there is no step to choose.
///
/// The constructor takes the memory that runs need. `run` starts from what `state` holds then, at
/// options.start, and may be called again and again: a run gives the same bits whatever ran before it.
class EventRun {
 public:
  EventRun(ModalEquation& equation, State& state, const TransientOptions& options,
           TransientObserver& observer);

  Report run();

 private:
  int mostChannels() const noexcept {
    return static_cast<int>(equation_.model().loads.count()) + 3 * equation_.model().contacts.size();
  }
  void begin();
  void settle();
  void goOn();
  void resume();
  long long look();
  template <class Archive>
  void persist(Archive& archive);
  template <class Archive>
  void persistEnd(Archive& archive);
  template <class Archive>
  void persistState(Archive& archive);
  bool advance();
  void adaptOrder(double step, double longest) noexcept;
  bool proceed(const Outlook& outlook, double longest);
  std::optional<bool> leap();
  std::optional<Outlook> tryLeap(int level, double limit);
  void provideLong();
  int nextLevel(int level, double step, double limit) noexcept;
  bool leapsPay() const noexcept;
  void countInterruption() noexcept;
  void build();
  void expand();
  double longestStep();
  double toleratedStep() const noexcept;
  double resolvedReactions() const noexcept;
  bool transition(const GuardRef& guard);
  bool isConsistent();
  bool replaceStates();
  bool findStatesTogether();
  bool countIdle(int contact) noexcept;
  void provideLoads();
  void accept(double step, double end);
  void move(double step, double end);
  void land(const Outlook& outlook);
  void evaluate(double tau, Vector& q, Vector& v) noexcept;
  void bookStructure(double step, const Vector& q, const Vector& v);
  void bookLong(double step, const Vector& q, const Vector& v);
  void bookConstantLoads(const Vector& q) noexcept;
  void bookPower(std::span<const QuadraturePoint> points, double from, double step, bool damped) noexcept;
  void showWithin(double step, double end);
  void showInside(double step, double end);
  void view(double t);
  void archive();
  void passBreakpoints();
  void handOver();
  void finish();
  double energy(const Vector& q, const Vector& v) const noexcept;
  double dampingPower(const double* v) const noexcept;
  /// The shape of a load that does not move.
  const double* shape(int load) const noexcept {
    return planes_.sorted() ? shapes_[static_cast<std::size_t>(load)]
                            : loads_.shapes() + load * state_.q.size();
  }
  const State& natural(const State& sorted);
  bool isFinite() const { return std::isfinite(state_.q.sum() + state_.v.sum()); }

  ModalEquation& equation_;
  State& given_;       ///< the caller's: at checkpoints and at the end
  ModePlanes planes_;  ///< modes in here are in their order
  State state_;
  const TransientOptions& options_;
  TransientObserver& observer_;

  TaylorExpansion expansion_;
  int order_;                       ///< of the next expansion
  int fullOrder_;                   ///< when it is to go as far as the tolerance lets it
  int seriesOrder_;                 ///< when it does not go between long steps
  bool takesLong_{false};           ///< the model and the options allow long steps
  std::unique_ptr<LongStep> long_;  ///< made when they first pay
  bool installed_{false};           ///< it has the channels of the expansion
  bool constantLoads_{false};       ///< at all times
  bool leaping_{false};             ///< the present step is a long one
  bool careful_{true};              ///< what long steps cannot tell: the next is by power series
  std::array<int, 2> levels_{};     ///< of the lengths of long steps: nothing closed, something closed
  int wholeSteps_{0};               ///< long ones that went to their end, since the last that did not
  int patience_{1};                 ///< so many of them before a longer one is tried
  long long interruptions_{0};      ///< events and breakpoints since ...
  double countedFrom_{0.0};         ///< ... this instant [s]
  EventContacts contacts_;
  LoadCursors loads_;
  std::vector<const double*> shapes_;  ///< of the loads, where planes are sorted
  std::vector<FunctionCursor> spins_;
  FunctionSeries functions_;
  MovingSeries moving_;
  double breakpoint_{0.0};  ///< next instant at which a function has another piece

  TransientOutputs outputs_;
  std::size_t nextOutput_{0};
  State next_;
  State between_;
  State shown_;   // in the model's order
  Matrix rates_;  // scratch of the quadrature
  std::vector<ContactView> views_;
  EnergyLedger ledger_;
  EnergyWatch watch_;
  double largestSpeed_{0.0};  ///< sqrt(2 E) so far: what errors are relative to
  int expandedOrder_{0};      ///< asked for, of the present expansion
  bool expanded_;             ///< the expansion starts from the present state
  bool endsAtKink_{false};
  double kinkShift_{0.0};  ///< by which the last step's kink was passed; 0 if it did not end at one
  double tolerated_{0.0};  ///< step that the truncation alone would allow
  int idle_{0};            ///< transitions since the time moved
  Report report_;
  long long nextRow_{0};  ///< steps at which the next row is archived

  double fastest_{0.0};  ///< omega of the fastest mode [rad/s]
  /// Power series of this order settle what happens at an event and get away from it.
  static constexpr int kOrderBetweenLeaps = 8;
  static constexpr int kOrderOfLanding = 6;
  static constexpr int kLowestOrder = 10;
  static constexpr int kMostPatience = 16;
  /// Phase of the fastest mode per event beyond which long steps pay [rad]. Their tables have to pay too, the
  /// sooner the longer the run is: as if there had been this over its phase [rad] of events before it.
  static constexpr double kLeapsPay = 20.0;
  static constexpr double kTablesPay = 13600.0;

  static constexpr long long kEventsChunk = 64;  // steps between looks at the events
  Pace pace_{kEventsChunk};
  std::vector<std::byte> checkpoint_;
};

}  // namespace ricochet
