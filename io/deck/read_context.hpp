#pragma once

#include "engine/functions/time_function.hpp"
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

/// The interval that a run covers [s].
struct RunInterval {
  double start{0.0};
  double end{0.0};

  /// The instant itself, an end if it is equal to it within rounding, nothing outside the run.
  std::optional<double> inside(double time) const;

  std::string text() const;  ///< "from 0 s to 0.35 s"
};

/// A function of the deck and where its table defines it.
struct DeclaredFunction {
  TimeFunction function{TimeFunction::constant(0.0)};
  std::string path;
  std::optional<double> first;  ///< an end outside which it is undefined [s]
  std::optional<double> last;
};

/// What the readers of one deck share: the study that they fill, the names declared so far, and what later
/// parts are checked against. A name that points nowhere is told once; what hangs on it is left out.
class ReadContext {
 public:
  ReadContext(const Section& deck, Deck& filled);
  ReadContext(const ReadContext&) = delete;
  ReadContext& operator=(const ReadContext&) = delete;
  ReadContext(ReadContext&&) = delete;
  ReadContext& operator=(ReadContext&&) = delete;
  ~ReadContext();

  /// One more node of the study, and its place in the deck.
  void addNode(std::string name, SourceLocation where) {
    study.nodes.push_back({std::move(name)});
    study.places.noteNode(std::move(where));
  }

  /// The node of a required key.
  std::optional<NodeIndex> node(const Section& section, std::string_view key);

  /// A node list: "all", one name, an array of names, or a group. Nothing if any of it is bad.
  std::optional<std::vector<NodeIndex>> nodeList(const Section& section, std::string_view key);

  /// Different nodes, each by its own name. Nothing if any of it is bad.
  std::optional<std::vector<NodeIndex>> namedNodes(const Section& section, std::string_view key);

  /// The contact of a required key: its index.
  std::optional<int> contact(const Section& section, std::string_view key);

  /// The link of a required key: its index.
  std::optional<int> link(const Section& section, std::string_view key);

  /// The table or formula of a required key that names a function, whatever its variable stands for.
  std::optional<TimeFunction> curve(const Section& section, std::string_view key);

  /// A number, or the name of a function that is defined over the whole run.
  TimeFunction numberOrFunction(const Section& section, std::string_view key, const Range& range);

  /// The same for each component of a vector; nothing without the key.
  std::optional<std::array<TimeFunction, 3>> vectorOfFunctions(const Section& section, std::string_view key);

  /// A required degree of freedom.
  std::optional<Component> component(const Section& section, std::string_view key);

  /// Whether an element gives the dof to its node, a relation does to a node without elements, or a support
  /// fixes it. True if nobody can say, as of a node whose name points nowhere.
  bool hasDof(Dof dof) const;
  bool isFixed(Dof dof) const;
  /// Whether no element is on a node.
  bool isBare(NodeIndex node) const;
  /// Of a node that relations alone tie to the structure: the first of these components that neither they nor
  /// a support give, so that nothing says how it moves.
  std::optional<Component> untied(NodeIndex node, std::span<const Component> components) const;

  std::string nodeName(NodeIndex index) const;  ///< "?" of a node whose name points nowhere

  /// Where a file that the deck names is: beside the deck. Notes it as one that decides the motion.
  std::filesystem::path dataFile(const std::string& name) const;
  /// Notes a file that another one names.
  void noteDataFile(const std::filesystem::path& file) const;

  /// Whether a node has a place in space; a problem of the key if not.
  bool requirePlace(const Section& section, std::string_view key, NodeIndex node) const;

  /// Notes a default that no section notes by itself.
  void takeDefault(std::string path, std::string value, std::string unit = {});

  using DofFlags = std::array<bool, kComponents>;

  Section root;
  Deck& study;
  DeclaredNames nodes{"node"};
  DeclaredNames beams{"beam"};
  DeclaredNames functions{"function"};
  DeclaredNames contacts{"contact", DeclaredNames::Kept::asObjects};
  DeclaredNames links{"link", DeclaredNames::Kept::asObjects};
  DeclaredNames meshes{"mesh"};
  std::vector<DeclaredMesh> meshTables;       ///< in the order of their names
  DeclaredNames supports{"support"};          ///< those that have a name
  std::vector<std::vector<Dof>> supportDofs;  ///< what they fix, in the order of their names
  std::vector<Dof> relationsOnFixed;          ///< terms that were left out: their dofs do not move
  std::map<std::string, std::vector<NodeIndex>, std::less<>> groups;
  std::map<std::string, std::string, std::less<>> unclear;  ///< names that stand for several things: which
  std::map<int, std::string> inexact;                       ///< nodes without a place of their own: why
  std::string inertiaNowhere;  ///< mass of which nothing says how it moves with the frame; empty: none
  std::string inertiaNearby;   ///< mass that does not turn with the frame as it should; empty: none
  struct VaryingSpin {
    Section section;
    std::vector<std::size_t> elements;
  };
  std::vector<VaryingSpin> varyingSpins;
  std::vector<DeclaredFunction> functionTables;  ///< in the order of their names
  std::vector<DofFlags> given;                   ///< by an element or, to a bare node, a relation; per node
  std::vector<bool> bare;                        ///< no element is on the node
  std::vector<DofFlags> fixed;                   ///< by a support, per node
  bool dofsKnown{true};                          ///< false once an element or a support could not be read
  std::optional<RunInterval> run;                ///< nothing without a run, or with a bad one
  std::vector<DefaultTaken> defaults;

 private:
  bool isClear(const Section& section, const Located<std::string>& name) const;
  TimeFunction functionNamed(const Section& section, std::string_view key, const Located<std::string>& name);
  std::optional<std::vector<NodeIndex>> resolveAll(const Section& section,
                                                   const std::vector<Located<std::string>>& names) const;
  void requireDefined(const Section& section, std::string_view key, std::string_view name,
                      const DeclaredFunction& declared) const;
};

}  // namespace ricochet
