#pragma once

#include "engine/contact/impulse/resting_reactions.hpp"
#include "physical/dense_solvers.hpp"

#include <span>
#include <vector>

namespace ricochet {

/// Reactions of contacts at rest whose tractions act only along the paths on which their points could slide.
struct PathReactions {
  std::vector<RestingContact> contacts{};  ///< their entries are columns of `toAll`
  Matrix toAll{};                          ///< reactions of all constraints per reaction of these
  Matrix compliance{};                     ///< of these reactions
  Matrix perReaction{};                    ///< these reactions per reaction of all, for the same motion
  Matrix across{};  ///< part of all reactions that these do not have, per reaction of all

  /// True if the normals leave every traction as it is.
  bool areAllReactions() const noexcept { return toAll.cols() == toAll.rows(); }
};

/// Accelerations per reaction while the normals of all contacts hold: the Schur complement of the compliance.
inline Matrix complianceBesideNormals(const Matrix& compliance, std::span<const RestingContact> contacts) {
  constexpr double kDependent = 1e-11;  // the same rank threshold as for findRestingReactions
  std::vector<int> normals;
  for (const RestingContact& c : contacts)
    if (c.normal >= 0) normals.push_back(c.normal);
  if (normals.empty()) return compliance;
  Eigen::CompleteOrthogonalDecomposition<Matrix> held;
  held.setThreshold(kDependent);
  held.compute(compliance(normals, normals));
  return compliance - compliance(Eigen::all, normals) * held.solve(compliance(normals, Eigen::all));
}

/// Reactions that remain if each traction acts along the paths that the normals of all contacts leave to its
/// point. Across these paths the normals hold the point; tractions there could only press contacts together.
/// `compliance` as for findRestingReactions.
inline PathReactions reactionsAlongPaths(const Matrix& compliance, std::span<const RestingContact> contacts) {
  constexpr double kHeld = 1e-10;  // compliance across a path, relative to that without the normals
  const Matrix left = complianceBesideNormals(compliance, contacts);
  PathReactions paths{.contacts = {contacts.begin(), contacts.end()},
                      .toAll = Matrix::Zero(compliance.rows(), compliance.cols())};
  int used = 0;
  for (RestingContact& c : paths.contacts) {
    std::vector<int> tangents;
    for (const int tangent : c.tangent)
      if (tangent >= 0) tangents.push_back(tangent);
    if (c.normal >= 0) {
      paths.toAll(c.normal, used) = 1.0;
      c.normal = used++;
    }
    c.tangent = {-1, -1};
    if (tangents.empty()) continue;
    const Matrix own = left(tangents, tangents);
    const Eigen::SelfAdjointEigenSolver<Matrix> motions(own);
    const double free = compliance(tangents, tangents).diagonal().maxCoeff();
    for (Eigen::Index i = own.rows(), line = 0; i-- > 0;) {
      if (!(motions.eigenvalues()[i] > kHeld * free)) break;
      for (std::size_t row = 0; row < tangents.size(); ++row)
        paths.toAll(tangents[row], used) = motions.eigenvectors()(static_cast<Eigen::Index>(row), i);
      c.tangent[static_cast<std::size_t>(line++)] = used++;
    }
  }
  paths.toAll.conservativeResize(Eigen::NoChange, used);
  const Matrix fromAll = paths.toAll.transpose() * compliance;
  paths.compliance = fromAll * paths.toAll;
  Eigen::CompleteOrthogonalDecomposition<Matrix> least;
  least.setThreshold(kHeld);
  paths.perReaction = least.compute(paths.compliance).solve(fromAll);
  paths.across = Matrix::Identity(compliance.rows(), compliance.cols()) - paths.toAll * paths.perReaction;
  return paths;
}

}  // namespace ricochet
