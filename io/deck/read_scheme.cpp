#include "engine/study/supports.hpp"
#include "engine/transient/transient.hpp"
#include "io/deck/read_parts.hpp"
#include "io/toml/read_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ricochet {
namespace {

bool doesSchemeAcceptKey(const SchemeTraits& scheme, std::string_view key) {
  return std::ranges::find(scheme.keys.value, key) != scheme.keys.value.end();
}

/// Range of an option; that of a tolerance without its unit, which a deck does not show.
Range rangeOfSchemeOption(std::string_view name) {
  Range range = allowedRange<SchemeOptions>(name);
  range.unit = {};
  range.example.reset();
  return range;
}

void readTolerance(ReadContext& context, const Section& section, double& absolute, double& relative) {
  const std::optional<Section> tolerance = section.section("tolerance");
  if (!tolerance) {
    context.recordDefaultValue("transient.tolerance",
                               fmt::format("{{ absolute = {:g}, relative = {:g} }}", absolute, relative));
    return;
  }
  absolute = tolerance->number("absolute", absolute, rangeOfSchemeOption("tolerance.absolute"));
  relative = tolerance->number("relative", relative, rangeOfSchemeOption("tolerance.relative"));
}

/// Reads a bound of the step; 0 if the scheme chooses the bound, as `otherwise` describes.
double readStepBound(ReadContext& context, const Section& section, std::string_view key,
                     std::string_view otherwise) {
  const std::optional<double> bound = section.number(key, rangeAbove(0.0, "s"));
  if (!bound) context.recordDefaultValue(fmt::format("transient.{}", key), std::string{otherwise});
  return bound.value_or(0.0);
}

void readStepBounds(ReadContext& context, const Section& section, TransientRequest& transient) {
  SchemeOptions& options = transient.options;
  const ProblemWatch watch(section);
  options.stepMin = readStepBound(context, section, "step_min", "1e-14 of the duration");
  options.stepMax = readStepBound(context, section, "step_max",
                                  transient.scheme == AdaptiveCentral::keyword
                                      ? "a twentieth of the shortest period, 0.9 of the limit of "
                                        "central_difference"
                                      : "the duration");
  if (!watch.isFreeOfProblems()) return;
  if (options.stepMax > 0.0 && options.stepMin > options.stepMax)
    section.problem("step_min", fmt::format("must be at most `step_max`, {:g} s, got {:g}", options.stepMax,
                                            options.stepMin));
  if (!transient.step) return;
  if (*transient.step < options.stepMin)
    section.problem("step", fmt::format("must be at least `step_min`, {:g} s, got {:g}", options.stepMin,
                                        *transient.step));
  if (options.stepMax > 0.0 && *transient.step > options.stepMax)
    section.problem("step", fmt::format("must be at most `step_max`, {:g} s, got {:g}", options.stepMax,
                                        *transient.step));
}

}  // namespace

void requireSuitableScheme(const ReadContext& context, const Section& section, std::string_view key,
                           const SchemeNeed& need) {
  if (!context.study.transient) return;
  const std::string& scheme = context.study.transient->scheme;
  if (schemeTraits(scheme) == nullptr || std::ranges::find(need.able, scheme) != need.able.end()) return;
  const std::string text =
      fmt::format("scheme {} does not follow {}; take {}{}{}", scheme, need.what, fmt::join(need.able, ", "),
                  need.remedy.empty() ? "" : ", or ", need.remedy);
  if (key.empty())
    section.problem(text);
  else
    section.problem(key, text);
}

void readScheme(ReadContext& context, const Section& section, bool known, TransientRequest& transient) {
  // Without the key `scheme`, the keys of the event scheme are allowed.
  const SchemeTraits* found = schemeTraits(transient.scheme);
  const SchemeTraits& scheme = found == nullptr ? EventScheme::traits : *found;
  const auto takes = [&](std::string_view key) { return doesSchemeAcceptKey(scheme, key); };
  for (const DeckKey& described : kSchemeKeys) {
    const std::string_view key = described.name;
    if (section.hasKey(key) && known && !takes(key))
      section.problem(
          key, fmt::format("{} does not take `{}`; it is for {}",
                           transient.scheme.empty() ? kEventScheme : std::string_view(transient.scheme), key,
                           fmt::join(schemesWithTraits([&](const SchemeTraits& other) {
                                       return doesSchemeAcceptKey(other, key);
                                     }),
                                     ", ")));
  }
  if (!known) return;
  SchemeOptions& options = transient.options;
  if (takes("gamma")) options.gamma = section.number("gamma", options.gamma, rangeOfSchemeOption("gamma"));
  if (takes("beta")) options.beta = section.number("beta", options.beta, rangeOfSchemeOption("beta"));
  if (takes("alpha")) options.alpha = section.number("alpha", options.alpha, rangeOfSchemeOption("alpha"));
  if (takes("impact_law"))
    if (const auto law = section.choice("impact_law", {"newton", "poisson", "sequential"}))
      options.impactLaw =
          static_cast<ImpactLaw>(std::ranges::find(kImpactLawNames, *law) - kImpactLawNames.begin());
  if (transient.scheme.empty() || transient.scheme == kEventScheme) {
    readTolerance(context, section, options.eventAbsoluteTolerance, options.eventRelativeTolerance);
    options.stepMax = section.number("step_max", rangeAbove(0.0, "s")).value_or(0.0);
    const auto propagator = section.choice("propagator", {"taylor", "chebyshev"});
    if (propagator) options.propagator = *propagator == "taylor" ? Propagator::taylor : Propagator::chebyshev;
    return;
  }
  if (takes("tolerance"))
    readTolerance(context, section, options.absoluteTolerance, options.relativeTolerance);
  if (takes("step_max")) readStepBounds(context, section, transient);
}

}  // namespace ricochet
