#include "io/python/recording.hpp"

#include "engine/study/simulation.hpp"
#include "io/archive/result_names.hpp"
#include "io/deck/deck.hpp"
#include "io/python/numpy_arrays.hpp"
#include "io/quantities/checks/run_summary.hpp"
#include "io/result/result_links.hpp"
#include "modal/projection.hpp"

#include <pybind11/stl.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace ricochet {
namespace {

namespace py = pybind11;

py::dict unitAndMeaningAttributes(std::string_view unit, std::string_view meaning) {
  py::dict attributes;
  attributes["units"] = std::string(unit);
  attributes["long_name"] = std::string(meaning);
  return attributes;
}

py::tuple arrayWithUnitAndMeaning(const std::vector<std::string>& axes, const py::object& values,
                                  std::string_view unit, std::string_view meaning) {
  return py::make_tuple(axes, values, unitAndMeaningAttributes(unit, meaning));
}

/// A group of a result without the slash at its begin.
std::string withoutLeadingSlash(const std::string& group) {
  return group.starts_with('/') ? group.substr(1) : group;
}

}  // namespace

Recording::Recording(const Deck& deck, const Simulation& simulation, py::object callback)
    : WatchedRun(std::move(callback), deck),
      deck_(deck),
      root_(simulation.mode == Mode::modal ? "" : "direct/"),
      phases_(deck.contacts.size()) {
  if (simulation.mode == Mode::modal)
    for (const Kinematic kind : {Kinematic::displacement, Kinematic::velocity, Kinematic::acceleration})
      addHistoryColumn("transient", GeneralizedProbe{kind, simulation.basis.size()}, "mode");
  addHistoriesOfNodes(simulation);
  addHistoriesOfContacts();
  addHistoriesOfLinks(simulation);
  for (const EnergyProbe::Part part : EnergyProbe::kAll)
    addHistoryColumn(root_ + "energy", EnergyProbe{part});
}

void Recording::addHistoryColumn(const std::string& group, AnyProbe probe, std::string_view axis) {
  const std::size_t size = std::visit([](const auto& each) -> std::size_t { return each.size(); }, probe);
  const bool hasAxis = size != 1 || std::holds_alternative<GeneralizedProbe>(probe);
  Column column{group, std::move(probe), {}, {}};
  if (hasAxis) {
    column.axes.emplace_back(axis);
    column.shape.push_back(static_cast<py::ssize_t>(size));
  }
  columns_.push_back(std::move(column));
}

void Recording::addHistoriesOfNodes(const Simulation& simulation) {
  const OutputRequest& output = deck_.output;
  if (output.nodes.empty()) return;
  for (const NodeIndex node : output.nodes)
    for (int c = 3; c < kComponents; ++c)
      if (simulation.physical.dofs.find({node, componentOfIndex(c)}).exists()) components_ = kComponents;
  std::vector<Dof> dofs;
  for (const NodeIndex node : output.nodes)
    for (std::size_t c = 0; c < components_; ++c)
      dofs.push_back({node, componentOfIndex(static_cast<int>(c))});
  for (const Kinematic kind : output.fields) {
    AnyProbe probe =
        simulation.mode == Mode::modal
            ? AnyProbe(RestoredProbe(kind, modeShapeRows(simulation.basis, simulation.physical.dofs, dofs)))
            : AnyProbe(PickedProbe{kind, simulation.rows(dofs)});
    Column column{root_ + "physical", std::move(probe), {"node", "component"}, {}};
    column.shape = {static_cast<py::ssize_t>(output.nodes.size()), static_cast<py::ssize_t>(components_)};
    for (std::size_t i = 0; i < dofs.size(); ++i)
      if (ImposedMotion motion = simulation.imposedMotion(dofs[i], kind, output.absoluteMotion);
          !motion.empty())
        column.imposed.emplace_back(i, std::move(motion));
    columns_.push_back(std::move(column));
  }
}

void Recording::addHistoriesOfContacts() {
  for (std::size_t i = 0; i < deck_.contacts.size(); ++i) {
    contactGroups_.push_back(root_ + withoutLeadingSlash(contactGroupPath(deck_.contacts[i].name)));
    for (const ContactProbe::Kind kind : ContactProbe::kAll) {
      const ContactProbe probe{kind, i};
      addHistoryColumn(contactGroups_.back(), probe, probe.size() == 2 ? "tangent" : "axis");
    }
    if (deck_.contacts[i].friction.patch)
      addHistoryColumn(contactGroups_.back(), ContactProbe{ContactProbe::Kind::spinMoment, i});
  }
}

void Recording::addHistoriesOfLinks(const Simulation& simulation) {
  for (std::size_t i = 0; i < deck_.links.size(); ++i)
    for (const LinkProbe& probe : linkProbes(deck_, simulation, i))
      addHistoryColumn(root_ + withoutLeadingSlash(linkGroupPath(deck_.links[i].name)), probe, "axis");
}

