#include "io/result/restore.hpp"

#include "engine/study/imposed_field.hpp"
#include "engine/study/parts/held_at_end.hpp"
#include "engine/study/support_shift.hpp"
#include "io/archive/archived_basis.hpp"
#include "io/archive/result_names.hpp"
#include "io/archive/time_window.hpp"
#include "io/archive/version.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/hdf5/hdf5_rows.hpp"
#include "io/prepare/prepare.hpp"
#include "io/quantities/checks/not_finite.hpp"
#include "io/result/beside_coordinates.hpp"
#include "io/result/contact_table.hpp"
#include "io/result/data_files.hpp"
#include "io/result/final_name.hpp"
#include "io/result/restored_beams.hpp"
#include "io/result/restored_reaction.hpp"
#include "io/result/restored_xdmf.hpp"
#include "io/result/result_target.hpp"
#include "io/result/target.hpp"
#include "io/text/progress.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ricochet {

namespace fs = std::filesystem;

namespace {

using RowMajor = RestoredField::RowMajor;

// number of values of a block of instants in memory
constexpr std::size_t kBlockValues = std::size_t{1} << 21U;
constexpr const char* kReaction = RestoredField::kReaction;

std::string fieldPath(Kinematic kind) {
  return "/transient/" + std::string(kKinematicNames[static_cast<std::size_t>(kind)]);
}

/// Indices of the requested archived instants.
std::vector<std::size_t> requestedRows(const std::vector<double>& archived, const RestoreRequest& request) {
  std::vector<std::size_t> rows;
  if (archived.empty()) return rows;
  const double first = archived.front(), last = archived.back();
  const double rounding = 1e-9 * std::max({std::abs(first), std::abs(last), last - first});
  for (const double t : request.times) {
    if (!(t >= first - rounding && t <= last + rounding))
      throw RestoreError(fmt::format("--times: {} s is outside of the result, which goes from {} s to {} s",
                                     t, first, last));
    const auto after = std::lower_bound(archived.begin(), archived.end(), t);
    auto i = static_cast<std::size_t>(after - archived.begin());
    if (i == archived.size() || (i > 0 && t - archived[i - 1] < archived[i] - t)) --i;
    if (rows.empty() || rows.back() != i) rows.push_back(i);
  }
  if (!request.times.empty()) {
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
  }
  const TimeWindow window(request.from, request.to, archived);
  std::size_t seen = 0;
  for (std::size_t i = 0; i < archived.size(); ++i)
    if (window.contains(archived[i]) && seen++ % request.every == 0) rows.push_back(i);
  return rows;
}

std::string noArchivedInstantText(const std::vector<double>& archived, const std::filesystem::path& result) {
  if (archived.empty()) return fmt::format("{}: holds no instant yet", result.string());
  return fmt::format("{}: no instant of it was asked for; it goes from {} s to {} s", result.string(),
                     archived.front(), archived.back());
}

/// Physical model built from the deck in a result.
struct DeckModel {
  Deck study;
  PhysicalModel physical;
  std::vector<ImposedField> imposed;
};

/// Throws unless the nodes of the model agree with the result: the mesh and matrix files may have changed.
void requireSameNodes(const H5File& result, const Deck& study) {
  const std::vector<double> before = result.read("/model/nodes/position", {kAny, 3}).values;
  std::vector<double> now;
  for (const Vec3& p : study.structure.positions) now.insert(now.end(), p.begin(), p.end());
  if (before != now)
    throw RestoreError(
        fmt::format("{}: files that its deck names have other nodes than those of the run", result.name()));
}

DeckModel readModelOfResult(const H5File& result, const std::filesystem::path& file) {
  const fs::path place = pathForReadingDeck(result, fs::path(file).concat(":deck"));
  DeckModel model{readDeck(place, Document::parse(result.readText("/deck"), place.string())), {}, {}};
  requireSameNodes(result, model.study);
  if (const auto changed = findChangedDataFile(result, model.study))
    throw RestoreError(fmt::format(
        "{}: the data file {} is not what it was in the run: what is asked for needs it; put it back",
        result.name(), changed->string()));
  holdLoadsAtEnd(model.study);
  addLoadsOfTravellingContacts(result, model.study);
  model.physical = assembleStudy(model.study);
  // Static corrections follow from the part of the flexibility that the basis omits.
  std::optional<ModalBasis> basis;
  if (std::ranges::any_of(model.study.loads, &NodalLoad::staticCorrection))
    basis = readArchivedBasis(result, model.physical.dofs);
  model.imposed = imposedFields(model.study, model.physical, basis ? &*basis : nullptr, {});
  return model;
}

/// All fields to restore.
struct Restored {
  std::vector<RestoredField> fields;
  std::optional<RestoredBeams> beams;
};

std::vector<RestoredField> restoredKinematicFields(const RestoredNodes& nodes, const RowMajor& shapes,
                                                   const RestoreRequest& request, const DeckModel* model) {
  std::vector<RestoredField> fields;
  for (const Kinematic kind : request.fields) {
    const auto k = static_cast<std::size_t>(kind);
    RestoredField& field = fields.emplace_back();
    field.name = kKinematicNames[k];
    field.unit = kKinematicUnits[k];
    field.parts.push_back({shapes, kind, {}});
    if (model == nullptr) continue;
    for (const BaseMotion& motion : model->study.baseMotions)
      if (request.absoluteMotion || hasMovingSupports(model->study))
        if ((kind == Kinematic::displacement && !motion.displacement) ||
            (kind == Kinematic::velocity && !motion.velocity))
          throw RestoreError(fmt::format(
              "the absolute {} needs that of the base, which the deck does not give", field.name));
    for (std::size_t i = 0; i < nodes.size(); ++i)
      for (std::size_t c = 0; c < nodes.componentCount(); ++c) {
        const Dof dof{nodes.nodes[i], componentOfIndex(static_cast<int>(c))};
        ImposedMotion motion(model->imposed, model->physical.dofs, dof, kind, request.absoluteMotion);
        if (!motion.empty()) field.imposed.emplace_back(i * nodes.componentCount() + c, std::move(motion));
      }
  }
  return fields;
}

/// Writes what the restored file `output` has before its rows. It names its source from its own folder.
void writeRestoredFileHeader(const H5File& from, const H5File& to, const RestoredNodes& nodes,
                             const std::filesystem::path& output) {
  namespace fs = std::filesystem;
  const fs::path source = fs::proximate(fs::absolute(from.name()), fs::absolute(output).parent_path());
  for (const char* name : {"format", "deck_sha256", "title"})
    to.setAttribute("/", name, from.stringAttribute("/", name));
  to.setAttribute("/", "format_version", from.integerAttribute("/", "format_version"));
  to.setAttribute("/", "software_version", kVersion);
  to.setAttribute("/", "restored_from", source.string());
  to.setAttribute("/", "status", "running");
  std::vector<double> positions;
  for (const Vec3& p : nodes.positions) positions.insert(positions.end(), p.begin(), p.end());
  to.writeStrings("/model/nodes/name", nodes.names, {"1", "name of each node"});
  to.write("/model/nodes/position", {nodes.size(), 3}, positions, {"m", "position of each node, undeformed"});
  labelAxes(to, "/model/nodes/position", {{"name"}, globalAxes()});
  std::vector<std::int32_t> lines;
  for (const auto& [a, b] : nodes.lines) lines.insert(lines.end(), {a, b});
  to.write("/model/lines", {nodes.lines.size(), 2}, lines,
           {"1", "indices from 0 into model/nodes of the ends of each element between two nodes"});
  labelAxes(to, "/model/lines", {{"line", "number of the line"}, {"end", "end of the line"}});
}

/// Creates the output file with a journal: its driver stops writing when the disk is full, an error that HDF5
/// without this driver does not survive.
H5File createRestoredFile(const std::filesystem::path& partial) {
  try {
    return H5File::create(partial, Existing::replace, Journal::keep);
  } catch (const FileInUse& error) {
    throw TargetError(fmt::format("{}; wait for it, or name another file with -o", error.what()));
  }
}

void createDatasets(const H5File& to, const RestoredNodes& nodes, std::vector<RestoredField>& fields,
                    bool absolute, std::size_t instants) {
  to.writeStrings("/physical/node", nodes.names, {"1", "name of the node"});
  to.makeDatasetScale("/physical/node", "node");
  const std::vector<std::string> components(
      kComponentNames.begin(), kComponentNames.begin() + static_cast<long>(nodes.componentCount()));
  to.writeStrings("/physical/component", components, {"1", "component, global axes"});
  to.makeDatasetScale("/physical/component", "component");
  for (RestoredField& field : fields) {
    const std::string path = "/physical/" + field.name;
    field.dataset = GrowingDataset::createNumbers(
        to, path, {field.unit, field.name == kReaction ? "force of the supports" : field.name + " of nodes"},
        {.rowShape = {nodes.size(), nodes.componentCount()}, .expectedRows = instants});
    if (nodes.rotations)
      to.setAttribute(
          path, "units",
          field.unit + (field.name == kReaction ? " or N m for rotations" : " or rad for m in rotations"));
    if (absolute && field.name != kReaction) to.setAttribute(path, "motion", "absolute");
    to.attachScale(path, "/physical/time", 0);
    to.attachScale(path, "/physical/node", 1);
    to.attachScale(path, "/physical/component", 2);
  }
}

/// Generalized coordinates at some instants, one row each; consecutive rows are read together.
RowMajor readCoordinatesOfRows(const H5File& result, Kinematic kind, std::span<const std::size_t> rows) {
  const std::string path = fieldPath(kind);
  const std::size_t width = result.rows("/modal/eigenvalue");
  const auto modes = static_cast<Eigen::Index>(width);
  RowMajor q(static_cast<Eigen::Index>(rows.size()), modes);
  for (std::size_t i = 0; i < rows.size();) {
    std::size_t end = i + 1;
    while (end < rows.size() && rows[end] == rows[end - 1] + 1) ++end;
    const std::vector<double> read = result.readRows(path, rows[i], end - i, {width}).values;
    q.middleRows(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(end - i)) =
        RowMajor::Map(read.data(), static_cast<Eigen::Index>(end - i), modes);
    i = end;
  }
  return q;
}

void appendRestoredInstants(const H5File& result, std::span<const std::size_t> rows,
                            std::span<const double> times, Restored& restored) {
  RestoredBeams::Coordinates read;  // coordinates that all fields share
  const auto need = [&](Kinematic kind) -> RowMajor& {
    RowMajor& q = read[static_cast<std::size_t>(kind)];
    if (q.size() == 0) q = readCoordinatesOfRows(result, kind, rows);
    return q;
  };
  for (RestoredField& field : restored.fields) {
    RowMajor values;
    for (const RestoredField::Part& part : field.parts) {
      RowMajor share = need(part.kind) * part.rows.transpose();
      if (part.factor)
        for (std::size_t i = 0; i < times.size(); ++i)
          share.row(static_cast<Eigen::Index>(i)) *= part.factor(times[i]);
      if (values.size() == 0)
        values.swap(share);
      else
        values += share;
    }
    for (const auto& [place, force] : field.forces)
      for (std::size_t i = 0; i < times.size(); ++i)
        values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(place)) += force(times[i]);
    for (const auto& add : field.archived) add(rows, values);
    for (const auto& [place, motion] : field.imposed)
      for (std::size_t i = 0; i < times.size(); ++i)
        values(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(place)) +=
            motion.motionWithoutForces(times[i]);
    requireFiniteRows(field.dataset->path(), {values.data(), static_cast<std::size_t>(values.size())}, times);
    field.dataset->append(values.data(), rows.size());
  }
  if (!restored.beams) return;
  for (const Kinematic kind : {Kinematic::displacement, Kinematic::velocity, Kinematic::acceleration})
    if (restored.beams->isCoordinateKindNeeded(kind)) need(kind);
  restored.beams->appendInstants(read, times);
}

