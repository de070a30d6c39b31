#include "io/archive/archived_basis.hpp"

#include "io/hdf5/hdf5.hpp"

#include <algorithm>

namespace ricochet {

ModalBasis readArchivedBasis(const H5File& result, const DofMap& dofs) {
  constexpr std::size_t kBlock = 4096;  // number of dofs that are read at once
  ModalBasis basis;
  const std::vector<double> eigenvalue = result.read("/modal/eigenvalue", {kAny}).values;
  const std::size_t width = eigenvalue.size();
  const auto modes = static_cast<Eigen::Index>(width);
  basis.eigenvalue = Vector::Map(eigenvalue.data(), modes);
  const std::vector<double> marks = result.read("/modal/is_residual_vector", {width}).values;
  basis.residualVectors = static_cast<int>(std::count(marks.begin(), marks.end(), 1.0));
  basis.reducedShapes.resize(dofs.independentDofCount(), modes);
  Eigen::Index row = 0;
  const auto full = static_cast<std::size_t>(dofs.totalDofCount());
  for (std::size_t first = 0; first < full; first += kBlock) {
    const std::size_t count = std::min(kBlock, full - first);
    const std::vector<double> shapes = result.readRows("/modal/shapes", first, count, {width}).values;
    for (; row < basis.reducedShapes.rows(); ++row) {
      const auto dof = static_cast<std::size_t>(dofs.independentDofs()[static_cast<std::size_t>(row)].value);
      if (dof >= first + count) break;
      basis.reducedShapes.row(row) = Eigen::RowVectorXd::Map(shapes.data() + (dof - first) * width, modes);
    }
  }
  return basis;
}

}  // namespace ricochet
