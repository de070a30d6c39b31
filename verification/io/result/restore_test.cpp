// `ricochet restore`: histories of nodes from the generalized coordinates of a result.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::ElementsAre;
using testing::HasSubstr;

/// Two masses, one below the other, on a base that moves by 0.01 sin 30 t; the upper mass also rotates.
const std::string kTower =
    "[[nodes]]\nname = \"foot\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"upper\"\nposition = [0, 0, -1]\n"
    "[[nodes]]\nname = \"lower\"\nposition = [0, 0, -2]\n[groups]\nmoving = [\"lower\", \"upper\"]\n"
    "[[masses]]\nnodes = [\"upper\"]\nmass = 2.0\ninertia = [0.1, 0.1, 0.1, 0, 0, 0]\n"
    "[[masses]]\nnodes = [\"lower\"]\nmass = 1.0\n"
    "[[springs]]\nnodes = [\"foot\", \"upper\"]\nstiffness = [900.0, 700.0, 5000.0]\n"
    "[[springs]]\nnodes = [\"upper\", \"lower\"]\nstiffness = [400.0, 300.0, 4000.0]\n"
    "[[springs]]\nnodes = [\"upper\"]\nstiffness = [0, 0, 0, 10.0, 20.0, 30.0]\n"
    "[[dampers]]\nnodes = [\"foot\", \"upper\"]\ndamping = [3.0, 2.0, 1.0]\n"
    "[[supports]]\nnodes = [\"foot\"]\nfixed = [\"ux\", \"uy\", \"uz\"]\n[basis]\nall = true\n"
    "[gravity]\nacceleration = [0, 0, -9.81]\n"
    "[functions.d]\nformula = \"0.01*sin(30*t)\"\n[functions.v]\nformula = \"0.3*cos(30*t)\"\n"
    "[functions.a]\nformula = \"-9*sin(30*t)\"\n"
    "[[base_motions]]\ndirection = [1, 0, 0]\ndisplacement = \"d\"\nvelocity = \"v\"\nacceleration = \"a\"\n"
    "[initial]\nvelocity = [ { node = \"lower\", value = [0, 0.3, 0] } ]\n"
    "[transient]\nduration = 0.5\nscheme = \"event\"\n[output]\ninterval = 0.01\n";

class RestoreTest : public ::testing::Test {
 protected:
  RestoreTest() {
    folder_.write("tower.toml", kTower);
    const CommandOutcome run = folder_.ricochet("run tower.toml -q");
    EXPECT_EQ(run.status, 0) << run.output;
  }
  H5File restored(const std::string& options) const {
    const CommandOutcome outcome = folder_.ricochet("restore tower.h5 -f " + options);
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return H5File::open(folder_.path() / "tower-restored.h5");
  }
  H5File openResult() const { return H5File::open(folder_.path() / "tower.h5"); }

  ScratchFolder folder_;
};

/// Histories that the run restored.
TEST_F(RestoreTest, GivesWhatTheRunWouldHaveArchived) {
  const H5File all = restored("--fields displacement,velocity,acceleration");
  EXPECT_EQ(all.stringAttribute("/", "status"), "complete");
  EXPECT_THAT(all.readStrings("/physical/node"), ElementsAre("foot", "upper", "lower"));
  EXPECT_EQ(all.readStrings("/physical/component").size(), 6u);
  const H5File before = openResult();
  EXPECT_EQ(all.readAny("/physical/time").values, before.readAny("/physical/time").values);
  for (const char* field : {"displacement", "velocity", "acceleration"}) {
    const std::string path = std::string("/physical/") + field;
    const H5Array<double> a = all.readAny(path), b = before.readAny(path);
    ASSERT_EQ(a.shape, b.shape);
    double largest = 0.0;
    for (const double x : b.values) largest = std::max(largest, std::abs(x));
    EXPECT_GT(largest, 1e-3);
    for (std::size_t i = 0; i < a.values.size(); ++i)
      ASSERT_NEAR(a.values[i], b.values[i], 1e-14 * largest) << field << " " << i;
    EXPECT_EQ(all.meaning(path).units, before.meaning(path).units);
  }
}

