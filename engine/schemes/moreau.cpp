#include "engine/schemes/moreau.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

constexpr double kEpsilon = 1e-15;  // of a difference of two places
constexpr double kNobody = std::numeric_limits<double>::quiet_NaN();

/// Fills W of the blocks from what `between(row of one, row of other)` gives, kept in `known`.
template <class F>
void fillCompliance(ImpulseProblem& problem, const ContactSet& set, Matrix& known, F&& between) noexcept {
  const auto blocks = problem.blocks();
  const auto entry = [&](const ImpulseBlock& a, int i, const ImpulseBlock& b, int j) {
    double& value = known(3 * a.contact + i, 3 * b.contact + j);
    if (std::isnan(value)) {
      const double* left = set.row(a.contact, i);
      const double* right = set.row(b.contact, j);
      value = left == nullptr || right == nullptr ? 0.0 : between(left, right);
      known(3 * b.contact + j, 3 * a.contact + i) = value;
    }
    return (i == 0 ? a.side : 1.0) * (j == 0 ? b.side : 1.0) * value;
  };
  for (std::size_t a = 0; a < blocks.size(); ++a)
    for (std::size_t b = 0; b <= a; ++b)
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          problem.compliance(a, i, b, j) = problem.compliance(b, j, a, i) =
              entry(blocks[a], static_cast<int>(i), blocks[b], static_cast<int>(j));
}

/// f += factor (impulse - before) along the rows of a block.
void pushAlong(const ContactSet& set, const ImpulseBlock& block, const std::array<double, 3>& before,
               double factor, Vector& f) noexcept {
  for (int axis = 0; axis < 3; ++axis) {
    const auto k = static_cast<std::size_t>(axis);
    const double* row = set.row(block.contact, axis);
    const double difference = block.impulse[k] - before[k];
    if (row == nullptr || difference == 0.0) continue;
    kernels::addScaled((axis == 0 ? block.side : 1.0) * factor * difference, row, f.data(), f.size());
  }
}

bool isImposed(const Contact& contact) noexcept { return traitsOf(contact.normal).imposed; }
bool isRigid(const Contact& contact) noexcept { return traitsOf(contact.normal).setValued; }
double gapAt(const Contact& contact, double x) noexcept {
  return visitPlanar(contact.obstacle, 0.0, [&](const auto& shape) { return shape.gap(x); });
}
double sideAt(const Contact& contact, double x) noexcept {
  return visitPlanar(contact.obstacle, 1.0, [&](const auto& shape) { return shape.side(x); });
}

}  // namespace

Moreau::Moreau(const LinearSystem& linear)
    : linear_(&linear),
      full_{ModalResponse(linear), {}},
      odd_{ModalResponse(linear), {}},
      dense_(linear),
      loadBefore_(Vector::Zero(linear.omegaSquared.size())) {}

void Moreau::start(ModalEquation& eq, State& s, double nominalStep) {
  set_ = &eq.contacts().set();
  const int count = set_->size();
  for (Matrix* each : {&full_.compliance, &odd_.compliance, &impulseCompliance_})
    *each = Matrix::Constant(3 * count, 3 * count, kNobody);
  loads_ = LoadCursors(eq.model().loads);
  for (std::vector<FunctionCursor>* each : {&imposed_, &surfaces_}) each->clear();
  for (const Contact& contact : set_->contacts()) {
    imposed_.emplace_back(contact.imposedForce);
    for (const SurfaceTerm& term : contact.surface) surfaces_.emplace_back(term.speed);
  }
  factors_.assign(static_cast<std::size_t>(eq.model().loads.count()), 0.0);
  for (Vector* each : {&load_, &force_, &q_, &v_, &mean_}) *each = Vector::Zero(s.q.size());
  passages_.assign(static_cast<std::size_t>(count), {});
  forced_.assign(passages_.size(), 0.0);
  reactions_ = ImpulseProblem(count);
  impacts_ = ImpulseProblem(count);
  solver_ = ImpulseSolver(count);
  rowSizes_.assign(passages_.size(), 0.0);
  for (std::size_t i = 0; i < rowSizes_.size(); ++i)
    if (const double* row = set_->row(static_cast<int>(i), 0))
      rowSizes_[i] = std::sqrt(kernels::dot(row, row, set_->rowSize()));
  tablesFor(nominalStep);
  loads_.advance(s.time, 0.0);
  for (std::vector<FunctionCursor>* each : {&imposed_, &surfaces_})
    for (FunctionCursor& cursor : *each) cursor.advance(s.time, 0.0);
  loadsAt(s.time, loadBefore_);
  settleAtStart(eq, s);
  complete(eq, s);
}

