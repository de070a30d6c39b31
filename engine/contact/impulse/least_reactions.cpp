#include "engine/contact/impulse/least_reactions.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Projects z = (n, t) on the cone |t| <= mu n, in place, and computes the derivatives of the projection.
void projectOnFrictionCone(std::span<double> z, double mu,
                           std::array<std::array<double, 3>, 3>& slopes) noexcept {
  slopes = {};
  const double normal = z[0];
  const double size = z.size() == 1 ? 0.0 : z.size() == 2 ? std::abs(z[1]) : std::hypot(z[1], z[2]);
  if (normal >= 0.0 && size <= mu * normal) {
    for (std::size_t k = 0; k < z.size(); ++k) slopes[k][k] = 1.0;
    return;
  }
  if (normal <= 0.0 && mu * size <= -normal) {
    std::fill(z.begin(), z.end(), 0.0);
    return;
  }
  const double factor = 1.0 / (1.0 + mu * mu);
  const double press = factor * (normal + mu * size);
  std::array<double, 3> edge{1.0, 0.0, 0.0};  // edge of the cone nearest to t, (1, mu e)
  for (std::size_t k = 1; k < z.size(); ++k) edge[k] = mu * z[k] / size;
  for (std::size_t i = 0; i < z.size(); ++i)
    for (std::size_t j = 0; j < z.size(); ++j) slopes[i][j] = factor * edge[i] * edge[j];
  for (std::size_t i = 1; i < z.size(); ++i)
    for (std::size_t j = 1; j < z.size(); ++j)
      slopes[i][j] += mu * press / size * ((i == j ? 1.0 : 0.0) - z[i] * z[j] / (size * size));
  for (std::size_t k = 0; k < z.size(); ++k) z[k] = press * edge[k];
}

}  // namespace

LeastReactions::LeastReactions(int contacts)
    : factor_(3 * contacts),
      compliance_(3 * contacts, 3 * contacts),
      hessian_(3 * contacts, 3 * contacts),
      slopes_(static_cast<std::size_t>(contacts)) {
  cones_.reserve(static_cast<std::size_t>(contacts));
  for (std::vector<double>* each : {&start_, &z_, &wanted_, &multipliers_, &gradient_, &step_, &trial_})
    each->resize(static_cast<std::size_t>(3 * contacts));
}

/// Adds the friction cone of a touching contact, with or without reaction.
void LeastReactions::addFrictionCone(const ImpulseProblem& problem, std::size_t block,
                                     double tolerance) noexcept {
  const ImpulseBlock& b = problem.blocks()[block];
  if (b.normal != NormalRule::unilateral || b.pressed > 0.0 || b.tangent == TangentRule::law) return;
  const double noise = std::max(tolerance, b.rounding);
  if (b.rate[0] - b.target > noise || !(problem.complianceOfBlock(block).normal > 0.0)) return;
  const std::size_t first = cones_.empty() ? 0 : cones_.back().first + cones_.back().size;
  Cone cone{block, first, 1, {1.0, 0.0, 0.0}, 0.0};
  const bool rubs = b.tangent == TangentRule::disc && problem.complianceOfBlock(block).tangential[0] > 0.0;
  if (rubs && ((!b.slides && !b.isOpen()) || lengthOfTangentialVector(b.slipRate()) <= noise)) {
    cone.size = problem.complianceOfBlock(block).isLine ? 2 : 3;
    cone.coefficient = b.coefficient;
  } else if (b.tangent != TangentRule::none) {  // the slip direction gives the ratio x_t/x_n
    Tangential<double> friction;
    if (b.tangent == TangentRule::sliding)
      friction = scaled(-b.coefficient, b.direction);
    else if (!b.isOpen())
      friction = scaled(1.0 / b.impulse[0], b.frictionImpulse());
    else if (rubs)
      friction = scaled(-b.coefficient / lengthOfTangentialVector(b.slipRate()), b.slipRate());
    cone.ray = {1.0, friction.first, friction.second};
  }
  cones_.push_back(cone);
}

/// Direction of the impulse of entry k of a cone.
std::array<double, 3> LeastReactions::modalDirectionOfConeAxis(const ImpulseProblem& problem,
                                                               const Cone& cone,
                                                               std::size_t k) const noexcept {
  if (k == 0) return cone.ray;
  const Tangential<double> u =
      problem.complianceOfBlock(cone.block).fromPrincipalAxes({k == 1 ? 1.0 : 0.0, k == 2 ? 1.0 : 0.0});
  return {0.0, u.first, u.second};
}

