// Adds a piece of a run to the statistics of a contact.

#include "io/quantities/statistics/contact_follower.hpp"

#include "engine/contact/followed.hpp"
#include "engine/numerics/extremes.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace ricochet {

bool doImpulsesCauseWear(const Contact& contact) noexcept {
  return traitsOf(contact.normal).setValued && stickConeOf(contact.friction) && bearsTraction(contact);
}

ContactFollower::ContactFollower(const Contact& contact, const StatisticsRequest& request,
                                 std::span<const StatisticsWindow> windows, const PieceGrid& grid)
    : contact_(&contact),
      grid_(&grid),
      isSeries_(grid.isSeriesPiece()),
      isRigid_(traitsOf(contact.normal).setValued),
      allowsTension_(canNormalForceBeTensile(contact)),
      wearsByImpulses_(doImpulsesCauseWear(contact)),
      countsImpulses_(!isSeries_ && (isRigid_ || energyAccountingTraitsOf(contact).normalDashpot)),
      threshold_(request.threshold),
      keepsTable_(request.impactTable),
      end_(windows.front().to),
      tracker_(request.restTime),
      lastEnd_(windows.front().from) {
  for (const StatisticsWindow& each : windows) windows_.push_back({.from = each.from, .to = each.to});
  if (tangentKind(contact.obstacle) == TangentKind::inPlane)
    sectors_ = static_cast<std::size_t>(request.sectors);
  sectorWork_.resize(windows.size() * sectors_);
  for (std::size_t i = 0; i < kHistogrammed.size() && request.bins > 0; ++i)
    histograms_.emplace_back(static_cast<std::size_t>(request.bins), windows.size(),
                             static_cast<Histogrammed>(i) == Histogrammed::gap, request.ranges[i]);
}

void ContactFollower::receiveSample(std::size_t index, const ContactView& view) noexcept {
  double* to = samples_.data() + index * kChannels;
  for (Eigen::Index axis = 0; axis < 3; ++axis) {
    to[axis] = view.position[axis];
    // The velocity of the point is stored instead of the gap rate, because the gap rate jumps where the
    // nearest side of the obstacle changes and a jump cannot be interpolated.
    to[kRate + static_cast<std::size_t>(axis)] = view.velocity[axis];
  }
  to[kNormal] = view.normalForce;
  to[kTraction] = view.tangentialForce.first;
  to[kTraction + 1] = view.tangentialForce.second;
  to[kSlip] = view.slipVelocity.first;
  to[kSlip + 1] = view.slipVelocity.second;
  to[kAreaSpeed] = view.slipSpeed;
}

/// Normal force from an interpolated value. The interpolation across a corner of the force undershoots zero;
/// a negative value is kept only if the contact may pull.
double ContactFollower::correctedNormalForce(double interpolated) const noexcept {
  return allowsTension_ ? interpolated : std::max(interpolated, 0.0);
}

ContactFollower::Channels ContactFollower::interpolatedChannelsAt(double time) const noexcept {
  Channels values;
  grid_->interpolateToPart(std::span(samples_).first(grid_->samples() * kChannels), fractionWithinPiece(time),
                           values);
  return values;
}

Signals ContactFollower::computeSignals(std::span<const double> values) const noexcept {
  return {correctedNormalForce(values[kNormal]),
          std::hypot(values[kTraction], values[kTraction + 1]),
          gapAndNormalOf(contact_->obstacle, Local<double>{values[0], values[1], values[2]}).gap,
          values[0],
          values[1],
          values[2]};
}

/// Value of one signal at a time within the piece, interpolated from the sampled channels that the signal
/// needs.
double ContactFollower::signalAt(Signal signal, double time) const noexcept {
  std::array<double, 3> room{};
  const auto of = [&](std::size_t channel, std::size_t count) {
    const std::span<double> values(room.data(), count);
    const std::size_t used = grid_->samples() * kChannels - channel;
    grid_->interpolateToPart(std::span(samples_).subspan(channel, used), kChannels, fractionWithinPiece(time),
                             values);
  };
  switch (signal) {
    case Signal::normalForce:
      of(kNormal, 1);
      return correctedNormalForce(room[0]);
    case Signal::tangentialForce:
      of(kTraction, 2);
      return std::hypot(room[0], room[1]);
    case Signal::gap:
      of(0, 3);
      return gapAndNormalOf(contact_->obstacle, Local<double>{room[0], room[1], room[2]}).gap;
    default:
      of(static_cast<std::size_t>(signal) - static_cast<std::size_t>(Signal::position1), 1);
      return room[0];
  }
}

