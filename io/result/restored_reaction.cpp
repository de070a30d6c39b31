#include "io/result/restored_reaction.hpp"

#include "engine/contact/followed.hpp"
#include "engine/functions/function_series.hpp"
#include "engine/study/moving_loads.hpp"
#include "io/archive/result_names.hpp"
#include "io/result/contact_table.hpp"
#include "io/result/restore.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <unordered_map>

namespace ricochet {
namespace {

using RowMajor = RestoredField::RowMajor;

/// A dof that a support fixes, and its column in the rows of the output. `index` does not exist for a node
/// without elements, on which only contacts, links and loads act.
struct FixedDof {
  Dof dof;
  DofIndex index;
  std::size_t place;
};

std::vector<FixedDof> fixedDofs(const RestoredNodes& nodes, const Deck& study,
                                const PhysicalModel& physical) {
  std::unordered_map<int, std::size_t> places;
  for (std::size_t i = 0; i < nodes.size(); ++i) places.emplace(nodes.nodes[i].value, i);
  std::map<std::size_t, FixedDof> found;  // two supports may fix one dof
  for (const Dof& dof : study.structure.fixed) {
    const auto node = places.find(dof.node.value);
    const auto component = static_cast<std::size_t>(dof.component);
    if (node == places.end() || component >= nodes.componentCount()) continue;
    const std::size_t place = node->second * nodes.componentCount() + component;
    found.emplace(place, FixedDof{dof, physical.dofs.find(dof), place});
  }
  std::vector<FixedDof> fixed;
  for (const auto& each : found) fixed.push_back(each.second);
  return fixed;
}

/// Throws if a relation ties one of these dofs to a free one: it puts a force on the support that the rows of
/// the matrices do not contain.
void requireNoRelationOnFixedDofs(const std::vector<FixedDof>& fixed, const Deck& study) {
  const auto isFixed = [&](const Dof& dof) {
    return std::find(study.structure.fixed.begin(), study.structure.fixed.end(), dof) !=
           study.structure.fixed.end();
  };
  for (const LinearRelation& relation : study.structure.relations)
    for (const LinearRelation::Term& term : relation.terms)
      if (std::any_of(fixed.begin(), fixed.end(), [&](const FixedDof& f) { return f.dof == term.dof; }) &&
          !std::all_of(relation.terms.begin(), relation.terms.end(),
                       [&](const LinearRelation::Term& other) { return isFixed(other.dof); }))
        throw RestoreError(fmt::format(
            "{} of node {} is fixed and a term of a relation, whose force on the support is not computed: "
            "ask for the reactions of other --nodes, or hold what the relation ties by stiff springs",
            componentName(term.dof.component),
            study.nodes[static_cast<std::size_t>(term.dof.node.value)].name));
}

/// Force of a moving load on a dof of its path.
double forceOfMovingLoadOnDof(Dof dof, const MovingLoadRequest& load, const std::vector<WayElement>& way,
                              double t) {
  const std::optional<LoadedElement> loaded = elementUnderMovingLoad(load, way, t);
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
      if (const double force = each.index.exists() ? load.force[each.index.value] : 0.0; force != 0.0)
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
    const auto way = std::make_shared<const std::vector<WayElement>>(elementsOnTravelPath(load, study));
    for (const FixedDof& each : fixed) {
      const auto touches = [&](const WayElement& e) {
        return e.first == each.dof.node || e.second == each.dof.node;
      };
      if (std::any_of(way->begin(), way->end(), touches))
        field.forces.emplace_back(each.place, [dof = each.dof, load, way](double t) {
          return -forceOfMovingLoadOnDof(dof, load, *way, t);
        });
    }
  }
}

/// Adds K u of what loads move in addition to the coordinates: dofs without inertia, and the static response
/// that the basis leaves out (`static_correction`).
void addResponsesToLoads(const std::vector<ImposedField>& imposed, const PhysicalModel& physical,
                         const std::vector<FixedDof>& fixed, RestoredField& field) {
  for (const ImposedField& each : imposed) {
    if (each.isBase || !each.supports.empty()) continue;
    for (const FixedDof& held : fixed) {
      if (!held.index.exists()) continue;
      double force = 0.0;
      for (SparseMatrix::InnerIterator it(physical.supportStiffness, held.index.value); it; ++it)
        force += it.value() *
                 each.field[physical.dofs.independentDofs()[static_cast<std::size_t>(it.row())].value];
      if (force != 0.0)
        field.forces.emplace_back(held.place,
                                  [force, scale = *each.of[0]](double t) { return force * scale.at(t); });
    }
  }
}

/// Force of a contact on its first node along e1, e2, e3, moment of an area about ContactRequest::spinAxis,
/// and force along the row of the rotation of a body that rolls.
using ContactForce = Eigen::Matrix<double, 5, 1>;

/// A contact that acts on fixed dofs.
struct ContactOnSupports {
  AnyObstacle obstacle;
  bool isRolling, isArea;
  std::size_t column;                                      ///< column in the datasets of the contact table
  std::vector<std::pair<std::size_t, ContactForce>> onto;  ///< output column, reaction per unit force
};

/// Reaction at a fixed dof of the first (k = 0) or second node of a contact per unit of ContactForce.
ContactForce reactionComponentPerContactForce(const ContactRequest& contact, std::size_t k,
                                              Component component) {
  const double sign = k == 0 ? 1.0 : -1.0;
  const auto c = static_cast<Eigen::Index>(component);
  ContactForce reaction = ContactForce::Zero();
  if (c < 3) {
    reaction.head<3>() = -sign * contact.frame.col(c);
    return reaction;
  }
  if (contact.friction.patch) reaction[3] = -sign * contact.spinAxis()[c - 3];
  reaction[4] = -contact.rollingRadius[k] * contact.rollAxis()[c - 3];
  return reaction;
}

/// Throws if the place of the node does not tell to which side it is pushed.
void requireKnownContactSide(const ContactRequest& contact) {
  const bool isAtCentre = visitObstacleShape(contact.obstacle, [](const auto& shape) {
    if constexpr (requires { shape.clearance; }) return shape.clearance == 0.0;
    return false;
  });
  if (isAtCentre && traitsOf(contact.normal).setValued)
    throw RestoreError(fmt::format(
        "contact {} holds a node of these rigidly and without clearance: the result does not tell to which "
        "side it pushes, so that the reaction of the support is unknown; give it `normal.stiffness` or a gap",
        contact.name));
}

ContactOnSupports contactOnSupports(const ContactRequest& contact, const std::vector<FixedDof>& fixed) {
  ContactOnSupports found{contact.obstacle, contact.isRolling(), contact.friction.patch != nullptr, 0, {}};
  const std::array<std::optional<NodeIndex>, 2> nodes{contact.first, contact.second};
  for (std::size_t k = 0; k < nodes.size(); ++k)
    for (const FixedDof& each : fixed)
      if (nodes[k] && each.dof.node == *nodes[k])
        if (const ContactForce r = reactionComponentPerContactForce(contact, k, each.dof.component);
            !r.isZero(0.0))
          found.onto.emplace_back(each.place, r);
  return found;
}

/// Values of a dataset in some archived rows; consecutive rows are read together.
std::vector<double> readDatasetRows(const H5File& result, const std::string& path, const H5Shape& shape,
                                    std::span<const std::size_t> rows) {
  std::vector<double> values;
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
    const std::vector<double> read = result.readRows(path, rows[i], end - i, shape).values;
    values.insert(values.end(), read.begin(), read.end());
    i = end;
  }
  return values;
}

