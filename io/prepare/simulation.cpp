#include "io/prepare/simulation.hpp"

#include "io/prepare/contact_drift.hpp"
#include "io/prepare/equilibrium.hpp"
#include "io/prepare/moving_loads.hpp"
#include "io/prepare/push_directions.hpp"
#include "io/prepare/restart.hpp"
#include "io/prepare/scheme_choice.hpp"
#include "io/prepare/study_links.hpp"
#include "io/prepare/support_shift.hpp"
#include "modal/projection.hpp"
#include "modal/restitution.hpp"
#include "modal/static_remainder.hpp"
#include "physical/model_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ricochet {
namespace {

/// The error of the assembler, said with the nodes' names at the nodes' places.
[[noreturn]] void rethrow(const Study& study, const ModelError& error) {
  if (error.dofs().empty())
    throw InputError({study.deckFile.string(), 1, 1}, "",
                     fmt::format("{}: free some with [[supports]]", error.what()));
  Diagnostics diagnostics;
  for (const Dof dof : error.dofs()) {
    const NamedNode& node = study.nodes[static_cast<std::size_t>(dof.node.value)];
    diagnostics.add(
        node.where, "nodes." + node.name,
        fmt::format("{} of this node: {}; give it a spring or a mass, or fix it with [[supports]]",
                    name(dof.component), error.what()));
  }
  diagnostics.throwIfAny();
  throw;
}

Contact makeContact(const ContactRequest& request, const Study& study, const Simulation& simulation) {
  Contact contact = contactWithoutRows(request, study);
  const DofMap& dofs = simulation.physical.dofs;
  Matrix rows = translationRows(simulation.basis, dofs, request.first);
  if (request.second) rows -= translationRows(simulation.basis, dofs, *request.second);
  contact.rows = request.frame * rows;
  if (contact.patch) {
    Matrix rotations = rotationRows(simulation.basis, dofs, request.first);
    if (request.second) rotations -= rotationRows(simulation.basis, dofs, *request.second);
    contact.spinRow = request.spinAxis().transpose() * rotations;
  }
  if (request.rolls()) {
    Matrix rolled = request.rollingRadius[0] * rotationRows(simulation.basis, dofs, request.first);
    if (request.second)
      rolled += request.rollingRadius[1] * rotationRows(simulation.basis, dofs, *request.second);
    contact.rollRow = request.frame.row(2) * rolled;
  }
  addDrift(request, study, contact);
  scaleTangents(contact);
  return contact;
}

Vector generalizedForce(const NodalLoad& load, const Simulation& simulation) {
  Vector force = Vector::Zero(simulation.basis.size());
  for (int c = 0; c < kComponents; ++c) {
    const double value = load.components[static_cast<std::size_t>(c)];
    if (value != 0.0)
      force +=
          value * dofRow(simulation.basis, simulation.physical.dofs, {load.node, componentAt(c)}).transpose();
  }
  return force;
}

/// The matrices of the structure have the speed at the start.
SpinningPart spinningPart(const SpinRequest& spin, const Study& study, const Simulation& simulation) {
  const Matrix& shapes = simulation.basis.reducedShapes;
  const SparseMatrix moments = gyroscopicAtUnitSpin(study.structure, simulation.physical.dofs, spin.elements);
  const double start = study.transient ? study.transient->start : 0.0;
  return {shapes.transpose() * (moments * shapes), spin.speed, spin.speed.at(start)};
}

/// Static modes of supports that contacts see move, in the coordinates of the basis.
std::vector<SupportShift> shiftsOf(const Study& study, const Simulation& simulation) {
  const Matrix& shapes = simulation.basis.shapes;
  const auto coordinatesOf = [&](const Vector& field) -> Vector {
    return shapes.transpose() * (simulation.physical.fullMass * field);
  };
  return supportShifts(study, simulation.physical, simulation.imposed, coordinatesOf,
                       [&](const Vector& part) -> Vector { return shapes * part; });
}

void setInitialState(const Study& study, Simulation& simulation) {
  Diagnostics diagnostics;
  simulation.initial = State(simulation.basis.size());
  const auto project = [&](const std::vector<InitialValue>& values, std::string_view what, Vector& target) {
    const Vector field = initialField(values, simulation.physical, what, diagnostics);
    const ProjectedField projected = projectField(simulation.basis, simulation.physical, field);
    target.head(simulation.basis.size()) = projected.coordinates;
    constexpr double kNoticeable = 1e-6;  // below the six digits that decks are usually written with
    if (projected.remainder > kNoticeable)
      simulation.warnings.push_back(fmt::format(
          "the basis holds the initial {} only to {:.2g} of its size (relations, supports and the modes "
          "kept decide what it can hold)",
          what, projected.remainder));
  };
  project(study.initialDisplacement, "displacement", simulation.initial.q);
  project(study.initialVelocity, "velocity", simulation.initial.v);
  simulation.initial.time = study.transient ? study.transient->start : 0.0;
  diagnostics.throwIfAny();
}

/// (static - modal flexibility) x contact stiffness, along each local axis.
Truncation truncationOf(const ContactRequest& request, const Contact& contact, const Simulation& simulation,
                        const StaticRemainder& remainder) {
  Truncation truncation;
  const ClosedContact closed = closedContact(contact);
  for (int axis = 0; axis < 3; ++axis) {
    const double stiffness = closed.stiffness[static_cast<std::size_t>(axis)];
    const Vector direction = contactDirection(request, axis, simulation.physical);
    if (stiffness == 0.0 || direction.isZero(0.0)) continue;
    const double left = remainder.flexibility(direction);
    truncation.withoutResidual[axis] = std::max(0.0, stiffness * left);
    truncation.indicator[axis] =
        std::max(0.0, stiffness * (left - flexibilityOfResidualVectors(simulation.basis, direction)));
  }
  return truncation;
}

/// What the user should know of the basis.
void describeBasis(const Study& study, Simulation& simulation) {
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

}  // namespace

Eigen::RowVectorXd Simulation::row(Dof dof) const {
  if (mode == Mode::modal) return dofRow(basis, physical.dofs, dof);
  Eigen::RowVectorXd row = Eigen::RowVectorXd::Zero(size());
  if (const DofIndex i = physical.dofs.find(dof); i.exists())
    for (RowMajorMatrix::InnerIterator it(toDofs, i.value); it; ++it) row[it.col()] = it.value();
  return row;
}

RowMajorMatrix Simulation::rows(const std::vector<Dof>& dofs) const {
  if (mode == Mode::modal) return Restitution(basis, physical.dofs, dofs).rows().sparseView(1.0, 0.0);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < dofs.size(); ++i)
    if (const DofIndex dof = physical.dofs.find(dofs[i]); dof.exists())
      for (RowMajorMatrix::InnerIterator it(toDofs, dof.value); it; ++it)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(it.col()), it.value());
  RowMajorMatrix picked(static_cast<Eigen::Index>(dofs.size()), size());
  picked.setFromTriplets(entries.begin(), entries.end());
  return picked;
}

