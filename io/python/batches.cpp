#include "io/app/batch/run_batch.hpp"
#include "io/app/batch/variant_plan.hpp"
#include "io/app/runs/comparison.hpp"
#include "io/python/bindings.hpp"
#include "io/python/deck_document.hpp"
#include "io/python/run_summary_dict.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace ricochet {
namespace {

namespace py = pybind11;

/// Runs the variants that the [batch] of a deck requests.
py::dict runBatchOfDeck(const PythonDeck& from, const std::filesystem::path& output, int threads, bool force,
                        bool resume, bool progress) {
  BatchSummary summary;
  {
    const py::gil_scoped_release unlocked;
    const VariantPlan plan(from.deck.deckFile, from.document);
    summary = runBatch(
        plan, {.result = output, .force = force, .resume = resume, .progress = progress, .threads = threads});
  }
  raisePendingPythonSignals();
  py::dict dict;
  dict["cases"] = summary.cases;
  dict["complete"] = summary.complete;
  dict["failed"] = summary.failed;
  dict["reasons"] = summary.reasons;
  dict["missing"] = summary.missing;
  dict["seconds"] = summary.seconds;
  dict["interrupted"] = summary.interrupted;
  return dict;
}

py::list historiesAsList(const Comparison& comparison) {
  py::list rows;
  for (const ComparedHistory& each : comparison.histories)
    rows.append(py::make_tuple(each.quantity, each.where, each.unit, each.largest, each.difference, each.at,
                               each.rms));
  return rows;
}

py::list eventsAsList(const Deck& deck, const Comparison& comparison) {
  py::list rows;
  for (const ComparedEvent& each : comparison.events)
    rows.append(py::make_tuple(bodyName(deck, each.contact), std::string(nameOfEventKind(each.kind)),
                               each.index, each.modal, each.direct));
  return rows;
}

/// Runs a deck in generalized and in physical coordinates.
py::dict compareModesOfDeck(const PythonDeck& from, bool quick, bool progress) {
  from.requireTransientRun();
  const Deck& deck = from.deck;
  Comparison comparison;
  {
    const py::gil_scoped_release unlocked;
    const auto modal = prepare(deck);
    const auto direct = prepareDirectSimulation(deck, modal.get());
    comparison = compareModalAndDirectRuns(
        deck, *modal, *direct,
        {.result = std::nullopt, .force = false, .progress = progress, .causes = !quick});
  }
  raisePendingPythonSignals();
  const ComparisonCauses& causes = comparison.causes;
  py::dict dict;
  dict["modal"] = runSummaryAsDict(deck, comparison.modal);
  dict["direct"] = runSummaryAsDict(deck, comparison.direct);
  dict["histories"] = historiesAsList(comparison);
  dict["events"] = eventsAsList(deck, comparison);
  dict["difference"] = causes.difference;
  dict["discretisation"] = causes.discretisation;
  dict["order"] = causes.order;
  dict["without_step_error"] = causes.withoutStepError;
  dict["with_finer_modal_step"] = causes.withFinerModalStep;
  dict["with_both_steps_finer"] = causes.withBothStepsFiner;
  dict["without_numerical_damping"] = causes.withoutNumericalDamping;
  dict["with_residual_vectors"] = causes.withResidual;
  dict["imbalance"] = comparison.imbalance;
  return dict;
}

}  // namespace

void bindBatchFunctions(py::module_& module) {
  module.def("run_batch", &runBatchOfDeck, py::arg("deck"), py::arg("output"), py::arg("threads"),
             py::arg("force"), py::arg("resume"), py::arg("progress"));
  module.def("compare", &compareModesOfDeck, py::arg("deck"), py::arg("quick"), py::arg("progress"));
}

}  // namespace ricochet
