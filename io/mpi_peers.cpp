#include "io/mpi_peers.hpp"

#include "io/batch/run_batch.hpp"
#include "io/progress.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <utility>

namespace ricochet {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kBeat = 500ms;   // the others show that they live
constexpr auto kSilence = 10s;  // and are dead after that
constexpr auto kPause = 2ms;    // between two looks at the messages

enum Tag : int { kAsk = 1, kRange, kBlock, kAlive, kDone, kFarewell };

/// A range and its place on the way to another process.
using Wire = std::array<unsigned long long, 3>;  // first, count, rows of histories

class MpiPeers : public BatchPeers {
 public:
  MpiPeers() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
    // a process that dies is noticed by its silence; the rest goes on
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    others_.resize(static_cast<std::size_t>(size_));
    for (Other& other : others_) other.heard = Clock::now();
  }
  ~MpiPeers() override { leave(EXIT_FAILURE); }
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  bool isFirst() const override { return rank_ == 0; }
  int processes() const override { return size_; }

  bool serve(const VariantPlan& plan, BatchQueue& queue) override {
    int waiting = 1;
    MPI_Status status;
    while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting, &status) == MPI_SUCCESS &&
           waiting != 0)
      answer(status, plan, queue);
    bool working = false;
    for (Other& other : others()) {
      // one that has asked waits in silence
      if (other.state != State::running && other.state != State::starting) continue;
      if (Clock::now() - other.heard > kSilence) {
        bury(other, queue);
        continue;
      }
      working |= other.state == State::running || other.state == State::starting;
    }
    return offer(queue) || working;
  }

  void dismiss() override {
    if (std::exchange(dismissed_, true)) return;
    // those that still ask are told that there is no more
    const auto deadline = Clock::now() + kSilence;
    const auto left = [&] {
      return std::any_of(others().begin(), others().end(), [](const Other& o) {
        return o.state != State::dead && o.state != State::dismissed;
      });
    };
    for (std::size_t i = 1; i < others_.size(); ++i)
      if (others_[i].state == State::asking) send(static_cast<int>(i), {}, 0);
    // a process may have died while it asked in silence: only one that answers has been dismissed
    while (left() && Clock::now() < deadline) {
      int waiting = 0;
      MPI_Status status;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting, &status);
      if (waiting == 0) {
        std::this_thread::sleep_for(kPause);
        continue;
      }
      const std::vector<char> ignored = receive(status);
      if (status.MPI_TAG == kAsk) send(status.MPI_SOURCE, {}, 0);
      if (status.MPI_TAG == kDone)
        others_[static_cast<std::size_t>(status.MPI_SOURCE)].state = State::dismissed;
    }
    for (Other& other : others())
      if (other.state != State::dismissed) other.state = State::dead;
    finalizes_ = !anyDied();
    const int all = finalizes_ ? 1 : 0;
    for (std::size_t i = 1; i < others_.size(); ++i)
      if (others_[i].state == State::dismissed)
        MPI_Send(&all, 1, MPI_INT, static_cast<int>(i), kFarewell, MPI_COMM_WORLD);
  }

  /// Finalizing waits for all processes: it is left out when one has died, and given up when one dies
  /// meanwhile.
  void leave(int status) override {
    if (std::exchange(left_, true) || !finalizes_) return;
    const std::jthread watch([status](const std::stop_token& finalized) {
      const auto deadline = Clock::now() + kSilence;
      while (!finalized.stop_requested() && Clock::now() < deadline) std::this_thread::sleep_for(kPause);
      if (finalized.stop_requested()) return;
      std::fflush(nullptr);
      std::_Exit(status);
    });
    MPI_Finalize();
  }

  void work(const VariantPlan& plan, int threads) override {
    std::vector<std::unique_ptr<VariantRunner>> runners(static_cast<std::size_t>(std::max(1, threads)));
    while (true) {
      MPI_Send(nullptr, 0, MPI_CHAR, 0, kAsk, MPI_COMM_WORLD);
      Wire wire{};
      if (MPI_Recv(wire.data(), 3, MPI_UNSIGNED_LONG_LONG, 0, kRange, MPI_COMM_WORLD, MPI_STATUS_IGNORE) !=
              MPI_SUCCESS ||
          wire[1] == 0)
        break;
      runAll(plan, runners, {wire[0], wire[1]}, wire[2]);
    }
    // only the first process knows whether all are alive
    int all = 0;
    MPI_Send(nullptr, 0, MPI_CHAR, 0, kDone, MPI_COMM_WORLD);
    finalizes_ = MPI_Recv(&all, 1, MPI_INT, 0, kFarewell, MPI_COMM_WORLD, MPI_STATUS_IGNORE) == MPI_SUCCESS &&
                 all == 1;
  }

 private:
  enum class State { starting, asking, running, leaving, dead, dismissed };
  struct Other {
    State state{State::starting};
    VariantRange range{};     // in hand
    std::size_t received{0};  // of it
    Clock::time_point heard{};
  };

  std::span<Other> others() { return std::span(others_).subspan(1); }
  bool anyDied() const {
    return std::any_of(others_.begin(), others_.end(), [](const Other& o) { return o.state == State::dead; });
  }

  static std::vector<char> receive(const MPI_Status& status) {
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    std::vector<char> bytes(static_cast<std::size_t>(std::max(size, 0)));
    MPI_Recv(bytes.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
             MPI_STATUS_IGNORE);
    return bytes;
  }

  void send(int rank, const VariantRange& range, std::size_t historyRows) {
    const Wire wire{range.first, range.count, historyRows};
    MPI_Send(wire.data(), 3, MPI_UNSIGNED_LONG_LONG, rank, kRange, MPI_COMM_WORLD);
    Other& other = others_[static_cast<std::size_t>(rank)];
    other.range = range;
    other.received = 0;
    other.state = range.count > 0 ? State::running : State::leaving;
  }

  void answer(const MPI_Status& status, const VariantPlan& plan, BatchQueue& queue) {
    Other& other = others_[static_cast<std::size_t>(status.MPI_SOURCE)];
    other.heard = Clock::now();
    const std::vector<char> bytes = receive(status);
    if (other.state == State::dead) {  // only slow, as it turns out: others have its range
      if (status.MPI_TAG == kAsk) send(status.MPI_SOURCE, {}, 0);
      return;
    }
    if (status.MPI_TAG == kDone) other.state = State::dismissed;
    if (status.MPI_TAG == kBlock) {
      const VariantBlock block = unpacked(bytes, plan, queue.historyRows());
      other.received += block.size();
      queue.take(block);
    }
    if (status.MPI_TAG != kAsk) return;
    other.range = {};
    const std::optional<VariantRange> range = InterruptGuard::requested() ? std::nullopt : queue.next();
    if (range)
      send(status.MPI_SOURCE, *range, queue.historyRows());
    else
      other.state = State::asking;  // a range may still come back from a process that dies
  }

  /// What a dead process had in hand is run by others, once: it may be what killed it.
  void bury(Other& other, BatchQueue& queue) {
    const bool held = other.state == State::running;
    other.state = State::dead;
    if (!held || std::find(suspects_.begin(), suspects_.end(), other.range.first) != suspects_.end()) return;
    suspects_.push_back(other.range.first);
    queue.giveBack(other.range);
  }

  /// Gives what came back to those that wait. Whether anybody took it.
  bool offer(BatchQueue& queue) {
    bool taken = false;
    for (std::size_t i = 1; i < others_.size(); ++i) {
      if (others_[i].state != State::asking || InterruptGuard::requested()) continue;
      const std::optional<VariantRange> range = queue.next();
      if (!range) break;
      others_[i].heard = Clock::now();
      send(static_cast<int>(i), *range, queue.historyRows());
      taken = true;
    }
    return taken;
  }

  /// A range on all threads of this process, a block each; the main thread shows that they live.
  static void runAll(const VariantPlan& plan, std::vector<std::unique_ptr<VariantRunner>>& runners,
                     const VariantRange& range, std::size_t historyRows) {
    const std::size_t count = std::min(runners.size(), range.count);
    std::vector<std::optional<VariantBlock>> blocks(count);
    std::atomic<std::size_t> running{count};
    {
      std::vector<std::jthread> threads;
      for (std::size_t i = 0; i < count; ++i)
        threads.emplace_back([&, i] {
          const std::size_t from = range.count * i / count;
          const std::size_t to = range.count * (i + 1) / count;
          if (!runners[i]) runners[i] = std::make_unique<VariantRunner>(plan);
          blocks[i] = runRange(plan, *runners[i], {range.first + from, to - from}, historyRows);
          --running;
        });
      auto last = Clock::now();
      while (running > 0) {
        std::this_thread::sleep_for(kPause);
        if (Clock::now() - last < kBeat) continue;
        last = Clock::now();
        MPI_Send(nullptr, 0, MPI_CHAR, 0, kAlive, MPI_COMM_WORLD);
      }
    }
    for (const std::optional<VariantBlock>& block : blocks) {
      const std::vector<char> bytes = packed(*block);
      MPI_Send(bytes.data(), static_cast<int>(bytes.size()), MPI_CHAR, 0, kBlock, MPI_COMM_WORLD);
    }
  }

  int rank_{0};
  int size_{1};
  bool finalizes_{true};  // no process is known to have died
  bool dismissed_{false};
  bool left_{false};
  std::vector<Other> others_;
  std::vector<std::size_t> suspects_;  // first variants of ranges that a process died with
};

/// Whether a launcher started this process: MPI takes a while to start and is left alone otherwise.
bool launchedWithOthers() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || std::atoi(value) < 2) continue;
    // a job script of Slurm has the number of tasks too; its steps have a rank among them
    return std::string_view(name) != "SLURM_NTASKS" || std::getenv("PMIX_RANK") != nullptr;
  }
  return false;
}

}  // namespace

std::unique_ptr<BatchPeers> mpiPeers() {
  if (!launchedWithOthers()) return nullptr;
  return std::make_unique<MpiPeers>();
}

}  // namespace ricochet
