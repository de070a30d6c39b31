#pragma once

#include "verification/cross_check/model.hpp"
#include "verification/cross_check/model_deck.hpp"
#include "verification/cross_check/oracle.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ricochet::cross {

/// Kinds of disagreement between ricochet and what a model must do.
enum class FaultKind {
  refused,         ///< the deck was refused
  stalls,          ///< event: contact states change without end
  unbalanced,      ///< event: no balance of an impact, though the laws have a solution there
  infinite,        ///< event: the motion becomes infinite
  slow,            ///< event: a run takes too long
  penetrates,      ///< event: a gap becomes negative
  energy,          ///< event: the energy ledger does not close
  differs,         ///< event: another motion than the oracle's
  moreauStops,     ///< moreau does not complete
  moreauDiffers,   ///< moreau does not approach the oracle; nor event, where the oracle is silent
  penaltyStops,    ///< penalty contacts under event: the run does not complete
  penaltyDiffers,  ///< penalty contacts do not approach the rigid ones as they become stiffer
  oracleLost       ///< the oracle itself does not get on: a fault of this program
};
inline constexpr int kFaultKinds = 13;
/// Kinds that only moreau and penalty contacts find.
constexpr bool isWeak(FaultKind kind) {
  return kind >= FaultKind::moreauStops && kind <= FaultKind::penaltyDiffers;
}
const char* nameOf(FaultKind kind);

struct Fault {
  FaultKind kind{FaultKind::differs};
  std::string text;
  double size{0.0};     ///< of a difference: relative to the motion; 0 for faults without a size
  DeckChoice choice{};  ///< scheme and laws under which the model shows the fault
};

/// What was compared for a model, and the disagreements.
struct Examination {
  std::vector<Fault> faults;
  OracleRun::End end{OracleRun::End::complete};
  bool silent{false};         ///< friction that turns in a plane: the oracle does not follow it
  double comparedUntil{0.0};  ///< part of the duration over which event was compared with the oracle
  bool sensitive{false};      ///< the comparison ended early, as the motion depends on rounding
  bool bouncesOn{false};      ///< more events than event, and the oracle, can follow
  bool stopsRightly{false};   ///< event stops at an instant after which no motion satisfies the laws
  bool moreauJudged{false};
  bool penaltyJudged{false};
  std::vector<ExpectedValue>
      expected;        ///< values of the oracle; of moreau where the oracle is silent and event differs
  double length{0.0};  ///< largest displacement of the oracle [m, rad]

  const Fault* find(FaultKind kind) const;  ///< null if there is no such fault
  void add(FaultKind kind, std::string text, double size = 0.0) {
    faults.push_back({kind, std::move(text), size, {}});
  }
};

/// Runs a model under event and, `weakly`, under moreau and with penalty contacts; compares the runs with the
/// oracle.
Examination examine(const ContactModel& model, bool weakly = true);

}  // namespace ricochet::cross
