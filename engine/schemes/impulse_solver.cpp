#include "engine/schemes/impulse_solver.hpp"

#include "engine/numerics/dual_functions.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr int kLocalIterations = 40;
constexpr double kRounding = 4e-16;

/// |x(alpha)| of (D + alpha) x = -c in the axes of D.
struct Secular {
  std::array<double, 2> eigenvalues, c;

  double component(std::size_t i, double alpha) const noexcept {
    return c[i] == 0.0 ? 0.0 : -c[i] / (eigenvalues[i] + alpha);
  }
  double norm(double alpha) const noexcept { return std::hypot(component(0, alpha), component(1, alpha)); }

  /// Root of |x(alpha)| = limit: Newton on its reciprocal, nearly straight, within a bracket.
  double root(double limit) const noexcept {
    const double load = std::hypot(c[0], c[1]) / limit;
    double low = std::max(0.0, load - std::max(eigenvalues[0], eigenvalues[1]));
    double high = std::max(low, load - std::min(eigenvalues[0], eigenvalues[1]));
    double alpha = low > 0.0 ? low : high;
    for (int i = 0; i < kLocalIterations; ++i) {
      const double length = norm(alpha);
      (length > limit ? low : high) = alpha;
      double slope = 0.0;  // of |x|^2 / 2
      for (std::size_t k = 0; k < 2; ++k)
        if (c[k] != 0.0) slope -= component(k, alpha) * component(k, alpha) / (eigenvalues[k] + alpha);
      double next = alpha + length * length / slope * (limit - length) / limit;
      if (!(next >= low && next <= high)) next = 0.5 * (low + high);
      if (std::abs(next - alpha) <= kRounding * high) return next;
      alpha = next;
    }
    return alpha;
  }
};

/// Force of a normal law in contact and its slope, when the gap rate is `rate` for the whole step.
struct NormalForce {
  double value;
  double slope;
};
NormalForce normalForce(const ImpulseBlock& block, double rate, double h) noexcept {
  return std::visit(
      [&](const auto& law) -> NormalForce {
        const Dual<1> y(rate, 0);
        const NormalKinematics<Dual<1>> k{block.gap + h * y, y, block.imposed, {}};
        const auto guards = law.template guards<double>(
            NormalState::closed, {k.gap.value(), k.gapRate.value(), k.imposed.value(), 0.0});
        if (guards[0] < 0.0) return {0.0, 0.0};
        const Dual<1> force = law.template force<Dual<1>>(NormalState::closed, k);
        return {force.value(), force.slope(0)};
      },
      block.laws->normal);
}

using Plane2 = Dual<2>;

/// Traction of a friction law at a slip rate that lasts the whole step.
Tangential<Plane2> traction(const ImpulseBlock& block, const Tangential<double>& slip, double h) noexcept {
  return std::visit(
      [&]<class Law>(const Law& law) -> Tangential<Plane2> {
        if constexpr (Law::traits.setValued) {
          return {};
        } else {
          const auto memory = constantIn<Plane2>(block.memory);
          FrictionKinematics<Plane2> k;
          k.slipRate = {Plane2(slip.first, 0), Plane2(slip.second, 1)};
          k.position = {block.position.first + h * k.slipRate.first,
                        block.position.second + h * k.slipRate.second};
          k.compression = block.impulse[0] / h;
          return law.template trial<Plane2>(k, memory).traction;
        }
      },
      block.laws->friction);
}

/// Newton on y = y0 + D h T(y). A stick starts where the spring was, so that it is kept where it can.
Tangential<double> solveReturnMapping(const ImpulseBlock& block, const std::array<double, 3>& d,
                                      const Tangential<double>& y0, double h) noexcept {
  Tangential<double> y = block.memory.slipping ? block.slip() : Tangential<double>{};
  Tangential<double> x;
  for (int i = 0; i < kLocalIterations; ++i) {
    const Tangential<Plane2> t = traction(block, y, h);
    x = {h * t.first.value(), h * t.second.value()};
    const Tangential<double> wrong{y.first - y0.first - d[0] * x.first - d[1] * x.second,
                                   y.second - y0.second - d[1] * x.first - d[2] * x.second};
    const auto entry = [&](double own, double across, std::size_t k) {
      return -h * (own * t.first.slope(k) + across * t.second.slope(k));
    };
    const double j11 = 1.0 + entry(d[0], d[1], 0), j12 = entry(d[0], d[1], 1);
    const double j21 = entry(d[1], d[2], 0), j22 = 1.0 + entry(d[1], d[2], 1);
    const double determinant = j11 * j22 - j12 * j21;
    const Tangential<double> step{(j22 * wrong.first - j12 * wrong.second) / determinant,
                                  (j11 * wrong.second - j21 * wrong.first) / determinant};
    y = y - step;
    if (dot(step, step) <= kRounding * kRounding * (dot(y, y) + dot(y0, y0))) break;
  }
  const Tangential<Plane2> t = traction(block, y, h);
  return {h * t.first.value(), h * t.second.value()};
}

}  // namespace

