// Beams along the lines of a mesh: [meshes.NAME], and `mesh` in [[beams]].

#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/program.hpp"

#include <Eigen/SparseCholesky>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string kMeshes = RICOCHET_DATA_DIR "/meshes/";
constexpr const char* kFlavours[] = {"frame-22.msh", "frame-22-binary.msh", "frame-41.msh",
                                     "frame-41-binary.msh", "frame.med"};

const std::string kParts = R"deck(
[materials.steel]
young = 2.1e11
poisson = 0.3
density = 7800.0
[sections.post]
type = "rectangle"
height_y = 0.02
height_z = 0.05
[sections.rail]
type = "tube"
outer_radius = 0.03
thickness = 0.004
)deck";

/// The frame of frame.geo between clamped ends.
std::string meshedFrame(const std::string& file) {
  return "[meshes.frame]\nfile = \"" + file + "\"\n" + kParts + R"deck(
[[beams]]
name = "posts"
mesh = "frame"
group = "columns"
material = "steel"
section = "post"
axis_y = [0.0, 1.0, 0.0]
[[beams]]
name = "rail"
mesh = "frame"
group = "roof"
material = "steel"
section = "rail"
theory = "euler_bernoulli"
[[supports]]
nodes = "frame.feet"
fixed = ["ux", "uy", "uz", "rx", "ry", "rz"]
[basis]
modes = 12
)deck";
}

/// The same frame, with beams generated between four nodes.
std::string generatedFrame() {
  std::string deck = kParts;
  const char* corners[] = {"0, 0, 0", "0, 0, 2", "4, 0, 2", "4, 0, 0"};
  for (const char* corner : corners)
    deck += fmt::format("[[nodes]]\nname = \"{}\"\nposition = [{}]\n",
                        "ABCD"[std::find(corners, corners + 4, corner) - corners], corner);
  const auto beam = [](const char* name, const char* ends, int elements, const char* more) {
    return fmt::format("[[beams]]\nname = \"{}\"\nnodes = [{}]\nelements = {}\nmaterial = \"steel\"\n{}\n",
                       name, ends, elements, more);
  };
  const char* post = "section = \"post\"\naxis_y = [0.0, 1.0, 0.0]";
  deck += beam("left", R"("A", "B")", 4, post);
  deck += beam("rail", R"("B", "C")", 8, "section = \"rail\"\ntheory = \"euler_bernoulli\"");
  deck += beam("right", R"("C", "D")", 4, post);
  return deck +
         "[[supports]]\nnodes = [\"A\", \"D\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n"
         "[basis]\nmodes = 12\n";
}

class MeshTest : public ::testing::Test {
 protected:
  Deck read(const std::string& deck) const { return readDeck(folder_.write("deck.toml", deck)); }
  std::string problemOf(const std::string& deck) const {
    try {
      read(deck);
    } catch (const InputError& error) {
      return error.what();
    }
    return "none";
  }
  /// Problem of a deck with a mesh of this text, and a beam along its lines.
  std::string problemOfMesh(const std::string& text, const std::string& more = {}) const {
    folder_.write("m.msh", text);
    return problemOf("[meshes.m]\nfile = \"m.msh\"\n" + more + kParts +
                     "[[beams]]\nname = \"b\"\nmesh = \"m\"\nmaterial = \"steel\"\nsection = \"rail\"\n"
                     "[basis]\nmodes = 2\n");
  }

  ScratchFolder folder_;
};

TEST_F(MeshTest, GivesTheMatricesOfTheSameBeamsGenerated) {
  const PhysicalModel expected = assembleStudy(read(generatedFrame()));
  for (const char* file : kFlavours) {
    SCOPED_TRACE(file);
    const Deck study = read(meshedFrame(kMeshes + file));
    const PhysicalModel model = assembleStudy(study);
    ASSERT_EQ(model.size(), expected.size());
    // The nodes have the same order, and their coordinates have no rounding.
    EXPECT_EQ(Matrix(model.stiffness), Matrix(expected.stiffness));
    EXPECT_EQ(Matrix(model.mass), Matrix(expected.mass));
    ASSERT_EQ(study.beams.size(), 2U);
    EXPECT_EQ(study.beams[0].elements(), 8);
    EXPECT_DOUBLE_EQ(study.beams[0].length(), 4.0);
    EXPECT_DOUBLE_EQ(study.beams[1].length(), 4.0);
  }
}

