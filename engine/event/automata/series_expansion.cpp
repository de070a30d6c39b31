// Forces of non-linear contacts in an expansion of the motion, order by order, and series of their motion.

#include "engine/event/automata/series_contacts.hpp"
#include "engine/event/automata/step_accounts.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Adds the series of a function of time, times a factor, to a series.
void addSeriesOfTimeFunction(FunctionSeries& functions, const FunctionCursor& cursor, double t, double factor,
                             std::span<double> scratch, std::span<double> series) {
  const auto count = static_cast<std::size_t>(functions.expandFunction(cursor, t, scratch));
  for (std::size_t k = 0; k < std::min(count, series.size()); ++k) series[k] += factor * scratch[k];
}

template <class To>
Tangential<Series> vectorFromAxisComponents(const SeriesContact& c, const To& parts) {
  Tangential<Series> sum{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
    sum = sum + Tangential<Series>{c.axis[a].first * parts[a], c.axis[a].second * parts[a]};
  return sum;
}

}  // namespace

SeriesContacts::SeriesContacts(const ContactSet& set, const ModePlanes& planes, int order, double tolerance)
    : tolerance_(tolerance),
      slack_(1.0 + 100.0 * tolerance / kNoise),
      tape_(order + 1),
      guardTape_(2 * order + 4),
      round_(static_cast<std::size_t>(order + 3)) {
  const std::vector<char> inSeries = contactsComputedAsSeries(set);
  for (int i = 0; i < set.size(); ++i) {
    const bool isSeries = inSeries[static_cast<std::size_t>(i)] != 0;
    place_.push_back(isSeries ? static_cast<int>(contacts_.size()) : -1);
    if (isSeries) contacts_.emplace_back(set, planes, i, order);
  }
  scratch_.resize(static_cast<std::size_t>(2 * order + 6));
  scratch2_.resize(scratch_.size());
  forceSeries_.resize(scratch_.size());
  contactSeries_.reserve(contacts_.size());
  constrainedLines_.reserve(3 * contacts_.size());
  listed_.reserve(3 * contacts_.size());
}

void SeriesContacts::addForces(TaylorExpansion& expansion) noexcept {
  closedCount_ = 0;
  contactSeries_.clear();
  constrainedLines_.clear();
  for (SeriesContact& c : contacts_) {
    c.channel = {-1, -1, -1, -1};
    c.resetBalancedReaction();
    if (!c.isClosed()) continue;
    ++closedCount_;
    for (std::size_t i = 0; i < SeriesContact::kAxes; ++i)
      if (c.row[i] != nullptr)
        c.channel[i] = expansion.addGivenForce(c.row[i], true, c.stiffnessAndDampingOfContactForce(i));
  }
}

void SeriesContacts::expandTimeFunctionsInSeries(FunctionSeries& functions, double t) {
  for (SeriesContact& c : contacts_) readTimeFunctionSeries(c, functions, t);
}

/// Reads the series of support motions and surface velocities over the step.
void SeriesContacts::readTimeFunctionSeries(SeriesContact& c, FunctionSeries& functions, double t) {
  const std::span<double> scratch = std::span(scratch_).first(c.gap.size());
  for (std::size_t i = 0; i < 3 && !c.drift.empty(); ++i)
    std::fill(c.carried[i].begin(), c.carried[i].end(), 0.0);
  for (std::size_t n = 0; n < c.drift.size(); ++n) {
    const auto count = static_cast<std::size_t>(functions.expandFunction(c.drift[n], t, scratch));
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < count; ++k)
        c.carried[i][k] += c.contact->drift[n].direction[static_cast<Eigen::Index>(i)] * scratch[k];
  }
  if (c.imposedNormal) {
    std::fill(c.imposedSeries.begin(), c.imposedSeries.end(), 0.0);
    addSeriesOfTimeFunction(functions, c.imposed, t, 1.0, scratch, c.imposedSeries);
  }
  if (!c.isSurfaceMoving() || !c.isClosed()) return;
  const double radius = surfaceRadius(c.contact->obstacle);
  std::fill(c.spinRate.begin(), c.spinRate.end(), 0.0);
  for (const FunctionCursor& cursor : c.spin)
    addSeriesOfTimeFunction(functions, cursor, t, 1.0, scratch, c.spinRate);
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    std::fill(c.surfaceSpeed[a].begin(), c.surfaceSpeed[a].end(), 0.0);
    for (std::size_t n = 0; n < c.surface.size(); ++n)
      addSeriesOfTimeFunction(functions, c.surface[n], t,
                              dot(c.contact->surface[n].direction, c.scaledSlipAxis(a)), scratch,
                              c.surfaceSpeed[a]);
    for (std::size_t k = 0; k < c.spinRate.size(); ++k)
      c.surfaceSpeed[a][k] += radius * c.scaledSlipAxis(a).first * c.spinRate[k];
  }
}

