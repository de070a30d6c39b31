// Writes the final state of a run, from which another run can start.

#include "engine/study/study_links.hpp"
#include "engine/study/support_shift.hpp"
#include "io/archive/packed_bytes.hpp"
#include "io/archive/result_names.hpp"
#include "io/archive/version.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/prepare/restart.hpp"
#include "io/result/result_links.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <string_view>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> namesOfContactMemory() {
  return {"gap",
          "gap_rate",
          "side",
          "compression",
          "imposed",
          "position_1",
          "position_2",
          "slip_rate_1",
          "slip_rate_2",
          "traction_1",
          "traction_2",
          "stored_normal",
          "stored_tangential",
          "normal_state",
          "anchor_force_1",
          "anchor_force_2",
          "anchor_position_1",
          "anchor_position_2",
          "direction_1",
          "direction_2",
          "slipping",
          "approach"};
}

/// Internal variables of the contacts, one row each.
std::vector<double> contactMemoryRows(const RunMemory& memory) {
  std::vector<double> rows;
  for (const ContactState& c : memory.contacts) {
    const FrictionMemory<double>& f = c.friction;
    rows.insert(rows.end(), {c.gap,
                             c.gapRate,
                             c.side,
                             c.compression,
                             c.imposed,
                             c.position.first,
                             c.position.second,
                             c.slipRate.first,
                             c.slipRate.second,
                             c.traction.first,
                             c.traction.second,
                             c.storedNormal,
                             c.storedTangential,
                             static_cast<double>(c.normal),
                             f.anchorForce.first,
                             f.anchorForce.second,
                             f.anchorPosition.first,
                             f.anchorPosition.second,
                             f.direction.first,
                             f.direction.second,
                             f.slipping ? 1.0 : 0.0,
                             c.approach});
  }
  return rows;
}

/// Writes the further internal variables of contact areas, one row per contact, and the points of all areas.
void writeContactAreas(const H5File& file, const std::string& group, const ContactSet& set,
                       const ContactAreas& areas) {
  if (areas.empty()) return;
  const std::vector<std::string> columns{"spin",           "spin_rate",     "spin_moment", "anchor_force_1",
                                         "anchor_force_2", "anchor_moment", "anchor_1",    "anchor_2",
                                         "anchor_spin",    "slip_speed",    "slipping",    "yielding"};
  std::vector<double> rows, points;
  const auto count = static_cast<std::size_t>(set.size());
  for (std::size_t i = 0; i < count; ++i) {
    const bool isArea = set.isArea(static_cast<int>(i));
    const AreaState state = isArea ? areas.state(i, 0) : AreaState{};
    const AreaMemory& m = state.memory;
    rows.insert(rows.end(), {state.spin, state.spinRate, state.moment, m.wrench.force.first,
                             m.wrench.force.second, m.wrench.moment, m.position.first, m.position.second,
                             m.spin, m.slipSpeed, m.slipping ? 1.0 : 0.0, m.yielding ? 1.0 : 0.0});
    if (!isArea) continue;
    for (const Bristle& each : areas.bristles(i, 0))
      points.insert(points.end(), {each.force.first, each.force.second, each.slipping ? 1.0 : 0.0,
                                   each.held.first, each.held.second});
  }
  file.write(group + "/areas", {count, columns.size()}, rows,
             {"1", "memory of each contact's area, SI units, columns as in the attribute"});
  file.setAttribute(group + "/areas", "columns", std::span<const std::string>(columns));
  labelAxes(file, group + "/areas", {{"contact"}, {"area_column", "what is remembered", columns}});
  if (points.empty()) return;
  constexpr std::size_t kColumns = 5;
  file.write(group + "/bristles", {points.size() / kColumns, kColumns}, points,
             {"1",
              "of every point, contact after contact: force of its spring where it was hooked, along both "
              "tangents [N]; slipping; its whole force [N]"});
  labelAxes(file, group + "/bristles",
            {{"point", "number of the point"}, {"bristle_column", "number of the value"}});
}