/// Slip speed |s'| [m/s]; for a contact area the mean slip speed v_eq, weighted by the pressure.
double ContactFollower::slipSpeedFromChannels(std::span<const double> values) const noexcept {
  return contact_->patch ? values[kAreaSpeed] : std::hypot(values[kSlip], values[kSlip + 1]);
}

double ContactFollower::wearPower(std::span<const double> values) const noexcept {
  return correctedNormalForce(values[kNormal]) * slipSpeedFromChannels(values);
}

/// Approach velocity of the bodies, -d(gap)/dt [m/s].
double ContactFollower::approachVelocityAt(double time) const noexcept {
  const Channels at = interpolatedChannelsAt(time);
  const auto normal = gapAndNormalOf(contact_->obstacle, Local<double>{at[0], at[1], at[2]}).normal;
  return -(at[kRate] * normal[0] + at[kRate + 1] * normal[1] + at[kRate + 2] * normal[2]);
}

/// Approach velocity in a step in which the contact force jumps: linear extrapolation from the start of the
/// step, with the mean slope of the preceding step.
double ContactFollower::approachVelocityBeforeImpact(double time) const noexcept {
  return approachVelocityAt(piece_.begin) + lastSlope_ * (time - piece_.begin);
}

void ContactFollower::addPiece(const StatisticsPiece& piece) {
  piece_ = piece;
  evaluateStatisticsOfPiece();
  detectImpactsInPiece();
  if (wearsByImpulses_)
    addWearWorkOfImpulses(piece.totals->impulseWear, {piece.begin, isSeries_ ? piece.begin : piece.end});
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    const Interval in{std::max(windows_[w].from, piece.begin), std::min(windows_[w].to, piece.end)};
    if (in.to > in.from) addIntervalToWindow(w, in);
  }
  lastEnd_ = piece.end;
}

void ContactFollower::evaluateStatisticsOfPiece() noexcept {
  const std::span<const double> samples = std::span(samples_).first(grid_->samples() * kChannels);
  grid_->interpolateToPoints(samples, kChannels, atPoints_);
  const Interval whole{piece_.begin, piece_.end};
  std::array<Signals, kMostPoints> atPoints;
  for (std::size_t i = 0; i < grid_->quadraturePointCount(); ++i)
    atPoints[i] = computeSignals(std::span(atPoints_).subspan(i * kChannels, kChannels));
  sums_ = gaussSums(whole, atPoints);
  std::array<double, (kMostCells + 1) * kChannels> values{};
  grid_->interpolateToCells(samples, kChannels, values);
  for (std::size_t i = 0; i <= grid_->cellCount(); ++i)
    cells_[i] = computeSignals(std::span(values).subspan(i * kChannels, kChannels));
  if (isSeries_) refineMomentsAtKinks(whole, cells_, sums_);
}

void ContactFollower::interpolateSignalsToCells(Interval in, Cells& cells) const noexcept {
  const std::size_t n = grid_->cellCount();
  for (std::size_t i = 0; i <= n; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(n);
    cells[i] = computeSignals(interpolatedChannelsAt(i == n ? in.to : in.from + share * (in.to - in.from)));
  }
}

void ContactFollower::addIntervalToWindow(std::size_t index, Interval in) noexcept {
  WindowTotals& window = windows_[index];
  const bool whole = doesIntervalCoverPiece(in);
  window.covered += in.to - in.from;
  const auto addPhase = [&](Interval phase, ContactPhase state) {
    const Interval both = in.intersectionWith(phase);
    if (!(both.to > both.from)) return;
    const double counted = state == ContactPhase::open ? 0.0 : closedTimeIn(both);
    window.time[static_cast<std::size_t>(state)] += counted;
    window.time[static_cast<std::size_t>(ContactPhase::open)] += both.length() - counted;
    const bool rubs = contact_->patch ? state != ContactPhase::open : state == ContactPhase::slip;
    if (!rubs || (wearsByImpulses_ && !isSeries_)) return;
    window.wear += wearWorkOver(both);
    if (sectors_ > 0) addSectorWork(index, both);
  };
  addPhase({piece_.begin, piece_.change}, piece_.before);
  addPhase({piece_.change, piece_.end}, piece_.after);
  if (!whole) interpolateSignalsToCells(in, partCells_);
  const Cells& cells = whole ? cells_ : partCells_;
  addSignalMoments(window, in, cells);
  addForceWhileClosed(window, in);
  if (countsImpulses_)
    window.impulse += stepImpulse_ * (in.to - in.from) / (piece_.end - piece_.begin);
  else
    window.impulse += normalImpulse(in);
  for (std::size_t s = 0; s < kSignals; ++s)
    includeExtremes(window.signals[s], static_cast<Signal>(s), cells, in);
  if (!histograms_.empty()) addStateTimes(index, cells, in);
}

