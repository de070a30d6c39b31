#pragma once

#include "engine/contact/try_contact.hpp"
#include "engine/lanes/lane_group.hpp"
#include "engine/numerics/pack.hpp"

#include <algorithm>
#include <cstddef>

namespace ricochet::batch::RICOCHET_LANES {

/// Sum over the modes of a row of `term(entry, place)`, in the order of ModeSum.
template <class Term>
inline Pack sumOverModesInLanes(const ModeSum& modes, Term&& term) noexcept {
  const auto partial = [&](std::size_t j) {
    Pack total(0.0);
    for (std::size_t e = modes.begin[j]; e < modes.begin[j + 1]; ++e) total = total + term(e, modes.at[e]);
    return total;
  };
  Pack even(0.0), odd(0.0);
  if (modes.even) even = (partial(0) + partial(4)) + (partial(2) + partial(6));
  if (modes.odd) odd = (partial(1) + partial(5)) + (partial(3) + partial(7));
  return even + odd;
}

inline Pack rowProduct(const RowBundle& row, const std::vector<Eight>& x) noexcept {
  return sumOverModesInLanes(row.sum,
                             [&](std::size_t e, std::size_t p) { return Pack(row.values[e]) * Pack(x[p]); });
}

/// Rate along a row at which contacts are evaluated, for the velocity v + dv f.
inline Pack rateAlongRow(const RowBundle& row, const LaneGroup& g, const Pack& dv) noexcept {
  return sumOverModesInLanes(row.sum, [&](std::size_t e, std::size_t p) {
    return Pack(row.values[e]) * (Pack(g.v[p]) + dv * Pack(g.f[p]));
  });
}

inline Tangential<Pack> loadRegisters(const std::array<Eight, 2>& pair) noexcept {
  return {Pack(pair[0]), Pack(pair[1])};
}
inline void store(const Tangential<Pack>& pair, std::array<Eight, 2>& to) noexcept {
  pair.first.store(to[0]);
  pair.second.store(to[1]);
}

/// State of one contact (ContactState) of eight variants in registers, with the members that a trial
/// computes.
struct Trial {
  Pack gap, gapRate, side, compression, storedNormal, storedTangential;
  Tangential<Pack> position, slipRate, traction;
  FrictionMemory<Pack> friction;
  PackMask closed, released;

