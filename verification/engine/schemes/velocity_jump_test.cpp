// Order of the schemes with a jump of the velocity of a belt, of a carried obstacle or of a support at a
// link.

#include "verification/support/deck_file.hpp"
#include "verification/support/outcome.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

/// A mass m on a spring k and a dashpot c, under a force F; a spring and a dashpot (`stiffness`, `damping`)
/// join the mass to a body that moves at 0.02 m/s from 0.1 to 0.2 s.
struct Follower {
  double mass, spring, dashpot, force, stiffness, damping, start;

  static constexpr double kSpeed = 0.02, kBegin = 0.1, kEnd = 0.2, kDuration = 0.25;

  /// Displacement at the end, by the Runge-Kutta scheme of order 4 between the jumps.
  double displacementAtEnd() const {
    std::array<double, 3> y{start, 0.0, 0.0};  // displacement, velocity, displacement of the body
    const std::array<double, 4> ends{0.0, kBegin, kEnd, kDuration};
    for (std::size_t piece = 0; piece < 3; ++piece) {
      const double speed = piece == 1 ? kSpeed : 0.0;
      const auto rates = [&](const std::array<double, 3>& at) {
        return std::array<double, 3>{at[1],
                                     (force - spring * at[0] - dashpot * at[1] - stiffness * (at[0] - at[2]) -
                                      damping * (at[1] - speed)) /
                                         mass,
                                     speed};
      };
      constexpr int kSteps = 4000;
      const double h = (ends[piece + 1] - ends[piece]) / kSteps;
      const auto ahead = [&](const std::array<double, 3>& rate, double by) {
        std::array<double, 3> to = y;
        for (std::size_t i = 0; i < 3; ++i) to[i] += by * rate[i];
        return to;
      };
      for (int n = 0; n < kSteps; ++n) {
        const auto a = rates(y), b = rates(ahead(a, 0.5 * h)), c = rates(ahead(b, 0.5 * h)),
                   d = rates(ahead(c, h));
        for (std::size_t i = 0; i < 3; ++i) y[i] += h / 6.0 * (a[i] + 2.0 * b[i] + 2.0 * c[i] + d[i]);
      }
    }
    return y[0];
  }
};

constexpr Follower kOnBelt{1.0, 100.0, 0.2, 0.0, 2000.0, 20.0, 0.0};
constexpr Follower kOnCam{0.5, 200.0, 0.0, -20.0, 1e5, 30.0, -20.0 / 100200.0};
constexpr Follower kOnLink{2.0, 300.0, 0.0, 0.0, 4000.0, 25.0, 0.0};

