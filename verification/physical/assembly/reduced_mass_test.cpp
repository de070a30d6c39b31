// Effective mass for an impulse along a direction, and the critical damping of sticks from this mass.

#include "physical/assembly/reduced_mass.hpp"

#include "engine/study/push_directions.hpp"
#include "io/prepare/prepare.hpp"
#include "physical/assembly/assembler.hpp"
#include "verification/support/deck_file.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace ricochet {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr double kStick = 1.0e6;  // k_t [N/m]

/// A contact of node "n" with a plane across z, and the other tables of a run.
std::string pressedContactDeck(const std::string& friction, const std::string& node = "node = \"n\"") {
  return fmt::format(
      "[[contacts]]\nname = \"sole\"\n{}\nobstacle = {{ type = \"none\", normal = [0, 0, 1] }}\n"
      "normal = {{ force = 10.0 }}\nfriction = {{ coefficient = 0.3, stiffness = {}{} }}\n"
      "[transient]\nduration = 0.01\nstep = 1.0e-6\nscheme = \"kick_drift\"\n[direct]\nscheme = "
      "\"newmark\"\n",
      node, kStick, friction);
}

double dampingOf(const Simulation& simulation) {
  return stiffnessAndDampingOfClosedContact(simulation.contacts().contact(0)).stickDamping;
}

/// Expects c_t of a deck whose node has the effective mass m, in both modes, within rounding; and the message
/// about it.
void expectCriticalFor(double mass, const std::string& deck, double tolerance = 1e-12) {
  const Deck study = test::studyOf(deck);
  const double damping = 2.0 * std::sqrt(mass * kStick);
  const auto modal = prepare(study);
  EXPECT_NEAR(dampingOf(*modal), damping, tolerance * damping);
  EXPECT_THAT(modal->choices, Contains(HasSubstr(fmt::format("m = {:.6g} kg", mass))));
  const auto direct = prepareDirectSimulation(study), beside = prepareDirectSimulation(study, modal.get());
  EXPECT_EQ(dampingOf(*direct), dampingOf(*modal));
  EXPECT_EQ(dampingOf(*beside), dampingOf(*modal));
}

/// Five masses of 1 to 5 kg in a row that moves in x; the contact is at the third mass.
std::string rowOfMassesDeck(const std::string& basis) {
  std::string deck = "nodes = [\n";
  for (int i = 1; i <= 5; ++i)
    deck += fmt::format("  {{ name = \"{}\", position = [{}, 0, 0] }},\n",
                        i == 3 ? "n" : fmt::format("m{}", i), i);
  deck += "]\nmasses = [\n";
  for (int i = 1; i <= 5; ++i)
    deck += fmt::format("  {{ nodes = [\"{}\"], mass = {} }},\n", i == 3 ? "n" : fmt::format("m{}", i), i);
  deck += "]\nsprings = [\n  { nodes = [\"m1\"], stiffness = [4e4, 0, 0] },\n";
  for (const char* pair : {"\"m1\", \"m2\"", "\"m2\", \"n\"", "\"n\", \"m4\"", "\"m4\", \"m5\""})
    deck += fmt::format("  {{ nodes = [{}], stiffness = [4e4, 0, 0] }},\n", pair);
  return deck + "]\n[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[basis]\n" + basis + "\n";
}

TEST(CriticalStick, IsOfTheNodeWhateverTheBasisKeeps) {
  for (const char* basis : {"modes = 1", "modes = 2", "modes = 4", "all = true",
                            "modes = 1\nresidual = \"contacts\"", "modes = 2\ndamping_ratio = 0.02"})
    expectCriticalFor(3.0, rowOfMassesDeck(basis) + pressedContactDeck(""));
}