bool Recording::appendSampledRow(Column& column, const StepView& view) {
  return std::visit(
      [&](const auto& probe) {
        const std::size_t before = column.values.size();
        column.values.resize(before + probe.size());
        const std::span<double> row = std::span(column.values).subspan(before);
        probe.sample(view, row);
        for (const auto& [place, motion] : column.imposed) row[place] += motion.at(view);
        const bool isFinite = std::ranges::all_of(row, [](double value) { return std::isfinite(value); });
        if (!isFinite) notFinite_ = column.group + "/" + std::string(probe.name());
        return isFinite;
      },
      column.probe);
}

void Recording::archive(const StepView& view) {
  if (!notFinite_.empty()) return;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (appendSampledRow(columns_[i], view)) continue;
    notFiniteAt_ = view.state.time;
    for (std::size_t k = 0; k <= i; ++k) {  // removes the values of the incomplete row from all columns
      const std::size_t size =
          std::visit([](const auto& probe) -> std::size_t { return probe.size(); }, columns_[k].probe);
      columns_[k].values.resize(columns_[k].values.size() - size);
    }
    return;
  }
  times_.push_back(view.state.time);
  for (std::size_t i = 0; i < phases_.size(); ++i)
    phases_[i].push_back(static_cast<std::int8_t>(view.contacts[i].phase));
}

void Recording::onEvents(std::span<const Event> events) {
  events_.insert(events_.end(), events.begin(), events.end());
}

bool Recording::onProgress(double time, long long steps) {
  return WatchedRun::onProgress(time, steps) && notFinite_.empty();
}

void Recording::reportNonFiniteValue(RunSummary& summary) const {
  if (notFinite_.empty() || summary.report.status == RunStatus::diverged) return;
  summary.notFinite = notFinite_;
  summary.report.status = RunStatus::diverged;
  summary.report.time = notFiniteAt_;
}

py::dict Recording::nodeAndComponentAxes() const {
  std::vector<std::string> nodes;
  for (const NodeIndex node : deck_.output.nodes)
    nodes.push_back(deck_.nodes[static_cast<std::size_t>(node.value)].name);
  const std::vector<std::string> components(
      kComponentNames.begin(), kComponentNames.begin() + static_cast<std::ptrdiff_t>(components_));
  py::dict group;
  group["node"] = arrayWithUnitAndMeaning({"node"}, py::cast(nodes), "1", "name of the node");
  group["component"] =
      arrayWithUnitAndMeaning({"component"}, py::cast(components), "1", "component, global axes");
  return group;
}

py::dict Recording::eventsAsDict() {
  std::vector<double> times;
  std::vector<std::string> names, kinds;
  for (const Event& event : events_) {
    times.push_back(event.time);
    names.push_back(bodyName(deck_, event.contact));
    kinds.emplace_back(nameOfEventKind(event.kind));
  }
  py::dict group;
  group["time"] =
      arrayWithUnitAndMeaning({"time"}, moveToNumpyArray(std::move(times)), "s", "instant of the event");
  group["contact"] = arrayWithUnitAndMeaning({"time"}, py::cast(names), "1", "name of the contact or link");
  group["kind"] = arrayWithUnitAndMeaning({"time"}, py::cast(kinds), "1", "change of state");
  return group;
}

py::dict Recording::takeGroupsAsDict() {
  py::dict all;
  const auto rows = static_cast<py::ssize_t>(times_.size());
  const py::object time = moveToNumpyArray(std::move(times_));
  const auto groupOf = [&](const std::string& name) -> py::dict {
    if (!all.contains(name)) {
      py::dict group = name == root_ + "physical" ? nodeAndComponentAxes() : py::dict();
      group["time"] = arrayWithUnitAndMeaning({"time"}, time, "s", "time");
      all[py::str(name)] = group;
    }
    return all[py::str(name)];
  };
  for (Column& column : columns_) {
    std::vector<std::string> axes{"time"};
    axes.insert(axes.end(), column.axes.begin(), column.axes.end());
    std::vector<py::ssize_t> shape{rows};
    shape.insert(shape.end(), column.shape.begin(), column.shape.end());
    std::visit(
        [&](const auto& probe) {
          std::string unit(probe.unit());
          if (column.axes.size() == 2 && components_ > 3) unit += " or rad for m in rotations";
          groupOf(column.group)[py::str(std::string(probe.name()))] = arrayWithUnitAndMeaning(
              axes, moveToNumpyArray(std::move(column.values), shape), unit, probe.meaning());
        },
        column.probe);
  }
  for (std::size_t i = 0; i < phases_.size(); ++i) {
    const py::tuple state = arrayWithUnitAndMeaning({"time"}, moveToNumpyArray(std::move(phases_[i])), "1",
                                                    "state of the contact");
    const py::dict meaning = state[2];
    meaning["flag_values"] = std::vector<int>{0, 1, 2};
    meaning["flag_meanings"] = "open stick slip";
    groupOf(contactGroups_[i])["state"] = state;
  }
  all[py::str(root_ + "events")] = eventsAsDict();
  return all;
}

}  // namespace ricochet
