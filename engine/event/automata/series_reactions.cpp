// Reactions of rigid contacts and set-valued sticks whose forces are not linear in the motion.

#include "engine/contact/impulse/coupled_groups.hpp"
#include "engine/event/automata/series_contacts.hpp"
#include "engine/event/automata/series_noise.hpp"
#include "engine/event/series/shared_reactions.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

/// Rows of a contact along which its reactions may act.
struct ReactionRows {
  ReactionRows(const ContactSet& set, int contact) : size(set.rowSize()) {
    const Contact& c = set.contact(contact);
    const bool isNormalOnly =
        !traitsOf(c.friction).traction && !isCurved(c.obstacle) && !set.isRolling(contact);
    for (int i = 0; i < (isNormalOnly ? 1 : set.axes(contact)); ++i)
      if (const double* each = set.row(contact, i); each != nullptr) {
        row[count++] = each;
        largest = std::max(largest, euclideanNormOfRow(each, size));
      }
  }

  /// True if a reaction along one of these rows accelerates another contact along one of its rows.
  bool doReactionsAccelerateRowsOf(const ReactionRows& other) const noexcept {
    constexpr double kRounding = 1e-12;
    for (std::size_t a = 0; a < count; ++a)
      for (std::size_t b = 0; b < other.count; ++b)
        if (std::abs(kernels::dot(row[a], other.row[b], size)) > kRounding * largest * other.largest)
          return true;
    return false;
  }

  std::array<const double*, ContactSet::kAxes> row{};
  std::size_t count{0};
  Eigen::Index size;
  double largest{0.0};  ///< the largest Euclidean norm of a row
};

}  // namespace

std::vector<char> SeriesContacts::contactsComputedAsSeries(const ContactSet& set) {
  std::vector<char> inSeries;
  std::vector<int> withReactions;
  for (int i = 0; i < set.size(); ++i) {
    inSeries.push_back(SeriesContact::isNonLinear(set.contact(i)) ? 1 : 0);
    if (SeriesContact::canHaveReactions(set.contact(i))) withReactions.push_back(i);
  }
  const auto isNonLinear = [&](int i) { return inSeries[static_cast<std::size_t>(i)] != 0; };
  if (std::ranges::none_of(withReactions, isNonLinear)) return inSeries;
  std::vector<ReactionRows> rows;
  for (const int i : withReactions) rows.emplace_back(set, i);
  const auto acts = [&](std::size_t a, std::size_t b) {
    return rows[a].doReactionsAccelerateRowsOf(rows[b]);
  };
  for (const std::vector<std::size_t>& group : groupsOfCoupledIndices(rows.size(), acts)) {
    const auto contactOf = [&](std::size_t member) { return withReactions[member]; };
    if (std::ranges::none_of(group, isNonLinear, contactOf)) continue;
    for (const std::size_t member : group)
      if (const int i = contactOf(member); SeriesContact::hasReactionsInSeries(set.contact(i)))
        inSeries[static_cast<std::size_t>(i)] = 1;
  }
  return inSeries;
}

void SeriesContacts::listConstrainedLines() {
  for (ContactSeries& u : contactSeries_) {
    const SeriesContact& c = *u.contact;
    if (c.setValuedNormal) constrainedLines_.push_back({&u, ConstrainedLine::kNormal});
    const bool sticks = c.isHeldByFriction() && !c.isSlipWithZeroSpeed();
    for (std::size_t a = 0; sticks && a < static_cast<std::size_t>(c.lines); ++a)
      constrainedLines_.push_back({&u, a});
  }
  if (constrainedLines_.empty()) return;
  listed_.clear();
  for (const ConstrainedLine& line : constrainedLines_) listed_.push_back(line.rate());
  tape_.listNodesThatDetermine(listed_, rateSources_);
  listed_.clear();
  for (const ConstrainedLine& line : constrainedLines_) listed_.push_back(line.reaction());
  tape_.listNodesDependingOn(listed_, reactionDependents_);
}

double SeriesContacts::ConstrainedLine::constraintDirectionComponent(std::size_t axis) const noexcept {
  if (line != kNormal) return u->tangent[line][axis].value();
  return axis < SeriesContact::kRolling ? u->touch.normal[axis].value() : 0.0;
}

