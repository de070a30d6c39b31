#include "engine/study/checks/study_checks.hpp"
#include "engine/study/supports.hpp"
#include "engine/transient/probes.hpp"
#include "engine/transient/transient.hpp"
#include "io/deck/read_parts.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace ricochet {
namespace {

constexpr std::string_view kEveryField = "[\"displacement\", \"velocity\", \"acceleration\"]";

/// Reads `basis.modes`, `frequency_max` or `all`.
void readModeSelection(const Section& section, BasisSelection& selection) {
  const std::string key = section.onlyPresentKeyOf(kRequired, {"modes", "frequency_max", "all"});
  const ProblemWatch watch(section);
  if (key == "modes") selection.modes = section.integer("modes", kRequired, rangeAtLeast(1.0));
  if (!watch.isFreeOfProblems()) selection.modes.reset();
  if (key == "frequency_max")
    selection.frequencyMax = section.number("frequency_max", kRequired, rangeAbove(0.0, "Hz"));
  if (key != "all") return;
  selection.all = section.boolean("all").value_or(true);
  if (watch.isFreeOfProblems() && !selection.all)
    section.problem("all", "must be true; for part of the basis give `modes` or `frequency_max`");
}

void readModalDamping(ReadContext& context, const Section& section, BasisRequest& basis) {
  const ProblemWatch watch(section);
  switch (section.kind("damping_ratio")) {
    case ValueKind::absent:
      context.recordDefaultValue(section.pathOf("damping_ratio"), "0");
      break;
    case ValueKind::array:
      basis.dampingRatio = section.numbers("damping_ratio", kRequired, {}, rangeAtLeast(0.0));
      break;
    default:
      basis.dampingRatio = {section.number("damping_ratio", kRequired, rangeAtLeast(0.0))};
      return;
  }
  if (!watch.isFreeOfProblems() || !section.hasKey("damping_ratio")) return;
  const std::size_t given = basis.dampingRatio.size();
  if (given == 0) section.problem("damping_ratio", "must be a number, or one per mode; got none");
  const std::optional<int> modes = basis.selection.modes;
  if (given > 0 && modes && given != static_cast<std::size_t>(*modes)) {
    section.problem("damping_ratio",
                    fmt::format("must be a number, or one for each of the {} modes, got {}", *modes, given));
  }
}

/// Reads `output.interval`, within the number of rows that a result can hold and the resolution of double
/// precision.
std::optional<double> readOutputInterval(const ReadContext& context, const Section& section) {
  constexpr double kMostRows = 1e8;    // the time and one history then have 1.6 GB
  constexpr double kRoundedUp = 1.05;  // the suggested interval is rounded up to two digits
  const ProblemWatch watch(section);
  const double interval = section.number("interval", kRequired, rangeAbove(0.0, "s"));
  if (!watch.isFreeOfProblems()) return std::nullopt;
  if (!context.run) return interval;
  const RunInterval& run = *context.run;
  const double duration = run.end - run.start;
  const double resolution =
      4.0 * std::numeric_limits<double>::epsilon() * std::max(std::abs(run.start), std::abs(run.end));
  const double least = std::max(duration / kMostRows, resolution);
  if (interval >= least) return interval;
  section.problem("interval",
                  fmt::format("asks for {:.3g} rows over {:.6g} s, more than a result holds; take at "
                              "least {:.2g} s, or a shorter `transient.duration`",
                              duration / interval, duration, kRoundedUp * least));
  return std::nullopt;
}

/// The default of the archived instants, which depends on the scheme (archiveTimesOfRun).
void setDefaultArchivedInstants(ReadContext& context) {
  context.recordDefaultValue(
      "output.every", "1, or what leaves 1e6 rows and 1 GB, under event even instants and every event");
}

/// Reads the archived instants: `every`, `interval` or `times`.
void readArchivedInstants(ReadContext& context, const Section& section, OutputRequest& output) {
  const std::string key = section.onlyPresentKeyOf({"every", "interval", "times"});
  if (key == "every") output.every = section.integer("every", kRequired, rangeAtLeast(1.0));
  if (key == "interval") output.interval = readOutputInterval(context, section);
  if (key.empty()) setDefaultArchivedInstants(context);
  if (key != "times") return;
  const ProblemWatch watch(section);
  output.times = section.numbers("times", kRequired);
  if (watch.isFreeOfProblems() && output.times.empty())
    section.problem("times", "must hold at least one instant");
  for (std::size_t i = 0; i < output.times.size() && watch.isFreeOfProblems(); ++i) {
    double& time = output.times[i];
    if (context.run) {
      const std::optional<double> inside = context.run->instantIfWithinRun(time);
      if (!inside)
        section.problem("times", i,
                        fmt::format("{} s is outside the run, {}", time, context.run->description()));
      time = inside.value_or(time);
    }
    if (i > 0 && time <= output.times[i - 1]) section.problem("times", i, "must increase");
  }
}

std::vector<NodeIndex> indicesOfAllNodes(const ReadContext& context) {
  std::vector<NodeIndex> nodes;
  for (std::size_t i = 0; i < context.study.nodes.size(); ++i) nodes.push_back({static_cast<int>(i)});
  return nodes;
}

void readHistoryRequests(ReadContext& context, const Section& section, OutputRequest& output) {
  const auto given = section.choices("fields", kKinematicNames);
  if (!given) context.recordDefaultValue("output.fields", std::string{kEveryField});
  for (std::size_t i = 0; i < kKinematicNames.size(); ++i) {
    const std::string_view name = kKinematicNames[i];
    const auto isThis = [name](const Located<std::string>& g) { return g.value == name; };
    if (!given || std::any_of(given->begin(), given->end(), isThis))
      output.fields.push_back(static_cast<Kinematic>(i));
  }
}

/// Reports a problem unless double precision resolves the instants of the run and of its steps.
void requireResolvableInstants(const Section& section, const TransientRequest& transient, bool stepKnown) {
  for (const StudyProblem& each : problemsOfTimeResolution(transient, stepKnown))
    section.problem(each.path.substr(each.path.find('.') + 1), each.problem);
}

}  // namespace

