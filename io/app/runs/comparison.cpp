#include "io/app/runs/comparison.hpp"

#include "engine/study/initial_state.hpp"
#include "engine/transient/probes.hpp"
#include "io/app/runs/checks_file.hpp"
#include "io/app/runs/comparison_file.hpp"
#include "io/app/runs/numerical_damping.hpp"
#include "io/app/runs/static_balance.hpp"
#include "io/prepare/run_options.hpp"
#include "io/result/result_file.hpp"
#include "physical/sparse.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace ricochet {
namespace {

constexpr std::size_t kInstants = 2000;

constexpr std::array kComparedOfContacts{ContactProbe::Kind::gap, ContactProbe::Kind::normalForce,
                                         ContactProbe::Kind::tangentialForce};

/// The compared quantities: displacements and velocities of the output nodes, then quantities of the
/// contacts.
struct Compared {
  std::vector<Dof> dofs;
  std::vector<std::string> dofNames;
  std::vector<std::string> contactNames;
};

Compared quantitiesToCompare(const Deck& study, const Simulation& simulation) {
  Compared compared;
  const DofMap& dofs = simulation.physical.dofs;
  for (const NodeIndex node : study.output.nodes)
    for (int c = 0; c < kComponents; ++c) {
      const Dof dof{node, componentOfIndex(c)};
      const DofIndex index = dofs.find(dof);
      if (!index.exists() || dofs.isFixed(index)) continue;
      compared.dofs.push_back(dof);
      compared.dofNames.push_back(fmt::format("{} {}", study.nodes[static_cast<std::size_t>(node.value)].name,
                                              componentName(dof.component)));
    }
  for (const ContactRequest& contact : study.contacts) compared.contactNames.push_back(contact.name);
  return compared;
}

/// Records histories of one run: one row per quantity, one column per instant.
class Recorder : public TransientObserver {
 public:
  Recorder(const Deck& study, const Compared& compared, const Simulation& simulation, std::size_t instants)
      : balance_(study, simulation),
        dofs_(static_cast<Eigen::Index>(compared.dofs.size())),
        size_(simulation.size()),
        rows_(simulation.rows(compared.dofs)) {
    for (const Dof dof : compared.dofs)
      for (const Kinematic kind : {Kinematic::displacement, Kinematic::velocity})
        beside_.push_back(simulation.imposedMotion(dof, kind, false));
    const auto contacts = static_cast<Eigen::Index>(compared.contactNames.size());
    Eigen::Index perContact = 0;
    for (const ContactProbe::Kind kind : kComparedOfContacts)
      perContact += static_cast<Eigen::Index>(ContactProbe{kind}.size());
    values = Matrix::Zero(2 * dofs_ + perContact * contacts, static_cast<Eigen::Index>(instants));
  }

  void archive(const StepView&) override {}
  void onInstant(std::size_t index, const StepView& view) override {
    auto column = values.col(static_cast<Eigen::Index>(index));
    column.head(dofs_) = rows_ * view.state.q.head(size_);
    column.segment(dofs_, dofs_) = rows_ * view.state.v.head(size_);
    for (Eigen::Index i = 0; i < dofs_; ++i)
      for (const Eigen::Index kind : {0, 1})
        column[kind * dofs_ + i] += beside_[static_cast<std::size_t>(2 * i + kind)].at(view);
    imbalance = std::max(imbalance, balance_.relativeImbalance(view));
    double* to = column.data() + 2 * dofs_;
    for (std::size_t contact = 0; contact < view.contacts.size(); ++contact)
      for (const ContactProbe::Kind kind : kComparedOfContacts) {
        const ContactProbe probe{kind, contact};
        probe.sample(view, {to, probe.size()});
        to += probe.size();
      }
  }

  Matrix values;
  double imbalance{0.0};  ///< largest error of StaticBalance
  Eigen::Index displacementCount() const noexcept { return dofs_; }

