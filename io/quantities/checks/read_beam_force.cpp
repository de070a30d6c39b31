// Reads checks of forces in the sections of beams.

#include "io/deck/deck.hpp"
#include "io/quantities/read_requests.hpp"
#include "physical/elements/beam_forces.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ricochet {
namespace {

/// Index of an element in its beam, from the element number of the deck.
std::optional<std::size_t> indexOfBeamElement(const BeamRequest& beam, int number) {
  if (beam.numbers.empty())
    return number <= beam.elements() ? std::optional(static_cast<std::size_t>(number) - 1) : std::nullopt;
  const auto found = std::find(beam.numbers.begin(), beam.numbers.end(), number);
  if (found == beam.numbers.end()) return std::nullopt;
  return static_cast<std::size_t>(found - beam.numbers.begin());
}

}  // namespace

void readBeamForceCheck(const ReadContext& context, const Section& section, CheckRequest& check) {
  const ProblemWatch watch(section);
  const std::string name = section.string("beam", kRequired);
  const int number = section.integer("element", kRequired, rangeAtLeast(1.0));
  const std::string component = section.choice("component", kRequired, kSectionForces);
  if (!watch.isFreeOfProblems() || !section.exists() || !context.dofsKnown) return;
  const Deck& study = context.study;
  const auto beam = std::find_if(study.beams.begin(), study.beams.end(),
                                 [&](const BeamRequest& each) { return each.name == name; });
  if (beam == study.beams.end()) {
    std::vector<std::string> known;
    for (const BeamRequest& each : study.beams) known.push_back(each.name);
    return section.problem("beam", unknownNameMessage("beam", name, known));
  }
  const std::optional<std::size_t> place = indexOfBeamElement(*beam, number);
  if (!place)
    return section.problem(
        "element",
        beam->mesh.empty()
            ? fmt::format("must be from 1 to {}, the elements of the beam, got {}", beam->elements(), number)
            : fmt::format("is no line of beam \"{}\" in mesh \"{}\"", name, beam->mesh));
  for (const BaseMotion& motion : study.baseMotions) {
    if (!motion.ofSupports) continue;
    if (!motion.displacement)
      section.problem("quantity", "\"beam_force\" needs the `displacement` of the supports that move");
    if (!motion.velocity && study.basis.rayleigh.stiffness != 0.0)
      section.problem("quantity",
                      "\"beam_force\" needs the `velocity` of the supports that move, beside "
                      "`basis.rayleigh.stiffness`");
  }
  const bool wheels = std::any_of(study.contacts.begin(), study.contacts.end(),
                                  [](const ContactRequest& contact) { return contact.isTravelling(); });
  if (!study.movingLoads.empty() || wheels || !study.spins.empty())
    section.problem("quantity",
                    fmt::format("\"beam_force\" does not know {} yet; `ricochet restore --fields {}` does",
                                study.spins.empty() ? "loads and contacts that travel" : "spins that vary",
                                study.spins.empty() ? "beam_force" : "beam_elastic_force"));
  BeamForceAt& at = check.beamForce.emplace();
  at.name = fmt::format("{} {} {}", name, number, component);
  at.element = std::get<Beam>(study.structure.elements[beam->firstElement + *place]);
  at.component = static_cast<int>(std::find(kSectionForces.begin(), kSectionForces.end(), component) -
                                  kSectionForces.begin());
  if (study.gravity) at.gravity = Vec3(study.gravity->data());
}

}  // namespace ricochet
