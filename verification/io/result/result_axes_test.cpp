// Axes of results for xarray: every dataset of every group has labelled axes.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/axes.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::ElementsAre;

/// A cantilever with friction in a hole under a load from a table, and a puck that slides and spins against a
/// link.
const std::string kEverything =
    "[[nodes]]\nname = \"puck\"\nposition = [0, 0, 0]\n"
    "[[nodes]]\nname = \"root\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"tip\"\nposition = [1, 0, 0]\n"
    "[materials.steel]\nyoung = 2.1e11\npoisson = 0.3\ndensity = 7800.0\n"
    "[sections.bar]\ntype = \"circle\"\nradius = 0.02\n"
    "[[beams]]\nname = \"bar\"\nnodes = [\"root\", \"tip\"]\nelements = 3\nmaterial = \"steel\"\n"
    "section = \"bar\"\n"
    "[[masses]]\nnodes = [\"puck\"]\nmass = 1.0\ninertia = [0.5, 0.5, 0.5, 0, 0, 0]\n"
    "[[supports]]\nnodes = [\"root\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n"
    "[[supports]]\nnodes = [\"puck\"]\nfixed = [\"uz\", \"rx\", \"ry\"]\n"
    "[basis]\nall = true\n"
    "[functions.pull]\nfile = \"pull.csv\"\ncolumns = [\"t\", \"f\"]\nafter = \"constant\"\n"
    "[[loads]]\nnodes = [\"tip\"]\nforce = [0, 500, 0]\nscale = \"pull\"\n"
    "[initial]\nvelocity = [ { node = \"puck\", value = [1, 0, 0, 0, 0, 2] },"
    " { node = \"tip\", value = [0, 0, 3] } ]\n"
    "[[contacts]]\nname = \"hole\"\nnode = \"tip\"\n"
    "obstacle = { type = \"circle\", axis = [1, 0, 0], gap = 0.001 }\nnormal = { stiffness = 1e6 }\n"
    "friction = { coefficient = 0.2, stiffness = 1e6 }\n"
    "wear = { coefficient = 1e-10, shape = \"ring\", radius = 0.01, length = 0.02 }\n"
    "[[contacts]]\nname = \"sole\"\nnode = \"puck\"\nobstacle = { type = \"none\", normal = [0, 0, 1] }\n"
    "normal = { force = 1.0 }\n"
    "friction = { law = \"patch\", coefficient = 0.5, stiffness = 1e4, model = \"bristle\","
    " patch = { shape = \"disc\", radius = 0.1 } }\n"
    "[[links]]\nname = \"damper\"\nnodes = [\"puck\"]\ndof = \"ux\"\nlaw = \"force_velocity\"\n"
    "formula = \"4*v\"\n"
    "[transient]\nduration = 0.02\nscheme = \"kick_drift\"\nstep = 1e-6\n";

const std::string kWindowDeck =
    "[statistics]\nwindows = [[0, 0.01], [0, 0.02]]\nimpact_table = true\nbins = 8\nsectors = 6\n";

class ResultAxes : public testing::Test {
 protected:
  ResultAxes() { folder_.write("pull.csv", "t,f\n0,0\n0.01,1\n"); }
  void runCommand(const std::string& line) const {
    const CommandOutcome outcome = folder_.ricochet(line);
    ASSERT_EQ(outcome.status, 0) << line << "\n" << outcome.output;
  }
  H5File openResultFile(const std::string& name) const { return H5File::open(folder_.path() / name); }

  ScratchFolder folder_;
};

TEST_F(ResultAxes, AreLabelledInBothModesAndInWhatIsRestored) {
  folder_.write("run.toml", kEverything + "[output]\nnodes = \"all\"\ninterval = 1e-4\n" + kWindowDeck);
  runCommand("compare run.toml --quick");
  const H5File result = openResultFile("run.h5");
  for (const char* path : {"/contacts/hole/impacts/velocity", "/contacts/hole/histograms/gap/weight",
                           "/links/damper/force", "/contacts/hole/statistics/sector_wear_work",
                           "/restart/bristles", "/restart/links", "/restart/memory", "/data_files/sha256",
                           "/direct/restart/areas", "/direct/contacts/sole/spin_moment", "/comparison/rms"})
    EXPECT_TRUE(result.exists(path)) << path;
  EXPECT_GT(result.shape("/events/time")[0], 0U);
  EXPECT_GT(test::expectLabelledAxes(result), 100);
  EXPECT_THAT(result.readStrings("/model/nodes/direction"), ElementsAre("x", "y", "z"));
  EXPECT_THAT(result.readAny("/contacts/hole/tangent").values, ElementsAre(1.0, 2.0));
  EXPECT_THAT(result.readAny("/contacts/hole/statistics/window").values, ElementsAre(1.0, 2.0));
  EXPECT_EQ(result.readAny("/transient/mode").values, result.readAny("/modal/mode").values);

  runCommand("restore run.h5 --nodes tip --fields displacement,beam_force,beam_elastic_force");
  const H5File restored = openResultFile("run-restored.h5");
  EXPECT_TRUE(restored.isScaleAttached("/beams/force", "/beams/time", 0));
  EXPECT_GT(test::expectLabelledAxes(restored), 8);
}

TEST_F(ResultAxes, AreLabelledOfMeshesAndOfWindowsThatAreTheWholeRun) {
  folder_.write("run.toml",
                "[meshes.frame]\nfile = \"" RICOCHET_DATA_DIR "/meshes/frame-41.msh\"\n" + kEverything +
                    "[[beams]]\nname = \"frame\"\nmesh = \"frame\"\nmaterial = \"steel\"\nsection = \"bar\"\n"
                    "axis_y = [0, 1, 0]\n[[supports]]\nnodes = \"frame.feet\"\n"
                    "fixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n[statistics]\nbins = 4\n");
  runCommand("run run.toml");
  const H5File result = openResultFile("run.h5");
  EXPECT_TRUE(result.exists("/model/groups/member"));
  EXPECT_GT(test::expectLabelledAxes(result), 50);
  EXPECT_THAT(result.readAny("/contacts/hole/statistics/window").values, ElementsAre(0.0));
}

TEST_F(ResultAxes, AreLabelledOfManyVariants) {
  folder_.write("run.toml",
                kEverything +
                    "[output]\ninterval = 1e-3\n[batch]\nmethod = \"grid\"\n"
                    "[batch.parameters]\n\"contacts.hole.obstacle.gap\" = { values = [1e-3, 2e-3] }\n"
                    "[batch.outputs]\npeak = \"max(displacement(tip, uy))\"\n"
                    "first = \"event_time(hole, closing)\"\n"
                    "[batch.histories]\ny = \"displacement(tip, uy)\"\n");
  runCommand("batch run.toml");
  const H5File result = openResultFile("run.h5");
  EXPECT_GT(test::expectLabelledAxes(result), 15);
  EXPECT_THAT(result.readStrings("/batch/output"), ElementsAre("peak", "first"));
  EXPECT_THAT(result.readAny("/batch/case").values, ElementsAre(0.0, 1.0));
}

}  // namespace
}  // namespace ricochet
