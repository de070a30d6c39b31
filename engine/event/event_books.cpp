// What loads and dampers do to the structure over a step of the event scheme.

#include "engine/event/event_run.hpp"
#include "engine/event/quadrature.hpp"

#include <array>

namespace ricochet {

/// Of the structure [J].
double EventRun::energy(const Vector& q, const Vector& v) const noexcept {
  return 0.5 * (kernels::weightedSquare(equation_.linear().omegaSquared.data(), q.data(), q.size()) +
                kernels::dot(v.data(), v.data(), v.size()));
}

/// Work of loads that are constant, until the displacement is `q`.
void EventRun::bookConstantLoads(const Vector& q) noexcept {
  const Eigen::Index size = state_.q.size();
  const double* shape = loads_.shapes();
  for (int i = 0; i < equation_.model().loads.count(); ++i, shape += size) {
    const double force = leaping_ ? long_->force(i)[0] : expansion_.force(i)[0];
    if (force != 0.0)
      equation_.accounts().external +=
          force * (kernels::dot(shape, q.data(), size) - kernels::dot(shape, state_.q.data(), size));
  }
}

/// Work of the loads and of the structure's damping until the displacement is `q`, the velocity `v`: Gauss
/// quadrature on the series, unless the loads are constant and nothing damps.
void EventRun::bookStructure(double step, const Vector& q, const Vector& v) {
  if (leaping_) return bookLong(step, q, v);
  const bool damped = equation_.linear().damped();
  if (!damped && !loads_.varies()) return bookConstantLoads(q);
  // half the step that the tolerance allows leaves 1e-11 of the work of the fastest motion to six points
  const bool isShort = step < 0.5 * tolerated_;
  const std::span<const QuadraturePoint> points =
      isShort ? std::span<const QuadraturePoint>(kFewGaussPoints) : kGaussPoints;
  for (std::size_t first = 0; first < points.size(); first += kernels::kTogether)
    bookPower(points.subspan(first, kernels::kTogether), step, damped);
}

/// Part of the work over a step: power at some points of the quadrature.
void EventRun::bookPower(std::span<const QuadraturePoint> points, double step, bool damped) noexcept {
  std::array<double, kernels::kTogether> times;
  for (std::size_t n = 0; n < times.size(); ++n) times[n] = points[n].at * step;
  expansion_.velocities(times.data(), rates_);
  EnergyLedger& accounts = equation_.accounts();
  const Eigen::Index size = state_.q.size();
  const double* shape = loads_.shapes();
  for (int i = 0; i < equation_.model().loads.count(); ++i, shape += size) {
    if (expansion_.forceCount(i) == 0) continue;
    std::array<double, kernels::kTogether> rates;
    kernels::dots(rates_.data(), kernels::kTogether, shape, size, rates.data());
    const std::span<const double> force = expansion_.force(i);
    for (std::size_t n = 0; n < times.size(); ++n)
      accounts.external += points[n].weight * step * polynomialAt(force, times[n]) * rates[n];
  }
  if (!damped) return;
  for (std::size_t n = 0; n < times.size(); ++n) {
    const double* rate = rates_.col(static_cast<Eigen::Index>(n)).data();
    accounts.damping += points[n].weight * step * equation_.dampingPower(rate);
    if (!spins_.empty()) accounts.external += points[n].weight * step * expansion_.drivePower(times[n], rate);
  }
}

/// Work over a long step until q, v. The loads' by quadrature; what dampers took is what of all forces' work
/// the structure does not have at its end.
void EventRun::bookLong(double step, const Vector& q, const Vector& v) {
  EnergyLedger& accounts = equation_.accounts();
  const int loads = static_cast<int>(equation_.model().loads.count());
  const double before = accounts.external;
  if (!constantLoads_)
    for (int i = 0; i < loads; ++i) accounts.external += long_->work(i, step);
  else
    bookConstantLoads(q);
  if (!equation_.linear().damped()) return;
  double work = accounts.external - before;
  for (int c = loads; c < long_->channels(); ++c) work += long_->work(c, step);
  for (int c = 0; c < long_->constraints(); ++c) work += long_->reactionWork(c, step);
  accounts.damping += work - (energy(q, v) - energy(state_.q, state_.v));
}

}  // namespace ricochet
