#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fstream>
#include <string>

namespace ricochet {

/// Where a process can be looked for by another one, to which these bytes are sent.
struct ProcessPlace {
  std::array<char, 40> kernel{};   ///< of this start of the machine; empty where that has no name
  unsigned long long numbering{};  ///< containers number their processes by themselves
  long long process{};

  static ProcessPlace own() {
    ProcessPlace place;
    struct stat numbering {};
    std::ifstream file("/proc/sys/kernel/random/boot_id");
    std::string name;
    if (::stat("/proc/self/ns/pid", &numbering) == 0 && std::getline(file, name))
      std::copy_n(name.begin(), std::min(name.size(), place.kernel.size()), place.kernel.begin());
    place.numbering = numbering.st_ino;
    place.process = ::getpid();
    return place;
  }

  bool isSeenFrom(const ProcessPlace& other) const {
    return kernel[0] != 0 && kernel == other.kernel && numbering == other.numbering;
  }
};

/// Of a process that is seen from here.
inline bool hasEnded(long long process) {
  return ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

}  // namespace ricochet
