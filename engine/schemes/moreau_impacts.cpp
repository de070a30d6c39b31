// Impulses at the end of a step of moreau.

#include "engine/contact/impulse/impulse_wear.hpp"
#include "engine/schemes/moreau.hpp"
#include "engine/schemes/moreau_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

constexpr double kNoApproach = 1e-12;  // a smaller approach, relative to the speeds of the impact, is zero

/// True if forces build up the approach of a contact within a few steps: the gap rate at the end of a step is
/// no more than several times its change over the step. `start`, `end`: gap rates [m/s].
bool isApproachBuiltUpInFewSteps(double start, double end) noexcept {
  constexpr double kFewSteps = 10.0;
  return -end <= kFewSteps * (start - end);
}

}  // namespace

/// Removes rebounds and impulses from an impact that has no solution with restitution. Returns false if no
/// contact had a restitution.
bool Moreau::removeRestitutionFromImpacts() noexcept {
  bool any = false;
  for (ImpulseBlock& block : impacts_.blocks()) {
    const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    any |= block.target != 0.0;
    block.target = 0.0;
    block.rate = passage.before;
    block.impulse = reactionImpulseOfContact(passage);
  }
  return any;
}

/// Impulse of the reaction of a contact during the flight.
std::array<double, 3> Moreau::reactionImpulseOfContact(const Passage& passage) const noexcept {
  return passage.reaction < 0 ? std::array<double, 3>{}
                              : reactions_.blocks()[static_cast<std::size_t>(passage.reaction)].impulse;
}

/// Adds the block of a contact if it takes an impulse at the end of the flight.
bool Moreau::addImpactOfContact(std::size_t i, double h) noexcept {
  const Contact& contact = set_->contacts()[i];
  const Passage& passage = passages_[i];
  const ImpulseBlock* reaction =
      passage.reaction < 0 ? nullptr : &reactions_.blocks()[static_cast<std::size_t>(passage.reaction)];
  const bool pushed = reaction != nullptr && reaction->impulse[0] > 0.0;
  auto friction = stickConeOf(contact.friction);
  const bool rigid = isRigidContact(contact);
  if (!rigid && !(pushed && friction)) return false;
  const FollowedFlight* flight = flights_.freeFlightOfContact(static_cast<int>(i));
  if (flight != nullptr) {
    flights_.computeContactDirectionsAtStepEnd(static_cast<int>(i));
    if (rigid)
      flights_.setNormalOfApproachedSide(static_cast<int>(i),
                                         flights_.productsWithContactRows(static_cast<int>(i), v_));
  }
  const double x = contactCoordinateAtStepEnd(i);
  const double side = normalSignAtStepEnd(i, x);
  std::array<double, 3> rates{};
  if (flight != nullptr)
    rates = contactRatesAtStepEnd(i);
  else
    rates[0] = side * rowProduct(i, 0, v_);
  // Contacts that rest, or touch within rounding and neither approach nor separate, take part in impacts of
  // other contacts. The gap of a contact at rest is what the impact that closed it left.
  const double touching =
      kTouchingGap * (std::abs(contact.offset[0]) + rowSizes_[i] * scaleQ_) + contact.offsetRoundingError;
  const bool rests = reaction != nullptr && isAtRest(i, rates[0]);
  if (!pushed && !rests && gapAtStepEnd(i, x) + 0.5 * h * rates[0] > touching) return false;
  if (flight == nullptr) rates = {rates[0], rowProduct(i, 1, v_), rowProduct(i, 2, v_)};

  ImpulseBlock& block = impacts_.addBlock();
  if (reaction != nullptr) {
    block = *reaction;
    // A normal impulse that cancels part of the reaction does not lower the friction limit: a lower limit
    // would create energy.
    block.pressed = std::max(0.0, reaction->impulse[0]);
  }
  block.contact = static_cast<int>(i);
  block.laws = &contact;
  block.normal = rigid ? NormalRule::unilateral : NormalRule::given;
  block.tangent = friction ? TangentRule::disc : TangentRule::none;
  block.side = side;
  block.surface = flight == nullptr ? Tangential<double>{} : flight->endSurface;
  block.rounding = rowSizes_[i] * rounding_;
  block.rate = rates;
  if (rigid && staged_.impactLaw() == ImpactLaw::newton)
    block.target = -restitutionCoefficientOf(contact.normal) * std::min(0.0, rates[0]);
  const bool slips = reaction == nullptr || passage.slips;
  // the friction coefficient is that at the slip speed before the impact
  if (friction) friction = stickConeOf(contact.friction, length(block.slipRate()));
  if (friction) block.coefficient = slips ? friction->muDynamic : friction->muStatic;
  return true;
}

