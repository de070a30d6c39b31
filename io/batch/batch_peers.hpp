#pragma once

#include "io/batch/batch_queue.hpp"

#include <cstddef>
#include <functional>
#include <memory>
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
  /// Of process 0, at the end: processes that died are not waited for.
  virtual void dismiss() = 0;

  /// Of the others: runs ranges with `threads` threads until process 0 has no more.
  virtual void work(const VariantPlan& plan, int threads) = 0;

  /// Of each process, when all else is done: parts with the others. Ends the process with the exit status if
  /// one of them dies meanwhile.
  virtual void leave(int status) = 0;
};

/// Makes the peers of this process; null when it is alone.
using PeersMaker = std::function<std::unique_ptr<BatchPeers>()>;

/// A block as bytes, to be sent.
std::vector<char> packed(const VariantBlock& block);
/// Throws ResultError when the bytes are no block of this plan.
VariantBlock unpacked(const std::vector<char>& bytes, const VariantPlan& plan, std::size_t historyRows);

}  // namespace ricochet
