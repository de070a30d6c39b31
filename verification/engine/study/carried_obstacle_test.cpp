// Refusals of obstacles that several supports carry: an obstacle follows them only where they move alike.

#include "verification/support/refusal.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace ricochet {
namespace {

/// A mass before a wall that the supports left and right carry; left moves along x, right as `second` tells.
std::string deckOfCarriedWall(std::string_view second) {
  return fmt::format(
      "nodes = [{{ name = \"m\", position = [0, 0, 0] }}, {{ name = \"l\", position = [-1, 1, 0] }}, "
      "{{ name = \"r\", position = [-1, -1, 0] }}]\n"
      "masses = [{{ nodes = [\"m\"], mass = 1.0 }}]\n"
      "springs = [{{ nodes = [\"m\"], stiffness = [100, 0, 0] }}]\n"
      "supports = [{{ nodes = [\"m\"], fixed = [\"uy\", \"uz\"] }}, "
      "{{ name = \"left\", nodes = [\"l\"], fixed = [\"ux\", \"uy\"] }}, "
      "{{ name = \"right\", nodes = [\"r\"], fixed = [\"ux\", \"uy\"] }}]\n"
      "basis = {{ all = true }}\n"
      "functions = {{ way = {{ formula = \"0.1*t\" }}, late = {{ times = [0, 0.03, 0.03001, 0.04], "
      "values = [0, 3e-3, 4e-3, 4e-3] }} }}\n"
      "[[base_motions]]\nsupports = [\"left\"]\ndirection = [1, 0, 0]\n"
      "displacement = \"way\"\nvelocity = 0.1\nacceleration = 0.0\n"
      "{}"
      "[[contacts]]\nname = \"wall\"\nnode = \"m\"\n"
      "obstacle = {{ type = \"plane\", normal = [1, 0, 0], gap = 0.01, carried_by = [\"left\", \"right\"] "
      "}}\n"
      "normal = {{ stiffness = 1e5 }}\n"
      "[transient]\nduration = 0.04\nscheme = \"event\"\n",
      second);
}

std::string motionOfRight(std::string_view direction, std::string_view displacement, double velocity) {
  return fmt::format(
      "[[base_motions]]\nsupports = [\"right\"]\ndirection = [{}]\ndisplacement = \"{}\"\nvelocity = {}\n"
      "acceleration = 0.0\n",
      direction, displacement, velocity);
}

TEST(CarriedObstacle, FollowsSupportsThatMoveAlike) {
  EXPECT_EQ(test::problemsOfRefusedDeck(deckOfCarriedWall(motionOfRight("1, 0, 0", "way", 0.1))), "none");
}

TEST(CarriedObstacle, IsRefusedWhereSupportsMoveDifferently) {
  const std::string atRest,
      faster = motionOfRight("1.001, 0, 0", "way", 0.1), withJolt = motionOfRight("1, 0, 0", "late", 0.1),
      otherVelocity = motionOfRight("1, 0, 0", "way", 0.2),
      twice = motionOfRight("1, 0, 0", "way", 0.1) + motionOfRight("1, 0, 0", "way", 0.1);
  for (const std::string& second : {atRest, faster, withJolt, otherVelocity, twice}) {
    const std::string text = test::problemsOfRefusedDeck(deckOfCarriedWall(second));
    EXPECT_NE(text.find("contacts.wall.obstacle.carried_by: these supports move differently in ux"),
              std::string::npos)
        << text;
  }
  const std::string across = test::problemsOfRefusedDeck(
      deckOfCarriedWall(motionOfRight("1, 0, 0", "way", 0.1) + motionOfRight("0, 1, 0", "way", 0.1)));
  EXPECT_NE(across.find("these supports move differently in uy"), std::string::npos) << across;
}

}  // namespace
}  // namespace ricochet
