#pragma once

#include "physical/types.hpp"

#include <array>
#include <optional>
#include <span>

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

/// Forces in balance with each other, z(tau) = start + rate tau: added to the reactions, they do not change
/// the motion.
struct ReactionShift {
  Vector start;  ///< [N]
  Vector rate;   ///< [N/s]
};

/// Finds reactions that satisfy |T| <= mu_s N of all contacts for as long as possible. Contacts that depend
/// on each other leave their reactions open up to the null space of their effects on the motion, z = Z y.
/// Rest is possible as long as any reactions satisfy all cones; with r(tau) = reaction + rate tau
///
///     1. max s,    mu_s N - |T| >= s,  N >= s          of r(0) + Z y
///     2. max tau,  mu_s N - |T| >= 0,  N >= 0          of r(tau) + Z y,  tau <= horizon
///
/// The first solution is inside all cones, the second on some of them; between the two, linear in tau, the
/// reactions stay inside, since cones are convex. Both are found by Newton's method on a logarithmic barrier
/// (S. Boyd, L. Vandenberghe, Convex Optimization (Cambridge, 2004), section 11.3).
///
/// `compliance`: E^t E, where column r of E is the effect of reaction r on the motion, any unit. Empty if the
/// reactions are unique, or if none are inside all cones by a margin of 1e-9 of the largest reaction up to
/// the horizon.
std::optional<ReactionShift> findRestingReactions(const Matrix& compliance, const Vector& reaction,
                                                  const Vector& rate,
                                                  std::span<const RestingContact> contacts, double horizon);

}  // namespace ricochet
