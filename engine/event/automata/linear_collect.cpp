// Series of gaps, positions and forces of linear contacts over a step, and of the springs of damped slips,
// whose force relaxes to the traction at the rate kappa.

#include "engine/event/automata/event_contacts.hpp"
#include "engine/event/series/resolved_step.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// Source of series: a Taylor expansion of the motion.
struct TaylorSource {
  const TaylorExpansion& expansion;

  void motionSeriesAlongRow(const double* row, int /*channel*/, std::span<double> series) const noexcept {
    expansion.motionSeriesAlongRow(row, series);
  }
  std::span<const double> force(int channel) const noexcept {
    return expansion.force(channel).first(expansion.forceCoefficientCount(channel));
  }
  std::span<const double> reaction(int constraint) const noexcept { return expansion.reaction(constraint); }
};

/// Source of series: a long step, which already contains the motion along the row of each channel.
struct LongSource {
  LongStep& step;

  void motionSeriesAlongRow(const double* row, int channel, std::span<double> series) const {
    if (channel >= 0) {
      const std::span<const double> known = step.motion(channel);
      std::copy(known.begin(), known.end(), series.begin());
    } else {
      step.motionSeriesAlongRow(step.findOrAddRow(row), series);
    }
    std::fill(series.begin() + LongStep::kPoints, series.end(), 0.0);
  }
  std::span<const double> force(int channel) const noexcept { return step.force(channel); }
  std::span<const double> reaction(int constraint) const noexcept { return step.reaction(constraint); }
};

/// Computes the series of the gap from the series of the row product b_0 q.
void computeGap(LinearContact& c, std::size_t orders) noexcept {
  for (std::size_t k = 0; k < orders + 2; ++k) c.gap[k] = c.state.side * c.along[k];
  if (c.pushesFromGeometry) c.gap[0] += c.gapAtZeroDisplacement();
  c.gapCount = std::max(c.gapCount, orders + 2);
}

}  // namespace

void EventContacts::collectContactSeries(const TaylorExpansion& expansion) {
  const std::size_t orders = orders_ = static_cast<std::size_t>(expansion.order() + 1);
  const TaylorSource source{expansion};
  for (LinearContact& c : contacts_) {
    if (c.isClosed()) {
      collectSeriesOfClosedContact(source, c, orders);
      if (c.hasRelaxingSlipSpring() && !c.isTurningSlip()) expandSpringForceExcess(c, orders);
    } else if (c.state.normal == NormalState::released) {
      collectGapSeries(source, c, orders);
      setSeriesCoefficientCount(c.compression, c.compressionCount, 0);
    }
  }
  series_.collectContactSeries(expansion);
}

template <class Source>
void EventContacts::collectSeriesOfClosedContact(const Source& source, LinearContact& c, std::size_t orders) {
  collectCompressionSeries(source, c, orders);
  if (!c.hasTraction()) return;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
    collectTractionAndSlipSeries(source, c, a, orders);
}

template <class Source>
void EventContacts::collectGapSeries(const Source& source, LinearContact& c, std::size_t orders) {
  source.motionSeriesAlongRow(c.normalRow, c.normalChannel, c.along.first(orders + 2));
  computeGap(c, orders);
}

