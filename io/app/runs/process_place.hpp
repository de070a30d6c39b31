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

/// Identifies the machine and the process numbering of a process, so that another process on the same machine
/// can check whether the process is alive. Sent as bytes.
struct ProcessPlace {
  /// Identifier of the present boot of the machine; empty if the system gives none.
  std::array<char, 40> kernel{};
  /// Identifier of the PID namespace: each container has its own process numbers.
  unsigned long long numbering{};
  long long process{};

  static ProcessPlace placeOfThisProcess() {
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

  bool isProcessVisibleFrom(const ProcessPlace& other) const {
    return kernel[0] != 0 && kernel == other.kernel && numbering == other.numbering;
  }
};

/// True if the process with this number, visible from this process, no longer exists.
inline bool hasProcessEnded(long long process) {
  return ::kill(static_cast<pid_t>(process), 0) != 0 && errno == ESRCH;
}

}  // namespace ricochet