/// Lowers the friction limit of contacts on curves. A contact that slows down along a curve separates at the
/// end of the flight at about the turn of the normal times its loss of speed. The impulse cancels this part
/// of the reaction, which belongs to the speed at the start: the friction of the step is limited by the
/// remaining impulse.
void Moreau::limitFrictionOnCurvedObstacles() noexcept {
  const auto blocks = impacts_.blocks();
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    ImpulseBlock& block = blocks[k];
    const FollowedFlight* flight = flights_.freeFlightOfContact(block.contact);
    if (flight == nullptr || !isCurved(block.laws->obstacle) || !(block.pressed > 0.0)) continue;
    double turn = 0.0;
    for (std::size_t a = 0; a < 3; ++a) turn += std::abs(flight->end.normal[a] - flight->start.normal[a]);
    const double own = impacts_.compliance(k, 0, k, 0);
    const double share = own > 0.0 ? std::max(0.0, block.rate[0]) / own : 0.0;
    block.pressed -= std::min(share, std::min(1.0, turn) * block.pressed);
  }
}

/// Limits the friction of contacts that no hit concerns by their normal impulses alone: impulses only remove
/// the rounding of their rates there. With the limit of the reaction, contacts of one body could exchange
/// normal impulses and keep both limits, which would stop a slow slide.
void Moreau::limitFrictionOfContactsWithoutImpact() noexcept {
  const auto blocks = impacts_.blocks();
  const auto isHit = [&](const ImpulseBlock& block) {
    return -passages_[static_cast<std::size_t>(block.contact)].before[0] > unmovedSlipRate_;
  };
  const auto concerns = [&](std::size_t hit, std::size_t k) {
    for (std::size_t a = 0; a < 3; ++a)
      if (impacts_.compliance(k, a, hit, 0) != 0.0) return true;
    return false;
  };
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    bool isConcerned = false;
    for (std::size_t hit = 0; blocks[k].pressed > 0.0 && hit < blocks.size() && !isConcerned; ++hit)
      isConcerned = isHit(blocks[hit]) && concerns(hit, k);
    if (!isConcerned) blocks[k].pressed = 0.0;
  }
}

/// Adds the blocks of contacts that take an impulse and have no block yet; with `bearing`, only contacts with
/// a reaction in the flight.
void Moreau::addImpulseBlocksOfImpacts(const State& s, double h, bool bearing) noexcept {
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    Passage& passage = passages_[i];
    if (passage.impact >= 0 || (bearing && !(reactionImpulseOfContact(passage)[0] > 0.0)) ||
        !addImpactOfContact(i, h))
      continue;
    passage.impact = static_cast<int>(impacts_.blocks().size()) - 1;
    const ImpulseBlock& block = impacts_.blocks().back();
    passage.before = block.rate;
    passage.endsShortFlight =
        block.target > 0.0 && h > 0.0 &&
        isApproachBuiltUpInFewSteps(gapRateAtStepStart(i, s, block.side), block.rate[0]);
  }
}