void SeriesContacts::beginSeriesExpansion(const TaylorExpansion& expansion) {
  tape_.clear();
  contactSeries_.clear();
  constrainedLines_.clear();
  withoutNormal_ = -1;
  for (SeriesContact& c : contacts_) {
    if (!c.isClosed()) continue;
    c.isFitted = expansion.order() >= kLeastFitted && (c.pass > 0 || (c.pass == 0 && needsForceFit(c)));
    if (c.isFitted && c.pass == 0) {  // in the first pass the fitted force is zero
      std::fill(c.compression.begin(), c.compression.end(), 0.0);
      for (const std::span<double> each : c.push) std::fill(each.begin(), each.end(), 0.0);
      for (const std::span<double> each : c.traction) std::fill(each.begin(), each.end(), 0.0);
    }
    contactSeries_.push_back({.contact = &c});
    recordContactOnTape(contactSeries_.back(), expansion);
  }
  listConstrainedLines();
  hasDependentLines_ = false;
  if (!constrainedLines_.empty()) invertResponseOfConstrainedLines(expansion);
}

/// Records the obstacle, laws and path of a contact on the tape, with their values at the start.
void SeriesContacts::recordContactOnTape(ContactSeries& u, const TaylorExpansion& expansion) {
  SeriesContact& c = *u.contact;
  for (std::size_t i = 0; i < SeriesContact::kAxes; ++i) {
    const double* motion = c.channel[i] < 0 ? nullptr : expansion.motion(c.channel[i]);
    const double x =
        c.coordinateOffsetOfContactPoint(i) + c.carried[i][0] + (motion == nullptr ? 0.0 : motion[0]);
    const double v = c.carried[i][1] + (motion == nullptr ? 0.0 : motion[1]);
    u.isFed[i] = motion != nullptr || (i < SeriesContact::kRolling && !c.drift.empty());
    u.x[i] = u.isFed[i] ? tape_.recordInputByOrder(x) : Series(x);
    u.v[i] = u.isFed[i] ? tape_.recordInputByOrder(v) : Series(v);
  }
  u.touch = c.gapAndNormalAt<Series>({u.x[0], u.x[1], u.x[2]});
  u.gapRate = innerProduct(u.touch.normal, Local<Series>{u.v[0], u.v[1], u.v[2]});
  if (!c.isFitted) {
    NormalKinematics<Series> k;
    if (c.setValuedNormal) k.reaction = tape_.recordInputByOrder(0.0);
    k.gap = u.touch.gap + Series(c.offsetPastKink);
    k.gapRate = u.gapRate;
    k.approach = Series(c.state.approach);
    if (c.imposedNormal) k.imposed = tape_.recordInput(c.imposedSeries.first(c.gap.size() - 1));
    u.compression =
        std::visit([&](const auto& law) { return law.template force<Series>(NormalState::closed, k); },
                   c.contact->normal);
  }
  if (c.hasTraction()) recordFrictionOnTape(u);
  const bool pulls = c.hasTraction() && (!c.isFitted || c.isHeldByFriction());
  for (std::size_t i = 0; i < SeriesContact::kAxes; ++i) {
    if (!c.isFitted && i < SeriesContact::kRolling) u.force[i] = u.compression * u.touch.normal[i];
    for (std::size_t a = 0; pulls && a < static_cast<std::size_t>(c.lines); ++a)
      u.force[i] = u.force[i] + u.traction[a] * u.tangent[a][i];
  }
}

