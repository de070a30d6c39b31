#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/event/automata/linear_contact.hpp"
#include "engine/event/automata/series_contact.hpp"
#include "engine/event/series/outlook.hpp"
#include "engine/event/series/taylor_expansion.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/numerics/series.hpp"

#include <utility>
#include <vector>

namespace ricochet {

/// The contacts of a run of the event scheme whose forces are no linear functions of the motion. Between
/// events they are smooth: obstacle, normal law and friction are evaluated in `Series`, order by order, each
/// order from the lower orders of the motion,
///
///     x_k  ->  g_k, n_k, N_k, T_k  ->  F_k = (N n + T t)_k  ->  x_{k+2}
///
/// A power of the penetration has no series where the contact starts or ends: over a short interval a fitted
/// polynomial takes its place (series_fit.cpp). A stick without stiffness has the traction at which s''_k =
/// 0.
class SeriesContacts {
 public:
  SeriesContacts(const ContactSet& set, const ModePlanes& planes, int order, double tolerance);

  bool empty() const noexcept { return contacts_.empty(); }
  std::size_t size() const noexcept { return contacts_.size(); }

  void addForces(TaylorExpansion& expansion) noexcept;
  void readTimeFunctions(FunctionSeries& functions, double t);

  /// Whether some contact is closed, so that the orders of the expansion must run one by one.
  bool runsOrderByOrder() const noexcept { return closedCount_ > 0; }
  void beginExpansion(const TaylorExpansion& expansion);
  /// Forces of order k, from the motion up to k + 1.
  void setForces(TaylorExpansion& expansion, int k);
  /// Finds tractions of order k of true sticks after the run of that order, and runs the order again.
  void solveStickTractions(TaylorExpansion& expansion, int k);
  /// Ends the expansion. False if fitted polynomials are not yet those of the motion: the expansion is
  /// repeated.
  bool fitForces(const TaylorExpansion& expansion);

  void collectSeries(const TaylorExpansion& expansion);
  double longestStep(const TaylorExpansion& expansion) const noexcept;
  Outlook findFirstEvent(TaylorExpansion& expansion, double time, const Outlook& outlook);
  /// Whether a step of this length ends inside the interval of a fitted polynomial, whose moments are exact
  /// only at the end of the interval. The interval is then shortened to the step, or the series of the force
  /// replaces the polynomial, and the expansion must be repeated.
  bool endsInsideFit(double step) noexcept;

  void moveToStepStart(const GuardRef& guard, const TaylorExpansion& expansion, double time) noexcept;
  /// Discards fitted polynomials: the motion has changed.
  void discardFits() noexcept {
    for (SeriesContact& c : contacts_) c.discardFit();
  }
  void acceptStep(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
                  EnergyLedger& ledger) noexcept;
  void addWorkUntil(double t, double time, const TaylorExpansion& expansion, EnergyLedger& ledger) noexcept;
  void showStatesAt(double t, double time, const TaylorExpansion& expansion, ContactRun& run) noexcept;
  void showStates(ContactRun& run) const noexcept;

  SeriesContact& seriesContact(int contact) noexcept {
    return contacts_[static_cast<std::size_t>(place_[static_cast<std::size_t>(contact)])];
  }

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("SeriesContacts");
    archive(contacts_);
  }

 private:
  /// Series of a contact over a step, recorded on the tape.
  struct ContactSeries {
    SeriesContact* contact;
    Local<Series> x{}, v{};
    std::array<bool, 3> isFed{};
    Touch<Series> touch{};
    Series gapRate{}, compression{};
    ContactFrame<Series> frame{};
    std::array<Series, 2> surface{}, path{}, rate{}, traction{}, spring{}, springRate{};
    std::array<Local<Series>, 2> tangent{};
    Local<Series> force{};
  };

  struct StickLine {
    ContactSeries* u;
    std::size_t a;
  };

  void readFunctions(SeriesContact& c, FunctionSeries& functions, double t);
  void recordContact(ContactSeries& u, const TaylorExpansion& expansion);
  void recordFriction(ContactSeries& u);
  void setTapeInputs(ContactSeries& u, const TaylorExpansion& expansion, int k);
  static double forceCoefficient(const ContactSeries& u, std::size_t i, int k) noexcept;
  void invertStickResponse(const TaylorExpansion& expansion);

  // fitted polynomials (series_fit.cpp)
  bool needsFit(const SeriesContact& c) const noexcept;
  double validStep(const TaylorExpansion& expansion) const noexcept;
  bool chooseFitIntervals(const TaylorExpansion& expansion) noexcept;
  void chooseFitInterval(SeriesContact& c, const TaylorExpansion& expansion) noexcept;
  static double fitForce(SeriesContact& c, const TaylorExpansion& expansion) noexcept;

  bool isOutOfReach(SeriesContact& c, const TaylorExpansion& expansion, double reach, double step);
  template <class Visit>
  void examineClosingGuards(SeriesContact& c, const TaylorExpansion& expansion, Visit&& visit);
  template <class Visit>
  void examineNormalGuards(SeriesContact& c, std::size_t orders, Visit&& visit);
  Series recordRate(std::span<const double> series, std::size_t orders);
  std::span<const double> expandForce(const SeriesContact& c, std::size_t orders);
  template <class Visit>
  void examineFrictionGuards(SeriesContact& c, std::size_t orders, double step, Visit&& visit);
  void endStepAtKinks(const TaylorExpansion& expansion, Outlook& outlook) noexcept;

  static constexpr int kLeastFitted = 8;  ///< lowest order of an expansion with fitted polynomials
  static constexpr int kUnfitted = -1;    ///< `pass` of a contact that keeps its series over the step
  static constexpr double kPastFitInterval = 1.001;

  double tolerance_;
  double slack_;
  std::vector<SeriesContact> contacts_;
  std::vector<int> place_;  ///< index in contacts_ of each contact of the set, or -1
  int closedCount_{0};
  SeriesTape tape_, guardTape_;
  std::vector<ContactSeries> contactSeries_;
  std::vector<double> scratch_, scratch2_, forceSeries_;
  std::vector<StickLine> stickLines_;  ///< lines of true sticks
  Matrix tractionPerAcceleration_;     ///< tractions per slip acceleration
  Vector stickAccelerations_, stickTractions_;
};

}  // namespace ricochet
