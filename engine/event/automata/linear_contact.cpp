#include "engine/event/automata/linear_contact.hpp"

#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

/// Finds the slip lines of a contact point: a single line if the two tangential rows are parallel. The rows
/// of a contact whose surface moves do not contain the factors of its tangents (Contact::tangentScale).
void findSlipLinesOfContact(const ContactSet& set, const ModePlanes& planes, LinearContact& c) {
  const Eigen::Index size = planes.size();
  const Tangential<double> scale =
      c.contact->isFollowed() ? c.contact->tangentScale : Tangential<double>{1.0, 1.0};
  const double factors[2] = {scale.first, scale.second};
  const double* rows[2] = {planes.sortedRow(set.row(c.index, 1)), planes.sortedRow(set.row(c.index, 2))};
  for (std::size_t a = 0; a < 2; ++a) {
    if (rows[a] == nullptr || factors[a] == 1.0) continue;
    c.ownRow[a] = factors[a] * Eigen::Map<const Vector>(rows[a], size);
    rows[a] = factors[a] == 0.0 ? nullptr : c.ownRow[a].data();
  }
  const double sizes[2] = {euclideanNormOfRow(rows[0], size), euclideanNormOfRow(rows[1], size)};
  c.origin = {scale.first * c.contact->offset[1], scale.second * c.contact->offset[2]};
  bool surfaceMoves[2] = {false, false};
  for (const SurfaceTerm& term : c.contact->surface) {
    const Tangential<double>& direction = c.surfaceDirection.emplace_back(
        Tangential<double>{scale.first * term.direction.first, scale.second * term.direction.second});
    surfaceMoves[0] |= direction.first != 0.0;
    surfaceMoves[1] |= direction.second != 0.0;
  }
  const auto use = [&](const Tangential<double>& axis, const double* row) {
    const auto a = static_cast<std::size_t>(c.lines++);
    c.axis[a] = axis;
    c.tangentRow[a] = row;
    c.rowSize[a + 1] = euclideanNormOfRow(row, size);
  };
  constexpr double kParallel = 1e-12;
  const bool parallel =
      rows[0] != nullptr && rows[1] != nullptr &&
      std::abs(kernels::dot(rows[0], rows[1], size)) >= (1.0 - kParallel) * sizes[0] * sizes[1];
  if (parallel && !surfaceMoves[0] && !surfaceMoves[1]) {
    const double sign = kernels::dot(rows[0], rows[1], size) > 0.0 ? 1.0 : -1.0;
    const double length = std::hypot(sizes[0], sizes[1]);
    const Tangential<double> axis{sizes[0] / length, sign * sizes[1] / length};
    c.ownRow[0] = axis.first * Eigen::Map<const Vector>(rows[0], size) +
                  axis.second * Eigen::Map<const Vector>(rows[1], size);
    use(axis, c.ownRow[0].data());
    return;
  }
  if (rows[0] != nullptr || surfaceMoves[0]) use({1.0, 0.0}, rows[0]);
  if (rows[1] != nullptr || surfaceMoves[1]) use({0.0, 1.0}, rows[1]);
}

}  // namespace

LinearContact::LinearContact(const ContactSet& set, const ModePlanes& planes, int which, int order)
    : ContactAutomaton(set, which),
      normalRow(planes.sortedRow(set.row(which, 0))),
      imposed(contact->imposedForce) {
  rowSize[0] = euclideanNormOfRow(normalRow, planes.size());
  if (normalRow != nullptr) rowBands = TaylorExpansion::rowNormsByModeBand(normalRow, planes.planes());
  findSlipLinesOfContact(set, planes, *this);
  for (const SurfaceTerm& term : contact->surface) surface.emplace_back(term.speed);
  std::visit(
      [this]<class Law>(const Law& law) {
        if constexpr (Law::traits.form == ForceForm::linear)
          stiffnessWhenClosed =
              -law.template force<LinearForm>(NormalState::closed, normalKinematicsAsLinearForms()).position;
      },
      contact->normal);
  reset(set);

  const auto length = static_cast<std::size_t>(order + 3);
  constexpr std::size_t kSeries = 14;
  storage.assign(kSeries * length, 0.0);
  std::size_t next = 0;
  const auto take = [&] { return std::span<double>(storage.data() + length * next++, length); };
  along = take();
  gap = take();
  compression = take();
  imposedSeries = take();
  for (std::size_t a = 0; a < 2; ++a) {
    slide[a] = take();
    moved[a] = take();
    traction[a] = take();
    tractionDirection[a] = take();
    spring[a] = take();
  }
}

void LinearContact::reset(const ContactSet& set) {
  ContactAutomaton::reset(set);
  low = set.contactFreeInterval(static_cast<std::size_t>(index)).low;
  high = set.contactFreeInterval(static_cast<std::size_t>(index)).high;
  travel = {};
  isUninstalled = false;
}

void LinearContact::rewindTimeFunctions(double t) {
  const auto rewind = [t](FunctionCursor& cursor) {
    cursor.rewind();
    cursor.advance(t, 0.0);
  };
  rewind(imposed);
  for (FunctionCursor& cursor : surface) rewind(cursor);
}

