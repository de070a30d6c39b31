#pragma once

#include "engine/study/massless_directions.hpp"
#include "engine/study/massless_forces.hpp"
#include "engine/study/push_directions.hpp"

#include <optional>
#include <vector>

namespace ricochet {

/// Finds which contacts, links and dashpots on dofs without inertia must be solved together
/// (MasslessForces::coupling). Keeps references to study, directions and sticks.
class MasslessCoupling {
 public:
  MasslessCoupling(const Study& study, const PhysicalModel& physical, const MasslessDirections& directions,
                   const std::vector<DampedStick>& sticks)
      : study_(study), physical_(physical), directions_(directions), sticks_(sticks) {}

  /// Finds the couplings; to be called after the directions are collected.
  void findCouplings();
  /// True if the forces of a contact, link or dashpot (Direction::owner) are solved together with others.
  bool isCoupledToOthers(std::size_t owner) const { return owner < coupled_.size() && coupled_[owner] != 0; }

  /// A direction of a rigid contact, set-valued stick or dashpot that depends linearly on the directions of
  /// others, so that the reactions are not unique; null if there is none. A dashpot may push along the normal
  /// of a rigid contact: its force is 0 while that is closed.
  const Direction* sharedReactionDirection() const;

  /// Adds the compliance, and the parts of it that laws contain, to the forces.
  void addCouplingCompliance(MasslessForces& forces) const;

 private:
  Mat3 complianceOf(std::size_t contact) const;
  bool doesContactHaveClosedFormAlone(std::size_t contact) const;
  void coupleContactsMovedByLoadJumps();
  bool doesDirectionNeedSpringInSeries(const Direction& direction) const;
  void addFlexibilityToLaws(std::size_t owner, MasslessForces& forces) const;

  const Study& study_;
  const PhysicalModel& physical_;
  const MasslessDirections& directions_;
  const std::vector<DampedStick>& sticks_;
  std::vector<char> coupled_;  // 1: coupled; per contact, link and dashpot
};

/// Flexibility along the path of the slip in the coordinates of the friction law [m/N]: the same in all
/// directions of the plane, or along the only line on which the point can move; empty if neither holds.
/// `first` and `second`: the tangents.
std::optional<double> flexibilityAlongSlipPath(const ContactRequest& request, const Mat3& compliance,
                                               const Direction& first, const Direction& second);

}  // namespace ricochet