/// Throws if forces of contacts, links or dashpots move nodes without mass that are asked for, directly or as
/// the ends of beams and springs: a result does not have these forces with their rates at every instant from
/// which this motion follows.
void requireMotionFromCoordinates(const H5File& from, const RestoreRequest& request,
                                  const RestoredNodes& nodes) {
  if (!from.exists(kStaticNodes)) return;
  const std::vector<std::string> moved = from.readStrings(kStaticNodes);
  for (const std::string& name : nodes.names)
    if (!request.fields.empty() && std::find(moved.begin(), moved.end(), name) != moved.end())
      throw RestoreError(
          fmt::format("node {} has no mass and moves at once under forces of contacts, links or dashpots: "
                      "its motion cannot be "
                      "restored; /physical of the run has it (`output.nodes`), or ask for other --nodes",
                      name));
  if (request.reactions || request.beamForces.areRequested())
    throw RestoreError(
        "forces of contacts, links or dashpots move nodes without mass at once: reactions and forces of "
        "beams cannot be restored; "
        "give these nodes a mass, however small");
}

Restored collectRequestedFields(const H5File& from, const std::filesystem::path& result,
                                const RestoreRequest& request, RestoredNodes& nodes) {
  std::optional<DeckModel> model;
  const std::string deck = from.readText("/deck");
  const auto names = [&deck](std::string_view key) { return deck.find(key) != std::string::npos; };
  const bool mayShift =  // true if the coordinates may contain the motion of supports (support_shift.hpp)
      (from.exists("/contacts") || from.exists(contactTablePath(Mode::modal))) && names("supports");
  const bool pushed =
      from.hasAttribute("/transient/displacement", kBesideCoordinates) || names("static_correction");
  requireMotionFromCoordinates(from, request, nodes);
  if (request.absoluteMotion || request.reactions || request.beamForces.areRequested() || mayShift || pushed)
    model = readModelOfResult(from, result);
  const bool shifts = model && hasMovingSupports(model->study);
  if (shifts && request.reactions)
    throw RestoreError("reactions are not supported yet where contacts see supports move");
  if (request.absoluteMotion && model->study.baseMotions.empty())
    throw RestoreError(fmt::format("{}: no base moves: there is no absolute motion", result.string()));
  if (request.reactions && doContactsLoadFixedRotations(nodes, model->study)) nodes.rotations = true;
  const RowMajor shapes = request.fields.empty() ? RowMajor{} : modeShapesAtNodes(from, nodes);
  Restored restored;
  restored.fields = restoredKinematicFields(nodes, shapes, request,
                                            request.absoluteMotion || shifts || pushed ? &*model : nullptr);
  if (request.reactions)
    restored.fields.push_back(reactionField(from, nodes, model->study, model->physical, model->imposed));
  if (request.beamForces.areRequested())
    restored.beams.emplace(from, model->study, model->physical, model->imposed, request.beams,
                           request.beamForces);
  return restored;
}

