#include "io/quantities/table/quantity.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

using P = QuantityPlace;
using U = QuantityUse;
using K = ContactProbe::Kind;

double firstNumber(const double* channels, int /*tangent*/) { return channels[0]; }

/// Component of a vector along tangent 1 or 2, or its magnitude.
double componentAlongTangent(const double* channels, int tangent) {
  return tangent == 0 ? std::hypot(channels[0], channels[1]) : channels[tangent - 1];
}

constexpr Quantity makeNodalQuantity(Kinematic kind, std::string_view turningUnit) {
  const auto i = static_cast<std::size_t>(kind);
  return {kKinematicNames[i], kKinematicUnits[i], turningUnit, kKinematicMeanings[i], P::node, OfNode{kind}};
}

/// A quantity that results store directly.
constexpr Quantity makeContactQuantity(K kind, bool byPosition = false,
                                       OfContact::Needs needs = OfContact::Needs::nothing) {
  const ContactProbe probe{kind};
  const bool isVector = probe.size() > 1;
  return {probe.name(),
          probe.unit(),
          {},
          probe.meaning(),
          isVector ? P::tangents : P::contact,
          OfContact{{kind, kind}, 1, isVector ? componentAlongTangent : firstNumber, byPosition, needs}};
}

constexpr Quantity makeLinkQuantity(std::string_view keyword, LinkProbe::Kind kind) {
  const LinkProbe probe{.kind = kind}, turning{.kind = kind, .turns = true};
  return {keyword, probe.unit(), turning.unit(), probe.meaning(), P::linkAxes, OfLink{kind}};
}

double radiusInPlane(const double* position, int /*tangent*/) { return std::hypot(position[0], position[1]); }

double powerOfFrictionForce(const double* x, int /*tangent*/) { return -(x[0] * x[2] + x[1] * x[3]); }

constexpr Quantity makeRunQuantity(std::string_view keyword, std::string_view unit, std::string_view meaning,
                                   P place, OfRun number, U use = U::checkKeys, std::string_view call = {}) {
  return {keyword, unit, {}, meaning, place, number, use, call};
}

template <class Source>
constexpr Quantity makeQuantityWithKeyword(std::string_view keyword, std::string_view unit,
                                           std::string_view meaning, P place, Source source,
                                           U use = U::everywhere) {
  return {keyword, unit, {}, meaning, place, source, use};
}

template <class Source>
constexpr Quantity makeForceFieldQuantity(std::string_view keyword, std::string_view meaning, P place,
                                          Source source, U use) {
  return {keyword, "N", "N m", meaning, place, source, use};
}

