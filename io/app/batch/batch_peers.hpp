#pragma once

#include "io/app/batch/batch_queue.hpp"

#include <cstddef>
#include <functional>
#include <vector>

namespace ricochet {

/// The other processes of a batch. Process 0 hands out and writes, the others run what they are given.
class BatchPeers {
 public:
  virtual ~BatchPeers() = default;

  virtual bool isFirst() const = 0;
  virtual int processes() const = 0;

  /// Of process 0, now and then: takes blocks from the others and gives them ranges of the queue. True while
  /// any of them is at work.
  virtual bool serve(const VariantPlan& plan, BatchQueue& queue) = 0;
  /// Of the others: runs ranges with `threads` threads until process 0 sends it home.
  virtual void work(const VariantPlan& plan, int threads) = 0;
};

/// Finds the peers of this process, which outlive the command; null when it is alone.
using PeersMaker = std::function<BatchPeers*()>;

/// A block as bytes, to be sent.
std::vector<char> packed(const VariantBlock& block);
/// Throws ResultError when the bytes are no block of this plan.
VariantBlock unpacked(const std::vector<char>& bytes, const VariantPlan& plan, std::size_t historyRows);

}  // namespace ricochet
