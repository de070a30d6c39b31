#pragma once

#include "engine/lanes/lane_contact.hpp"
#include "engine/lanes/lane_group.hpp"
#include "engine/numerics/pack.hpp"

#include <cstddef>

namespace ricochet::batch::RICOCHET_LANES {

/// Sets the instants of the step, and evaluates the functions of time at its end.
inline void evaluateStepFunctions(LaneGroup& g) noexcept {
  const Pack time(g.time);
  const Pack instant = time + Pack(g.model.step);
  instant.store(g.instant);
  (instant - time).store(g.elapsed);
  if (g.shared) {
    g.evaluateFunctionsSharedByLanes();
    for (std::size_t i = g.model.loads; i < g.functions.size(); ++i)
      Pack(g.sharedFactors[i]).store(g.factors[i]);
    return;
  }
  if (any(time + Pack(g.model.tolerance) >= Pack(g.due))) g.advanceFunctions();
  for (std::size_t i = 0; i < g.functions.size(); ++i) {
    const LaneFunction& function = g.functions[i];
    (Pack(function.value) + Pack(function.slope) * (instant - Pack(function.begin))).store(g.factors[i]);
  }
  if (g.hasFormulas) [[unlikely]]
    g.evaluateFormulas();
}

/// Sums the loads at the end of the step when they are equal in all lanes: the eight values of a register are
/// eight modes.
inline void sumLoadsSharedByLanes(LaneGroup& g) noexcept {
  const LaneModel& m = g.model;
  const Eight* shape = m.shapeBlocks.data();
  for (std::size_t b = 0; b < m.blocks; ++b) {
    Pack load(0.0);
    for (std::size_t r = 0; r < m.loads; ++r) load = load + Pack(g.sharedFactors[r]) * Pack(*shape++);
    (Pack(g.sharedLoad[b]) + load).store(g.bothLoads[b]);
    load.store(g.sharedLoad[b]);
  }
}

/// Moves the mode at a place to the end of the step, with the force at the start of the step.
template <LaneScheme kScheme>
inline void advanceModeToStepEnd(LaneGroup& g, std::size_t p, const Pack& h, const Pack& dv, const Pack& x,
                                 Pack& moved) noexcept {
  const LaneModel& m = g.model;
  const Pack w = Pack(g.v[p]) + dv * Pack(g.f[p]);
  if constexpr (kScheme == LaneScheme::kickDrift) {
    moved = Pack(m.qq[p]) * x + Pack(m.qv[p]) * w;
    (Pack(m.vq[p]) * x + Pack(m.vv[p]) * w).store(g.v[p]);
  } else {
    moved = x + h * w;
    w.store(g.v[p]);
  }
  moved.store(g.q[p]);
}

template <LaneScheme kScheme>
inline void advanceModesWithLoadsSharedByLanes(LaneGroup& g) noexcept {
  sumLoadsSharedByLanes(g);
  const LaneModel& m = g.model;
  const double* both = g.bothLoads.data()->lane;
  const Pack h(m.step), dv(0.5 * m.step);
  for (std::size_t j = 0; j < static_cast<std::size_t>(kLanes); ++j) {
    Pack work(g.work[j]);
    for (std::size_t p = m.begin[j]; p < m.begin[j + 1]; ++p) {
      const Pack x(g.q[p]);
      Pack moved;
      advanceModeToStepEnd<kScheme>(g, p, h, dv, x, moved);
      work = work + Pack(both[p]) * (moved - x);
    }
    work.store(g.work[j]);
  }
}

/// Moves all modes to the end of the step; sums the loads there and twice the work of the loads.
template <LaneScheme kScheme>
inline void advanceModes(LaneGroup& g) noexcept {
  if (g.shared) return advanceModesWithLoadsSharedByLanes<kScheme>(g);
  const LaneModel& m = g.model;
  const Pack h(m.step), dv(0.5 * m.step);
  for (std::size_t j = 0; j < static_cast<std::size_t>(kLanes); ++j) {
    Pack work(g.work[j]);
    for (std::size_t p = m.begin[j]; p < m.begin[j + 1]; ++p) {
      const Pack x(g.q[p]);
      Pack moved;
      advanceModeToStepEnd<kScheme>(g, p, h, dv, x, moved);
      if (m.loadBegin[p] == m.loadBegin[p + 1]) continue;  // no load acts on this mode
      Pack load(0.0);
      for (std::size_t e = m.loadBegin[p]; e < m.loadBegin[p + 1]; ++e)
        load = load + Pack(g.factors[m.shapes[e].load]) * Pack(m.shapes[e].value);
      work = work + (Pack(g.load[p]) + load) * (moved - x);
      load.store(g.load[p]);
    }
    work.store(g.work[j]);
  }
}

/// Computes the positions of all contacts along the axes of their obstacles.
template <std::size_t kRows>
inline void computeRowProducts(const RowBundle& bundle, const std::vector<Eight>& q, Eight* along) noexcept {
  struct Rows {
    Pack row[kRows];
  };
  const auto partial = [&](std::size_t j) {
    Rows total;
    for (std::size_t e = bundle.sum.begin[j]; e < bundle.sum.begin[j + 1]; ++e) {
      const Pack x(q[bundle.sum.at[e]]);
      for (std::size_t r = 0; r < kRows; ++r)
        total.row[r] = total.row[r] + Pack(bundle.values[kRows * e + r]) * x;
    }
    return total;
  };
  const auto added = [](Rows a, const Rows& b) {
    for (std::size_t r = 0; r < kRows; ++r) a.row[r] = a.row[r] + b.row[r];
    return a;
  };
  Rows even, odd;
  if (bundle.sum.even) even = added(added(partial(0), partial(4)), added(partial(2), partial(6)));
  if (bundle.sum.odd) odd = added(added(partial(1), partial(5)), added(partial(3), partial(7)));
  for (std::size_t r = 0; r < kRows; ++r) (even.row[r] + odd.row[r]).store(along[r]);
}

inline void computeContactPositions(LaneGroup& g) noexcept {
  Eight* along = g.along.data();
  for (const RowBundle& bundle : g.model.gaps) {
    switch (bundle.rows) {
      case 4:
        computeRowProducts<4>(bundle, g.q, along);
        break;
      case 3:
        computeRowProducts<3>(bundle, g.q, along);
        break;
      case 2:
        computeRowProducts<2>(bundle, g.q, along);
        break;
      default:
        computeRowProducts<1>(bundle, g.q, along);
        break;
    }
    along += bundle.rows;
  }
}

/// Evaluates the contacts; a contact that is open in all lanes at both ends of the step is skipped.
inline void evaluateContacts(LaneGroup& g) noexcept {
  g.pushingCount = 0;
  for (std::size_t i = 0; i < g.contacts.size(); ++i) {
    LaneContact& c = g.contacts[i];
    const Pack place(g.along[i]);
    const PackMask isFree = (place > Pack(c.low)) & (place < Pack(c.high));
    const PackMask wasOpen = ~(PackMask(c.state.closed) | PackMask(c.state.released));
    if (any(PackMask(g.active) & ~(isFree & wasOpen))) c.kernel(g, i);
    place.store(c.along);
  }
}

/// Sums the forces of all lanes: f = loads + contact forces.
inline void sumForces(LaneGroup& g) noexcept {
  if (g.shared) {
    const double* load = g.sharedLoad.data()->lane;
    for (std::size_t p = 0; p < g.f.size(); ++p) Pack(load[p]).store(g.f[p]);
  } else {
    for (std::size_t p = 0; p < g.f.size(); ++p) Pack(g.load[p]).store(g.f[p]);
  }
  for (std::size_t k = 0; k < g.pushingCount; ++k) {
    const LaneContact& c = g.contacts[g.pushing[k]];
    const PackMask pushing(c.pushing);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const RowBundle& row = g.model.rows[g.pushing[k]][axis];
      const Pack force(c.push[axis]);
      for (std::size_t e = 0; e < row.sum.at.size(); ++e) {
        Eight& at = g.f[row.sum.at[e]];
        const Pack before(at);
        select(pushing, before + force * Pack(row.values[e]), before).store(at);
      }
    }
  }
}

