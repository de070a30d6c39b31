#include "engine/model/implicit_contact.hpp"
#include "engine/numerics/bisection.hpp"

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

namespace ricochet {
namespace {

/// Line-search factor of the next Newton step. For a force like |v|^a a full step overshoots the root by (1/a
/// - 1) of its length; the slip of a point without inertia changes its direction with the motion because of
/// the dashpot of the stick. The factor is reduced if the residual grows and increased again if the residual
/// falls.
double nextLineSearchFactorOfNewton(double factor, std::span<const double> residuals) noexcept {
  constexpr double kShortest = 1.0 / 16.0, kGrowth = 1.5;
  const std::size_t n = residuals.size();
  if (n < 2) return factor;
  return residuals[n - 1] >= residuals[n - 2] ? std::max(0.5 * factor, kShortest)
                                              : std::min(1.0, kGrowth * factor);
}

}  // namespace

bool ImplicitContact::iterateNewton(const ContactRun& run) noexcept {
  // After this number of iterations every third step is halved, which ends cycles between branches of laws.
  constexpr int kWhole = 12;
  const bool searches = links_ != nullptr || coupling_ != nullptr;
  double factor = 1.0;
  bool isRefined = false;  // an additional step was taken after balance was found
  evaluateLaws(run);
  for (iterations_ = 0; iterations_ < kIterations;) {
    assembleEquations();
    if (!solveLinearEquations()) return false;
    // The first step makes balance and motion consistent, so it is never shortened.
    const bool halved = !searches && iterations_ >= kWhole && iterations_ % 3 == 0;
    applyNewtonStepToForces(halved ? 0.5 : factor);
    for (Active& active : active_)
      if (!active.rests) active.begins.reset();
    evaluateLaws(run);
    residuals_[static_cast<std::size_t>(iterations_++)] = largestForceResidual();
    if (searches) factor = nextLineSearchFactorOfNewton(factor, forceResiduals());
    if (!areAllContactsAndLinksBalanced(false)) continue;
    // Rates of points without inertia are differences of forces, hence the forces are solved to rounding.
    const double rest = kRounding * largestForce_;
    if (isRefined || coupling_ == nullptr || residuals_[static_cast<std::size_t>(iterations_ - 1)] <= rest)
      return true;
    isRefined = true;
  }
  return false;
}

/// Solves w = base + W lambda(w) for the acceleration w of one row with all other rows fixed, by bisection,
/// which needs no slope. NaN if no interval with a root was found.
double ImplicitContact::solvedAccelerationOfRow(const ContactRun& run, const Row& row, double base,
                                                double ownCompliance) noexcept {
  Active& active = active_[row.active];
  double& w = w_[static_cast<Eigen::Index>(active.firstRow + row.axis)];
  const auto excess = [&](double trial) {
    w = trial;
    // The shift of a coupled body follows the predicted force.
    active.predicted[row.axis] = (trial - base) / ownCompliance;
    evaluateLaw(run, active);
    return trial - base - ownCompliance * active.law.force[row.axis];
  };
  const double start = w;
  double reach = std::abs(excess(base));
  // The law has no force at the acceleration `base`, as a stop that is not reached.
  if (reach == 0.0) return base;
  double low = base, high = base;
  constexpr int kDoublings = 60;
  for (int i = 0; i < kDoublings && !(excess(low) < 0.0); ++i, reach *= 2.0) low -= reach;
  for (int i = 0; i < kDoublings && !(excess(high) >= 0.0); ++i, reach *= 2.0) high += reach;
  const bool found = excess(low) < 0.0 && excess(high) >= 0.0;
  const double root = found ? rootByBisection(low, high, excess) : start;
  w = root;
  return found ? root : std::numeric_limits<double>::quiet_NaN();
}

/// Balances one row after the other until all rows are in balance. This is slower than Newton's method, but
/// converges for laws with infinite slopes, such as dashpots |v|^a with a below 1.
bool ImplicitContact::solveRowsOneAfterAnother(const ContactRun& run) noexcept {
  constexpr int kSweeps = 30;
  w_ = free_;
  for (Active& active : active_) active.predicted = {};
  evaluateLaws(run);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const Row& row : rows_) {
      if (!canForcesMovePointAlongRow(row)) continue;
      double base = free_[&row - rows_.data()];
      for (const Row& other : rows_)
        if (&other != &row && canForcesMovePointAlongRow(other))
          base += compliance(row, other) * active_[other.active].predicted[other.axis];
      const double own = compliance(row, row);
      if (!(own > 0.0)) return false;
      const double w = solvedAccelerationOfRow(run, row, base, own);
      if (std::isnan(w)) return false;
      active_[row.active].predicted[row.axis] = (w - base) / own;
    }
    evaluateLaws(run);
    // The law alone determines the force on a point that cannot move.
    for (const Row& row : rows_)
      if (!canForcesMovePointAlongRow(row))
        active_[row.active].predicted[row.axis] = active_[row.active].law.force[row.axis];
    largestForceResidual();
    if (!areAllContactsAndLinksBalanced(true)) continue;
    distributeForcesAmongParallelRowsAtRest();
    return true;
  }
  return false;
}