/// Writes the chosen instants, block by block.
void writeRestoredInstants(const H5File& from, const H5File& to, const RestoredNodes& nodes,
                           std::span<const double> archived, std::span<const std::size_t> rows,
                           const RestoreRequest& request, Restored& restored, RestoreSummary& summary) {
  GrowingDataset time = GrowingDataset::createNumbers(to, "/physical/time", {"s", "time"});
  to.makeDatasetScale("/physical/time", "time");
  createDatasets(to, nodes, restored.fields, request.absoluteMotion, rows.size());
  if (restored.beams) restored.beams->createBeamGroup(to, rows.size());
  std::size_t taken = 0;  // values of contacts and links per instant
  for (const RestoredField& field : restored.fields) taken += field.archivedValues;
  const std::size_t width = nodes.size() * nodes.componentCount() + from.rows("/modal/eigenvalue") +
                            (restored.beams ? restored.beams->valuesPerInstant() : 0) + taken;
  const std::size_t block = std::clamp<std::size_t>(kBlockValues / width, 1, rows.size());
  std::optional<Progress> progress;
  if (request.progress) progress.emplace("instants");
  for (std::size_t first = 0; first < rows.size() && !summary.interrupted; first += block) {
    const auto part = rows.subspan(first, std::min(block, rows.size() - first));
    std::vector<double> times;
    for (const std::size_t row : part) times.push_back(archived[row]);
    time.append(times.data(), times.size());
    appendRestoredInstants(from, part, times, restored);
    to.flush();
    summary.instants += part.size();
    if (progress)
      progress->updateProgress(static_cast<double>(summary.instants) / static_cast<double>(rows.size()),
                               static_cast<long long>(summary.instants));
    summary.interrupted = InterruptGuard::isStopRequested();
  }
  for (RestoredField& field : restored.fields) field.dataset.reset();
  if (restored.beams) restored.beams->close();
}

