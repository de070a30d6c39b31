#include "io/result_rows.hpp"

#include "modal/restitution.hpp"

#include <algorithm>

namespace ricochet {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{64} << 20U;  // of one block in memory, at most
constexpr std::size_t kBlockRows = 4096;  // with a few times fewer, rewriting begun chunks shows in the time
constexpr std::size_t kMostBlocks = 2;    // in memory
constexpr std::chrono::seconds kFlushAfter{5};

ValueNames eventNames() {
  ValueNames names;
  for (std::size_t i = 0; i < kEventNames.size(); ++i)
    names.emplace_back(std::string(kEventNames[i]), static_cast<std::int8_t>(i));
  return names;
}

std::string_view unitOf(const AnyProbe& probe) {
  return std::visit([](const auto& p) { return p.unit(); }, probe);
}

}  // namespace

GrowingDataset ResultRows::numbers(const std::string& path, const Meaning& meaning, H5Shape rowShape) const {
  if (!creates()) return GrowingDataset::open(file_, path);
  return GrowingDataset::createNumbers(file_, path, meaning,
                                       {.rowShape = std::move(rowShape), .expectedRows = 0});
}

GrowingDataset ResultRows::named(const std::string& path, const Meaning& meaning,
                                 const ValueNames& names) const {
  if (!creates()) return GrowingDataset::open(file_, path);
  return GrowingDataset::createNamed(file_, path, meaning, names);
}

GrowingDataset ResultRows::strings(const std::string& path, const Meaning& meaning) const {
  if (!creates()) return GrowingDataset::open(file_, path);
  return GrowingDataset::createStrings(file_, path, meaning);
}

ResultRows::ResultRows(const H5File& file, const Study& study, const Simulation& simulation,
                       Datasets datasets)
    : file_(file),
      datasets_(datasets),
      mode_(simulation.mode),
      absoluteMotion_(study.output.absoluteMotion),
      root_(rootOf(simulation.mode)),
      eventTime_(numbers(root_ + "/events/time", {"s", "instant of the event"})),
      eventContact_(strings(root_ + "/events/contact", {"1", "name of the contact or link"})),
      eventKind_(named(root_ + "/events/kind", {"1", "change of state"}, eventNames())),
      blockRows_(kBlockRows),
      lastFlush_(std::chrono::steady_clock::now()) {
  for (const ContactRequest& contact : study.contacts) contactNames_.push_back(contact.name);
  for (const LinkRequest& link : study.links) contactNames_.push_back(link.name);

  if (mode_ == Mode::modal) addCoordinates(simulation);
  addPhysical(study, simulation);
  addContacts(study);
  addLinks(study, simulation);
  addAxis(root_ + "/energy");
  for (const EnergyProbe::Part part : EnergyProbe::kAll) addColumn(root_ + "/energy", EnergyProbe{part}, {});

  std::size_t rowBytes = 0;
  for (const Column& column : columns_) rowBytes += sizeof(double) * column.dataset.rowSize();
  blockRows_ = std::clamp<std::size_t>(kBlockBytes / std::max<std::size_t>(rowBytes, 1), 1, kBlockRows);
  for (Column& column : columns_) column.buffer.resize(kMostBlocks * blockRows_ * column.dataset.rowSize());
}

void ResultRows::addCoordinates(const Simulation& simulation) {
  const auto modes = static_cast<std::size_t>(simulation.basis.size());
  addAxis("/transient");
  for (const Kinematic kind : {Kinematic::displacement, Kinematic::velocity, Kinematic::acceleration}) {
    addColumn("/transient", GeneralizedProbe{kind, simulation.basis.size()}, {modes});
    if (!creates()) continue;
    file_.attachScale("/transient/" + std::string(kKinematicNames[static_cast<std::size_t>(kind)]),
                      "/modal/mode", 1);
  }
}

