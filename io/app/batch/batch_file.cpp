#include "io/app/batch/batch_file.hpp"

#include "io/app/batch/variant_plan.hpp"
#include "io/archive/result_format.hpp"
#include "io/archive/version.hpp"
#include "io/deck/batch_request.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/result/data_files.hpp"
#include "io/result/result_file.hpp"
#include "io/result/result_verdict.hpp"
#include "io/text/digest.hpp"
#include "io/text/progress.hpp"
#include "io/toml/read_names.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

const ValueNames& statusNames() {
  static const ValueNames names{{"pending", std::int8_t{0}},        {"complete", std::int8_t{1}},
                                {"diverged", std::int8_t{2}},       {"not_converged", std::int8_t{3}},
                                {"step_too_small", std::int8_t{4}}, {"stalled", std::int8_t{5}},
                                {"bad_input", std::int8_t{6}}};
  return names;
}

std::string pathOfHistoryDataset(const std::string& name) {
  return "/batch/histories/" + hdf5ObjectName(name);
}

/// Labels the first axis of a dataset with the numbers of the cases.
void labelAxisOfCases(const H5File& file, const std::string& path) {
  labelAxes(file, path, {{"case", "number of the case, from 0", {}, 0}});
}

/// Writes the names of the columns, also as axis labels, the expressions of the deck that define them, and
/// their units (empty for a formula, and for a number without unit).
template <class Item>
void writeColumnNames(const H5File& file, const std::string& path, const std::vector<Item>& items,
                      const std::string& axis) {
  std::vector<std::string> names, texts, units;
  for (const auto& item : items) {
    if constexpr (requires { item.name; }) {
      names.push_back(item.name);
      texts.push_back(item.text);
      units.push_back(unitOfOutput(item.expression));
    } else {
      names.push_back(item.path);
      units.push_back(item.unit);
    }
  }
  file.setAttribute(path, "names", std::span<const std::string>(names));
  labelAxisOfCases(file, path);
  labelAxis(file, path, 1, {axis, "name of the " + axis, names});
  file.setAttribute(path, fmt::format("units_of_{}s", axis), std::span<const std::string>(units));
  if (!texts.empty()) file.setAttribute(path, "expressions", std::span<const std::string>(texts));
}

/// Creates all datasets of /batch, without content.
void createDatasets(const H5File& file, const VariantPlan& plan, const std::vector<double>& historyTimes) {
  const std::size_t count = plan.size();
  const BatchRequest& request = plan.batchRequest();
  file.write("/batch/parameters", {count, plan.parameterCount()}, plan.valuesOfAllVariants(),
             {"1", "values of the parameters, in the units of the deck"});
  writeColumnNames(file, "/batch/parameters", request.parameters, "parameter");
  FixedDataset::createNumbers(file, "/batch/outputs", {count, request.outputs.size()},
                              {"1", "outputs, in SI units; NaN where there is none (see defined)"}, kNoValue);
  writeColumnNames(file, "/batch/outputs", request.outputs, "output");
  FixedDataset::createBytes(file, "/batch/defined", {count, request.outputs.size()},
                            {"1", "1 where a case has the output"});
  labelAxes(file, "/batch/defined", {{"case"}, {"output"}});
  FixedDataset::createNamedCodes(file, "/batch/status", {count}, {"1", "what became of each case"},
                                 statusNames());
  FixedDataset::createNumbers(file, "/batch/wall_time", {count}, {"s", "time that each case took"});
  FixedDataset::createNumbers(file, "/batch/end_time", {count}, {"s", "instant that each case reached"});
  for (const char* each : {"status", "wall_time", "end_time"})
    labelAxisOfCases(file, std::string("/batch/") + each);
  if (!request.histories.empty()) {
    file.write("/batch/histories/time", {historyTimes.size()}, historyTimes,
               {"s", "instants of the histories"});
    file.makeDatasetScale("/batch/histories/time", "time");
  }
  for (const BatchHistory& history : request.histories) {
    const std::string name = pathOfHistoryDataset(history.name);
    FixedDataset::createNumbers(file, name, {count, historyTimes.size()}, {"1", history.text}, kNoValue);
    file.attachScale(name, "/batch/case", 0);
    file.attachScale(name, "/batch/histories/time", 1);
  }
}

