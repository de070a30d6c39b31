// The advice about impacts with a basis with residual vectors, compared with the errors of such bases.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;
using testing::Not;

/// A pinned tube of 2 m that touches a stop at 0.8 m and moves towards it in its first mode.
std::string struckTube(int modes, double stiffness, double duration) {
  std::string deck =
      "[[nodes]]\nname = \"left\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"right\"\nposition = [2, 0, 0]\n"
      "[materials.steel]\nyoung = 2.1e11\npoisson = 0.3\ndensity = 7800\n"
      "[sections.tube]\ntype = \"tube\"\nouter_radius = 0.01\nthickness = 0.0012\n"
      "[[beams]]\nname = \"tube\"\nnodes = [\"left\", \"right\"]\nelements = 200\nmaterial = \"steel\"\n"
      "section = \"tube\"\ntheory = \"euler_bernoulli\"\n"
      "[[supports]]\nnodes = \"all\"\nfixed = [\"ux\", \"rx\", \"uz\", \"ry\"]\n"
      "[[supports]]\nnodes = [\"left\", \"right\"]\nfixed = [\"uy\"]\n";
  deck += fmt::format("[basis]\nmodes = {}\nresidual = \"contacts\"\n", modes);
  deck += "[initial]\nvelocity = [\n";
  for (int i = 1; i < 200; ++i)
    deck += fmt::format("  {{ node = \"tube.{}\", value = [0, {:.17g}, 0, 0, 0, {:.17g}] }},\n", i,
                        std::sin(M_PI * i / 200.0), 0.5 * M_PI * std::cos(M_PI * i / 200.0));
  deck += fmt::format(
      "]\n[[contacts]]\nname = \"stop\"\nnode = \"tube.80\"\n"
      "obstacle = {{ type = \"plane\", normal = [0, -1, 0], gap = 0.0 }}\nnormal = {{ stiffness = {} }}\n"
      "[transient]\nduration = {}\nscheme = \"event\"\n",
      stiffness, duration);
  return deck;
}

class ResidualImpact : public testing::Test {
 protected:
  /// Largest force of the contact, and the advice of `check`.
  std::pair<double, std::string> peakAndAdvice(const std::string& deck) {
    folder_.write("tube.toml", deck);
    const std::string said = folder_.ricochet("check tube.toml").output;
    EXPECT_EQ(folder_.ricochet("run tube.toml -q --force").status, 0);
    const H5File file = H5File::open(folder_.path() / "tube.h5");
    return {file.numberAttribute("/contacts/stop", "peak_force"), said};
  }
  ScratchFolder folder_;
};

// Largest forces of the first impact: 1500 modes sin(n pi x / L) of a pinned beam and the spring, by the
// eigenvectors of Omega^2 + k phi phi^t (NumPy); 700 modes differ by 1e-6.
constexpr double kOfSoftStop = 357.70745, kOfHardStop = 771.43305;

/// With 60 modes, 2e-4 of the flexibility of a spring of 1e6 N/m is missing, and 2e-3 of a spring of 1e7 N/m.
TEST_F(ResidualImpact, ManyModesAreEnoughAndCheckSaysNothing) {
  const auto [soft, ofSoft] = peakAndAdvice(struckTube(60, 1e6, 0.004));
  EXPECT_NEAR(soft / kOfSoftStop, 1.0, 1e-3);
  EXPECT_THAT(ofSoft, Not(HasSubstr("forces of impacts")));
  const auto [hard, ofHard] = peakAndAdvice(struckTube(60, 1e7, 0.0012));
  EXPECT_NEAR(hard / kOfHardStop, 1.0, 3e-3);
  EXPECT_THAT(ofHard, Not(HasSubstr("forces of impacts")));
}

/// With six modes, 1.32 of the flexibility of a spring of 1e7 N/m is missing: the truncation indicator at
/// rest is rounding.
TEST_F(ResidualImpact, FewModesAreNotAndCheckSaysSo) {
  const auto [peak, advice] = peakAndAdvice(struckTube(6, 1e7, 0.0012));
  EXPECT_THAT(advice,
              HasSubstr("look at   contact stop: the modes leave out 1.32 of the flexibility of its spring"));
  EXPECT_THAT(advice, HasSubstr("can err by up to 57 %"));
  const double error = std::abs(peak / kOfHardStop - 1.0);
  EXPECT_GT(error, 0.1);
  EXPECT_LT(error, 0.57);
}

/// The same six modes suffice for a stop that is softer by a factor of 100.
TEST_F(ResidualImpact, AFewModesAreEnoughForASoftStop) {
  folder_.write("tube.toml", struckTube(6, 1e5, 0.004));
  EXPECT_THAT(folder_.ricochet("check tube.toml").output, Not(HasSubstr("forces of impacts")));
}

}  // namespace
}  // namespace ricochet
