// Files of a restored result: changed tables, existing files; names of the ends of beams.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

/// A cantilever under a force at its tip that a table in a file gives.
const std::string kBeam =
    test::cantilever(4,
                     "[basis]\nmodes = 4\n[functions.push]\nfile = \"push.csv\"\n"
                     "columns = [\"t\", \"f\"]\n[[loads]]\nnodes = [\"root\"]\n"
                     "force = [0, 1, 0]\nscale = \"push\"\n[transient]\nduration = 0.01\n");

TEST(RestoreFiles, RefusesTablesThatHaveChangedSinceTheRun) {
  const ScratchFolder folder;
  folder.write("beam.toml", kBeam);
  folder.write("push.csv", "t,f\n0,1\n1,1\n");
  ASSERT_EQ(folder.ricochet("run beam.toml").status, 0);
  EXPECT_EQ(folder.ricochet("restore beam.h5 --fields reaction -o first.h5").status, 0);
  folder.write("push.csv", "t,f\n0,1\n1,5000\n");
  const CommandOutcome changed = folder.ricochet("restore beam.h5 --fields reaction -o second.h5");
  EXPECT_NE(changed.status, 0);
  EXPECT_THAT(changed.output, HasSubstr("push.csv is not what it was in the run"));
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "second.h5"));
  // Quantities that do not need the files are restored.
  EXPECT_EQ(folder.ricochet("restore beam.h5 -o second.h5").status, 0);
}

TEST(RestoreFiles, KeepsTheDescriptionThatIsThere) {
  const ScratchFolder folder;
  folder.write("beam.toml", kBeam);
  folder.write("push.csv", "t,f\n0,1\n1,1\n");
  folder.write("moved.xdmf",
               "<?xml version=\"1.0\"?>\n<Xdmf Version=\"2.0\">\n <Domain>\n  <Grid Name=\"motion\"/>");
  ASSERT_EQ(folder.ricochet("run beam.toml").status, 0);
  const std::string before = test::readText(folder.path() / "moved.xdmf");
  const CommandOutcome refused = folder.ricochet("restore beam.h5 --xdmf -o moved.h5");
  EXPECT_EQ(refused.status, 2);
  EXPECT_THAT(refused.output, HasSubstr("moved.xdmf: exists; give --force to replace it"));
  EXPECT_EQ(test::readText(folder.path() / "moved.xdmf"), before);
  EXPECT_EQ(folder.ricochet("restore beam.h5 --xdmf -o moved.h5 --force").status, 0);
  EXPECT_THAT(test::readText(folder.path() / "moved.xdmf"), HasSubstr("</Xdmf>"));
}

TEST(RestoreFiles, EndsOfBeamsHaveBothNames) {
  const ScratchFolder folder;
  folder.write("push.csv", "t,f\n0,1\n1,1\n");
  folder.write("beam.toml", kBeam +
                                "[batch.parameters]\n\"loads.0.force.1\" = { values = [1, 2] }\n"
                                "[batch.outputs]\nq = \"last(displacement(rod.4, uy))\"\n"
                                "r = \"last(displacement(tip, uy))\"\n");
  ASSERT_EQ(folder.ricochet("run beam.toml").status, 0);
  ASSERT_EQ(folder.ricochet("restore beam.h5 --nodes rod.4 -o end.h5").status, 0);
  EXPECT_EQ(H5File::open(folder.path() / "end.h5").readStrings("/physical/node").front(), "tip");
  const CommandOutcome batch = folder.ricochet("batch beam.toml -o batch.h5");
  EXPECT_EQ(batch.status, 0) << batch.output;
  const std::vector<double> outputs =
      H5File::open(folder.path() / "batch.h5").readAny("/batch/outputs").values;
  ASSERT_EQ(outputs.size(), 4U);
  EXPECT_EQ(outputs[0], outputs[1]);
}

TEST(RestoreFiles, NodesMayHaveBracketsInTheirNames) {
  const test::ScratchFolder folder;
  folder.write(
      "two.toml",
      "[[nodes]]\nname = \"[x]\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"b\"\nposition = [1, 0, 0]\n"
      "[[masses]]\nnodes = \"all\"\nmass = 1.0\n[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n"
      "[[springs]]\nnodes = [\"[x]\", \"b\"]\nstiffness = [9, 0, 0]\n[transient]\nduration = 0.1\n");
  ASSERT_EQ(folder.ricochet("run two.toml -q").status, 0);
  for (const std::string nodes : {"'[x]'", "'[x]' b", "'[x],b'"})
    EXPECT_EQ(folder.ricochet("restore two.h5 -f --nodes " + nodes).status, 0) << nodes;
}

}  // namespace
}  // namespace ricochet
