#include "engine/study/massless_forces.hpp"

#include "engine/contact/followed.hpp"
#include "engine/study/massless_coupling.hpp"
#include "engine/study/massless_directions.hpp"
#include "engine/study/moving_loads.hpp"
#include "engine/study/parts/held_at_end.hpp"
#include "engine/study/push_directions.hpp"
#include "physical/model_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ricochet {
namespace {

/// The dof that a field moves most.
Dof dofMostMovedByField(const PhysicalModel& physical, const Vector& field) {
  Eigen::Index most = 0;
  field.cwiseAbs().maxCoeff(&most);
  return physical.dofs.dof(physical.dofs.independentDofs()[static_cast<std::size_t>(most)]);
}

bool isComplianceIsotropic(const ContactRequest& request) noexcept {
  return request.tangentScale.first == 1.0 && request.tangentScale.second == 1.0;
}

class Finder {
 public:
  Finder(const Study& study, const Simulation& simulation)
      : study_(study),
        physical_(simulation.physical),
        directions_(study, simulation),
        coupling_(study, simulation.physical, directions_, sticks_) {}

  MasslessForces findForces() {
    MasslessForces forces;
    forces.contacts.resize(study_.contacts.size());
    forces.links.resize(study_.links.size());
    if (directions_.empty()) {
      forces.sticks = findDampedSticks(study_, physical_, directions_);
      return forces;
    }
    requireNoMoments();
    try {
      sticks_ = findDampedSticks(study_, physical_, directions_);
      directions_.collectDirections();
      coupling_.findCouplings();
      requireSolvableForces();
      for (std::size_t i = 0; i < study_.contacts.size(); ++i) addContact(i, forces);
      for (std::size_t i = 0; i < study_.links.size(); ++i) addLink(i, forces);
      addDashpots(forces);
      coupling_.addCouplingCompliance(forces);
      addLoads(forces);
      requireMassAlongTravelPaths();
      forces.sticks = sticks_;
    } catch (const ModelError& error) {
      throwForUnconstrainedDofs(error);
    }
    throwIfAnyProblem(problems_);
    return forces;
  }

 private:
  std::string deckPathOfForceOwner(std::size_t owner) const {
    if (owner < study_.contacts.size()) return "contacts." + study_.contacts[owner].name;
    const std::size_t link = directions_.linkOf(owner);
    return link < study_.links.size() ? "links." + study_.links[link].name
                                      : sourcesOfDashpotColumns(study_).path;
  }
  /// `moved`: field of the dofs without inertia that the message is about.
  /// `part`: place in the deck of a part whose path has none (StudyProblem).
  void throwStudyError(std::string path, const Vector& moved, std::string_view why, std::string part = {}) {
    for (const StudyProblem& each : problems_)
      if (each.path == path && each.part == part) return;  // one message per place of the study
    const Dof dof = dofMostMovedByField(physical_, moved);
    const std::string& node = study_.nodes[static_cast<std::size_t>(dof.node.value)].name;
    const std::string place = fmt::format("{} of node {}", componentName(dof.component), node);
    if (path == "dampers" && part.empty()) part = "dampers." + node;  // one of several in the deck
    problems_.push_back(
        {std::move(path),
         study_.basis.residualInertia
             ? fmt::format(
                   "{} has no mass, and {}; give this node a mass, however small, or put the force on "
                   "a node with mass",
                   place, why)
             : fmt::format("with `residual_inertia = \"none\"` {} yields without inertia, and {}; or leave "
                           "this key of [basis] out",
                           place, why),
         std::move(part)});
  }

  /// Names the dof on which a direction does most work: the response of all dofs may be largest at the node
  /// of another contact, or in an angle, which is no measure of a displacement.
  void throwStudyError(const Direction& direction, std::string_view why) {
    throwStudyError(deckPathOfForceOwner(direction.owner), workOfDirectionByDof(direction), why);
  }

  static Vector workOfDirectionByDof(const Direction& direction) {
    return direction.force.cwiseProduct(direction.response);
  }

