#include "io/result/result_file.hpp"

#include "engine/numerics/processor.hpp"
#include "io/archive/result_format.hpp"
#include "io/archive/result_names.hpp"
#include "io/archive/version.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/hdf5/hdf5_journal.hpp"
#include "io/result/contact_table.hpp"
#include "io/result/data_files.hpp"
#include "io/result/result_links.hpp"
#include "io/text/digest.hpp"
#include "io/toml/read_names.hpp"

#include <fmt/chrono.h>
#include <fmt/core.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>
#include <variant>
#include <vector>

namespace ricochet {
namespace {

#if defined(__clang__)
constexpr std::string_view kCompiler = "clang " __clang_version__;
#else
constexpr std::string_view kCompiler = "GCC " __VERSION__;
#endif

std::vector<double> rowMajorValues(const Matrix& m) {
  std::vector<double> values(static_cast<std::size_t>(m.size()));
  Eigen::Map<Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(values.data(), m.rows(),
                                                                                     m.cols()) = m;
  return values;
}

std::vector<double> valuesOfVector(const Vector& v) { return {v.begin(), v.end()}; }

std::vector<std::int32_t> consecutiveIndices(std::size_t n) {
  std::vector<std::int32_t> numbers(n);
  std::iota(numbers.begin(), numbers.end(), 1);
  return numbers;
}

void writeRestoredFileHeader(const H5File& file, const Deck& study) {
  file.setAttribute("/", "format", "ricochet");
  file.setAttribute("/", "format_version", kFormatVersion);
  file.setAttribute("/", "software_version", kVersion);
  file.setAttribute("/", "compiler", kCompiler);
  file.setAttribute("/", "vectors", vectorUnitName(widestUsableVectorUnit()));
  file.setAttribute("/", "title", study.title);
  file.setAttribute("/", "deck_sha256", sha256(study.deckText));
  // folder in which the files that the deck names are searched
  file.setAttribute("/", "deck_folder", std::filesystem::absolute(study.deckFile).parent_path().string());
  file.setAttribute(
      "/", "created",
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}",
                  fmt::gmtime(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()))));
  file.setAttribute("/", "status", "running");
  file.writeText("/deck", study.deckText, {"1", "the deck as read"});
  writeDataFiles(file, study);
}

Axis dofAxis() { return {"dof", "index of the dof, from 0", {}, 0}; }

/// Pairs of nodes that an element connects, each pair once.
std::vector<std::int32_t> linesBetweenNodes(const Structure& structure) {
  std::vector<std::int32_t> lines;
  std::set<std::pair<int, int>> known;
  for (const AnyElement& any : structure.elements) {
    const ElementDofs dofs = std::visit([](const auto& element) { return element.dofs(); }, any);
    const int a = dofs.front().node.value, b = dofs.back().node.value;
    if (a != b && known.emplace(std::min(a, b), std::max(a, b)).second) lines.insert(lines.end(), {a, b});
  }
  return lines;
}

/// Writes the node groups of the meshes; groups defined in the deck are stored with the deck.
void writeNodeGroups(const H5File& file, const Deck& study) {
  std::vector<std::string> names;
  std::vector<std::int32_t> members;
  for (const MeshRequest& mesh : study.meshes)
    for (const MeshRequest::Group& group : mesh.groups) {
      const auto index = static_cast<std::int32_t>(names.size());
      names.push_back(group.name);
      for (const NodeIndex node : group.nodes) members.insert(members.end(), {index, node.value});
    }
  if (names.empty()) return;
  file.writeStrings("/model/groups/name", names, {"1", "name of each group of a mesh"});
  file.write("/model/groups/member", {members.size() / 2, 2}, members,
             {"1", "indices from 0 into model/groups/name and into model/nodes"});
  labelAxes(file, "/model/groups/name", {{"name"}});
  labelAxes(file, "/model/groups/member",
            {{"entry", "number of the entry"}, {"index", "what is counted", {"group", "node"}}});
}

