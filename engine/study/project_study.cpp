// Builds a simulation that is ready to run from a study and its linear system, in either mode.

#include "engine/study/coordinates.hpp"
#include "engine/study/equilibrium.hpp"
#include "engine/study/initial_state.hpp"
#include "engine/study/moving_loads.hpp"
#include "engine/study/parts/earlier_run.hpp"
#include "engine/study/push_directions.hpp"
#include "engine/study/scheme_choice.hpp"
#include "engine/study/study_contacts.hpp"
#include "engine/study/study_links.hpp"
#include "engine/study/support_shift.hpp"

#include <span>

namespace ricochet {
namespace {

/// Spinning part of the model; the damping matrix of the basis contains the gyroscopic moments at the speed
/// at the start.
SpinningPart makeSpinningPart(const SpinRequest& spin, const Study& study, const Simulation& simulation) {
  const Matrix& shapes = simulation.basis.reducedShapes;
  const SparseMatrix moments =
      reducedGyroscopicMatrix(study.structure, simulation.physical.dofs, spin.elements);
  const double start = study.transient ? study.transient->start : 0.0;
  return {shapes.transpose() * (moments * shapes), spin.speed, spin.speed.at(start)};
}

/// Generalized force of all nodal loads of one deck entry.
Vector generalizedForceOf(std::span<const NodalLoad> entry, const Simulation& simulation) {
  std::vector<Dof> dofs;
  std::vector<double> values;
  for (const NodalLoad& load : entry)
    for (int c = 0; c < kComponents; ++c)
      if (const double value = load.components[static_cast<std::size_t>(c)]; value != 0.0) {
        dofs.push_back({load.node, componentOfIndex(c)});
        values.push_back(value);
      }
  const Eigen::Map<const Vector> force(values.data(), static_cast<Eigen::Index>(values.size()));
  return simulation.rows(dofs).transpose() * force;
}

/// Loads of the deck, of gravity, of moving frames, and of moving supports in studies with contacts.
Excitation makeExcitationOfStudy(const Study& study, std::vector<SupportShift>& shifts,
                                 const Simulation& simulation) {
  std::vector<Load> loads;
  std::vector<BaseForces> bases;
  for (const BaseMotion& motion : study.baseMotions) bases.emplace_back(motion, simulation.size());
  const auto baseOf = [&](const BaseMotion& motion) -> BaseForces& {
    return bases[static_cast<std::size_t>(&motion - study.baseMotions.data())];
  };
  for (const std::span<const NodalLoad> entry : groupNodalLoadsByDeckEntry(study))
    loads.push_back({generalizedForceOf(entry, simulation), entry.front().scale});
  for (FieldLoad& load : inertiaLoads(study, simulation.physical, simulation.imposed)) {
    loads.push_back({generalizedForce(simulation, load.force), std::move(load.scale)});
    if (load.motion == nullptr) continue;
    BaseForces& base = baseOf(*load.motion);
    load.kind == Kinematic::velocity ? base.addForceOfVelocity(loads.back().shape)
                                     : base.addForceOfAcceleration(loads.back().shape);
  }
  for (SupportShift& each : shifts) {
    const LinearForces forces = linearForcesAlongVector(simulation, each.part);
    each.addLoads(forces.inertia, forces.damping, forces.elastic,
                  study.transient ? study.transient->start : 0.0, loads);
    baseOf(*each.motion).addForceOfAcceleration(forces.inertia);
    baseOf(*each.motion).addForceOfVelocity(forces.damping);
  }
  Excitation excitation(std::move(loads), simulation.size(), movingLoads(study, simulation));
  excitation.setMotionJumps(motionJumps(study, simulation, bases));
  return excitation;
}

LinearSystem linearSystemOf(const Study& study, const Simulation& simulation) {
  const ModalBasis& basis = simulation.basis;
  LinearSystem linear(basis.eigenvalue, basis.damping, basis.isDampingDiagonal() && study.spins.empty());
  for (const SpinRequest& spin : study.spins)
    linear.spinning.push_back(makeSpinningPart(spin, study, simulation));
  return linear;
}

/// Links with rows over the coordinates; in the direct mode over the contact dofs only.
LinkSet makeLinkSetOfStudy(const Study& study, Simulation& simulation) {
  std::vector<Link> links = makeLinksOfStudy(study, simulation);
  if (simulation.mode == Mode::modal) return LinkSet(std::move(links), simulation.size());
  const std::vector<Eigen::Index>& dofs = simulation.direct.contactDofs;
  for (Link& link : links) link.rows = Eigen::Matrix<double, 2, Eigen::Dynamic>(link.rows(Eigen::all, dofs));
  return LinkSet(std::move(links), static_cast<Eigen::Index>(dofs.size()));
}

}  // namespace

void projectStudy(const Study& study, Simulation& simulation) {
  const bool modal = simulation.mode == Mode::modal;
  simulation.imposed = imposedFields(study, simulation.physical, modal ? &simulation.basis : nullptr,
                                     std::move(simulation.imposed));
  std::vector<Contact> contacts = makeContactsOfStudy(study, simulation);
  std::vector<SupportShift> shifts = makeSupportShifts(
      study, simulation.physical, simulation.imposed,
      [&](const Vector& field) { return coordinatesOfStaticMode(simulation, field); },
      [&](const Vector& part) { return displacementFieldOfCoordinates(simulation, part); });
  Excitation loads = makeExcitationOfStudy(study, shifts, simulation);
  if (modal) {
    simulation.model.linear = linearSystemOf(study, simulation);
    simulation.model.loads = std::move(loads);
    simulation.model.contacts = ContactSet(std::move(contacts), simulation.size());
  } else {
    simulation.direct.loads = std::move(loads);
    simulation.direct.contacts =
        ContactSet(std::move(contacts), static_cast<Eigen::Index>(simulation.direct.contactDofs.size()));
  }
  if (study.earlierRun) {
    study.earlierRun->setStateOfEarlierRun(study, simulation);
  } else {
    simulation.restart.reset();
    setInitialState(study, simulation);
    for (const SupportShift& each : shifts) each.makeRelativeStateAbsolute(simulation.initial);
  }
  if (modal && !shifts.empty())
    simulation.choices.push_back(
        "coordinates of the motion in space, as contacts see supports move; their "
        "static modes are in the basis");
  (modal ? simulation.model.links : simulation.direct.links) = makeLinkSetOfStudy(study, simulation);
  requirePassableJumps(study, simulation);
  findStaticEquilibrium(study, shifts, simulation);
  if (!study.earlierRun) requireNoInitialOverlap(study, simulation);
  if (study.transient) requireForcesAtStart(study, simulation);
  if (study.transient) chooseSchemeAndStep(study, simulation);
  if (study.transient && study.earlierRun) study.earlierRun->setContactMemory(study, simulation);
}

}  // namespace ricochet