  [[noreturn]] void throwForUnconstrainedDofs(const ModelError& error) const {
    if (error.dofs().empty()) throw StudyError(StudyProblem{"", error.what()});
    throw StudyError(
        problemAtNode(study_, error.dofs().front(),
                      fmt::format("{}; give it a mass, or a spring to one that has", error.what())));
  }

  /// Refuses gyroscopic moments, and damping matrices without a form in dashpots, between dofs without
  /// inertia and motions that the coordinates can have: such a dof does not follow the others statically.
  void requireNoMoments() {
    std::vector<SparseMatrix> dashpots{physical_.damping};
    for (const SpinRequest& spin : study_.spins)
      dashpots.push_back(reducedGyroscopicMatrix(study_.structure, physical_.dofs, spin.elements));
    for (const SparseMatrix& each : dashpots) {
      const SparseMatrix rows = rowsOfMasslessDofs(each);
      if (rows.nonZeros() == 0) continue;
      const SparseMatrix shapes = directions_.reducedShapes();
      const Vector largest = SparseMatrix(rows.cwiseAbs() * shapes.cwiseAbs()) * Vector::Ones(shapes.cols());
      const SparseMatrix forces = rows * shapes;
      for (Eigen::Index k = 0; k < forces.outerSize(); ++k)
        for (SparseMatrix::InnerIterator it(forces, k); it; ++it)
          if (std::abs(it.value()) > kRoundingOfFlexibility * largest[it.row()])
            return throwStudyError(
                sourcesOfDashpotColumns(study_).path, Vector::Unit(physical_.size(), it.row()),
                "the damping matrix there is not one of dashpots (symmetric, none of them negative): "
                "its own motion, of first order in time, is not computed");
    }
  }

  SparseMatrix rowsOfMasslessDofs(const SparseMatrix& matrix) const {
    Vector keep = Vector::Zero(physical_.size());
    for (const int i : directions_.masslessPart().dofs()) keep[i] = 1.0;
    return SparseMatrix(SparseMatrix(keep.asDiagonal() * matrix).pruned());
  }

  bool isCoupled(std::size_t owner) const { return coupling_.isCoupledToOthers(owner); }

  /// Refuses the forces that no solver supports.
  void requireSolvableForces() {
    for (const Direction& a : directions_.directionsOfForces()) {
      if (!a.active || a.response.isZero(0.0)) continue;
      if (directions_.isContact(a.owner) && a.axis == 3) throwStudyError(a, "the contact turns it");
      requireConstantDamping(a);
      if (!isCoupled(a.owner) || !directions_.isContact(a.owner)) continue;
      requireSolvableTogether(a);
    }
    if (const Direction* shared = coupling_.sharedReactionDirection())
      throwStudyError(
          *shared,
          "rigid contacts, true sticks or dashpots push the same part in directions of which this is one of "
          "the others or a sum of them: how they share the force is not unique");
  }

  /// True if another contact, link or dashpot acts on the massless part on which a direction acts.
  bool doesFurtherForceActOnPart(const Direction& a) const {
    const auto pushes = [&](const Direction& b) {
      return b.owner != a.owner && b.active && directions_.isCoupled(a, b) &&
             !directions_.areObstaclesOnOppositeSides(a.owner, b.owner);
    };
    return std::ranges::any_of(directions_.directionsOfForces(), pushes);
  }
  /// True if the traction of a contact moves dofs without inertia.
  bool isTractionOnMasslessDofs(std::size_t contact) const {
    const Direction &first = directions_.directionOf(contact, 1),
                    &second = directions_.directionOf(contact, 2);
    return (first.active && !first.response.isZero(0.0)) || (second.active && !second.response.isZero(0.0));
  }

