// Slips in two dimensions that start from rest: accelerations and reactions under their tractions.

#include "engine/event/automata/slip_turn.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

Tangential<double> slipAcceleration(const LinearContact& c, const TaylorExpansion& expansion,
                                    int k) noexcept {
  Tangential<double> acceleration{};
  for (std::size_t a = 0; a < static_cast<std::size_t>(c.lines); ++a) {
    double along = 0.0;
    if (c.tangentChannel[a] >= 0) along = expansion.motion(c.tangentChannel[a])[k + 2];
    if (!c.surface.empty()) along -= c.moved[a][static_cast<std::size_t>(k + 2)];
    acceleration = acceleration + scaled((k + 1.0) * (k + 2.0) * along, c.axis[a]);
  }
  return acceleration;
}

SlipStarts::SlipStarts(std::size_t contacts) {
  starts_.reserve(contacts);
  sticking_.reserve(contacts);
  // More slips at one instant need more memory, allocated then.
  const std::size_t most = std::min<std::size_t>(contacts, 16);
  response_.reserve(6 * most * most);
  matrix_.reserve(4 * most * most);
  right_.reserve(2 * most);
  order_.reserve(2 * most);
}

void SlipStarts::gatherSlipStarts(std::span<SlipTurn> turns, const TaylorExpansion& expansion,
                                  SeriesContacts& series) {
  series_ = &series;
  starts_.clear();
  sticking_.clear();
  for (SlipTurn& turn : turns)
    if (turn.contact->isSlipWithZeroSpeed()) starts_.push_back(&turn);
  if (starts_.empty()) return;
  for (SlipTurn* each : starts_) {
    each->start.bearsReaction =
        each->linear != nullptr ? each->linear->normalConstraint >= 0 : each->contact->setValuedNormal;
    each->start.row = each->linear != nullptr ? each->linear->largestTangentRowNorm()
                                              : series.displacementBoundOfContact(each->place);
  }
  response_.assign(6 * starts_.size() * starts_.size(), 0.0);
  for (std::size_t j = 0; j < starts_.size(); ++j)
    for (std::size_t b = 0; b < 2; ++b) readResponseToUnitTraction(j, b, expansion);
}

/// Reads the accelerations and reactions of all slips under a unit traction of slip j along tangent b.
void SlipStarts::readResponseToUnitTraction(std::size_t j, std::size_t b, const TaylorExpansion& expansion) {
  // A smaller response, relative to the free response, is cancelled by constraints.
  constexpr double kRounding = 1e-12;
  const SlipTurn& from = *starts_[j];
  forces_.clear();
  if (from.linear == nullptr)
    series_->appendForcesOfUnitTraction(from.place, b, forces_);
  else if (from.linear->tangentChannel[b] >= 0)
    forces_.push_back({from.linear->tangentChannel[b], 1.0});
  const Vector& reactions = series_->reactionsToAppliedForces(forces_, expansion);
  series_->appendForcesOfReactions(reactions, forces_);
  for (std::size_t i = 0; i < starts_.size(); ++i) {
    const SlipTurn& on = *starts_[i];
    for (std::size_t a = 0; a < 2; ++a) {
      double value = 0.0;
      if (on.linear == nullptr)
        value = series_->slipAccelerationUnderForces(on.place, a, forces_, expansion);
      else if (on.linear->tangentRow[a] != nullptr)
        for (const ChannelForce& force : forces_)
          value += force.amount * expansion.accelerationPerUnitForce(on.linear->tangentRow[a], force.channel);
      if (std::abs(value) > kRounding * on.start.row * from.start.row) response(a, i, j, b) = value;
    }
    if (!on.start.bearsReaction) continue;
    if (on.linear == nullptr) {
      response(2, i, j, b) = series_->normalReactionOfContact(on.place, reactions);
      continue;
    }
    for (const ChannelForce& force : forces_)
      response(2, i, j, b) += on.linear->state.side * force.amount *
                              expansion.reactionToUnitForce(on.linear->normalConstraint, force.channel);
  }
}

Tangential<double> SlipStarts::slipAccelerationByForce(std::size_t i, std::size_t j,
                                                       const Tangential<double>& force) noexcept {
  return {response(0, i, j, 0) * force.first + response(0, i, j, 1) * force.second,
          response(1, i, j, 0) * force.first + response(1, i, j, 1) * force.second};
}

double SlipStarts::normalForceChangeByForce(std::size_t i, std::size_t j,
                                            const Tangential<double>& force) noexcept {
  return response(2, i, j, 0) * force.first + response(2, i, j, 1) * force.second;
}

