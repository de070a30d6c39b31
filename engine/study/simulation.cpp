#include "engine/study/simulation.hpp"

#include "engine/study/parts/study_error.hpp"
#include "engine/study/push_directions.hpp"
#include "modal/basis_limits.hpp"
#include "modal/damping.hpp"
#include "modal/eigen_solver.hpp"
#include "modal/residual_vectors.hpp"
#include "modal/static_remainder.hpp"
#include "physical/assembly/matrix_rounding.hpp"
#include "physical/model_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// Rethrows an error of the assembler with the names of the nodes.
[[noreturn]] void rethrowBasisError(const Study& study, const ModelError& error) {
  if (error.dofs().empty()) {
    const bool held = !study.structure.fixed.empty();
    throw StudyError(StudyProblem{
        held ? "supports" : "nodes",
        fmt::format("{}: {}", error.what(), held ? "free some" : "give nodes a mass or elements")});
  }
  std::vector<StudyProblem> problems;
  for (const Dof dof : error.dofs())
    problems.push_back(problemAtNode(
        study, dof,
        fmt::format("{}; give it a spring or a mass, or fix it with [[supports]]", error.what())));
  throw StudyError(std::move(problems));
}

/// Truncation (static - modal flexibility) x contact stiffness, along each local axis.
Truncation flexibilityTruncationOfContact(const Study& study, std::size_t i, const Simulation& simulation,
                                          const StaticRemainder& remainder) {
  const ContactRequest& request = study.contacts[i];
  const Contact& contact = simulation.model.contacts.contacts()[i];
  const auto at = static_cast<Eigen::Index>(ContactSet::kAxes * i);
  Truncation truncation;
  const ClosedContact closed = stiffnessAndDampingOfClosedContact(contact);
  for (int axis = 0; axis < 3; ++axis) {
    const double stiffness = closed.stiffness[static_cast<std::size_t>(axis)];
    const Vector direction = contactDirection(request, axis, simulation.physical);
    if (stiffness == 0.0 || direction.isZero(0.0)) continue;
    // The basis does not lack the flexibility that acts in series with the contact.
    const double series = contact.coupled ? simulation.model.coupling.whole(at + axis, at + axis)
                                          : contact.compliance(axis, axis);
    const double left = std::max(0.0, remainder.flexibility(direction) - series);
    truncation.withoutResidual[axis] = std::max(0.0, stiffness * left);
    truncation.indicator[axis] =
        std::max(0.0, stiffness * (left - flexibilityOfResidualVectors(simulation.basis, direction)));
  }
  return truncation;
}

/// Adds warnings and notes about the basis.
void addWarningsAboutBasis(const Study& study, Simulation& simulation) {
  const ModalBasis& basis = simulation.basis;
  if (basis.missedModes > 0)
    simulation.warnings.push_back(fmt::format(
        "the basis cuts a group of equal frequencies at {:.6g} Hz: {} more belong to it ([basis] modes = {})",
        basis.frequency()[basis.modes() - 1], basis.missedModes, basis.modes() + basis.missedModes));
  if (const int asked = study.basis.selection.modes.value_or(basis.modes()); basis.modes() > asked)
    simulation.choices.push_back(
        fmt::format("{} modes, not {}: the last frequency, {:.6g} Hz, belongs to all of these", basis.modes(),
                    asked, basis.frequency()[basis.modes() - 1]));
  if (basis.masslessResponses > 0)
    simulation.warnings.push_back(fmt::format(
        "{} of the static responses left out by the modes move{} no mass and cannot become a "
        "residual vector: some contacts or loads are on massless dofs; give them a mass, or accept the "
        "truncation indicator",
        basis.masslessResponses, basis.masslessResponses == 1 ? "s" : ""));
  if (study.basis.loadResiduals && !study.movingLoads.empty())
    simulation.choices.push_back("basis.residual: no vectors for loads that move along beams");
  const auto travels = [](const ContactRequest& contact) { return contact.isTravelling(); };
  if (study.basis.contactResiduals && std::any_of(study.contacts.begin(), study.contacts.end(), travels))
    simulation.choices.push_back("basis.residual: no vectors for places of contacts that travel along beams");
  if (basis.residualVectors > 0 && study.basis.dampingRatio.size() > 1)
    simulation.choices.push_back(fmt::format(
        "damping ratio of the {} residual vector{} = {:.6g}: that of the last mode", basis.residualVectors,
        basis.residualVectors == 1 ? "" : "s", study.basis.dampingRatio.back()));
}