void writeRestoredFile(const H5File& from, const std::filesystem::path& partial, const RestoredNodes& nodes,
                       std::span<const double> archived, std::span<const std::size_t> rows,
                       const RestoreRequest& request, Restored& restored, RestoreSummary& summary) {
  const FinalName name(request.output);
  H5File to = createRestoredFile(partial);
  try {
    writeRestoredFileHeader(from, to, nodes, request.output);
    writeRestoredInstants(from, to, nodes, archived, rows, request, restored, summary);
    to.setAttribute("/", "status", summary.interrupted ? "failed" : "complete");
    if (summary.interrupted) to.setAttribute("/", "failure", "interrupted");
    name.renameToFinal(to, partial);
  } catch (const ResultError&) {
    for (RestoredField& field : restored.fields)
      // datasets must be closed before their file
      field.dataset.reset();
    restored.beams.reset();
    throw;
  }
}

}  // namespace

RestoreSummary restoreHistoriesOfResult(const std::filesystem::path& result, const RestoreRequest& request) {
  const InterruptGuard guard;
  const H5File from = openRequestedResult(result);
  requireCreatableFile(request.output);
  if (!from.exists("/transient/time") || !from.exists("/modal/shapes"))
    throw RestoreError(fmt::format("{}: holds no run in generalized coordinates", result.string()));
  const std::vector<InputFile> inputs = inputFilesOf(result);
  if (request.xdmf) requireXdmfMayBeWritten(request.output, request.force, inputs);
  requireWritableResult(request.output, inputs, request.force);
  if (!request.beams.empty() && !request.beamForces.areRequested())
    throw RestoreError("--beams: no field of beams was asked for: --fields beam_force, beam_elastic_force");
  RestoredNodes nodes = findNodesByName(from, request.nodes);
  const std::vector<double> archived = from.read("/transient/time", {kAny}).values;
  if (indexOfFirstNonFinite(archived) || !std::ranges::is_sorted(archived))
    throw RestoreError(fmt::format(
        "{}: its instants are no increasing numbers: it is damaged, or was changed", result.string()));
  const std::vector<std::size_t> rows = requestedRows(archived, request);
  if (rows.empty()) throw RestoreError(noArchivedInstantText(archived, result));
  Restored restored = collectRequestedFields(from, result, request, nodes);
  if (restored.fields.empty() && !restored.beams) throw RestoreError("no field was asked for");

  RestoreSummary summary{nodes.size(), 0, false};
  const std::filesystem::path partial = temporaryNameOfResult(request.output);
  try {
    writeRestoredFile(from, partial, nodes, archived, rows, request, restored, summary);
  } catch (const ResultError& error) {
    removeTemporaryFiles(partial);
    if (std::string_view(error.what()).starts_with(from.name() + ":")) throw;  // the deck could not be read
    throw std::runtime_error(fmt::format("{}: could not be written: is the disk full? ({})",
                                         request.output.string(), error.what()));
  }
  if (request.xdmf) writeXdmf(request.output);
  return summary;
}

}  // namespace ricochet
