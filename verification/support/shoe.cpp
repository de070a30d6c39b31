#include "verification/support/shoe.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace ricochet::test {

Vector modeShapeOfShoeMass(const Shoe& shoe, int mass) {
  const double total = shoe.m1 + shoe.m2;
  Vector shape(2);
  shape[0] = 1.0 / std::sqrt(total);
  shape[1] = mass == 1 ? std::sqrt(shoe.m2 / (shoe.m1 * total)) : -std::sqrt(shoe.m1 / (shoe.m2 * total));
  return shape;
}

ModelParts shoeParts(const Shoe& shoe) {
  ModelParts parts;
  Vector eigenvalues(2);
  eigenvalues << 0.0, shoe.stiffness * (shoe.m1 + shoe.m2) / (shoe.m1 * shoe.m2);
  parts.linear = LinearSystem(eigenvalues, Matrix::Zero(2, 2), true);
  const std::vector<double> times{0.0, shoe.cut, shoe.cut, shoe.cut + shoe.end};
  const std::vector<double> forces{shoe.pull, shoe.pull, 0.0, 0.0};
  const auto outside = TimeFunction::Outside::constant;
  parts.loads.push_back({modeShapeOfShoeMass(shoe, 2), TimeFunction::table(times, forces, outside, outside)});
  parts.contacts.push_back(
      contactOf(2, NoObstacle{}, ImposedForce{}, Coulomb{shoe.muStatic, shoe.muDynamic}));
  parts.contacts.back().imposedForce = TimeFunction::constant(shoe.normal);
  parts.contacts.back().rows.row(1) = std::cos(shoe.askew) * modeShapeOfShoeMass(shoe, 1).transpose();
  if (shoe.askew != 0.0)
    parts.contacts.back().rows.row(2) = std::sin(shoe.askew) * modeShapeOfShoeMass(shoe, 1).transpose();
  return parts;
}

namespace {

using Real = long double;
constexpr Real kTurn = 2.0L * std::numbers::pi_v<Real>;

/// centre + a cos(omega t) + b sin(omega t)
struct Harmonic {
  Real centre, a, b, omega;

  Real at(Real t) const { return centre + a * std::cos(omega * t) + b * std::sin(omega * t); }
  Real rate(Real t) const { return omega * (b * std::cos(omega * t) - a * std::sin(omega * t)); }
  Real amplitude() const { return std::hypot(a, b); }
  /// Instants in (0, last) at which the oscillation passes `level`, in order.
  std::vector<Real> instantsOfPassingLevel(Real level, Real last) const {
    return instants((level - centre) / amplitude(), std::atan2(b, a), last);
  }
  std::vector<Real> instantsOfTurningPoints(Real last) const {
    return instants(0.0L, std::atan2(-a, b), last);
  }

 private:
  /// Instants at which cos(omega t - phase) equals `cosine`.
  std::vector<Real> instants(Real cosine, Real phase, Real last) const {
    std::vector<Real> found;
    if (!(std::abs(cosine) <= 1.0L)) return found;
    const Real half = std::acos(cosine);
    for (Real angle = phase - kTurn; angle - half < omega * last; angle += kTurn)
      for (const Real candidate : {angle - half, angle + half})
        if (candidate > 0.0L && candidate < omega * last) found.push_back(candidate / omega);
    return found;
  }
};

/// First instant at which `guard`, positive after 0, becomes zero or negative; the guard is monotonic in each
/// interval.
template <class Guard>
std::optional<Real> firstGuardRoot(const Guard& guard, std::vector<Real> ends, Real last) {
  ends.push_back(last);
  Real low = 0.0L;
  for (const Real end : ends) {
    if (guard(end) > 0.0L) {
      low = end;
      continue;
    }
    Real high = end;
    for (Real middle = 0.5L * (low + high); middle > low && middle < high; middle = 0.5L * (low + high))
      (guard(middle) > 0.0L ? low : high) = middle;
    return high;
  }
  return {};
}

class Solver {
 public:
  explicit Solver(const Shoe& shoe) : s_(shoe), v2_(shoe.firstSpeed) {}

  ShoeSolution solve() {
    integrate(s_.pull, std::min(s_.cut, s_.end));
    if (s_.cut < s_.end) integrate(0.0L, s_.end);
    result_.x1 = static_cast<double>(x1_);
    result_.x2 = static_cast<double>(x2_);
    result_.v1 = static_cast<double>(v1_);
    result_.v2 = static_cast<double>(v2_);
    return result_;
  }