void ResultRows::addAxis(const std::string& group) {
  axes_.push_back(numbers(group + "/time", {"s", "time"}));
  if (creates()) file_.makeScale(group + "/time", "time");
}

void ResultRows::addColumn(const std::string& group, AnyProbe probe, H5Shape rowShape) {
  std::visit(
      [&](auto& p) {
        const std::string path = group + "/" + std::string(p.name());
        GrowingDataset dataset =
            numbers(path, {std::string(p.unit()), std::string(p.meaning())}, std::move(rowShape));
        if (creates()) file_.attachScale(path, group + "/time", 0);
        columns_.push_back({std::move(p), std::move(dataset), {}});
      },
      probe);
}

void ResultRows::addPhysical(const Study& study, const Simulation& simulation) {
  const OutputRequest& output = study.output;
  if (output.nodes.empty() || output.fields.empty()) return;
  std::vector<std::string> nodes;
  bool rotations = false;
  for (const NodeIndex node : output.nodes) {
    nodes.push_back(study.nodes[static_cast<std::size_t>(node.value)].name);
    for (int c = 3; c < kComponents; ++c)
      rotations |= simulation.physical.dofs.find({node, componentAt(c)}).exists();
  }
  const std::size_t components = rotations ? 6 : 3;
  std::vector<std::string> componentNames(kComponentNames.begin(),
                                          kComponentNames.begin() + static_cast<long>(components));
  std::vector<Dof> dofs;
  for (const NodeIndex node : output.nodes)
    for (std::size_t c = 0; c < components; ++c) dofs.push_back({node, componentAt(static_cast<int>(c))});

  const std::string group = root_ + "/physical";
  addAxis(group);
  if (creates()) {
    file_.writeStrings(group + "/node", nodes, {"1", "name of the node"});
    file_.makeScale(group + "/node", "node");
    file_.writeStrings(group + "/component", componentNames, {"1", "component, global axes"});
    file_.makeScale(group + "/component", "component");
  }
  for (const Kinematic kind : output.fields)
    addRestored(simulation, kind, dofs, {nodes.size(), components}, rotations);
}

void ResultRows::addRestored(const Simulation& simulation, Kinematic kind, const std::vector<Dof>& dofs,
                             const H5Shape& shape, bool rotations) {
  AnyProbe probe = mode_ == Mode::modal
                       ? AnyProbe(RestoredProbe(
                             kind, Restitution(simulation.basis, simulation.physical.dofs, dofs).rows()))
                       : AnyProbe(PickedProbe{kind, simulation.rows(dofs)});
  const std::string unit(unitOf(probe));
  const std::string group = root_ + "/physical";
  const std::string path = group + "/" + std::string(kKinematicNames[static_cast<std::size_t>(kind)]);
  addColumn(group, std::move(probe), shape);
  for (std::size_t i = 0; i < dofs.size(); ++i)
    if (ImposedMotion motion = simulation.imposedMotion(dofs[i], kind, absoluteMotion_); !motion.empty())
      imposed_.push_back({columns_.size() - 1, i, std::move(motion)});
  if (!creates()) return;
  if (std::any_of(simulation.imposed.begin(), simulation.imposed.end(),
                  [](const ImposedField& field) { return field.isBase; }))
    file_.setAttribute(path, "motion", absoluteMotion_ ? "absolute" : "relative to the base");
  if (rotations) file_.setAttribute(path, "units", unit + " or rad for m in rotations");
  file_.attachScale(path, group + "/node", 1);
  file_.attachScale(path, group + "/component", 2);
}

void ResultRows::addContacts(const Study& study) {
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    const std::string group = contactGroup(study.contacts[i].name, mode_);
    addAxis(group);
    for (const ContactProbe::Kind kind : ContactProbe::kAll) {
      const ContactProbe probe{kind, i};
      addColumn(group, probe, probe.size() == 1 ? H5Shape{} : H5Shape{probe.size()});
    }
    if (study.contacts[i].friction.patch)
      addColumn(group, ContactProbe{ContactProbe::Kind::spinMoment, i}, {});
    phases_.push_back(
        {i,
         named(group + "/state", {"1", "state of the contact"}, {{"open", 0}, {"stick", 1}, {"slip", 2}}),
         {}});
    if (creates()) file_.attachScale(group + "/state", group + "/time", 0);
  }
}

