#pragma once

#include "io/app/batch/batch_queue.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace ricochet {

/// The other processes of a batch. Process 0 distributes ranges of variants and writes the file; the other
/// processes run the ranges that they receive.
class BatchPeers {
 public:
  virtual ~BatchPeers() = default;

  virtual bool isFirstProcess() const = 0;
  virtual int processCount() const = 0;

  /// Called regularly by process 0: receives blocks from the other processes and sends them ranges of the
  /// queue. True while any other process is at work.
  virtual bool exchangeBlocks(const VariantPlan& plan, BatchQueue& queue) = 0;
  /// Called by the other processes: runs ranges with `threads` threads until process 0 sends the order to
  /// end.
  virtual void runVariantRanges(const VariantPlan& plan, int threads) = 0;
};

/// Function that finds the peers of this process, which exist longer than the command; null if there is only
/// one process.
using PeersMaker = std::function<BatchPeers*()>;

/// Serialises a block for sending.
std::vector<char> packVariantBlock(const VariantBlock& block);
/// Deserialises a block. Throws ResultError if the bytes are not a block of this plan.
VariantBlock unpackVariantBlock(const std::vector<char>& bytes, const VariantPlan& plan,
                                std::size_t historyRows);

}  // namespace ricochet
