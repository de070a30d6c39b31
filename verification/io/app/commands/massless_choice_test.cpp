// Schemes and critical damping of contacts on massless parts, and the messages about them.

#include "io/prepare/prepare.hpp"
#include "physical/elements/elements.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"
#include "verification/support/refusal.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <variant>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::problemsOfRefusedDeck;
using test::ScratchFolder;
using testing::HasSubstr;

/// Two rigid stops at neighbouring massless nodes are elastic, in series with the springs there.
TEST(MasslessSchemeChoice, LetsAnySchemeThatStepsFollowRigidStopsOnAPartWithoutMass) {
  std::string deck;
  for (const char* node : {"m", "p", "q", "n"})
    deck += fmt::format("[[nodes]]\nname = \"{0}\"\nposition = [{1}, 0, 0]\n", node, deck.size());
  deck +=
      "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[[masses]]\nnodes = [\"m\", \"n\"]\nmass = "
      "1.0\n";
  for (const char* ends : {"\"m\", \"p\"", "\"p\", \"q\"", "\"q\", \"n\""})
    deck += fmt::format("[[springs]]\nnodes = [{}]\nstiffness = [1e4, 0, 0]\n", ends);
  for (const char* node : {"p", "q"})
    deck += fmt::format(
        "[[contacts]]\nname = \"{0}\"\nnode = \"{0}\"\nobstacle = {{ type = \"plane\", normal = [-1, 0, 0], "
        "gap = 0.001 }}\nnormal = {{ law = \"rigid\", restitution = 0.5 }}\n",
        node);
  deck += "[transient]\nduration = 0.1\n";
  EXPECT_EQ(prepare(test::studyOf(deck))->scheme, "kick_drift");
  for (const char* scheme : {"kick_drift", "newmark", "rk54"})
    EXPECT_EQ(problemsOfRefusedDeck(deck + fmt::format("scheme = \"{}\"\n", scheme)), "none");
  for (const char* scheme : {"event", "moreau"})
    EXPECT_THAT(problemsOfRefusedDeck(deck + fmt::format("scheme = \"{}\"\n", scheme)),
                HasSubstr("take kick_drift, central_difference, symplectic_euler, newmark, hht, devogelaere, "
                          "rk32, rk54, adaptive_central, or give its node a mass"));
  // A relation joins a node to a node with mass: the study, not the deck, shows that the stop is rigid.
  EXPECT_THAT(
      problemsOfRefusedDeck(
          "[[nodes]]\nname = \"a\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"b\"\nposition = [1, 0, 0]\n"
          "[[masses]]\nnodes = [\"a\"]\nmass = 1.0\n[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n"
          "[[relations]]\nterms = [ { node = \"a\", dof = \"ux\", factor = 1.0 }, { node = \"b\", dof = "
          "\"ux\", factor = -1.0 } ]\n"
          "[[contacts]]\nname = \"p\"\nnode = \"b\"\nobstacle = { type = \"plane\", normal = [-1, 0, 0], "
          "gap = 0.001 }\nnormal = { law = \"rigid\", restitution = 0.5 }\n"
          "[transient]\nduration = 0.1\nscheme = \"kick_drift\"\n"),
      HasSubstr("contacts.p: is rigid: give `normal.stiffness`, or take event, moreau: scheme kick_drift "
                "does not follow that"));
}

