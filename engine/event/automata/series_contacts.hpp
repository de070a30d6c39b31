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
/// events they are smooth: obstacle, normal law and friction are asked in `Series`, order by order, each
/// order from the motion known so far,
///
///     x_k  ->  g_k, n_k, N_k, T_k  ->  F_k = (N n + T t)_k  ->  x_{k+2}
///
/// What has no series of its own where it starts or ends, a power of the penetration, is given as a
/// polynomial over a short interval instead (see `fit`). A stick without stiffness asks for the traction at
/// which s''_k = 0.
class SeriesContacts {
 public:
  SeriesContacts(const ContactSet& set, const ModePlanes& planes, int order, double tolerance);

  bool empty() const noexcept { return contacts_.empty(); }
  std::size_t size() const noexcept { return contacts_.size(); }

  void install(TaylorExpansion& expansion) noexcept;
  void provide(FunctionSeries& functions, double t);

  /// Whether some push, so that the orders must run one by one.
  bool unfolds() const noexcept { return pushing_ > 0; }
  void begin(const TaylorExpansion& expansion);
  /// Forces of order k, from the motion up to k + 1.
  void push(TaylorExpansion& expansion, int k);
  /// After the run of order k: tractions of what sticks, which runs the order again.
  void hold(TaylorExpansion& expansion, int k);
  /// After the last order. False when forces given as polynomials are not those of the motion yet.
  bool settle(const TaylorExpansion& expansion);

  void collect(const TaylorExpansion& expansion);
  double longestStep(const TaylorExpansion& expansion) const noexcept;
  Outlook examine(TaylorExpansion& expansion, double time, const Outlook& outlook);
  /// Whether a step of this length ends within a polynomial that is given for a force, the moments of which
  /// are exact at its end only. Such a contact then begins with an interval of that length, or goes on with
  /// its series: expand again.
  bool endsWithin(double step) noexcept;

  void bringToStart(const GuardRef& guard, const TaylorExpansion& expansion, double time) noexcept;
  /// Forces given as polynomials are to be found from the beginning, for another motion.
  void forgetIntervals() noexcept {
    for (SeriesContact& c : contacts_) c.forgetInterval();
  }
  void accept(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
              EnergyLedger& ledger) noexcept;
  void bookUntil(double t, double time, const TaylorExpansion& expansion, EnergyLedger& ledger) noexcept;
  void show(double t, double time, const TaylorExpansion& expansion, ContactRun& run) noexcept;
  void put(ContactRun& run) const noexcept;

  SeriesContact& of(int contact) noexcept {
    return contacts_[static_cast<std::size_t>(place_[static_cast<std::size_t>(contact)])];
  }

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("SeriesContacts");
    archive(contacts_);
  }

 private:
  /// What the laws say of a contact over a step, on the tape.
  struct Unfolding {
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

  struct HeldLine {
    Unfolding* u;
    std::size_t a;
  };

  void readFunctions(SeriesContact& c, FunctionSeries& functions, double t);
  void record(Unfolding& u, const TaylorExpansion& expansion);
  void recordFriction(Unfolding& u);
  void feed(Unfolding& u, const TaylorExpansion& expansion, int k);
  static double forceOf(const Unfolding& u, std::size_t i, int k) noexcept;
  void factoriseHolds(const TaylorExpansion& expansion);

  // forces given as polynomials (series_fit.cpp)
  bool wantsFit(const SeriesContact& c) const noexcept;
  double validity(const TaylorExpansion& expansion) const noexcept;
  bool chooseHorizons(const TaylorExpansion& expansion) noexcept;
  void chooseHorizon(SeriesContact& c, const TaylorExpansion& expansion) noexcept;
  static double fit(SeriesContact& c, const TaylorExpansion& expansion) noexcept;

  bool isOutOfReach(SeriesContact& c, const TaylorExpansion& expansion, double reach, double step);
  template <class Look>
  void ofOpen(SeriesContact& c, const TaylorExpansion& expansion, Look&& look);
  template <class Look>
  void ofNormal(SeriesContact& c, std::size_t orders, Look&& look);
  Series inputRate(std::span<const double> series, std::size_t orders);
  std::span<const double> unfoldForce(const SeriesContact& c, std::size_t orders);
  template <class Look>
  void ofFriction(SeriesContact& c, std::size_t orders, double step, Look&& look);
  void endAtKinks(const TaylorExpansion& expansion, Outlook& outlook) noexcept;

  static constexpr int kLeastFitted = 8;  ///< order of an expansion beside which polynomials are fitted
  static constexpr int kUnfitted = -1;    ///< pass of one that keeps its series over the step
  static constexpr double kPastHorizon = 1.001;

  double tolerance_;
  double slack_;
  std::vector<SeriesContact> contacts_;
  std::vector<int> place_;  ///< of every contact of the set: in contacts_, or -1
  int pushing_{0};
  SeriesTape tape_, guardTape_;
  std::vector<Unfolding> unfoldings_;
  std::vector<double> scratch_, scratch2_, unfolded_;
  std::vector<HeldLine> held_;  ///< that stick without a stiffness
  Matrix holdInverse_;          ///< tractions per slip acceleration
  Vector holdRates_, holdTractions_;
};

}  // namespace ricochet
