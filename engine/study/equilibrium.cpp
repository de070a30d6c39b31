#include "engine/study/equilibrium.hpp"

#include "engine/contact/followed.hpp"
#include "engine/contact/followed_slip.hpp"
#include "engine/study/parts/earlier_run.hpp"
#include "engine/study/simulation.hpp"
#include "engine/study/support_shift.hpp"
#include "engine/study/with_equation.hpp"

#include <fmt/core.h>

#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

namespace ricochet {
namespace {

void removeFriction(Contact& contact) {
  contact.friction = Frictionless{};
  contact.patch.reset();
  contact.spinRow.resize(0);
  contact.surface.clear();
  contact.surfaceSpin.clear();
  contact.rollRow.resize(0);
}

constexpr double kInside = 1.0 - 1e-10;  // part of the friction limit within which a contact rests

/// Friction at rest: the static coefficient and the stiffness of the stick, which is `stiffness` for true
/// stick; null for a law that creeps, or that is defined by steps of time or on areas.
std::optional<RegularisedCoulomb> frictionAtRest(const AnyFrictionLaw& any, double stiffness) {
  return std::visit(
      [&]<class Law>(const Law& law) -> std::optional<RegularisedCoulomb> {
        if constexpr (Law::traits.ofSpeed) {
          const double mu = kInside * law.table->coefficient.front();
          return RegularisedCoulomb{mu, mu, Law::traits.setValued ? stiffness : law.contactStiffness()};
        } else if constexpr (Law::traits.setValued) {
          return RegularisedCoulomb{kInside * law.muStatic, kInside * law.muDynamic, stiffness};
        } else if constexpr (Law::traits.coneStick) {
          return RegularisedCoulomb{kInside * law.muStatic, kInside * law.muDynamic, law.contactStiffness()};
        } else {
          return std::nullopt;
        }
      },
      any);
}

/// Contacts of a structure at rest. Rigid normals and set-valued sticks are springs in the search for the
/// equilibrium; each search starts where the springs of the one before had these forces, so that their
/// displacement vanishes (method of multipliers: M.J.D. Powell, in Optimization, Academic Press (1969)
/// 283-298).
///
/// Links and friction are evaluated from their states before the loads, as one increment, in every step.
class RestingContacts {
 public:
  /// `kinetic`: omega^2 of springs stiff compared with the structure, for a unit of generalized mass.
  RestingContacts(const ContactSet& real, bool friction, double kinetic, const State& before)
      : real_(&real), before_(before), resting_(real.contacts()) {
    for (Contact& contact : resting_) {
      const int i = static_cast<int>(stiffness_.size());
      stiffness_.push_back(stiffSpringConstant(contact, kinetic));
      replaced_ = replaced_ || traitsOf(contact.normal).setValued;
      if (traitsOf(contact.normal).setValued) addNormalFlexibility(contact, 1.0 / stiffness_.back());
      if (!friction || !real.hasTraction(i)) {
        removeFriction(contact);
        held_.emplace_back();
        continue;
      }
      replaced_ = replaced_ || traitsOf(contact.friction).setValued;
      contact.friction = *frictionAtRest(contact.friction, stiffness_.back());
      held_.push_back(stickBeforeLoads(real.contact(i)));
    }
  }

  ContactSet set(Eigen::Index size) const { return {resting_, size}; }
  /// True if springs stand for rigid normals or true sticks.
  bool hasReplacementSprings() const noexcept { return replaced_; }

  /// Sets the accepted states of links and of contacts with friction to their states before the loads.
  void setStatesBeforeLoads(ContactRun& run, LinkRun& links) const {
    links.setUnloadedStates(before_.time);
    std::vector<ContactState> states = run.states();
    FollowedContacts followed = run.followedContacts();
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (!held_[i]) continue;
      states[i] = held_[i]->state;
      if (run.contactSet().isFollowed(static_cast<int>(i))) followed.state(i, 0) = held_[i]->followed;
    }
    run.restore(states, run.areas(), followed);
  }