 private:
  StaticBalance balance_;
  Eigen::Index dofs_;
  Eigen::Index size_;
  RowMajorMatrix rows_;
  /// Displacement and velocity of each dof in addition to the coordinates.
  std::vector<ImposedMotion> beside_;
};

std::vector<double> sharedInstantsOfModes(const Deck& study) {
  const double start = study.transient->start;
  std::vector<double> instants;
  for (std::size_t i = 0; i <= kInstants; ++i)
    instants.push_back(start + study.transient->duration * static_cast<double>(i) / kInstants);
  return instants;
}

/// The study with the checks of both modes, all of them applied to the run of `mode`.
Deck deckWithChecksOfMode(const Deck& study, Mode mode) {
  Deck turned = study;
  std::erase_if(turned.checks, [](const CheckRequest& check) { return check.mode > 0; });
  for (CheckRequest& check : turned.checks) check.direct = mode == Mode::direct;
  return turned;
}

/// The results of each check in both runs, which were computed with deckWithChecksOfMode.
std::vector<ComparedCheck> compareChecks(const Deck& study, const std::vector<CheckResult>& modal,
                                         const std::vector<CheckResult>& direct) {
  std::vector<ComparedCheck> checks;
  for (const CheckRequest& check : study.checks) {
    const std::size_t i = checks.size();
    if (check.mode == 0 && i < modal.size() && i < direct.size())
      checks.push_back({modal[i], direct[i], check.direct});
  }
  return checks;
}

std::vector<ComparedHistory> compareHistories(const Compared& compared, const std::vector<double>& instants,
                                              const Recorder& modal, const Recorder& direct) {
  std::vector<ComparedHistory> histories;
  Eigen::Index row = 0;
  const auto add = [&](std::string_view quantity, const std::string& where, std::string_view unit) {
    ComparedHistory history{std::string(quantity), where, std::string(unit)};
    const Eigen::RowVectorXd difference = direct.values.row(row) - modal.values.row(row);
    Eigen::Index worst = 0;
    history.largest = modal.values.row(row).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    history.difference = difference.cwiseAbs().maxCoeff<Eigen::PropagateNaN>(&worst);
    history.at = instants[static_cast<std::size_t>(worst)];
    history.rms = std::sqrt(difference.squaredNorm() / static_cast<double>(difference.size()));
    histories.push_back(std::move(history));
    ++row;
  };
  constexpr std::array kOfRotations{"rad", "rad/s"};
  for (const std::size_t kind : {0U, 1U})
    for (std::size_t i = 0; i < compared.dofs.size(); ++i)
      add(kKinematicNames[kind], compared.dofNames[i],
          compared.dofs[i].component >= Component::rx ? kOfRotations[kind] : kKinematicUnits[kind]);
  for (const std::string& name : compared.contactNames)
    for (const ContactProbe::Kind kind : kComparedOfContacts) {
      const ContactProbe probe{kind};
      for (std::size_t i = 1; i <= probe.size(); ++i)
        add(probe.name(), probe.size() > 1 ? fmt::format("{} {}", name, i) : name, probe.unit());
    }
  return histories;
}

std::vector<ComparedEvent> compareEvents(const std::vector<Event>& modal, const std::vector<Event>& direct) {
  std::map<std::tuple<int, EventKind, int>, ComparedEvent> found;
  const auto gather = [&](const std::vector<Event>& events, std::optional<double> ComparedEvent::*mode) {
    std::map<std::pair<int, EventKind>, int> count;
    for (const Event& event : events) {
      const int index = ++count[{event.contact, event.kind}];
      ComparedEvent& entry = found[{event.contact, event.kind, index}];
      entry.contact = event.contact;
      entry.kind = event.kind;
      entry.index = index;
      entry.*mode = event.time;
    }
  };
  gather(modal, &ComparedEvent::modal);
  gather(direct, &ComparedEvent::direct);
  std::vector<ComparedEvent> events;
  for (const auto& [key, event] : found) events.push_back(event);
  std::stable_sort(events.begin(), events.end(), [](const ComparedEvent& a, const ComparedEvent& b) {
    return a.modal.value_or(a.direct.value_or(0.0)) < b.modal.value_or(b.direct.value_or(0.0));
  });
  return events;
}

/// rms of the difference between all displacements of `a` and `b`, divided by the rms of the displacements of
/// `b`.
double rmsDifference(const Recorder& a, const Recorder& b) {
  const auto of = b.values.topRows(b.displacementCount());
  const double size = of.norm();
  return size > 0.0 ? (a.values.topRows(a.displacementCount()) - of).norm() / size : 0.0;
}

/// First instant at which the displacements of `direct` differ from those of `modal` by more than a share of
/// their root mean square over the run.
std::optional<double> instantOfFirstDifference(const std::vector<double>& instants, const Recorder& modal,
                                               const Recorder& direct, double share) {
  const auto of = modal.values.topRows(modal.displacementCount());
  const double size = of.norm() / std::sqrt(static_cast<double>(std::max<Eigen::Index>(of.cols(), 1)));
  for (Eigen::Index i = 0; i < of.cols(); ++i)
    if ((direct.values.col(i).head(direct.displacementCount()) - of.col(i)).norm() > share * size)
      return instants[static_cast<std::size_t>(i)];
  return std::nullopt;
}

/// Fills in what the basis of the modal run leaves out.
void recordEffectOfTruncation(const Study& study, const Simulation& modal, const Simulation& direct,
                              Comparison& comparison) {
  comparison.hasResiduals = modal.basis.residualVectors > 0;
  comparison.completeBasis = modal.basis.complete;
  for (const Truncation& truncation : modal.truncation) comparison.leftOut.push_back(truncation.indicator[0]);
  for (const Kinematic kind : {Kinematic::displacement, Kinematic::velocity}) {
    const double of = initialRemainder(study, modal, kind), both = initialRemainder(study, direct, kind);
    comparison.leftOutAtStart[static_cast<std::size_t>(kind)] =
        std::sqrt(std::max(0.0, of * of - both * both));
  }
}

/// Wall time of a run without output [s].
double measureTimeWithoutOutput(const Deck& study, const Simulation& simulation) {
  Deck bare = study;
  bare.checks.clear();
  bare.statistics.reset();
  bare.output.interval.reset();
  bare.output.times = {study.transient->start + study.transient->duration};
  return runStudy(bare, simulation, nullptr, false).seconds;
}

/// Runs the simulation and returns the histories of `compared`; checks and results of the run are not kept.
Recorder runAndRecordHistories(const Deck& study, const Simulation& simulation, const Compared& compared,
                               const ComparisonSettings& settings, RunStatus& status) {
  const std::vector<double> instants = sharedInstantsOfModes(study);
  Recorder recorder(study, compared, simulation, instants.size());
  Deck bare = study;
  bare.checks.clear();
  bare.statistics.reset();
  status = runStudy(bare, simulation, nullptr, settings.progress, {instants, &recorder}).report.status;
  return recorder;
}

/// Estimates the error of the time step of the direct run. `finer` receives the run with a quarter of the
/// step. False if a run was interrupted.
bool findStepError(const Deck& study, Simulation& direct, const Compared& compared,
                   const ComparisonSettings& settings, const Recorder& modal, const Recorder& whole,
                   std::optional<Recorder>& finer, ComparisonCauses& causes) {
  const double step = direct.step;
  RunStatus first = RunStatus::complete;
  RunStatus second = RunStatus::complete;
  direct.step = 0.5 * step;
  const Recorder half = runAndRecordHistories(study, direct, compared, settings, first);
  direct.step = 0.25 * step;
  if (first != RunStatus::complete) {
    direct.step = step;
    return first != RunStatus::interrupted;
  }
  const Recorder& quarter = finer.emplace(runAndRecordHistories(study, direct, compared, settings, second));
  direct.step = step;
  if (second != RunStatus::complete) return second != RunStatus::interrupted;
  const double coarse = rmsDifference(whole, half);
  const double fine = rmsDifference(half, quarter);
  causes.withoutStepError = rmsDifference(quarter, modal);
  constexpr double kRounding = 1e-10;  // relative rounding error that some thousand steps can accumulate
  causes.rounding = coarse < kRounding && fine < kRounding;
  if (causes.rounding || !(coarse > 0.0) || !(fine > 0.0)) return true;
  causes.order = std::log2(coarse / fine);
  // Richardson extrapolation from steps h, h/2, h/4; not given for an observed order below 1/2
  if (*causes.order > 0.5) causes.discretisation = coarse / (1.0 - fine / coarse);
  return true;
}

/// Effect of the step of the modal run, if its scheme does not choose its steps. False if a run was
/// interrupted.
bool findModalStepError(const Deck& study, Simulation& modal, const Compared& compared,
                        const ComparisonSettings& settings, const Recorder& direct,
                        const std::optional<Recorder>& finer, ComparisonCauses& causes) {
  if (!hasEvenSteps(study, modal)) return true;
  const double step = modal.step;
  modal.step = 0.25 * step;
  RunStatus status = RunStatus::complete;
  const Recorder quarter = runAndRecordHistories(study, modal, compared, settings, status);
  modal.step = step;
  if (status != RunStatus::complete) return status != RunStatus::interrupted;
  causes.withFinerModalStep = rmsDifference(direct, quarter);
  if (finer) causes.withBothStepsFiner = rmsDifference(*finer, quarter);
  return true;
}

/// Effect of the numerical damping of the schemes of both runs. False if a run was interrupted.
bool findNumericalDamping(const Deck& study, const Simulation& modal, const Simulation& direct,
                          const Compared& compared, const ComparisonSettings& settings,
                          const Recorder& ofModal, const Recorder& ofDirect, Comparison& comparison) {
  Deck turned = study;
  const std::string damped = removeNumericalDamping(modal.scheme, turned.transient->options);
  const std::string directDamped = removeNumericalDamping(direct.scheme, turned.direct.options);
  std::string& text = comparison.causes.numericalDamping;
  if (!damped.empty()) text = "the modal run (" + damped + ")";
  if (!directDamped.empty())
    text += (text.empty() ? "the direct run (" : " and of the direct run (") + directDamped + ")";
  if (text.empty() || !settings.causes) return true;
  std::optional<Recorder> otherModal, otherDirect;
  RunStatus status = RunStatus::complete;
  if (!damped.empty()) otherModal = runAndRecordHistories(turned, modal, compared, settings, status);
  if (status == RunStatus::complete && !directDamped.empty())
    otherDirect = runAndRecordHistories(turned, direct, compared, settings, status);
  if (status != RunStatus::complete) return status != RunStatus::interrupted;
  comparison.causes.withoutNumericalDamping =
      rmsDifference(otherDirect ? *otherDirect : ofDirect, otherModal ? *otherModal : ofModal);
  return true;
}

/// Effect of the modal truncation: repeats the modal run with residual vectors at the contacts, or without
/// the residual vectors that the deck requests.
void findTruncationEffect(const Deck& study, const Simulation& modal, const Compared& compared,
                          const ComparisonSettings& settings, const Recorder& direct,
                          ComparisonCauses& causes) {
  const bool has = study.basis.contactResiduals;
  if (modal.basis.complete && !has) return;
  Deck turned = study;
  turned.basis.contactResiduals = !has;
  try {
    const auto other = prepare(turned);
    RunStatus status = RunStatus::complete;
    const Recorder run = runAndRecordHistories(turned, *other, compared, settings, status);
    if (status == RunStatus::complete)
      (has ? causes.withoutResidual : causes.withResidual) = rmsDifference(direct, run);
  } catch (const InputError&) {
    // the step exceeds the stability limit of the larger basis: no truncation estimate is given
  }
}

/// Makes the further runs that look for the causes of the difference, until one is interrupted.
void findCausesOfDifference(const Deck& study, Simulation& modal, Simulation& direct,
                            const Compared& compared, const ComparisonSettings& settings,
                            const Recorder& ofModal, const Recorder& ofDirect, Comparison& comparison) {
  std::optional<Recorder> finer;
  ComparisonCauses& causes = comparison.causes;
  if (findNumericalDamping(study, modal, direct, compared, settings, ofModal, ofDirect, comparison) &&
      settings.causes && findStepError(study, direct, compared, settings, ofModal, ofDirect, finer, causes) &&
      findModalStepError(study, modal, compared, settings, ofDirect, finer, causes))
    findTruncationEffect(study, modal, compared, settings, ofDirect, causes);
}

}  // namespace

