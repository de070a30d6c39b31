// `ricochet patch`: output about a contact area on the terminal and in files.

#include "verification/support/patches.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

TEST(PatchCommand, PrintsMomentsCoefficientsAndErrors) {
  const ScratchFolder folder;
  const CommandOutcome disc = folder.ricochet("patch --shape disc");
  EXPECT_EQ(disc.status, 0) << disc.output;
  // friction.md sections 2 and 3: M0 = 2/3, a1 = a2 = 1/8, m1 = 9/32, m2 = 3/4; errors to four places.
  for (const char* text : {"0.666666666667 m", "a1  0.125 m", "m1  0.28125 1/m", "m2  0.75 1/m^2", "0.23612",
                           "0.14529", "0.35809", "0.26649", "0.02952", "0.02712", "0.848826"})
    EXPECT_THAT(disc.output, HasSubstr(text));
  // A rectangle of twice the size, 45 deg to its sides: M0 = 2 x 0.593233416069, a1 = 2 x 0.1253155794.
  const CommandOutcome rectangle = folder.ricochet("patch --shape rectangle --half-sides 2 1 --direction 45");
  EXPECT_EQ(rectangle.status, 0) << rectangle.output;
  for (const char* text : {"1.18646683214 m", "a1  0.2506311", "0.20736"})
    EXPECT_THAT(rectangle.output, HasSubstr(text));
}

TEST(PatchCommand, TakesMomentsAndCoefficients) {
  const ScratchFolder folder;
  const CommandOutcome moments = folder.ricochet("patch --moments 1 0.5 0.5 --coefficients 0.1 0.2 0.3 0.4");
  EXPECT_EQ(moments.status, 0) << moments.output;
  EXPECT_THAT(moments.output, HasSubstr("a2  0.2 m^2"));
  EXPECT_THAT(moments.output, testing::Not(HasSubstr("exact")));
}

TEST(PatchCommand, WritesATable) {
  const ScratchFolder folder;
  const CommandOutcome outcome =
      folder.ricochet("patch --shape ring --models exact pade --points 41 --csv ring.csv");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  std::istringstream text(test::readText(folder.path() / "ring.csv"));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "omega L/V,exact X,exact Y,exact M/L,pade X,pade Y,pade M/L");
  int rows = 0;
  for (; std::getline(text, line); ++rows) {
    if (rows != 20) continue;
    double u = 0.0, X = 0.0, Y = 0.0, M = 0.0;
    char comma = ' ';
    std::istringstream(line) >> u >> comma >> X >> comma >> Y >> comma >> M;
    EXPECT_NEAR(u, 1.0, 1e-14);  // V = omega R: X = M = 2/pi
    EXPECT_NEAR(X, 2.0 / std::numbers::pi, 1e-13);
    EXPECT_EQ(Y, 0.0);
    EXPECT_NEAR(M, 2.0 / std::numbers::pi, 1e-13);
  }
  EXPECT_EQ(rows, 41);
}

TEST(PatchCommand, DrawsTheCurves) {
  if (test::runShell("gnuplot --version").status != 0) GTEST_SKIP() << "no gnuplot";
  const ScratchFolder folder;
  const CommandOutcome outcome =
      folder.ricochet("patch --shape ellipse --half-sides 1 0.5 --pressure hertz -o e.svg -t Hertz");
  ASSERT_EQ(outcome.status, 0) << outcome.output;
  const std::string picture = test::readText(folder.path() / "e.svg");
  for (const char* text : {"<svg", "Hertz", "linear_fractional", "omega L/V"})
    EXPECT_THAT(picture, HasSubstr(text));
  EXPECT_EQ(folder.ricochet("patch --shape disc -o e.bmp").status, 2);
}

TEST(PatchCommand, RefusesWhatIsNoPatch) {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& arguments, const char* text) {
    const CommandOutcome outcome = folder.ricochet("patch " + arguments);
    EXPECT_EQ(outcome.status, 2) << arguments;
    EXPECT_THAT(outcome.output, HasSubstr(text));
  };
  refused("", "--shape or --moments");
  refused("--shape dics", "half_disc");
  refused("--shape disc --pressure hertzz", "punch");
  refused("--shape disc --radius 0", "radius must be positive");
  refused("--shape ring --pressure linear --gradient 0.1 0", "linear pressure needs");
  refused("--shape polygon --vertices 0 0 1 0 1", "pairs");
  refused("--shape disc --models pad", "pade");
  refused("--moments 1 0.5 0.5 --models exact", "needs a shape");
  refused("--moments 0.1 1 1", "not convex");
  refused("--shape disc --coefficients -1 1 1 1", "power");
}

}  // namespace
}  // namespace ricochet
