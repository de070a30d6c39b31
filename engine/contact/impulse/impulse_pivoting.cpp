#include "engine/contact/impulse/impulse_pivoting.hpp"

#include "engine/contact/impulse/elastic_impulse.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet {
namespace {

constexpr std::size_t kCorners = 8;
constexpr std::size_t kMostVariables = kCorners + 3;  // variables of one contact
constexpr double kSoftening = 1e-9;    // relative addition to the diagonal of W, which makes a solution exist
constexpr double kDisturbance = 1e-9;  // relative to the largest rate: no two rows reach 0 together

std::size_t largestContactCountForPivoting(int contacts) noexcept {
  return static_cast<std::size_t>(std::min(contacts, ImpulsePivoting::kMostContacts));
}

/// Normal law of a block, linearized about its present rate; if the contact is open there, about a rate at
/// which the contact is closed over a good part of the step.
struct LinearNormalLaw {
  double compliance{0.0};  // 0: the force is constant
  double closingRate{0.0};
};
LinearNormalLaw linearisedNormalLaw(const ImpulseBlock& b, double h) noexcept {
  const double closing = -b.gap / h;
  for (const double rate : {b.rate[0], closing - std::abs(closing)}) {
    const ForceSlope force = normalForce(b, rate, h);
    if (force.slope < 0.0) return {-1.0 / (h * force.slope), rate - force.value / force.slope};
  }
  return {};
}

}  // namespace

ImpulsePivoting::ImpulsePivoting(int contacts)
    : lemke_(kMostVariables * largestContactCountForPivoting(contacts)) {
  variables_.reserve(kMostVariables * largestContactCountForPivoting(contacts));
}

void ImpulsePivoting::addComplementarityVariablesOfFriction(const ImpulseProblem& problem, std::size_t block,
                                                            double unit, bool isPressFree) noexcept {
  const ImpulseBlock& b = problem.blocks()[block];
  const BlockCompliance& own = problem.complianceOfBlock(block);
  const Tangential<double> slip = own.toPrincipalAxes(b.slipRate());
  const double first =
      own.isLine || dot(slip, slip) == 0.0 ? 0.0 : std::atan2(slip.second, slip.first) + std::numbers::pi;
  const std::size_t corners = own.isLine ? 2 : kCorners;
  for (std::size_t k = 0; k < corners; ++k) {
    const double angle =
        first + 2.0 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(corners);
    const Tangential<double> d = own.isLine ? own.fromPrincipalAxes({k == 0 ? 1.0 : -1.0, 0.0})
                                            : own.fromPrincipalAxes({std::cos(angle), std::sin(angle)});
    const std::array<double, 3> direction{0.0, d.first, d.second};
    variables_.push_back({.kind = Kind::friction,
                          .block = block,
                          .direction = direction,
                          .row = direction,
                          .constant = -(d.first * b.surface.first + d.second * b.surface.second),
                          .unit = unit});
  }
  if (b.pressed > 0.0 && isPressFree)
    variables_.push_back({.kind = Kind::excess, .block = block, .limit = b.pressed, .unit = unit});
  const double limit = isPressFree ? b.coefficient * b.pressed : b.frictionLimit();
  variables_.push_back({.kind = Kind::slipBound, .block = block, .limit = limit, .unit = unit});
}

/// Adds the variables of a block and sets its impulses along them to 0.
void ImpulsePivoting::addComplementarityVariablesOfBlock(ImpulseProblem& problem,
                                                         std::size_t block) noexcept {
  const ImpulseBlock& b = problem.blocks()[block];
  const BlockCompliance& own = problem.complianceOfBlock(block);
  const double mean =
      (own.normal + own.tangential[0] + own.tangential[1]) / (own.tangential[1] > 0.0 ? 3 : 2);
  if (!(mean > 0.0)) return;
  const double unit = 1.0 / std::sqrt(mean);
  Variable normal{.kind = Kind::normal, .block = block, .direction = {1.0, 0.0, 0.0}, .unit = unit};
  normal.row = normal.direction;
  normal.constant = -b.target;
  if (b.normal == NormalRule::law) {
    const LinearNormalLaw law = linearisedNormalLaw(b, problem.stepLength());
    normal.compliance = law.compliance;
    normal.constant = -law.closingRate;
    if (!(law.compliance > 0.0))
      problem.setImpulse(block, 0,
                         problem.stepLength() * normalForce(b, b.rate[0], problem.stepLength()).value);
  }
  const bool isFree = b.normal == NormalRule::unilateral
                          ? own.normal > 0.0
                          : b.normal == NormalRule::law && normal.compliance > 0.0;
  if (b.tangent == TangentRule::sliding)
    normal.direction = {1.0, -b.coefficient * b.direction.first, -b.coefficient * b.direction.second};
  if (isFree) {
    variables_.push_back(normal);
    problem.setImpulse(block, 0, 0.0);
  }
  if (b.tangent == TangentRule::law) return;
  if (b.tangent == TangentRule::disc && own.tangential[0] > 0.0 && b.coefficient > 0.0)
    addComplementarityVariablesOfFriction(problem, block, unit, isFree);
  else if (b.tangent == TangentRule::disc && !(own.tangential[0] > 0.0))
    return;
  problem.setImpulse(block, 1, 0.0);
  problem.setImpulse(block, 2, 0.0);
}

