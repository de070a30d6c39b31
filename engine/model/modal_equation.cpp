#include "engine/model/modal_equation.hpp"

#include "engine/contact/contact_view.hpp"
#include "engine/model/run_memory.hpp"
#include "engine/model/transmitted_impulse.hpp"

#include <algorithm>

namespace ricochet {

LinearSystem::LinearSystem(const Vector& eigenvalues, const Matrix& generalizedDamping, bool diagonal)
    : modes(eigenvalues.size()),
      omegaSquared(Vector::Zero(paddedSize(modes))),
      dampingDiagonal(Vector::Zero(paddedSize(modes))) {
  omegaSquared.head(modes) = eigenvalues;
  dampingDiagonal.head(modes) = generalizedDamping.diagonal();
  if (!diagonal) damping = generalizedDamping;
}

ModalEquation::ModalEquation(const ModalModel& model)
    : model_(&model),
      contacts_(model.contacts),
      loads_(model.loads, model.linear.omegaSquared.size()),
      dampingLanes_(Matrix::Zero(kLanes, 4)),
      damping_{model.linear.dampingDiagonal.data(), dampingLanes_.col(0).data(), dampingLanes_.col(1).data(),
               dampingLanes_.col(2).data(), dampingLanes_.col(3).data()},
      damped_(model.linear.isDamped()),
      coupled_(Vector::Zero(model.linear.modes)),
      inverse_(Vector::Ones(model.linear.omegaSquared.size())),
      links_(model.links, model.contacts.size()),
      spins_(model.linear) {
  if (model.linear.damping)
    for (Factored& each : factored_) each.factor = Eigen::PartialPivLU<Matrix>(model.linear.modes);
  if (!model.coupling.empty())
    masslessParts_ = std::make_unique<CoupledRun>(model.coupling, contacts_, links_);
  if (CoupledError::doesCouplingDependOnRates(model.coupling, contacts_.contactSet(), links_.linkSet()))
    coupledError_ = std::make_unique<CoupledError>(model.coupling, contacts_.contactSet(), links_.linkSet());
}

CoupledError::Parts ModalEquation::errorOfCoupledPoints(const StepEnds& step) {
  return coupledError_ ? coupledError_->errorOfTrial(contacts_, links_, step) : CoupledError::Parts{};
}

void ModalEquation::addLinearForces(const Vector& q, const Vector& v, Vector& a) const noexcept {
  const LinearSystem& linear = model_->linear;
  a.array() -= linear.omegaSquared.array() * q.array();
  if (!damped_) return;
  if (linear.damping) {
    coupled_.noalias() = *linear.damping * v.head(linear.modes);
    a.head(linear.modes) -= coupled_;
  } else {
    a.array() -= linear.dampingDiagonal.array() * v.array();
  }
}

void ModalEquation::accelerationFromForce(const Vector& f, const Vector& q, const Vector& v,
                                          Vector& a) const noexcept {
  a = f;
  addLinearForces(q, v, a);
}

void ModalEquation::acceleration(double t, const Vector& q, const Vector& v, Vector& a) noexcept {
  if (!model_->linear.damping) return implicitAcceleration(t, 0.0, 0.0, q, v, a);
  force(t, q, v, 0.0, a, a);
  addLinearForces(q, v, a);
  if (!spins_.empty()) spins_.addGyroscopicForce(t, q, v, a);
}

void ModalEquation::invertImplicitDiagonal(double dq, double dv) noexcept {
  if (dq == invertedDq_ && dv == invertedDv_) return;
  invertedDq_ = dq;
  invertedDv_ = dv;
  const LinearSystem& linear = model_->linear;
  inverse_.array() = 1.0 / (1.0 + dv * linear.dampingDiagonal.array() + dq * linear.omegaSquared.array());
}

/// Factorization of the coupled matrix. With varying spin speeds the matrix differs at every instant and is
/// never reused.
const Eigen::PartialPivLU<Matrix>& ModalEquation::factorisedImplicitMatrix(double t, double dq,
                                                                           double dv) noexcept {
  for (const Factored& each : factored_)
    if (each.dq == dq && each.dv == dv && spins_.empty()) return each.factor;
  Factored& replaced = factored_[oldest_];
  oldest_ = 1 - oldest_;
  const LinearSystem& linear = model_->linear;
  system_ = dv * *linear.damping;
  system_.diagonal().array() += 1.0 + dq * linear.omegaSquared.head(linear.modes).array();
  if (!spins_.empty()) spins_.addGyroscopicMatricesTo(system_, t, dq, dv);
  replaced.factor.compute(system_);
  replaced.dq = dq;
  replaced.dv = dv;
  return replaced.factor;
}

void ModalEquation::implicitAcceleration(double t, double dq, double dv, const Vector& q, const Vector& v,
                                         Vector& a) noexcept {
  force(t, q, v, dv, a, a);
  const LinearSystem& linear = model_->linear;
  if (linear.damping) {
    addLinearForces(q, v, a);
    if (!spins_.empty()) spins_.addGyroscopicForce(t, q, v, a);
    coupled_ = a.head(linear.modes);
    a.head(linear.modes) = factorisedImplicitMatrix(t, dq, dv).solve(coupled_);
  } else {
    invertImplicitDiagonal(dq, dv);
    kernels::computeAccelerations(
        {linear.omegaSquared.data(), linear.dampingDiagonal.data(), inverse_.data()}, q.data(), v.data(),
        a.data(), a.size());
  }
}

kernels::RowForces ModalEquation::forcesAlongContactAndLinkRows(double t, const Vector& q, const Vector& v,
                                                                double dv, const Vector& a) noexcept {
  // With dv = 0, the vector `a` is not used and may contain any values.
  links_.evaluate(t, Motion{q.data(), v.data(), dv, dv == 0.0 ? v.data() : a.data()});
  return links_.forces(contacts_.forces());
}

void ModalEquation::acceptLinkStates(State& s, double h) noexcept {
  std::vector<Event>& events = contacts_.events();
  const std::size_t before = events.size();
  if (links_.acceptStep(h, events, s.v.data())) kicked_ = 0.0;
  if (events.size() > before) contacts_.sortContactEventsByTime(0);
}

void ModalEquation::applyLinkJumps(const State& s, double tolerance, double* force, bool contactsMoved) {
  const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
  const bool linksMoved = links_.advanceTimeFunctions(s.time, tolerance, motion, force, contacts_.events());
  if (linksMoved || contactsMoved) masslessParts_->applyDisplacementJumps(s, force, ledger_);
}

std::optional<double> ModalEquation::addMotionJumps(State& s, double tolerance) {
  const double before = kineticEnergy(s.v) + elasticEnergy(s.q);
  const std::optional<double> passed = loads_.addMotionJumps(s, tolerance);
  if (!passed) return passed;
  ledger_.external += kineticEnergy(s.v) + elasticEnergy(s.q) - before;
  std::fill_n(damping_.powerBefore, kLanes, 0.0);
  if (damped_) damping_.powerBefore[0] = dampingPower(s.v);
  if (!spins_.empty()) drivePower_ = spins_.powerOfSpinDrives(s.time, s.q, s.v);
  return passed;
}

void ModalEquation::settleAfterMotionJump(const State& s, double t) {
  const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
  Vector force = Vector::Zero(size());
  contacts_.settleAfterMotionJump(t, motion, force.data(), ledger_);
  links_.settleAfterMotionJump(t, motion, contacts_.events());
  if (masslessParts_) masslessParts_->applyDisplacementJumps(s, force.data(), ledger_);
}

void ModalEquation::prepareImplicitContact() {
  if (implicit_) return;
  balance_ = std::make_unique<ModalBalance>(model_->linear);
  implicit_.emplace(*balance_, contacts_.contactSet(), links_.empty() ? nullptr : &links_, &model_->coupling);
  for (Vector* each : {&free_, &qTrial_, &vTrial_}) *each = Vector::Zero(size());
}

bool ModalEquation::solveImplicit(double t, const ImplicitBalance& balance, const Vector& base,
                                  const Vector& q, const Vector& v, Vector& a) noexcept {
  if (!spins_.empty()) {
    balance_->setTime(t, spins_);
    implicit_->discardCompliance();
  }
  implicit_->prepareForceBalance(balance);
  qTrial_ = q + balance.dq * a;
  vTrial_ = v + balance.dv * a;
  kicked_ = 0.0;
  const Motion trial{qTrial_.data(), vTrial_.data(), 0.0, vTrial_.data()};
  contacts_.evaluate(t, trial);
  loads_.evaluateLoads(t, free_);
  worksAtEnd_ = true;
  addLinearForces(q, v, free_);
  if (!spins_.empty()) spins_.addGyroscopicForce(t, q, v, free_);
  free_ = base + balance.share * free_;
  balance_->applyInverse(free_);
  return implicit_->solve(contacts_, t, q, v, free_, a);
}

double ModalEquation::dampingPower(const double* v) const noexcept {
  const LinearSystem& linear = model_->linear;
  if (!linear.damping) return kernels::weightedSumOfSquares(linear.dampingDiagonal.data(), v, size());
  const Eigen::Map<const Vector> rates(v, linear.modes);
  coupled_.noalias() = *linear.damping * rates;
  return coupled_.dot(rates);
}

void ModalEquation::start(const State& s) noexcept {
  contacts_.start(s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
  links_.start(s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
  if (masslessParts_) masslessParts_->start(s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
  if (memory_ != nullptr)
    memory_->restoreRuns(contacts_, links_, s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
  loads_.start(s.time, s.q);
  dampingLanes_.setZero();
  if (damped_) damping_.powerBefore[0] = dampingPower(s.v);
  spins_.start(s.time);
  if (!spins_.empty()) drivePower_ = spins_.powerOfSpinDrives(s.time, s.q, s.v);
  ledger_ = {};
  startEnergyBalance(s);
}

void ModalEquation::advanceSpins(const State& s, double tolerance, Vector& forceLike) noexcept {
  if (spins_.advanceTimeFunctions(s.time, tolerance, s.q, forceLike))
    drivePower_ = spins_.powerOfSpinDrives(s.time, s.q, s.v);
}

void ModalEquation::addDriveWork(const State& s, double h) noexcept {
  const double power = spins_.powerOfSpinDrives(s.time, s.q, s.v);
  ledger_.external += 0.5 * h * (drivePower_ + power);
  drivePower_ = power;
}

/// Adds rare terms of the energy balance that no kernel sums; not inline, because few runs need this
/// function.
void ModalEquation::addEnergyTermsOfOptionalParts(const State& s, double h) noexcept {
  if (!spins_.empty()) addDriveWork(s, h);
  if (kicked_ != 0.5 * h) computeDampingLoss(s, h);
}

/// Computes the damping loss of a step when the closing kick did not.
void ModalEquation::computeDampingLoss(const State& s, double h) noexcept {
  const double power = dampingPower(s.v);
  const double before = Eigen::Map<const Vector>(damping_.powerBefore, kLanes).sum();
  std::copy_n(damping_.lostBefore, kLanes, damping_.lost);
  damping_.lost[0] += 0.5 * h * (before + power);
  std::fill_n(damping_.power, kLanes, 0.0);
  damping_.power[0] = power;
}

double ModalEquation::rateOfDampingPower(const State& s) const noexcept {
  const LinearSystem& linear = model_->linear;
  if (!linear.damping) return 2.0 * linear.dampingDiagonal.cwiseProduct(s.v).dot(s.a);
  const auto v = s.v.head(linear.modes);
  const auto a = s.a.head(linear.modes);
  coupled_.noalias() = *linear.damping * v;
  double rate = coupled_.dot(a);
  coupled_.noalias() = *linear.damping * a;
  rate += coupled_.dot(v);
  return rate;
}

void ModalEquation::refineEnergyTerms(const State& from, const State& to, double h) noexcept {
  ledger_.external += loads_.workMissedByTrapezoidalRule(from.v, to.v, h);
  if (damped_) ledger_.damping += h * h / 12.0 * (rateOfDampingPower(from) - rateOfDampingPower(to));
}

void ModalEquation::addEnergyTermCurvature(const State& from, const State& within, const State& to,
                                           EnergyLedger& ledger) const noexcept {
  const double h = to.time - from.time, theta = (within.time - from.time) / h;
  ledger.external += loads_.workOfLoadsWithinStep(from, within, theta, h) -
                     theta * loads_.workOfLoadsWithinStep(from, to, 1.0, h);
  if (!damped_) return;
  const double power = dampingPower(from.v.data()), rate = rateOfDampingPower(from);
  const auto lossUntil = [&](const State& s, double length) {
    return 0.5 * length * (power + dampingPower(s.v.data())) +
           length * length / 12.0 * (rate - rateOfDampingPower(s));
  };
  ledger.damping += lossUntil(within, theta * h) - theta * lossUntil(to, h);
}

double ModalEquation::boundOfTransmittedImpulse(double duration) const {
  return ricochet::boundOfTransmittedImpulse(
      contacts_, links_, duration, [this](const double* row) { return kernels::dot(row, row, size()); });
}

EnergyLedger ModalEquation::ledger(const State& s) const noexcept {
  EnergyLedger now = ledger_;
  now.external += loads_.workOfLoads();
  now.damping += Eigen::Map<const Vector>(damping_.lostBefore, kLanes).sum();
  now.kinetic = kineticEnergy(s.v);
  now.elastic = elasticEnergy(s.q);
  now.contact = contacts_.storedEnergy();
  if (masslessParts_) now.contact += masslessParts_->storedEnergy();
  if (links_.empty()) return now;
  now.contact += links_.storedEnergy();
  now.damping += links_.dissipatedEnergy();
  now.external += links_.externalWork();
  return now;
}

}  // namespace ricochet
