// Reads MSH 2.2 and 4.1, the formats of gmsh. Text and binary files have the same order of fields.

#include "io/formats/mesh_formats.hpp"
#include "io/text/text_lines.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <unordered_map>
#include <utility>

namespace ricochet {
namespace {

constexpr int kPoint = 15;

/// Number of nodes of an element, by its type in the file; 0 for an unknown type. "Node ordering" of the
/// manual.
int nodeCountOfElement(int type) {
  static constexpr std::array<int, 32> kNodes{0, 2,  3,  4,  4, 8,  6,  5,  3,  6,  9, 10, 27, 18, 14, 1,
                                              8, 20, 15, 13, 9, 10, 12, 15, 15, 21, 4, 5,  6,  20, 35, 56};
  if (type > 0 && type < static_cast<int>(kNodes.size())) return kNodes[static_cast<std::size_t>(type)];
  if (type == 62) return 7;
  if (type == 92) return 64;
  if (type == 93) return 125;
  return 0;
}

/// True for lines of order 1 to 6.
bool isLineElementType(int type) {
  return type == 1 || type == 8 || (type >= 26 && type <= 28) || type == 62;
}

class MshReader {
 public:
  MshReader(MshCursor& cursor, LineMesh& mesh) : cursor_(cursor), mesh_(mesh) {}

  void readMshMesh() {
    readMshFormat();
    while (!cursor_.atEnd()) readMshSection(cursor_.readWord());
    if (!nodesRead_) cursor_.throwMeshFault("the file has no $Nodes");
    if (!elementsRead_) cursor_.throwMeshFault("the file has no $Elements");
    for (LineMesh::Group& group : mesh_.groups) {
      if (group.dimension > 0) continue;
      std::sort(group.members.begin(), group.members.end());
      group.members.erase(std::unique(group.members.begin(), group.members.end()), group.members.end());
    }
  }

 private:
  void readMshFormat() {
    cursor_.requireWord("$MeshFormat");
    const std::string_view version = cursor_.readWord();
    static constexpr std::string_view kOld[] = {"2", "2.0", "2.1", "2.2"};
    const bool isOld = std::find(std::begin(kOld), std::end(kOld), version) != std::end(kOld);
    if (!isOld && version != "4.1")
      cursor_.throwMeshFault(
          fmt::format("MSH {} is not read: 2.0 to 2.2 and 4.1 are; `gmsh FILE -save -format msh41 -o "
                      "FILE.msh` writes 4.1",
                      printableExcerpt(version)));
    new_ = !isOld;
    const std::int64_t binary = cursor_.readIntegerText();
    if (binary != 0 && binary != 1) cursor_.throwMeshFault("must be 0 (text) or 1 (binary)");
    if (cursor_.readIntegerText() != 8) cursor_.throwMeshFault("numbers must be of 8 bytes");
    cursor_.skipLine();
    cursor_.readBinaryMark(binary == 1);
    if (binary == 1 && cursor_.readInteger() != 1)
      cursor_.throwMeshFault("the file comes from a machine with another byte order");
    cursor_.requireWord("$EndMeshFormat");
  }

  void readMshSection(std::string_view word) {
    if (!word.starts_with('$')) cursor_.throwMeshFault("must be a section ($Nodes, $Elements ...)");
    const std::string name(word.substr(1));
    cursor_.skipLine();
    if (name == "PartitionedEntities")
      cursor_.throwMeshFault("a partitioned mesh is not read: save it in one part");
    if (name == "PhysicalNames")
      readPhysicalGroupNames();
    else if (name == "Entities" && new_)
      readGeometryEntities();
    else if (name == "Nodes")
      new_ ? readNodeBlocks() : readNodeList();
    else if (name == "Elements")
      new_ ? readElementBlocks() : readElementList();
    else
      return cursor_.skipSection(name);
    cursor_.requireWord("$End" + name);
  }

