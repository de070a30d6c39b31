// Text of the reason why a run failed.

#include "io/app/runs/run_study.hpp"
#include "io/text/progress.hpp"

#include <fmt/core.h>

namespace ricochet {

std::string failureTextOfRun(const Deck& study, const Report& report) {
  if (report.status == RunStatus::interrupted)
    return fmt::format("{} at t = {:.9g} s", InterruptGuard::stopReason(), report.time);
  const bool ofLink =
      report.contact >= 0 && static_cast<std::size_t>(report.contact) >= study.contacts.size();
  if (report.status == RunStatus::stalled && ofLink)
    return fmt::format(
        "the force of link {} jumps at t = {:.17g} s where the motion would stay: "
        "give its law a slope there, or take a scheme that steps",
        bodyName(study, report.contact), report.time);
  if (report.status == RunStatus::stalled && report.withoutNormal)
    return fmt::format(
        "contact {} is pressed so deep at t = {:.9g} s that it has no normal: to the centre of its bar, "
        "sphere "
        "or tube, or to the axis of its ring; take a larger stiffness, or a scheme that steps",
        bodyName(study, report.contact), report.time);
  if (report.status == RunStatus::stalled && study.contacts.empty())
    return fmt::format(
        "{} changes without end, or becomes infinite, at t = {:.17g} s: no step moves the time there",
        study.links.empty() ? "a load" : "the force of a link, or a load,", report.time);
  if (report.status == RunStatus::stalled)
    return fmt::format(
        "{} without end at t = {:.17g} s: no state of the contacts satisfies all of them there; the scheme "
        "moreau steps over such an instant",
        report.contact >= 0 ? fmt::format("contact {} changes its state", bodyName(study, report.contact))
                            : std::string{"the contacts, or a load, change"},
        report.time);
  const auto at = [&](std::string_view what) {
    return report.contact >= 0
               ? fmt::format("; {} {} {}", ofLink ? "link" : "contact", bodyName(study, report.contact), what)
               : std::string{};
  };
  if (report.status == RunStatus::notConverged && report.refused == 0)  // no step was repeated: event scheme
    return fmt::format(
        "an impact at t = {:.17g} s{}: no impulses of the rigid contacts that touch were found that satisfy "
        "their laws; take another `impact_law`, or other laws there",
        report.time, at("is struck"));
  if (report.status == RunStatus::notConverged)
    return fmt::format(
        "no balance of the contact forces was found after t = {:.9g} s (step {}){}{}: "
        "take another scheme, or other laws there",
        report.time, report.steps,
        report.refused == 1 ? ", in a step that is not repeated in parts" : ", however short the step",
        at("is out of balance"));
  if (report.status == RunStatus::stepTooSmall)
    return fmt::format(
        "the shortest step was refused after t = {:.9g} s (step {}){}: take a larger tolerance "
        "or a smaller `step_min`",
        report.time, report.steps, at("changes its state there"));
  if (ofLink)
    return fmt::format(
        "the force of link {} is no finite number after t = {:.9g} s: write its law so that it has a value "
        "wherever the motion goes, in a formula by if(c, a, b)",
        bodyName(study, report.contact), report.time);
  std::string text = fmt::format("the motion became infinite after t = {:.9g} s", report.time);
  if (report.contact >= 0) text += at("pushed hardest: take a smaller step");
  return text;
}

}  // namespace ricochet
