#pragma once

#include "engine/batch/lane_group.hpp"
#include "engine/batch/pack.hpp"
#include "engine/contact/contact_evaluation.hpp"

#include <algorithm>
#include <cstddef>

namespace ricochet::batch::RICOCHET_LANES {

/// The sum over the modes of a row, of `term(entry, place)` (ModeSum).
template <class Term>
inline Pack sumOver(const ModeSum& modes, Term&& term) noexcept {
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

inline Pack along(const RowBundle& row, const std::vector<Eight>& x) noexcept {
  return sumOver(row.sum, [&](std::size_t e, std::size_t p) { return Pack(row.values[e]) * Pack(x[p]); });
}

/// Along a row, the rate that contacts see: of the velocity v + dv f.
inline Pack rateAlong(const RowBundle& row, const LaneGroup& g, const Pack& dv) noexcept {
  return sumOver(row.sum, [&](std::size_t e, std::size_t p) {
    return Pack(row.values[e]) * (Pack(g.v[p]) + dv * Pack(g.f[p]));
  });
}

inline Tangential<Pack> loaded(const std::array<Eight, 2>& pair) noexcept {
  return {Pack(pair[0]), Pack(pair[1])};
}
inline void store(const Tangential<Pack>& pair, std::array<Eight, 2>& to) noexcept {
  pair.first.store(to[0]);
  pair.second.store(to[1]);
}

/// ContactState of eight variants in registers, as far as a trial makes it.
struct Trial {
  Pack gap, side, compression, storedNormal, storedTangential;
  Tangential<Pack> position, slipRate, traction;
  FrictionMemory<Pack> friction;
  PackMask closed, released;

  static Trial of(const LaneContactState& s) noexcept {
    Trial t;
    t.gap = Pack(s.gap);
    t.side = Pack(s.side);
    t.compression = Pack(s.compression);
    t.storedNormal = Pack(s.storedNormal);
    t.storedTangential = Pack(s.storedTangential);
    t.position = loaded(s.position);
    t.slipRate = loaded(s.slipRate);
    t.traction = loaded(s.traction);
    t.friction = {loaded(s.anchorForce), loaded(s.anchorPosition), loaded(s.direction), PackMask(s.slipping)};
    t.closed = PackMask(s.closed);
    t.released = PackMask(s.released);
    return t;
  }
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

/// `change` where `where` holds, else `keep`.
inline Trial select(const PackMask& where, const Trial& change, const Trial& keep) noexcept {
  Trial t;
  t.gap = select(where, change.gap, keep.gap);
  t.side = select(where, change.side, keep.side);
  t.compression = select(where, change.compression, keep.compression);
  t.storedNormal = select(where, change.storedNormal, keep.storedNormal);
  t.storedTangential = select(where, change.storedTangential, keep.storedTangential);
  t.position = select<Pack>(where, change.position, keep.position);
  t.slipRate = select<Pack>(where, change.slipRate, keep.slipRate);
  t.traction = select<Pack>(where, change.traction, keep.traction);
  t.friction.anchorForce = select<Pack>(where, change.friction.anchorForce, keep.friction.anchorForce);
  t.friction.anchorPosition =
      select<Pack>(where, change.friction.anchorPosition, keep.friction.anchorPosition);
  t.friction.direction = select<Pack>(where, change.friction.direction, keep.friction.direction);
  t.friction.slipping = select(where, change.friction.slipping, keep.friction.slipping);
  t.closed = select(where, change.closed, keep.closed);
  t.released = select(where, change.released, keep.released);
  return t;
}

/// `settle` (normal_law.hpp) by lane: the state that holds, by the guards of all three.
template <class Law>
inline void settle(const Law& law, const LaneContact& c, const NormalKinematics<Pack>& k,
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
inline void tryNormal(const Law& law, const LaneGroup& g, const LaneContact& c, const RowBundle& row,
                      const Trial& from, Trial& to) noexcept {
  NormalKinematics<Pack> k{to.gap, Pack(0.0), Pack(0.0), Pack(0.0)};
  if constexpr (Law::kImposed) k.imposed = Pack(g.factors[c.imposedFunction]);
  if constexpr (requires { law.damping; }) {
    const PackMask wanted(c.rateWanted);
    if (any(wanted))
      k.gapRate = select(wanted, to.side * rateAlong(row, g, Pack(0.5 * g.model.step)), Pack(0.0));
  }
  to.closed = from.closed;
  to.released = from.released;
  settle(law, c, k, to);
  const auto byState = [&](auto&& value) {
    return select(to.closed, value(NormalState::closed),
                  select(to.released, value(NormalState::released), value(NormalState::open)));
  };
  to.compression = byState([&](NormalState s) { return law.template force<Pack>(s, k); });
  to.storedNormal = byState([&](NormalState s) { return law.template stored<Pack>(s, k); });
}

/// As `evaluateFriction` (contact_evaluation.hpp) by lane, of a contact that is or was closed in one.
template <class Law>
inline void tryFriction(const Law& law, const LaneGroup& g, const LaneContact& c,
                        const std::array<RowBundle, 3>& rows, const Trial& from, Trial& to) noexcept {
  const Pack zero(0.0);
  const Pack dv(0.5 * g.model.step);
  const auto rates = [&]() -> Tangential<Pack> {
    return {rows[1].rows == 0 ? zero : rateAlong(rows[1], g, dv),
            rows[2].rows == 0 ? zero : rateAlong(rows[2], g, dv)};
  };
  const PackMask damped(c.slipRateWanted);
  const PackMask wanted = damped | from.friction.slipping;
  FrictionKinematics<Pack> k{};
  k.position = {rows[1].rows == 0 ? Pack(c.offset[1]) : Pack(c.offset[1]) + along(rows[1], g.q),
                rows[2].rows == 0 ? Pack(c.offset[2]) : Pack(c.offset[2]) + along(rows[2], g.q)};
  k.compression = to.compression;
  const bool wantedAny = any(wanted);
  Tangential<Pack> rate{};
  if (wantedAny) {
    rate = rates();
    k.slipRate = select<Pack>(wanted, rate, {});
  }
  const Pack elapsed(g.elapsed);
  const PackMask relaxing = damped & from.friction.slipping & (elapsed > zero);
  if (any(relaxing)) {  // only a stick with a dashpot asks for these
    k.elapsed = select(relaxing, elapsed, zero);
    k.compressionRate = select(relaxing, (to.compression - from.compression) / elapsed, zero);
  }
  FrictionMemory<Pack> memory;  // hooked where it is, if it has just closed
  memory.anchorForce = select<Pack>(from.closed, from.friction.anchorForce, {});
  memory.anchorPosition = select<Pack>(from.closed, from.friction.anchorPosition, k.position);
  memory.direction = select<Pack>(from.closed, from.friction.direction, {});
  memory.slipping = from.closed & from.friction.slipping;
  const FrictionTrial<Pack> result = law.template trial<Pack>(k, memory);

  to.position = k.position;
  to.slipRate = k.slipRate;
  const PackMask late = to.closed & result.next.slipping & ~wanted;
  if (any(late)) to.slipRate = select<Pack>(late, wantedAny ? rate : rates(), to.slipRate);
  to.traction = select<Pack>(to.closed, result.traction, {});
  to.friction.anchorForce = select<Pack>(to.closed, result.next.anchorForce, {});
  to.friction.anchorPosition = select<Pack>(to.closed, result.next.anchorPosition, {});
  to.friction.direction = select<Pack>(to.closed, result.next.direction, {});
  to.friction.slipping = to.closed & result.next.slipping;
  to.storedTangential = select(to.closed, law.template stored<Pack>(k, result.next), zero);
}

/// As ContactRun::accountFor, where `touched`.
template <class Normal, class Friction>
inline void account(LaneGroup& g, LaneContact& c, const Trial& from, const Trial& to,
                    const PackMask& touched) noexcept {
  const Pack zero(0.0);
  const auto add = [](Eight& total, const PackMask& where, const Pack& amount) {
    const Pack before(total);
    select(where, before + amount, before).store(total);
  };
  const Pack both = from.compression + to.compression;
  add(c.impulse, touched, Pack(0.5 * g.model.step) * both);
  const Pack peak(c.peakForce);
  select(touched & (peak < to.compression), to.compression, peak).store(c.peakForce);
  const Pack meanForce = Pack(0.5) * both;
  if constexpr (Normal::kImposed) {
    add(g.external, touched, meanForce * (to.gap - from.gap));
  } else {
    const auto penetration = [&](const Pack& gap) { return select(zero < -gap, -gap, zero); };
    const Pack crush = penetration(to.gap) - penetration(from.gap);
    add(g.dampingLoss, touched, meanForce * crush - (to.storedNormal - from.storedNormal));
  }
  if constexpr (Friction::kTraction) {
    const PackMask wasClosed = touched & from.closed;
    if (!any(wasClosed)) return;
    const Pack slipWork = Pack(-0.5) * dot(from.traction + to.traction, to.position - from.position);
    const Pack gone = slipWork - (to.storedTangential - from.storedTangential);
    const PackMask slid = from.friction.slipping | to.friction.slipping | ~to.closed;
    add(g.dampingLoss, wasClosed & ~slid, gone);
    if (!any(wasClosed & slid)) return;
    add(g.friction, wasClosed & slid, gone);
    add(c.frictionEnergy, wasClosed & slid, gone);
  }
}

/// Hands lanes in which the contact changed over to the scalar code.
inline void noteChanges(LaneGroup& g, std::size_t contact, const PackMask& changed, const Trial& from,
                        const Trial& to) noexcept {
  LaneContactState before, after;
  EightMask lanes;
  from.store(before);
  to.store(after);
  changed.store(lanes);
  for (std::size_t lane = 0; lane < kWidth; ++lane)
    if (lanes.holds(lane)) g.note(lane, contact, before, after);
}

/// One contact over one step in all lanes: `ContactRun::evaluate` and `accept`.
template <class Obstacle, class Normal, class Friction>
inline void touch(LaneGroup& g, std::size_t index, const Obstacle& obstacle, const Normal& normal,
                  const Friction& friction) noexcept {
  LaneContact& c = g.contacts[index];
  const std::array<RowBundle, 3>& rows = g.model.rows[index];
  const Pack place(g.along[index]);
  Trial from = Trial::of(c.state);
  const PackMask wasOpen = ~(from.closed | from.released);
  const PackMask isFree = wasOpen & (place > Pack(c.low)) & (place < Pack(c.high));
  const PackMask touched = PackMask(g.active) & ~isFree;

  Trial to;
  const Pack offset(c.offset[0]);
  const Pack x = offset + place;
  to.gap = obstacle.template gap<Pack>(x);
  to.side = obstacle.template side<Pack>(x);
  tryNormal(normal, g, c, rows[0], from, to);
  if constexpr (Friction::kTraction)
    if (any(touched & (to.closed | from.closed))) tryFriction(friction, g, c, rows, from, to);

  from.gap = select(wasOpen, obstacle.template gap<Pack>(offset + Pack(c.along)), from.gap);
  account<Normal, Friction>(g, c, from, to, touched);

  PackMask changed = touched & (from.closed ^ to.closed);
  if constexpr (Friction::kTraction) {
    const PackMask both = from.friction.slipping & to.friction.slipping;
    const PackMask turned = both & (dot(from.friction.direction, to.friction.direction) < Pack(0.0));
    changed = changed | (touched & from.closed & to.closed &
                         ((from.friction.slipping ^ to.friction.slipping) | turned));
  }
  if (any(changed)) [[unlikely]]
    noteChanges(g, index, changed, from, to);

  const PackMask pushes = touched & to.closed;
  if (any(pushes)) {
    pushes.store(c.pushing);
    (to.side * to.compression).store(c.push[0]);
    to.traction.first.store(c.push[1]);
    to.traction.second.store(c.push[2]);
    g.pushing[g.pushingCount++] = index;
  }
  if (any(PackMask(g.active) & ~touched))
    select(touched, to, from).store(c.state);
  else
    to.store(c.state);  // what an empty lane holds does not matter
}

template <std::size_t kObstacle, std::size_t kNormal, std::size_t kFriction>
[[gnu::flatten]] void contactKernel(LaneGroup& g, std::size_t index) noexcept {
  const LaneContact& c = g.contacts[index];
  touch(g, index,
        batch::loaded<std::tuple_element_t<kObstacle, LaneObstacles<Pack>>>(std::get<kObstacle>(c.obstacle)),
        batch::loaded<std::tuple_element_t<kNormal, LaneNormalLaws<Pack>>>(std::get<kNormal>(c.normal)),
        batch::loaded<std::tuple_element_t<kFriction, LaneFrictionLaws<Pack>>>(
            std::get<kFriction>(c.friction)));
}

}  // namespace ricochet::batch::RICOCHET_LANES