/// A post of 2000 mm and an arm of 4000 mm; a line between their ends that is in no group.
constexpr const char* kL = R"($MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
1 1 "post"
1 2 "arm"
0 3 "tip"
$EndPhysicalNames
$Entities
1 3 0 0
9 4000 0 2000 1 3
1 0 0 0 0 0 2000 1 1 0
2 0 0 2000 4000 0 2000 1 2 0
3 0 0 0 1 1 1 0 0
$EndEntities
$Nodes
1 4 10 30
1 1 0 4
10
20
30
25
0 0 0
0 0 2000
4000 0 2000
1500 0 2000
$EndNodes
$Elements
4 5 1 5
0 9 15 1
1 30
1 1 1 1
2 10 20
1 2 1 2
3 20 25
4 25 30
1 3 1 1
5 10 30
$EndElements
)";

/// An L of a post of height 2 m and an arm of 4 m under a force P at the end of the arm, without shear:
/// uz = -P (a^3 / (3 E I_arm) + a^2 h / (E I_post) + h / (E A_post)), exact at nodes.
TEST_F(MeshTest, TwoSectionsBendAsTheirClosedForm) {
  folder_.write("l.msh", kL);
  std::string deck = "[meshes.L]\nfile = \"l.msh\"\nscale = 0.001\n" + kParts;
  for (const char* part : {"post", "arm"})
    deck += fmt::format(
        "[[beams]]\nname = \"{0}\"\nmesh = \"L\"\ngroup = \"{0}\"\nmaterial = \"steel\"\nsection = "
        "\"{1}\"\ntheory = \"euler_bernoulli\"\n",
        part, std::string(part) == "post" ? "post" : "rail");
  deck +=
      "[[supports]]\nnodes = [\"L.10\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n"
      "[[loads]]\nnodes = \"L.tip\"\nforce = [0, 0, -1000.0]\n[basis]\nmodes = 2\n[transient]\nduration = "
      "1e-3\n";
  const Deck study = read(deck);
  ASSERT_EQ(study.nodes.size(), 4U);
  const PhysicalModel model = assembleStudy(study);
  const Dof tip{study.loads[0].node, Component::uz};
  const Eigen::SimplicialLDLT<SparseMatrix> solver(model.stiffness);
  const Vector u = solver.solve(Vector(-1000.0 * model.reducedForce(tip)));
  const double young = 2.1e11, arm = 4.0, height = 2.0;
  const SectionConstants &post = study.beams[0].element.section, &rail = study.beams[1].element.section;
  const double expected =
      -1000.0 / young *
      (std::pow(arm, 3) / (3.0 * rail.inertiaY) + arm * arm * height / post.inertiaY + height / post.area);
  EXPECT_NEAR(model.reducedForce(tip).dot(u), expected, 1e-11 * std::abs(expected));
}

TEST_F(MeshTest, NamesNodesAndGroupsWhereverTheDeckTakesThem) {
  const Deck study = read(meshedFrame(kMeshes + "frame-41.msh") + R"deck(
[groups]
some = ["frame.7", "frame.corner"]
[[masses]]
nodes = "some"
mass = 2.0
[[masses]]
nodes = "frame.roof"
mass = 0.5
[[loads]]
nodes = ["frame.corner"]
force = [1, 0, 0]
[[contacts]]
name = "stop"
node = "frame.corner"
obstacle = { type = "plane", normal = [1, 0, 0], gap = 0.001 }
normal = { stiffness = 1.0e5 }
[transient]
duration = 0.01
[output]
nodes = "frame.feet"
)deck");
  EXPECT_EQ(study.nodes.size(), 17U);
  EXPECT_EQ(study.nodes[6].name, "frame.7");
  EXPECT_EQ(study.structure.positions[6], Vec3(0.0, 0.0, 1.5));
  EXPECT_EQ(study.contacts[0].first, NodeIndex{1});
  EXPECT_EQ(study.loads[0].node, NodeIndex{1});
  EXPECT_EQ(study.output.nodes, (std::vector<NodeIndex>{{0}, {3}}));
  EXPECT_EQ(study.structure.fixed.size(), 12U);
  std::size_t masses = 0;
  for (const AnyElement& any : study.structure.elements)
    masses += std::holds_alternative<PointMass>(any) ? 1 : 0;
  EXPECT_EQ(masses, 2U + 9U);
}

