#pragma once

#include "verification/support/drawn_svg.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet::test {

/// gnuplot rounds positions to a hundredth of a dot.
inline constexpr double kDotRounding = 0.015;

/// Draws pictures in a temporary folder and records the commands that gnuplot receives.
class PlotPicture : public ::testing::Test {
 protected:
  void SetUp() override {
    if (runShell("command -v gnuplot").status != 0) GTEST_SKIP() << "no gnuplot";
  }

  CommandOutcome command(const std::string& line, int status = 0) const {
    CommandOutcome outcome = folder_.ricochet(line);
    EXPECT_EQ(outcome.status, status) << line << "\n" << outcome.output;
    return outcome;
  }
  std::string text(const std::string& name) const { return readText(folder_.path() / name); }
  DrawnSvg picture(const std::string& name) const { return DrawnSvg(text(name)); }

  /// Replaces gnuplot by a program that stores its input and fails.
  std::string gnuplotInputOf(const std::string& arguments) const {
    folder_.write("gnuplot", "#!/bin/sh\ncat > told\nexit 1\n");
    std::filesystem::permissions(folder_.path() / "gnuplot", std::filesystem::perms::owner_all);
    const CommandOutcome plot = runShell(fmt::format(
        "cd '{}' && PATH=\"$PWD:$PATH\" '" RICOCHET_PROGRAM "' plot {}", folder_.path().string(), arguments));
    EXPECT_EQ(plot.status, 2) << plot.output;
    return text("told");
  }

  ScratchFolder folder_;
};

/// The cells or dots of the first curve of each panel in the input of gnuplot: rows of numbers.
inline std::vector<std::vector<double>> rowsOf(const std::string& told) {
  std::istringstream stream(told);
  std::string line;
  std::vector<std::vector<double>> rows;
  for (bool isData = false; std::getline(stream, line);) {
    const bool begins = line.starts_with("plot ");
    if (isData && !begins && line != "e") {
      std::istringstream numbers(line);
      rows.emplace_back();
      for (double number = 0.0; numbers >> number;) rows.back().push_back(number);
    }
    isData = begins || (isData && line != "e");
  }
  return rows;
}

}  // namespace ricochet::test