bool LinearContact::advanceTimeFunctions(double t) {
  const double before = imposed.at(t);
  imposed.advance(t, 0.0);
  for (FunctionCursor& cursor : surface) cursor.advance(t, 0.0);
  return imposedNormal && imposed.at(t) > before;
}

double LinearContact::nextBreakpoint() const noexcept {
  double next = imposedNormal ? imposed.piece().end : std::numeric_limits<double>::infinity();
  for (const FunctionCursor& cursor : surface) next = std::min(next, cursor.piece().end);
  return next;
}

void LinearContact::updateContactPoint(const State& s) noexcept {
  const Eigen::Index size = s.q.size();
  state.position = origin - travel;
  state.slipRate = {};
  for (std::size_t a = 0; a < static_cast<std::size_t>(lines); ++a) {
    if (tangentRow[a] == nullptr) continue;
    state.position = state.position + scaled(kernels::dot(tangentRow[a], s.q.data(), size), axis[a]);
    state.slipRate = state.slipRate + scaled(kernels::dot(tangentRow[a], s.v.data(), size), axis[a]);
  }
  for (std::size_t i = 0; i < surface.size(); ++i)
    state.slipRate = state.slipRate - scaled(surface[i].at(s.time), surfaceDirection[i]);
}

double LinearContact::speedScaleOfSlipRate(const State& s) const noexcept {
  double scale = largestTangentRowNorm() * std::max(s.v.norm(), speedBefore);
  for (std::size_t i = 0; i < surface.size(); ++i)
    scale = std::max(scale, std::abs(surface[i].at(s.time)) * length(surfaceDirection[i]));
  return scale;
}

double LinearContact::projectOutSlipRate(State& s) const noexcept {
  double largest = 0.0;
  for (std::size_t a = 0; a < static_cast<std::size_t>(lines); ++a) {
    if (tangentRow[a] == nullptr) continue;
    const double rate = kernels::dot(tangentRow[a], s.v.data(), s.v.size()) - surfaceSpeed(a, s.time);
    const double compliance = rowSize[a + 1] * rowSize[a + 1];
    kernels::addScaled(-rate / compliance, tangentRow[a], s.v.data(), s.v.size());
    largest = std::max(largest, std::abs(rate));
  }
  return largest;
}

double LinearContact::gapRate(const State& s) noexcept {
  return normalRow == nullptr ? 0.0 : state.side * kernels::dot(normalRow, s.v.data(), s.v.size());
}

ImpactAxes LinearContact::impulseAxesOfContact(const State& s) noexcept {
  ImpactAxes axes;
  axes.row = {normalRow, tangentRow[0], tangentRow[1]};
  axes.size = rowSize;
  axes.sign[0] = state.side;
  for (std::size_t a = 0; a < static_cast<std::size_t>(lines); ++a)
    axes.imposed[a + 1] = -surfaceSpeed(a, s.time);
  return axes;
}

/// Largest gap that is zero within rounding [m].
double LinearContact::largestTouchingGap(const Vector& q) const noexcept {
  return kTouching * (rowSize[0] * q.norm() + std::min(std::abs(low), std::abs(high))) +
         offsetRoundingError() + rowSize[0] * rounding.place;
}

double LinearContact::projectOutGap(State& s) const noexcept {
  if (normalRow == nullptr || !pushesFromGeometry) return 0.0;
  const double x = kernels::dot(normalRow, s.q.data(), s.q.size());
  const double open = state.side > 0.0 ? x - low : high - x;
  if (!(std::abs(open) <= largestTouchingGap(s.q))) return 0.0;
  kernels::addScaled(-state.side * open / (rowSize[0] * rowSize[0]), normalRow, s.q.data(), s.q.size());
  return std::abs(open);
}

bool LinearContact::isGapBeyondRounding(const State& s) noexcept {
  const double x = normalRow == nullptr ? 0.0 : kernels::dot(normalRow, s.q.data(), s.q.size());
  return (state.side > 0.0 ? x - low : high - x) > kSeenGap * largestTouchingGap(s.q);
}

bool LinearContact::isTouching(const State& s) noexcept {
  const Vector& q = s.q;
  const double x = normalRow == nullptr ? 0.0 : kernels::dot(normalRow, q.data(), q.size());
  const double most = largestTouchingGap(q);
  const double nearest = std::min(x - low, high - x);
  const bool penetrates = nearest < -most;
  // a contact that opened now was touching
  if ((nearest > most && !openedNow) || (penetrates && isClosed())) return false;
  state.side = x - low < high - x ? 1.0 : -1.0;
  return true;
}

double LinearContact::largestNegligibleGapRate(const State& s) const noexcept {
  return std::max(kRest * std::max(largestImpact, largestSlip),
                  rowSize[0] * (rounding.speed + kNoise * std::max(s.v.norm(), speedBefore)));
}

bool LinearContact::isTouchingAtRest(const State& s) noexcept {
  if (setValuedNormal && isClosed()) return true;
  if (normalRow == nullptr || !pushesFromGeometry || state.normal == NormalState::released) return false;
  return isTouching(s) && std::abs(gapRate(s)) <= std::max(largestNegligibleGapRate(s), stickDrift);
}

