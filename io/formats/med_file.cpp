// Reads MED 3 and 4, the format of Salome and Code_Aster: an HDF5 file. Coordinates and connectivities are
// stored component by component.

#include "io/formats/mesh_formats.hpp"
#include "io/hdf5/hdf5_names.hpp"
#include "io/text/text_lines.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

namespace ricochet {
namespace {

[[noreturn]] void throwMedError(const std::string& what) { throw MeshFault(0, what); }

/// Name of the only member of a group; throws if there are several.
std::string nameOfOnlyGroupMember(const H5File& file, const std::string& group, const char* what) {
  const std::vector<std::string> members =
      file.exists(group) ? file.namesOfGroupMembers(group) : std::vector<std::string>{};
  if (members.size() != 1)
    throwMedError(fmt::format("must hold one {}, holds {}{}{}", what, members.size(),
                              members.empty() ? "" : ": ", fmt::join(members, ", ")));
  return group + "/" + members.front();
}

class MedReader {
 public:
  MedReader(const H5File& file, LineMesh& mesh) : file_(file), mesh_(mesh) {}

  void readMedMesh() {
    requireMedVersion();
    const std::string named = nameOfOnlyGroupMember(file_, "/ENS_MAA", "mesh");
    const std::string step = nameOfOnlyGroupMember(file_, named, "state of its mesh");
    const std::string families = "/FAS" + named.substr(named.rfind('/'));
    readNodes(step + "/NOE", file_.integerAttribute(named, "ESP"));
    readMedFamilies(families + "/NOEUD");
    const std::vector<std::int64_t> ofNodes = readFamiliesOfGroup(step + "/NOE", mesh_.nodes.size());
    for (std::size_t i = 0; i < ofNodes.size(); ++i) addGroupMember(0, ofNodes[i], static_cast<int>(i));
    names_.clear();
    readMedFamilies(families + "/ELEME");
    const std::string cells = step + "/MAI";
    if (!file_.exists(cells)) return;
    for (const std::string& kind : file_.namesOfGroupMembers(cells)) readMedCells(cells + "/" + kind, kind);
  }

 private:
  /// Throws unless the version is at least 3, the first with states below the name of a mesh.
  void requireMedVersion() {
    const std::string place = "/INFOS_GENERALES";
    if (!file_.exists(place)) return;
    const std::int64_t major = file_.integerAttribute(place, "MAJ");
    if (major < 3)
      throwMedError(fmt::format(
          "is MED {}.{}, which is not read: 3 and 4 are; medimport of the MED library, or a newer "
          "Salome, writes it as such",
          major, file_.integerAttribute(place, "MIN")));
  }

  void readNodes(const std::string& group, std::int64_t dimension) {
    if (dimension < 1 || dimension > 3) throwMedError(fmt::format("the space has {} dimensions", dimension));
    const std::vector<double> x = file_.read(group + "/COO", {kAny}).values;
    const auto axes = static_cast<std::size_t>(dimension);
    if (x.size() % axes != 0) throwMedError("the coordinates are incomplete");
    const std::size_t count = x.size() / axes;
    for (std::size_t i = 0; i < count; ++i) {
      LineMesh::Node& node = mesh_.nodes.emplace_back();
      node.tag = static_cast<std::int64_t>(i) + 1;
      for (std::size_t c = 0; c < axes; ++c) node.position[static_cast<Eigen::Index>(c)] = x[c * count + i];
      if (!(node.position.cwiseAbs().maxCoeff() <= kLargestNumber))
        throwMedError(fmt::format("the place of node {} is not finite, or more than 1e100", node.tag));
    }
  }

  /// Reads the names of the groups to which each family belongs, by family number.
  void readMedFamilies(const std::string& group) {
    if (!file_.exists(group)) return;
    for (const std::string& family : file_.namesOfGroupMembers(group)) {
      const std::string path = group + "/" + family;
      if (!file_.exists(path + "/GRO/NOM")) continue;
      names_[file_.integerAttribute(path, "NUM")] = readNamesOfByteArrays(file_, path + "/GRO/NOM");
    }
  }

  std::vector<std::int64_t> readFamiliesOfGroup(const std::string& group, std::size_t size) {
    if (!file_.exists(group + "/FAM")) return {};  // all objects are in family 0, which has no group
    std::vector<std::int64_t> families = file_.read<std::int64_t>(group + "/FAM", {kAny}).values;
    if (families.size() != size) throwMedError(fmt::format("{}/FAM must have {} values", group, size));
    return families;
  }

  /// Reads cells of one geometry: SE2 and similar are lines, PO1 points, by their number of nodes.
  void readMedCells(const std::string& path, const std::string& kind) {
    if (!file_.exists(path + "/NOD")) return;
    const bool line = kind.starts_with("SE"), point = kind == "PO1";
    const std::int64_t number = file_.integerAttribute(path + "/NOD", "NBR");
    if (number < 0) throwMedError(fmt::format("{}/NOD has {} cells", path, number));
    const auto count = static_cast<std::size_t>(number);
    if (!line && !point) {
      mesh_.others += count;
      return;
    }
    const std::vector<std::int64_t> nodes = file_.read<std::int64_t>(path + "/NOD", {kAny}).values;
    if (count == 0 || nodes.size() % count != 0 || nodes.size() / count < (line ? 2U : 1U))
      throwMedError(path + "/NOD is incomplete");
    const std::vector<std::int64_t> families = readFamiliesOfGroup(path, count);
    for (std::size_t i = 0; i < count; ++i) {
      const int first = indexOfNodeNumber(nodes[i]);
      int member = first;
      if (line) {
        member = static_cast<int>(mesh_.lines.size());
        mesh_.lines.push_back({static_cast<std::int64_t>(mesh_.lines.size()) + 1, first,
                               indexOfNodeNumber(nodes[count + i]), static_cast<int>(nodes.size() / count)});
      }
      if (!families.empty()) addGroupMember(line ? 1 : 0, families[i], member);
    }
  }

  int indexOfNodeNumber(std::int64_t number) const {
    if (number < 1 || static_cast<std::size_t>(number) > mesh_.nodes.size())
      throwMedError(fmt::format("an element has the node {}, which is none", number));
    return static_cast<int>(number - 1);
  }

  void addGroupMember(int dimension, std::int64_t family, int member) {
    const auto names = names_.find(family);
    if (names == names_.end()) return;
    for (const std::string& name : names->second) {
      const auto [place, isNew] = places_.try_emplace({dimension, name}, mesh_.groups.size());
      if (isNew) mesh_.groups.push_back({dimension, 0, name, {}});
      mesh_.groups[place->second].members.push_back(member);
    }
  }

  const H5File& file_;
  LineMesh& mesh_;
  std::map<std::int64_t, std::vector<std::string>> names_;
  std::map<std::pair<int, std::string>, std::size_t> places_;  // indices of the groups
};

}  // namespace

void readMedFile(const std::filesystem::path& path, LineMesh& mesh) {
  const H5File file = H5File::open(path);
  MedReader(file, mesh).readMedMesh();
}

}  // namespace ricochet
