#include "io/result/result_rows.hpp"

#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5_detail.hpp"
#include "io/prepare/prepare.hpp"
#include "io/quantities/checks/not_finite.hpp"
#include "io/result/archive_size.hpp"
#include "io/result/beside_coordinates.hpp"
#include "io/result/contact_table.hpp"
#include "io/result/result_links.hpp"
#include "modal/projection.hpp"

#include <algorithm>
#include <utility>

namespace ricochet {
namespace {

constexpr std::chrono::seconds kFlushAfter{5};

ValueNames eventNames() {
  ValueNames names;
  for (std::size_t i = 0; i < kEventNames.size(); ++i)
    names.emplace_back(std::string(kEventNames[i]), static_cast<std::int8_t>(i));
  return names;
}

/// Names of the contacts, then of the links, to which events refer.
std::vector<std::string> namesOfContactsAndLinks(const Deck& study) {
  std::vector<std::string> names;
  for (const ContactRequest& contact : study.contacts) names.push_back(contact.name);
  for (const LinkRequest& link : study.links) names.push_back(link.name);
  return names;
}

std::string_view unitOfProbe(const AnyProbe& probe) {
  return std::visit([](const auto& p) { return p.unit(); }, probe);
}

}  // namespace

ResultRows::ResultRows(const H5File& file, const Deck& study, const Simulation& simulation, Datasets datasets)
    : file_(file),
      datasets_(datasets),
      mode_(simulation.mode),
      absoluteMotion_(study.output.absoluteMotion),
      root_(runGroupPrefix(simulation.mode)),
      contactNames_(namesOfContactsAndLinks(study)),
      eventTime_(
          History::historyOfNumbers(root_ + "/events/time", {"s", "instant of the event"}, {}, {{"time"}})),
      eventContact_(History::historyOfStrings(root_ + "/events/contact", {"1", "name of the contact or link"},
                                              lengthOfLongestString(contactNames_), {{"time"}})),
      eventKind_(History::historyOfNamedCodes(root_ + "/events/kind", {"1", "change of state"}, eventNames(),
                                              {}, {{"time"}})),
      lastFlush_(std::chrono::steady_clock::now()) {
  const RowParts parts = estimateArchiveSize(study, simulation).divisionIntoBlocks();
  blockRows_ = parts.block;
  chunkRows_ = parts.chunk;
  if (mode_ == Mode::modal) addHistoriesOfCoordinates(study, simulation);
  addHistoriesOfNodes(study, simulation);
  addHistoriesOfContacts(study);
  addHistoriesOfLinks(study, simulation);
  addEnergyHistories();
  for (Block* block : {&filling_, &written_}) block->rows = RowPages(rowSize_);
  if (!isCreatingDatasets()) openDatasets();
}

/// All datasets but those of time and events.
std::vector<History*> ResultRows::historiesToWrite() {
  std::vector<History*> all;
  for (Column& column : columns_) all.push_back(&column.history);
  for (History& phases : phases_) all.push_back(&phases);
  return all;
}

void ResultRows::openDatasets() {
  time_->open(file_);
  for (History* each : historiesToWrite()) each->open(file_);
  for (History* each : {&eventTime_, &eventContact_, &eventKind_}) each->open(file_);
  areDatasetsOpen_ = true;
}

void ResultRows::createDatasets(bool isLast) {
  GrowingOptions rows{.expectedRows = chunkRows_}, events{};
  if (isLast) {
    rows.rows = written_.times.size();
    events.rows = written_.events.size();
  }
  NewAxes axes(file_);
  time_->create(file_, rows, axes);
  for (const std::string& each : moreTimes_) file_.linkObject(each, time_->path());
  EqualHistories equals(written_.times.size(), axes);
  const auto create = [&](History& history, std::span<const std::byte> values) {
    const History* equal =
        isLast && contactNames_.size() > 1 ? equals.findEqualHistory(history, values) : nullptr;
    equal != nullptr ? history.linkToEqualHistory(file_, *equal) : history.create(file_, rows, axes);
  };
  for (Column& column : columns_) create(column.history, std::as_bytes(std::span(column.buffer)));
  for (std::size_t c = 0; c < phases_.size(); ++c) create(phases_[c], std::as_bytes(contactPhasesToWrite(c)));
  for (History* each : {&eventTime_, &eventContact_, &eventKind_}) each->create(file_, events, axes);
  axes.writeListsOfDatasets();
  areDatasetsOpen_ = true;
}

void ResultRows::addHistoriesOfCoordinates(const Deck& study, const Simulation& simulation) {
  const auto modes = static_cast<std::size_t>(simulation.basis.size());
  addTimeAxis("/transient");
  if (isCreatingDatasets())
    file_.linkObject("/transient/mode", "/modal/mode");  // xarray does not find axes of another group
  for (const Kinematic kind : {Kinematic::displacement, Kinematic::velocity, Kinematic::acceleration}) {
    addColumnOfProbe("/transient", GeneralizedProbe{kind, simulation.basis.size()}, {modes}, {{"mode"}});
    if (kind == Kinematic::displacement && doLoadsMoveMasslessDofs(simulation))
      columns_.back().history.setAttribute(kBesideCoordinates, "loads");
  }
  if (isCreatingDatasets()) writeNodesMovedByForces(file_, study, simulation);
}

void ResultRows::addTimeAxis(const std::string& group) {
  if (time_) return moreTimes_.push_back(group + "/time");
  time_ = History::historyOfNumbers(group + "/time", {"s", "time"}, {}, {{"time"}});
}

/// Adds the dataset of a probe, whose values are the next ones in a row.
void ResultRows::addDatasetOfProbe(const std::string& group, const AnyProbe& any, H5Shape rowShape,
                                   std::vector<Axis> axes) {
  axes.insert(axes.begin(), Axis{"time"});
  std::visit(
      [&](const auto& probe) {
        columns_.push_back(
            {History::historyOfNumbers(group + "/" + std::string(probe.name()),
                                       {std::string(probe.unit()), std::string(probe.meaning())},
                                       std::move(rowShape), std::move(axes)),
             rowSize_});
        rowSize_ += probe.size();
      },
      any);
}

void ResultRows::addColumnOfProbe(const std::string& group, AnyProbe probe, H5Shape rowShape,
                                  std::vector<Axis> axes) {
  const std::size_t place = rowSize_;
  addDatasetOfProbe(group, probe, std::move(rowShape), std::move(axes));
  samplers_.push_back({std::move(probe), place});
}

void ResultRows::addEnergyHistories() {
  const std::string group = root_ + "/energy";
  addTimeAxis(group);
  energyPlace_ = rowSize_;
  for (const EnergyProbe::Part part : EnergyProbe::kAll) addDatasetOfProbe(group, EnergyProbe{part});
}

void ResultRows::addHistoriesOfNodes(const Deck& study, const Simulation& simulation) {
  const OutputRequest& output = study.output;
  if (output.nodes.empty() || output.fields.empty()) return;
  std::vector<std::string> nodes;
  bool rotations = false;
  for (const NodeIndex node : output.nodes) {
    nodes.push_back(study.nodes[static_cast<std::size_t>(node.value)].name);
    for (int c = 3; c < kComponents; ++c)
      rotations |= simulation.physical.dofs.find({node, componentOfIndex(c)}).exists();
  }
  const std::size_t components = rotations ? 6 : 3;
  std::vector<std::string> componentNames(kComponentNames.begin(),
                                          kComponentNames.begin() + static_cast<long>(components));
  std::vector<Dof> dofs;
  for (const NodeIndex node : output.nodes)
    for (std::size_t c = 0; c < components; ++c)
      dofs.push_back({node, componentOfIndex(static_cast<int>(c))});

  const std::string group = root_ + "/physical";
  addTimeAxis(group);
  if (isCreatingDatasets()) {
    file_.writeStrings(group + "/node", nodes, {"1", "name of the node"});
    file_.makeDatasetScale(group + "/node", "node");
    file_.writeStrings(group + "/component", componentNames, {"1", "component, global axes"});
    file_.makeDatasetScale(group + "/component", "component");
  }
  for (const Kinematic kind : output.fields)
    addRestoredHistories(simulation, kind, dofs, {nodes.size(), components}, rotations);
}

void ResultRows::addRestoredHistories(const Simulation& simulation, Kinematic kind,
                                      const std::vector<Dof>& dofs, const H5Shape& shape, bool rotations) {
  AnyProbe probe =
      mode_ == Mode::modal
          ? AnyProbe(RestoredProbe(kind, modeShapeRows(simulation.basis, simulation.physical.dofs, dofs)))
          : AnyProbe(PickedProbe{kind, simulation.rows(dofs)});
  const std::string unit(unitOfProbe(probe));
  addColumnOfProbe(root_ + "/physical", std::move(probe), shape, {{"node"}, {"component"}});
  History& history = columns_.back().history;
  for (std::size_t i = 0; i < dofs.size(); ++i)
    if (ImposedMotion motion = simulation.imposedMotion(dofs[i], kind, absoluteMotion_); !motion.empty())
      imposed_.push_back({columns_.back().place + i, std::move(motion)});
  if (std::any_of(simulation.imposed.begin(), simulation.imposed.end(),
                  [](const ImposedField& field) { return field.isBase; }))
    history.setAttribute("motion", absoluteMotion_ ? "absolute" : "relative to the base");
  if (rotations) history.setAttribute("units", unit + " or rad for m in rotations");
}

void ResultRows::addHistoriesOfContacts(const Deck& study) {
  if (areContactsStoredInTable(study)) return addHistoriesOfContactTable(study);
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    const std::string group = contactGroupPath(study.contacts[i].name, mode_);
    addTimeAxis(group);
    contactPlaces_.push_back(rowSize_);
    for (const ContactProbe::Kind kind : ContactProbe::kAll) {
      const ContactProbe probe{kind, i};
      if (probe.size() == 1)
        addDatasetOfProbe(group, probe);
      else
        addDatasetOfProbe(group, probe, {probe.size()}, {contactAxis(probe.size())});
    }
    if (study.contacts[i].friction.patch)
      addColumnOfProbe(group, ContactProbe{ContactProbe::Kind::spinMoment, i});
    phases_.push_back(historyOfContactStates(group));
  }
}

