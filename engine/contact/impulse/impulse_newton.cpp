#include "engine/contact/impulse/impulse_newton.hpp"

#include "engine/contact/impulse/elastic_impulse.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr double kAdded = 1e-10;  // relative addition to the diagonal of W

bool isClosed(const ImpulseProblem& problem, std::size_t block, TrialState state) noexcept {
  return state == TrialState::natural ? problem.isContactPressedClosed(block) : state != TrialState::open;
}

}  // namespace

/// A linearized equation of a block for the changes dx of impulses and dy of rates: `wrong` + ofImpulse.dx +
/// ofRate.dy = 0.
struct ImpulseNewton::Row {
  std::array<double, 3> ofImpulse{};
  std::array<double, 3> ofRate{};
  double wrong{0.0};
};

ImpulseNewton::ImpulseNewton(int contacts)
    : matrix_(static_cast<std::size_t>(9 * contacts * contacts)),
      right_(static_cast<std::size_t>(3 * contacts)) {}

void ImpulseNewton::addEquationRow(const ImpulseProblem& problem, std::size_t block, std::size_t axis,
                                   const Row& row) noexcept {
  const Matrix& w = problem.compliances();
  double* entries = &matrix_[(3 * block + axis) * size_];
  std::fill(entries, entries + size_, 0.0);
  for (std::size_t a = 0; a < 3; ++a) {
    if (row.ofRate[a] == 0.0) continue;
    const auto k = static_cast<Eigen::Index>(3 * block + a);
    const double* column = w.col(k).data();
    for (std::size_t j = 0; j < size_; ++j) entries[j] += row.ofRate[a] * column[j];
    entries[k] += row.ofRate[a] * kAdded * w(k, k);
  }
  for (std::size_t a = 0; a < 3; ++a) entries[3 * block + a] += row.ofImpulse[a];
  right_[3 * block + axis] = -row.wrong;
}

void ImpulseNewton::addNormalEquationRow(const ImpulseProblem& problem, std::size_t block,
                                         TrialState state) noexcept {
  const ImpulseBlock& b = problem.blocks()[block];
  const double own = problem.complianceOfBlock(block).normal;
  Row row{{own > 0.0 ? own : 1.0, 0.0, 0.0}, {}, 0.0};
  if (b.normal == NormalRule::law) {
    const double h = problem.stepLength();
    const ForceSlope force = normalForce(b, b.rate[0], h);
    row.wrong = row.ofImpulse[0] * (b.impulse[0] - h * force.value);
    row.ofRate[0] = -row.ofImpulse[0] * h * force.slope;
  } else if (b.normal == NormalRule::unilateral && own > 0.0) {
    if (isClosed(problem, block, state))
      row = {{}, {1.0, 0.0, 0.0}, b.rate[0] - b.target};
    else
      row.wrong = own * b.impulse[0];
  }
  addEquationRow(problem, block, 0, row);
}

void ImpulseNewton::addFrictionDiscEquations(const ImpulseProblem& problem, std::size_t block,
                                             const ContactTrialState& trial) noexcept {
  const ImpulseBlock& b = problem.blocks()[block];
  const BlockCompliance& own = problem.complianceOfBlock(block);
  const double w = own.tangential[0];
  const std::array axes{own.fromPrincipalAxes({1.0, 0.0}), own.fromPrincipalAxes({0.0, 1.0})};
  Tangential<double> z = problem.frictionProjectionPoint(block);
  // The friction limit grows with x_n if the contact is closed.
  const bool grows =
      b.normal != NormalRule::given && b.impulse[0] >= b.pressed && isClosed(problem, block, trial.state);
  const double growth = grows ? b.coefficient : 0.0;
  const double limit = grows ? b.coefficient * b.impulse[0] : b.frictionLimit();
  double size = length(z);
  const bool sticks =
      trial.state == TrialState::natural ? size <= w * limit : trial.state == TrialState::stick;
  const bool isForced = trial.state == TrialState::slip;
  if (isForced) z = scaled(-1.0, trial.direction), size = 1.0;
  const Tangential<double> e = size > 0.0 ? scaled(1.0 / size, z) : Tangential<double>{};
  for (std::size_t k = 0; k < 2; ++k) {
    const Tangential<double>& u = axes[k];
    Row row;
    if (own.isLine && k == 1) {
      row = {{0.0, w * u.first, w * u.second}, {}, w * dot(u, b.frictionImpulse())};
    } else if (sticks) {
      row = {{}, {0.0, u.first, u.second}, dot(u, b.slipRate())};
    } else {  // slip: x_t = limit z/|z|, z = w x_t - y_t
      const double along = dot(u, e);
      row.wrong = w * (dot(u, b.frictionImpulse()) - limit * along);
      const double turning = own.isLine || isForced ? 0.0 : limit / size;
      const Tangential<double> turn = scaled(turning, u - scaled(along, e));
      row.ofImpulse = {-w * growth * along, w * (u.first - w * turn.first), w * (u.second - w * turn.second)};
      row.ofRate = {0.0, w * turn.first, w * turn.second};
    }
    addEquationRow(problem, block, k + 1, row);
  }
}

