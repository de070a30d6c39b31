#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/links/link_set.hpp"
#include "engine/model/run_memory.hpp"
#include "engine/numerics/state.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace ricochet {

/// Friction at rest: the static coefficient and the stiffness of the stick, which is `stiffness` for true
/// stick; null for a law that creeps, or that is defined by steps of time or on areas.
std::optional<RegularisedCoulomb> regularisedFrictionAtRest(const AnyFrictionLaw& any, double stiffness);

/// Contacts of a structure at rest. Rigid normals and set-valued sticks are springs in the search for the
/// equilibrium; each search starts where the springs of the one before had these forces, so that their
/// displacement vanishes (method of multipliers: M.J.D. Powell, in Optimization, Academic Press (1969)
/// 283-298).
///
/// Links and friction are evaluated from their states before the loads, as one increment, in every step.
/// Sticks that static friction may hold, above dynamic friction, are held without limit at first, and
/// set-valued ones that stuck in the search before: on its way, a search exceeds the limit of sticks that
/// hold at its end. Those that exceed it most at the end are released, as under loads that grow in
/// proportion.
class RestingContacts {
 public:
  /// `kinetic`: omega^2 of springs stiff compared with the structure, for a unit of generalized mass.
  RestingContacts(const ContactSet& real, bool friction, double kinetic, const State& before);

  ContactSet contactSet(Eigen::Index size) const { return {resting_, size}; }

  /// Sets the accepted states of links and of contacts with friction to their states before the loads.
  void setContactStatesBeforeLoads(ContactRun& run, LinkRun& links) const;

  /// Hooks the sticks of contacts with round obstacles that were open before the loads and are closed now, in
  /// the accepted states of `run`, where they touch first on the straight way from `from` to `to`: the way
  /// through the free space has no direction on the obstacle.
  void anchorStickWhereContactFirstTouched(const ContactRun& run, const Vector& from, const Vector& to);

  /// Moves the springs of rigid normals and set-valued sticks by their displacement in the trial of `run`, at
  /// the equilibrium of `q`, and makes them stiffer where this hardly reduced their displacement. True if
  /// another search is needed: springs were displaced, or sticks are released.
  bool moveSpringsOfRestingContacts(const ContactRun& run, const Vector& q);

  /// Stores the states of elastic sticks in the trial of `run`, at the equilibrium.
  void recordStickStates(const ContactRun& run);

  /// True for a contact that sticks elastically at the equilibrium.
  bool isStickingElastically(std::size_t i) const {
    return held_[i] && !traitsOf(real_->contacts()[i].friction).setValued && found_[i].state.isClosed();
  }
  bool hasSticks() const {
    for (std::size_t i = 0; i < held_.size(); ++i)
      if (isStickingElastically(i)) return true;
    return false;
  }

  /// Copies the stored stick states to the memory of a run that starts at the equilibrium.
  void storeStickStates(RunMemory& memory) const;

 private:
  /// State of a contact before the loads.
  struct Held {
    ContactState state;
    FollowedState followed;
  };

  /// How the next search treats a stick: by its law, which may be final, or held.
  enum class SearchedStick : std::uint8_t { byLaw, held, released };

  /// Turns the slip of a contact into a stick at its friction limit, where it rests.
  static void setStickTractionAtFrictionLimit(ContactState& state);

  static double constantOfStiffSpring(const Contact& contact, double kinetic);

  /// Sets the resting contact from the real one, the stiffness and the force of its springs.
  void setStateOfRestingContact(std::size_t i);

  /// Takes the forces of the springs of a contact from a trial. Returns by how much they were displaced [m].
  double copySpringForcesFromTrial(std::size_t i, const ContactRun& run);

  /// Ratio of the traction of a held stick in a trial to its limit; 0 for other contacts.
  double tractionAsFractionOfFrictionLimit(std::size_t i, const ContactState& found) const;

  /// Releases the held sticks that exceed their limit most. True if there are some.
  bool releaseSticks(const ContactRun& run);

  /// Rounding error of a displacement of a spring [m].
  double roundingErrorOfDisplacement(std::size_t i, const Vector& q) const;

  /// Position of a contact point at the displacement q before the loads [m].
  Local<double> positionAt(const Contact& contact, const Vector& q) const;

  /// A stick without force at the displacement q, closed.
  Held stickStateWithoutForce(const Contact& contact, const Vector& q) const;

  /// State of a contact before the loads: open only at a round obstacle that it does not touch.
  Held contactStateBeforeLoads(const Contact& contact) const;

  const ContactSet* real_;
  State before_;  // state before the loads, in the coordinates of the contact rows
  std::vector<Contact> resting_;
  std::vector<double> stiffness_;          // stiffness of the replacing springs [N/m]
  std::vector<Local<double>> push_;        // force of the spring of a rigid normal, along e1, e2, e3 [N]
  std::vector<std::optional<Held>> held_;  // states before the loads of contacts with friction
  std::vector<Held> found_;                // states of elastic sticks at the equilibrium
  std::vector<SearchedStick> sticks_;
  std::vector<double> inside_;       // depth at which a rigid contact with a force rests [m]
  double largest_{0.0}, last_{0.0};  // largest displacement of a spring: in all searches, and in the last [m]
  int stiffened_{0};
};

}  // namespace ricochet
