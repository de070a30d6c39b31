// Reads random results with all commands that read a result. HDF5 itself is not instrumented.

#include "io/app/plot/plot.hpp"
#include "io/archive/result_format.hpp"
#include "io/result/restore.hpp"
#include "io/result/result_verdict.hpp"
#include "verification/fuzz/fuzz_file.hpp"

#include <exception>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ricochet;
  const std::filesystem::path& file = fuzz::fileOf(data, size, "result.h5");
  try {
    const H5File result = openResult(file);
    (void)inspectResultFile(result);
    (void)readCurves(result, "displacement(shoe, ux)");
    (void)readCurves(result, "normal_force(sole)");
  } catch (const std::exception&) {
    // An invalid result is refused with an error, which is correct.
  }
  try {
    RestoreRequest request;
    request.output = file.parent_path() / "restored.h5";
    request.force = true;
    request.fields = {Kinematic::displacement};
    request.progress = false;
    restoreHistoriesOfResult(file, request);
  } catch (const std::exception&) {
    // An invalid result is refused with an error, which is correct.
  }
  return 0;
}