/// Applies the closing kick v += h/2 f, and computes the damping power after the kick.
template <LaneScheme kScheme>
inline void kickVelocitiesAtStepEnd(LaneGroup& g) noexcept {
  const LaneModel& m = g.model;
  const Pack dv(0.5 * m.step);
  for (std::size_t j = 0; j < static_cast<std::size_t>(kLanes); ++j) {
    Pack power(0.0);
    for (std::size_t p = m.begin[j]; p < m.begin[j + 1]; ++p) {
      Pack force(g.f[p]);
      Pack speed(g.v[p]);
      if constexpr (kScheme == LaneScheme::centralDifference) {
        force = force - Pack(m.omegaSquared[p]) * Pack(g.q[p]);
        force = force - Pack(m.damping[p]) * speed;
        force = force * Pack(m.inverse[p]);
        force.store(g.f[p]);
      }
      speed = speed + dv * force;
      speed.store(g.v[p]);
      if (m.damped) power = power + (Pack(m.damping[p]) * speed) * speed;
    }
    power.store(g.newPower[j]);
  }
}

/// Adds the damping loss of the step to the partial sums.
inline void addDampingLoss(LaneGroup& g) noexcept {
  const Pack dv(0.5 * g.model.step);
  for (std::size_t j = 0; j < static_cast<std::size_t>(kLanes); ++j) {
    const Pack power(g.newPower[j]);
    (Pack(g.lost[j]) + dv * (Pack(g.power[j]) + power)).store(g.lost[j]);
    power.store(g.power[j]);
  }
  if (g.booked) [[unlikely]]
    g.restoreDampingLossesOfLanes();
}

