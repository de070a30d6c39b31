#include "io/app/runs/run_study.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

namespace ricochet {
namespace {

Deck disc() { return readDeck(std::filesystem::path(RICOCHET_CASES_DIR) / "rotor-disc.toml"); }

/// Error of uy at the end of the direct run [m].
double errorOfDirectRun(double step) {
  Deck study = disc();
  std::erase_if(study.checks, [](const CheckRequest& c) {
    return c.quantity->keyword != "displacement" || c.dof != Component::uy || *c.time < 0.1;
  });
  study.checks.front().direct = true;
  study.direct.step = step;
  const RunSummary summary =
      runStudy(study, *prepareDirectSimulation(study), {.result = {}, .force = false, .progress = false});
  return *summary.checks.at(0).differenceFromReference();
}

TEST(RotorStudy, DirectRunConvergesToTheSameMotion) {
  // Newmark is of second order with the unsymmetric matrix of a step.
  const double coarse = errorOfDirectRun(5.0e-5);
  const double fine = errorOfDirectRun(2.5e-5);
  EXPECT_LT(std::abs(fine), 1e-7);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.05);
}

TEST(RotorStudy, SchemesThatFeedWhirlsSaySo) {
  for (const std::string scheme :
       {"symplectic_euler", "devogelaere", "event", "central_difference", "newmark"}) {
    Deck study = disc();
    study.transient->scheme = scheme;
    const auto simulation = prepare(study);
    const bool warned = std::any_of(simulation->warnings.begin(), simulation->warnings.end(),
                                    [](const auto& w) { return w.find("gyroscopic") != std::string::npos; });
    EXPECT_EQ(warned, scheme == "symplectic_euler" || scheme == "devogelaere") << scheme;
  }
}

/// Outcome for a body whose dashpot has `rx_ry` and `ry_rx`, in a frame that rotates along `direction`.
std::string problemOfTurningFrame(double rxRy, double ryRx, const std::string& direction) {
  const std::string matrix = fmt::format(
      "[[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,0,0,0],[0,0,0,1,{},0],[0,0,0,{},1,0],[0,0,0,0,0,1]]", rxRy, ryRx);
  try {
    prepare(
        test::studyOf("nodes = [{ name = \"a\", position = [0, 0, 0] }]\n"
                      "masses = [{ nodes = \"a\", mass = 1, inertia = [1, 1, 2, 0, 0, 0] }]\n"
                      "springs = [{ nodes = \"a\", stiffness = [9, 9, 9, 9, 9, 9] }]\n"
                      "dampers = [{ nodes = \"a\", matrix = " +
                      matrix + " }]\n[[base_motions]]\ndirection = " + direction +
                      "\nacceleration = 1.0\nvelocity = 1.0\n[transient]\nduration = 1\n"));
  } catch (const std::exception& error) {
    return error.what();
  }
  return "none";
}

/// Gyroscopic moments follow the absolute rotation, moments of a bearing the relative rotation: a matrix
/// alone does not show which of the two it describes, unless the frame rotates about the axis of the spin or
/// the matrix is symmetric.
TEST(RotorStudy, AFrameDoesNotTurnBesideMomentsOfUnknownOrigin) {
  EXPECT_THAT(problemOfTurningFrame(5.0, -5.0, "[0, 0, 0, 1, 0, 0]"),
              testing::HasSubstr("base_motions.direction: turns a frame beside a damping matrix"));
  EXPECT_EQ(problemOfTurningFrame(0.5, 0.5, "[0, 0, 0, 1, 0, 0]"), "none");
  EXPECT_EQ(problemOfTurningFrame(5.0, -5.0, "[0, 0, 0, 0, 0, 1]"), "none");
  EXPECT_EQ(problemOfTurningFrame(5.0, -5.0, "[1, 0, 0]"), "none");
}

}  // namespace
}  // namespace ricochet