void warnOfTruncation(const Study& study, Simulation& simulation) {
  constexpr double kNoticeable = 0.05;
  for (std::size_t i = 0; i < simulation.truncation.size(); ++i)
    if (const double t = simulation.truncation[i].largest(); t > kNoticeable)
      simulation.warnings.push_back(fmt::format(
          "contact {}: the modes left out make the structure {:.0f} % of a contact spring too "
          "stiff there; take more modes ([basis] modes){}",
          study.contacts[i].name, 100.0 * t,
          study.basis.contactResiduals ? "" : " or residual vectors ([basis] residual = \"contacts\")"));
}

/// Throws StudyError if an imported matrix has negative eigenvalues, as the cause of a failed extraction.
/// `part`: "matrices[0].mass".
void requireDefiniteMatrix(const SparseMatrix& matrix, double rounding, const std::string& file,
                           const std::string& part) {
  const int negative = countNegativeEigenvalues(addRoundingToDiagonal(matrix, rounding));
  if (negative > 0)
    throw StudyError(StudyProblem{
        part, fmt::format("{} has {} negative eigenvalue{}, so that some motion has a negative energy; "
                          "correct the file: is it of another step, a sign, a row that is lost?",
                          file, negative, negative == 1 ? "" : "s")});
}

[[noreturn]] void rethrowBasisError(const Study& study, const BasisError& error) {
  for (std::size_t i = 0; i < study.structure.matrices.size(); ++i) {
    const MatrixBlock& block = study.structure.matrices[i];
    requireDefiniteMatrix(block.stiffness, block.rounding, block.stiffnessFile,
                          fmt::format("matrices[{}].stiffness", i));
    requireDefiniteMatrix(block.mass, block.rounding, block.massFile, fmt::format("matrices[{}].mass", i));
  }
  if (!error.dof()) throw StudyError(StudyProblem{"basis", error.what()});
  throw StudyError(problemAtNode(study, *error.dof(), error.what()));
}

}  // namespace

StudyProblem problemAtNode(const Study& study, Dof dof, std::string_view why) {
  return {"nodes." + study.nodes[static_cast<std::size_t>(dof.node.value)].name,
          fmt::format("{} of this node: {}", componentName(dof.component), why), partName(dof.node)};
}

ModalBasis computeModalBasisOfStudy(const Study& study, const PhysicalModel& physical) {
  ModalBasis basis;
  try {
    BasisSelection selection = study.basis.selection;
    selection.wholeMultiplets =
        study.basis.dampingRatio.size() <
        2;  // a list of ratios has one entry per mode, so the number of modes must not change
    basis = extractModes(physical, selection);
    addResidualVectors(basis, physical, directionsOfResidualVectors(study, physical));
  } catch (const BasisError& error) {
    rethrowBasisError(study, error);
  }
  const auto modes = static_cast<std::size_t>(basis.modes());
  std::vector<double> ratio = study.basis.dampingRatio;
  if (ratio.size() > 1 && ratio.size() != modes)
    throw StudyError(StudyProblem{
        "basis.damping_ratio",
        fmt::format("must be one number, or one per mode: the basis has {}, got {}", modes, ratio.size())});
  // A single ratio is valid for all modes; the last ratio of a list is also valid for the residual vectors.
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

PhysicalModel assembleStudy(const Study& study) {
  try {
    return assembleModel(study.structure);
  } catch (const ModelError& error) {
    rethrowBasisError(study, error);
  }
}

std::unique_ptr<Simulation> prepare(const Study& study) {
  auto simulation = std::make_unique<Simulation>();
  simulation->physical = assembleStudy(study);
  simulation->basis = computeModalBasisOfStudy(study, simulation->physical);
  addWarningsAboutBasis(study, *simulation);
  projectStudy(study, *simulation);
  if (!study.contacts.empty()) {
    const StaticRemainder remainder(simulation->basis, simulation->physical);
    for (std::size_t i = 0; i < study.contacts.size(); ++i)
      simulation->truncation.push_back(flexibilityTruncationOfContact(study, i, *simulation, remainder));
    warnOfTruncation(study, *simulation);
  }
  return simulation;
}

}  // namespace ricochet
