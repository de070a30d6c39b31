#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/transient/kinematic.hpp"
#include "engine/transient/scheme_options.hpp"
#include "modal/basis_selection.hpp"
#include "modal/rayleigh_damping.hpp"
#include "physical/assembly/structure.hpp"

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct BeamRequest;
struct ContactRequest;
struct LinkRequest;

/// A physical node; its position stands in the structure.
struct NamedNode {
  std::string name;
};

/// A nodal load: force (or moment) on one node, scaled by a function of time.
struct NodalLoad {
  NodeIndex node;
  std::array<double, kComponents> components{};  ///< [N], [N m]
  TimeFunction scale{TimeFunction::constant(1.0)};
  bool staticCorrection{false};  ///< the static response that the basis leaves out is added to displacements
  int entry{0};                  ///< loads of one entry act together: they have one residual vector
};

/// A load that travels along beams joined end to end.
struct MovingLoadRequest {
  std::vector<std::size_t> beams;                      ///< into Study::beams, from end to end
  std::array<double, kComponents> components{};        ///< [N], [N m]
  TimeFunction position{TimeFunction::constant(0.0)};  ///< from the first end of the first beam [m]
  TimeFunction scale{TimeFunction::constant(1.0)};
};

/// Elements that spin about their axes at a speed that varies. In the structure they have that at the start.
struct SpinRequest {
  TimeFunction speed{TimeFunction::constant(0.0)};  ///< [rad/s]
  std::vector<std::size_t> elements;                ///< of the structure
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
};

/// A nodal value of the initial state.
struct InitialValue {
  NodeIndex node;
  std::array<double, kComponents> components{};  ///< [m], [rad]; or per second
};

struct BasisRequest {
  BasisSelection selection{.modes = {}, .frequencyMax = {}, .all = true};
  std::vector<double> dampingRatio;  ///< empty, one for all columns, or one per mode
  RayleighDamping rayleigh;
  bool contactResiduals{false};  ///< residual vectors for the directions in which contacts push
  bool loadResiduals{false};     ///< residual vectors for the shapes of the loads
};

struct TransientRequest {
  double start{0.0};
  double duration{0.0};
  std::string scheme{};        ///< empty: chosen from the contacts and the size of the basis
  std::optional<double> step;  ///< absent: chosen from the basis and the contacts
  SchemeOptions options;
};

/// Integration in physical coordinates: `[direct]`.
struct DirectRequest {
  std::string scheme{"newmark"};
  std::optional<double> step{};  ///< absent: the one of the modal run, or chosen
  SchemeOptions options{};
  bool lumped{false};  ///< the mass matrix is made diagonal
  bool given{false};   ///< the deck has the table
};

class EarlierRun;

/// What is to be run: structure, basis, excitation, contacts and links, initial state, scheme. Names are for
/// messages; numbers are checked by whoever fills them in, and nothing is computed yet.
///
/// Vectors, laws and elements of contacts, links and beams are declared only, so that readers of other parts
/// compile without them: those who look into them include study.hpp.
struct Study {
  std::string title;
  std::vector<NamedNode> nodes;
  Structure structure;
  std::vector<BeamRequest> beams;  ///< their elements are in the structure
  BasisRequest basis;
  std::vector<NodalLoad> loads;
  std::vector<MovingLoadRequest> movingLoads;
  std::vector<SpinRequest> spins;
  std::optional<std::array<double, 3>> gravity;  ///< [m/s^2]
  std::vector<BaseMotion> baseMotions;
  std::vector<InitialValue> initialDisplacement;
  std::vector<InitialValue> initialVelocity;
  bool equilibrium{false};                         ///< the run starts from static equilibrium
  std::shared_ptr<const EarlierRun> earlierRun{};  ///< from which this one goes on; none: from `initial...`
  std::vector<ContactRequest> contacts;
  std::vector<LinkRequest> links;
  std::optional<TransientRequest> transient;  ///< absent: only a basis is asked for
  DirectRequest direct;                       ///< as given, or its defaults

  /// Fill in a structure of masses, springs and dashpots; without a second node these stand between the node
  /// and the ground. Stiffness [N/m] and damping [N s/m] are along global axes.
  NodeIndex addNode(std::string name, const std::array<double, 3>& position = {});
  void addMass(const std::vector<NodeIndex>& to, double mass);
  void addSpring(NodeIndex first, NodeIndex second, const std::array<double, 3>& stiffness);
  void addSpring(NodeIndex node, const std::array<double, 3>& stiffness);
  void addDashpot(NodeIndex first, NodeIndex second, const std::array<double, 3>& damping);
  void addDashpot(NodeIndex node, const std::array<double, 3>& damping);
  void fix(const std::vector<NodeIndex>& at, const std::vector<Component>& components);

  Study();
  Study(const Study&);
  Study(Study&&) noexcept;
  Study& operator=(const Study&);
  Study& operator=(Study&&) noexcept;
  ~Study();
};

/// How errors name a node, a base motion and a load of a study (StudyProblem::part).
std::string partOf(NodeIndex node);
std::string partOf(const Study& study, const BaseMotion& motion);
std::string partOf(const NodalLoad& load);

/// Name of the contact or link of an event.
const std::string& bodyName(const Study& study, int contact);

}  // namespace ricochet