  /// Moves the springs of rigid normals and set-valued sticks by their displacement in the trial of `run`.
  void moveSprings(const ContactRun& run) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      const Contact& real = real_->contacts()[i];
      const ContactState& found = run.trialState(i);
      if (traitsOf(real.normal).setValued && found.isClosed()) {
        Local<double> normal{found.side};
        if (isCurved(real.obstacle)) normal = run.trialFollowedState(i).frame.normal;
        for (std::size_t a = 0; a < 3; ++a)
          resting_[i].offset[static_cast<Eigen::Index>(a)] =
              real.offset[static_cast<Eigen::Index>(a)] - found.compression / stiffness_[i] * normal[a];
      }
      if (held_[i] && traitsOf(real.friction).setValued && found.isClosed() && !found.friction.slipping)
        held_[i]->state.friction.anchorForce = found.traction;
    }
  }

  /// Stores the states of elastic sticks in the trial of `run`, at the equilibrium.
  void recordSticks(const ContactRun& run) {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (!held_[i] || traitsOf(real_->contacts()[i].friction).setValued) continue;
      held_[i]->state = run.trialState(i);
      setStickAtFrictionLimit(held_[i]->state);
      if (run.contactSet().isFollowed(static_cast<int>(i))) held_[i]->followed = run.trialFollowedState(i);
    }
  }

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
  void storeSticks(RunMemory& memory) const {
    for (std::size_t i = 0; i < held_.size(); ++i) {
      if (!sticksElastically(i)) continue;
      memory.contacts[i] = held_[i]->state;
      if (real_->contacts()[i].isFollowed()) memory.followed.state(i, 0) = held_[i]->followed;
    }
  }

 private:
  /// State of a contact before the loads.
  struct Held {
    ContactState state;
    FollowedState followed;
  };

  /// Turns the slip of a contact into a stick at its friction limit, where it rests.
  static void setStickAtFrictionLimit(ContactState& state) {
    if (state.isClosed() && state.friction.slipping)
      state.friction = {.anchorForce = state.traction, .anchorPosition = state.position};
  }

  static double stiffSpringConstant(const Contact& contact, double kinetic) {
    const double most = contact.rows.rowwise().squaredNorm().maxCoeff();
    return most > 0.0 ? kinetic / most : kinetic;
  }

  /// A stick without force at the displacement before the loads, closed.
  Held stickBeforeLoads(const Contact& contact) const {
    Held held;
    Vec3 x = contact.offset + contact.rows * before_.q.head(contact.rows.cols());
    const Drift drift = supportDriftAt(contact, before_.time);
    for (std::size_t a = 0; a < 3; ++a) {
      x[static_cast<Eigen::Index>(a)] += drift.displacement[a];
      held.followed.place[a] = held.followed.anchor[a] = x[static_cast<Eigen::Index>(a)];
    }
    held.followed.drift = drift.displacement;
    const Touch<double> touch = gapAndNormalOf(contact.obstacle, held.followed.place);
    held.followed.frame = contactFrameAtNormal(tangentKind(contact.obstacle), touch.normal, nullptr);
    if (contact.isRolling()) held.followed.roll = contact.rollRow.dot(before_.q.head(contact.rollRow.size()));
    held.state.gap = touch.gap;
    held.state.normal = NormalState::closed;
    held.state.side = isCurved(contact.obstacle) ? 1.0 : touch.normal[0];
    held.state.position = {x[1], x[2]};
    held.state.friction.anchorPosition = held.state.position;
    return held;
  }

  const ContactSet* real_;
  State before_;  // state before the loads, in the coordinates of the contact rows
  std::vector<Contact> resting_;
  std::vector<double> stiffness_;          // stiffness of the replacing springs [N/m]
  std::vector<std::optional<Held>> held_;  // states before the loads of contacts with friction
  bool replaced_{false};
};

/// Links at rest: the dashpots of Zener dampers have no force.
std::vector<Link> linksAtRest(std::vector<Link> links) {
  constexpr double kRelaxed = 1e200;  // flexibility in series with a dashpot [m/N]
  for (Link& link : links)
    if (auto* zener = std::get_if<Zener>(&link.law)) zener->flexibility3 = kRelaxed;
  return links;
}

/// Loads on a structure that rests relative to moving supports. The inertia and damping loads that only make
/// the structure follow its supports are removed.
Excitation loadsRelativeToSupports(const Excitation& given, Eigen::Index size,
                                   const std::vector<SupportShift>& shifts) {
  std::vector<Load> loads = given.loads();
  for (const SupportShift& each : shifts)
    loads.push_back({Vector(-each.following), TimeFunction::constant(1.0)});
  return {std::move(loads), size, given.movingLoads()};
}