/// Removes rebounds from short flights if reactions of the step hold other contacts against the impulses.
/// Such contacts would lift in an impact, and lose the energy of the rebound when they land; held, they would
/// keep the rebound for ever, and the friction limits of unloaded contacts with it. Returns true if any was
/// removed.
bool Moreau::removeReboundsAgainstPressedContacts() noexcept {
  constexpr double kRounding = 1e-9;
  const auto blocks = impacts_.blocks();
  const auto isUnloaded = [&](const ImpulseBlock& block) {
    const double reaction = reactionImpulseOfContact(passages_[static_cast<std::size_t>(block.contact)])[0];
    return block.impulse[0] > 0.0 && block.impulse[0] < (1.0 - kRounding) * reaction;
  };
  if (std::ranges::none_of(blocks, isUnloaded)) return false;
  bool any = false;
  for (std::size_t j = 0; j < blocks.size(); ++j) {
    ImpulseBlock& block = blocks[j];
    const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    if (!passage.endsShortFlight || block.target == 0.0) continue;
    bool isHeld = false;
    for (std::size_t k = 0; k < blocks.size() && !isHeld; ++k)
      isHeld = impacts_.compliance(k, 0, j, 0) != 0.0 && isUnloaded(blocks[k]);
    if (!isHeld) continue;
    block.target = 0.0;
    any = true;
  }
  return any;
}

/// Gives the dynamic coefficient to sticking contacts that an impact strikes: the impulse of the impact
/// exceeds that of the reaction in the flight, which the static coefficient may hold. Returns true if a
/// coefficient has changed.
bool Moreau::useDynamicFrictionAtImpacts() noexcept {
  bool any = false;
  for (ImpulseBlock& block : impacts_.blocks()) {
    const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    if (block.tangent != TangentRule::disc || passage.slips || passage.reaction < 0) continue;
    const double reaction = reactionImpulseOfContact(passage)[0];
    if (!(block.impulse[0] - reaction > reaction)) continue;
    const double dynamic = stickConeOf(block.laws->friction)->muDynamic;
    any |= block.coefficient != dynamic;
    block.coefficient = dynamic;
  }
  return any;
}

/// Solves the impulses of all blocks together by Newton's law.
bool Moreau::solveImpulses(double h) noexcept {
  do {
    if (!solve(impacts_, h)) return false;
  } while (useDynamicFrictionAtImpacts() || removeReboundsAgainstPressedContacts());
  keepSticksAtRestUnderImpacts();
  return true;
}

/// Solves the impulses of all blocks together, and updates velocity and work.
bool Moreau::solveImpactsSimultaneously(double h) noexcept {
  if (impacts_.blocks().empty()) return true;
  const ImpactRows rows(*set_, flights_);
  rows.fillCompliance(impacts_, impulseCompliance_, [this](const double* a, const double* b) {
    return kernels::dot(a, b, set_->rowSize());
  });
  limitFrictionOfContactsWithoutImpact();
  if (flights_.hasCurvedObstacle()) limitFrictionOnCurvedObstacles();
  if (!solveImpulses(h)) {
    leftRestitution_ = removeRestitutionFromImpacts() && solveImpulses(h);
    if (!leftRestitution_) return false;
  }
  for (const ImpulseBlock& block : impacts_.blocks()) {
    Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    const std::array<double, 3> from = reactionImpulseOfContact(passage);
    const std::array<double, 3> surface{0.0, block.surface.first, block.surface.second};
    rows.addImpulseOfBlock(block, from, 1.0, v_);
    for (std::size_t a = 0; a < 3; ++a)
      passage.lost[a] =
          -0.5 * (block.impulse[a] - from[a]) * (passage.before[a] + block.rate[a] - 2.0 * surface[a]);
  }
  return true;
}

