#pragma once

#include "engine/study/imposed_field.hpp"
#include "engine/transient/probes.hpp"
#include "engine/transient/transient.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/hdf5/hdf5_rows.hpp"
#include "io/quantities/row_pages.hpp"
#include "io/result/background.hpp"
#include "io/result/result_file.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

/// Histories of a run, one dataset per probe, each group with its own time axis. Rows are kept in memory and
/// written in blocks: one is written, by another thread if that is wanted, while the next is filled.
class ResultRows : public TransientObserver {
 public:
  /// Makes the datasets, or opens those of a run that goes on.
  enum class Datasets { create, open };
  ResultRows(const H5File& file, const Deck& study, const Simulation& simulation,
             Datasets datasets = Datasets::create);

  void archive(const StepView& view) override;
  void events(std::span<const Event> events) override;

  /// The first number that was no finite one: no row is kept from there on.
  struct NotFinite {
    std::string dataset;
    double time;  ///< [s]
  };
  const std::optional<NotFinite>& notFinite() const noexcept { return notFinite_; }

  /// A block is full, or the last flush was long ago.
  bool wantsCheckpoint() override;
  /// Nothing more should be archived before the block is handed over.
  bool full() const noexcept {
    return filling_.times.size() >= kMostBlocks * blockRows_ || filling_.events.size() >= kMostEvents;
  }

  /// Writes what was archived, without a flush. Nothing may be written behind meanwhile.
  void write();
  /// The same behind the run, which archives on, after the block before; then the checkpoint, and a flush.
  /// Until that is settled nothing else may be done to the file or the checkpoint.
  void writeBehind(Background& behind, ResultFile& file, RunCheckpoint& checkpoint);

  /// Forgets all but the first rows and events, and gives those events back.
  std::vector<Event> backTo(std::size_t rows, std::size_t events);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t eventRows() const noexcept { return events_; }

 private:
  /// What a value of a column has beside the coordinates.
  struct ImposedColumn {
    std::size_t place;  // in a row
    ImposedMotion motion;
  };
  struct Column {
    GrowingDataset dataset;
    std::size_t place;           // in a row
    std::vector<double> buffer;  // what is written
    // of a table, whose values lie apart in a row: how many things it is of, and from one to the next
    std::size_t count{1};
    std::size_t stride{0};

    std::size_t part() const noexcept { return dataset.rowSize() / count; }
    bool holds(std::size_t at) const noexcept {
      if (at < place) return false;
      return count == 1 ? at < place + part()
                        : (at - place) / stride < count && (at - place) % stride < part();
    }
  };
  struct Sampler {
    AnyProbe probe;
    std::size_t place;  // in a row
  };
  /// What was archived and is not written yet.
  struct Block {
    std::vector<double> times;
    RowPages rows;
    std::vector<std::int8_t> phases;  // of all contacts, row after row
    std::vector<Event> events;
  };
  // that may wait while a block is written
  static constexpr std::size_t kMostBlocks = 8;
  static constexpr std::size_t kMostEvents = 1'000'000;

  bool creates() const noexcept { return datasets_ == Datasets::create; }
  GrowingDataset numbers(const std::string& path, const Meaning& meaning, H5Shape rowShape = {}) const;
  GrowingDataset named(const std::string& path, const Meaning& meaning, const ValueNames& names,
                       std::size_t rows, H5Shape rowShape = {}) const;
  GrowingDataset names(const std::string& path, const Meaning& meaning) const;

  /// Makes GROUP/time, the axis of the group's histories.
  void addAxis(const std::string& group);
  void addCoordinates(const Simulation& simulation);
  void addRestored(const Simulation& simulation, Kinematic kind, const std::vector<Dof>& dofs,
                   const H5Shape& shape, bool rotations);
  /// `axes` are those of a row, one for each number of `rowShape`.
  void addDataset(const std::string& group, const AnyProbe& probe, H5Shape rowShape = {},
                  const std::vector<Axis>& axes = {});
  void addColumn(const std::string& group, AnyProbe probe, H5Shape rowShape = {},
                 const std::vector<Axis>& axes = {});
  void addPhysical(const Deck& study, const Simulation& simulation);
  void addContacts(const Deck& study);
  void addContactTable(const Deck& study);
  void addEnergy();
  void addLinks(const Deck& study, const Simulation& simulation);

  /// Path of the dataset of a place in a row.
  std::string datasetAt(std::size_t place) const;
  void writeHandedOver();
  void gatherColumns();
  void writePhases();
  void writeEvents();

  const H5File& file_;
  Datasets datasets_;
  Mode mode_;
  bool absoluteMotion_;
  std::string root_;  // where the groups are
  std::vector<std::string> contactNames_;
  std::size_t chunkRows_{0};  // of what is made from now on; 0: as many as suit it
  std::vector<GrowingDataset> axes_;
  std::vector<Column> columns_;
  // what fills a row: contacts and energies, of which there are many, without asking each what it is
  std::vector<Sampler> samplers_;
  std::vector<std::size_t> contactPlaces_;
  std::size_t energyPlace_{0};
  std::vector<ImposedColumn> imposed_;
  std::vector<GrowingDataset> phases_;  // of every contact, or one of a table
  GrowingDataset eventTime_, eventContact_, eventKind_;
  Block filling_, written_;
  std::optional<NotFinite> notFinite_;
  std::size_t rows_{0}, events_{0};
  std::size_t rowSize_{0};  // doubles
  std::size_t blockRows_{1};
  std::chrono::steady_clock::time_point lastFlush_;
};

}  // namespace ricochet