/// Errors of the three displacements at the end.
std::vector<double> errorsAtEnd(const std::string& scheme, bool isDirect, double step) {
  std::string deck = fmt::format(
      "nodes = [ {{ name = \"a\", position = [0, 0, 0] }}, {{ name = \"m\", position = [0, 0, 1] }}, {{ name "
      "= "
      "\"l\", position = [0, 1, 0] }}, {{ name = \"cam\", position = [0, 0, -1] }}, {{ name = \"x\", "
      "position = "
      "[1, 0, -1] }} ]\n"
      "masses = [ {{ nodes = [\"a\", \"x\"], mass = 1.0 }}, {{ nodes = [\"m\"], mass = 0.5 }}, {{ nodes = "
      "[\"l\"], mass = 2.0 }} ]\n"
      "springs = [ {{ nodes = [\"a\"], stiffness = [100, 0, 0] }}, {{ nodes = [\"m\"], stiffness = [0, 0, "
      "200] "
      "}}, {{ nodes = [\"l\"], stiffness = [0, 0, 300] }}, {{ nodes = [\"cam\", \"x\"], stiffness = [0, 0, "
      "1000] "
      "}} ]\n"
      "dampers = [ {{ nodes = [\"a\"], damping = [0.2, 0, 0] }} ]\n"
      "supports = [ {{ name = \"lift\", nodes = [\"cam\"], fixed = [\"ux\", \"uy\", \"uz\"] }}, {{ nodes = "
      "[\"a\"], fixed = [\"uy\", \"uz\"] }}, {{ nodes = [\"m\", \"l\", \"x\"], fixed = [\"ux\", \"uy\"] }} "
      "]\n"
      "basis = {{ all = true }}\n"
      "[functions.place]\ntimes = [0, 0.1, 0.2, 1]\nvalues = [0, 0, 0.002, 0.002]\n"
      "[functions.speed]\ntimes = [0, 0.1, 0.1, 0.2, 0.2, 1]\nvalues = [0, 0, 0.02, 0.02, 0, 0]\n"
      "[[base_motions]]\ndirection = [0, 0, 1]\nsupports = [\"lift\"]\ndisplacement = \"place\"\n"
      "velocity = \"speed\"\nacceleration = 0.0\n"
      "[[loads]]\nnodes = [\"m\"]\nforce = [0, 0, -20]\n"
      "[initial]\ndisplacement = [ {{ node = \"m\", value = [0, 0, {:.17g}] }} ]\n",
      kOnCam.start);
  deck += fmt::format(
      "[[contacts]]\nname = \"belt\"\nnode = \"a\"\nobstacle = {{ type = \"none\", normal = [0, 0, 1], "
      "surface_velocity = [\"speed\", 0.0, 0.0] }}\nnormal = {{ force = 1000.0 }}\nfriction = {{ coefficient "
      "= "
      "0.5, stiffness = 2000.0, damping = 20.0 }}\n"
      "[[contacts]]\nname = \"cam\"\nnode = \"m\"\nobstacle = {{ type = \"plane\", normal = [0, 0, 1], gap = "
      "0.0, carried_by = [\"lift\"] }}\nnormal = {{ stiffness = 1e5, damping = 30.0 }}\n"
      "[[links]]\nname = \"tie\"\nnodes = [\"l\", \"cam\"]\naxis = [0, 0, 1]\nlaw = \"force\"\nformula = "
      "\"4000*x + 25*v\"\n[transient]\nduration = 0.25\nscheme = \"{0}\"\nstep = {1:.17g}\n[direct]\nscheme "
      "= \"{2}\"\nstep = {1:.17g}\n",
      isDirect ? "newmark" : scheme, step, isDirect ? scheme : "newmark");
  for (const auto& [node, dof] : {std::pair{"a", "ux"}, std::pair{"m", "uz"}, std::pair{"l", "uz"}})
    deck += fmt::format(
        "[[checks]]\nquantity = \"displacement\"\nnode = \"{}\"\ndof = \"{}\"\ntime = 0.25\nreference = 0.0\n"
        "absolute = 1.0\nmode = \"{}\"\n",
        node, dof, isDirect ? "direct" : "modal");
  const Deck study = test::studyOf(deck);
  std::vector<double> found =
      test::outcomeOf(study, isDirect ? *prepareDirectSimulation(study) : *prepare(study)).values;
  found.at(0) -= kOnBelt.displacementAtEnd();
  found.at(1) -= kOnCam.displacementAtEnd();
  found.at(2) -= kOnLink.displacementAtEnd();
  return found;
}

class VelocityJump : public testing::TestWithParam<const char*> {};

TEST_P(VelocityJump, LeavesTheOrderOfASchemeAtTwo) {
  const std::string name = GetParam();
  const bool isDirect = name.starts_with("direct ");
  const std::string scheme = isDirect ? name.substr(7) : name;
  const std::vector<double> coarse = errorsAtEnd(scheme, isDirect, 2e-4),
                            fine = errorsAtEnd(scheme, isDirect, 1e-4);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_LT(std::abs(fine[i]), 2e-7) << i;
    EXPECT_GT(std::abs(coarse[i]), 3.3 * std::abs(fine[i])) << i << ": " << coarse[i] << ", " << fine[i];
  }
}

INSTANTIATE_TEST_SUITE_P(Schemes, VelocityJump,
                         testing::Values("kick_drift", "central_difference", "newmark", "hht", "devogelaere",
                                         "direct newmark", "direct central_difference"));

}  // namespace
}  // namespace ricochet
