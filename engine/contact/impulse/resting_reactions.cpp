#include "engine/contact/impulse/resting_reactions.hpp"

#include "engine/contact/impulse/cone_barrier.hpp"
#include "engine/contact/impulse/coupled_groups.hpp"
#include "engine/contact/impulse/traction_paths.hpp"
#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

constexpr double kEqualMotion = 1e-10;  // relative difference of equal motions
constexpr double kInside = 1e-3;        // margin at which reactions count as inside all cones, of the largest

/// Orthonormal basis of the shifts of the reactions that have no effect on the motion.
Matrix nullSpaceOfCompliance(const Matrix& compliance) {
  constexpr double kNone = 1e-11;  // the same rank threshold as in TaylorExpansion::factorise
  // One relative threshold suits all constraints: their compliances are of comparable size whatever their
  // stiffness and lever.
  const Eigen::JacobiSVD<Matrix> decomposition(compliance, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const auto& values = decomposition.singularValues();
  Eigen::Index rank = 0;
  while (rank < values.size() && values[rank] > kNone * values[0]) ++rank;
  return decomposition.matrixV().rightCols(values.size() - rank);
}

/// Cones of the unknowns (y, last), in units of `scale`: reactions r + Z y + perLast last, of which each cone
/// keeps a margin of `margin` times the last unknown.
std::vector<ConeOfUnknowns> frictionConesOfUnknowns(std::span<const RestingContact> contacts,
                                                    const Matrix& shifts, const Vector& reaction,
                                                    const Vector& perLast, double lastSpan, double margin,
                                                    double scale) {
  std::vector<ConeOfUnknowns> cones;
  const Eigen::Index free = shifts.cols();
  const auto entry = [&](int index, double factor) {
    Vector form(free + 2);
    form.head(free) = factor * shifts.row(index).transpose();
    form[free] = factor * perLast[index] / scale;
    form[free + 1] = factor * reaction[index] / scale;
    return form;
  };
  for (const RestingContact& c : contacts) {
    Vector pressed = Vector::Zero(free + 2);
    if (c.normal >= 0) {
      pressed = entry(c.normal, c.side);
    } else {
      pressed[free] = c.compression[1] * lastSpan / scale;
      pressed[free + 1] = c.compression[0] / scale;
    }
    ConeOfUnknowns cone{.axis = c.coefficient * pressed, .sides = {}};
    for (const int tangent : c.tangent)
      if (tangent >= 0) cone.sides.push_back(entry(tangent, 1.0));
    cone.axis[free] -= margin;
    cones.push_back(std::move(cone));
  }
  ConeOfUnknowns most{.axis = Vector::Zero(free + 2), .sides = {}};  // last <= 1
  most.axis[free] = -1.0;
  most.axis[free + 1] = 1.0;
  cones.push_back(std::move(most));
  return cones;
}

/// Self-stress that the contacts can be under: reactions in all cones whose effects on the motion cancel, and
/// whose normal forces with friction have the sum one, since a contact without friction holds nothing; empty
/// if there is none. Found by max s,  s <= sum of N,  s <= 1, with all cones wider by `kWider`: without
/// self-stress s stays of the order of `kWider`.
std::optional<Vector> findSelfStressOfContacts(std::span<const RestingContact> contacts,
                                               const Matrix& shifts) {
  constexpr double kWider = 1e-6, kClear = 0.5;
  std::vector<RestingContact> unloaded(contacts.begin(), contacts.end());
  for (RestingContact& c : unloaded) c.compression = {};
  const Eigen::Index free = shifts.cols();
  const Vector none = Vector::Zero(shifts.rows());
  std::vector<ConeOfUnknowns> cones = frictionConesOfUnknowns(unloaded, shifts, none, none, 0.0, 0.0, 1.0);
  ConeOfUnknowns sum{.axis = Vector::Zero(free + 2), .sides = {}};
  for (const RestingContact& c : contacts)
    if (c.normal >= 0 && c.tangent[0] >= 0) sum.axis.head(free) += c.side * shifts.row(c.normal).transpose();
  sum.axis[free] = -1.0;
  cones.push_back(std::move(sum));
  for (ConeOfUnknowns& cone : cones) cone.axis[free + 1] += kWider;
  Vector x = Vector::Zero(free + 1);
  BarrierSolver(std::move(cones)).maximiseLastUnknownInCones(x, kClear);
  if (x[free] < kClear) return {};
  return shifts * x.head(free);
}

/// Smallest margin of the cones at x.
double smallestMarginOfCones(const std::vector<ConeOfUnknowns>& cones, const Vector& x) {
  double least = std::numeric_limits<double>::infinity();
  for (const ConeOfUnknowns& cone : cones) least = std::min(least, cone.coneMarginAt(x));
  return least;
}

/// Moves y, which is inside all cones, to the reactions r + Z y of least norm that are inside by half of the
/// margin of y, or by `kInside`. Found by max s,  |r + Z y| <= 2 (1 - s) |r + Z y0|.
void minimizeReactionNormInCones(std::span<const RestingContact> contacts, const Matrix& shifts,
                                 const Vector& reaction, double scale, Vector& y) {
  const Eigen::Index free = shifts.cols();
  const Vector none = Vector::Zero(reaction.size());
  Vector x(free + 1);
  x << y, 0.25;
  std::vector<ConeOfUnknowns> cones =
      frictionConesOfUnknowns(contacts, shifts, reaction, none, 0.0, 0.0, scale);
  const double margin = 0.5 * std::min(smallestMarginOfCones(cones, x), kInside);
  const double twice = 2.0 * (reaction / scale + shifts * y).norm();
  if (!(margin > 0.0 && twice > 0.0)) return;
  for (ConeOfUnknowns& cone : cones) cone.axis[free + 1] -= margin;
  ConeOfUnknowns norm{.axis = Vector::Zero(free + 2), .sides = {}};
  norm.axis[free] = -twice;
  norm.axis[free + 1] = twice;
  for (Eigen::Index i = 0; i < reaction.size(); ++i) {
    Vector form(free + 2);
    form << shifts.row(i).transpose(), 0.0, reaction[i] / scale;
    norm.sides.push_back(std::move(form));
  }
  cones.push_back(std::move(norm));
  BarrierSolver(std::move(cones)).maximiseLastUnknownInCones(x, std::numeric_limits<double>::infinity());
  y = x.head(free);
}

/// Reactions inside all cones, as of findRestingReactions, whether or not self-stress is part of them.
std::optional<ReactionShift> findReactionsInCones(const Matrix& shifts, const Vector& reaction,
                                                  const Vector& rate,
                                                  std::span<const RestingContact> contacts, double horizon) {
  constexpr double kLeast = 1e-9;  // margin of the reactions, relative to the largest
  const Eigen::Index free = shifts.cols();
  double scale = std::max(reaction.cwiseAbs().maxCoeff(), horizon * rate.cwiseAbs().maxCoeff());
  for (const RestingContact& c : contacts) scale = std::max(scale, std::abs(c.compression[0]));
  if (!(scale > 0.0)) return {};
  const Vector none = Vector::Zero(reaction.size());
  std::vector<ConeOfUnknowns> first =
      frictionConesOfUnknowns(contacts, shifts, reaction, none, 0.0, 1.0, scale);
  Vector x = Vector::Zero(free + 1);
  x[free] = std::min(0.0, smallestMarginOfCones(first, x)) - 1.0;
  BarrierSolver(std::move(first)).maximiseLastUnknownInCones(x, kInside);
  if (!(x[free] > kLeast)) return {};
  Vector start = x.head(free);
  if (free > 0) minimizeReactionNormInCones(contacts, shifts, reaction, scale, start);
  ReactionShift shift{.start = shifts * (scale * start), .rate = none};
  const bool isConstant = rate.isZero(0.0) && std::ranges::all_of(contacts, [](const RestingContact& c) {
                            return c.normal >= 0 || c.compression[1] == 0.0;
                          });
  if (isConstant || !(horizon > 0.0)) return shift;
  x.head(free) = start;
  x[free] = 0.0;
  BarrierSolver(frictionConesOfUnknowns(contacts, shifts, reaction, rate * horizon, horizon, 0.0, scale))
      .maximiseLastUnknownInCones(x, std::numeric_limits<double>::infinity());
  const double last = x[free] * horizon;
  if (!(last > 0.0)) return shift;
  Vector end = x.head(free);
  if (free > 0 && x[free] > 1.0 - kLeast) {
    std::vector<RestingContact> later(contacts.begin(), contacts.end());
    for (RestingContact& c : later) c.compression[0] += last * c.compression[1];
    minimizeReactionNormInCones(later, shifts, reaction + last * rate, scale, end);
  }
  shift.rate = shifts * (scale * (end - start)) / last;
  if (x[free] > 1.0 - kLeast) shift.duration = last;
  return shift;
}

/// Contacts that may hold the body without the others, with the reactions of these contacts that give the
/// same motion.
struct BearingContacts {
  RestingGroup group;
  Matrix compliance;
  Vector reaction;
  Vector rate;
};

/// The same reactions without those of the contact of number `idle` among those of `bearing`; empty if the
/// others have no reactions that give the same motion.
std::optional<BearingContacts> bearingContactsWithoutOne(const BearingContacts& bearing, std::size_t idle,
                                                         std::span<const RestingContact> all) {
  std::vector<std::size_t> places(bearing.group.members.size());
  std::iota(places.begin(), places.end(), std::size_t{0});
  places.erase(places.begin() + static_cast<std::ptrdiff_t>(idle));
  const std::vector<int> kept = RestingGroup(bearing.group.contacts, std::move(places)).reactions;
  std::vector<std::size_t> members = bearing.group.members;
  members.erase(members.begin() + static_cast<std::ptrdiff_t>(idle));
  const Matrix reduced = bearing.compliance(kept, kept);
  const Matrix fromAll = bearing.compliance(kept, Eigen::all);
  Eigen::CompleteOrthogonalDecomposition<Matrix> least;
  least.setThreshold(kEqualMotion);
  least.compute(reduced);
  const auto findEqual = [&](const Vector& reactions, Vector& ofOthers) {
    ofOthers = least.solve(fromAll * reactions);
    const Vector change = bearing.compliance(Eigen::all, kept) * ofOthers - bearing.compliance * reactions;
    return change.norm() <= kEqualMotion * (bearing.compliance * reactions.cwiseAbs()).norm();
  };
  BearingContacts others{
      .group = RestingGroup(all, std::move(members)), .compliance = reduced, .reaction = {}, .rate = {}};
  if (!findEqual(bearing.reaction, others.reaction) || !findEqual(bearing.rate, others.rate)) return {};
  return others;
}

/// Shift of the reactions of all contacts to those of some, which `shift` still changes; the other contacts
/// are left out.
ReactionShift reactionShiftOfAllContacts(const BearingContacts& bearing, const ReactionShift& shift,
                                         const Vector& reaction, const Vector& rate, std::size_t contacts) {
  ReactionShift all{.start = -reaction, .rate = -rate, .duration = shift.duration};
  all.start(bearing.group.reactions) += bearing.reaction + shift.start;
  all.rate(bearing.group.reactions) += bearing.rate + shift.rate;
  for (std::size_t i = 0; i < contacts; ++i)
    if (!std::ranges::binary_search(bearing.group.members, i)) all.leftOut.push_back(i);
  return all;
}

/// Reactions inside all cones, without self-stress, whose tractions act along the paths that the normals
/// leave: a load that they can bear needs no self-stress. Empty if there are none.
std::optional<ReactionShift> findReactionsAlongPaths(const Matrix& compliance, const Vector& reaction,
                                                     const Vector& rate,
                                                     std::span<const RestingContact> contacts,
                                                     double horizon) {
  const PathReactions paths = reactionsAlongPaths(compliance, contacts);
  if (paths.areAllReactions()) return {};
  for (const Vector* each : {&reaction, &rate})
    if (!((compliance * (paths.across * *each)).norm() <=
          kEqualMotion * (compliance * each->cwiseAbs()).norm()))
      return {};
  const Matrix shifts = nullSpaceOfCompliance(paths.compliance);
  if (shifts.cols() > 0 && findSelfStressOfContacts(paths.contacts, shifts)) return {};
  const auto shift = findReactionsInCones(shifts, paths.perReaction * reaction, paths.perReaction * rate,
                                          paths.contacts, horizon);
  if (!shift) return {};
  return ReactionShift{.start = paths.toAll * shift->start - paths.across * reaction,
                       .rate = paths.toAll * shift->rate - paths.across * rate,
                       .duration = shift->duration,
                       .acrossPaths = paths.across};
}

}  // namespace