/// True unless the stiffness of a law is positive semidefinite: then the law alone destabilises nothing.
bool ImplicitContact::canSolutionBeUnstable(const Active& active) const {
  constexpr double kRoundingOfLaw = 1e-14;  // relative to the largest stiffness
  Eigen::Matrix4d stiffness = Eigen::Matrix4d::Zero();
  for (std::size_t i = 0; i < active.axes; ++i)
    for (std::size_t j = 0; j < active.axes; ++j)
      stiffness(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j)) =
          -0.5 * (active.law.byPosition[i][j] + active.law.byPosition[j][i]);
  if (!stiffness.allFinite()) return false;  // an infinite slope is balanced by bisection
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> solver(stiffness, Eigen::EigenvaluesOnly);
  return solver.eigenvalues()[0] < -kRoundingOfLaw * solver.eigenvalues()[3];
}

/// For symmetric K, I - W K has as many negative eigenvalues as A - share dq B^t K B, because A is positive
/// definite.
bool ImplicitContact::isForceBalanceStable() {
  constexpr double kRoundingOfRoots = 1e-12;  // relative to the largest eigenvalue
  constexpr double kSplit = 1e-6;  // imaginary part of a double eigenvalue that rounding splits, relative
  if (std::ranges::none_of(active_, [&](const Active& each) { return canSolutionBeUnstable(each); }))
    return true;
  const auto n = static_cast<Eigen::Index>(rows_.size());
  assembleEquations();
  const Matrix matrix = jacobian_.topLeftCorner(n, n);
  if (!matrix.allFinite()) return true;
  const Eigen::EigenSolver<Matrix> solver(matrix, false);
  if (solver.info() != Eigen::Success) return true;
  const auto& roots = solver.eigenvalues();
  const double rest = kRoundingOfRoots * roots.cwiseAbs().maxCoeff();
  return std::ranges::none_of(roots, [&](const std::complex<double>& each) {
    return each.real() < -rest && std::abs(each.imag()) <= kSplit * std::abs(each.real());
  });
}

void ImplicitContact::findParallelLinks() {
  parallel_.resize(static_cast<std::size_t>(norms_.size()));
  for (int body = set_->size(); body < contactAndLinkCount(); ++body)
    for (int axis = 0; axis < static_cast<int>(kLinkAxes); ++axis) {
      const double* row = rowOfContactOrLink(body, axis);
      if (row == nullptr || isCoupled(body)) continue;
      const Eigen::Index index = ContactSet::kAxes * static_cast<Eigen::Index>(body) + axis;
      parallel_[static_cast<std::size_t>(index)].leader = index;
      for (Eigen::Index before = 0; before < index; ++before) {
        if (parallel_[static_cast<std::size_t>(before)].leader != before) continue;
        const double* other = rowOfContactOrLink(static_cast<int>(before / ContactSet::kAxes),
                                                 static_cast<int>(before % ContactSet::kAxes));
        const std::optional<double> factor = proportionalityFactorOfRows(row, other, set_->rowSize());
        if (!factor) continue;
        parallel_[static_cast<std::size_t>(index)] = {before, *factor};
        if (std::ranges::find(sharedLeaders_, before) == sharedLeaders_.end())
          sharedLeaders_.push_back(before);
        break;
      }
    }
}