  void readPhysicalGroupNames() {  // names are text also in a binary file
    const std::int64_t said = cursor_.readIntegerText();
    for (std::int64_t i = 0; i < said; ++i) {
      const int first = cursor_.readInteger(MshCursor::Form::text);
      if (cursor_.isNextCharacterQuote()) {  // MSH 2.0: one name for the groups with this number, of any
                                             // dimension
        namesOfTags_[first] = cursor_.readQuotedText();
      } else {
        if (first < 0 || first > 3) cursor_.throwMeshFault("the dimension must be 0 to 3");
        const int tag = cursor_.readInteger(MshCursor::Form::text);
        mesh_.groups[indexOfPhysicalGroup(first, tag)].name = cursor_.readQuotedText();
      }
      cursor_.skipLine();  // skips data that other programs append to the name
    }
  }

  /// Reads the physical groups of each entity of the geometry.
  void readGeometryEntities() {
    std::array<std::size_t, 4> counts{};
    for (std::size_t& n : counts) n = cursor_.requireRemainingBytes(cursor_.size(), 4);
    for (int dimension = 0; dimension < 4; ++dimension)
      for (std::size_t i = 0; i < counts[static_cast<std::size_t>(dimension)]; ++i) {
        const int tag = cursor_.readInteger();
        for (int c = 0; c < (dimension == 0 ? 3 : 6); ++c)
          // skips the position or the bounding box
          cursor_.readReal();
        std::vector<int>& groups = groupsOfEntity_[{dimension, tag}];
        const std::size_t physical = cursor_.requireRemainingBytes(cursor_.size(), 4);
        for (std::size_t p = 0; p < physical; ++p) groups.push_back(cursor_.readInteger());
        if (dimension == 0) continue;
        const std::size_t bounds = cursor_.requireRemainingBytes(cursor_.size(), 4);
        for (std::size_t b = 0; b < bounds; ++b) cursor_.readInteger();
      }
  }

  void addNode(std::int64_t tag) {
    if (!places_.emplace(tag, static_cast<int>(mesh_.nodes.size())).second)
      cursor_.throwMeshFault(fmt::format("node {} is there twice", tag));
    mesh_.nodes.push_back({tag, Vec3::Zero()});
  }
  void readNodePosition(LineMesh::Node& node) {
    for (double& x : node.position) x = cursor_.readReal();
  }

  void readNodeList() {
    nodesRead_ = true;
    const std::size_t said = cursor_.requireRemainingBytes(cursor_.readIntegerText(), 28);
    cursor_.skipLine();
    for (std::size_t i = 0; i < said; ++i) {
      addNode(cursor_.readInteger());
      readNodePosition(mesh_.nodes.back());
    }
  }

  void readNodeBlocks() {
    nodesRead_ = true;
    const std::size_t blocks = cursor_.requireRemainingBytes(cursor_.size(), 20);
    for (int i = 0; i < 3; ++i) cursor_.size();  // skips number of nodes, lowest and highest tag
    for (std::size_t block = 0; block < blocks; ++block) {
      const int dimension = cursor_.readInteger();
      cursor_.readInteger();  // skips the tag of the entity
      const bool parametric = cursor_.readInteger() != 0;
      const std::size_t first = mesh_.nodes.size();
      const std::size_t said = cursor_.requireRemainingBytes(cursor_.size(), 32);
      for (std::size_t i = 0; i < said; ++i) addNode(cursor_.size());
      for (std::size_t i = first; i < first + said; ++i) {
        readNodePosition(mesh_.nodes[i]);
        for (int p = 0; parametric && p < dimension; ++p) cursor_.readReal();
      }
    }
  }

  int readNode() {
    const std::int64_t tag = new_ ? cursor_.size() : cursor_.readInteger();
    const auto found = places_.find(tag);
    if (found == places_.end())
      cursor_.throwMeshFault(fmt::format("an element has the node {}, which is none", tag));
    return found->second;
  }