  void store(LaneContactState& s) const noexcept {
    gap.store(s.gap);
    side.store(s.side);
    compression.store(s.compression);
    storedNormal.store(s.storedNormal);
    storedTangential.store(s.storedTangential);
    RICOCHET_LANES::store(position, s.position);
    RICOCHET_LANES::store(slipRate, s.slipRate);
    RICOCHET_LANES::store(traction, s.traction);
    RICOCHET_LANES::store(friction.anchorForce, s.anchorForce);
    RICOCHET_LANES::store(friction.anchorPosition, s.anchorPosition);
    RICOCHET_LANES::store(friction.direction, s.direction);
    friction.slipping.store(s.slipping);
    closed.store(s.closed);
    released.store(s.released);
  }
};

/// Writes `change` to the lanes in which the mask `where` is true.
inline void writeToMaskedLanes(const PackMask& where, const Pack& change, Eight& to) noexcept {
  select(where, change, Pack(to)).store(to);
}
inline void writeToMaskedLanes(const PackMask& where, const Tangential<Pack>& change,
                               std::array<Eight, 2>& to) noexcept {
  writeToMaskedLanes(where, change.first, to[0]);
  writeToMaskedLanes(where, change.second, to[1]);
}
inline void writeToMaskedLanes(const PackMask& where, const PackMask& change, EightMask& to) noexcept {
  select(where, change, PackMask(to)).store(to);
}
inline void writeToMaskedLanes(const PackMask& where, const Trial& change, LaneContactState& to) noexcept {
  writeToMaskedLanes(where, change.gap, to.gap);
  writeToMaskedLanes(where, change.side, to.side);
  writeToMaskedLanes(where, change.compression, to.compression);
  writeToMaskedLanes(where, change.storedNormal, to.storedNormal);
  writeToMaskedLanes(where, change.storedTangential, to.storedTangential);
  writeToMaskedLanes(where, change.position, to.position);
  writeToMaskedLanes(where, change.slipRate, to.slipRate);
  writeToMaskedLanes(where, change.traction, to.traction);
  writeToMaskedLanes(where, change.friction.anchorForce, to.anchorForce);
  writeToMaskedLanes(where, change.friction.anchorPosition, to.anchorPosition);
  writeToMaskedLanes(where, change.friction.direction, to.direction);
  writeToMaskedLanes(where, change.friction.slipping, to.slipping);
  writeToMaskedLanes(where, change.closed, to.closed);
  writeToMaskedLanes(where, change.released, to.released);
}

/// Next normal state by lane as in `nextStateOfNormalLaw` (normal_law.hpp): follows broken guards (conditions
/// of a state) to the state whose guards hold.
template <class Law>
inline void nextStateOfNormalLaw(const Law& law, const LaneContact& c, const NormalKinematics<Pack>& k,
                                 Trial& trial) noexcept {
  constexpr int kLongestPath = 3;
  const Pack zero(0.0);
  for (int hop = 0; hop < kLongestPath; ++hop) {
    const PackMask open = ~(trial.closed | trial.released);
    PackMask moved(false), closed = trial.closed, released = trial.released;
    const auto follow = [&](NormalState state, const PackMask& here) {
      const NormalGuards<Pack> guards = law.template guards<Pack>(state, k);
      PackMask left = here;
      for (std::size_t guard = 0; guard < kNormalGuards; ++guard) {
        const PackMask broken = left & ~(guards[guard] >= zero);
        left = left & ~broken;
        if (!any(broken)) continue;
        moved = moved | broken;
        const auto& next = c.next[static_cast<std::size_t>(state)][guard];
        closed = select(broken, PackMask(next[0]), closed);
        released = select(broken, PackMask(next[1]), released);
      }
    };
    follow(NormalState::open, open);
    if (any(trial.closed)) follow(NormalState::closed, trial.closed);
    if (any(trial.released)) follow(NormalState::released, trial.released);
    if (!any(moved)) return;
    trial.closed = closed;
    trial.released = released;
  }
}

template <class Law>
inline void computeNormalTrial(const Law& law, const LaneGroup& g, const LaneContact& c, const RowBundle& row,
                               const LaneContactState& from, Trial& to) noexcept {
  NormalKinematics<Pack> k{to.gap, Pack(0.0), Pack(0.0), Pack(0.0)};
  if constexpr (Law::traits.imposed) k.imposed = Pack(g.factors[c.imposedFunction]);
  if constexpr (Law::traits.asksRate) {
    const PackMask wanted(c.rateWanted);
    if (any(wanted))
      k.gapRate = select(wanted, to.side * rateAlongRow(row, g, Pack(0.5 * g.model.step)), Pack(0.0));
  }
  to.gapRate = k.gapRate;
  to.closed = PackMask(from.closed);
  to.released = PackMask(from.released);
  nextStateOfNormalLaw(law, c, k, to);
  const auto byState = [&](auto&& value) {
    return select(to.closed, value(NormalState::closed),
                  select(to.released, value(NormalState::released), value(NormalState::open)));
  };
  to.compression = byState([&](NormalState s) { return law.template force<Pack>(s, k); });
  to.storedNormal = byState([&](NormalState s) { return law.template storedEnergy<Pack>(s, k); });
}

/// Friction by lane as in `computeFrictionTrial` (try_contact.hpp), for a contact that is or was closed in at
/// least one lane.
template <class Law>
inline void computeFrictionTrial(const Law& law, const LaneGroup& g, const LaneContact& c,
                                 const std::array<RowBundle, 3>& rows, const LaneContactState& from,
                                 Trial& to) noexcept {
  const Pack zero(0.0);
  const Pack dv(0.5 * g.model.step);
  const auto rates = [&]() -> Tangential<Pack> {
    return {rows[1].rows == 0 ? zero : rateAlongRow(rows[1], g, dv),
            rows[2].rows == 0 ? zero : rateAlongRow(rows[2], g, dv)};
  };
  const PackMask damped(c.slipRateWanted);
  const PackMask wasClosed(from.closed), wasSlipping(from.slipping);
  const PackMask closes = to.closed & ~wasClosed;
  const PackMask wanted = damped | wasSlipping | closes;
  FrictionKinematics<Pack> k{};
  k.position = {rows[1].rows == 0 ? Pack(c.offset[1]) : Pack(c.offset[1]) + rowProduct(rows[1], g.q),
                rows[2].rows == 0 ? Pack(c.offset[2]) : Pack(c.offset[2]) + rowProduct(rows[2], g.q)};
  k.compression = normalForceForFriction(to.compression);
  const bool wantedAny = any(wanted);
  Tangential<Pack> rate{};
  if (wantedAny) {
    rate = rates();
    k.slipRate = select<Pack>(wanted, rate, {});
  }
  const Pack elapsed(g.elapsed);
  const PackMask relaxing = damped & wasSlipping & (elapsed > zero);
  if (any(relaxing)) {  // only a stick with a dashpot uses these values
    k.elapsed = select(relaxing, elapsed, zero);
    k.compressionRate =
        select(relaxing, (k.compression - normalForceForFriction(Pack(from.compression))) / elapsed, zero);
  }
  Tangential<Pack> anchor = k.position;  // a new stick is anchored where the contact touched
  if (any(closes)) {                     // detail::timeSinceClosing by lane
    const Pack gapRate = to.side * rateAlongRow(rows[0], g, dv);
    to.gapRate = select(closes, gapRate, to.gapRate);
    const PackMask pressed = closes & (to.gap < zero) & (gapRate < zero);
    const Pack ratio = to.gap / select(pressed, gapRate, Pack(1.0));
    const Pack touched = select(pressed, select(ratio < elapsed, ratio, elapsed), zero);
    anchor = k.position - scaled(touched, k.slipRate);
  }
  FrictionMemory<Pack> memory;
  memory.anchorForce = select<Pack>(wasClosed, loadRegisters(from.anchorForce), {});
  memory.anchorPosition = select<Pack>(wasClosed, loadRegisters(from.anchorPosition), anchor);
  memory.direction = select<Pack>(wasClosed, loadRegisters(from.direction), {});
  memory.slipping = wasClosed & wasSlipping;
  const FrictionTrial<Pack> result = law.template computeTrial<Pack>(k, memory);

  to.position = k.position;
  to.slipRate = k.slipRate;
  const PackMask late = to.closed & result.next.slipping & ~wanted;
  if (any(late)) to.slipRate = select<Pack>(late, wantedAny ? rate : rates(), to.slipRate);
  to.traction = select<Pack>(to.closed, result.traction, {});
  to.friction.anchorForce = select<Pack>(to.closed, result.next.anchorForce, {});
  to.friction.anchorPosition = select<Pack>(to.closed, result.next.anchorPosition, {});
  to.friction.direction = select<Pack>(to.closed, result.next.direction, {});
  to.friction.slipping = to.closed & result.next.slipping;
  to.storedTangential = select(to.closed, law.template storedEnergy<Pack>(k, result.next), zero);
}

/// Energies and impulses by lane as in `ContactRun::accountFor`, added in the lanes of the mask `touched`.
template <class Normal, class Friction>
inline void addEnergies(LaneGroup& g, LaneContact& c, const LaneContactState& from, const Trial& to,
                        const PackMask& touched) noexcept {
  const Pack zero(0.0);
  const auto add = [](Eight& total, const PackMask& where, const Pack& amount) {
    const Pack before(total);
    select(where, before + amount, before).store(total);
  };
  const Pack both = Pack(from.compression) + to.compression;
  add(c.impulse, touched, Pack(0.5 * g.model.step) * both);
  const Pack peak(c.peakForce);
  select(touched & (peak < to.compression), to.compression, peak).store(c.peakForce);
  const Pack meanForce = Pack(0.5) * both;
  if constexpr (Normal::traits.imposed) {
    add(g.external, touched, meanForce * (to.gap - Pack(from.gap)));
  } else {
    const auto penetration = [&](const Pack& gap) { return select(zero < -gap, -gap, zero); };
    const Pack crush = penetration(to.gap) - penetration(Pack(from.gap));
    add(g.dampingLoss, touched & PackMask(c.rateWanted),
        meanForce * crush - (to.storedNormal - Pack(from.storedNormal)));
  }
  if constexpr (Friction::traits.traction) {
    const PackMask wasClosed = touched & PackMask(from.closed);
    const PackMask doesSlipStartAtClosing =
        touched & ~PackMask(from.closed) & to.closed & to.friction.slipping;
    if (any(doesSlipStartAtClosing)) {  // energyLostBySlipSinceClosing (contact_events.cpp) by lane
      const Pack ratio = to.gap / to.gapRate;
      const PackMask pressed = (to.gap < zero) & (to.gapRate < zero);
      const Pack step(g.model.step);
      const Pack time = select(pressed, select(ratio < step, ratio, step), zero);
      const Pack lost = Pack(-0.5) * time * dot(to.traction, to.slipRate) - to.storedTangential;
      add(g.friction, doesSlipStartAtClosing, lost);
      add(c.frictionEnergy, doesSlipStartAtClosing, lost);
    }
    if (!any(wasClosed)) return;
    const Pack slipWork = Pack(-0.5) * dot(loadRegisters(from.traction) + to.traction,
                                           to.position - loadRegisters(from.position));
    const Pack gone = slipWork - (to.storedTangential - Pack(from.storedTangential));
    const PackMask slid = PackMask(from.slipping) | to.friction.slipping | ~to.closed;
    add(g.dampingLoss, wasClosed & ~slid & PackMask(c.slipRateWanted), gone);
    if (!any(wasClosed & slid)) return;
    add(g.friction, wasClosed & slid, gone);
    add(c.frictionEnergy, wasClosed & slid, gone);
  }
}

/// Passes the lanes in which the state of the contact changed to the scalar code.
inline void storeContactChanges(LaneGroup& g, std::size_t contact, const PackMask& changed,
                                const LaneContactState& from, const Trial& to) noexcept {
  LaneContactState after;
  Eight gapRate;
  EightMask lanes;
  to.store(after);
  to.gapRate.store(gapRate);
  changed.store(lanes);
  for (std::size_t lane = 0; lane < kWidth; ++lane)
    if (lanes.isSet(lane)) g.storeContactChange(lane, contact, from, after, gapRate.lane[lane]);
}

/// Advances one contact over one step in all lanes: `ContactRun::evaluate` and `acceptStep`.
template <class Obstacle, class Normal, class Friction>
inline void advanceContactInLanes(LaneGroup& g, std::size_t index, const Obstacle& obstacle,
                                  const Normal& normal, const Friction& friction) noexcept {
  LaneContact& c = g.contacts[index];
  const std::array<RowBundle, 3>& rows = g.model.rows[index];
  const Pack place(g.along[index]);
  LaneContactState& from = c.state;
  const PackMask wasClosed(from.closed);
  const PackMask wasOpen = ~(wasClosed | PackMask(from.released));
  const PackMask isFree = wasOpen & (place > Pack(c.low)) & (place < Pack(c.high));
  const PackMask touched = PackMask(g.active) & ~isFree;

  Trial to;
  const Pack offset(c.offset[0]);
  const Pack x = offset + place;
  to.gap = obstacle.template gap<Pack>(x);
  to.side = obstacle.template normalSign<Pack>(x);
  computeNormalTrial(normal, g, c, rows[0], from, to);
  if constexpr (Friction::traits.traction)
    if (any(touched & (to.closed | wasClosed))) computeFrictionTrial(friction, g, c, rows, from, to);

  writeToMaskedLanes(touched & wasOpen, obstacle.template gap<Pack>(offset + Pack(c.along)), from.gap);
  addEnergies<Normal, Friction>(g, c, from, to, touched);

  PackMask changed = touched & (wasClosed ^ to.closed);
  if constexpr (Friction::traits.traction) {
    const PackMask wasSlipping(from.slipping);
    const PackMask both = wasSlipping & to.friction.slipping;
    const PackMask turned = both & (dot(loadRegisters(from.direction), to.friction.direction) < Pack(0.0));
    changed = changed | (touched & wasClosed & to.closed & ((wasSlipping ^ to.friction.slipping) | turned));
  }
  if (any(changed)) [[unlikely]]
    storeContactChanges(g, index, changed, from, to);

  const PackMask pushes = touched & to.closed;
  if (any(pushes)) {
    pushes.store(c.pushing);
    (to.side * to.compression).store(c.push[0]);
    to.traction.first.store(c.push[1]);
    to.traction.second.store(c.push[2]);
    g.pushing[g.pushingCount++] = index;
  }
  if (any(PackMask(g.active) & ~touched))
    writeToMaskedLanes(touched, to, c.state);
  else
    to.store(c.state);  // the values of a lane without a variant are never read
}

template <std::size_t kObstacle, std::size_t kNormal, std::size_t kFriction>
[[gnu::flatten]] void advanceContactInLanesKernel(LaneGroup& g, std::size_t index) noexcept {
  const LaneContact& c = g.contacts[index];
  advanceContactInLanes(
      g, index,
      batch::loadRegisters<std::tuple_element_t<kObstacle, LaneObstacles<Pack>>>(
          std::get<kObstacle>(c.obstacle)),
      batch::loadRegisters<std::tuple_element_t<kNormal, LaneNormalLaws<Pack>>>(std::get<kNormal>(c.normal)),
      batch::loadRegisters<std::tuple_element_t<kFriction, LaneFrictionLaws<Pack>>>(
          std::get<kFriction>(c.friction)));
}

}  // namespace ricochet::batch::RICOCHET_LANES
