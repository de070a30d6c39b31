// The modal basis of a study, and what is said where there is none.

#include "io/formats/matrix_entries.hpp"
#include "io/prepare/push_directions.hpp"
#include "io/prepare/simulation.hpp"
#include "modal/basis_limits.hpp"
#include "modal/damping.hpp"
#include "modal/eigen_solver.hpp"
#include "modal/residual_vectors.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace ricochet {
namespace {

/// A matrix of another code with a negative energy is the reason, if there is one.
void requireDefinite(const SparseMatrix& matrix, double rounding,
                     const Located<std::filesystem::path>& file) {
  const int negative = negativeEigenvalues(raisedByRounding(matrix, rounding));
  if (negative > 0)
    throw InputError(
        file.where, file.path,
        fmt::format("{} has {} negative eigenvalue{}, so that some motion has a negative energy; "
                    "correct the file: is it of another step, a sign, a row that is lost?",
                    file.value.string(), negative, negative == 1 ? "" : "s"));
}

[[noreturn]] void rethrow(const Study& study, const BasisError& error) {
  for (std::size_t i = 0; i < study.matrixFiles.size(); ++i) {
    const MatrixBlock& block = study.structure.matrices[i];
    requireDefinite(block.stiffness, block.rounding, study.matrixFiles[i].stiffness);
    requireDefinite(block.mass, block.rounding, study.matrixFiles[i].mass);
  }
  if (!error.dof()) throw InputError(study.basis.where, "basis", error.what());
  const NamedNode& node = study.nodes[static_cast<std::size_t>(error.dof()->node.value)];
  throw InputError(node.where, "nodes." + node.name,
                   fmt::format("{} of this node: {}", name(error.dof()->component), error.what()));
}

}  // namespace

ModalBasis extractBasis(const Study& study, const PhysicalModel& physical) {
  ModalBasis basis;
  try {
    BasisSelection selection = study.basis.selection;
    selection.wholeMultiplets = study.basis.dampingRatio.size() < 2;  // a list is for as many modes as it has
    basis = extractModes(physical, selection);
    addResidualVectors(basis, physical, residualDirections(study, physical));
  } catch (const BasisError& error) {
    rethrow(study, error);
  }
  const auto modes = static_cast<std::size_t>(basis.modes());
  std::vector<double> ratio = study.basis.dampingRatio;
  if (ratio.size() > 1 && ratio.size() != modes)
    throw InputError(
        study.basis.dampingWhere, "basis.damping_ratio",
        fmt::format("must be one number, or one per mode: the basis has {}, got {}", modes, ratio.size()));
  // one number is for all; the last one of a list is for the residual vectors too
  if (!ratio.empty()) {
    ratio.resize(static_cast<std::size_t>(basis.size()), ratio.back());
    addModalDamping(basis, Eigen::Map<const Vector>(ratio.data(), basis.size()));
  }
  addRayleighDamping(basis, study.basis.rayleigh);
  if (!basis.damping.allFinite())
    throw InputError(study.basis.where, "basis",
                     "the damping of the modes is not finite: take less `damping_ratio` or `rayleigh`");
  return basis;
}

}  // namespace ricochet
