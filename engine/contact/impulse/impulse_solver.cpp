#include "engine/contact/impulse/impulse_solver.hpp"

#include "engine/contact/impulse/contact_impulse.hpp"
#include "engine/contact/impulse/elastic_impulse.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Rates of a block without its own impulses, the normal rate minus its target.
std::array<double, 3> ratesWithoutImpulseOfBlock(const ImpulseProblem& problem, std::size_t block) noexcept {
  const ImpulseBlock& b = problem.blocks()[block];
  const Matrix& w = problem.compliances();
  std::array<double, 3> rates{b.rate[0] - b.target, b.slipRate().first, b.slipRate().second};
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t c = 0; c < 3; ++c)
      rates[a] -= w(static_cast<Eigen::Index>(3 * block + a), static_cast<Eigen::Index>(3 * block + c)) *
                  b.impulse[c];
  return rates;
}

void solveImpulseOfUnilateralContact(ImpulseProblem& problem, std::size_t block) noexcept {
  ImpulseBlock& b = problem.blocks()[block];
  const BlockCompliance& own = problem.complianceOfBlock(block);
  const std::array<double, 3> rates = ratesWithoutImpulseOfBlock(problem, block);
  Tangential<double> slip = own.toPrincipalAxes({rates[1], rates[2]});
  if (own.isLine) slip.second = 0.0;
  const LocalImpulse x = solveImpulseOfContact({own, rates[0], slip, b.coefficient, b.pressed});
  const Tangential<double> friction = own.fromPrincipalAxes(x.friction);
  b.slides = x.slides;
  problem.setImpulse(block, 0, x.normal);
  problem.setImpulse(block, 1, friction.first);
  problem.setImpulse(block, 2, friction.second);
}

/// Solves a block whose slip direction e is known, x_t = -mu x_n e. If D_nn - mu D_nt.e is not positive
/// (Painleve), no impulse stops the contact; impulses of other contacts may change this.
void solveBlockWithKnownSlipDirection(ImpulseProblem& problem, std::size_t block) noexcept {
  constexpr double kLeastSchur = 1e-12;
  const ImpulseBlock& b = problem.blocks()[block];
  const BlockCompliance& own = problem.complianceOfBlock(block);
  const Tangential<double> e = b.direction;
  const double across = dot(Tangential<double>{own.across[0], own.across[1]}, own.toPrincipalAxes(e));
  const double schur = own.normal - b.coefficient * across;
  const double free = ratesWithoutImpulseOfBlock(problem, block)[0];
  if (free < 0.0 && !(schur > kLeastSchur * own.normal)) return;
  const double x = free < 0.0 ? -free / schur : 0.0;
  problem.setImpulse(block, 0, x);
  problem.setImpulse(block, 1, -b.coefficient * x * e.first);
  problem.setImpulse(block, 2, -b.coefficient * x * e.second);
}

/// Solves the normal impulse, then the tangential impulses of a block: for elastic laws, given normal
/// impulses and contacts without friction.
void solveNormalThenTangentialImpulses(ImpulseProblem& problem, std::size_t block) noexcept {
  ImpulseBlock& b = problem.blocks()[block];
  const double own = problem.complianceOfBlock(block).normal;
  const double free = b.rate[0] - own * b.impulse[0];
  if (b.normal == NormalRule::unilateral)
    problem.setImpulse(block, 0, own > 0.0 ? std::max(0.0, (b.target - free) / own) : 0.0);
  else if (b.normal == NormalRule::law)
    problem.setImpulse(block, 0, solveNormalLaw(b, free, own, problem.stepLength()));
  if (b.tangent == TangentRule::none) return;
  const Matrix& w = problem.compliances();
  const auto k = static_cast<Eigen::Index>(3 * block);
  const std::array<double, 3> d{w(k + 1, k + 1), w(k + 1, k + 2), w(k + 2, k + 2)};
  const Tangential<double> x = b.frictionImpulse();
  const Tangential<double> slip =
      b.slipRate() - Tangential<double>{d[0] * x.first + d[1] * x.second, d[1] * x.first + d[2] * x.second};
  Tangential<double> next;
  if (b.tangent == TangentRule::disc) {
    const DiscSolution solution = minimizeQuadraticOnFrictionDisc(d, slip, b.frictionLimit());
    next = solution.x;
    b.slides = solution.slides;
  } else if (b.tangent == TangentRule::sliding) {
    next = scaled(-b.frictionLimit(), b.direction);
  } else {
    next = solveFrictionLaw(b, d, slip, problem.stepLength());
  }
  problem.setImpulse(block, 1, next.first);
  problem.setImpulse(block, 2, next.second);
}

