// Node positions of imported models from input files of Abaqus and CalculiX, and the meaning of matrix rows.

#include "io/formats/dof_table.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <string>

namespace ricochet {
namespace {

using test::ScratchFolder;
using testing::HasSubstr;

class NodePlacesTest : public ::testing::Test {
 protected:
  std::optional<NodePlaces> readPlaces(const std::string& text, const std::string& name = "m.inp") {
    const Located<std::filesystem::path> file{folder_.write(name, text), {}, "positions"};
    Diagnostics diagnostics;
    auto places = readNodePositionFile(file, diagnostics);
    problem_ = diagnostics.empty() ? "none" : diagnostics.sortedProblems().front().text();
    return places;
  }
  Vec3 positionOf(const std::string& text, const std::string& node) {
    const auto places = readPlaces(text);
    if (places && places->positions.contains(node)) return places->positions.at(node);
    ADD_FAILURE() << problem_;
    return Vec3::Zero();
  }
  std::string problemOf(const std::string& text, const std::string& name = "m.inp") {
    readPlaces(text, name);
    return problem_;
  }
  static void expectNear(const Vec3& found, const Vec3& expected) {
    EXPECT_LT((found - expected).norm(), 1e-15) << found.transpose();  // rounding of sines
  }

  ScratchFolder folder_;
  std::string problem_;
};

TEST_F(NodePlacesTest, FollowsLocalSystems) {
  EXPECT_EQ(positionOf("*HEADING\n a *node\n** c\n*Node, nset=ALL\n 1, 1., , 3., 0., 0., 1.\n", "1"),
            Vec3(1, 0, 3));
  EXPECT_EQ(positionOf("*NODE\n7, 2.\n", "7"), Vec3(2, 0, 0));
  expectNear(positionOf("*NODE, SYSTEM=C\n1, 2, 90, 5\n", "1"), Vec3(0, 2, 5));
  // x' along y, the plane towards -x: z' along z.
  EXPECT_EQ(positionOf("*SYSTEM\n1,0,0, 1,1,0\n0,1,0\n*NODE\n2, 1,0,0\n", "2"), Vec3(1, 1, 0));
  // One line: z is unchanged, x is projected into the xy plane.
  EXPECT_EQ(positionOf("*SYSTEM\n1,0,0, 1,1,5\n*NODE\n2, 1,2,3\n", "2"), Vec3(-1, 1, 3));
  EXPECT_EQ(positionOf("*SYSTEM\n1,2,3\n*NODE\n2, 1,0,0\n*SYSTEM\n*NODE\n3, 1,0,0\n", "2"), Vec3(2, 2, 3));
  EXPECT_EQ(positionOf("*SYSTEM\n1,2,3\n*NODE\n2, 1,0,0\n*SYSTEM\n*NODE\n3, 1,0,0\n", "3"), Vec3(1, 0, 0));
  EXPECT_THAT(problemOf("*NODE, SYSTEM=S\n1,1,0,0\n"), HasSubstr("m.inp:1: positions: nodes in spherical"));
  EXPECT_THAT(problemOf("*SYSTEM\n0,0,0, 1,0,0\n2,0,0\n*NODE\n1,0,0\n"), HasSubstr("are on one line"));
  EXPECT_THAT(problemOf("*SYSTEM\n0,0,0, 0,0,1\n*NODE\n1,0,0\n"), HasSubstr("its second line is needed"));
}

TEST_F(NodePlacesTest, PlacesInstancesOfParts) {
  const std::string part = "*PART, NAME=P\n*NODE\n1, 1,0,0\n2, 2,0,0\n*END PART\n*ASSEMBLY, NAME=A\n";
  // Translation by (3, 0, 1), then rotation by 90 degrees about the line along z through (1, 0, 0).
  const std::string one = part + "*INSTANCE, NAME=i, PART=P\n3,0,1\n1,0,0, 1,0,1, 90.\n*END INSTANCE\n";
  expectNear(positionOf(one + "*END ASSEMBLY\n", "2"), Vec3(1, 4, 1));
  expectNear(positionOf(one + "*END ASSEMBLY\n", "1"), Vec3(1, 3, 1));
  EXPECT_EQ(positionOf("*ASSEMBLY\n*INSTANCE, NAME=i, PART=P\n0,5,0\n*NODE\n1, 1,0,0\n*END INSTANCE\n", "1"),
            Vec3(1, 5, 0));
  const auto two = readPlaces(one + "*INSTANCE, NAME=j, PART=P\n0,0,9\n*END INSTANCE\n*END ASSEMBLY\n");
  ASSERT_TRUE(two);
  EXPECT_EQ(two->unclear.at("1"), "is one of instance i and one of instance j");
  EXPECT_THAT(readPlaces(part + "*END ASSEMBLY\n")->missing, HasSubstr("*PART p has no *INSTANCE"));
}

TEST_F(NodePlacesTest, ReadsWhatOtherFilesHold) {
  folder_.write("nodes.inc", "2, 0, 2, 0\n");
  folder_.write("all.inc", "*NODE\n3, 0, 3, 0\n*INCLUDE, INPUT=nodes.inc\n");
  EXPECT_EQ(positionOf("*NODE\n1, 0,0,0\n*INCLUDE, INPUT=nodes.inc\n4, 4\n", "2"), Vec3(0, 2, 0));
  EXPECT_EQ(positionOf("*NODE\n1, 0,0,0\n*INCLUDE, INPUT=nodes.inc\n4, 4\n", "4"), Vec3(4, 0, 0));
  EXPECT_EQ(positionOf("*INCLUDE, INPUT=all.inc\n", "2"), Vec3(0, 2, 0));
  EXPECT_EQ(positionOf("*NODE, INPUT=nodes.inc\n", "2"), Vec3(0, 2, 0));
  EXPECT_EQ(readPlaces("*INCLUDE, INPUT=all.inc\n")->model->files.size(), 3U);
  EXPECT_THAT(problemOf("*INCLUDE, INPUT=no.inc\n"), HasSubstr("m.inp:1: positions: names the file no.inc"));
  folder_.write("loop.inc", "*INCLUDE, INPUT=loop.inc\n");
  EXPECT_THAT(problemOf("*INCLUDE, INPUT=loop.inc\n"), HasSubstr("include one another without end"));
}

TEST_F(NodePlacesTest, TellsWhatItDoesNotRead) {
  EXPECT_THAT(problemOf("*NODE\n1, 0,0,0\n1, 0,0,1\n"),
              HasSubstr("m.inp:3: positions: node 1 is given twice: line 2 has it at (0, 0, 0)"));
  EXPECT_EQ(positionOf("*NODE\n1, 0,0,1\n1, 0,0,1\n", "1"), Vec3(0, 0, 1));
  EXPECT_THAT(problemOf("*NODE\n1, 0, 1e999, 0\n"),
              HasSubstr("m.inp:2:7: positions: must be a finite number"));
  EXPECT_THAT(problemOf("*NODE\n1, 0, <h>, 0\n"), HasSubstr("m.inp:2:7: "));
  EXPECT_THAT(problemOf("*NODE\n1, 0,0,0\n*TRANSFORM, NSET=N, TYPE=C\n0,0,0,0,0,1\n"),
              HasSubstr("*TRANSFORM turns"));
  EXPECT_THAT(problemOf("*NODE\n1, 0,0,0\n*NMAP, NSET=N\n"), HasSubstr("*NMAP moves nodes"));
  EXPECT_THAT(readPlaces("*NODE\n1, 0,0,0\n5, 4,0,0\n*NGEN\n1, 5\n")->missing,
              HasSubstr("*NGEN in line 4 makes nodes"));
  EXPECT_EQ(problemOf("*NODE\n1, 0,0,0\n*STEP\n*INCLUDE, INPUT=loads.inc\n*END STEP\n"), "none");
  EXPECT_THAT(problemOf("node;x;y;z\n1;0;;0\n", "m.csv"),
              HasSubstr("m.csv:2: positions: must hold 4 values"));
  EXPECT_THAT(problemOf("node x y z\n1 0 0 nan\n", "m.csv"),
              HasSubstr("m.csv:2:7: positions: must be a finite"));
  EXPECT_THAT(problemOf("node x y z\n1 0 0 0\n1 0 0 1\n", "m.csv"), HasSubstr("node 1 is given twice"));
}

/// A comma at the end continues a keyword line, over several lines and past comments.
TEST_F(NodePlacesTest, JoinsTheLinesOfAKeyword) {
  expectNear(positionOf("*NODE,\n NSET=ALL,\n** polar\nSYSTEM=C\n1, 2, 90, 5\n", "1"), Vec3(0, 2, 5));
  EXPECT_THAT(problemOf("*NODE, NSET=ALL,\n1, 2, 90, 5\n"),
              HasSubstr("m.inp:2: positions: must go on with an option"));
  EXPECT_THAT(problemOf("*HEADING,\n*NODE\n1, 2, 90, 5\n"), HasSubstr("m.inp:2: "));
}

/// Two solids and a beam: three dofs at nodes of the solids, six at nodes of the beam.
TEST_F(NodePlacesTest, GivesRowsByTheElementsOfTheNodes) {
  const std::string mesh =
      "*NODE\n9,0,0,0\n1,1,0,0\n2,2,0,0\n*ELEMENT, TYPE=T3D2\n1, 9, 1\n*ELEMENT, TYPE=B31\n2, 1,\n2\n";
  const auto places = readPlaces(mesh);
  ASSERT_TRUE(places && places->model);
  std::string why;
  const auto rows = matrixRowsOfElements(*places->model, 15, why);
  ASSERT_TRUE(rows) << why;
  EXPECT_EQ((*rows)[5].node, "1");
  EXPECT_EQ((*rows)[5].component, Component::rz);
  EXPECT_EQ((*rows)[12].node, "9");
  EXPECT_FALSE(matrixRowsOfElements(*places->model, 14, why));
  EXPECT_EQ(why, "its elements have 15 dofs, the matrices 14 rows");
  const auto hybrid = readPlaces(mesh + "*ELEMENT, TYPE=C3D8H\n3, 1,2\n");
  EXPECT_FALSE(matrixRowsOfElements(*hybrid->model, 15, why));
  EXPECT_THAT(why, HasSubstr("C3D8H"));
}

TEST_F(NodePlacesTest, SeparatesNodesThatCalculixExpands) {
  const Located<std::filesystem::path> file{
      folder_.write("m.dof", "1.3\n2.1\n2.2\n2.3\n2.1\n2.3\n"), {}, "dofs"};
  Diagnostics diagnostics;
  const auto rows = readDofTable(file, diagnostics);
  ASSERT_TRUE(rows);
  EXPECT_EQ((*rows)[0].node, "1");
  EXPECT_EQ((*rows)[3].node, "2#1");
  EXPECT_EQ((*rows)[4].node, "2#2");
  EXPECT_EQ((*rows)[5].node, "2#2");
  EXPECT_EQ((*rows)[5].origin, "2");
}

/// Quotes as spreadsheets write them: around any cell, doubled inside; separators and # inside quotes are
/// text.
TEST_F(NodePlacesTest, ReadsQuotedCellsOfTables) {
  const Located<std::filesystem::path> file{
      folder_.write("m.csv",
                    "\"row\",\"node\",\"dof\",\"x\",\"y\",\"z\"  # by hand\n"
                    "\"1\",\"left, #1\",\"ux\",\"1.5\",0,\" 2 \"\n"
                    "2,\"1\"\" pipe\",uy,1,0,2\n3,2\"pipe,uz,1,0,2 # 3\n"),
      {},
      "dofs"};
  Diagnostics diagnostics;
  const auto rows = readDofTable(file, diagnostics);
  ASSERT_TRUE(rows) << diagnostics.sortedProblems().front().text();
  ASSERT_EQ(rows->size(), 3U);
  EXPECT_EQ((*rows)[0].node, "left, #1");
  EXPECT_EQ((*rows)[0].component, Component::ux);
  EXPECT_EQ(*(*rows)[0].position, Vec3(1.5, 0, 2));
  EXPECT_EQ((*rows)[1].node, "1\" pipe");
  EXPECT_EQ((*rows)[2].node, "2\"pipe");
  const auto places = readPlaces("\"node\";\"x\";\"y\";\"z\"\n\"a;b\";1;2;3\n", "m.csv");
  ASSERT_TRUE(places) << problem_;
  EXPECT_EQ(places->positions.at("a;b"), Vec3(1, 2, 3));
}

}  // namespace
}  // namespace ricochet