/// Slip acceleration of order k of contact i under the tractions of the other contacts alone.
Tangential<double> SlipStarts::slipAccelerationByOtherTractions(std::size_t i, int k) noexcept {
  Tangential<double> free = starts_[i]->start.free;
  for (std::size_t j = 0; j < starts_.size(); ++j)
    if (j != i && doesSlipStartAtOrder(starts_[j]->start, k))
      free = free + slipAccelerationByForce(i, j, starts_[j]->start.traction);
  return free;
}

/// Coefficient k of the acceleration of a slip, from the motion known up to k + 2.
Tangential<double> SlipStarts::slipAccelerationOfOrder(const SlipTurn& turn, const TaylorExpansion& expansion,
                                                       int k) const noexcept {
  return turn.linear != nullptr ? slipAcceleration(*turn.linear, expansion, k)
                                : series_->slipAcceleration(turn.place, k);
}

/// Coefficient k of N of a slip, from the motion known up to k + 1; if N is a reaction, after the computation
/// of order k.
double SlipStarts::compressionCoefficientOfOrder(const SlipTurn& turn, const TaylorExpansion& expansion,
                                                 int k) const noexcept {
  if (turn.linear == nullptr) return series_->normalForceOfOrder(turn.place, k);
  if (!turn.start.bearsReaction) return normalForceOfOrder(*turn.linear, expansion, k);
  return turn.linear->state.side *
         expansion.reaction(turn.linear->normalConstraint)[static_cast<std::size_t>(k)];
}

/// Sets up the two equations of contact i: for y, and for N in units of n(0).
void SlipStarts::setUpTractionEquations(std::size_t i, int k) noexcept {
  const std::size_t count = starts_.size();
  const double order = k + 1;
  SlipStart& s = starts_[i]->start;
  tractionMatrixEntry(count + i, count + i) = s.scaleOfUnknowns();
  if (!doesSlipTurnAtOrder(s, k)) return;
  const bool rigid = s.bearsReaction;
  const int own = k - s.lead;
  const int m = k + 1 - s.power;
  double known = 0.0;
  for (int j = 1; j <= std::min(m, own - 1); ++j)
    known += s.w[static_cast<std::size_t>(m - j)] * s.y[static_cast<std::size_t>(j)];
  if (m == own) tractionMatrixEntry(i, i) -= s.w[0];
  right_[i] = known - dot(s.across, s.free) / order;
  right_[count + i] = rigid ? s.freeCompression : 0.0;
  for (std::size_t j = 0; j < count; ++j) {
    const SlipStart& other = starts_[j]->start;
    if (!doesSlipTurnAtOrder(other, k)) continue;
    const Tangential<double> perTurn = scaled(-other.coefficient * other.first, other.across);
    const Tangential<double> perCompression =
        scaled(-other.coefficient * other.scaleOfUnknowns(), other.ahead);
    tractionMatrixEntry(i, j) += dot(s.across, slipAccelerationByForce(i, j, perTurn)) / order;
    tractionMatrixEntry(i, count + j) += dot(s.across, slipAccelerationByForce(i, j, perCompression)) / order;
    if (!rigid) continue;
    tractionMatrixEntry(count + i, j) -= normalForceChangeByForce(i, j, perTurn);
    tractionMatrixEntry(count + i, count + j) -= normalForceChangeByForce(i, j, perCompression);
  }
  // A slip whose point is held transversely by other contacts does not turn.
  constexpr double kRounding = 1e-12;
  double largest = 0.0;
  for (std::size_t j = 0; j < 2 * count; ++j)
    largest = std::max(largest, std::abs(tractionMatrixEntry(i, j)));
  if (largest > kRounding * s.coefficient * s.first * s.row * s.row) return;
  for (std::size_t j = 0; j < 2 * count; ++j) tractionMatrixEntry(i, j) = 0.0;
  tractionMatrixEntry(i, i) = 1.0;  // without an equation for y, those for N would be solved by turning
  right_[i] = 0.0;
}

