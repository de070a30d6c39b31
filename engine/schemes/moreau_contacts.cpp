// Contact states, energy terms and events at the end of a step of moreau.

#include "engine/schemes/moreau.hpp"
#include "engine/schemes/moreau_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Traction of a state that the friction law allows: of a slip, mu_d N against its rate at the start; of a
/// stick, mu_s N at most. N and the traction were extrapolated one by one.
Tangential<double> tractionWithinLawOfFriction(const AnyFrictionLaw& friction,
                                               const Tangential<double>& slipRate,
                                               const ContactState& state) noexcept {
  const double speed = length(slipRate);
  const auto cone = stickConeOf(friction, speed);
  if (!cone) return state.traction;
  if (state.friction.slipping && speed > 0.0)
    return scaled(-cone->muDynamic * state.compression / speed, slipRate);
  const double size = length(state.traction), most = cone->muStatic * state.compression;
  return size > most ? scaled(most / size, state.traction) : state.traction;
}

/// State at the end of a step in which a contact has closed and slid from there: the force of its spring is
/// the traction; one beside a dashpot has no force yet.
template <class Law>
void setContactStateOfSlipSinceClosing(const Law& law, const ImpulseBlock& flight,
                                       ContactState& next) noexcept {
  next.traction = scaled(-flight.coefficient * normalForceForFriction(next.compression), flight.direction);
  next.friction.direction = scaled(-1.0, flight.direction);
  next.friction.slipping = true;
  if (law.contactDamping() > 0.0) return;
  next.friction.anchorForce = next.traction;
  next.storedTangential = law.template storedEnergy<double>({.position = next.position}, next.friction);
}

}  // namespace

/// Updates state, gap and normal force at the end of the step. The force of a spring is that at the final
/// gap; the force of a dashpot is that at the mean rate of the step.
void Moreau::updateNormalState(const ContactState& from, std::size_t i, double h) noexcept {
  Passage& passage = passages_[i];
  ContactState& next = passage.next;
  const double x = contactCoordinateAtStepEnd(i);
  next.gap = gapAtStepEnd(i, x);
  next.side = normalSignAtStepEnd(i, x);
  double meanRate = 0.0;
  double approach = from.approach;
  passage.impulse = 0.0;
  if (passage.reaction >= 0) {
    const ImpulseBlock& block = reactions_.blocks()[static_cast<std::size_t>(passage.reaction)];
    meanRate = block.rate[0];
    approach = block.approach;
    passage.impulse = block.impulse[0];
  }
  if (passage.impact >= 0)
    passage.impulse = impacts_.blocks()[static_cast<std::size_t>(passage.impact)].impulse[0];
  std::visit(
      [&]<class Law>(const Law& law) {
        next.gapRate = law.doesForceDependOnGapRate() ? meanRate : 0.0;
        if constexpr (Law::traits.setValued || Law::traits.imposed) {
          const bool rests = Law::traits.setValued && (passage.reaction >= 0 || passage.impact >= 0) &&
                             isAtRest(i, contactRatesAtStepEnd(i)[0]);
          next.normal = passage.impulse != 0.0 || rests ? NormalState::closed : NormalState::open;
          next.compression = passage.impulse / h;
          next.storedNormal = 0.0;
        } else {
          NormalKinematics<double> k{next.gap, meanRate, next.imposed};
          k.approach = approach;
          next.normal = ricochet::nextStateOfNormalLaw(law, from.normal, k);
          next.compression = law.template force<double>(next.normal, k);
          next.storedNormal = law.template storedEnergy<double>(next.normal, k);
          next.approach = next.normal == NormalState::open ? 0.0 : k.approach;
        }
      },
      set_->contacts()[i].normal);
}

/// Updates path along the surface and slip rate at the end of the step.
void Moreau::updateSlipState(const ContactState& from, std::size_t i, double h) noexcept {
  Passage& passage = passages_[i];
  ContactState& next = passage.next;
  const FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(i));
  if (flight == nullptr) {
    next.position = {position(i, 1, q_), position(i, 2, q_)};
    next.slipRate = {rowProduct(i, 1, v_), rowProduct(i, 2, v_)};
    return;
  }
  const std::array<double, 3> rates = contactRatesAtStepEnd(i);
  next.slipRate = Tangential<double>{rates[1], rates[2]} - flight->endSurface;
  next.position = flight->slipPathAtClosing(set_->contacts()[i]);
  if (!from.isClosed() || passage.reaction < 0) return;
  const ImpulseBlock& block = reactions_.blocks()[static_cast<std::size_t>(passage.reaction)];
  next.position = from.position + scaled(h, block.slipRate());
}

