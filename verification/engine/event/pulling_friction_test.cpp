// A contact with a pulling dashpot (`tension`) has no friction while N < 0: |T| <= mu max(N, 0).
//
// A body of 1 kg on a spring of 2000 N/m along x is under -1000 + 900 sin(250 t) N along y at a wall:
//
//     y'' = N + F(t),   N = -k y - c y'
//     x'' = T - 2000 x
//
// The body starts in the wall with a separation rate that makes N < 0, N is positive from 8.1375 ms on, the
// body sticks, slips, and N is negative again from 30.817 to 35.415 ms. The positions at 50 ms are those of
// SciPy (DOP853, rtol 1e-12), with phases that end at located roots of N, of the cone and of the slip.

#include "io/prepare/prepare.hpp"
#include "verification/support/deck_file.hpp"
#include "verification/support/outcome.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

namespace ricochet {
namespace {

struct Stick {
  std::string keys;  ///< stiffness and damping of the stick
  double place;      ///< position along x at the end [m]
};

const Stick kElastic{", stiffness = 5.0e4, damping = 0.0", 0.00387533647780876};
const Stick kDamped{", stiffness = 5.0e4, damping = 40.0", 0.00570500300221716};
const Stick kTrue{"", 0.0114725270802851};

double placeAtEnd(const Stick& stick, const std::string& scheme) {
  const Deck study = test::studyOf(fmt::format(R"deck(
[[nodes]]
name = "ground"
position = [-1.0, 0.0, 0.0]
[[nodes]]
name = "body"
position = [0.0, 0.0, 0.0]
[[masses]]
nodes = ["body"]
mass = 1.0
[[springs]]
nodes = ["ground", "body"]
stiffness = [2000.0, 0.0, 0.0]
[[supports]]
nodes = ["ground"]
fixed = ["ux", "uy", "uz"]
[[supports]]
nodes = ["body"]
fixed = ["uz"]
[[contacts]]
name = "wall"
node = "body"
obstacle = {{ type = "plane", normal = [0, 1, 0], gap = 0.0 }}
normal = {{ stiffness = 1.0e5, damping = 400.0, tension = true }}
friction = {{ static = 0.4, dynamic = 0.3{} }}
[functions]
push = {{ formula = "-1000 + 900*sin(250*t)" }}
[[loads]]
nodes = ["body"]
force = [0.0, 1.0, 0.0]
scale = "push"
[initial]
displacement = [{{ node = "body", value = [0.0, -0.012, 0.0] }}]
velocity = [{{ node = "body", value = [1.0, 4.0, 0.0] }}]
[basis]
all = true
[transient]
duration = 0.05
{}
[[checks]]
quantity = "displacement"
node = "body"
dof = "ux"
time = 0.05
reference = 0.0
absolute = 1.0
source = "asked for"
)deck",
                                               stick.keys, scheme));
  const auto simulation = prepare(study);
  return test::outcomeOf(study, *simulation).values.front();
}

TEST(PullingFriction, EventFollowsIt) {
  for (const Stick& stick : {kElastic, kDamped, kTrue})
    EXPECT_NEAR(placeAtEnd(stick, "scheme = \"event\""), stick.place, 1e-12) << stick.keys;
}

TEST(PullingFriction, StepsConverge) {
  for (const std::string scheme : {"kick_drift", "newmark"})
    for (const Stick& stick : {kElastic, kDamped})
      EXPECT_NEAR(placeAtEnd(stick, "scheme = \"" + scheme + "\"\nstep = 2.0e-6"), stick.place, 1e-7)
          << scheme << stick.keys;
  for (const Stick& stick : {kElastic, kDamped, kTrue})
    EXPECT_NEAR(placeAtEnd(stick, "scheme = \"moreau\"\nstep = 2.0e-6"), stick.place, 1e-6) << stick.keys;
}

}  // namespace
}  // namespace ricochet
