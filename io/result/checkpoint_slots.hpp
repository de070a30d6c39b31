#pragma once

#include "engine/accounts/checkpoint.hpp"
#include "io/hdf5/hdf5.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ricochet {

/// What a run needs to go on from its last block: how much of the result file counts, the state of the
/// stepping, and what checks and statistics have seen.
struct RunCheckpoint {
  std::vector<char> version{};  ///< of the program that wrote it
  double time{0.0};             ///< [s]
  std::uint64_t rows{0};
  std::uint64_t events{0};
  std::vector<std::byte> run{};
  std::vector<std::byte> checks{};
  std::vector<std::byte> statistics{};

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("RunCheckpoint");
    archive(version, time, rows, events, run, checks, statistics);
  }
};

/// The last two checkpoints of a run, in /checkpoint of its file. Each is written over the one before the
/// last, so that one is whole at every instant; which one is newer, and whether it is whole, its head tells:
///
///     sequence, size, checksum [8 bytes each], the checkpoint
///
/// A complete result has none.
class CheckpointSlots {
 public:
  static constexpr const char* kGroup = "/checkpoint";

  /// To be followed by a flush of the file.
  void write(const H5File& file, RunCheckpoint& checkpoint);

  /// The newest whole one that `suits`; the next is written over the other.
  std::optional<RunCheckpoint> newest(const H5File& file,
                                      const std::function<bool(const RunCheckpoint&)>& suits);

  static void remove(const H5File& file);

 private:
  std::uint64_t sequence_{0};
  std::uint64_t room_{0};  // of a slot
  std::vector<std::byte> bytes_;
  std::vector<std::uint8_t> slot_;
};

}  // namespace ricochet