/// Part of a closed interval in which the contact counts as closed [s].
double ContactFollower::closedTimeIn(Interval in) const noexcept {
  if (threshold_ == 0.0) return in.length();
  double sum = 0.0;
  for (std::size_t i = 0; i < loadedCount_; ++i) sum += loaded_[i].intersectionWith(in).length();
  return sum;
}

/// Adds the integrals of the normal force and of its square while the contact counts as closed. Without a
/// threshold the whole interval is integrated, because the force is zero while the contact is open.
void ContactFollower::addForceWhileClosed(WindowTotals& window, Interval in) const noexcept {
  if (threshold_ == 0.0) {
    window.forceWhileCountedClosed = {window.momentsOf(Signal::normalForce).integral,
                                      window.momentsOf(Signal::normalForce).square};
    return;
  }
  for (std::size_t k = 0; k < loadedCount_; ++k) {
    const Interval both = loaded_[k].intersectionWith(in);
    if (!(both.to > both.from)) continue;
    for (std::size_t i = 0; i < grid_->quadraturePointCount(); ++i) {
      const double force =
          signalAt(Signal::normalForce, both.from + grid_->quadraturePoint(i) * both.length());
      const double share = both.length() * grid_->quadratureWeight(i);
      window.forceWhileCountedClosed.integral += share * force;
      window.forceWhileCountedClosed.square += share * force * force;
    }
  }
}

/// Adds the wear work of impulses gained since the last piece to an interval or an instant: a series shows
/// the impacts at its start, a step all impulses at its end. `total`: since the start of the run [J].
void ContactFollower::addWearWorkOfImpulses(double total, Interval in) noexcept {
  const double gain = total - std::exchange(lastImpulseWear_, total);
  if (gain != 0.0) addWearWork(in, gain);
}

/// Adds wear work of an interval, or of an instant, to the windows and sectors that contain it.
void ContactFollower::addWearWork(Interval in, double work) noexcept {
  for (std::size_t w = 0; w < windows_.size(); ++w) {
    const bool isInside = in.from >= windows_[w].from && (in.from < windows_[w].to || in.from >= end_);
    const Interval both = in.intersectionWith({windows_[w].from, windows_[w].to});
    const double share = in.to > in.from ? both.length() / in.length() : isInside ? 1.0 : 0.0;
    windows_[w].wear += share * work;
    if (sectors_ > 0 && share > 0.0)
      sectorWork_[w * sectors_ + indexOfForceSectorAt(0.5 * (in.from + in.to))] += share * work;
  }
}

/// Index of the angular sector of the first node about the axis: sector 0 begins opposite to axis 1 of the
/// obstacle.
std::size_t ContactFollower::indexOfForceSectorAt(double time) const noexcept {
  std::array<double, 2> place{};
  grid_->interpolateToPart(std::span(samples_).first(grid_->samples() * kChannels), kChannels,
                           fractionWithinPiece(time), place);
  const double turns = 0.5 + std::atan2(place[1], place[0]) / (2.0 * std::numbers::pi);
  return std::min(sectors_ - 1, static_cast<std::size_t>(turns * static_cast<double>(sectors_)));
}