inline void recordChannels(LaneGroup& g) noexcept {
  const Pack h(g.model.step);
  for (LaneChannel& channel : g.channels) {
    const Pack x = rowProduct(channel.row, channel.ofDisplacement ? g.q : g.v);
    const Pack rate = channel.ofDisplacement ? rowProduct(channel.row, g.v) : Pack(0.0);
    ChannelRecord<Eight>& kept = channel.record;
    ChannelRecord<Pack> record{Pack(kept.x),        Pack(kept.rate),     Pack(kept.largest),
                               Pack(kept.smallest), Pack(kept.integral), Pack(kept.squareIntegral)};
    addStepToStatistics<Pack>(record, x, rate, h, channel.ofDisplacement);
    record.x.store(kept.x);
    record.rate.store(kept.rate);
    record.largest.store(kept.largest);
    record.smallest.store(kept.smallest);
    record.integral.store(kept.integral);
    record.squareIntegral.store(kept.squareIntegral);
  }
  (Pack(g.duration) + h).store(g.duration);
}

/// Advances all lanes by one nominal step, in the order of TransientLoop::tryStep.
template <LaneScheme kScheme>
[[gnu::flatten]] void advanceLanesByStepsKernel(LaneGroup& g) noexcept {
  evaluateStepFunctions(g);
  advanceModes<kScheme>(g);
  computeContactPositions(g);
  evaluateContacts(g);
  sumForces(g);
  kickVelocitiesAtStepEnd<kScheme>(g);
  if (g.changeCount > 0) [[unlikely]]
    g.recordContactChanges();
  if (g.model.damped) addDampingLoss(g);
  const Pack number = Pack(g.number) + Pack(1.0);
  number.store(g.number);
  (Pack(g.model.start) + number * Pack(g.model.step)).store(g.time);
  if (!g.channels.empty()) recordChannels(g);
}

inline LaneKernels kernelsOfProcessor(std::string_view processor) {
  LaneKernels kernels{processor,
                      {advanceLanesByStepsKernel<LaneScheme::kickDrift>,
                       advanceLanesByStepsKernel<LaneScheme::centralDifference>},
                      {}};
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((kernels.contact[k / 4][k / 2 % 2][k % 2] = advanceContactInLanesKernel<k / 4, k / 2 % 2, k % 2>), ...);
  }
  (std::make_index_sequence<12>());
  return kernels;
}

}  // namespace ricochet::batch::RICOCHET_LANES
