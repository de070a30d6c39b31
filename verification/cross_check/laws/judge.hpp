#pragma once

#include "verification/cross_check/laws/part_model.hpp"

#include <map>
#include <string>
#include <vector>

namespace ricochet::cross {

/// Kinds of disagreement between the columns of a model.
enum class LawFaultKind {
  differs,   ///< another motion than the other columns, and it does not come nearer as it is refined
  stops,     ///< a run does not complete
  energy,    ///< the energy ledger does not close, and does not close better as the run is refined
  resume,    ///< a run that goes on from a checkpoint ends elsewhere
  lanes,     ///< lanes give other bits
  restart,   ///< two runs of half the duration end elsewhere than one
  equations  ///< the reference differs from the equations integrated alone
};
inline constexpr int kLawFaultKinds = 7;
const char* nameOf(LawFaultKind kind);

struct LawFault {
  LawFaultKind kind{LawFaultKind::differs};
  std::string column;
  std::string text;
  double size{0.0};  ///< of a difference: relative to the motion
};

struct LawExamination {
  std::vector<LawFault> faults;
  bool runs{false};           ///< a column takes it, with steps that are not too short
  bool throughCentre{false};  ///< a body is pushed to the centre of an obstacle: nothing is compared
  bool integrated{false};     ///< the equations were integrated alone
  double comparedUntil{0.0};  ///< part of the duration before sensitive motions part
  std::vector<std::string> taken, late;
  std::map<std::string, std::string> refused;  ///< by column
  DeckHead head;  ///< scheme, step and known values for a deck that shows the first fault

  const LawFault* find(LawFaultKind kind, const std::string& column) const;
};

struct LawEffort {
  double seconds{2.0};     ///< of processor time for a run
  double steps{6000};      ///< most steps at the first level
  bool restarts{false};    ///< judges restarts too, which write files
  bool integrates{false};  ///< integrates the equations alone, where they are plain
  int columns{100};        ///< most columns; those of a model change with its index
  int index{0};
  bool tells{false};  ///< prints what every column does
};

/// Runs a model in all columns that take it and compares them.
LawExamination examineLaws(const PartModel& model, const LawEffort& effort);

}  // namespace ricochet::cross
