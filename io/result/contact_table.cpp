#include "io/result/contact_table.hpp"

#include "engine/contact/contact_set.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/prepare/prepare.hpp"
#include "io/result/result_rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

namespace ricochet {

bool areContactsStoredInTable(const Deck& study) noexcept {
  return study.contacts.size() > kMostContactGroups &&
         std::ranges::none_of(study.contacts,
                              [](const ContactRequest& each) { return each.friction.patch != nullptr; });
}

Axis contactAxis(std::size_t size) {
  return size == 2 ? Axis{"tangent", "number of the tangent"}
                   : Axis{"axis", "number of the axis of the contact frame"};
}

History historyOfContactStates(const std::string& group, H5Shape rowShape, std::vector<Axis> axes) {
  const ValueNames names{{"open", std::int8_t{0}}, {"stick", std::int8_t{1}}, {"slip", std::int8_t{2}}};
  return History::historyOfNamedCodes(group + "/state", {"1", "state of the contact"}, names,
                                      std::move(rowShape), std::move(axes));
}

/// Adds tables with the quantities of all contacts, one column per contact.
void ResultRows::addHistoriesOfContactTable(const Deck& study) {
  const std::string group = contactTablePath(mode_);
  const std::size_t count = study.contacts.size();
  std::size_t width = 0;
  for (const ContactProbe::Kind kind : ContactProbe::kAll) width += ContactProbe{kind}.size();
  addTimeAxis(group);
  for (std::size_t i = 0; i < count; ++i) contactPlaces_.push_back(rowSize_ + i * width);
  std::size_t place = rowSize_;
  for (const ContactProbe::Kind kind : ContactProbe::kAll) {
    const ContactProbe probe{kind};
    const std::string path = group + "/" + std::string(probe.name());
    H5Shape shape{count};
    std::vector<Axis> axes{{"time"}, {"name"}};
    if (probe.size() > 1) {
      shape.push_back(probe.size());
      axes.push_back(contactAxis(probe.size()));
    }
    columns_.push_back(
        {History::historyOfNumbers(path, {std::string(probe.unit()), std::string(probe.meaning())},
                                   std::move(shape), std::move(axes)),
         place,
         {},
         count,
         width});
    place += probe.size();
  }
  rowSize_ += count * width;
  phases_.push_back(historyOfContactStates(group, {count}, {{"time"}, {"name"}}));
}

void describeContactTable(const H5File& file, const Deck& study, const Simulation& simulation) {
  const std::string group = contactTablePath(simulation.mode);
  const std::size_t count = study.contacts.size();
  std::vector<std::string> names;
  std::vector<double> frames, truncation, withoutResidual;
  for (std::size_t i = 0; i < count; ++i) {
    names.push_back(study.contacts[i].name);
    for (int row = 0; row < 3; ++row)
      for (int column = 0; column < 3; ++column) frames.push_back(study.contacts[i].frame(row, column));
    if (simulation.mode == Mode::direct) continue;
    truncation.push_back(simulation.truncation[i].largest());
    withoutResidual.push_back(simulation.truncation[i].withoutResidual.maxCoeff());
  }
  const Axis contact{"name"};
  file.writeStrings(group + "/name", names, {"1", "name of each contact"});
  file.write(group + "/frame", {count, 3, 3}, frames, {"1", "axes of the contact frame, a row each"});
  labelAxes(file, group + "/frame",
            {contact, {"axis", "number of the axis of the contact frame"}, globalAxes()});
  if (simulation.mode == Mode::direct) return;
  const auto write = [&](const char* name, const std::vector<double>& values, const char* meaning) {
    file.write(group + "/" + name, {count}, values, {"1", meaning});
    labelAxes(file, group + "/" + name, {contact});
  };
  write("truncation_indicator", truncation, "flexibility that the basis leaves out, over that of the spring");
  write("truncation_indicator_without_residual", withoutResidual, "the same without residual vectors");
}

void writeContactTableTotals(const H5File& file, const Deck& study, Mode mode, const ContactRun& contacts) {
  const std::string group = contactTablePath(mode);
  const std::size_t count = study.contacts.size();
  std::vector<std::int64_t> impacts;
  for (std::size_t i = 0; i < count; ++i) impacts.push_back(contacts.runTotals()[i].impacts);
  const auto label = [&](const std::string& path) { labelAxes(file, path, {{"name"}}); };
  file.write(group + "/impacts", {count}, impacts, {"1", "number of impacts"});
  label(group + "/impacts");
  const auto write = [&](const char* name, double ContactTotals::*member, const Meaning& meaning) {
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(contacts.runTotals()[i].*member);
    if (!std::ranges::all_of(values, [](double x) { return std::isfinite(x); })) return;
    file.write(group + "/" + name, {count}, values, meaning);
    label(group + "/" + name);
  };
  write("impulse", &ContactTotals::impulse, {"N s", "impulse of the normal force"});
  write("friction_energy", &ContactTotals::frictionEnergy, {"J", "energy that friction dissipated"});
  write("peak_force", &ContactTotals::peakForce, {"N", "largest normal force"});
}

}  // namespace ricochet
