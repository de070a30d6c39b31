#include "engine/study/scheme_choice.hpp"

#include "engine/event/event_scheme.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/schemes/stability.hpp"
#include "engine/study/direct.hpp"
#include "engine/study/massless_directions.hpp"
#include "engine/study/simulation.hpp"
#include "engine/study/study_links.hpp"
#include "engine/study/supports.hpp"
#include "engine/transient/transient_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace ricochet {
namespace {

constexpr double kShareOfStableStep = 0.1;  ///< default step, as a share of the largest stable step

/// Default step: at most a twentieth of the shortest period of the basis, a tenth of the stability limit and
/// a thousandth of the duration. A scheme without a limit uses the limit of central_difference, to resolve
/// closed contacts.
double defaultStepLength(const Simulation& simulation, std::string_view scheme, double duration) {
  constexpr double kStepsPerPeriod = 20.0;
  constexpr double kStepsAtLeast = 1000.0;
  const SchemeTraits& traits = *schemeTraits(scheme);
  const double limit = traits.adaptive || traits.implicit
                           ? largestSafeStep(simulation.model, CentralDifference::keyword)
                           : simulation.safeStep;
  double step = std::min(duration / kStepsAtLeast, kShareOfStableStep * limit);
  const double highest = simulation.basis.frequency().maxCoeff();
  if (highest > 0.0) step = std::min(step, 1.0 / (kStepsPerPeriod * highest));
  return step;
}

/// True if a contact has a set-valued law, which only the event scheme and moreau support.
bool doesContactNeedEventScheme(const Contact& contact) {
  return traitsOf(contact.normal).setValued || traitsOf(contact.friction).setValued;
}

/// Text about the set-valued laws of a contact, with the keys that replace them by laws for all schemes.
std::string regularisationText(const Contact& contact) {
  const bool normal = traitsOf(contact.normal).setValued;
  const bool friction = traitsOf(contact.friction).setValued;
  if (normal && friction)
    return "is rigid and truly sticks: give `normal.stiffness` and `friction.stiffness`";
  return normal ? "is rigid: give `normal.stiffness`" : "truly sticks: give `friction.stiffness`";
}

/// Other remedies for a contact whose forces are solved together with others on a part without inertia, each
/// with "or"; empty for other contacts.
std::string remediesForMasslessPart(const Study& study, std::size_t contact, const Contact& followed) {
  if (!followed.coupled) return {};
  const bool damped =
      study.contacts[contact].friction.criticalDamping && doesForceDependOnRate(followed.friction);
  return fmt::format(
      "{}{}",
      study.basis.residualInertia ? ", or give its node a mass"
                                  : ", or leave `residual_inertia` of [basis] out",
      damped ? ", or, if it is the dashpot of critical damping, give `friction.damping` = 0" : "");
}

/// Selects the explicit default scheme for a study with a part that the event scheme does not support; throws
/// if the study also has set-valued contacts, since no scheme supports both.
void chooseExplicitScheme(const Study& study, Simulation& simulation, std::string_view beside,
                          std::string_view reason) {
  const auto& contacts = simulation.model.contacts.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (doesContactNeedEventScheme(contacts[i]))
      throw StudyError(StudyProblem{"contacts." + study.contacts[i].name,
                                    fmt::format("{}, or leave out {}: no scheme follows both",
                                                regularisationText(contacts[i]), beside)});
  simulation.scheme = study.spins.empty() ? KickDrift::keyword : CentralDifference::keyword;
  simulation.choices.push_back(fmt::format("transient.scheme = {}: {}", simulation.scheme, reason));
}

/// Selects the default scheme because of a contact that the event scheme does not support.
void chooseSchemeForContact(std::size_t contact, std::string_view why, Simulation& simulation,
                            const Study& study) {
  const std::string& name = study.contacts[contact].name;
  const Contact& followed = simulation.model.contacts.contacts()[contact];
  if (doesContactNeedEventScheme(followed)) {
    const std::string cure = regularisationText(followed);
    const auto others =
        schemesWithTraits([&](const SchemeTraits& scheme) { return isContactSupported(scheme, followed); });
    const std::string problem =
        others.empty() ? fmt::format("{}{}; no scheme takes it as it is: event does not follow {}", cure,
                                     remediesForMasslessPart(study, contact, followed), why)
                       : fmt::format("{}, or `scheme` = {} in [transient]: event does not follow {}", cure,
                                     fmt::join(others, " or "), why);
    throw StudyError(StudyProblem{"contacts." + name, problem});
  }
  chooseExplicitScheme(study, simulation,
                       fmt::format("what contact {} has, which event does not follow ({})", name, why),
                       fmt::format("contact {}: {}, which event does not follow", name, why));
}

/// Subject and reason of the first link, or dashpot, whose force only time-stepping schemes can find; empty
/// if there is none.
std::string reasonWhyLinkNeedsTimeStepping(const Study& study, const Simulation& simulation) {
  const std::vector<Link>& links = simulation.links().links();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].coupled)
      return fmt::format("{}: on a part without mass whose forces are solved together with its displacement",
                         i < study.links.size() ? "link " + study.links[i].name
                                                : "a dashpot of " + sourcesOfDashpotColumns(study).name);
  return {};
}

