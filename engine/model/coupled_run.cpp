#include "engine/model/coupled_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

/// States at the start of a step, and a repetition of the step up to an instant inside.
struct CoupledRun::StatesInsideStep {
  StatesInsideStep(const StaticCoupling& coupling, const ContactRun& contacts, const LinkRun& links)
      : contactsAtStart(contacts.contactSet()),
        contactsInside(contacts.contactSet()),
        linksAtStart(links),
        linksInside(links),
        balance(coupling, contactsInside, linksInside) {}

  ContactRun contactsAtStart, contactsInside;
  LinkRun linksAtStart, linksInside;
  CoupledRun balance;
  // Work memory: the impulses of jumps and the energies of the repetition are not used.
  Vector velocity;
  EnergyLedger ledger;
  std::vector<ContactView> contactViews;
  std::vector<LinkState> linkViews;
  State start, between;  // motion at the start of the step, and inside

  /// Finds the forces at the motion `s` inside the step, as a trial; false if there is no balance.
  bool solve(const State& s) {
    contactsInside.copyStates(contactsAtStart);
    linksInside = linksAtStart;
    const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
    contactsInside.evaluate(s.time, motion);
    balance.solve(s.time, motion);
    return !balance.takeFlagOfLostForceBalance();
  }
  /// Sets `between` to the cubic through displacements and velocities of the start and of `end`.
  void interpolate(const State& end, double theta) {
    const double h = end.time - start.time, left = 1.0 - theta;
    between.time = start.time + theta * h;
    between.q = (left * left * (1.0 + 2.0 * theta)) * start.q +
                (theta * theta * (3.0 - 2.0 * theta)) * end.q + (h * theta * left * left) * start.v -
                (h * theta * theta * left) * end.v;
    between.v = (6.0 * theta * left / h) * (end.q - start.q) + (left * (1.0 - 3.0 * theta)) * start.v +
                (theta * (3.0 * theta - 2.0)) * end.v;
  }
  /// Locates the closings and openings of coupled contacts of `run` in the step that ended in `end`, by
  /// bisection with the forces inside the step: a contact that closes pushes its own point back, so that the
  /// gaps at the ends of the step do not give the instant.
  void locateClosings(ContactRun& run, const StaticCoupling& coupling, const State& end) {
    constexpr int kHalvings = 40;
    for (Event& event : run.events()) {
      const bool closes = event.kind == EventKind::closing;
      if (!(closes || event.kind == EventKind::opening) || event.contact >= run.contactSet().size() ||
          event.time < start.time || !coupling.isContactOrLinkCoupled(event.contact))
        continue;
      const auto i = static_cast<std::size_t>(event.contact);
      if (run.state(i).isClosed() != closes || contactsAtStart.state(i).isClosed() == closes) continue;
      double low = 0.0, high = 1.0;
      for (int k = 0; k < kHalvings; ++k) {
        const double theta = 0.5 * (low + high);
        interpolate(end, theta);
        if (!solve(between)) break;
        (contactsInside.trialState(i).isClosed() == closes ? high : low) = theta;
      }
      event.time = start.time + high * (end.time - start.time);
    }
  }
};

CoupledRun::CoupledRun(const StaticCoupling& coupling, ContactRun& contacts, LinkRun& links)
    : coupling_(&coupling),
      contacts_(&contacts),
      links_(&links),
      balance_(*this, contacts.contactSet(), links.empty() ? nullptr : &links, &coupling, true) {
  for (Vector* each : {&q_, &v_, &none_, &a_}) *each = Vector::Zero(contacts.contactSet().rowSize());
  balance_.prepareForceBalance({.share = 1.0, .dq = 1.0, .dv = 0.0});
  for (Vector* each :
       {&books_.forces, &books_.moved, &books_.driven, &rates_.mean, &rates_.rate, &rates_.second})
    *each = Vector::Zero(coupling.whole.rows());
}

/// Contact forces do not move the coordinates, because the motion of the coordinates is given.
void CoupledRun::computeUnitForceResponse(const double* /*row*/, double* response) noexcept {
  Eigen::Map<Vector>(response, none_.size()).setZero();
}

