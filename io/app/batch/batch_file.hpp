#pragma once

#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_rows.hpp"
#include "io/quantities/batch/variant_outcome.hpp"
#include "io/result/final_name.hpp"
#include "io/result/result_target.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

class VariantPlan;
struct Simulation;

/// Consecutive variants and what they left behind.
struct VariantBlock : VariantSink {
  VariantBlock(const VariantPlan& plan, std::size_t historyRows, std::size_t first, std::size_t count);

  std::size_t size() const noexcept { return status.size(); }
  VariantResult resultOf(std::size_t variant) override;
  void take(std::size_t variant, const VariantOutcome& outcome) override;

  std::size_t first;
  std::vector<double> outputs;           // variants x outputs; kNoValue: none
  std::vector<std::uint8_t> defined;     // likewise
  std::vector<double> histories;         // variants x (histories x instants)
  std::vector<double> seconds, reached;  // a variant each
  std::vector<std::int8_t> status;
  std::vector<std::string> reason;  // of those that did not complete

 private:
  std::size_t outputWidth_, historyWidth_;
};

/// The result of a batch: the groups of a single run's result for the deck as it stands, and /batch, laid out
/// as documented in io/result/LAYOUT.md.
///
/// All of /batch takes its place in the file at the start. A block is written in two parts, each flushed: the
/// numbers first, then the status that says that they are there. Whenever the program is killed, or the disk
/// is full, the file opens, and what has a status is whole. It is locked while it is open.
class BatchFile {
 public:
  /// Makes FILE.partial. Throws ResultError, and TargetError where another program is writing it.
  BatchFile(const VariantPlan& plan, const Simulation& base, const std::vector<double>& historyTimes,
            std::filesystem::path file);

  /// Goes on with FILE.partial; nothing where that was left without content. Throws TargetError: there is
  /// none, it is of another deck, version or data, or another program is writing it.
  static std::optional<BatchFile> resume(const VariantPlan& plan, const std::filesystem::path& file);

  std::vector<VariantStatus> statuses() const;

  void write(const VariantBlock& block);

  /// Lists the variants that failed, with their reasons, sets the status "complete" and gives the file its
  /// name.
  void close(const std::vector<std::size_t>& failed, const std::vector<std::string>& reasons);

  /// Leaves FILE.partial to be resumed.
  void leave();

  const std::filesystem::path& path() const noexcept { return name_.path(); }
  std::filesystem::path partial() const { return partialOf(name_.path()); }

 private:
  BatchFile(H5File file, std::filesystem::path path, const VariantPlan& plan);
  void openDatasets(const VariantPlan& plan);
  void complete(const std::vector<std::size_t>& failed, const std::vector<std::string>& reasons);
  void forget();

  FinalName name_;
  std::optional<H5File> file_;
  std::optional<FixedDataset> outputs_, defined_, status_, seconds_, reached_;
  std::vector<FixedDataset> histories_;
  std::size_t historyRows_{0};
};

}  // namespace ricochet
