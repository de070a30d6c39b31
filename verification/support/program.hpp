#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>

namespace ricochet::test {

/// What a command printed (both streams) and its exit status, or the signal that ended it.
struct CommandOutcome {
  int status{-1};
  int signal{0};
  std::string output;

  static CommandOutcome of(int waited, std::string output = {}) {
    if (WIFSIGNALED(waited)) return {-1, WTERMSIG(waited), std::move(output)};
    return {WIFEXITED(waited) ? WEXITSTATUS(waited) : -1, 0, std::move(output)};
  }
};

/// Time limit of a command, which also suffices with sanitizers.
inline constexpr std::chrono::seconds kLongest{300};

/// Runs a shell command; the test fails if the command exceeds the time limit.
inline CommandOutcome runShell(const std::string& command) {
  std::string quoted;
  for (const char each : command) quoted += each == '\'' ? std::string("'\\''") : std::string(1, each);
  const std::string limited =
      "timeout --kill-after=5 " + std::to_string(kLongest.count()) + " sh -c '" + quoted + "' 2>&1";
  CommandOutcome outcome;
  std::FILE* pipe = popen(limited.c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.output.append(buffer.data(), n);
  outcome = CommandOutcome::of(pclose(pipe), std::move(outcome.output));
  // timeout(1) returns these statuses if it ended or killed the command; the program itself never returns
  // them.
  if (outcome.status == 124 || outcome.status == 128 + SIGKILL)
    ADD_FAILURE() << "did not end in time, or was killed: " << command << '\n' << outcome.output;
  return outcome;
}

inline std::string readText(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A command that runs in a folder and is stopped when its output shows that it has reached a state. The test
/// does not use a clock, because machines differ in speed.
class Child {
 public:
  Child(const std::filesystem::path& folder, const std::string& command)
      : output_(std::filesystem::temp_directory_path() /
                ("ricochet-" + folder.filename().string() + ".out")) {
    const std::string line = "cd '" + folder.string() + "' && exec " + command;
    process_ = fork();
    if (process_ != 0) return;
#ifdef __linux__
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // The command ends together with a test that is ended from outside.
#endif
    const int file = ::open(output_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    ::dup2(file, STDOUT_FILENO);
    ::dup2(file, STDERR_FILENO);
    execl("/bin/sh", "sh", "-c", line.c_str(), nullptr);
    _exit(127);
  }
  ~Child() {
    if (process_ > 0) finish(SIGKILL);
    std::error_code ignored;
    std::filesystem::remove(output_, ignored);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Waits for a condition; false if the command ended before, or after two minutes.
  template <class Condition>
  bool waitUntil(Condition&& isReached) {
    for (int i = 0; i < 120000 && !hasEnded(); ++i) {
      if (isReached()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return false;
  }
  bool waitForSize(const std::filesystem::path& file, std::uintmax_t bytes) {
    return waitUntil([&] {
      std::error_code absent;
      const std::uintmax_t size = std::filesystem::file_size(file, absent);
      return !absent && size >= bytes;
    });
  }

  /// Waits until the command has used this processor time, however busy the machine is.
  bool waitForWork(std::chrono::duration<double> time) {
    return waitUntil([&] {
      clockid_t clock{};
      std::timespec spent{};
      return ::clock_getcpuclockid(process_, &clock) == 0 && ::clock_gettime(clock, &spent) == 0 &&
             static_cast<double>(spent.tv_sec) + 1e-9 * static_cast<double>(spent.tv_nsec) >= time.count();
    });
  }

  /// Sends a signal, if any, and waits for the end of the command. The test fails if the command does not end
  /// in time.
  CommandOutcome finish(int signal = 0) {
    if (process_ > 0 && signal != 0) ::kill(process_, signal);
    const auto begin = std::chrono::steady_clock::now();
    while (!hasEnded()) {
      if (std::chrono::steady_clock::now() - begin > kLongest) {
        ADD_FAILURE() << "did not end in time: " << readText(output_);
        ::kill(process_, SIGKILL);
        ::waitpid(process_, &status_, 0);
        process_ = 0;
      } else {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    }
    return CommandOutcome::of(status_, readText(output_));
  }

 private:
  bool hasEnded() {
    if (process_ > 0 && ::waitpid(process_, &status_, WNOHANG) == process_) process_ = 0;
    return process_ <= 0;  // negative: no command was started
  }

  std::filesystem::path output_;
  pid_t process_{0};
  int status_{0};
};

/// A temporary folder of a test, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ricochet-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const std::filesystem::path& path() const noexcept { return path_; }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  bool isEmptyExceptFor(const std::string& name) const {
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      if (entry.path().filename() != name) return false;
    return true;
  }
  /// Runs the program in this folder.
  CommandOutcome ricochet(const std::string& arguments) const {
    return runShell("cd '" + path_.string() + "' && '" RICOCHET_PROGRAM "' " + arguments);
  }
  Child start(const std::string& arguments) const { return {path_, "'" RICOCHET_PROGRAM "' " + arguments}; }

 private:
  std::filesystem::path path_;
};

/// A steel rod of 1 m along x with the nodes "root" and "tip", clamped at its root; `rest` begins with keys
/// of the beam.
inline std::string cantilever(int elements, const std::string& rest) {
  return "[[nodes]]\nname = \"root\"\nposition = [0, 0, 0]\n[[nodes]]\nname = \"tip\"\nposition = [1, 0, 0]\n"
         "[materials.steel]\nyoung = 2e11\npoisson = 0.3\ndensity = 7800\n"
         "[sections.rod]\ntype = \"circle\"\nradius = 0.01\n"
         "[[supports]]\nnodes = [\"root\"]\nfixed = [\"ux\", \"uy\", \"uz\", \"rx\", \"ry\", \"rz\"]\n"
         "[[beams]]\nname = \"rod\"\nnodes = [\"root\", \"tip\"]\nmaterial = \"steel\"\nsection = \"rod\"\n"
         "elements = " +
         std::to_string(elements) + "\n" + rest;
}

/// A mass on a spring between two stops, whose run is long enough to be interrupted: `duration` in seconds
/// with a step of 1e-5 s.
inline std::string bouncer(double duration, const std::string& more = {}) {
  return "[[nodes]]\nname = \"ball\"\nposition = [0, 0, 0]\n"
         "[[masses]]\nnodes = [\"ball\"]\nmass = 2.0\n"
         "[[springs]]\nnodes = [\"ball\"]\nstiffness = [2.0e4, 0, 0]\n"
         "[[supports]]\nnodes = \"all\"\nfixed = [\"uy\", \"uz\"]\n"
         "[basis]\nall = true\n"
         "[initial]\ndisplacement = [ { node = \"ball\", value = [0.009, 0, 0] } ]\n"
         "[[contacts]]\nname = \"stops\"\nnode = \"ball\"\n"
         "obstacle = { type = \"slot\", axis = [0, 0, 1], direction = [1, 0, 0], gap = 0.005 }\n"
         "normal = { stiffness = 1.0e5 }\n"
         "[transient]\nduration = " +
         std::to_string(duration) + "\nscheme = \"kick_drift\"\nstep = 1.0e-5\n[output]\nevery = 100\n" +
         more;
}

}  // namespace ricochet::test