void CoupledRun::solve(double t, const Motion& motion) noexcept {
  const CoupledShifts& shifts = contacts_->contactPointShifts();
  previousStep_ = shifts.empty() ? rates_.step : shifts.previousStepLength();
  const Eigen::Index n = none_.size();
  q_ = Eigen::Map<const Vector>(motion.q, n);
  v_ = Eigen::Map<const Vector>(motion.v, n);
  if (motion.dv != 0.0) v_ += motion.dv * Eigen::Map<const Vector>(motion.a, n);
  a_.setZero();
  if (balance_.solve(*contacts_, t, q_, v_, none_, a_)) return;
  lostBalance_ = true;
  const int body = std::max(0, balance_.indexOfUnsolvedContactOrLink()),
            contacts = contacts_->contactSet().size();
  const double nothing = std::numeric_limits<double>::quiet_NaN();
  if (body < contacts)
    contacts_->contactPointShifts().setDisplacementShift(static_cast<std::size_t>(body),
                                                         {{nothing, nothing, nothing}, {}});
  else
    links_->setDisplacementShift(body - contacts, {{nothing, nothing}, {}});
  contacts_->evaluate(t, motion);
}

void CoupledRun::start(double t, const Motion& motion) noexcept {
  links_->setLinksUnloaded(t);
  contacts_->evaluate(t, motion);
  solve(t, motion);
  contacts_->startCoupledContacts();
  links_->start(t, motion);
}

Vector forcesOnCoupledPoints(const StaticCoupling& coupling, const ContactRun& contacts, const LinkRun& links,
                             ForcesOf of) {
  Vector forces = Vector::Zero(coupling.whole.rows());
  const int count = contacts.contactSet().size();
  for (int i = 0; i < count; ++i) {
    if (!coupling.isContactOrLinkCoupled(i)) continue;
    const auto at = static_cast<std::size_t>(i);
    const auto force = of == ForcesOf::trial ? contacts.trialForce(at) : contacts.force(at);
    forces.segment<3>(CoupledRun::kAxes * i) = Eigen::Map<const Vec3>(force.data());
  }
  for (int i = 0; i < links.linkSet().size(); ++i) {
    if (!coupling.isContactOrLinkCoupled(count + i)) continue;
    const LinkState& link = of == ForcesOf::trial ? links.trialState(i) : links.state(i);
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      forces[CoupledRun::kAxes * (count + i) + static_cast<Eigen::Index>(axis)] = -link.force[axis];
  }
  return forces;
}

Vector displacementsOfCoupledPoints(const StaticCoupling& coupling, const ContactSet& contacts,
                                    const LinkSet& links, const Vector& along) {
  Vector motion = Vector::Zero(coupling.whole.rows());
  const auto product = [&](const double* row) {
    return row == nullptr ? 0.0 : kernels::dot(row, along.data(), contacts.rowSize());
  };
  for (int i = 0; i < contacts.size(); ++i)
    for (int axis = 0; coupling.isContactOrLinkCoupled(i) && axis < 3; ++axis)
      motion[CoupledRun::kAxes * i + axis] = product(contacts.row(i, axis));
  for (int i = 0; i < links.size(); ++i) {
    if (!coupling.isContactOrLinkCoupled(contacts.size() + i)) continue;
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      motion[CoupledRun::kAxes * (contacts.size() + i) + static_cast<Eigen::Index>(axis)] =
          product(links.row(i, axis));
  }
  return motion;
}

bool isPointShiftBeyondMotion(const StaticCoupling& coupling, const Vector& change, const Vector& motion) {
  constexpr double kFar = 10.0;  // smallest ratio of shift to motion of a jump
  return (coupling.whole * change).norm() > kFar * motion.norm();
}

Vector CoupledRun::acceptedForces() const {
  return forcesOnCoupledPoints(*coupling_, *contacts_, *links_, ForcesOf::accepted);
}

double CoupledRun::storedEnergy() const noexcept {
  const Vector forces = acceptedForces();
  return 0.5 * forces.dot(coupling_->beside * forces);
}

CoupledRun::Books CoupledRun::energyTermsAtState(const State& s, double elapsed) const {
  const ContactSet& set = contacts_->contactSet();
  const LinkSet& links = links_->linkSet();
  const Eigen::Index n = coupling_->whole.rows();
  Books books{acceptedForces(), displacementsOfCoupledPoints(*coupling_, set, links, s.q), Vector::Zero(n),
              storedEnergy()};
  for (int i = 0; i < set.size(); ++i) {
    if (!coupling_->isContactOrLinkCoupled(i)) continue;
    books.driven.segment<3>(kAxes * i) = supportDriftOf(i, s.time, elapsed);
    books.held += contacts_->state(static_cast<std::size_t>(i)).storedEnergy();
  }
  for (int i = 0; i < links.size(); ++i) {
    const int body = set.size() + i;
    if (!coupling_->isContactOrLinkCoupled(body)) continue;
    LinkMotion<double> driven{};
    driven.time = s.time;
    links.addImposedDriveMotion(i, driven, elapsed);
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      books.driven[kAxes * body + static_cast<Eigen::Index>(axis)] = driven.x[axis];
    const LinkState& link = links_->state(i);
    books.held += link.stored + link.dissipated - link.external;
  }
  return books;
}

