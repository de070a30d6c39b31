// Damaged results: with changed bytes, truncated, or with other shapes. Reading them gives the written data
// or an error, never other numbers, a crash or more memory than the size of the file.

#include "io/app/plot/plot.hpp"
#include "io/archive/result_format.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_rows.hpp"
#include "io/result/restore.hpp"
#include "io/result/result_verdict.hpp"
#include "verification/support/datasets.hpp"
#include "verification/support/program.hpp"
#include "verification/support/tier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <fstream>
#include <random>
#include <set>
#include <string>
#include <vector>

/// HDF5 1.10 leaks memory that it allocated for a damaged header.
extern "C" const char* __lsan_default_suppressions() { return "leak:libhdf5"; }

namespace ricochet {
namespace {

namespace fs = std::filesystem;
using test::CommandOutcome;
using test::ScratchFolder;
using testing::HasSubstr;

/// A tube that strikes its support, with groups, statistics and all other parts of a result.
constexpr std::string_view kDeck = R"toml(
title = "tube"
[[nodes]]
name = "foot"
position = [0, 0, 0]
[[nodes]]
name = "head"
position = [0, 0, 1]
[[beams]]
name = "tube"
nodes = ["foot", "head"]
elements = 4
section = "pipe"
material = "steel"
[sections.pipe]
type = "tube"
outer_radius = 0.01
thickness = 0.001
[materials.steel]
young = 2e11
poisson = 0.3
density = 7800.0
[[supports]]
nodes = ["foot"]
fixed = ["ux", "uy", "uz", "rx", "ry", "rz"]
[groups]
ends = ["foot", "head"]
[basis]
modes = 6
[initial]
velocity = [ { node = "head", value = [1.0, 0, 0] } ]
[[contacts]]
name = "stop"
node = "head"
obstacle = { type = "circle", axis = [0, 0, 1], gap = 1e-3 }
normal = { stiffness = 1e6 }
friction = { static = 0.2, dynamic = 0.2, stiffness = 1e5 }
[transient]
duration = 0.02
scheme = "kick_drift"
step = 1e-5
[output]
every = 10
[statistics]
)toml";

class DamagedResult : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<ScratchFolder>();
    folder_->write("deck.toml", std::string(kDeck));
    const CommandOutcome outcome = folder_->ricochet("run deck.toml -q -o good.h5");
    ASSERT_EQ(outcome.status, 0) << outcome.output;
    good_ = test::readText(folder_->path() / "good.h5");
    content_ = test::datasetsOf(folder_->path() / "good.h5");
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static fs::path writeDamagedFile(const std::string& bytes) {
    folder_->write("bad.h5", bytes);
    return folder_->path() / "bad.h5";
  }

  /// Runs all functions that read a result, in this process.
  static void readWholeResult(const fs::path& path, std::set<std::string>& said) {
    const auto attempt = [&](auto&& action) {
      try {
        action();
      } catch (const std::exception& error) {
        said.insert(error.what());
      }
    };
    const fs::path out = folder_->path() / "out.h5";
    for (const bool reactions : {false, true})
      attempt([&] {
        RestoreRequest request;
        request.output = out;
        request.force = true;
        request.fields = {Kinematic::displacement};
        request.reactions = reactions;
        request.beamForces.force = reactions;
        if (reactions) request.nodes = {"ends"};
        request.progress = false;
        restoreHistoriesOfResult(path, request);
      });
    for (const char* quantity : {"displacement(head, ux)", "tangential_force(stop, 2)", "energy(kinetic)",
                                 "coordinate(6)", "displacement(ends, uy)"})
      attempt([&] { readCurve(openResult(path), quantity); });
    attempt([&] { inspectResultFile(openResult(path)); });
  }

  static inline std::unique_ptr<ScratchFolder> folder_;
  static inline std::string good_;
  static inline std::map<std::string, std::string> content_;
};

/// Changes one bit, or writes a block of zeros, anywhere in the file.
TEST_F(DamagedResult, GivesWhatWasWrittenOrAnError) {
  EXPECT_TRUE(inspectResultFile(openResult(folder_->path() / "good.h5")).isResultSound());
  std::mt19937_64 random(20261126);
  int refused = 0, harmless = 0;
  const int times = test::isFull() ? 10'000 : 60;
  for (int i = 0; i < times; ++i) {
    std::string bytes = good_;
    const std::size_t at = random() % bytes.size();
    const bool isFlip = i % 3 != 0;
    if (isFlip)
      bytes[at] = static_cast<char>(bytes[at] ^ (1 << (random() % 8)));
    else
      std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(at / 512 * 512),
                  std::min<std::size_t>(512, bytes.size() - at / 512 * 512), '\0');
    const fs::path path = writeDamagedFile(bytes);
    bool isSound = false;
    std::map<std::string, std::string> found;
    try {
      const ResultVerdict verdict = inspectResultFile(openResult(path));
      isSound = verdict.isResultSound();
      if (isSound) found = test::datasetsOf(path);
    } catch (const ResultError&) {
      isSound = false;
    }
    isSound ? ++harmless : ++refused;
    ASSERT_TRUE(!isSound || found == content_) << (isFlip ? "bit of byte " : "block of ") << at;
  }
  EXPECT_GT(refused, times / 2);  // the omitted bytes lie between the parts of the file
  EXPECT_GT(harmless, 0);
}