/// Wear work of a step of a rigid contact with set-valued friction [J]: N |s'| of the reaction in the flight,
/// and that of the impulse at its end with the coefficient at the slip speed before.
double Moreau::wearWorkOfContact(std::size_t i) const noexcept {
  const Contact& contact = set_->contacts()[i];
  const Passage& passage = passages_[i];
  if (!isRigidContact(contact) || !set_->hasTraction(static_cast<int>(i)) || !stickConeOf(contact.friction))
    return 0.0;
  double wear = 0.0;
  if (passage.reaction >= 0) {
    const ImpulseBlock& block = reactions_.blocks()[static_cast<std::size_t>(passage.reaction)];
    wear = block.impulse[0] * slipSpeedOf(contact, block.slipRate());
  }
  if (passage.impact < 0) return wear;
  const ImpulseBlock& block = impacts_.blocks()[static_cast<std::size_t>(passage.impact)];
  const std::array<double, 3> before = reactionImpulseOfContact(passage);
  const Tangential<double> slip = Tangential<double>{passage.before[1], passage.before[2]} - block.surface;
  const RubbingImpulse impulse{.coefficient = stickConeOf(contact.friction, length(slip))->muDynamic,
                               .normal = block.impulse[0] - before[0],
                               .friction = block.frictionImpulse() - Tangential<double>{before[1], before[2]},
                               .slipRate = block.slipRate(),
                               .lost = passage.lost[1] + passage.lost[2]};
  return std::max(0.0, wear + wearWorkOfImpulse(contact, impulse));
}

/// Axes of the impulses of a contact at the end of the flight; the axes of a followed contact are sums of its
/// rows.
ImpactAxes Moreau::impulseAxesOfContact(std::size_t i) noexcept {
  const int contact = static_cast<int>(i);
  const FollowedFlight* flight = flights_.freeFlightOfContact(contact);
  ImpactAxes axes;
  if (flight == nullptr) {
    axes.sign[0] = normalSignAtStepEnd(i, contactCoordinateAtStepEnd(i));
  } else {
    const Tangential<double>& surface = flight->endSurface;
    axes.imposed = {flight->endCarried[0], flight->endCarried[1] - surface.first,
                    flight->endCarried[2] - surface.second};
  }
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    axes.row[a] = set_->row(contact, axis);
    if (flight != nullptr) {
      auto sum = impactRows_.col(3 * contact + axis);
      sum.setZero();
      for (int k = 0; k < set_->axes(contact); ++k)
        if (const double* row = set_->row(contact, k))
          kernels::addScaled(flight->last[a][static_cast<std::size_t>(k)], row, sum.data(), sum.size());
      axes.row[a] = sum.data();
    }
    if (axes.row[a] != nullptr) axes.size[a] = std::sqrt(kernels::dot(axes.row[a], axes.row[a], v_.size()));
  }
  return axes;
}

/// Solves the impact of all touching contacts at the end of the flight by an impact law with several stages.
bool Moreau::resolveImpactsInStages(const State& s, double h) noexcept {
  addImpulseBlocksOfImpacts(s, h, false);
  double speed = v_.norm();
  for (const ImpulseBlock& block : impacts_.blocks())
    speed = std::max(speed, rowSizes_[static_cast<std::size_t>(block.contact)] * block.impulse[0]);
  staged_.begin();
  for (const ImpulseBlock& block : impacts_.blocks()) {
    const auto i = static_cast<std::size_t>(block.contact);
    if (block.normal != NormalRule::unilateral || !(rowSizes_[i] > 0.0)) continue;
    staged_
        .addImpactingContact(block.contact, set_->contacts()[i], set_->hasTraction(block.contact),
                             impulseAxesOfContact(i), v_)
        .rest = rowSizes_[i] * (rounding_ + kNoApproach * speed);
  }
  if (!staged_.hasApproachingContact()) return true;
  if (!staged_.applyImpactLaw(v_)) return false;
  isUnique_ = staged_.wereImpulsesUnique();
  leftRestitution_ = leftRestitution_ || staged_.wasRestitutionOmitted();
  for (const ImpactingContact& each : staged_.impactingContacts()) {
    Passage& passage = passages_[static_cast<std::size_t>(each.contact)];
    ImpulseBlock& block = impacts_.blocks()[static_cast<std::size_t>(passage.impact)];
    for (std::size_t a = 0; a < 3; ++a) {
      block.impulse[a] += each.impulse[a];
      passage.lost[a] += each.lost[a];
    }
    block.rate = {each.rate[0], each.rate[1] + block.surface.first, each.rate[2] + block.surface.second};
    if (each.impulse[0] > 0.0) block.slides = std::hypot(each.rate[1], each.rate[2]) > each.rest;
  }
  return true;
}

