// Static equilibria at the start of the cases of a batch.

#include "io/app/batch/run_batch.hpp"
#include "io/app/batch/variant_plan.hpp"
#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet {
namespace {

TEST(BatchEquilibrium, EachCaseStartsFromTheEquilibriumOfItsOwnLaws) {
  // 2 kg on 1000 N/m and a stop of k at 5 mm: u = -(m g + 0.005 k)/(1000 + k) during the whole run.
  const test::ScratchFolder folder;
  for (const std::string_view run : {"scheme = \"event\"", "scheme = \"kick_drift\"\nstep = 1e-5"}) {
    const std::string deck = fmt::format(
        "[[nodes]]\nname = \"a\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"a\"]\nmass = 2.0\n"
        "[[springs]]\nnodes = [\"a\"]\nstiffness = [0, 0, 1000.0]\n"
        "[[supports]]\nnodes = \"all\"\nfixed = [\"ux\", \"uy\"]\n"
        "[gravity]\nacceleration = [0, 0, -9.81]\n[initial]\nequilibrium = true\n"
        "[[contacts]]\nname = \"stop\"\nnode = \"a\"\n"
        "obstacle = {{ type = \"plane\", normal = [0, 0, 1], gap = 0.005 }}\n"
        "normal = {{ stiffness = 1e5 }}\n[transient]\nduration = 0.05\n{}\n"
        "[batch.parameters]\n\"contacts.stop.normal.stiffness\" = {{ values = [1e4, 1e5, 1e6] }}\n"
        "[batch.outputs]\nlowest = \"min(displacement(a, uz))\"\nhighest = \"max(displacement(a, uz))\"\n",
        run);
    const VariantPlan plan(folder.write("deck.toml", deck));
    const std::filesystem::path file = folder.path() / "result.h5";
    const BatchSummary summary =
        runBatch(plan, {.result = file, .force = true, .progress = false, .threads = 1});
    ASSERT_EQ(summary.complete, 3U) << run;
    const std::vector<double> outputs = H5File::open(file).readAny("/batch/outputs").values;
    for (std::size_t i = 0; i < 3; ++i) {
      const double k = std::array{1e4, 1e5, 1e6}[i], place = -(2.0 * 9.81 + 0.005 * k) / (1000.0 + k);
      EXPECT_NEAR(outputs[2 * i], place, 1e-11) << run << k;
      EXPECT_NEAR(outputs[2 * i + 1], place, 1e-11) << run << k;
    }
  }
}

}  // namespace
}  // namespace ricochet