void solveImpulseOfBlockAlone(ImpulseProblem& problem, std::size_t block) noexcept {
  const ImpulseBlock& b = problem.blocks()[block];
  if (b.normal == NormalRule::unilateral && problem.complianceOfBlock(block).normal > 0.0) {
    if (b.tangent == TangentRule::disc) return solveImpulseOfUnilateralContact(problem, block);
    if (b.tangent == TangentRule::sliding) return solveBlockWithKnownSlipDirection(problem, block);
  }
  solveNormalThenTangentialImpulses(problem, block);
}

/// True if impulses of a contact change rates of another contact.
bool doContactImpulsesAffectOtherContacts(const ImpulseProblem& problem) noexcept {
  const Matrix& w = problem.compliances();
  const auto size = static_cast<Eigen::Index>(3 * problem.size());
  for (Eigen::Index j = 3; j < size; ++j)
    for (Eigen::Index i = 0; i < j - j % 3; ++i)
      if (w(i, j) != 0.0) return true;
  return false;
}

}  // namespace

ImpulseSolver::ImpulseSolver(int contacts)
    : newton_(contacts),
      pivoting_(contacts),
      least_(contacts),
      factor_(3 * contacts),
      rates_(static_cast<std::size_t>(3 * contacts)),
      states_(static_cast<std::size_t>(contacts)),
      start_(static_cast<std::size_t>(contacts)),
      found_(static_cast<std::size_t>(contacts)) {}

bool ImpulseSolver::sweepOverImpulseBlocks(ImpulseProblem& problem, int sweeps) noexcept {
  for (int i = 0; i < sweeps; ++i) {
    for (std::size_t block = 0; block < problem.size(); ++block) solveImpulseOfBlockAlone(problem, block);
    if (!problem.isSolved()) continue;
    if (!coupled_) return true;
    problem.recomputeRates();
    if (problem.isSolved()) return true;
  }
  return false;
}

bool ImpulseSolver::solveBySweepsAndNewtonSteps(ImpulseProblem& problem, ImpulseResult& result) noexcept {
  constexpr int kNewtonSteps = 25;
  for (const int sweeps : {3, 12, 48}) {
    result.method = ImpulseMethod::sweeps;
    if (sweepOverImpulseBlocks(problem, sweeps)) return true;
    result.method = ImpulseMethod::newton;
    if (newton_.iterateNewton(problem, kNewtonSteps)) return true;
  }
  return false;
}

bool ImpulseSolver::solveByPivoting(ImpulseProblem& problem) noexcept {
  constexpr int kRounds = 6;  // each round turns the octagons to the slip direction of the round before
  constexpr int kNewtonSteps = 25;
  constexpr int kSweeps = 32;
  for (int i = 0; i < kRounds; ++i) {
    if (!pivoting_.solveComplementarity(problem)) return false;
    if (newton_.iterateNewton(problem, kNewtonSteps)) return true;
    if (sweepOverImpulseBlocks(problem, kSweeps) || newton_.iterateNewton(problem, kNewtonSteps)) return true;
  }
  return false;
}

