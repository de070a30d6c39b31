#include "engine/links/link_set.hpp"

#include "engine/links/link_in_series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

EventKind eventKindOfName(std::string_view name) noexcept {
  const auto found = std::find(kEventNames.begin(), kEventNames.end(), name);
  return static_cast<EventKind>(found - kEventNames.begin());
}

bool isLinkMotionFinite(const LinkMotion<double>& motion) noexcept {
  return std::isfinite(motion.x[0] + motion.x[1] + motion.v[0] + motion.v[1]);
}

/// True if the force of a law is no finite number although the motion is.
bool isLinkWithoutForce(const LinkState& state) noexcept {
  return !std::isfinite(state.force[0] + state.force[1]) && isLinkMotionFinite(state.motion);
}

}  // namespace

LinkSet::LinkSet(std::vector<Link> links, Eigen::Index modes) : links_(std::move(links)) {
  const auto count = static_cast<Eigen::Index>(links_.size());
  constexpr auto kAxes = static_cast<Eigen::Index>(kLinkAxes);
  rows_ = Matrix::Zero(paddedSize(modes), kAxes * count);
  pointers_.assign(kLinkAxes * links_.size(), nullptr);
  for (Eigen::Index i = 0; i < count; ++i) {
    const Link& link = links_[static_cast<std::size_t>(i)];
    for (Eigen::Index axis = 0; axis < static_cast<Eigen::Index>(link.axisCount()); ++axis) {
      if (link.rows.row(axis).isZero(0.0)) continue;
      const Eigen::Index column = kAxes * i + axis;
      rows_.col(column).head(modes) = link.rows.row(axis).transpose();
      pointers_[static_cast<std::size_t>(column)] = rows_.col(column).data();
    }
  }
}

void LinkSet::addImposedDriveMotion(int i, LinkMotion<double>& motion, double elapsed) const noexcept {
  for (const LinkDrive& drive : links_[static_cast<std::size_t>(i)].drives) {
    const double displacement = drive.displacementAt(motion.time, elapsed);
    const double velocity = drive.velocityAt(motion.time, elapsed);
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
      motion.x[axis] += drive.factors[axis] * displacement;
      motion.v[axis] += drive.factors[axis] * velocity;
    }
  }
}

LinkMotion<double> LinkSet::linkMotionAtTime(int i, double t, const Motion& motion,
                                             double elapsed) const noexcept {
  LinkMotion<double> found;
  found.time = t;
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
    if (const double* along = row(i, axis)) {
      const kernels::RowMotion moved =
          kernels::motionAlongRow(along, motion.q, motion.v, motion.dv, motion.a, rowSize());
      found.x[axis] = moved.displacement;
      found.v[axis] = moved.velocity;
    }
  addImposedDriveMotion(i, found, elapsed);
  return found;
}

double dashpotForceWithInfiniteSlope(const Link& link) noexcept {
  return std::visit(
      [](const auto& law) {
        if constexpr (requires { law.dashpotForceWithInfiniteSlope(); })
          return law.dashpotForceWithInfiniteSlope();
        return 0.0;
      },
      link.law);
}

bool isLawHomogeneousOfDegreeOne(const AnyLinkLaw& any) noexcept {
  return std::visit(
      []<class L>(const L&) {
        return requires { L::kFirstDegree; };
      },
      any);
}

std::optional<double> proportionalityFactorOfRows(const double* row, const double* other,
                                                  Eigen::Index size) noexcept {
  constexpr double kRounding = 1e-12;
  const Eigen::Map<const Vector> a(row, size), b(other, size);
  const double factor = a.dot(b) / b.squaredNorm();
  if (!((a - factor * b).norm() <= kRounding * a.norm()) || factor == 0.0) return std::nullopt;
  return factor;
}

