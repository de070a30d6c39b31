#include "io/prepare/restart.hpp"

#include "engine/study/coordinates.hpp"
#include "engine/study/support_shift.hpp"
#include "io/archive/packed_bytes.hpp"
#include "io/archive/result_format.hpp"
#include "io/archive/result_names.hpp"
#include "io/archive/version.hpp"
#include "io/hdf5/hdf5.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <variant>

namespace ricochet {
namespace {

[[noreturn]] void throwRestartError(const RestartRequest& from, std::string_view why) {
  throw StudyError(
      StudyProblem{"initial.restart", fmt::format("\"{}\" {}", from.file.filename().string(), why)});
}

/// Throws unless both models have the same nodes, positions and dofs: only then can fields be transferred.
void requireSameNodes(const H5File& file, const RestartRequest& from, const Study& study,
                      const PhysicalModel& physical) {
  const std::vector<std::string> names = file.readStrings("/model/nodes/name");
  const std::vector<double> positions = file.read("/model/nodes/position", {names.size(), 3}).values;
  if (names.size() != study.nodes.size())
    throwRestartError(from, fmt::format("is of another model: it has {} nodes, this deck {}", names.size(),
                                        study.nodes.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != study.nodes[i].name)
      throwRestartError(from,
                        fmt::format("is of another model: its node \"{}\" stands where this deck has \"{}\"",
                                    names[i], study.nodes[i].name));
    for (int c = 0; c < 3; ++c)
      if (positions[3 * i + static_cast<std::size_t>(c)] != physical.positions[i][c])
        throwRestartError(from,
                          fmt::format("is of another model: its node \"{}\" is at another place", names[i]));
  }
  const std::vector<std::int32_t> nodes = file.read<std::int32_t>("/model/dofs/node", {kAny}).values;
  const std::vector<std::string> components = file.readStrings("/model/dofs/component");
  bool same =
      static_cast<int>(nodes.size()) == physical.dofs.totalDofCount() && components.size() == nodes.size();
  for (int i = 0; same && i < physical.dofs.totalDofCount(); ++i) {
    const Dof dof = physical.dofs.dof(DofIndex{i});
    const auto index = static_cast<std::size_t>(i);
    same = nodes[index] == dof.node.value && components[index] == componentName(dof.component);
  }
  if (!same) throwRestartError(from, "is of another model: its nodes have other degrees of freedom");
}

/// Coordinates of the earlier run at the requested instant.
struct Coordinates {
  std::vector<double> q, v;
};
Coordinates readStoredCoordinates(const H5File& file, const RestartRequest& from, Mode mode) {
  const std::string root(runGroupPrefix(mode));
  if (!from.row)
    return {file.read(root + "/restart/displacement", {kAny}).values,
            file.read(root + "/restart/velocity", {kAny}).values};
  if (mode == Mode::direct)
    throwRestartError(
        from, "is of a direct run, which keeps its whole state at its end only: leave out `restart_time`");
  return {file.readRows("/transient/displacement", *from.row, 1, {kAny}).values,
          file.readRows("/transient/velocity", *from.row, 1, {kAny}).values};
}

Vector paddedVector(const std::vector<double>& values, Eigen::Index size) {
  return Eigen::Map<const Vector>(values.data(), std::min(size, static_cast<Eigen::Index>(values.size())));
}

/// The part of the basis in a result that fields need.
struct EarlierBasis {
  Matrix shapes;
  Vector eigenvalue;
};
EarlierBasis readBasisOfEarlierRun(const H5File& file) {
  const H5Array<double> shapes = file.read("/modal/shapes", {kAny, kAny});
  const auto rows = static_cast<Eigen::Index>(shapes.shape[0]),
             columns = static_cast<Eigen::Index>(shapes.shape[1]);
  const std::vector<double> eigenvalue = file.read("/modal/eigenvalue", {shapes.shape[1]}).values;
  return {Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
              shapes.values.data(), rows, columns),
          Eigen::Map<const Vector>(eigenvalue.data(), columns)};
}

bool haveSameBasis(const EarlierBasis& earlier, const ModalBasis& basis) {
  return earlier.shapes.rows() == basis.shapes.rows() && earlier.shapes.cols() == basis.shapes.cols() &&
         earlier.shapes == basis.shapes && earlier.eigenvalue == basis.eigenvalue;
}

/// Projects a field onto the basis and stores the coordinates in `target`; returns the remainder that the
/// basis cannot represent, relative in the mass norm.
double projectOntoBasis(const Simulation& simulation, const Vector& field, Vector& target) {
  const ProjectedField projected = projectField(simulation, field);
  target.head(simulation.size()) = projected.coordinates;
  return projected.remainder;
}

void copyFieldsOfEarlierRun(const H5File& file, const RestartRequest& from, Simulation& simulation) {
  const Coordinates earlier = readStoredCoordinates(file, from, Mode::modal);
  const EarlierBasis basis = readBasisOfEarlierRun(file);
  State& initial = simulation.initial;
  if (simulation.mode == Mode::modal && haveSameBasis(basis, simulation.basis) &&
      static_cast<Eigen::Index>(std::min(earlier.q.size(), earlier.v.size())) >= simulation.size()) {
    initial.q.head(simulation.size()) = paddedVector(earlier.q, simulation.size());
    initial.v.head(simulation.size()) = paddedVector(earlier.v, simulation.size());
    return;
  }
  const Eigen::Index modes = basis.shapes.cols();
  const bool fits = basis.shapes.rows() == simulation.physical.dofs.totalDofCount() &&
                    static_cast<Eigen::Index>(std::min(earlier.q.size(), earlier.v.size())) >= modes;
  if (!fits)
    throwRestartError(from, "is damaged, or was changed: its state is not as long as its basis is wide");
  const double q = projectOntoBasis(simulation, basis.shapes * paddedVector(earlier.q, modes), initial.q);
  const double v = projectOntoBasis(simulation, basis.shapes * paddedVector(earlier.v, modes), initial.v);
  simulation.choices.push_back(fmt::format(
      "initial.restart: projected by mass, as {}; {:.2g} of the displacement and {:.2g} of the "
      "velocity are left out",
      simulation.mode == Mode::direct ? "the earlier run is a modal one" : "the basis is another", q, v));
  constexpr double kNoticeable = 1e-6;
  if (std::max(q, v) > kNoticeable)
    simulation.warnings.push_back(
        fmt::format("the basis leaves out {:.2g} of the state to go on from", std::max(q, v)));
}

void copyStateOfDirectRun(const H5File& file, const RestartRequest& from, Simulation& simulation) {
  const Coordinates earlier = readStoredCoordinates(file, from, Mode::direct);
  if (static_cast<Eigen::Index>(earlier.q.size()) != simulation.initial.q.size() ||
      earlier.v.size() != earlier.q.size())
    throwRestartError(from, "is of another model: other degrees of freedom have mass");
  simulation.initial.q = paddedVector(earlier.q, simulation.initial.q.size());
  simulation.initial.v = paddedVector(earlier.v, simulation.initial.v.size());
}

/// Mode of the earlier run in its file.
Mode findModeOfEarlierRun(const H5File& file, const RestartRequest& from, Mode wanted) {
  if (file.exists(std::string(runGroupPrefix(wanted)) + "/restart")) return wanted;
  if (wanted == Mode::modal)
    throwRestartError(from, "is of a direct run, which has no modes: go on with --mode direct");
  return Mode::modal;
}

std::vector<std::byte> readBytesOfDataset(const H5File& file, const std::string& path) {
  if (!file.exists(path)) return {};
  return decompressBytes(file.read<std::uint8_t>(path, {kAny}).values);
}

std::vector<std::string> readStringList(const H5File& file, const std::string& path) {
  return file.exists(path) ? file.readStrings(path) : std::vector<std::string>{};
}

void requireSameLaws(const RestartRequest& from, std::string_view what,
                     const std::vector<std::string>& earlier, const std::vector<std::string>& own) {
  if (earlier == own) return;
  throwRestartError(
      from,
      fmt::format("is of a run with other {}, which cannot go on with what they remember: it has {}; this "
                  "deck has {}",
                  what, earlier.empty() ? "none" : fmt::format("{}", fmt::join(earlier, "; ")),
                  own.empty() ? "none" : fmt::format("{}", fmt::join(own, "; "))));
}

/// ContactPhase of a contact in the archived row from which the run starts; 0 (open) if none is stored.
std::int8_t readContactPhaseInRow(const H5File& file, const RestartRequest& from, const Study& study,
                                  std::size_t contact) {
  const bool inTable = file.exists(contactTablePath(Mode::modal));
  const std::string path =
      (inTable ? contactTablePath(Mode::modal) : contactGroupPath(study.contacts[contact].name)) + "/state";
  if (!file.exists(path)) return 0;
  const H5Shape row = inTable ? H5Shape{study.contacts.size()} : H5Shape{};
  return file.readRows<std::int8_t>(path, *from.row, 1, row).values[inTable ? contact : 0];
}

/// Throws if the state has internal variables that an archived row does not contain: friction or the closing
/// speed of a closed contact, or a link with memory.
void requireLawsWithoutMemory(const H5File& file, const RestartRequest& from, const Study& study,
                              const Simulation& simulation) {
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    const int index = static_cast<int>(i);
    const bool hasFriction = simulation.contacts().hasTraction(index);
    if (!hasFriction && !traitsOf(simulation.contacts().contact(index).normal).remembersApproach) continue;
    if (readContactPhaseInRow(file, from, study, i) == 0) continue;
    throwRestartError(from,
                      fmt::format("keeps {} at its end only, and contact \"{}\" touches at {:.9g} s: "
                                  "take an instant at which it is open, or run up to this one",
                                  hasFriction ? "what friction remembers" : "the closing speed of an impact",
                                  study.contacts[i].name, from.time));
  }
  for (const LinkRequest& link : study.links)
    if (std::visit([]<class L>(const L&) { return !L::internalVariables().empty(); }, link.law))
      throwRestartError(
          from,
          fmt::format("keeps what link \"{}\" remembers at its end only: leave out `restart_time`, or run up "
                      "to {:.9g} s",
                      link.name, from.time));
}