/// Gaussian elimination with complete pivoting; undetermined unknowns are zero. False if there are any beside
/// those without an equation.
bool SlipStarts::solveTractionEquations(std::size_t n) noexcept {
  constexpr double kSingular = 1e-12;
  order_.resize(n);
  std::size_t equations = 0;
  for (std::size_t i = 0; i < n; ++i) {  // scales each row by its largest entry
    order_[i] = i;
    double largest = 0.0;
    for (std::size_t j = 0; j < n; ++j) largest = std::max(largest, std::abs(tractionMatrixEntry(i, j)));
    if (!(largest > 0.0)) continue;
    ++equations;
    for (std::size_t j = 0; j < n; ++j) tractionMatrixEntry(i, j) /= largest;
    right_[i] /= largest;
  }
  std::size_t rank = 0;
  for (; rank < n; ++rank) {
    moveLargestEntryToPivot(n, rank);
    if (!(std::abs(tractionMatrixEntry(rank, rank)) > kSingular)) break;
    for (std::size_t i = rank + 1; i < n; ++i) {
      const double factor = tractionMatrixEntry(i, rank) / tractionMatrixEntry(rank, rank);
      if (factor == 0.0) continue;
      for (std::size_t j = rank; j < n; ++j)
        tractionMatrixEntry(i, j) -= factor * tractionMatrixEntry(rank, j);
      right_[i] -= factor * right_[rank];
    }
  }
  std::fill(right_.begin() + static_cast<std::ptrdiff_t>(rank), right_.end(), 0.0);
  for (std::size_t i = rank; i-- > 0;) {
    for (std::size_t j = i + 1; j < rank; ++j) right_[i] -= tractionMatrixEntry(i, j) * right_[j];
    right_[i] /= tractionMatrixEntry(i, i);
  }
  // the matrix is no longer needed and receives the solution
  for (std::size_t i = 0; i < n; ++i) matrix_[order_[i]] = right_[i];
  std::copy_n(matrix_.begin(), n, right_.begin());
  return rank >= equations;
}

/// Moves the largest entry of the remaining rows and columns to the diagonal.
void SlipStarts::moveLargestEntryToPivot(std::size_t n, std::size_t at) noexcept {
  std::size_t row = at;
  std::size_t column = at;
  for (std::size_t i = at; i < n; ++i)
    for (std::size_t j = at; j < n; ++j)
      if (std::abs(tractionMatrixEntry(i, j)) > std::abs(tractionMatrixEntry(row, column))) {
        row = i;
        column = j;
      }
  for (std::size_t j = 0; j < n; ++j) std::swap(tractionMatrixEntry(at, j), tractionMatrixEntry(row, j));
  std::swap(right_[at], right_[row]);
  for (std::size_t i = 0; i < n; ++i) std::swap(tractionMatrixEntry(i, at), tractionMatrixEntry(i, column));
  std::swap(order_[at], order_[column]);
}

/// Solves for the turning y of order k - lead of all slips, and for N of order k where N is a reaction. The
/// slip rate is along u:
///
///     e.s'' of order k = (k + 1) (w y) of order k + 1 - power
///
/// On the left side, y is multiplied by n(0), through the traction; on the right side, by w(0) if the
/// traction dropped. The equations of all slips are solved together.
void SlipStarts::solveTurningSlips(SeriesTape& tape, int k) {
  const std::size_t count = starts_.size();
  matrix_.assign(4 * count * count, 0.0);
  right_.assign(2 * count, 0.0);
  for (std::size_t i = 0; i < count; ++i) setUpTractionEquations(i, k);
  // If N is not a reaction, it is known and already part of the right side.
  for (std::size_t j = 0; j < count; ++j)
    if (!starts_[j]->start.bearsReaction)
      for (std::size_t i = 0; i < 2 * count; ++i)
        if (i != count + j) tractionMatrixEntry(i, count + j) = 0.0;
  const bool isDetermined = solveTractionEquations(2 * count);
  for (std::size_t i = 0; i < count; ++i) {
    SlipStart& s = starts_[i]->start;
    if (!doesSlipTurnAtOrder(s, k)) continue;
    const int own = k - s.lead;
    const double y = right_[i];
    if (!isDetermined && own == 1 && y != 0.0) longest_ = std::min(longest_, kMostTurn / std::abs(y));
    s.y[static_cast<std::size_t>(own)] = y;
    tape.setCoefficient(starts_[i]->kinematics.slipRate.first, own, y * s.across.first);
    tape.setCoefficient(starts_[i]->kinematics.slipRate.second, own, y * s.across.second);
    if (s.bearsReaction)
      tape.setCoefficient(starts_[i]->kinematics.compression, own, s.scaleOfUnknowns() * right_[count + i]);
    tape.recomputeOrder(own);
  }
}

void SlipStarts::readSlipSpeeds(const TaylorExpansion& expansion, int k) {
  for (SlipTurn* each : starts_) {
    SlipStart& s = each->start;
    const int m = k + 1 - s.power;
    if (!s.hasDirection || m < 0) continue;
    s.w[static_cast<std::size_t>(m)] = dot(s.ahead, slipAccelerationOfOrder(*each, expansion, k)) / (k + 1);
  }
}

/// Ends the step before the imposed motion of a held point has turned: its turning needs accelerations of an
/// order that is not known yet.
void SlipStarts::limitStepOfHeldPoint(const SlipStart& s, const Tangential<double>& imposed, int k) noexcept {
  const double turn = std::abs(dot(s.across, imposed)) / ((k + 1) * s.w[0]);
  if (turn > 0.0) longest_ = std::min(longest_, std::pow(kMostTurn / turn, 1.0 / (k + 1 - s.power)));
}

}  // namespace ricochet
