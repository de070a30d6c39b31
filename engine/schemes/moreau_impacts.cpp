// The impulses at the end of a step of moreau.

#include "engine/schemes/moreau.hpp"
#include "engine/schemes/moreau_blocks.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

/// Takes rebounds and impulses out of an impact that has no solution with them. False: none had a
/// restitution.
bool Moreau::dropRestitution() noexcept {
  bool any = false;
  for (ImpulseBlock& block : impacts_.blocks()) {
    const Passage& passage = passages_[static_cast<std::size_t>(block.contact)];
    any |= block.target != 0.0;
    block.target = 0.0;
    block.rate = passage.before;
    block.impulse = reactionOf(passage);
  }
  return any;
}

/// Impulse of a contact in the flight.
std::array<double, 3> Moreau::reactionOf(const Passage& passage) const noexcept {
  return passage.reaction < 0 ? std::array<double, 3>{}
                              : reactions_.blocks()[static_cast<std::size_t>(passage.reaction)].impulse;
}

/// The block of a contact that takes an impulse at the end of the flight, if it does.
bool Moreau::addImpact(std::size_t i, double h) noexcept {
  const Contact& contact = set_->contacts()[i];
  const Passage& passage = passages_[i];
  const ImpulseBlock* reaction =
      passage.reaction < 0 ? nullptr : &reactions_.blocks()[static_cast<std::size_t>(passage.reaction)];
  const bool pushed = reaction != nullptr && reaction->impulse[0] > 0.0;
  auto friction = stickConeOf(contact.friction);
  const bool rigid = isRigid(contact);
  if (!rigid && !(pushed && friction)) return false;
  const FollowedFlight* flight = flights_.of(static_cast<int>(i));
  if (flight != nullptr) flights_.drawLastLines(static_cast<int>(i));
  const double x = endPlace(i);
  const double side = endSide(i, x);
  std::array<double, 3> rates{};
  if (flight != nullptr)
    rates = ratesAtEnd(i);
  else
    rates[0] = side * alongRow(i, 0, v_);
  // contacts that touch to rounding and neither approach nor leave bear impacts of the others
  const double touching = kTouchingGap * (std::abs(contact.offset[0]) + rowSizes_[i] * scaleQ_);
  if (!pushed && endGap(i, x) + 0.5 * h * rates[0] > touching) return false;
  if (flight == nullptr) rates = {rates[0], alongRow(i, 1, v_), alongRow(i, 2, v_)};

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
  block.surface = flight == nullptr ? Tangential<double>{} : flight->endSurface;
  block.rounding = rowSizes_[i] * rounding_;
  block.rate = rates;
  if (rigid) block.target = -restitutionOf(contact.normal) * std::min(0.0, rates[0]);
  const bool slips = reaction == nullptr || passage.slips;
  // at the slip speed before the impulse
  if (friction) friction = stickConeOf(contact.friction, length(block.slip()));
  if (friction) block.coefficient = slips ? friction->muDynamic : friction->muStatic;
  return true;
}

/// A contact that slows down along a curve leaves it at the end of the flight by the turn of the normal times
/// its loss of speed, and the impulse takes back so much of the reaction, which was that of the speed at the
/// start: the friction of the step is that of the whole impulse.
void Moreau::shareTurn() noexcept {
  const auto blocks = impacts_.blocks();
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    ImpulseBlock& block = blocks[k];
    const FollowedFlight* flight = flights_.of(block.contact);
    if (flight == nullptr || !isCurved(block.laws->obstacle) || !(block.pressed > 0.0)) continue;
    double turn = 0.0;
    for (std::size_t a = 0; a < 3; ++a) turn += std::abs(flight->end.normal[a] - flight->start.normal[a]);
    const double own = impacts_.compliance(k, 0, k, 0);
    const double share = own > 0.0 ? std::max(0.0, block.rate[0]) / own : 0.0;
    block.pressed -= std::min(share, std::min(1.0, turn) * block.pressed);
  }
}

bool Moreau::resolveImpacts(double h) noexcept {
  impacts_.clear();
  for (std::size_t i = 0; i < passages_.size(); ++i) {
    Passage& passage = passages_[i];
    passage.impact = addImpact(i, h) ? static_cast<int>(impacts_.blocks().size()) - 1 : -1;
    if (passage.impact >= 0) passage.before = impacts_.blocks().back().rate;
  }
  if (impacts_.blocks().empty()) return true;
  const ImpactRows rows(*set_, flights_);
  rows.fillCompliance(impacts_, impulseCompliance_, [this](const double* a, const double* b) {
    return kernels::dot(a, b, set_->rowSize());
  });
  if (flights_.bends()) shareTurn();
  if (!solve(impacts_, h) && !(dropRestitution() && solve(impacts_, h))) return false;
  for (const ImpulseBlock& block : impacts_.blocks())
    rows.push(block, reactionOf(passages_[static_cast<std::size_t>(block.contact)]), 1.0, v_);
  return true;
}

}  // namespace ricochet
