#include "engine/schemes/moreau.hpp"

#include "engine/schemes/moreau_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr double kNobody = std::numeric_limits<double>::quiet_NaN();
constexpr double kRoundingOfCoordinates = 1e-15;  // relative rounding error of a difference of coordinates
constexpr double kRestAtStart = 1e-12;  // smaller relative speeds and distances are zero at the start

/// Euclidean length of the rows that determine the motion of a contact: the normal row for a planar obstacle
/// at rest, all axes otherwise.
double rowSize(const ContactSet& set, int contact) noexcept {
  double square = 0.0;
  const int axes = set.isFollowed(contact) ? set.axes(contact) : 1;
  for (int axis = 0; axis < axes; ++axis)
    if (const double* row = set.row(contact, axis)) square += kernels::dot(row, row, set.rowSize());
  return std::sqrt(square);
}

}  // namespace

Moreau::Moreau(const LinearSystem& linear, const SchemeOptions& options)
    : linear_(&linear),
      full_{ModalResponse(linear), {}},
      odd_{ModalResponse(linear), {}},
      dense_(linear),
      loadBefore_(Vector::Zero(linear.omegaSquared.size())),
      staged_(options.impactLaw) {}

void Moreau::start(ModalEquation& eq, State& s, double nominalStep) {
  set_ = &eq.contacts().contactSet();
  const int count = set_->size();
  flights_ = FollowedFlights(*set_);
  for (Matrix* each : {&full_.compliance, &odd_.compliance, &impulseCompliance_})
    *each = Matrix::Constant(flights_.axisCount() * count, flights_.axisCount() * count, kNobody);
  loads_ = LoadCursors(eq.model().loads);
  imposed_.clear();
  for (const Contact& contact : set_->contacts()) imposed_.emplace_back(contact.imposedForce);
  factors_.assign(static_cast<std::size_t>(eq.model().loads.termCount()), 0.0);
  for (Vector* each : {&load_, &given_, &force_, &q_, &v_, &mean_}) *each = Vector::Zero(s.q.size());
  passages_.assign(static_cast<std::size_t>(count), {});
  forced_.assign(passages_.size(), 0.0);
  reactions_ = ImpulseProblem(count);
  impacts_ = ImpulseProblem(count);
  linkMeans_ = LinkMeans(eq.links().linkSet());
  solver_ = ImpulseSolver(count);
  startStates_.resize(static_cast<std::size_t>(count));
  if (staged_.impactLaw() != ImpactLaw::newton) {
    staged_.reserve(passages_.size());
    if (!flights_.empty()) impactRows_ = Matrix::Zero(s.q.size(), 3 * count);
  }
  rowSizes_.assign(passages_.size(), 0.0);
  for (std::size_t i = 0; i < rowSizes_.size(); ++i) rowSizes_[i] = rowSize(*set_, static_cast<int>(i));
  modalTablesForStepLength(nominalStep);
  loads_.advanceTimeFunctions(s.time, 0.0);
  for (FunctionCursor& cursor : imposed_) cursor.advance(s.time, 0.0);
  flights_.start(eq.contacts(), s);
  evaluateLoads(s.time, loadBefore_);
  resolveImpactsAtStart(eq, s);
  initialiseStatesAtRunStart(eq, s);
  findContactForcesAtRunStart(eq, s, nominalStep);
  completeAcceleration(eq, s);
}

