#pragma once

#include "verification/support/recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace ricochet::test {

/// A run with impacts on a stop and friction under an imposed force, in physical coordinates: decks add
/// [direct].
inline const std::string kKnockingPair = R"deck(
[[nodes]]
name = "a"
position = [0.0, 0.0, 0.0]
[[nodes]]
name = "b"
position = [1.0, 0.0, 0.0]
[[masses]]
nodes = "all"
mass = 2.0
[[springs]]
nodes = ["a"]
stiffness = [2.0e4, 1.0e4, 0]
[[springs]]
nodes = ["a", "b"]
stiffness = [5.0e4, 2.0e4, 0]
[[dampers]]
nodes = ["a", "b"]
damping = [12.0, 9.0, 0]
[[supports]]
nodes = "all"
fixed = ["uz"]
[functions.sine]
formula = "sin(210*t)"
[[loads]]
nodes = ["b"]
force = [300.0, 150.0, 0]
scale = "sine"
[basis]
all = true
[initial]
velocity = [ { node = "b", value = [0.9, -0.4, 0] } ]
[[contacts]]
name = "stop"
node = "b"
obstacle = { type = "slot", axis = [0, 0, 1], direction = [1, 0, 0], center = [1, 0, 0], gap = 0.002 }
normal = { stiffness = 1.0e5, damping = 9.0 }
friction = { static = 0.3, dynamic = 0.2, stiffness = 4.0e4, damping = 10.0 }
[transient]
duration = 0.0601
step = 2.0e-5
)deck";

/// Records the rows of a run, a checkpoint at every call, and the checkpoint at the end for the next run.
class Checkpointed : public Recorder {
 public:
  struct Kept {
    std::vector<std::byte> bytes;
    std::size_t rows, shown, events;
  };
  bool keeps{true};
  std::vector<Kept> kept;
  std::vector<std::byte> left;

  bool isFinalStateRequested() override { return true; }
  void receiveFinalState(std::span<const std::byte> bytes) override {
    left.assign(bytes.begin(), bytes.end());
  }
  bool isCheckpointRequested() override { return keeps; }
  void saveCheckpoint(std::span<const std::byte> bytes) override {
    kept.push_back({{bytes.begin(), bytes.end()}, rows.size(), shown.size(), all.size()});
  }

  /// Removes the rows after a checkpoint.
  void removeRowsAfterCheckpoint(const Kept& to) {
    rows.resize(to.rows);
    shown.resize(to.shown);
    all.resize(to.events);
  }
};

/// Report and checkpoint at the end of a run.
struct RunEnd {
  Report report;
  State state;
  std::vector<ContactTotals> totals;
};

template <class T>
bool sameBits(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
inline bool sameBits(const Vector& a, const Vector& b) {
  return a.size() == b.size() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(double)) == 0;
}

inline void expectSameBits(const State& a, const State& b) {
  EXPECT_TRUE(sameBits(a.time, b.time) && sameBits(a.q, b.q) && sameBits(a.v, b.v) && sameBits(a.a, b.a))
      << a.time << " s and " << b.time << " s";
}

inline void expectSameBits(const Recorder::Row& a, const Recorder::Row& b) {
  expectSameBits(a.state, b.state);
  EXPECT_TRUE(sameBits(a.ledger, b.ledger)) << a.state.time;
  ASSERT_EQ(a.contacts.size(), b.contacts.size());
  for (std::size_t i = 0; i < a.contacts.size(); ++i) {
    const ContactView &x = a.contacts[i], &y = b.contacts[i];
    EXPECT_TRUE(sameBits(x.gap, y.gap) && sameBits(x.gapRate, y.gapRate) &&
                sameBits(x.normalForce, y.normalForce) && sameBits(x.tangentialForce, y.tangentialForce) &&
                sameBits(x.slipVelocity, y.slipVelocity) && sameBits(x.spinMoment, y.spinMoment) &&
                x.phase == y.phase && x.position == y.position)
        << "contact " << i << " at " << a.state.time;
  }
}

