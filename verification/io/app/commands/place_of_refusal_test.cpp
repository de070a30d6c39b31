// Places in a deck at which a study is refused before its run.

#include "verification/support/refusal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ricochet {
namespace {

using testing::HasSubstr;

/// A mass on springs, and a part p without mass that hangs on it by a spring and the second of two dashpots.
const std::string kPartOnADashpot = R"([[nodes]]
name = "m"
position = [0, 0, 0]
[[nodes]]
name = "p"
position = [1, 0, 0]
[[masses]]
nodes = ["m"]
mass = 1.0
[[springs]]
nodes = ["m"]
stiffness = [5, 5, 5]
[[dampers]]
nodes = ["m"]
damping = [1, 1, 1]
[[dampers]]
nodes = ["p", "m"]
damping = [1, 1, 1]
[basis]
all = true
rayleigh = { mass = 0.0, stiffness = 0.1 }
[transient]
duration = 1.0
[[springs]]
nodes = ["m", "p"]
stiffness = [5, 5, 5]
)";

TEST(PlaceOfARefusal, OfADashpotOnAPartWithoutMassIsItsTable) {
  const std::string stick =
      "[[contacts]]\nname = \"c\"\nnode = \"p\"\nobstacle = { type = \"plane\", normal = [0, 0, 1], gap = "
      "0.1 "
      "}\nnormal = { law = \"rigid\", restitution = 0.0 }\nfriction = { coefficient = 0.1 }\n";
  EXPECT_THAT(
      test::problemsOfRefusedDeck(kPartOnADashpot + stick),
      HasSubstr("study.toml:16:1: dampers: ux of node p has no mass, and `basis.rayleigh.stiffness`"));
}

TEST(PlaceOfARefusal, OfALooseNodeInTheDirectModeIsTheNode) {
  std::string loose = kPartOnADashpot + "[[nodes]]\nname = \"q\"\nposition = [2, 0, 0]\n";
  loose.replace(loose.find("[\"m\", \"p\"]"), 10, "[\"q\", \"p\"]");
  try {
    prepareDirectSimulation(test::studyOf(loose));
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("study.toml:4:1: nodes.p: ux of this node: no mass, and no stiffness"));
  }
}

TEST(PlaceOfARefusal, OfAStructureThatCannotMoveIsWhatHoldsIt) {
  const std::string run = "[transient]\nduration = 1.0\n";
  EXPECT_THAT(
      test::problemsOfRefusedDeck(test::kTwoNodes + run + "[[supports]]\nnodes = \"all\"\nfixed = \"all\"\n"),
      HasSubstr("study.toml:13:1: supports: the structure has no free degree of freedom: free some"));
  EXPECT_THAT(
      test::problemsOfRefusedDeck("\n[[nodes]]\nname = \"a\"\nposition = [0, 0, 0]\n" + run),
      HasSubstr("study.toml:2:1: nodes: the structure has no free degree of freedom: give nodes a mass"));
}

TEST(PlaceOfARefusal, OfAVelocityThatJumpsIsTheVelocity) {
  EXPECT_THAT(test::problemsOfRefusedDeck(R"deck(
[[nodes]]
name = "a"
position = [0, 0, 0]
[[masses]]
nodes = ["a"]
mass = 2.0
[[springs]]
nodes = ["a"]
stiffness = [1e3, 0, 0]
[[supports]]
nodes = ["a"]
fixed = ["uy", "uz"]
[functions.d]
times = [0, 0.1, 0.3]
values = [0, 0, 0.01]
[functions.v]
formula = "if(t < 0.1, 0, 0.05)"
[functions.a]
times = [0, 0.3]
values = [0, 0]
[[base_motions]]
direction = [1, 0, 0]
displacement = "d"
velocity = "v"
acceleration = "a"
[transient]
duration = 0.3
)deck"),
              HasSubstr("study.toml:22:1: base_motions.velocity: jumps near 0.1 s by a formula"));
}

