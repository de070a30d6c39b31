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
/// Tries a contact in all lanes at the end of a step, and accounts for it.
using ContactKernel = void (*)(LaneGroup& group, std::size_t contact) noexcept;
/// One nominal step of all lanes.
using StepKernel = void (*)(LaneGroup& group) noexcept;

/// The kernels for one kind of processor.
struct LaneKernels {
  std::string_view processor;
  std::array<StepKernel, kLaneSchemes> step;
  /// By place of obstacle, normal law and friction law in LaneObstacles, LaneNormalLaws, LaneFrictionLaws.
  std::array<std::array<std::array<ContactKernel, 2>, 2>, 3> contact;
};
/// All that this processor runs, the best one first; they give the same bits.
std::vector<const LaneKernels*> laneKernels();

/// ContactState of eight variants (see there).
struct LaneContactState {
  Eight gap, side, compression;
  std::array<Eight, 2> position, slipRate, traction;
  Eight storedNormal, storedTangential;
  std::array<Eight, 2> anchorForce, anchorPosition, direction;
  EightMask closed, released, slipping;
};

/// A contact of eight variants: its constants, its accepted state, its totals.
struct LaneContact {
  LaneObstacles<Eight> obstacle;
  LaneNormalLaws<Eight> normal;
  LaneFrictionLaws<Eight> friction;
  std::array<Eight, 3> offset;
  Eight low, high;           ///< interval of b_0 q in which it is certainly open
  EightMask rateWanted;      ///< the normal law uses the gap rate
  EightMask slipRateWanted;  ///< the stick has a dashpot
  /// What follows when a guard is broken, by state (open, closed, released) and guard: closed or released?
  std::array<std::array<std::array<EightMask, 2>, 2>, 3> next;

  LaneContactState state;
  Eight along;  ///< b_0 q at the accepted instant
  Eight impulse, frictionEnergy, peakForce;

  std::array<Eight, 3> push;  ///< along the axes at the end of the step
  EightMask pushing;
  std::size_t imposedFunction{0};  ///< its place among the functions, where there is one
  ContactKernel kernel{nullptr};
};

/// A function of time of eight variants: the straight piece that each is on. A formula is the same for all
/// and is evaluated outside.
struct LaneFunction {
  Eight begin, value, slope;
  const Formula* formula{nullptr};
};

/// What a contact did in one lane that only the scalar code records.
struct LaneChange {
  std::size_t lane;
  std::size_t contact;
  ContactState from, to;
};

/// A followed quantity of eight variants.
struct LaneChannel {
  RowBundle row;
  bool ofDisplacement;
  ChannelRecord<Eight> record;
};

/// Eight variants of one model at their accepted instants, which may differ. Numbers of a mode are side by
/// side. A lane that has no variant stands still at zero and touches nothing.
class LaneGroup {
 public:
  LaneGroup(const LaneModel& model, const LaneKernels& kernels, const ModalModel& base);

  /// The variant of a lane: where its accounts and events are kept when the scalar code has to see them.
  struct Guest {
    ModalEquation* equation{nullptr};
    State* state{nullptr};
    Vector* force{nullptr};  ///< the generalized force, or the acceleration, that the next step starts with
    StepStatistics* statistics{nullptr};
  };

  /// Brings a variant into a lane, after its constants when it is a new one. It stands after nominal step n.
  void enter(std::size_t lane, const Guest& guest);
  void put(std::size_t lane, long long n);
  /// To be called before the next step when variants may have been put or have left.
  void regard() noexcept {
    if (changed_) look();
  }
  bool runs() const noexcept { return runs_; }  ///< whether there is a variant
  /// Writes what the lane holds back to its guest.
  void take(std::size_t lane) noexcept;
  void leave(std::size_t lane) noexcept;

  /// One nominal step of all variants.
  void step() noexcept { stepKernel_(*this); }

  /// What the statistics of the first variant follow; all variants follow the same.
  void follow(const std::vector<StepChannel>& channels);

  // for the kernels
  const LaneModel& model;
  std::vector<Eight> q, v, f, load;             ///< by place; f: force, or acceleration
  std::array<Eight, kLanes> work, power, lost;  ///< partial sums (ModalEquation::Carried)
  std::array<Eight, kLanes> newPower;
  Eight external, dampingLoss, friction;  ///< of the ledgers
  Eight number;                           ///< nominal steps taken
  Eight time, instant, elapsed, due;      ///< accepted [s]; of the trial; since; next end of a piece
  EightMask active;
  std::vector<LaneFunction> functions;  ///< of the loads, then the imposed forces
  std::vector<Eight> factors;           ///< their values at the instant of the trial
  bool hasFormulas{false};
  /// All variants stand at one instant and all functions are the same for all: values of the functions and
  /// loads are then kept once, the latter with modes, not lanes, side by side (blocks of places).
  bool shared{false};
  std::vector<double> sharedFactors;
  std::vector<Eight> sharedLoad, bothLoads;  ///< at the accepted instant; its sum with that of the trial
  std::vector<LaneContact> contacts;
  std::vector<Eight> along;          ///< b_0 q of all contacts, padded to bundles
  std::vector<std::size_t> pushing;  ///< contacts that push in a lane, in order
  std::size_t pushingCount{0};
  std::vector<LaneChange> changes;
  std::size_t changeCount{0};
  bool booked{false};  ///< the scalar code booked the damping of a lane
  std::vector<LaneChannel> channels;
  Eight duration;

  /// Moves functions on whose piece ends.
  void advance() noexcept;
  /// Moves on and evaluates the functions that are `shared`.
  void evaluateShared() noexcept;
  /// Values of formulas at the instant of the trial.
  void evaluateFormulas() noexcept;
  /// Notes a change of contact in a lane for the end of the step.
  void note(std::size_t lane, std::size_t contact, const LaneContactState& from, const LaneContactState& to,
            double gapRate) noexcept;
  /// Records the changes of the step that ends at `number` + 1, with their impulses.
  void settle() noexcept;
  /// Puts damping accounts that `settle` booked over those of the lanes.
  void overrule() noexcept;

 private:
  void settle(std::size_t lane) noexcept;
  void setConstants(std::size_t lane, const ModalModel& variant) noexcept;
  void putContacts(std::size_t lane) noexcept;
  void takeContacts(std::size_t lane) noexcept;
  void read(std::size_t function, std::size_t lane, const FunctionCursor& cursor) noexcept;
  void look() noexcept;
  void seek() noexcept;
  double sharedLoadAt(std::size_t p) const noexcept { return sharedLoad[p / kWidth].lane[p % kWidth]; }
  void lookForNextEnds() noexcept;
  double endOfStep(std::size_t lane) const noexcept;

  StepKernel stepKernel_;
  std::array<Guest, kWidth> guests_;
  std::vector<std::array<FunctionCursor, kWidth>> cursors_;
  bool changed_{false};  // variants were put or have left since the last look
  bool runs_{false};
  std::size_t first_{kWidth};  // lane with a variant
  EightMask fresh_;            // lanes put since the last look
  bool together_{false};       // all variants stand at the same instant
  std::vector<char> alike_;    // functions that are the same for all variants
  struct alignas(64) Booked {
    double power[kWidth];
    double lost[kWidth];
    bool valid{false};
  };
  std::array<Booked, kWidth> booked_;
};

}  // namespace ricochet::batch
