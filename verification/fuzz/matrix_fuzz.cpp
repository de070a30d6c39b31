// Reads random matrix files of other programs. The first byte selects the requested matrix.

#include "io/formats/matrix_file.hpp"
#include "verification/fuzz/fuzz_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ricochet;
  if (size == 0) return 0;
  MatrixChoice choice;
  choice.initial = (data[0] & 1U) != 0 ? 'M' : 'K';
  choice.symmetric = (data[0] & 2U) == 0;
  Diagnostics diagnostics;
  (void)readMatrixFile({fuzz::fileOf(data + 1, size - 1, "matrix"), {}, {}}, choice, diagnostics);
  return 0;
}
