#include "engine/study/massless_forces.hpp"

#include "engine/contact/followed.hpp"
#include "engine/study/moving_loads.hpp"
#include "engine/study/push_directions.hpp"
#include "modal/static_remainder.hpp"
#include "physical/assembly/massless.hpp"
#include "physical/model_error.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ricochet {
namespace {

constexpr double kRounding =
    1e-9;  // a coupling below this fraction of the flexibilities that it couples is none

/// One direction in which a contact or a link can push, in reduced numbering.
struct Direction {
  std::size_t owner;  ///< number of the contact, or of contacts + the link
  int axis;           ///< 0, 1, 2: e1, e2, e3; 3: rotation of an area or of a body that rolls
  bool active;        ///< false: the laws never push along this direction, but it is shown in results
  Vector force;       ///< reduced force b^t
  Vector response;    ///< F b^t, zero if the direction moves no dof without inertia
};

/// Names the dof that a field moves most: "ux of node tip".
std::string placeOf(const Study& study, const PhysicalModel& physical, const Vector& field) {
  Eigen::Index most = 0;
  field.cwiseAbs().maxCoeff(&most);
  const Dof dof = physical.dofs.dof(physical.dofs.independent()[static_cast<std::size_t>(most)]);
  return fmt::format("{} of node {}", name(dof.component),
                     study.nodes[static_cast<std::size_t>(dof.node.value)].name);
}

/// Force of the spin of an area, or of the rotation of bodies that roll (study_contacts.cpp has the rows).
Vector turnDirection(const ContactRequest& request, const PhysicalModel& physical) {
  Vector direction = Vector::Zero(physical.size());
  const Vec3 axis = request.friction.patch ? request.spinAxis() : Vec3(request.frame.row(2).transpose());
  const bool isArea = request.friction.patch != nullptr;
  for (int c = 0; c < 3; ++c) {
    const auto add = [&](NodeIndex node, double factor) {
      direction += factor * axis[c] * physical.reducedForce({node, componentAt(c + 3)});
    };
    add(request.first, isArea ? 1.0 : request.rollingRadius[0]);
    if (request.second) add(*request.second, isArea ? -1.0 : request.rollingRadius[1]);
  }
  return direction;
}

Vector linkDirection(const LinkRequest& request, std::size_t axis, const PhysicalModel& physical) {
  Vector direction = Vector::Zero(physical.size());
  for (int c = 0; c < kComponents; ++c) {
    const double factor = request.axes[axis][static_cast<std::size_t>(c)];
    if (factor == 0.0) continue;
    direction += factor * physical.reducedForce({request.first, componentAt(c)});
    if (request.second) direction -= factor * physical.reducedForce({*request.second, componentAt(c)});
  }
  return direction;
}

class Finder {
 public:
  Finder(const Study& study, const Simulation& simulation)
      : study_(study), simulation_(simulation), physical_(simulation.physical), massless_(physical_) {}

  MasslessForces find() {
    MasslessForces forces;
    forces.contacts.resize(study_.contacts.size());
    findCombinations();
    if (massless_.empty() && !combinations_) return forces;
    requireNoDashpots();
    collectDirections();
    try {
      for (Direction& each : directions_) each.response = responseTo(each.force);
      requireAlone();
      for (std::size_t i = 0; i < study_.contacts.size(); ++i) addContact(i, forces);
      addLoads(forces);
    } catch (const ModelError& error) {
      refuseLoose(error);
    }
    throwIfAny(problems_);
    return forces;
  }

 private:
  std::string pathOf(std::size_t owner) const {
    if (owner < study_.contacts.size()) return "contacts." + study_.contacts[owner].name;
    return "links." + study_.links[owner - study_.contacts.size()].name;
  }
  /// `moved`: field of the dofs without inertia that the message is about.
  void refuse(std::string path, const Vector& moved, std::string_view why) {
    for (const StudyProblem& each : problems_)
      if (each.path == path) return;  // one message per place
    problems_.push_back(
        {std::move(path), fmt::format("{} has no mass, and {}; give this node a mass, however "
                                      "small, or put the force on a node with mass",
                                      placeOf(study_, physical_, moved), why)});
  }

  /// Finds whether combinations of dofs with mass have no mass, such as the rotation of a node about an
  /// offset point mass. The static response that is missing in a basis with every mode is that of these
  /// combinations.
  void findCombinations() {
    const ModalBasis& basis = simulation_.basis;
    const auto withMass = static_cast<std::size_t>(physical_.size()) - massless_.dofs().size();
    if (simulation_.mode == Mode::modal && basis.complete &&
        static_cast<std::size_t>(basis.size()) < withMass)
      combinations_.emplace(basis, physical_);
  }

