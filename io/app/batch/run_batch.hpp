#pragma once

#include "io/app/batch/batch_peers.hpp"

#include <filesystem>

namespace ricochet {

class VariantRunner;

struct BatchSettings {
  std::filesystem::path result;  ///< HDF5 file to write
  bool force{false};             ///< replace a complete result
  bool resume{false};            ///< go on with what an earlier run left
  bool progress{true};           ///< show progress on standard error
  int threads{0};                ///< 0: one per processor that this process may use
};

/// Runs the variants of a plan on all threads and, with peers (of which this is process 0), on all
/// processes. Their results do not depend on how many there are. Ctrl-C and a full disk leave FILE.partial,
/// to be resumed.
///
/// Throws TargetError (nothing written), InputError (the deck as it stands is bad) and ResultError (what was
/// written stays).
BatchSummary runBatch(const VariantPlan& plan, const BatchSettings& settings, BatchPeers* peers = nullptr);

/// Runs a range of variants on one thread; stops early when interrupted: what is left is pending.
VariantBlock runRange(const VariantPlan& plan, VariantRunner& runner, const VariantRange& range,
                      std::size_t historyRows);

}  // namespace ricochet