/// A link whose crack turns on dofs without inertia, which event cannot follow through x = 0; empty: none.
std::string findCrackedRotorWithoutInertia(const Study& study, const Simulation& simulation) {
  const std::vector<Link>& links = simulation.links().links();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (links[i].inSeries == InSeries::solved && isLawHomogeneousOfDegreeOne(links[i].law))
      return fmt::format("link {}: a crack that turns on dofs without inertia", study.links[i].name);
  return {};
}

/// A rigid contact beside a dashpot on a part without mass: the force of the dashpot jumps as the contact
/// closes, so that steps whose error is bounded become ever shorter. Empty: none.
std::string findRigidContactBesideDashpot(const Study& study, const Simulation& simulation) {
  const StaticCoupling& coupling = simulation.model.coupling;
  const auto contacts = std::ssize(study.contacts);
  for (std::ptrdiff_t i = 0; !coupling.empty() && i < contacts; ++i) {
    const ContactRequest& request = study.contacts[static_cast<std::size_t>(i)];
    if (!traitsOf(request.normal).setValued) continue;
    for (auto d = std::ssize(study.links); d < std::ssize(simulation.links().links()); ++d)
      if (coupling.whole(ContactSet::kAxes * i, ContactSet::kAxes * (contacts + d)) != 0.0)
        return fmt::format("contact {}: rigid beside {} on a part without mass", request.name,
                           "a dashpot of " + sourcesOfDashpotColumns(study).name);
  }
  return {};
}

[[noreturn]] void throwContactUnsupportedByScheme(const Study& study, std::size_t i, const Contact& contact,
                                                  const SchemeTraits& scheme, std::string_view named,
                                                  std::string_view why) {
  const std::string others = fmt::format("{}", fmt::join(schemesWithTraits([&](const SchemeTraits& other) {
                                                           return isContactSupported(other, contact);
                                                         }),
                                                         ", "));
  const std::string path = "contacts." + study.contacts[i].name;
  if (doesContactNeedEventScheme(contact) && scheme.contacts == ContactForm::trial)
    throw StudyError(
        StudyProblem{path, fmt::format("{}{}: scheme {} does not follow that", regularisationText(contact),
                                       others.empty() ? "" : ", or take " + others, named)});
  throw StudyError(StudyProblem{path, fmt::format("scheme {} does not follow {}; take {}{}", named, why,
                                                  others, remediesForMasslessPart(study, i, contact))});
}

