// The table of laws supported by schemes agrees with the behaviour of the program for decks.

#include "io/app/manual/support_matrix.hpp"

#include "engine/study/supports.hpp"
#include "io/text/input_error.hpp"
#include "verification/support/whole_models.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet {
namespace {

using test::Meeting;
using test::Part;

/// Rows of the table by their first cell, such as "friction law `lugre`".
std::map<std::string, std::vector<std::string>> rowsOf(const std::string& table) {
  std::map<std::string, std::vector<std::string>> rows;
  std::istringstream lines(table);
  for (std::string line; std::getline(lines, line) && !line.empty();) {
    if (!line.starts_with("| ")) continue;  // the line below the head
    std::vector<std::string> cells;
    std::istringstream all(line.substr(2));
    for (std::string cell; std::getline(all, cell, '|');)
      cells.push_back(
          cell.substr(cell.find_first_not_of(' ') == std::string::npos ? 0 : cell.find_first_not_of(' ')));
    for (std::string& cell : cells) cell.erase(cell.find_last_not_of(' ') + 1);
    rows[cells.front()] = {cells.begin() + 1, cells.end()};
  }
  return rows;
}

bool doesModelRunWithoutError(const Meeting& meeting) {
  try {
    test::runDeck(deckOf(meeting, {}), {});
    return true;
  } catch (const InputError&) {
    return false;
  }
}

Part partWithName(const std::vector<Part>& parts, std::string_view name) {
  for (const Part& part : parts)
    if (part.name == name) return part;
  ADD_FAILURE() << "no part " << name;
  return parts.front();
}

TEST(SupportMatrix, SaysWhatDecksMeet) {
  const auto rows = rowsOf(tableOfSchemeSupport());
  const std::vector<std::string_view> schemes = schemeKeywords();
  const std::vector<Part> normals = test::textsOfNormalLaws(), frictions = test::textsOfFrictionLaws();
  const Part penalty = partWithName(normals, "penalty"), none = partWithName(frictions, "none");
  const auto expectAlike = [&](const std::string& row, Meeting meeting) {
    const auto found = rows.find(row);
    ASSERT_NE(found, rows.end()) << row;
    for (std::size_t i = 0; i < schemes.size(); ++i) {
      meeting.scheme = schemes[i];
      meeting.duration = 1e-3;
      EXPECT_EQ(found->second[i] == "yes", doesModelRunWithoutError(meeting)) << row << ", " << schemes[i];
    }
  };
  for (const Part& friction : frictions)
    expectAlike(fmt::format("friction law `{}`", friction.name.substr(0, friction.name.find(' '))),
                {.obstacle = "plane", .normal = penalty, .friction = friction});
  for (const Part& normal : normals)
    expectAlike(
        fmt::format("normal law `{}`", normal.name),
        {.obstacle = normal.name == "imposed" ? "none" : "plane", .normal = normal, .friction = none});
  for (const std::string& obstacle : test::obstacleNames())
    if (obstacle != "none")
      expectAlike(fmt::format("obstacle `{}`", obstacle),
                  {.obstacle = obstacle, .normal = penalty, .friction = none});
}

TEST(SupportMatrix, NumbersItsReasons) {
  const std::string table = tableOfSchemeSupport();
  EXPECT_NE(table.find("| friction law `none` | yes | yes |"), std::string::npos) << table;
  EXPECT_NE(table.find("| friction law `stribeck` | along a line | yes |"), std::string::npos) << table;
  EXPECT_NE(table.find("| friction law `set_valued_stribeck` | yes | "), std::string::npos) << table;
  EXPECT_NE(table.find(": not friction whose bristles creep\n"), std::string::npos) << table;
  EXPECT_NE(table.find(": not a profile, whose normal jumps where its sides meet\n"), std::string::npos)
      << table;
}

}  // namespace
}  // namespace ricochet