constexpr std::array kQuantities{
    makeNodalQuantity(Kinematic::displacement, "rad"),
    makeNodalQuantity(Kinematic::velocity, "rad/s"),
    makeNodalQuantity(Kinematic::acceleration, "rad/s^2"),
    makeForceFieldQuantity("beam_force", "force of an end section of a beam element", P::beam, OfBeam{},
                           U::keysOrRestored),
    makeContactQuantity(K::gap, true),
    makeQuantityWithKeyword(
        "radius", "m", "distance of the contact point from the axis of the obstacle", P::contact,
        OfContact{{K::position, K::position}, 1, radiusInPlane, false, OfContact::Needs::axis}),
    makeContactQuantity(K::normalForce),
    makeContactQuantity(K::tangentialForce),
    makeContactQuantity(K::slipVelocity),
    makeContactQuantity(K::spinMoment, false, OfContact::Needs::area),
    makeQuantityWithKeyword("friction_power", "W",
                            "power that friction takes from the motion along the tangents, -T s'", P::contact,
                            OfContact{{K::tangentialForce, K::slipVelocity}, 2, powerOfFrictionForce}),
    makeLinkQuantity("link_force", LinkProbe::Kind::force),
    makeLinkQuantity("link_displacement", LinkProbe::Kind::displacement),
    makeLinkQuantity("link_velocity", LinkProbe::Kind::velocity),
    makeQuantityWithKeyword("link_energy", "J", "energy of a link, stored or dissipated", P::linkPart,
                            OfLink{LinkProbe::Kind::storedEnergy}),
    makeQuantityWithKeyword("link_variable", "of the variable", "internal variable of the law of a link",
                            P::linkVariable, OfLink{LinkProbe::Kind::variable}),
    makeQuantityWithKeyword("residual_crush", "m", "crush of a link that remains without force", P::link,
                            OfLink{LinkProbe::Kind::variable}),
    makeRunQuantity("event", "s", "instant of a change of state", P::event, OfRun::eventTime, U::everywhere,
                    "event_time"),
    makeRunQuantity("event_count", "1", "number of changes of state", P::eventCount, OfRun::eventCount,
                    U::everywhere),
    makeRunQuantity("impulse", "N s", "impulse of the normal force of an impact", P::impact, OfRun::impulse),
    makeRunQuantity("impulse", "N s", "impulse of the normal force over the run", P::wholeContact,
                    OfRun::totalImpulse, U::expressions),
    makeRunQuantity("impact_duration", "s", "duration of an impact", P::impact, OfRun::impactDuration),
    makeRunQuantity("impact_peak", "N", "largest normal force of an impact", P::impact, OfRun::impactPeak),
    makeRunQuantity("impact_velocity", "m/s", "velocity of approach at closing", P::impact,
                    OfRun::impactVelocity),
    makeRunQuantity("rebound_velocity", "m/s", "velocity of departure after an impact", P::impact,
                    OfRun::reboundVelocity),
    makeRunQuantity("time_share", "1", "share of the time that the contact is in a state", P::contactState,
                    OfRun::timeShare),
    makeRunQuantity("period", "s", "mean time between upward zeros of the velocity", P::nodeSpan,
                    OfRun::period),
    makeRunQuantity("friction_energy", "J", "energy dissipated by slip", P::contactSpan,
                    OfRun::frictionEnergy, U::everywhere),
    makeRunQuantity("wear_power", "W", "mean of normal force times slip speed", P::contactSpan,
                    OfRun::wearPower, U::everywhere),
    makeRunQuantity("wear_volume", "m^3", "worn volume, by the law of `wear`", P::worn, OfRun::wear),
    makeRunQuantity("wear_depth", "m", "depth of that volume", P::worn, OfRun::wear),
    makeRunQuantity("wear_volume_other", "m^3", "worn volume of the other body", P::worn, OfRun::wear),
    makeRunQuantity("wear_depth_other", "m", "depth of the worn volume of the other body", P::worn,
                    OfRun::wear),
    makeRunQuantity("contact_statistic", "of the number", "a number of [statistics]", P::contactWindow,
                    OfRun::contactStatistic, U::decks),
    makeQuantityWithKeyword(
        "energy", "J",
        "a part of the energy: kinetic, elastic, damping, contact, friction, external, or balance (also: "
        "residual), what the ledger leaves over",
        P::energyPart, OfEnergy{}),
    makeRunQuantity("energy_error", "1", "largest residual of the energy ledger over the largest energy",
                    P::run, OfRun::energyError, U::everywhere),
    makeQuantityWithKeyword("state", "0 open, 1 stick, 2 slip", "state of a contact", P::contact,
                            OfRecord::state, U::results),
    makeQuantityWithKeyword("contact_statistic", "of the number",
                            "a number of [statistics], window by window", P::recorded, OfRecord::statistic,
                            U::results),
    makeQuantityWithKeyword("impact", "of the number",
                            "a number of the impacts of [statistics], over their instants", P::recorded,
                            OfRecord::impact, U::results),
    makeQuantityWithKeyword("histogram", "of the number",
                            "how often a number of [statistics] was in each of its bins", P::histogram,
                            OfRecord::histogram, U::results),
    makeQuantityWithKeyword("coordinate", "kg^0.5 m", "generalized displacement", P::coordinate,
                            OfCoordinate{}, U::results),
    makeQuantityWithKeyword(
        "frequency", "Hz", "natural frequency", P::mode,
        OfMode{[](const ModalBasis& basis, Eigen::Index i, Eigen::Index) { return basis.frequency()[i]; }},
        U::checkKeys),
    makeQuantityWithKeyword(
        "damping_ratio", "1", "damping ratio of a mode", P::mode,
        OfMode{[](const ModalBasis& basis, Eigen::Index i, Eigen::Index) { return basis.dampingRatio()[i]; }},
        U::checkKeys),
    makeQuantityWithKeyword("complex_frequency", "Hz",
                            "frequency of a complex mode, negative of a backward whirl", P::mode,
                            OfComplexMode{&ComplexMode::frequency}, U::checkKeys),
    makeQuantityWithKeyword("complex_damping_ratio", "1", "damping ratio of a complex mode", P::mode,
                            OfComplexMode{&ComplexMode::dampingRatio}, U::checkKeys),
    makeQuantityWithKeyword("generalized_mass", "kg", "generalized mass of a mode", P::mode,
                            OfMode{[](const ModalBasis&, Eigen::Index, Eigen::Index) { return 1.0; }},
                            U::checkKeys),
    makeQuantityWithKeyword("effective_mass", "kg", "effective mass of a mode along a direction",
                            P::modeAlong,
                            OfMode{[](const ModalBasis& basis, Eigen::Index i, Eigen::Index dof) {
                              return basis.effectiveMass(i, dof);
                            }},
                            U::checkKeys),
    makeForceFieldQuantity("reaction", "force that supports exert on nodes", P::node, OfRestored::reaction,
                           U::restored),
    makeForceFieldQuantity("beam_elastic_force",
                           "force of an end section of a beam element without inertia and weight", P::beam,
                           OfRestored::beamElasticForce, U::restored)};

