// A contact with a pulling spring (`tension`) also opens where its gap opens: a mass that starts at the
// penetration d separates after a quarter of a period at the speed w d,
//
//     x = d + w d (t - pi/(2 w)),   w^2 = k/m

#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/outcome.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

namespace ricochet {
namespace {

constexpr double kDepth = 0.0036, kOpensAt = 0.0024;

double placeAtEnd(const std::string& obstacle, const std::string& tension) {
  const Deck study = test::studyOf(fmt::format(R"deck(
[[nodes]]
name = "body"
position = [0.0, 0.0, 0.0]
[[masses]]
nodes = ["body"]
mass = 1.0
[[contacts]]
name = "wall"
node = "body"
obstacle = {{ {} }}
normal = {{ stiffness = 5.0e5, tension = {} }}
[basis]
all = true
[transient]
duration = {}
scheme = "event"
[[checks]]
quantity = "displacement"
node = "body"
dof = "ux"
time = {}
reference = 0.0
absolute = 1.0
source = "asked for"
)deck",
                                               obstacle, tension, kOpensAt, kOpensAt));
  const auto simulation = prepare(study);
  return test::outcomeOf(study, *simulation).values.front();
}

TEST(TensionOpens, WhereTheGapDoes) {
  const double omega = std::sqrt(5.0e5);
  const double expected = kDepth + omega * kDepth * (kOpensAt - 0.5 * std::numbers::pi / omega);
  for (const std::string obstacle :
       {"type = \"plane\", normal = [1, 0, 0], gap = -0.0036",
        "type = \"disc\", radius = 0.02, axis = [0, 0, 1], center = [-0.0164, 0, 0]",
        "type = \"sphere\", radius = 0.02, side = \"outside\", center = [-0.0164, 0, 0]"})
    for (const std::string tension : {"true", "false"})
      EXPECT_NEAR(placeAtEnd(obstacle, tension), expected, 1e-12) << obstacle << " " << tension;
}

}  // namespace
}  // namespace ricochet