  /// Refuses the properties that forces solved together do not support.
  void requireSolvableTogether(const Direction& a) {
    const ContactRequest& request = study_.contacts[a.owner];
    const FrictionTraits& friction = traitsOf(request.friction.law);
    const bool setValued = traitsOf(request.normal).setValued || friction.setValued;
    if (setValued && isCurved(request.obstacle))
      throwStudyError(
          a, "its displacement turns the surface of a rigid contact or a true stick: take `stiffness`");
    const bool bears = std::visit([](const auto& law) { return law.bearsTraction(); }, request.friction.law);
    if (bears && (friction.asksRate || friction.ofSpeed))
      throwStudyError(
          a, "its friction depends on the slip speed, so that the part could jump: take one `coefficient`");
    const bool damped = doesForceDependOnRate(request.normal),
               dampedStick = doesForceDependOnRate(sticks_[a.owner].law);
    if (bears && isCurved(request.obstacle) && (damped || dampedStick))
      throwStudyError(a, damped
                             ? "a dashpot and friction act together on a surface that curves: leave out "
                               "`normal.damping`, and give `friction.damping` = 0"
                             : "its stick has a dashpot, of critical damping unless given, on a surface that "
                               "curves: give `friction.damping` = 0");
    if ((damped || (dampedStick && isTractionOnMasslessDofs(a.owner))) && doesFurtherForceActOnPart(a))
      throwStudyError(
          a, damped
                 ? "its dashpot and other forces act on the same part: take `stiffness` without `damping`"
                 : "the dashpot of its stick, of critical damping unless given, and other forces act on the "
                   "same part: give `friction.damping` = 0");
    if (!request.imposedForce.jumpInstants().empty())
      throwStudyError(a, "its given force jumps, beside other forces on the part");
    const auto isWhole = [](double r) { return r == 0.0 || r == 1.0; };
    if (!isWhole(request.tangentScale.first) || !isWhole(request.tangentScale.second))
      throwStudyError(a, "its coefficients of friction differ along the tangents");
  }

  /// Refuses damping within the part without inertia, which would put a dashpot parallel to its spring.
  void requireConstantDamping(const Direction& a) {
    if (study_.basis.rayleigh.stiffness != 0.0)
      throwStudyError(
          a,
          "`basis.rayleigh.stiffness` damps the springs behind it, which a force there does not see: take "
          "`basis.damping_ratio`");
    const bool isDashpot =
        !directions_.isContact(a.owner) && directions_.linkOf(a.owner) >= study_.links.size();
    if (MasslessDirections::doesForceExceedRounding(a.response, physical_.damping))
      throwStudyError(a, "dashpots act on the same part beside the springs");
    for (const BaseMotion& motion : study_.baseMotions)
      if (motion.ofSupports && isDashpot) throwStudyError(a, "its dashpot may end at supports that move");
  }

  void addLink(std::size_t i, MasslessForces& forces) {
    const std::size_t owner = study_.contacts.size() + i;
    LinkField field{i, {}};
    field.field = Eigen::Matrix<double, Eigen::Dynamic, 2>::Zero(physical_.dofs.totalDofCount(), 2);
    const auto axes = static_cast<int>(study_.links[i].axes.size());
    for (int a = 0; a < axes; ++a) {
      const Direction& first = directions_.directionOf(owner, a);
      field.field.col(a) = physical_.dofs.transformation() * first.response;
      for (int b = 0; b < axes; ++b)
        if (const Direction& second = directions_.directionOf(owner, b); directions_.isCoupled(first, second))
          forces.links[i].compliance(a, b) = first.force.dot(second.response);
    }
    if (!field.field.isZero(0.0)) forces.linkFields.push_back(std::move(field));
  }

