#include "io/app/runs/run_notes.hpp"

#include "io/text/counted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ricochet {
namespace {

/// Adds a note if no contact with a gap has ever closed, with the smallest gap of the rows if it is known.
void noteOpenContacts(const Deck& deck, const RunSummary& summary, std::vector<std::string>& notes) {
  std::optional<std::size_t> nearest;
  for (std::size_t i = 0; i < summary.totals.size(); ++i) {
    if (!hasGap(deck.contacts[i].obstacle)) continue;
    if (summary.totals[i].impacts > 0 || summary.totals[i].peakForce > 0.0) return;
    if (!nearest || (i < summary.gaps.size() && summary.gaps[i].smallest < summary.gaps[*nearest].smallest))
      nearest = i;
  }
  if (!nearest) return;
  const bool isKnown = *nearest < summary.gaps.size() && std::isfinite(summary.gaps[*nearest].smallest);
  notes.push_back(fmt::format("no contact ever closed{}",
                              isKnown
                                  ? fmt::format(": the smallest gap of the rows is {:.3g} m, of contact {}",
                                                summary.gaps[*nearest].smallest, deck.contacts[*nearest].name)
                                  : ""));
}

/// Half the depth of the beam at a node, for a full section with the same radius of gyration [m]; 0 for a
/// node without beam.
double halfBeamDepthAt(const Deck& deck, NodeIndex node) {
  for (const BeamRequest& beam : deck.beams) {
    const SectionConstants& section = beam.element.section;
    if (std::ranges::find(beam.nodes, node) != beam.nodes.end() && section.area > 0.0)
      return 2.0 * std::sqrt(std::min(section.inertiaY, section.inertiaZ) / section.area);
  }
  return 0.0;
}

/// Adds a note about the contact with the deepest penetration relative to its gap or the section of its beam.
/// Contacts that start inside their obstacle are omitted, because such a penetration may represent a weight;
/// so is the gap of a contact that starts touching, which is zero.
void noteDeepPenetrations(const Deck& deck, const RunSummary& summary, std::vector<std::string>& notes) {
  constexpr double kOfDepth = 0.1, kTouching = 1e-3, kRounding = 1e-12;
  std::size_t worst = 0, count = 0;
  double largest = 1.0, depth = 0.0;
  std::string against;
  for (std::size_t i = 0; i < summary.gaps.size(); ++i) {
    const GapsSeen& seen = summary.gaps[i];
    const double penetration = -seen.smallest;
    const bool isRigid = traitsOf(deck.contacts[i].normal).setValued;
    const double least = isRigid ? kRounding : 0.0;  // a rigid contact ends a step of moreau inside
    if (!hasGap(deck.contacts[i].obstacle) || !(seen.first >= 0.0) || !(penetration > least)) continue;
    const double half = halfBeamDepthAt(deck, deck.contacts[i].first);
    const double ofGap = seen.first > kTouching * penetration ? penetration / seen.first : 0.0;
    const double ofBeam = half > 0.0 ? penetration / (kOfDepth * half) : 0.0;
    if (std::max(ofGap, ofBeam) <= 1.0) continue;
    ++count;
    if (std::max(ofGap, ofBeam) <= largest) continue;
    largest = std::max(ofGap, ofBeam);
    worst = i;
    depth = penetration;
    against = ofGap > ofBeam
                  ? fmt::format("more than the gap of {:.3g} m that it started with", seen.first)
                  : fmt::format("{:.0f} % of half the depth of its beam", 100.0 * penetration / half);
  }
  if (count > 0)
    notes.push_back(fmt::format(
        "contact {} was pressed in by {:.3g} m, {}{}: is {}?", deck.contacts[worst].name, depth, against,
        count > 1 ? fmt::format(" (and {})", numberWithNoun(count - 1, "other")) : "",
        traitsOf(deck.contacts[worst].normal).setValued ? "the step too long" : "its stiffness too small"));
}

/// Adds a note about the contact whose slips have given the most energy to the structure, if rounding does
/// not explain it.
void noteFrictionGains(const Deck& deck, const RunSummary& summary, std::vector<std::string>& notes) {
  constexpr double kRounding = 1e-8;  // of the energies of the run and of the friction of the contact
  const EnergyLedger& ledger = summary.report.energy;
  const double energies = ledger.kinetic + ledger.elastic + std::abs(ledger.external) + ledger.friction;
  const auto most = std::ranges::max_element(summary.totals, {}, &ContactTotals::frictionGain);
  if (most == summary.totals.end() || !(most->frictionGain > kRounding * std::abs(energies))) return;
  notes.push_back(fmt::format(
      "WARNING: friction gave {:.3g} J at contact {} instead of taking energy: its slip is wrong there, "
      "compare "
      "with scheme = \"moreau\"",
      most->frictionGain, deck.contacts[static_cast<std::size_t>(most - summary.totals.begin())].name));
}

}  // namespace

std::vector<std::string> notesOnFinishedRun(const Deck& deck, const RunSummary& summary) {
  std::vector<std::string> notes;
  if (summary.report.status != RunStatus::complete) return notes;
  noteOpenContacts(deck, summary, notes);
  noteDeepPenetrations(deck, summary, notes);
  noteFrictionGains(deck, summary, notes);
  return notes;
}

std::string energyResidualText(double energyError) {
  constexpr double kRounding = 1e-14;
  return energyError < kRounding ? "< 1e-14" : fmt::format("{:.2g}", energyError);
}

}  // namespace ricochet
