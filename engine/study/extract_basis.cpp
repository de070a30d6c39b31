// The modal basis of a study, and the error messages if the basis cannot be computed.

#include "engine/study/parts/study_error.hpp"
#include "engine/study/push_directions.hpp"
#include "engine/study/simulation.hpp"
#include "modal/basis_limits.hpp"
#include "modal/damping.hpp"
#include "modal/eigen_solver.hpp"
#include "modal/residual_vectors.hpp"
#include "physical/assembly/matrix_rounding.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace ricochet {
namespace {

/// Throws StudyError if an imported matrix has negative eigenvalues, as the cause of a failed extraction.
/// `part`: "matrices[0].mass".
void requireDefinite(const SparseMatrix& matrix, double rounding, const std::string& file,
                     const std::string& part) {
  const int negative = negativeEigenvalues(raisedByRounding(matrix, rounding));
  if (negative > 0)
    throw StudyError(StudyProblem{
        part, fmt::format("{} has {} negative eigenvalue{}, so that some motion has a negative energy; "
                          "correct the file: is it of another step, a sign, a row that is lost?",
                          file, negative, negative == 1 ? "" : "s")});
}

[[noreturn]] void rethrow(const Study& study, const BasisError& error) {
  for (std::size_t i = 0; i < study.structure.matrices.size(); ++i) {
    const MatrixBlock& block = study.structure.matrices[i];
    requireDefinite(block.stiffness, block.rounding, block.stiffnessFile,
                    fmt::format("matrices[{}].stiffness", i));
    requireDefinite(block.mass, block.rounding, block.massFile, fmt::format("matrices[{}].mass", i));
  }
  if (!error.dof()) throw StudyError(StudyProblem{"basis", error.what()});
  const NamedNode& node = study.nodes[static_cast<std::size_t>(error.dof()->node.value)];
  throw StudyError(StudyProblem{
      "nodes." + node.name, fmt::format("{} of this node: {}", name(error.dof()->component), error.what()),
      partOf(error.dof()->node)});
}

}  // namespace

ModalBasis extractBasis(const Study& study, const PhysicalModel& physical) {
  ModalBasis basis;
  try {
    BasisSelection selection = study.basis.selection;
    selection.wholeMultiplets =
        study.basis.dampingRatio.size() <
        2;  // a list of ratios has one entry per mode, so the number of modes must not change
    basis = extractModes(physical, selection);
    addResidualVectors(basis, physical, residualDirections(study, physical));
  } catch (const BasisError& error) {
    rethrow(study, error);
  }
  const auto modes = static_cast<std::size_t>(basis.modes());
  std::vector<double> ratio = study.basis.dampingRatio;
  if (ratio.size() > 1 && ratio.size() != modes)
    throw StudyError(StudyProblem{
        "basis.damping_ratio",
        fmt::format("must be one number, or one per mode: the basis has {}, got {}", modes, ratio.size())});
  // a single ratio holds for all modes; the last ratio of a list also holds for the residual vectors
  if (!ratio.empty()) {
    ratio.resize(static_cast<std::size_t>(basis.size()), ratio.back());
    addModalDamping(basis, Eigen::Map<const Vector>(ratio.data(), basis.size()));
  }
  addRayleighDamping(basis, study.basis.rayleigh);
  if (!basis.damping.allFinite())
    throw StudyError(StudyProblem{
        "basis", "the damping of the modes is not finite: take less `damping_ratio` or `rayleigh`"});
  return basis;
}

}  // namespace ricochet