/// Shares what links with parallel rows hold at rest, where a balance gives the sum of their forces alone.
void ImplicitContact::distributeForcesAmongParallelRowsAtRest() noexcept {
  if (sharedLeaders_.empty()) return;
  for (const Row& row : rows_)
    if (std::ranges::find(sharedLeaders_, row.index) != sharedLeaders_.end())
      distributeForceAmongParallelRowsAtRest(row);
}

/// Gives each link along a row the force of its law at the common rate, within rounding of the present one,
/// at which their forces have the sum of the balance. Laws that resist the motion have one such rate.
void ImplicitContact::distributeForceAmongParallelRowsAtRest(const Row& leader) noexcept {
  const LocalMotion motion = motionOfContactOrLink(active_[leader.active]);
  const auto forEach = [&](const auto& visit) {
    for (const Row& row : rows_)
      if (const ParallelAxis& along = parallel_[static_cast<std::size_t>(row.index)];
          along.leader == leader.index)
        visit(row, along.factor);
  };
  const auto forceAt = [&](const Row& row, double rate) {
    const Active& active = active_[row.active];
    LocalMotion moved = motionOfContactOrLink(active);
    moved.rate[row.axis] = rate;
    return tangentOfContactOrLink(active, moved).force[row.axis];
  };
  const auto missing = [&](double rate) {
    double sum = 0.0;
    forEach([&](const Row& row, double factor) {
      sum += factor * (active_[row.active].predicted[row.axis] - forceAt(row, factor * rate));
    });
    return sum;
  };
  const double free = std::abs(free_[static_cast<Eigen::Index>(&leader - rows_.data())]);
  const double within = kRounding * (norms_[leader.index] * scaleV_ + balance_.dv * free);
  const double low = motion.rate[leader.axis] - within, high = motion.rate[leader.axis] + within;
  if (!(missing(low) < 0.0 && missing(high) >= 0.0)) return;
  const double rate = rootByBisection(low, high, missing);
  const double left = missing(rate);
  forEach([&](const Row& row, double factor) {
    active_[row.active].predicted[row.axis] = forceAt(row, factor * rate);
  });
  active_[leader.active].predicted[leader.axis] += left;
}

/// True if the balance force of a link lies between the forces of its law at motions that differ from the
/// present motion by rounding. The rounding error is that of the free motion: a law that holds a body against
/// a load cancels the free motion.
bool ImplicitContact::isInsideForceJump(const Active& active) const noexcept {
  if (!isLink(active.contact)) return false;
  const LocalMotion motion = motionOfContactOrLink(active);
  std::array<double, 4> low = active.law.force, high = low;
  for (std::size_t axis = 0; axis < active.axes; ++axis) {
    const std::size_t row = active.firstRow + axis;
    const double norm = norms_[rows_[row].index], free = std::abs(free_[static_cast<Eigen::Index>(row)]);
    for (const double side : {-kRounding, kRounding}) {
      LocalMotion beside = motion;
      beside.position[axis] += side * (norm * scaleQ_ + balance_.dq * free);
      beside.rate[axis] += side * (norm * scaleV_ + balance_.dv * free);
      const ContactTangent law = tangentOfContactOrLink(active, beside);
      for (std::size_t i = 0; i < active.axes; ++i) {
        low[i] = std::min(low[i], law.force[i]);
        high[i] = std::max(high[i], law.force[i]);
      }
    }
  }
  const double allowed = kTolerance * largestForce_;
  for (std::size_t i = 0; i < active.axes; ++i)
    if (!(active.predicted[i] >= low[i] - allowed && active.predicted[i] <= high[i] + allowed)) return false;
  return true;
}