template <class Source>
void EventContacts::collectCompressionSeries(const Source& source, LinearContact& c, std::size_t orders) {
  // The gap is not needed if the force is prescribed or the reaction of a constraint.
  if (c.normalRow != nullptr && !c.setValuedNormal) {
    collectGapSeries(source, c, orders);
  } else {
    c.gap[0] = c.pushesFromGeometry && c.normalConstraint < 0 ? c.gapAtZeroDisplacement() : 0.0;
    setSeriesCoefficientCount(c.gap, c.gapCount, 1);
  }
  if (c.normalConstraint >= 0) {
    const std::span<const double> reaction = source.reaction(c.normalConstraint);
    for (std::size_t k = 0; k < orders; ++k) c.compression[k] = c.state.side * reaction[k];
    for (std::size_t k = 0; k < 2; ++k) c.compression[k] += c.state.side * c.balancedReaction[0][k];
    c.compressionCount = std::max(c.compressionCount, orders);
  } else if (c.normalChannel >= 0) {
    const std::span<const double> force = source.force(c.normalChannel);
    for (std::size_t k = 0; k < force.size(); ++k) c.compression[k] = c.state.side * force[k];
    setSeriesCoefficientCount(c.compression, c.compressionCount, force.size());
  } else {
    const std::size_t count = std::min(orders, std::max(c.gapCount, c.imposedCount));
    linearCombination(c.normalForce, {c.gap, c.imposedSeries, {}}, c.compression.first(count));
    setSeriesCoefficientCount(c.compression, c.compressionCount, count);
  }
}

template <class Source>
void EventContacts::collectTractionAndSlipSeries(const Source& source, LinearContact& c, std::size_t a,
                                                 std::size_t orders) {
  if (c.tangentRow[a] != nullptr)
    source.motionSeriesAlongRow(c.tangentRow[a], c.tangentChannel[a], c.slide[a].first(orders + 2));
  else
    std::fill(c.slide[a].begin(), c.slide[a].end(), 0.0);
  if (!c.surface.empty())
    for (std::size_t k = 0; k < orders + 2; ++k) c.slide[a][k] -= c.moved[a][k];
  std::size_t count = orders;
  if (const int channel = c.tangentChannel[a]; channel >= 0) {
    const std::span<const double> force = source.force(channel);
    count = force.size();
    std::copy(force.begin(), force.end(), c.traction[a].begin());
  } else if (const int constraint = c.tangentConstraint[a]; constraint >= 0) {
    std::copy_n(source.reaction(constraint).begin(), count, c.traction[a].begin());
    for (std::size_t k = 0; k < 2; ++k) c.traction[a][k] += c.balancedReaction[a + 1][k];
  } else if (!c.isTurningSlip()) {  // only the surface moves along this line
    linearCombination(c.tangentForce[a], {c.slide[a], c.compression.first(orders), {}},
                      c.traction[a].first(orders));
  }
  if (c.isTurningSlip())
    c.tractionCount[a] = std::max(c.tractionCount[a], orders);  // the expansion has stored the traction
  else
    setSeriesCoefficientCount(c.traction[a], c.tractionCount[a], count);
}

bool EventContacts::collectContactSeries(LongStep& step, double error, double speed) {
  orders_ = LongStep::kPoints;
  const LongSource source{step};
  for (LinearContact& c : contacts_) {
    c.cannotClose = false;
    if (c.isClosed())
      collectSeriesOfClosedContact(source, c, orders_);
    else if (!sampleGapInLongStep(step, c, error, speed))
      return false;
  }
  return true;
}

/// Samples the gap of a contact that is not closed; returns false if the error d of the gap [m] may change
/// the motion too much. For a spring of stiffness k met at the speed s, the error d of the closing changes
/// the velocity by |b| k d^2/(2 s); for a rigid obstacle the error of the motion is d.
bool EventContacts::sampleGapInLongStep(LongStep& step, LinearContact& c, double error, double speed) {
  if (c.normalRow == nullptr || !c.pushesFromGeometry) {
    c.cannotClose = c.pushesFromGeometry;
    return true;
  }
  if (c.longRow < 0) c.longRow = step.findOrAddRow(c.normalRow);
  if (c.state.normal == NormalState::open) {
    const ChebyshevExpansion::Reach reach = step.displacementBoundsAlongRow(c.longRow);
    const double margin = lowerBoundOfGap(c) = std::min(reach.low - c.low, c.high - reach.high);
    c.cannotClose = margin > 0.0;
    if (c.cannotClose) return true;
  }
  constexpr double kOff = 0.1;
  const double stiffness = std::abs(c.stiffnessWhenClosed);
  const double most = stiffness > 0.0 ? kOff * std::sqrt(2.0 * error * speed / stiffness)
                                      : error * c.rowSize[0] * step.length();
  if (!step.motionSeriesAlongRow(c.longRow, most, c.along.first(orders_))) return false;
  std::fill(c.along.begin() + static_cast<std::ptrdiff_t>(orders_), c.along.end(), 0.0);
  if (c.state.normal == NormalState::open) return true;
  computeGap(c, orders_);
  setSeriesCoefficientCount(c.compression, c.compressionCount, 0);
  return true;
}