  /// Adds the dashpots that the coordinates or loads can move.
  void addDashpots(MasslessForces& forces) {
    if (physical_.masslessDashpots.cols() == 0) return;
    const SparseMatrix shapes = directions_.reducedShapes();
    const std::size_t first = study_.contacts.size() + study_.links.size();
    for (const Direction& direction : directions_.directionsOfForces()) {
      if (direction.owner < first) continue;
      MasslessLink& dashpot = forces.links.emplace_back();
      dashpot.compliance(0, 0) = direction.force.dot(direction.response);
      dashpot.row = direction.force.transpose() * shapes;
      dashpot.force = direction.force;
      LinkField field{directions_.linkOf(direction.owner), {}};
      field.field = Eigen::Matrix<double, Eigen::Dynamic, 2>::Zero(physical_.dofs.totalDofCount(), 2);
      field.field.col(0) = physical_.dofs.transformation() * direction.response;
      forces.linkFields.push_back(std::move(field));
    }
  }

  void addContact(std::size_t i, MasslessForces& forces) {
    const std::array<const Direction*, 3> axes{&directions_.directionOf(i, 0), &directions_.directionOf(i, 1),
                                               &directions_.directionOf(i, 2)};
    if (std::all_of(axes.begin(), axes.end(), [](const Direction* d) { return d->response.isZero(0.0); }))
      return;
    MasslessForces::OfContact& of = forces.contacts[i];
    ContactField field{i, {}};
    field.field.resize(physical_.dofs.totalDofCount(), 3);
    for (Eigen::Index a = 0; a < 3; ++a) {
      const Direction& first = *axes[static_cast<std::size_t>(a)];
      field.field.col(a) = physical_.dofs.transformation() * first.response;
      for (Eigen::Index b = 0; b < 3; ++b) {
        const Direction& second = *axes[static_cast<std::size_t>(b)];
        if (directions_.isCoupled(first, second)) of.compliance(a, b) = first.force.dot(second.response);
      }
    }
    forces.fields.push_back(std::move(field));
    const ContactRequest& request = study_.contacts[i];
    if (isCoupled(i)) return;
    if (request.isFollowed() && !isComplianceIsotropic(request))
      throwStudyError(*axes[0], "friction depends on the direction on a surface that moves");
    for (std::size_t other = 0; other < study_.contacts.size(); ++other)
      if (other != i && directions_.areObstaclesOnOppositeSides(i, other))
        of.others.push_back(complianceBetweenBodies(axes, other));
    of.alongTangents = flexibilityAlongSlipPath(request, of.compliance, *axes[1], *axes[2]);
  }

