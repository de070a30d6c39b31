#include "engine/study/coordinates.hpp"

#include "engine/study/supports.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ricochet {

Vector generalizedForce(const Simulation& simulation, const Vector& force) {
  if (simulation.mode == Mode::modal) return simulation.basis.shapes.transpose() * force;
  return simulation.toDofs.transpose() * force;
}

Vector displacementFieldOfCoordinates(const Simulation& simulation, const Vector& coordinates) {
  if (simulation.mode == Mode::modal) return simulation.basis.shapes * coordinates;
  return simulation.toDofs * coordinates;
}

ProjectedField projectField(const Simulation& simulation, const Vector& field) {
  if (simulation.mode == Mode::modal) return projectField(simulation.basis, simulation.physical, field);
  const auto mass = simulation.direct.linear.elimination->factorize(simulation.consistentMass, 0.0);
  if (!mass) throw std::runtime_error("the mass matrix is singular");
  const SparseMatrix& full = simulation.physical.fullMass;
  ProjectedField projected;
  Matrix found = simulation.toDofs.transpose() * (full * field);
  mass->solve(found);
  projected.coordinates = found;
  const double largest = field.lpNorm<Eigen::Infinity>();
  if (!(largest > 0.0)) return projected;
  // Squares of a small field would underflow.
  const Vector given = field / largest,
               missing = (field - simulation.toDofs * projected.coordinates) / largest;
  const double whole = given.dot(full * given);
  if (whole > 0.0) projected.remainder = std::sqrt(std::max(0.0, missing.dot(full * missing)) / whole);
  return projected;
}

Vector coordinatesOfStaticMode(const Simulation& simulation, const Vector& staticMode) {
  if (simulation.mode == Mode::modal)
    return simulation.basis.shapes.transpose() * (simulation.physical.fullMass * staticMode);
  const std::vector<DofIndex>& independent = simulation.physical.dofs.independentDofs();
  Vector part(simulation.size());
  for (Eigen::Index i = 0; i < part.size(); ++i) {
    const int kept = simulation.kept[static_cast<std::size_t>(i)];
    part[i] = staticMode[independent[static_cast<std::size_t>(kept)].value];
  }
  return part;
}

LinearForces linearForcesAlongVector(const Simulation& simulation, const Vector& p) {
  const ModalBasis& basis = simulation.basis;
  if (simulation.mode == Mode::modal) return {p, basis.damping * p, basis.eigenvalue.cwiseProduct(p)};
  const DirectSystem& linear = simulation.direct.linear;
  return {linear.mass * p, linear.damping * p + linear.modalDampingForce(p), linear.stiffness * p};
}

bool Simulation::isMotionUnknown(Dof dof) const {
  const DofIndex index = physical.dofs.find(dof);
  return index.exists() &&
         std::ranges::any_of(unknown, [&](const Vector& field) { return field[index.value] != 0.0; });
}

StudyProblem problemOfUnknownMotion(const Study& study, Dof dof) {
  const std::string_view why =
      study.basis.rayleigh.stiffness != 0.0
          ? "a load moves it against springs that `basis.rayleigh.stiffness` damps: this motion, of first "
            "order in time, is not computed; damp the modes by `basis.damping_ratio`"
      : !study.movingLoads.empty() ? "a load that travels moves it at once: this motion is not computed"
                                   : "a load moves it at once with others: this motion is not computed";
  return {"nodes",
          fmt::format(
              "{} of node {} has no mass, and {}, give the node a mass, however small, or leave it out "
              "of `output.nodes`, outputs and checks",
              componentName(dof.component), study.nodes[static_cast<std::size_t>(dof.node.value)].name, why),
          partName(dof.node)};
}

ImposedMotion Simulation::imposedMotion(Dof dof, Kinematic kind, bool absolute) const {
  if (isMotionUnknown(dof))
    throw StudyError(StudyProblem{
        "nodes",
        fmt::format(
            "{} of this node, which is asked for, has no mass and moves under a load in a way that is "
            "not computed: give the node a mass, however small, or leave it out of `output.nodes`, "
            "outputs and checks",
            componentName(dof.component)),
        partName(dof.node)});
  ImposedMotion motion(imposed, physical.dofs, dof, kind, absolute);
  if (absolute && !physical.dofs.find(dof).exists()) motion.addMotionOfBase(imposed, physical, dof, kind);
  motion.addContacts(contactFields, physical.dofs, dof, kind);
  motion.addLinks(linkFields, physical.dofs, dof, kind);
  return motion;
}

Eigen::RowVectorXd Simulation::row(Dof dof) const {
  if (mode == Mode::modal) return modeShapeRow(basis, physical.dofs, dof);
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(size());
  if (const DofIndex i = physical.dofs.find(dof); i.exists())
    for (RowMajorMatrix::InnerIterator it(toDofs, i.value); it; ++it) row[it.col()] = it.value();
  return row;
}

RowMajorMatrix Simulation::rows(const std::vector<Dof>& dofs) const {
  if (mode == Mode::modal) return modeShapeRows(basis, physical.dofs, dofs).sparseView(1.0, 0.0);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < dofs.size(); ++i)
    if (const DofIndex dof = physical.dofs.find(dofs[i]); dof.exists())
      for (RowMajorMatrix::InnerIterator it(toDofs, dof.value); it; ++it)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(it.col()), it.value());
  RowMajorMatrix picked(static_cast<Eigen::Index>(dofs.size()), size());
  picked.setFromTriplets(entries.begin(), entries.end());
  return picked;
}

std::size_t countPartsThatResolveModes(const Simulation& simulation, double h, double phase) {
  const SchemeTraits* scheme = schemeTraits(simulation.scheme);
  if (scheme == nullptr || !scheme->exactDrift || simulation.mode != Mode::modal) return 1;
  if (simulation.scheme == kEventScheme) return 1;  // a step ends where its series does
  const Vector& squares = simulation.model.linear.omegaSquared;
  const double fastest = squares.size() > 0 ? std::sqrt(std::max(0.0, squares.maxCoeff())) : 0.0;
  return std::max<std::size_t>(1, static_cast<std::size_t>(std::ceil(fastest * h / phase)));
}

std::size_t countPartsSampledInStep(const Simulation& simulation) {
  constexpr std::size_t kOfHighOrder = 16;
  // The parabola through three samples has the height of a peak to 6e-5 of the amplitude; the cubic through
  // the ends of a step four times as long, to 3e-3.
  constexpr double kPhase = 0.25;
  constexpr std::size_t kOfCubic = 4;
  const SchemeTraits* scheme = schemeTraits(simulation.scheme);
  if (simulation.scheme == kEventScheme) return 1;
  if (scheme != nullptr && scheme->adaptive && scheme->order != 2) return kOfHighOrder;
  const std::size_t parts = countPartsThatResolveModes(simulation, simulation.step, kPhase);
  return parts > kOfCubic ? parts : 1;
}

}  // namespace ricochet
