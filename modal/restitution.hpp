#pragma once

#include "modal/modal_basis.hpp"
#include "modal/projection.hpp"

#include <vector>

namespace ricochet {

/// Restitution to physical dofs, u = Phi q: rows of Phi picked for some dofs, applied to many instants.
class Restitution {
 public:
  Restitution(const ModalBasis& basis, const DofMap& dofs, const std::vector<Dof>& wanted)
      : rows_(static_cast<Eigen::Index>(wanted.size()), basis.size()) {
    for (std::size_t i = 0; i < wanted.size(); ++i)
      rows_.row(static_cast<Eigen::Index>(i)) = dofRow(basis, dofs, wanted[i]);
  }

  Eigen::Index size() const noexcept { return rows_.rows(); }
  const Matrix& rows() const noexcept { return rows_; }

  /// Physical values (dofs) of generalized coordinates q (modes).
  Vector operator()(const Vector& q) const { return rows_ * q; }

 private:
  Matrix rows_;
};

}  // namespace ricochet
