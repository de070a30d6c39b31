#include "io/app/runs/run_study.hpp"
#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5.hpp"
#include "verification/support/datasets.hpp"
#include "verification/support/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet {
namespace {

/// The result file of one run of the shoe SDND106.
class ResultFileTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new test::ScratchFolder;
    study_ = new Deck(readDeck(std::filesystem::path(RICOCHET_CASES_DIR) / "sdnd106-a.toml"));
    summary_ =
        new RunSummary(runStudy(*study_, *prepare(*study_),
                                {.result = folder_->path() / "shoe.h5", .force = false, .progress = false}));
  }
  static void TearDownTestSuite() {
    delete summary_;
    delete study_;
    delete folder_;
  }

  H5File file_{H5File::open(folder_->path() / "shoe.h5")};
  inline static test::ScratchFolder* folder_ = nullptr;
  inline static Deck* study_ = nullptr;
  inline static RunSummary* summary_ = nullptr;
};

TEST_F(ResultFileTest, SaysWhatItIs) {
  EXPECT_EQ(file_.stringAttribute("/", "format"), "ricochet");
  EXPECT_EQ(file_.integerAttribute("/", "format_version"), 2);
  EXPECT_EQ(file_.stringAttribute("/", "status"), "complete");
  EXPECT_EQ(file_.readText("/deck"),
            test::readText(std::filesystem::path(RICOCHET_CASES_DIR) / "sdnd106-a.toml"));
  const std::string sum =
      test::runShell(std::string("sha256sum '") + RICOCHET_CASES_DIR + "/sdnd106-a.toml' | cut -d' ' -f1")
          .output;
  EXPECT_EQ(file_.stringAttribute("/", "deck_sha256") + "\n", sum);
}

TEST_F(ResultFileTest, HoldsTheLayoutOfTheContract) {
  // 35000 steps, of which every 10th is archived, and the start.
  constexpr std::size_t kRows = 3501;
  EXPECT_EQ(file_.shape("/transient/displacement"), (H5Shape{kRows, 2}));
  EXPECT_EQ(file_.shape("/physical/velocity"), (H5Shape{kRows, 2, 3}));
  EXPECT_EQ(file_.shape("/contacts/sole/tangential_force"), (H5Shape{kRows, 2}));
  EXPECT_EQ(file_.shape("/contacts/sole/position"), (H5Shape{kRows, 3}));
  EXPECT_EQ(file_.shape("/energy/balance"), (H5Shape{kRows}));
  EXPECT_EQ(file_.shape("/modal/shapes"), (H5Shape{6, 2}));
  EXPECT_EQ(file_.shape("/modal/effective_mass"), (H5Shape{2, 3}));
  EXPECT_EQ(file_.readStrings("/model/nodes/name"), (std::vector<std::string>{"shoe", "puller"}));
  EXPECT_EQ(file_.readStrings("/events/contact"), (std::vector<std::string>{"sole", "sole"}));
  EXPECT_EQ(file_.readAny<std::int32_t>("/events/kind").values, (std::vector<std::int32_t>{2, 3}));
  EXPECT_EQ(file_.valueNames("/events/kind")[2].first, "stick_to_slip");
  EXPECT_EQ(file_.integerAttribute("/contacts/sole", "impacts"), 1);
  EXPECT_NEAR(file_.numberAttribute("/contacts/sole", "impulse"), 1e4 * 0.35,
              1e-6);  // N T, to rounding of 35000 sums
  EXPECT_EQ(file_.integerAttribute("/modal", "missed_modes"), 0);
  EXPECT_EQ(file_.numberAttribute("/energy", "error"), summary_->report.energyError);
  EXPECT_EQ(file_.numberAttribute("/restart", "time"), 0.35);
}

TEST_F(ResultFileTest, GivesEveryDatasetUnitsAndAMeaning) {
  const test::CommandOutcome listing =
      test::runShell("h5ls -r '" + (folder_->path() / "shoe.h5").string() + "'");
  if (listing.status != 0) GTEST_SKIP() << "h5ls is not installed";
  std::istringstream lines(listing.output);
  int datasets = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.find("Dataset") == std::string::npos) continue;
    const Meaning meaning = file_.meaning(line.substr(0, line.find_first_of(" ")));
    EXPECT_FALSE(meaning.units.empty()) << line;
    EXPECT_FALSE(meaning.longName.empty()) << line;
    ++datasets;
  }
  EXPECT_GT(datasets, 40);
}

TEST_F(ResultFileTest, LabelsItsAxes) {
  EXPECT_TRUE(file_.isScaleAttached("/physical/displacement", "/physical/time", 0));
  EXPECT_TRUE(file_.isScaleAttached("/physical/displacement", "/physical/node", 1));
  EXPECT_TRUE(file_.isScaleAttached("/physical/displacement", "/physical/component", 2));
  EXPECT_TRUE(file_.isScaleAttached("/contacts/sole/gap", "/contacts/sole/time", 0));
  EXPECT_TRUE(file_.isScaleAttached("/transient/velocity", "/modal/mode", 1));
}