RestingGroup::RestingGroup(std::span<const RestingContact> all, std::vector<std::size_t> numbers)
    : members(std::move(numbers)) {
  for (const std::size_t i : members) {
    contacts.push_back(all[i]);
    for (int* const entry :
         {&contacts.back().normal, &contacts.back().tangent[0], &contacts.back().tangent[1]})
      if (*entry >= 0) reactions.push_back(std::exchange(*entry, static_cast<int>(reactions.size())));
  }
}

std::vector<RestingGroup> groupsOfRestingContacts(const Matrix& compliance,
                                                  std::span<const RestingContact> contacts) {
  const auto entriesOf = [&](std::size_t i) {
    return std::array{contacts[i].normal, contacts[i].tangent[0], contacts[i].tangent[1]};
  };
  const auto doBlocksAffectEachOther = [&](std::size_t a, std::size_t b) {
    for (const int i : entriesOf(a))
      for (const int j : entriesOf(b))
        if (i >= 0 && j >= 0 && areReactionsCoupled(compliance, i, j)) return true;
    return false;
  };
  std::vector<RestingGroup> groups;
  for (std::vector<std::size_t>& members : groupsOfCoupledIndices(contacts.size(), doBlocksAffectEachOther))
    groups.emplace_back(contacts, std::move(members));
  return groups;
}