  /// F f of a reduced force, over dofs and combinations of dofs without inertia.
  Vector responseTo(const Vector& force) const {
    Vector response = massless_.response(force);
    if (!combinations_) return response;
    const Vector pushed = massless_.onDofsWithMass(force);
    std::optional<Vector> left = combinations_->response(pushed);
    if (!left) return response;
    const ModalBasis& basis = simulation_.basis;
    const Vector rows = basis.reducedShapes.transpose() * pushed;
    // the remainder is that of the modes; residual vectors give a part of the response
    const Eigen::Index added = basis.residualVectors;
    *left -=
        basis.reducedShapes.rightCols(added) * rows.tail(added).cwiseQuotient(basis.eigenvalue.tail(added));
    double flexibility = 0.0;  // that of the modes, for comparison
    for (Eigen::Index i = 0; i < rows.size(); ++i)
      if (basis.eigenvalue[i] > 0.0) flexibility += rows[i] * rows[i] / basis.eigenvalue[i];
    constexpr double kNone = 1e-8;  // of the modes' flexibility: the error of the modes
    if (const double missing = pushed.dot(*left); missing > kNone * (flexibility + missing))
      response += *left;
    return response;
  }

  [[noreturn]] void refuseLoose(const ModelError& error) const {
    std::string place;
    if (!error.dofs().empty()) {
      const Dof dof = error.dofs().front();
      place = fmt::format("{} of node {}: ", name(dof.component),
                          study_.nodes[static_cast<std::size_t>(dof.node.value)].name);
    }
    throw StudyError(StudyProblem{
        "nodes", fmt::format("{}{}; give it a mass, or a spring to one that has", place, error.what())});
  }

  /// Refuses dashpots between dofs without inertia and motions that the coordinates can have: such a dof
  /// follows the others by an equation of first order, not statically.
  void requireNoDashpots() {
    std::vector<SparseMatrix> dashpots{physical_.damping};
    for (const SpinRequest& spin : study_.spins)
      dashpots.push_back(gyroscopicAtUnitSpin(study_.structure, physical_.dofs, spin.elements));
    for (const SparseMatrix& each : dashpots) {
      const SparseMatrix rows = onMassless(each);
      if (rows.nonZeros() == 0) continue;
      const SparseMatrix shapes = reducedShapes();
      const Vector largest = SparseMatrix(rows.cwiseAbs() * shapes.cwiseAbs()) * Vector::Ones(shapes.cols());
      const SparseMatrix forces = rows * shapes;
      for (Eigen::Index k = 0; k < forces.outerSize(); ++k)
        for (SparseMatrix::InnerIterator it(forces, k); it; ++it)
          if (std::abs(it.value()) > kRounding * largest[it.row()])
            return refuse("dampers", Vector::Unit(physical_.size(), it.row()),
                          "a dashpot moves it: its own motion, of first order in time, is not computed");
    }
  }

  SparseMatrix onMassless(const SparseMatrix& matrix) const {
    Vector keep = Vector::Zero(physical_.size());
    for (const int i : massless_.dofs()) keep[i] = 1.0;
    return SparseMatrix(SparseMatrix(keep.asDiagonal() * matrix).pruned());
  }

  /// Motion of the independent dofs per unit of each coordinate.
  SparseMatrix reducedShapes() const {
    if (simulation_.mode == Mode::modal) return simulation_.basis.reducedShapes.sparseView(1.0, 0.0);
    std::vector<Eigen::Triplet<double>> entries;
    const std::vector<DofIndex>& independent = physical_.dofs.independent();
    for (std::size_t i = 0; i < independent.size(); ++i)
      for (RowMajorMatrix::InnerIterator it(simulation_.toDofs, independent[i].value); it; ++it)
        entries.emplace_back(static_cast<int>(i), static_cast<int>(it.col()), it.value());
    SparseMatrix shapes(physical_.size(), simulation_.size());
    shapes.setFromTriplets(entries.begin(), entries.end());
    return shapes;
  }

  void collectDirections() {
    for (std::size_t i = 0; i < study_.contacts.size(); ++i) {
      const ContactRequest& request = study_.contacts[i];
      const bool bears = traitsOf(request.friction.law).traction || request.friction.patch;
      const std::array<bool, 3> active{true, bears && request.tangentScale.first != 0.0,
                                       bears && request.tangentScale.second != 0.0};
      for (int axis = 0; axis < 3; ++axis)
        directions_.push_back({i,
                               axis,
                               active[static_cast<std::size_t>(axis)],
                               contactDirection(request, axis, physical_),
                               {}});
      if (request.friction.patch || request.rolls())
        directions_.push_back({i, 3, true, turnDirection(request, physical_), {}});
    }
    for (std::size_t i = 0; i < study_.links.size(); ++i)
      for (std::size_t axis = 0; axis < study_.links[i].axes.size(); ++axis)
        directions_.push_back({study_.contacts.size() + i,
                               static_cast<int>(axis),
                               true,
                               linkDirection(study_.links[i], axis, physical_),
                               {}});
  }