void SeriesContacts::recordFrictionOnTape(ContactSeries& u) {
  SeriesContact& c = *u.contact;
  const Local<double> normal{u.touch.normal[0].value(), u.touch.normal[1].value(), u.touch.normal[2].value()};
  u.frame = contactFrameAtNormal<Series>(c.kind, u.touch.normal, c.previousContactFrameOrNull(normal));
  const Series turning = c.spin.empty() ? Series(0.0) : tape_.recordInput(c.spinRate.first(c.gap.size() - 1));
  const bool planarSpin = !c.spin.empty() && c.kind == TangentKind::fixed;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    u.tangent[a] = c.slipDirection<Series>(a, u.frame);
    u.surface[a] =
        c.isSurfaceMoving() ? tape_.recordInput(c.surfaceSpeed[a].first(c.gap.size() - 1)) : Series(0.0);
    const Tangential<double> axis = c.scaledSlipAxis(a);
    if (planarSpin) u.surface[a] = u.surface[a] + turning * (axis.second * u.x[1] - axis.first * u.x[2]);
    u.rate[a] = Series(0.0) - u.surface[a];
    for (std::size_t i = 0; i < SeriesContact::kAxes; ++i) u.rate[a] = u.rate[a] + u.tangent[a][i] * u.v[i];
    u.path[a] = tape_.recordInputByOrder(dot(c.state.position, c.axis[a]));
  }
  if (c.isHeldByFriction()) {
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
      u.traction[a] = tape_.recordInputByOrder(0.0);
    return;
  }
  recordTractionOnTape(u);
}

/// Records the traction of friction that is not a reaction, and the spring of a damped slip.
void SeriesContacts::recordTractionOnTape(ContactSeries& u) {
  SeriesContact& c = *u.contact;
  const FrictionMemory<double>& m = c.state.friction;
  FrictionMemory<Series> memory = convertToConstants<Series>(m);
  FrictionKinematics<Series> k;
  k.position = vectorFromAxisComponents(c, u.path);
  k.slipRate = vectorFromAxisComponents(c, u.rate);
  k.compression = u.compression;
  if (c.speedTable != nullptr && m.slipping) {
    const Tangential<double> rate{valueOf(k.slipRate.first), valueOf(k.slipRate.second)};
    c.chooseSpeedPiece(c.canSlipInPlane() ? length(rate) : -dot(rate, m.direction));
  }
  std::visit(
      [&]<class Law>(const Law& whole) {
        const auto& law = frictionLawOnSpeedPiece(whole, c.speedPiece);
        const FrictionState state = m.slipping ? FrictionState::slip : FrictionState::stick;
        if constexpr (Law::traits.setValued)
          if (c.isTurningSlip()) memory.direction = u.direction = whole.template tractionDirection<Series>(k);
        Tangential<Series> force = law.template force<Series>(state, k, memory);
        if (c.setValuedNormal && m.slipping) {
          FrictionMemory<double> now = m;
          now.direction = {valueOf(memory.direction.first), valueOf(memory.direction.second)};
          FrictionKinematics<double> pressed;
          pressed.slipRate = {valueOf(k.slipRate.first), valueOf(k.slipRate.second)};
          const Tangential<double> unpressed = law.template force<double>(state, pressed, now);
          pressed.compression = 1.0;
          u.perCompression = law.template force<double>(state, pressed, now) - unpressed;
        }
        if (c.isFitted) {
          const Series given[2] = {tape_.recordInput(c.traction[0]), tape_.recordInput(c.traction[1])};
          force = vectorFromAxisComponents(c, given);
        }
        for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
          u.traction[a] = c.axis[a].first * force.first + c.axis[a].second * force.second;
        if constexpr (requires { whole.relaxationRate(); }) {
          if (!c.hasRelaxingSlipSpring()) return;
          for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
            u.spring[a] = tape_.recordInputByOrder(dot(m.anchorForce, c.axis[a]));
          memory.anchorForce = vectorFromAxisComponents(c, u.spring);
          const Tangential<Series> rate = law.template springForceRate<Series>(memory, force);
          for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
            u.springRate[a] = c.axis[a].first * rate.first + c.axis[a].second * rate.second;
        }
      },
      c.contact->friction);
}