std::optional<ReactionShift> findRestingReactions(const Matrix& compliance, const Vector& reaction,
                                                  const Vector& rate,
                                                  std::span<const RestingContact> contacts, double horizon) {
  constexpr int kMostLeftOut = 3;
  constexpr double kBears = 1e-3;  // part of a self-stress
  std::optional<ReactionShift> stressed;
  std::vector<std::size_t> everyContact(contacts.size());
  std::iota(everyContact.begin(), everyContact.end(), std::size_t{0});
  std::vector<BearingContacts> level{
      {.group = {contacts, everyContact}, .compliance = compliance, .reaction = reaction, .rate = rate}};
  for (int leftOut = 0; leftOut <= kMostLeftOut; ++leftOut) {
    std::vector<BearingContacts> next;
    for (const BearingContacts& bearing : level) {
      const std::span<const RestingContact> members = bearing.group.contacts;
      const Matrix shifts = nullSpaceOfCompliance(bearing.compliance);
      if (leftOut == 0 && shifts.cols() == 0) return {};
      auto shift = findReactionsInCones(shifts, bearing.reaction, bearing.rate, members, horizon);
      if (!shift) continue;
      const auto stress =
          shifts.cols() > 0 ? findSelfStressOfContacts(members, shifts) : std::optional<Vector>{};
      if (!stress)
        return leftOut == 0 ? shift
                            : reactionShiftOfAllContacts(bearing, *shift, reaction, rate, contacts.size());
      if (leftOut == 0) {
        stressed = std::move(shift);
        stressed->isSelfStress = true;
      }
      for (std::size_t i = 0; i < members.size() && leftOut < kMostLeftOut; ++i) {
        if (members[i].normal < 0 || members[i].side * (*stress)[members[i].normal] < kBears) continue;
        auto others = bearingContactsWithoutOne(bearing, i, contacts);
        const auto isSame = [&](const BearingContacts& known) {
          return known.group.members == others->group.members;
        };
        if (others && std::ranges::none_of(next, isSame)) next.push_back(std::move(*others));
      }
    }
    level = std::move(next);
  }
  if (stressed)
    if (auto along = findReactionsAlongPaths(compliance, reaction, rate, contacts, horizon)) return along;
  return stressed;
}

}  // namespace ricochet
