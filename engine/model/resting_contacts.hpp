#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/links/link_set.hpp"
#include "engine/model/run_memory.hpp"
#include "engine/numerics/state.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace ricochet {

/// Friction at rest: the static coefficient and the stiffness of the stick, which is `stiffness` for true
/// stick; null for a law that creeps, or that is defined by steps of time or on areas.
std::optional<RegularisedCoulomb> frictionAtRest(const AnyFrictionLaw& any, double stiffness);

/// Contacts of a structure at rest. Rigid normals and set-valued sticks are springs in the search for the
/// equilibrium; each search starts where the springs of the one before had these forces, so that their
/// displacement vanishes (method of multipliers: M.J.D. Powell, in Optimization, Academic Press (1969)
/// 283-298).
///
/// Links and friction are evaluated from their states before the loads, as one increment, in every step.
class RestingContacts {
 public:
  /// `kinetic`: omega^2 of springs stiff compared with the structure, for a unit of generalized mass.
  RestingContacts(const ContactSet& real, bool friction, double kinetic, const State& before);

  ContactSet set(Eigen::Index size) const { return {resting_, size}; }
  /// True if springs stand for rigid normals or true sticks.
  bool hasReplacementSprings() const noexcept { return replaced_; }

  /// Sets the accepted states of links and of contacts with friction to their states before the loads.
  void setStatesBeforeLoads(ContactRun& run, LinkRun& links) const;

  /// Moves the springs of rigid normals and set-valued sticks by their displacement in the trial of `run`.
  void moveSprings(const ContactRun& run);

  /// Stores the states of elastic sticks in the trial of `run`, at the equilibrium.
  void recordSticks(const ContactRun& run);

  /// True for a contact that sticks elastically at the equilibrium.
  bool sticksElastically(std::size_t i) const {
    return held_[i] && !traitsOf(real_->contacts()[i].friction).setValued && held_[i]->state.isClosed();
  }
  bool hasSticks() const {
    for (std::size_t i = 0; i < held_.size(); ++i)
      if (sticksElastically(i)) return true;
    return false;
  }

  /// Copies the stored stick states to the memory of a run that starts at the equilibrium.
  void storeSticks(RunMemory& memory) const;

 private:
  /// State of a contact before the loads.
  struct Held {
    ContactState state;
    FollowedState followed;
  };

  /// Turns the slip of a contact into a stick at its friction limit, where it rests.
  static void setStickAtFrictionLimit(ContactState& state);

  static double stiffSpringConstant(const Contact& contact, double kinetic);

  /// A stick without force at the displacement before the loads, closed.
  Held stateOfStickBeforeLoads(const Contact& contact) const;

  const ContactSet* real_;
  State before_;  // state before the loads, in the coordinates of the contact rows
  std::vector<Contact> resting_;
  std::vector<double> stiffness_;          // stiffness of the replacing springs [N/m]
  std::vector<std::optional<Held>> held_;  // states before the loads of contacts with friction
  bool replaced_{false};
};

}  // namespace ricochet
