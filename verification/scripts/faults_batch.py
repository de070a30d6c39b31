"""Faults of batches: their cases, what they bind, what they write and what they reduce."""

from seeded_fault import Fault

CASES = "io/app/batch/batch_cases.cpp"
STATISTIC = "io/quantities/batch/history_statistic.cpp"
REDUCTIONS = "io/quantities/table/reduction.cpp"
QUEUE = "io/app/batch/batch_queue.cpp"

FAULTS = [
    Fault("a window takes whole steps", "io: batch", STATISTIC,
          "if (begin >= window_.from && end <= window_.to) return", "if (true) return", "BatchRun.OutputsOfWindows*"),
    Fault("a window of step ends begins at a step end", "io: batch", STATISTIC,
          "inside_ = {window_.from, window_.to};", "inside_ = {window_.to};", "BatchRun.OutputsOfWindows*"),
    Fault("a force that jumps keeps its value for a step", "io: batch", STATISTIC,
          "time == window_.from || !areNumbersOfLastStepEnd(numbers)", "time == window_.from",
          "HistoryStatistic.TakesBothValues*:OutputRecorder.TakesBothValues*"),
    Fault("a gap is smooth where the nearest side changes", "io: batch", STATISTIC,
          "if (contact == nullptr || !contact->byPosition) continue;\n    inside_", "continue;\n    inside_",
          "OutputRecorder.GapsTurn*"),
    Fault("every parameter of a grid varies as the last one", "io: batch", CASES,
          "rest % levels.size()", "i % levels.size()", "BatchCases.Grid*"),
    Fault("all samples lie in the first stratum", "io: batch", CASES,
          "static_cast<double>(strata[i]) + uniformRandom(generator)", "uniformRandom(generator)", "BatchCases.Latin*"),
    Fault("logarithmic parameters are spaced evenly", "io: batch", CASES,
          "if (parameter.logarithmic) return parameter.from * std::exp(part *"
          " std::log(parameter.to / parameter.from));", "", "BatchCases.Latin*", "statement"),
    Fault("a parameter of a normal law is not set", "io: batch", "io/app/batch/law_binding.cpp",
          "if (place.part == 1) setParameterOfLaw(normal, place.field, value);", "", "BatchRun.EveryVariantHas*:BatchRun.*",
          "statement"),
    Fault("cases of other structures share a basis", "io: batch", "io/app/batch/variant_plan.cpp",
          "if (structural_[p]) key.push_back(valuesOfVariant(i)[p]);", "", "BatchRun.GivesTheBits*:BatchRun.*", "statement"),
    Fault("what became of cases is not written", "io: batch", "io/app/batch/batch_file.cpp",
          "status_->write(block.first, count, block.status.data());", "",
          "BatchCommand.GivesItsName*:BatchCommand.*", "statement"),
    Fault("reasons of failed cases are lost", "io: batch", QUEUE,
          "if (status != VariantStatus::complete) failed_.emplace_back(block.first + i, block.reason[i]);", "",
          "BatchCommand.StopsCleanly*:BatchCommand.*", "statement"),
    Fault("a batch goes on that is not the same", "io: batch", "io/app/batch/batch_file.cpp",
          "file.stringAttribute(\"/\", \"deck_sha256\") != sha256(plan.study().deckText)", "false",
          "BatchCommand.BeginsEndsOrSaysWhyItCannotResume"),
    Fault("a root mean square without its root", "io: batch", REDUCTIONS,
          "std::sqrt(t.sum / t.length)", "t.sum / t.length", "BatchRun.*Statistics*"),
    Fault("a peak between steps twice as high above them", "io: batch", STATISTIC,
          "values[1] - 0.25 * slope * slope / curvature", "values[1] - 0.5 * slope * slope / curvature",
          "HistoryStatistic.*"),
    Fault("peaks of the event scheme at the ends of cells only", "io: batch",
          "engine/numerics/extremes.hpp", "sections > 0", "false", "BatchRun.EventStatistics*"),
    Fault("a case that failed has the output zero", "io: batch", "io/app/batch/variant_run.cpp",
          "std::fill(result.outputs.begin(), result.outputs.end(), kNoValue);",
          "std::fill(result.outputs.begin(), result.outputs.end(), 0.0);",
          "MapPicture.CasesThatFailed*:BatchRun.*", "statement"),
    Fault("cases of a map hide each other", "io: batch", "io/app/batch/batch_selection.cpp",
          "if (hidden.empty()) return {valuesOf(selection, cases)};", "return {valuesOf(selection, cases)};", "MapPicture.RefusesAMap*", "statement"),
    Fault("a fixed parameter takes all of its values", "io: batch", "io/app/batch/batch_selection.cpp",
          "return table.valueOfCase(i, f.column) == f.value;", "return table.valueOfCase(i, f.column) <= f.value;",
          "MapPicture.AMapOver*", "statement"),
    Fault("a third tangent is taken", "io: batch", "io/quantities/table/expression.cpp",
          "parseInteger(written, 1, 2, \"must be tangent 1 or 2\")",
          "parseInteger(written, 1, 9, \"must be tangent 1 or 2\")", "OutputExpression.TellsTheCharacter*"),
]
