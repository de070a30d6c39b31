#pragma once

#include "engine/probes/probes.hpp"
#include "engine/transient.hpp"
#include "io/hdf5_growing.hpp"
#include "io/result_file.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace ricochet {

/// Histories of a run, one dataset per probe, each group with its own time axis. Rows are buffered and
/// written in blocks, and every block is flushed: a killed run loses less than one block.
class ResultRows : public TransientObserver {
 public:
  /// Makes the datasets, or opens those of a run that goes on.
  enum class Datasets { create, open };
  ResultRows(const H5File& file, const Study& study, const Simulation& simulation,
             Datasets datasets = Datasets::create);

  void archive(const StepView& view) override;
  void events(std::span<const Event> events) override;

  /// A block is full, or the last flush was long ago.
  bool wantsCheckpoint() override;
  /// Writes what is still buffered, without a flush; `flushed` after that.
  void write();
  void flushed() { lastFlush_ = std::chrono::steady_clock::now(); }

  /// Forgets all but the first rows and events, and gives those events back.
  std::vector<Event> backTo(std::size_t rows, std::size_t events);

  std::size_t rows() const noexcept { return rows_; }
  std::size_t eventRows() const noexcept { return eventTime_.rows(); }

 private:
  /// What a value of a column has beside the coordinates.
  struct ImposedColumn {
    std::size_t column;
    std::size_t place;
    ImposedMotion motion;
  };
  struct Column {
    AnyProbe probe;
    GrowingDataset dataset;
    std::vector<double> buffer;  // of the most rows in memory
  };
  struct PhaseColumn {
    std::size_t contact;
    GrowingDataset dataset;
    std::vector<std::int8_t> buffer;
  };

  bool creates() const noexcept { return datasets_ == Datasets::create; }
  GrowingDataset numbers(const std::string& path, const Meaning& meaning, H5Shape rowShape = {}) const;
  GrowingDataset named(const std::string& path, const Meaning& meaning, const ValueNames& names) const;
  GrowingDataset strings(const std::string& path, const Meaning& meaning) const;

  /// Makes GROUP/time, the axis of the group's histories.
  void addAxis(const std::string& group);
  void addCoordinates(const Simulation& simulation);
  void addRestored(const Simulation& simulation, Kinematic kind, const std::vector<Dof>& dofs,
                   const H5Shape& shape, bool rotations);
  void addColumn(const std::string& group, AnyProbe probe, H5Shape rowShape);
  void addPhysical(const Study& study, const Simulation& simulation);
  void addContacts(const Study& study);
  void addLinks(const Study& study, const Simulation& simulation);

  const H5File& file_;
  Datasets datasets_;
  Mode mode_;
  bool absoluteMotion_;
  std::string root_;  // where the groups are
  std::vector<std::string> contactNames_;
  std::vector<GrowingDataset> axes_;
  std::vector<Column> columns_;
  std::vector<ImposedColumn> imposed_;
  std::vector<PhaseColumn> phases_;
  GrowingDataset eventTime_, eventContact_, eventKind_;
  std::vector<double> times_;
  std::vector<Event> pendingEvents_;
  std::size_t rows_{0};
  std::size_t blockRows_;
  std::chrono::steady_clock::time_point lastFlush_;
};

}  // namespace ricochet