void ImpulseNewton::addTangentEquationRows(const ImpulseProblem& problem, std::size_t block,
                                           const ContactTrialState& trial) noexcept {
  const ImpulseBlock& b = problem.blocks()[block];
  const double w = problem.complianceOfBlock(block).tangential[0];
  const double unit = w > 0.0 ? w : 1.0;
  if (b.tangent == TangentRule::disc && w > 0.0) return addFrictionDiscEquations(problem, block, trial);
  std::array<Row, 2> rows{Row{{0.0, unit, 0.0}, {}, 0.0}, Row{{0.0, 0.0, unit}, {}, 0.0}};
  if (b.tangent == TangentRule::sliding) {
    rows[0].ofImpulse[0] = unit * b.coefficient * b.direction.first;
    rows[1].ofImpulse[0] = unit * b.coefficient * b.direction.second;
    rows[0].wrong = unit * (b.impulse[1] + b.coefficient * b.impulse[0] * b.direction.first);
    rows[1].wrong = unit * (b.impulse[2] + b.coefficient * b.impulse[0] * b.direction.second);
  } else if (b.tangent == TangentRule::law) {
    const double h = problem.stepLength();
    const TractionSlopes t = meanTractionOfBlock(b, b.slipRate(), h);
    const std::array value{t.value.first, t.value.second};
    for (std::size_t k = 0; k < 2; ++k) {
      rows[k].wrong = unit * (b.impulse[k + 1] - h * value[k]);
      rows[k].ofImpulse[0] = -unit * t.ofNormal[k];
      rows[k].ofRate = {0.0, -unit * h * t.ofSlip[k][0], -unit * h * t.ofSlip[k][1]};
    }
  }
  for (std::size_t k = 0; k < 2; ++k) addEquationRow(problem, block, k + 1, rows[k]);
}

/// Gaussian elimination with row pivots; the solution replaces the right side in `right_`.
bool ImpulseNewton::eliminateUnknowns() noexcept {
  const std::size_t n = size_;
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i)
      if (std::abs(matrix_[i * n + k]) > std::abs(matrix_[pivot * n + k])) pivot = i;
    if (!(std::abs(matrix_[pivot * n + k]) > 0.0)) return false;
    if (pivot != k) {
      std::swap_ranges(&matrix_[k * n + k], &matrix_[k * n] + n, &matrix_[pivot * n + k]);
      std::swap(right_[k], right_[pivot]);
    }
    const double* from = &matrix_[k * n];
    for (std::size_t i = k + 1; i < n; ++i) {
      double* to = &matrix_[i * n];
      if (to[k] == 0.0) continue;
      const double factor = to[k] / from[k];
      for (std::size_t j = k + 1; j < n; ++j) to[j] -= factor * from[j];
      right_[i] -= factor * right_[k];
    }
  }
  for (std::size_t k = n; k-- > 0;) {
    for (std::size_t j = k + 1; j < n; ++j) right_[k] -= matrix_[k * n + j] * right_[j];
    right_[k] /= matrix_[k * n + k];
  }
  return std::all_of(right_.begin(), right_.begin() + static_cast<std::ptrdiff_t>(n),
                     [](double x) { return std::isfinite(x); });
}

bool ImpulseNewton::takeNewtonStep(ImpulseProblem& problem,
                                   std::span<const ContactTrialState> states) noexcept {
  size_ = 3 * problem.size();
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const ContactTrialState trial = states.empty() ? ContactTrialState{} : states[i];
    addNormalEquationRow(problem, i, trial.state);
    addTangentEquationRows(problem, i, trial);
  }
  if (!eliminateUnknowns()) return false;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    ImpulseBlock& b = problem.blocks()[i];
    for (std::size_t axis = 0; axis < 3; ++axis) b.impulse[axis] += right_[3 * i + axis];
    // removes the rounding error of the solution
    if (b.tangent == TangentRule::none) b.impulse[1] = b.impulse[2] = 0.0;
  }
  problem.recomputeRates();
  return true;
}

bool ImpulseNewton::iterateNewton(ImpulseProblem& problem, int steps) noexcept {
  problem.recomputeRates();
  problem.saveImpulses();
  for (int i = 0; i <= steps; ++i) {
    if (problem.isSolved()) return true;
    if (i == steps || !takeNewtonStep(problem, {})) break;
  }
  problem.restoreImpulses();
  return false;
}

void ImpulseNewton::refineByNewtonSteps(ImpulseProblem& problem) noexcept {
  constexpr int kMost = 3;
  double wrong = problem.residual();
  for (int i = 0; i < kMost && wrong > 0.0; ++i) {
    problem.saveImpulses();
    const bool isSmaller = takeNewtonStep(problem, {}) && problem.residual() < wrong;
    if (!isSmaller) return problem.restoreImpulses();
    wrong = problem.residual();
  }
}

bool ImpulseNewton::solveFromTrialStates(ImpulseProblem& problem, std::span<const ContactTrialState> states,
                                         int corrections) noexcept {
  problem.saveImpulses();
  // The second step removes the effect of the addition to the diagonal of W, which could change the trial
  // state of a contact between two states.
  if (takeNewtonStep(problem, states) && (problem.isSolved() || takeNewtonStep(problem, states))) {
    for (int i = 0; i <= corrections; ++i) {
      if (problem.isSolved()) return true;
      if (i == corrections || !takeNewtonStep(problem, {})) break;
    }
  }
  problem.restoreImpulses();
  return false;
}

}  // namespace ricochet