/// Forces at the start of contacts whose laws do not give them by the motion: rigid normals and set-valued
/// friction of contacts that are closed. The mean forces of a first step of h and of one of h/2, which are
/// not accepted, are extrapolated to the start; at rest they hold the structure. Forces from the memory of an
/// earlier run stay.
void Moreau::findContactForcesAtRunStart(ModalEquation& eq, const State& s, double h) {
  ContactRun& run = eq.contacts();
  const auto lacksNormal = [&](std::size_t i) {
    return isRigidContact(set_->contacts()[i]) && run.state(i).isClosed() && run.state(i).compression == 0.0;
  };
  const auto lacksTraction = [&](std::size_t i) {
    const ContactState& state = run.state(i);
    return traitsOf(set_->contacts()[i].friction).setValued && state.isClosed() &&
           dot(state.traction, state.traction) == 0.0;
  };
  bool any = false;
  for (std::size_t i = 0; i < passages_.size(); ++i) any = any || lacksNormal(i) || lacksTraction(i);
  if (!any) return;
  State end = s;
  if (!step(eq, end, h)) return;
  bool areUnique = sharedTime_ == 0.0;  // else both steps may share the forces in different ways
  std::vector<ContactState> whole;
  for (const Passage& passage : passages_) whole.push_back(passage.next);
  end = s;
  if (!step(eq, end, 0.5 * h)) return;
  areUnique = areUnique && sharedTime_ == 0.0;
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    ContactState next = passages_[i].next;
    if (areUnique && whole[i].isClosed() && whole[i].friction.slipping == next.friction.slipping) {
      next.compression = std::max(0.0, 2.0 * next.compression - whole[i].compression);
      next.traction = scaled(2.0, next.traction) - whole[i].traction;
    }
    next.traction = tractionWithinLawOfFriction(set_->contacts()[i].friction, run.state(i).slipRate, next);
    const bool normal = lacksNormal(i), traction = lacksTraction(i);
    if (!(normal || traction) || !passages_[i].touched || !next.isClosed()) continue;
    ContactState state = run.state(i);
    if (normal) {
      state.side = next.side;
      state.compression = next.compression;
    }
    if (traction && state.friction.slipping == next.friction.slipping) state.traction = next.traction;
    run.setState(i, state);
    if (flights_.freeFlightOfContact(static_cast<int>(i)) == nullptr) continue;
    FollowedState followed = run.followedState(i);
    writeForceOfFollowedContact(set_->contacts()[i], state, followed);
    run.setState(i, followed);
  }
  flights_.start(run, s);
}

/// Updates traction and memory of the friction law at the end of the step.
void Moreau::updateFrictionState(const ContactState& from, std::size_t i, double h) noexcept {
  Passage& passage = passages_[i];
  ContactState& next = passage.next;
  next.traction = {};
  next.friction = {};
  next.storedTangential = 0.0;
  next.slipRate = {};
  if (!set_->hasTraction(static_cast<int>(i)) || !next.isClosed()) return;
  updateSlipState(from, i, h);
  const ImpulseBlock* block =
      passage.impact >= 0     ? &impacts_.blocks()[static_cast<std::size_t>(passage.impact)]
      : passage.reaction >= 0 ? &reactions_.blocks()[static_cast<std::size_t>(passage.reaction)]
                              : nullptr;
  if (block == nullptr) return;
  next.traction = scaled(1.0 / h, block->frictionImpulse());
  std::visit(
      [&]<class Law>(const Law& law) {
        if constexpr (Law::traits.traction && Law::traits.setValued) {
          // The bound of the friction of a slip follows from the compression at the end of the step.
          if (block->slides && passage.impulse > 0.0)
            next.traction = scaled(h * next.compression / passage.impulse, next.traction);
          next.friction.slipping = block->slides && length(next.slipRate) > unmovedSlipRate_;
          if (!next.friction.slipping) return;
          FrictionKinematics<double> k{next.position, next.slipRate, next.compression, 0.0, next.traction};
          const bool rubs = dot(next.traction, next.traction) > 0.0;
          if (!rubs) k.reaction = law.tractionDirection(k);  // law without traction (mu = 0)
          next.friction = law.frictionMemoryAtStateStart(FrictionState::slip, k, from.friction);
        } else if constexpr (Law::traits.traction) {
          next.friction.anchorPosition = next.position;
          next.friction.slipping = Law::traits.opensSlipping;
          if (passage.reaction < 0) return;
          const ImpulseBlock& flight = reactions_.blocks()[static_cast<std::size_t>(passage.reaction)];
          if (flight.tangent == TangentRule::sliding)
            return setContactStateOfSlipSinceClosing(law, flight, next);
          if (!from.isClosed()) return;
          const double compression = normalForceForFriction(flight.impulse[0] / h);
          // A law with a continuously changing memory uses the mean compression of the step.
          constexpr bool relaxes = requires { law.relaxationRate(); };
          const double rate = relaxes ? (compression - normalForceForFriction(from.compression)) / h : 0.0;
          FrictionKinematics<double> k{next.position, flight.slipRate(), compression, rate, {}, h};
          next.friction = law.template computeTrial<double>(k, from.friction).next;
          next.storedTangential = law.template storedEnergy<double>(k, next.friction);
          k.compression = normalForceForFriction(next.compression);
          next.traction = law.template computeTrial<double>(k, from.friction).traction;
        }
      },
      set_->contacts()[i].friction);
}