/// Checks that the scheme given by name exists and supports every contact and link. The deck reader finds the
/// same errors earlier.
void requireSchemeSupport(const Study& study, const Simulation& simulation) {
  const SchemeTraits* scheme = schemeTraits(simulation.scheme);
  if (scheme == nullptr)
    throw StudyError(
        StudyProblem{"transient.scheme", fmt::format("no scheme is called \"{}\"", simulation.scheme)});
  for (const LinkRequest& link : study.links)
    if (const std::string_view why = reasonAgainstScheme(*scheme, link.law); !why.empty())
      throw StudyError(StudyProblem{
          "links." + link.name,
          fmt::format("scheme {} does not follow {}; take one that steps, or leave the scheme out",
                      simulation.scheme, why)});
  if (const std::string link = reasonWhyLinkNeedsTimeStepping(study, simulation);
      !link.empty() && scheme->contacts != ContactForm::trial)
    throw StudyError(
        StudyProblem{"transient.scheme",
                     fmt::format("scheme {} does not follow {}; take one that steps, or leave the scheme out",
                                 simulation.scheme, link)});
  if (const std::string link = findCrackedRotorWithoutInertia(study, simulation);
      !link.empty() && scheme->contacts == ContactForm::series)
    throw StudyError(StudyProblem{
        "transient.scheme", fmt::format("scheme {} does not follow {}; take one that steps, give the nodes "
                                        "inertia, or leave the scheme out",
                                        simulation.scheme, link)});
  if (const std::string rigid = findRigidContactBesideDashpot(study, simulation);
      !rigid.empty() && scheme->adaptive)
    throw StudyError(StudyProblem{
        "transient.scheme", fmt::format("scheme {} does not follow {}; take {}", simulation.scheme, rigid,
                                        fmt::join(schemesWithTraits([](const SchemeTraits& other) {
                                                    return other.contacts == ContactForm::trial &&
                                                           !other.adaptive;
                                                  }),
                                                  ", "))});
  const auto& contacts = simulation.model.contacts.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (const std::string_view why = reasonAgainstScheme(*scheme, contacts[i]); !why.empty())
      throwContactUnsupportedByScheme(study, i, contacts[i], *scheme, simulation.scheme, why);
}

/// Number of instants in the run at which a function of time begins a new piece, where a step of event ends.
std::size_t countPieceStartsOfFunctions(const Study& study, const Simulation& simulation) {
  const double start = study.transient->start, end = start + study.transient->duration;
  std::size_t pieces = 0;
  forEachExcitationFunction(simulation.model, [&](const TimeFunction& f) {
    for (const double instant : f.breakpoints()) pieces += instant > start && instant < end ? 1 : 0;
  });
  return pieces;
}