LinkRun::LinkRun(const LinkSet& set, int contacts)
    : set_(&set),
      count_(set.size()),
      contacts_(contacts),
      states_(2 * static_cast<std::size_t>(set.size())),
      mostDamping_(static_cast<std::size_t>(set.size()), std::numeric_limits<double>::infinity()),
      rows_(kLinkAxes * static_cast<std::size_t>(set.size()) +
            2 * ContactSet::kAxes * static_cast<std::size_t>(contacts)),
      forces_(rows_.size()) {
  for (int i = 0; i < count_; ++i) {
    if (set.link(i).coupled) shifts_.resize(static_cast<std::size_t>(count_));
    for (const LinkDrive& drive : set.link(i).drives) {
      jumps_.add(drive.displacement.jumpInstants(), static_cast<std::size_t>(i));
      jumps_.add(drive.instantsOfVelocityJumps(), static_cast<std::size_t>(count_ + i));
    }
  }
}

/// Response of a link to the motion given by the coordinates.
void LinkRun::computeResponse(int i, const LinkMotion<double>& free, const LinkState& from,
                              LinkState& to) const noexcept {
  LinkMotion<double> own = linkMotionWithoutSeriesSprings(set_->link(i), from, free);
  if (set_->link(i).coupled) {
    const Shift& shift = shifts_[static_cast<std::size_t>(i)];
    // Within a trial step, the shift grows linearly in time.
    const double left = state(i).motion.time > from.motion.time ? state(i).motion.time - free.time : 0.0;
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
      own.x[axis] += shift.displacement[axis] - left * shift.rate[axis];
      own.v[axis] += shift.rate[axis];
    }
  }
  own.mostDamping = mostDamping_[static_cast<std::size_t>(i)];
  own.isStraight = own.isStraight && !followsRates_;
  computeResponseOfLink(i, own, from, to);
}

/// Response of a link to the motion of the link itself.
void LinkRun::computeResponseOfLink(int i, const LinkMotion<double>& own, const LinkState& from,
                                    LinkState& to) const noexcept {
  std::visit([&](const auto& law) { to.setResponse(own, law.template computeResponse<double>(from, own)); },
             set_->link(i).law);
}

/// Adds the energies of a step: those of the law, and of the springs in series with it.
void LinkRun::addEnergiesOfLaw(int i, const LinkState& from, LinkState& to) const noexcept {
  const Link& link = set_->link(i);
  if (link.inSeries != InSeries::solved) {
    std::visit([&](const auto& law) { law.addEnergiesOfStep(from, to); }, link.law);
    return;
  }
  LinkState own = from;
  own.stored -= energyOfSpringsInSeries(link, from.force);
  std::visit([&](const auto& law) { law.addEnergiesOfStep(own, to); }, link.law);
  const double told = to.stored - own.stored + to.dissipated - own.dissipated - (to.external - own.external);
  to.dissipated += energyLostInJump(link, from, to, told);
  to.stored += energyOfSpringsInSeries(link, to.force);
}

void LinkRun::setLinksUnloaded(double t) noexcept {
  for (int i = 0; i < count_; ++i) {
    LinkState& unloaded = states_[stateIndex(i, current_)];
    unloaded = {};
    unloaded.motion.time = t;
    unloaded.memory = set_->link(i).initialMemory;
  }
}

void LinkRun::start(double t, const Motion& motion) noexcept {
  for (int i = 0; i < count_; ++i) {
    LinkState rest{};
    rest.motion.time = t;
    rest.memory = set_->link(i).initialMemory;
    LinkState& begin = states_[stateIndex(i, current_)];
    begin = {};
    computeResponse(i, set_->linkMotionAtTime(i, t, motion), rest, begin);
    addEnergiesOfLaw(i, rest, begin);
    begin.external = begin.dissipated = 0.0;
    begin.event = -1.0;
    begin.jump = {};
    states_[stateIndex(i, 1 - current_)] = begin;
  }
}

