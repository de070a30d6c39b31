#include "io/app/runs/comparison_verdict.hpp"

#include "engine/study/parts/study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

namespace ricochet {
namespace {

constexpr double kAgree = 0.01;       // relative difference of displacements that counts as agreement
constexpr double kExplained = 0.3;    // share of a difference that may remain if a cause explains it
constexpr double kNoticeable = 0.02;  // part that the basis leaves out and that may cause a difference
constexpr double kDeviations = 2.0;
constexpr double kFewestImpacts = 10.0;  // least number of impacts for a sampling error
constexpr const char* kPeakForce = "peak force";
constexpr const char* kTwiceTheModes = "; a run with twice the modes tells whether modes are missing";

/// Number of closings of the modal run before an instant.
int countImpactsBefore(const Comparison& comparison, double time) {
  int impacts = 0;
  for (const ComparedEvent& event : comparison.events)
    if (event.kind == EventKind::closing && event.modal && *event.modal < time) ++impacts;
  return impacts;
}

/// Text with the peak forces whose difference is largest, if it exceeds a tenth: these forces have no known
/// sampling error, and a basis without the modes that a short impact excites makes them too large. Empty for
/// smaller differences.
std::string peakForceText(const std::vector<ComparedTotal>& totals, bool completeBasis) {
  constexpr double kNear = 0.1;
  const ComparedTotal* worst = nullptr;
  double largest = kNear;
  for (const ComparedTotal& total : totals) {
    if (total.quantity != kPeakForce) continue;
    const double apart = std::abs(total.direct - total.modal) / std::max(total.modal, total.direct);
    if (apart > largest) {
      largest = apart;
      worst = &total;
    }
  }
  if (worst == nullptr) return "";
  return fmt::format(
      "; peak forces, of which no sampling error is known, are up to {:.0f} % apart: {:.4g} and {:.4g} {} "
      "of contact {}{}",
      100.0 * largest, worst->modal, worst->direct, worst->unit, worst->contact,
      completeBasis ? "" : kTwiceTheModes);
}

/// Text that states whether the numbers over the whole run agree although the histories differ.
std::string agreementOfTotalsText(const std::vector<ComparedTotal>& totals, bool completeBasis) {
  double impacts = 0.0;
  const ComparedTotal* worst = nullptr;
  double excess = 1.0;
  for (const ComparedTotal& total : totals) {
    if (total.quantity == "impacts") impacts += std::min(total.modal, total.direct);
    const double apart = std::abs(total.direct - total.modal);
    if (total.sampling && apart > excess * *total.sampling) {
      excess = *total.sampling > 0.0 ? apart / *total.sampling : excess;
      worst = &total;
    }
  }
  if (impacts < kFewestImpacts)
    return fmt::format("there are too few impacts ({:.0f}) to compare statistics: run longer", impacts);
  if (worst == nullptr)
    return "statistics agree within their sampling error" + peakForceText(totals, completeBasis);
  return fmt::format(
      "statistics do not agree: {} of contact {} is {:.4g} and {:.4g} {}, {:.2g} times as far apart as "
      "sampling explains",
      worst->quantity, worst->contact, worst->modal, worst->direct, worst->unit, excess);
}

/// True if a contact was closed at some time before an instant: from the start, or from an event of either
/// run.
bool isClosedBefore(const Comparison& comparison, std::size_t contact, double time) {
  const auto impacts = [&](const RunSummary& run) {
    return contact < run.totals.size() ? run.totals[contact].impacts : 0;
  };
  double closing = std::numeric_limits<double>::infinity(), opening = closing;
  for (const ComparedEvent& event : comparison.events) {
    if (static_cast<std::size_t>(event.contact) != contact) continue;
    for (const std::optional<double>& at : {event.modal, event.direct}) {
      if (at && event.kind == EventKind::closing) closing = std::min(closing, *at);
      if (at && event.kind == EventKind::opening) opening = std::min(opening, *at);
    }
  }
  const bool closesLater = std::isfinite(closing) && closing <= opening;
  if (closesLater) return closing < time;
  return impacts(comparison.modal) + impacts(comparison.direct) > 0;
}

/// Contact that was closed before an instant, of those whose spring lacks most flexibility in the basis; none
/// if the basis lacks little at such contacts.
std::optional<std::size_t> contactWithMissingModes(const Comparison& comparison, double time) {
  double most = kNoticeable;
  std::optional<std::size_t> found;
  for (std::size_t i = 0; i < comparison.leftOut.size(); ++i)
    if (comparison.leftOut[i] > most && isClosedBefore(comparison, i, time)) {
      most = comparison.leftOut[i];
      found = i;
    }
  return found;
}

/// Parts of the initial state that the basis leaves out, if they are noticeable: "0.5 of the initial
/// velocity".
std::string initialStateOutsideBasis(const Comparison& comparison) {
  std::string parts;
  for (std::size_t kind = 0; kind < comparison.leftOutAtStart.size(); ++kind)
    if (const double left = comparison.leftOutAtStart[kind]; left > kNoticeable)
      parts += fmt::format("{}{:.2g} of the initial {}", parts.empty() ? "" : " and ", left,
                           kKinematicNames[kind]);
  return parts;
}

/// Text about histories that differ before a second impact: small differences have not had the time to grow,
/// so that what the basis leaves out causes them: of the initial state, or of the flexibility of a contact
/// that was closed. Empty if it leaves out little of both.
std::string textOnMissingModes(const Study& study, const Comparison& comparison) {
  if (comparison.completeBasis || !comparison.differing) return {};
  const int impacts = countImpactsBefore(comparison, *comparison.differing);
  if (impacts > 1) return {};
  const std::string initial = initialStateOutsideBasis(comparison);
  const std::optional<std::size_t> contact = contactWithMissingModes(comparison, *comparison.differing);
  if (initial.empty() && !contact) return {};
  std::string text = fmt::format(
      "histories differ from {:.6g} s on, {}, too early for chaos: the basis is truncated. It leaves out {}",
      *comparison.differing, impacts == 0 ? "before the first impact" : "at the first impact", initial);
  if (contact)
    text += fmt::format(
        "{}{:.2g} of the flexibility of the spring of contact {} (the truncation indicator: `ricochet manual "
        "basis`)",
        initial.empty() ? "" : ", and ", comparison.leftOut[*contact],
        *contact < study.contacts.size() ? study.contacts[*contact].name : "");
  return text + (contact && !comparison.hasResiduals ? "; take [basis] residual = \"contacts\", or more modes"
                                                     : "; take more modes");
}

/// Text for a difference whose cause is not known: which causes are excluded, such as the steps and the
/// numerical damping of both runs.
std::string excludedCausesText(const ComparisonCauses& causes) {
  std::string text;
  if (causes.withoutStepError)
    text += fmt::format("; a quarter of the step of the direct run leaves {:.2g}", *causes.withoutStepError);
  if (causes.withFinerModalStep)
    text += fmt::format("; a quarter of the step of the modal run leaves {:.2g}", *causes.withFinerModalStep);
  if (causes.withBothStepsFiner)
    text += fmt::format("; a quarter of both leaves {:.2g}", *causes.withBothStepsFiner);
  if (!causes.numericalDamping.empty())
    text += fmt::format("; numerical damping of {} takes energy in every step", causes.numericalDamping);
  if (causes.withoutNumericalDamping)
    text += fmt::format(": without it {:.2g} is left", *causes.withoutNumericalDamping);
  return text;
}

}  // namespace

std::vector<ComparedTotal> compareTotals(const Study& study, const Comparison& comparison) {
  std::vector<ComparedTotal> totals;
  const std::size_t count = std::min(comparison.modal.totals.size(), comparison.direct.totals.size());
  for (std::size_t i = 0; i < std::min(count, study.contacts.size()); ++i) {
    const std::string& name = study.contacts[i].name;
    const ContactTotals& m = comparison.modal.totals[i];
    const ContactTotals& d = comparison.direct.totals[i];
    const double events = 0.5 * (m.impacts + d.impacts);
    const auto sampling = [&](double deviation) {
      return events < kFewestImpacts ? std::nullopt : std::optional(kDeviations * deviation);
    };
    const auto ofSum = [&](double a, double b) {
      return sampling(0.5 * (std::abs(a) + std::abs(b)) * std::sqrt(2.0 * 2.0 / events));
    };
    totals.push_back({"impacts", name, "", static_cast<double>(m.impacts), static_cast<double>(d.impacts),
                      sampling(std::sqrt(static_cast<double>(m.impacts + d.impacts)))});
    totals.push_back({kPeakForce, name, "N", m.peakForce, d.peakForce});
    totals.push_back({"impulse", name, "N s", m.impulse, d.impulse, ofSum(m.impulse, d.impulse)});
    if (m.frictionEnergy != 0.0 || d.frictionEnergy != 0.0)
      totals.push_back({"friction energy", name, "J", m.frictionEnergy, d.frictionEnergy,
                        ofSum(m.frictionEnergy, d.frictionEnergy)});
  }
  return totals;
}

std::string comparisonVerdictText(const Study& study, const Comparison& comparison) {
  const ComparisonCauses& causes = comparison.causes;
  const auto explains = [&](const std::optional<double>& left) {
    return left && *left < kExplained * causes.difference;
  };
  const std::string apart = fmt::format("displacements differ by {:.2g} of their size", causes.difference);
  if (causes.difference < kAgree) return "both modes agree: " + apart;
  if (explains(causes.withoutNumericalDamping))
    return fmt::format("{}, most of it by the numerical damping of {}: without it {:.2g} is left", apart,
                       causes.numericalDamping, *causes.withoutNumericalDamping);
  if (explains(causes.withoutStepError))
    return fmt::format("{}, most of it by the step of the direct run: a quarter of it leaves {:.2g}", apart,
                       *causes.withoutStepError);
  if (explains(causes.withFinerModalStep))
    return fmt::format("{}, most of it by the step of the modal run: a quarter of it leaves {:.2g}", apart,
                       *causes.withFinerModalStep);
  if (explains(causes.withBothStepsFiner))
    return fmt::format("{}, most of it by the steps of both runs: a quarter of each leaves {:.2g}", apart,
                       *causes.withBothStepsFiner);
  if (explains(causes.withResidual))
    return fmt::format(
        "{}, most of it by modes left out: residual vectors ([basis] residual = \"contacts\") leave {:.2g}",
        apart, *causes.withResidual);
  const int impacts = comparison.parting ? countImpactsBefore(comparison, *comparison.parting) : 0;
  if (std::string truncated = textOnMissingModes(study, comparison); !truncated.empty()) return truncated;
  if (impacts > 0)
    return fmt::format(
        "histories part at {:.6g} s, after {}: small differences grow from impact to impact "
        "(chaotic){}; {}",
        *comparison.parting, impacts == 1 ? "the first impact" : fmt::format("{} impacts", impacts),
        excludedCausesText(causes),
        agreementOfTotalsText(compareTotals(study, comparison), comparison.completeBasis));
  return fmt::format("{}; {}", apart,
                     causes.withoutStepError || causes.withResidual
                         ? "no cause that was tried explains it" + excludedCausesText(causes) +
                               (comparison.completeBasis ? "" : kTwiceTheModes)
                         : "without --quick the cause is looked for" + excludedCausesText(causes));
}

}  // namespace ricochet
