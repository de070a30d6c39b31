// Distances to a torus against distances by hand; the properties of all obstacles are tested in conformance/.

#include "engine/contact/obstacles/torus.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace ricochet {
namespace {

TEST(TorusObstacle, MeasuresTheDistanceToItsTube) {
  const Torus ring{.ringRadius = 5.0, .radius = 1.0, .inside = false};
  // A right triangle with sides 3, 4, 5: from the centre line (0, 5, 0) to (0, 8, 4).
  const Touch<double> beyond = ring.gapAndNormal(Local<double>{0.0, 8.0, 4.0});
  EXPECT_DOUBLE_EQ(beyond.gap, 4.0);
  EXPECT_DOUBLE_EQ(beyond.normal[1], 0.6);
  EXPECT_DOUBLE_EQ(beyond.normal[2], 0.8);
  // In the hole the opposite wall is nearer: from (3, 0, 0) the nearest point of the centre line is (5, 0,
  // 0).
  const Touch<double> hole = ring.gapAndNormal(Local<double>{3.0, 0.0, 0.0});
  EXPECT_DOUBLE_EQ(hole.gap, 1.0);
  EXPECT_DOUBLE_EQ(hole.normal[0], -1.0);
}

TEST(TorusObstacle, IsFreeInsideTheTube) {
  const Torus tube{.ringRadius = 5.0, .radius = 1.0, .inside = true};
  EXPECT_DOUBLE_EQ(tube.gapAndNormal(Local<double>{5.5, 0.0, 0.0}).gap, 0.5);
  const Touch<double> out = tube.gapAndNormal(Local<double>{0.0, 5.0, -1.25});
  EXPECT_DOUBLE_EQ(out.gap, -0.25);
  EXPECT_DOUBLE_EQ(out.normal[2], 1.0);  // the normal points to the centre line
}

TEST(TorusObstacle, HasANormalWhereDistanceHasNone) {
  const Torus ring{.ringRadius = 5.0, .radius = 1.0, .inside = false};
  const Touch<double> axis = ring.gapAndNormal(Local<double>{0.0, 0.0, 0.0});
  EXPECT_DOUBLE_EQ(axis.gap, 4.0);
  EXPECT_DOUBLE_EQ(axis.normal[0], -1.0);
  const Touch<double> line = ring.gapAndNormal(Local<double>{0.0, 5.0, 0.0});
  EXPECT_DOUBLE_EQ(line.gap, -1.0);
  EXPECT_DOUBLE_EQ(line.normal[1], 1.0);
}

}  // namespace
}  // namespace ricochet