/// Records the work of moving supports: energy that a contact takes from them is external.
void Moreau::recordSupportWork(std::size_t i) noexcept {
  const Passage& passage = passages_[i];
  const FollowedFlight& flight = *flights_.freeFlightOfContact(static_cast<int>(i));
  const std::array<double, 3> before = reactionImpulseOfContact(passage);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    pending_.external -= before[axis] * flight.meanCarried[axis];
    if (passage.impact < 0) continue;
    const ImpulseBlock& block = impacts_.blocks()[static_cast<std::size_t>(passage.impact)];
    pending_.external -= (block.impulse[axis] - before[axis]) * flight.endCarried[axis];
  }
}

/// Records the work along the normal: the law dissipates the work that it does not store; the work of an
/// imposed force is external.
void Moreau::recordNormalWork(const ContactState& from, std::size_t i) noexcept {
  const Passage& passage = passages_[i];
  double work = 0.0;
  if (passage.reaction >= 0) {
    const ImpulseBlock& block = reactions_.blocks()[static_cast<std::size_t>(passage.reaction)];
    work = block.impulse[0] * block.rate[0];
  }
  if (traitsOf(set_->contacts()[i].normal).imposed) {
    pending_.external += work;
    return;
  }
  pending_.damping -= work + passage.next.storedNormal - from.storedNormal;
  if (passage.impact >= 0) pending_.damping += passage.lost[0];
}

/// Records the work along the tangents; the motion of the surface does external work.
void Moreau::recordFrictionWork(const ContactState& from, std::size_t i) noexcept {
  Passage& passage = passages_[i];
  passage.friction = 0.0;
  passage.wear = wearWorkOfContact(i);
  if (!set_->hasTraction(static_cast<int>(i))) return;
  double lost = from.storedTangential - passage.next.storedTangential;
  Tangential<double> before;
  if (passage.reaction >= 0) {
    const ImpulseBlock& block = reactions_.blocks()[static_cast<std::size_t>(passage.reaction)];
    before = block.frictionImpulse();
    lost -= dot(before, block.slipRate());
    pending_.external += dot(before, block.surface);
  }
  if (passage.impact >= 0) {
    const ImpulseBlock& block = impacts_.blocks()[static_cast<std::size_t>(passage.impact)];
    if (block.tangent == TangentRule::disc) {
      lost += passage.lost[1] + passage.lost[2];
      pending_.external += dot(block.frictionImpulse() - before, block.surface);
    }
  }
  const bool elastic = !traitsOf(set_->contacts()[i].friction).setValued;
  const ContactState& next = passage.next;
  if (elastic && next.isClosed() && !from.friction.slipping && !next.friction.slipping) {
    pending_.damping += lost;  // loss in the dashpot of a stick
    return;
  }
  // The impact of another contact may drive a contact backwards against its friction: this energy gain
  // belongs to the impact.
  const double given = passage.impact >= 0 ? std::min(0.0, lost) : 0.0;
  pending_.damping += given;
  passage.friction = lost - given;
  pending_.friction += passage.friction;
}

void Moreau::updateContactState(const ContactRun& run, std::size_t i, double h) noexcept {
  Passage& passage = passages_[i];
  const ContactState& from = run.state(i);
  passage.touched = passage.reaction >= 0 || passage.impact >= 0 || from.normal != NormalState::open;
  if (!passage.touched) return;
  FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(i));
  if (flight != nullptr) flights_.computeContactDirectionsAtStepEnd(static_cast<int>(i));
  updateNormalState(from, i, h);
  updateFrictionState(from, i, h);
  recordNormalWork(from, i);
  recordFrictionWork(from, i);
  if (flight == nullptr) return;
  recordSupportWork(i);
  if (passage.next.isClosed()) writeForceOfFollowedContact(set_->contacts()[i], passage.next, flight->to);
}