Contact contactWithoutRows(const ContactRequest& request, const Study& study) {
  Contact contact;
  contact.obstacle = request.obstacle;
  contact.normal = request.normal;
  contact.imposedForce = request.imposedForce;
  contact.friction = request.friction.law;
  contact.patch = request.friction.patch;
  contact.surface = request.surface;
  contact.surfaceSpin = request.surfaceSpin;
  contact.tangentScale = request.tangentScale;
  const auto& positions = study.structure.positions;
  Vec3 point = positions[static_cast<std::size_t>(request.first.value)] - request.origin;
  if (request.second) point -= positions[static_cast<std::size_t>(request.second->value)];
  contact.offset = request.frame * point;
  return contact;
}

namespace {

/// A dof that relations alone give has no mass by which the projection would see its initial value: the value
/// has to be the one that follows from the others.
void requireRelations(const std::vector<InitialValue>& values, const PhysicalModel& physical,
                      std::string_view what, const Vector& field, Diagnostics& diagnostics) {
  constexpr double kNoticeable = 1e-6;  // below the six digits that decks are usually written with
  Vector independent(physical.size());
  for (Eigen::Index i = 0; i < independent.size(); ++i)
    independent[i] = field[physical.dofs.independent()[static_cast<std::size_t>(i)].value];
  const Vector follows = physical.dofs.transformation() * independent;
  for (const InitialValue& value : values)
    for (int c = 0; c < kComponents; ++c) {
      const double given = value.components[static_cast<std::size_t>(c)];
      const DofIndex dof = physical.dofs.find({value.node, componentAt(c)});
      if (given == 0.0 || !dof.exists() || !physical.dofs.isTied(dof)) continue;
      if (std::abs(given - follows[dof.value]) <= kNoticeable * std::abs(given)) continue;
      diagnostics.add(
          value.where, fmt::format("initial.{}", what),
          fmt::format("{} of this node follows from the relations: with the initial {} of the other "
                      "nodes it is {}, got {}; give them theirs",
                      name(componentAt(c)), what, follows[dof.value], given));
    }
}

}  // namespace

