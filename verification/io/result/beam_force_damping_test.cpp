// `ricochet restore --fields beam_force` where supports move and Rayleigh damping acts.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

namespace ricochet {
namespace {

constexpr int kElementsOfBeam = 4;

/// A clamped beam in its static mode, the left end of which moves across it by 0.01 t.
std::string movingClampDeck(const std::string& rayleigh, const std::string& velocity,
                            const std::string& contact) {
  return "nodes = [{ name = \"A\", position = [0, 0, 0] }, { name = \"B\", position = [1, 0, 0] }]\n"
         "materials.s = { young = 2e11, poisson = 0.3, density = 8000 }\n"
         "sections.c = { type = \"circle\", radius = 0.01 }\n"
         "basis = { all = true, rayleigh = " +
         rayleigh +
         " }\n"
         "functions.d = { formula = \"0.01*t\" }\n"
         "transient = { duration = 1.0 }\noutput = { interval = 0.5 }\n"
         "[[beams]]\nname = \"ab\"\nnodes = [\"A\", \"B\"]\nelements = 4\nmaterial = \"s\"\nsection = \"c\"\n"
         "theory = \"euler_bernoulli\"\n"
         "[[supports]]\nname = \"left\"\nnodes = [\"A\"]\nfixed = \"all\"\n"
         "[[supports]]\nnodes = [\"B\"]\nfixed = \"all\"\n"
         "[[base_motions]]\ndirection = [0, 1, 0]\nsupports = [\"left\"]\nacceleration = 0.0\n"
         "displacement = \"d\"\n" +
         velocity + contact;
}

const std::string kUntouchedStop =
    "[[contacts]]\nname = \"stop\"\nnode = \"ab.2\"\n"
    "obstacle = { type = \"plane\", normal = [0, 1, 0], gap = 1.0 }\nnormal = { stiffness = 1e5 }\n";

TEST(DampedBeamForce, IsThatOfTheStaticModeInEveryElement) {
  constexpr double kPi = std::numbers::pi, kBending = 2e11 * kPi * 1e-8 / 4.0;  // E I
  for (const std::string& contact : {std::string{}, kUntouchedStop})
    for (const auto& [rayleigh, b] : {std::pair{"{ stiffness = 1e-3 }", 1e-3},
                                      {"{ mass = 50 }", 0.0},
                                      {"{ mass = 50, stiffness = 1e-3 }", 1e-3}}) {
      const test::ScratchFolder folder;
      folder.write("beam.toml", movingClampDeck(rayleigh, "velocity = 0.01\n", contact));
      EXPECT_EQ(folder.ricochet("run beam.toml -q").status, 0);
      EXPECT_EQ(folder.ricochet("restore beam.h5 --fields beam_force").status, 0);
      const auto forces = H5File::open(folder.path() / "beam-restored.h5").readAny("/beams/force");
      for (std::size_t instant = 0; instant < 3; ++instant)
        for (std::size_t element = 0; element < kElementsOfBeam; ++element) {
          const double s = 0.005 * static_cast<double>(instant);
          EXPECT_NEAR(forces.values[(instant * kElementsOfBeam + element) * 12 + 1],
                      -12.0 * kBending * (s + b * 0.01), 1e-6)
              << rayleigh << contact << instant << ' ' << element;
        }
    }
}

TEST(DampedBeamForce, NeedsTheVelocityOfSupports) {
  const test::ScratchFolder folder;
  folder.write("beam.toml", movingClampDeck("{ stiffness = 1e-3 }", "", ""));
  EXPECT_EQ(folder.ricochet("run beam.toml -q").status, 0);
  const test::CommandOutcome outcome = folder.ricochet("restore beam.h5 --fields beam_force");
  EXPECT_EQ(outcome.status, 2);
  EXPECT_THAT(outcome.output, testing::HasSubstr("need the `velocity` of these beside `rayleigh.stiffness`"));
  EXPECT_EQ(folder.ricochet("restore beam.h5 -f --fields beam_elastic_force").status, 0);
}

}  // namespace
}  // namespace ricochet