/// Sets the inputs of order k of the tape, from the motion up to order k + 1.
void SeriesContacts::setTapeInputsOfOrder(ContactSeries& u, const TaylorExpansion& expansion, int k) {
  const SeriesContact& c = *u.contact;
  const auto at = static_cast<std::size_t>(k);
  if (c.setValuedNormal) tape_.setCoefficient(u.compression, k, 0.0);
  for (std::size_t i = 0; i < SeriesContact::kAxes; ++i) {
    if (!u.isFed[i]) continue;
    double x = c.carried[i][at], next = c.carried[i][at + 1];
    if (c.channel[i] >= 0) {
      x += expansion.motion(c.channel[i])[k];
      next += expansion.motion(c.channel[i])[k + 1];
    }
    tape_.setCoefficient(u.x[i], k, x);
    tape_.setCoefficient(u.v[i], k, (k + 1) * next);
  }
  if (!c.hasTraction()) return;
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    tape_.setCoefficient(u.path[a], k, u.rate[a].coefficient(k - 1) / k);
    if (c.isHeldByFriction()) tape_.setCoefficient(u.traction[a], k, 0.0);
    if (c.hasRelaxingSlipSpring())
      tape_.setCoefficient(u.spring[a], k, u.springRate[a].coefficient(k - 1) / k);
  }
}

/// Coefficient k of the force of a contact along an axis.
double SeriesContacts::forceCoefficient(const ContactSeries& u, std::size_t i, int k) noexcept {
  const double given = u.contact->isFitted ? u.contact->push[i][static_cast<std::size_t>(k)] : 0.0;
  return given + u.force[i].coefficient(k);
}

void SeriesContacts::computeContactForces(const TaylorExpansion& expansion, int k) {
  if (k == 0 || contactSeries_.empty()) return;
  for (ContactSeries& u : contactSeries_) setTapeInputsOfOrder(u, expansion, k);
  tape_.recomputeOrder(k);
}

void SeriesContacts::applyContactForces(TaylorExpansion& expansion, int k) {
  if (contactSeries_.empty()) return;
  const bool starts = std::ranges::any_of(
      contactSeries_, [](const ContactSeries& u) { return u.contact->isSlipWithZeroSpeed(); });
  if (starts) tape_.recomputeOrder(k);  // the tractions were set after `computeContactForces`
  const auto at = static_cast<std::size_t>(k);
  for (const ContactSeries& u : contactSeries_) {
    const SeriesContact& c = *u.contact;
    for (std::size_t i = 0; i < SeriesContact::kAxes; ++i)
      if (c.channel[i] >= 0) expansion.givenForce(c.channel[i], k + 1)[at] = forceCoefficient(u, i, k);
  }
}

/// Collects the coordinates of a contact over the step.
void SeriesContacts::collectPositionSeries(SeriesContact& c, const TaylorExpansion& expansion) {
  const std::span<double> along = std::span(scratch_).first(static_cast<std::size_t>(expansion.order() + 3));
  for (std::size_t i = 0; i < SeriesContact::kAxes; ++i) {
    std::copy(c.carried[i].begin(), c.carried[i].end(), c.place[i].begin());
    c.place[i][0] += c.coordinateOffsetOfContactPoint(i);
    if (c.row[i] == nullptr) continue;
    expansion.motionSeriesAlongRow(c.row[i], along);
    for (std::size_t k = 0; k < along.size(); ++k) c.place[i][k] += along[k];
  }
}

