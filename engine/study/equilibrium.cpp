#include "engine/study/equilibrium.hpp"

#include "engine/study/simulation.hpp"
#include "engine/study/support_shift.hpp"

#include <fmt/core.h>

#include <cmath>

namespace ricochet {
namespace {

std::vector<Contact> withoutFriction(const std::vector<Contact>& contacts) {
  std::vector<Contact> smooth = contacts;
  for (Contact& contact : smooth) {
    contact.friction = Frictionless{};
    contact.patch.reset();
    contact.spinRow.resize(0);
    contact.surface.clear();
    contact.surfaceSpin.clear();
    contact.rollRow.resize(0);
  }
  return smooth;
}

/// Links at rest: the dashpots of Zener dampers push no more.
std::vector<Link> relaxed(std::vector<Link> links) {
  constexpr double kRelaxed = 1e200;  // flexibility in series with a dashpot [m/N]
  for (Link& link : links)
    if (auto* zener = std::get_if<Zener>(&link.law)) zener->flexibility3 = kRelaxed;
  return links;
}

/// Links that start at rest at a motion: the dashpots of Zener dampers are as long as that asks for.
LinkSet restingLinks(const LinkSet& set, const State& s, Eigen::Index size) {
  std::vector<Link> links = set.links();
  const Motion motion{s.q.data(), s.v.data(), 0.0, s.v.data()};
  for (int i = 0; i < set.size(); ++i)
    if (const auto* zener = std::get_if<Zener>(&set.link(i).law))
      links[static_cast<std::size_t>(i)].initialMemory[0] =
          zener->share() * set.motionOf(i, s.time, motion).x[0];
  return {std::move(links), size};
}

/// Loads on a structure that rests relative to moving supports. The inertia and damping loads that only make
/// the structure follow its supports are removed.
Excitation loadsRelativeToSupports(const Excitation& given, Eigen::Index size,
                                   const std::vector<SupportShift>& shifts) {
  std::vector<Load> loads = given.loads();
  for (const SupportShift& each : shifts)
    loads.push_back({Vector(-each.following), TimeFunction::constant(1.0)});
  return {std::move(loads), size, given.moving()};
}

/// Finds the equilibrium by implicit Euler steps from rest with increasing length: q <- q + h^2 a, a = f(q +
/// h^2 a), each solved by Newton's method with the tangents of the contacts. A step without a solution is
/// repeated with a shorter length. Returns true when two long steps leave q unchanged. A part that only
/// contacts support is known only to the rounding of its free displacement h^2 |f|; such a part is in
/// equilibrium if longer steps do not increase the change of q.
template <class Equation>
bool iterateToEquilibrium(Equation& equation, State& s, double slowest) {
  constexpr int kMost = 200;
  constexpr double kLong = 1e6;  // ratio of h^2 to that of the slowest mode from which a step counts as long
  constexpr double kRest = 1e-13;  // relative change of q that counts as none
  constexpr double kCalm = 1e-9;   // relative change of q that may be due to rounding
  constexpr double kCalmGrowth =
      30.0;  // growth of h^2 during which the change stays small: a free part would move in proportion
  equation.prepareImplicit();
  equation.start(s);
  Vector a = Vector::Zero(s.q.size());
  const Vector none = Vector::Zero(s.q.size());
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
    s.v.setZero();
    if (change > kCalm * s.q.norm() && !calm) {
      calmFrom = 0.0;
    } else if (change <= kCalm * s.q.norm()) {
      if (calmFrom == 0.0 || change < least) {
        least = change;
        calmest = s.q;
      }
      if (calmFrom == 0.0) calmFrom = square;
      calm = calm || square >= kCalmGrowth * calmFrom;
    }
    const bool still = change <= kRest * s.q.norm() || change == 0.0;
    quiet = still && square * slowest >= kLong ? quiet + 1 : 0;
    if (square * slowest < 1e3 * kLong) square *= 10.0;
  }
  if (quiet < 2 && calm) s.q = calmest;
  return quiet >= 2 || calm;
}

}  // namespace

void findEquilibrium(const Study& study, const std::vector<SupportShift>& shifts, Simulation& simulation) {
  if (!study.equilibrium) return;
  for (const ContactRequest& request : study.contacts)
    if (traitsOf(request.normal).setValued)
      throw StudyError(StudyProblem{
          "contacts." + request.name,
          "a rigid contact has no equilibrium to start from yet; give `stiffness`, or the initial "
          "displacement"});
  State& s = simulation.initial;
  const Vector velocity = s.v;
  bool found = false;
  if (simulation.mode == Mode::modal) {
    const ModalModel& model = simulation.model;
    const ModalModel smooth{model.linear, loadsRelativeToSupports(model.loads, simulation.size(), shifts),
                            ContactSet(withoutFriction(model.contacts.contacts()), simulation.size()),
                            LinkSet(relaxed(model.links.links()), simulation.size()), model.coupling};
    ModalEquation equation(smooth);
    const Vector squares = model.linear.omegaSquared.head(model.linear.modes);
    double slowest = squares.maxCoeff() > 0.0 ? squares.maxCoeff() : 1.0;
    for (const double each : squares)
      if (each > 1e-9 * squares.maxCoeff()) slowest = std::min(slowest, each);
    found = iterateToEquilibrium(equation, s, slowest);
  } else {
    const DirectModel& model = simulation.direct;
    const DirectModel smooth{
        model.linear, loadsRelativeToSupports(model.loads, simulation.size(), shifts),
        ContactSet(withoutFriction(model.contacts.contacts()),
                   static_cast<Eigen::Index>(model.contactDofs.size())),
        model.contactDofs,
        LinkSet(relaxed(model.links.links()), static_cast<Eigen::Index>(model.contactDofs.size())),
        model.coupling};
    DirectEquation equation(smooth);
    const double duration = study.transient->duration;
    found = iterateToEquilibrium(equation, s, 1.0 / (duration * duration));
  }
  if (!found)
    throw StudyError(StudyProblem{
        "initial.equilibrium",
        "the structure finds no equilibrium under the loads at the start: something is free to move "
        "(friction does not count), or is held by an imposed force only"});
  s.v = velocity;
  if (simulation.mode == Mode::modal) {
    simulation.model.links = restingLinks(simulation.model.links, s, simulation.size());
    return;
  }
  const std::vector<Eigen::Index>& dofs = simulation.direct.contactDofs;
  State atContacts(static_cast<Eigen::Index>(dofs.size()));
  atContacts.time = s.time;
  atContacts.q.head(static_cast<Eigen::Index>(dofs.size())) = s.q(dofs);
  simulation.direct.links =
      restingLinks(simulation.direct.links, atContacts, static_cast<Eigen::Index>(dofs.size()));
}

}  // namespace ricochet
