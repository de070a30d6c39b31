// What a result takes on the disk beside its numbers.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <numeric>
#include <set>
#include <string>

namespace ricochet {
namespace {

/// Bytes of the numbers of a contact in a row: gap, normal force, tangential force, slip velocity, position,
/// state.
constexpr double kContactRowBytes = 9 * 8 + 1;

class ResultSize : public testing::Test {
 protected:
  /// Runs a deck and returns the size of its result.
  double sizeOf(const std::string& deck) const {
    folder_.write("run.toml", deck);
    const test::CommandOutcome outcome = folder_.ricochet("run run.toml -f");
    EXPECT_EQ(outcome.status, 0) << outcome.output;
    return static_cast<double>(std::filesystem::file_size(resultFile()));
  }
  std::filesystem::path resultFile() const { return folder_.path() / "run.h5"; }

  /// Bytes of a further contact beside its numbers.
  template <class DeckOf>
  double bytesPerContact(DeckOf&& deckOf, int rows) const {
    constexpr int kFew = 20, kMore = 60;
    const double few = sizeOf(deckOf(kFew, rows)), more = sizeOf(deckOf(kMore, rows));
    EXPECT_EQ(H5File::open(resultFile()).rows("/contacts/c7/gap"), static_cast<std::size_t>(rows));
    return (more - few) / (kMore - kFew) - rows * kContactRowBytes;
  }

  test::ScratchFolder folder_;
};

std::string runOfRows(int rows) {
  return fmt::format(
      "[transient]\nduration = {}\nscheme = \"kick_drift\"\nstep = 1e-5\n[output]\ninterval = 1e-4\n",
      (rows - 1) * 1e-4);
}

std::string ball(const std::string& velocity) {
  return "[[nodes]]\nname = \"ball\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"ball\"]\nmass = 5.0\n"
         "[basis]\nall = true\n[initial]\nvelocity = [ { node = \"ball\", value = " +
         velocity + " } ]\n";
}

/// Rough planes that a ball slides over, each at a slope of its own: no two histories are equal.
std::string deckWithDifferentContacts(int contacts, int rows) {
  std::string deck = ball("[1, 0.5, -1]") + runOfRows(rows);
  for (int i = 0; i < contacts; ++i)
    deck += fmt::format(
        "[[contacts]]\nname = \"c{}\"\nnode = \"ball\"\nobstacle = {{ type = \"plane\", normal = [0.01, {}, "
        "1],"
        " gap = {} }}\nnormal = {{ stiffness = 1e3 }}\nfriction = {{ coefficient = 0.3, stiffness = 1e3 }}\n",
        i, 1e-4 * (i + 1), -1e-3 - 1e-6 * i);
  return deck;
}

/// Guards around a ball that it does not reach, one as far away as the other.
std::string deckWithOpenContacts(int contacts, int rows) {
  std::string deck = ball("[0, 0, 1e-3]") + runOfRows(rows);
  for (int i = 0; i < contacts; ++i)
    deck += fmt::format(
        "[[contacts]]\nname = \"c{}\"\nnode = \"ball\"\nobstacle = {{ type = \"plane\", normal = [0, 0, 1],"
        " gap = 1 }}\nnormal = {{ stiffness = 1e3 }}\nfriction = {{ coefficient = 0.3, stiffness = 1e3 }}\n",
        i);
  return deck;
}

TEST_F(ResultSize, IsSmallForFewRows) { EXPECT_LE(sizeOf(deckWithDifferentContacts(1, 36)), 60e3); }

TEST_F(ResultSize, GrowsByHeadersOfFurtherContacts) {
  for (const int rows : {2, 36}) {
    // A header of six datasets, each with its unit, name and axes, and of a group with laws and totals.
    EXPECT_LE(bytesPerContact(deckWithDifferentContacts, rows), 3900.0) << rows;
    // What is equal is written once, and takes less than its numbers.
    EXPECT_LE(bytesPerContact(deckWithOpenContacts, rows), 1650.0) << rows;
  }
}

/// Bytes of the values of all datasets; what has several paths counts once.
double bytesOfNumbers(const H5File& file, const std::string& group, std::set<std::uint64_t>& seen) {
  double bytes = 0.0;
  for (const std::string& name : file.namesOfGroupMembers(group)) {
    const std::string path = (group == "/" ? "" : group) + "/" + name;
    if (!seen.insert(file.addressOfObject(path)).second) continue;
    if (!file.isDataset(path)) {
      bytes += bytesOfNumbers(file, path, seen);
    } else if (file.holds(path) == H5File::Holds::reals) {
      const H5Shape shape = file.shape(path);
      bytes += 8.0 * static_cast<double>(
                         std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>()));
    }
  }
  return bytes;
}

TEST_F(ResultSize, IsThatOfItsNumbersForManyRows) {
  const double size = sizeOf(deckWithDifferentContacts(1, 20001));
  std::set<std::uint64_t> seen;
  EXPECT_LE(size, 1.03 * bytesOfNumbers(H5File::open(resultFile()), "/", seen));
}

}  // namespace
}  // namespace ricochet
