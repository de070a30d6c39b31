#include "engine/study/simulation.hpp"
#include "io/app/runs/run_study.hpp"
#include "io/prepare/prepare.hpp"
#include "io/python/bindings.hpp"
#include "io/python/deck_document.hpp"
#include "io/python/modal_table.hpp"
#include "io/python/recording.hpp"
#include "io/python/run_summary_dict.hpp"
#include "io/result/result_target.hpp"
#include "io/result/target.hpp"

#include <pybind11/stl/filesystem.h>

#include <memory>

namespace ricochet {
namespace {

namespace py = pybind11;

std::unique_ptr<Simulation> prepareModalOrDirectRun(bool direct, const Deck& deck) {
  auto simulation = direct ? prepareDirectSimulation(deck) : prepare(deck);
  requireKnownNodeMotions(deck, *simulation, true);
  return simulation;
}

/// Runs a deck and writes its result file, like the program.
py::dict runToFile(const PythonDeck& from, const std::filesystem::path& output, bool direct, bool force,
                   bool resume, const py::object& callback) {
  from.requireTransientRun();
  const Deck& deck = from.deck;
  WatchedRun watch(callback, deck);
  RunSummary summary;
  {
    const py::gil_scoped_release unlocked;
    requireCreatableFile(output);
    if (!resume) requireWritableResult(output, inputFilesOf(deck), force);
    const auto simulation = prepareModalOrDirectRun(direct, deck);
    summary =
        runStudy(deck, *simulation,
                 {.result = output, .force = force, .progress = false, .resume = resume, .observer = &watch});
  }
  watch.rethrowCallbackException();
  raisePendingPythonSignals();
  return runSummaryAsDict(deck, summary);
}

/// Runs a deck in memory. Returns the summary and the groups of its result.
py::tuple runInMemory(const PythonDeck& from, bool direct, const py::object& callback) {
  from.requireTransientRun();
  const Deck& deck = from.deck;
  std::unique_ptr<Simulation> simulation;
  std::unique_ptr<Recording> recording;
  RunSummary summary;
  {
    const py::gil_scoped_release unlocked;
    simulation = prepareModalOrDirectRun(direct, deck);
  }
  recording = std::make_unique<Recording>(deck, *simulation, callback);
  {
    const py::gil_scoped_release unlocked;
    summary = runStudy(deck, *simulation, nullptr, false, {.instants = {}, .observer = recording.get()});
    recording->reportNonFiniteValue(summary);
  }
  recording->rethrowCallbackException();
  raisePendingPythonSignals();
  py::dict groups = recording->takeGroupsAsDict();
  if (!direct) groups["modal"] = modesAsDict(simulation->basis);
  return py::make_tuple(runSummaryAsDict(deck, summary), groups);
}

}  // namespace

void bindRunFunctions(py::module_& module) {
  module.def("run_to_file", &runToFile, py::arg("deck"), py::arg("output"), py::arg("direct"),
             py::arg("force"), py::arg("resume"), py::arg("progress"));
  module.def("run_in_memory", &runInMemory, py::arg("deck"), py::arg("direct"), py::arg("progress"));
}

}  // namespace ricochet
