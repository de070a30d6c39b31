#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/transient/run_interval.hpp"
#include "io/deck/bare_deck.hpp"
#include "io/toml/read_names.hpp"
#include "io/toml/section.hpp"

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

struct DeclaredMesh;

/// A function of the deck and the place of its table.
struct DeclaredFunction {
  TimeFunction function{TimeFunction::constant(0.0)};
  std::string path;
  /// Limit of the interval in which the function is defined [s]; empty: no limit.
  std::optional<double> first;
  std::optional<double> last;
  bool soughtPulses{false};    ///< a formula stops at the short pulses of the run, if it has any
  std::optional<double> pole;  ///< instant of the run at which a formula becomes infinite [s]
};

/// Common data of the readers of one deck: the study that they fill, the declared names, and the data against
/// which later parts are checked. An unknown name is reported once; the parts that depend on it are skipped.
class ReadContext {
 public:
  ReadContext(const Section& deck, Deck& filled);
  ReadContext(const ReadContext&) = delete;
  ReadContext& operator=(const ReadContext&) = delete;
  ReadContext(ReadContext&&) = delete;
  ReadContext& operator=(ReadContext&&) = delete;
  ~ReadContext();

  /// Adds a node to the study, with its place in the deck.
  void addNode(std::string name, SourceLocation where) {
    study.nodes.push_back({std::move(name)});
    study.places.recordPlaceOfNode(std::move(where));
  }

  /// Index of the node named by a required key.
  std::optional<NodeIndex> readNodeIndex(const Section& section, std::string_view key);

  /// Reads a node list: "all", one name, an array of names, or a group. Empty if any entry is invalid.
  std::optional<std::vector<NodeIndex>> readNodesOfKey(const Section& section, std::string_view key);

  /// Reads a list of different nodes, each given by its own name. Empty if any entry is invalid.
  std::optional<std::vector<NodeIndex>> readDifferentNodes(const Section& section, std::string_view key);

  /// Index of the contact named by a required key.
  std::optional<int> readContactIndex(const Section& section, std::string_view key);

  /// Index of the link named by a required key.
  std::optional<int> readLinkIndex(const Section& section, std::string_view key);

  /// The table or formula of the function that a required key names; its variable can be any quantity.
  std::optional<TimeFunction> readFunctionOfKey(const Section& section, std::string_view key);

  /// A number, or the name of a function that is defined over the whole run.
  TimeFunction readNumberOrFunction(const Section& section, std::string_view key, const Range& range);

  /// Reads a number or function for each component of a vector; empty without the key.
  std::optional<std::array<TimeFunction, 3>> readVectorOfFunctions(const Section& section,
                                                                   std::string_view key);

  /// Reports an instant of the run at which the formula of a section, in at most three variables of which one
  /// is the time, becomes infinite whatever the others are.
  void requireFormulaWithoutPole(const Section& section, const Formula& formula, std::string_view time,
                                 std::span<const std::string_view> variables) const;

  /// Reads a required degree of freedom.
  std::optional<Component> readDofComponent(const Section& section, std::string_view key);

  /// True if an element gives the dof to its node, if a relation gives the dof to a node without elements, or
  /// if a support fixes the dof. Also true if unknown, for example for a node with an unknown name.
  bool hasDof(Dof dof) const;
  bool isFixed(Dof dof) const;
  /// True if no element is on a node.
  bool hasNoElements(NodeIndex node) const;
  /// For a node connected only by relations: the first of these components that neither the relations nor a
  /// support give, so that its motion is undetermined.
  std::optional<Component> findUndeterminedComponent(NodeIndex node,
                                                     std::span<const Component> components) const;

  std::string nodeName(NodeIndex index) const;  ///< "?" for a node whose name is unknown

  /// Path of a file that the deck names, relative to the folder of the deck. Notes the file as one that
  /// determines the motion.
  std::filesystem::path pathOfDataFile(const std::string& name) const;
  /// Notes a file that another data file names.
  void recordDataFile(const std::filesystem::path& file) const;

  /// True if a node has a position in space; otherwise reports a problem of the key.
  bool requirePosition(const Section& section, std::string_view key, NodeIndex node) const;

  /// Notes a default value that no section notes automatically.
  void recordDefaultValue(std::string path, std::string value, std::string unit = {});

  using DofFlags = std::array<bool, kComponents>;

  Section root;
  Deck& study;
  DeclaredNames nodes{"node"};
  DeclaredNames beams{"beam"};
  DeclaredNames functions{"function"};
  DeclaredNames contacts{"contact", DeclaredNames::Kept::asObjects};
  DeclaredNames links{"link", DeclaredNames::Kept::asObjects};
  DeclaredNames meshes{"mesh"};
  std::vector<DeclaredMesh> meshTables;  ///< mesh tables, in the order of their names
  DeclaredNames supports{"support"};     ///< supports with a name
  /// Dofs that each support fixes, in the order of the names of the supports.
  std::vector<std::vector<Dof>> supportDofs;
  /// Fixed dofs in relations, whose terms were omitted because the dofs do not move.
  std::vector<Dof> relationsOnFixed;
  std::map<std::string, std::vector<NodeIndex>, std::less<>> groups;
  /// Names with several meanings, and these meanings.
  std::map<std::string, std::string, std::less<>> unclear;
  std::map<int, std::string> inexact;  ///< nodes without a position of their own, and the reason
  std::string inertiaNowhere;          ///< mass whose motion with the frame is undetermined; empty: none
  std::string inertiaNearby;           ///< mass that does not rotate with the frame as required; empty: none
  struct VaryingSpin {
    Section section;
    std::vector<std::size_t> elements;
  };
  std::vector<VaryingSpin> varyingSpins;
  std::vector<DeclaredFunction> functionTables;  ///< functions, in the order of their names
  /// Dofs given by an element or, for a node without elements, by a relation; per node.
  std::vector<DofFlags> given;
  std::vector<bool> bare;          ///< true if no element is on the node
  std::vector<DofFlags> fixed;     ///< dofs fixed by a support, per node
  bool dofsKnown{true};            ///< false once an element or a support could not be read
  std::optional<RunInterval> run;  ///< interval of the run; empty without a run, or with an invalid run
  std::vector<DefaultTaken> defaults;

 private:
  bool isNameUnambiguous(const Section& section, const Located<std::string>& name) const;
  TimeFunction functionWithName(const Section& section, std::string_view key,
                                const Located<std::string>& name, std::string_view unit);
  std::optional<std::vector<NodeIndex>> resolveNodeNames(
      const Section& section, const std::vector<Located<std::string>>& names) const;
  void requireFunctionDefined(const Section& section, std::string_view key, std::string_view name,
                              const DeclaredFunction& declared) const;
};

}  // namespace ricochet
