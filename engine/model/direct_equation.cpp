#include "engine/model/direct_equation.hpp"

#include "engine/contact/contact_view.hpp"
#include "engine/model/run_memory.hpp"
#include "engine/model/transmitted_impulse.hpp"

namespace ricochet {
namespace {

constexpr std::size_t kInversesKept = 4;
constexpr std::size_t kInversesPinned = 2;

}  // namespace

DirectEquation::DirectEquation(const DirectModel& model)
    : model_(&model),
      contacts_(model.contacts),
      links_(model.links, model.contacts.size()),
      loads_(model.loads, paddedSize(model.linear.size())),
      force_(Vector::Zero(paddedSize(model.linear.size()))),
      zero_(Vector::Zero(model.contacts.rowSize())),
      modal_(Vector::Zero(model.linear.dampingRates.size())),
      product_(Vector::Zero(model.linear.size())),
      atContacts_(model.contacts.rowSize()) {
  for (Vector* z : {&zY_, &zV_, &zA_, &zForce_, &zTrialY_, &zTrialV_}) *z = zero_;
  if (!model.coupling.empty())
    masslessParts_ = std::make_unique<CoupledRun>(model.coupling, contacts_, links_);
  factorisedMass();
}

void DirectEquation::gatherContactDofs(const Vector& x, Vector& z) const noexcept {
  const std::vector<Eigen::Index>& dofs = model_->contactDofs;
  for (std::size_t i = 0; i < dofs.size(); ++i) z[static_cast<Eigen::Index>(i)] = x[dofs[i]];
}

void DirectEquation::addContactDofs(const Vector& z, Vector& x) const noexcept {
  const std::vector<Eigen::Index>& dofs = model_->contactDofs;
  for (std::size_t i = 0; i < dofs.size(); ++i) x[dofs[i]] += z[static_cast<Eigen::Index>(i)];
}

const State& DirectEquation::stateInContactCoordinates(const State& s) const noexcept {
  atContacts_.time = s.time;
  gatherContactDofs(s.q, atContacts_.q);
  gatherContactDofs(s.v, atContacts_.v);
  gatherContactDofs(s.a, atContacts_.a);
  return atContacts_;
}

DirectEquation::Inverse& DirectEquation::effectiveMassInverse(double dq, double dv) {
  for (const auto& each : inverses_)
    if (each->dq == dq && each->dv == dv) return *each;
  auto made = std::make_unique<Inverse>(Inverse{dq, dv, DirectFactor(model_->linear, dq, dv), {}, {}});
  ++made_;
  fill_ = std::max(fill_, made->factor.factorEntryCount());
  if (inverses_.size() < kInversesKept) return *inverses_.emplace_back(std::move(made));
  std::unique_ptr<Inverse>& replaced = inverses_[kInversesPinned + oldest_];
  oldest_ = (oldest_ + 1) % (kInversesKept - kInversesPinned);
  replaced = std::move(made);
  return *replaced;
}

void DirectEquation::computeContactDofResponses(Inverse& inverse) {
  const auto count = static_cast<Eigen::Index>(model_->contactDofs.size());
  if (inverse.responses.cols() == count) return;
  inverse.responses = Matrix::Zero(size(), count);
  inverse.compliance = Matrix::Zero(zero_.size(), count);
  for (Eigen::Index i = 0; i < count; ++i)
    inverse.responses(model_->contactDofs[static_cast<std::size_t>(i)], i) = 1.0;
  inverse.factor.solve(inverse.responses);
  for (Eigen::Index i = 0; i < count; ++i)
    inverse.compliance.row(i) = inverse.responses.row(model_->contactDofs[static_cast<std::size_t>(i)]);
}

void DirectEquation::limitLinkDamping(double h) {
  Vector response = zero_;
  links_.limitDamping(h, [&](const double* a, const double* b) {
    prepareCompliance(0.0, 0.0);
    computeUnitForceResponse(b, response.data());
    return kernels::dot(a, response.data(), response.size());
  });
}

void DirectEquation::prepareCompliance(double dq, double dv) {
  Inverse& wanted = effectiveMassInverse(dq, dv);
  computeContactDofResponses(wanted);
  prepared_ = &wanted;
}

void DirectEquation::computeUnitForceResponse(const double* row, double* response) noexcept {
  const Eigen::Map<const Vector> b(row, zero_.size());
  Eigen::Map<Vector>(response, zero_.size()).noalias() =
      prepared_->compliance * b.head(prepared_->compliance.cols());
}

/// Subtracts damping and elastic forces: f -= C v + K y.
void DirectEquation::subtractLinearForces(const Vector& y, const Vector& v, Vector& f) const noexcept {
  const DirectSystem& linear = model_->linear;
  const Eigen::Index n = linear.size();
  f.head(n).noalias() -= linear.stiffness * y.head(n);
  if (linear.damping.nonZeros() > 0) f.head(n).noalias() -= linear.damping * v.head(n);
  if (!linear.hasModalDamping()) return;
  modal_.noalias() = linear.dampingShapes.transpose() * v.head(n);
  modal_.array() *= linear.dampingRates.array();
  f.head(n).noalias() -= linear.dampingShapes * modal_;
}

/// Computes force_ = loads + contact forces, the contacts at velocity v + dv a.
void DirectEquation::evaluateForces(double t, const Vector& y, const Vector& v, double dv, const Vector& a) {
  gatherContactDofs(y, zY_);
  gatherContactDofs(v, zV_);
  if (dv != 0.0) gatherContactDofs(a, zA_);
  const Motion motion{zY_.data(), zV_.data(), dv, dv == 0.0 ? zV_.data() : zA_.data()};
  contacts_.evaluate(t, motion);
  if (masslessParts_) masslessParts_->solve(t, motion);
  loads_.evaluateLoads(t, force_);
  contacts_.addForces(zero_.data(), zForce_.data());
  if (!links_.empty()) {
    links_.evaluate(t, motion);
    links_.addForces(zForce_.data());
  }
  addContactDofs(zForce_, force_);
}

void DirectEquation::force(double t, const Vector& y, const Vector& v, double dv, const Vector& a,
                           Vector& f) {
  evaluateForces(t, y, v, dv, a);
  f = force_;
  factorisedMass().solve(f);
}

void DirectEquation::acceleration(double t, const Vector& y, const Vector& v, Vector& a) {
  implicitAcceleration(t, 0.0, 0.0, y, v, a);
}

void DirectEquation::implicitAcceleration(double t, double dq, double dv, const Vector& y, const Vector& v,
                                          Vector& a) {
  evaluateForces(t, y, v, dv, a);
  subtractLinearForces(y, v, force_);
  a = force_;
  effectiveMassInverse(dq, dv).factor.solve(a);
}

void DirectEquation::prepareImplicitContact() {
  if (!implicit_)
    implicit_.emplace(static_cast<ContactCompliance&>(*this), contacts_.contactSet(),
                      links_.empty() ? nullptr : &links_, &model_->coupling);
}

bool DirectEquation::solveImplicit(double t, const ImplicitBalance& balance, const Vector& base,
                                   const Vector& y, const Vector& v, Vector& a) {
  const Eigen::Index n = model_->linear.size();
  implicit_->prepareForceBalance(balance);
  gatherContactDofs(y, zY_);
  gatherContactDofs(v, zV_);
  gatherContactDofs(a, zA_);
  loads_.evaluateLoads(t, force_);
  subtractLinearForces(y, v, force_);
  a = balance.share * force_;
  a.head(n).noalias() += model_->linear.mass * base.head(n);
  prepared_->factor.solve(a);

  zTrialY_ = zY_ + balance.dq * zA_;
  zTrialV_ = zV_ + balance.dv * zA_;
  contacts_.evaluate(t, Motion{zTrialY_.data(), zTrialV_.data(), 0.0, zTrialV_.data()});
  gatherContactDofs(a, zForce_);
  if (!implicit_->solve(contacts_, t, zY_, zV_, zForce_, zA_)) return false;
  if (!implicit_->hasForces()) return true;
  zForce_.setZero();
  implicit_->addForces(zForce_);
  zForce_ *= balance.share;
  a.noalias() += prepared_->responses * zForce_.head(prepared_->responses.cols());
  return true;
}

double DirectEquation::kineticEnergy(const Vector& v) const noexcept {
  const auto head = v.head(model_->linear.size());
  product_.noalias() = model_->linear.mass * head;
  return 0.5 * head.dot(product_);
}

double DirectEquation::elasticEnergy(const Vector& y) const noexcept {
  const auto head = y.head(model_->linear.size());
  product_.noalias() = model_->linear.stiffness * head;
  return 0.5 * head.dot(product_);
}

double DirectEquation::dampingPower(const Vector& v) const noexcept {
  const DirectSystem& linear = model_->linear;
  const auto head = v.head(linear.size());
  double power = 0.0;
  if (linear.damping.nonZeros() > 0) {
    product_.noalias() = linear.damping * head;
    power = head.dot(product_);
  }
  if (linear.hasModalDamping()) {
    modal_.noalias() = linear.dampingShapes.transpose() * head;
    power += (linear.dampingRates.array() * modal_.array().square()).sum();
  }
  return power;
}

void DirectEquation::start(const State& s) {
  const State& z = stateInContactCoordinates(s);
  contacts_.start(s.time, Motion{z.q.data(), z.v.data(), 0.0, z.v.data()});
  links_.start(s.time, Motion{z.q.data(), z.v.data(), 0.0, z.v.data()});
  if (masslessParts_) masslessParts_->start(s.time, Motion{z.q.data(), z.v.data(), 0.0, z.v.data()});
  if (memory_ != nullptr)
    memory_->restoreRuns(contacts_, links_, s.time, Motion{z.q.data(), z.v.data(), 0.0, z.v.data()});
  loads_.start(s.time, s.q);
  dampingPower_ = dampingPower(s.v);
  ledger_ = {};
  startEnergyBalance(s);
}

void DirectEquation::advanceTimeFunctions(const State& s, double tolerance, Vector& forceLike) {
  force_.setZero();
  bool jumped = loads_.advanceTimeFunctions(s.time, tolerance, force_);
  const State& z = stateInContactCoordinates(s);
  zForce_.setZero();
  const Motion motion{z.q.data(), z.v.data(), 0.0, z.v.data()};
  const bool contactsMoved =
      contacts_.advanceTimeFunctions(s.time, tolerance, motion, zForce_.data(), ledger_);
  const bool linksMoved =
      links_.advanceTimeFunctions(s.time, tolerance, motion, zForce_.data(), contacts_.events());
  if (contactsMoved || linksMoved) masslessParts_->applyDisplacementJumps(z, zForce_.data(), ledger_);
  if (!zForce_.isZero(0.0)) {
    addContactDofs(zForce_, force_);
    jumped = true;
  }
  if (!jumped) return;
  factorisedMass().solve(force_);
  forceLike += force_;
}

std::optional<double> DirectEquation::addMotionJumps(State& s, double tolerance) {
  const double before = kineticEnergy(s.v) + elasticEnergy(s.q);
  const std::optional<double> passed = loads_.addMotionJumps(s, tolerance);
  if (!passed) return passed;
  ledger_.external += kineticEnergy(s.v) + elasticEnergy(s.q) - before;
  dampingPower_ = dampingPower(s.v);
  return passed;
}

void DirectEquation::settleAfterMotionJump(const State& s, double t) {
  const State& z = stateInContactCoordinates(s);
  const Motion motion{z.q.data(), z.v.data(), 0.0, z.v.data()};
  zForce_.setZero();
  contacts_.settleAfterMotionJump(t, motion, zForce_.data(), ledger_);
  links_.settleAfterMotionJump(t, motion, contacts_.events());
  if (masslessParts_) masslessParts_->applyDisplacementJumps(z, zForce_.data(), ledger_);
}

void DirectEquation::acceptStep(State& s, double h) {
  zForce_.setZero();
  const EnergyLedger before = ledger_;
  bool jumped = contacts_.acceptStep(s.time, h, ledger_, zForce_.data());
  if (!links_.empty()) jumped |= links_.acceptStep(h, contacts_.events(), zForce_.data());
  if (masslessParts_) masslessParts_->acceptStep(stateInContactCoordinates(s), before, ledger_);
  if (jumped) {
    force_.setZero();
    addContactDofs(zForce_, force_);
    factorisedMass().solve(force_);
    s.v += force_;
  }
  ledger_.external += loads_.workOfLoadsUpToDisplacement(s.q);
  loads_.acceptStep();
  if (!model_->linear.isDamped()) return;
  const double power = dampingPower(s.v);
  ledger_.damping += 0.5 * h * (dampingPower_ + power);
  dampingPower_ = power;
}

double DirectEquation::boundOfTransmittedImpulse(double duration) {
  Vector row(size()), response(size());
  return ricochet::boundOfTransmittedImpulse(contacts_, links_, duration, [&](const double* along) {
    row.setZero();
    addContactDofs(Eigen::Map<const Vector>(along, zero_.size()), row);
    response = row;
    factorisedMass().solve(response);
    return row.dot(response);
  });
}

EnergyLedger DirectEquation::ledger(const State& s) const noexcept {
  EnergyLedger now = ledger_;
  now.kinetic = kineticEnergy(s.v);
  now.elastic = elasticEnergy(s.q);
  now.contact = contacts_.storedEnergy() + links_.storedEnergy();
  if (masslessParts_) now.contact += masslessParts_->storedEnergy();
  now.damping += links_.dissipatedEnergy();
  now.external += links_.externalWork();
  return now;
}

}  // namespace ricochet
