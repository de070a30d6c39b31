#include "io/app/runs/run_study.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::studyOf;
using testing::HasSubstr;

/// Four masses of 2 kg held at one end by springs of 1e4 N/m, equal along x, y and z: 12 modes, each mode of
/// the chain three times. The basis and further tables of a test follow.
std::string deckOf(const std::string& basis, const std::string& more = {}) {
  std::string deck;
  for (const char* name : {"1", "2", "3", "4"})
    deck += std::string("[[nodes]]\nname = \"") + name + "\"\nposition = [" + name + ", 0, 0]\n";
  deck += "[[masses]]\nnodes = \"all\"\nmass = 2.0\n";
  for (const char* nodes : {"[\"1\"]", "[\"1\", \"2\"]", "[\"2\", \"3\"]", "[\"3\", \"4\"]"})
    deck += std::string("[[springs]]\nnodes = ") + nodes + "\nstiffness = [1e4, 1e4, 1e4]\n";
  return deck + "[basis]\n" + basis + "\n" + more;
}

std::string contact(const std::string& name, const std::string& node, const std::string& friction = {}) {
  return "[[contacts]]\nname = \"" + name + "\"\nnode = \"" + node +
         "\"\nobstacle = { type = \"plane\", normal = [1, 0, 0], gap = 0.0 }\nnormal = { stiffness = 2e4 "
         "}\n" +
         (friction.empty() ? "" : "friction = " + friction + "\n");
}

std::string load(const std::string& nodes, const std::string& force) {
  return "[[loads]]\nnodes = " + nodes + "\nforce = " + force + "\n";
}

const std::string kElasticFriction = "{ coefficient = 0.3, stiffness = 3e4 }";

int vectorsOf(const std::string& residual, const std::string& more) {
  const Deck study = studyOf(deckOf("modes = 3\nresidual = \"" + residual + "\"", more));
  return computeModalBasisOfStudy(study, assembleStudy(study)).residualVectors;
}

TEST(ResidualOfAStudy, FollowsTheContactsThatCanPush) {
  EXPECT_EQ(vectorsOf("none", contact("a", "4", kElasticFriction)), 0);
  EXPECT_EQ(vectorsOf("contacts", contact("a", "4")), 1);
  EXPECT_EQ(vectorsOf("contacts", contact("a", "4", kElasticFriction)), 3);
  EXPECT_EQ(vectorsOf("contacts", contact("a", "4", "{ coefficient = 0.3 }")), 3);  // true stick
  EXPECT_EQ(vectorsOf("contacts", contact("a", "4") + contact("b", "4")), 1);
  EXPECT_EQ(vectorsOf("contacts", contact("a", "4") + contact("b", "4", kElasticFriction)), 3);
  EXPECT_EQ(vectorsOf("contacts", contact("a", "4") + contact("b", "2")), 2);
  EXPECT_EQ(vectorsOf("contacts", load("[\"4\"]", "[1, 0, 0]")), 0);
}

TEST(ResidualOfAStudy, FollowsTheShapesOfTheLoads) {
  EXPECT_EQ(vectorsOf("loads", contact("a", "4")), 0);
  EXPECT_EQ(vectorsOf("loads", load("[\"4\"]", "[1, 2, 3]")), 1);
  EXPECT_EQ(vectorsOf("loads", load("[\"2\", \"3\", \"4\"]", "[1, 0, 0]")), 1);  // one shape on three nodes
  EXPECT_EQ(vectorsOf("loads", load("[\"2\", \"3\"]", "[1, 0, 0]") + load("[\"4\"]", "[1, 0, 0]")), 2);
  EXPECT_EQ(vectorsOf("both", contact("a", "4") + load("[\"4\"]", "[5, 0, 0]")), 1);
  EXPECT_EQ(vectorsOf("both", contact("a", "4") + load("[\"4\"]", "[5, 0, 1]")), 2);
}

TEST(ResidualOfAStudy, TakesTheTruncationAwayAndRemembersIt) {
  // First mode of the chain in x, y and z: phi^2 / lambda at the tip is 4 / (m (2 n + 1)) sin^2(8 theta) over
  // 4 k / m sin^2 theta, theta = pi / 18, of the total 4 / k.
  const double theta = std::numbers::pi / 18.0;
  const double left = 4.0 / 1e4 - 4.0 / 9.0 * std::pow(std::sin(8.0 * theta) / std::sin(theta), 2) / 4e4;
  const auto alone = prepare(studyOf(deckOf("modes = 3", contact("a", "4", kElasticFriction))));
  const auto both =
      prepare(studyOf(deckOf("modes = 3\nresidual = \"contacts\"", contact("a", "4", kElasticFriction))));
  const Vec3 expected(2e4 * left, 3e4 * left, 3e4 * left);
  EXPECT_LE((alone->truncation[0].indicator - expected).norm(), 1e-11);
  EXPECT_EQ(alone->truncation[0].indicator, alone->truncation[0].withoutResidual);
  EXPECT_LE((both->truncation[0].withoutResidual - expected).norm(), 1e-11);
  EXPECT_LE(both->truncation[0].largest(), 1e-11);
  ASSERT_EQ(alone->warnings.size(), 1U);
  EXPECT_THAT(alone->warnings[0], HasSubstr("residual = \"contacts\""));
  EXPECT_TRUE(both->warnings.empty());
}

