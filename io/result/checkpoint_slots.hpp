#pragma once

#include "engine/accounts/checkpoint.hpp"
#include "io/hdf5/hdf5.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace ricochet {

/// Data needed to resume a run after its last block: the valid length of the result file, the state of the
/// stepping, and the data recorded by checks and statistics.
struct RunCheckpoint {
  std::vector<char> version{};  ///< version of the program that wrote the checkpoint
  double time{0.0};             ///< [s]
  std::uint64_t rows{0};
  std::uint64_t events{0};
  std::vector<std::byte> run{};
  std::vector<std::byte> checks{};
  std::vector<std::byte> statistics{};

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("RunCheckpoint");
    archive(version, time, rows, events, run, checks, statistics);
  }
};

/// The last two checkpoints of a run, in /checkpoint of its file. Each new checkpoint replaces the older of
/// the two, so that one of them is complete at every instant. The head of each slot shows which one is newer
/// and whether it is complete:
///
///     sequence number, size, checksum [8 bytes each], the checkpoint
///
/// A complete result has no checkpoint.
class CheckpointSlots {
 public:
  static constexpr const char* kGroup = "/checkpoint";

  /// Writes the checkpoint; the file must be flushed afterwards.
  void write(const H5File& file, RunCheckpoint& checkpoint);

  /// The newest complete checkpoint that satisfies `suits`; the next `write` replaces the other checkpoint.
  std::optional<RunCheckpoint> newestCheckpoint(const H5File& file,
                                                const std::function<bool(const RunCheckpoint&)>& suits);

  static void remove(const H5File& file);

 private:
  std::uint64_t sequence_{0};
  std::uint64_t room_{0};  // size reserved for a slot [bytes]
  std::vector<std::byte> bytes_;
  std::vector<std::uint8_t> slot_;
};

}  // namespace ricochet
