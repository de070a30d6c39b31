#pragma once

#include "verification/cross_check/laws/part_model.hpp"

#include <map>
#include <string>
#include <vector>

namespace ricochet::cross {

/// Kinds of disagreement between the columns of a model.
enum class LawFaultKind {
  /// The motion differs from that of other columns, and the difference does not decrease under refinement.
  differs,
  stops,     ///< a run does not complete
  energy,    ///< the energy balance does not close, and its residual does not decrease under refinement
  resume,    ///< a run that continues from a checkpoint has another final state
  lanes,     ///< a run in lanes has other bits
  restart,   ///< two runs of half the duration have another final state than one run
  equations  ///< the reference differs from the integrated equations
};
inline constexpr int kLawFaultKinds = 7;
const char* nameOf(LawFaultKind kind);

struct LawFault {
  LawFaultKind kind{LawFaultKind::differs};
  std::string column;
  std::string text;
  double size{0.0};  ///< size of a difference, relative to the motion
};

struct LawExamination {
  std::vector<LawFault> faults;
  bool runs{false};           ///< true: a column runs the model with steps that are not too short
  bool throughCentre{false};  ///< true: a body reaches the centre of an obstacle, so that nothing is compared
  bool integrated{false};     ///< true: the equations were integrated without the engine
  double comparedUntil{0.0};  ///< fraction of the duration before sensitive motions separate
  std::vector<std::string> taken, late;
  std::map<std::string, std::string> refused;  ///< by column
  DeckHead head;  ///< scheme, step and known values for a deck with the first fault

  const LawFault* find(LawFaultKind kind, const std::string& column) const;
};

struct LawEffort {
  double seconds{2.0};     ///< limit of the processor time of a run [s]
  double steps{6000};      ///< largest number of steps at the first level
  bool restarts{false};    ///< true: also tests restarts, which write files
  bool integrates{false};  ///< true: integrates simple equations without the engine
  int columns{100};        ///< largest number of columns; the columns of a model depend on its index
  int index{0};
  bool tells{false};  ///< true: prints the outcome of every column
};

/// Runs a model in all columns that support the model, and compares them.
LawExamination examineLaws(const PartModel& model, const LawEffort& effort);

}  // namespace ricochet::cross