/// Fills the rates along the entries of the cones per impulse along them; with `heldRates`, the rate of a
/// slip is its gap rate, which its rule holds, not the rate along its impulse.
void LeastReactions::fillCompliance(const ImpulseProblem& problem, bool heldRates) noexcept {
  const Matrix& w = problem.compliances();
  for (const Cone& a : cones_)
    for (const Cone& b : cones_)
      for (std::size_t i = 0; i < a.size; ++i)
        for (std::size_t j = 0; j < b.size; ++j) {
          auto left = modalDirectionOfConeAxis(problem, a, i);
          const auto right = modalDirectionOfConeAxis(problem, b, j);
          if (heldRates && i == 0) left = {1.0, 0.0, 0.0};
          double sum = 0.0;
          for (std::size_t k = 0; k < 3; ++k)
            for (std::size_t l = 0; l < 3; ++l)
              if (left[k] != 0.0 && right[l] != 0.0)
                sum +=
                    left[k] * right[l] *
                    w(static_cast<Eigen::Index>(3 * a.block + k), static_cast<Eigen::Index>(3 * b.block + l));
          compliance_(static_cast<Eigen::Index>(a.first + i), static_cast<Eigen::Index>(b.first + j)) = sum;
        }
}

/// Computes |P(L l)|^2/2 - wanted.l at the multipliers l, z_ = P(L l), and on request gradient and Hessian.
double LeastReactions::evaluateDualOfLeastNormProblem(std::span<const double> multipliers,
                                                      bool withSlopes) noexcept {
  const std::size_t rank = multipliers.size();
  double value = 0.0;
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const Cone& cone = cones_[c];
    const std::span<double> z(&z_[cone.first], cone.size);
    for (std::size_t k = 0; k < cone.size; ++k)
      z[k] = factor_.rowProduct(static_cast<Eigen::Index>(cone.first + k), multipliers);
    projectOnFrictionCone(z, cone.coefficient, slopes_[c]);
    for (const double each : z) value += 0.5 * each * each;
  }
  for (std::size_t i = 0; i < rank; ++i) value -= wanted_[i] * multipliers[i];
  if (!withSlopes) return value;
  const auto size = static_cast<Eigen::Index>(rank);
  hessian_.topLeftCorner(size, size).setZero();
  for (std::size_t i = 0; i < rank; ++i) gradient_[i] = -wanted_[i];
  for (std::size_t c = 0; c < cones_.size(); ++c) {
    const Cone& cone = cones_[c];
    for (std::size_t k = 0; k < cone.size; ++k) {
      const auto row = static_cast<Eigen::Index>(cone.first + k);
      for (Eigen::Index i = 0; i < size; ++i) {
        gradient_[static_cast<std::size_t>(i)] += factor_.entry(row, i) * z_[cone.first + k];
        for (std::size_t l = 0; l < cone.size; ++l) {
          const double factor = slopes_[c][k][l] * factor_.entry(row, i);
          if (factor == 0.0) continue;
          for (Eigen::Index j = 0; j < size; ++j)
            hessian_(i, j) += factor * factor_.entry(static_cast<Eigen::Index>(cone.first + l), j);
        }
      }
    }
  }
  return value;
}

/// Solves step = -hessian^-1 gradient by Cholesky's method with a small addition to the diagonal.
bool LeastReactions::solveNewton(std::size_t rank) noexcept {
  const auto n = static_cast<Eigen::Index>(rank);
  double trace = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) trace += hessian_(i, i);
  for (Eigen::Index i = 0; i < n; ++i) hessian_(i, i) += 1e-13 * trace;
  for (Eigen::Index k = 0; k < n; ++k) {
    for (Eigen::Index j = 0; j < k; ++j)
      for (Eigen::Index i = k; i < n; ++i) hessian_(i, k) -= hessian_(k, j) * hessian_(i, j);
    if (!(hessian_(k, k) > 0.0)) return false;
    const double root = std::sqrt(hessian_(k, k));
    for (Eigen::Index i = k; i < n; ++i) hessian_(i, k) /= root;
  }
  for (Eigen::Index i = 0; i < n; ++i) {
    double value = -gradient_[static_cast<std::size_t>(i)];
    for (Eigen::Index j = 0; j < i; ++j) value -= hessian_(i, j) * step_[static_cast<std::size_t>(j)];
    step_[static_cast<std::size_t>(i)] = value / hessian_(i, i);
  }
  for (Eigen::Index i = n; i-- > 0;) {
    double value = step_[static_cast<std::size_t>(i)];
    for (Eigen::Index j = i + 1; j < n; ++j) value -= hessian_(j, i) * step_[static_cast<std::size_t>(j)];
    step_[static_cast<std::size_t>(i)] = value / hessian_(i, i);
  }
  return true;
}