double SeriesContacts::ConstrainedLine::tractionPerUnitNormalReaction(std::size_t axis) const noexcept {
  double force = 0.0;
  for (std::size_t a = 0; line == kNormal && a < static_cast<std::size_t>(u->contact->lines); ++a)
    force += dot(u->perCompression, u->contact->axis[a]) * u->tangent[a][axis].value();
  return force;
}

double SeriesContacts::ConstrainedLine::forcePerUnitReaction(std::size_t axis) const noexcept {
  return constraintDirectionComponent(axis) + tractionPerUnitNormalReaction(axis);
}

void SeriesContacts::ConstrainedLine::appendForcesOfUnitReaction(double reaction,
                                                                 std::vector<ChannelForce>& forces) const {
  for (std::size_t i = 0; i < SeriesContact::kAxes; ++i)
    if (const int channel = u->contact->channel[i]; channel >= 0)
      forces.push_back({channel, reaction * forcePerUnitReaction(i)});
}

double SeriesContacts::ConstrainedLine::accelerationUnderForces(
    std::span<const ChannelForce> forces, const TaylorExpansion& expansion) const noexcept {
  double sum = 0.0;
  for (std::size_t i = 0; i < SeriesContact::kAxes; ++i)
    if (const double* row = u->contact->row[i]; row != nullptr)
      for (const ChannelForce& force : forces)
        sum += constraintDirectionComponent(i) * force.amount *
               expansion.accelerationPerUnitForce(row, force.channel);
  return sum;
}

/// Inverts the matrix of accelerations along the held lines per reaction; the pseudo-inverse if lines depend
/// on each other (reactions of least norm). Unloaded contacts have no reactions. Where frames do not turn,
/// the matrix is that of the step before, and so is its inverse.
void SeriesContacts::invertResponseOfConstrainedLines(const TaylorExpansion& expansion) {
  const auto size = static_cast<Eigen::Index>(constrainedLines_.size());
  response_.resize(size, size);
  heldAccelerations_.resize(size);
  reactions_.resize(size);
  for (Eigen::Index s = 0; s < size; ++s) {
    unitForces_.clear();
    const ConstrainedLine& held = constrainedLines_[static_cast<std::size_t>(s)];
    if (!held.u->contact->unloaded) held.appendForcesOfUnitReaction(1.0, unitForces_);
    for (Eigen::Index r = 0; r < size; ++r)
      response_(r, s) =
          constrainedLines_[static_cast<std::size_t>(r)].accelerationUnderForces(unitForces_, expansion);
  }
  if (size == 1) {
    const double entry = response_(0, 0);
    hasDependentLines_ =
        !(std::abs(entry) > kDependentReactions * constrainedLines_.front().u->contact->compliance);
    reactionPerAcceleration_ = Matrix::Constant(1, 1, hasDependentLines_ ? 0.0 : 1.0 / entry);
    inverted_.resize(0, 0);
    return;
  }
  computeResponseToSlipOfStickSprings(expansion);
  const auto isSame = [size](const Matrix& a, const Matrix& b) { return a.rows() == size && a == b; };
  if (!isSame(inverted_, response_) || !isSame(invertedSlips_, slipResponse_)) {
    inverted_ = response_;
    invertedSlips_ = slipResponse_;
    Eigen::CompleteOrthogonalDecomposition<Matrix> decomposition;
    decomposition.setThreshold(kDependentReactions);
    areInvertedDependent_ = decomposition.compute(response_).rank() < size;
    reactionPerAcceleration_ = areInvertedDependent_ ? leastNormReactionMatrix(response_, slipResponse_)
                                                     : Matrix(decomposition.pseudoInverse());
  }
  hasDependentLines_ = areInvertedDependent_;
}

