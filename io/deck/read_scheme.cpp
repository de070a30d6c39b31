#include "engine/event/event_scheme.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/transient/transient.hpp"
#include "io/deck/read_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <vector>

namespace ricochet {
namespace {

constexpr auto kEventKeys = EventScheme::keys;

/// Keys that a scheme takes; none given is event, as far as keys go.
std::span<const std::string_view> keysOf(std::string_view scheme) {
  if (scheme.empty() || scheme == kEventScheme) return kEventKeys;
  return schemeTraits(scheme).keys;
}

/// "newmark", "event, rk32, rk54": the schemes that take a key.
std::string takersOf(std::string_view key) {
  std::vector<std::string_view> takers;
  if (std::find(kEventKeys.begin(), kEventKeys.end(), key) != kEventKeys.end())
    takers.push_back(kEventScheme);
  Integrators::forEach([&]<class I>() {
    const auto keys = schemeKeys<I>();
    if (std::find(keys.begin(), keys.end(), key) != keys.end()) takers.push_back(I::keyword);
  });
  return fmt::format("{}", fmt::join(takers, ", "));
}

void readTolerance(ReadContext& context, const Section& section, double& absolute, double& relative) {
  const std::optional<Section> tolerance = section.section("tolerance");
  if (!tolerance) {
    context.takeDefault("transient.tolerance",
                        fmt::format("{{ absolute = {:g}, relative = {:g} }}", absolute, relative));
    return;
  }
  absolute = tolerance->number("absolute", absolute, atLeast(0.0));
  relative = tolerance->number("relative", relative, between(1e-15, 0.1));
}

/// A given bound of the step; 0 when it is left to the scheme, `otherwise` in words.
double readBound(ReadContext& context, const Section& section, std::string_view key,
                 std::string_view otherwise) {
  const std::optional<double> bound = section.number(key, above(0.0, "s"));
  if (!bound) context.takeDefault(fmt::format("transient.{}", key), std::string{otherwise});
  return bound.value_or(0.0);
}

void readBounds(ReadContext& context, const Section& section, TransientRequest& transient) {
  SchemeOptions& options = transient.options;
  const ProblemWatch watch(section);
  options.stepMin = readBound(context, section, "step_min", "1e-14 of the duration");
  options.stepMax = readBound(context, section, "step_max",
                              transient.scheme == AdaptiveCentral::keyword
                                  ? "a twentieth of the shortest period, 0.9 of the limit of "
                                    "central_difference"
                                  : "the duration");
  if (!watch.isClean()) return;
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

std::vector<std::string_view> schemeNames() {
  std::vector<std::string_view> names{kEventScheme};
  Integrators::forEach([&names]<class I>() { names.push_back(I::keyword); });
  return names;
}

void readScheme(ReadContext& context, const Section& section, bool known, TransientRequest& transient) {
  const std::span<const std::string_view> keys = keysOf(transient.scheme);
  const auto takes = [&](std::string_view key) {
    return std::find(keys.begin(), keys.end(), key) != keys.end();
  };
  for (const DeckKey& described : kSchemeKeys) {
    const std::string_view key = described.name;
    if (section.has(key) && known && !takes(key))
      section.problem(
          key, fmt::format("{} does not take `{}`; it is for {}",
                           transient.scheme.empty() ? kEventScheme : std::string_view(transient.scheme), key,
                           takersOf(key)));
  }
  if (!known) return;
  SchemeOptions& options = transient.options;
  constexpr double kLowestAlpha = -1.0 / 3.0;
  // below gamma = 1/2 the motion grows by itself, whatever the step
  if (takes("gamma")) options.gamma = section.number("gamma", options.gamma, between(0.5, 1.0));
  if (takes("beta")) options.beta = section.number("beta", options.beta, between(0.0, 1.0));
  if (takes("alpha")) options.alpha = section.number("alpha", options.alpha, between(kLowestAlpha, 0.0));
  if (transient.scheme.empty() || transient.scheme == kEventScheme) {
    readTolerance(context, section, options.eventAbsoluteTolerance, options.eventRelativeTolerance);
    options.stepMax = section.number("step_max", above(0.0, "s")).value_or(0.0);
    const auto propagator = section.choice("propagator", {"taylor", "chebyshev"});
    if (propagator) options.propagator = *propagator == "taylor" ? Propagator::taylor : Propagator::chebyshev;
    return;
  }
  if (takes("tolerance"))
    readTolerance(context, section, options.absoluteTolerance, options.relativeTolerance);
  if (takes("step_max")) readBounds(context, section, transient);
}

}  // namespace ricochet
