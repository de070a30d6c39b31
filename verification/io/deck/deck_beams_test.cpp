#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <variant>
#include <vector>

namespace ricochet {
namespace {

using test::studyOf;

const std::string kEnds = R"deck(
[[nodes]]
name = "A"
position = [0.0, 0.0, 0.0]
[[nodes]]
name = "B"
position = [2.0, 0.0, 0.0]
[[nodes]]
name = "C"
position = [2.0, 3.0, 0.0]
[materials.steel]
young = 2.1e11
poisson = 0.3
density = 7800.0
[sections.pipe]
type = "tube"
outer_radius = 0.010
thickness = 0.0012
[sections.bar]
type = "rectangle"
height_y = 0.02
height_z = 0.05
[basis]
modes = 2
)deck";

const std::string kBeamDeck = kEnds + R"deck(
[[beams]]
name = "pipe"
nodes = ["A", "B"]
elements = 4
material = "steel"
section = "pipe"
)deck";

const Beam& beamAt(const Deck& study, std::size_t i) { return std::get<Beam>(study.structure.elements[i]); }

TEST(DeckBeams, MakeTheNodesBetweenTheirEnds) {
  const Deck study = studyOf(kBeamDeck);
  ASSERT_EQ(study.nodes.size(), 6U);
  EXPECT_EQ(study.nodes[3].name, "pipe.1");
  EXPECT_EQ(study.nodes[5].name, "pipe.3");
  EXPECT_EQ(study.structure.positions[3], Vec3(0.5, 0.0, 0.0));
  EXPECT_EQ(study.structure.positions[5], Vec3(1.5, 0.0, 0.0));
  ASSERT_EQ(study.structure.elements.size(), 4U);
  EXPECT_EQ(beamAt(study, 0).first, NodeIndex{0});
  EXPECT_EQ(beamAt(study, 0).second, NodeIndex{3});
  EXPECT_EQ(beamAt(study, 3).first, NodeIndex{5});
  EXPECT_EQ(beamAt(study, 3).second, NodeIndex{1});
  EXPECT_EQ(beamAt(study, 2).span, Vec3(0.5, 0.0, 0.0));
  ASSERT_EQ(study.beams.size(), 1U);
  EXPECT_EQ(study.beams[0].elements(), 4);
  EXPECT_DOUBLE_EQ(study.beams[0].length(), 2.0);
  EXPECT_NEAR(study.beams[0].mass(), 2.0 * 0.5528198, 1e-7);  // 0.5528198 kg/m
}

TEST(DeckBeams, AreTimoshenkoWithConsistentMassUnlessTheySaySo) {
  const Deck study = studyOf(kBeamDeck);
  EXPECT_EQ(beamAt(study, 0).theory, BeamTheory::timoshenko);
  EXPECT_EQ(beamAt(study, 0).massKind, BeamMass::consistent);
  EXPECT_EQ(beamAt(study, 0).spin, 0.0);
  EXPECT_EQ(beamAt(study, 0).axes, Mat3(Mat3::Identity()));
  bool told = false;
  for (const DefaultTaken& taken : study.defaults)
    told = told || (taken.path == "beams[0].theory" && taken.value == "\"timoshenko\"");
  EXPECT_TRUE(told);
}

TEST(DeckBeams, GeneratedNodesAreNodesEverywhere) {
  const Deck study = studyOf(kBeamDeck + R"deck(
[groups]
middle = ["pipe.1", "pipe.2"]
[[masses]]
nodes = "middle"
mass = 1.0
[[supports]]
nodes = ["pipe.0"]
fixed = ["ux", "uy", "uz", "rx", "ry", "rz"]
[[relations]]
terms = [ { node = "pipe.4", dof = "rz", factor = 1.0 }, { node = "pipe.3", dof = "rz", factor = -1.0 } ]
[[loads]]
nodes = ["pipe.3"]
moment = [0.0, 0.0, 2.0]
[[contacts]]
name = "stop"
node = "pipe.4"
obstacle = { type = "plane", normal = [0, 1, 0], gap = 0.001 }
normal = { stiffness = 1.0e5 }
[transient]
duration = 0.01
[output]
nodes = ["pipe.4", "pipe.2"]
)deck");
  EXPECT_EQ(study.structure.fixed.size(), 6U);
  EXPECT_EQ(study.structure.fixed[0].node, NodeIndex{0});  // pipe.0 is A
  EXPECT_EQ(study.contacts[0].first, NodeIndex{1});        // pipe.4 is B
  EXPECT_EQ(study.loads[0].node, NodeIndex{5});
  EXPECT_EQ(study.output.nodes, (std::vector<NodeIndex>{{1}, {4}}));
  EXPECT_EQ(study.structure.relations[0].terms[0].dof.node, NodeIndex{1});
}