/// Computes the accelerations along the held lines per reaction, due to the tractions of slips that go on
/// from springs. Reactions that are open must not change where such a slip starts: their null space is that
/// without these tractions.
void SeriesContacts::computeResponseToSlipOfStickSprings(const TaylorExpansion& expansion) {
  const auto size = static_cast<Eigen::Index>(constrainedLines_.size());
  slipResponse_.setZero(size, size);
  for (Eigen::Index s = 0; s < size; ++s) {
    const ConstrainedLine& held = constrainedLines_[static_cast<std::size_t>(s)];
    const SeriesContact& c = *held.u->contact;
    if (held.line != ConstrainedLine::kNormal || c.setValuedStick || c.unloaded) continue;
    unitForces_.clear();
    for (std::size_t i = 0; i < SeriesContact::kAxes; ++i)
      if (const int channel = c.channel[i]; channel >= 0)
        if (const double traction = held.tractionPerUnitNormalReaction(i); traction != 0.0)
          unitForces_.push_back({channel, traction});
    for (Eigen::Index r = 0; r < size && !unitForces_.empty(); ++r)
      slipResponse_(r, s) =
          constrainedLines_[static_cast<std::size_t>(r)].accelerationUnderForces(unitForces_, expansion);
  }
}

/// Adds to the series of contacts at rest what their reactions have beyond those of least norm.
void SeriesContacts::addBalancedReactions() noexcept {
  for (const ConstrainedLine& held : constrainedLines_) {
    SeriesContact& c = *held.u->contact;
    const bool isNormal = held.line == ConstrainedLine::kNormal;
    const std::array<double, 2>& part = c.balancedReaction[isNormal ? 0 : held.line + 1];
    const std::span<double> series = isNormal ? c.compression : c.traction[held.line];
    for (std::size_t k = 0; k < part.size(); ++k) {
      series[k] += part[k];
      for (std::size_t i = 0; i < SeriesContact::kAxes; ++i)
        c.push[i][k] += part[k] * held.constraintDirectionComponent(i);
    }
  }
}

/// True if a contact keeps its frame over the step: the unit reactions are then constant.
bool SeriesContacts::isContactFrameConstant(const SeriesContact& c, const TaylorExpansion& expansion) {
  if (c.kind == TangentKind::fixed) return true;
  const SeriesNoise noise(expansion, c);
  for (const std::span<double> place : c.place)
    for (std::size_t k = 1; k < static_cast<std::size_t>(expansion.order() + 1); ++k)
      if (std::abs(place[k]) > noise.positionRoundingError(k)) return false;
  return true;
}

void SeriesContacts::listContactsHeldByOthers(const TaylorExpansion& expansion, const State& s,
                                              std::size_t orders, bool onCone, std::vector<int>& contacts) {
  for (SeriesContact& c : contacts_) {
    const SeriesNoise noise(expansion, c);
    const auto moves = [&](std::span<const double> path) {
      for (std::size_t k = 2; k < orders; ++k)
        if (std::abs(path[k]) > noise.positionRoundingError(k)) return true;
      return false;
    };
    if (c.isSlipWithoutMotion(s, onCone, [&](std::size_t a) { return moves(c.path[a]); })) {
      contacts.push_back(c.index);
    } else if (!c.isClosed() && c.isTouchingAtRest(s)) {
      collectPositionSeries(c, expansion);
      collectGapSeries(c, expansion.order());
      if (!moves(c.gap)) contacts.push_back(c.index);
    }
  }
}

void SeriesContacts::appendContactsThatStartSliding(const TaylorExpansion& expansion, const State& s,
                                                    std::vector<int>& contacts,
                                                    std::vector<Tangential<double>>& tractions) {
  for (SeriesContact& c : contacts_) {
    if (!c.isTouchingAtRestWithoutForce(s) || isCurved(c.contact->obstacle)) continue;
    const SeriesNoise rounding(expansion, c);
    const double noise = rounding.positionRoundingError(2);
    collectPositionSeries(c, expansion);
    collectGapSeries(c, expansion.order());
    if (std::abs(c.gap[2]) > noise) continue;
    const Tangential<double> moved{c.place[1][2], c.place[2][2]};
    Tangential<double> along{};
    for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a)
      along = along + scaled(dot(moved, c.axis[a]), c.axis[a]);
    if (!(length(along) > noise)) continue;
    contacts.push_back(c.index);
    tractions.push_back(scaled(-1.0 / length(along), along));
  }
}

Vector SeriesContacts::ConstrainedLine::modalForcePerUnitReaction(Eigen::Index size) const {
  Vector sum = Vector::Zero(size);
  for (std::size_t i = 0; i < SeriesContact::kAxes; ++i)
    if (const double* row = u->contact->row[i]; row != nullptr)
      kernels::addScaled(forcePerUnitReaction(i), row, sum.data(), size);
  return sum;
}