TEST_F(RestoreTest, TakesNodesGroupsAndInstants) {
  const H5Array<double> before =
      openResult().readAny("/physical/displacement");  // time, 3 nodes, 6 components
  const auto at = [&](std::size_t instant, std::size_t node, std::size_t component) {
    return before.values[(instant * 3 + node) * 6 + component];
  };
  {
    const H5File some = restored("-n lower --times 0.304,0.1");
    EXPECT_THAT(some.readAny("/physical/time").values, ElementsAre(0.1, 0.3));
    const H5Array<double> x = some.readAny("/physical/displacement");
    ASSERT_EQ(x.shape, (H5Shape{2, 1, 3}));  // without rotation
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(x.values[c], at(10, 2, c), 1e-15);
      EXPECT_NEAR(x.values[3 + c], at(30, 2, c), 1e-15);
    }
  }
  {
    const H5File some = restored("-n moving --from 0.195 --to 0.305 --every 5");
    EXPECT_THAT(some.readStrings("/physical/node"), ElementsAre("lower", "upper"));
    EXPECT_THAT(some.readAny("/physical/time").values, ElementsAre(0.2, 0.25, 0.3));
    EXPECT_EQ(some.readAny("/model/lines").values, (std::vector<double>{1, 0}));
    EXPECT_NEAR(some.readAny("/physical/displacement").values[6 + 2], at(20, 1, 2), 1e-15);
  }
}

/// The base has its imposed displacement, and its reaction balances its springs and dashpots.
TEST_F(RestoreTest, GivesAbsoluteMotionAndReactions) {
  const H5Array<double> relative = openResult().readAny("/physical/displacement"),
                        rate = openResult().readAny("/physical/velocity");
  const H5File file = restored("-n foot,upper --absolute --fields displacement,acceleration,reaction");
  EXPECT_EQ(file.stringAttribute("/physical/displacement", "motion"), "absolute");
  const std::vector<double> times = file.readAny("/physical/time").values;
  const H5Array<double> x = file.readAny("/physical/displacement"),
                        a = file.readAny("/physical/acceleration"), r = file.readAny("/physical/reaction");
  const double stiffness[] = {900.0, 700.0, 5000.0}, damping[] = {3.0, 2.0, 1.0};
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_NEAR(x.values[i * 12], 0.01 * std::sin(30.0 * times[i]), 1e-16);
    EXPECT_NEAR(a.values[i * 12], -9.0 * std::sin(30.0 * times[i]), 1e-14);
    EXPECT_NEAR(x.values[i * 12 + 6], relative.values[(i * 3 + 1) * 6] + 0.01 * std::sin(30.0 * times[i]),
                1e-16);
    for (std::size_t c = 0; c < 3; ++c) {
      const std::size_t upper = (i * 3 + 1) * 6 + c;
      EXPECT_NEAR(r.values[i * 12 + c],
                  -stiffness[c] * relative.values[upper] - damping[c] * rate.values[upper], 1e-11);
      EXPECT_EQ(r.values[i * 12 + 6 + c], 0.0);  // only springs hold the mass
    }
  }
}

TEST_F(RestoreTest, SaysWhatItCannotDo) {
  const auto refused = [&](const std::string& options, const std::string& why) {
    const CommandOutcome outcome = folder_.ricochet("restore tower.h5 " + options);
    EXPECT_EQ(outcome.status, 2) << options;
    EXPECT_THAT(outcome.output, HasSubstr(why));
  };
  refused("-n uper", "there is no node \"uper\"; did you mean \"upper\"?");
  refused("--from 2", "no instant of it was asked for");
  refused("-n upper --fields reaction", "no support fixes any of these nodes");
  refused("-o tower.h5", "is the result itself");
  refused("--fields speed", "speed not in");
  EXPECT_EQ(folder_.ricochet("restore tower.h5 -n lower").status, 0);
  refused("-n lower", "--force");
  folder_.write("still.toml", test::bouncer(0.01));
  ASSERT_EQ(folder_.ricochet("run still.toml -q").status, 0);
  const CommandOutcome still = folder_.ricochet("restore still.h5 --absolute");
  EXPECT_EQ(still.status, 2);
  EXPECT_THAT(still.output, HasSubstr("no base moves"));
}