/// Finds the equilibrium by implicit Euler steps from rest with increasing length: q <- q + h^2 a, a = f(q +
/// h^2 a), each solved by Newton's method with the tangents of the contacts. A step without a solution is
/// repeated with a shorter length; steps grow where they do not come nearer by much. Returns true when two
/// steps move q by the rounding of the free displacement h^2 |f| only, or two long ones leave q unchanged. A
/// part that only contacts support is in equilibrium, too, if longer steps do not increase the change of q.
template <class Equation>
bool iterateToEquilibrium(Equation& equation, State& s, double slowest, const RestingContacts& resting) {
  constexpr int kMost = 200;
  constexpr double kLong = 1e6;    // ratio of h^2 of a long step to that of the slowest mode
  constexpr double kRest = 1e-13;  // a smaller relative change of q counts as zero
  constexpr double kNear = 0.25;   // part of the change before: the next step keeps its length
  constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();  // relative to the loads
  constexpr double kCalm = 1e-9;        // relative change of q that may be due to rounding
  constexpr double kCalmGrowth = 30.0;  // growth of h^2: a free part would move in proportion
  equation.prepareImplicit();
  equation.start(s);
  resting.setStatesBeforeLoads(equation.contacts(), equation.links());
  const Vector none = Vector::Zero(s.q.size());
  Vector a = none;
  equation.acceleration(s.time, none, none, a);
  const double loads = a.norm();
  double before = std::numeric_limits<double>::infinity();
  double square = 1e-2 / slowest;
  int quiet = 0;
  bool calm = false;
  double calmFrom = 0.0, least = 0.0;
  Vector calmest;
  for (int i = 0; i < kMost && quiet < 2; ++i) {
    a.setZero();
    if (!equation.solveImplicit(s.time, {.share = 1.0, .dq = square, .dv = 0.0}, none, s.q, none, a)) {
      square *= 0.25;
      continue;
    }
    const double change = square * a.norm();
    s.q += square * a;
    if (!std::isfinite(s.q.sum())) return false;
    equation.accept(s, 0.0);
    resting.setStatesBeforeLoads(equation.contacts(), equation.links());
    s.v.setZero();
    if (change <= kCalm * s.q.norm()) {
      if (calmFrom == 0.0 || change < least) {
        least = change;
        calmest = s.q;
      }
      if (calmFrom == 0.0) calmFrom = square;
      calm = calm || square >= kCalmGrowth * calmFrom;
    } else if (!calm) {
      calmFrom = 0.0;
    }
    const bool isLong = square * slowest >= kLong;
    const bool still = change <= kRest * s.q.norm() || change == 0.0;
    quiet = (still && isLong) || change <= kRounding * square * loads ? quiet + 1 : 0;
    if (!(change < kNear * before) && square * slowest < 1e3 * kLong) square *= 10.0;
    before = change;
  }
  if (quiet < 2 && calm) s.q = calmest;
  return quiet >= 2 || calm;
}

/// State over the dofs of contacts and links only.
State stateAtContacts(const DirectModel& model, const State& s) {
  const auto size = static_cast<Eigen::Index>(model.contactDofs.size());
  State at(size);
  at.time = s.time;
  at.q.head(size) = s.q(model.contactDofs);
  return at;
}

/// Starts links at rest at given displacements of their first axes: the dashpots of Zener dampers have these
/// lengths.
void setLinksAtRest(Simulation& simulation, const std::vector<double>& places) {
  LinkSet& set = simulation.mode == Mode::modal ? simulation.model.links : simulation.direct.links;
  if (places.empty()) return;
  std::vector<Link> links = set.links();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (const auto* zener = std::get_if<Zener>(&links[i].law))
      links[i].initialMemory[0] = zener->stiffnessShare() * places[i];
  const Eigen::Index size = links.front().rows.cols();
  set = LinkSet(std::move(links), size);
}

/// Searches the equilibrium of the model that `modelWith` builds with resting contacts.
template <class Equation, class ModelWith>
bool searchEquilibrium(const ModelWith& modelWith, RestingContacts& resting, State& s, double slowest,
                       std::vector<double>& places) {
  constexpr int kMoves = 8;  // each move reduces the displacement of the springs by their stiffness
  for (int move = 0; move < kMoves; ++move) {
    const auto model = modelWith(resting);
    Equation equation(model);
    if (!iterateToEquilibrium(equation, s, slowest, resting)) return false;
    Vector a = Vector::Zero(s.q.size());
    equation.acceleration(s.time, s.q, s.v, a);  // a trial of contacts and links at the equilibrium
    resting.recordSticks(equation.contacts());
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = equation.links().trialState(static_cast<int>(i)).motion.x[0];
    if (!resting.hasReplacementSprings()) break;
    resting.moveSprings(equation.contacts());
  }
  return true;
}