inline void expectSameBits(const Recorder& a, const Recorder& b) {
  ASSERT_EQ(a.rows.size(), b.rows.size());
  for (std::size_t i = 0; i < a.rows.size() && !testing::Test::HasFailure(); ++i)
    expectSameBits(a.rows[i], b.rows[i]);
  ASSERT_EQ(a.shown.size(), b.shown.size());
  for (std::size_t i = 0; i < a.shown.size() && !testing::Test::HasFailure(); ++i) {
    EXPECT_EQ(a.shown[i].first, b.shown[i].first);
    expectSameBits(a.shown[i].second, b.shown[i].second);
  }
  ASSERT_EQ(a.all.size(), b.all.size());
  for (std::size_t i = 0; i < a.all.size(); ++i)
    EXPECT_TRUE(sameBits(a.all[i].time, b.all[i].time) && a.all[i].contact == b.all[i].contact &&
                a.all[i].kind == b.all[i].kind);
}

inline void expectSameBits(const RunEnd& a, const RunEnd& b) {
  expectSameBits(a.state, b.state);
  const Report &x = a.report, &y = b.report;
  EXPECT_TRUE(x.status == y.status && x.steps == y.steps && x.refused == y.refused && x.events == y.events &&
              x.refusedBy == y.refusedBy && sameBits(x.refusedAt, y.refusedAt) && sameBits(x.time, y.time) &&
              sameBits(x.energyError, y.energyError) && sameBits(x.energy, y.energy));
  ASSERT_EQ(a.totals.size(), b.totals.size());
  for (std::size_t i = 0; i < a.totals.size(); ++i) {
    const ContactTotals &s = a.totals[i], &t = b.totals[i];
    EXPECT_TRUE(s.impacts == t.impacts && sameBits(s.impulse, t.impulse) &&
                sameBits(s.frictionEnergy, t.frictionEnergy) && sameBits(s.peakForce, t.peakForce) &&
                sameBits(s.impulseWear, t.impulseWear));
  }
}

/// Compares the checkpoints that two runs leave for the next run.
inline void expectSameBytes(std::span<const std::byte> a, std::span<const std::byte> b) {
  ASSERT_EQ(a.size(), b.size());
  if (!kClearsPadding) return;
  const auto unlike = std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
  EXPECT_EQ(unlike, std::ssize(a)) << "the first byte that differs";
}

/// Resumes a run at several of its checkpoints, and at one of them repeatedly, step by step. `runIt` creates
/// all objects anew and runs with the given options.
template <class Run>
void expectCheckpointsContinue(Run&& runIt, TransientOptions options) {
  Checkpointed plain;
  plain.keeps = false;
  const RunEnd end = runIt(options, plain);
  ASSERT_EQ(end.report.status, RunStatus::complete);
  ASSERT_GT(plain.all.size(), 3U);  // fewer steps would test little

  Checkpointed first;
  expectSameBits(end, runIt(options, first));
  expectSameBits(plain, first);  // writing a checkpoint changes nothing
  expectSameBytes(plain.left, first.left);
  ASSERT_GT(first.kept.size(), 1U);

  for (std::size_t i = 0; i < first.kept.size(); i += 1 + first.kept.size() / 4) {
    Checkpointed second = first;
    second.removeRowsAfterCheckpoint(first.kept[i]);
    second.left.clear();
    options.resumeFrom = first.kept[i].bytes;
    expectSameBits(end, runIt(options, second));
    expectSameBits(plain, second);
    expectSameBytes(first.left, second.left);
    if (testing::Test::HasFailure()) return;
  }

  constexpr int kHops = 120;
  Checkpointed hopping = first;
  hopping.left.clear();
  Checkpointed::Kept at = first.kept[(first.kept.size() - 1) / 2];
  for (int i = 0; i <= kHops; ++i) {
    hopping.removeRowsAfterCheckpoint(at);
    hopping.kept.clear();
    hopping.stopAfter = i < kHops ? 0 : plain.stopAfter;
    options.resumeFrom = at.bytes;
    const RunEnd here = runIt(options, hopping);
    if (here.report.status == RunStatus::complete) {
      expectSameBits(end, here);
      break;
    }
    ASSERT_EQ(here.report.status, RunStatus::interrupted);
    at = hopping.kept.back();
  }
  expectSameBits(plain, hopping);
  if (!hopping.left.empty()) expectSameBytes(first.left, hopping.left);
}

}  // namespace ricochet::test