void ImpulsePivoting::fillMatrixRow(const ImpulseProblem& problem, std::size_t row, double largest) noexcept {
  const Variable& own = variables_[row];
  const ImpulseBlock& b = problem.blocks()[own.block];
  const Matrix& w = problem.compliances();
  const bool isRate = own.kind == Kind::normal || own.kind == Kind::friction;
  if (isRate) {
    double constant = own.constant;
    for (std::size_t a = 0; a < 3; ++a) constant += own.row[a] * b.rate[a];
    lemke_.constantTerm(row) = own.unit * constant / largest;
  } else {
    lemke_.constantTerm(row) = (own.kind == Kind::excess ? kSoftening : 1.0) * own.limit / own.unit / largest;
  }
  for (std::size_t column = 0; column < variables_.size(); ++column) {
    const Variable& other = variables_[column];
    double& entry = lemke_.matrix(row, column);
    const bool isImpulse = other.kind == Kind::normal || other.kind == Kind::friction;
    if (isRate && isImpulse) {
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t c = 0; c < 3; ++c)
          if (own.row[a] != 0.0 && other.direction[c] != 0.0)
            entry += own.row[a] * other.direction[c] *
                     w(static_cast<Eigen::Index>(3 * own.block + a),
                       static_cast<Eigen::Index>(3 * other.block + c));
      if (row == column) entry += own.compliance;
      entry *= own.unit * other.unit;
      if (own.block == other.block)
        for (std::size_t a = 0; a < 3; ++a) entry += kSoftening * own.row[a] * other.direction[a];
      continue;
    }
    if (own.block != other.block) continue;
    if (own.kind == Kind::friction && other.kind == Kind::slipBound) entry = 1.0;
    if (own.kind == Kind::slipBound && other.kind == Kind::friction) entry = -1.0;
    if (own.kind == Kind::slipBound && other.kind == (b.pressed > 0.0 ? Kind::excess : Kind::normal))
      entry = b.coefficient;
    // Friction limit by `pressed`: the excess p = max(0, x_n - pressed) satisfies p >= 0 and p - x_n +
    // pressed >= 0.
    if (own.kind == Kind::excess && other.kind == Kind::excess) entry = kSoftening;
    if (own.kind == Kind::excess && other.kind == Kind::normal) entry = -kSoftening;
  }
}

bool ImpulsePivoting::solveComplementarity(ImpulseProblem& problem) noexcept {
  if (problem.size() > static_cast<std::size_t>(kMostContacts)) return false;
  variables_.clear();
  for (std::size_t i = 0; i < problem.size(); ++i) addComplementarityVariablesOfBlock(problem, i);
  problem.recomputeRates();
  lemke_.clear(variables_.size());
  double largest = 0.0;
  for (const Variable& v : variables_)
    for (const double rate : problem.blocks()[v.block].rate)
      largest = std::max(largest, v.unit * std::abs(rate));
  for (const Variable& v : variables_) largest = std::max(largest, v.unit * std::abs(v.constant));
  if (!(largest > 0.0)) largest = 1.0;
  for (std::size_t row = 0; row < variables_.size(); ++row) {
    fillMatrixRow(problem, row, largest);
    // Multiples of the golden ratio have no equal sums, so that no two pivots tie.
    const double part = static_cast<double>(row) * std::numbers::phi;
    lemke_.constantTerm(row) += kDisturbance * (1.0 + part - std::floor(part));
  }
  if (!lemke_.solve()) return false;
  for (std::size_t k = 0; k < variables_.size(); ++k) {
    const Variable& v = variables_[k];
    if (lemke_.solutionValue(k) == 0.0) continue;
    for (std::size_t a = 0; a < 3; ++a)
      problem.blocks()[v.block].impulse[a] += v.unit * largest * lemke_.solutionValue(k) * v.direction[a];
  }
  problem.recomputeRates();
  return true;
}

}  // namespace ricochet
