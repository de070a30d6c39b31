// Slip in two dimensions: the direction of the traction is a series of its own, found order by order.

#include "engine/event/event_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// What a law sees of a contact that turns, as series that unfold with the expansion.
struct Turn {
  EventContact* contact;
  FrictionKinematics<Series> kinematics;
  Tangential<Series> direction;  ///< of the traction
  Tangential<Series> rate;       ///< of the direction, for a law that integrates it
  Tangential<Series> force;
  bool integrated;
};

Turn recordTurn(EventContact& c, SeriesTape& tape) {
  Turn turn{&c, {}, {}, {}, {}, false};
  const Tangential<double>& slip = c.state.slipRate;
  turn.kinematics.slipRate = {tape.unfolding(slip.first), tape.unfolding(slip.second)};
  turn.kinematics.compression = tape.unfolding(c.state.compression);
  std::visit(
      [&](const auto& law) {
        if constexpr (requires { law.template turning<Series>(turn.kinematics); }) {
          turn.direction = law.template turning<Series>(turn.kinematics);
        } else if constexpr (requires {
                               law.template turningRate<Series>(turn.kinematics, turn.direction);
                             }) {
          turn.integrated = true;
          const Tangential<double>& e = c.state.friction.direction;
          turn.direction = {tape.unfolding(e.first), tape.unfolding(e.second)};
          turn.rate = law.template turningRate<Series>(turn.kinematics, turn.direction);
        }
        FrictionMemory<Series> memory;
        memory.direction = turn.direction;
        memory.slipping = true;
        turn.force = law.template force<Series>(FrictionState::slip, turn.kinematics, memory);
      },
      c.contact->friction);
  return turn;
}

/// N_k of a normal law that is not a constraint, from the motion known up to k + 1.
double compressionOfOrder(const EventContact& c, const TaylorExpansion& expansion, int k) {
  const LinearForm& form = c.normalForce;
  double value = form.input * c.prescribed[static_cast<std::size_t>(k)];
  if (k == 0) value += c.forceAtOrigin();
  if (c.normalChannel < 0 || (form.position == 0.0 && form.rate == 0.0)) return value;
  const double* x = expansion.motion(c.normalChannel);
  return value + c.state.side * (form.position * x[k] + form.rate * (k + 1) * x[k + 1]);
}

void feedKinematics(Turn& turn, const TaylorExpansion& expansion, SeriesTape& tape, int k) {
  const EventContact& c = *turn.contact;
  Tangential<double> rate{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.tangents); ++a) {
    double along = 0.0;
    if (c.tangentChannel[a] >= 0) along = expansion.motion(c.tangentChannel[a])[k + 1];
    if (!c.surface.empty()) along -= c.moved[a][static_cast<std::size_t>(k + 1)];
    rate = rate + scaled((k + 1) * along, c.axis[a]);
  }
  tape.feed(turn.kinematics.slipRate.first, k, rate.first);
  tape.feed(turn.kinematics.slipRate.second, k, rate.second);
}

double component(const Tangential<Series>& vector, const Tangential<double>& axis, int k) {
  return axis.first * vector.first.coefficient(k) + axis.second * vector.second.coefficient(k);
}

}  // namespace

void EventContacts::expand(TaylorExpansion& expansion) {
  const bool turning =
      std::any_of(contacts_.begin(), contacts_.end(), [](const auto& c) { return c.turning; });
  if (!turning) {
    expansion.run(0, expansion.order());
    return;
  }
  tape_.clear();
  std::vector<Turn> turns;
  for (EventContact& c : contacts_)
    if (c.turning) turns.push_back(recordTurn(c, tape_));
  for (int k = 0; k <= expansion.order(); ++k) {
    for (Turn& turn : turns) {
      EventContact& c = *turn.contact;
      feedKinematics(turn, expansion, tape_, k);
      const bool free = c.normalConstraint >= 0;  // a reaction comes with the order itself
      tape_.feed(turn.kinematics.compression, k, free ? 0.0 : compressionOfOrder(c, expansion, k));
    }
    tape_.refresh(k);
    for (Turn& turn : turns) {
      EventContact& c = *turn.contact;
      for (std::size_t a = 0; a < static_cast<std::size_t>(c.tangents); ++a) {
        const double force = component(turn.force, c.axis[a], k);
        c.traction[a][static_cast<std::size_t>(k)] = force;
        if (c.tangentChannel[a] >= 0)
          expansion.given(c.tangentChannel[a], k + 1)[static_cast<std::size_t>(k)] = force;
      }
    }
    expansion.run(k, k);
    bool again = false;
    for (Turn& turn : turns)
      if (const int r = turn.contact->normalConstraint; r >= 0) {
        tape_.feed(turn.kinematics.compression, k,
                   turn.contact->state.side * expansion.reaction(r)[static_cast<std::size_t>(k)]);
        again = true;
      }
    if (again) tape_.refresh(k);
    for (Turn& turn : turns) {
      turn.contact->heading[0][static_cast<std::size_t>(k)] = turn.direction.first.coefficient(k);
      turn.contact->heading[1][static_cast<std::size_t>(k)] = turn.direction.second.coefficient(k);
      if (turn.integrated) {
        tape_.feed(turn.direction.first, k + 1, turn.rate.first.coefficient(k) / (k + 1));
        tape_.feed(turn.direction.second, k + 1, turn.rate.second.coefficient(k) / (k + 1));
      }
    }
  }
}

double EventContacts::turningTime(const TaylorExpansion& expansion) const noexcept {
  double shortest = std::numeric_limits<double>::infinity();
  for (const EventContact& c : contacts_) {
    if (!c.turning) continue;
    const double rate = expansion.accelerationSize() * std::max(c.rowSize[1], c.rowSize[2]);
    const double speed = std::hypot(c.state.slipRate.first, c.state.slipRate.second);
    if (rate > 0.0) shortest = std::min(shortest, speed / rate);
  }
  return shortest;
}

double EventContacts::longestFrozenStep(const TaylorExpansion& expansion, double speed) const noexcept {
  double longest = std::numeric_limits<double>::infinity();
  for (const EventContact& c : contacts_) {
    if (!c.frozen || !c.closed()) continue;
    // the velocity that a wrong direction could cause in this time is lost in rounding
    constexpr double kUnseen = 1e-13;
    const double push = expansion.accelerationSize() * std::max(c.rowSize[1], c.rowSize[2]);
    if (!(push > 0.0)) continue;
    if (c.stopping)  // it may not stop after all: no step goes far beyond where it should
      longest = std::min(longest, 8.0 * std::hypot(c.state.slipRate.first, c.state.slipRate.second) / push);
    else
      longest = std::min(longest, kUnseen * speed * std::max(c.rowSize[1], c.rowSize[2]) / push);
  }
  return longest;
}

}  // namespace ricochet
