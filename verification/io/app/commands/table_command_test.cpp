// `table` of results that hold several runs, or no contacts.

#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

/// The numbers below the line of names of a table.
std::vector<std::vector<double>> rowsOfTable(const std::string& csv) {
  std::vector<std::vector<double>> rows;
  std::istringstream lines(csv);
  std::string line, cell;
  std::getline(lines, line);
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    for (rows.emplace_back(); std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
  }
  return rows;
}

/// The steps of two runs are summed up in other ways, so that their instants differ by rounding. Both runs
/// start 10 mm from rest.
TEST(TableCommand, TableOfAComparisonHasBothRuns) {
  const ScratchFolder folder;
  const std::string deck =
      "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
      "[[springs]]\nnodes = [\"m\"]\nstiffness = [100, 200, 300]\n"
      "[initial]\ndisplacement = [ { node = \"m\", value = [0.01, 0, 0] } ]\n[transient]\nduration = 1.0\n";
  folder.write("even.toml", deck + "[output]\ninterval = 0.1\n");
  ASSERT_EQ(folder.ricochet("compare even.toml -q --quick").status, 0);
  const CommandOutcome table = folder.ricochet("table even.h5 'displacement(m, ux)'");
  ASSERT_EQ(table.status, 0) << table.output;
  const auto rows = rowsOfTable(table.output);
  ASSERT_EQ(rows.size(), 11u);
  for (const auto& row : rows)
    for (const std::size_t run : {1u, 2u}) EXPECT_NEAR(row.at(run), 0.01 * std::cos(10.0 * row[0]), 1e-5);

  folder.write("own.toml",  // with rows at events of one run
               deck +
                   "scheme = \"event\"\n[[supports]]\nnodes = [\"m\"]\nfixed = [\"uy\", \"uz\"]\n"
                   "[[contacts]]\nname = \"stop\"\nnode = \"m\"\nnormal = { stiffness = 1e5 }\n"
                   "obstacle = { type = \"plane\", normal = [1, 0, 0], gap = 0.005 }\n");
  ASSERT_EQ(folder.ricochet("compare own.toml -q --quick").status, 0);
  const CommandOutcome own = folder.ricochet("table own.h5 'displacement(m, ux)'");
  EXPECT_EQ(own.status, 2);
  EXPECT_THAT(own.output, HasSubstr("both runs have those that [output] interval or times of the deck give"));
}

/// A restored file holds no contacts, whatever its deck has.
TEST(TableCommand, RestoredHistoriesHaveNoContact) {
  const ScratchFolder folder;
  folder.write("free.toml", test::bouncer(0.01));
  ASSERT_EQ(folder.ricochet("run free.toml -q").status, 0);
  ASSERT_EQ(folder.ricochet("restore free.h5 -q -o restored.h5").status, 0);
  EXPECT_THAT(folder.ricochet("table restored.h5 'gap(stops)'").output,
              HasSubstr("no contact \"stops\"; there is none"));
}

}  // namespace
}  // namespace ricochet