TEST_F(ResultFileTest, RestoresPhysicalHistoriesFromGeneralizedOnes) {
  const auto q = file_.readAny("/transient/displacement");
  const auto shapes = file_.readAny("/modal/shapes");
  const auto u = file_.readAny("/physical/displacement");
  for (const std::size_t row : {std::size_t{0}, std::size_t{1500}, std::size_t{3500}})
    for (std::size_t dof = 0; dof < 6; ++dof) {
      const double restored =
          shapes.values[2 * dof] * q.values[2 * row] + shapes.values[2 * dof + 1] * q.values[2 * row + 1];
      EXPECT_NEAR(u.values[6 * row + dof], restored, 1e-14 * 4.0);  // displacements reach 4 m
    }
}

TEST_F(ResultFileTest, FollowsTheContact) {
  const auto time = file_.readAny("/contacts/sole/time").values;
  const auto state = file_.readAny<std::int32_t>("/contacts/sole/state").values;
  const auto force = file_.readAny("/contacts/sole/tangential_force").values;
  const auto normal = file_.readAny("/contacts/sole/normal_force").values;
  for (std::size_t row = 0; row < time.size(); ++row) {
    EXPECT_NEAR(normal[row], 1e4, 1e-8);  // k times a constant penetration
    const double t = time[row];
    const bool slips = t > 0.0352 && t < 0.3149;
    const bool sticks = t < 0.0351 || t > 0.3150;
    if (slips) {
      EXPECT_EQ(state[row], 2) << t;
      EXPECT_NEAR(force[2 * row], -2000.0, 1e-6) << t;  // mu_d N, opposite to the motion
    }
    if (sticks) {
      EXPECT_EQ(state[row], 1) << t;
    }
  }
}

TEST_F(ResultFileTest, IsTheSameEveryTime) {
  const RunSummary again =
      runStudy(*study_, *prepare(*study_),
               {.result = folder_->path() / "again.h5", .force = false, .progress = false});
  EXPECT_EQ(again.report.steps, summary_->report.steps);
  const H5File other = H5File::open(folder_->path() / "again.h5");
  for (const char* path : {"/transient/displacement", "/contacts/sole/tangential_force", "/energy/balance"})
    EXPECT_EQ(file_.readAny(path).values, other.readAny(path).values) << path;
}

TEST_F(ResultFileTest, ReadsWithNothingOfOurs) {
  const std::string script =
      "import h5py, numpy as np, sys; f = h5py.File(sys.argv[1]); u = f['physical/displacement']; "
      "assert u.attrs['units'] == b'm' and u.dims[0][0].name == '/physical/time'; "
      "n = [x.decode() for x in f['physical/node'][()]]; assert n == ['shoe', 'puller']; "
      "t = f['physical/time'][()]; i = np.argmin(abs(t - 0.15)); assert abs(u[i, 1, 0] - 1.8077346964) < "
      "1e-6; "
      "k = h5py.check_enum_dtype(f['events/kind'].dtype); assert k['slip_to_stick'] == f['events/kind'][1]; "
      "assert f.attrs['status'] == b'complete'";
  // The interpreter of the distribution has h5py, even if another interpreter comes first in the path.
  std::string python = "python3";
  if (test::runShell(python + " -c 'import h5py'").status != 0) python = "/usr/bin/python3";
  if (test::runShell(python + " -c 'import h5py'").status != 0) GTEST_SKIP() << "h5py is not installed";
  const test::CommandOutcome outcome =
      test::runShell(python + " -c \"" + script + "\" '" + (folder_->path() / "shoe.h5").string() + "'");
  EXPECT_EQ(outcome.status, 0) << outcome.output;
}

/// The ball of mass 2 kg oscillates at 100 rad/s between stops: at least 20 equidistant rows in each period,
/// and additional rows at the events.
TEST(ResultRows, ArchiveEvenInstantsAndEventsOfTheEventScheme) {
  for (const double duration : {0.5, 20.0}) {
    std::string deck = test::bouncer(duration);
    deck.replace(deck.find("scheme = "), std::string::npos, "scheme = \"event\"\n");
    const test::ScratchFolder folder;
    folder.write("deck.toml", deck);
    ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
    const H5File file = H5File::open(folder.path() / "deck.h5");
    const std::vector<double> times = file.readAny("/transient/time").values;
    const std::vector<double> events = file.readAny("/events/time").values;
    const double wanted = std::max(1000.0, std::ceil(20.0 * duration * 100.0 / (2.0 * std::numbers::pi)));
    std::size_t even = 0;
    for (double n = 0.0; n <= wanted; ++n) {
      const double instant = n * duration / wanted;
      const auto at = std::ranges::lower_bound(times, instant - 1e-9 * duration);
      if (at != times.end() && std::abs(*at - instant) <= 1e-9 * duration) ++even;
    }
    EXPECT_EQ(static_cast<double>(even), wanted + 1.0);
    ASSERT_GT(events.size(), 10U);
    for (const double event : events) EXPECT_TRUE(std::ranges::binary_search(times, event)) << event;
    EXPECT_LE(times.size(), even + events.size());
    EXPECT_TRUE(std::ranges::is_sorted(times));
  }
}

