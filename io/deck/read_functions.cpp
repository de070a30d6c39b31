#include "engine/functions/archived_history.hpp"
#include "engine/functions/random_signal.hpp"
#include "io/archive/read_curve.hpp"
#include "io/archive/result_format.hpp"
#include "io/deck/read_parts.hpp"
#include "io/formats/csv_file.hpp"
#include "io/hdf5/hdf5.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

namespace ricochet {
namespace {

using Outside = TimeFunction::Outside;

constexpr std::array<std::string_view, 1> kTime{"t"};

/// Reads how the function continues outside its table.
Outside readValuesOutsideTable(const Section& section, std::string_view key) {
  const std::string written = section.choice(key, "error", {"constant", "zero", "linear", "error"});
  if (written == "constant") return Outside::constant;
  if (written == "zero") return Outside::zero;
  return written == "linear" ? Outside::linear : Outside::undefined;
}

/// Reports keys that cannot be combined with `key`.
void reportUnusedKeys(const Section& section, std::string_view key, const NameList& others) {
  for (const std::string_view other : others)
    if (section.hasKey(other)) section.problem(other, fmt::format("contradicts `{}`", key));
}

struct BadTime {
  std::size_t index;
  std::string problem;
};

/// First error of the abscissae: they must not decrease, and each value occurs at most twice.
std::optional<BadTime> findErrorOfAbscissae(const std::vector<double>& times) {
  const std::optional<std::size_t> decrease = indexOfFirstDecrease(times);
  for (std::size_t i = 2; i < decrease.value_or(times.size()); ++i)
    if (times[i] == times[i - 2])
      return BadTime{i, fmt::format("{} is repeated more than once; a jump takes two", times[i])};
  if (const std::size_t i = decrease.value_or(0); i > 0)
    return BadTime{i, fmt::format("must not decrease: {} comes after {}", times[i], times[i - 1])};
  return std::nullopt;
}

DeclaredFunction makeTableFunction(const std::vector<double>& times, const std::vector<double>& values,
                                   Outside before, Outside after) {
  DeclaredFunction declared;
  declared.function = TimeFunction::table(times, values, before, after);
  if (before == Outside::undefined) declared.first = times.front();
  if (after == Outside::undefined) declared.last = times.back();
  return declared;
}

DeclaredFunction readFunctionFromTable(const Section& section) {
  const ProblemWatch watch(section);
  const std::vector<double> times = section.numbers("times", kRequired, {}, {.unit = "s"});
  const std::vector<double> values = section.numbers("values", kRequired);
  const Outside before = readValuesOutsideTable(section, "before");
  const Outside after = readValuesOutsideTable(section, "after");
  reportUnusedKeys(section, "times", {"columns"});
  if (!watch.isFreeOfProblems() || !section.exists()) return {};
  if (times.empty()) section.problem("times", "must hold at least one instant");
  if (times.size() != values.size()) {
    section.problem("values", fmt::format("must hold as many values as `times`, which has {}, got {}",
                                          times.size(), values.size()));
  }
  if (const auto bad = findErrorOfAbscissae(times)) section.problem("times", bad->index, bad->problem);
  return watch.isFreeOfProblems() ? makeTableFunction(times, values, before, after) : DeclaredFunction{};
}

DeclaredFunction readFunctionFromFile(const ReadContext& context, const Section& section) {
  const ProblemWatch watch(section);
  const std::string name = section.string("file", kRequired);
  const std::vector<Located<std::string>> columns = section.strings("columns", kRequired);
  const Outside before = readValuesOutsideTable(section, "before");
  const Outside after = readValuesOutsideTable(section, "after");
  reportUnusedKeys(section, "file", {"values"});
  if (!watch.isFreeOfProblems()) return {};
  if (name.empty()) section.problem("file", "must not be empty");
  if (columns.size() != 2 || columns[0].value == columns[1].value)
    section.problem("columns", "must name two columns: the instants [s], the values");
  if (!watch.isFreeOfProblems()) return {};

  const Located<std::filesystem::path> file{context.pathOfDataFile(name), section.where("file"),
                                            section.pathOf("file")};
  const CsvColumns read = readCsvColumns(file, columns, section.diagnostics());
  if (!watch.isFreeOfProblems()) return {};
  const std::vector<double>& times = read.values[0];
  if (const auto bad = findErrorOfAbscissae(times)) {
    section.diagnostics().addProblem({file.value.string(), read.lines[bad->index], 0}, file.path,
                                     fmt::format("{} {}", columns[0].value, bad->problem));
    return {};
  }
  return makeTableFunction(times, read.values[1], before, after);
}

DeclaredFunction readFunctionFromFormula(const Section& section) {
  DeclaredFunction declared;
  const ProblemWatch watch(section);
  const std::string text = section.string("formula", kRequired);
  reportUnusedKeys(section, "formula", {"values", "columns", "before", "after"});
  if (!watch.isFreeOfProblems()) return declared;
  try {
    declared.function = TimeFunction::formula(Formula::parse(text, kTime));
  } catch (const FormulaError& error) {
    section.diagnostics().addProblem(section.sourceLocationInString("formula", error.offset()),
                                     section.pathOf("formula"), error.what());
  }
  return declared;
}

/// Reads a sample of a random process; its period is the duration of the run.
DeclaredFunction readRandomFunction(ReadContext& context, const Section& section) {
  const ProblemWatch watch(section);
  reportUnusedKeys(section, "psd", {"values", "columns", "before", "after"});
  const Section psd = section.section("psd", kRequired);
  SpectralDensity density{psd.numbers("frequency", kRequired), psd.numbers("density", kRequired)};
  const std::int64_t seed = section.longInteger("seed", 1, rangeAtLeast(0.0));
  if (!watch.isFreeOfProblems()) return {};
  const auto& f = density.frequency;
  if (f.size() < 2 || f.front() < 0.0 ||
      std::adjacent_find(f.begin(), f.end(), std::greater_equal<>()) != f.end())
    psd.problem("frequency", "must be at least two frequencies, not negative and increasing");
  if (density.density.size() != f.size())
    psd.problem("density", fmt::format("must hold as many values as `frequency`, which has {}, got {}",
                                       f.size(), density.density.size()));
  for (std::size_t i = 0; i < density.density.size(); ++i)
    if (density.density[i] < 0.0) psd.problem("density", i, "must not be negative");
  if (!watch.isFreeOfProblems() || !context.run) return {};
  const double duration = context.run->end - context.run->start;
  if (f.back() * duration < 1.0) {
    psd.problem("frequency",
                fmt::format("must go up to at least {:.6g} Hz, of one period in the run", 1.0 / duration));
    return {};
  }
  constexpr double kMostPoints = 1e8;
  if (const double points = leastPointCountOfRandomSignal(density, duration); points > kMostPoints) {
    psd.problem("frequency",
                fmt::format("goes up to {:.6g} Hz, which takes a sample of {:.3g} instants over the run of "
                            "{:.6g} s; at most {:.3g} fit, which reach {:.3g} Hz: end it there, or shorten "
                            "the run",
                            f.back(), points, duration, kMostPoints, f.back() * kMostPoints / points));
    return {};
  }
  if (const std::optional<Section> initial = context.root.section("initial");
      initial && initial->hasKey("restart"))
    context.recordDefaultValue(
        section.pathOf("psd"),
        "a sample of its own: it does not go on from that of the earlier run, so the load "
        "jumps at the restart");
  RandomSignal signal = generateRandomSignal(density, duration, static_cast<std::uint64_t>(seed));
  for (double& t : signal.times) t += context.run->start;
  signal.times.back() = context.run->end;
  return makeTableFunction(signal.times, signal.values, Outside::undefined, Outside::undefined);
}

/// Warns where the pieces of a history of a result leave out a noticeable part of it.
void warnOfCoarseHistory(ReadContext& context, const Section& section, const Curve& curve,
                         const HistoryPieces& pieces) {
  constexpr double kNoticeable = 0.01;
  if (curve.time.size() < 2) return;
  std::string lost;
  if (curve.missedImpulse >= kNoticeable)
    lost = fmt::format(
        "have an impulse of the normal force that is off by {:.2g} of it (impacts between rows, or of a "
        "rigid contact, which has no force in them)",
        curve.missedImpulse);
  else if (pieces.omitted >= kNoticeable)
    lost = fmt::format("leave out about {:.2g} of {}", pieces.omitted, curve.label);
  else if (!pieces.resolved)
    lost = "move otherwise than its rates tell";
  else
    return;
  const double apart = (curve.time.back() - curve.time.front()) / static_cast<double>(curve.time.size() - 1);
  context.study.warnings.push_back(fmt::format(
      "{}: the rows of {} are {:.2g} s apart on the mean, and what is read between them would {}; "
      "give the deck of that run a shorter `interval` in [output]",
      section.path(), section.string("result", kRequired), apart, lost));
}

/// The function of a history: the value of steps holds until the next row, other histories are read between
/// their rows as approximateByStraightPieces does.
DeclaredFunction historyFunction(ReadContext& context, const Section& section, const Curve& curve,
                                 std::span<const double> events, Outside before, Outside after) {
  if (curve.style != CurveStyle::steps) {
    const HistoryPieces pieces = approximateByStraightPieces({.times = curve.time,
                                                              .values = curve.values,
                                                              .rates = curve.rates,
                                                              .events = events,
                                                              .integrals = curve.integrals});
    warnOfCoarseHistory(context, section, curve, pieces);
    return makeTableFunction(pieces.times, pieces.values, before, after);
  }
  std::vector<double> times{curve.time.front()}, values{curve.values.front()};
  for (std::size_t i = 1; i < curve.time.size(); ++i) {
    times.insert(times.end(), curve.values[i] != values.back() ? 2 : 1, curve.time[i]);
    values.push_back(values.back());
    if (times.size() > values.size()) values.push_back(curve.values[i]);
  }
  return makeTableFunction(times, values, before, after);
}

/// Reads a history from an earlier result.
DeclaredFunction readFunctionFromResult(ReadContext& context, const Section& section) {
  const ProblemWatch watch(section);
  const std::string name = section.string("result", kRequired);
  const std::string quantity = section.string("quantity", kRequired);
  const Outside before = readValuesOutsideTable(section, "before");
  const Outside after = readValuesOutsideTable(section, "after");
  reportUnusedKeys(section, "result", {"values", "columns"});
  if (!watch.isFreeOfProblems()) return {};
  try {
    const H5File file = openResult(context.pathOfDataFile(name));
    const Curve curve = readCurve(file, quantity, Mode::modal, true);
    if (curve.tookFirst)  // in a check or a picture the same expression is the magnitude of the vector
      context.recordDefaultValue(section.pathOf("quantity"), fmt::format("component 1 of {}", curve.label));
    if (curve.style == CurveStyle::bars || curve.style == CurveStyle::marks)
      section.problem("quantity", "is no history: it has no value at every instant");
    if (curve.time.empty()) section.problem("result", "holds no instant");
    for (std::size_t i = 0; i < curve.values.size() && watch.isFreeOfProblems(); ++i)
      if (!std::isfinite(curve.values[i]))
        section.problem("quantity", fmt::format("is no finite number at {} s", curve.time[i]));
    if (watch.isFreeOfProblems())
      return historyFunction(context, section, curve, eventInstantsIn(file, curve.mode), before, after);
  } catch (const PlotError& error) {
    section.problem("quantity", error.what());
  } catch (const ResultError& error) {
    section.problem("result", error.what());
  }
  return {};
}

DeclaredFunction readTimeFunction(ReadContext& context, const Section& section) {
  const std::string key = section.onlyPresentKeyOf({"times", "formula", "file", "psd", "result"});
  if (key == "formula") return readFunctionFromFormula(section);
  if (key == "psd") return readRandomFunction(context, section);
  if (key == "result") return readFunctionFromResult(context, section);
  if (key == "file") return readFunctionFromFile(context, section);
  if (!key.empty() || section.hasKey("values")) return readFunctionFromTable(section);
  for (const std::string_view other : {"columns", "before", "after"}) section.hasKey(other);
  section.problem("one of times and values, formula, file, psd, result is needed");
  return {};
}

}  // namespace

void readFunctions(ReadContext& context) {
  const std::optional<Section> functions = context.root.section("functions");
  if (!functions) return;
  if (!functions->exists()) context.functions.markNamesAsIncomplete();
  for (const Located<std::string>& name : functions->keys()) {
    context.functions.declareName(name, functions->diagnostics());
    const std::optional<Section> section = functions->section(name.value);
    context.functionTables.push_back(readTimeFunction(context, *section));
    context.functionTables.back().path = section->path();
  }
}

}  // namespace ricochet
