#include "engine/event/automata/series_contact.hpp"

#include "engine/numerics/certified_root.hpp"
#include "engine/numerics/polynomials.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {
namespace {

Local<double> localPositionOf(const SeriesContact::PerAxis<double>& x) noexcept { return {x[0], x[1], x[2]}; }

}  // namespace

/// Finds the slip lines of the contact point: a single line if the two rows are parallel; no line along a
/// tangent without friction.
void SeriesContact::findSlipLinesOfContact(Eigen::Index size) {
  std::array<bool, 3> moves{};
  for (std::size_t i = 0; i < 3; ++i) moves[i] = row[i] != nullptr;
  moves[1] |= row[kRolling] != nullptr;
  for (const DriftTerm& term : contact->drift)
    for (std::size_t i = 0; i < 3; ++i) moves[i] |= term.direction[static_cast<Eigen::Index>(i)] != 0.0;
  const bool onlyRows = contact->drift.empty() && contact->surface.empty() && contact->surfaceSpin.empty() &&
                        !contact->isRolling();
  for (const SurfaceTerm& term : contact->surface) {
    moves[1] |= term.direction.first != 0.0;
    moves[2] |= term.direction.second != 0.0;
  }
  if (kind != TangentKind::fixed) moves[1] |= moves[0] || !contact->surfaceSpin.empty();
  if (kind == TangentKind::turning) moves[1] = moves[2] = moves[0] || moves[1] || moves[2];
  if (kind == TangentKind::fixed && !contact->surfaceSpin.empty()) moves[1] = moves[2] = true;
  moves[1] &= tangentScale.first != 0.0;
  moves[2] &= tangentScale.second != 0.0;
  if (kind == TangentKind::fixed && onlyRows && moves[1] && moves[2]) {
    constexpr double kParallel = 1e-12;
    const double product = kernels::dot(row[1], row[2], size);
    if (std::abs(product) >= (1.0 - kParallel) * rowSize[1] * rowSize[2]) {
      const Tangential<double> sizes{tangentScale.first * rowSize[1], tangentScale.second * rowSize[2]};
      axis[0] = {sizes.first / length(sizes), std::copysign(sizes.second, product) / length(sizes)};
      lines = 1;
      return;
    }
  }
  if (moves[1]) axis[static_cast<std::size_t>(lines++)] = {1.0, 0.0};
  if (moves[2]) axis[static_cast<std::size_t>(lines++)] = {0.0, 1.0};
}

SeriesContact::SeriesContact(const ContactSet& set, const ModePlanes& planes, int which, int order)
    : ContactAutomaton(set, which), kind(tangentKind(contact->obstacle)), imposed(contact->imposedForce) {
  if (contact->isFollowed()) tangentScale = contact->tangentScale;
  for (std::size_t i = 0; i < (contact->isRolling() ? kAxes : kRolling); ++i) {
    row[i] = planes.sortedRow(set.row(which, static_cast<int>(i)));
    rowSize[i] = euclideanNormOfRow(row[i], planes.size());
    compliance += rowSize[i] * rowSize[i];
  }
  reach = std::sqrt(compliance);
  impactRow.fill(Vector::Zero(planes.size()));
  findSlipLinesOfContact(planes.size());
  for (const DriftTerm& term : contact->drift) drift.emplace_back(term.displacement);
  for (const SurfaceTerm& term : contact->surface) surface.emplace_back(term.speed);
  for (const SurfaceSpin& each : contact->surfaceSpin) spin.emplace_back(each.rate);
  reset(set);

  const auto length = static_cast<std::size_t>(order + 3);
  constexpr std::size_t kSeries = 28;
  storage.assign(kSeries * length, 0.0);
  std::size_t next = 0;
  const auto take = [&] { return std::span<double>(storage.data() + length * next++, length); };
  gap = take();
  compression = take();
  imposedSeries = take();
  spinRate = take();
  for (std::size_t i = 0; i < kAxes; ++i) {
    place[i] = take();
    carried[i] = take();
    push[i] = take();
  }
  for (std::size_t a = 0; a < 2; ++a) {
    path[a] = take();
    moved[a] = take();
    surfaceSpeed[a] = take();
    traction[a] = take();
    spring[a] = take();
    tractionDirection[a] = take();
  }
}

