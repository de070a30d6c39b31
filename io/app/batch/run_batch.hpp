#pragma once

#include "io/app/batch/batch_peers.hpp"

#include <cstddef>
#include <filesystem>
#include <memory>

namespace ricochet {

class VariantRunner;

struct BatchSettings {
  std::filesystem::path result;  ///< HDF5 file to write
  bool force{false};             ///< replaces a complete result
  bool resume{false};            ///< continues from the partial result of an earlier run
  bool progress{true};           ///< shows progress on standard error
  int threads{0};                ///< number of threads; 0: one per processor available to this process
};

/// Runs the variants of a plan on all threads and, with peers (this process is process 0), on all processes.
/// The results do not depend on the number of threads or processes. After Ctrl-C or on a full disk
/// FILE.partial stays and can be resumed.
///
/// Throws TargetError (nothing written), InputError (the unmodified deck is invalid) and ResultError (written
/// data stay).
BatchSummary runBatch(const VariantPlan& plan, const BatchSettings& settings, BatchPeers* peers = nullptr);

/// Numbers of cases of a complete result of a batch, and its failed cases with their reasons.
BatchSummary summaryOfCompleteBatch(const std::filesystem::path& result);

/// A runner of variants for one thread, for users that need not know what it is made of.
std::shared_ptr<VariantRunner> makeVariantRunner(const VariantPlan& plan);

/// Runs a range of variants on one thread; an interruption ends the range early, and the remaining variants
/// stay pending.
VariantBlock runVariantRange(const VariantPlan& plan, VariantRunner& runner, const VariantRange& range,
                             std::size_t historyRows);

}  // namespace ricochet