/// Tries all states of the blocks from `block` on with exactly `closed` closed contacts.
bool ImpulseSolver::tryStatesOfRemainingContacts(ImpulseProblem& problem, std::size_t block,
                                                 int closed) noexcept {
  if (block == problem.size())
    return closed == 0 &&
           newton_.solveFromTrialStates(problem, {states_.data(), problem.size()}, corrections_) &&
           !(mustDissipate_ && increasesEnergy(problem));
  const ImpulseBlock& b = problem.blocks()[block];
  states_[block] = {};
  if (b.normal != NormalRule::unilateral) return tryStatesOfRemainingContacts(problem, block + 1, closed);
  states_[block].state = TrialState::open;
  if (tryStatesOfRemainingContacts(problem, block + 1, closed)) return true;
  if (closed == 0) return false;
  states_[block].state = TrialState::stick;
  if (tryStatesOfRemainingContacts(problem, block + 1, closed - 1)) return true;
  if (b.tangent != TangentRule::disc) return false;
  const BlockCompliance& own = problem.complianceOfBlock(block);
  const std::array directions{Tangential<double>{1.0, 0.0}, Tangential<double>{-1.0, 0.0},
                              Tangential<double>{0.0, 1.0}, Tangential<double>{0.0, -1.0}};
  for (std::size_t k = 0; k < (own.isLine ? 2U : 4U); ++k) {
    states_[block] = {TrialState::slip, own.fromPrincipalAxes(directions[k])};
    if (tryStatesOfRemainingContacts(problem, block + 1, closed - 1)) return true;
  }
  return false;
}

/// Tries all combinations with 0, 1, 2, ... closed contacts, up to the rank of W: reactions of more contacts
/// than this rank are sums of reactions of fewer contacts.
bool ImpulseSolver::tryAllContactStates(ImpulseProblem& problem, bool& isComplete) noexcept {
  constexpr Eigen::Index kMostClosed = 6;
  Eigen::Index unilateral = 0;
  double states = 1.0;  // number of states of a closed contact
  isComplete = true;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const ImpulseBlock& b = problem.blocks()[i];
    const bool isDisc = b.tangent == TangentRule::disc;
    const bool isPlane = isDisc && !problem.complianceOfBlock(i).isLine;
    if (isDisc) states = std::max(states, isPlane ? 5.0 : 3.0);
    isComplete = isComplete && b.normal == NormalRule::unilateral && !isPlane && !(b.pressed > 0.0) &&
                 b.tangent != TangentRule::law;
    if (b.normal != NormalRule::unilateral) continue;
    ++unilateral;
    for (std::size_t axis = 0; axis < 3; ++axis) problem.setImpulse(i, axis, 0.0);
  }
  problem.recomputeRates();
  factor_.factorize(problem.compliances(), static_cast<Eigen::Index>(3 * problem.size()));
  const Eigen::Index most = std::min(unilateral, factor_.rank());
  const bool anyPlane = states > 3.0;
  const double mostCombinations = anyPlane ? 1500.0 : 6000.0;
  corrections_ = anyPlane ? 8 : 1;
  double combinations = 1.0;
  for (Eigen::Index closed = 0; closed <= most; ++closed) {
    isComplete = isComplete && closed <= kMostClosed && combinations <= mostCombinations;
    if (closed > kMostClosed || combinations > mostCombinations) break;
    if (tryStatesOfRemainingContacts(problem, 0, static_cast<int>(closed))) return true;
    combinations *= states * static_cast<double>(unilateral - closed) / static_cast<double>(closed + 1);
  }
  return false;
}

/// Removes the rounding differences between rates that depend linearly on each other.
void ImpulseSolver::makeFreeRatesCompatibleWithCompliance(ImpulseProblem& problem) noexcept {
  constexpr double kRoundings = 8.0;
  factor_.factorize(problem.compliances(), static_cast<Eigen::Index>(3 * problem.size()));
  if (!factor_.isRankDeficient()) return;
  double rounding = 0.0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    ImpulseBlock& b = problem.blocks()[i];
    rounding = std::max(rounding, kRoundings * b.rounding);
    rates_[3 * i] = b.rate[0] - b.target;
    rates_[3 * i + 1] = b.slipRate().first;
    rates_[3 * i + 2] = b.slipRate().second;
  }
  const std::span<const double> independent =
      factor_.solveIndependentRows({rates_.data(), 3 * problem.size()});
  for (std::size_t i = 0; i < problem.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double wrong =
          factor_.rowProduct(static_cast<Eigen::Index>(3 * i + axis), independent) - rates_[3 * i + axis];
      if (std::abs(wrong) <= rounding) problem.shiftRateWithoutImpulses(i, axis, wrong);
    }
}

bool ImpulseSolver::iterateNewton(ImpulseProblem& problem, double h) noexcept {
  constexpr int kNewtonSteps = 25;
  return problem.begin(h) == problem.size() && newton_.iterateNewton(problem, kNewtonSteps);
}