Comparison compareModalAndDirectRuns(const Deck& study, Simulation& modal, Simulation& direct,
                                     const ComparisonSettings& settings) {
  if (settings.result) requireWritableResult(*settings.result, inputFilesOf(study), settings.force);
  std::optional<ResultFile> result;
  if (settings.result) {
    result.emplace(study, modal, *settings.result);
    result->file().setAttribute("/", kComparedRuns, "modal and direct");
    result->writeRunDescription(study, direct);
  }
  ResultFile* file = result ? &*result : nullptr;
  Comparison comparison;
  comparison.instants = sharedInstantsOfModes(study);
  const Compared compared = quantitiesToCompare(study, modal);
  Recorder ofModal(study, compared, modal, comparison.instants.size());
  Recorder ofDirect(study, compared, direct, comparison.instants.size());
  comparison.modal = runStudy(deckWithChecksOfMode(study, Mode::modal), modal, file, settings.progress,
                              {comparison.instants, &ofModal, true});
  if (comparison.modal.report.status != RunStatus::interrupted)
    comparison.direct = runStudy(deckWithChecksOfMode(study, Mode::direct), direct, file, settings.progress,
                                 {comparison.instants, &ofDirect, true});
  else
    comparison.direct.report.status = RunStatus::interrupted;

  comparison.modalSeconds = comparison.modal.seconds;
  comparison.directSeconds = comparison.direct.seconds;
  if (comparison.areBothRunsComplete() && settings.causes) {
    comparison.modalSeconds = measureTimeWithoutOutput(study, modal);
    comparison.directSeconds = measureTimeWithoutOutput(study, direct);
  }
  if (comparison.areBothRunsComplete()) {
    comparison.histories = compareHistories(compared, comparison.instants, ofModal, ofDirect);
    comparison.imbalance = std::max(ofModal.imbalance, ofDirect.imbalance);
    comparison.causes.difference = rmsDifference(ofDirect, ofModal);
    constexpr double kApart = 0.1, kDiffer = 0.01;
    comparison.parting = instantOfFirstDifference(comparison.instants, ofModal, ofDirect, kApart);
    comparison.differing = instantOfFirstDifference(comparison.instants, ofModal, ofDirect, kDiffer);
    recordEffectOfTruncation(study, modal, direct, comparison);
    findCausesOfDifference(study, modal, direct, compared, settings, ofModal, ofDirect, comparison);
  }
  comparison.checks = compareChecks(study, comparison.modal.checks, comparison.direct.checks);
  comparison.events = compareEvents(comparison.modal.events, comparison.direct.events);

  if (result) {
    if (comparison.areBothRunsComplete()) writeComparison(result->file(), comparison, study);
    const RunSummary& failed =
        comparison.modal.report.status != RunStatus::complete ? comparison.modal : comparison.direct;
    if (comparison.areBothRunsComplete()) {
      std::vector<CheckResult> judged;
      for (const ComparedCheck& check : comparison.checks) judged.push_back(check.resultWithVerdict());
      writeCheckResults(result->file(), judged);
      result->close("complete");
    } else {
      result->close("failed", failureTextOfRun(study, failed));
    }
  }
  return comparison;
}

}  // namespace ricochet