/// Requested data need no more space than necessary: 36 rows.
TEST(ResultRows, FewRowsTakeLittleSpace) {
  std::string deck = test::bouncer(0.35);
  deck.replace(deck.find("every = 100"), 11, "interval = 0.01");
  const test::ScratchFolder folder;
  folder.write("deck.toml", deck);
  ASSERT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  EXPECT_EQ(H5File::open(folder.path() / "deck.h5").rows("/transient/time"), 36U);
  EXPECT_LE(std::filesystem::file_size(folder.path() / "deck.h5"), 60000U);
}

/// A mass before a number of stops, archived `rows` times.
std::string massBeforeStops(int contacts, int rows) {
  std::string deck =
      "[[nodes]]\nname = \"m\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"m\"]\nmass = 1.0\n"
      "[[springs]]\nnodes = [\"m\"]\nstiffness = [100, 100, 100]\n[output]\nevery = 1\n"
      "[transient]\nscheme = \"kick_drift\"\nstep = 1e-3\nduration = " +
      std::to_string(1e-3 * (rows - 1)) +
      "\n[initial]\nvelocity = [ { node = \"m\", value = [0, 0, -1.0] } ]\n";
  for (int i = 0; i < contacts; ++i)
    deck += "[[contacts]]\nname = \"c" + std::to_string(i) +
            "\"\nnode = \"m\"\nobstacle = { type = \"plane\", normal = [0, 0, 1], gap = 1e-3 }\n"
            "normal = { stiffness = 100.0 }\n";
  return deck;
}

/// Size of the result of such a deck, and of all its real numbers, each dataset counted once.
struct FileSizes {
  std::uintmax_t file;
  double numbers;
};

FileSizes sizesOf(const std::string& deck, std::size_t rows) {
  const test::ScratchFolder folder;
  folder.write("deck.toml", deck);
  EXPECT_EQ(folder.ricochet("run deck.toml -q").status, 0);
  const H5File file = H5File::open(folder.path() / "deck.h5");
  EXPECT_EQ(file.rows("/transient/time"), rows);
  FileSizes sizes{std::filesystem::file_size(folder.path() / "deck.h5"), 0.0};
  std::set<std::uint64_t> seen;
  for (const auto& [path, bytes] : test::datasetsOf(folder.path() / "deck.h5")) {
    if (file.holds(path) != H5File::Holds::reals || !seen.insert(file.addressOfObject(path)).second) continue;
    double values = 1.0;
    for (const std::size_t extent : file.shape(path)) values *= static_cast<double>(extent);
    sizes.numbers += values * sizeof(double);
  }
  return sizes;
}

/// What a contact adds to a short result is its names and meanings rather than empty space: the headers of
/// its six histories take 280 bytes or more each, its group 1.2 kB, its state to restart from 0.9 kB.
TEST(ResultRows, AContactOfAShortResultTakesLittleSpace) {
  constexpr int kFew = 10, kMany = 60;
  const FileSizes few = sizesOf(massBeforeStops(kFew, 2), 2), many = sizesOf(massBeforeStops(kMany, 2), 2);
  EXPECT_LE(many.file - few.file, std::uintmax_t{4800} * (kMany - kFew));
}

TEST(ResultRows, ALongResultTakesTheSpaceOfItsNumbers) {
  const FileSizes sizes = sizesOf(massBeforeStops(3, 20001), 20001);
  EXPECT_LE(static_cast<double>(sizes.file), 1.03 * sizes.numbers);
}

TEST(ResultRows, ArchivesTheInstantsAskedFor) {
  const test::ScratchFolder folder;
  std::string deck = test::bouncer(0.01);
  deck.replace(deck.find("every = 100"), 11, "interval = 3.0e-3");
  const Deck study = readDeck(folder.write("deck.toml", deck));
  runStudy(study, *prepare(study), {.result = folder.path() / "deck.h5", .force = false, .progress = false});
  const H5File file = H5File::open(folder.path() / "deck.h5");
  // Multiples of the interval, and the end.
  const std::vector<double> time = file.readAny("/physical/time").values;
  const std::vector<double> expected{0.0, 0.003, 0.006, 0.009, 0.01};
  ASSERT_EQ(time.size(), expected.size());
  for (std::size_t i = 0; i < time.size(); ++i) EXPECT_DOUBLE_EQ(time[i], expected[i]);
}

}  // namespace
}  // namespace ricochet