DiscSolution solveOnDisc(const std::array<double, 3>& d, const Tangential<double>& c, double limit) noexcept {
  if (!(limit > 0.0)) return {{}, true};
  // the axes of D: a rotation by half the angle of (d11 - d22, 2 d12)
  const double angle = d[1] == 0.0 ? 0.0 : 0.5 * std::atan2(2.0 * d[1], d[0] - d[2]);
  const double cosine = std::cos(angle), sine = std::sin(angle);
  const double mean = 0.5 * (d[0] + d[2]);
  const double radius = d[1] == 0.0 ? 0.5 * (d[0] - d[2]) : std::hypot(0.5 * (d[0] - d[2]), d[1]);
  Secular s{{mean + radius, mean - radius},
            {cosine * c.first + sine * c.second, cosine * c.second - sine * c.first}};
  const double largest = std::max({s.eigenvalues[0], s.eigenvalues[1], 0.0});
  bool holds = true;
  for (std::size_t i = 0; i < 2; ++i) {
    if (s.eigenvalues[i] > kRounding * largest) continue;
    s.eigenvalues[i] = 0.0;  // nothing moves this way
    if (std::abs(s.c[i]) <= kRounding * length(c))
      s.c[i] = 0.0;
    else
      holds = false;
  }
  const bool slides = !holds || s.norm(0.0) > limit;
  const double alpha = slides ? s.root(limit) : 0.0;
  const Tangential<double> x{s.component(0, alpha), s.component(1, alpha)};
  return {{cosine * x.first - sine * x.second, sine * x.first + cosine * x.second}, slides};
}

ImpulseSolver::ImpulseSolver(int contacts) : compliance_(Matrix::Zero(3 * contacts, 3 * contacts)) {
  blocks_.reserve(static_cast<std::size_t>(contacts));
}

void ImpulseSolver::push(std::size_t block, std::size_t axis, double impulse) noexcept {
  const double difference = impulse - blocks_[block].impulse[axis];
  if (difference == 0.0) return;
  blocks_[block].impulse[axis] = impulse;
  const auto column = static_cast<Eigen::Index>(3 * block + axis);
  const double* entry = compliance_.col(column).data();
  for (ImpulseBlock& each : blocks_)
    for (double& rate : each.rate) rate += difference * *entry++;
  const double own = compliance_(column, column);
  scale_ = std::max(scale_, own * std::abs(impulse));
  const double change = own * std::abs(difference);
  if (change <= change_) return;
  change_ = change;
  changed_ = blocks_[block].contact;
}

void ImpulseSolver::solveNormal(std::size_t block, double h) noexcept {
  const ImpulseBlock& b = blocks_[block];
  if (b.normal == NormalRule::given) return;
  const double own = compliance(block, 0, block, 0);
  const double free = b.rate[0] - own * b.impulse[0];
  if (b.normal == NormalRule::unilateral) {
    push(block, 0, own > 0.0 ? std::max(0.0, (b.target - free) / own) : 0.0);
    return;
  }
  double x = 0.0;  // the branch that pushes is met from here: N falls with the rate
  for (int i = 0; i < kLocalIterations; ++i) {
    const NormalForce force = normalForce(b, free + own * x, h);
    const double step = (h * force.value - x) / (1.0 - h * force.slope * own);
    x += step;
    if (std::abs(step) <= kRounding * std::abs(x)) break;
  }
  push(block, 0, x);
}

void ImpulseSolver::solveTangents(std::size_t block, double h) noexcept {
  ImpulseBlock& b = blocks_[block];
  if (b.tangent == TangentRule::none) return;
  const std::array<double, 3> d{compliance(block, 1, block, 1), compliance(block, 1, block, 2),
                                compliance(block, 2, block, 2)};
  const Tangential<double> x = b.friction();
  const Tangential<double> free =
      b.slip() - Tangential<double>{d[0] * x.first + d[1] * x.second, d[1] * x.first + d[2] * x.second};
  Tangential<double> next;
  if (b.tangent == TangentRule::disc) {
    const DiscSolution solution = solveOnDisc(d, free, b.coefficient * std::max(b.pressed, b.impulse[0]));
    next = solution.x;
    b.slides = solution.slides;
  } else {
    next = solveReturnMapping(b, d, free, h);
  }
  push(block, 1, next.first);
  push(block, 2, next.second);
}

bool ImpulseSolver::solve(double h) noexcept {
  scale_ = 0.0;
  for (const ImpulseBlock& b : blocks_)
    for (const double rate : b.rate) scale_ = std::max(scale_, std::abs(rate));
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    change_ = 0.0;
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      solveNormal(i, h);
      solveTangents(i, h);
    }
    if (change_ <= kTolerance * scale_) return true;
    if (std::isnan(change_)) break;
  }
  troubled_ = changed_;
  return false;
}

}  // namespace ricochet
