#pragma once

#include "verification/cross_check/model.hpp"
#include "verification/cross_check/model_deck.hpp"
#include "verification/cross_check/oracle.hpp"

#include <string>
#include <utility>
#include <vector>

namespace ricochet::cross {

/// Kinds of disagreement between ricochet and the required behaviour of a model.
enum class FaultKind {
  refused,         ///< the deck was refused
  stalls,          ///< event: contact states change without end
  unbalanced,      ///< event: no solution of an impact that has a solution by the laws
  infinite,        ///< event: the motion becomes infinite
  slow,            ///< event: a run takes too long
  penetrates,      ///< event: a gap becomes negative
  energy,          ///< event: the energy ledger does not close
  differs,         ///< event: the motion differs from that of the oracle
  moreauStops,     ///< moreau does not complete
  moreauDiffers,   ///< moreau does not converge to the oracle, or to event if the oracle has no motion
  penaltyStops,    ///< penalty contacts under event: the run does not complete
  penaltyDiffers,  ///< runs with penalty contacts do not converge to rigid contacts as their stiffness grows
  oracleLost       ///< the oracle finds no further event: a fault of the oracle
};
inline constexpr int kFaultKinds = 13;
/// Kinds that only moreau and penalty contacts can find.
constexpr bool isFaultOfApproximateScheme(FaultKind kind) {
  return kind >= FaultKind::moreauStops && kind <= FaultKind::penaltyDiffers;
}
const char* nameOf(FaultKind kind);

struct Fault {
  FaultKind kind{FaultKind::differs};
  std::string text;
  double size{0.0};     ///< size of a difference, relative to the motion; 0 for faults without a size
  DeckChoice choice{};  ///< scheme and laws with which the model has the fault
};

/// Comparisons that were made for a model, and the disagreements.
struct Examination {
  std::vector<Fault> faults;
  OracleRun::End end{OracleRun::End::complete};
  bool silent{false};         ///< friction turns in a plane, which the oracle does not follow
  double comparedUntil{0.0};  ///< fraction of the duration over which event was compared with the oracle
  bool sensitive{false};      ///< the comparison ended early, as the motion depends on rounding
  bool bouncesOn{false};      ///< the number of events exceeds the limit of event or of the oracle
  bool stopsRightly{false};   ///< event stops at an instant after which no motion satisfies the laws
  bool moreauJudged{false};
  bool penaltyJudged{false};
  bool undecided{
      false};  ///< moreau differs where friction turns and the laws or its steps permit two motions
  std::vector<ExpectedValue>
      expected;        ///< motion of the oracle, or of moreau if the oracle has no motion and event differs
  double length{0.0};  ///< largest displacement of the oracle [m, rad]

  const Fault* find(FaultKind kind) const;  ///< null if there is no such fault
  void add(FaultKind kind, std::string text, double size = 0.0) {
    faults.push_back({kind, std::move(text), size, {}});
  }
};

/// Runs a model with event and, if `weakly`, with moreau and with penalty contacts; compares the runs with
/// the oracle.
Examination examine(const ContactModel& model, bool weakly = true);

}  // namespace ricochet::cross
