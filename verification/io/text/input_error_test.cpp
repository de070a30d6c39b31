#include "io/text/input_error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace ricochet {
namespace {

TEST(NearestName, SwapIsOneMistake) {
  EXPECT_EQ(nameDistance("stiffnses", "stiffness"), 1U);
  EXPECT_EQ(nameDistance("STIFFNESS", "stiffness"), 0U);
  EXPECT_EQ(nameDistance("", "abc"), 3U);
  EXPECT_EQ(nameDistance("kitten", "sitting"), 3U);
}

TEST(NearestName, OnlyReasonableOnesAreNamed) {
  const std::vector<std::string> names{"stiffness", "damping", "tension", "frequency_max"};
  EXPECT_EQ(nearestName("stifness", names), "stiffness");
  EXPECT_EQ(nearestName("damp", names), "damping");
  EXPECT_EQ(nearestName("Tesnion", names), "tension");
  EXPECT_EQ(nearestName("frequency", names), "frequency_max");
  EXPECT_EQ(nearestName("colour", names), "");
  EXPECT_EQ(nearestName("x", std::vector<std::string>{"y"}), "");
}

TEST(InputError, ListsEveryProblemOnceAndCounts) {
  Diagnostics diagnostics;
  diagnostics.throwInputErrorIfAny();
  diagnostics.addProblem({"d.toml", 9, 2}, "b", "bad");
  diagnostics.addProblem({"d.toml", 3, 7}, "a", "bad");
  diagnostics.addProblem({"d.toml", 9, 2}, "b", "bad");
  try {
    diagnostics.throwInputErrorIfAny();
    FAIL() << "nothing thrown";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(), "d.toml:3:7: a: bad\nd.toml:9:2: b: bad\n2 errors; nothing was written");
    EXPECT_EQ(error.problems().size(), 2U);
  }
  EXPECT_STREQ(InputError({"k.mtx", 0, 0}, "", "is empty").what(),
               "k.mtx: is empty\n1 error; nothing was written");
}

}  // namespace
}  // namespace ricochet