/// Adapts a restored state to the current parameters of the law and to the current imposed motion, which may
/// differ from those of the earlier run: the law is evaluated as at a start. The energy that this change
/// dissipates is not counted in this run. The shift of a coupled link is that of the earlier run.
void LinkRun::adaptRestoredLinkState(int i, double t, const Motion& motion, LinkState& taken) const noexcept {
  constexpr double kRounding = 1e-9;  // relative force change below which nothing counts as changed
  LinkState settled = taken;
  if (set_->link(i).coupled)
    computeResponseOfLink(i, taken.motion, taken, settled);
  else
    computeResponse(i, set_->linkMotionAtTime(i, t, motion), taken, settled);
  const double change = std::hypot(settled.force[0] - taken.force[0], settled.force[1] - taken.force[1]);
  if (change <= kRounding * std::hypot(taken.force[0], taken.force[1])) return;
  LinkState before = taken;
  const bool remembers =
      std::visit([]<class L>(const L&) { return L::internalVariables().size() > 0; }, set_->link(i).law);
  if (!remembers) {  // the energy depends on the motion only and is integrated from rest
    before = {};
    before.motion.time = taken.motion.time;
  }
  addEnergiesOfLaw(i, before, settled);
  settled.dissipated = taken.dissipated;
  settled.external = taken.external;
  taken = settled;
}

void LinkRun::restore(std::span<const LinkState> states, double t, const Motion& motion) noexcept {
  for (int i = 0; i < static_cast<int>(states.size()); ++i) {
    LinkState& taken = states_[stateIndex(i, current_)];
    taken = states[static_cast<std::size_t>(i)];
    taken.motion.time = t;
    adaptRestoredLinkState(i, t, motion, taken);
    taken.event = -1.0;
    taken.jump = {};
    states_[stateIndex(i, 1 - current_)] = taken;
  }
}

void LinkRun::evaluate(double t, const Motion& motion) noexcept {
  for (int i = 0; i < count_; ++i) {
    const double from = state(i).motion.time;
    const LinkMotion<double> moved = set_->linkMotionAtTime(i, std::max(t, from), motion, t - from);
    LinkState& trial = states_[stateIndex(i, 1 - current_)];
    // A trial whose force is not finite is kept when the motion is lost, so that the error message can name
    // its link.
    if (!isLinkMotionFinite(moved) && isLinkWithoutForce(trial)) continue;
    computeResponse(i, moved, state(i), trial);
  }
}

kernels::RowForces LinkRun::forces(const kernels::RowForces& beside) noexcept {
  std::copy_n(beside.rows, beside.count, rows_.begin());
  std::copy_n(beside.forces, beside.count, forces_.begin());
  Eigen::Index used = beside.count;
  for (int i = 0; i < count_; ++i)
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      if (const double* row = set_->row(i, axis)) {
        rows_[static_cast<std::size_t>(used)] = row;
        forces_[static_cast<std::size_t>(used)] = -trialState(i).force[axis];
        ++used;
      }
  return {rows_.data(), forces_.data(), used};
}

void LinkRun::addForces(double* force) noexcept {
  kernels::addWeightedRowsToBase(force, forces({nullptr, nullptr, 0}), force, set_->rowSize());
}

double LinkRun::errorOfInternalVariables(int i) const noexcept {
  const LinkState& from = state(i);
  const LinkState& to = trialState(i);
  const double stiffness = set_->link(i).bounds.stiffness;
  const bool remembers =
      std::visit([]<class L>(const L&) { return L::internalVariables().size() > 0; }, set_->link(i).law);
  if (!remembers || !(stiffness > 0.0) || !(to.motion.time > from.motion.time)) return 0.0;
  LinkState middle{}, end{};
  computeResponseOfLink(i, motionAtMidstep(from.motion, to.motion), from, middle);
  computeResponseOfLink(i, to.motion, middle, end);
  return std::hypot(end.force[0] - to.force[0], end.force[1] - to.force[1]) / std::sqrt(stiffness);
}

double LinkRun::errorOfInternalVariables() const noexcept {
  double sum = 0.0;
  for (int i = 0; i < count_; ++i) {
    const double error = errorOfInternalVariables(i);
    sum += error * error;
  }
  return std::sqrt(sum);
}

void LinkRun::addForcesTo(double* force) const noexcept {
  for (int i = 0; i < count_; ++i)
    for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
      if (const double* row = set_->row(i, axis))
        kernels::addScaled(-state(i).force[axis], row, force, set_->rowSize());
}

