// Response of a law in lanes with different constants: each lane has the bits of the scalar law.

#include "engine/lanes/lane_laws.hpp"
#include "engine/numerics/pack.hpp"
#include "verification/support/typed.hpp"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>

namespace ricochet {
namespace {

using batch::Eight;
using batch::kWidth;
using batch::baseline::Pack;
using batch::baseline::PackMask;

/// The vectorised form of a law has the same index in the list of vectorised laws.
template <class Law, template <class> class Lists, class P, std::size_t k = 0>
struct LaneFormOf
    : std::conditional_t<std::is_same_v<std::tuple_element_t<k, Lists<double>>, Law>,
                         std::type_identity<std::tuple_element_t<k, Lists<P>>>,
                         LaneFormOf<Law, Lists, P, k + (k + 1 < std::tuple_size_v<Lists<double>>)>> {};

/// Numbers of all sizes and both signs, including zeros.
class Dice {
 public:
  double operator()() {
    const double x = number_(random_);
    return std::abs(x) < 0.2 ? 0.0 : x;
  }
  Eight eightRandomNumbers() {
    Eight all;
    for (double& each : all.lane) each = (*this)();
    return all;
  }
  bool randomBool() { return number_(random_) > 0.0; }

 private:
  std::mt19937 random_{8};
  std::uniform_real_distribution<double> number_{-1.0, 1.0};
};

void expectSameLaneBits(const Pack& lanes, std::size_t i, double alone, std::string_view what) {
  Eight all;
  lanes.store(all);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(all.lane[i]), std::bit_cast<std::uint64_t>(alone))
      << what << ": " << all.lane[i] << " and alone " << alone;
}
void expectSameLaneBits(const Tangential<Pack>& lanes, std::size_t i, const Tangential<double>& alone,
                        std::string_view what) {
  expectSameLaneBits(lanes.first, i, alone.first, what);
  expectSameLaneBits(lanes.second, i, alone.second, what);
}

/// Eight laws with different constants, some of which are zero where zero is allowed.
template <class Law>
std::array<Law, kWidth> lawsWithVariedConstants(Dice& dice) {
  std::array<Law, kWidth> laws;
  for (Law& law : laws) {
    constexpr auto fields = Law::numericParameters();
    if constexpr (fields.size() > 0)
      for (const auto& field : fields) law.*field.member = field.example * (1.0 + 0.5 * dice());
    if constexpr (requires { law.damping; })
      if (dice.randomBool()) law.damping = 0.0;
    if constexpr (requires { law.tension; }) law.tension = dice.randomBool();
  }
  return laws;
}

template <template <class> class Lists, class Law>
auto lawInLanes(const std::array<Law, kWidth>& laws) {
  typename LaneFormOf<Law, Lists, Eight>::type lanes{};
  for (std::size_t i = 0; i < kWidth; ++i) batch::copyLawToLane(lanes, i, laws[i]);
  return batch::loadRegisters<typename LaneFormOf<Law, Lists, Pack>::type>(lanes);
}

constexpr int kRounds = 300;

template <class L>
class LaneObstacleTest : public ::testing::Test {};
TYPED_TEST_SUITE(LaneObstacleTest, test::TypesOf<Obstacles>::type, test::KeywordName);

TYPED_TEST(LaneObstacleTest, GivesTheBitsOfEachLane) {
  Dice dice;
  for (int round = 0; round < kRounds; ++round) {
    const auto alone = lawsWithVariedConstants<TypeParam>(dice);
    const auto lanes = lawInLanes<batch::LaneObstacles>(alone);
    const Eight x = dice.eightRandomNumbers();
    for (std::size_t i = 0; i < kWidth; ++i) {
      expectSameLaneBits(lanes.template gap<Pack>(Pack(x)), i, alone[i].template gap<double>(x.lane[i]),
                         "gap");
      expectSameLaneBits(lanes.template normalSign<Pack>(Pack(x)), i,
                         alone[i].template normalSign<double>(x.lane[i]), "side");
    }
  }
}

template <class L>
class LaneNormalLawTest : public ::testing::Test {};
template <class Tuple>
struct TypesOfTuple;
template <class... Ts>
struct TypesOfTuple<std::tuple<Ts...>> {
  using type = ::testing::Types<Ts...>;
};
TYPED_TEST_SUITE(LaneNormalLawTest, TypesOfTuple<batch::LaneNormalLaws<double>>::type, test::KeywordName);

TYPED_TEST(LaneNormalLawTest, GivesTheBitsOfEachLane) {
  Dice dice;
  for (int round = 0; round < kRounds; ++round) {
    const auto alone = lawsWithVariedConstants<TypeParam>(dice);
    const auto lanes = lawInLanes<batch::LaneNormalLaws>(alone);
    const Eight gap = dice.eightRandomNumbers(), rate = dice.eightRandomNumbers(),
                imposed = dice.eightRandomNumbers();
    const NormalKinematics<Pack> k{Pack(gap), Pack(rate), Pack(imposed), Pack(0.0)};
    for (const NormalState state : {NormalState::open, NormalState::closed, NormalState::released}) {
      const Pack force = lanes.template force<Pack>(state, k);
      const auto guards = lanes.template guards<Pack>(state, k);
      const Pack stored = lanes.template storedEnergy<Pack>(state, k);
      for (std::size_t i = 0; i < kWidth; ++i) {
        const NormalKinematics<double> own{gap.lane[i], rate.lane[i], imposed.lane[i]};
        expectSameLaneBits(force, i, alone[i].template force<double>(state, own), "force");
        expectSameLaneBits(stored, i, alone[i].template storedEnergy<double>(state, own), "stored");
        for (std::size_t g = 0; g < kNormalGuards; ++g)
          expectSameLaneBits(guards[g], i, alone[i].template guards<double>(state, own)[g], "guard");
      }
    }
  }
}

template <class L>
class LaneFrictionLawTest : public ::testing::Test {};
TYPED_TEST_SUITE(LaneFrictionLawTest, test::TypesOf<SteppedFrictionLaws>::type, test::KeywordName);

/// Inputs of a friction law in eight lanes, and of each lane alone.
struct Question {
  explicit Question(Dice& dice) {
    for (auto* each : {&position, &rate, &force, &anchor, &direction})
      *each = {dice.eightRandomNumbers(), dice.eightRandomNumbers()};
    for (std::size_t i = 0; i < kWidth; ++i) {
      compression.lane[i] = 1e3 * std::abs(dice());
      elapsed.lane[i] = 1e-3 * (1.0 + dice());
      slipping.set(i, dice.randomBool());
      for (Eight* each : {&position[0], &position[1], &anchor[0], &anchor[1]}) each->lane[i] *= 5e-3;
      if (dice.randomBool())
        force[0].lane[i] = position[0].lane[i] = anchor[0].lane[i] = rate[0].lane[i] = 0.0;
      if (dice.randomBool())
        force[1].lane[i] = position[1].lane[i] = anchor[1].lane[i] = rate[1].lane[i] = 0.0;
    }
    compressionRate = dice.eightRandomNumbers();
  }
  using Pair = std::array<Eight, 2>;
  Pair position, rate, force, anchor, direction;
  Eight compression, compressionRate, elapsed;
  batch::EightMask slipping;