bool SeriesContact::isNonLinear(const Contact& contact) noexcept {
  return isCurved(contact.obstacle) || !contact.surfaceSpin.empty() || !contact.drift.empty() ||
         contact.isRolling() || traitsOf(contact.normal).form != ForceForm::linear ||
         traitsOf(contact.friction).ofSpeed;
}

bool SeriesContact::canHaveReactions(const Contact& contact) noexcept {
  return traitsOf(contact.normal).setValued || traitsOf(contact.friction).setValued;
}

bool SeriesContact::hasReactionsInSeries(const Contact& contact) noexcept {
  const FrictionTraits& friction = traitsOf(contact.friction);
  return friction.setValued ||
         (traitsOf(contact.normal).setValued && !(friction.traction && ricochet::canSlipInPlane(contact)));
}

void SeriesContact::reset(const ContactSet& set) {
  ContactAutomaton::reset(set);
  std::visit(
      [this]<class L>(const L& law) {
        isPower = L::traits.form == ForceForm::power;
        if constexpr (L::traits.form == ForceForm::power) exponent = law.exponent;
        isSteep = isPower && exponent > 1.0;
        hasKinks = L::traits.form == ForceForm::pieces;
      },
      contact->normal);
  vanishesWithGap |= isPower;
  isFitted = false;
  wayPastKink = 0;
  offsetPastKink = 0.0;
  speedTable = frictionSpeedTableOrNull(contact->friction);
  if (speedTable != nullptr) speedPiece = speedTable->tablePieceAtSlipSpeed(0.0);
  speedPieceExit = pieceChanges = 0;
  discardFittedForcePolynomial();
}

double SeriesContact::slipSpeedRoundingError(double end) const noexcept {
  constexpr double kSame = 1e-10;
  return kSame * std::max(std::abs(end), speedTable->speed[1]);
}

void SeriesContact::chooseSpeedPiece(double speed) noexcept {
  if (speed >= speedPiece.from - slipSpeedRoundingError(speedPiece.from) &&
      speed <= speedPiece.to + slipSpeedRoundingError(speedPiece.to))
    return;
  // The speed of a slip that starts is rounding.
  speedPiece =
      speedTable->tablePieceAtSlipSpeed(std::abs(speed) <= slipSpeedRoundingError(0.0) ? 0.0 : speed);
}

void SeriesContact::rewindTimeFunctions(double t) {
  for (auto* cursors : {&drift, &surface, &spin})
    for (FunctionCursor& cursor : *cursors) {
      cursor.rewind();
      cursor.advance(t, 0.0);
    }
  imposed.rewind();
  imposed.advance(t, 0.0);
}

bool SeriesContact::advanceTimeFunctions(double t) {
  for (auto* cursors : {&drift, &surface, &spin})
    for (FunctionCursor& cursor : *cursors) cursor.advance(t, 0.0);
  const double before = imposed.at(t);
  imposed.advance(t, 0.0);
  return imposedNormal && imposed.at(t) > before;
}

double SeriesContact::nextBreakpoint() const noexcept {
  double next = imposedNormal ? imposed.piece().end : std::numeric_limits<double>::infinity();
  for (const auto* cursors : {&drift, &surface, &spin})
    for (const FunctionCursor& cursor : *cursors) next = std::min(next, cursor.piece().end);
  return next;
}

void SeriesContact::prepareForceSeriesAtClosing() noexcept {
  offsetPastKink = hasKinks ? -(std::abs(state.gap) + gapRoundingError()) : 0.0;
}