TEST(DeckBeams, AllMeansTheGeneratedNodesToo) {
  const Deck study = studyOf(kBeamDeck + "[[supports]]\nnodes = \"all\"\nfixed = [\"ux\"]\n");
  EXPECT_EQ(study.structure.fixed.size(), 6U);
}

TEST(DeckBeams, TakeWhatTheySay) {
  const Deck study = studyOf(kEnds + R"deck(
[sections.odd]
type = "general"
area = 1.0e-3
iy = 2.0e-7
iz = 3.0e-7
torsion = 4.0e-8
shear_y = 8.0e-4
shear_z = 7.0e-4
shear_center = [0.01, -0.02]
[sections.soft]
type = "circle"
radius = 0.01
shear_coefficient = 0.5
[[beams]]
name = "one"
nodes = ["A", "B"]
elements = 1
material = "steel"
section = "odd"
theory = "timoshenko"
axis_y = [1.0, 0.0, 2.0]
mass = "lumped"
[[beams]]
name = "two"
nodes = ["B", "C"]
elements = 3
material = "steel"
section = "soft"
theory = "euler_bernoulli"
spin = 12.0
)deck");
  const Beam& one = beamAt(study, 0);
  EXPECT_EQ(one.section.inertiaY, 2.0e-7);
  EXPECT_EQ(one.section.inertiaZ, 3.0e-7);
  EXPECT_EQ(one.section.torsion, 4.0e-8);
  EXPECT_EQ(one.section.shearAreaY, 8.0e-4);
  EXPECT_EQ(one.section.shearAreaZ, 7.0e-4);
  EXPECT_EQ(one.section.shearCentre, Eigen::Vector2d(0.01, -0.02));
  EXPECT_EQ(one.massKind, BeamMass::lumped);
  EXPECT_EQ(Vec3(one.axes.row(1)), Vec3(Vec3::UnitZ()));
  const Beam& two = beamAt(study, 1);
  EXPECT_EQ(two.theory, BeamTheory::eulerBernoulli);
  EXPECT_EQ(two.spin, 12.0);
  EXPECT_DOUBLE_EQ(two.section.shearAreaZ, 0.5 * two.section.area);
  EXPECT_EQ(Vec3(two.axes.row(1)), Vec3(Vec3::UnitZ()));  // along y: z
  EXPECT_EQ(two.first, NodeIndex{1});
}

TEST(DeckBeams, MassesMaySpin) {
  const Deck study = studyOf(kBeamDeck + R"deck(
[[masses]]
nodes = ["pipe.2"]
mass = 1.0
inertia = [2.0e-3, 1.0e-3, 1.0e-3, 0.0, 0.0, 0.0]
offset = [0.1, 0.0, 0.0]
spin = 100.0
spin_axis = [2.0, 0.0, 0.0]
)deck");
  const auto& disc = std::get<PointMass>(study.structure.elements.back());
  EXPECT_EQ(disc.spin, 100.0);
  EXPECT_EQ(disc.spinAxis, Vec3(Vec3::UnitX()));
  EXPECT_DOUBLE_EQ(disc.gyroscopicMatrix()(4, 5), 0.2);
}

TEST(DeckBeams, WeighWhatTheirMaterialDoes) {
  // The effective masses of the complete basis of a free beam equal its mass in each direction.
  Deck study = studyOf(kBeamDeck);
  study.basis.selection = {.modes = {}, .frequencyMax = {}, .all = true};
  const ModalBasis basis = computeModalBasisOfStudy(study, assembleStudy(study));
  EXPECT_EQ(basis.rigidModes, 6);
  const Vec3 mass = basis.effectiveMass.colwise().sum();
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(mass[axis], study.beams[0].mass(), 1e-8);
}

}  // namespace
}  // namespace ricochet
