#include "io/prepare/restart.hpp"

#include "io/archive/result_format.hpp"
#include "io/archive/result_names.hpp"
#include "io/archive/version.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/prepare/support_shift.hpp"
#include "modal/projection.hpp"
#include "modal/solvers/symmetric_factor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <variant>

namespace ricochet {
namespace {

[[noreturn]] void refuse(const Study& study, std::string_view why) {
  throw InputError(study.restart->where, "initial.restart",
                   fmt::format("\"{}\" {}", study.restart->file.filename().string(), why));
}

/// Nodes, their places and dofs: what makes fields of two models comparable.
void requireSameNodes(const H5File& file, const Study& study, const PhysicalModel& physical) {
  const std::vector<std::string> names = file.readStrings("/model/nodes/name");
  const std::vector<double> positions = file.read("/model/nodes/position", {names.size(), 3}).values;
  if (names.size() != study.nodes.size())
    refuse(study, fmt::format("is of another model: it has {} nodes, this deck {}", names.size(),
                              study.nodes.size()));
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] != study.nodes[i].name)
      refuse(study, fmt::format("is of another model: its node \"{}\" stands where this deck has \"{}\"",
                                names[i], study.nodes[i].name));
    for (int c = 0; c < 3; ++c)
      if (positions[3 * i + static_cast<std::size_t>(c)] != physical.positions[i][c])
        refuse(study, fmt::format("is of another model: its node \"{}\" is at another place", names[i]));
  }
  const std::vector<std::int32_t> nodes = file.read<std::int32_t>("/model/dofs/node", {kAny}).values;
  const std::vector<std::string> components = file.readStrings("/model/dofs/component");
  bool same = static_cast<int>(nodes.size()) == physical.dofs.fullSize() && components.size() == nodes.size();
  for (int i = 0; same && i < physical.dofs.fullSize(); ++i) {
    const Dof dof = physical.dofs.dof(DofIndex{i});
    const auto index = static_cast<std::size_t>(i);
    same = nodes[index] == dof.node.value && components[index] == name(dof.component);
  }
  if (!same) refuse(study, "is of another model: its nodes have other degrees of freedom");
}

/// Coordinates of the earlier run at the instant asked for.
struct Coordinates {
  std::vector<double> q, v;
};
Coordinates coordinatesOf(const H5File& file, const Study& study, Mode mode) {
  const std::string root(rootOf(mode));
  if (!study.restart->row)
    return {file.read(root + "/restart/displacement", {kAny}).values,
            file.read(root + "/restart/velocity", {kAny}).values};
  if (mode == Mode::direct)
    refuse(study,
           "is of a direct run, which keeps its whole state at its end only: leave out `restart_time`");
  return {file.readRows("/transient/displacement", *study.restart->row, 1, {kAny}).values,
          file.readRows("/transient/velocity", *study.restart->row, 1, {kAny}).values};
}

Vector vectorOf(const std::vector<double>& values, Eigen::Index size) {
  return Eigen::Map<const Vector>(values.data(), std::min(size, static_cast<Eigen::Index>(values.size())));
}

/// The basis of a result, as far as fields need it.
struct EarlierBasis {
  Matrix shapes;
  Vector eigenvalue;
};
EarlierBasis basisOf(const H5File& file) {
  const H5Array<double> shapes = file.read("/modal/shapes", {kAny, kAny});
  const auto rows = static_cast<Eigen::Index>(shapes.shape[0]),
             columns = static_cast<Eigen::Index>(shapes.shape[1]);
  const std::vector<double> eigenvalue = file.read("/modal/eigenvalue", {shapes.shape[1]}).values;
  return {Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
              shapes.values.data(), rows, columns),
          Eigen::Map<const Vector>(eigenvalue.data(), columns)};
}

bool isSame(const EarlierBasis& earlier, const ModalBasis& basis) {
  return earlier.shapes.rows() == basis.shapes.rows() && earlier.shapes.cols() == basis.shapes.cols() &&
         earlier.shapes == basis.shapes && earlier.eigenvalue == basis.eigenvalue;
}

/// Part of a field, in the mass norm, that coordinates do not hold.
double projectDirect(const Simulation& simulation, const Vector& field, Vector& target) {
  const SparseMatrix& mass = simulation.physical.fullMass;
  const SparseMatrix toDofs = simulation.toDofs;
  const auto own = factorize(SparseMatrix(toDofs.transpose() * mass * toDofs), 0.0);
  if (!own) throw std::runtime_error("the mass matrix is singular");
  Vector found = toDofs.transpose() * (mass * field);
  own->solve(found);
  target.head(simulation.size()) = found;
  const Vector missing = field - toDofs * found;
  const double whole = field.dot(mass * field);
  return whole > 0.0 ? std::sqrt(std::max(0.0, missing.dot(mass * missing)) / whole) : 0.0;
}