/// omega^2 of stiff springs, by the highest omega^2 of the structure or, without it, the length of the run.
double squareOfStiffSprings(double highest, double duration) {
  const double fast = 2e2 * std::numbers::pi / duration;
  return highest > 0.0 ? 1e3 * highest : fast * fast;
}

/// Throws StudyError for friction that cannot hold a structure at rest.
void requireFrictionAtRest(const Study& study, const ContactSet& set) {
  std::vector<StudyProblem> problems;
  for (int i = 0; i < set.size(); ++i) {
    const Contact& contact = set.contact(i);
    if (!set.hasTraction(i) && !set.isArea(i)) continue;
    std::string why;
    if (!frictionAtRest(contact.friction, 1.0))
      why = "its friction has no state of rest: it acts on an area, creeps or is defined by steps of time";
    else if (contact.coupled || !contact.compliance.isZero(0.0))
      why = "its node has no mass";
    else if (!contact.surface.empty() || !contact.surfaceSpin.empty())
      why = "its surface moves under the body";
    else if (traitsOf(contact.normal).setValued && !traitsOf(contact.friction).setValued)
      why = "a rigid contact keeps no force of an elastic stick: leave out its `friction.stiffness`";
    if (why.empty()) continue;
    problems.push_back(
        {"contacts." + study.contacts[static_cast<std::size_t>(i)].name,
         fmt::format("{}; leave out `with_friction`: friction does not act in the equilibrium then", why)});
  }
  throwIfAnyProblem(problems);
}

std::string noEquilibriumText(bool friction) {
  return fmt::format(
      "the structure finds no equilibrium under the loads at the start: something is free to move{}, or is "
      "held by an imposed force only",
      friction ? ", also with friction" : " (friction does not count; with `with_friction = true` it does)");
}

}  // namespace

void findEquilibrium(const Study& study, const std::vector<SupportShift>& shifts, Simulation& simulation) {
  if (study.equilibrium == Equilibrium::none) return;
  const bool friction = study.equilibrium == Equilibrium::withFriction;
  if (friction) requireFrictionAtRest(study, simulation.contacts());
  State& s = simulation.initial;
  const Vector velocity = s.v;
  s.v.setZero();
  const double duration = study.transient ? study.transient->duration : 1.0;
  const Excitation& loads = simulation.mode == Mode::modal ? simulation.model.loads : simulation.direct.loads;
  const Excitation relative = loadsRelativeToSupports(loads, simulation.size(), shifts);
  std::optional<RestingContacts> resting;
  std::vector<double> places(static_cast<std::size_t>(simulation.links().size()));
  bool found = false;
  if (simulation.mode == Mode::modal) {
    const ModalModel& model = simulation.model;
    const Vector squares = model.linear.omegaSquared.head(model.linear.modes);
    const double highest = squares.maxCoeff();
    double slowest = highest > 0.0 ? highest : 1.0;
    for (const double each : squares)
      if (each > 1e-9 * highest) slowest = std::min(slowest, each);
    resting.emplace(model.contacts, friction, squareOfStiffSprings(highest, duration), s);
    found = searchEquilibrium<ModalEquation>(
        [&](const RestingContacts& contacts) {
          return ModalModel{model.linear, relative, contacts.set(simulation.size()),
                            LinkSet(linksAtRest(model.links.links()), simulation.size()), model.coupling};
        },
        *resting, s, slowest, places);
  } else {
    const DirectModel& model = simulation.direct;
    const auto size = static_cast<Eigen::Index>(model.contactDofs.size());
    resting.emplace(model.contacts, friction, 0.0, stateAtContacts(model, s));  // no rigid contacts here
    found = searchEquilibrium<DirectEquation>(
        [&](const RestingContacts& contacts) {
          return DirectModel{model.linear,
                             relative,
                             contacts.set(size),
                             model.contactDofs,
                             LinkSet(linksAtRest(model.links.links()), size),
                             model.coupling};
        },
        *resting, s, 1.0 / (duration * duration), places);
  }
  if (!found) throw StudyError(StudyProblem{"initial.equilibrium", noEquilibriumText(friction)});
  s.v = velocity;
  setLinksAtRest(simulation, places);
  if (!resting->hasSticks()) return;
  RunMemory memory = callWithEquation(simulation, [&](auto& equation) {
    equation.start(s);
    return RunMemory(equation.contacts(), equation.links());
  });
  resting->storeSticks(memory);
  auto restart = std::make_shared<Restart>();
  restart->memory = std::move(memory);
  simulation.restart = std::move(restart);
}

}  // namespace ricochet
