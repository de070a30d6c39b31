#pragma once

#include "io/app/runs/run_study.hpp"

#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// One history in both modes, seen at the same instants.
struct ComparedHistory {
  std::string quantity;  ///< "displacement", "normal_force" ...
  std::string where;     ///< "shoe ux", "sole", "sole 1"
  std::string unit;
  double largest{0.0};     ///< largest |value| of the modal run
  double difference{0.0};  ///< largest |direct - modal|
  double at{0.0};          ///< and its instant [s]
  double rms{0.0};         ///< of direct - modal
  double relative() const { return largest > 0.0 ? difference / largest : 0.0; }
};

/// One check of the deck in both modes.
struct ComparedCheck {
  CheckResult modal;
  CheckResult direct;
  bool ofDirect{false};  ///< it judges the direct run

  const CheckResult& judged() const noexcept { return ofDirect ? direct : modal; }
};

/// The n-th event of a kind at a contact; absent in a mode that has fewer.
struct ComparedEvent {
  int contact{0};
  EventKind kind{EventKind::closing};
  int index{1};
  std::optional<double> modal, direct;  ///< [s]
};

/// Why the modes differ. Sizes are the rms of a difference of all displacements over the rms of the
/// displacements.
struct ComparisonCauses {
  double difference{0.0};                  ///< direct - modal
  std::optional<double> discretisation;    ///< of the direct run, estimated from halved steps
  std::optional<double> order;             ///< observed from steps h, h/2, h/4
  bool rounding{false};                    ///< halving the step changes no more than rounding does
  std::optional<double> withoutStepError;  ///< direct at h/4 - modal
  std::optional<double> withResidual;      ///< direct - modal with residual vectors at the contacts
  std::optional<double> withoutResidual;   ///< direct - modal without them, where the deck has them
};

struct Comparison {
  RunSummary modal, direct;
  std::vector<double> instants;  ///< at which histories were seen [s]
  std::vector<ComparedHistory> histories;
  std::vector<ComparedCheck> checks;
  std::vector<ComparedEvent> events;
  ComparisonCauses causes;
  double modalSeconds{0.0}, directSeconds{0.0};  ///< of the time stepping alone, without output [s]
  double ratio() const { return modalSeconds > 0.0 ? directSeconds / modalSeconds : 0.0; }
  bool complete() const {
    return modal.report.status == RunStatus::complete && direct.report.status == RunStatus::complete;
  }
};

struct ComparisonSettings {
  std::optional<std::filesystem::path> result;  ///< file for both runs and /comparison; absent: none
  bool force{false};
  bool progress{true};
  bool causes{true};  ///< further runs for the cost without output, and others that say why the modes differ
};

/// Runs a study in both modes. The steps of `direct` are changed for a while. Throws as runStudy.
Comparison compareModes(const Deck& study, const Simulation& modal, Simulation& direct,
                        const ComparisonSettings& settings);

}  // namespace ricochet
