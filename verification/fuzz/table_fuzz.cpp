// Reads random tables of numbers in columns.

#include "io/formats/csv_file.hpp"
#include "verification/fuzz/fuzz_file.hpp"

#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ricochet;
  const std::vector<Located<std::string>> names{{"t", {}, {}}, {"f", {}, {}}};
  Diagnostics diagnostics;
  (void)readCsvColumns({fuzz::fileOf(data, size, "table.csv"), {}, {}}, names, diagnostics);
  return 0;
}