  bool isCoupled(const Direction& a, const Direction& b) const {
    const double both = a.force.dot(b.response);
    return std::abs(both) > kRounding * std::sqrt(a.force.dot(a.response) * b.force.dot(b.response));
  }

  /// Refuses links and rotations that push dofs without inertia, and contacts that push each other there.
  void requireAlone() {
    for (const Direction& a : directions_) {
      if (!a.active || a.response.isZero(0.0)) continue;
      if (a.owner >= study_.contacts.size())
        refuse(pathOf(a.owner), a.response,
               "the law of the link would have to be solved together with the springs that hold this dof");
      else if (a.axis == 3)
        refuse(pathOf(a.owner), a.response, "the contact turns it");
      requireStillDamping(a);
      for (const Direction& b : directions_)
        if (b.owner != a.owner && isCoupled(a, b))
          refuse(pathOf(b.owner), b.response,
                 fmt::format("{} pushes the same part without mass: the two would have to be solved together",
                             pathOf(a.owner)));
    }
  }

  /// Refuses damping of the part without inertia itself, which makes its spring a spring with a dashpot.
  void requireStillDamping(const Direction& a) {
    const bool byRayleigh = study_.basis.rayleigh.stiffness != 0.0;
    const Vector dashpots = physical_.damping * a.response;
    const Vector sizes = physical_.damping.cwiseAbs() * a.response.cwiseAbs();
    if (byRayleigh || dashpots.cwiseAbs().maxCoeff() > kRounding * sizes.maxCoeff())
      refuse(pathOf(a.owner), a.response,
             byRayleigh
                 ? "`basis.rayleigh.stiffness` damps the springs behind it, which a contact there does "
                   "not see: take `basis.damping_ratio`"
                 : "dashpots act on it beside the springs");
  }

  const Direction& directionOf(std::size_t contact, int axis) const {
    return *std::find_if(directions_.begin(), directions_.end(),
                         [&](const Direction& each) { return each.owner == contact && each.axis == axis; });
  }

  void addContact(std::size_t i, MasslessForces& forces) {
    const std::array<const Direction*, 3> axes{&directionOf(i, 0), &directionOf(i, 1), &directionOf(i, 2)};
    if (std::all_of(axes.begin(), axes.end(), [](const Direction* d) { return d->response.isZero(0.0); }))
      return;
    MasslessForces::OfContact& of = forces.contacts[i];
    ContactField field{i, {}};
    field.field.resize(physical_.dofs.fullSize(), 3);
    for (Eigen::Index a = 0; a < 3; ++a) {
      const Direction& first = *axes[static_cast<std::size_t>(a)];
      field.field.col(a) = physical_.dofs.transformation() * first.response;
      for (Eigen::Index b = 0; b < 3; ++b) {
        const Direction& second = *axes[static_cast<std::size_t>(b)];
        if (isCoupled(first, second)) of.compliance(a, b) = first.force.dot(second.response);
      }
    }
    forces.fields.push_back(std::move(field));
    const Vector moved =
        axes[0]->response.cwiseAbs() + axes[1]->response.cwiseAbs() + axes[2]->response.cwiseAbs();
    const ContactRequest& request = study_.contacts[i];
    if (isCurved(request.obstacle) || !request.surfaceSpin.empty() || !request.carriers.empty())
      refuse(pathOf(i), moved, "its displacement would turn or move the surface of the contact");
    if (request.isFollowed() && (request.tangentScale.first != 1.0 || request.tangentScale.second != 1.0))
      refuse(pathOf(i), moved, "friction depends on the direction on a surface that moves");
    of.alongTangents = alongTangents(request, of.compliance, *axes[1], *axes[2]);
    const bool bears = axes[1]->active || axes[2]->active;
    if (bears && (of.compliance(0, 1) != 0.0 || of.compliance(0, 2) != 0.0))
      refuse(pathOf(i), moved,
             "the normal force displaces it along the surface: normal force and friction would have to be "
             "solved together");
    if (bears && !of.alongTangents)
      refuse(pathOf(i), moved,
             "its flexibility is not the same along both tangents: their friction would have to be solved "
             "together");
  }