void LinkRun::recordEvent(int i, double begin, const LinkState& to, std::vector<Event>& events) const {
  if (to.event < 0.0) return;
  const std::string_view name = std::visit([]<class L>(const L&) { return L::kEvent; }, set_->link(i).law);
  const double t = begin + to.event * (to.motion.time - begin);
  events.push_back({t, contacts_ + i, eventKindOfName(name)});
}

bool LinkRun::correctImpulseOfForceJump(int i, double h, double* velocity) const noexcept {
  const LinkState& to = trialState(i);
  bool jumped = false;
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis) {
    const double* row = set_->row(i, axis);
    if (to.jump[axis] == 0.0 || row == nullptr) continue;
    const double impulse = -to.jump[axis] * h * (1.0 - to.jumpAt - shareOfJump_(to.jumpAt));
    kernels::addScaled(impulse, row, velocity, set_->rowSize());
    jumped = true;
  }
  return jumped;
}

/// Adds the energies of a step: the energies of the law, and the work of moving supports at the ends of the
/// link, which is external work.
void LinkRun::addEnergiesOfStep(int i, const LinkState& from, LinkState& to) const noexcept {
  const Link& link = set_->link(i);
  to.external = from.external;
  addEnergiesOfLaw(i, from, to);
  if (link.drives.empty()) return;
  LinkMotion<double> before{}, after{};
  before.time = from.motion.time;
  after.time = to.motion.time;
  set_->addImposedDriveMotion(i, before);
  set_->addImposedDriveMotion(i, after, after.time - before.time);
  for (std::size_t axis = 0; axis < kLinkAxes; ++axis)
    to.external += 0.5 * (from.force[axis] + to.force[axis]) * (after.x[axis] - before.x[axis]);
}

bool LinkRun::acceptStep(double h, std::vector<Event>& events, double* velocity) noexcept {
  bool jumped = false;
  for (int i = 0; i < count_; ++i) {
    LinkState& to = states_[stateIndex(i, 1 - current_)];
    addEnergiesOfStep(i, state(i), to);
    recordEvent(i, std::max(to.motion.time - h, state(i).motion.time), to, events);
    jumped |= correctImpulseOfForceJump(i, h, velocity);
  }
  current_ = 1 - current_;
  return jumped;
}

LinkState LinkRun::stateInsideStep(int i, double t, const Motion& motion) const noexcept {
  const LinkState& before = trialState(i);  // the states were exchanged by accepting
  LinkState inside = before;
  computeResponse(i, set_->linkMotionAtTime(i, t, motion, t - before.motion.time), before, inside);
  addEnergiesOfStep(i, before, inside);
  return inside;
}

std::vector<LinkState> LinkRun::states() const {
  const auto first = states_.begin() + static_cast<std::ptrdiff_t>(stateIndex(0, current_));
  return {first, first + count_};
}

void LinkRun::writeLinkStates(const State& s, std::vector<LinkState>& seen) const {
  seen.resize(static_cast<std::size_t>(count_));
  for (int i = 0; i < count_; ++i) {
    LinkState& view = seen[static_cast<std::size_t>(i)];
    view = state(i);
    addForceRates(*set_, i, s, view);
  }
}

void LinkRun::writeLinkStatesInStep(const State& s, std::vector<LinkState>& seen) const {
  seen.resize(static_cast<std::size_t>(count_));
  for (int i = 0; i < count_; ++i) {
    LinkState& view = seen[static_cast<std::size_t>(i)];
    view = stateInsideStep(i, s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
    addForceRates(*set_, i, s, view);
  }
}

int LinkRun::indexOfLinkWithoutForce() const noexcept {
  const auto found = std::ranges::find_if(states_, isLinkWithoutForce);
  return found == states_.end() ? -1 : static_cast<int>(found - states_.begin()) % count_;
}

int LinkRun::indexOfLinkWithEvent() const noexcept {
  for (int i = 0; i < count_; ++i)
    if (trialState(i).event >= 0.0) return i;
  return -1;
}

}  // namespace ricochet
