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

/// Results of consecutive variants.
struct VariantBlock : VariantSink {
  VariantBlock(const VariantPlan& plan, std::size_t historyRows, std::size_t first, std::size_t count);

  std::size_t size() const noexcept { return status.size(); }
  VariantResult resultOfVariant(std::size_t variant) override;
  void receiveVariantOutcome(std::size_t variant, const VariantOutcome& outcome) override;

  std::size_t first;
  std::vector<double> outputs;           // variants x outputs; kNoValue: the variant does not have the output
  std::vector<std::uint8_t> defined;     // 1 where the output exists, variants x outputs
  std::vector<double> histories;         // variants x (histories x instants)
  std::vector<double> seconds, reached;  // wall time and instant reached of each variant [s]
  std::vector<std::int8_t> status;
  std::vector<std::string> reason;  // reason of each variant that did not complete

 private:
  std::size_t outputWidth_, historyWidth_;
};

/// Result file of a batch: the groups of a single run's result for the unmodified deck, and /batch, with the
/// layout of io/result/LAYOUT.md.
///
/// All datasets of /batch are allocated at the start. A block is written in two flushed parts: first the
/// numbers, then the status of its variants. If the program is killed or the disk is full, the file can be
/// opened, and every variant with a status is complete. The file is locked while it is open.
class BatchFile {
 public:
  /// Creates FILE.partial. Throws ResultError, or TargetError if another program is writing the file.
  BatchFile(const VariantPlan& plan, const Simulation& base, const std::vector<double>& historyTimes,
            std::filesystem::path file);

  /// Opens FILE.partial to resume the batch; empty if the file has no content. Throws TargetError if there is
  /// no such file, if the file belongs to another deck, version or data, or if another program is writing the
  /// file.
  static std::optional<BatchFile> resumeBatchFile(const VariantPlan& plan, const std::filesystem::path& file);

  std::vector<VariantStatus> statuses() const;

  void write(const VariantBlock& block);

  /// Lists the failed variants with their reasons, sets the status "complete" and gives the file its final
  /// name.
  void completeAndRenameFile(const std::vector<std::size_t>& failed, const std::vector<std::string>& reasons);

  /// Closes FILE.partial, which can be resumed later.
  void closeIncompleteFile();

  const std::filesystem::path& path() const noexcept { return name_.path(); }
  std::filesystem::path partialPath() const { return temporaryNameOfResult(name_.path()); }

 private:
  BatchFile(H5File file, std::filesystem::path path, const VariantPlan& plan);
  void openDatasets(const VariantPlan& plan);
  void markFileComplete(const std::vector<std::size_t>& failed, const std::vector<std::string>& reasons);
  void closeDatasets();

  FinalName name_;
  std::optional<H5File> file_;
  std::optional<FixedDataset> outputs_, defined_, status_, seconds_, reached_;
  std::vector<FixedDataset> histories_;
  std::size_t historyRows_{0};
};

}  // namespace ricochet
