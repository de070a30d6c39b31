// Copies values between a lane and the objects of a single run (lane_group.hpp).

#include "engine/lanes/lane_group.hpp"
#include "engine/numerics/kernels.hpp"

#include <algorithm>
#include <cassert>

namespace ricochet::batch {
namespace {

void readTangentialVectorFromLane(Tangential<double>& to, const std::array<Eight, 2>& from,
                                  std::size_t lane) noexcept {
  to = {from[0].lane[lane], from[1].lane[lane]};
}
void writeTangentialVectorToLane(std::array<Eight, 2>& to, const Tangential<double>& from,
                                 std::size_t lane) noexcept {
  to[0].lane[lane] = from.first;
  to[1].lane[lane] = from.second;
}

ContactState contactStateOfLane(const LaneContactState& from, std::size_t lane) noexcept {
  ContactState s;
  s.gap = from.gap.lane[lane];
  s.side = from.side.lane[lane];
  s.compression = from.compression.lane[lane];
  readTangentialVectorFromLane(s.position, from.position, lane);
  readTangentialVectorFromLane(s.slipRate, from.slipRate, lane);
  readTangentialVectorFromLane(s.traction, from.traction, lane);
  s.storedNormal = from.storedNormal.lane[lane];
  s.storedTangential = from.storedTangential.lane[lane];
  s.normal = from.closed.isSet(lane)     ? NormalState::closed
             : from.released.isSet(lane) ? NormalState::released
                                         : NormalState::open;
  readTangentialVectorFromLane(s.friction.anchorForce, from.anchorForce, lane);
  readTangentialVectorFromLane(s.friction.anchorPosition, from.anchorPosition, lane);
  readTangentialVectorFromLane(s.friction.direction, from.direction, lane);
  s.friction.slipping = from.slipping.isSet(lane);
  return s;
}

void copyStateToLane(LaneContactState& to, const ContactState& s, std::size_t lane) noexcept {
  to.gap.lane[lane] = s.gap;
  to.side.lane[lane] = s.side;
  to.compression.lane[lane] = s.compression;
  writeTangentialVectorToLane(to.position, s.position, lane);
  writeTangentialVectorToLane(to.slipRate, s.slipRate, lane);
  writeTangentialVectorToLane(to.traction, s.traction, lane);
  to.storedNormal.lane[lane] = s.storedNormal;
  to.storedTangential.lane[lane] = s.storedTangential;
  to.closed.set(lane, s.normal == NormalState::closed);
  to.released.set(lane, s.normal == NormalState::released);
  writeTangentialVectorToLane(to.anchorForce, s.friction.anchorForce, lane);
  writeTangentialVectorToLane(to.anchorPosition, s.friction.anchorPosition, lane);
  writeTangentialVectorToLane(to.direction, s.friction.direction, lane);
  to.slipping.set(lane, s.friction.slipping);
}

void copyChannelRecordFromLane(ChannelRecord<double>& to, const ChannelRecord<Eight>& from,
                               std::size_t lane) noexcept {
  to = {from.x.lane[lane],        from.rate.lane[lane],     from.largest.lane[lane],
        from.smallest.lane[lane], from.integral.lane[lane], from.squareIntegral.lane[lane]};
}
void copyChannelRecordToLane(ChannelRecord<Eight>& to, const ChannelRecord<double>& from,
                             std::size_t lane) noexcept {
  to.x.lane[lane] = from.x;
  to.rate.lane[lane] = from.rate;
  to.largest.lane[lane] = from.largest;
  to.smallest.lane[lane] = from.smallest;
  to.integral.lane[lane] = from.integral;
  to.squareIntegral.lane[lane] = from.squareIntegral;
}

}  // namespace

void LaneGroup::loadStateIntoLane(std::size_t lane, long long n) {
  const Guest& guest = guests_[lane];
  const State& s = *guest.state;
  const ModalEquation::Carried carried = guest.equation->dataCarriedBetweenSteps();
  for (std::size_t p = 0; p < model.modes.size(); ++p) {
    const std::size_t mode = model.modes[p];
    q[p].lane[lane] = s.q.data()[mode];
    v[p].lane[lane] = s.v.data()[mode];
    f[p].lane[lane] = guest.force->data()[mode];
    load[p].lane[lane] = carried.loads.load[mode];
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(kLanes); ++j) {
    work[j].lane[lane] = carried.loads.work[j];
    power[j].lane[lane] = carried.power[j];
    lost[j].lane[lane] = carried.lost[j];
  }
  const EnergyLedger& ledger = guest.equation->accumulatedLedger();
  external.lane[lane] = ledger.external;
  dampingLoss.lane[lane] = ledger.damping;
  friction.lane[lane] = ledger.friction;
  number.lane[lane] = static_cast<double>(n);
  time.lane[lane] = s.time;
  loadContactsIntoLane(lane);
  for (std::size_t i = 0; i < channels.size() && guest.statistics != nullptr; ++i)
    copyChannelRecordToLane(channels[i].record, guest.statistics->channelRecords()[i], lane);
  duration.lane[lane] = guest.statistics != nullptr ? guest.statistics->recordedDuration() : 0.0;
  active.set(lane, true);
  fresh_.set(lane, true);
  changed_ = true;
}

void LaneGroup::loadContactsIntoLane(std::size_t lane) noexcept {
  const ContactRun& run = guests_[lane].equation->contacts();
  const ContactSet& set = run.contactSet();
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    LaneContact& to = contacts[i];
    copyStateToLane(to.state, run.state(i), lane);
    to.along.lane[lane] = kernels::dot(set.gapRows() + static_cast<Eigen::Index>(i) * set.rowSize(),
                                       guests_[lane].state->q.data(), set.rowSize());
    const ContactTotals& totals = run.runTotals()[i];
    to.impulse.lane[lane] = totals.impulse;
    to.frictionEnergy.lane[lane] = totals.frictionEnergy;
    to.peakForce.lane[lane] = totals.peakForce;
  }
}