/// Force of a contact from what a result holds: in the frame of results at the archived position.
ContactForce contactForceFromResult(const ContactOnSupports& contact, double normal, const double* tangential,
                                    const double* position, double spinMoment) {
  const Local<double> x{position[0], position[1], position[2]};
  const ContactFrame<double> frame =
      contactFrameInResults(tangentKind(contact.obstacle), gapAndNormalOf(contact.obstacle, x).normal);
  ContactForce force = ContactForce::Zero();
  for (std::size_t a = 0; a < 3; ++a)
    force[static_cast<Eigen::Index>(a)] =
        normal * frame.normal[a] + tangential[0] * frame.first[a] + tangential[1] * frame.second[a];
  // the moment is archived from tangent 1 to tangent 2, and the first turns over with the normal of a plane
  force[3] = isCurved(contact.obstacle) ? spinMoment : frame.normal[0] * spinMoment;
  if (contact.isRolling) force[4] = -rollingSlipFactor(frame) * tangential[0];
  return force;
}

/// Subtracts the forces of contacts whose histories are in one group, `columns` contacts side by side.
void subtractContactForces(const H5File& result, const std::string& group, std::size_t columns,
                           std::vector<ContactOnSupports> contacts, RestoredField& field) {
  const bool inTable = columns > 1;
  const auto shape = [&](std::size_t parts) {
    H5Shape row;
    if (inTable) row.push_back(columns);
    if (parts > 1) row.push_back(parts);
    return row;
  };
  field.archivedValues += 7 * columns;
  field.archived.emplace_back([&result, group, columns, contacts = std::move(contacts), one = shape(1),
                               two = shape(2),
                               three = shape(3)](std::span<const std::size_t> rows, RowMajor& values) {
    const std::vector<double> normal = readDatasetRows(result, group + "/normal_force", one, rows),
                              tangential = readDatasetRows(result, group + "/tangential_force", two, rows),
                              position = readDatasetRows(result, group + "/position", three, rows);
    std::vector<double> spin(normal.size(), 0.0);
    if (contacts.front().isArea) spin = readDatasetRows(result, group + "/spin_moment", one, rows);
    for (std::size_t i = 0; i < rows.size(); ++i)
      for (const ContactOnSupports& contact : contacts) {
        const std::size_t at = i * columns + contact.column;
        const ContactForce force = contactForceFromResult(contact, normal[at], tangential.data() + 2 * at,
                                                          position.data() + 3 * at, spin[at]);
        for (const auto& [place, reaction] : contact.onto)
          values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(place)) += reaction.dot(force);
      }
  });
}