/// Throws unless the partial file belongs to the same batch: only the same batch can be resumed.
void requireSameBatch(const H5File& file, const VariantPlan& plan) {
  if (!file.exists("/batch"))
    throw TargetError(
        fmt::format("{}: is of a run, with which `ricochet run --resume` goes on", file.name()));
  if (file.stringAttribute("/", "deck_sha256") != sha256(plan.study().deckText))
    throw TargetError(fmt::format(
        "{}: was made from another text of the deck; give back that text (dataset /deck), or run with "
        "--force instead of --resume to begin anew",
        file.name()));
  const std::string version = file.stringAttribute("/", "software_version");
  if (version != kVersion)
    throw TargetError(fmt::format(
        "{}: was made by version {}, this is {}; run with --force instead of --resume to begin anew",
        file.name(), version, kVersion));
  requireSameDataFiles(file, plan.study());
  // The table of cases may have changed although the deck has not.
  const H5Array<double> values = file.read("/batch/parameters", {plan.size(), plan.parameterCount()});
  if (!std::equal(values.values.begin(), values.values.end(), plan.valuesOfAllVariants().begin(),
                  plan.valuesOfAllVariants().end()))
    throw TargetError(fmt::format(
        "{}: holds other values of the parameters than the deck's table does now; restore the table, or run "
        "with --force instead of --resume to begin anew",
        file.name()));
}

/// Throws AlreadyComplete if the result is that of the batch, and TargetError if it is something else.
void requireIncompleteBatch(const VariantPlan& plan, const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) return;
  std::string status = "unknown";
  try {
    const H5File file = openResult(path);
    status = file.stringAttribute("/", "status");
    if (status == "complete") {
      requireSameBatch(file, plan);
      throw AlreadyComplete(fmt::format("{}: is complete, nothing is left to resume", path.string()));
    }
  } catch (const ResultError&) {
    // the file is no readable result: its status stays "unknown"
  }
  throw TargetError(fmt::format("{}: there is nothing to resume; {} is no batch: its status is {}",
                                temporaryNameOfResult(path).string(), path.string(), status));
}

}  // namespace

VariantBlock::VariantBlock(const VariantPlan& plan, std::size_t historyRows, std::size_t begin,
                           std::size_t count)
    : first(begin),
      outputs(count * plan.batchRequest().outputs.size(), kNoValue),
      defined(outputs.size()),
      histories(count * plan.batchRequest().histories.size() * historyRows, kNoValue),
      seconds(count),
      reached(count),
      status(count),
      reason(count),
      outputWidth_(plan.batchRequest().outputs.size()),
      historyWidth_(plan.batchRequest().histories.size() * historyRows) {}

VariantResult VariantBlock::resultOfVariant(std::size_t variant) {
  const std::size_t i = variant - first;
  return {std::span(outputs).subspan(i * outputWidth_, outputWidth_),
          std::span(defined).subspan(i * outputWidth_, outputWidth_),
          std::span(histories).subspan(i * historyWidth_, historyWidth_)};
}

void VariantBlock::receiveVariantOutcome(std::size_t variant, const VariantOutcome& outcome) {
  const std::size_t i = variant - first;
  seconds[i] = outcome.seconds;
  reached[i] = outcome.time;
  status[i] = static_cast<std::int8_t>(outcome.status);
  reason[i] = outcome.reason;
}

BatchFile::BatchFile(H5File file, std::filesystem::path path, const VariantPlan& plan)
    : name_(std::move(path)), file_(std::move(file)) {
  openDatasets(plan);
}

BatchFile::BatchFile(const VariantPlan& plan, const Simulation& base, const std::vector<double>& historyTimes,
                     std::filesystem::path path)
    : BatchFile(ResultFile::begin(plan.study(), base, temporaryNameOfResult(path),
                                  [&](const H5File& file) { createDatasets(file, plan, historyTimes); }),
                path, plan) {}