void LaneGroup::writeStateBackToVariant(std::size_t lane) noexcept {
  const Guest& guest = guests_[lane];
  State& s = *guest.state;
  const ModalEquation::Carried carried = guest.equation->dataCarriedBetweenSteps();
  for (std::size_t p = 0; p < model.modes.size(); ++p) {
    const std::size_t mode = model.modes[p];
    s.q.data()[mode] = q[p].lane[lane];
    s.v.data()[mode] = v[p].lane[lane];
    guest.force->data()[mode] = f[p].lane[lane];
    carried.loads.load[mode] = shared ? loadSharedByLanes(p) : load[p].lane[lane];
    carried.loads.q[mode] = q[p].lane[lane];
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(kLanes); ++j) {
    carried.loads.work[j] = work[j].lane[lane];
    carried.power[j] = power[j].lane[lane];
    carried.lost[j] = lost[j].lane[lane];
  }
  EnergyLedger& ledger = guest.equation->accumulatedLedger();
  ledger.external = external.lane[lane];
  ledger.damping = dampingLoss.lane[lane];
  ledger.friction = friction.lane[lane];
  s.time = time.lane[lane];
  writeContactsBackToVariant(lane);
  if (guest.statistics == nullptr) return;
  for (std::size_t i = 0; i < channels.size(); ++i)
    copyChannelRecordFromLane(guest.statistics->channelRecords()[i], channels[i].record, lane);
  guest.statistics->recordedDuration() = duration.lane[lane];
}

void LaneGroup::writeContactsBackToVariant(std::size_t lane) noexcept {
  ContactRun& run = guests_[lane].equation->contacts();
  run.setTime(time.lane[lane]);
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const LaneContact& from = contacts[i];
    run.setState(i, contactStateOfLane(from.state, lane));
    ContactTotals& totals = run.totalsOfContact(i);
    totals.impulse = from.impulse.lane[lane];
    totals.frictionEnergy = from.frictionEnergy.lane[lane];
    totals.peakForce = from.peakForce.lane[lane];
  }
}

