#include "engine/study/supports.hpp"
#include "io/deck/read_parts.hpp"
#include "physical/elements/elements.hpp"

#include <fmt/format.h>

#include <map>
#include <string>

namespace ricochet {
namespace {

/// Reports a speed with a jump, which would need an infinite torque.
void requireSteadySpeed(const ReadContext& context, const Section& section, const TimeFunction& speed) {
  if (!context.run) return;
  for (const double t : speed.jumpInstants())
    if (t > context.run->start && t < context.run->end)
      return section.problem("spin", fmt::format("must not jump, but does at {} s", t));
}

bool isConstantFunction(const TimeFunction& speed) {
  return speed.formulaOrNull() == nullptr && speed.breakpoints().empty() &&
         speed.piece(speed.lastPiece()).slope == 0.0;
}

void setSpinOfElement(Structure& structure, std::size_t element, double speed) {
  std::visit(
      [speed](auto& each) {
        if constexpr (requires { each.spin; }) each.spin = speed;
      },
      structure.elements[element]);
}

}  // namespace

Spin readSpin(const Section& section) {
  const std::optional<NumberOrString> spin = section.numberOrString("spin", {.unit = "rad/s"});
  if (!spin) return {};
  if (const auto* number = std::get_if<double>(&*spin)) return {*number, false};
  return {0.0, true};
}

void recordVaryingSpin(ReadContext& context, const Section& section, std::size_t first) {
  if (!readSpin(section).varies) return;
  ReadContext::VaryingSpin& noted = context.varyingSpins.emplace_back(ReadContext::VaryingSpin{section, {}});
  for (std::size_t i = first; i < context.study.structure.elements.size(); ++i) noted.elements.push_back(i);
}

void readSpins(ReadContext& context) {
  std::map<std::string, std::size_t> known;  // index in the spins of the study, by the name of the function
  for (const ReadContext::VaryingSpin& noted : context.varyingSpins) {
    const Section& section = noted.section;
    const ProblemWatch watch(section);
    const TimeFunction speed = context.readNumberOrFunction(section, "spin", {});
    if (isConstantFunction(speed)) {
      for (const std::size_t element : noted.elements)
        setSpinOfElement(context.study.structure, element, speed.at(0.0));
      continue;
    }
    requireSteadySpeed(context, section, speed);
    requireSuitableScheme(context, section, "spin",
                          {"a spin that varies",
                           schemesWithTraits([](const SchemeTraits& scheme) { return scheme.varyingSpin; })});
    if (!watch.isFreeOfProblems()) continue;
    const auto [place, isNew] =
        known.emplace(section.string("spin").value_or(""), context.study.spins.size());
    if (isNew) {
      context.study.places.addPlaceOfPart(fmt::format("spins[{}]", context.study.spins.size()),
                                          section.where("spin"));
      context.study.spins.push_back({speed, {}});
    }
    const double start = context.run ? context.run->start : 0.0;
    for (const std::size_t element : noted.elements) {
      context.study.spins[place->second].elements.push_back(element);
      setSpinOfElement(context.study.structure, element, speed.at(start));
    }
  }
}

}  // namespace ricochet
