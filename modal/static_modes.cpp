#include "modal/static_modes.hpp"

#include "modal/eigen_solver.hpp"
#include "modal/solvers/elastic_inverse.hpp"
#include "physical/sparse.hpp"

#include <Eigen/Geometry>

namespace ricochet {

double rigidDisplacementOfDof(const PhysicalModel& model, Dof dof,
                              const std::array<double, kComponents>& direction) {
  const Vec3 translation(direction[0], direction[1], direction[2]);
  const Vec3 rotation(direction[3], direction[4], direction[5]);
  const int c = static_cast<int>(dof.component);
  const auto node = static_cast<std::size_t>(dof.node.value);
  // the amplitude belongs to the deformation of an element, or to a mode of a part: no rigid motion
  if (node < model.isUnplaced.size() && model.isUnplaced[node]) return 0.0;
  return c < 3 ? (translation + rotation.cross(model.positions[node]))[c] : rotation[c - 3];
}

Vector rigidDisplacementField(const PhysicalModel& model, const std::array<double, kComponents>& direction) {
  Vector field(model.dofs.totalDofCount());
  for (int i = 0; i < model.dofs.totalDofCount(); ++i)
    field[i] = rigidDisplacementOfDof(model, model.dofs.dof(DofIndex{i}), direction);
  return field;
}

Vector staticResponseToSupportMotion(const PhysicalModel& model, const Vector& imposed) {
  const StructureInverse inverse(model);
  const Vector load = model.supportStiffness * imposed;
  if (inverse.doesLoadActOnUnconstrainedPart(load))
    throw BasisError(
        "the supports leave the structure free to move without stiffness, so that nothing says how it "
        "follows "
        "one of them: fix it, or move it as a whole (without `supports`)");
  const SparseMatrix& t = model.dofs.transformation();
  return imposed - t * inverse.elasticResponse(load);
}

}  // namespace ricochet