TEST_F(MeshTest, TakesAllLinesOnceWithoutAGroup) {
  for (const char* file : kFlavours) {
    const Deck study =
        read("[meshes.frame]\nfile = \"" + kMeshes + file + "\"\n" + kParts +
             "[[beams]]\nname = \"b\"\nmesh = \"frame\"\nmaterial = \"steel\"\nsection = \"rail\"\n"
             "[basis]\nmodes = 2\n");
    EXPECT_EQ(study.beams[0].elements(), 16) << file;
    EXPECT_DOUBLE_EQ(study.beams[0].length(), 8.0) << file;
  }
}

TEST_F(MeshTest, IsShownByCheck) {
  folder_.write("deck.toml", meshedFrame(kMeshes + "frame-41-binary.msh"));
  const CommandOutcome shown = folder_.ricochet("check deck.toml");
  EXPECT_EQ(shown.status, 0) << shown.output;
  EXPECT_THAT(shown.output, HasSubstr("17 nodes of it are taken"));
  EXPECT_THAT(shown.output, HasSubstr("4 by 0 by 2 m, from (0, 0, 0) m\n"));
  EXPECT_THAT(shown.output,
              HasSubstr("groups (nodes): frame.feet (2), frame.corner (1), frame.columns (10)"));
  EXPECT_THAT(shown.output, HasSubstr("posts: 8 Timoshenko elements of mesh frame, group columns"));
}

/// Two lines that meet at a position without a common node.
constexpr const char* kGap = R"($MeshFormat
2.2 0 8
$EndMeshFormat
$Nodes
4
1 0 0 0
2 1 0 0
3 1 0 1e-12
4 2 0 0
$EndNodes
$Elements
2
7 1 2 0 1 1 2
8 1 2 0 1 3 4
$EndElements
)";

TEST_F(MeshTest, RefusesNodesAtOnePlaceUnlessToldWhatTheyAre) {
  EXPECT_THAT(problemOfMesh(kGap),
              HasSubstr("deck.toml:2:8: meshes.m.file: nodes 2 and 3 are both at (1, 0, 0) m "
                        "and not joined (the only such pair)"));
  const auto nodes = [&](const std::string& word) {
    folder_.write("m.msh", kGap);
    const Deck study =
        read("[meshes.m]\nfile = \"m.msh\"\ncoincident = \"" + word + "\"\n" + kParts +
             "[[beams]]\nname = \"b\"\nmesh = \"m\"\nmaterial = \"steel\"\nsection = \"rail\"\n"
             "[[supports]]\nnodes = [\"m.3\"]\nfixed = [\"ux\"]\n[basis]\nmodes = 2\n");
    return std::pair(study.nodes.size(), study.structure.fixed[0].node.value);
  };
  EXPECT_EQ(nodes("join"), std::pair(std::size_t{3}, 1));  // "m.3" is "m.2"
  EXPECT_EQ(nodes("keep"), std::pair(std::size_t{4}, 2));
}

