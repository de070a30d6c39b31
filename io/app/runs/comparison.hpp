#pragma once

#include "io/app/runs/run_study.hpp"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// One history in both modes, recorded at the same instants.
struct ComparedHistory {
  std::string quantity;  ///< "displacement", "normal_force" ...
  std::string where;     ///< "shoe ux", "sole", "sole 1"
  std::string unit;
  double largest{0.0};     ///< largest |value| of the modal run
  double difference{0.0};  ///< largest |direct - modal| of the history
  double at{0.0};          ///< instant of the largest difference [s]
  double rms{0.0};         ///< rms of direct - modal
  double relativeDifference() const { return largest > 0.0 ? difference / largest : 0.0; }
};

/// One check of the deck in both modes.
struct ComparedCheck {
  CheckResult modal;
  CheckResult direct;
  bool ofDirect{false};  ///< true: the check belongs to the direct run; false: to the modal run

  const CheckResult& resultWithVerdict() const noexcept { return ofDirect ? direct : modal; }
};

/// The n-th event of a kind at a contact; its time is absent in a mode that has fewer such events.
struct ComparedEvent {
  int contact{0};
  EventKind kind{EventKind::closing};
  int index{1};
  std::optional<double> modal, direct;  ///< time of the event in each mode [s]
};

/// Causes of the difference between the modes. Sizes: rms of a difference of all displacements, divided by
/// the rms of the displacements.
struct ComparisonCauses {
  double difference{0.0};  ///< size of direct - modal
  /// Discretisation error of the direct run, estimated from halved steps.
  std::optional<double> discretisation;
  std::optional<double> order;  ///< order of convergence observed with steps h, h/2, h/4
  bool rounding{false};         ///< halving the step changes the result by no more than rounding errors
  std::optional<double> withoutStepError;  ///< size of (direct run with step h/4) - modal
  /// Size of direct - (modal run with a quarter of its step), and with a quarter of both steps; absent if the
  /// modal scheme chooses its steps.
  std::optional<double> withFinerModalStep, withBothStepsFiner;
  /// The runs whose schemes damp numerically, with their parameters; empty if none does.
  std::string numericalDamping;
  std::optional<double> withoutNumericalDamping;  ///< size of direct - modal in runs without this damping
  std::optional<double> withResidual;  ///< size of direct - modal, with residual vectors at the contacts
  /// Size of direct - modal without the residual vectors of the deck, if the deck has any.
  std::optional<double> withoutResidual;
};

struct Comparison {
  RunSummary modal, direct;
  std::vector<double> instants;  ///< instants at which histories were recorded [s]
  std::vector<ComparedHistory> histories;
  std::vector<ComparedCheck> checks;
  std::vector<ComparedEvent> events;
  ComparisonCauses causes;
  std::optional<double>
      parting;  ///< instant from which the displacements differ by a tenth of their size [s]
  std::optional<double> differing;  ///< instant from which they differ by a hundredth [s]
  /// For each contact the share of the flexibility of its spring that is missing in the basis, residual
  /// vectors included (truncation indicator along the normal).
  std::vector<double> leftOut;
  /// Part of the initial displacement and velocity that the modal run leaves out and the direct run has: the
  /// coordinates of the direct run contain those of the modal run, so that the remainders are orthogonal.
  std::array<double, 2> leftOutAtStart{};
  bool completeBasis{false};  ///< no mode is left out
  bool hasResiduals{false};   ///< the modal run has residual vectors
  double imbalance{0.0};      ///< largest error of the balance at dofs without inertia, of both runs [-]
  double modalSeconds{0.0},
      directSeconds{0.0};  ///< wall times of the time stepping alone, without output [s]
  double wallTimeRatio() const { return modalSeconds > 0.0 ? directSeconds / modalSeconds : 0.0; }
  bool isInStaticBalance() const {
    constexpr double kNoticeable = 1e-6;  // the rounding error of a balance of stiff springs is smaller
    return imbalance <= kNoticeable;
  }
  bool areBothRunsComplete() const {
    return modal.report.status == RunStatus::complete && direct.report.status == RunStatus::complete;
  }
};

struct ComparisonSettings {
  /// Result file for both runs and the group /comparison; absent: no file.
  std::optional<std::filesystem::path> result;
  bool force{false};
  bool progress{true};
  /// True: makes further runs, which measure the cost without output and the causes of the difference.
  bool causes{true};
};

/// Runs a study in both modes. Changes the steps of both simulations temporarily. Throws the exceptions of
/// runStudy.
Comparison compareModalAndDirectRuns(const Deck& study, Simulation& modal, Simulation& direct,
                                     const ComparisonSettings& settings);

}  // namespace ricochet