/// A massless cantilever with the residual flexibility at its tip gives the same contact as the complete
/// cantilever.
TEST(CriticalDamping, IsThatOfTheNodeInEveryBasis) {
  const std::string beam = R"([[nodes]]
name = "foot"
position = [0, 0, 0]
[[nodes]]
name = "tip"
position = [1, 0, 0]
[materials.steel]
young = 2e11
poisson = 0.3
density = 7800.0
[sections.bar]
type = "rectangle"
height_y = 0.01
height_z = 0.02
[[beams]]
name = "b"
nodes = ["foot", "tip"]
elements = 4
material = "steel"
section = "bar"
[[masses]]
nodes = ["tip"]
mass = 1e6
[[supports]]
nodes = ["foot"]
fixed = ["ux", "uy", "uz", "rx", "ry", "rz"]
[[supports]]
nodes = "all"
fixed = ["ux", "rx"]
[[contacts]]
name = "t"
node = "tip"
obstacle = { type = "plane", normal = [0, 1, 0], gap = 0.001 }
normal = { stiffness = 1e5 }
friction = { coefficient = 0.3, stiffness = 1e5DAMPING }
)";
  const auto with = [&](const std::string& damping, const std::string& more) {
    std::string deck = beam;
    return deck.replace(deck.find("DAMPING"), 7, damping) + more;
  };
  const std::string run = "[transient]\nduration = 0.01\n";
  const std::string cut = "[basis]\nmodes = 3\nresidual = \"contacts\"\nresidual_inertia = \"none\"\n" + run;
  const double expected = 2.0 * std::sqrt(1e6 * 1e5);  // the mass of the beam is 1e-6 of the mass of the tip
  for (const std::string& basis : {run, cut}) {
    const auto simulation = prepare(test::studyOf(with("", basis)));
    EXPECT_NEAR(stiffnessAndDampingOfClosedContact(simulation->model.contacts.contact(0)).stickDamping,
                expected, 1e-5 * expected);
  }
  EXPECT_EQ(prepare(test::studyOf(with("", cut)))->scheme, "kick_drift");
  EXPECT_EQ(prepare(test::studyOf(with(", damping = 0", cut)))->scheme, "event");
  EXPECT_THAT(problemsOfRefusedDeck(with("", cut) + "scheme = \"event\"\n"),
              HasSubstr("or leave `residual_inertia` of [basis] out, or, if it is the dashpot of critical "
                        "damping, give `friction.damping` = 0"));
}

TEST(MasslessSchemeChoice, SaysThatADashpotIsOfAnImportedMatrix) {
  const ScratchFolder folder;
  const std::string size = "%%MatrixMarket matrix coordinate real symmetric\n2 2 ";
  folder.write("k.mtx", size + "3\n1 1 1000\n2 1 -500\n2 2 1000\n");
  folder.write("m.mtx", size + "1\n1 1 1\n");
  folder.write("c.mtx", size + "1\n2 2 5\n");
  folder.write("dofs.csv", "row,node,dof,x,y,z\n1,a,ux,0,0,0\n2,b,ux,1,0,0\n");
  folder.write(
      "a.toml",
      "[[matrices]]\nstiffness = \"k.mtx\"\nmass = \"m.mtx\"\ndamping = \"c.mtx\"\ndofs = \"dofs.csv\"\n"
      "[[contacts]]\nname = \"c\"\nnode = \"b\"\nobstacle = { type = \"plane\", normal = [1, 0, 0], gap = "
      "0.001 }\nnormal = { stiffness = 1e5 }\n[transient]\nduration = 0.1\nscheme = \"event\"\n");
  const CommandOutcome run = folder.ricochet("check a.toml");
  EXPECT_EQ(run.status, 2) << run.output;
  EXPECT_THAT(run.output, HasSubstr("a dashpot of `damping` in [[matrices]]: on a part without mass"));
}

/// A function that does not vary is accepted as a constant where a varying spin is refused.
TEST(ConstantFunctions, AreConstantSpins) {
  const std::string disc =
      "[[nodes]]\nname = \"a\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"a\"]\nmass = 1.0\n"
      "inertia = [2.0e-3, 1.0e-3, 1.0e-3, 0, 0, 0]\nspin = \"w\"\nspin_axis = [1, 0, 0]\n"
      "[transient]\nduration = 0.01\nscheme = \"kick_drift\"\nstep = 1e-4\n[functions.w]\n";
  for (const char* function : {"formula = \"100*3\"\n", "times = [0, 1]\nvalues = [300, 300]\n"}) {
    const Deck study = test::studyOf(disc + function);
    EXPECT_TRUE(study.spins.empty());
    EXPECT_EQ(std::get<PointMass>(study.structure.elements.back()).spin, 300.0);
  }
  EXPECT_THAT(problemsOfRefusedDeck(disc + "formula = \"300 + t\"\n"), HasSubstr("a spin that varies"));
}

}  // namespace
}  // namespace ricochet
