#pragma once

#include "engine/study/simulation.hpp"
#include "modal/static_remainder.hpp"
#include "physical/assembly/massless.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// A coupling is zero if it is below this fraction of the flexibilities that it couples.
inline constexpr double kRoundingOfFlexibility = 1e-9;

/// One direction in which a contact, a link or a dashpot can push, in reduced numbering.
struct Direction {
  std::size_t owner;  ///< number of the contact, of contacts + the link, of both + the dashpot
  int axis;           ///< 0, 1, 2: e1, e2, e3; 3: rotation of an area or of a body that rolls
  bool active;        ///< false: the laws never push along this direction, but it is shown in results
  Vector force;       ///< reduced force b^t
  /// Displacement F b^t, zero if the direction moves no dof without inertia; includes the static response
  /// missing in the modes if this response has no inertia (BasisRequest).
  Vector response;
};

/// Where a deck gives the dashpots of the structure.
struct DashpotSource {
  std::string path;  ///< key in the deck: "dampers", "matrices[0].damping"
  std::string name;  ///< name in messages: "[[dampers]]"
};
DashpotSource sourcesOfDashpotColumns(const Study& study);

/// Directions along which contacts, links and dashpots push, with the response of dofs without inertia. Keeps
/// references to study and simulation.
class MasslessDirections {
 public:
  MasslessDirections(const Study& study, const Simulation& simulation);

  /// True if no dof, and no combination of dofs, is without inertia.
  bool empty() const noexcept { return massless_.empty() && !combinations_ && !truncated_; }
  const MasslessPart& masslessPart() const noexcept { return massless_; }

  /// Collects all directions. Throws ModelError for dofs without inertia that nothing holds.
  void collectDirections();
  const std::vector<Direction>& directionsOfForces() const noexcept { return directions_; }
  const Direction& directionOf(std::size_t owner, int axis) const;

  bool isContact(std::size_t owner) const noexcept { return owner < study_.contacts.size(); }
  /// Number of a link, or of links + the dashpot.
  std::size_t linkOf(std::size_t owner) const noexcept { return owner - study_.contacts.size(); }

  /// Displacement F f by a reduced force f, over dofs and combinations of dofs without inertia.
  Vector responseToForce(const Vector& force) const;
  /// True if a reduced force displaces dofs, or combinations of dofs, without inertia. The flexibility of a
  /// truncated basis does not count, because it is that of dofs with mass.
  bool movesWithoutInertia(const Vector& force) const { return !responseToForce(force).isZero(0.0); }
  /// True if a force along one direction displaces the other beyond rounding.
  static bool isCoupled(const Direction& a, const Direction& b);
  /// True if a force on dofs without inertia, with its response, displaces a direction beyond rounding.
  static bool isMovedBy(const Direction& direction, const Vector& force, const Vector& response);
  static bool doesForceExceedRounding(const Vector& a, const SparseMatrix& b);
  /// True for two planes at rest on opposite sides of one point: the gap of one plane grows as the other gap
  /// decreases, so that only one of them can be closed.
  bool areObstaclesOnOppositeSides(std::size_t one, std::size_t other) const;
  /// Motion of the independent dofs per unit of each coordinate.
  SparseMatrix reducedShapes() const;

 private:
  void findCombinationsOfDirections();
  void collectContacts();
  void collectLinks();
  void collectDashpots();
  SparseMatrix pushes() const;

  const Study& study_;
  const Simulation& simulation_;
  const PhysicalModel& physical_;
  MasslessPart massless_;
  std::optional<StaticRemainder> combinations_;
  // Static remainder of a basis whose residual flexibility has no inertia.
  std::optional<StaticRemainder> truncated_;
  std::vector<Direction> directions_;
};

}  // namespace ricochet
