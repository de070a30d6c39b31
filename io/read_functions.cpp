#include "io/read_parts.hpp"

#include <fmt/format.h>

namespace ricochet {
namespace {

using Outside = TimeFunction::Outside;

/// What the function is outside its table.
Outside readOutside(const Section& section, std::string_view key) {
  const std::string written = section.choice(key, "error", {"constant", "zero", "linear", "error"});
  if (written == "constant") return Outside::constant;
  if (written == "zero") return Outside::zero;
  return written == "linear" ? Outside::linear : Outside::undefined;
}

/// Abscissae do not decrease; one may be repeated once.
void checkTimes(const Section& section, const std::vector<double>& times) {
  for (std::size_t i = 1; i < times.size(); ++i) {
    if (times[i] < times[i - 1]) {
      section.problem("times", i,
                      fmt::format("must not decrease: {} comes after {}", times[i], times[i - 1]));
      return;
    }
    if (i > 1 && times[i] == times[i - 2]) {
      section.problem("times", i, fmt::format("{} is repeated more than once; a jump takes two", times[i]));
      return;
    }
  }
}

DeclaredFunction readTable(const Section& section) {
  DeclaredFunction declared;
  const ProblemWatch watch(section);
  const std::vector<double> times = section.numbers("times", kRequired);
  const std::vector<double> values = section.numbers("values", kRequired);
  const Outside before = readOutside(section, "before");
  const Outside after = readOutside(section, "after");
  if (!watch.isClean() || !section.exists()) return declared;
  if (times.empty()) section.problem("times", "must hold at least one instant");
  if (times.size() != values.size()) {
    section.problem("values", fmt::format("must hold as many values as `times`, which has {}, got {}",
                                          times.size(), values.size()));
  }
  checkTimes(section, times);
  if (!watch.isClean()) return declared;
  declared.function = TimeFunction::table(times, values, before, after);
  if (before == Outside::undefined) declared.first = times.front();
  if (after == Outside::undefined) declared.last = times.back();
  return declared;
}

}  // namespace

void readFunctions(ReadContext& context) {
  const std::optional<Section> functions = context.root.section("functions");
  if (!functions) return;
  if (!functions->exists()) context.functions.markIncomplete();
  for (const Located<std::string>& name : functions->keys()) {
    context.functions.declare(name, functions->diagnostics());
    const std::optional<Section> section = functions->section(name.value);
    section->unsupported({"formula", "file", "columns"});
    const bool isTable = !section->has("formula") && !section->has("file");
    context.functionTables.push_back(isTable ? readTable(*section) : DeclaredFunction{});
    if (!isTable) section->ignoreRest();
    context.functionTables.back().path = section->path();
  }
}

}  // namespace ricochet
