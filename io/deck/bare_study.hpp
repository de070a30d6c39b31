#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/transient/kinematic.hpp"
#include "engine/transient/scheme_options.hpp"
#include "io/text/input_error.hpp"
#include "io/toml/default_taken.hpp"
#include "modal/basis_selection.hpp"
#include "modal/rayleigh_damping.hpp"
#include "physical/assembly/structure.hpp"

#include <array>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct BatchRequest;
struct BeamRequest;
struct CheckRequest;
struct ContactRequest;
struct Document;
struct LinkRequest;
struct MeshRequest;
struct StatisticsRequest;
struct WearRequest;

/// A deck as read: names resolved to indices, every number checked, nothing computed yet.

/// A physical node and its place in the deck.
struct NamedNode {
  std::string name;
  SourceLocation where;
};

/// A nodal load: force (or moment) on one node, scaled by a function of time.
struct NodalLoad {
  NodeIndex node;
  std::array<double, kComponents> components{};  ///< [N], [N m]
  TimeFunction scale{TimeFunction::constant(1.0)};
  bool staticCorrection{false};  ///< the static response that the basis leaves out is added to displacements
  SourceLocation where;
};

/// A load that travels along beams joined end to end.
struct MovingLoadRequest {
  std::vector<std::size_t> beams;                      ///< into Study::beams, from end to end
  std::array<double, kComponents> components{};        ///< [N], [N m]
  TimeFunction position{TimeFunction::constant(0.0)};  ///< from the first end of the first beam [m]
  TimeFunction scale{TimeFunction::constant(1.0)};
  SourceLocation where;
};

/// Elements that spin about their axes at a speed that varies. In the structure they have that at the start.
struct SpinRequest {
  TimeFunction speed{TimeFunction::constant(0.0)};  ///< [rad/s]
  std::vector<std::size_t> elements;                ///< of the structure
  SourceLocation where;
};

/// A base, or supports of it, that move along a direction. Without supports the frame moves as a whole and
/// the coordinates are relative to it; with supports they are relative to the static mode of these.
struct BaseMotion {
  std::array<double, kComponents> direction{};  ///< translations, rotations about the origin or the supports
  bool ofSupports{false};
  std::vector<Dof> supports;                               ///< fixed dofs that move
  std::optional<TimeFunction> displacement;                ///< [m] per unit of the direction
  std::optional<TimeFunction> velocity;                    ///< [m/s]
  TimeFunction acceleration{TimeFunction::constant(0.0)};  ///< [m/s^2]
  SourceLocation where;
};

/// A nodal value of the initial state.
struct InitialValue {
  NodeIndex node;
  std::array<double, kComponents> components{};  ///< [m], [rad]; or per second
  SourceLocation where;
};

/// Where a deck names the files of one of its [[matrices]], for errors that show later.
struct MatrixFiles {
  Located<std::filesystem::path> stiffness, mass;
};

struct BasisRequest {
  BasisSelection selection;
  std::vector<double> dampingRatio;  ///< empty, one for all columns, or one per mode
  RayleighDamping rayleigh;
  bool contactResiduals{false};  ///< residual vectors for the directions in which contacts push
  bool loadResiduals{false};     ///< residual vectors for the shapes of the loads
  SourceLocation where;
  SourceLocation dampingWhere;
};

struct TransientRequest {
  double start{0.0};
  double duration{0.0};
  std::string scheme{};        ///< empty: chosen from the contacts and the size of the basis
  std::optional<double> step;  ///< absent: chosen from the basis and the contacts
  SchemeOptions options;
  SourceLocation where;
  SourceLocation stepWhere;
};

/// Integration in physical coordinates: `[direct]`.
struct DirectRequest {
  std::string scheme{"newmark"};
  std::optional<double> step{};  ///< absent: the one of the modal run, or chosen
  SchemeOptions options{};
  bool lumped{false};  ///< the mass matrix is made diagonal
  bool given{false};   ///< the deck has the table
  SourceLocation where{};
  SourceLocation stepWhere{};
};

struct OutputRequest {
  std::filesystem::path file;  ///< absolute, or relative to the current directory
  int every{1};
  std::optional<double> interval;
  std::vector<double> times;
  std::vector<NodeIndex> nodes;  ///< whose histories are restored
  std::vector<Kinematic> fields;
  bool absoluteMotion{false};  ///< with that of the base
  bool checksums{true};        ///< of every block of the result
};

/// A run that goes on from where an earlier one was: `initial.restart`.
struct RestartRequest {
  std::filesystem::path file;      ///< absolute, or relative to the current directory
  std::optional<std::size_t> row;  ///< of the archived instants; absent: its end
  double time{0.0};                ///< instant of that [s]
  SourceLocation where{};
};

/// Node names, contact names and places travel beside the numbers so that messages can use them.
///
/// What holds vectors, laws or elements is declared only, so that readers of other parts compile without
/// them: those who look into contacts, links, beams, meshes or checks include their headers, or study.hpp.
struct Study {
  std::string title;
  std::filesystem::path deckFile;
  std::string deckText;
  std::vector<std::filesystem::path> dataFiles;  ///< that decide the motion: those the deck names, once each
  std::vector<NamedNode> nodes;
  Structure structure;
  std::vector<BeamRequest> beams;        ///< their elements are in the structure
  std::vector<MeshRequest> meshes;       ///< whose nodes are among those of the study
  std::vector<MatrixFiles> matrixFiles;  ///< of structure.matrices
  BasisRequest basis;
  std::vector<NodalLoad> loads;
  std::vector<MovingLoadRequest> movingLoads;
  std::vector<SpinRequest> spins;
  std::optional<std::array<double, 3>> gravity;  ///< [m/s^2]
  std::vector<BaseMotion> baseMotions;
  std::vector<InitialValue> initialDisplacement;
  std::vector<InitialValue> initialVelocity;
  bool equilibrium{false};  ///< the run starts from static equilibrium
  SourceLocation equilibriumWhere;
  std::optional<RestartRequest> restart;
  std::vector<ContactRequest> contacts;
  std::vector<LinkRequest> links;
  std::optional<TransientRequest> transient;  ///< absent: the deck is for `modes` only
  DirectRequest direct;                       ///< as given, or its defaults
  OutputRequest output;
  std::vector<CheckRequest> checks;
  std::shared_ptr<const BatchRequest> batch{};            ///< of a study of variants
  std::shared_ptr<const StatisticsRequest> statistics{};  ///< of contacts; none: not asked for
  std::vector<DefaultTaken> defaults;  ///< what the deck does not say and the reader filled in

  Study();
  Study(const Study&);
  Study(Study&&) noexcept;
  Study& operator=(const Study&);
  Study& operator=(Study&&) noexcept;
  ~Study();
};

/// Name of the contact or link of an event.
const std::string& bodyName(const Study& study, int contact);

/// Reads a deck. Throws InputError with every problem found, each with file, line, column and remedy.
Study readDeck(const std::filesystem::path& file);

/// The same of a document that is read already, of which a batch may have changed numbers.
Study readDeck(const std::filesystem::path& file, const Document& document);

}  // namespace ricochet
