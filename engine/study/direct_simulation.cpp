// The linear system of a study in physical coordinates.

#include "engine/study/simulation.hpp"
#include "physical/assembly/massless.hpp"
#include "physical/model_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

namespace ricochet {
namespace {

[[noreturn]] void throwStudyError(std::string_view why) {
  throw StudyError(StudyProblem{"direct", std::string(why)});
}

DynamicModel condenseMasslessDofs(const Study& study, const PhysicalModel& physical) {
  try {
    return condenseToDynamicModel(physical);
  } catch (const ModelError& error) {
    const std::string why = fmt::format("{}; give it a mass, or a spring to one that has", error.what());
    if (error.dofs().empty()) throwStudyError(why);
    throw StudyError(problemAtNode(study, error.dofs().front(), why));
  }
}

/// Lumped mass matrix: each dof gets the sum of its row of M over dofs with the same component.
SparseMatrix lumpedMass(const PhysicalModel& physical, const DynamicModel& dynamic) {
  const auto componentOf = [&](Eigen::Index i) {
    const int reduced = dynamic.kept[static_cast<std::size_t>(i)];
    return physical.dofs.dof(physical.dofs.independentDofs()[static_cast<std::size_t>(reduced)]).component;
  };
  Vector sum = Vector::Zero(dynamic.mass.rows());
  for (Eigen::Index j = 0; j < dynamic.mass.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(dynamic.mass, j); it; ++it)
      if (componentOf(it.row()) == componentOf(it.col())) sum[it.row()] += it.value();
  if (!(sum.minCoeff() > 0.0))
    throwStudyError("mass = \"lumped\" leaves a degree of freedom without mass; take \"consistent\"");
  SparseMatrix diagonal(sum.size(), sum.size());
  diagonal.reserve(Eigen::VectorXi::Ones(sum.size()));
  for (Eigen::Index i = 0; i < sum.size(); ++i) diagonal.insert(i, i) = sum[i];
  return diagonal;
}

/// Adds the modal damping of the basis, if the study has modal damping.
void addModalDamping(const DynamicModel& dynamic, const ModalBasis& basis, const std::vector<double>& ratio,
                     DirectSystem& linear) {
  const Vector omega = basis.omega();
  std::vector<Eigen::Index> damped;
  const auto ratioOf = [&](Eigen::Index i) {
    return ratio[std::min(static_cast<std::size_t>(i), ratio.size() - 1)];
  };
  for (Eigen::Index i = 0; i < omega.size(); ++i)
    if (ratioOf(i) * omega[i] > 0.0) damped.push_back(i);
  Matrix shapes(static_cast<Eigen::Index>(dynamic.kept.size()), static_cast<Eigen::Index>(damped.size()));
  linear.dampingRates.resize(shapes.cols());
  for (Eigen::Index j = 0; j < shapes.cols(); ++j) {
    const Eigen::Index mode = damped[static_cast<std::size_t>(j)];
    linear.dampingRates[j] = 2.0 * ratioOf(mode) * omega[mode];
    for (Eigen::Index i = 0; i < shapes.rows(); ++i)
      shapes(i, j) = basis.reducedShapes(dynamic.kept[static_cast<std::size_t>(i)], mode);
  }
  linear.dampingShapes = linear.mass * shapes;
}

DirectSystem makeDirectSystem(const Study& study, const Simulation* modal, Simulation& simulation,
                              const DynamicModel& dynamic) {
  DirectSystem linear;
  linear.mass = study.direct.lumped ? lumpedMass(simulation.physical, dynamic) : dynamic.mass;
  linear.stiffness = dynamic.stiffness;
  const RayleighDamping& rayleigh = study.basis.rayleigh;
  linear.damping = dynamic.damping;
  if (rayleigh.mass != 0.0) linear.damping += rayleigh.mass * linear.mass;
  if (rayleigh.stiffness != 0.0) linear.damping += rayleigh.stiffness * linear.stiffness;
  linear.damping.prune(0.0);
  const std::vector<double>& ratio = study.basis.dampingRatio;
  if (std::any_of(ratio.begin(), ratio.end(), [](double r) { return r > 0.0; })) {
    simulation.basis = modal != nullptr ? modal->basis : computeModalBasisOfStudy(study, simulation.physical);
    addModalDamping(dynamic, simulation.basis, ratio, linear);
  }
  linear.elimination = std::make_shared<const Elimination>(
      SparseMatrix(linear.mass.cwiseAbs() + linear.damping.cwiseAbs()) + linear.stiffness.cwiseAbs());
  return linear;
}

}  // namespace

std::unique_ptr<Simulation> prepareDirectSimulation(const Study& study, const Simulation* modal) {
  if (!study.spins.empty())
    throw StudyError(StudyProblem{
        "direct", "the direct mode cannot follow a spin that varies; the modal mode can", "spins[0]"});
  auto simulation = std::make_unique<Simulation>();
  simulation->mode = Mode::direct;
  simulation->physical = modal != nullptr ? modal->physical : assembleStudy(study);
  DynamicModel dynamic = condenseMasslessDofs(study, simulation->physical);
  simulation->toDofs = dynamic.transformation;
  simulation->direct.linear = makeDirectSystem(study, modal, *simulation, dynamic);
  simulation->kept = std::move(dynamic.kept);
  simulation->consistentMass = std::move(dynamic.mass);
  try {
    static_cast<void>(DirectFactor(simulation->direct.linear, 0.0, 0.0));  // throws if M is singular
    projectStudy(study, *simulation);
  } catch (const StudyError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throwStudyError(fmt::format("{}; the modal mode takes such a structure", error.what()));
  }
  return simulation;
}

}  // namespace ricochet
