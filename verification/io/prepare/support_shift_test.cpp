// Moving supports beside contacts: coordinates of the absolute motion.

#include "io/app/runs/run_study.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace ricochet {
namespace {

using test::ScratchFolder;
using testing::HasSubstr;

/// Three masses in a row between two anchors that move as 0.01 sin 8t and 0.02 (1 - cos 5t), with unequal
/// dashpots, under gravity along the row.
const std::string kRow =
    "[[nodes]]\nname = \"left\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"a\"\nposition = [1, 0, 0]\n"
    "[[nodes]]\nname = \"b\"\nposition = [2, 0, 0]\n[[nodes]]\nname = \"c\"\nposition = [3, 0, 0]\n"
    "[[nodes]]\nname = \"right\"\nposition = [4, 0, 0]\n"
    "[[masses]]\nnodes = [\"a\", \"b\", \"c\"]\nmass = 2.0\n"
    "[[springs]]\nnodes = [\"left\", \"a\"]\nstiffness = [600.0, 0, 0]\n"
    "[[springs]]\nnodes = [\"a\", \"b\"]\nstiffness = [500.0, 0, 0]\n"
    "[[springs]]\nnodes = [\"b\", \"c\"]\nstiffness = [700.0, 0, 0]\n"
    "[[springs]]\nnodes = [\"c\", \"right\"]\nstiffness = [400.0, 0, 0]\n"
    "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n"
    "[[supports]]\nname = \"left\"\nnodes = [\"left\"]\nfixed = [\"ux\"]\n"
    "[[supports]]\nname = \"right\"\nnodes = [\"right\"]\nfixed = [\"ux\"]\n";
const std::string kDashpots =
    "[[dampers]]\nnodes = [\"left\", \"a\"]\ndamping = [3.0, 0, 0]\n"
    "[[dampers]]\nnodes = [\"b\", \"c\"]\ndamping = [1.0, 0, 0]\n";
const std::string kMotions =
    "[functions.sl]\nformula = \"0.01*sin(8*t)\"\n[functions.vl]\nformula = \"0.08*cos(8*t)\"\n"
    "[functions.al]\nformula = \"-0.64*sin(8*t)\"\n[functions.sr]\nformula = \"0.02*(1 - cos(5*t))\"\n"
    "[functions.vr]\nformula = \"0.1*sin(5*t)\"\n[functions.ar]\nformula = \"0.5*cos(5*t)\"\n"
    "[gravity]\nacceleration = [1.0, 0, 0]\n"
    "[[base_motions]]\ndirection = [1, 0, 0]\nsupports = [\"left\"]\ndisplacement = \"sl\"\nvelocity = "
    "\"vl\"\n"
    "acceleration = \"al\"\n"
    "[[base_motions]]\ndirection = [1, 0, 0]\nsupports = [\"right\"]\ndisplacement = \"sr\"\nvelocity = "
    "\"vr\"\n"
    "acceleration = \"ar\"\n"
    "[initial]\ndisplacement = [ { node = \"b\", value = [0.003, 0, 0] } ]\n"
    "velocity = [ { node = \"c\", value = [-0.02, 0, 0] } ]\n";
const std::string kFarWall =
    "[[contacts]]\nname = \"wall\"\nnode = \"b\"\nobstacle = { type = \"plane\", normal = [-1, 0, 0], gap = "
    "9.0 }\n"
    "normal = { stiffness = 1.0e4 }\n";

/// Checks of all nodes and quantities at two instants, relative and absolute.
std::string checksOf(const std::string& mode) {
  std::string text;
  for (const char* node : {"a", "b", "c", "right"})
    for (const char* quantity : {"displacement", "velocity", "acceleration"})
      for (const char* time : {"0.37", "1.5"})
        for (const char* absolute : {"false", "true"})
          text += std::string("[[checks]]\nquantity = \"") + quantity + "\"\nnode = \"" + node +
                  "\"\ndof = \"ux\"\ntime = " + time + "\nabsolute_motion = " + absolute + "\nmode = \"" +
                  mode + "\"\nreference = 0.0\nabsolute = 1.0\nsource = \"the same without contact\"\n";
  return text;
}

std::vector<double> checkValuesOf(const std::string& text, bool direct) {
  const Deck study = test::studyOf(text);
  const auto simulation = direct ? prepareDirectSimulation(study) : prepare(study);
  const RunSummary summary = runStudy(study, *simulation, {.result = {}, .force = false, .progress = false});
  EXPECT_EQ(summary.report.status, RunStatus::complete);
  EXPECT_LT(summary.report.energyError, direct ? 1e-3 : 1e-9);
  std::vector<double> values;
  for (const CheckResult& check : summary.checks) values.push_back(check.computed.value());
  return values;
}

TEST(SupportShiftTest, ContactThatIsNeverTouchedChangesNothing) {
  const std::string basis =
      "[basis]\nall = true\ndamping_ratio = 0.03\nrayleigh = { mass = 0.1, stiffness = 1.0e-4 }\n";
  const std::string run = "[transient]\nduration = 1.5\nscheme = \"event\"\n" + checksOf("modal");
  const auto without = checkValuesOf(kRow + kDashpots + basis + kMotions + run, false);
  const auto with = checkValuesOf(kRow + kDashpots + basis + kMotions + kFarWall + run, false);
  ASSERT_EQ(without.size(), 48u);
  ASSERT_EQ(with.size(), without.size());
  for (std::size_t i = 0; i < with.size(); ++i) EXPECT_NEAR(with[i], without[i], 1e-12) << i;
}

/// Newmark's error differs in other coordinates, but is of second order: the extrapolation from two steps is
/// exact up to an error of fourth order, (33 rad/s h)^4 of accelerations of 1 m/s^2.
TEST(SupportShiftTest, DirectModeHasTheSameMotion) {
  const std::string basis =
      "[basis]\nall = true\ndamping_ratio = 0.03\nrayleigh = { mass = 0.1, stiffness = 1.0e-4 }\n";
  const std::string run =
      "[transient]\nduration = 1.5\nscheme = \"event\"\n[direct]\nscheme = \"newmark\"\nstep = ";
  const std::string row = kRow + kDashpots + basis + kMotions;
  const auto exact = checkValuesOf(row + run + "1.0e-3\n" + checksOf("modal"), false);
  const auto coarse = checkValuesOf(row + kFarWall + run + "1.0e-3\n" + checksOf("direct"), true);
  const auto fine = checkValuesOf(row + kFarWall + run + "5.0e-4\n" + checksOf("direct"), true);
  ASSERT_EQ(fine.size(), exact.size());
  ASSERT_EQ(coarse.size(), exact.size());
  for (std::size_t i = 0; i < exact.size(); ++i)
    EXPECT_NEAR((4.0 * fine[i] - coarse[i]) / 3.0, exact[i], 1e-6) << i;
}

/// Both anchors move at 0.5 m/s from rest relative to them: all masses move with them, and reach a wall 0.1 m
/// away after 0.2 s, whatever modes the basis omits.
TEST(SupportShiftTest, TruncatedBasisHoldsTheStaticModes) {
  const std::string text =
      kRow +
      "[basis]\nmodes = 1\n[functions.s]\nformula = \"0.5*t\"\n"
      "[[base_motions]]\ndirection = [1, 0, 0]\nsupports = [\"left\", \"right\"]\ndisplacement = \"s\"\n"
      "velocity = 0.5\nacceleration = 0.0\n"
      "[[contacts]]\nname = \"wall\"\nnode = \"c\"\nobstacle = { type = \"plane\", normal = [-1, 0, 0], gap "
      "= 0.1 }\n"
      "normal = { stiffness = 1.0e4 }\n[transient]\nduration = 0.3\nscheme = \"event\"\n"
      "[[checks]]\nquantity = \"event\"\ncontact = \"wall\"\nkind = \"closing\"\nindex = 1\nreference = 0.2\n"
      "absolute = 1e-12\nsource = \"closed form\"\n"
      "[[checks]]\nquantity = \"gap\"\ncontact = \"wall\"\ntime = 0.1\nreference = 0.05\nabsolute = 1e-12\n"
      "source = \"closed form\"\n"
      "[[checks]]\nquantity = \"displacement\"\nnode = \"a\"\ndof = \"ux\"\ntime = 0.15\nabsolute_motion = "
      "true\n"
      "reference = 0.075\nabsolute = 1e-12\nsource = \"closed form\"\n";
  const std::vector<double> values = checkValuesOf(text, false);
  ASSERT_EQ(values.size(), 3u);
  EXPECT_NEAR(values[0], 0.2, 1e-12);
  EXPECT_NEAR(values[1], 0.05, 1e-12);
  EXPECT_NEAR(values[2], 0.075, 1e-12);
}

TEST(SupportShiftTest, RestoredHistoriesAreThoseOfTheRun) {
  const ScratchFolder folder;
  folder.write("row.toml",
               kRow + kDashpots + "[basis]\nmodes = 2\n" + kMotions + kFarWall +
                   "[transient]\nduration = 0.5\nscheme = \"event\"\n[output]\ninterval = 0.05\n");
  ASSERT_EQ(folder.ricochet("run row.toml -q").status, 0);
  const H5File run = H5File::open(folder.path() / "row.h5");
  ASSERT_EQ(folder.ricochet("restore row.h5 -f --fields displacement,velocity").status, 0);
  {
    const H5File restored = H5File::open(folder.path() / "row-restored.h5");
    for (const char* path : {"/physical/displacement", "/physical/velocity"}) {
      const H5Array<double> a = run.readAny(path), b = restored.readAny(path);
      ASSERT_EQ(a.shape, b.shape);
      for (std::size_t i = 0; i < a.values.size(); ++i)
        EXPECT_NEAR(a.values[i], b.values[i], 1e-15) << path << i;
    }
  }
  ASSERT_EQ(folder.ricochet("restore row.h5 -f --absolute -n right --fields displacement").status, 0);
  const H5File absolute = H5File::open(folder.path() / "row-restored.h5");
  const std::vector<double> times = absolute.readAny("/physical/time").values;
  const H5Array<double> x = absolute.readAny("/physical/displacement");
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(x.values[3 * i], 0.02 * (1.0 - std::cos(5.0 * times[i])), 1e-15);
  const auto refused = folder.ricochet("restore row.h5 -f -n right --fields reaction");
  EXPECT_NE(refused.status, 0);
  EXPECT_THAT(refused.output, HasSubstr("contacts see supports move"));
}

}  // namespace
}  // namespace ricochet