void ResultRows::addHistoriesOfLinks(const Deck& study, const Simulation& simulation) {
  for (std::size_t i = 0; i < study.links.size(); ++i) {
    const std::string group = linkGroupPath(study.links[i].name, mode_);
    addTimeAxis(group);
    for (const LinkProbe& probe : linkProbes(study, simulation, i))
      if (probe.size() == 1)
        addColumnOfProbe(group, probe);
      else
        addColumnOfProbe(group, probe, {probe.size()}, {{"axis", "number of the axis of the link"}});
  }
}

std::string ResultRows::pathOfDatasetWithRow(std::size_t place) const {
  const auto column =
      std::ranges::find_if(columns_, [&](const Column& each) { return each.containsRowIndex(place); });
  return column->history.path();
}

void ResultRows::archive(const StepView& view) {
  if (notFinite_) return;
  const std::span<double> row = filling_.rows.appendRow();
  for (const Sampler& sampler : samplers_)
    std::visit([&](const auto& probe) { probe.sample(view, row.subspan(sampler.place, probe.size())); },
               sampler.probe);
  for (std::size_t i = 0; i < contactPlaces_.size(); ++i)
    ContactProbe::sampleAllQuantities(view.contacts[i], row.data() + contactPlaces_[i]);
  const auto energies = EnergyProbe::values(view.ledger);
  std::copy(energies.begin(), energies.end(), row.begin() + static_cast<std::ptrdiff_t>(energyPlace_));
  for (const ImposedColumn& imposed : imposed_) row[imposed.place] += imposed.motion.at(view);
  if (const auto place = indexOfFirstNonFinite(row)) {
    notFinite_ = {pathOfDatasetWithRow(*place), view.state.time};
    filling_.rows.removeLastRow();
    return;
  }
  filling_.times.push_back(view.state.time);
  for (const ContactView& contact : view.contacts)
    filling_.phases.push_back(static_cast<std::int8_t>(contact.phase));
  ++rows_;
}