void writeCoordinates(const H5File& file, const std::string& group, bool modal, const State& s) {
  const auto write = [&](std::string_view what, std::string_view unit, const Vector& field) {
    const std::string path = fmt::format("{}/{}", group, what);
    file.write(path, {static_cast<std::size_t>(field.size())},
               std::vector<double>(field.begin(), field.end()),
               modal ? Meaning{fmt::format("kg^0.5 {}", unit), fmt::format("generalized {}, padded", what)}
                     : Meaning{std::string(unit), fmt::format("{} of the dofs with mass, padded", what)});
    labelAxes(file, path, {{"coordinate", "number of the coordinate"}});
  };
  write("displacement", "m", s.q);
  write("velocity", "m/s", s.v);
  write("acceleration", "m/s^2", s.a);
}

/// Writes packed bytes as a dataset that is its own axis: no other dataset shares its length.
void writePackedBytes(const H5File& file, const std::string& group, const std::string& name,
                      std::span<const std::byte> bytes, const std::string& meaning) {
  const std::vector<std::uint8_t> values = compressBytes(bytes);
  const std::string path = fmt::format("{}/{}", group, name);
  file.write(path, {values.size()}, values, {"1", meaning});
  labelAxes(file, path, {{name}});
}

/// Writes the displacement of all dofs, dependent ones left out, from which dashpots on dofs without inertia
/// of a later run take their lengths.
void writeDashpotField(const H5File& file, const std::string& group, const Deck& study,
                       const Simulation& simulation, const State& s, const RunMemory& memory) {
  const DofMap& dofs = simulation.physical.dofs;
  const Vector moved = displacementWithDashpotLengths(study, simulation, s.q, memory.links);
  std::vector<double> field(static_cast<std::size_t>(dofs.totalDofCount()), 0.0);
  for (std::size_t i = 0; i < dofs.independentDofs().size(); ++i)
    field[static_cast<std::size_t>(dofs.independentDofs()[i].value)] = moved[static_cast<Eigen::Index>(i)];
  const std::string path = group + kDashpotField;
  file.write(path, {field.size()}, field,
             {"m", "displacement of the independent dofs at the lengths of dashpots without mass at an end"});
  labelAxes(file, path, {{"dof", "index of the dof, from 0"}});
}

}  // namespace

void writeRestartState(const H5File& file, const Deck& study, const Simulation& simulation, const State& s,
                       const RunMemory& memory, std::span<const std::byte> stepping) {
  const std::string group = fmt::format("{}/restart", runGroupPrefix(simulation.mode));
  file.createGroup(group);
  file.setAttribute(group, "time", s.time);
  file.setAttribute(group, "coordinates", hasMovingSupports(study) ? "of the motion in space" : "relative");
  file.setAttribute(group, "scheme", simulation.scheme);
  file.setAttribute(group, "step", simulation.step);
  file.setAttribute(group, "motion_sha256", motionDigest(study));
  writeCoordinates(file, group, simulation.mode == Mode::modal, s);
  if (!stepping.empty())
    writePackedBytes(file, group, "stepping", stepping,
                     "what the scheme carries, as the program keeps it, packed");

  if (simulation.physical.masslessDashpots.cols() > 0)
    writeDashpotField(file, group, study, simulation, s, memory);
  std::vector<std::byte> bytes;
  RunMemory kept = memory;
  if (!study.contacts.empty() || !kept.links.empty())
    writePackedBytes(file, group, "memory", writeCheckpointTo(bytes, [&](auto& archive) { archive(kept); }),
                     "what contacts and links remember, as the program keeps it, packed");
  if (!kept.links.empty()) {
    const std::vector<std::string> kinds = namesAndLawsOfLinks(study, simulation);
    file.writeStrings(group + "/link_law", kinds, {"1", "name and law of each link"});
    writeLinkMemory(file, group, memory.links);
    labelAxes(file, group + "/link_law", {{"link"}});
  }
  if (study.contacts.empty()) return;
  const std::vector<std::string> kinds = namesAndLawsOfContacts(study), columns = namesOfContactMemory();
  file.writeStrings(group + "/contact_law", kinds, {"1", "name, obstacle and laws of each contact"});
  labelAxes(file, group + "/contact_law", {{"contact", "number of the contact"}});
  file.write(group + "/contacts", {memory.contacts.size(), columns.size()}, contactMemoryRows(memory),
             {"1", "memory of each contact, SI units, columns as in the attribute"});
  file.setAttribute(group + "/contacts", "columns", std::span<const std::string>(columns));
  labelAxes(file, group + "/contacts",
            {{"contact", "number of the contact"}, {"column", "what is remembered", columns}});
  writeContactAreas(file, group, simulation.contacts(), memory.areas);
}

}  // namespace ricochet