/// Adds the wear work of each sector. The sector is evaluated at the ends of cells; a change inside a cell is
/// located by bisection. A node that moves along a border may change sectors by rounding: at most as often in
/// a cell as there are sectors.
void ContactFollower::addSectorWork(std::size_t window, Interval in) noexcept {
  constexpr int kCells = 16, kHalvings = 40;
  const std::span<double> work = std::span(sectorWork_).subspan(window * sectors_, sectors_);
  double begin = in.from, from = in.from;
  std::size_t present = indexOfForceSectorAt(begin);
  for (int i = 1; i <= kCells; ++i) {
    const double end = i == kCells ? in.to : in.from + (in.to - in.from) * i / kCells;
    for (std::size_t k = 0; k <= sectors_ && from < end && indexOfForceSectorAt(end) != present; ++k) {
      double low = from, high = end;
      for (int halving = 0; halving < kHalvings; ++halving) {
        const double middle = 0.5 * (low + high);
        (indexOfForceSectorAt(middle) == present ? low : high) = middle;
      }
      work[present] += wearWorkOver({begin, high});
      begin = from = high;
      present = indexOfForceSectorAt(high);
    }
    from = end;
  }
  if (in.to > begin) work[present] += wearWorkOver({begin, in.to});
}

double ContactFollower::normalImpulse(Interval in) const noexcept {
  if (doesIntervalCoverPiece(in)) return sums_[static_cast<std::size_t>(Signal::normalForce)].integral;
  double sum = 0.0;
  for (std::size_t i = 0; i < grid_->quadraturePointCount(); ++i)
    sum += grid_->quadratureWeight(i) *
           signalAt(Signal::normalForce, in.from + grid_->quadraturePoint(i) * (in.to - in.from));
  return (in.to - in.from) * sum;
}

/// Updates the extremes with the values at the cell ends, and by golden section search in cells that may
/// contain larger values.
void ContactFollower::includeExtremes(Moments& moments, Signal signal, const Cells& cells,
                                      Interval in) const noexcept {
  // reduces a cell to 1e-6 of its length: there a smooth extremum is constant within 1e-13
  constexpr int kSections = 30;
  const auto s = static_cast<std::size_t>(signal);
  for (const double sign : {1.0, -1.0}) {
    double& extreme = sign > 0.0 ? moments.high : moments.low;
    const double best = largestFunctionValueOverCells(
        EvenCells{in.from, in.to, grid_->cellCount()}, [&](std::size_t i) { return sign * cells[i][s]; },
        [&](double t) { return sign * signalAt(signal, t); }, isSeries_ ? kSections : 0, sign * extreme);
    extreme = sign * best + 0.0;  // avoids negative zero
  }
}

double ContactFollower::peakForceOver(Interval in) const noexcept {
  Moments found;
  found.high = tracker_.peakForceOfImpact();
  if (doesIntervalCoverPiece(in)) {
    includeExtremes(found, Signal::normalForce, cells_, in);
  } else {
    Cells cells;
    interpolateSignalsToCells(in, cells);
    includeExtremes(found, Signal::normalForce, cells, in);
  }
  return found.high;
}

/// Adds the time spent at each gap, and at each normal force while N > 0.
void ContactFollower::addStateTimes(std::size_t window, const Cells& cells, Interval in) noexcept {
  constexpr auto kForce = static_cast<std::size_t>(Signal::normalForce);
  constexpr auto kGap = static_cast<std::size_t>(Signal::gap);
  Histogram& forces = histograms_[static_cast<std::size_t>(Histogrammed::normalForce)];
  Histogram& gaps = histograms_[static_cast<std::size_t>(Histogrammed::gap)];
  const auto spread = [&](const Signals& from, const Signals& to, double time) {
    gaps.distributeWeight(window, from[kGap], to[kGap], time);
    if (from[kForce] > 0.0 || to[kForce] > 0.0)
      forces.distributeWeight(window, from[kForce], to[kForce], time);
  };
  // A piece of a series may hold half a period, whose turning points straight lines over its cells miss.
  constexpr std::size_t kPartsOfCell = 16;
  const std::size_t parts = (isSeries_ ? kPartsOfCell : 1) * grid_->cellCount();
  const double each = (in.to - in.from) / static_cast<double>(parts);
  Signals before = cells[0];
  for (std::size_t i = 1; i <= parts; ++i) {
    const bool isEndOfCell = !isSeries_ || i % kPartsOfCell == 0;
    const Signals after =
        isEndOfCell ? cells[isSeries_ ? i / kPartsOfCell : i]
                    : computeSignals(interpolatedChannelsAt(in.from + static_cast<double>(i) * each));
    spread(before, after, each);
    before = after;
  }
}

}  // namespace ricochet