bool ImpulseSolver::solveFromStates(ImpulseProblem& problem,
                                    std::span<const ContactTrialState> states) noexcept {
  if (!newton_.solveFromTrialStates(problem, states, 0)) return false;
  problem.updateBlockStates();
  return true;
}

ImpulseResult ImpulseSolver::solve(ImpulseProblem& problem, double h) noexcept {
  constexpr int kLastSweeps = 2000;
  ImpulseResult result;
  if (const std::size_t bad = problem.begin(h); bad < problem.size())
    return {.status = ImpulseStatus::notFound, .troubled = problem.blocks()[bad].contact};
  coupled_ = doContactImpulsesAffectOtherContacts(problem);
  const auto isUnilateral = [](const ImpulseBlock& b) { return b.normal == NormalRule::unilateral; };
  const bool mayDepend = coupled_ && std::ranges::count_if(problem.blocks(), isUnilateral) > 1;
  if (mayDepend) makeFreeRatesCompatibleWithCompliance(problem);
  bool found = solveBySweepsAndNewtonSteps(problem, result);
  if (!found) {
    result.method = ImpulseMethod::pivots;
    found = solveByPivoting(problem);
  }
  bool isComplete = false;
  if (!found) {
    result.method = ImpulseMethod::enumeration;
    found = tryAllContactStates(problem, isComplete);
  }
  if (!found && !isComplete) {
    result.method = ImpulseMethod::sweeps;
    found = sweepOverImpulseBlocks(problem, kLastSweeps);
  }
  if (found) {
    if (result.method != ImpulseMethod::sweeps) problem.updateBlockStates();
    if (mayDepend && factor_.isRankDeficient()) result.isUnique = !least_.minimizeReactionNorm(problem);
    return result;
  }
  std::size_t worst = 0;
  problem.residual(&worst);
  result.status = isComplete ? ImpulseStatus::noSolution : ImpulseStatus::notFound;
  result.troubled = problem.blocks()[worst].contact;
  return result;
}

/// True if the impulses since the start of the impact do work on the bodies: the impulse times the mean of
/// its rates before and after, summed over the contacts.
bool ImpulseSolver::increasesEnergy(const ImpulseProblem& problem) const noexcept {
  constexpr double kSmall = 1e-9;      // relative to the work of each impulse at the rates before and after
  constexpr double kRoundings = 64.0;  // rates below so many roundings do no work
  double work = 0.0, small = 0.0;
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const ImpulseBlock& b = problem.blocks()[i];
    const std::array<double, 3> surface{0.0, b.surface.first, b.surface.second};
    for (std::size_t a = 0; a < 3; ++a) {
      const double impulse = 0.5 * (b.impulse[a] - start_[i][a]);
      const double before = start_[i][3 + a] - surface[a], after = b.rate[a] - surface[a];
      work += impulse * (before + after);
      small += std::abs(impulse) * (kSmall * (std::abs(before) + std::abs(after)) + kRoundings * b.rounding);
    }
  }
  return work > small;
}

ImpulseResult ImpulseSolver::solveImpact(ImpulseProblem& problem, double h) noexcept {
  for (std::size_t i = 0; i < problem.size(); ++i) {
    const ImpulseBlock& b = problem.blocks()[i];
    start_[i] = {b.impulse[0], b.impulse[1], b.impulse[2], b.rate[0], b.rate[1], b.rate[2]};
  }
  ImpulseResult result = solve(problem, h);
  const auto rebounds = [](const ImpulseBlock& b) { return b.target > 0.0; };
  if (!result.isSolved() || !result.isUnique || std::ranges::none_of(problem.blocks(), rebounds) ||
      !increasesEnergy(problem))
    return result;
  for (std::size_t i = 0; i < problem.size(); ++i) found_[i] = problem.blocks()[i].impulse;
  mustDissipate_ = true;
  bool isComplete = false;
  const bool other = tryAllContactStates(problem, isComplete);
  mustDissipate_ = false;
  if (other) {
    result.method = ImpulseMethod::enumeration;
  } else {
    for (std::size_t i = 0; i < problem.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) problem.setImpulse(i, axis, found_[i][axis]);
    problem.recomputeRates();
  }
  problem.updateBlockStates();
  return result;
}

}  // namespace ricochet
