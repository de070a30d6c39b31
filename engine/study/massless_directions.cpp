#include "engine/study/massless_directions.hpp"

#include "engine/contact/followed.hpp"
#include "engine/study/initial_state.hpp"
#include "engine/study/parts/study_error.hpp"
#include "engine/study/push_directions.hpp"
#include "physical/assembly/assembler.hpp"
#include "physical/dense_solvers.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <variant>

namespace ricochet {
namespace {

/// Reduced force of the spin of an area, or of the rotation of rolling bodies (study_contacts.cpp computes
/// the rows).
Vector rotationDirection(const ContactRequest& request, const PhysicalModel& physical) {
  Vector direction = Vector::Zero(physical.size());
  const Vec3 axis = request.friction.patch ? request.spinAxis() : request.rollAxis();
  const bool isArea = request.friction.patch != nullptr;
  for (int c = 0; c < 3; ++c) {
    const auto add = [&](NodeIndex node, double factor) {
      direction += factor * axis[c] * physical.reducedForce({node, componentOfIndex(c + 3)});
    };
    add(request.first, isArea ? 1.0 : request.rollingRadius[0]);
    if (request.second) add(*request.second, isArea ? -1.0 : request.rollingRadius[1]);
  }
  return direction;
}

}  // namespace

DashpotSource sourcesOfDashpotColumns(const Study& study) {
  const auto& elements = study.structure.elements;
  const bool elementsDamp = std::ranges::any_of(
      elements, [](const AnyElement& any) { return std::holds_alternative<Dashpot>(any); });
  const auto& blocks = study.structure.matrices;
  const auto damps =
      std::ranges::find_if(blocks, [](const MatrixBlock& block) { return block.damping.nonZeros() > 0; });
  if (damps == blocks.end()) return {"dampers", "[[dampers]]"};
  if (elementsDamp) return {"dampers", "[[dampers]] or of `damping` in [[matrices]]"};
  return {fmt::format("matrices[{}].damping", damps - blocks.begin()), "`damping` in [[matrices]]"};
}

MasslessDirections::MasslessDirections(const Study& study, const Simulation& simulation)
    : study_(study), simulation_(simulation), physical_(simulation.physical), massless_(physical_) {
  findCombinationsOfDirections();
}

void MasslessDirections::collectDirections() {
  collectContacts();
  collectLinks();
  collectDashpots();
  for (Direction& each : directions_) {
    each.response = responseToForce(each.force);
    if (!truncated_) continue;
    const Vector pushed = massless_.forceCondensedToMass(each.force);
    const std::optional<Vector> left = truncated_->staticResponse(pushed);
    if (!left)
      throw StudyError(
          StudyProblem{"basis", "lacks a rigid-body mode that a contact or link excites: take more modes"});
    each.response += *left;
  }
}

/// Finds combinations of dofs with mass whose mass is zero, such as the rotation of a node about an offset
/// point mass. The static response missing in a complete basis is that of these combinations.
void MasslessDirections::findCombinationsOfDirections() {
  const ModalBasis& basis = simulation_.basis;
  const auto withMass = static_cast<std::size_t>(physical_.size()) - massless_.dofs().size();
  if (simulation_.mode == Mode::modal && basis.complete && static_cast<std::size_t>(basis.size()) < withMass)
    combinations_.emplace(basis, physical_);
  else if (simulation_.mode == Mode::modal && !study_.basis.residualInertia && !basis.complete)
    truncated_.emplace(basis, physical_);
}

Vector MasslessDirections::responseToForce(const Vector& force) const {
  Vector response = massless_.staticResponse(force);
  if (!combinations_) return response;
  const Vector pushed = massless_.forceCondensedToMass(force);
  std::optional<Vector> left = combinations_->staticResponse(pushed);
  if (!left) return response;
  const ModalBasis& basis = simulation_.basis;
  const Vector rows = basis.reducedShapes.transpose() * pushed;
  // The remainder is that of the modes alone; residual vectors represent a part of the response.
  const Eigen::Index added = basis.residualVectors;
  *left -=
      basis.reducedShapes.rightCols(added) * rows.tail(added).cwiseQuotient(basis.eigenvalue.tail(added));
  double flexibility = 0.0;  // flexibility of the modes, for comparison [m/N]
  for (Eigen::Index i = 0; i < rows.size(); ++i)
    if (basis.eigenvalue[i] > 0.0) flexibility += rows[i] * rows[i] / basis.eigenvalue[i];
  constexpr double kNone = 1e-8;  // relative to the flexibility of the modes, which have errors
  if (const double missing = pushed.dot(*left); missing > kNone * (flexibility + missing)) response += *left;
  return response;
}

SparseMatrix MasslessDirections::reducedShapes() const {
  if (simulation_.mode == Mode::modal) return simulation_.basis.reducedShapes.sparseView(1.0, 0.0);
  std::vector<Eigen::Triplet<double>> entries;
  const std::vector<DofIndex>& independent = physical_.dofs.independentDofs();
  for (std::size_t i = 0; i < independent.size(); ++i)
    for (RowMajorMatrix::InnerIterator it(simulation_.toDofs, independent[i].value); it; ++it)
      entries.emplace_back(static_cast<int>(i), static_cast<int>(it.col()), it.value());
  SparseMatrix shapes(physical_.size(), simulation_.size());
  shapes.setFromTriplets(entries.begin(), entries.end());
  return shapes;
}

void MasslessDirections::collectContacts() {
  for (std::size_t i = 0; i < study_.contacts.size(); ++i) {
    const ContactRequest& request = study_.contacts[i];
    const bool bears = traitsOf(request.friction.law).traction || request.friction.patch;
    // A curved obstacle has forces along every axis on which its gap depends.
    const int pushed = gapAxisCount(request.obstacle);
    const std::array<bool, 3> active{true, pushed > 1 || (bears && request.tangentScale.first != 0.0),
                                     pushed > 2 || (bears && request.tangentScale.second != 0.0)};
    for (int axis = 0; axis < 3; ++axis)
      directions_.push_back(
          {i, axis, active[static_cast<std::size_t>(axis)], contactDirection(request, axis, physical_), {}});
    if (request.friction.patch || request.isRolling())
      directions_.push_back({i, 3, true, rotationDirection(request, physical_), {}});
  }
}

void MasslessDirections::collectLinks() {
  for (std::size_t i = 0; i < study_.links.size(); ++i)
    for (std::size_t axis = 0; axis < study_.links[i].axes.size(); ++axis)
      directions_.push_back({study_.contacts.size() + i,
                             static_cast<int>(axis),
                             true,
                             linkDirection(study_.links[i], axis, physical_),
                             {}});
}

/// True if an entry of a^t b exceeds the rounding of its terms.
bool MasslessDirections::doesForceExceedRounding(const Vector& a, const SparseMatrix& b) {
  const Eigen::RowVectorXd sum = a.transpose() * b;
  const Eigen::RowVectorXd terms = a.cwiseAbs().transpose() * b.cwiseAbs();
  return (sum.cwiseAbs().array() > kRoundingOfFlexibility * terms.array()).any();
}

/// Forces of loads, contacts and links, one column each.
SparseMatrix MasslessDirections::pushes() const {
  std::vector<Vector> forces;
  for (const NodalLoad& load : study_.loads) forces.push_back(loadDirection(load, physical_));
  for (const Direction& each : directions_)
    if (each.active) forces.push_back(each.force);
  Matrix columns(physical_.size(), std::ssize(forces));
  for (std::size_t i = 0; i < forces.size(); ++i) columns.col(static_cast<Eigen::Index>(i)) = forces[i];
  return columns.sparseView(1.0, 0.0);
}

/// Collects the dashpots as combinations that do not act on each other. Combinations that neither the
/// coordinates nor any force nor the initial displacement move, as with damping proportional to stiffness,
/// are left out. Called when the contacts and links are collected.
void MasslessDirections::collectDashpots() {
  const Matrix& all = physical_.masslessDashpots;
  if (all.cols() == 0) return;
  Matrix responses(all.rows(), all.cols());
  for (Eigen::Index i = 0; i < all.cols(); ++i) responses.col(i) = responseToForce(all.col(i));
  const Matrix compliance = all.transpose() * responses;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(Matrix(0.5 * (compliance + compliance.transpose())));
  const Matrix turned = all * eigen.eigenvectors();
  const Matrix moved = responses * eigen.eigenvectors();
  const SparseMatrix shapes = reducedShapes();
  const SparseMatrix forces = pushes();
  const SparseMatrix start = initialDisplacementOf(study_, simulation_).sparseView(1.0, 0.0);
  std::size_t owner = study_.contacts.size() + study_.links.size();
  for (Eigen::Index i = 0; i < turned.cols(); ++i)
    if (doesForceExceedRounding(turned.col(i), shapes) || doesForceExceedRounding(turned.col(i), start) ||
        doesForceExceedRounding(moved.col(i), forces))
      directions_.push_back({owner++, 0, true, turned.col(i), {}});
}

bool MasslessDirections::isCoupled(const Direction& a, const Direction& b) {
  return isMovedBy(b, a.force, a.response);
}

bool MasslessDirections::isMovedBy(const Direction& direction, const Vector& force, const Vector& response) {
  const double moved = direction.response.dot(force);
  return std::abs(moved) >
         kRoundingOfFlexibility * std::sqrt(direction.force.dot(direction.response) * force.dot(response));
}

bool MasslessDirections::areObstaclesOnOppositeSides(std::size_t one, std::size_t other) const {
  if (!isContact(one) || !isContact(other)) return false;
  double room = 0.0;  // sum of both gaps, which is constant [m]
  for (const std::size_t i : {one, other}) {
    const ContactRequest& request = study_.contacts[i];
    const FreeInterval free = contactFreeIntervalOfObstacle(request.obstacle);
    if (!free.isHalfLine() || request.isFollowed() || request.second) return false;
    const auto& place = study_.structure.positions[static_cast<std::size_t>(request.first.value)];
    room += request.frame.row(0).dot(place - request.origin) - free.low;
  }
  const Vector sum = directionOf(one, 0).force + directionOf(other, 0).force;
  return room >= 0.0 && sum.norm() <= kRoundingOfFlexibility * directionOf(one, 0).force.norm();
}

const Direction& MasslessDirections::directionOf(std::size_t owner, int axis) const {
  return *std::find_if(directions_.begin(), directions_.end(),
                       [&](const Direction& each) { return each.owner == owner && each.axis == axis; });
}

}  // namespace ricochet
