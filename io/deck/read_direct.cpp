#include "engine/study/direct.hpp"
#include "io/deck/read_parts.hpp"
#include "io/toml/read_fields.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// Keywords of the schemes of the direct mode that have this parameter; all schemes if `key` is empty.
std::vector<std::string_view> schemesWithParameter(std::string_view key) {
  std::vector<std::string_view> names;
  DirectIntegrators::forEach([&]<class I>() {
    const auto keys = I::traits.keys.value;
    if (key.empty() || std::find(keys.begin(), keys.end(), key) != keys.end()) names.push_back(I::keyword);
  });
  return names;
}

/// Reads a parameter of the scheme, if the scheme has this parameter.
void readSchemeParameter(const Section& section, const DirectRequest& direct, std::string_view key,
                         double& value) {
  const std::vector<std::string_view> takers = schemesWithParameter(key);
  const bool takes = std::find(takers.begin(), takers.end(), direct.scheme) != takers.end();
  if (takes)
    value = section.number(key, value, allowedRange<SchemeOptions>(key));
  else if (section.hasKey(key))
    section.problem(
        key, fmt::format("{} does not take `{}`; it is for {}", direct.scheme, key, fmt::join(takers, ", ")));
}

}  // namespace

void readDirect(ReadContext& context) {
  DirectRequest& direct = context.study.direct;
  const std::optional<Section> section = context.root.section("direct");
  if (!section) return;
  direct.given = true;
  context.study.places.addPlaceOfPart("direct.step", section->where("step"));
  const ProblemWatch watch(*section);
  direct.scheme = section->choice("scheme", direct.scheme, schemesWithParameter({}));
  const bool known = watch.isFreeOfProblems();
  direct.lumped = section->choice("mass", "consistent", {"consistent", "lumped"}) == "lumped";
  direct.step = section->number("step", rangeAbove(0.0, "s"));
  const std::optional<RunInterval>& run = context.run;
  if (direct.step && run && *direct.step > run->end - run->start)
    section->problem("step", fmt::format("must be at most the duration {} s, got {}", run->end - run->start,
                                         *direct.step));
  if (!known) {
    section->acceptAllFurtherKeys();
    return;
  }
  readSchemeParameter(*section, direct, "alpha", direct.options.alpha);
  readSchemeParameter(*section, direct, "beta", direct.options.beta);
  readSchemeParameter(*section, direct, "gamma", direct.options.gamma);
}

}  // namespace ricochet
