#include "io/result/restored_reaction.hpp"

#include "engine/functions/function_series.hpp"
#include "engine/study/moving_loads.hpp"
#include "io/result/restore.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace ricochet {
namespace {

using RowMajor = RestoredField::RowMajor;

/// A dof that a support fixes, and its column in the rows of the output.
struct FixedDof {
  Dof dof;
  DofIndex index;
  std::size_t place;
};

std::vector<FixedDof> fixedDofs(const RestoredNodes& nodes, const PhysicalModel& physical) {
  std::vector<FixedDof> found;
  for (std::size_t i = 0; i < nodes.size(); ++i)
    for (std::size_t c = 0; c < nodes.components(); ++c) {
      const DofIndex index{static_cast<int>(nodes.dofs[i][c])};
      if (nodes.dofs[i][c] < 0 || !physical.dofs.isFixed(index)) continue;
      found.push_back(
          {{nodes.nodes[i], componentAt(static_cast<int>(c))}, index, i * nodes.components() + c});
    }
  return found;
}

/// Force of a moving load on a dof of its path.
double forceOn(Dof dof, const MovingLoadRequest& load, const std::vector<WayElement>& way, double t) {
  const std::optional<LoadedElement> loaded = loadedElement(load, way, t);
  if (!loaded) return 0.0;
  const int component = static_cast<int>(dof.component);
  double sum = 0.0;
  if (loaded->on->first == dof.node) sum += loaded->forces[component];
  if (loaded->on->second == dof.node) sum += loaded->forces[kComponents + component];
  return sum;
}

void subtractInertia(const std::vector<FieldLoad>& loads, const std::vector<FixedDof>& fixed,
                     RestoredField& field) {
  for (const FixedDof& each : fixed)
    for (const FieldLoad& load : loads)
      if (const double force = load.force[each.index.value]; force != 0.0)
        field.forces.emplace_back(each.place,
                                  [force, scale = load.scale](double t) { return -force * scale.at(t); });
}

void subtractLoads(const Deck& study, const std::vector<FixedDof>& fixed, RestoredField& field) {
  for (const FixedDof& each : fixed)
    for (const NodalLoad& load : study.loads) {
      const double force = load.components[static_cast<std::size_t>(each.dof.component)];
      if (load.node != each.dof.node || force == 0.0) continue;
      field.forces.emplace_back(each.place,
                                [force, scale = load.scale](double t) { return -force * scale.at(t); });
    }
  for (const MovingLoadRequest& load : study.movingLoads) {
    const auto way = std::make_shared<const std::vector<WayElement>>(pathElements(load, study));
    for (const FixedDof& each : fixed) {
      const auto touches = [&](const WayElement& e) {
        return e.first == each.dof.node || e.second == each.dof.node;
      };
      if (std::any_of(way->begin(), way->end(), touches))
        field.forces.emplace_back(
            each.place, [dof = each.dof, load, way](double t) { return -forceOn(dof, load, *way, t); });
    }
  }
}

/// Adds K u of the dofs without inertia that loads move in addition to the coordinates.
void addMasslessResponses(const std::vector<ImposedField>& imposed, const PhysicalModel& physical,
                          const std::vector<FixedDof>& fixed, RestoredField& field) {
  for (const ImposedField& each : imposed) {
    if (!each.isDifferentiated) continue;
    for (const FixedDof& held : fixed) {
      double force = 0.0;
      for (SparseMatrix::InnerIterator it(physical.supportStiffness, held.index.value); it; ++it)
        force +=
            it.value() * each.field[physical.dofs.independent()[static_cast<std::size_t>(it.row())].value];
      if (force != 0.0)
        field.forces.emplace_back(held.place,
                                  [force, scale = *each.of[0]](double t) { return force * scale.at(t); });
    }
  }
}

}  // namespace

RestoredField reactionField(const H5File& result, const RestoredNodes& nodes, const Deck& study,
                            const PhysicalModel& physical, const std::vector<ImposedField>& imposed) {
  const auto ofSupports = [](const BaseMotion& motion) { return motion.ofSupports; };
  if (std::any_of(study.baseMotions.begin(), study.baseMotions.end(), ofSupports))
    throw RestoreError("reactions are not supported yet where some supports move against others");
  const std::vector<FixedDof> fixed = fixedDofs(nodes, physical);
  if (fixed.empty()) throw RestoreError("no support fixes any of these nodes: there is no reaction");
  const std::size_t width = result.rows("/modal/eigenvalue");
  const auto modes = static_cast<Eigen::Index>(width);
  const auto size = static_cast<Eigen::Index>(nodes.size() * nodes.components());
  // Rows of A for the independent dofs: the columns of T^t A^t that belong to fixed dofs.
  const auto add = [&](const SparseMatrix& columns, RowMajor& rows) {
    for (const FixedDof& each : fixed)
      for (SparseMatrix::InnerIterator it(columns, each.index.value); it; ++it) {
        const auto full =
            static_cast<std::size_t>(physical.dofs.independent()[static_cast<std::size_t>(it.row())].value);
        const std::vector<double> shape = result.readRows("/modal/shapes", full, 1, {width}).values;
        rows.row(static_cast<Eigen::Index>(each.place)) +=
            it.value() * Eigen::RowVectorXd::Map(shape.data(), modes);
      }
  };
  RestoredField field{RestoredField::kReaction, "N", {}, {}, {}, {}};
  const auto addPart = [&](const SparseMatrix& columns, Kinematic kind, RestoredField::OfTime factor) {
    RowMajor rows = RowMajor::Zero(size, modes);
    add(columns, rows);
    if (kind == Kinematic::displacement || !rows.isZero(0.0))
      field.parts.push_back({std::move(rows), kind, std::move(factor)});
  };
  addPart(physical.supportStiffness, Kinematic::displacement, {});
  addPart(physical.supportDampingRows, Kinematic::velocity, {});
  const SparseMatrix mass = physical.dofs.transformation().transpose() * physical.fullMass;
  addPart(mass, Kinematic::acceleration, {});
  const RayleighDamping& rayleigh = study.basis.rayleigh;
  if (rayleigh.stiffness != 0.0)
    addPart(rayleigh.stiffness * physical.supportStiffness, Kinematic::velocity, {});
  if (rayleigh.mass != 0.0) addPart(rayleigh.mass * mass, Kinematic::velocity, {});
  const double start = study.transient ? study.transient->start : 0.0;
  for (const SpinRequest& spin : study.spins) {
    const SparseMatrix rows = gyroscopicRows(study.structure, physical.dofs, spin.elements);
    const TimeFunction& speed = spin.speed;
    addPart(rows, Kinematic::velocity,
            [speed, included = speed.at(start)](double t) { return derivativesAt(speed, t)[0] - included; });
    addPart(rows, Kinematic::displacement, [speed](double t) { return derivativesAt(speed, t)[1]; });
  }
  subtractLoads(study, fixed, field);
  addMasslessResponses(imposed, physical, fixed, field);
  subtractInertia(inertiaLoads(study, physical, imposed), fixed, field);
  return field;
}

}  // namespace ricochet