/// Makes friction laws that branch by steps keep their branch, or decide again. Returns false if there are no
/// such laws.
bool ImplicitContact::keepSticksAndSlips(ContactRun& run, bool kept) const noexcept {
  bool any = false;
  for (int i = 0; i < set_->size(); ++i) {
    if (!traitsOf(set_->contact(i).friction).branchesBySteps) continue;
    run.keepStickOrSlip(static_cast<std::size_t>(i), kept);
    any = true;
  }
  return any;
}

void ImplicitContact::evaluateTrial(ContactRun& run, const Vector& q, const Vector& v,
                                    const Vector& a) noexcept {
  qTrial_ = q + balance_.dq * a;
  vTrial_ = v + balance_.dv * a;
  const Motion motion{qTrial_.data(), vTrial_.data(), 0.0, vTrial_.data()};
  if (coupling_ != nullptr) storeDisplacementShifts(run);
  run.evaluate(time_, motion);
  if (links_ != nullptr) links_->evaluate(time_, motion);
}

bool ImplicitContact::solveWithActiveContactsAndLinks(ContactRun& run, const Vector& q, const Vector& v,
                                                      const Vector& free, Vector& a) noexcept {
  for (const Active& each : active_)
    if (!isLink(each.contact)) slot_[static_cast<std::size_t>(each.contact)] = -1;
  active_.clear();
  rows_.clear();
  troubled_ = -1;
  iterations_ = 0;
  addActiveLinks(run, q, v);
  for (;;) {
    addClosedContacts(run, q, v);
    const auto n = static_cast<Eigen::Index>(rows_.size());
    for (Eigen::Index i = 0; i < n; ++i) {
      const double* b = rows_[static_cast<std::size_t>(i)].coefficients;
      w_[i] = b == nullptr ? 0.0 : kernels::dot(b, a.data(), a.size());
      free_[i] = b == nullptr ? 0.0 : kernels::dot(b, free.data(), a.size());
      Row& row = rows_[static_cast<std::size_t>(i)];
      if (row.slope != nullptr) row.slopeOfFree = kernels::dot(row.slope, free.data(), a.size());
    }
    if (coupling_ != nullptr) {
      setInitialGuessesOfForces(run);
      findGrowthTimesOfForces(run);
    }
    scaleQ_ = q.norm() + balance_.dq * a.norm();
    scaleV_ = v.norm() + balance_.dv * a.norm();
    const bool maySweep = links_ != nullptr || coupling_ != nullptr;
    if (!iterateNewton(run) && !(maySweep && solveRowsOneAfterAnother(run))) return false;
    addForceResponses(free, a);
    evaluateTrial(run, q, v, a);
    if (doActiveRowsContainClosedContacts(run)) break;
  }
  return doContactForcesMatchSolution(run);
}

bool ImplicitContact::solve(ContactRun& run, double t, const Vector& q, const Vector& v, const Vector& free,
                            Vector& a) noexcept {
  time_ = t;
  elapsed_ = t - run.time();
  factorOfMean_ = run.contactPointShifts().weightOfMeanForceRate(elapsed_);
  discardTravellingRows();
  beganAfterJump_ = false;
  mayBeginAfterJump_ = true;
  if (solveWithActiveContactsAndLinks(run, q, v, free, a)) return true;
  if (beganAfterJump_) {
    mayBeginAfterJump_ = false;
    a = free;
    evaluateTrial(run, q, v, a);
    if (solveWithActiveContactsAndLinks(run, q, v, free, a)) return true;
  }
  if (!keepSticksAndSlips(run, true)) return false;
  a = free;
  evaluateTrial(run, q, v, a);
  const bool solved = solveWithActiveContactsAndLinks(run, q, v, free, a);
  keepSticksAndSlips(run, false);
  return solved;
}

}  // namespace ricochet