/// Selects the scheme. The event scheme is exact and, up to about 50 modes, as fast as an explicit scheme;
/// its step is limited by the highest frequency.
void chooseScheme(const Study& study, Simulation& simulation) {
  constexpr Eigen::Index kModesForEvents = 50;
  simulation.scheme = study.transient->scheme;
  if (!simulation.scheme.empty()) return requireSchemeSupport(study, simulation);
  for (const LinkRequest& link : study.links)
    if (const std::string_view why = reasonAgainstScheme(EventScheme::traits, link.law); !why.empty())
      return chooseExplicitScheme(study, simulation, "the links",
                                  fmt::format("link {}: {}, which event does not follow", link.name, why));
  if (const std::string link = reasonWhyLinkNeedsTimeStepping(study, simulation); !link.empty())
    return chooseExplicitScheme(study, simulation, "the links", link + ", which event does not follow");
  if (const std::string link = findCrackedRotorWithoutInertia(study, simulation); !link.empty())
    return chooseExplicitScheme(study, simulation, "the links", link + ", which event does not follow");
  const auto& contacts = simulation.model.contacts.contacts();
  const bool needed = std::any_of(contacts.begin(), contacts.end(), doesContactNeedEventScheme);
  for (const LinkRequest& link : study.links)
    if (!needed && canForceJump(link.law))
      return chooseExplicitScheme(
          study, simulation, "the links",
          fmt::format("link {}: its force may jump, where event may have to stop", link.name));
  const bool areas = std::any_of(contacts.begin(), contacts.end(), [](const Contact& c) { return c.patch; });
  if (areas)
    return chooseExplicitScheme(study, simulation, "the patches",
                                "a patch slides and spins, which event does not follow");
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (const std::string_view why = reasonAgainstScheme(EventScheme::traits, contacts[i]); !why.empty())
      return chooseSchemeForContact(i, why, simulation, study);
  // For a signal of many samples, such as that of a psd, a step of the event scheme per sample costs as much
  // as 50 explicit steps: for a few modes seconds in all.
  constexpr double kManyPieces = 1e4, kManyOfAllModes = 2e5;
  constexpr double kPerPeriod = 5.0;
  const std::size_t pieces = needed ? 0 : countPieceStartsOfFunctions(study, simulation);
  const double perPeriod = kPerPeriod * study.transient->duration * simulation.basis.frequency().maxCoeff();
  const double many = std::max(kManyPieces, kManyOfAllModes / static_cast<double>(simulation.basis.size()));
  if (static_cast<double>(pieces) > std::max(many, perPeriod))
    return chooseExplicitScheme(
        study, simulation, "the loads of many samples",
        fmt::format("functions of time have {} pieces in the run, each of which would end a step of event",
                    pieces));
  const bool small = simulation.basis.size() <= kModesForEvents || !study.spins.empty();
  simulation.scheme = needed || small ? kEventScheme : KickDrift::keyword;
  simulation.choices.push_back(fmt::format(
      "transient.scheme = {}: {}", simulation.scheme,
      needed                 ? "set-valued contacts need it"
      : !study.spins.empty() ? std::string("exact while a spin varies")
      : small ? fmt::format("exact between located events, and fast up to {} modes", kModesForEvents)
              : fmt::format("the basis has more than {} modes, where event pays for the highest frequency",
                            kModesForEvents)));
}

/// Warns about schemes that evaluate gyroscopic moments with a delay of half a step.
void warnOfGyroscopicDelay(const Study& study, Simulation& simulation) {
  const Matrix& damping = simulation.basis.damping;
  constexpr double kRounding = 1e-12;  // rounding of the projection onto the basis
  const double antisymmetric = (damping - damping.transpose()).cwiseAbs().maxCoeff();
  if (antisymmetric <= kRounding * damping.cwiseAbs().maxCoeff() && study.spins.empty()) return;
  if (simulation.scheme == SymplecticEuler::keyword)
    simulation.warnings.emplace_back(
        "symplectic_euler takes gyroscopic moments half a step late and so makes whirls grow at any step; "
        "take event, kick_drift, central_difference or newmark");
  if (simulation.scheme == Devogelaere::keyword)
    simulation.warnings.emplace_back(
        "the largest stable step of devogelaere is that without gyroscopic moments; stay well below it");
}

/// Throws if a default step must be selected for a scheme of fixed steps although the stiffness of a contact
/// grows with its penetration and the scheme does not shorten its steps.
void requireKnownStiffness(const Study& study, const Simulation& simulation) {
  bool follows = false;
  Integrators::forEach([&]<class I>() {
    if (simulation.scheme == I::keyword) follows = I::traits.adaptive || kMayShorten<I>;
  });
  if (follows) return;
  for (const ContactRequest& request : study.contacts)
    if (traitsOf(request.normal).stiffens)
      throw StudyError(StudyProblem{
          "transient.step",
          fmt::format("missing: the stiffness of contact \"{}\" grows with its penetration, so that "
                      "no step can be chosen beforehand; a step h resolves it well where k n "
                      "d^(n-1) h^2 is below 0.01 of the mass, or take a scheme that follows it (rk54, "
                      "kick_drift)",
                      request.name),
          "transient"});
}