  /// Flexibility along the path of the slip in the coordinates of the friction law: the same in all
  /// directions of the plane, or along the only line on which the point can move.
  std::optional<double> alongTangents(const ContactRequest& request, const Mat3& compliance,
                                      const Direction& first, const Direction& second) const {
    const auto& r = request.tangentScale;
    const double s11 = r.first * r.first * compliance(1, 1);
    const double s22 = r.second * r.second * compliance(2, 2);
    const double s12 = r.first * r.second * compliance(1, 2);
    if (std::abs(s11 - s22) <= kRounding * std::max(s11, s22) && s12 == 0.0) return s11;
    // all motion along one line: the forces of the tangents are parallel
    const Vector a = r.first * first.force, b = r.second * second.force;
    const double sizes = a.squaredNorm() * b.squaredNorm();
    const double product = a.dot(b);
    if (product * product < (1.0 - 1e-12) * sizes) return std::nullopt;
    const std::array<double, 2> line{a.squaredNorm() >= b.squaredNorm() ? a.squaredNorm() : product,
                                     a.squaredNorm() >= b.squaredNorm() ? product : b.squaredNorm()};
    for (const SurfaceTerm& term : request.surface)
      if (std::abs(line[0] * term.direction.second - line[1] * term.direction.first) >
          kRounding * std::hypot(line[0], line[1]) * std::hypot(term.direction.first, term.direction.second))
        return std::nullopt;
    return s11 + s22;
  }

  void addLoads(MasslessForces& forces) {
    for (const NodalLoad& load : study_.loads) {
      const Vector force = loadDirection(load, physical_);
      if (const Vector response = responseTo(force); !response.isZero(0.0))
        addLoad(load, force, response, forces);
    }
    for (const MovingLoadRequest& load : study_.movingLoads)
      for (const WayElement& element : wayOf(load, study_))
        for (const NodeIndex node : {element.first, element.second})
          for (int c = 0; c < kComponents; ++c) addMovingForce({node, componentAt(c)}, element, forces);
  }

  /// Size of the displacement that a force on dofs without inertia makes along a direction, relative to the
  /// largest possible one.
  bool reaches(const Direction& direction, const Vector& force, const Vector& response) const {
    const double moved = direction.response.dot(force);
    return std::abs(moved) >
           kRounding * std::sqrt(direction.force.dot(direction.response) * force.dot(response));
  }

  void addLoad(const NodalLoad& load, const Vector& force, const Vector& response, MasslessForces& forces) {
    // imposedFields gives the response of single dofs in closed form
    const bool isKnown = (response - massless_.response(force)).isZero(0.0);
    if (study_.basis.rayleigh.stiffness != 0.0 || !isKnown) forces.unknown.push_back(fullField(response));
    for (const Direction& each : directions_) {
      if (each.response.isZero(0.0) || !reaches(each, force, response)) continue;
      const TimeFunction& scale = load.scale;
      const bool isConstant = scale.formulaOrNull() == nullptr && scale.breakpoints().empty() &&
                              scale.piece(scale.lastPiece()).slope == 0.0;
      if (isConstant && each.owner < study_.contacts.size() && each.axis < 3)
        forces.contacts[each.owner].offset[each.axis] += scale.at(0.0) * each.response.dot(force);
      else
        refuse(pathOf(each.owner), each.response,
               "a load that varies in time pushes the same part without mass");
    }
  }

  void addMovingForce(Dof dof, const WayElement& element, MasslessForces& forces) {
    const int row = static_cast<int>(dof.component) + (dof.node == element.first ? 0 : kComponents);
    if (element.forces.row(row).isZero(0.0)) return;
    const Vector force = physical_.reducedForce(dof);
    const Vector response = responseTo(force);
    if (response.isZero(0.0)) return;
    for (const Direction& each : directions_)
      if (each.active && !each.response.isZero(0.0) && reaches(each, force, response))
        refuse(pathOf(each.owner), each.response, "a load that travels pushes the same part without mass");
    forces.unknown.push_back(fullField(response));
  }

  Vector fullField(const Vector& reduced) const { return physical_.dofs.transformation() * reduced; }

  const Study& study_;
  const Simulation& simulation_;
  const PhysicalModel& physical_;
  MasslessPart massless_;
  std::optional<StaticRemainder> combinations_;
  std::vector<Direction> directions_;
  std::vector<StudyProblem> problems_;
};

}  // namespace

MasslessForces masslessForces(const Study& study, const Simulation& simulation) {
  return Finder(study, simulation).find();
}

}  // namespace ricochet
