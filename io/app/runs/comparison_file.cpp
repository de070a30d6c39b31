// The group /comparison of a result with both runs.

#include "io/app/runs/comparison_file.hpp"

#include "io/app/runs/comparison_verdict.hpp"
#include "io/hdf5/hdf5_axes.hpp"

#include <string>
#include <vector>

namespace ricochet {

namespace {

void writeEvents(const H5File& file, const Comparison& comparison, const Deck& study) {
  if (comparison.events.empty()) return;
  const std::size_t count = comparison.events.size();
  std::vector<std::string> contacts, kinds;
  std::vector<std::int32_t> indices;
  std::vector<double> seconds;
  constexpr double kAbsent = -1e300;  // replaces NaN, which is never written to a file
  for (const ComparedEvent& event : comparison.events) {
    contacts.push_back(bodyName(study, event.contact));
    kinds.emplace_back(nameOfEventKind(event.kind));
    indices.push_back(event.index);
    seconds.push_back(event.modal.value_or(kAbsent));
    seconds.push_back(event.direct.value_or(kAbsent));
  }
  file.writeStrings("/comparison/events/contact", contacts, {"1", "name of the contact"});
  file.writeStrings("/comparison/events/kind", kinds, {"1", "change of state"});
  file.write("/comparison/events/index", {count}, indices, {"1", "number among those of its kind"});
  file.write("/comparison/events/time", {count, 2}, seconds,
             {"s", "instant in the modal and in the direct run; -1e300 where there is none"});
  for (const std::string& each : file.namesOfGroupMembers("/comparison/events"))
    labelAxes(file, "/comparison/events/" + each, {{"event", "number of the compared event"}});
  labelAxis(file, "/comparison/events/time", 1, {"run", "which run", {"modal", "direct"}});
}

}  // namespace

void writeComparison(const H5File& file, const Comparison& comparison, const Deck& study) {
  const std::size_t n = comparison.histories.size();
  std::vector<std::string> quantities, places, units;
  std::vector<double> largest, difference, at, rms;
  for (const ComparedHistory& history : comparison.histories) {
    quantities.push_back(history.quantity);
    places.push_back(history.where);
    units.push_back(history.unit);
    largest.push_back(history.largest);
    difference.push_back(history.difference);
    at.push_back(history.at);
    rms.push_back(history.rms);
  }
  file.createGroup("/comparison");
  if (n > 0) {
    file.writeStrings("/comparison/quantity", quantities, {"1", "what is compared"});
    file.writeStrings("/comparison/where", places, {"1", "node and component, or contact and tangent"});
    file.writeStrings("/comparison/unit", units, {"1", "unit of the quantity"});
    file.write("/comparison/largest", {n}, largest, {"as unit", "largest absolute value of the modal run"});
    file.write("/comparison/difference", {n}, difference, {"as unit", "largest |direct - modal|"});
    file.write("/comparison/instant", {n}, at, {"s", "instant of the largest difference"});
    file.write("/comparison/rms", {n}, rms, {"as unit", "root mean square of direct - modal"});
    for (const std::string& each : file.namesOfGroupMembers("/comparison"))
      labelAxes(file, "/comparison/" + each, {{"history", "number of the compared history"}});
  }
  writeEvents(file, comparison, study);
  file.setAttribute("/comparison", "time_ratio", comparison.wallTimeRatio());
  file.setAttribute("/comparison", "difference", comparison.causes.difference);
  file.setAttribute("/comparison", "verdict", comparisonVerdictText(study, comparison));
  const auto optional = [&](std::string_view key, const std::optional<double>& value) {
    if (value) file.setAttribute("/comparison", key, *value);
  };
  optional("discretisation", comparison.causes.discretisation);
  optional("order", comparison.causes.order);
  optional("without_step_error", comparison.causes.withoutStepError);
  optional("with_finer_modal_step", comparison.causes.withFinerModalStep);
  optional("with_both_steps_finer", comparison.causes.withBothStepsFiner);
  optional("without_numerical_damping", comparison.causes.withoutNumericalDamping);
  optional("with_residual_vectors", comparison.causes.withResidual);
  optional("without_residual_vectors", comparison.causes.withoutResidual);
}

}  // namespace ricochet