/// Checks or selects the propagator of the event scheme between events.
void choosePropagator(const TransientRequest& transient, Simulation& simulation) {
  const Propagator propagator = transient.options.propagator;
  const std::string_view why = reasonAgainstLongSteps(simulation.model);
  if (propagator == Propagator::chebyshev && !why.empty())
    throw StudyError(
        StudyProblem{"transient.propagator",
                     fmt::format("\"chebyshev\" does not take this model: {}; leave it out", why)});
  if (propagator != Propagator::automatic || simulation.basis.size() < kModesForLongSteps) return;
  simulation.choices.push_back(
      why.empty()
          ? std::string("transient.propagator: taylor or chebyshev as the run goes, by how far events "
                        "are apart")
          : fmt::format("transient.propagator = taylor: {}", why));
}

void chooseDirectStep(const Study& study, Simulation& simulation) {
  const DirectRequest& direct = study.direct;
  simulation.scheme = direct.scheme;
  simulation.safeStep = std::numeric_limits<double>::infinity();
  const bool given = direct.step || study.transient->step;
  if (given && !hasStableStepLimit(direct.scheme, direct.options)) {
    simulation.step = direct.step ? *direct.step : *study.transient->step;
    return;
  }
  const StiffnessBounds bounds = stiffnessBounds(simulation.direct);
  simulation.safeStep = largestSafeStep(bounds, direct.scheme, direct.options);
  if (given) {
    simulation.step = direct.step ? *direct.step : *study.transient->step;
    if (simulation.step <= simulation.safeStep) return;
    throw StudyError(StudyProblem{
        "direct.step",
        fmt::format("{:g} s is unstable with {} when the contacts are closed and sticking; take at "
                    "most {:.4g} s",
                    simulation.step, simulation.scheme, simulation.safeStep)});
  }
  constexpr double kStepsAtLeast = 1000.0;
  simulation.step = std::min(study.transient->duration / kStepsAtLeast,
                             kShareOfStableStep * largestSafeStep(bounds, CentralDifference::keyword));
  simulation.choices.push_back(
      fmt::format("direct.step = {:.3g} s: a tenth of the largest stable step of central_difference and a "
                  "thousandth of the duration at most",
                  simulation.step));
}

}  // namespace

void chooseSchemeAndStep(const Study& study, Simulation& simulation) {
  if (simulation.mode == Mode::direct) return chooseDirectStep(study, simulation);
  const TransientRequest& transient = *study.transient;
  chooseScheme(study, simulation);
  warnOfGyroscopicDelay(study, simulation);
  if (simulation.scheme == kEventScheme) {
    choosePropagator(transient, simulation);
    simulation.safeStep = std::numeric_limits<double>::infinity();
    return;
  }
  simulation.safeStep = largestSafeStep(simulation.model, simulation.scheme, transient.options);
  if (!transient.step) {
    requireKnownStiffness(study, simulation);
    const SchemeOptions& options = transient.options;
    simulation.step =
        std::max(defaultStepLength(simulation, simulation.scheme, transient.duration), options.stepMin);
    if (options.stepMax > 0.0) simulation.step = std::min(simulation.step, options.stepMax);
    simulation.choices.push_back(
        fmt::format("transient.step = {:.3g} s: a twentieth of the shortest period, a tenth of "
                    "the largest stable step and a thousandth of the duration at most",
                    simulation.step));
    return;
  }
  simulation.step = *transient.step;
  if (simulation.step > simulation.safeStep)
    throw StudyError(
        StudyProblem{"transient.step", fmt::format("{:g} s is unstable with {} {}; take at most {:.4g} s",
                                                   simulation.step, simulation.scheme,
                                                   study.contacts.empty() && !study.links.empty()
                                                       ? "where the links are stiffest"
                                                       : "when the contacts are closed and sticking",
                                                   simulation.safeStep)});
}

}  // namespace ricochet
