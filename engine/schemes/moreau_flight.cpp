// The flight of a step of moreau: acting contacts, their reactions, turns of followed contacts.

#include "engine/contact/try_contact.hpp"
#include "engine/schemes/moreau.hpp"
#include "engine/schemes/moreau_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

namespace {

/// Speed at which a gap closes in a step of h [s] under a constant acceleration, from the gap rate at the
/// start and the mean gap rate [m/s].
double closingSpeed(double start, double mean, double gap, double h) noexcept {
  const double acceleration = 2.0 * (mean - start) / h;
  return std::sqrt(std::max(0.0, start * start - 2.0 * acceleration * gap));
}

}  // namespace

/// Side on which a contact acts, with its gap on that side at the start of the step and at the end of the
/// flight without contacts (rigid contact: at the start for both).
Moreau::Approach Moreau::sideAndGapsOfContact(std::size_t i, const State& s, bool isOpen) const noexcept {
  const Contact& contact = set_->contacts()[i];
  const bool rigid = isRigidContact(contact);
  const FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(i));
  if (flight != nullptr && isCurved(contact.obstacle)) return {1.0, flight->start.gap, flight->end.gap};
  const double x = flight == nullptr ? position(i, 0, s.q) : flight->from.place[0];
  const double end = flight == nullptr ? position(i, 0, q_) : flight->to.place[0];
  const double side = forced_[i] != 0.0 ? forced_[i] : normalSignAt(contact, rigid || !isOpen ? x : end);
  // The gap is measured from the plane on the acting side, at any distance.
  const double gap =
      normalSignAt(contact, x) == side ? gapAt(contact, x) : gapAt(contact, end) - side * (end - x);
  return {side, gap, rigid ? gap : gapAt(contact, end)};
}

/// True if a rigid contact touches at the start of the step and does not approach: it then has a reaction.
bool Moreau::isTouching(std::size_t i, const State& s, const Approach& approach) const noexcept {
  const FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(i));
  const Contact& contact = set_->contacts()[i];
  const double place = flight == nullptr ? std::abs(contact.offset[0]) : flight->size();
  if (approach.gap > kTouchingGap * (place + rowSizes_[i] * scaleQ_) + contact.offsetRoundingError)
    return false;
  return gapRateAtStepStart(i, s, approach.side) >= 0.0;
}

/// Gap rate at the start of the step, towards a side of a planar obstacle at rest [m/s].
double Moreau::gapRateAtStepStart(std::size_t i, const State& s, double side) const noexcept {
  const FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(i));
  if (flight == nullptr) return side * rowProduct(i, 0, s.v);
  const std::array<double, 4> axes = flights_.productsWithContactRows(static_cast<int>(i), s.v);
  double rate = 0.0;
  for (std::size_t a = 0; a < 3; ++a) rate += flight->start.normal[a] * (axes[a] + flight->startVelocity[a]);
  return rate;
}

