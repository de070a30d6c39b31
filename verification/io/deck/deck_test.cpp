#include "io/deck/deck.hpp"

#include "verification/support/deck_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::kTwoNodes;
using test::studyOf;

const char* const kShoe = R"deck(title = "Shoe with static and dynamic friction (SDND106-A)"
[[nodes]]
name = "shoe"
position = [0.0, 0.0, 0.0]
[[nodes]]
name = "puller"
position = [1.0, 0.0, 0.0]
[groups]
bodies = ["shoe", "puller"]
[[masses]]
nodes = "bodies"
mass = 5.0
[[springs]]
nodes = ["shoe", "puller"]
stiffness = [1.0e4, 0.0, 0.0]
[[supports]]
nodes = "all"
fixed = ["uy", "uz"]
[functions.pull]
times  = [0.0, 0.2, 0.2]
values = [3000.0, 3000.0, 0.0]
after = "constant"
[[loads]]
nodes = ["puller"]
force = [1.0, 0.0, 0.0]
scale = "pull"
[[contacts]]
name = "sole"
node = "shoe"
obstacle = { type = "slot", axis = [0, 1, 0], direction = [0, 0, 1], center = [0, 0, 1.01], gap = 0.01 }
normal   = { stiffness = 1.0e4 }
friction = { static = 0.3, dynamic = 0.2, stiffness = 5.0e7 }
[transient]
duration = 0.35
scheme = "central_difference"
step = 1.0e-4
)deck";

TEST(Deck, TheShoeIsReadAsItStands) {
  const Deck study = studyOf(kShoe);
  EXPECT_EQ(study.title, "Shoe with static and dynamic friction (SDND106-A)");
  EXPECT_EQ(study.deckText, kShoe);
  ASSERT_EQ(study.nodes.size(), 2U);
  EXPECT_EQ(study.nodes[1].name, "puller");
  EXPECT_EQ(study.structure.positions[1], Vec3(1.0, 0.0, 0.0));
  ASSERT_EQ(study.structure.elements.size(), 3U);
  const auto& second = std::get<PointMass>(study.structure.elements[1]);
  EXPECT_EQ(second.node, NodeIndex{1});
  EXPECT_EQ(second.value, 5.0);
  EXPECT_EQ(std::get<Spring>(study.structure.elements[2]).stiffness()(0, 3), -1.0e4);
  EXPECT_EQ(study.structure.fixed.size(), 4U);
  ASSERT_EQ(study.loads.size(), 1U);
  EXPECT_EQ(study.loads[0].node, NodeIndex{1});
  EXPECT_EQ(study.loads[0].components[0], 1.0);
  ASSERT_TRUE(study.transient);
  EXPECT_EQ(study.transient->scheme, "central_difference");
  EXPECT_EQ(study.transient->step, 1.0e-4);
}

TEST(Deck, AJumpHasTwoValues) {
  const TimeFunction pull = studyOf(kShoe).loads.at(0).scale;
  EXPECT_EQ(pull.at(0.0), 3000.0);
  EXPECT_EQ(pull.valueJustBefore(0.2), 3000.0);
  EXPECT_EQ(pull.at(0.2), 0.0);
  EXPECT_EQ(pull.at(0.35), 0.0);
}

TEST(Deck, WhatItDoesNotSayIsReported) {
  std::vector<std::string> taken;
  for (const DefaultTaken& d : studyOf(kShoe).defaults) taken.push_back(d.path + " = " + d.value);
  std::sort(taken.begin(), taken.end());
  const std::vector<std::string> expected{
      "basis.all = true",
      "basis.damping_ratio = 0",
      "contacts[0].friction.damping = \"critical\"",
      "contacts[0].normal.damping = 0",
      "contacts[0].normal.tension = false",
      "functions.pull.before = \"error\"",
      "loads[0].static_correction = false",
      "output.every = 1, or what leaves 1e6 rows and 1 GB, under event even instants and every event",
      "output.fields = [\"displacement\", \"velocity\", \"acceleration\"]",
      "output.file = \"study.h5\"",
      "output.nodes = \"all\"",
      "transient.start = 0",
  };
  EXPECT_EQ(taken, expected);
}

