// Events of a run are in the order of time, also a breakaway whose guard is negative already at the start of
// a step because the force or the limit jumped.

#include "engine/study/run.hpp"
#include "verification/support/deck_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace ricochet {
namespace {

/// Four bodies in a row that slide in two directions, on contacts whose forces vary.
const std::string kSliders = R"deck(
nodes = [{ name = "a", position = [0, 0, 0] }, { name = "b", position = [1, 0, 0] },
         { name = "c", position = [2, 0, 0] }, { name = "d", position = [3, 0, 0] }]
masses = [{ nodes = "all", mass = 1 }]
springs = [{ nodes = ["a"], stiffness = [100, 100, 100] }, { nodes = ["a", "b"], stiffness = [10776, 180, 0] },
           { nodes = ["b", "c"], stiffness = [6956, 187, 0] }, { nodes = ["c", "d"], stiffness = [11733, 2868, 0] }]
functions = { press = { formula = "20.9 + 11.4*sin(566*t)" }, wave = { formula = "sin(19.3*t)" } }
loads = [{ nodes = "a", force = [1.26, 15.8, 10.3], scale = "wave" }]
initial = { velocity = [{ node = "all", value = [0.93, 0.22, 0] }] }
[transient]
duration = 1
)deck";

std::string contactOf(const std::string& name, const std::string& force, const std::string& friction) {
  return "[[contacts]]\nname = \"" + name + "\"\nnode = \"" + name[0] +
         "\"\nobstacle = { type = \"none\", normal = [0, 0, 1] }\nnormal = { force = " + force +
         " }\nfriction = { " + friction + " }\n";
}

const std::string kContacts =
    contactOf("a1", "\"press\"", "coefficient = 0.138, stiffness = 1e6") +
    contactOf("b1", "19.1", "static = 0.487, dynamic = 0.218, stiffness = 1e6, damping = 0") +
    contactOf("c1", "\"press\"", "coefficient = 0.314, stiffness = 1e6") +
    contactOf("c2", "\"press\"", "coefficient = 0.369, stiffness = 1e4, damping = 0") +
    contactOf("d1", "39.3", "static = 0.448, dynamic = 0.296, stiffness = 1e5, damping = 0") +
    contactOf("d2", "\"press\"", "static = 0.314, dynamic = 0.16, stiffness = 1e4, damping = 5");

class EventOrder : public testing::TestWithParam<const char*> {};

TEST_P(EventOrder, IsThatOfTime) {
  const std::string scheme = GetParam();
  const std::string step = scheme == "adaptive_central" ? "" : "step = 2e-4\n";
  const Deck deck = test::studyOf(kSliders + "scheme = \"" + scheme + "\"\n" + step + kContacts);
  const Result result = run(deck);
  ASSERT_GT(result.events().size(), 20U);
  EXPECT_TRUE(std::ranges::is_sorted(result.events(), {}, &Event::time));
}

INSTANTIATE_TEST_SUITE_P(Schemes, EventOrder,
                         testing::Values("adaptive_central", "newmark", "central_difference", "rk54"));

}  // namespace
}  // namespace ricochet
