#pragma once

#include "io/toml/section.hpp"
#include "physical/assembly/assembler.hpp"

#include <optional>

namespace ricochet {

/// Units of files of another code, [m], [kg] and [s] per unit of the file. With lengths u = L u', equal
/// rotations, and forces M L / T^2 times those of the file, the matrices become K = M/T^2 D K' D, C = M/T D
/// C' D and M D M' D, where D is 1 for translations and L for rotations.
class MatrixUnits {
 public:
  explicit MatrixUnits(const Section& matrices) {
    const std::optional<Section> units = matrices.section("units");
    if (!units) return;
    length_ = units->number("length", 1.0, rangeAbove(0.0, "m"));
    mass_ = units->number("mass", 1.0, rangeAbove(0.0, "kg"));
    time_ = units->number("time", 1.0, rangeAbove(0.0, "s"));
  }

  double lengthUnit() const noexcept { return length_; }

  void convertBlockToSi(MatrixBlock& block) const {
    Vector d(static_cast<Eigen::Index>(block.dofs.size()));
    for (Eigen::Index i = 0; i < d.size(); ++i)
      d[i] = block.dofs[static_cast<std::size_t>(i)].component >= Component::rx ? length_ : 1.0;
    scaleMatrix(block.stiffness, mass_ / (time_ * time_), d);
    scaleMatrix(block.damping, mass_ / time_, d);
    scaleMatrix(block.mass, mass_, d);
  }

 private:
  static void scaleMatrix(SparseMatrix& matrix, double factor, const Vector& d) {
    for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
      for (SparseMatrix::InnerIterator it(matrix, j); it; ++it)
        it.valueRef() *= factor * d[it.row()] * d[it.col()];
  }

  double length_{1.0}, mass_{1.0}, time_{1.0};
};

}  // namespace ricochet
