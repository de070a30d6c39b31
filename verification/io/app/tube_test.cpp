#include "io/app/runs/run_study.hpp"
#include "io/deck/deck.hpp"
#include "io/prepare/prepare.hpp"
#include "verification/support/table.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <filesystem>
#include <vector>

namespace ricochet {
namespace {

/// The tube of verification/cases/tube.toml compared with the result of another code with the same elements
/// and the same scheme.
Deck tube() { return readDeck(std::filesystem::path(RICOCHET_CASES_DIR) / "tube.toml"); }

TEST(Tube, FiftyFrequenciesAreThoseOfTheOtherCode) {
  Deck study = tube();
  study.basis.selection.modes = 50;
  const Vector found = computeModalBasisOfStudy(study, assembleStudy(study)).frequency();
  int seen = 0;
  for (const test::TableRow& row : test::readTable("tube_frequencies.csv", 0)) {
    const double expected = row.numbers[1];
    // Rounding of a stiffness of 400 elements: a few times 400^4 times 1e-16.
    EXPECT_NEAR(found[seen], expected, 1e-6 * expected) << row.numbers[0];
    ++seen;
  }
  EXPECT_EQ(seen, 50);
}

TEST(Tube, HistoryWithoutContactsIsThatOfTheOtherCode) {
  Deck study = tube();
  std::vector<CheckRequest> checks;
  const std::array<const char*, 3> nodes{"tube.137", "tube.200", "tube.332"};
  for (const test::TableRow& row : test::readTable("tube_history.csv", 0))
    for (std::size_t column = 0; column < 6; ++column) {
      CheckRequest& check = checks.emplace_back();
      check.quantity = findCheckQuantity("displacement");
      for (int i = 0; i < static_cast<int>(study.nodes.size()); ++i)
        if (study.nodes[static_cast<std::size_t>(i)].name == nodes[column / 2]) check.node = NodeIndex{i};
      check.dof = column % 2 == 0 ? Component::uy : Component::uz;
      check.time = std::min(row.numbers[0], 1.0);
      check.reference = row.numbers[column + 1];
      check.absolute = 1e-8;  // of 1e-2 m
    }
  ASSERT_EQ(checks.size(), 6U * 51U);
  study.checks = checks;
  const RunSummary summary =
      runStudy(study, *prepare(study), {.result = {}, .force = false, .progress = false});
  EXPECT_TRUE(summary.haveAllChecksPassed()) << formatChecks(summary.checks);
}

}  // namespace
}  // namespace ricochet