/// Reads an .xdmf by its own rules: the XML, and the data to which its items refer.
constexpr const char* kReader = R"python(
import sys, xml.etree.ElementTree, h5py, numpy
def item(node):
    shape = [int(n) for n in node.get("Dimensions").split()]
    if node.get("Format") == "HDF":
        file, path = node.text.strip().split(":")
        data = h5py.File(file, "r")[path][()]
        assert list(data.shape) == shape, (path, data.shape, shape)
        return data
    if node.get("ItemType") == "HyperSlab":
        start, stride, count = item(node[0]).astype(int)
        data = item(node[1])
        for axis in range(3):
            data = data.take(start[axis] + stride[axis] * numpy.arange(count[axis]), axis)
        return data.reshape(shape)
    return numpy.array(node.text.split(), float).reshape(shape)
grids = xml.etree.ElementTree.parse("tower-restored.xdmf").getroot().find("Domain/Grid")
assert grids.get("CollectionType") == "Temporal"
grid = grids[3]
print(len(grids), grid.find("Time").get("Value"))
lines = grid.find("Topology")
print(lines.get("NumberOfElements"), *item(lines[0]).ravel(), *item(grid.find("Geometry")[0]).ravel())
fields = {a.get("Name"): item(a[0]) for a in grid.findall("Attribute")}
print(*["%.17g" % x for x in fields["displacement"].ravel()], *["%.17g" % x for x in fields["velocity"].ravel()])
)python";

TEST_F(RestoreTest, PointsXdmfIntoItsFile) {
  if (test::runShell("/usr/bin/python3 -c 'import h5py'").status != 0) GTEST_SKIP() << "no python3-h5py";
  restored("-n all --fields displacement,velocity --every 10 --xdmf");
  folder_.write("read.py", kReader);
  const CommandOutcome read =
      test::runShell("cd '" + folder_.path().string() + "' && /usr/bin/python3 read.py");
  ASSERT_EQ(read.status, 0) << read.output;
  std::istringstream numbers(read.output);
  const auto next = [&numbers] {
    double value = NAN;
    numbers >> value;
    return value;
  };
  const std::vector<double> expected{6, 0.3, 2, 0, 1, 1, 2, 0, 0, 0, 0, 0, -1, 0, 0, -2};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(next(), expected[i], 1e-15) << i;
  const H5File file = H5File::open(folder_.path() / "tower-restored.h5");
  for (const char* path : {"/physical/displacement", "/physical/velocity"}) {
    const H5Array<double> x = file.readAny(path);
    for (std::size_t i = 0; i < 9; ++i) EXPECT_EQ(next(), x.values[(3 * 3 + i / 3) * 6 + i % 3]) << path << i;
  }
}

/// ParaView shows the lower mass at the position in the file.
TEST_F(RestoreTest, IsOpenedByParaview) {
  if (test::runShell("command -v pvpython").status != 0) GTEST_SKIP() << "no pvpython (paraview)";
  restored("-n all --fields displacement --every 10 --xdmf");
  folder_.write("read.py", R"python(
import os
from paraview.simple import *
reader = XDMFReader(FileNames=[os.path.abspath("tower-restored.xdmf")])
reader.UpdatePipeline()
times = list(reader.TimestepValues)
reader.UpdatePipeline(times[3])
data = servermanager.Fetch(reader)
while data.IsA("vtkMultiBlockDataSet"):
    data = data.GetBlock(0)
field = data.GetPointData().GetArray("displacement")
print("read", len(times), "%.17g" % times[3], data.GetNumberOfPoints(), data.GetNumberOfCells(),
      *["%.17g" % field.GetComponent(2, c) for c in range(3)])
)python");
  const CommandOutcome read = test::runShell("cd '" + folder_.path().string() + "' && pvpython read.py");
  const std::size_t begin = read.output.find("read ");
  ASSERT_NE(begin, std::string::npos) << read.output;
  std::istringstream numbers(read.output.substr(begin + 5));
  const H5Array<double> x =
      H5File::open(folder_.path() / "tower-restored.h5").readAny("/physical/displacement");
  const double expected[] = {6, 0.3, 3, 2, x.values[66], x.values[67], x.values[68]};
  for (const double each : expected) {
    double value = NAN;
    numbers >> value;
    EXPECT_DOUBLE_EQ(value, each);
  }
}

}  // namespace
}  // namespace ricochet
