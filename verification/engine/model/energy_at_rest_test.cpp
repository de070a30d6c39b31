// Energy errors of a structure at rest: residual and energy are both rounding, and the error must be 0.

#include "io/app/runs/run_study.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace ricochet {
namespace {

RunSummary runOf(const std::string& deck, bool direct = false) {
  const Deck study = test::studyOf(deck);
  return runStudy(study, direct ? *prepareDirectSimulation(study) : *prepare(study), nullptr, false);
}

/// 2 kg at z = 0 under its weight of 20 N, moving in x and z.
const std::string kBlock =
    "[[nodes]]\nname = \"block\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = \"all\"\nmass = 2.0\n"
    "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\"]\n[basis]\nall = true\n"
    "[gravity]\nacceleration = [0, 0, -10]\n[[loads]]\nnodes = [\"block\"]\nforce = [3.0, 0, 0]\n";

std::string transientTable(const std::string& scheme, double duration) {
  return fmt::format("[transient]\nduration = {}\nscheme = \"{}\"\n{}[direct]\nstep = 1e-3\n", duration,
                     scheme, scheme == "event" || scheme == "rk54" ? "" : "step = 1e-3\n");
}

/// Held only by a rigid floor and set-valued stick, which store no energy.
const std::string kRigid =
    "[[contacts]]\nname = \"floor\"\nnode = \"block\"\nobstacle = { type = \"plane\", normal = [0, 0, 1], "
    "gap = 0.0 }\n"
    "normal = { law = \"rigid\", restitution = 0.5 }\nfriction = { coefficient = 0.3 }\n";

TEST(EnergyAtRest, IsNoneOnARigidFloor) {
  for (const double duration : {0.1, 1.0, 100.0})
    EXPECT_EQ(runOf(kBlock + kRigid + transientTable("event", duration)).report.energyError, 0.0) << duration;
  EXPECT_EQ(runOf(kBlock + kRigid + transientTable("moreau", 1.0)).report.energyError, 0.0);
}

/// On a floor of 1e5 N/m with a dashpot, or a link with the same force; a spring carries the 3 N.
const std::string kHeld =
    "[[springs]]\nnodes = [\"block\"]\nstiffness = [5.0e3, 0, 0]\n[initial]\nequilibrium = true\n";
const std::string kFloor =
    "[[contacts]]\nname = \"floor\"\nnode = \"block\"\nobstacle = { type = \"plane\", normal = [0, 0, 1], "
    "gap = 0.0 }\n"
    "normal = { stiffness = 1.0e5, damping = 50.0 }\n";
const std::string kLink =
    "[[links]]\nname = \"floor\"\nnodes = [\"block\"]\naxis = [0, 0, 1]\nlaw = \"force_displacement\"\n"
    "displacement = [-1.0, 0.0, 1.0]\nforce = [-1.0e5, 0.0, 0.0]\n";

TEST(EnergyAtRest, IsNoneInStaticEquilibrium) {
  // kick_drift is excluded, because its springs move by the order of h^2 between two kicks.
  for (const std::string& held : {kHeld + kFloor, kHeld + kLink})
    for (const char* scheme : {"central_difference", "newmark", "rk54", "event"}) {
      if (held.ends_with(kLink) && std::string(scheme) == "event") continue;
      EXPECT_EQ(runOf(kBlock + held + transientTable(scheme, 1.0)).report.energyError, 0.0) << scheme << held;
    }
  for (const std::string& held : {kHeld + kFloor, kHeld + kLink})
    EXPECT_EQ(runOf(kBlock + held + transientTable("newmark", 1.0), true).report.energyError, 0.0) << held;
}

TEST(EnergyAtRest, HidesNoErrorOfWhatMoves) {
  // The block oscillates by 1e-9 m on its floor, with 4e-14 J: a step of a tenth of the period misses a part
  // of this energy, which is 1e-12 of the 2e-3 J in the floor, and small compared with the work of the
  // weight.
  std::string deck = kBlock +
                     "[initial]\ndisplacement = [ { node = \"block\", value = [0, 0, -2.0e-4] } ]\n"
                     "velocity = [ { node = \"block\", value = [0, 0, 2.0e-7] } ]\n" +
                     kFloor + transientTable("central_difference", 1.0);
  const auto replace = [&deck](const std::string& from, const std::string& to) {
    deck.replace(deck.find(from), from.size(), to);
  };
  replace("fixed = [\"uy\"]", "fixed = [\"ux\", \"uy\"]");
  replace("force = [3.0, 0, 0]", "force = [0, 0, 0]");
  replace(", damping = 50.0", "");
  replace("step = 1e-3", "step = 3e-3");
  const double error = runOf(deck).report.energyError;
  EXPECT_GT(error, 1e-8);
  EXPECT_LT(error, 1e-5);
}

}  // namespace
}  // namespace ricochet
