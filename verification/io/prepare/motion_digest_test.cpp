// The digest of all that decides a motion, by which a run knows whether it goes on with an earlier one.

#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/prepare/restart.hpp"
#include "verification/support/program.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace ricochet {
namespace {

using test::ScratchFolder;

/// One mass whose stiffness stands in a file that the file of the matrices includes.
class MotionDigest : public testing::Test {
 protected:
  MotionDigest() {
    folder_.write("both.bdf", "DMIG,K,0,6,2\nINCLUDE 'stiffness.bdf'\nDMIG,M,0,6,2\nDMIG,M,1,1,,1,1,2.\n");
    writeStiffness("800.");
    folder_.write("nodes.csv", "node x y z\n1 0 0 0\n");
  }
  void writeStiffness(const std::string& value) const {
    folder_.write("stiffness.bdf", "DMIG,K,1,1,,1,1," + value + "\n");
  }
  std::string deckWith(const std::string& more, const std::string& initial) const {
    return "[[matrices]]\nstiffness = \"both.bdf\"\nmass = \"both.bdf\"\npositions = \"nodes.csv\"\n"
           "names = { stiffness = \"K\", mass = \"M\" }\n[initial]\n" +
           initial + "[transient]\nduration = 0.25\nscheme = \"newmark\"\nstep = 0.0078125\n" + more;
  }
  std::string digestOf(const std::string& deck) const {
    return motionDigest(readDeck(folder_.write("deck.toml", deck)));
  }
  ScratchFolder folder_;
  const std::string moved_ = "velocity = [{ node = \"1\", value = [1, 0, 0] }]\n";
};

TEST_F(MotionDigest, HasTheFilesThatOthersInclude) {
  const std::string first = digestOf(deckWith("", moved_));
  EXPECT_EQ(digestOf(deckWith("[output]\ninterval = 0.125\n", moved_)), first);
  writeStiffness("900.");
  EXPECT_NE(digestOf(deckWith("", moved_)), first);
  writeStiffness("800.");
  EXPECT_EQ(digestOf(deckWith("", moved_)), first);
}

/// Neither the earlier result nor another name of a file that is included belongs to the motion.
TEST_F(MotionDigest, LacksTheEarlierResult) {
  const std::string first = digestOf(deckWith("", moved_));
  ASSERT_EQ(folder_.ricochet("run deck.toml -q -o first.h5").status, 0);
  EXPECT_EQ(digestOf(deckWith("", "restart = \"first.h5\"\n")), first);
}

/// --resume knows the files of a run that others include as well.
TEST_F(MotionDigest, FilesThatOthersIncludeAreFilesOfTheResult) {
  folder_.write("deck.toml", deckWith("", moved_));
  ASSERT_EQ(folder_.ricochet("run deck.toml -q -o first.h5").status, 0);
  EXPECT_THAT(H5File::open(folder_.path() / "first.h5").readStrings("/data_files/name"),
              testing::Contains("stiffness.bdf"));
}

}  // namespace
}  // namespace ricochet