void subtractForcesOfContacts(const H5File& result, const Deck& study, const std::vector<FixedDof>& fixed,
                              RestoredField& field) {
  std::vector<ContactOnSupports> inTable;
  const bool hasTable = areContactsStoredInTable(study);
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    const ContactRequest& contact = study.contacts[i];
    ContactOnSupports found = contactOnSupports(contact, fixed);
    if (found.onto.empty()) continue;
    requireKnownContactSide(contact);
    found.column = hasTable ? i : 0;
    if (hasTable)
      inTable.push_back(std::move(found));
    else
      subtractContactForces(result, contactGroupPath(contact.name), 1, {std::move(found)}, field);
  }
  if (!inTable.empty())
    subtractContactForces(result, contactTablePath(Mode::modal), study.contacts.size(), std::move(inTable),
                          field);
}

/// The force f of a link pushes its first node by -f and its second by f.
void subtractForcesOfLinks(const H5File& result, const Deck& study, const std::vector<FixedDof>& fixed,
                           RestoredField& field) {
  for (const LinkRequest& link : study.links) {
    const std::size_t axes = link.axes.size();
    std::vector<std::pair<std::size_t, Eigen::Vector2d>> onto;  // output column, reaction per unit force
    for (const FixedDof& each : fixed) {
      Eigen::Vector2d reaction = Eigen::Vector2d::Zero();
      for (std::size_t axis = 0; axis < axes; ++axis) {
        const double along = link.axes[axis][static_cast<std::size_t>(each.dof.component)];
        if (each.dof.node == link.first) reaction[static_cast<Eigen::Index>(axis)] += along;
        if (link.second && each.dof.node == *link.second) reaction[static_cast<Eigen::Index>(axis)] -= along;
      }
      if (!reaction.isZero(0.0)) onto.emplace_back(each.place, reaction);
    }
    if (onto.empty()) continue;
    field.archivedValues += axes;
    field.archived.emplace_back([&result, path = linkGroupPath(link.name) + "/force", axes, onto](
                                    std::span<const std::size_t> rows, RowMajor& values) {
      const std::vector<double> force =
          readDatasetRows(result, path, axes > 1 ? H5Shape{axes} : H5Shape{}, rows);
      for (std::size_t i = 0; i < rows.size(); ++i)
        for (const auto& [place, reaction] : onto)
          for (std::size_t axis = 0; axis < axes; ++axis)
            values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(place)) +=
                reaction[static_cast<Eigen::Index>(axis)] * force[i * axes + axis];
    });
  }
}

}  // namespace

