// Zener damper at any amplitude with event: s = C |e'|^alpha keeps its form if displacements are multiplied
// by a and C by a^(1 - alpha), so that the motion is multiplied by a.

#include "engine/links/zener.hpp"
#include "engine/study/run.hpp"
#include "engine/study/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace ricochet {
namespace {

/// Displacements of 1 kg on 1000 N/m and the damper, which starts at 0.1 m times `scale`.
std::vector<double> motionOf(double scale, double exponent) {
  Study study;
  const NodeIndex node = study.addNode("m");
  study.addMass({node}, 1.0);
  study.addSpring(node, {1.0e3, 0.0, 0.0});
  study.fix({node}, {Component::uy, Component::uz});
  study.initialDisplacement.push_back({node, {0.1 * scale}});
  LinkRequest damper;
  damper.name = "damper";
  damper.first = node;
  damper.axes = {{1.0}};
  damper.law = Zener{.flexibility1 = 1.0 / 2.0e3,
                     .stiffness2 = 500.0,
                     .flexibility3 = 1.0e-3,
                     .damping = 20.0 * std::pow(scale, 1.0 - exponent),
                     .exponent = exponent};
  study.links.push_back(damper);
  study.transient.emplace();
  study.transient->duration = 1.0;
  study.transient->scheme = "event";
  RunChoice choice;
  for (int i = 0; i <= 20; ++i) choice.archiveTimes.push_back(0.05 * i);
  const Result result = run(study, choice);
  EXPECT_EQ(result.report().status, RunStatus::complete);
  std::vector<double> motion = result.displacement(node, Component::ux);
  for (double& x : motion) x /= scale;
  return motion;
}

/// If 1/alpha is even, each sign of s is another piece of the law.
TEST(ZenerScale, MotionIsProportionalToItsAmplitude) {
  for (const double exponent : {0.5, 0.25, 1.0 / 3.0}) {
    const std::vector<double> large = motionOf(1.0, exponent);
    for (const double scale : {1e-5, 1e-9}) {
      const std::vector<double> small = motionOf(scale, exponent);
      ASSERT_EQ(small.size(), large.size());
      for (std::size_t i = 0; i < large.size(); ++i)
        EXPECT_NEAR(small[i], large[i], 1e-12) << exponent << " " << scale << " " << i;
    }
  }
}

}  // namespace
}  // namespace ricochet