/// Writes a dataset of another shape or type under a name.
void replaceDataset(const fs::path& path, const std::string& name, const std::vector<hsize_t>& extent,
                    hid_t type, bool held) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
  ASSERT_GE(file, 0);
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const hid_t space = extent.empty()
                          ? H5Screate(H5S_SCALAR)
                          : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  const hid_t properties = H5Pcreate(H5P_DATASET_CREATE);
  if (held) H5Pset_alloc_time(properties, H5D_ALLOC_TIME_EARLY);
  const hid_t dataset = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
  ASSERT_GE(dataset, 0) << name;
  for (const char* attribute : {"units", "long_name"}) {
    const hid_t text = H5Tcopy(H5T_C_S1), one = H5Screate(H5S_SCALAR);
    const hid_t made = H5Acreate2(dataset, attribute, text, one, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, text, "1");
    H5Aclose(made);
    H5Sclose(one);
    H5Tclose(text);
  }
  H5Dclose(dataset);
  H5Pclose(properties);
  H5Sclose(space);
  H5Fclose(file);
}

/// Changes the shape and type of every dataset in one of ten ways; also declares values that are not stored.
TEST_F(DamagedResult, OfOtherShapesIsRefused) {
  std::set<std::string> said;
  std::size_t number = 0;
  const H5File good = H5File::open(folder_->path() / "good.h5");
  for (const auto& [name, ignored] : content_) {
    const bool isTotal =
        name.find("/statistics/") != std::string::npos || name.find("/histograms/") != std::string::npos;
    if (isTotal && !test::isFull()) continue;
    ++number;
    const H5Shape shape = good.shape(name);
    const hid_t type = good.holds(name) == H5File::Holds::strings    ? H5T_C_S1
                       : good.holds(name) == H5File::Holds::integers ? H5T_STD_I32LE
                                                                     : H5T_IEEE_F64LE;
    std::vector<hsize_t> same(shape.begin(), shape.end()), longer = same, shorter = same, deeper = same,
                                                           wide = same, huge = same;
    deeper.push_back(2);
    if (!shape.empty()) {
      longer[0] += 5;
      shorter[0] = 1;
      wide.back() += 1;
      huge[0] = hsize_t{1} << 40U;
    }
    struct Change {
      std::vector<hsize_t> extent;
      hid_t type;
      bool held;
    };
    const std::vector<Change> changes{Change{longer, type, true},
                                      Change{shorter, type, true},
                                      Change{wide, type, true},
                                      Change{deeper, type, true},
                                      Change{{}, type, true},
                                      Change{{0}, type, true},
                                      Change{huge, type, false},
                                      Change{same, H5T_IEEE_F32LE, true},
                                      Change{same, H5T_STD_I64LE, true},
                                      Change{same, H5T_STD_REF_OBJ, true}};
    const bool inEveryWay = name == "/transient/displacement" || test::isFull();
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (!inEveryWay && i != (3 * number) % changes.size()) continue;
      const fs::path path = writeDamagedFile(good_);
      replaceDataset(path, name, changes[i].extent, changes[i].type, changes[i].held);
      ASSERT_NO_FATAL_FAILURE(readWholeResult(path, said)) << name;
    }
  }
  EXPECT_GT(said.size(), 15U);
  for (const char* text : {"has the shape", "holds values of another type", "says that it is larger"})
    EXPECT_THAT(said, testing::Contains(HasSubstr(text)));
}

/// Indices outside the range of the dataset to which they refer.
TEST_F(DamagedResult, IndicesAreChecked) {
  for (const char* name : {"/model/lines", "/model/dofs/node", "/model/groups/member"}) {
    if (!content_.contains(name)) continue;
    for (const std::int32_t index : {-1, 1000000}) {
      const fs::path path = writeDamagedFile(good_);
      {
        const H5File file = H5File::open(path, Access::readWrite);
        H5Array<std::int32_t> values = file.readAny<std::int32_t>(name);
        values.values.back() = index;
        file.write(name, values.shape, values.values, {"1", ""});
      }
      EXPECT_FALSE(inspectResultFile(openResult(path)).isResultSound()) << name;
      RestoreRequest request;
      request.output = folder_->path() / "out.h5";
      request.force = true;
      request.fields = {Kinematic::displacement};
      request.progress = false;
      EXPECT_THROW(restoreHistoriesOfResult(path, request), ResultError) << name;
    }
  }
}

TEST_F(DamagedResult, VerifySaysWhatIsWrong) {
  const CommandOutcome sound = folder_->ricochet("verify good.h5");
  EXPECT_EQ(sound.status, 0);
  EXPECT_THAT(sound.output, HasSubstr("good.h5: sound: complete"));
  std::string bytes = good_;
  {
    const H5File file = openResult(writeDamagedFile(good_), Access::readWrite);
    file.setAttribute("/", "format_version", 99);
  }
  const CommandOutcome newer = folder_->ricochet("verify bad.h5");
  EXPECT_EQ(newer.status, 1);
  EXPECT_THAT(newer.output, HasSubstr("is a result in format 99, which a newer version"));
  EXPECT_EQ(folder_->ricochet("plot bad.h5").status, 2);

  // The largest history: a bit in the middle of the file.
  {
    const H5File file = openResult(writeDamagedFile(good_), Access::readWrite);
    H5Array<double> values = file.readAny("/transient/displacement");
    values.values[3] = std::numeric_limits<double>::quiet_NaN();
    file.write("/transient/displacement", values.shape, values.values, {"m", ""});
  }
  const CommandOutcome notFinite = folder_->ricochet("verify bad.h5");
  EXPECT_EQ(notFinite.status, 1);
  EXPECT_THAT(notFinite.output, HasSubstr("bad.h5: DAMAGED"));
  EXPECT_THAT(notFinite.output, HasSubstr("/transient/displacement: value 3 of row 0 is no finite number"));
  folder_->write("cut.h5", good_.substr(0, good_.size() / 2));
  EXPECT_EQ(folder_->ricochet("verify cut.h5").status, 1);
}

}  // namespace
}  // namespace ricochet