double projectInto(const Simulation& simulation, const Vector& field, Vector& target) {
  if (simulation.mode == Mode::direct) return projectDirect(simulation, field, target);
  const ProjectedField projected = projectField(simulation.basis, simulation.physical, field);
  target.head(simulation.size()) = projected.coordinates;
  return projected.remainder;
}

void takeFields(const H5File& file, const Study& study, Simulation& simulation) {
  const Coordinates earlier = coordinatesOf(file, study, Mode::modal);
  const EarlierBasis basis = basisOf(file);
  State& initial = simulation.initial;
  if (simulation.mode == Mode::modal && isSame(basis, simulation.basis) &&
      static_cast<Eigen::Index>(std::min(earlier.q.size(), earlier.v.size())) >= simulation.size()) {
    initial.q.head(simulation.size()) = vectorOf(earlier.q, simulation.size());
    initial.v.head(simulation.size()) = vectorOf(earlier.v, simulation.size());
    return;
  }
  const Eigen::Index modes = basis.shapes.cols();
  const bool fits = basis.shapes.rows() == simulation.physical.dofs.fullSize() &&
                    static_cast<Eigen::Index>(std::min(earlier.q.size(), earlier.v.size())) >= modes;
  if (!fits) refuse(study, "is damaged, or was changed: its state is not as long as its basis is wide");
  const double q = projectInto(simulation, basis.shapes * vectorOf(earlier.q, modes), initial.q);
  const double v = projectInto(simulation, basis.shapes * vectorOf(earlier.v, modes), initial.v);
  simulation.choices.push_back(fmt::format(
      "initial.restart: projected by mass, as {}; {:.2g} of the displacement and {:.2g} of the "
      "velocity are left out",
      simulation.mode == Mode::direct ? "the earlier run is a modal one" : "the basis is another", q, v));
  constexpr double kNoticeable = 1e-6;
  if (std::max(q, v) > kNoticeable)
    simulation.warnings.push_back(
        fmt::format("the basis holds the state to go on from only to {:.2g} of its size", std::max(q, v)));
}

void takeDirect(const H5File& file, const Study& study, Simulation& simulation) {
  const Coordinates earlier = coordinatesOf(file, study, Mode::direct);
  if (static_cast<Eigen::Index>(earlier.q.size()) != simulation.initial.q.size() ||
      earlier.v.size() != earlier.q.size())
    refuse(study, "is of another model: other degrees of freedom have mass");
  simulation.initial.q = vectorOf(earlier.q, simulation.initial.q.size());
  simulation.initial.v = vectorOf(earlier.v, simulation.initial.v.size());
}

/// Where the earlier run is in its file.
Mode modeOf(const H5File& file, const Study& study, Mode wanted) {
  if (file.exists(std::string(rootOf(wanted)) + "/restart")) return wanted;
  if (wanted == Mode::modal)
    refuse(study, "is of a direct run, which has no modes: go on with --mode direct");
  return Mode::modal;
}

std::vector<std::byte> bytesOf(const H5File& file, const std::string& path) {
  if (!file.exists(path)) return {};
  const std::vector<std::uint8_t> values = file.read<std::uint8_t>(path, {kAny}).values;
  std::vector<std::byte> bytes(values.size());
  std::transform(values.begin(), values.end(), bytes.begin(),
                 [](std::uint8_t each) { return std::byte{each}; });
  return bytes;
}

std::vector<std::string> listOf(const H5File& file, const std::string& path) {
  return file.exists(path) ? file.readStrings(path) : std::vector<std::string>{};
}

void requireSameLaws(const Study& study, std::string_view what, const std::vector<std::string>& earlier,
                     const std::vector<std::string>& own) {
  if (earlier == own) return;
  refuse(study,
         fmt::format("is of a run with other {}, which cannot go on with what they remember: it has {}; this "
                     "deck has {}",
                     what, earlier.empty() ? "none" : fmt::format("{}", fmt::join(earlier, "; ")),
                     own.empty() ? "none" : fmt::format("{}", fmt::join(own, "; "))));
}

/// ContactPhase of a contact in the archived row to go on from; 0, open, where none is kept.
std::int8_t phaseInRow(const H5File& file, const Study& study, std::size_t contact) {
  const bool inTable = file.exists(contactTable(Mode::modal));
  const std::string path =
      (inTable ? contactTable(Mode::modal) : contactGroup(study.contacts[contact].name)) + "/state";
  if (!file.exists(path)) return 0;
  const H5Shape row = inTable ? H5Shape{study.contacts.size()} : H5Shape{};
  return file.readRows<std::int8_t>(path, *study.restart->row, 1, row).values[inTable ? contact : 0];
}