  CrossCompliance complianceBetweenBodies(const std::array<const Direction*, 3>& axes,
                                          std::size_t other) const {
    CrossCompliance cross{static_cast<int>(other), Mat3::Zero()};
    for (Eigen::Index a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        cross.perForce(a, b) =
            axes[static_cast<std::size_t>(a)]->force.dot(directions_.directionOf(other, b).response);
    return cross;
  }

  void addLoads(MasslessForces& forces) {
    for (const NodalLoad& load : study_.loads) {
      const Vector force = loadDirection(load, physical_);
      if (const Vector response = directions_.responseToForce(force); !response.isZero(0.0))
        addLoad(load, force, response, forces);
    }
    for (const MovingLoadRequest& load : study_.movingLoads)
      for (const WayElement& element : elementsOnTravelPath(load, study_))
        for (const NodeIndex node : {element.first, element.second})
          for (int c = 0; c < kComponents; ++c) addMovingForce({node, componentOfIndex(c)}, element, forces);
  }

  /// Refuses contacts that travel along elements whose nodes have a dof without inertia.
  void requireMassAlongTravelPaths() {
    for (std::size_t i = 0; i < study_.contacts.size(); ++i) {
      if (!study_.contacts[i].isTravelling()) continue;
      for (const WayElement& element : elementsOnTravelPath(study_.contacts[i], study_))
        for (int row = 0; row < element.forces.rows(); ++row) {
          if (element.forces.row(row).isZero(0.0)) continue;
          const NodeIndex node = row < kComponents ? element.first : element.second;
          const Vector response = directions_.responseToForce(
              physical_.reducedForce({node, componentOfIndex(row % kComponents)}));
          if (!response.isZero(0.0))
            throwStudyError(deckPathOfForceOwner(i), response, "the contact travels along that part");
        }
    }
  }

  void addLoad(const NodalLoad& load, const Vector& force, const Vector& response, MasslessForces& forces) {
    // imposedFields computes the response of single dofs in closed form.
    const bool isKnown = (response - directions_.masslessPart().staticResponse(force)).isZero(0.0);
    if (study_.basis.rayleigh.stiffness != 0.0 || !isKnown)
      forces.unknown.push_back(expandToFullField(response));
    const TimeFunction scale = continueTimeFunctionBeyondEnd(load.scale, study_);
    for (const Direction& each : directions_.directionsOfForces()) {
      if (each.response.isZero(0.0) || !MasslessDirections::isMovedBy(each, force, response)) continue;
      const double moved = each.response.dot(force);
      if (directions_.isContact(each.owner)) {
        addLoadToContact(load, scale, each, moved, forces.contacts[each.owner]);
        continue;
      }
      std::array<double, kLinkAxes> factors{};
      factors[static_cast<std::size_t>(each.axis)] = moved;
      forces.links[directions_.linkOf(each.owner)].drives.push_back({scale, {}, factors});
    }
  }

  /// Adds the displacement of the point of a contact along a direction by a load: `moved` times `scale`.
  void addLoadToContact(const NodalLoad& load, const TimeFunction& scale, const Direction& along,
                        double moved, MasslessForces::OfContact& contact) {
    const bool isConstant = load.scale.formulaOrNull() == nullptr && load.scale.breakpoints().empty() &&
                            load.scale.piece(load.scale.lastPiece()).slope == 0.0;
    const bool varies = isCoupled(along.owner) || isComplianceIsotropic(study_.contacts[along.owner]);
    if (doesFunctionJumpDuringRun(scale, study_)) requireSolvableLoadJump(load, along);
    if (isConstant && along.axis < 3)
      contact.offset[along.axis] += load.scale.at(0.0) * moved;
    else if (along.axis < 3 && varies)
      contact.drift.push_back({scale, {}, Vec3::Unit(along.axis) * moved});
    else
      throwStudyError(along,
                      "a load that varies pushes the same part, and friction depends on the direction of the "
                      "slip");
  }

  /// Refuses a load that jumps and moves the point of a contact, if what happens within the jump depends on
  /// its way.
  void requireSolvableLoadJump(const NodalLoad& load, const Direction& along) {
    const ContactRequest& request = study_.contacts[along.owner];
    const std::string_view why =
        reasonAgainstJumpOfContact(request, sticks_[along.owner], isTractionOnMasslessDofs(along.owner));
    if (!why.empty())
      throwStudyError(
          "loads.scale", workOfDirectionByDof(along),
          fmt::format("the jump of this load moves the point of contact {} at once, {} (or let the "
                      "load rise in a short time)",
                      request.name, why),
          partName(load));
  }

  void addMovingForce(Dof dof, const WayElement& element, MasslessForces& forces) {
    const int row = static_cast<int>(dof.component) + (dof.node == element.first ? 0 : kComponents);
    if (element.forces.row(row).isZero(0.0)) return;
    const Vector force = physical_.reducedForce(dof);
    const Vector response = directions_.responseToForce(force);
    if (response.isZero(0.0)) return;
    for (const Direction& each : directions_.directionsOfForces())
      if (each.active && !each.response.isZero(0.0) && MasslessDirections::isMovedBy(each, force, response))
        throwStudyError(each, "a load that travels pushes the same part without mass");
    forces.unknown.push_back(expandToFullField(response));
  }

  Vector expandToFullField(const Vector& reduced) const { return physical_.dofs.transformation() * reduced; }

  const Study& study_;
  const PhysicalModel& physical_;
  MasslessDirections directions_;
  std::vector<DampedStick> sticks_;
  MasslessCoupling coupling_;
  std::vector<StudyProblem> problems_;
};

}  // namespace

MasslessForces findForcesOnMasslessDofs(const Study& study, const Simulation& simulation) {
  return Finder(study, simulation).findForces();
}

}  // namespace ricochet
