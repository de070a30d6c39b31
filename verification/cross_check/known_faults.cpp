#include "verification/cross_check/known_faults.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

namespace ricochet::cross {

KnownFaults::KnownFaults(const std::string& file) {
  if (file.empty()) return;
  std::ifstream in(file);
  if (!in) throw std::runtime_error("cannot read " + file);
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line.front() == '#') continue;
    std::istringstream words(line);
    std::uint64_t seed = 0;
    int index = 0;
    std::string reason;
    if (!(words >> seed >> index >> reason))
      throw std::runtime_error(file + ": expected `seed index reason`, found: " + line);
    models_.insert({seed, index});
  }
}

}  // namespace ricochet::cross