/// Adds the block of a contact if it acts during the flight. q_ and mean_ belong to the flight without
/// contacts.
bool Moreau::addReactionOfContact(const ContactRun& run, std::size_t i, const State& s, double h) noexcept {
  const Contact& contact = set_->contacts()[i];
  const ContactState& from = run.state(i);
  Passage& passage = passages_[i];
  const Approach approach = sideAndGapsOfContact(i, s, from.normal == NormalState::open);
  passage.gap = approach.gap;
  bool acts = false;
  if (isRigidContact(contact)) {
    acts = from.isClosed() || isTouching(i, s, approach);
  } else if (isNormalForceImposed(contact)) {
    acts = passage.next.imposed > 0.0;
  } else {
    acts = from.normal != NormalState::open || forced_[i] != 0.0 || approach.endGap < 0.0;
  }
  if (!acts) return false;
  ImpulseBlock& block = reactions_.addBlock();
  block.contact = static_cast<int>(i);
  block.laws = &contact;
  block.normal = isRigidContact(contact) ? NormalRule::unilateral : NormalRule::law;
  block.side = approach.side;
  block.gap = passage.gap;
  block.imposed = passage.next.imposed;
  block.rounding = rowSizes_[i] * rounding_;
  block.memory = from.friction;
  block.position = from.position;
  if (FollowedFlight* flight = flights_.freeFlightOfContact(block.contact)) {
    flight->side = block.side;
    flights_.computeContactDirections(block.contact, isRigidContact(contact));
    block.surface = flight->meanSurface;
    block.rate = flight->meanContactRatesFromAxisRates(flight->freeRates);
  } else {
    block.rate = {block.side * rowProduct(i, 0, mean_), rowProduct(i, 1, mean_), rowProduct(i, 2, mean_)};
  }
  passage.freeRates = block.rate;
  passage.closes = false;
  passage.rests = from.isClosed() && !from.friction.slipping;
  block.approach = from.normal == NormalState::open
                       ? closingSpeed(gapRateAtStepStart(i, s, block.side), block.rate[0], block.gap, h)
                       : from.approach;
  if (const auto law = stickConeOf(contact.friction, length(from.slipRate))) {
    block.tangent = TangentRule::disc;
    passage.slips = from.isClosed() && from.friction.slipping;
    passage.isRevised = false;
    block.coefficient = passage.slips ? law->muDynamic : law->muStatic;
  } else if (set_->hasTraction(static_cast<int>(i)) && !from.isClosed()) {
    passage.closes = block.normal == NormalRule::law;
  } else if (set_->hasTraction(static_cast<int>(i))) {
    block.tangent = TangentRule::law;
    if (!set_->isFollowed(block.contact)) block.position = {position(i, 1, s.q), position(i, 2, s.q)};
  }
  return true;
}

namespace {

/// Friction of a spring that was hooked where the contact of a block touched, at the end of a step of h [s].
/// An imposed force touches nowhere.
FrictionTrial<double> frictionTrialSinceClosing(const ImpulseBlock& block, double compression,
                                                double h) noexcept {
  const double touched = detail::timeSinceClosing(block.gap + h * block.rate[0], block.rate[0], h);
  const Tangential<double> slip = block.slipRate();
  const FrictionKinematics<double> k{scaled(touched, slip), slip, normalForceForFriction(compression), 0.0};
  return std::visit(
      [&]<class Law>(const Law& law) -> FrictionTrial<double> {
        if constexpr (SteppedFrictionLaw<Law> && !Law::traits.opensSlipping && !Law::traits.ofArea)
          return law.template computeTrial<double>(k, {});
        return {};
      },
      block.laws->friction);
}

}  // namespace

/// Lets contacts slide that close with elastic friction and break their stick at once, since traction and
/// normal force grow from zero together. A stick starts its spring without force at the end of the step.
/// Returns true if the impulses must be solved again.
bool Moreau::startSlipAtClosing() noexcept {
  const double h = reactions_.stepLength();
  bool again = false;
  for (ImpulseBlock& block : reactions_.blocks()) {
    Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    if (!passage.closes) continue;
    NormalKinematics<double> k{block.gap + h * block.rate[0], block.rate[0], block.imposed};
    k.approach = block.approach;
    const double compression = std::visit(
        [&](const auto& law) {
          return law.template force<double>(ricochet::nextStateOfNormalLaw(law, NormalState::open, k), k);
        },
        block.laws->normal);
    const FrictionTrial<double> end = frictionTrialSinceClosing(block, compression, h);
    if (!end.next.slipping || !(compression > 0.0)) continue;
    passage.closes = false;
    block.tangent = TangentRule::sliding;
    block.direction = scaled(-1.0, end.next.direction);
    block.coefficient = length(end.traction) / compression;
    again = true;
  }
  return again;
}