 private:
  void integrate(Real load, Real until) {
    while (t_ < until) {
      if (way_ == 0)
        stick(load, until);
      else
        slip(load, until);
    }
  }

  void stick(Real load, Real until) {
    const Real k = s_.stiffness;
    const Real omega = std::sqrt(k / s_.m2);
    const Real rest = load / k;
    const Harmonic stretch{rest, x2_ - x1_ - rest, v2_ / omega, omega};
    see(stretch);
    const Real limit = static_cast<Real>(s_.muStatic) * s_.normal / k;
    const Real last = until - t_;
    const auto guard = [&](Real t) { return limit - std::abs(stretch.at(t)); };
    // |stretch| also has a minimum where the stretch is zero, far from the limit.
    const std::optional<Real> end = firstGuardRoot(guard, stretch.instantsOfTurningPoints(last), last);
    const Real tau = end.value_or(last);
    x2_ = x1_ + stretch.at(tau);
    v2_ = stretch.rate(tau);
    t_ = end ? t_ + tau : until;
    if (!end) return;
    way_ = x2_ > x1_ ? 1 : -1;
    fromRest_ = true;
    note(EventKind::stickToSlip);
  }

  void slip(Real load, Real until) {
    const Real k = s_.stiffness, m1 = s_.m1, m2 = s_.m2, total = m1 + m2;
    const Real traction = -static_cast<Real>(way_) * s_.muDynamic * s_.normal;
    const Real omega = std::sqrt(k * total / (m1 * m2));
    const Real rest = (load / m2 - traction / m1) / (omega * omega);
    const Harmonic stretch{rest, x2_ - x1_ - rest, (v2_ - v1_) / omega, omega};
    see(stretch);
    const Real centre = (m1 * x1_ + m2 * x2_) / total;
    const Real drift = (m1 * v1_ + m2 * v2_) / total;
    const Real pace = (load + traction) / total;
    const auto speed = [&](Real t) { return drift + pace * t - m2 / total * stretch.rate(t); };
    // A slip that has just begun continues, because its speed there is only rounding.
    constexpr Real kBeginning = 1e-7L;
    const auto begins = [&](Real t) { return fromRest_ && omega * t < kBeginning; };
    const auto guard = [&](Real t) { return begins(t) ? 1.0L : static_cast<Real>(way_) * speed(t); };
    const Real last = until - t_;
    // x1'' = (k stretch + T)/m1 vanishes where the spring balances the friction.
    const std::vector<Real> turns = stretch.instantsOfPassingLevel(-traction / k, last);
    const std::optional<Real> end = firstGuardRoot(guard, turns, last);
    const Real tau = end.value_or(last);
    const Real middle = centre + drift * tau + 0.5L * pace * tau * tau;
    x1_ = middle - m2 / total * stretch.at(tau);
    x2_ = middle + m1 / total * stretch.at(tau);
    v1_ = end ? 0.0L : speed(tau);
    v2_ = drift + pace * tau + m1 / total * stretch.rate(tau);
    t_ = end ? t_ + tau : until;
    fromRest_ = begins(tau);
    if (!end) return;
    const Real pull = k * (x2_ - x1_);
    if (std::abs(pull) <= static_cast<Real>(s_.muStatic) * s_.normal) {
      way_ = 0;
      note(EventKind::slipToStick);
      return;
    }
    way_ = pull > 0.0L ? 1 : -1;
    fromRest_ = true;
    note(EventKind::slipReversal);
  }

  void note(EventKind kind) { result_.found.push_back({static_cast<double>(t_), 0, kind}); }
  void see(const Harmonic& stretch) {
    const Real swing = std::abs(stretch.centre) + stretch.amplitude();
    result_.farthest = std::max(result_.farthest, static_cast<double>(std::abs(x1_) + swing));
    result_.fastest =
        std::max(result_.fastest, static_cast<double>(std::abs(v1_) + stretch.omega * stretch.amplitude()));
  }

  const Shoe& s_;
  ShoeSolution result_;
  Real t_{0.0L}, x1_{0.0L}, x2_{0.0L}, v1_{0.0L}, v2_;
  int way_{0};  // direction of the slip; 0: stick
  bool fromRest_{false};
};

}  // namespace

ShoeSolution solveShoe(const Shoe& shoe) { return Solver(shoe).solve(); }

}  // namespace ricochet::test
