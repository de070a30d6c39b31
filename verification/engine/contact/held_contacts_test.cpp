// Held contacts (closed and sticking) are evaluated eight at a time, with the same bits as one by one.

#include "engine/contact/held_contacts.hpp"

#include "engine/contact/contact_set.hpp"
#include "engine/contact/held_kernel.hpp"
#include "engine/numerics/flush_to_zero.hpp"
#include "verification/support/models.hpp"
#include "verification/support/stepper.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

namespace ricochet {
namespace {

/// Blocks of contacts that are about to slip, to open or to cross a slot, and their positions.
class RandomTrial {
 public:
  explicit RandomTrial(unsigned seed) : random_(seed) {
    for (HeldBlock& b : blocks) fillBlock(b);
    for (batch::Eight& each : places) each = randomEight(-2.0, 2.0);
  }
  HeldTrial trial() { return {blocks.data(), blocks.size(), places.data()->lane, 16, 1, 1e-3}; }

  std::vector<HeldBlock> blocks{2};
  std::vector<batch::Eight> places{6};

 private:
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }
  batch::Eight randomEight(double low, double high) {
    batch::Eight lanes;
    for (double& each : lanes.lane) each = uniform(low, high);
    return lanes;
  }
  batch::EightMask mask() {
    batch::EightMask lanes;
    for (std::size_t i = 0; i < batch::kWidth; ++i) lanes.set(i, uniform(0.0, 1.0) < 0.7);
    return lanes;
  }
  void fillBlock(HeldBlock& b) {
    b.held = mask();
    b.isSlot = mask();
    b.reference = randomEight(-1.0, 1.0);
    for (batch::Eight& each : b.offset) each = randomEight(-0.1, 0.1);
    b.normalStiffness = randomEight(1e3, 1e6);
    b.stickStiffness = randomEight(1e3, 1e5);
    b.muStatic = randomEight(0.0, 1.0);
    for (auto* pair : {&b.anchorForce, &b.anchorPosition})
      for (batch::Eight& each : *pair) each = randomEight(-1.0, 1.0);
    for (batch::Eight& each : b.compression) each = randomEight(0.0, 1e6);
    b.impulse = randomEight(0.0, 10.0);
    b.peak = randomEight(0.0, 1e6);
  }

  std::mt19937 random_;
};

TEST(StickBatch, EveryProcessorGivesTheSameBits) {
#if defined(__x86_64__)
  std::vector<StickBatchKernel> kernels;
  if (__builtin_cpu_supports("avx2")) kernels.push_back(stickBatchKernelAvx2());
  if (__builtin_cpu_supports("avx512f")) kernels.push_back(stickBatchKernelAvx512());
  int kept = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomTrial base(seed);
    const bool all = batch::baseline::evaluateTrialOfStickBatch(base.trial());
    for (std::size_t i = 0; i < batch::kWidth; ++i) kept += base.blocks[0].keeps.isSet(i) ? 1 : 0;
    for (const StickBatchKernel kernel : kernels) {
      RandomTrial other(seed);
      EXPECT_EQ(kernel(other.trial()), all);
      EXPECT_EQ(std::memcmp(other.blocks.data(), base.blocks.data(), 2 * sizeof(HeldBlock)), 0) << seed;
    }
  }
  EXPECT_GT(kept, 50);
#else
  GTEST_SKIP() << "one kind of processor";
#endif
}

void expectSameState(const ContactState& a, const ContactState& b) {
  EXPECT_EQ(a.normal, b.normal);
  EXPECT_EQ(a.compression, b.compression);
  if (!a.isClosed()) return;
  EXPECT_EQ(a.gap, b.gap);
  EXPECT_EQ(a.side, b.side);
  EXPECT_EQ(a.position.first, b.position.first);
  EXPECT_EQ(a.position.second, b.position.second);
  EXPECT_EQ(a.traction.first, b.traction.first);
  EXPECT_EQ(a.traction.second, b.traction.second);
  EXPECT_EQ(a.slipRate.second, b.slipRate.second);
  EXPECT_EQ(a.storedNormal, b.storedNormal);
  EXPECT_EQ(a.storedTangential, b.storedTangential);
  EXPECT_EQ(a.friction.anchorPosition.second, b.friction.anchorPosition.second);
  EXPECT_EQ(a.friction.slipping, b.friction.slipping);
}