void ResultRows::onEvents(std::span<const Event> events) {
  filling_.events.insert(filling_.events.end(), events.begin(), events.end());
  events_ += events.size();
}

bool ResultRows::isCheckpointRequested() {
  // Blocks end at the ends of chunks, or soon after.
  const bool full = rows_ / blockRows_ != (rows_ - filling_.times.size()) / blockRows_;
  return full || std::chrono::steady_clock::now() - lastFlush_ > kFlushAfter;
}

std::vector<Event> ResultRows::truncateTo(std::size_t rows, std::size_t events) {
  std::vector<Event> before(events);
  const std::vector<double> times = file_.readRows(root_ + "/events/time", 0, events).values;
  const std::vector<std::string> names = file_.readStrings(root_ + "/events/contact");
  const std::vector<std::int8_t> kinds =
      file_.readRows<std::int8_t>(root_ + "/events/kind", 0, events).values;
  for (std::size_t i = 0; i < events; ++i) {
    const auto contact = std::find(contactNames_.begin(), contactNames_.end(), names[i]);
    before[i] = {times[i], static_cast<int>(contact - contactNames_.begin()),
                 static_cast<EventKind>(kinds[i])};
  }
  time_->dataset().truncate(rows);
  for (History* each : historiesToWrite()) each->dataset().truncate(rows);
  for (History* each : {&eventTime_, &eventContact_, &eventKind_}) each->dataset().truncate(events);
  rows_ = rows;
  events_ = events;
  return before;
}

