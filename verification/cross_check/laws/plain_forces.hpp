#pragma once

#include "verification/cross_check/laws/part_model.hpp"

#include <Eigen/Core>

#include <functional>
#include <vector>

namespace ricochet::cross {

/// A force of a law on the motion, with states of its own.
struct PlainForce {
  int states{0};
  /// Adds forces on all dofs at the displacements u and rates v (of relative motion, 3 per node), with its
  /// states z; sets the rates of z.
  std::function<void(double t, const Eigen::VectorXd& u, const Eigen::VectorXd& v, const double* z,
                     Eigen::VectorXd& force, double* rates)>
      add;
  /// Brings z back to what the law can hold at a motion, after a step; empty: z has no limit.
  std::function<void(const Eigen::VectorXd& u, const Eigen::VectorXd& v, double* z)> limit{};
  /// Tells the branch of the law that holds at a motion, where its force may jump between them; empty: one.
  std::function<int(const Eigen::VectorXd& u, const Eigen::VectorXd& v)> branch{};
};

/// The text of an entry; null if the part lacks it.
const std::string* valueOf(const Part& part, const std::string& key);
/// The names between quotation marks.
std::vector<std::string> namesIn(const std::string& value);

/// Force of a contact or a link on the first of its nodes, at `first`, and its opposite on the second (-1:
/// none). False if the law is not among those followed.
bool makeContact(const Part& part, int node, const Eigen::Vector3d& place, PlainForce& force);
bool makeLink(const Part& part, int first, int second, PlainForce& force);

/// A function of time from its table of the deck; empty if it is of another kind.
std::function<double(double)> makeFunction(const std::string& table, std::vector<double>& breakpoints);

}  // namespace ricochet::cross
