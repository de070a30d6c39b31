#include "io/batch/batch_file.hpp"

#include "io/digest.hpp"
#include "io/version.hpp"

#include <fmt/format.h>

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

std::string historyPath(const std::string& name) {
  std::string safe = name;
  std::replace(safe.begin(), safe.end(), '/', '_');
  return "/batch/histories/" + safe;
}

/// Names of the columns and the texts that they came from.
template <class Item>
void describe(const H5File& file, const std::string& path, const std::vector<Item>& items) {
  std::vector<std::string> names, texts;
  for (const auto& item : items) {
    if constexpr (requires { item.name; }) {
      names.push_back(item.name);
      texts.push_back(item.text);
    } else {
      names.push_back(item.path);
    }
  }
  file.setAttribute(path, "names", std::span<const std::string>(names));
  if (!texts.empty()) file.setAttribute(path, "expressions", std::span<const std::string>(texts));
}

}  // namespace

VariantBlock::VariantBlock(const VariantPlan& plan, std::size_t historyRows, std::size_t begin,
                           std::size_t count)
    : first(begin),
      outputs(count * plan.request().outputs.size()),
      defined(outputs.size()),
      histories(count * plan.request().histories.size() * historyRows),
      seconds(count),
      reached(count),
      status(count),
      reason(count),
      outputWidth_(plan.request().outputs.size()),
      historyWidth_(plan.request().histories.size() * historyRows) {}

VariantResult VariantBlock::resultOf(std::size_t variant) {
  const std::size_t i = variant - first;
  return {std::span(outputs).subspan(i * outputWidth_, outputWidth_),
          std::span(defined).subspan(i * outputWidth_, outputWidth_),
          std::span(histories).subspan(i * historyWidth_, historyWidth_)};
}

void VariantBlock::take(std::size_t variant, const VariantOutcome& outcome) {
  const std::size_t i = variant - first;
  seconds[i] = outcome.seconds;
  reached[i] = outcome.time;
  status[i] = static_cast<std::int8_t>(outcome.status);
  reason[i] = outcome.reason;
}

BatchFile::BatchFile(H5File file, std::filesystem::path path)
    : path_(std::move(path)), file_(std::move(file)) {}

BatchFile::BatchFile(const VariantPlan& plan, const Simulation& base, const std::vector<double>& historyTimes,
                     std::filesystem::path path)
    : path_(std::move(path)) {
  // under a third name until it is whole: what is called partial can be resumed
  const std::filesystem::path unborn = path_.string() + ".new";
  ResultFile::begin(plan.study(), base, unborn);
  file_ = H5File::open(unborn, Access::readWrite);
  const std::size_t count = plan.size();
  const BatchRequest& request = plan.request();
  file_->write("/batch/parameters", {count, plan.parameters()}, plan.values(),
               {"1", "values of the parameters, in the units of the deck"});
  describe(*file_, "/batch/parameters", request.parameters);
  FixedDataset::createNumbers(*file_, "/batch/outputs", {count, request.outputs.size()},
                              {"1", "outputs, in SI units; 0 where there is none (see defined)"});
  describe(*file_, "/batch/outputs", request.outputs);
  FixedDataset::createBytes(*file_, "/batch/defined", {count, request.outputs.size()},
                            {"1", "1 where a case has the output"});
  FixedDataset::createNamed(*file_, "/batch/status", {count}, {"1", "what became of each case"},
                            statusNames());
  FixedDataset::createNumbers(*file_, "/batch/wall_time", {count}, {"s", "time that each case took"});
  FixedDataset::createNumbers(*file_, "/batch/end_time", {count}, {"s", "instant that each case reached"});
  if (!request.histories.empty()) {
    file_->write("/batch/histories/time", {historyTimes.size()}, historyTimes,
                 {"s", "instants of the histories"});
    file_->makeScale("/batch/histories/time", "time");
  }
  for (const BatchHistory& history : request.histories) {
    const std::string name = historyPath(history.name);
    FixedDataset::createNumbers(*file_, name, {count, historyTimes.size()}, {"1", history.text});
    file_->attachScale(name, "/batch/histories/time", 1);
  }
  file_->close();
  std::filesystem::rename(unborn, partial());
  file_ = H5File::open(partial(), Access::readWrite);
  openDatasets(plan);
}

void BatchFile::openDatasets(const VariantPlan& plan) {
  outputs_ = FixedDataset::open(*file_, "/batch/outputs");
  defined_ = FixedDataset::open(*file_, "/batch/defined");
  status_ = FixedDataset::open(*file_, "/batch/status");
  seconds_ = FixedDataset::open(*file_, "/batch/wall_time");
  reached_ = FixedDataset::open(*file_, "/batch/end_time");
  for (const BatchHistory& history : plan.request().histories)
    histories_.push_back(FixedDataset::open(*file_, historyPath(history.name)));
  if (!histories_.empty()) historyRows_ = file_->shape("/batch/histories/time")[0];
}

BatchFile BatchFile::resume(const VariantPlan& plan, std::filesystem::path path) {
  const std::filesystem::path partial = partialOf(path);
  if (!std::filesystem::exists(partial)) {
    const bool done = std::filesystem::exists(path);
    throw TargetError(
        fmt::format("{}: there is nothing to resume{}", partial.string(),
                    done ? "; " + path.string() + " is complete" : "; run the batch without --resume"));
  }
  try {
    BatchFile file(H5File::open(partial, Access::readWrite), std::move(path));
    const H5File& content = *file.file_;
    if (content.stringAttribute("/", "deck_sha256") != sha256(plan.study().deckText))
      throw TargetError(fmt::format(
          "{}: was made from another text of the deck; give back that text (dataset /deck), or run without "
          "--resume to begin anew",
          partial.string()));
    if (content.stringAttribute("/", "software_version") != kVersion)
      throw TargetError(
          fmt::format("{}: was made by version {}, this is {}; run without --resume to begin anew",
                      partial.string(), content.stringAttribute("/", "software_version"), kVersion));
    // a table may have changed without the deck
    const H5Array<double> values = content.read("/batch/parameters");
    if (!std::equal(values.values.begin(), values.values.end(), plan.values().begin(), plan.values().end()))
      throw TargetError(
          fmt::format("{}: holds other values of the parameters than the deck's table does now; "
                      "run without --resume to begin anew",
                      partial.string()));
    file.openDatasets(plan);
    return file;
  } catch (const ResultError& error) {
    throw TargetError(fmt::format("{}; run without --resume to begin anew", error.what()));
  }
}

std::vector<VariantStatus> BatchFile::statuses() const {
  const H5Array<std::int8_t> read = file_->read<std::int8_t>("/batch/status");
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
}

void BatchFile::forget() {
  outputs_.reset();
  defined_.reset();
  status_.reset();
  seconds_.reset();
  reached_.reset();
  histories_.clear();
}

void BatchFile::close(const std::vector<std::size_t>& failed, const std::vector<std::string>& reasons) {
  forget();
  if (!failed.empty()) {
    const std::vector<std::int64_t> cases(failed.begin(), failed.end());
    file_->write("/batch/failures/case", {cases.size()}, cases, {"1", "cases that did not complete, from 0"});
    file_->writeStrings("/batch/failures/reason", reasons, {"1", "why"});
  }
  file_->setAttribute("/", "status", "complete");
  file_->close();
  file_.reset();
  std::filesystem::rename(partial(), path_);
}

void BatchFile::leave() {
  forget();
  file_->close();
  file_.reset();
}

}  // namespace ricochet