TEST(PlaceOfARefusal, OfAnOutputOfUnknownMotionIsTheNode) {
  const Deck deck = test::studyOf(R"deck(
nodes = [{ name = "a", position = [0, 0, 0] },
  { name = "z", position = [1, 0, 0] }]
masses = [{ nodes = ["a"], mass = 1.0 }]
springs = [{ nodes = ["a"], stiffness = [100, 0, 0] }, { nodes = ["a", "z"], stiffness = [50, 0, 0] }]
supports = [{ nodes = "all", fixed = ["uy", "uz"] }]
basis = { all = true, rayleigh = { mass = 0.0, stiffness = 0.01 } }
loads = [{ nodes = ["z"], force = [1, 0, 0] }]
[transient]
duration = 0.4
[batch.parameters]
"transient.duration" = { values = [0.3, 0.4] }
[batch.outputs]
peak = "max(displacement(z, ux))"
)deck");
  const auto simulation = prepare(deck);
  try {
    requireKnownNodeMotions(deck, *simulation, false);
    FAIL() << "is not refused";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(),
                HasSubstr("study.toml:3:3: nodes: ux of node z has no mass, and a load moves it"));
  }
}

TEST(PlaceOfARefusal, OfALoadThatJumpsOnAContactIsTheLoad) {
  EXPECT_THAT(
      test::problemsOfRefusedDeck(R"(
[[nodes]]
name = "m"
position = [0, 0, 0]
[[nodes]]
name = "tip"
position = [1, 0, 0]
[[masses]]
nodes = ["m"]
mass = 1.0
[[springs]]
nodes = ["m", "tip"]
stiffness = [1e3, 0, 0]
[[supports]]
nodes = "all"
fixed = ["uy", "uz"]
[[contacts]]
name = "stop"
node = "tip"
obstacle = { type = "plane", normal = [-1, 0, 0], gap = 0.005 }
normal = { stiffness = 1e5, damping = 3.0 }
[functions.f]
times = [0, 0.1, 0.1, 1]
values = [0, 0, 1, 1]
[[loads]]
nodes = ["tip"]
force = [3, 0, 0]
scale = "f"
[basis]
all = true
[transient]
duration = 1
)"),
      HasSubstr(
          "study.toml:25:1: loads.scale: ux of node tip has no mass, and the jump of this load moves the "
          "point of contact stop at once, whose dashpot, struck at an infinite speed"));
}

/// A load on a node without mass, whose springs Rayleigh's damping damps: the place is that of the node.
TEST(PlaceOfARefusal, OfANodeWhoseMotionIsNotComputedIsTheNode) {
  const Deck deck = test::studyOf(R"([[nodes]]
name = "a"
position = [0, 0, 0]
[[nodes]]
name = "b"
position = [1, 0, 0]
[[masses]]
nodes = "a"
mass = 1.0
[[springs]]
nodes = ["a"]
stiffness = [100, 0, 0]
[[springs]]
nodes = ["a", "b"]
stiffness = [100, 0, 0]
[[supports]]
nodes = "all"
fixed = ["uy", "uz"]
[basis]
all = true
rayleigh = { mass = 0.0, stiffness = 1e-4 }
[[loads]]
nodes = "b"
force = [1, 0, 0]
[transient]
duration = 1.0
)");
  const auto simulation = prepare(deck);
  requireKnownNodeMotions(deck, *simulation, false);  // no check asks for the node
  try {
    requireKnownNodeMotions(deck, *simulation, true);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_THAT(
        error.what(),
        HasSubstr("study.toml:4:1: nodes: ux of node b has no mass, and a load moves it against springs "
                  "that `basis.rayleigh.stiffness` damps"));
  }
}

/// The static response of a cantilever to a force in its middle turns the free end most; the refusal is about
/// the node of the contact.
TEST(PlaceOfARefusal, OfAContactNamesItsOwnNode) {
  const std::string text = test::problemsOfRefusedDeck(R"([[nodes]]
name = "A"
position = [0, 0, 0]
[[nodes]]
name = "B"
position = [2, 0, 0]
[materials.steel]
young = 2.1e11
poisson = 0.3
density = 7800.0
[sections.rod]
type = "circle"
radius = 0.01
[[beams]]
name = "t"
nodes = ["A", "B"]
elements = 8
material = "steel"
section = "rod"
[[supports]]
nodes = "A"
fixed = "all"
[basis]
modes = 4
residual_inertia = "none"
residual = "contacts"
[[contacts]]
name = "ring"
node = "t.4"
obstacle = { type = "circle", axis = [1, 0, 0], gap = 2e-4 }
normal = { stiffness = 1e6, damping = 20.0 }
friction = { coefficient = 0.2, stiffness = 1e6 }
[transient]
duration = 0.1
scheme = "kick_drift"
step = 1e-5
)");
  EXPECT_THAT(text, HasSubstr("contacts.ring: with `residual_inertia = \"none\"` u"));
  EXPECT_THAT(text, HasSubstr(" of node t.4 yields without inertia"));
}

}  // namespace
}  // namespace ricochet