/// Displacement of the independent dofs on which dashpots without mass at an end act, in the archived row
/// from which the run starts: the lengths of these dashpots are a part of the state, beside the coordinates.
Vector readDashpotDisplacementsInRow(const H5File& file, const RestartRequest& from, const Study& study,
                                     const PhysicalModel& physical) {
  Vector found = Vector::Zero(physical.size());
  const std::string group = "/physical", dataset = group + "/displacement";
  const std::vector<std::string> nodes = readStringList(file, group + "/node");
  const bool isArchived = file.exists(dataset);
  if (isArchived && file.hasAttribute(dataset, "motion") &&
      file.stringAttribute(dataset, "motion") == "absolute")
    throwRestartError(from, fmt::format("has absolute displacements, and the dashpots on nodes without mass "
                                        "had those relative to the base: leave out its `absolute_motion`, or "
                                        "run up to {:.9g} s",
                                        from.time));
  const std::size_t components = isArchived ? file.shape(dataset).back() : 0;
  const std::vector<double> row =
      isArchived ? file.readRows(dataset, *from.row, 1, {nodes.size(), components}).values
                 : std::vector<double>{};
  for (Eigen::Index i = 0; i < found.size(); ++i) {
    if (physical.masslessDashpots.row(i).isZero(0.0)) continue;
    const Dof dof = physical.dofs.dof(physical.dofs.independentDofs()[static_cast<std::size_t>(i)]);
    const std::string& name = study.nodes[static_cast<std::size_t>(dof.node.value)].name;
    const auto node = static_cast<std::size_t>(std::ranges::find(nodes, name) - nodes.begin());
    const auto component = static_cast<std::size_t>(dof.component);
    if (node == nodes.size() || component >= components)
      throwRestartError(from,
                        fmt::format("has no displacement of node \"{}\", which tells how long a dashpot "
                                    "without mass at an end was at {:.9g} s: name this node in [output] "
                                    "`nodes` of the earlier run, or run up to this instant",
                                    name, from.time));
    found[i] = row[node * components + component];
  }
  return found;
}

