#include "engine/accounts/events.hpp"
#include "engine/contact/followed.hpp"
#include "engine/study/study_links.hpp"
#include "io/deck/deck.hpp"
#include "io/deck/read_parts.hpp"
#include "io/quantities/read_requests.hpp"
#include "physical/elements/beam_forces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <variant>

namespace ricochet {
namespace {

/// The keys that a checked quantity takes besides those that every check takes.
struct QuantityKeys {
  std::string_view name;
  bool node{false};        ///< `node`, `dof` and perhaps `node2`
  bool contact{false};     ///< `contact`
  bool link{false};        ///< `link`; beside `contact` one of the two
  bool component{false};   ///< perhaps `component`
  bool instant{false};     ///< `time` or `at`
  bool kind{false};        ///< `kind` of event
  bool index{false};       ///< `index` from 1
  bool interval{false};    ///< perhaps `from` and `to`
  bool statistic{false};   ///< `statistic` over `from`, `to` instead of an instant
  bool part{false};        ///< `part` of the energy
  bool linkPart{false};    ///< perhaps `part` of a link's energy
  bool variable{false};    ///< `variable` of a link's law
  bool state{false};       ///< `state` of the contact
  bool mode{false};        ///< `mode` from 1: of the basis, needs no run
  bool along{false};       ///< `dof`, a translation
  bool beam{false};        ///< `beam`, `element`, `component` of its sections
  bool wear{false};        ///< perhaps `after`; the contact has `wear`
  bool statistics{false};  ///< `name` and perhaps `window` of [statistics]
};

constexpr std::array kQuantities{
    QuantityKeys{.name = "displacement", .node = true, .instant = true, .statistic = true},
    QuantityKeys{.name = "velocity", .node = true, .instant = true, .statistic = true},
    QuantityKeys{.name = "acceleration", .node = true, .instant = true, .statistic = true},
    QuantityKeys{.name = "beam_force", .instant = true, .statistic = true, .beam = true},
    QuantityKeys{.name = "gap", .contact = true, .instant = true, .statistic = true},
    QuantityKeys{.name = "radius", .contact = true, .instant = true, .statistic = true},
    QuantityKeys{.name = "normal_force", .contact = true, .instant = true, .statistic = true},
    QuantityKeys{
        .name = "tangential_force", .contact = true, .component = true, .instant = true, .statistic = true},
    QuantityKeys{
        .name = "slip_velocity", .contact = true, .component = true, .instant = true, .statistic = true},
    QuantityKeys{.name = "spin_moment", .contact = true, .instant = true, .statistic = true},
    QuantityKeys{.name = "link_force", .link = true, .component = true, .instant = true, .statistic = true},
    QuantityKeys{
        .name = "link_displacement", .link = true, .component = true, .instant = true, .statistic = true},
    QuantityKeys{.name = "link_energy", .link = true, .instant = true, .statistic = true, .linkPart = true},
    QuantityKeys{.name = "link_variable", .link = true, .instant = true, .statistic = true, .variable = true},
    QuantityKeys{.name = "residual_crush", .link = true, .instant = true, .statistic = true},
    QuantityKeys{.name = "event", .contact = true, .link = true, .kind = true, .index = true},
    QuantityKeys{.name = "event_count", .contact = true, .link = true, .kind = true, .interval = true},
    QuantityKeys{.name = "impulse", .contact = true, .index = true},
    QuantityKeys{.name = "impact_duration", .contact = true, .index = true},
    QuantityKeys{.name = "impact_peak", .contact = true, .index = true},
    QuantityKeys{.name = "impact_velocity", .contact = true, .index = true},
    QuantityKeys{.name = "rebound_velocity", .contact = true, .index = true},
    QuantityKeys{.name = "time_share", .contact = true, .interval = true, .state = true},
    QuantityKeys{.name = "period", .node = true, .interval = true},
    QuantityKeys{.name = "friction_energy", .contact = true, .interval = true},
    QuantityKeys{.name = "wear_power", .contact = true, .interval = true},
    QuantityKeys{.name = "wear_volume", .contact = true, .interval = true, .wear = true},
    QuantityKeys{.name = "wear_depth", .contact = true, .interval = true, .wear = true},
    QuantityKeys{.name = "wear_volume_other", .contact = true, .interval = true, .wear = true},
    QuantityKeys{.name = "wear_depth_other", .contact = true, .interval = true, .wear = true},
    QuantityKeys{.name = "contact_statistic", .contact = true, .statistics = true},
    QuantityKeys{.name = "energy", .instant = true, .part = true},
    QuantityKeys{.name = "energy_error"},
    QuantityKeys{.name = "frequency", .mode = true},
    QuantityKeys{.name = "damping_ratio", .mode = true},
    QuantityKeys{.name = "complex_frequency", .mode = true},
    QuantityKeys{.name = "complex_damping_ratio", .mode = true},
    QuantityKeys{.name = "generalized_mass", .mode = true},
    QuantityKeys{.name = "effective_mass", .mode = true, .along = true},
};

constexpr std::array<std::string_view, 6> kStatistics{"max", "min", "mean", "rms", "peak_to_peak", "max_abs"};

/// The contact or the link that an event is of.
struct EventBody {
  std::optional<int> contact, link;
};
EventBody readBody(ReadContext& context, const Section& section) {
  if (section.oneOf({"contact", "link"}) == "link") return {std::nullopt, context.link(section, "link")};
  return {context.contact(section, "contact"), std::nullopt};
}

constexpr std::string_view kResidualCrush = "residual_crush";

std::string_view linkLawKeyword(const AnyLinkLaw& any) {
  return std::visit([]<class L>(const L&) { return L::keyword; }, any);
}

/// Place of an internal variable in the memory of a link's law.
std::optional<std::size_t> variableOf(const AnyLinkLaw& law, std::string_view name) {
  const std::span<const LinkVariable> known = variablesOf(law);
  const auto found = std::ranges::find(known, name, &LinkVariable::name);
  if (found == known.end()) return std::nullopt;
  return static_cast<std::size_t>(found - known.begin());
}

template <class L>
bool hasVariable(std::string_view name) {
  return variableOf(AnyLinkLaw(L{}), name).has_value();
}

/// "laws buckling and crushing": those for which `has.operator()<L>()`.
template <class Has>
std::string lawsWith(const Has& has) {
  std::vector<std::string_view> names;
  LinkLaws::forEach([&]<class L>() {
    if (has.template operator()<L>()) names.push_back(L::keyword);
  });
  const std::string_view last = names.back();
  names.pop_back();
  return names.empty() ? fmt::format("law {}", last)
                       : fmt::format("laws {} and {}", fmt::join(names, ", "), last);
}

/// A kind of event of a contact, or of a link with this law.
std::optional<EventKind> readKind(const ReadContext& context, const Section& section,
                                  std::optional<int> link) {
  std::vector<std::string_view> kinds(kEventNames.begin(), kEventNames.begin() + kContactEvents);
  if (link) {
    const LinkRequest& request = context.study.links[static_cast<std::size_t>(*link)];
    const std::string_view kind = std::visit([]<class L>(const L&) { return L::kEvent; }, request.law);
    kinds.assign(1, kind);
    if (kind.empty()) {
      section.string("kind", kRequired);
      section.problem("link", fmt::format("link \"{}\" has no events: its law is \"{}\", and {} have them",
                                          request.name, linkLawKeyword(request.law), lawsWith([]<class L>() {
                                            return !std::string_view(L::kEvent).empty();
                                          })));
      return std::nullopt;
    }
  }
  const std::string written = section.choice("kind", kRequired, kinds);
  const auto found = std::find(kEventNames.begin(), kEventNames.end(), written);
  if (found == kEventNames.end()) return std::nullopt;
  return static_cast<EventKind>(found - kEventNames.begin());
}

/// An instant of the run; the value as it is given if the run is not known.
std::optional<double> readInstant(const ReadContext& context, const Section& section, std::string_view key) {
  const ProblemWatch watch(section);
  const std::optional<double> time = section.number(key, {.unit = "s"});
  if (!time || !context.run || !watch.isClean()) return time;
  const std::optional<double> inside = context.run->inside(*time);
  if (!inside) section.problem(key, fmt::format("{} s is outside the run, {}", *time, context.run->text()));
  return inside;
}

void readInterval(const ReadContext& context, const Section& section, CheckRequest& check) {
  check.from = readInstant(context, section, "from");
  check.to = readInstant(context, section, "to");
  if (check.from && check.to && *check.to <= *check.from)
    section.problem("to", fmt::format("must be after `from`, {} s", *check.from));
}

/// `time` or `at`; or `statistic`, if the quantity takes it.
void readWhen(ReadContext& context, const Section& section, bool takesStatistic, CheckRequest& check) {
  const std::string key =
      takesStatistic ? section.oneOf({"time", "at", "statistic"}) : section.oneOf({"time", "at"});
  if (key == "statistic") {
    check.statistic = section.choice("statistic", kRequired, kStatistics);
    readInterval(context, section, check);
    return;
  }
  if (key.empty()) section.number("time", kRequired);
  if (key == "time") check.time = readInstant(context, section, "time");
  if (key != "at") return;
  const std::optional<Section> event = section.section("at");
  const EventBody body = readBody(context, *event);
  const std::optional<EventKind> kind = readKind(context, *event, body.link);
  const int index = event->integer("index", 1, atLeast(1.0));
  const int contacts = static_cast<int>(context.study.contacts.size());
  if ((body.contact || body.link) && kind)
    check.at = CheckRequest::EventAt{body.link ? contacts + *body.link : *body.contact, *kind, index};
}

void readNodeKeys(ReadContext& context, const Section& section, CheckRequest& check) {
  check.node = context.node(section, "node");
  check.dof = context.component(section, "dof");
  if (section.has("node2")) check.node2 = context.node(section, "node2");
  if (!check.dof) return;
  const auto requireDof = [&](std::string_view key, std::optional<NodeIndex> node) {
    if (!node || context.hasDof({*node, *check.dof})) return;
    section.problem(key, fmt::format("node \"{}\" has no {}: no element gives it one",
                                     context.nodeName(*node), name(*check.dof)));
  };
  requireDof("dof", check.node);
  requireDof("node2", check.node2);
}

void readMode(const ReadContext& context, const Section& section, CheckRequest& check) {
  const ProblemWatch watch(section);
  check.mode = section.integer("mode", kRequired, atLeast(1.0));
  check.index = check.mode;
  const std::optional<int> modes = context.study.basis.selection.modes;
  if (watch.isClean() && section.exists() && modes && check.mode > *modes)
    section.problem("mode",
                    fmt::format("must be at most {}, the modes of the basis, got {}", *modes, check.mode));
}

/// What only the friction of an area has, and what it has not.
void requireLaw(const ReadContext& context, const Section& section, const CheckRequest& check) {
  const ContactRequest& contact = context.study.contacts[static_cast<std::size_t>(*check.contact)];
  const bool isArea = traitsOf(contact.friction.law).ofArea;
  if (check.quantity == "radius" && tangentKind(contact.obstacle) != TangentKind::inPlane)
    section.problem("quantity", "is of a contact with an axis: obstacle circle, disc or profile");
  if (check.quantity == "spin_moment" && !isArea)
    section.problem("quantity", fmt::format("\"spin_moment\": contact \"{}\" has none; it is of friction law "
                                            "\"patch\"",
                                            contact.name));
}

void requireLinkLaw(const ReadContext& context, const Section& section, CheckRequest& check) {
  const LinkRequest& link = context.study.links[static_cast<std::size_t>(*check.link)];
  const std::optional<std::size_t> crush = variableOf(link.law, kResidualCrush);
  if (check.quantity == kResidualCrush) check.memory = crush.value_or(0);
  if (check.quantity == kResidualCrush && !crush)
    section.problem("link",
                    fmt::format("link \"{}\" has no residual crush: its law is \"{}\", and {} have one",
                                link.name, linkLawKeyword(link.law),
                                lawsWith([]<class L>() { return hasVariable<L>(kResidualCrush); })));
  if (check.component.value_or(1) > static_cast<int>(link.axes.size()))
    section.problem("component", fmt::format("link \"{}\" has one axis", link.name));
}

/// An internal variable of a link's law, by its name in result files.
void readVariable(const ReadContext& context, const Section& section, CheckRequest& check) {
  const ProblemWatch watch(section);
  check.variable = section.string("variable", kRequired);
  if (!check.link || !watch.isClean() || !section.exists()) return;
  const LinkRequest& link = context.study.links[static_cast<std::size_t>(*check.link)];
  const std::optional<std::size_t> found = variableOf(link.law, check.variable);
  check.memory = found.value_or(0);
  if (found) return;
  const std::span<const LinkVariable> known = variablesOf(link.law);
  const std::string_view law = linkLawKeyword(link.law);
  if (known.empty())
    return section.problem("variable",
                           fmt::format("link \"{}\" has none: law \"{}\" remembers nothing", link.name, law));
  std::vector<std::string> names;
  for (const LinkVariable& each : known) names.emplace_back(each.name);
  section.problem("variable", fmt::format("{}; link \"{}\" of law \"{}\" has {}",
                                          unknownName("variable", check.variable, names), link.name, law,
                                          fmt::join(names, ", ")));
}

/// The limit of the difference: `absolute` or `relative`.
void readLimit(const Section& section, CheckRequest& check) {
  const ProblemWatch watch(section);
  check.reference = section.number("reference", kRequired);
  const bool referenceKnown = watch.isClean();
  const std::string key = section.oneOf(kRequired, {"absolute", "relative"});
  if (key == "absolute") check.absolute = section.number("absolute", atLeast(0.0));
  if (key == "relative") check.relative = section.number("relative", atLeast(0.0));
  if (key == "relative" && referenceKnown && check.reference == 0.0)
    section.problem("relative", "has no meaning with a reference of 0; give `absolute`");
  check.source = section.string("source").value_or("");
  check.published = section.number("published");
}

/// Which run a check is of, once its quantity is known.
void readRun(const ReadContext& context, const Section& section, CheckRequest& check) {
  if (check.contact) requireLaw(context, section, check);
  if (check.link) requireLinkLaw(context, section, check);
  const std::optional<std::string> mode = section.choice("mode", {"modal", "direct"});
  check.direct = mode == "direct";
  if (!context.root.has("transient"))
    section.problem("quantity", fmt::format("\"{}\" needs a run: give [transient]", check.quantity));
}

void readQuantity(ReadContext& context, const Section& section, const QuantityKeys& keys,
                  CheckRequest& check) {
  if (keys.node) readNodeKeys(context, section, check);
  if (keys.beam) readBeamForceOf(context, section, check);
  if (keys.contact && keys.link) {
    const EventBody body = readBody(context, section);
    check.contact = body.contact;
    check.link = body.link;
  } else if (keys.contact) {
    check.contact = context.contact(section, "contact");
  } else if (keys.link) {
    check.link = context.link(section, "link");
  }
  if (keys.component && section.has("component"))
    check.component = section.integer("component", between(1.0, 2.0));
  if (keys.kind) check.kind = readKind(context, section, check.link);
  if (keys.index) check.index = section.integer("index", 1, atLeast(1.0));
  if (keys.part)
    check.part = section.choice("part", kRequired,
                                {"kinetic", "elastic", "damping", "contact", "friction", "external"});
  if (keys.variable) readVariable(context, section, check);
  if (keys.linkPart) check.part = section.choice("part", "dissipated", {"dissipated", "stored"});
  if (keys.state) check.state = section.choice("state", kRequired, {"open", "closed", "stick", "slip"});
  if (keys.instant) readWhen(context, section, keys.statistic, check);
  if (keys.interval) readInterval(context, section, check);
  if (keys.wear) readWornOf(context, section, check);
  if (keys.statistics) readStatisticOf(context, section, check);
  if (keys.along) {
    check.dof = Component::ux;
    const std::string dof = section.choice("dof", kRequired, {"ux", "uy", "uz"});
    for (int c = 0; c < 3; ++c)
      if (dof == name(componentAt(c))) check.dof = componentAt(c);
  }
  if (keys.mode) return readMode(context, section, check);
  readRun(context, section, check);
}

/// A kinematic quantity with the motion of the base.
void readAbsolute(const ReadContext& context, const Section& section, CheckRequest& check) {
  const auto kind = std::find(kKinematicNames.begin(), kKinematicNames.end(), check.quantity);
  if (kind == kKinematicNames.end()) return;
  check.absoluteMotion = section.boolean("absolute_motion").value_or(false);
  if (check.absoluteMotion)
    requireAbsoluteMotion(context, section, "absolute_motion",
                          static_cast<Kinematic>(kind - kKinematicNames.begin()));
}

void readCheck(ReadContext& context, const Section& section) {
  std::vector<std::string_view> all;
  all.reserve(kQuantities.size());
  for (const QuantityKeys& keys : kQuantities) all.push_back(keys.name);

  CheckRequest check;
  check.where = section.where();
  if (section.kind("quantity") == ValueKind::string &&
      section.string("quantity")->find('(') != std::string::npos) {
    const bool known = readQuantityExpression(context, section, check);
    readLimit(section, check);
    if (!known) return section.ignoreRest();
    readAbsolute(context, section, check);
    readRun(context, section, check);
    context.study.checks.push_back(std::move(check));
    return;
  }
  check.quantity = section.choice("quantity", kRequired, all);
  readAbsolute(context, section, check);
  readLimit(section, check);
  const auto keys = std::find_if(kQuantities.begin(), kQuantities.end(),
                                 [&check](const QuantityKeys& k) { return k.name == check.quantity; });
  if (keys == kQuantities.end()) {
    section.ignoreRest();
    return;
  }
  readQuantity(context, section, *keys, check);
  context.study.checks.push_back(std::move(check));
}

}  // namespace

void readChecks(ReadContext& context) {
  for (const Section& section : context.root.sections("checks")) readCheck(context, section);
}

}  // namespace ricochet
