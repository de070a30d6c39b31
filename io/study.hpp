#pragma once

#include "engine/contact/laws.hpp"
#include "engine/contact/patch_law.hpp"
#include "engine/events.hpp"
#include "engine/integrators/scheme_options.hpp"
#include "engine/links/links.hpp"
#include "engine/obstacles/obstacles.hpp"
#include "engine/probes/probes.hpp"
#include "engine/time_function.hpp"
#include "io/beam_request.hpp"
#include "io/input_error.hpp"
#include "io/section.hpp"
#include "modal/damping.hpp"
#include "modal/eigen_solver.hpp"
#include "physical/assembler.hpp"

#include <Eigen/Geometry>

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace ricochet {

struct BatchRequest;
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

/// Friction asked to be critically damped in stick: resolved once the basis is known.
struct FrictionRequest {
  AnyFrictionLaw law{Frictionless{}};
  bool criticalDamping{false};
  std::shared_ptr<const PatchLaw> patch{};  ///< of an area
};

/// A contact between one node and a fixed obstacle, or between two nodes.
struct ContactRequest {
  std::string name;
  SourceLocation where;
  NodeIndex first;
  std::optional<NodeIndex> second;
  AnyObstacle obstacle;
  Mat3 frame{Mat3::Identity()};  ///< rows e1, e2, e3 in global axes
  Vec3 origin{Vec3::Zero()};  ///< x = frame (x1 - origin) for one node, frame (x1 - x2 - origin) for a pair
  AnyNormalLaw normal;
  TimeFunction imposedForce{TimeFunction::constant(0.0)};
  FrictionRequest friction;
  std::vector<SurfaceTerm> surface;           ///< velocity of the surface in its plane
  std::vector<SurfaceSpin> surfaceSpin;       ///< none, or one
  Tangential<double> tangentScale{1.0, 1.0};  ///< see Contact
  std::vector<Dof> carriers;                  ///< dofs of the supports that carry the obstacle
  std::array<double, 2>
      rollingRadius{};  ///< of the bodies on the nodes [m]; 0: their rotation does not count
  std::shared_ptr<const WearRequest> wear{};  ///< none: no worn volume

  /// As Contact::isFollowed.
  bool isFollowed() const {
    return std::holds_alternative<Curved>(obstacle) || !surface.empty() || !surfaceSpin.empty() ||
           !carriers.empty() || rolls();
  }
  bool rolls() const { return rollingRadius[0] != 0.0 || rollingRadius[1] != 0.0; }

  /// About which an area spins, counter-clockwise from tangent 1 to tangent 2: the normal or against it.
  Vec3 spinAxis() const { return frame.row(1).cross(frame.row(2)); }
};

/// A law between two nodes, or between one and the ground.
struct LinkRequest {
  std::string name;
  SourceLocation where;
  NodeIndex first;
  std::optional<NodeIndex> second;
  AnyLinkLaw law{};
  /// Direction of each axis: displacement of the first node along it, or rotation about it, positive.
  std::vector<std::array<double, kComponents>> axes;

  bool turns() const { return axes.front()[3] != 0.0 || axes.front()[4] != 0.0 || axes.front()[5] != 0.0; }
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
};

/// A force of an end section of a beam element, physical/elements/beam_forces.hpp.
struct BeamForceAt {
  std::string name;  ///< "posts 3 Mz2"
  Beam element;
  int component{0};            ///< of kSectionForces
  Vec3 gravity{Vec3::Zero()};  ///< [m/s^2]
};

/// What a check looks at. `at` is an instant, an event, or nothing (frequencies, totals).
struct CheckRequest {
  std::string quantity;
  SourceLocation where;
  std::optional<NodeIndex> node;
  std::optional<NodeIndex> node2;  ///< the value is relative to this node
  std::optional<Component> dof;
  std::optional<int> contact;
  std::optional<int> link;
  std::optional<int> component;  ///< 1 or 2; absent: the norm
  std::optional<BeamForceAt> beamForce;
  std::string variable;   ///< quantity "link_variable": an internal variable of the law
  std::size_t memory{0};  ///< and its place in LinkState::memory
  std::optional<double> time;
  struct EventAt {
    int contact;  ///< as of an Event
    EventKind kind;
    int index;  ///< from 1
  };
  std::optional<EventAt> at;      ///< instead of time
  std::optional<EventKind> kind;  ///< quantity "event", "event_count"
  int index{1};                   ///< event index or mode, from 1; window of a statistic, 0: the whole run
  int mode{0};
  bool absoluteMotion{false};  ///< with that of the base
  bool direct{false};          ///< of the direct run instead of the modal one
  std::string part;            ///< quantity "energy", "link_energy"; name of a "contact_statistic"
  std::string statistic;       ///< instead of time: "max", "rms" ...
  std::string state;           ///< quantity "time_share"
  std::optional<double> from, to;
  std::shared_ptr<const WearRequest> wear{};  ///< quantity "wear_volume", "wear_depth"
  double reference{0.0};
  std::optional<double> absolute, relative;
  std::string source;
  std::optional<double> published;  ///< the number a document prints, for information
};

/// A run that goes on from where an earlier one was: `initial.restart`.
struct RestartRequest {
  std::filesystem::path file;      ///< absolute, or relative to the current directory
  std::optional<std::size_t> row;  ///< of the archived instants; absent: its end
  double time{0.0};                ///< instant of that [s]
  SourceLocation where{};
};

/// Node names, contact names and places travel beside the numbers so that messages can use them.
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
  std::optional<Vec3> gravity;  ///< [m/s^2]
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
};

/// Name of the contact or link of an event.
const std::string& bodyName(const Study& study, int contact);

/// Reads a deck. Throws InputError with every problem found, each with file, line, column and remedy.
Study readDeck(const std::filesystem::path& file);

/// The same of a document that is read already, of which a batch may have changed numbers.
Study readDeck(const std::filesystem::path& file, const Document& document);

}  // namespace ricochet