void readTransient(ReadContext& context) {
  const std::optional<Section> section = context.root.section("transient");
  if (!section) return;
  TransientRequest transient;
  const ProblemWatch watch(*section);
  const std::optional<RestartRequest>& restart = context.study.restart;
  transient.start = section->number("start", restart ? restart->time : 0.0, {.unit = "s"});
  transient.duration = section->number("duration", kRequired, rangeAbove(0.0, "s"));
  const bool intervalKnown = watch.isFreeOfProblems() && section->exists();
  if (intervalKnown) context.run = RunInterval{transient.start, transient.start + transient.duration};

  const ProblemWatch schemeWatch(*section);
  const std::optional<std::string> scheme =
      section->choice("scheme", {"event", "kick_drift", "central_difference", "symplectic_euler", "newmark",
                                 "hht", "devogelaere", "rk32", "rk54", "adaptive_central", "moreau"});
  const bool schemeKnown = schemeWatch.isFreeOfProblems() &&
                           (!scheme || isValueSupported(*section, "scheme", *scheme, schemeKeywords()));
  if (schemeKnown) transient.scheme = scheme.value_or("");

  const ProblemWatch stepWatch(*section);
  transient.step = section->number("step", rangeAbove(0.0, "s"));
  if (transient.step && stepWatch.isFreeOfProblems() && intervalKnown &&
      *transient.step > transient.duration) {
    section->problem("step", fmt::format("must be at most the duration {} s, got {}", transient.duration,
                                         *transient.step));
  }
  if (intervalKnown)
    requireResolvableInstants(*section, transient,
                              transient.step.has_value() && stepWatch.isFreeOfProblems());
  if (!transient.step && !transient.scheme.empty() && transient.scheme != kEventScheme)
    context.recordDefaultValue("transient.step", "automatic");
  readScheme(context, *section, schemeKnown, transient);
  context.study.places.addPlaceOfPart("transient.step", section->where("step"));
  context.study.transient = std::move(transient);
}

void readBasis(ReadContext& context) {
  BasisRequest& basis = context.study.basis;
  const std::optional<Section> section = context.root.section("basis");
  if (!section) {
    context.recordDefaultValue("basis.all", "true");
    context.recordDefaultValue("basis.damping_ratio", "0");
    return;
  }
  basis.selection = {};
  readModeSelection(*section, basis.selection);
  readModalDamping(context, *section, basis);
  if (const std::optional<Section> rayleigh = section->section("rayleigh")) {
    basis.rayleigh.mass = rayleigh->number("mass", 0.0, rangeAtLeast(0.0, "1/s"));
    basis.rayleigh.stiffness = rayleigh->number("stiffness", 0.0, rangeAtLeast(0.0, "s"));
  }
  const std::string residual = section->choice("residual", "none", {"none", "contacts", "loads", "both"});
  basis.contactResiduals = residual == "contacts" || residual == "both";
  basis.residualInertia = section->choice("residual_inertia", "kept", {"kept", "none"}) == "kept";
  if (!basis.residualInertia && !basis.contactResiduals)
    section->problem("residual_inertia",
                     "is of the static responses of contacts: add `residual = \"contacts\"`");
  basis.loadResiduals = residual == "loads" || residual == "both";
  context.study.places.addPlaceOfPart("basis.damping_ratio", section->where("damping_ratio"));
}

void readOutput(ReadContext& context) {
  OutputRequest& output = context.study.output;
  const std::filesystem::path& deck = context.study.deckFile;
  output.file = deck == kStandardInput ? "stdin.h5" : deck.stem().concat(".h5");
  output.nodes = indicesOfAllNodes(context);
  const std::optional<Section> section = context.root.section("output");
  if (!section || !section->hasKey("file"))
    context.recordDefaultValue("output.file", fmt::format("\"{}\"", output.file.string()));
  if (!section || !section->hasKey("nodes")) context.recordDefaultValue("output.nodes", "\"all\"");
  if (!section) {
    output.fields = {Kinematic::displacement, Kinematic::velocity, Kinematic::acceleration};
    setDefaultArchivedInstants(context);
    context.recordDefaultValue("output.fields", std::string{kEveryField});
    return;
  }
  if (const std::optional<std::string> file = section->string("file")) {
    if (file->empty() && section->kind("file") == ValueKind::string)
      section->problem("file", "must not be empty");
    output.file = deck.parent_path() / *file;
  }
  if (section->hasKey("nodes"))
    output.nodes = context.readNodesOfKey(*section, "nodes").value_or(output.nodes);
  readArchivedInstants(context, *section, output);
  readHistoryRequests(context, *section, output);
  output.checksums = section->boolean("checksums", true);
  if (!section->hasKey("absolute_motion")) return;
  output.absoluteMotion = section->boolean("absolute_motion", false);
  if (output.absoluteMotion)
    for (const Kinematic kind : output.fields)
      requireAbsoluteMotion(context, *section, "absolute_motion", kind);
}

}  // namespace ricochet
