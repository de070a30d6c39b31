#pragma once

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

namespace ricochet::test {

/// What a command printed (both streams) and its exit status.
struct Outcome {
  int status{-1};
  std::string output;
};

inline Outcome runShell(const std::string& command) {
  Outcome outcome;
  std::FILE* pipe = popen(("( " + command + " ) 2>&1").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.output.append(buffer.data(), n);
  const int status = pclose(pipe);
  outcome.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return outcome;
}

/// A folder of its own for a test, gone afterwards.
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
  bool isEmptyBut(const std::string& name) const {
    for (const auto& entry : std::filesystem::directory_iterator(path_))
      if (entry.path().filename() != name) return false;
    return true;
  }
  /// Runs the program in this folder.
  Outcome ricochet(const std::string& arguments) const {
    return runShell("cd '" + path_.string() + "' && '" RICOCHET_PROGRAM "' " + arguments);
  }

 private:
  std::filesystem::path path_;
};

inline std::string readText(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

/// A mass on a spring between two stops, long enough to be interrupted: `duration` in seconds at a step of
/// 1e-5 s.
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