double LinearContact::normalForceAtClosing(const State& s) const noexcept {
  NormalKinematics<double> normal;
  if (pushesFromGeometry && normalRow != nullptr) {
    const double place = kernels::dot(normalRow, s.q.data(), s.q.size());
    normal.gap = state.side > 0.0 ? place - low : high - place;
    normal.gapRate = state.side * kernels::dot(normalRow, s.v.data(), s.v.size());
  }
  normal.imposed = imposedNormal ? imposed.at(s.time) : 0.0;
  return std::visit([&](const auto& law) { return law.template force<double>(NormalState::closed, normal); },
                    contact->normal);
}

bool LinearContact::isNormalForceZeroWithinRounding(double time) const noexcept {
  return state.compression <= kNoise * std::abs(compression[1]) * std::abs(time);
}

double LinearContact::surfaceSpeed(std::size_t line, double t) const noexcept {
  double speed = 0.0;
  for (std::size_t i = 0; i < surface.size(); ++i)
    speed += surface[i].at(t) * dot(surfaceDirection[i], axis[line]);
  return speed;
}

void LinearContact::moveStateToTime(double t, double /*time*/, std::size_t orders) noexcept {
  state.gap = polynomialAt(gapSeries(orders), t);
  state.compression = polynomialAt(compressionSeries(orders), t);
  state.imposed = imposedNormal ? polynomialAt(imposedSeries.first(std::min(imposedCount, orders)), t) : 0.0;
  NormalKinematics<double> k;
  k.gap = state.gap;
  state.storedNormal = std::visit(
      [&](const auto& law) { return law.template storedEnergy<double>(state.normal, k); }, contact->normal);
  if (!hasTraction()) return;
  state.position = origin;
  state.slipRate = state.traction = {};
  for (std::size_t a = 0; a < static_cast<std::size_t>(lines); ++a) {
    state.position = state.position + scaled(polynomialAt(slipPathSeries(a, orders), t), axis[a]);
    state.slipRate = state.slipRate + scaled(slopeAt(slipPathSeries(a, orders), t), axis[a]);
    state.traction = state.traction + scaled(polynomialAt(tractionSeries(a, orders), t), axis[a]);
  }
  // The series of the direction is less exact than the slip rate, unless this is almost zero.
  constexpr double kRoundings = 1e8, kSlow = 1e-6;
  const double least = std::max(kRoundings * slipRateRoundingError(), kSlow * fastestSlip);
  if (isTurningSlip() && setValuedStick && length(state.slipRate) > least)
    state.traction = tractionOfTurningSlip();
}

/// Traction of a set-valued slip along its slip rate.
Tangential<double> LinearContact::tractionOfTurningSlip() const noexcept {
  const FrictionKinematics<double> k = frictionKinematics();
  return std::visit(
      [&]<class Law>(const Law& law) {
        FrictionMemory<double> memory = state.friction;
        if constexpr (Law::traits.setValued) memory.direction = law.template tractionDirection<double>(k);
        return law.template force<double>(FrictionState::slip, k, memory);
      },
      contact->friction);
}

void LinearContact::moveSlipSpringToTime(double t, std::size_t orders) noexcept {
  if (!hasRelaxingSlipSpring()) {
    moveSpringAnchor(frictionKinematics());
    return;
  }
  FrictionMemory<double>& memory = state.friction;
  const auto part = [&](std::size_t a) { return polynomialAt(spring[a].first(orders), t); };
  memory.anchorForce = isTurningSlip() ? scaled(part(0), axis[0]) + scaled(part(1), axis[1])
                                       : state.traction + scaled(part(0), memory.direction);
  memory.anchorPosition = state.position;
}

void linearCombination(const LinearForm& form, const FormTerms& terms, std::span<double> series) noexcept {
  std::size_t written = 1;
  series[0] = form.constant;
  const auto add = [&](double factor, std::size_t count, const auto& term) {
    if (factor == 0.0) return;
    count = std::min(count, series.size());
    for (std::size_t k = 0; k < std::min(count, written); ++k) series[k] += factor * term(k);
    for (std::size_t k = written; k < count; ++k) series[k] = factor * term(k);
    written = std::max(written, count);
  };
  const auto of = [](std::span<const double> p) { return [p](std::size_t k) { return p[k]; }; };
  const auto rateOf = [](std::span<const double> p) {
    return [p](std::size_t k) { return static_cast<int>(k + 1) * p[k + 1]; };
  };
  add(form.position, terms.x.size(), of(terms.x));
  add(form.rate, std::max<std::size_t>(terms.x.size(), 1) - 1, rateOf(terms.x));
  add(form.input, terms.u.size(), of(terms.u));
  add(form.inputRate, std::max<std::size_t>(terms.u.size(), 1) - 1, rateOf(terms.u));
  add(form.reaction, terms.r.size(), of(terms.r));
  for (std::size_t k = written; k < series.size(); ++k) series[k] = 0.0;
}

}  // namespace ricochet