/// Events of a step of h that ends at t. A state that is new in this step began at the start of the step,
/// within half a step; a slip ends within the step; penalty contacts close and open where the gap vanishes.
void Moreau::recordEvents(ContactRun& run, std::size_t i, double t, double h) noexcept {
  const ContactState& from = run.state(i);
  const Passage& passage = passages_[i];
  const ContactState& to = passage.next;
  const auto push = [&](EventKind kind, double theta) {
    run.appendContactEvent(i, kind, t - h * (1.0 - theta));
  };
  if (from.isClosed() != to.isClosed()) {
    const bool crosses = (passage.gap > 0.0) == to.isClosed() && (to.gap > 0.0) != to.isClosed();
    const double otherwise = to.isClosed() ? 1.0 : 0.0;
    push(to.isClosed() ? EventKind::closing : EventKind::opening,
         crosses ? std::clamp(passage.gap / (passage.gap - to.gap), 0.0, 1.0) : otherwise);
    if (to.isClosed()) ++run.totalsOfContact(i).impacts;
    return;
  }
  if (!to.isClosed() || !set_->hasTraction(static_cast<int>(i))) return;
  if (!from.friction.slipping && to.friction.slipping)
    push(EventKind::stickToSlip, 0.0);
  else if (from.friction.slipping && !to.friction.slipping)
    push(EventKind::slipToStick, 0.5);
  else if (to.friction.slipping && dot(from.friction.direction, to.friction.direction) < 0.0)
    push(EventKind::slipReversal, 0.5);
}

void Moreau::addWorkOfUnfinishedStep(EnergyLedger& ledger) const noexcept {
  ledger.damping += pending_.damping;
  ledger.friction += pending_.friction;
  ledger.external += pending_.external;
}

/// Removes impulses of impacts from the force of a rigid contact: impulse / h grows without bound as h
/// decreases. A contact that closes has no force yet, and one that another contact strikes has the force of
/// its reaction in the flight.
void Moreau::removeImpactImpulseFromContactForce(const ContactRun& run, std::size_t i, double h) noexcept {
  Passage& passage = passages_[i];
  if (!traitsOf(set_->contacts()[i].normal).setValued || !passage.touched) return;
  const bool wasClosed = run.state(i).isClosed();
  if (wasClosed && !(isStruck_ && passage.impact >= 0)) return;
  const std::array<double, 3> reaction =
      wasClosed ? reactionImpulseOfContact(passage) : std::array<double, 3>{};
  passage.next.compression = reaction[0] / h;
  passage.next.traction = {reaction[1] / h, reaction[2] / h};
  if (FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(i)))
    writeForceOfFollowedContact(set_->contacts()[i], passage.next, flight->to);
}

void Moreau::acceptStep(ModalEquation& eq, State& s, double h) noexcept {
  ContactRun& run = eq.contacts();
  addWorkOfUnfinishedStep(eq.accumulatedLedger());
  counts_ += struck_;
  wasShared_ = sharedTime_ > 0.0;
  loadBefore_.swap(load_);
  flights_.acceptStep();
  const std::size_t before = run.events().size();
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    Passage& passage = passages_[i];
    FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(i));
    removeImpactImpulseFromContactForce(run, i, h);
    if (flight != nullptr) run.setState(i, flight->to);
    if (!passage.touched) continue;
    recordEvents(run, i, s.time, h);
    ContactTotals& totals = run.totalsOfContact(i);
    totals.impulse += passage.impulse;
    totals.peakForce = std::max(totals.peakForce, passage.next.compression);
    totals.frictionEnergy += passage.friction;
    totals.impulseWear += passage.wear;
    run.setState(i, passage.next);
  }
  if (!eq.links().empty()) acceptLinkStates(eq, s, h);
  run.setTime(s.time);
  std::sort(run.events().begin() + static_cast<std::ptrdiff_t>(before), run.events().end(),
            [](const Event& a, const Event& b) { return a.time < b.time; });
}

/// Accepts the link states of the flight, with the rates that the impulses at its end have changed.
void Moreau::acceptLinkStates(ModalEquation& eq, State& s, double h) noexcept {
  LinkRun& links = eq.links();
  const bool jumps = links.acceptStep(h, eq.contacts().events(), s.v.data());
  if (jumps || !impacts_.blocks().empty())
    links.recomputeRates(s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
}

/// Computes the acceleration under the loads and the contact forces of the last step, impulses included.
void Moreau::completeAcceleration(ModalEquation& eq, State& s) noexcept {
  mean_ = loadBefore_;
  const ContactRun& run = eq.contacts();
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    const ContactState& state = run.state(i);
    if (!state.isClosed()) continue;
    std::array forces{state.side * state.compression, state.traction.first, state.traction.second, 0.0};
    if (set_->isFollowed(static_cast<int>(i))) {
      const FollowedState& followed = run.followedState(i);
      forces = {followed.push[0], followed.push[1], followed.push[2], followed.rollForce};
    }
    for (int axis = 0; axis < set_->axes(static_cast<int>(i)); ++axis)
      if (const double* row = set_->row(static_cast<int>(i), axis))
        kernels::addScaled(forces[static_cast<std::size_t>(axis)], row, mean_.data(), mean_.size());
  }
  eq.links().addForcesTo(mean_.data());
  eq.accelerationFromForce(mean_, s.q, s.v, s.a);
}

}  // namespace ricochet