void BatchFile::openDatasets(const VariantPlan& plan) {
  const std::size_t cases = plan.size(), outputs = plan.batchRequest().outputs.size();
  outputs_ = FixedDataset::open(*file_, "/batch/outputs", {cases, outputs});
  defined_ = FixedDataset::open(*file_, "/batch/defined", {cases, outputs});
  status_ = FixedDataset::open(*file_, "/batch/status", {cases});
  seconds_ = FixedDataset::open(*file_, "/batch/wall_time", {cases});
  reached_ = FixedDataset::open(*file_, "/batch/end_time", {cases});
  for (const BatchHistory& history : plan.batchRequest().histories)
    histories_.push_back(FixedDataset::open(*file_, pathOfHistoryDataset(history.name), {cases, kAny}));
  if (!histories_.empty()) historyRows_ = file_->rows("/batch/histories/time");
}

std::optional<BatchFile> BatchFile::resumeBatchFile(const VariantPlan& plan,
                                                    const std::filesystem::path& path) {
  const std::filesystem::path partial = temporaryNameOfResult(path);
  if (!std::filesystem::exists(partial)) {
    requireIncompleteBatch(plan, path);
    return std::nullopt;
  }
  try {
    H5File content = openResult(partial, Access::readWrite, Journal::keep);
    requireSameBatch(content, plan);
    if (const ResultVerdict verdict = inspectResultFile(content); !verdict.isResultSound())
      throw ResultError(fmt::format("{}: is damaged ({})", content.name(), verdict.faults.front()));
    return BatchFile(std::move(content), path, plan);
  } catch (const FileInUse& error) {
    throw TargetError(fmt::format("{}; wait for it, or name another result with -o", error.what()));
  } catch (const ResultError& error) {
    // A file whose program was killed before its first flush is empty.
    if (!hasUnfinishedContent(partial)) return std::nullopt;
    throw TargetError(fmt::format("{}; run with --force instead of --resume to begin anew", error.what()));
  }
}

std::vector<VariantStatus> BatchFile::statuses() const {
  const H5Array<std::int8_t> read = file_->read<std::int8_t>("/batch/status", {kAny});
  std::vector<VariantStatus> statuses;
  for (const std::int8_t value : read.values) statuses.push_back(static_cast<VariantStatus>(value));
  return statuses;
}

void BatchFile::write(const VariantBlock& block) {
  const std::size_t count = block.size();
  outputs_->write(block.first, count, block.outputs.data());
  defined_->write(block.first, count, block.defined.data());
  seconds_->write(block.first, count, block.seconds.data());
  reached_->write(block.first, count, block.reached.data());
  const std::size_t width = histories_.size() * historyRows_;
  for (std::size_t h = 0; h < histories_.size(); ++h)
    for (std::size_t i = 0; i < count; ++i)
      histories_[h].write(block.first + i, 1, block.histories.data() + i * width + h * historyRows_);
  file_->flush();
  status_->write(block.first, count, block.status.data());
  file_->flush();
  InterruptGuard::recordFileSize(std::filesystem::file_size(partialPath()));
}

void BatchFile::closeDatasets() {
  outputs_.reset();
  defined_.reset();
  status_.reset();
  seconds_.reset();
  reached_.reset();
  histories_.clear();
}

void BatchFile::completeAndRenameFile(const std::vector<std::size_t>& failed,
                                      const std::vector<std::string>& reasons) {
  closeDatasets();
  // a batch whose program was killed just before the renaming is complete and only needs its final name
  if (file_->stringAttribute("/", "status") != "complete") markFileComplete(failed, reasons);
  name_.renameToFinal(*file_, partialPath());
  file_.reset();
}

void BatchFile::markFileComplete(const std::vector<std::size_t>& failed,
                                 const std::vector<std::string>& reasons) {
  if (!failed.empty()) {
    const std::vector<std::int64_t> cases(failed.begin(), failed.end());
    file_->write("/batch/failures/case", {cases.size()}, cases, {"1", "cases that did not complete, from 0"});
    file_->writeStrings("/batch/failures/reason", reasons, {"1", "why"});
    labelAxes(*file_, "/batch/failures/reason", {{"case"}});
  }
  file_->setAttribute("/", "status", "complete");
}

void BatchFile::closeIncompleteFile() {
  closeDatasets();
  file_->close();
  file_.reset();
}

}  // namespace ricochet
