// SDND106 with Boost.Odeint: right-hand side written by hand, dense output, events by bisection of the dense
// output.

#include "verification/benchmarks/relative_time.hpp"
#include "verification/benchmarks/shoe_run.hpp"

#include <benchmark/benchmark.h>
#include <boost/numeric/odeint.hpp>

#include <array>
#include <cmath>

namespace ricochet {
namespace {

namespace odeint = boost::numeric::odeint;
using Problem = test::ShoeProblem;
using Unknowns = std::array<double, 4>;  // x1, x2 [m], v1, v2 [m/s]

class OdeintShoe {
 public:
  explicit OdeintShoe(double tolerance) : tolerance_(tolerance) {}

  void operator()() {
    u_ = {};
    time_ = 0.0;
    direction_ = 0.0;
    load_ = Problem::kPull;
    integrate(Problem::kCut);
    load_ = 0.0;
    integrate(Problem::kEnd);
  }
  double error() const { return Problem::error(u_[0], u_[1]); }

 private:
  void rates(const Unknowns& u, Unknowns& rate) const {
    const double spring = Problem::kStiffness * (u[1] - u[0]);
    const bool sticks = direction_ == 0.0;
    rate[0] = sticks ? 0.0 : u[2];
    rate[1] = u[3];
    rate[2] = sticks ? 0.0 : (spring - direction_ * Problem::kSliding) / Problem::kMass;
    rate[3] = (load_ - spring) / Problem::kMass;
  }
  /// Guard of the friction state, positive while stick or slip lasts.
  double guard(const Unknowns& u) const {
    if (direction_ != 0.0) return direction_ * u[2];
    return Problem::kBreakaway - std::abs(Problem::kStiffness * (u[1] - u[0]));
  }
  /// Changes the friction state when its guard vanishes.
  void change() {
    const double spring = Problem::kStiffness * (u_[1] - u_[0]);
    const bool stops = direction_ != 0.0 && std::abs(spring) <= Problem::kBreakaway;
    direction_ = stops ? 0.0 : std::copysign(1.0, spring);
    u_[2] = 0.0;
  }

  void integrate(double until) {
    while (time_ < until)
      if (integratePiece(until)) change();
  }

  /// Integrates to the next event or to the end of the piece; true at an event.
  bool integratePiece(double until) {
    auto stepper = odeint::make_dense_output(tolerance_, tolerance_, odeint::runge_kutta_dopri5<Unknowns>());
    stepper.initialize(u_, time_, kFirstStep);
    const auto system = [this](const Unknowns& u, Unknowns& rate, double) { rates(u, rate); };
    Unknowns end{};
    while (true) {
      const auto [from, to] = stepper.do_step(system);
      const double last = std::min(to, until);
      stepper.calc_state(last, end);
      // A slip that starts from stick has zero speed at first, so its guard counts as positive there.
      if (guard(end) <= 0.0 && from > time_) {
        bisectEvent(stepper, from, last);
        return true;
      }
      if (last < until) continue;
      u_ = end;
      time_ = until;
      return false;
    }
  }
  template <class Stepper>
  void bisectEvent(const Stepper& stepper, double low, double high) {
    for (double middle = 0.5 * (low + high); middle > low && middle < high; middle = 0.5 * (low + high)) {
      stepper.calc_state(middle, u_);
      (guard(u_) > 0.0 ? low : high) = middle;
    }
    stepper.calc_state(high, u_);
    time_ = high;
  }

  static constexpr double kFirstStep = 1e-4;  // [s]
  double tolerance_;
  Unknowns u_{};
  double time_{0.0};
  double load_{0.0};
  double direction_{0.0};  // direction of the slip of the first mass; 0: stick
};

/// Argument: digits of the tolerances. `event_faster`: time of this run over the time of `event`.
void timeOdeintShoe(benchmark::State& bench) {
  OdeintShoe peer(std::pow(10.0, -static_cast<double>(bench.range(0))));
  for (auto _ : bench) {
    peer();
    benchmark::ClobberMemory();
  }
  test::ShoeRun event;
  bench.counters["error"] = peer.error();
  bench.counters["event_faster"] = test::relativeTime(peer, event);
}
BENCHMARK(timeOdeintShoe)
    ->Name("sdnd106/odeint_dopri5")
    ->ArgName("digits")
    ->Arg(6)
    ->Arg(10)
    ->Arg(12)
    ->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace ricochet