/// Copy of the list without the dashpots on dofs without inertia, which start from the displacement of the
/// state and need no memory.
std::vector<std::string> withoutMasslessDashpots(std::vector<std::string> kinds) {
  std::erase(kinds, kDashpotKind);
  return kinds;
}

/// Reads what contacts and links remember; `links`: number of links and dashpots of the earlier run.
RunMemory readRunMemory(const H5File& file, const RestartRequest& from, const std::string& group,
                        const Simulation& simulation, std::size_t links) {
  RunMemory memory(simulation.contacts(), simulation.links());
  memory.links.resize(links);
  const std::vector<std::byte> bytes = readBytesOfDataset(file, group + "/memory");
  try {
    CheckpointReader reader(bytes);
    reader(memory);
  } catch (const CheckpointError&) {
    throwRestartError(from, "is of contacts or links with other points or tables than those of this deck");
  }
  return memory;
}

bool hasIdenticalAttribute(const H5File& file, const std::string& object, std::string_view name,
                           double value) {
  return std::bit_cast<std::uint64_t>(file.numberAttribute(object, name)) ==
         std::bit_cast<std::uint64_t>(value);
}

/// True if this run continues the earlier run with the same motion; then the internal state of the scheme is
/// continued too.
bool doesRunContinueSameMotion(const H5File& file, const std::string& group, std::string_view motion,
                               const Study& study, const Simulation& simulation) {
  if (!study.spins.empty()) return false;  // the matrices of spins belong to the start of the run
  if (simulation.mode == Mode::modal && !haveSameBasis(readBasisOfEarlierRun(file), simulation.basis))
    return false;
  return file.exists(group + "/stepping") && file.stringAttribute(group, "scheme") == simulation.scheme &&
         hasIdenticalAttribute(file, group, "step", simulation.step) &&
         hasIdenticalAttribute(file, group, "time", study.transient->start) &&
         file.stringAttribute(group, "motion_sha256") == motion;
}

}  // namespace