/// Rigid contacts that touch and approach at the start collide there: the start is the instant of the grid
/// nearest to their impact. Touching contacts without approach take part in the impact, since a flight would
/// open some of them.
void Moreau::resolveImpactsAtStart(ModalEquation& eq, State& s) {
  ContactRun& run = eq.contacts();
  q_ = s.q;
  v_ = s.v;
  scaleQ_ = s.q.norm();
  const double speed = s.v.norm();
  rounding_ = kRoundingOfCoordinates * speed;
  const auto approaches = [&](const Passage& passage) {
    const auto i = static_cast<std::size_t>(&passage - passages_.data());
    return passage.impact >= 0 && passage.before[0] < -kRestAtStart * rowSizes_[i] * speed;
  };
  if (!resolveImpacts(s, 0.0) || std::ranges::none_of(passages_, approaches)) return;
  counts_ += struck_;
  pending_ = {};
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    Passage& passage = passages_[i];
    if (passage.impact < 0) continue;
    passage.next = run.state(i);
    passage.impulse = impacts_.blocks()[static_cast<std::size_t>(passage.impact)].impulse[0];
    recordNormalWork(run.state(i), i);
    recordFrictionWork(run.state(i), i);
    if (flights_.freeFlightOfContact(static_cast<int>(i)) != nullptr) recordSupportWork(i);
    run.totalsOfContact(i).impulse += passage.impulse;
    run.totalsOfContact(i).frictionEnergy += passage.friction;
    run.totalsOfContact(i).impulseWear += passage.wear;
  }
  s.v = v_;
  addWorkOfUnfinishedStep(eq.accumulatedLedger());
  flights_.start(run, s);
  if (!eq.links().empty()) eq.links().recomputeRates(s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
}

/// Closes rigid contacts that touch and rest at the start; set-valued friction starts with slip where its
/// contact slides.
void Moreau::initialiseStatesAtRunStart(ModalEquation& eq, const State& s) {
  ContactRun& run = eq.contacts();
  q_ = s.q;
  v_ = s.v;
  scaleQ_ = s.q.norm();
  constexpr double kRounding = 1e-30;  // squared rates below this fraction are zero
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    const Contact& contact = set_->contacts()[i];
    const FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(i));
    ContactState state = run.state(i);
    const std::array<double, 3> rates = contactRatesAtStepEnd(i);
    const double size = rowSizes_[i];
    if (isRigidContact(contact)) {
      state.gap = gapAtStepEnd(i, contactCoordinateAtStepEnd(i));
      const double place = flight == nullptr ? std::abs(contact.offset[0]) : flight->size();
      const double carried = flight == nullptr ? 0.0 : std::abs(flight->endCarried[0]);
      const bool rests = state.gap <= kRestAtStart * (place + size * scaleQ_) + contact.offsetRoundingError &&
                         std::abs(rates[0]) <= kRestAtStart * (size * s.v.norm() + carried);
      state.normal = rests ? NormalState::closed : NormalState::open;
      const bool isStruck = passages_[i].impulse > 0.0;
      run.totalsOfContact(i).impacts = rests || isStruck ? 1 : 0;
      if (isStruck) run.appendContactEvent(i, EventKind::closing, s.time);
      if (isStruck && !rests) run.appendContactEvent(i, EventKind::opening, s.time);
    }
    if (traitsOf(contact.friction).setValued && state.isClosed()) {
      if (flight == nullptr)
        state.position = {position(i, 1, s.q), position(i, 2, s.q)};
      else if (!run.state(i).isClosed())
        state.position = flight->slipPathAtClosing(contact);
      const Tangential<double> surface = flight == nullptr ? Tangential<double>{} : flight->endSurface;
      const Tangential<double> node{rates[1], rates[2]};
      state.slipRate = node - surface;
      const double rounding = kRounding * (dot(node, node) + dot(surface, surface));
      state.friction.slipping = dot(state.slipRate, state.slipRate) > rounding;
      if (state.friction.slipping)
        state.friction.direction =
            scaled(-1.0, unitVector(state.slipRate, dot(state.slipRate, state.slipRate)));
    }
    run.setState(i, state);
    if (flight != nullptr) run.setState(i, flight->to);
  }
}

Moreau::Tables& Moreau::modalTablesForStepLength(double h) {
  Tables& tables = full_.response.stepLength() < 0.0 || full_.response.stepLength() == h ? full_ : odd_;
  if (tables.response.prepare(h)) tables.compliance.setConstant(kNobody);
  return tables;
}

void Moreau::evaluateLoads(double t, Vector& f) noexcept {
  loads_.at(t, factors_.data());
  kernels::addWeightedRows(loads_.shapes(), static_cast<Eigen::Index>(factors_.size()), factors_.data(),
                           f.data(), f.size());
}

void Moreau::advanceTimeFunctions(const State& s, double tolerance) noexcept {
  for (FunctionCursor& cursor : imposed_) cursor.advance(s.time, tolerance);
  flights_.advanceTimeFunctions(s.time, tolerance);
  if (loads_.advanceTimeFunctions(s.time, tolerance)) evaluateLoads(s.time, loadBefore_);
}