/// A named group of points serves as a list of nodes; the number of a node is not the name of a group.
TEST_F(MeshTest, TakesGroupsOfOneNameAndOfNumbers) {
  const std::string text =
      "$MeshFormat\n2.0 0 8\n$EndMeshFormat\n$PhysicalNames\n2\n7 \"A\" and more\n8 \"2\"\n"
      "$EndPhysicalNames\n$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 2 0 0\n4 1.5 0 0\n$EndNodes\n"
      "$Elements\n4\n1 1 2 7 1 1 2\n2 8 2 7 1 2 3 4\n3 15 2 7 1 3\n4 15 2 8 1 1\n$EndElements\n";
  folder_.write("m.msh", text);
  const std::string beam =
      "[meshes.m]\nfile = \"m.msh\"\n" + kParts +
      "[[beams]]\nname = \"b\"\nmesh = \"m\"\ngroup = \"A\"\nmaterial = \"steel\"\nsection = \"rail\"\n"
      "[basis]\nmodes = 2\n";
  const Deck study = read(beam + "[[supports]]\nnodes = \"m.A\"\nfixed = [\"ux\"]\n");
  EXPECT_EQ(study.beams[0].elements(), 2);
  EXPECT_EQ(study.beams[0].higherOrder, 1);  // between the ends, without node 4
  EXPECT_DOUBLE_EQ(study.beams[0].length(), 2.0);
  EXPECT_EQ(study.nodes.size(), 3U);
  ASSERT_EQ(study.structure.fixed.size(), 1U);
  EXPECT_EQ(study.structure.fixed[0].node, NodeIndex{2});
  EXPECT_THAT(problemOf(beam + "[[supports]]\nnodes = [\"m.2\"]\nfixed = [\"ux\"]\n"),
              HasSubstr("\"m.2\" is a node, and a group of another one in m.msh"));
}

TEST_F(MeshTest, SaysWhatIsWrongWithAFileAndWhere) {
  const std::string keep = "coincident = \"keep\"\n";
  const auto replaced = [](const std::string& what, const std::string& by) {
    std::string text = kGap;
    return text.replace(text.find(what), what.size(), by);
  };
  EXPECT_THAT(problemOfMesh("solid\n"), HasSubstr("m.msh:1: meshes.m.file: is no mesh that is read"));
  EXPECT_THAT(problemOfMesh(replaced("2.2 0 8", "4 0 8")),
              HasSubstr("m.msh:2:1: meshes.m.file: MSH 4 is not read"));
  EXPECT_THAT(problemOfMesh(replaced("2 1 0 0", "2 1 0 zero")),
              HasSubstr("m.msh:7:7: meshes.m.file: must be a finite number"));
  EXPECT_THAT(problemOfMesh(replaced("3 1 0", "2 1 0")),
              HasSubstr("m.msh:8:1: meshes.m.file: node 2 is there twice"));
  EXPECT_THAT(problemOfMesh(replaced("1 3 4", "1 3 5")),
              HasSubstr("m.msh:14:13: meshes.m.file: an element has the node 5"));
  EXPECT_THAT(problemOfMesh(replaced("7 1 2", "7 77 2")),
              HasSubstr("m.msh:13:3: meshes.m.file: elements of type 77"));
  EXPECT_THAT(problemOfMesh(replaced("\n4\n", "\n4000\n")), HasSubstr("4000 of them do not fit"));
  EXPECT_THAT(problemOfMesh(replaced("\n4\n", "\n3\n")),
              HasSubstr("m.msh:9:1: meshes.m.file: must be $EndNodes"));
  EXPECT_THAT(problemOfMesh(std::string(kGap).substr(0, 100)), HasSubstr("the file ends too early"));
  EXPECT_THAT(problemOfMesh(replaced("2 1 0 0", "2 1 1e999 0")),
              HasSubstr("m.msh:7:5: meshes.m.file: must be a finite number"));
  // Equal ends in another order are not a copy of the line.
  EXPECT_THAT(problemOfMesh(replaced("8 1 2 0 1 3 4", "8 8 2 0 1 1 2 4"), keep),
              HasSubstr("beams[0].mesh: line 8 (nodes 1 and 2) joins nodes that another one joins already"));
  EXPECT_THAT(problemOfMesh(replaced("8 1 2 0 1 3 4", "8 1 2 0 1 3 3"), keep),
              HasSubstr("line 8 (nodes 3 and 3) has no length"));
}

}  // namespace
}  // namespace ricochet
