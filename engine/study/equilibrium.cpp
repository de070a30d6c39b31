#include "engine/study/equilibrium.hpp"

#include "engine/contact/followed.hpp"
#include "engine/model/resting_contacts.hpp"
#include "engine/study/parts/earlier_run.hpp"
#include "engine/study/simulation.hpp"
#include "engine/study/support_shift.hpp"
#include "engine/study/with_equation.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <vector>

namespace ricochet {
namespace {

/// Links at rest: dashpots in series have no force.
std::vector<Link> makeLinksAtRest(std::vector<Link> links) {
  for (Link& link : links)
    std::visit(
        []<class Law>(Law& law) {
          if constexpr (Law::traits.relaxes) law = law.lawAfterRelaxation();
        },
        link.law);
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

/// Places of the contact points at a state over the coordinates of the contact rows [m], with the shifts of
/// the last trial; zero for planar obstacles.
std::vector<Local<double>> contactPositionsAtCurvedObstacles(const ContactRun& run, const State& at) {
  std::vector<Local<double>> places;
  for (const Contact& contact : run.contactSet().contacts()) {
    const std::size_t i = places.size();
    Local<double>& place = places.emplace_back();
    if (!isCurved(contact.obstacle)) continue;
    const Vec3 x = contact.offset + contact.rows * at.q.head(contact.rows.cols());
    const Drift drift = supportDriftAtTime(contact, at.time);
    for (std::size_t a = 0; a < 3; ++a) {
      place[a] = x[static_cast<Eigen::Index>(a)] + drift.displacement[a];
      if (contact.coupled) place[a] += run.contactPointShifts().displacementShiftOfContact(i).displacement[a];
    }
  }
  return places;
}

/// True if a step turns the normal of a curved obstacle by so much that the step may have led past a ridge of
/// the obstacle, or through it to its other side. Such a step is too long, although forces are in balance at
/// its end. A contact point that moved by less than its gap cannot have touched the obstacle.
bool canStepPassRidgeOfObstacle(const ContactSet& set, const std::vector<Local<double>>& from,
                                const std::vector<Local<double>>& to) {
  // Cosine of the angle between the normals before and after: 0.05 rad.
  constexpr double kLeastCosine = 0.99875;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const AnyObstacle& obstacle = set.contacts()[i].obstacle;
    if (!isCurved(obstacle)) continue;
    const Touch<double> before = gapAndNormalOf(obstacle, from[i]);
    double square = 0.0;  // squared distance, in the plane of the obstacle if it has a plane
    for (std::size_t a = 0; a < static_cast<std::size_t>(gapAxisCount(obstacle)); ++a)
      square += (to[i][a] - from[i][a]) * (to[i][a] - from[i][a]);
    if (std::sqrt(square) <= before.gap) continue;
    if (innerProduct(before.normal, gapAndNormalOf(obstacle, to[i]).normal) < kLeastCosine) return true;
  }
  return false;
}

/// Solves an implicit Euler step h^2 = `square` [s^2] from rest at `s` for its acceleration `a`.
template <class Equation>
bool solveImplicitStepFromRest(Equation& equation, const State& s, double square, Vector& a) {
  const Vector none = Vector::Zero(s.q.size());
  a.setZero();
  return equation.solveImplicit(s.time, {.share = 1.0, .dq = square, .dv = 0.0}, none, s.q, none, a);
}

/// A step as above that follows a path of falling energy: to a minimum, and not past a ridge. `places`: of
/// the contact points at curved obstacles before the step.
template <class Equation>
bool solveImplicitStepOfDescent(Equation& equation, const State& s, double square,
                                const std::vector<Local<double>>& places, Vector& a) {
  if (!solveImplicitStepFromRest(equation, s, square, a) || !equation.isBalanceStable()) return false;
  State end = s;
  end.q += square * a;
  const ContactRun& run = equation.contacts();
  return !canStepPassRidgeOfObstacle(
      run.contactSet(), places,
      contactPositionsAtCurvedObstacles(run, equation.stateInContactCoordinates(end)));
}

enum class Found : std::uint8_t { none, unstable, stable };

/// Judges from the changes of q whether a search has converged.
class Convergence {
 public:
  Convergence(double slowest, double loads) : slowest_(slowest), loads_(loads) {}