Vector EarlierResult::finalDisplacement(const Study& study, const Simulation& simulation) const {
  const PhysicalModel& physical = simulation.physical;
  Vector found = Vector::Zero(physical.size());
  const H5File file = openResult(from_.file);
  const Mode mode = findModeOfEarlierRun(file, from_, simulation.mode);
  const std::string path = std::string(runGroupPrefix(mode)) + "/restart" + kDashpotField;
  const bool readsRow = from_.row && mode == Mode::modal && physical.masslessDashpots.cols() > 0;
  if (!readsRow && (from_.row || !file.exists(path))) return found;
  requireSameNodes(file, from_, study, physical);
  if (readsRow) return readDashpotDisplacementsInRow(file, from_, study, physical);
  const std::vector<double> values =
      file.read(path, {static_cast<std::size_t>(physical.dofs.totalDofCount())}).values;
  const std::vector<DofIndex>& independent = physical.dofs.independentDofs();
  for (Eigen::Index i = 0; i < found.size(); ++i)
    found[i] = values[static_cast<std::size_t>(independent[static_cast<std::size_t>(i)].value)];
  return found;
}

void EarlierResult::setStateOfEarlierRun(const Study& study, Simulation& simulation) const {
  const H5File file = openResult(from_.file);
  requireSameNodes(file, from_, study, simulation.physical);
  simulation.initial = State(simulation.size());
  const Mode mode = findModeOfEarlierRun(file, from_, simulation.mode);
  const std::string group = std::string(runGroupPrefix(mode)) + "/restart";
  const bool inSpace = file.stringAttribute(group, "coordinates") == "of the motion in space";
  if (inSpace != hasMovingSupports(study))
    throwRestartError(
        from_,
        inSpace ? "has contacts beside supports that move, and its coordinates are of the motion in space; "
                  "those of this deck are relative to the supports"
                : "has coordinates relative to its supports; those of this deck, which has contacts beside "
                  "supports that move, are of the motion in space");
  if (mode == Mode::modal)
    copyFieldsOfEarlierRun(file, from_, simulation);
  else
    copyStateOfDirectRun(file, from_, simulation);
  simulation.initial.time = study.transient ? study.transient->start : 0.0;
  simulation.choices.push_back(
      fmt::format("starts from {} at {:.9g} s", from_.file.filename().string(), from_.time));
}

void EarlierResult::setContactMemory(const Study& study, Simulation& simulation) const {
  const H5File file = openResult(from_.file);
  const Mode mode = findModeOfEarlierRun(file, from_, simulation.mode);
  const std::string group = std::string(runGroupPrefix(mode)) + "/restart";
  if (from_.row) return requireLawsWithoutMemory(file, from_, study, simulation);
  const bool sameVersion = file.stringAttribute("/", "software_version") == kVersion;
  if (simulation.masslessLinks.size() > study.links.size() && !file.exists(group + kDashpotField))
    throwRestartError(from_,
                      "has no dashpots on nodes without mass, whose lengths this deck needs: run it "
                      "again with the [[dampers]] of this deck");
  const std::vector<std::string> contacts = namesAndLawsOfContacts(study),
                                 kinds = namesAndLawsOfLinks(study, simulation);
  const std::vector<std::string> earlier = readStringList(file, group + "/contact_law");
  const std::vector<std::string> earlierKinds = readStringList(file, group + "/link_law");
  const std::vector<std::string> links = withoutMasslessDashpots(kinds),
                                 earlierLinks = withoutMasslessDashpots(earlierKinds);
  auto restart = std::make_shared<Restart>();
  const bool knows = !earlier.empty() || !earlierLinks.empty();
  if (knows && !(contacts.empty() && links.empty())) {
    requireSameLaws(from_, "contacts", earlier, contacts);
    requireSameLaws(from_, "links", earlierLinks, links);
    if (!sameVersion)
      throwRestartError(
          from_,
          fmt::format("was written by version {} of the program, whose memory of contacts and links version "
                      "{} does not read: run it again",
                      file.stringAttribute("/", "software_version"), kVersion));
    restart->memory = readRunMemory(file, from_, group, simulation, earlierKinds.size());
    restart->memory->links.resize(links.size());
  }
  if (mode == simulation.mode && sameVersion && kinds == earlierKinds &&
      doesRunContinueSameMotion(file, group, motion_, study, simulation))
    restart->stepping = readBytesOfDataset(file, group + "/stepping");
  restart->step = simulation.step;
  simulation.restart = std::move(restart);
}

}  // namespace ricochet
