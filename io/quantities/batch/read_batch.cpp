// Reads [batch]: parameters, outputs and histories of a study of variants.

#include "engine/study/support_shift.hpp"
#include "io/deck/batch_request.hpp"
#include "io/deck/read_parts.hpp"
#include "io/formats/csv_file.hpp"
#include "io/quantities/batch/parameter_path.hpp"
#include "io/quantities/read_requests.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

using Method = BatchRequest::Method;

constexpr int kMostCases = 10000000;  // upper limit: all cases are kept in memory with their values

double parameterValueOfLevel(const BatchParameter& parameter, int i) {
  if (i == 0) return parameter.from;
  if (i == parameter.count - 1) return parameter.to;
  const double part = static_cast<double>(i) / (parameter.count - 1);
  if (parameter.logarithmic) return parameter.from * std::pow(parameter.to / parameter.from, part);
  return parameter.from + part * (parameter.to - parameter.from);
}

/// Reads `from`, `to` and `scale`.
void readParameterInterval(const Section& section, BatchParameter& parameter) {
  parameter.from = section.number("from", kRequired);
  parameter.to = section.number("to", kRequired);
  parameter.logarithmic = section.choice("scale", "linear", {"linear", "logarithmic"}) == "logarithmic";
  const bool oneSign =
      (parameter.from < 0.0 && parameter.to < 0.0) || (parameter.from > 0.0 && parameter.to > 0.0);
  if (parameter.logarithmic && !oneSign)
    section.problem("scale", "a logarithmic scale needs `from` and `to` of one sign, neither of them 0");
  else if (parameter.logarithmic && !std::isfinite(std::log(parameter.to / parameter.from)))
    section.problem("to", "is too far from `from`: their ratio is no number");
}

void readParameterLevels(const Section& section, BatchParameter& parameter) {
  const ProblemWatch watch(section);
  if (section.hasKey("values")) {
    for (const std::string_view other : {"from", "to", "count", "scale"})
      if (section.hasKey(other)) section.problem(other, "contradicts `values`");
    parameter.levels = section.numbers("values", kRequired);
    if (watch.isFreeOfProblems() && parameter.levels.empty())
      section.problem("values", "must hold at least one value");
    parameter.count = static_cast<int>(std::min<std::size_t>(parameter.levels.size(), kMostCases));
    return;
  }
  readParameterInterval(section, parameter);
  parameter.count = section.integer("count", kRequired, rangeWithin(1.0, kMostCases));
}

/// Computes the levels of a grid, after the number of cases has been checked.
void computeGridLevels(const Section& section, std::vector<BatchParameter>& parameters) {
  double cases = 1.0;
  for (const BatchParameter& each : parameters) cases *= each.count;
  if (cases > kMostCases)
    return section.problem(fmt::format("ask for {:.10g} cases; at most {}", cases, kMostCases));
  for (BatchParameter& each : parameters)
    if (each.levels.empty())
      for (int i = 0; i < each.count; ++i) each.levels.push_back(parameterValueOfLevel(each, i));
}

std::vector<BatchParameter> readBatchParameters(const Section& batch, const Document& document,
                                                Method method) {
  std::vector<BatchParameter> parameters;
  std::vector<const InputValue*> numbers;
  const Section section = batch.section("parameters", kRequired);
  const ProblemWatch watch(batch);
  for (const NamedSection& named : section.namedSections()) {
    BatchParameter parameter;
    parameter.path = named.name.value;
    parameter.where = named.name.where;
    const InputValue* number = findNumericValue(document, parameter.path);
    if (number == nullptr)
      batch.diagnostics().addProblem(parameter.where, named.name.path,
                                     describeMissingNumber(document, parameter.path));
    const auto same = std::find(numbers.begin(), numbers.end(), number);
    if (number != nullptr && same != numbers.end())
      batch.diagnostics().addProblem(
          parameter.where, named.name.path,
          fmt::format("leads to the number that \"{}\" leads to; vary it once",
                      parameters[static_cast<std::size_t>(same - numbers.begin())].path));
    if (number != nullptr) parameter.unit = batch.unitOf(*number);
    numbers.push_back(number);
    if (method == Method::grid) readParameterLevels(named.section, parameter);
    if (method == Method::latinHypercube) readParameterInterval(named.section, parameter);
    if (method == Method::table) parameter.column = named.section.string("column", parameter.path);
    parameters.push_back(std::move(parameter));
  }
  if (section.exists() && parameters.empty()) section.problem("must name at least one number of the deck");
  if (method == Method::grid && watch.isFreeOfProblems()) computeGridLevels(section, parameters);
  return parameters;
}

/// Reads the columns of the file; returns the values case by case.
std::vector<double> readBatchTable(const Section& batch, const std::filesystem::path& folder,
                                   BatchRequest& request) {
  const ProblemWatch watch(batch);
  const std::string name = batch.string("file", kRequired);
  if (!watch.isFreeOfProblems()) return {};
  std::vector<Located<std::string>> columns;
  for (const BatchParameter& parameter : request.parameters)
    columns.push_back({parameter.column, parameter.where, parameter.path});
  const std::filesystem::path file = request.tableFile = folder / name;
  const CsvColumns read =
      readCsvColumns({file, batch.where("file"), batch.pathOf("file")}, columns, batch.diagnostics());
  if (!watch.isFreeOfProblems()) return {};
  std::vector<double> values;
  for (std::size_t row = 0; row < read.lines.size(); ++row)
    for (const std::vector<double>& column : read.values) values.push_back(column[row]);
  if (values.empty()) batch.problem("file", fmt::format("{}: holds no case", file.string()));
  return values;
}

