#include "io/app/batch/mpi_peers.hpp"

#include "io/app/batch/run_batch.hpp"
#include "io/app/runs/process_place.hpp"
#include "io/text/progress.hpp"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <list>
#include <mutex>
#include <string_view>
#include <thread>

namespace ricochet {
namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto kBeat = 500ms;   // interval between the heartbeat messages of a process
constexpr auto kSilence = 10s;  // a process without a heartbeat for this time counts as dead
constexpr auto kLook = 50ms;    // interval between two checks for dead processes
constexpr auto kPause = 2ms;    // interval between two polls for messages

enum Tag : int { kAsk = 1, kRange, kBlock, kAlive, kPlace, kGone };

/// A range of variants as sent to another process. A count of zero orders the process to end; `first` then
/// gives how it ends.
using Wire = std::array<unsigned long long, 3>;  // first, count, rows of histories

enum Parting : unsigned long long { kFinalize, kJustEnd };

}  // namespace

class MpiPeers : public BatchPeers {
 public:
  MpiPeers() {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_MULTIPLE, &provided);
    // with returned MPI errors this program detects a process that died, and the others continue
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    others_.resize(static_cast<std::size_t>(size_));
    for (int rank = 0; rank < size_; ++rank)
      if (exchangesMessagesWith(rank)) sendMessage(rank, kPlace, &place_, sizeof place_);
    if (provided == MPI_THREAD_MULTIPLE)
      pulse_ = std::jthread([this](const std::stop_token& stop) { sendHeartbeats(stop); });
  }
  MpiPeers(const MpiPeers&) = delete;
  MpiPeers& operator=(const MpiPeers&) = delete;

  bool isFirstProcess() const override { return rank_ == 0; }
  int processCount() const override { return size_; }

  bool exchangeBlocks(const VariantPlan& plan, BatchQueue& queue) override {
    readMessages(
        [&](int rank, int tag, const std::vector<char>& bytes) { answer(rank, tag, bytes, plan, queue); });
    findDeadProcesses([&](Other& other) { reassignRangeOfDeadProcess(other, queue); });
    const bool taken = offerReturnedRanges(queue);
    return taken || std::any_of(otherRanks().begin(), otherRanks().end(), isProcessAtWork);
  }

  void runVariantRanges(const VariantPlan& plan, int threads) override {
    std::vector<std::shared_ptr<VariantRunner>> runners(static_cast<std::size_t>(std::max(1, threads)));
    while (!isDismissed()) {
      order_.reset();
      sendToFirst(kAsk, {});
      while (!order_) {
        watchFirstProcess();
        std::this_thread::sleep_for(kPause);
      }
      if (!isDismissed()) runRangeOnAllThreads(plan, runners, {(*order_)[0], (*order_)[1]}, (*order_)[2]);
    }
  }

  /// Leaves MPI with the exit status of this process. Either all processes call MPI_Finalize or none does:
  /// MPI_Finalize waits for every process, and would wait for ever for a process that has died.
  int leaveMpi(int status) {
    const bool together = isFirstProcess() ? dismissOtherProcesses(status) : mayFinalizeMpi();
    pulse_ = {};
    if (!together) return status;
    std::fflush(nullptr);
    std::mutex mutex;
    std::condition_variable_any ended;
    // MPI waits for a process that dies during MPI_Finalize; this watch ends the program instead: all results
    // are already written
    const std::jthread watch([&](const std::stop_token& stop) {
      std::unique_lock lock(mutex);
      ended.wait_for(lock, stop, kSilence, [] { return false; });
      if (!stop.stop_requested()) std::_Exit(status);
    });
    MPI_Finalize();
    return status;
  }

 private:
  enum class State { starting, asking, running, dead, gone };
  /// A message in transit; a message to or from a dead process may never complete.
  struct Mail {
    int tag{};
    std::vector<char> bytes;
    MPI_Request request{MPI_REQUEST_NULL};
    bool failed{false};

    bool isMessageSent() {
      int through = 0;
      if (!failed) failed = MPI_Test(&request, &through, MPI_STATUS_IGNORE) != MPI_SUCCESS;
      return failed || through != 0;
    }
  };

  struct Other {
    State state{State::starting};
    VariantRange range{};                    // range that the process is running
    std::optional<long long> process;        // number of the process, if the process runs on this machine
    std::optional<Clock::time_point> heard;  // time of its last heartbeat; empty: none is sent
    bool missed{false};                      // the process was found missing at the last check
    std::list<Mail> letters{};               // messages from the process, in the order of sending
  };

  static bool isProcessAtWork(const Other& other) {
    return other.state == State::starting || other.state == State::running;
  }
  /// True if this process exchanges messages with another: process 0 does so with every other process.
  bool exchangesMessagesWith(int rank) const { return rank != rank_ && (rank == 0 || rank_ == 0); }
  bool isDismissed() const { return order_ && (*order_)[1] == 0; }
  std::span<Other> otherRanks() { return std::span(others_).subspan(1); }

  void sendHeartbeats(const std::stop_token& stop) {
    std::mutex mutex;
    std::condition_variable_any stopped;
    std::vector<Mail> beats(others_.size());
    while (!stop.stop_requested()) {
      for (int rank = 0; rank < size_; ++rank) {
        Mail& mail = beats[static_cast<std::size_t>(rank)];
        if (exchangesMessagesWith(rank) && mail.isMessageSent())
          MPI_Isend(nullptr, 0, MPI_CHAR, rank, kAlive, MPI_COMM_WORLD, &mail.request);
      }
      std::unique_lock lock(mutex);
      stopped.wait_for(lock, stop, kBeat, [] { return false; });
    }
  }

  /// Sends a message without waiting for its receipt.
  Mail& sendMessage(int rank, int tag, const void* data, std::size_t size) {
    mails_.remove_if([](Mail& mail) { return mail.isMessageSent(); });
    Mail& mail = mails_.emplace_back();
    mail.bytes.resize(size);
    if (size > 0) std::memcpy(mail.bytes.data(), data, size);
    MPI_Isend(mail.bytes.data(), static_cast<int>(size), MPI_CHAR, rank, tag, MPI_COMM_WORLD, &mail.request);
    return mail;
  }

  /// Passes every message that has arrived to the reader, except messages of start and heartbeat.
  template <class Reader>
  void readMessages(Reader&& read) {
    int waiting = 0;
    MPI_Status status;
    while (MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &waiting, &status) == MPI_SUCCESS &&
           waiting != 0)
      startReceivingMessage(status);
    for (int rank = 0; rank < size_; ++rank) {
      std::list<Mail>& letters = others_[static_cast<std::size_t>(rank)].letters;
      while (!letters.empty() && letters.front().isMessageSent()) {
        const Mail letter = std::move(letters.front());
        letters.pop_front();
        if (letter.failed || letter.tag == kAlive) continue;
        if (letter.tag == kPlace)
          recordPlaceOfProcess(rank, letter.bytes);
        else
          read(rank, letter.tag, letter.bytes);
      }
    }
  }

  /// Starts to receive a message; the message never completes if its sender dies.
  void startReceivingMessage(const MPI_Status& status) {
    Other& other = others_[static_cast<std::size_t>(status.MPI_SOURCE)];
    int size = 0;
    MPI_Get_count(&status, MPI_CHAR, &size);
    Mail& letter = other.letters.emplace_back();
    letter.tag = status.MPI_TAG;
    letter.bytes.resize(static_cast<std::size_t>(std::max(size, 0)));
    MPI_Irecv(letter.bytes.data(), size, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD,
              &letter.request);
    if (status.MPI_TAG == kAlive || other.heard) other.heard = Clock::now();
  }

  void recordPlaceOfProcess(int rank, const std::vector<char>& bytes) {
    ProcessPlace place;
    std::memcpy(&place, bytes.data(), std::min(bytes.size(), sizeof place));
    if (place.isProcessVisibleFrom(place_)) others_[static_cast<std::size_t>(rank)].process = place.process;
  }

  static bool hasLeftMpi(const Other& other) { return other.process && hasProcessEnded(*other.process); }

  /// Finds the processes that have died since the last check.
  template <class Found>
  void findDeadProcesses(Found&& found) {
    const auto now = Clock::now();
    if (now - looked_ < kLook) return;
    // if this process itself was suspended, missing heartbeats of others prove nothing
    const bool wasAway = now - looked_ > 2 * kBeat;
    looked_ = now;
    for (Other& other : others_) {
      if (wasAway && other.heard) other.heard = now;
      if (other.state == State::dead) continue;
      // death is declared at the second check: by then all messages of the process have been read
      const bool missed = other.missed;
      other.missed = hasLeftMpi(other) || (other.heard && now - *other.heard > kSilence);
      if (missed && other.missed) found(other);
    }
  }

  /// Used by process 0: orders the others to end. True if all processes are there to call MPI_Finalize; after
  /// a failure the wait is short.
  bool dismissOtherProcesses(int status) {
    const auto begin = Clock::now();
    while (status == 0 || Clock::now() - begin < kSilence) {
      readMessages([&](int rank, int tag, const std::vector<char>&) {
        State& state = others_[static_cast<std::size_t>(rank)].state;
        if (tag == kAsk) state = State::asking;
        if (tag == kGone) state = State::gone;
      });
      findDeadProcesses([](Other& other) { other.state = State::dead; });
      if (std::none_of(otherRanks().begin(), otherRanks().end(), isProcessAtWork)) break;
      std::this_thread::sleep_for(kPause);
    }
    const bool together = std::none_of(otherRanks().begin(), otherRanks().end(), [](const Other& other) {
      return other.state == State::dead || isProcessAtWork(other) || hasLeftMpi(other);
    });
    const Wire home{together ? kFinalize : kJustEnd, 0, 0};
    for (int rank = 1; rank < size_; ++rank)
      // a process that was only delayed reads this order later and ends
      if (!hasLeftMpi(others_[static_cast<std::size_t>(rank)])) sendMessage(rank, kRange, &home, sizeof home);
    waitForSentMessages();
    return together;
  }

  /// Used by the other processes. True if the process is to call MPI_Finalize: as process 0 ordered, false if
  /// this process could not start its work.
  bool mayFinalizeMpi() {
    if (isDismissed()) return (*order_)[0] == kFinalize;
    sendMessage(0, kGone, nullptr, 0);
    waitForSentMessages();
    return true;
  }

  /// Waits until all messages sent have been received, except messages to a process that has died.
  void waitForSentMessages() {
    const auto deadline = Clock::now() + 1s;
    while (Clock::now() < deadline && !mails_.empty()) {
      mails_.remove_if([](Mail& mail) { return mail.isMessageSent(); });
      if (!mails_.empty()) std::this_thread::sleep_for(kPause);
    }
  }

  void watchFirstProcess() {
    readMessages([&](int, int, const std::vector<char>& bytes) {
      Wire wire{};
      std::memcpy(wire.data(), bytes.data(), std::min(bytes.size(), sizeof wire));
      order_ = wire;
    });
    if (isDismissed()) return;  // process 0 ends too
    findDeadProcesses([&](Other&) {
      // without process 0 nobody receives the results of this process, and its threads at work cannot be
      // stopped
      std::fprintf(
          stderr, "ricochet: process 0 of this batch is gone, so process %d ends; --resume goes on\n", rank_);
      std::_Exit(1);
    });
  }

  void sendToFirst(int tag, const std::vector<char>& bytes) {
    Mail& mail = sendMessage(0, tag, bytes.data(), bytes.size());
    while (!mail.isMessageSent() && !isDismissed()) {
      watchFirstProcess();
      std::this_thread::sleep_for(kPause);
    }
  }

  void sendVariantRange(int rank, const VariantRange& range, std::size_t historyRows) {
    const Wire wire{range.first, range.count, historyRows};
    sendMessage(rank, kRange, &wire, sizeof wire);
    Other& other = others_[static_cast<std::size_t>(rank)];
    other.range = range;
    other.state = State::running;
  }

  void answer(int rank, int tag, const std::vector<char>& bytes, const VariantPlan& plan, BatchQueue& queue) {
    Other& other = others_[static_cast<std::size_t>(rank)];
    // a process that was declared dead by mistake: its range has been given to another process
    if (tag == kBlock && other.state != State::dead)
      queue.storeVariantBlock(unpackVariantBlock(bytes, plan, queue.historyRows()));
    if (tag == kGone) reassignRangeOfDeadProcess(other, queue);
    if (tag != kAsk) return;
    other.range = {};
    const std::optional<VariantRange> range =
        InterruptGuard::isStopRequested() ? std::nullopt : queue.takeNextVariantRange();
    if (range)
      sendVariantRange(rank, *range, queue.historyRows());
    else
      other.state = State::asking;  // a dying process may still return a range
  }

  /// Gives the range of a dead process to another process, once only: the range may be the cause.
  void reassignRangeOfDeadProcess(Other& other, BatchQueue& queue) {
    const bool held = other.state == State::running;
    other.state = State::dead;
    if (!held || std::find(suspects_.begin(), suspects_.end(), other.range.first) != suspects_.end()) return;
    suspects_.push_back(other.range.first);
    queue.returnVariantRange(other.range);
  }

  /// Gives returned ranges to waiting processes. True if a process received a range.
  bool offerReturnedRanges(BatchQueue& queue) {
    bool taken = false;
    for (std::size_t i = 1; i < others_.size(); ++i) {
      if (others_[i].state != State::asking || InterruptGuard::isStopRequested()) continue;
      const std::optional<VariantRange> range = queue.takeNextVariantRange();
      if (!range) break;
      sendVariantRange(static_cast<int>(i), *range, queue.historyRows());
      taken = true;
    }
    return taken;
  }

  /// Runs a range on all threads of this process, one block per thread; the main thread watches process 0.
  void runRangeOnAllThreads(const VariantPlan& plan, std::vector<std::shared_ptr<VariantRunner>>& runners,
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
          if (!runners[i]) runners[i] = makeVariantRunner(plan);
          blocks[i] = runVariantRange(plan, *runners[i], {range.first + from, to - from}, historyRows);
          --running;
        });
      while (running > 0) {
        watchFirstProcess();
        std::this_thread::sleep_for(kPause);
      }
    }
    for (const std::optional<VariantBlock>& block : blocks) sendToFirst(kBlock, packVariantBlock(*block));
  }

  int rank_{0};
  int size_{1};
  const ProcessPlace place_{ProcessPlace::placeOfThisProcess()};
  std::vector<Other> others_;  // indexed by rank
  std::list<Mail> mails_;
  std::optional<Wire> order_;  // last order of process 0
  Clock::time_point looked_{Clock::now()};
  std::vector<std::size_t> suspects_;  // first variants of the ranges during which a process died
  std::jthread pulse_;
};

namespace {

/// True if a launcher started this process. MPI, whose start takes time, is used only then.
bool isLaunchedByMpi() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || std::atoi(value) < 2) continue;
    // job scripts of Slurm have SLURM_NTASKS too; only the processes of a job step have a rank as well
    return std::string_view(name) != "SLURM_NTASKS" || std::getenv("PMIX_RANK") != nullptr;
  }
  return false;
}

}  // namespace

MpiSession::MpiSession() = default;
MpiSession::~MpiSession() = default;

BatchPeers* MpiSession::peerProcesses() {
  if (!peers_ && isLaunchedByMpi()) peers_ = std::make_unique<MpiPeers>();
  return peers_.get();
}

int MpiSession::leaveMpi(int status) { return peers_ ? peers_->leaveMpi(status) : status; }

}  // namespace ricochet