void ResultRows::addLinks(const Study& study, const Simulation& simulation) {
  for (std::size_t i = 0; i < study.links.size(); ++i) {
    const std::string group = linkGroup(study.links[i].name, mode_);
    const Link& link = simulation.links().link(static_cast<int>(i));
    LinkProbe probe{.link = i, .axes = link.axes(), .turns = study.links[i].turns()};
    addAxis(group);
    for (const LinkProbe::Kind kind : LinkProbe::kAll) {
      probe.kind = kind;
      addColumn(group, probe, probe.size() == 1 ? H5Shape{} : H5Shape{probe.size()});
    }
    probe.kind = LinkProbe::Kind::variable;
    const auto add = [&](const LinkVariable& variable) {
      probe.internal = variable;
      addColumn(group, probe, {});
      ++probe.memory;
    };
    std::visit(
        [&]<class L>(const L&) {
          for (const LinkVariable& each : L::variables()) add(each);
        },
        link.law);
  }
}

void ResultRows::archive(const StepView& view) {
  const std::size_t row = times_.size();
  times_.push_back(view.state.time);
  for (Column& column : columns_)
    std::visit(
        [&](const auto& probe) {
          probe.sample(view, std::span(column.buffer).subspan(row * probe.size(), probe.size()));
        },
        column.probe);
  for (const ImposedColumn& imposed : imposed_) {
    Column& column = columns_[imposed.column];
    column.buffer[row * column.dataset.rowSize() + imposed.place] += imposed.motion.at(view.state.time);
  }
  for (PhaseColumn& column : phases_)
    column.buffer.push_back(static_cast<std::int8_t>(view.contacts[column.contact].phase));
  ++rows_;
  if (times_.size() >= kMostBlocks * blockRows_) write();  // no checkpoint came: a long step shows many rows
}

void ResultRows::events(std::span<const Event> events) {
  pendingEvents_.insert(pendingEvents_.end(), events.begin(), events.end());
}

bool ResultRows::wantsCheckpoint() {
  return times_.size() >= blockRows_ || std::chrono::steady_clock::now() - lastFlush_ > kFlushAfter;
}

std::vector<Event> ResultRows::backTo(std::size_t rows, std::size_t events) {
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
  for (GrowingDataset& axis : axes_) axis.truncate(rows);
  for (Column& column : columns_) column.dataset.truncate(rows);
  for (PhaseColumn& column : phases_) column.dataset.truncate(rows);
  for (GrowingDataset* each : {&eventTime_, &eventContact_, &eventKind_}) each->truncate(events);
  rows_ = rows;
  return before;
}

void ResultRows::write() {
  const std::size_t count = times_.size();
  for (GrowingDataset& axis : axes_) axis.append(times_.data(), count);
  for (Column& column : columns_) {
    column.dataset.append(column.buffer.data(), count);
  }
  for (PhaseColumn& column : phases_) {
    column.dataset.append(column.buffer.data(), count);
    column.buffer.clear();
  }
  times_.clear();

  std::vector<double> eventTimes;
  std::vector<std::string> names;
  std::vector<std::int8_t> kinds;
  for (const Event& event : pendingEvents_) {
    eventTimes.push_back(event.time);
    names.push_back(contactNames_[static_cast<std::size_t>(event.contact)]);
    kinds.push_back(static_cast<std::int8_t>(event.kind));
  }
  eventTime_.append(eventTimes.data(), eventTimes.size());
  eventContact_.append(std::span<const std::string>(names));
  eventKind_.append(kinds.data(), kinds.size());
  pendingEvents_.clear();
}

}  // namespace ricochet