/// Collects the gap of a contact without force from its coordinates.
void SeriesContacts::collectGapSeries(SeriesContact& c, int order) {
  guardTape_.clear();
  Local<Series> x;
  for (std::size_t i = 0; i < 3; ++i)
    x[i] = guardTape_.recordInput(c.place[i].first(static_cast<std::size_t>(order + 3)));
  const Series gap = gapAndNormalOf<Series>(c.contact->obstacle, x).gap;
  guardTape_.computeSeriesOrders(1, order + 1);
  for (int k = 0; k <= order + 1; ++k) c.gap[static_cast<std::size_t>(k)] = gap.coefficient(k);
}

void SeriesContacts::collectContactSeries(const TaylorExpansion& expansion) {
  const int order = expansion.order();
  for (ContactSeries& u : contactSeries_) setTapeInputsOfOrder(u, expansion, order + 1);
  if (!contactSeries_.empty()) tape_.recomputeOrder(order + 1);
  for (SeriesContact& c : contacts_) {
    if (c.state.normal == NormalState::open) continue;
    collectPositionSeries(c, expansion);
    if (!c.isClosed()) collectGapSeries(c, order);
  }
  for (const ContactSeries& u : contactSeries_) {
    SeriesContact& c = *u.contact;
    c.transientDecayed = false;
    for (int k = 0; k <= order + 1; ++k) {
      const auto at = static_cast<std::size_t>(k);
      c.gap[at] = u.touch.gap.coefficient(k);
      for (std::size_t a = 0; c.hasTraction() && a < static_cast<std::size_t>(c.lines); ++a) {
        c.path[a][at] = u.path[a].coefficient(k);
        c.moved[a][at + 1] = u.surface[a].coefficient(k) / (k + 1);
        if (!c.isFitted || c.isHeldByFriction()) c.traction[a][at] = u.traction[a].coefficient(k);
        if (c.hasRelaxingSlipSpring()) c.spring[a][at] = u.spring[a].coefficient(k);
      }
      if (c.isTurningSlip() && !c.isSlipWithZeroSpeed()) {
        c.tractionDirection[0][at] = u.direction.first.coefficient(k);
        c.tractionDirection[1][at] = u.direction.second.coefficient(k);
      }
      if (c.isFitted) continue;
      c.compression[at] = u.compression.coefficient(k);
      for (std::size_t i = 0; i < SeriesContact::kAxes; ++i) c.push[i][at] = u.force[i].coefficient(k);
    }
  }
  addBalancedReactions();
}

void SeriesContacts::acceptStep(double step, double time, const TaylorExpansion& expansion, ContactRun& run,
                                EnergyLedger& ledger) noexcept {
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  for (SeriesContact& c : contacts_) {
    c.discardFittedForcePolynomial();
    if (c.state.normal == NormalState::open) continue;
    ricochet::acceptStep(c, step, time, orders, run, ledger);
    c.moveBalancedReactionToStepEnd(step);
    c.scale = c.reach * expansion.displacementNorm(0) + c.contact->offset.norm() +
              std::sqrt(innerProduct(c.followed.drift, c.followed.drift));
    c.shiftGapBeyondForceKink(step);
    if (step > 0.0) c.pieceChanges = 0;
    if (c.speedPieceExit != 0) {
      const double end = c.speedPieceExit > 0 ? c.speedPiece.to : c.speedPiece.from;
      c.speedPiece = c.speedTable->tablePieceBeyondSlipSpeed(end, c.speedPieceExit);
      ++c.pieceChanges;
    }
    c.speedPieceExit = 0;
  }
}

void SeriesContacts::addWorkUpToTime(double t, double time, const TaylorExpansion& expansion, ContactRun& run,
                                     EnergyLedger& ledger) noexcept {
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  for (SeriesContact& c : contacts_) ricochet::addWorkUpToTime(c, t, time, orders, run, ledger);
}

void SeriesContacts::reportStatesToRunAt(double t, double time, const TaylorExpansion& expansion,
                                         ContactRun& run) noexcept {
  const auto orders = static_cast<std::size_t>(expansion.order() + 1);
  for (SeriesContact& c : contacts_) reportContactStateAtTime(c, t, time, orders, run);
}

void SeriesContacts::reportStatesToRun(ContactRun& run) const noexcept {
  for (const SeriesContact& c : contacts_) c.reportStateToRun(run);
}

}  // namespace ricochet
