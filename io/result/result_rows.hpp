#pragma once

#include "engine/study/imposed_field.hpp"
#include "engine/transient/probes.hpp"
#include "engine/transient/transient.hpp"
#include "io/hdf5/hdf5_history.hpp"
#include "io/quantities/row_pages.hpp"
#include "io/result/background.hpp"
#include "io/result/result_file.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// Histories of a run: one dataset per probe. The time axis is one dataset with a path in each group. The
/// datasets are created with the first block: if it is the last one, they have its size and do not grow. Rows
/// are buffered and written in blocks: a block can be written by another thread while the next block is
/// filled.
class ResultRows : public TransientObserver {
 public:
  /// Whether the datasets are to be created, or are those of a resumed run.
  enum class Datasets { create, open };
  ResultRows(const H5File& file, const Deck& study, const Simulation& simulation,
             Datasets datasets = Datasets::create);

  void archive(const StepView& view) override;
  void onEvents(std::span<const Event> events) override;

  /// The first value that is not finite: no row is stored from this row on.
  struct NotFinite {
    std::string dataset;
    double time;  ///< [s]
  };
  const std::optional<NotFinite>& firstNonFiniteValue() const noexcept { return notFinite_; }

  /// True if a block is full, or the last flush was long ago.
  bool isCheckpointRequested() override;
  /// True if no more rows should be archived before the block has been passed on for writing.
  bool isBlockFull() const noexcept {
    return filling_.times.size() >= kMostBlocks * blockRows_ || filling_.events.size() >= kMostEvents;
  }

  /// Writes the archived rows, without a flush. No background write may be in progress.
  void write();
  /// Writes the archived rows of a run that is over, to which no rows will be added.
  void writeRemainingRows();
  /// Writes the archived rows, the checkpoint and a flush on the background thread, while the run archives
  /// further rows. Until `behind.settle` returns, file and checkpoint must not be used.
  void writeInBackground(Background& behind, ResultFile& file, RunCheckpoint& checkpoint);

  /// Deletes all rows and events except the first ones; returns these first events.
  std::vector<Event> truncateTo(std::size_t rows, std::size_t events);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t eventRowCount() const noexcept { return events_; }

 private:
  /// Imposed motion that is added to a value computed from the coordinates.
  struct ImposedColumn {
    std::size_t place;  // index of the value in a row
    ImposedMotion motion;
  };
  struct Column {
    History history;
    std::size_t place;             // index of the first value in a row
    std::vector<double> buffer{};  // values to write
    // For a column of a table, whose values are strided in a row: number of objects, and distance between
    // their values.
    std::size_t count{1};
    std::size_t stride{0};

    std::size_t part() const noexcept { return history.rowSize() / count; }
    bool containsRowIndex(std::size_t at) const noexcept {
      if (at < place) return false;
      return count == 1 ? at < place + part()
                        : (at - place) / stride < count && (at - place) % stride < part();
    }
  };
  struct Sampler {
    AnyProbe probe;
    std::size_t place;  // index of the value in a row
  };
  /// Rows that have been archived and are not written yet.
  struct Block {
    std::vector<double> times;
    RowPages rows;
    std::vector<std::int8_t> phases;  // states of all contacts, row after row; to write, one after the other
    std::vector<Event> events;
  };
  // number of blocks that can wait while a block is written
  static constexpr std::size_t kMostBlocks = 8;
  static constexpr std::size_t kMostEvents = 1'000'000;

  bool isCreatingDatasets() const noexcept { return datasets_ == Datasets::create; }
  std::vector<History*> historiesToWrite();
  /// Creates all datasets, `isLast`: of the size of the block that has been handed over.
  void createDatasets(bool isLast);
  void openDatasets();

  /// Adds GROUP/time, the axis of the group's histories.
  void addTimeAxis(const std::string& group);
  void addHistoriesOfCoordinates(const Deck& study, const Simulation& simulation);
  void addRestoredHistories(const Simulation& simulation, Kinematic kind, const std::vector<Dof>& dofs,
                            const H5Shape& shape, bool rotations);
  /// `axes`: axes of a row, one for each extent in `rowShape`.
  void addDatasetOfProbe(const std::string& group, const AnyProbe& probe, H5Shape rowShape = {},
                         std::vector<Axis> axes = {});
  void addColumnOfProbe(const std::string& group, AnyProbe probe, H5Shape rowShape = {},
                        std::vector<Axis> axes = {});
  void addHistoriesOfNodes(const Deck& study, const Simulation& simulation);
  void addHistoriesOfContacts(const Deck& study);
  void addHistoriesOfContactTable(const Deck& study);
  void addEnergyHistories();
  void addHistoriesOfLinks(const Deck& study, const Simulation& simulation);

  /// Path of the dataset that contains this index of a row.
  std::string pathOfDatasetWithRow(std::size_t place) const;
  void writeRowsHandedOver(bool isLast);
  void gatherColumnsByDataset();
  void gatherPhasesByContact();
  std::span<const std::int8_t> contactPhasesToWrite(std::size_t c) const;
  void writeEvents();

  const H5File& file_;
  Datasets datasets_;
  bool areDatasetsOpen_{false};
  Mode mode_;
  bool absoluteMotion_;
  std::string root_;  // group that contains the groups of the run
  std::vector<std::string> contactNames_;
  std::size_t chunkRows_{0};  // chunk size of the datasets created next [rows]; 0: chosen automatically
  std::optional<History> time_;
  std::vector<std::string> moreTimes_;  // further paths of the time axis
  std::vector<Column> columns_;
  // samplers of contacts and energies, which are numerous: sorted by type, without a virtual call for each
  std::vector<Sampler> samplers_;
  std::vector<std::size_t> contactPlaces_;
  std::size_t energyPlace_{0};
  std::vector<ImposedColumn> imposed_;
  std::vector<History> phases_;  // one dataset per contact, or one dataset of a table
  History eventTime_, eventContact_, eventKind_;
  Block filling_, written_;
  std::optional<NotFinite> notFinite_;
  std::size_t rows_{0}, events_{0};
  std::size_t rowSize_{0};  // number of values in a row
  std::size_t blockRows_{1};
  std::chrono::steady_clock::time_point lastFlush_;
};

}  // namespace ricochet
