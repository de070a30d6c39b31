#pragma once

#include "physical/types.hpp"

#include <array>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <vector>

namespace ricochet {

/// Reactions of one contact that stays closed, as entries of the reactions of all constraints. Contacts with
/// friction stick: their traction is a reaction along one line or two.
struct RestingContact {
  int normal{-1};                       ///< entry of N; -1: N is no reaction, see `compression`
  double side{1.0};                     ///< N = side times the reaction
  std::array<double, 2> compression{};  ///< N and its rate, if N is no reaction [N], [N/s]
  std::array<int, 2> tangent{-1, -1};   ///< entries of the traction; -1: none
  double coefficient{1.0};              ///< mu_s [-]; without traction any positive number
};

/// Some of the contacts, with the places of their reactions among those of all contacts.
struct RestingGroup {
  RestingGroup(std::span<const RestingContact> all, std::vector<std::size_t> numbers);

  std::vector<std::size_t> members;      ///< numbers of the contacts among all
  std::vector<RestingContact> contacts;  ///< their entries are those of `reactions`
  std::vector<int> reactions;            ///< entries of the reactions of all contacts
};

/// Groups of contacts whose reactions move each other. `compliance` as for findRestingReactions.
std::vector<RestingGroup> groupsOfRestingContacts(const Matrix& compliance,
                                                  std::span<const RestingContact> contacts);

/// Forces in balance with each other, z(tau) = start + rate tau: added to the reactions, they do not change
/// the motion.
struct ReactionShift {
  Vector start;  ///< [N]
  Vector rate;   ///< [N/s]
  /// Time up to which the rate is the right one [s]: the horizon, or infinite if some cones are reached
  /// earlier.
  double duration{std::numeric_limits<double>::infinity()};
  /// Contacts that bear nothing, without which there is no self-stress; `start` and `rate` take their
  /// reactions.
  std::vector<std::size_t> leftOut{};
  /// True if the reactions need self-stress, forces in all cones without any load, as those of a body that is
  /// pressed between walls that face each other. It can hold every load, and nothing in a model says that it
  /// is there.
  bool isSelfStress{false};
  /// Part of the reactions that is not along the paths of the contacts (`reactionsAlongPaths`), per reaction,
  /// where `start` and `rate` take it away; else empty.
  Matrix acrossPaths{};
};

/// Finds reactions that satisfy |T| <= mu_s N of all contacts for as long as possible. Contacts that depend
/// on each other leave their reactions open up to the null space of their effects on the motion, z = Z y.
/// Rest is possible as long as any reactions satisfy all cones; with r(tau) = reaction + rate tau
///
///     1. max s,    mu_s N - |T| >= s,  N >= s          of r(0) + Z y
///     2. min |r(0) + Z y|, inside all cones
///     3. max tau,  mu_s N - |T| >= 0,  N >= 0          of r(tau) + Z y,  tau <= horizon
///     4. min |r(tau) + Z y|, inside all cones, if tau = horizon
///
/// The reactions go from 2, which is inside all cones, to 3, which is on some of them, or to 4; between the
/// two, linear in tau, they stay inside, since cones are convex. All are found by Newton's method on a
/// logarithmic barrier (S. Boyd, L. Vandenberghe, Convex Optimization (Cambridge, 2004), section 11.3).
///
/// Self-stress is avoided: contacts between which it can act, up to three, are left out where the others hold
/// the body; where they do not, tractions act only along the paths that the normals leave to their points, if
/// such reactions are inside all cones. The rest then ends where slip begins.
///
/// `compliance`: E^t E, where column r of E is the effect of reaction r on the motion, any unit. Empty if the
/// reactions are unique, or if none are inside all cones by a margin of 1e-9 of the largest reaction up to
/// the horizon.
std::optional<ReactionShift> findRestingReactions(const Matrix& compliance, const Vector& reaction,
                                                  const Vector& rate,
                                                  std::span<const RestingContact> contacts, double horizon);

}  // namespace ricochet
