// Mesh files: incomplete files, and files of another program.

#include "io/formats/mesh_file.hpp"

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

const std::string kMeshFiles = RICOCHET_DATA_DIR "/meshes/";

std::optional<LineMesh> readMesh(const std::filesystem::path& file, Diagnostics& diagnostics) {
  const Located<std::filesystem::path> named{file, SourceLocation{}, "file"};
  return readMeshFile(named, diagnostics);
}

class MeshFileTest : public ::testing::Test {
 protected:
  ScratchFolder folder_;
};

TEST_F(MeshFileTest, SaysWhereABinaryFileIsCutOff) {
  for (const char* file : {"frame-22-binary.msh", "frame-41-binary.msh"}) {
    const std::string whole = test::readText(kMeshFiles + file);
    for (std::size_t kept = 100; kept < whole.size() - 40; kept += 5) {  // also within numbers
      std::ofstream(folder_.path() / "cut.msh", std::ios::binary) << whole.substr(0, kept);
      Diagnostics diagnostics;
      EXPECT_FALSE(readMesh(folder_.path() / "cut.msh", diagnostics)) << file << " " << kept;
      ASSERT_EQ(diagnostics.size(), 1U);
      EXPECT_THAT(diagnostics.sortedProblems()[0].problem, HasSubstr("byte "));
    }
  }
}

TEST_F(MeshFileTest, SaysWhatAMedFileLacks) {
  const std::filesystem::path path = folder_.path() / "m.med";
  const auto problem = [&] {
    Diagnostics diagnostics;
    EXPECT_FALSE(readMesh(path, diagnostics));
    return diagnostics.size() == 1 ? diagnostics.sortedProblems()[0].problem : "none, or many";
  };
  const std::string step = "/ENS_MAA/m/-0000000000000000001-0000000000000000001";
  H5File::create(path).close();
  EXPECT_THAT(problem(), HasSubstr("must hold one mesh, holds 0"));
  H5File file = H5File::open(path, Access::readWrite);
  file.createGroup("/INFOS_GENERALES");
  file.setAttribute("/INFOS_GENERALES", "MAJ", 2);
  file.setAttribute("/INFOS_GENERALES", "MIN", 3);
  file.close();
  EXPECT_THAT(problem(), HasSubstr("is MED 2.3, which is not read: 3 and 4 are"));
  file = H5File::open(path, Access::readWrite);
  file.setAttribute("/INFOS_GENERALES", "MAJ", 3);
  file.createGroup(step + "/NOE");
  file.setAttribute("/ENS_MAA/m", "ESP", 2);
  file.close();
  EXPECT_THAT(problem(), HasSubstr("is no mesh of MED 3 or 4: "));
  file = H5File::open(path, Access::readWrite);
  file.write(step + "/NOE/COO", {4}, std::vector<double>{0, 1, 5, 6}, {"m", "x and y"});
  file.write(step + "/MAI/SE2/NOD", {2}, std::vector<std::int32_t>{1, 3}, {"1", "ends"});
  file.setAttribute(step + "/MAI/SE2/NOD", "NBR", 1);
  file.close();
  EXPECT_THAT(problem(), HasSubstr("an element has the node 3, which is none"));
  file = H5File::open(path, Access::readWrite);
  file.write(step + "/MAI/SE2/NOD", {2}, std::vector<std::int32_t>{1, 2}, {"1", "ends"});
  file.close();
  Diagnostics diagnostics;
  const auto mesh = readMesh(path, diagnostics);  // in the plane, without groups
  ASSERT_TRUE(mesh);
  ASSERT_EQ(mesh->lines.size(), 1U);
  EXPECT_EQ(mesh->nodes[1].position, Vec3(1, 6, 0));
  file = H5File::open(path, Access::readWrite);
  file.createGroup("/ENS_MAA/other");
  file.close();
  EXPECT_THAT(problem(), HasSubstr("must hold one mesh, holds 2: m, other"));
}

/// Files in all formats of the gmsh program of this machine: curves that meet other curves, surfaces,
/// overlapping groups.
TEST_F(MeshFileTest, ReadsWhatGmshWrites) {
  if (test::runShell("command -v gmsh").status != 0) GTEST_SKIP() << "no gmsh";
  folder_.write("shape.geo", R"(
Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {1, 1, 0}; Point(4) = {0, 0, 3};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 1}; Line(4) = {1, 4};
Curve Loop(1) = {1, 2, 3}; Plane Surface(1) = {1};
Transfinite Curve{1, 2, 3} = 3; Transfinite Curve{4} = 7;
Physical Point("top") = {4};
Physical Curve("mast") = {4};
Physical Curve("all") = {1, 2, 3, 4};
Physical Surface("sail") = {1};
)");
  for (const char* format : {"msh22", "msh22 -bin", "msh41", "msh41 -bin"}) {
    SCOPED_TRACE(format);
    const CommandOutcome made = test::runShell(
        fmt::format("cd '{}' && gmsh -2 shape.geo -format {} -o shape.msh", folder_.path().string(), format));
    ASSERT_EQ(made.status, 0) << made.output;
    Diagnostics diagnostics;
    const auto mesh = readMesh(folder_.path() / "shape.msh", diagnostics);
    ASSERT_TRUE(mesh) << diagnostics.sortedProblems()[0].text();
    EXPECT_GT(mesh->others, 0U);
    const auto group = [&](const std::string& name) {
      return *std::find_if(mesh->groups.begin(), mesh->groups.end(),
                           [&](const auto& g) { return g.name == name; });
    };
    EXPECT_EQ(group("sail").dimension, 2);
    EXPECT_EQ(group("all").members.size(), 12U);
    ASSERT_EQ(group("top").members.size(), 1U);
    EXPECT_EQ(mesh->nodes[static_cast<std::size_t>(group("top").members[0])].position, Vec3(0, 0, 3));
    double length = 0.0;
    for (const int i : group("mast").members) {
      const LineMesh::Line& line = mesh->lines[static_cast<std::size_t>(i)];
      const Vec3 span = mesh->nodes[static_cast<std::size_t>(line.second)].position -
                        mesh->nodes[static_cast<std::size_t>(line.first)].position;
      EXPECT_NEAR(span.z(), 0.5, 1e-9);  // gmsh's own rounding
      length += span.norm();
    }
    EXPECT_NEAR(length, 3.0, 1e-12);
    const CommandOutcome second = test::runShell(fmt::format(
        "cd '{}' && gmsh -2 -order 2 shape.geo -format {} -o shape.msh", folder_.path().string(), format));
    ASSERT_EQ(second.status, 0);
    const auto curved = readMesh(folder_.path() / "shape.msh", diagnostics);
    ASSERT_TRUE(curved);
    ASSERT_EQ(curved->lines.size(), mesh->lines.size());
    for (const LineMesh::Line& line : curved->lines) EXPECT_EQ(line.size, 3);
  }
}

}  // namespace
}  // namespace ricochet
