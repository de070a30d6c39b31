#pragma once

#include "engine/accounts/energy_ledger.hpp"
#include "engine/event/automata/event_contact.hpp"
#include "engine/event/automata/nonlinear_contact.hpp"
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
class NonlinearContacts {
 public:
  NonlinearContacts(const ContactSet& set, const ModePlanes& planes, int order, double tolerance);

  /// Whether a contact is one of them.
  static bool isOne(const Contact& contact) noexcept;

  bool empty() const noexcept { return contacts_.empty(); }
  std::size_t size() const noexcept { return contacts_.size(); }

  void start(ContactRun& run, const State& s, bool remembers);
  /// Around what makes velocities jump beside them, an impact.
  void recordStickDrift(const State& s, bool endsBounces) noexcept;
  void releaseOrKeepSticks(const State& s);
  void advance(const State& s);
  double nextBreakpoint() const noexcept;

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
  Outlook examine(TaylorExpansion& expansion, Outlook outlook);
  /// Whether a step of this length ends within a polynomial that is given for a force, the moments of which
  /// are exact at its end only. Such a contact then begins with an interval of that length, or goes on with
  /// its series: expand again.
  bool endsWithin(double step) noexcept;

  void bringToStart(const GuardRef& guard, const TaylorExpansion& expansion, double time) noexcept;
  void follow(const GuardRef& guard, State& s, ContactRun& run, EnergyLedger& ledger);
  /// Of forces given as polynomials, which are to be found for another motion.
  void forgetIntervals() noexcept;
  void accept(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
              EnergyLedger& ledger) noexcept;
  void bookUntil(double t, double time, const TaylorExpansion& expansion, EnergyLedger& ledger) noexcept;
  void openAccounts(ContactRun& run) const noexcept;
  void show(double t, double time, const TaylorExpansion& expansion, ContactRun& run) noexcept;
  void put(ContactRun& run) const noexcept;
  void handOver(ContactRun& run) noexcept;

  bool takeChanged() noexcept { return std::exchange(changed_, false); }

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("NonlinearContacts");
    archive(contacts_, pending_);
    if constexpr (Archive::kReads) changed_ = true;
  }

 private:
  /// What the laws say of a contact over a step, on the tape.
  struct Unfolding {
    NonlinearContact* contact;
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

  NonlinearContact& of(int contact) noexcept {
    return contacts_[static_cast<std::size_t>(place_[static_cast<std::size_t>(contact)])];
  }
  void readFunctions(NonlinearContact& c, FunctionSeries& functions, double t);
  void record(Unfolding& u, const TaylorExpansion& expansion);
  void recordFriction(Unfolding& u);
  void feed(Unfolding& u, const TaylorExpansion& expansion, int k);
  static double forceOf(const Unfolding& u, std::size_t i, int k) noexcept;
  void factoriseHolds(const TaylorExpansion& expansion);

  // forces given as polynomials (nonlinear_fit.cpp)
  bool wantsFit(const NonlinearContact& c) const noexcept;
  double validity(const TaylorExpansion& expansion) const noexcept;
  bool chooseHorizons(const TaylorExpansion& expansion) noexcept;
  void chooseHorizon(NonlinearContact& c, const TaylorExpansion& expansion) noexcept;
  static double fit(NonlinearContact& c, const TaylorExpansion& expansion) noexcept;

  bool isOutOfReach(NonlinearContact& c, const TaylorExpansion& expansion, double reach, double step);
  template <class Look>
  void ofOpen(NonlinearContact& c, const TaylorExpansion& expansion, Look&& look);
  template <class Look>
  void ofNormal(NonlinearContact& c, std::size_t orders, Look&& look);
  Series inputRate(std::span<const double> series, std::size_t orders);
  std::span<const double> unfoldForce(const NonlinearContact& c, std::size_t orders);
  template <class Look>
  void ofFriction(NonlinearContact& c, std::size_t orders, double step, Look&& look);
  void endAtKinks(const TaylorExpansion& expansion, Outlook& outlook) noexcept;

  void record(NonlinearContact& c, EventKind kind, double t) { pending_.push_back({t, c.index, kind}); }
  void followNormal(NonlinearContact& c, std::size_t guard, bool jumped, const State& s, ContactRun& run,
                    EnergyLedger& ledger);
  void followFriction(NonlinearContact& c, GuardSlot slot, State& s, ContactRun& run, EnergyLedger& ledger);
  static void recordStickDrift(NonlinearContact& c, const State& s, bool endsBounces) noexcept;
  void releaseOrKeepSticks(NonlinearContact& c, const State& s);
  void recordBreakaway(NonlinearContact& c, const Tangential<double>& before, double t) noexcept;
  static void close(NonlinearContact& c, const State& s, bool fromZero = false);
  static void slipAgainst(NonlinearContact& c) noexcept;
  void letGo(NonlinearContact& c, ContactRun& run, EnergyLedger& ledger) noexcept;
  static void carrySpring(NonlinearContact& c, double t, std::size_t orders) noexcept;
  static void book(NonlinearContact& c, const ContactState& before, double t, std::size_t orders,
                   double& dissipated, EnergyLedger& ledger) noexcept;
  static void put(const NonlinearContact& c, ContactRun& run) noexcept;

  static constexpr int kLeastFitted = 8;  ///< order of an expansion beside which polynomials are fitted
  static constexpr int kUnfitted = -1;    ///< pass of one that keeps its series over the step
  static constexpr double kPastHorizon = 1.001;

  double tolerance_;
  double slack_;
  std::vector<NonlinearContact> contacts_;
  std::vector<int> place_;  ///< of every contact of the set: in contacts_, or -1
  std::vector<Event> pending_;
  bool changed_{true};
  int pushing_{0};
  SeriesTape tape_, guardTape_;
  std::vector<Unfolding> unfoldings_;
  std::vector<double> scratch_, scratch2_, unfolded_;
  std::vector<HeldLine> held_;  ///< that stick without a stiffness
  Matrix holdInverse_;          ///< tractions per slip acceleration
  Vector holdRates_, holdTractions_;
};

}  // namespace ricochet