/// Updates the friction of the blocks after a solution: a stick beyond its limit slips at mu_d, a slip that
/// turned may stick at mu_s, and coefficients follow the mean slip speed. Returns true if the impulses must
/// be solved again.
bool Moreau::updateBlockFriction(int round) noexcept {
  constexpr double kSame = 1e-13;  // allowed relative change of a coefficient that follows the slip speed
  constexpr int kMostRounds = 50;
  // Without traction (mu_d = 0), only the slip rate shows that a slip has turned.
  const auto hasTurned = [](const ImpulseBlock& block) {
    const Tangential<double>& before = block.memory.direction;
    return block.coefficient > 0.0 ? dot(block.frictionImpulse(), before) < 0.0
                                   : dot(block.slipRate(), before) > 0.0;
  };
  bool again = startSlipAtClosing();
  for (ImpulseBlock& block : reactions_.blocks()) {
    if (block.tangent != TangentRule::disc || !block.slides) continue;
    const StickCone law = *stickConeOf(block.laws->friction, length(block.slipRate()));
    Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    const bool givesWay = !passage.slips;
    // Other contacts hold a stick on its cone: it keeps mu_s as long as it does not move.
    if (givesWay && length(block.slipRate()) <= unmovedSlipRate_) continue;
    if (!givesWay && (passage.isRevised || !block.memory.slipping || !hasTurned(block))) {
      if (frictionSpeedTableOrNull(block.laws->friction) == nullptr || round >= kMostRounds) continue;
      again |= std::abs(law.muDynamic - block.coefficient) > kSame * law.muDynamic;
      block.coefficient = law.muDynamic;
      continue;
    }
    passage.slips = givesWay;
    passage.isRevised = true;
    block.coefficient = givesWay ? law.muDynamic : law.muStatic;
    again |= law.muStatic != law.muDynamic;
  }
  return again;
}

/// Solves the reactions of the blocks together with the stick or slip of each block.
bool Moreau::solveImpulsesOfContactBlocks(double h, Tables& tables) noexcept {
  FlightRows(*set_, flights_)
      .fillCompliance(reactions_, tables.compliance,
                      [&](const double* a, const double* b) { return tables.response.compliance(a, b); });
  for (int round = 0;; ++round) {
    if (!solve(reactions_, h)) return false;
    sharedTime_ = isUnique_ ? 0.0 : h;
    if (keepContactsAtRestWherePossible() || !updateBlockFriction(round)) return true;
  }
}

/// Advances the modes over the flight under the reactions of the blocks.
void Moreau::advanceFreeFlight(const State& s, double h, const Tables& tables) noexcept {
  const FlightRows rows(*set_, flights_);
  for (const ImpulseBlock& block : reactions_.blocks()) rows.addImpulseOfBlock(block, {}, 1.0 / h, force_);
  advanceModesOverStep(s, tables);
}

/// Finds the touching contacts from a flight without contacts, then their reactions and the flight under
/// these reactions.
bool Moreau::solveReactions(const ContactRun& run, const State& s, double h, Tables& tables) noexcept {
  reactions_.clear();
  sharedTime_ = 0.0;
  for (std::size_t i = 0; i < passages_.size(); ++i)
    passages_[i].reaction =
        addReactionOfContact(run, i, s, h) ? static_cast<int>(reactions_.blocks().size()) - 1 : -1;
  constexpr double kRounding = 1e-9;
  unmovedSlipRate_ = 0.0;
  if (reactions_.blocks().empty()) return true;
  for (const ImpulseBlock& block : reactions_.blocks())
    for (const double rate : passages_[static_cast<std::size_t>(block.contact)].freeRates)
      unmovedSlipRate_ = std::max(unmovedSlipRate_, kRounding * std::abs(rate));
  if (!solveImpulsesOfContactBlocks(h, tables)) return false;
  advanceFreeFlight(s, h, tables);
  return !flights_.hasCurvedObstacle() || updateContactDirections(s, h, tables);
}

/// Largest error of the lines of curved obstacles after a flight: change of a gap over its rounding error, or
/// turn of a normal over 1e-10. A contact that turns too far in a step for its lines becomes `troubled_`.
double Moreau::largestErrorOfObstacleCurvature(double h) noexcept {
  constexpr double kRounding = 4e-15;
  constexpr double kTooFar = 0.25;  // largest gap error, relative to the distance moved
  constexpr double kNoWay = 1e-12;  // relative rounding error of a distance
  constexpr double kTurn = 1e-10;
  double worst = 0.0;
  for (const ImpulseBlock& block : reactions_.blocks()) {
    const FollowedFlight* flight = flights_.freeFlightOfContact(block.contact);
    if (flight == nullptr || !isCurved(block.laws->obstacle)) continue;
    const double missed = std::abs(flight->end.gap - flight->start.gap - h * block.rate[0]);
    worst = std::max(worst, missed / (kRounding * flight->size()));
    double way = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      way += std::abs(flight->to.place[a] - flight->from.place[a]);
      worst = std::max(worst, std::abs(flight->end.normal[a] - flight->drawnFor[a]) / kTurn);
    }
    if (!flight->isKinked && missed > kTooFar * way + kNoWay * flight->size()) troubled_ = block.contact;
  }
  return worst;
}

