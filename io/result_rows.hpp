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
  ResultRows(const H5File& file, const Study& study, const Simulation& simulation);

  void archive(const StepView& view) override;
  void events(std::span<const Event> events) override;
  bool progress(double time, long long steps) override;

  /// Writes what is still buffered.
  void finish();

  std::size_t rows() const noexcept { return rows_; }

 private:
  struct Column {
    AnyProbe probe;
    GrowingDataset dataset;
    std::vector<double> buffer;
  };
  struct PhaseColumn {
    std::size_t contact;
    GrowingDataset dataset;
    std::vector<std::int8_t> buffer;
  };

  /// Makes GROUP/time, the axis of the group's histories.
  void addAxis(const std::string& group);
  void addCoordinates(const Simulation& simulation);
  void addRestored(const Simulation& simulation, Kinematic kind, const std::vector<Dof>& dofs,
                   const H5Shape& shape, bool rotations);
  void addColumn(const std::string& group, AnyProbe probe, H5Shape rowShape);
  void addPhysical(const Study& study, const Simulation& simulation);
  void addContacts(const Study& study);
  void writeBlock();

  const H5File& file_;
  Mode mode_;
  std::string root_;  // where the groups are
  std::vector<std::string> contactNames_;
  std::vector<GrowingDataset> axes_;
  std::vector<Column> columns_;
  std::vector<PhaseColumn> phases_;
  GrowingDataset eventTime_, eventContact_, eventKind_;
  std::vector<double> times_;
  std::vector<Event> pendingEvents_;
  std::size_t rows_{0};
  std::size_t blockRows_;
  std::chrono::steady_clock::time_point lastFlush_;
};

}  // namespace ricochet