void CoupledRun::acceptStep(const State& s, const EnergyLedger& before, EnergyLedger& ledger) noexcept {
  constexpr double kShare = 1e-2;  // share of the stored energy; integration errors are smaller
  Books now = energyTermsAtState(s, s.time - acceptedAt_);
  const Vector moved = now.moved - books_.moved, driven = now.driven - books_.driven;
  const Vector change = now.forces - books_.forces;
  if (const double h = s.time - acceptedAt_; h > 0.0) updateForceRates(change, h);
  acceptedAt_ = s.time;
  if (isPointShiftBeyondMotion(*coupling_, change, moved + driven)) {
    const double done = -0.5 * (now.forces + books_.forces).dot(moved);
    // Other contacts dissipate energy too, or return stored energy: neither is a loss by the jump.
    const double spent = (ledger.damping - before.damping) + (ledger.friction - before.friction) -
                         (ledger.external - before.external);
    const double lost = done - (now.held - books_.held) - std::max(0.0, spent);
    const double smooth = 0.5 * change.cwiseAbs().dot(moved.cwiseAbs() + driven.cwiseAbs());
    if (lost > smooth + kShare * (std::abs(now.held) + std::abs(books_.held))) ledger.damping += lost;
  }
  books_ = std::move(now);
  if (inside_ && links_->areDisplacementShiftRatesUsed()) inside_->locateClosings(*contacts_, *coupling_, s);
}

void CoupledRun::applyDisplacementJumps(const State& s, double* force, EnergyLedger& ledger) {
  const double before = storedEnergy();
  solve(s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
  if (lostBalance_) return;  // the trial is no motion; the next step is refused, and halved from here
  links_->acceptDisplacementJumps(force);
  contacts_->acceptDisplacementJumps(s.time, force, ledger);
  ledger.external += storedEnergy() - before;
  startEnergyBalance(s);
}

/// The mean rate of the first step after a jump may contain the jump.
void CoupledRun::updateForceRates(const Vector& change, double h) {
  rates_.smoothSteps = previousStep_ > 0.0 ? rates_.smoothSteps + 1 : 0;
  const Vector mean = change / h;
  if (rates_.smoothSteps > 1)
    rates_.second = 2.0 / (h + rates_.step) * (mean - rates_.mean);
  else
    rates_.second.setZero();
  rates_.rate = mean + 0.5 * h * rates_.second;
  rates_.mean = mean;
  rates_.step = h;
}

Vec3 CoupledRun::supportDriftOf(int contact, double t, double elapsed) const {
  const Drift drift = supportDriftAtTime(contacts_->contactSet().contact(contact), t, elapsed);
  return {drift.displacement[0], drift.displacement[1], drift.displacement[2]};
}

CoupledRun::~CoupledRun() = default;

void CoupledRun::storeStatesAtStepStart(const State& s) {
  if (!inside_) inside_ = std::make_unique<StatesInsideStep>(*coupling_, *contacts_, *links_);
  inside_->contactsAtStart.copyStates(*contacts_);
  inside_->linksAtStart = *links_;
  inside_->start = s;
}

void CoupledRun::setCoupledMotionInsideStep(const State& s, std::span<ContactView> contacts,
                                            std::span<LinkState> links) {
  if (!inside_) return addCoupledMotionTo(s, contacts, links);
  StatesInsideStep& in = *inside_;
  const double h = s.time - in.contactsAtStart.time();
  if (in.solve(s) && h > 0.0) {
    const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
    in.velocity = s.v;
    if (!in.linksInside.empty()) {
      in.linksInside.evaluate(s.time, motion);
      in.linksInside.acceptStep(h, in.contactsInside.events(), in.velocity.data());
      in.linksInside.writeLinkStates(s, in.linkViews);
    }
    in.contactsInside.acceptStep(s.time, h, in.ledger, in.velocity.data());
    in.contactsInside.events().clear();
    fillContactViews(in.contactsInside, s, in.contactViews);
    const int count = static_cast<int>(contacts.size());
    for (int i = 0; i < count; ++i) {
      if (!coupling_->isContactOrLinkCoupled(i)) continue;
      ContactView& view = contacts[static_cast<std::size_t>(i)];
      ContactView& found = in.contactViews[static_cast<std::size_t>(i)];
      found.frictionEnergy = view.frictionEnergy;
      found.impulseWear = view.impulseWear;
      view = found;
    }
    for (std::size_t i = 0; i < links.size(); ++i)
      if (coupling_->isContactOrLinkCoupled(count + static_cast<int>(i))) links[i] = in.linkViews[i];
  }
  addCoupledMotionTo(s, contacts, links);
}

}  // namespace ricochet
