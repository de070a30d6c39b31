#pragma once

#include "engine/study/simulation.hpp"

#include <Eigen/SparseCore>

#include <utility>
#include <vector>

namespace ricochet {

/// Balance of the forces at dofs without inertia, which holds at every instant:
///
///     K_m u + C_m u' = f_m + B_m^t lambda
///
/// with the rows m of the stiffness and damping matrices, the motion u, u' and the forces lambda of contacts
/// and links that a run shows, and the loads f. The balance does not use the treatment of such dofs in either
/// mode, so that it detects a term that is missing in both modes.
class StaticBalance {
 public:
  StaticBalance(const Study& study, const Simulation& simulation);

  /// Largest imbalance of a dof, relative to the largest sum of the sizes of its terms [-]; 0 without such
  /// dofs.
  double relativeImbalance(const StepView& view) const;

 private:
  struct OfContact {
    std::size_t contact;
    /// Forces on the massless dofs m (rows) per unit force along e1, e2, e3: B_m^t.
    Eigen::Matrix<double, Eigen::Dynamic, 3> forces;
  };

  struct OfLink {
    std::size_t link;
    /// Forces per unit force f along the axes of the link, rows m.
    Eigen::Matrix<double, Eigen::Dynamic, 2> forces;
  };

  SparseMatrix stiffness_, damping_;  ///< rows m of K and C, columns of the dofs that they couple
  RowMajorMatrix rows_;               ///< rows of the coupled dofs over the coordinates
  std::vector<ImposedMotion> beside_, besideRates_;
  std::vector<std::pair<Vector, TimeFunction>> loads_;
  std::vector<OfContact> contacts_;
  std::vector<OfLink> links_;
};

}  // namespace ricochet