double Moreau::rowProduct(std::size_t contact, int axis, const Vector& x) const noexcept {
  const double* row = set_->row(static_cast<int>(contact), axis);
  return row == nullptr ? 0.0 : kernels::dot(row, x.data(), x.size());
}

double Moreau::position(std::size_t contact, int axis, const Vector& q) const noexcept {
  return set_->contacts()[contact].offset[axis] + rowProduct(contact, axis, q);
}

/// Coordinate of a contact along e1 at the end of the flight [m].
double Moreau::contactCoordinateAtStepEnd(std::size_t contact) const noexcept {
  if (const FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(contact)))
    return flight->to.place[0];
  return position(contact, 0, q_);
}

/// Gap of a contact with the coordinate `x` along e1 at the end of the flight [m].
double Moreau::gapAtStepEnd(std::size_t contact, double x) const noexcept {
  if (const FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(contact)))
    return flight->end.gap;
  return gapAt(set_->contacts()[contact], x);
}

/// Sign of the normal along e1 at the end of the flight.
double Moreau::normalSignAtStepEnd(std::size_t contact, double x) const noexcept {
  const Contact& c = set_->contacts()[contact];
  if (const FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(contact)))
    return normalSignOf(c, flight->end);
  return normalSignAt(c, x);
}

/// Rates along normal and tangents under the velocity v_ at the end of the step, supports included; the
/// normal of a planar obstacle at rest is e1.
std::array<double, 3> Moreau::contactRatesAtStepEnd(std::size_t contact) const noexcept {
  const int index = static_cast<int>(contact);
  const FollowedFlight* flight = flights_.freeFlightOfContact(index);
  if (flight == nullptr)
    return {rowProduct(contact, 0, v_), rowProduct(contact, 1, v_), rowProduct(contact, 2, v_)};
  return flight->endContactRatesFromAxisRates(flights_.productsWithContactRows(index, v_));
}

bool Moreau::solve(ImpulseProblem& problem, double h) noexcept {
  const ImpulseResult result =
      &problem == &impacts_ ? solver_.solveImpact(problem, h) : solver_.solve(problem, h);
  if (!result.isSolved()) troubled_ = result.troubled;
  isUnique_ = result.isUnique;
  return result.isSolved();
}

bool Moreau::step(ModalEquation& eq, State& s, double h) noexcept {
  const ContactRun& run = eq.contacts();
  const double end = s.time + h;
  Tables& tables = modalTablesForStepLength(h);
  troubled_ = -1;
  pending_ = {};
  scaleQ_ = s.q.norm();
  rounding_ = kRoundingOfCoordinates * (scaleQ_ / h + s.v.norm());
  evaluateLoads(end, load_);
  if (!flights_.empty()) flights_.begin(run, end, h);
  for (std::size_t i = 0; i < passages_.size(); ++i) passages_[i].next.imposed = imposed_[i].at(end);
  if (!advanceFreeFlightWithLinks(eq, s, h, tables)) return false;

  mean_ = q_ - s.q;
  pending_.external = 0.5 * (loadBefore_ + load_).dot(mean_);
  if (linear_->isDamped()) {
    const auto energy = [this](const Vector& q, const Vector& v) {
      return 0.5 * (v.squaredNorm() + (linear_->omegaSquared.array() * q.array().square()).sum());
    };
    // numerical energy loss of the flight
    pending_.damping = energy(s.q, s.v) + force_.dot(mean_) - energy(q_, v_);
  }
  if (!resolveImpacts(s, h)) return false;
  for (std::size_t i = 0; i < passages_.size(); ++i) updateContactState(run, i, h);
  s.q = q_;
  s.v = v_;
  s.time = end;
  return true;
}

void Moreau::interpolate(ModalEquation& eq, const State& from, const State& to, double theta, State& at) {
  const double tau = theta * (to.time - from.time);
  at = from;
  at.time = from.time + tau;
  dense_.prepare(tau);
  dense_.advance(force_, at.q, at.v);
  eq.accelerationFromForce(force_, at.q, at.v, at.a);
}

}  // namespace ricochet