/// Arguments of expressions, in the order of QuantityPlace.
constexpr std::array<std::string_view, 24> kArguments{"NODE, DOF",
                                                      "BEAM, ELEMENT, COMPONENT",
                                                      "CONTACT",
                                                      "CONTACT, 1|2",
                                                      "LINK",
                                                      "LINK, 1|2",
                                                      "LINK, PART",
                                                      "LINK, VARIABLE",
                                                      "PART",
                                                      "CONTACT, NAME",
                                                      "CONTACT, NAME, WINDOW",
                                                      "MODE",
                                                      "CONTACT, KIND, NUMBER",
                                                      "CONTACT, KIND",
                                                      "",
                                                      "CONTACT",
                                                      "CONTACT",
                                                      "",
                                                      "",
                                                      "CONTACT, NAME, WINDOW"};

template <class Wanted>
const Quantity* findQuantityThat(Wanted wanted) {
  const auto* const found = std::ranges::find_if(kQuantities, wanted);
  return found == kQuantities.end() ? nullptr : found;
}

}  // namespace

std::span<const Quantity> allQuantities() { return kQuantities; }

const Quantity* findCheckQuantity(std::string_view keyword) {
  return findQuantityThat(
      [&](const Quantity& each) { return each.isAllowedAsCheckKey() && each.keyword == keyword; });
}

const Quantity* findQuantityToRestore(std::string_view keyword) {
  return findQuantityThat(
      [&](const Quantity& each) { return each.isRestoredField() && each.keyword == keyword; });
}

const Quantity* findExpressionQuantity(std::string_view name, bool ofResult) {
  return findQuantityThat([&](const Quantity& each) {
    const bool isForOther = ofResult ? each.use == U::decks : each.isOnlyForResults();
    return each.isAllowedInExpressions() && !isForOther && each.name() == name;
  });
}

std::vector<std::string_view> quantityNames(bool (*wanted)(const Quantity&)) {
  std::vector<std::string_view> names;
  for (const Quantity& each : kQuantities)
    if (wanted(each)) names.push_back(each.keyword);
  return names;
}

std::string syntaxOfQuantity(const Quantity& quantity) {
  return fmt::format("{}({})", quantity.name(), kArguments[static_cast<std::size_t>(quantity.place)]);
}

double componentAlongAxis(double firstNumber, double second, int axis) noexcept {
  if (axis != 0) return axis == 1 ? firstNumber : second;
  return second == 0.0 ? firstNumber : std::hypot(firstNumber, second);
}

void OfContact::sample(const StepView& view, std::size_t contact, double* channels) const {
  for (const ContactProbe::Kind kind : probeKinds()) {
    const ContactProbe probe{kind, contact};
    probe.sample(view, {channels, probe.size()});
    channels += probe.size();
  }
}

void OfContact::sampleInterpolatedNumbers(const StepView& view, std::size_t contact, double* numbers) const {
  if (!byPosition) return sample(view, contact, numbers);
  ContactProbe{ContactProbe::Kind::position, contact}.sample(view, {numbers, interpolatedNumberCount()});
}

bool QuantityAt::isRotational() const noexcept {
  if (quantity->place == QuantityPlace::beam) return part % kComponents >= static_cast<int>(Component::rx);
  return quantity->place == QuantityPlace::node && dof.component >= Component::rx;
}

LinkProbe::Kind QuantityAt::linkKind() const {
  const LinkProbe::Kind kind = std::get<OfLink>(quantity->source).kind;
  if (quantity->place != QuantityPlace::linkPart) return kind;
  return part == 0 ? LinkProbe::Kind::storedEnergy : LinkProbe::Kind::dissipatedEnergy;
}

double QuantityAt::valueInView(const StepView& view) const {
  if (const auto* contact = std::get_if<OfContact>(&quantity->source)) {
    std::array<double, OfContact::kMostChannels> channels{};
    contact->sample(view, static_cast<std::size_t>(body), channels.data());
    return contact->value(channels.data(), part);
  }
  if (std::holds_alternative<OfEnergy>(quantity->source))
    return EnergyProbe::values(view.ledger)[static_cast<std::size_t>(part)];
  std::array<double, kLinkAxes> values{};
  const LinkProbe probe{.kind = linkKind(),
                        .link = static_cast<std::size_t>(body),
                        .axes = kLinkAxes,
                        .memory = static_cast<std::size_t>(part)};
  probe.sample(view, {values.data(), probe.size()});
  return quantity->place == QuantityPlace::linkAxes ? componentAlongAxis(values[0], values[1], part)
                                                    : values[0];
}

}  // namespace ricochet