/// Removes the variant from a lane. A lane without a variant stays at zero.
void LaneGroup::removeVariantFromLane(std::size_t lane) noexcept {
  active.set(lane, false);
  changed_ = true;
  guests_[lane] = {};
  for (std::vector<Eight>* each : {&q, &v, &f, &load, &factors})
    for (Eight& row : *each) row.lane[lane] = 0.0;
  for (LaneFunction& function : functions)
    function.begin.lane[lane] = function.value.lane[lane] = function.slope.lane[lane] = 0.0;
  for (LaneContact& contact : contacts) {
    copyStateToLane(contact.state, {}, lane);
    contact.along.lane[lane] = 0.0;
  }
  for (LaneChannel& channel : channels) copyChannelRecordToLane(channel.record, {}, lane);
}

void LaneGroup::storeContactChange(std::size_t lane, std::size_t contact, const LaneContactState& from,
                                   const LaneContactState& to, double gapRate) noexcept {
  assert(changeCount < changes.size());
  changes[changeCount++] = {lane, contact, contactStateOfLane(from, lane), contactStateOfLane(to, lane)};
  changes[changeCount - 1].to.gapRate = gapRate;
}

double LaneGroup::instantOfStepEnd(std::size_t lane) const noexcept {
  return model.start + (number.lane[lane] + 1.0) * model.step;
}

void LaneGroup::recordContactChanges() noexcept {
  for (std::size_t lane = 0; lane < kWidth; ++lane) recordContactChanges(lane);
  changeCount = 0;
}

/// Records the changes of the contacts of one lane at the end of a step, in the order of ContactRun::accept.
void LaneGroup::recordContactChanges(std::size_t lane) noexcept {
  const auto all = std::span(changes).first(changeCount);
  const auto isHere = [lane](const LaneChange& change) { return change.lane == lane; };
  if (std::none_of(all.begin(), all.end(), isHere)) return;
  const Guest& guest = guests_[lane];
  ContactRun& run = guest.equation->contacts();
  run.setTime(model.start + number.lane[lane] * model.step);
  Vector& velocity = guest.state->v;
  for (std::size_t p = 0; p < model.modes.size(); ++p) velocity.data()[model.modes[p]] = v[p].lane[lane];
  const std::size_t before = run.events().size();
  bool kicked = false;
  double loss = 0.0;
  for (const LaneChange& change : all) {
    if (!isHere(change)) continue;
    const ContactJump jump = run.recordContactStep(change.contact, change.from, change.to,
                                                   instantOfStepEnd(lane), model.step, velocity.data());
    LaneContact& contact = contacts[change.contact];
    contact.impulse.lane[lane] += jump.impulse;
    contact.peakForce.lane[lane] = std::max(contact.peakForce.lane[lane], jump.peak);
    loss += jump.loss;
    kicked |= jump.kicked;
  }
  if (run.events().size() > before + 1) run.sortContactEventsByTime(before);
  if (!kicked) return;
  dampingLoss.lane[lane] += loss;
  for (std::size_t p = 0; p < model.modes.size(); ++p) v[p].lane[lane] = velocity.data()[model.modes[p]];
  if (!model.damped) return;
  const ModalEquation::Carried old = guest.equation->dataCarriedBetweenSteps();
  for (std::size_t j = 0; j < kWidth; ++j) {
    old.power[j] = power[j].lane[lane];
    old.lost[j] = lost[j].lane[lane];
  }
  guest.equation->addDampingLoss(*guest.state, model.step);
  const ModalEquation::Carried now = guest.equation->dataCarriedBetweenSteps();
  std::copy_n(now.power, kWidth, booked_[lane].power);
  std::copy_n(now.lost, kWidth, booked_[lane].lost);
  booked_[lane].valid = booked = true;
}

void LaneGroup::restoreDampingLossesOfLanes() noexcept {
  for (std::size_t lane = 0; lane < kWidth; ++lane) {
    if (!booked_[lane].valid) continue;
    for (std::size_t j = 0; j < kWidth; ++j) {
      power[j].lane[lane] = booked_[lane].power[j];
      lost[j].lane[lane] = booked_[lane].lost[j];
    }
    booked_[lane].valid = false;
  }
  booked = false;
}

}  // namespace ricochet::batch
