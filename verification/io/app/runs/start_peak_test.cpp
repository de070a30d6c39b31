// The largest force of a rigid contact whose reaction at the start depends on the states of other contacts.

#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace ricochet {
namespace {

/// A body falls along a rough and a smooth wall. Candidate states of the search have other reactions, up to
/// 83 N; the largest force must be that of the motion, 69.5 N at its end.
TEST(StartPeak, IsAForceOfTheMotion) {
  const test::ScratchFolder folder;
  const std::string deck = std::string(RICOCHET_CASES_DIR) + "/start-one-rough-one-smooth.toml";
  EXPECT_EQ(folder.ricochet("run '" + deck + "' -q -o body.h5").status, 0);
  const H5File file = H5File::open(folder.path() / "body.h5");
  for (const std::string contact : {"/contacts/c0", "/contacts/c1"}) {
    const auto force = file.readAny(contact + "/normal_force").values;
    EXPECT_NEAR(file.numberAttribute(contact, "peak_force"), std::ranges::max(force),
                1e-3 * std::ranges::max(force));
  }
}

}  // namespace
}  // namespace ricochet