void writePhysicalModel(const H5File& file, const Deck& study, const PhysicalModel& physical) {
  std::vector<std::string> names;
  std::vector<double> positions;
  for (std::size_t i = 0; i < study.nodes.size(); ++i) {
    names.push_back(study.nodes[i].name);
    for (int c = 0; c < 3; ++c) positions.push_back(physical.positions[i][c]);
  }
  file.writeStrings("/model/nodes/name", names, {"1", "name of each node"});
  file.write("/model/nodes/position", {names.size(), 3}, positions,
             {"m", "position of each node, undeformed"});
  labelAxes(file, "/model/nodes/position", {{"name"}, globalAxes()});
  if (!study.structure.unplaced.empty()) {
    std::vector<std::uint8_t> placed(names.size(), 1);
    for (const NodeIndex node : study.structure.unplaced) placed[static_cast<std::size_t>(node.value)] = 0;
    file.write("/model/nodes/has_place", {names.size()}, placed,
               {"1", "0 where a node has no place: internal to elements, or a generalized coordinate"});
    labelAxes(file, "/model/nodes/has_place", {{"name"}});
  }

  std::vector<std::int32_t> nodes;
  std::vector<std::string> components;
  std::vector<std::uint8_t> fixed;
  for (int i = 0; i < physical.dofs.totalDofCount(); ++i) {
    const Dof dof = physical.dofs.dof(DofIndex{i});
    nodes.push_back(dof.node.value);
    components.emplace_back(componentName(dof.component));
    fixed.push_back(physical.dofs.isFixed(DofIndex{i}) ? 1 : 0);
  }
  file.write("/model/dofs/node", {nodes.size()}, nodes, {"1", "index from 0 into model/nodes of each dof"});
  file.writeStrings("/model/dofs/component", components, {"1", "component of each dof"});
  const std::vector<std::int32_t> lines = linesBetweenNodes(study.structure);
  file.write("/model/lines", {lines.size() / 2, 2}, lines,
             {"1", "indices from 0 into model/nodes of the ends of each element between two nodes"});
  labelAxes(file, "/model/lines", {{"line", "number of the line"}, {"end", "end of the line"}});
  file.write("/model/dofs/fixed", {fixed.size()}, fixed, {"1", "1 where the dof is fixed by a support"});
  for (const char* each : {"node", "component", "fixed"})
    labelAxes(file, std::string("/model/dofs/") + each, {dofAxis()});
  writeNodeGroups(file, study);
}

std::vector<std::uint8_t> residualVectorFlags(const ModalBasis& basis) {
  std::vector<std::uint8_t> marks;
  for (int i = 0; i < basis.size(); ++i) marks.push_back(basis.isResidualVector(i) ? 1 : 0);
  return marks;
}

void writeBasis(const H5File& file, const Simulation& simulation) {
  const ModalBasis& basis = simulation.basis;
  const auto m = static_cast<std::size_t>(basis.size());
  const auto n = static_cast<std::size_t>(basis.shapes.rows());
  file.write("/modal/mode", {m}, consecutiveIndices(m), {"1", "number of the mode"});
  file.makeDatasetScale("/modal/mode", "mode");
  const auto perMode = [&](const std::string& path, const std::vector<double>& data, const Meaning& meaning) {
    file.write(path, {m}, data, meaning);
    labelAxes(file, path, {{"mode"}});
  };
  perMode("/modal/frequency", valuesOfVector(basis.frequency()), {"Hz", "frequency"});
  perMode("/modal/eigenvalue", valuesOfVector(basis.eigenvalue),
          {"rad^2/s^2", "eigenvalue, square of the angular frequency"});
  perMode("/modal/damping_ratio", valuesOfVector(basis.dampingRatio()),
          {"1", "diagonal of the generalized damping over 2 omega"});
  perMode("/modal/generalized_mass", std::vector<double>(m, 1.0),
          {"kg", "generalized mass: modes are mass-normalised"});
  perMode("/modal/residual", valuesOfVector(basis.residual),
          {"1", "residual of the mode over the terms it cancels; a residual vector is no mode"});
  file.write("/modal/is_residual_vector", {m}, residualVectorFlags(basis),
             {"1", "1 for a residual vector, 0 for a mode"});
  labelAxes(file, "/modal/is_residual_vector", {{"mode"}});
  file.write("/modal/effective_mass", {m, 3}, rowMajorValues(basis.effectiveMass),
             {"kg", "effective mass along x, y, z"});
  labelAxes(file, "/modal/effective_mass", {{"mode"}, globalAxes()});
  file.write("/modal/damping", {m, m}, rowMajorValues(basis.damping), {"1/s", "generalized damping matrix"});
  labelAxes(file, "/modal/damping", {{"mode"}, {"other_mode", "number of the mode, along a row"}});
  file.write("/modal/shapes", {n, m}, rowMajorValues(basis.shapes),
             {"kg^-0.5", "mode shapes, rows as in model/dofs"});
  labelAxes(file, "/modal/shapes", {dofAxis(), {"mode"}});

  file.setAttribute("/modal", "missed_modes", basis.missedModes);
  file.setAttribute("/modal", "rigid_modes", basis.rigidModes);
  file.setAttribute("/modal", "orthogonality_error", basis.orthogonalityError);
  double truncation = 0.0;
  for (const Truncation& t : simulation.truncation) truncation = std::max(truncation, t.largest());
  file.setAttribute("/modal", "truncation_indicator", truncation);
}