Vector initialField(const std::vector<InitialValue>& values, const PhysicalModel& physical,
                    std::string_view what, Diagnostics& diagnostics) {
  Vector field = Vector::Zero(physical.dofs.fullSize());
  for (const InitialValue& value : values)
    for (int c = 0; c < kComponents; ++c) {
      const double x = value.components[static_cast<std::size_t>(c)];
      if (x == 0.0) continue;
      const DofIndex dof = physical.dofs.find({value.node, componentAt(c)});
      if (!dof.exists() || physical.dofs.isFixed(dof))
        diagnostics.add(value.where, fmt::format("initial.{}", what),
                        fmt::format("{} of this node does not move: its initial {} must be 0, got {}",
                                    name(componentAt(c)), what, x));
      else
        field[dof.value] = x;
    }
  if (diagnostics.empty()) requireRelations(values, physical, what, field, diagnostics);
  return field;
}

PhysicalModel assembleStudy(const Study& study) {
  try {
    return assemble(study.structure);
  } catch (const ModelError& error) {
    rethrow(study, error);
  }
}

std::unique_ptr<Simulation> prepare(const Study& study) {
  auto simulation = std::make_unique<Simulation>();
  simulation->physical = assembleStudy(study);
  simulation->basis = extractBasis(study, simulation->physical);
  describeBasis(study, *simulation);
  project(study, *simulation);
  if (!study.contacts.empty()) {
    const StaticRemainder remainder(simulation->basis, simulation->physical);
    for (std::size_t i = 0; i < study.contacts.size(); ++i)
      simulation->truncation.push_back(
          truncationOf(study.contacts[i], simulation->model.contacts.contacts()[i], *simulation, remainder));
    warnOfTruncation(study, *simulation);
  }
  return simulation;
}

void project(const Study& study, Simulation& simulation) {
  const ModalBasis& basis = simulation.basis;
  simulation.imposed = imposedFields(study, simulation.physical, &basis, std::move(simulation.imposed));
  std::vector<Contact> contacts;
  for (const ContactRequest& request : study.contacts) {
    contacts.push_back(makeContact(request, study, simulation));
    if (auto chosen = dampCritically(request, simulation.physical, contacts.back()))
      simulation.choices.push_back(std::move(*chosen));
  }
  std::vector<Load> loads;
  for (const NodalLoad& load : study.loads) loads.push_back({generalizedForce(load, simulation), load.scale});
  simulation.imposed = imposedFields(study, simulation.physical, &basis, std::move(simulation.imposed));
  for (FieldLoad& load : inertiaLoads(study, simulation.physical, simulation.imposed))
    loads.push_back({basis.shapes.transpose() * load.force, std::move(load.scale)});
  std::vector<SupportShift> shifts = shiftsOf(study, simulation);
  for (SupportShift& each : shifts)
    each.addLoads(each.part, basis.damping * each.part, basis.eigenvalue.cwiseProduct(each.part),
                  study.transient ? study.transient->start : 0.0, loads);

  simulation.model.linear =
      LinearSystem(basis.eigenvalue, basis.damping, basis.dampingIsDiagonal() && study.spins.empty());
  for (const SpinRequest& spin : study.spins)
    simulation.model.linear.spinning.push_back(spinningPart(spin, study, simulation));
  simulation.model.loads = Excitation(std::move(loads), basis.size(), movingLoads(study, simulation));
  simulation.model.contacts = ContactSet(std::move(contacts), basis.size());
  if (study.restart) {
    restartState(study, simulation);
  } else {
    setInitialState(study, simulation);
    for (const SupportShift& each : shifts) each.shift(simulation.initial);
  }
  if (!shifts.empty())
    simulation.choices.push_back(
        "coordinates of the motion in space, as contacts see supports move; their "
        "static modes are in the basis");
  simulation.model.links = LinkSet(linksOf(study, simulation), basis.size());
  findEquilibrium(study, shifts, simulation);
  if (study.transient) chooseSchemeAndStep(study, simulation);
  if (study.transient && study.restart) restartMemory(study, simulation);
}

}  // namespace ricochet