void SeriesContact::shiftGapBeyondForceKink(double step) noexcept {
  constexpr double kMost = 8.0;  // a larger shift would change the force more than rounding does
  const double offset = std::abs(offsetPastKink), least = 2.0 * gapRoundingError();
  if (wayPastKink != 0) {
    const bool again = std::abs(state.gapRate) * step <= 8.0 * offset;
    const double shift = again ? std::clamp(4.0 * offset, least, kMost * least) : least;
    offsetPastKink = wayPastKink * shift;
  } else if (std::abs(state.gap - gap[0]) > 2.0 * offset) {
    offsetPastKink = 0.0;
  }
  wayPastKink = 0;
}

double SeriesContact::gapRate(const State& s) noexcept {
  updateContactPoint(s);
  return state.gapRate;
}

double SeriesContact::largestTouchingGap() const noexcept {
  return kTouching * scale + offsetRoundingError() + reach * rounding.place;
}

bool SeriesContact::isTouching(const State& s) noexcept {
  updateContactPoint(s);
  const double within = largestTouchingGap();
  const bool penetrates = state.gap < -within;
  // a contact that opened now was touching
  return (state.gap <= within || openedNow) && !(penetrates && isClosed());
}

double SeriesContact::largestNegligibleGapRate(const State& s) const noexcept {
  const Drift carriedBy = supportDriftAtTime(*contact, s.time);
  const double speed = reach * std::max(s.v.norm(), speedBefore) +
                       std::sqrt(innerProduct(carriedBy.velocity, carriedBy.velocity));
  return std::max(kRest * std::max(largestImpact, largestSlip), reach * rounding.speed + kNoise * speed);
}

/// Elastic contacts change their states one at a time.
bool SeriesContact::isTouchingAtRest(const State& s) noexcept {
  constexpr double kNoRow = 1e-9;  // of all rows: no force along the normal moves the contact
  if (!setValuedNormal || isClosed()) return setValuedNormal;
  return isTouching(s) && std::abs(state.gapRate) <= std::max(largestNegligibleGapRate(s), stickDrift) &&
         impulseAxesOfContact(s).size[0] > kNoRow * reach;
}

void SeriesContact::combineRowsAlongDirection(const PerAxis<double>& direction,
                                              Vector& combined) const noexcept {
  combined.setZero();
  for (std::size_t i = 0; i < kAxes; ++i)
    if (row[i] != nullptr) kernels::addScaled(direction[i], row[i], combined.data(), combined.size());
}

ImpactAxes SeriesContact::impulseAxesOfContact(const State& s) noexcept {
  updateContactPoint(s);
  const Drift carriedBy = supportDriftAtTime(*contact, s.time);
  ImpactAxes axes;
  for (std::size_t i = 0; i < static_cast<std::size_t>(lines) + 1; ++i) {
    const Local<double>& normal = followed.frame.normal;
    const PerAxis<double> direction =
        i == 0 ? PerAxis<double>{normal[0], normal[1], normal[2], 0.0} : directionOfSlipLine(i - 1);
    combineRowsAlongDirection(direction, impactRow[i]);
    axes.size[i] = impactRow[i].norm();
    if (axes.size[i] > 0.0) axes.row[i] = impactRow[i].data();
    axes.imposed[i] = innerProduct(localPositionOf(direction), carriedBy.velocity);
    if (i > 0) axes.imposed[i] -= dot(followed.surfaceRate, axis[i - 1]);
  }
  return axes;
}

double SeriesContact::speedScaleOfSlipRate(const State& s) const noexcept {
  const Drift carriedBy = supportDriftAtTime(*contact, s.time);
  return reach * std::max(s.v.norm(), speedBefore) +
         std::sqrt(innerProduct(carriedBy.velocity, carriedBy.velocity)) + length(followed.surfaceRate);
}

void SeriesContact::updateClosingPosition(const State& s) noexcept {
  updateContactPoint(s);
  state.position = {tangentScale.first * innerProduct(followed.frame.first, followed.place),
                    tangentScale.second * innerProduct(followed.frame.second, followed.place)};
}

SeriesContact::PerAxis<double> SeriesContact::directionOfSlipLine(std::size_t line) const noexcept {
  return slipDirection<double>(line, followed.frame);
}