/// Attributes of a contact that ResultFile::writeTotals writes.
constexpr const char* kContactTotals[] = {"impacts", "impulse", "friction_energy", "wear_energy",
                                          "peak_force"};

template <class Law>
void addFieldsOfLaw(NewGroup& group, std::string_view prefix, const Law& law) {
  group.setAttribute(std::string(prefix), std::string_view(Law::keyword));
  for (const auto& field : Law::numericParameters())
    group.setAttribute(fmt::format("{}_{}", prefix, field.name), law.*field.member);
  for (const auto& choice : choiceParametersOf<Law>())
    group.setAttribute(fmt::format("{}_{}", prefix, choice.key.name),
                       std::string_view(deckWordOfChoice(choice.key, law.*choice.member)));
}

void describeContacts(const H5File& file, const Deck& study, const Simulation& simulation) {
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    const ContactRequest& request = study.contacts[i];
    const Contact& contact = simulation.contacts().contact(static_cast<int>(i));
    NewGroup group = newGroupOfContactOrLink(contactGroupPath(request.name, simulation.mode), request.name);
    visitObstacleShape(contact.obstacle,
                       [&](const auto& shape) { addFieldsOfLaw(group, "obstacle", shape); });
    std::visit([&](const auto& law) { addFieldsOfLaw(group, "normal", law); }, contact.normal);
    std::visit([&](const auto& law) { addFieldsOfLaw(group, "friction", law); }, contact.friction);
    group.setAttribute("frame", rowMajorValues(request.frame));
    if (simulation.mode == Mode::modal) {
      group.setAttribute("truncation_indicator", simulation.truncation[i].largest());
      group.setAttribute("truncation_indicator_without_residual",
                         simulation.truncation[i].withoutResidual.maxCoeff());
    }
    for (const char* total : kContactTotals) group.reserveNumber(total);
    for (const ContactProbe::Kind kind : ContactProbe::kAll) group.reserveLink(ContactProbe{kind}.name());
    for (const char* each : {"state", "tangent", "axis"}) group.reserveLink(each);
    if (request.friction.patch) group.reserveLink("spin_moment");
    group.create(file);
  }
}

/// Types are shared where contacts and links have so many datasets that it saves more than the list of types
/// takes.
Types sharedTypesOf(const Deck& study) {
  constexpr std::size_t kFewest = 8;
  const std::size_t groups =
      (areContactsStoredInTable(study) ? 0 : study.contacts.size()) + study.links.size();
  return groups < kFewest ? Types::repeat : Types::share;
}

/// Writes basis and contacts of a run.
void describeRun(const H5File& file, const Deck& study, const Simulation& simulation) {
  if (simulation.mode == Mode::modal)
    writeBasis(file, simulation);
  else
    file.createGroup("/direct");
  if (areContactsStoredInTable(study))
    describeContactTable(file, study, simulation);
  else
    describeContacts(file, study, simulation);
  describeLinks(file, study, simulation);
}

}  // namespace

