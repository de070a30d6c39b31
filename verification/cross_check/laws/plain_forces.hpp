#pragma once

#include "verification/cross_check/laws/part_model.hpp"

#include <Eigen/Core>

#include <functional>
#include <vector>

namespace ricochet::cross {

/// Force of a law on the motion, with internal variables z.
struct PlainForce {
  int states{0};
  /// Adds forces on all dofs at the displacements u and rates v (of relative motion, 3 per node), from the
  /// internal variables z; sets the rates of z.
  std::function<void(double t, const Eigen::VectorXd& u, const Eigen::VectorXd& v, const double* z,
                     Eigen::VectorXd& force, double* rates)>
      add;
  /// Limits z after a step to the values that the law allows at a motion; empty: z has no limit.
  std::function<void(const Eigen::VectorXd& u, const Eigen::VectorXd& v, double* z)> limit{};
  /// Index of the branch of the law at a motion, if the force may jump between branches; empty: a single
  /// branch.
  std::function<int(const Eigen::VectorXd& u, const Eigen::VectorXd& v)> branch{};
};

/// The text of an entry; null if the part lacks it.
const std::string* valueOf(const Part& part, const std::string& key);
/// The names between quotation marks.
std::vector<std::string> namesIn(const std::string& value);

/// Force of a contact or a link on its first node (`first`), and the opposite force on the second (-1: none).
/// False if this program does not know the law.
bool makeContact(const Part& part, int node, const Eigen::Vector3d& place, PlainForce& force);
bool makeLink(const Part& part, int first, int second, PlainForce& force);

/// A function of time from its table of the deck; empty for other kinds of functions.
std::function<double(double)> makeFunction(const std::string& table, std::vector<double>& breakpoints);

}  // namespace ricochet::cross