double SeriesContact::projectOutSlipRate(State& s) const noexcept {
  const Drift carriedBy = supportDriftAtTime(*contact, s.time);
  double largest = 0.0;
  for (std::size_t a = 0; a < static_cast<std::size_t>(lines); ++a) {
    const PerAxis<double> along = directionOfSlipLine(a);
    double rate = -dot(followed.surfaceRate, axis[a]);
    double alongLine = 0.0;
    for (std::size_t i = 0; i < kAxes; ++i) {
      if (i < kRolling) rate += along[i] * carriedBy.velocity[i];
      if (row[i] == nullptr) continue;
      rate += along[i] * kernels::dot(row[i], s.v.data(), s.v.size());
      for (std::size_t j = 0; j < kAxes; ++j)
        if (row[j] != nullptr) alongLine += along[i] * along[j] * kernels::dot(row[i], row[j], s.v.size());
    }
    for (std::size_t i = 0; i < kAxes && alongLine > 0.0; ++i)
      if (row[i] != nullptr) kernels::addScaled(-rate / alongLine * along[i], row[i], s.v.data(), s.v.size());
    largest = std::max(largest, std::abs(rate));
  }
  return largest;
}

double SeriesContact::normalForceAt(double gapAt, double gapRate) const noexcept {
  NormalKinematics<double> k;
  k.gap = gapAt;
  k.gapRate = gapRate;
  k.approach = state.approach;
  k.imposed = state.imposed;
  return std::visit([&](const auto& law) { return law.template force<double>(state.normal, k); },
                    contact->normal);
}

ForceSlopes SeriesContact::stiffnessAndDampingOfContactForce(std::size_t i) const noexcept {
  const auto slopesOf = [](const auto& law) {
    return ForceSlopes{.stiffness = law.contactStiffness(), .damping = law.contactDamping()};
  };
  const bool isPlane = kind == TangentKind::fixed;
  const ForceSlopes friction = std::visit(slopesOf, contact->friction);
  if (i == kRolling || (i > 0 && isPlane)) return friction;
  ForceSlopes normal = std::visit(slopesOf, contact->normal);
  if (isPower && state.gap < 0.0) normal.stiffness = exponent * state.compression / -state.gap;
  normal.error = normal.stiffness * std::abs(offsetPastKink);
  if (isPlane) return normal;
  return {std::max(friction.stiffness, normal.stiffness), std::max(friction.damping, normal.damping),
          normal.error};
}

double SeriesContact::storedNormalEnergy(double gapAt) const noexcept {
  NormalKinematics<double> k;
  k.gap = gapAt;
  return std::visit([&](const auto& law) { return law.template storedEnergy<double>(state.normal, k); },
                    contact->normal);
}

double SeriesContact::gapRoundingError() const noexcept {
  constexpr double kUnits = 8.0 * std::numeric_limits<double>::epsilon();
  return kUnits * (std::abs(state.gap) + scale);
}

/// Sets frame, gap, slip rate and N from coordinates x and their rates v. The reaction of a rigid contact is
/// unchanged.
void SeriesContact::evaluateForces(const PerAxis<double>& x, const PerAxis<double>& v, double time) noexcept {
  const Local<double> position = localPositionOf(x), velocity = localPositionOf(v);
  const Touch<double> touch = gapAndNormalAt(position);
  followed.place = position;
  followed.roll = x[kRolling];
  followed.frame = contactFrameAtNormal<double>(kind, touch.normal, previousContactFrameOrNull(touch.normal));
  state.side = kind == TangentKind::fixed ? touch.normal[0] : 1.0;
  state.gap = touch.gap;
  state.gapRate = innerProduct(touch.normal, velocity);
  state.imposed = imposedNormal ? imposed.at(time) : 0.0;
  const Local<double> surfaceMoves = surfaceVelocity(*contact, time, position, touch.normal);
  const ContactFrame<double>& frame = followed.frame;
  followed.surfaceRate = {tangentScale.first * innerProduct(frame.first, surfaceMoves),
                          tangentScale.second * innerProduct(frame.second, surfaceMoves)};
  const double rolling = contact->isRolling() ? rollingSlipFactor(frame) * v[kRolling] : 0.0;
  state.slipRate = Tangential<double>{tangentScale.first * (innerProduct(frame.first, velocity) - rolling),
                                      tangentScale.second * innerProduct(frame.second, velocity)} -
                   followed.surfaceRate;
  if (!setValuedNormal || !isClosed())
    state.compression = isClosed() ? normalForceAt(state.gap, state.gapRate) : 0.0;
  state.storedNormal = storedNormalEnergy(state.gap);
}

