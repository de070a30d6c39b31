#pragma once

#include "engine/lanes/lane_laws.hpp"
#include "engine/lanes/lane_model.hpp"
#include "engine/model/modal_equation.hpp"
#include "engine/numerics/eight.hpp"
#include "engine/transient/step_statistics.hpp"

#include <array>
#include <cstddef>
#include <vector>

namespace ricochet::batch {

class LaneGroup;
/// Evaluates a contact in all lanes at the end of a step, and adds to its energies and impulses.
using ContactKernel = void (*)(LaneGroup& group, std::size_t contact) noexcept;
/// Advances all lanes by one nominal step.
using StepKernel = void (*)(LaneGroup& group) noexcept;

/// All kernels that are compiled for one instruction set of processors.
struct LaneKernels {
  std::string_view processor;
  std::array<StepKernel, kLaneSchemes> step;
  /// Contact kernels by the index of the obstacle, normal law and friction law in LaneObstacles,
  /// LaneNormalLaws, LaneFrictionLaws.
  std::array<std::array<std::array<ContactKernel, 2>, 2>, 3> contact;
};
/// Kernels for all instruction sets of this processor, the widest one first; all give the same bits.
std::vector<const LaneKernels*> laneKernels();

/// State of one contact (ContactState) in eight variants.
struct LaneContactState {
  Eight gap, side, compression;
  std::array<Eight, 2> position, slipRate, traction;
  Eight storedNormal, storedTangential;
  std::array<Eight, 2> anchorForce, anchorPosition, direction;
  EightMask closed, released, slipping;
};

/// A contact in eight variants: constants, accepted state and totals.
struct LaneContact {
  LaneObstacles<Eight> obstacle;
  LaneNormalLaws<Eight> normal;
  LaneFrictionLaws<Eight> friction;
  std::array<Eight, 3> offset;
  Eight low, high;           ///< interval of b_0 q in which the contact is certainly open
  EightMask rateWanted;      ///< lanes whose normal law uses the gap rate
  EightMask slipRateWanted;  ///< lanes whose stick has a dashpot
  /// State after a broken guard (condition of a state), by state (open, closed, released) and guard: two
  /// masks, closed and released.
  std::array<std::array<std::array<EightMask, 2>, 2>, 3> next;

  LaneContactState state;
  Eight along;  ///< projection b_0 q at the accepted instant
  Eight impulse, frictionEnergy, peakForce;

  std::array<Eight, 3> push;  ///< contact force along the axes at the end of the step [N]
  EightMask pushing;
  std::size_t imposedFunction{
      0};  ///< index of the imposed force among the functions, if the law has an imposed force
  ContactKernel kernel{nullptr};
};

/// Function of time of eight variants: the current linear piece of each variant. A formula is equal in all
/// variants and is evaluated by the scalar code.
struct LaneFunction {
  Eight begin, value, slope;
  const Formula* formula{nullptr};
};

/// Change of state of a contact in one lane, which the scalar code records at the end of the step.
struct LaneChange {
  std::size_t lane;
  std::size_t contact;
  ContactState from, to;
};

/// Kinematic quantity of eight variants whose statistics are recorded.
struct LaneChannel {
  RowBundle row;
  bool ofDisplacement;
  ChannelRecord<Eight> record;
};

/// Eight variants of one model at their accepted instants, which may differ between lanes. The eight values
/// of a mode are contiguous in memory. A lane without a variant stays at zero and touches no contact.
class LaneGroup {
 public:
  LaneGroup(const LaneModel& model, const LaneKernels& kernels, const ModalModel& base);

  /// Variant of a lane: the objects of a single run, in which the scalar code keeps the accounts (energies)
  /// and events.
  struct Guest {
    ModalEquation* equation{nullptr};
    State* state{nullptr};
    Vector* force{nullptr};  ///< generalized force or acceleration at the start of the next step
    StepStatistics* statistics{nullptr};
  };

  /// Assigns a variant to a lane and sets the constants of its laws. `loadStateIntoLane` copies its state
  /// after nominal step n.
  void assignVariantToLane(std::size_t lane, const Guest& guest);
  void loadStateIntoLane(std::size_t lane, long long n);
  /// Updates the group after variants were put into lanes or have left; called before the next step.
  void updateGroupAfterLaneChange() noexcept {
    if (changed_) updateStepsAndFunctionsSharedByLanes();
  }
  bool hasVariants() const noexcept { return runs_; }  ///< true if at least one lane has a variant
  /// Copies the state of a lane back to the objects of its variant.
  void writeStateBackToVariant(std::size_t lane) noexcept;
  void removeVariantFromLane(std::size_t lane) noexcept;