/// One Newton step, halved until the function decreases; false if no part of the step decreases it.
bool LeastReactions::takeNewtonStep(double& value) noexcept {
  const auto rank = static_cast<std::size_t>(factor_.rank());
  if (!solveNewton(rank)) return false;
  double slope = 0.0;
  for (std::size_t i = 0; i < rank; ++i) slope += gradient_[i] * step_[i];
  const std::span<const double> trial(trial_.data(), rank);
  for (double part = 1.0; part > 1e-6; part *= 0.5) {
    for (std::size_t i = 0; i < rank; ++i) trial_[i] = multipliers_[i] + part * step_[i];
    const double next = evaluateDualOfLeastNormProblem(trial, false);
    if (!(next <= value + 1e-4 * part * slope + 1e-15 * std::abs(value))) continue;
    std::swap(multipliers_, trial_);
    value = next;
    return true;
  }
  return false;
}

bool LeastReactions::hasSlidingContact() const noexcept {
  return std::ranges::any_of(cones_,
                             [](const Cone& cone) { return cone.ray[1] != 0.0 || cone.ray[2] != 0.0; });
}

bool LeastReactions::minimizeReactionNorm(ImpulseProblem& problem) noexcept {
  constexpr double kTouching = 10.0;  // relative to the tolerance of the problem
  cones_.clear();
  const double touching = kTouching * problem.residualTolerance();
  for (std::size_t i = 0; i < problem.size(); ++i) addFrictionCone(problem, i, touching);
  if (cones_.empty()) return false;
  const auto size = static_cast<Eigen::Index>(cones_.back().first + cones_.back().size);
  bool isRankDeficient = false;
  if (hasSlidingContact()) {
    fillCompliance(problem, true);
    factor_.orthonormaliseRows(compliance_, size);
    isRankDeficient = factor_.isRankDeficient();
    if (isRankDeficient && minimizeReactionNormOnBasis(problem)) return true;
  }
  // If a slip turned, the impulses of the same motion are left to choose from.
  fillCompliance(problem, false);
  factor_.factorize(compliance_, size);
  if (!factor_.isRankDeficient()) return isRankDeficient;
  minimizeReactionNormOnBasis(problem);
  return true;
}

/// Replaces the impulses by those of least norm with the same held rates; returns false, with the impulses
/// unchanged, if they do not satisfy the rules of all contacts.
bool LeastReactions::minimizeReactionNormOnBasis(ImpulseProblem& problem) noexcept {
  constexpr int kNewtonSteps = 40;
  // Sought and largest allowed error of the held rates, relative to the largest of them.
  constexpr double kBalanced = 1e-15, kAllowed = 1e-12;
  const std::size_t size = cones_.back().first + cones_.back().size;
  for (const Cone& cone : cones_) {
    const ImpulseBlock& b = problem.blocks()[cone.block];
    start_[cone.first] = b.impulse[0];
    const Tangential<double> friction =
        problem.complianceOfBlock(cone.block).toPrincipalAxes(b.frictionImpulse());
    if (cone.size > 1) start_[cone.first + 1] = friction.first;
    if (cone.size > 2) start_[cone.first + 2] = friction.second;
  }
  const auto rank = static_cast<std::size_t>(factor_.rank());
  double largest = 0.0;
  for (std::size_t i = 0; i < rank; ++i) {
    wanted_[i] = multipliers_[i] = 0.0;
    for (std::size_t k = 0; k < size; ++k)
      wanted_[i] += factor_.entry(static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i)) * start_[k];
    largest = std::max(largest, std::abs(wanted_[i]));
  }
  const std::span<const double> multipliers(multipliers_.data(), rank);
  double wrong = 0.0;
  double value = evaluateDualOfLeastNormProblem(multipliers, true);
  for (int i = 0; i < kNewtonSteps; ++i) {
    wrong = 0.0;
    for (std::size_t k = 0; k < rank; ++k) wrong = std::max(wrong, std::abs(gradient_[k]));
    if (wrong <= kBalanced * largest || !takeNewtonStep(value)) break;
    value = evaluateDualOfLeastNormProblem({multipliers_.data(), rank}, true);
  }
  if (!(wrong <= kAllowed * largest)) return false;  // not converged
  problem.saveImpulses();
  for (const Cone& cone : cones_) {
    std::array<double, 3> x{};
    for (std::size_t k = 0; k < cone.size; ++k) {
      const auto along = modalDirectionOfConeAxis(problem, cone, k);
      for (std::size_t a = 0; a < 3; ++a) x[a] += z_[cone.first + k] * along[a];
    }
    problem.blocks()[cone.block].impulse = x;
  }
  problem.recomputeRates();
  const bool isSolved = problem.isSolved();
  if (!isSolved) problem.restoreImpulses();
  problem.updateBlockStates();
  return isSolved;
}

}  // namespace ricochet