  /// Judges a step to q with h^2 = `square` that changed q by `change`.
  void assessEquilibriumStep(const Vector& q, double square, double change) {
    constexpr double kRest = 1e-13;  // a smaller relative change of q counts as zero
    constexpr double kRounding = 16.0 * std::numeric_limits<double>::epsilon();  // relative to the loads
    constexpr double kStationaryGrowth = 30.0;  // growth of h^2: a free part would move in proportion
    if (square < kStart / slowest_) {
      stationaryFrom_ =
          stationary_ ? stationaryFrom_ : 0.0;  // a short step changes q by little, also that of a free part
    } else if (change <= kStationaryChange * q.norm()) {
      if (stationaryFrom_ == 0.0 || change < least_) {
        least_ = change;
        leastChanged_ = q;
      }
      if (stationaryFrom_ == 0.0) stationaryFrom_ = square;
      stationary_ = stationary_ || square >= kStationaryGrowth * stationaryFrom_;
    } else if (!stationary_) {
      stationaryFrom_ = 0.0;
    }
    const bool still = change <= kRest * q.norm() || change == 0.0;
    unchangedSteps_ = (still && isStepLongForSlowestMode(square)) || change <= kRounding * square * loads_
                          ? unchangedSteps_ + 1
                          : 0;
  }

  /// True if h^2 is long compared with that of the slowest mode.
  bool isStepLongForSlowestMode(double square) const { return square >= longestSquaredStep(); }
  double longestSquaredStep() const { return 1e6 / slowest_; }
  /// Upper bound of h^2 after a step to q. Steps grow on for parts slower than `slowest`, which move
  /// noticeably.
  double longestSquaredStepAfter(const Vector& q, double change) const {
    return (change > kStationaryChange * q.norm() ? 1e24 : 1e3) * longestSquaredStep();
  }
  bool hasConverged() const { return unchangedSteps_ >= 2; }
  bool isStationary() const { return stationary_; }
  const Vector& coordinatesOfLeastChange() const { return leastChanged_; }

  /// Ratio of h^2 to that of the slowest mode at the start, without and with curved obstacles: contacts with
  /// those hold the structure before long steps could lead past them.
  static constexpr double kStart = 1e-2, kStartAtCurved = 1e-6;

 private:
  static constexpr double kStationaryChange = 1e-9;  // relative change of q that may be due to rounding