/// Rigid contacts that touch and rest are closed; set-valued friction slips where its contact slides.
void Moreau::settleAtStart(ModalEquation& eq, const State& s) {
  ContactRun& run = eq.contacts();
  moveSurfaces(s.time, 0.0);
  scaleQ_ = s.q.norm();
  constexpr double kRest = 1e-12;
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    const Contact& contact = set_->contacts()[i];
    ContactState state = run.state(i);
    const double rate = alongRow(i, 0, s.v);
    const double size = rowSizes_[i];
    if (isRigid(contact)) {
      state.gap = visitPlanar(contact.obstacle, state.gap,
                              [&](const auto& shape) { return shape.gap(position(i, 0, s.q)); });
      const bool rests = state.gap <= kRest * (std::abs(contact.offset[0]) + size * scaleQ_) &&
                         std::abs(rate) <= kRest * size * s.v.norm();
      state.normal = rests ? NormalState::closed : NormalState::open;
      run.totalsOf(i).impacts = rests ? 1 : 0;
    }
    if (traitsOf(contact.friction).setValued && state.closed()) {
      const Passage& passage = passages_[i];
      state.position = {position(i, 1, s.q), position(i, 2, s.q)};
      state.slipRate = Tangential<double>{alongRow(i, 1, s.v), alongRow(i, 2, s.v)} - passage.endSurface;
      state.friction.slipping = dot(state.slipRate, state.slipRate) > 0.0;
      if (state.friction.slipping)
        state.friction.direction = scaled(-1.0, unit(state.slipRate, dot(state.slipRate, state.slipRate)));
    }
    run.put(i, state);
  }
}

Moreau::Tables& Moreau::tablesFor(double h) {
  Tables& tables = full_.response.step() < 0.0 || full_.response.step() == h ? full_ : odd_;
  if (tables.response.prepare(h)) tables.compliance.setConstant(kNobody);
  return tables;
}

void Moreau::loadsAt(double t, Vector& f) noexcept {
  loads_.at(t, factors_.data());
  kernels::combine(loads_.shapes(), static_cast<Eigen::Index>(factors_.size()), factors_.data(), f.data(),
                   f.size());
}

/// Rates of the surfaces over the step of h that ends at t.
void Moreau::moveSurfaces(double t, double h) noexcept {
  std::size_t k = 0;
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    Passage& passage = passages_[i];
    passage.meanSurface = {};
    passage.endSurface = {};
    for (const SurfaceTerm& term : set_->contacts()[i].surface) {
      const FunctionCursor& speed = surfaces_[k++];
      const double end = speed.at(t);
      passage.endSurface = passage.endSurface + scaled(end, term.direction);
      passage.meanSurface = passage.meanSurface + scaled(0.5 * (speed.at(t - h) + end), term.direction);
    }
  }
}

void Moreau::advance(const State& s, double tolerance) noexcept {
  for (std::vector<FunctionCursor>* each : {&imposed_, &surfaces_})
    for (FunctionCursor& cursor : *each) cursor.advance(s.time, tolerance);
  if (loads_.advance(s.time, tolerance)) loadsAt(s.time, loadBefore_);
}

double Moreau::alongRow(std::size_t contact, int axis, const Vector& x) const noexcept {
  const double* row = set_->row(static_cast<int>(contact), axis);
  return row == nullptr ? 0.0 : kernels::dot(row, x.data(), x.size());
}

double Moreau::position(std::size_t contact, int axis, const Vector& q) const noexcept {
  return set_->contacts()[contact].offset[axis] + alongRow(contact, axis, q);
}

bool Moreau::solve(ImpulseProblem& problem, double h) noexcept {
  const ImpulseResult result = solver_.solve(problem, h);
  if (!result.solved()) troubled_ = result.troubled;
  return result.solved();
}