  /// Reads the nodes of an element whose number has been read.
  void readMshElement(std::int64_t tag, int type, const std::vector<int>& physical) {
    const int size = nodeCountOfElement(type);
    if (type != kPoint && !isLineElementType(type)) {
      for (int i = 0; i < size; ++i) readNode();
      ++mesh_.others;
      return;
    }
    const int first = readNode();
    if (type == kPoint) {
      for (const int p : physical)
        mesh_.groups[indexOfPhysicalGroup(0, std::abs(p))].members.push_back(first);
      return;
    }
    const int second = readNode();
    for (int i = 2; i < size; ++i) readNode();
    // A group with a negative sign contains the line in reverse direction.
    const auto add = [&](bool backwards) {
      mesh_.lines.push_back({tag, backwards ? second : first, backwards ? first : second, size});
      return static_cast<int>(mesh_.lines.size()) - 1;
    };
    if (physical.empty()) add(false);
    for (const int p : physical) {
      const int line = add(p < 0);
      mesh_.groups[indexOfPhysicalGroup(1, std::abs(p))].members.push_back(line);
    }
  }

  void requireNodesOfElementType(int type) {
    if (!nodesRead_) cursor_.throwMeshFault("$Nodes must come before $Elements");
    elementsRead_ = true;
    if (nodeCountOfElement(type) == 0)
      cursor_.throwMeshFault(fmt::format("elements of type {} are not known", type));
  }

  void readElementList() {
    requireNodesOfElementType(kPoint);
    const std::size_t said = cursor_.requireRemainingBytes(cursor_.readIntegerText(), 4);
    cursor_.skipLine();
    std::vector<int> physical;
    for (std::size_t i = 0; i < said;) {
      // In a text file each element has its own header.
      std::int64_t tag = cursor_.isBinary() ? 0 : cursor_.readInteger();
      const int type = cursor_.readInteger();
      requireNodesOfElementType(type);
      const int following = cursor_.isBinary() ? cursor_.readInteger() : 1;
      const std::size_t tags = cursor_.requireRemainingBytes(cursor_.readInteger(), 4);
      if (following < 1) cursor_.throwMeshFault("a block must have elements");
      for (int k = 0; k < following; ++k, ++i) {
        if (cursor_.isBinary()) tag = cursor_.readInteger();
        physical.clear();
        for (std::size_t t = 0; t < tags; ++t)
          if (const int value = cursor_.readInteger(); t == 0 && value != 0) physical.push_back(value);
        readMshElement(tag, type, physical);
      }
    }
  }

  void readElementBlocks() {
    requireNodesOfElementType(kPoint);
    const std::size_t blocks = cursor_.requireRemainingBytes(cursor_.size(), 20);
    for (int i = 0; i < 3; ++i) cursor_.size();  // skips number of elements, lowest and highest tag
    for (std::size_t block = 0; block < blocks; ++block) {
      const int dimension = cursor_.readInteger();
      const int entity = cursor_.readInteger();
      const int type = cursor_.readInteger();
      requireNodesOfElementType(type);
      const std::vector<int>& physical = groupsOfEntity_[{dimension, entity}];
      const std::size_t said = cursor_.requireRemainingBytes(cursor_.size(), 16);
      for (std::size_t i = 0; i < said; ++i) {
        const std::int64_t tag = cursor_.size();
        readMshElement(tag, type, physical);
      }
    }
  }

  std::size_t indexOfPhysicalGroup(int dimension, int tag) {
    const auto [found, isNew] = placesOfGroups_.try_emplace({dimension, tag}, mesh_.groups.size());
    if (!isNew) return found->second;
    const auto name = namesOfTags_.find(tag);
    mesh_.groups.push_back({dimension, tag, name != namesOfTags_.end() ? name->second : std::string{}, {}});
    return found->second;
  }

  MshCursor& cursor_;
  LineMesh& mesh_;
  bool new_{true};  // true: version 4.1
  bool nodesRead_{false}, elementsRead_{false};
  std::unordered_map<std::int64_t, int> places_;  // indices of nodes by number
  std::map<std::pair<int, int>, std::vector<int>> groupsOfEntity_;
  std::map<std::pair<int, int>, std::size_t> placesOfGroups_;
  std::map<int, std::string> namesOfTags_;  // names of groups in MSH 2.0
};

}  // namespace

void readMshFile(MshCursor& cursor, LineMesh& mesh) { MshReader(cursor, mesh).readMshMesh(); }

}  // namespace ricochet
