#include "io/python/run_summary_dict.hpp"

#include "io/app/runs/run_study.hpp"
#include "io/quantities/statistics/print_statistics.hpp"

#include <pybind11/stl.h>

#include <array>
#include <string_view>

namespace ricochet {
namespace {

namespace py = pybind11;

constexpr std::array<std::string_view, 6> kStatusNames{"complete",      "diverged",       "interrupted",
                                                       "not_converged", "step_too_small", "stalled"};

py::list checksAsList(const RunSummary& summary) {
  py::list checks;
  for (const CheckResult& each : summary.checks) {
    py::dict row;
    row["quantity"] = each.quantity;
    row["where"] = each.where;
    row["time"] = each.time;
    row["reference"] = each.reference;
    row["published"] = each.published;
    row["computed"] = each.computed;
    row["limit"] = each.limit;
    row["passed"] = each.passed;
    row["source"] = each.source;
    checks.append(row);
  }
  return checks;
}

py::dict totalsAsDict(const Deck& deck, const RunSummary& summary) {
  py::dict totals;
  for (std::size_t i = 0; i < summary.totals.size(); ++i) {
    const ContactTotals& each = summary.totals[i];
    py::dict of;
    of["impacts"] = each.impacts;
    of["impulse"] = each.impulse;
    of["friction_energy"] = each.frictionEnergy;
    of["peak_force"] = each.peakForce;
    totals[py::str(deck.contacts[i].name)] = of;
  }
  return totals;
}

}  // namespace

py::dict runSummaryAsDict(const Deck& deck, const RunSummary& summary) {
  const Report& report = summary.report;
  py::dict dict;
  dict["status"] = std::string(kStatusNames[static_cast<std::size_t>(report.status)]);
  dict["time"] = report.time;
  dict["steps"] = report.steps;
  dict["events"] = report.events;
  dict["energy_error"] = report.energyError;
  dict["seconds"] = summary.seconds;
  dict["resumed_at"] = summary.resumedAt;
  dict["statistics"] = formatStatistics(deck, summary.statistics);
  dict["checks"] = checksAsList(summary);
  dict["totals"] = totalsAsDict(deck, summary);
  dict["failure"] = report.status == RunStatus::complete ? py::object(py::none())
                                                         : py::str(failureTextOfRun(deck, summary));
  dict["contact"] = report.contact < 0 ? py::object(py::none()) : py::str(bodyName(deck, report.contact));
  return dict;
}

}  // namespace ricochet