  static Tangential<Pack> lanes(const Pair& pair) { return {Pack(pair[0]), Pack(pair[1])}; }
  static Tangential<double> valuesOfOneLane(const Pair& pair, std::size_t i) {
    return {pair[0].lane[i], pair[1].lane[i]};
  }

  FrictionKinematics<Pack> kinematics() const {
    return {lanes(position), lanes(rate), Pack(compression), Pack(compressionRate), {}, Pack(elapsed)};
  }
  FrictionMemory<Pack> memory() const {
    return {lanes(force), lanes(anchor), lanes(direction), PackMask(slipping)};
  }
  FrictionKinematics<double> kinematics(std::size_t i) const {
    return {valuesOfOneLane(position, i),
            valuesOfOneLane(rate, i),
            compression.lane[i],
            compressionRate.lane[i],
            {},
            elapsed.lane[i]};
  }
  FrictionMemory<double> memory(std::size_t i) const {
    return {valuesOfOneLane(force, i), valuesOfOneLane(anchor, i), valuesOfOneLane(direction, i),
            slipping.isSet(i)};
  }
};

TYPED_TEST(LaneFrictionLawTest, GivesTheBitsOfEachLane) {
  Dice dice;
  int slips = 0;
  for (int round = 0; round < kRounds; ++round) {
    const auto alone = lawsWithVariedConstants<TypeParam>(dice);
    const auto lanes = lawInLanes<batch::LaneFrictionLaws>(alone);
    const Question ask(dice);
    const auto found = lanes.template computeTrial<Pack>(ask.kinematics(), ask.memory());
    const Pack stored = lanes.template storedEnergy<Pack>(ask.kinematics(), found.next);
    batch::EightMask slipping;
    found.next.slipping.store(slipping);
    for (std::size_t i = 0; i < kWidth; ++i) {
      const auto own = alone[i].template computeTrial<double>(ask.kinematics(i), ask.memory(i));
      expectSameLaneBits(found.traction, i, own.traction, "traction");
      expectSameLaneBits(found.next.anchorForce, i, own.next.anchorForce, "spring");
      expectSameLaneBits(found.next.anchorPosition, i, own.next.anchorPosition, "anchor");
      expectSameLaneBits(found.next.direction, i, own.next.direction, "direction");
      EXPECT_EQ(slipping.isSet(i), own.next.slipping);
      expectSameLaneBits(stored, i, alone[i].template storedEnergy<double>(ask.kinematics(i), own.next),
                         "stored");
      slips += own.next.slipping ? 1 : 0;
    }
  }
  if (!TypeParam::traits.traction) return;
  EXPECT_GT(slips, kRounds);
  EXPECT_LT(slips, 7 * kRounds);
}

}  // namespace
}  // namespace ricochet