/// Expands the excess D = T_e.e - T.e of the spring force over the traction, for a slip along one line with
/// direction e:
///
///     D' = -kappa D - (T.e)'       D_{j+1} = -kappa D_j / (j + 1) - (T.e)_{j+1}
void EventContacts::expandSpringForceExcess(LinearContact& c, std::size_t orders) noexcept {
  const FrictionMemory<double>& memory = c.state.friction;
  const std::span<double> excess = c.spring[0];
  const double sign = dot(c.axis[0], memory.direction);
  excess[0] = dot(memory.anchorForce, memory.direction) - sign * c.traction[0][0];
  for (std::size_t k = 1; k < orders; ++k)
    excess[k] = -c.relaxation * excess[k - 1] / static_cast<double>(k) - sign * c.traction[0][k];
  c.transientDecayed = false;
}

/// Replaces the series of D by its particular solution once the transient exp(-kappa t) is below rounding;
/// returns true if the series was replaced. The particular solution is a polynomial like T.e, computed from
/// its last coefficient backwards. This solution does not limit the step, however stiff the spring is:
///
///     D_j = -(j + 1) ((T.e)_{j+1} + D_{j+1}) / kappa
bool EventContacts::tryNeglectingSpringTransient(LinearContact& c, std::size_t orders) noexcept {
  const FrictionMemory<double>& memory = c.state.friction;
  const double sign = dot(c.axis[0], memory.direction);
  const auto before = [&](std::size_t k, double next) {
    return -static_cast<double>(k + 1) / c.relaxation * (sign * c.traction[0][k + 1] + next);
  };
  double rest = 0.0;
  for (std::size_t k = orders - 1; k-- > 0;) rest = before(k, rest);
  const double force = std::abs(dot(memory.anchorForce, memory.direction));
  if (std::abs(c.spring[0][0] - rest) > kNoise * (force + std::abs(c.traction[0][0]))) return false;
  c.transientDecayed = true;
  c.spring[0][orders - 1] = 0.0;
  for (std::size_t k = orders - 1; k-- > 0;) c.spring[0][k] = before(k, c.spring[0][k + 1]);
  return true;
}

/// Longest step over which the series of the spring force of a damped slip is exact to the tolerance [s].
double EventContacts::longestStepForDampedContacts(LinearContact& c, int order, double step) const noexcept {
  if (c.transientDecayed) return step;
  const auto size = [](const auto& parts, std::size_t k) { return std::hypot(parts[0][k], parts[1][k]); };
  const double longest =
      c.isTurningSlip()
          ? longestStepResolvingSeries(
                order, tolerance_, [&](std::size_t k) { return size(c.spring, k); },
                [&](std::size_t k) { return size(c.spring, k) + size(c.traction, k); })
          : longestStepResolvingSeries(
                order, tolerance_, [&](std::size_t k) { return std::abs(c.spring[0][k]); },
                [&](std::size_t k) { return std::abs(c.spring[0][k]) + std::abs(c.traction[0][k]); });
  return longest < step && !c.isTurningSlip() &&
                 tryNeglectingSpringTransient(c, static_cast<std::size_t>(order + 1))
             ? step
             : longest;
}

}  // namespace ricochet
