// Reads the tables `wear` of contacts.

#include "engine/study/parts/contact_request.hpp"
#include "engine/study/parts/wear_request.hpp"
#include "io/deck/read_parts.hpp"
#include "io/toml/read_fields.hpp"

#include <fmt/core.h>

#include <numbers>

namespace ricochet {
namespace {

double readAngleInDegrees(const Section& section, std::string_view key, double fallback, const Range& range) {
  return std::numbers::pi / 180.0 * section.number(key, fallback, range);
}

double readWornInclination(const Section& section) {
  return readAngleInDegrees(section, "inclination_deg", 0.0,
                            {.lowest = 0.0, .below = 90.0, .unit = "degrees"});
}

WornBore readWornBore(const Section& section) {
  const ProblemWatch watch(section);
  WornBore bore;
  bore.radius = section.number("radius", kRequired, rangeAbove(0.0, "m"));
  bore.bore = section.number("bore_radius", kRequired, rangeAbove(0.0, "m"));
  if (watch.isFreeOfProblems() && !(bore.bore > bore.radius))
    section.problem("bore_radius",
                    fmt::format("must be larger than `radius`, {} m, got {}", bore.radius, bore.bore));
  bore.length = section.number("length", kRequired, rangeAbove(0.0, "m"));
  bore.places = section.integer("places", 1, rangeAtLeast(1.0));
  bore.inclination = readWornInclination(section);
  return bore;
}

WornCrossed readWornCrossed(const Section& section) {
  WornCrossed crossed;
  crossed.radius = section.number("radius", kRequired, rangeAbove(0.0, "m"));
  crossed.other = section.number("other_radius", kRequired, rangeAbove(0.0, "m"));
  const Range range{.above = 0.0, .highest = 90.0, .unit = "degrees"};
  crossed.angle = std::numbers::pi / 180.0 * section.number("angle_deg", kRequired, range);
  return crossed;
}

WornTable readWornTable(const Section& section) {
  const ProblemWatch watch(section);
  WornTable table;
  const std::vector<double> depths = section.numbers("depths", kRequired, {}, rangeAtLeast(0.0, "m"));
  const std::vector<double> volumes = section.numbers("volumes", kRequired, {}, rangeAtLeast(0.0, "m^3"));
  if (!watch.isFreeOfProblems()) return table;
  if (depths.size() < 2)
    section.problem("depths", "must be two depths at least");
  else if (volumes.size() != depths.size())
    section.problem("volumes", fmt::format("must be one for each of the {} depths, got {}", depths.size(),
                                           volumes.size()));
  if (!watch.isFreeOfProblems()) return table;
  const auto expectIncrease = [&section](std::string_view key, const std::vector<double>& values) {
    if (values.front() != 0.0) section.problem(key, 0, "must be 0: no depth without volume");
    for (std::size_t i = 1; i < values.size(); ++i)
      if (!(values[i] > values[i - 1])) return section.problem(key, i, "must increase");
  };
  expectIncrease("depths", depths);
  expectIncrease("volumes", volumes);
  if (watch.isFreeOfProblems()) table = {.depths = depths, .volumes = volumes};
  return table;
}

std::optional<AnyWornShape> readWornShape(const Section& section) {
  const auto shape = section.choice("shape", {"flat", "ring", "bore", "crossed", "table"});
  if (!shape) return std::nullopt;
  if (shape->empty()) {
    section.acceptAllFurtherKeys();
    return std::nullopt;
  }
  if (*shape == WornBore::keyword) return readWornBore(section);
  if (*shape == WornCrossed::keyword) return readWornCrossed(section);
  if (*shape == WornTable::keyword) return readWornTable(section);
  const double radius = section.number("radius", kRequired, rangeAbove(0.0, "m"));
  const double length = section.number("length", kRequired, rangeAbove(0.0, "m"));
  if (*shape == WornRing::keyword) return WornRing{.radius = radius, .length = length};
  return WornFlat{.radius = radius, .length = length, .inclination = readWornInclination(section)};
}

template <class Law>
void readWearLaws(const Section& section, WearRequest& wear) {
  Law law;
  readFields(section, law);
  wear.law = law;
  const std::optional<Section> other = section.section("other");
  if (!other) return;
  readFields(*other, law);
  wear.other = law;
}

}  // namespace

void readWear(const Section& contact, ContactRequest& request) {
  const std::optional<Section> section = contact.section("wear");
  if (!section) return;
  auto wear = std::make_shared<WearRequest>();
  const std::string law = section->choice("law", {ArchardWear::keyword, EdfMzWear::keyword})
                              .value_or(std::string(ArchardWear::keyword));
  if (law.empty()) return section->acceptAllFurtherKeys();
  const LawProblems named(*section, law == EdfMzWear::keyword ? EdfMzWear::keyword : ArchardWear::keyword);
  if (law == EdfMzWear::keyword)
    readWearLaws<EdfMzWear>(*section, *wear);
  else
    readWearLaws<ArchardWear>(*section, *wear);
  wear->after = section->number("after", rangeAbove(0.0, "s"));
  wear->shape = readWornShape(*section);
  request.wear = std::move(wear);
}

}  // namespace ricochet