/// Calls read(text) on the string of a key; an error of the formula is reported at its character.
template <class Read>
void readFormulaOfKey(const Section& section, const std::string& key, Read&& read) {
  const ProblemWatch watch(section);
  const std::string text = section.string(key, kRequired);
  if (!watch.isFreeOfProblems()) return;
  try {
    read(text);
  } catch (const FormulaError& error) {
    section.diagnostics().addProblem(section.sourceLocationInString(key, error.offset()), section.pathOf(key),
                                     error.what());
  }
}

/// Reports instants and windows of an output that lie outside the run, and statistics that the deck lacks.
void requireInstantsInsideRun(const Section& section, const std::string& key, const ReadContext& context,
                              OutputExpression& expression) {
  for (OutputTerm& term : expression.terms)
    if (const std::string lack = setStatisticUnit(context, term); !lack.empty()) section.problem(key, lack);
  if (!context.run) return;
  const auto moveInside = [&](double& time) {
    const std::optional<double> inside = context.run->instantIfWithinRun(time);
    if (!inside)
      section.problem(key, fmt::format("{} s is outside the run, {}", time, context.run->description()));
    time = inside.value_or(time);
  };
  for (OutputTerm& term : expression.terms) {
    if (term.from) moveInside(*term.from);
    if (term.to) moveInside(*term.to);
    if (term.from && *term.from == context.run->end)
      section.problem(key, fmt::format("`from`, {} s, is the end of the run", *term.from));
    if (term.reduction != nullptr && term.reduction->takesInstant) moveInside(term.time);
  }
}

void readBatchHistories(const Section& batch, const ReadContext& context, const ExpressionNames& names,
                        BatchRequest& request) {
  const std::optional<Section> section = batch.section("histories");
  if (!section) return;
  DeclaredNames declared("history", DeclaredNames::Kept::asObjects);
  for (const Located<std::string>& name : section->keys()) {
    declared.declareName(name, section->diagnostics());
    if (name.value == "time")
      section->problem(name.value, "is the name of the instants in a result; give the history another one");
    readFormulaOfKey(*section, name.value, [&](const std::string& text) {
      request.histories.push_back({name.value, text, parseHistoryExpression(text, names)});
    });
  }
  const OutputRequest& output = context.study.output;
  if (!output.interval && output.times.empty())
    section->problem("histories of a batch share their instants: give [output] `interval` or `times`");
  for (const BatchParameter& parameter : request.parameters)
    for (const std::string_view moving : {"transient.", "output."})
      if (parameter.path.starts_with(moving))
        section->problem(
            fmt::format("histories of a batch share their instants, which {} would move", parameter.path));
}

}  // namespace

void readBatch(ReadContext& context, const Document& document) {
  const std::optional<Section> batch = context.root.section("batch");
  if (!batch || !batch->exists()) return;
  auto request = std::make_shared<BatchRequest>();
  request->where = batch->where();
  const std::string method = batch->choice("method", "grid", {"grid", "latin_hypercube", "table"});
  request->method = method == "table"             ? Method::table
                    : method == "latin_hypercube" ? Method::latinHypercube
                                                  : Method::grid;
  request->parameters = readBatchParameters(*batch, document, request->method);
  if (request->method == Method::latinHypercube) {
    request->samples =
        static_cast<std::size_t>(batch->integer("samples", kRequired, rangeWithin(1.0, kMostCases)));
    request->seed = static_cast<std::uint64_t>(batch->longInteger("seed", 1, rangeAtLeast(0.0)));
  }
  if (request->method == Method::table)
    request->table = readBatchTable(*batch, context.study.deckFile.parent_path(), *request);

  const ExpressionNames names = namesAllowedInExpressions(context);
  const Section outputs = batch->section("outputs", kRequired);
  DeclaredNames declared("output");
  for (const Located<std::string>& name : outputs.keys()) {
    declared.declareName(name, outputs.diagnostics());
    readFormulaOfKey(outputs, name.value, [&](const std::string& text) {
      request->outputs.push_back({name.value, text, parseOutputExpression(text, names)});
      requireInstantsInsideRun(outputs, name.value, context, request->outputs.back().expression);
    });
  }
  if (outputs.exists() && outputs.keys().empty())
    outputs.problem("must name at least one output, such as peak = \"max(abs(displacement(NODE, ux)))\"");
  readBatchHistories(*batch, context, names, *request);
  if (!context.study.transient) batch->problem("needs a [transient] to run");
  const auto& loads = context.study.loads;
  if (std::any_of(loads.begin(), loads.end(), [](const NodalLoad& load) { return load.staticCorrection; }))
    batch->problem(
        "outputs leave the `static_correction` of loads out: take [basis] residual = \"loads\" instead");
  if (hasMovingSupports(context.study))
    batch->problem("outputs do not know supports that move beside contacts yet");
  if (request->method == Method::table && request->caseCount() > static_cast<std::size_t>(kMostCases))
    batch->problem("file", fmt::format("holds {} cases; at most {}", request->caseCount(), kMostCases));
  context.study.batch = std::move(request);
}

}  // namespace ricochet