/// An archived row shows what contacts and links do, not all that they remember.
void requireForgetful(const H5File& file, const Study& study, const Simulation& simulation) {
  for (std::size_t i = 0; i < study.contacts.size(); ++i) {
    if (!simulation.contacts().hasTraction(static_cast<int>(i))) continue;
    if (phaseInRow(file, study, i) == 0) continue;
    refuse(
        study,
        fmt::format("keeps what friction remembers at its end only, and contact \"{}\" touches at {:.9g} s: "
                    "take an instant at which it is open, or run up to this one",
                    study.contacts[i].name, study.restart->time));
  }
  for (const LinkRequest& link : study.links)
    if (std::visit([]<class L>(const L&) { return !L::variables().empty(); }, link.law))
      refuse(
          study,
          fmt::format("keeps what link \"{}\" remembers at its end only: leave out `restart_time`, or run up "
                      "to {:.9g} s",
                      link.name, study.restart->time));
}

bool sameBits(const H5File& file, const std::string& object, std::string_view name, double value) {
  return std::bit_cast<std::uint64_t>(file.numberAttribute(object, name)) ==
         std::bit_cast<std::uint64_t>(value);
}

/// Whether the run is the earlier one going on: then it takes what the scheme carried too.
bool isTheSameRun(const H5File& file, const std::string& group, const Study& study,
                  const Simulation& simulation) {
  if (!study.spins.empty()) return false;  // their matrices are those at the start
  if (simulation.mode == Mode::modal && !isSame(basisOf(file), simulation.basis)) return false;
  return file.exists(group + "/stepping") && file.stringAttribute(group, "scheme") == simulation.scheme &&
         sameBits(file, group, "step", simulation.step) &&
         sameBits(file, group, "time", study.transient->start) &&
         file.stringAttribute(group, "motion_sha256") == motionDigest(study);
}

}  // namespace

void restartState(const Study& study, Simulation& simulation) {
  const H5File file = openResult(study.restart->file);
  requireSameNodes(file, study, simulation.physical);
  simulation.initial = State(simulation.size());
  const Mode mode = modeOf(file, study, simulation.mode);
  const std::string group = std::string(rootOf(mode)) + "/restart";
  const bool inSpace = file.stringAttribute(group, "coordinates") == "of the motion in space";
  if (inSpace != seesSupportsMove(study))
    refuse(study,
           inSpace
               ? "has contacts beside supports that move, and its coordinates are of the motion in space; "
                 "those of this deck are relative to the supports"
               : "has coordinates relative to its supports; those of this deck, which has contacts beside "
                 "supports that move, are of the motion in space");
  if (mode == Mode::modal)
    takeFields(file, study, simulation);
  else
    takeDirect(file, study, simulation);
  simulation.initial.time = study.transient ? study.transient->start : 0.0;
  simulation.choices.push_back(fmt::format("starts from {} at {:.9g} s",
                                           study.restart->file.filename().string(), study.restart->time));
}

void restartMemory(const Study& study, Simulation& simulation) {
  const H5File file = openResult(study.restart->file);
  const Mode mode = modeOf(file, study, simulation.mode);
  const std::string group = std::string(rootOf(mode)) + "/restart";
  if (study.restart->row) return requireForgetful(file, study, simulation);
  const bool sameVersion = file.stringAttribute("/", "software_version") == kVersion;
  const std::vector<std::string> contacts = contactKinds(study), links = linkKinds(study);
  const std::vector<std::string> earlier = listOf(file, group + "/contact_law");
  const std::vector<std::string> earlierLinks = listOf(file, group + "/link_law");
  auto restart = std::make_shared<Restart>();
  const bool knows = !earlier.empty() || !earlierLinks.empty();
  if (knows && !(contacts.empty() && links.empty())) {
    requireSameLaws(study, "contacts", earlier, contacts);
    requireSameLaws(study, "links", earlierLinks, links);
    if (!sameVersion)
      refuse(
          study,
          fmt::format("was written by version {} of the program, whose memory of contacts and links version "
                      "{} does not read: run it again",
                      file.stringAttribute("/", "software_version"), kVersion));
    const std::vector<std::byte> bytes = bytesOf(file, group + "/memory");
    try {
      CheckpointReader reader(bytes);
      reader(restart->memory.emplace(simulation.contacts(), simulation.links()));
    } catch (const CheckpointError&) {
      refuse(study, "is of contacts or links with other points or tables than those of this deck");
    }
  }
  if (mode == simulation.mode && sameVersion && isTheSameRun(file, group, study, simulation))
    restart->stepping = bytesOf(file, group + "/stepping");
  restart->step = simulation.step;
  simulation.restart = std::move(restart);
}

}  // namespace ricochet
