#pragma once

#include "engine/functions/time_function.hpp"
#include "engine/transient/kinematic.hpp"
#include "engine/transient/scheme_options.hpp"
#include "modal/basis_selection.hpp"
#include "modal/rayleigh_damping.hpp"
#include "physical/assembly/structure.hpp"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct BeamRequest;
struct ContactRequest;
struct LinkRequest;

/// A node and its name; the position is in the structure.
struct NamedNode {
  std::string name;
};

/// Force (or moment) on one node, multiplied by a function of time.
struct NodalLoad {
  NodeIndex node;
  std::array<double, kComponents> components{};  ///< force [N], moment [N m]
  TimeFunction scale{TimeFunction::constant(1.0)};
  bool staticCorrection{false};  ///< add the static response that the basis leaves out to the displacements
  int entry{0};                  ///< deck entry of the load; the loads of one entry share a residual vector
};

/// A load that travels along beams that are connected end to end.
struct MovingLoadRequest {
  std::vector<std::size_t> beams;                      ///< indices in Study::beams, in the order of travel
  std::array<double, kComponents> components{};        ///< force [N], moment [N m]
  TimeFunction position{TimeFunction::constant(0.0)};  ///< distance from the first end of the first beam [m]
  TimeFunction scale{TimeFunction::constant(1.0)};
};

/// Elements whose spin speed varies in time. The matrices of the structure contain the gyroscopic moments at
/// the speed at the start.
struct SpinRequest {
  TimeFunction speed{TimeFunction::constant(0.0)};  ///< spin speed [rad/s]
  std::vector<std::size_t> elements;                ///< indices in Structure::elements
};

/// Motion of a base, or of supports of the base, along a direction. Without supports the whole frame moves
/// and the coordinates are relative to the frame; with supports they are relative to the static mode of the
/// supports.
struct BaseMotion {
  std::array<double, kComponents>
      direction{};  ///< translations, and rotations about the origin or the supports
  bool ofSupports{false};
  std::vector<Dof> supports;                               ///< fixed dofs that move
  std::optional<TimeFunction> displacement;                ///< displacement [m] per unit of the direction
  std::optional<TimeFunction> velocity;                    ///< velocity [m/s]
  TimeFunction acceleration{TimeFunction::constant(0.0)};  ///< acceleration [m/s^2]
};

/// Initial displacement or velocity of one node.
struct InitialValue {
  NodeIndex node;
  std::array<double, kComponents> components{};  ///< displacement [m], [rad], or velocity [m/s], [rad/s]
};

/// Static equilibrium under the loads at the start, from which a run starts.
enum class Equilibrium : std::uint8_t {
  none,             ///< the run starts from the initial displacement
  withoutFriction,  ///< contacts have normal forces only
  withFriction      ///< friction resists the path from the positions without loads
};

struct BasisRequest {
  BasisSelection selection{.modes = {}, .frequencyMax = {}, .all = true};
  std::vector<double> dampingRatio;  ///< empty, one ratio for all modes, or one ratio per mode
  RayleighDamping rayleigh;
  bool contactResiduals{false};  ///< add residual vectors for the directions of the contact forces
  /// False: instead of residual vectors, the static responses missing in the modes act without inertia, in
  /// series with the contacts and links.
  bool residualInertia{true};
  bool loadResiduals{false};  ///< add residual vectors for the load shapes
};

struct TransientRequest {
  double start{0.0};
  double duration{0.0};
  std::string scheme{};        ///< empty: selected from the contacts and the size of the basis
  std::optional<double> step;  ///< step [s]; absent: selected from the basis and the contacts
  SchemeOptions options;
};

/// Options of the integration in physical coordinates: `[direct]`.
struct DirectRequest {
  std::string scheme{"newmark"};
  std::optional<double> step{};  ///< step [s]; absent: the step of the modal run, or selected
  SchemeOptions options{};
  bool lumped{false};  ///< use a diagonal mass matrix
  bool given{false};   ///< the deck has the table [direct]
};

class EarlierRun;

/// Description of a run: structure, basis, excitation, contacts and links, initial state, scheme. Names are
/// used in messages only. The code that fills in numbers checks them; nothing is computed here.
///
/// Contact laws, link laws and elements are only declared here, so that files which read other parts compile
/// without their definitions; include study.hpp for the definitions.
struct Study {
  std::string title;
  std::vector<NamedNode> nodes;
  Structure structure;
  std::vector<BeamRequest> beams;  ///< the elements of the beams are in the structure
  BasisRequest basis;
  std::vector<NodalLoad> loads;
  std::vector<MovingLoadRequest> movingLoads;
  std::vector<SpinRequest> spins;
  std::optional<std::array<double, 3>> gravity;  ///< acceleration of gravity [m/s^2]
  std::vector<BaseMotion> baseMotions;
  std::vector<InitialValue> initialDisplacement;
  std::vector<InitialValue> initialVelocity;
  Equilibrium equilibrium{Equilibrium::none};
  /// Run whose final state is the initial state; null: `initial...` gives the initial state.
  std::shared_ptr<const EarlierRun> earlierRun{};
  std::vector<ContactRequest> contacts;
  std::vector<LinkRequest> links;
  std::optional<TransientRequest> transient;  ///< absent: only a basis is computed
  DirectRequest direct;                       ///< settings of the direct mode: values of the deck or defaults

  /// Functions that build a structure of masses, springs and dashpots. An element without a second node
  /// connects the node to the ground. Stiffness [N/m] and damping [N s/m] are along global axes.
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

/// Text that identifies a node, a base motion or a load of a study in errors (StudyProblem::part).
std::string partName(NodeIndex node);
std::string partName(const Study& study, const BaseMotion& motion);
std::string partName(const NodalLoad& load);

/// Name of a contact or link by the index of an event or of a failure.
const std::string& bodyName(const Study& study, int contact);

}  // namespace ricochet