void SeriesContacts::solveReactions(TaylorExpansion& expansion, int k) {
  if (constrainedLines_.empty()) return;
  const ContactSeries* last = nullptr;
  for (const ConstrainedLine& line : constrainedLines_)
    if (std::exchange(last, line.u) != line.u) setTapeInputsOfOrder(*line.u, expansion, k + 1);
  tape_.recomputeOrder(k + 1, rateSources_);
  Eigen::Index next = 0;
  for (const ConstrainedLine& line : constrainedLines_)
    heldAccelerations_[next++] = -(k + 1.0) * line.rate().coefficient(k + 1);
  reactions_.noalias() = reactionPerAcceleration_ * heldAccelerations_;
  next = 0;
  for (const ConstrainedLine& line : constrainedLines_)
    tape_.setCoefficient(line.reaction(), k, line.reaction().coefficient(k) + reactions_[next++]);
  tape_.recomputeOrder(k, reactionDependents_);
  last = nullptr;
  for (const ConstrainedLine& line : constrainedLines_) {
    if (std::exchange(last, line.u) == line.u) continue;
    for (std::size_t i = 0; i < SeriesContact::kAxes; ++i)
      if (const int channel = line.u->contact->channel[i]; channel >= 0)
        expansion.givenForce(channel, k + 1)[static_cast<std::size_t>(k)] = forceCoefficient(*line.u, i, k);
  }
  expansion.computeSeriesOrders(k, k);
}

void SeriesContacts::updateSlipRates(const TaylorExpansion& expansion, int k) {
  for (ContactSeries& u : contactSeries_) setTapeInputsOfOrder(u, expansion, k + 1);
  if (!contactSeries_.empty()) tape_.recomputeOrder(k + 1);
}

Tangential<double> SeriesContacts::slipAcceleration(std::size_t place, int k) const noexcept {
  const ContactSeries& u = contactSeries_[place];
  Tangential<double> acceleration{};
  for (std::size_t a = 0; a < 2; ++a)
    acceleration = acceleration + scaled((k + 1.0) * u.rate[a].coefficient(k + 1), u.contact->axis[a]);
  return acceleration;
}

void SeriesContacts::appendForcesOfUnitTraction(std::size_t place, std::size_t line,
                                                std::vector<ChannelForce>& forces) const {
  const ContactSeries& u = contactSeries_[place];
  for (std::size_t i = 0; i < SeriesContact::kAxes; ++i)
    if (u.contact->channel[i] >= 0) forces.push_back({u.contact->channel[i], u.tangent[line][i].value()});
}

const Vector& SeriesContacts::reactionsToAppliedForces(std::span<const ChannelForce> forces,
                                                       const TaylorExpansion& expansion) {
  heldAccelerations_.resize(std::ssize(constrainedLines_));
  Eigen::Index next = 0;
  for (const ConstrainedLine& line : constrainedLines_)
    heldAccelerations_[next++] = -line.accelerationUnderForces(forces, expansion);
  reactions_.resize(heldAccelerations_.size());
  if (!constrainedLines_.empty()) reactions_.noalias() = reactionPerAcceleration_ * heldAccelerations_;
  return reactions_;
}

void SeriesContacts::appendForcesOfReactions(const Vector& reactions,
                                             std::vector<ChannelForce>& forces) const {
  Eigen::Index next = 0;
  for (const ConstrainedLine& line : constrainedLines_)
    line.appendForcesOfUnitReaction(reactions[next++], forces);
}

double SeriesContacts::normalReactionOfContact(std::size_t place, const Vector& reactions) const noexcept {
  Eigen::Index next = 0;
  for (const ConstrainedLine& line : constrainedLines_) {
    if (line.u == &contactSeries_[place] && line.line == ConstrainedLine::kNormal) return reactions[next];
    ++next;
  }
  return 0.0;
}

int SeriesContacts::violatingContact(std::span<const double> most) const noexcept {
  for (std::size_t k = 0; k < most.size(); ++k)
    for (const ConstrainedLine& line : constrainedLines_)
      if (static_cast<double>(k + 1) * std::abs(line.rate().coefficient(static_cast<int>(k + 1))) >
          line.u->contact->reach * most[k])
        return line.u->contact->index;
  return -1;
}

}  // namespace ricochet