void ResultRows::write() {
  std::swap(filling_, written_);
  writeRowsHandedOver(false);
}

void ResultRows::writeRemainingRows() {
  std::swap(filling_, written_);
  writeRowsHandedOver(true);
}

void ResultRows::writeInBackground(Background& behind, ResultFile& file, RunCheckpoint& checkpoint) {
  behind.waitForTask();
  std::swap(filling_, written_);
  lastFlush_ = std::chrono::steady_clock::now();
  behind.startTask([&] {
    writeRowsHandedOver(false);
    file.writeCheckpoint(checkpoint);
  });
}

void ResultRows::writeRowsHandedOver(bool isLast) {
  // HDF5 error output is set per thread, and this may be another thread than the one that opened the file
  disableErrorOutput();
  gatherColumnsByDataset();
  gatherPhasesByContact();
  if (!areDatasetsOpen_) createDatasets(isLast);
  const std::size_t count = written_.times.size();
  time_->dataset().append(written_.times.data(), count);
  for (Column& column : columns_)
    if (!column.history.isSharedDataset()) column.history.dataset().append(column.buffer.data(), count);
  for (std::size_t c = 0; c < phases_.size(); ++c)
    if (!phases_[c].isSharedDataset()) phases_[c].dataset().append(contactPhasesToWrite(c).data(), count);
  writeEvents();
  written_.times.clear();
  written_.rows.clear();
  written_.phases.clear();
  written_.events.clear();
}

/// Gathers the values of the columns from the rows, page by page, so that a page stays in the cache for all
/// columns.
void ResultRows::gatherColumnsByDataset() {
  for (Column& column : columns_) column.buffer.resize(written_.times.size() * column.history.rowSize());
  std::size_t before = 0;
  for (std::size_t p = 0; p < written_.rows.pageCount(); ++p) {
    const std::span<const double> page = written_.rows.valuesOfPage(p);
    const std::size_t rows = page.size() / rowSize_;
    for (Column& column : columns_) {
      const std::size_t size = column.history.rowSize();
      double* to = column.buffer.data() + before * size;
      const double* from = page.data() + column.place;
      if (column.count > 1)
        for (std::size_t i = 0; i < rows; ++i)
          for (std::size_t c = 0; c < column.count; ++c)
            std::copy_n(from + i * rowSize_ + c * column.stride, column.part(),
                        to + i * size + c * column.part());
      // Most columns have one value: calling std::copy_n would take longer than copying this value.
      else if (size == 1)
        for (std::size_t i = 0; i < rows; ++i) to[i] = from[i * rowSize_];
      else
        for (std::size_t i = 0; i < rows; ++i) std::copy_n(from + i * rowSize_, size, to + i * size);
    }
    before += rows;
  }
}

/// Puts the states of each contact one after the other, if each contact has its own dataset.
void ResultRows::gatherPhasesByContact() {
  const std::size_t contacts = phases_.size(), rows = written_.times.size();
  if (contacts < 2) return;
  std::vector<std::int8_t> gathered(written_.phases.size());
  for (std::size_t c = 0; c < contacts; ++c)
    for (std::size_t i = 0; i < rows; ++i) gathered[c * rows + i] = written_.phases[i * contacts + c];
  written_.phases.swap(gathered);
}

/// States to write into the dataset number `c` of states.
std::span<const std::int8_t> ResultRows::contactPhasesToWrite(std::size_t c) const {
  const std::size_t size = written_.phases.size() / phases_.size();
  return std::span(written_.phases).subspan(c * size, size);
}

void ResultRows::writeEvents() {
  std::vector<double> times;
  std::vector<std::string> names;
  std::vector<std::int8_t> kinds;
  for (const Event& event : written_.events) {
    times.push_back(event.time);
    names.push_back(contactNames_[static_cast<std::size_t>(event.contact)]);
    kinds.push_back(static_cast<std::int8_t>(event.kind));
  }
  eventTime_.dataset().append(times.data(), times.size());
  eventContact_.dataset().append(std::span<const std::string>(names));
  eventKind_.dataset().append(kinds.data(), kinds.size());
}

}  // namespace ricochet