  /// Advances all variants by one nominal step.
  void advanceOneStep() noexcept { stepKernel_(*this); }

  /// Sets the channels whose statistics are recorded: the channels of the first variant serve all variants.
  void setChannels(const std::vector<StepChannel>& channels);

  // Members that the kernels use.
  const LaneModel& model;
  std::vector<Eight> q, v, f, load;             ///< values by place of the mode; f: force, or acceleration
  std::array<Eight, kLanes> work, power, lost;  ///< partial sums over the modes (ModalEquation::Carried)
  std::array<Eight, kLanes> newPower;
  Eight external, dampingLoss, friction;  ///< entries of the energy ledgers of the lanes [J]
  Eight number;                           ///< number of nominal steps taken
  /// Accepted instant [s]; instant of the trial [s]; time since the start [s]; next end of a piece [s].
  Eight time, instant, elapsed, due;
  EightMask active;
  std::vector<LaneFunction> functions;  ///< functions of the loads, then of the imposed forces
  std::vector<Eight> factors;           ///< values of the functions at the instant of the trial
  bool hasFormulas{false};
  /// True if all variants have reached the same instant and all functions are equal in all lanes. Values of
  /// functions and loads are then stored once; the eight places of a block of modes then take the eight lanes
  /// of a register.
  bool shared{false};
  std::vector<double> sharedFactors;
  std::vector<Eight> sharedLoad,
      bothLoads;  ///< load at the accepted instant; sum of this load and the load of the trial
  std::vector<LaneContact> contacts;
  std::vector<Eight> along;  ///< projections b_0 q of all contacts, padded to bundles of rows
  std::vector<std::size_t>
      pushing;  ///< indices of the contacts that have a force in at least one lane, increasing
  std::size_t pushingCount{0};
  std::vector<LaneChange> changes;
  std::size_t changeCount{0};
  bool booked{false};  ///< true if the scalar code computed the damping loss of a lane
  std::vector<LaneChannel> channels;
  Eight duration;

  /// Moves each function whose piece ends to its next piece.
  void advanceFunctions() noexcept;
  /// Moves and evaluates the functions that are equal in all lanes (`shared`).
  void evaluateFunctionsSharedByLanes() noexcept;
  /// Evaluates the formulas at the instant of the trial.
  void evaluateFormulas() noexcept;
  /// Stores a change of state of a contact in one lane until the end of the step.
  void storeContactChange(std::size_t lane, std::size_t contact, const LaneContactState& from,
                          const LaneContactState& to, double gapRate) noexcept;
  /// Records the changes of the step that ends at nominal step `number` + 1, with their impulses.
  void recordContactChanges() noexcept;
  /// Replaces the damping losses of lanes by the losses that `recordContactChanges` computed.
  void restoreDampingLossesOfLanes() noexcept;

 private:
  void recordContactChanges(std::size_t lane) noexcept;
  void setConstantsOfVariant(std::size_t lane, const ModalModel& variant) noexcept;
  void loadContactsIntoLane(std::size_t lane) noexcept;
  void writeContactsBackToVariant(std::size_t lane) noexcept;
  void readFunctionPiece(std::size_t function, std::size_t lane, const FunctionCursor& cursor) noexcept;
  void updateStepsAndFunctionsSharedByLanes() noexcept;
  void setFunctionCursors() noexcept;
  double loadSharedByLanes(std::size_t p) const noexcept { return sharedLoad[p / kWidth].lane[p % kWidth]; }
  void findNextPieceEndsOfFunctions() noexcept;
  double instantOfStepEnd(std::size_t lane) const noexcept;

  StepKernel stepKernel_;
  std::array<Guest, kWidth> guests_;
  std::vector<std::array<FunctionCursor, kWidth>> cursors_;
  bool changed_{false};  // variants were put into lanes or have left since the last update
  bool runs_{false};
  std::size_t first_{kWidth};  // first lane that has a variant
  EightMask fresh_;            // lanes into which variants were put since the last update
  bool together_{false};       // all variants have reached the same nominal step
  std::vector<char> alike_;    // 1 for each function that is equal in all variants
  struct alignas(64) Booked {
    double power[kWidth];
    double lost[kWidth];
    bool valid{false};
  };
  std::array<Booked, kWidth> booked_;
};

}  // namespace ricochet::batch