TEST(CriticalStick, LeavesTheLumpedMassesOfTheDirectModeAlone) {
  // A bar of one element, clamped on the left: rho A L/3 with its consistent mass, rho A L/2 with lumped
  // mass.
  const std::string deck =
      "[[nodes]]\nname = \"a\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"n\"\nposition = [2, 0, 0]\n"
      "[materials.steel]\nyoung = 2.0e11\npoisson = 0.3\ndensity = 7800.0\n"
      "[sections.bar]\ntype = \"circle\"\nradius = 0.01\n"
      "[[beams]]\nname = \"bar\"\nnodes = [\"a\", \"n\"]\nelements = 1\nmaterial = \"steel\"\nsection = "
      "\"bar\"\n"
      "theory = \"euler_bernoulli\"\n"
      "[[supports]]\nnodes = [\"a\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n"
      "[[supports]]\nnodes = [\"n\"]\nfixed = [\"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n[basis]\nall = "
      "true\n";
  const double mass = 7800.0 * std::acos(-1.0) * 1e-4 * 2.0;
  expectCriticalFor(mass / 3.0, deck + pressedContactDeck(""));
  expectCriticalFor(mass / 3.0, deck + pressedContactDeck("") + "mass = \"lumped\"\n");
}

TEST(CriticalStick, OfABeamIsThatOfItsSofterTangent) {
  // One Euler-Bernoulli element, clamped on the left: with rho A L/420 [[156, -22 L], [-22 L, 4 L^2]] of its
  // free end, 1/(M^-1)_11 = rho A L (156 - 22^2/4)/420 = rho A L/12 in bending, and rho A L/3 along the beam.
  for (const char* modes : {"modes = 1", "modes = 3", "all = true"}) {
    const std::string deck =
        std::string(
            "[[nodes]]\nname = \"a\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"n\"\nposition = [2, 0, 0]\n"
            "[materials.steel]\nyoung = 2.0e11\npoisson = 0.3\ndensity = 7800.0\n"
            "[sections.bar]\ntype = \"circle\"\nradius = 0.01\n"
            "[[beams]]\nname = \"bar\"\nnodes = [\"a\", \"n\"]\nelements = 1\nmaterial = \"steel\"\nsection "
            "= "
            "\"bar\"\n"
            "theory = \"euler_bernoulli\"\n"
            "[[supports]]\nnodes = [\"a\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", "
            "\"rz\"]\n[basis]\n") +
        modes + "\n";
    const double mass = 7800.0 * std::acos(-1.0) * 1e-4 * 2.0;
    expectCriticalFor(mass / 12.0, deck + pressedContactDeck(""), 1e-11);
    expectCriticalFor(mass / 3.0, deck + pressedContactDeck(", along = [1, 0, 0]"), 1e-11);
    // The friction law has r = 0.8 of the slip along y and acts with r of its traction: there r^2 c_t is
    // critical.
    expectCriticalFor(mass / 12.0 / 0.64, deck + pressedContactDeck(", across = 0.8"), 1e-11);
  }
}

TEST(CriticalStick, OfAPairAndOfARigidBody) {
  const std::string two =
      "[[nodes]]\nname = \"n\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"o\"\nposition = [0, 0, 1]\n"
      "[[masses]]\nnodes = [\"n\"]\nmass = 2.0\n[[masses]]\nnodes = [\"o\"]\nmass = 3.0\n"
      "[[springs]]\nnodes = [\"n\", \"o\"]\nstiffness = [1e4, 1e4, 0]\n"
      "[[springs]]\nnodes = [\"n\"]\nstiffness = [1e4, 1e4, 0]\n"
      "[[supports]]\nnodes = \"all\"\nfixed = [\"uz\"]\n[basis]\nmodes = 2\n";
  expectCriticalFor(6.0 / 5.0, two + pressedContactDeck("", "nodes = [\"n\", \"o\"]"));
  // A body of 4 kg and 0.5 kg m^2 that rotates about z, with the contact at r = 0.3 m along x: laterally
  // 1/(1/m + r^2/I).
  const std::string body =
      "[[nodes]]\nname = \"c\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"n\"\nposition = [0.3, 0, 0]\n"
      "[[masses]]\nnodes = [\"c\"]\nmass = 4.0\ninertia = [1, 1, 0.5, 0, 0, 0]\n"
      "[[springs]]\nnodes = [\"n\"]\nstiffness = [0, 0, 0]\n"
      "[[springs]]\nnodes = [\"c\"]\nstiffness = [1e4, 1e4, 0, 0, 0, 10]\n"
      "[[supports]]\nnodes = \"all\"\nfixed = [\"uz\"]\n[[supports]]\nnodes = [\"c\"]\nfixed = [\"rx\", "
      "\"ry\"]\n"
      "[[relations]]\nterms = [ { node = \"n\", dof = \"ux\", factor = 1 }, { node = \"c\", dof = \"ux\", "
      "factor = "
      "-1 } ]\n"
      "[[relations]]\nterms = [ { node = \"n\", dof = \"uy\", factor = 1 }, { node = \"c\", dof = \"uy\", "
      "factor = "
      "-1 }, { node = \"c\", dof = \"rz\", factor = -0.3 } ]\n[basis]\nmodes = 1\n";
  expectCriticalFor(1.0 / (1.0 / 4.0 + 0.09 / 0.5), body + pressedContactDeck(""));
}