bool doContactsLoadFixedRotations(const RestoredNodes& nodes, const Deck& study) {
  const auto holds = [&](std::optional<NodeIndex> node) {
    if (!node || std::find(nodes.nodes.begin(), nodes.nodes.end(), *node) == nodes.nodes.end()) return false;
    return std::any_of(study.structure.fixed.begin(), study.structure.fixed.end(), [&](const Dof& dof) {
      return dof.node == *node && static_cast<int>(dof.component) > 2;
    });
  };
  return std::any_of(study.links.begin(), study.links.end(),
                     [&](const LinkRequest& link) {
                       return link.isRotational() && (holds(link.first) || holds(link.second));
                     }) ||
         std::any_of(study.contacts.begin(), study.contacts.end(), [&](const ContactRequest& contact) {
           return (contact.friction.patch || contact.isRolling()) &&
                  (holds(contact.first) || holds(contact.second));
         });
}

RestoredField reactionField(const H5File& result, const RestoredNodes& nodes, const Deck& study,
                            const PhysicalModel& physical, const std::vector<ImposedField>& imposed) {
  const auto ofSupports = [](const BaseMotion& motion) { return motion.ofSupports; };
  if (std::any_of(study.baseMotions.begin(), study.baseMotions.end(), ofSupports))
    throw RestoreError("reactions are not supported yet where some supports move against others");
  const std::vector<FixedDof> fixed = fixedDofs(nodes, study, physical);
  if (fixed.empty()) throw RestoreError("no support fixes any of these nodes: there is no reaction");
  requireNoRelationOnFixedDofs(fixed, study);
  const std::size_t width = result.rows("/modal/eigenvalue");
  const auto modes = static_cast<Eigen::Index>(width);
  const auto size = static_cast<Eigen::Index>(nodes.size() * nodes.componentCount());
  // Rows of A for the independent dofs: the columns of T^t A^t that belong to fixed dofs.
  const auto add = [&](const SparseMatrix& columns, RowMajor& rows) {
    for (const FixedDof& each : fixed) {
      if (!each.index.exists()) continue;
      for (SparseMatrix::InnerIterator it(columns, each.index.value); it; ++it) {
        const auto full = static_cast<std::size_t>(
            physical.dofs.independentDofs()[static_cast<std::size_t>(it.row())].value);
        const std::vector<double> shape = result.readRows("/modal/shapes", full, 1, {width}).values;
        rows.row(static_cast<Eigen::Index>(each.place)) +=
            it.value() * Eigen::RowVectorXd::Map(shape.data(), modes);
      }
    }
  };
  RestoredField field;
  field.name = RestoredField::kReaction;
  field.unit = "N";
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
    const SparseMatrix rows = reducedGyroscopicRows(study.structure, physical.dofs, spin.elements);
    const TimeFunction& speed = spin.speed;
    addPart(rows, Kinematic::velocity, [speed, included = speed.at(start)](double t) {
      return valueAndDerivativesAt(speed, t)[0] - included;
    });
    addPart(rows, Kinematic::displacement, [speed](double t) { return valueAndDerivativesAt(speed, t)[1]; });
  }
  subtractLoads(study, fixed, field);
  addResponsesToLoads(imposed, physical, fixed, field);
  subtractInertia(inertiaLoads(study, physical, imposed), fixed, field);
  subtractForcesOfContacts(result, study, fixed, field);
  subtractForcesOfLinks(result, study, fixed, field);
  return field;
}

}  // namespace ricochet