TEST(ResidualOfAStudy, DampsTheVectorsAsTheLastMode) {
  const std::string tip = contact("a", "4");
  const auto list =
      prepare(studyOf(deckOf("modes = 3\nresidual = \"contacts\"\ndamping_ratio = [0.01, 0.02, 0.03]", tip)));
  ASSERT_EQ(list->basis.size(), 4);
  Vector expected(4);
  expected << 0.01, 0.02, 0.03, 0.03;
  EXPECT_LE((list->basis.dampingRatio() - expected).norm(), 1e-15);
  EXPECT_THAT(list->choices, testing::Contains(HasSubstr("1 residual vector = 0.03")));

  const auto number =
      prepare(studyOf(deckOf("modes = 3\nresidual = \"contacts\"\ndamping_ratio = 0.05", tip)));
  EXPECT_LE((number->basis.dampingRatio() - Vector::Constant(4, 0.05)).norm(), 1e-15);

  // The list has one entry per mode, without residual vectors: 3 modes below 4 Hz.
  const Deck longer = studyOf(
      deckOf("frequency_max = 4.0\nresidual = \"contacts\"\ndamping_ratio = [0.01, 0.02, 0.03, 0.04]", tip));
  EXPECT_THROW(computeModalBasisOfStudy(longer, assembleStudy(longer)), InputError);
}

TEST(ResidualOfAStudy, LeavesTheSpringOfANodeWithoutMassToItsContact) {
  // A massless node on a spring behind the tip with a complete basis: no flexibility is missing, so there is
  // no vector.
  const std::string behind =
      "[[nodes]]\nname = \"5\"\nposition = [5, 0, 0]\n"
      "[[springs]]\nnodes = [\"4\", \"5\"]\nstiffness = [1e4, 1e4, 1e4]\n";
  std::string deck = deckOf("all = true\nresidual = \"contacts\"", behind + contact("a", "5"));
  deck.replace(deck.find("nodes = \"all\""), 13, "nodes = [\"1\", \"2\", \"3\", \"4\"]");
  const auto simulation = prepare(studyOf(deck));
  EXPECT_EQ(simulation->basis.residualVectors, 0);
  EXPECT_THAT(simulation->warnings, testing::IsEmpty());
  EXPECT_LT(simulation->truncation[0].largest(), 1e-11);
  // 2e4 N/m and 1e4 N/m in series
  EXPECT_NEAR(stiffnessAndDampingOfClosedContact(simulation->contacts().contact(0)).normalStiffness,
              2e4 / 3.0, 1e-8);
}

/// A chain without supports.
std::string freeDeck(const std::string& basis) {
  std::string deck = deckOf(basis + "\nresidual = \"contacts\"", contact("a", "4"));
  const std::string ground = "[[springs]]\nnodes = [\"1\"]\nstiffness = [1e4, 1e4, 1e4]\n";
  return deck.erase(deck.find(ground), ground.size());
}

TEST(ResidualOfAStudy, TakesAllOfAGroupOfEqualFrequencies) {
  const auto simulation = prepare(studyOf(freeDeck("modes = 1")));
  EXPECT_EQ(simulation->basis.modes(), 3);  // along x, y and z
  EXPECT_EQ(simulation->basis.rigidModes, 3);
  EXPECT_EQ(simulation->basis.missedModes, 0);
  EXPECT_THAT(simulation->choices, testing::Contains(HasSubstr("3 modes, not 1")));
}

TEST(ResidualOfAStudy, NeedsTheRigidBodyModes) {
  const Deck study = studyOf(freeDeck("modes = 2\ndamping_ratio = [0.0, 0.0]"));  // of as many as it has
  try {
    computeModalBasisOfStudy(study, assembleStudy(study));
    FAIL() << "accepted";
  } catch (const InputError& error) {
    EXPECT_THAT(error.what(), HasSubstr("take 3 modes at least"));
  }
}

TEST(ResidualOfAStudy, IsMarkedInTheResultAndOnTheTerminal) {
  const test::ScratchFolder folder;
  folder.write("tip.toml", deckOf("modes = 3\nresidual = \"contacts\"",
                                  contact("a", "4") + "[transient]\nduration = 1e-3\n"));
  ASSERT_EQ(folder.ricochet("run tip.toml").status, 0);
  const H5File file = H5File::open(folder.path() / "tip.h5");
  EXPECT_EQ(file.readAny<std::uint8_t>("/modal/is_residual_vector").values,
            (std::vector<std::uint8_t>{0, 0, 0, 1}));
  EXPECT_LT(file.numberAttribute("/contacts/a", "truncation_indicator"), 1e-11);
  EXPECT_GT(file.numberAttribute("/contacts/a", "truncation_indicator_without_residual"), 0.1);
  EXPECT_THAT(folder.ricochet("check tip.toml").output,
              HasSubstr("1 residual vector; pseudo-frequencies [Hz]: "));
  const std::string modes = folder.ricochet("modes tip.toml").output;
  EXPECT_THAT(modes, HasSubstr("  residual vector\n"));
  EXPECT_THAT(modes, HasSubstr("\n3 of 12 free dofs, and 1 residual vector"));
}

}  // namespace
}  // namespace ricochet