/// The block of a contact that acts during the flight, if it does. q_ and mean_ are of the free flight.
bool Moreau::addReaction(const ContactRun& run, std::size_t i, const State& s) noexcept {
  constexpr double kTouching = 1e-12;  // of the distances that make up a gap
  const Contact& contact = set_->contacts()[i];
  const ContactState& from = run.state(i);
  Passage& passage = passages_[i];
  const double x = position(i, 0, s.q);
  const double end = position(i, 0, q_);
  const bool isKnown = from.normal != NormalState::open || isRigid(contact);
  const double side = forced_[i] != 0.0 ? forced_[i] : sideAt(contact, isKnown ? x : end);
  // of the plane on that side, however far it is
  passage.gap = sideAt(contact, x) == side ? gapAt(contact, x) : gapAt(contact, end) - side * (end - x);
  bool acts = false;
  if (isRigid(contact)) {
    acts =
        from.closed() || (passage.gap <= kTouching * (std::abs(contact.offset[0]) + rowSizes_[i] * scaleQ_) &&
                          side * alongRow(i, 0, s.v) >= 0.0);
  } else if (isImposed(contact)) {
    acts = passage.next.imposed > 0.0;
  } else {
    acts = from.normal != NormalState::open || forced_[i] != 0.0 || gapAt(contact, end) < 0.0;
  }
  if (!acts) return false;
  ImpulseBlock& block = reactions_.add();
  block.contact = static_cast<int>(i);
  block.laws = &contact;
  block.normal = isRigid(contact) ? NormalRule::unilateral : NormalRule::law;
  block.side = side;
  block.gap = passage.gap;
  block.imposed = passage.next.imposed;
  block.rounding = rowSizes_[i] * rounding_;
  block.memory = from.friction;
  block.surface = passage.meanSurface;
  block.rate = {side * alongRow(i, 0, mean_), alongRow(i, 1, mean_), alongRow(i, 2, mean_)};
  if (const auto law = stickConeOf(contact.friction)) {
    block.tangent = TangentRule::disc;
    passage.slips = from.closed() && from.friction.slipping;
    passage.isRevised = false;
    block.coefficient = passage.slips ? law->muDynamic : law->muStatic;
  } else if (set_->hasTraction(static_cast<int>(i)) && from.closed()) {
    block.tangent = TangentRule::law;  // a contact that closes hooks its spring, without force
    block.position = Tangential<double>{position(i, 1, s.q), position(i, 2, s.q)} - passage.travel;
  }
  return true;
}

/// After a solution: sticks that gave way slip at mu_d, slips that turned get the chance to stick at mu_s.
/// Returns whether the impulses have to be solved for again.
bool Moreau::reviseFriction() noexcept {
  // without a traction (mu_d = 0) the slip rate alone tells that a slip turned
  const auto hasTurned = [](const ImpulseBlock& block) {
    const Tangential<double>& before = block.memory.direction;
    return block.coefficient > 0.0 ? dot(block.friction(), before) < 0.0 : dot(block.slip(), before) > 0.0;
  };
  bool again = false;
  for (ImpulseBlock& block : reactions_.blocks()) {
    if (block.tangent != TangentRule::disc || !block.slides) continue;
    const StickCone law = *stickConeOf(block.laws->friction);
    Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    const bool givesWay = !passage.slips;
    if (!givesWay && (passage.isRevised || !block.memory.slipping || !hasTurned(block))) continue;
    passage.slips = givesWay;
    passage.isRevised = true;
    block.coefficient = givesWay ? law.muDynamic : law.muStatic;
    again |= law.muStatic != law.muDynamic;
  }
  return again;
}

bool Moreau::solveReactions(const ContactRun& run, const State& s, double h, Tables& tables) noexcept {
  reactions_.clear();
  for (std::size_t i = 0; i < passages_.size(); ++i)
    passages_[i].reaction = addReaction(run, i, s) ? static_cast<int>(reactions_.blocks().size()) - 1 : -1;
  if (reactions_.blocks().empty()) return true;
  fillCompliance(reactions_, *set_, tables.compliance,
                 [&](const double* a, const double* b) { return tables.response.compliance(a, b); });
  do {
    if (!solve(reactions_, h)) return false;
  } while (reviseFriction());
  return true;
}

/// Contacts whose flight ends in an obstacle, or on a side of it, that has no block: pushed there by the
/// others, or thrown from one side to the other in a large step. One that is thrown to and fro has no flight
/// in this step.
Moreau::Flight Moreau::judgeFlight() noexcept {
  Flight flight = Flight::complete;
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    const Contact& contact = set_->contacts()[i];
    if (isRigid(contact) || isImposed(contact)) continue;
    const double x = position(i, 0, q_);
    if (!(gapAt(contact, x) < 0.0)) continue;
    const double side = sideAt(contact, x);
    const int block = passages_[i].reaction;
    if (block >= 0 && reactions_.blocks()[static_cast<std::size_t>(block)].side == side) continue;
    if (forced_[i] != 0.0) {
      troubled_ = static_cast<int>(i);
      return Flight::none;
    }
    forced_[i] = side;
    flight = Flight::missed;
  }
  return flight;
}