  double slowest_, loads_;
  int unchangedSteps_{0};
  bool stationary_{false};
  double stationaryFrom_{0.0}, least_{0.0};
  Vector leastChanged_;
};

/// Finds the equilibrium by implicit Euler steps from rest with increasing length: q <- q + h^2 a, a = f(q +
/// h^2 a), each solved by Newton's method with the tangents of the contacts. A step without a solution, or
/// whose solution is not down the path of the energy, is repeated with a shorter length; steps grow where
/// they do not come nearer by much. Found when two steps move q by the rounding of the free displacement h^2
/// |f| only, or two long ones leave q unchanged. A part that only contacts support is in equilibrium, too, if
/// longer steps do not increase the change of q. A long step from the equilibrium shows whether it is stable.
///
/// `loads`: norm of the largest acceleration at the start of a search, that of the loads: later searches
/// start where contacts balance them.
template <class Equation>
Found iterateToStaticEquilibrium(Equation& equation, State& s, double slowest, double& loads,
                                 RestingContacts& resting) {
  constexpr int kMost = 400;
  constexpr double kNear = 0.25;  // part of the change before: the next step keeps its length
  equation.prepareImplicitContact();
  equation.start(s);
  resting.setContactStatesBeforeLoads(equation.contacts(), equation.links());
  const Vector none = Vector::Zero(s.q.size());
  Vector a = none;
  equation.acceleration(s.time, none, none, a);
  loads = std::max(loads, a.norm());
  Convergence convergence(slowest, loads);
  double before = std::numeric_limits<double>::infinity();
  const bool curved = std::ranges::any_of(equation.contacts().contactSet().contacts(),
                                          [](const Contact& each) { return isCurved(each.obstacle); });
  double square = (curved ? Convergence::kStartAtCurved : Convergence::kStart) / slowest;
  std::vector<Local<double>> places =
      contactPositionsAtCurvedObstacles(equation.contacts(), equation.stateInContactCoordinates(s));
  for (int i = 0; i < kMost && !convergence.hasConverged(); ++i) {
    if (!solveImplicitStepOfDescent(equation, s, square, places, a)) {
      square *= 0.25;
      continue;
    }
    const double change = square * a.norm();
    const Vector from = equation.stateInContactCoordinates(s).q;
    s.q += square * a;
    if (!std::isfinite(s.q.sum())) return Found::none;
    equation.acceptStep(s, 0.0);
    resting.anchorStickWhereContactFirstTouched(equation.contacts(), from,
                                                equation.stateInContactCoordinates(s).q);
    resting.setContactStatesBeforeLoads(equation.contacts(), equation.links());
    s.v.setZero();
    places = contactPositionsAtCurvedObstacles(equation.contacts(), equation.stateInContactCoordinates(s));
    convergence.assessEquilibriumStep(s.q, square, change);
    if (!(change < kNear * before) && square < convergence.longestSquaredStepAfter(s.q, change))
      square *= 10.0;
    before = change;
  }
  if (!convergence.hasConverged() && !convergence.isStationary()) return Found::none;
  if (!convergence.hasConverged()) s.q = convergence.coordinatesOfLeastChange();
  for (square = convergence.longestSquaredStep(); square * slowest >= Convergence::kStart; square *= 0.25)
    if (solveImplicitStepFromRest(equation, s, square, a))
      return equation.isBalanceStable() ? Found::stable : Found::unstable;
  return Found::stable;
}

/// State over the dofs of contacts and links only.
State stateInContactCoordinates(const DirectModel& model, const State& s) {
  const auto size = static_cast<Eigen::Index>(model.contactDofs.size());
  State at(size);
  at.time = s.time;
  at.q.head(size) = s.q(model.contactDofs);
  return at;
}

/// Starts links at rest at given displacements of their first axes, to which dashpots in series have crept.
void setLinksAtRest(Simulation& simulation, const std::vector<double>& places) {
  LinkSet& set = simulation.mode == Mode::modal ? simulation.model.links : simulation.direct.links;
  if (places.empty()) return;
  std::vector<Link> links = set.links();
  for (std::size_t i = 0; i < links.size(); ++i)
    std::visit(
        [&]<class Law>(const Law& law) {
          if constexpr (Law::traits.relaxes) links[i].initialMemory = law.internalVariablesAtRest(places[i]);
        },
        links[i].law);
  const Eigen::Index size = links.front().rows.cols();
  set = LinkSet(std::move(links), size);
}

/// True if the rounding of the displacement changes the forces by more than they can balance: a part that
/// nothing holds has moved on until its loads are lost beside rounding. `loads` as for
/// iterateToStaticEquilibrium.
template <class Equation>
bool areLoadsLostInRounding(Equation& equation, const State& s, double loads) {
  constexpr double kRounding = 4.0 * std::numeric_limits<double>::epsilon(), kLost = 0.1;
  Vector a = Vector::Zero(s.q.size()), rounded = a;
  equation.acceleration(s.time, (1.0 + kRounding) * s.q, s.v, rounded);
  equation.acceleration(s.time, s.q, s.v, a);
  return (rounded - a).norm() > kLost * loads;
}

/// Searches the equilibrium of the model that `modelWith` builds with resting contacts.
template <class Equation, class ModelWith>
Found searchStaticEquilibrium(const ModelWith& modelWith, RestingContacts& resting, State& s, double slowest,
                              std::vector<double>& places) {
  // Each move reduces the displacement of the springs by their stiffness, or releases sticks.
  constexpr int kMostMoves = 40, kMovesPerContact = 8;
  double loads = 0.0;
  for (int move = 0;; ++move) {
    const auto model = modelWith(resting);
    Equation equation(model);
    const Found found = iterateToStaticEquilibrium(equation, s, slowest, loads, resting);
    if (found != Found::stable) return found;
    // The last trial of contacts and links is that at the equilibrium.
    if (areLoadsLostInRounding(equation, s, loads)) return Found::none;
    resting.recordStickStates(equation.contacts());
    for (std::size_t i = 0; i < places.size(); ++i)
      places[i] = equation.links().trialState(static_cast<int>(i)).motion.x[0];
    const int most = kMostMoves + kMovesPerContact * equation.contacts().contactSet().size();
    if (!resting.moveSpringsOfRestingContacts(equation.contacts(), equation.stateInContactCoordinates(s).q) ||
        move >= most)
      return Found::stable;
  }
}

/// omega^2 of stiff springs, by the highest omega^2 of the structure or, without it, the length of the run.
double squaredFrequencyOfStiffSprings(double highest, double duration) {
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
    if (!regularisedFrictionAtRest(contact.friction, 1.0))
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

constexpr const char* kUnstableText =
    "the structure finds an unstable equilibrium only, as a body on the top of a ball; place it at the side "
    "to which it shall move, or hold it by a spring or by friction";

std::string problemOfMissingEquilibrium(bool friction) {
  return fmt::format(
      "the structure finds no equilibrium under the loads at the start: something is free to move{}, or is "
      "held by an imposed force only",
      friction ? ", also with friction" : " (friction does not count; with `with_friction = true` it does)");
}

}  // namespace

void findStaticEquilibrium(const Study& study, const std::vector<SupportShift>& shifts,
                           Simulation& simulation) {
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
  Found found = Found::none;
  if (simulation.mode == Mode::modal) {
    const ModalModel& model = simulation.model;
    const Vector squares = model.linear.omegaSquared.head(model.linear.modes);
    const double highest = squares.maxCoeff();
    double slowest = highest > 0.0 ? highest : 1.0;
    for (const double each : squares)
      if (each > 1e-9 * highest) slowest = std::min(slowest, each);
    resting.emplace(model.contacts, friction, squaredFrequencyOfStiffSprings(highest, duration), s);
    found = searchStaticEquilibrium<ModalEquation>(
        [&](const RestingContacts& contacts) {
          return ModalModel{model.linear, relative, contacts.contactSet(simulation.size()),
                            LinkSet(makeLinksAtRest(model.links.links()), simulation.size()), model.coupling};
        },
        *resting, s, slowest, places);
  } else {
    const DirectModel& model = simulation.direct;
    const auto size = static_cast<Eigen::Index>(model.contactDofs.size());
    resting.emplace(model.contacts, friction, 0.0,
                    stateInContactCoordinates(model, s));  // no rigid contacts here
    found = searchStaticEquilibrium<DirectEquation>(
        [&](const RestingContacts& contacts) {
          return DirectModel{model.linear,
                             relative,
                             contacts.contactSet(size),
                             model.contactDofs,
                             LinkSet(makeLinksAtRest(model.links.links()), size),
                             model.coupling};
        },
        *resting, s, 1.0 / (duration * duration), places);
  }
  if (found != Found::stable)
    throw StudyError(StudyProblem{"initial.equilibrium", found == Found::unstable
                                                             ? kUnstableText
                                                             : problemOfMissingEquilibrium(friction)});
  s.v = velocity;
  setLinksAtRest(simulation, places);
  if (!resting->hasSticks()) return;
  RunMemory memory = callWithEquationOfMotion(simulation, [&](auto& equation) {
    equation.start(s);
    return RunMemory(equation.contacts(), equation.links());
  });
  resting->storeStickStates(memory);
  auto restart = std::make_shared<Restart>();
  restart->memory = std::move(memory);
  simulation.restart = std::move(restart);
}

}  // namespace ricochet