/// Computes the lines of curved obstacles again from the flight under the reactions, until the gaps at its
/// end are those predicted by the lines. The error decreases by the turn of the normal in each iteration.
/// Returns false if a contact turns too far in a step of h [s].
bool Moreau::updateContactDirections(const State& s, double h, Tables& tables) noexcept {
  constexpr int kMost = 12;
  double before = std::numeric_limits<double>::infinity();
  for (int i = 0;; ++i) {
    troubled_ = -1;
    const double worst = largestErrorOfObstacleCurvature(h);
    if (!(worst > 1.0) || i == kMost || (i > 2 && worst >= 0.5 * before)) return troubled_ < 0;
    before = worst;
    for (ImpulseBlock& block : reactions_.blocks()) {
      block.impulse = {};
      block.rate = passages_[static_cast<std::size_t>(block.contact)].freeRates;
      FollowedFlight* flight = flights_.freeFlightOfContact(block.contact);
      if (flight == nullptr) continue;
      flights_.computeContactDirections(block.contact, isRigidContact(*block.laws));
      block.surface = flight->meanSurface;
      block.rate = flight->meanContactRatesFromAxisRates(flight->freeRates);
    }
    force_ = given_;
    if (!solveImpulsesOfContactBlocks(h, tables)) return false;
    advanceFreeFlight(s, h, tables);
  }
}

/// Finds contacts whose flight ends with penetration although they have no block on this side: other contacts
/// pushed them there, or a large step moved them from one side of the obstacle to the other. A contact that
/// alternates between both sides has no flight in this step.
Moreau::Flight Moreau::classifyFreeFlight() noexcept {
  Flight flight = Flight::complete;
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    const Contact& contact = set_->contacts()[i];
    if (isRigidContact(contact) || isNormalForceImposed(contact)) continue;
    const double x = contactCoordinateAtStepEnd(i);
    if (!(gapAtStepEnd(i, x) < 0.0)) continue;
    const double side = normalSignAtStepEnd(i, x);
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

/// Computes the flight: q_ and v_ at its end, and force_, the sum of all constant forces.
bool Moreau::computeFreeFlight(const ContactRun& run, const State& s, double h, Tables& tables) noexcept {
  std::fill(forced_.begin(), forced_.end(), 0.0);
  Flight flight = Flight::missed;
  while (flight == Flight::missed) {  // each repetition forces at least one more contact
    force_ = given_;
    advanceModesOverStep(s, tables);
    mean_ = (q_ - s.q) / h;
    if (!flights_.empty()) flights_.setRatesWithoutContactForces(mean_);
    if (!solveReactions(run, s, h, tables)) return false;
    flight = classifyFreeFlight();
  }
  return flight == Flight::complete;
}

/// Computes the flight under loads, links and reactions; the mean forces of the links fit the end of this
/// flight.
bool Moreau::advanceFreeFlightWithLinks(ModalEquation& eq, const State& s, double h,
                                        Tables& tables) noexcept {
  LinkRun& links = eq.links();
  if (!linkMeans_.empty()) linkMeans_.begin(links, h);
  for (;;) {
    given_ = 0.5 * (loadBefore_ + load_);
    linkMeans_.addMeanLinkForcesTo(given_);
    if (!computeFreeFlight(eq.contacts(), s, h, tables)) return false;
    if (links.empty()) return true;
    links.evaluate(s.time + h, Motion{q_.data(), v_.data(), 0.0, v_.data()});
    switch (linkMeans_.correctGuessOfLinkForces(links)) {
      case LinkMeans::Verdict::found:
        return true;
      case LinkMeans::Verdict::again:
        break;
      case LinkMeans::Verdict::none:
        return false;
    }
  }
}

void Moreau::advanceModesOverStep(const State& s, const Tables& tables) noexcept {
  q_ = s.q;
  v_ = s.v;
  tables.response.advance(force_, q_, v_);
  if (!flights_.empty()) flights_.setContactPositionsAtFlightEnd(q_);
}

}  // namespace ricochet