H5File ResultFile::begin(const Deck& study, const Simulation& simulation,
                         const std::filesystem::path& partial,
                         const std::function<void(const H5File&)>& more) {
  const auto nothingLeft = [](const ResultError& error) {
    return ResultError(
        fmt::format("{}; nothing was written: remedy it, or name another result with -o", error.what()));
  };
  std::optional<H5File> file;
  try {
    file = H5File::create(partial, Existing::replace, Journal::keep, sharedTypesOf(study));
  } catch (const FileInUse& error) {
    throw TargetError(fmt::format("{}; wait for it, or name another result with -o", error.what()));
  } catch (const ResultError& error) {
    JournaledFile::removeEmptyFile(partial);
    throw nothingLeft(error);
  }
  try {
    file->enableChecksums(study.output.checksums);
    writeRestoredFileHeader(*file, study);
    writePhysicalModel(*file, study, simulation.physical);
    describeRun(*file, study, simulation);
    if (more) more(*file);
    file->flush();
    return std::move(*file);
  } catch (const ResultError& error) {
    // An incomplete file cannot be resumed: it is removed while the lock keeps other programs out.
    const FileLock lock = file->lock();
    file.reset();
    removeTemporaryFiles(partial);
    throw nothingLeft(error);
  }
}

ResultFile::ResultFile(const Deck& study, const Simulation& simulation, const std::filesystem::path& file)
    : name_(file), partial_(temporaryNameOfResult(file)), file_(begin(study, simulation, partial_)) {}

void ResultFile::writeRunDescription(const Deck& study, const Simulation& simulation) {
  describeRun(file_, study, simulation);
  file_.flush();
}

void ResultFile::writeTotals(const Deck& study, Mode mode, const ContactRun& contacts, const Report& report) {
  // totals of a failed run may be infinite; infinite values are not written
  const auto setFinite = [this](const std::string& object, std::string_view name, double value) {
    if (std::isfinite(value)) file_.setAttribute(object, name, value);
  };
  const bool inTable = areContactsStoredInTable(study);
  if (inTable) writeContactTableTotals(file_, study, mode, contacts);
  for (std::size_t i = 0; i < study.contacts.size() && !inTable; ++i) {
    const std::string group = contactGroupPath(study.contacts[i].name, mode);
    const ContactTotals& totals = contacts.runTotals()[i];
    file_.setAttribute(group, "impacts", totals.impacts);
    setFinite(group, "impulse", totals.impulse);
    setFinite(group, "friction_energy", totals.frictionEnergy);
    setFinite(group, "wear_energy", totals.frictionEnergy);  // name in older results, kept for their readers
    setFinite(group, "peak_force", totals.peakForce);
  }
  const std::string root(runGroupPrefix(mode));
  setFinite(root + "/energy", "error", report.energyError);
  const std::string run = mode == Mode::modal ? "/transient" : root;
  file_.setAttribute(run, "steps", report.steps);
  if (report.longSteps > 0) file_.setAttribute(run, "long_steps", report.longSteps);
  if (report.shortened.count > 0) {
    file_.setAttribute(run, "steps_halved", report.shortened.count);
    file_.setAttribute(run, "shortest_step", report.shortened.shortest);
  }
  file_.setAttribute(run, "end_time", report.time);
  const ImpactCounts& impacts = report.impacts;
  if (impacts.together > 0) file_.setAttribute(run, "impact_law", nameOf(study.transient->options.impactLaw));
  const auto setCount = [&](std::string_view name, long long count) {
    if (count > 0) file_.setAttribute(run, name, count);
  };
  setCount("impacts_together", impacts.together);
  setCount("impacts_not_unique", impacts.notUnique);
  setCount("impacts_without_restitution", impacts.withoutRestitution);
  setCount("impacts_without_collision", impacts.withoutCollision);
  setCount("impacts_gaining_energy", impacts.gains);
  if (impacts.sharedTime > 0.0) file_.setAttribute(run, "reactions_not_unique", impacts.sharedTime);
}

void ResultFile::close(std::string_view status, std::string_view failure, bool resumable) {
  if (!resumable) CheckpointSlots::remove(file_);
  if (!failure.empty()) file_.setAttribute("/", "failure", failure);
  file_.setAttribute("/", "status", status);
  name_.renameToFinal(file_, partial_);
}

}  // namespace ricochet
