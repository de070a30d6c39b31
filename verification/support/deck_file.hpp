#pragma once

#include "io/deck/deck.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace ricochet::test {

/// The study of a deck with this text, written to study.toml in a folder of the running test.
inline Deck studyOf(const std::string& text) {
  const auto* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) /
      ("ricochet_" + std::string(test->test_suite_name()) + "_" + test->name());
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "study.toml") << text;
  Deck study = readDeck(folder / "study.toml");
  std::filesystem::remove_all(folder);
  return study;
}

/// Two nodes: a at the origin, b at (0, 0, 2), both with a mass.
inline constexpr const char* kTwoNodes = R"(
[[nodes]]
name = "a"
position = [0.0, 0.0, 0.0]
[[nodes]]
name = "b"
position = [0.0, 0.0, 2.0]
[[masses]]
nodes = "all"
mass = 1.0
)";

}  // namespace ricochet::test