/// True if the impulse of a rigid contact at the end of the flight exceeds its reaction in the flight.
bool Moreau::isContactPressedByImpact(const ImpulseBlock& block) const noexcept {
  const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
  return block.normal == NormalRule::unilateral && block.impulse[0] > reactionImpulseOfContact(passage)[0];
}

/// True if a rigid contact without reaction in the flight hits at a speed. `speed`: norm of the velocity of
/// the structure before the impulses.
bool Moreau::isContactImpacting(const ImpulseBlock& block, double speed) const noexcept {
  const auto i = static_cast<std::size_t>(block.contact);
  return isContactPressedByImpact(block) && !(reactionImpulseOfContact(passages_[i])[0] > 0.0) &&
         -passages_[i].before[0] > block.rounding + kNoApproach * rowSizes_[i] * speed;
}

/// True if the impulse of a striking contact and the impulse of another contact change each other's gap
/// rates.
bool Moreau::areImpactingContactsCoupled(double speed) noexcept {
  constexpr double kCoupled = 1e-12;
  const auto blocks = impacts_.blocks();
  if (blocks.size() < 2) return false;
  const ImpactRows rows(*set_, flights_);
  rows.fillCompliance(impacts_, impulseCompliance_, [this](const double* a, const double* b) {
    return kernels::dot(a, b, set_->rowSize());
  });
  for (std::size_t i = 0; i < blocks.size(); ++i)
    for (std::size_t j = 0; isContactImpacting(blocks[i], speed) && j < blocks.size(); ++j)
      if (i != j && isContactPressedByImpact(blocks[j]) &&
          std::abs(impacts_.compliance(i, 0, j, 0)) >
              kCoupled * std::sqrt(impacts_.compliance(i, 0, i, 0) * impacts_.compliance(j, 0, j, 0)))
        return true;
  return false;
}

/// Prepares the counts of the impact at the end of a step; they are added once the step is accepted.
void Moreau::countImpact(double speed) noexcept {
  isStruck_ = std::ranges::any_of(impacts_.blocks(),
                                  [&](const ImpulseBlock& b) { return isContactImpacting(b, speed); });
  struck_.withoutRestitution = leftRestitution_ ? 1 : 0;
  struck_.together = isStruck_ && areImpactingContactsCoupled(speed) ? 1 : 0;
  struck_.sharedTime = sharedTime_;
  struck_.notUnique = struck_.together > 0 && !isUnique_ ? 1 : 0;
}

/// Solves the impulses of a step: as one problem with Newton's law. Other impact laws work in stages:
/// contacts with a reaction in the flight first come to rest without rebound, then all touching contacts are
/// hit.
bool Moreau::resolveImpacts(const State& s, double h) noexcept {
  impacts_.clear();
  for (Passage& passage : passages_) {
    passage.impact = -1;
    passage.lost = {};
  }
  const bool inStages = staged_.impactLaw() != ImpactLaw::newton;
  leftRestitution_ = false;
  const double speed = v_.norm();
  addImpulseBlocksOfImpacts(s, h, inStages);
  if (!solveImpactsSimultaneously(h) || (inStages && !resolveImpactsInStages(s, h))) return false;
  countImpact(speed);
  return true;
}

}  // namespace ricochet