/// Terms on fixed dofs are kept for the reactions; a relation of fixed dofs only is removed.
TEST(Deck, RelationsKeepTheirTermsUnlessNoneMoves) {
  const Deck study = studyOf(kTwoNodes + std::string(R"(
[[supports]]
nodes = "b"
fixed = ["ux"]
[[relations]]
terms = [ { node = "a", dof = "ux", factor = 0.5 }, { node = "a", dof = "uy", factor = -2 },
          { node = "b", dof = "ux", factor = 9 } ]
[[relations]]
terms = [ { node = "b", dof = "ux", factor = 1 } ]
)"));
  ASSERT_EQ(study.structure.relations.size(), 1U);
  const auto& terms = study.structure.relations[0].terms;
  ASSERT_EQ(terms.size(), 3U);
  EXPECT_EQ(terms[1].dof, (Dof{NodeIndex{0}, Component::uy}));
  EXPECT_EQ(terms[1].factor, -2.0);
  EXPECT_EQ(terms[2].dof, (Dof{NodeIndex{1}, Component::ux}));
  EXPECT_EQ(terms[2].factor, 9.0);
}

/// A term with the factor 0 is removed, so that a batch may vary a factor through 0; such a term gives a node
/// no dof.
TEST(Deck, ARelationIsMadeOfTheTermsWhoseFactorIsNotZero) {
  const Deck study = studyOf(R"(
nodes = [ { name = "a", position = [0, 0, 0] }, { name = "b", position = [0, 0, 2] },
          { name = "bare", position = [0, 0, 3] } ]
masses = [ { nodes = ["a", "b"], mass = 1 } ]
[[relations]]
terms = [ { node = "a", dof = "ux", factor = 1 }, { node = "b", dof = "ux", factor = 0 },
          { node = "bare", dof = "ry", factor = 0.0 } ]
)");
  ASSERT_EQ(study.structure.relations.size(), 1U);
  const auto& terms = study.structure.relations[0].terms;
  ASSERT_EQ(terms.size(), 1U);
  EXPECT_EQ(terms[0].dof, (Dof{NodeIndex{0}, Component::ux}));
}

TEST(Deck, LocalAxesTurnASpring) {
  const Deck study = studyOf(kTwoNodes + std::string(R"(
[[springs]]
nodes = "a"
stiffness = [7, 0, 0]
axes = { x = [0, 3, 0], y = [1, 1, 0] }
)"));
  const auto& spring = std::get<Spring>(study.structure.elements.back());
  Mat3 axes;
  axes << 0, 1, 0, 1, 0, 0, 0, 0, -1;
  EXPECT_EQ(spring.connector.axes, axes);
  EXPECT_EQ(spring.stiffness()(1, 1), 7.0);
  EXPECT_EQ(spring.stiffness()(0, 0), 0.0);
}

TEST(Deck, MatricesAndInertiasKeepTheirPlaces) {
  const Deck study = studyOf(R"([[nodes]]
name = "a"
position = [0, 0, 0]
[[masses]]
nodes = "a"
mass = 0
inertia = [11, 22, 33, 1, 2, 3]
[[masses]]
nodes = "a"
matrix = [[1, 0, 0], [0, 2, 0.5], [0, 0.5, 3]]
[[dampers]]
nodes = "a"
matrix = [[0, 4, 0], [-4, 0, 0], [0, 0, 0]]
)");
  Mat3 inertia;
  inertia << 11, 1, 3, 1, 22, 2, 3, 2, 33;
  EXPECT_EQ(std::get<PointMass>(study.structure.elements[0]).inertia.value(), inertia);
  EXPECT_EQ(std::get<MassMatrix>(study.structure.elements[1]).mass()(1, 2), 0.5);
  EXPECT_EQ(std::get<Dashpot>(study.structure.elements[2]).damping()(1, 0), -4.0);
}

TEST(Deck, AFunctionMayEndWithTheRunWithinRounding) {
  // 0.1 + 0.2 is 0.30000000000000004 in double
  const Deck study = studyOf(kTwoNodes + std::string(R"(
[transient]
start = 0.1
duration = 0.2
[functions.f]
times = [0.1, 0.3]
values = [1, 2]
[[loads]]
nodes = "a"
force = [1, 0, 0]
scale = "f"
[output]
file = "out/run.h5"
times = [0.1, 0.3]
nodes = "b"
fields = "velocity"
)"));
  EXPECT_EQ(study.output.times.back(), 0.1 + 0.2);
  EXPECT_EQ(study.output.file, study.deckFile.parent_path() / "out/run.h5");
  EXPECT_EQ(study.output.nodes, std::vector{NodeIndex{1}});
  EXPECT_EQ(study.output.fields, std::vector{Kinematic::velocity});
}

TEST(Deck, InitialValuesOfSeveralNodesAreEachOnes) {
  const Deck study = studyOf(kTwoNodes + std::string(R"(
[initial]
velocity = [ { node = "all", value = [0, 1, 2] } ]
)"));
  ASSERT_EQ(study.initialVelocity.size(), 2U);
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(study.initialVelocity[i].node, NodeIndex{i});
    EXPECT_EQ(study.initialVelocity[i].components[2], 2.0);
  }
}

TEST(Deck, InitialValuesAndBasisAreKept) {
  const Deck study = studyOf(kTwoNodes + std::string(R"(
[initial]
displacement = [ { node = "b", value = [0, 1, 2] } ]
velocity = []
[basis]
modes = 3
damping_ratio = [0.01, 0.02, 0.03]
rayleigh = { mass = 1.5, stiffness = 2.5e-6 }
)"));
  ASSERT_EQ(study.initialDisplacement.size(), 1U);
  EXPECT_EQ(study.initialDisplacement[0].node, NodeIndex{1});
  EXPECT_EQ(study.initialDisplacement[0].components[2], 2.0);
  EXPECT_TRUE(study.initialVelocity.empty());
  EXPECT_EQ(study.basis.selection.modes, 3);
  EXPECT_FALSE(study.basis.selection.all);
  EXPECT_EQ(study.basis.dampingRatio, (std::vector{0.01, 0.02, 0.03}));
  EXPECT_EQ(study.basis.rayleigh.mass, 1.5);
  EXPECT_EQ(study.basis.rayleigh.stiffness, 2.5e-6);
}

TEST(Deck, ChecksSayWhatTheyLookAt) {
  const Deck study = studyOf(kShoe + std::string(R"(
[[checks]]
quantity = "displacement"
node = "puller"
node2 = "shoe"
dof = "ux"
at = { contact = "sole", kind = "stick_to_slip", index = 2 }
reference = 1.5
published = 1.4
relative = 1e-3
source = "analytical"
[[checks]]
quantity = "tangential_force"
contact = "sole"
component = 2
time = 0.35
reference = 0
absolute = 1
[[checks]]
quantity = "effective_mass"
mode = 2
dof = "uy"
reference = 0
absolute = 1
)"));
  ASSERT_EQ(study.checks.size(), 3U);
  const CheckRequest& relative = study.checks[0];
  EXPECT_EQ(relative.node, NodeIndex{1});
  EXPECT_EQ(relative.node2, NodeIndex{0});
  ASSERT_TRUE(relative.at);
  EXPECT_EQ(relative.at->kind, EventKind::stickToSlip);
  EXPECT_EQ(relative.at->index, 2);
  EXPECT_EQ(relative.published, 1.4);
  EXPECT_EQ(relative.relative, 1e-3);
  EXPECT_EQ(study.checks[1].component, 2);
  EXPECT_EQ(study.checks[1].time, 0.35);
  EXPECT_EQ(study.checks[2].mode, 2);
  EXPECT_EQ(study.checks[2].dof, Component::uy);
}

/// A point mass has three dofs, a body with inertia six; all six of a node are fixed if the node is only in
/// relations.
TEST(Deck, ASupportMayFixAllDofsOfANode) {
  const auto fixedOf = [](const std::string& support) {
    std::string deck;
    for (const char* node : {"a", "b", "c"})
      deck += std::string("[[nodes]]\nname = \"") + node + "\"\nposition = [0, 0, 0]\n";
    return studyOf(
               deck +
               "[[masses]]\nnodes = [\"a\"]\nmass = 1.0\n"
               "[[masses]]\nnodes = [\"b\"]\nmass = 1.0\ninertia = [1, 1, 1, 0, 0, 0]\n"
               "[[relations]]\nterms = [{ node = \"c\", dof = \"ux\", factor = 1.0 }, { node = \"a\", dof = "
               "\"ux\", factor = -1.0 }]\n[[supports]]\n" +
               support)
        .structure.fixed;
  };
  const auto components = [](const std::vector<Dof>& dofs) {
    std::string text;
    for (const Dof dof : dofs)
      text += std::to_string(dof.node.value) + std::string(componentName(dof.component)) + " ";
    return text;
  };
  EXPECT_EQ(components(fixedOf("nodes = [\"a\", \"b\"]\nfixed = \"all\"\n")),
            "0ux 0uy 0uz 1ux 1uy 1uz 1rx 1ry 1rz ");
  EXPECT_EQ(components(fixedOf("nodes = [\"c\"]\nfixed = [\"all\"]\n")), "2ux 2uy 2uz 2rx 2ry 2rz ");
}

}  // namespace
}  // namespace ricochet
