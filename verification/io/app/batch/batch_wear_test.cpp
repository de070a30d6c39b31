// Wear and friction power of the cases of a batch: N |s'| and mu N |s'|.

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
/// W of wear power, largest for the smallest mu; v0^2/2 = 0.5 J are dissipated for any mu. An elastic stick
/// of k_t has the error of its step. Numbers of [statistics] are outputs too, of a window or the run: the
/// wear volume is the work N s times the coefficient, which is no parameter of the running model.
TEST(BatchWear, NumbersOfStatisticsAreThoseOfTheMotion) {
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
        "wear = {{ coefficient = 1e-15 }}\n"
        "[transient]\nduration = 2.0\n{}\n[statistics]\nwindows = [[0.0, 0.1], [0.1, 2.0]]\n"
        "[batch.parameters]\n\"contacts.sole.friction.coefficient\" = {{ values = [0.1, 0.2, 0.4] }}\n"
        "\"contacts.sole.wear.coefficient\" = {{ values = [1e-15, 3e-15] }}\n"
        "[batch.outputs]\nwear = \"wear_power(sole)\"\nheat = \"friction_energy(sole)\"\n"
        "far = \"max(displacement(block, ux))\"\nbegin = \"contact_statistic(sole, wear_work, 1)\"\n"
        "worn = \"contact_statistic(sole, wear_volume)\"\n",
        stick, run);
    const VariantPlan plan(folder.write("deck.toml", deck));
    const std::filesystem::path file = folder.path() / "result.h5";
    const BatchSummary summary =
        runBatch(plan, {.result = file, .force = true, .progress = false, .threads = 1});
    ASSERT_EQ(summary.complete, 6u) << run;
    const H5File result = H5File::open(file);
    EXPECT_EQ(result.stringsAttribute("/batch/outputs", "units_of_outputs"),
              (std::vector<std::string>{"W", "J", "m", "J", "m^3"}));
    const std::vector<double> outputs = result.readAny("/batch/outputs").values;
    for (std::size_t i = 0; i < 6; ++i) {
      const double mu = std::array{0.1, 0.2, 0.4}[i / 2], volume = i % 2 == 0 ? 1e-15 : 3e-15;
      const auto expectNear = [&](std::size_t output, double reference) {
        EXPECT_NEAR(outputs[5 * i + output], reference, tolerance * reference) << run << mu << output;
      };
      expectNear(0, 0.25 / mu);
      expectNear(1, 0.5);
      expectNear(2, 0.05 / mu);
      expectNear(3, 1.0 - 0.5 * mu);  // N (v0 t - mu g t^2/2) in the first tenth of a second
      expectNear(4, volume * 0.5 / mu);
    }
  }
}

}  // namespace
}  // namespace ricochet