/// Slots that hold the tube most of the time, with friction that sometimes slips.
ModalModel clampedTube() {
  test::ModelParts parts =
      test::tube({.modes = 20, .stations = test::positionsOfTubeSlots(11), .loadsTo = 0.2});
  for (std::size_t i = 0; i < parts.contacts.size(); ++i) {
    Contact& contact = parts.contacts[i];
    contact.obstacle = Slot{i % 3 == 0 ? -1e-4 : 1e-4};
    contact.normal = LinearPenalty{1e4, i % 5 == 4 ? 10.0 : 0.0, {}};
    std::get<RegularisedCoulomb>(contact.friction).stiffness = 1e3;
  }
  return parts.build();
}

/// Compares with a run whose states are restored before every step, so that no contact counts as held.
template <class I>
void compareWithOneByOne(int every) {
  const ModalModel model = clampedTube();
  test::Stepper<I> held(model, 1e-5, State(20));
  test::Stepper<I> single(model, 1e-5, State(20));
  int stuck = 0;
  for (int n = 1; n <= 8000; ++n) {
    single.equation().contacts().restore(single.equation().contacts().states());
    held.step();
    single.step();
    ASSERT_EQ(held.state().q, single.state().q) << I::keyword << ", step " << n;
    ASSERT_EQ(held.state().v, single.state().v);
    if (n % every != 0) continue;  // reading the states changes nothing
    const ContactRun& mine = held.equation().contacts();
    const ContactRun& other = single.equation().contacts();
    for (std::size_t i = 0; i < 11; ++i) {
      expectSameState(mine.state(i), other.state(i));
      EXPECT_EQ(mine.runTotals()[i].impulse, other.runTotals()[i].impulse);
      EXPECT_EQ(mine.runTotals()[i].peakForce, other.runTotals()[i].peakForce);
      EXPECT_EQ(mine.runTotals()[i].frictionEnergy, other.runTotals()[i].frictionEnergy);
      stuck += mine.state(i).phase(true) == ContactPhase::stick ? 1 : 0;
    }
    EXPECT_EQ(mine.storedEnergy(), other.storedEnergy());
    EXPECT_EQ(held.equation().ledger(held.state()).balanceResidual(),
              single.equation().ledger(single.state()).balanceResidual());
    ASSERT_FALSE(testing::Test::HasFailure()) << I::keyword << ", step " << n;
  }
  EXPECT_GT(stuck, 8000 / every) << "hardly a contact is held";
  const auto events = held.equation().contacts().events().size();
  EXPECT_EQ(events, single.equation().contacts().events().size());
  EXPECT_GT(events, 50U);
}

TEST(StickBatch, RunsAreThoseOfContactsOneByOne) {
  const FlushToZero flush;
  for (const int every : {1, 97}) {
    compareWithOneByOne<KickDrift>(every);
    compareWithOneByOne<CentralDifference>(every);
  }
}

/// A contact with springs only dissipates nothing: the accounts of held contacts have no dissipated energy.
TEST(StickBatch, SpringsLoseNothing) {
  const FlushToZero flush;
  test::ModelParts parts =
      test::bouncer({.mass = 2.0, .stiffness = 0.0}, Slot{1e-3}, LinearPenalty{1e5, 0.0, {}});
  const ModalModel model = parts.build();
  State start(1);
  start.v[0] = 1.0;
  test::Stepper<KickDrift> stepper(model, 1e-5, start);
  for (int n = 0; n < 20000; ++n) stepper.step();
  const EnergyLedger ledger = stepper.equation().ledger(stepper.state());
  const int impacts = stepper.equation().contacts().runTotals()[0].impacts;
  EXPECT_GT(impacts, 10);
  EXPECT_EQ(ledger.damping, 0.0);
  EXPECT_EQ(ledger.friction, 0.0);
  // The force starts and ends inside a step: each of these steps misses at most the spring energy of one
  // step.
  const double way = 1e-5 * std::sqrt(0.5);
  EXPECT_NEAR(ledger.balanceResidual(), 0.0, 2 * impacts * 0.5 * 1e5 * way * way);
}

}  // namespace
}  // namespace ricochet
