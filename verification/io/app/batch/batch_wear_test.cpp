// Wear and friction of the cases of a batch: N |s'| and mu N |s'|.

#include "io/app/batch/run_batch.hpp"
#include "io/app/batch/variant_plan.hpp"
#include "io/hdf5/hdf5.hpp"
#include "verification/support/program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <string>
#include <tuple>
#include <vector>

namespace ricochet {
namespace {

/// A block of 1 kg slides to rest from 1 m/s under 10 N within the 2 s of the run: N v0^2/(2 a T) = 1/(4 mu)
/// W of wear, whose largest is that of the smallest mu; v0^2/2 = 0.5 J of friction, whatever mu. An elastic
/// stick of k_t comes with the error of its step.
TEST(BatchWear, WearPowerIsThatOfChecksAndStatistics) {
  const test::ScratchFolder folder;
  for (const auto& [run, stick, tolerance] :
       {std::tuple{"scheme = \"event\"", "", 1e-12}, std::tuple{"scheme = \"moreau\"\nstep = 1e-3", "", 5e-3},
        std::tuple{"scheme = \"kick_drift\"\nstep = 1e-4", ", stiffness = 1e5, damping = 0", 2e-3},
        std::tuple{"scheme = \"rk54\"", ", stiffness = 1e5, damping = 0", 2e-3}}) {
    const std::string deck = fmt::format(
        "[[nodes]]\nname = \"block\"\nposition = [0, 0, 0]\n[[masses]]\nnodes = [\"block\"]\nmass = 1.0\n"
        "[[supports]]\nnodes = [\"block\"]\nfixed = [\"uy\", \"uz\"]\n"
        "[initial]\nvelocity = [ {{ node = \"block\", value = [1.0, 0, 0] }} ]\n"
        "[[contacts]]\nname = \"sole\"\nnode = \"block\"\nobstacle = {{ type = \"none\", normal = [0, 0, 1] "
        "}}\n"
        "normal = {{ force = 10.0 }}\nfriction = {{ coefficient = 0.1{} }}\n"
        "[transient]\nduration = 2.0\n{}\n[statistics]\n"
        "[batch.parameters]\n\"contacts.sole.friction.coefficient\" = {{ values = [0.1, 0.2, 0.4] }}\n"
        "[batch.outputs]\nwear = \"wear_power(sole)\"\nheat = \"friction_energy(sole)\"\n"
        "far = \"max(displacement(block, ux))\"\n",
        stick, run);
    const VariantPlan plan(folder.write("deck.toml", deck));
    const std::filesystem::path file = folder.path() / "result.h5";
    const BatchSummary summary =
        runBatch(plan, {.result = file, .force = true, .progress = false, .threads = 1});
    ASSERT_EQ(summary.complete, 3u) << run;
    const std::vector<double> outputs = H5File::open(file).readAny("/batch/outputs").values;
    for (std::size_t i = 0; i < 3; ++i) {
      const double mu = std::array{0.1, 0.2, 0.4}[i];
      EXPECT_NEAR(outputs[3 * i], 0.25 / mu, tolerance * 0.25 / mu) << run << mu;
      EXPECT_NEAR(outputs[3 * i + 1], 0.5, tolerance * 0.5) << run << mu;
      EXPECT_NEAR(outputs[3 * i + 2], 0.05 / mu, tolerance * 0.05 / mu) << run << mu;
    }
  }
}

}  // namespace
}  // namespace ricochet