/// The flight: q_, v_ at its end, force_ what pushed.
bool Moreau::react(const ContactRun& run, const State& s, double h, Tables& tables) noexcept {
  std::fill(forced_.begin(), forced_.end(), 0.0);
  Flight flight = Flight::missed;
  while (flight == Flight::missed) {
    force_ = 0.5 * (loadBefore_ + load_);
    fly(s, tables);
    mean_ = (q_ - s.q) / h;
    if (!solveReactions(run, s, h, tables)) return false;
    if (!reactions_.blocks().empty()) {
      for (const ImpulseBlock& block : reactions_.blocks()) pushAlong(*set_, block, {}, 1.0 / h, force_);
      fly(s, tables);
    }
    flight = judgeFlight();
  }
  return flight == Flight::complete;
}

void Moreau::fly(const State& s, const Tables& tables) noexcept {
  q_ = s.q;
  v_ = s.v;
  tables.response.fly(force_, q_, v_);
}

/// The block of a contact that takes an impulse at the end of the flight, if it does.
bool Moreau::addImpact(std::size_t i, double h) noexcept {
  const Contact& contact = set_->contacts()[i];
  const Passage& passage = passages_[i];
  const ImpulseBlock* reaction =
      passage.reaction < 0 ? nullptr : &reactions_.blocks()[static_cast<std::size_t>(passage.reaction)];
  const bool pushed = reaction != nullptr && reaction->impulse[0] > 0.0;
  const auto friction = stickConeOf(contact.friction);
  const bool rigid = isRigid(contact);
  if (!rigid && !(pushed && friction)) return false;
  const double x = position(i, 0, q_);
  const double side = sideAt(contact, x);
  const double rate = side * alongRow(i, 0, v_);
  if (!pushed && gapAt(contact, x) + 0.5 * h * rate > 0.0) return false;

  ImpulseBlock& block = impacts_.add();
  if (reaction != nullptr) {
    block = *reaction;
    // a normal impulse that takes back part of the reaction leaves friction its bound: less would give energy
    block.pressed = std::max(0.0, reaction->impulse[0]);
  }
  block.contact = static_cast<int>(i);
  block.laws = &contact;
  block.normal = rigid ? NormalRule::unilateral : NormalRule::given;
  block.tangent = friction ? TangentRule::disc : TangentRule::none;
  block.side = side;
  block.surface = passage.endSurface;
  block.rounding = rowSizes_[i] * rounding_;
  block.rate = {rate, alongRow(i, 1, v_), alongRow(i, 2, v_)};
  if (rigid) block.target = -restitutionOf(contact.normal) * std::min(0.0, rate);
  const bool slips = reaction == nullptr || passage.slips;
  if (friction) block.coefficient = slips ? friction->muDynamic : friction->muStatic;
  return true;
}

bool Moreau::collide(double h) noexcept {
  impacts_.clear();
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    Passage& passage = passages_[i];
    passage.impact = addImpact(i, h) ? static_cast<int>(impacts_.blocks().size()) - 1 : -1;
    if (passage.impact >= 0) passage.before = impacts_.blocks().back().rate;
  }
  if (impacts_.blocks().empty()) return true;
  fillCompliance(impacts_, *set_, impulseCompliance_,
                 [this](const double* a, const double* b) { return kernels::dot(a, b, set_->rowSize()); });
  if (!solve(impacts_, h) && !(dropRestitution() && solve(impacts_, h))) return false;
  for (const ImpulseBlock& block : impacts_.blocks())
    pushAlong(*set_, block, reactionOf(passages_[static_cast<std::size_t>(block.contact)]), 1.0, v_);
  return true;
}

bool Moreau::step(ModalEquation& eq, State& s, double h) noexcept {
  const ContactRun& run = eq.contacts();
  const double end = s.time + h;
  Tables& tables = tablesFor(h);
  troubled_ = -1;
  pending_ = {};
  scaleQ_ = s.q.norm();
  rounding_ = kEpsilon * (scaleQ_ / h + s.v.norm());
  loadsAt(end, load_);
  moveSurfaces(end, h);
  for (std::size_t i = 0; i < passages_.size(); ++i) passages_[i].next.imposed = imposed_[i].at(end);
  if (!react(run, s, h, tables)) return false;

  mean_ = q_ - s.q;
  pending_.external = 0.5 * (loadBefore_ + load_).dot(mean_);
  if (linear_->damped()) {
    const auto energy = [this](const Vector& q, const Vector& v) {
      return 0.5 * (v.squaredNorm() + (linear_->omegaSquared.array() * q.array().square()).sum());
    };
    pending_.damping = energy(s.q, s.v) + force_.dot(mean_) - energy(q_, v_);  // what an exact flight loses
  }
  if (!collide(h)) return false;
  for (std::size_t i = 0; i < passages_.size(); ++i) settle(run, i, h);
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
  dense_.fly(force_, at.q, at.v);
  eq.accelerationFrom(force_, at.q, at.v, at.a);
}

}  // namespace ricochet
