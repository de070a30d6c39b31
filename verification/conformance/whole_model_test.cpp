// Properties that every listed obstacle, contact law and link law must have in a whole model: a run does not
// depend on the units of its deck, on the position and orientation of the model, or on the order of its
// nodes.

#include "io/text/input_error.hpp"
#include "verification/support/tier.hpp"
#include "verification/support/whole_models.hpp"

#include <Eigen/Geometry>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <string>

namespace ricochet {
namespace {

using test::Histories;
using test::Linking;
using test::Meeting;
using test::Part;
using test::Units;
using test::Writing;

/// Changes each unit alone, by factors that are no powers of two, and all units together. The sanitizers run
/// only the variants that use other paths through memory.
std::map<std::string, Writing> writingsOfDeck() {
  const Mat3 turn = (Eigen::AngleAxisd(2.1, Vec3(0.3, -1.0, 0.7).normalized())).toRotationMatrix();
  if (test::kSanitized && !test::isFull())
    return {{"turn, shift and order", {.turn = turn, .shift = {-0.3, 0.2, 1.1}, .reversed = true}}};
  return {{"length", {.units = {.length = 3.7}}},
          {"mass", {.units = {.mass = 0.021}}},
          {"time", {.units = {.time = 130.0}}},
          {"units", {.units = {.length = 1e3, .mass = 0.45, .time = 7e-3}}},
          {"turn", {.turn = turn}},
          {"shift", {.shift = {0.9, -1.7, 0.4}}},
          {"turn and shift", {.turn = turn, .shift = {-0.3, 0.2, 1.1}}},
          {"order", {.reversed = true}}};
}

/// Runs the deck; returns nothing if the program refuses the deck.
template <class Model>
std::optional<Histories> runInPlainWriting(const Model& model) {
  try {
    return test::runDeck(deckOf(model, {}), {});
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The limit grows with impacts and with turning friction, which amplify rounding: `tolerance` is relative to
/// the largest value.
template <class Model>
void expectSameInEveryWriting(const Model& model, const Histories& plain, double tolerance,
                              bool turns = true) {
  for (const auto& [name, writing] : writingsOfDeck()) {
    if (!turns && name.starts_with("turn")) continue;
    SCOPED_TRACE(name);
    const Histories other = test::runDeck(deckOf(model, writing), writing);
    EXPECT_LE(test::relativeDeviationOfRuns(plain.displacement, other.displacement), tolerance);
    EXPECT_LE(test::relativeDeviationOfRuns(plain.force, other.force), 10.0 * tolerance);
    EXPECT_EQ(plain.impacts, other.impacts);
  }
}

bool isFlatObstacle(const std::string& obstacle) {
  return obstacle == "none" || obstacle == "plane" || obstacle == "slot";
}

/// The seed is computed from the names (FNV-1a hash), so that the numbers of a model stay the same when a law
/// is added to the lists.
unsigned seedOf(std::string_view normal, std::string_view friction, bool pair, std::string_view scheme) {
  unsigned hash = 2166136261U;
  for (const std::string_view name : {normal, friction, std::string_view(pair ? "pair" : "one"), scheme})
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

/// With sanitizers each pair of laws is tested in one model, of one node or of a pair, and at each obstacle
/// with one scheme.
bool isPairOfLawsSkipped(const Part& normal, const Part& friction, std::string_view obstacle, bool pair,
                         std::string_view scheme) {
  const auto isOdd = [&](std::string_view other) {
    return seedOf(normal.name, friction.name, false, other) % 2 == 1;
  };
  return test::kSanitized && !test::isFull() &&
         (isOdd(scheme) != pair || isOdd(obstacle) != (scheme == "event"));
}

class ObstaclesInWholeModels : public ::testing::TestWithParam<std::string> {};

TEST_P(ObstaclesInWholeModels, DoNotDependOnUnitsNorOnPlaceNorOnOrder) {
  int runs = 0, touched = 0;
  for (const Part& normal : test::textsOfNormalLaws())
    for (const Part& friction : test::textsOfFrictionLaws())
      for (const bool pair : {false, true})
        for (const char* scheme : {"kick_drift", "event"}) {
          if (isPairOfLawsSkipped(normal, friction, GetParam(), pair, scheme)) continue;
          const Meeting meeting{.obstacle = GetParam(),
                                .normal = normal,
                                .friction = friction,
                                .pair = pair,
                                .scheme = scheme,
                                // A round obstacle amplifies rounding at every impact.
                                .duration = isFlatObstacle(GetParam()) ? 0.03 : 0.014,
                                .seed = seedOf(normal.name, friction.name, pair, scheme)};
          SCOPED_TRACE(fmt::format("{}, {}{}, {}", normal.name, friction.name, pair ? ", pair" : "", scheme));
          const std::optional<Histories> plain = runInPlainWriting(meeting);
          if (!plain) continue;
          ++runs;
          touched += plain->touched ? 1 : 0;
          // Where tangents turn in space, the path along them depends on the choice of tangents: forces
          // differ by 3e-8 for the automaton on a sphere, by 1.2e-8 for lugre on a torus and by 2e-8 on a
          // sphere.
          const bool turns = !(GetParam() == "sphere" && friction.name == "automaton") &&
                             !((GetParam() == "sphere" || GetParam() == "torus") && friction.name == "lugre");
          expectSameInEveryWriting(meeting, *plain, 1e-9, turns);
        }
  RecordProperty("runs", runs);
  EXPECT_GE(runs, GetParam() == "none" ? 3 : 12);
  EXPECT_EQ(touched, runs);  // the node has touched the obstacle in each run
}
INSTANTIATE_TEST_SUITE_P(All, ObstaclesInWholeModels, ::testing::ValuesIn(test::obstacleNames()),
                         [](const auto& name) { return name.param; });

class LinksInWholeModels : public ::testing::TestWithParam<std::size_t> {};

TEST_P(LinksInWholeModels, DoNotDependOnUnitsNorOnPlaceNorOnOrder) {
  for (const char* scheme : {"kick_drift", "newmark"}) {
    const Linking linking{.link = test::textsOfLinkLaws()[GetParam()], .scheme = scheme};
    SCOPED_TRACE(scheme);
    const Histories plain = test::runDeck(deckOf(linking, {}), {});
    EXPECT_TRUE(plain.touched);
    // The angle of a crack is measured from the projection of global x.
    expectSameInEveryWriting(linking, plain, 1e-9, linking.link.name != "cracked_rotor");
  }
}
INSTANTIATE_TEST_SUITE_P(All, LinksInWholeModels,
                         ::testing::Range(std::size_t{0}, test::textsOfLinkLaws().size()),
                         [](const auto& index) { return test::textsOfLinkLaws()[index.param].name; });

TEST(Units, OfLawsAreRead) {
  const Units u{.length = 2.0, .mass = 3.0, .time = 5.0};
  EXPECT_DOUBLE_EQ(u.of("N"), 3.0 * 2.0 / 25.0);
  EXPECT_DOUBLE_EQ(u.of("N s/m"), 3.0 / 5.0);
  EXPECT_DOUBLE_EQ(u.of("N/m^n", 1.5), 3.0 * 2.0 / 25.0 / std::pow(2.0, 1.5));
  EXPECT_DOUBLE_EQ(u.of("N (s/m)^alpha", 0.5), 3.0 * 2.0 / 25.0 * std::sqrt(2.5));
  EXPECT_DOUBLE_EQ(u.of("rad^2/s^2"), 1.0 / 25.0);
  EXPECT_DOUBLE_EQ(u.of("-"), 1.0);
  EXPECT_THROW(u.of("furlong"), std::invalid_argument);
  EXPECT_THROW(u.of("N/m^n"), std::invalid_argument);
  EXPECT_THROW(u.of("N (s/m"), std::invalid_argument);
}

}  // namespace
}  // namespace ricochet