void SeriesContact::updateContactPoint(const State& s) noexcept {
  const Drift carriedBy = supportDriftAtTime(*contact, s.time);
  PerAxis<double> x{}, v{};
  for (std::size_t i = 0; i < kAxes; ++i) {
    if (i < kRolling) {
      x[i] = contact->offset[static_cast<Eigen::Index>(i)] + carriedBy.displacement[i];
      v[i] = carriedBy.velocity[i];
    }
    if (row[i] == nullptr) continue;
    x[i] += kernels::dot(row[i], s.q.data(), s.q.size());
    v[i] += kernels::dot(row[i], s.v.data(), s.v.size());
  }
  followed.drift = carriedBy.displacement;
  scale =
      reach * s.q.norm() + contact->offset.norm() + std::sqrt(innerProduct(followed.drift, followed.drift));
  evaluateForces(x, v, s.time);
}

void SeriesContact::moveStateToTime(double t, double time, std::size_t orders) noexcept {
  PerAxis<double> x{}, v{};
  for (std::size_t i = 0; i < kAxes; ++i) {
    x[i] = polynomialAt(place[i].first(orders + 2), t);
    v[i] = slopeAt(place[i].first(orders + 2), t);
    if (i < kRolling) followed.drift[i] = polynomialAt(carried[i].first(orders + 2), t);
  }
  evaluateForces(x, v, time + t);
  if (isClosed() && setValuedNormal) state.compression = polynomialAt(compression.first(orders), t);
  if (!isClosed() || !hasTraction()) return;
  state.position = state.traction = {};
  for (std::size_t a = 0; a < static_cast<std::size_t>(lines); ++a) {
    state.position = state.position + scaled(polynomialAt(path[a].first(orders + 1), t), axis[a]);
    state.traction = state.traction + scaled(polynomialAt(traction[a].first(orders), t), axis[a]);
  }
  if (!isFitted || !isSlipping() || setValuedStick || hasRelaxingSlipSpring()) return;
  const auto slip = [&](const auto& law) {
    return law.template force<double>(FrictionState::slip, frictionKinematics(), state.friction);
  };
  // The fitted polynomial has the moments of the traction, not its values.
  state.traction = std::visit(slip, contact->friction);
}

void SeriesContact::moveSlipSpringToTime(double t, std::size_t orders) noexcept {
  if (!hasRelaxingSlipSpring()) {
    moveSpringAnchor(frictionKinematics());
    return;
  }
  FrictionMemory<double>& memory = state.friction;
  memory.anchorForce = {};
  for (std::size_t a = 0; a < static_cast<std::size_t>(lines); ++a)
    memory.anchorForce = memory.anchorForce + scaled(polynomialAt(spring[a].first(orders), t), axis[a]);
  memory.anchorPosition = state.position;
}

void SeriesContact::addSupportWork(double t, std::size_t orders, EnergyLedger& ledger) const noexcept {
  for (std::size_t i = 0; i < 3 && !drift.empty(); ++i)
    ledger.external -= workOfForce(push[i].first(orders), carried[i].first(orders + 1), t);
}

void SeriesContact::reportStateToRun(ContactRun& run) const noexcept {
  run.setState(static_cast<std::size_t>(index), state);
  if (contact->isFollowed()) run.setState(static_cast<std::size_t>(index), followed);
}

}  // namespace ricochet