TEST(CriticalStick, OfANodeWithoutMassIsNone) {
  // Node n between a mass of 2 kg (3e4 N/m) and the ground (1e4 N/m): its stick is in series with these
  // springs.
  const std::string deck =
      "[[nodes]]\nname = \"n\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"m\"\nposition = [1, 0, 0]\n"
      "[[masses]]\nnodes = [\"m\"]\nmass = 2.0\n"
      "[[springs]]\nnodes = [\"n\"]\nstiffness = [1e4, 0, 0]\n"
      "[[springs]]\nnodes = [\"n\", \"m\"]\nstiffness = [3e4, 0, 0]\n"
      "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n[basis]\nall = true\n";
  const Deck study = test::studyOf(deck + pressedContactDeck(""));
  const auto modal = prepare(study);
  const auto direct = prepareDirectSimulation(study, modal.get());
  for (const Simulation* each : {modal.get(), direct.get()}) {
    EXPECT_EQ(dampingOf(*each), 0.0);
    EXPECT_NEAR(each->contacts().contact(0).compliance(1, 1), 1.0 / 4e4, 1e-19);
    EXPECT_THAT(each->choices, Contains(HasSubstr("its node has no mass")));
  }
}

/// 2 kg at 0.5 m above the node, which rotates about y and has no inertia of its own: M is singular.
std::string offsetMass(double spring, double turning) {
  return fmt::format(
      "[[nodes]]\nname = \"n\"\nposition = [0, 0, 0]\n"
      "[[masses]]\nnodes = [\"n\"]\nmass = 2.0\noffset = [0, 0, 0.5]\n"
      "[[springs]]\nnodes = [\"n\"]\nstiffness = [{}, 0, 0, 0, {}, 0]\n"
      "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\", \"rx\", \"rz\"]\n[basis]\nall = true\n",
      spring, turning);
}

TEST(ReducedMass, FollowsStaticallyWhatHasNoMassTogether) {
  // x = u + e r moves the mass; r minimises the energy of the springs: u = x k_r/(k_r + k e^2).
  for (const double spring : {0.0, 1e3}) {
    const PhysicalModel model = assembleStudy(test::studyOf(offsetMass(spring, 400.0)));
    const double share = 400.0 / (400.0 + spring * 0.25);
    const Vector direction = model.reducedForce({NodeIndex{0}, Component::ux});
    const double expected = 2.0 / (share * share);
    EXPECT_NEAR(reducedMass(model, direction), expected, 1e-6 * expected) << spring;
  }
}

TEST(ReducedMass, OfAMassMatrixThatAFileHasRounded) {
  // A massless dof has a negative mass of 1e-14 of the other entries, as in files with 14 digits.
  PhysicalModel model = assembleStudy(test::studyOf(offsetMass(1e3, 400.0)));
  model.mass.coeffRef(1, 1) *= 1.0 - 1e-14;
  const double share = 400.0 / (400.0 + 1e3 * 0.25), expected = 2.0 / (share * share);
  const Vector direction = model.reducedForce({NodeIndex{0}, Component::ux});
  EXPECT_NEAR(reducedMass(model, direction), expected, 1e-2 * expected);
}

TEST(ReducedMass, IsInfiniteWhereNothingMoves) {
  const PhysicalModel model = assembleStudy(test::studyOf(offsetMass(1e3, 400.0)));
  EXPECT_EQ(reducedMass(model, Vector::Zero(model.size())), std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace ricochet
