#include "io/app/result_watch.hpp"

#include "io/archive/read_curve.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/hdf5/hdf5_journal.hpp"
#include "io/result/result_target.hpp"
#include "io/result/target.hpp"
#include "io/text/counted.hpp"
#include "io/text/printable.hpp"
#include "io/text/progress.hpp"
#include "io/toml/document.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace ricochet {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownContacts = 8;

/// State of a running file at one instant: progress, energies and contacts.
struct Look {
  /// Instant of the last row [s], end and start of the run [s].
  double time{0.0}, end{0.0}, start{0.0};
  std::size_t rows{0}, events{0};
  bool isBatch{false};             ///< true: `time` is the number of completed cases of a batch
  std::vector<std::string> lines;  ///< energies and contacts

  double completedFraction() const {
    return end > start ? std::clamp((time - start) / (end - start), 0.0, 1.0) : 0.0;
  }
};

double numberOfTransientKey(const Document& deck, const char* key, double otherwise) {
  const InputValue* table = deck.root.find("transient");
  const InputValue* value = table != nullptr ? table->find(key) : nullptr;
  if (value == nullptr) return otherwise;
  if (const auto* number = std::get_if<double>(&value->content)) return *number;
  const auto* whole = std::get_if<std::int64_t>(&value->content);
  return whole != nullptr ? static_cast<double>(*whole) : otherwise;
}

std::string energyHistoryText(const H5File& file, const std::string& root, std::size_t row) {
  std::string text;
  for (const char* part : {"kinetic", "elastic", "contact", "friction", "damping", "balance"})
    if (const std::string path = root + "/energy/" + part; file.exists(path) && row < file.rows(path))
      text += fmt::format("{}{} {:.4g} J", text.empty() ? "energy  " : ", ", part,
                          file.readRows(path, row, 1).values.front());
  return text;
}

std::string describeContactState(const H5File& file, const std::string& contact, Mode mode, std::size_t row) {
  const std::string group = contactGroupPath(contact, mode);
  if (!file.exists(group + "/gap") || row >= file.rows(group + "/gap")) return {};
  std::string state = "closed";
  for (const auto& [word, value] : file.valueNames(group + "/state"))
    if (value == file.readRows<std::int8_t>(group + "/state", row, 1).values.front()) state = word;
  return fmt::format("contact {}: {}, gap {:.4g} m, normal force {:.4g} N", contact, state,
                     file.readRows(group + "/gap", row, 1).values.front(),
                     file.readRows(group + "/normal_force", row, 1).values.front());
}

/// State of a running batch, whose progress is the number of finished cases instead of the time.
Look readBatchProgress(const H5File& file) {
  Look look;
  const H5Array<std::int8_t> status = file.read<std::int8_t>("/batch/status", {kAny});
  look.isBatch = true;
  look.end = static_cast<double>(status.values.size());
  for (const auto& [word, value] : file.valueNames("/batch/status")) {
    const auto count = std::count(status.values.begin(), status.values.end(), value);
    if (word != "pending") look.time += static_cast<double>(count);
    if (count > 0) look.lines.push_back(fmt::format("{} {}", count, word));
  }
  return look;
}

Look readRunState(const fs::path& partial) {
  const H5File file = H5File::open(partial);
  Look look;
  const Document deck = Document::parse(file.readText("/deck"), "the deck in " + file.name());
  look.start = numberOfTransientKey(deck, "start", 0.0);
  look.end = look.start + numberOfTransientKey(deck, "duration", 0.0);
  look.time = look.start;
  if (file.exists("/batch/status")) return readBatchProgress(file);
  const Mode mode = file.exists("/direct/energy") ? Mode::direct : Mode::modal;
  const std::string root{runGroupPrefix(mode)};
  const std::string times = root + "/energy/time";
  if (!file.exists(times)) return look;
  look.rows = file.rows(times);
  if (const std::string events = root + "/events/time"; file.exists(events)) look.events = file.rows(events);
  if (look.rows == 0) return look;
  const std::size_t row = look.rows - 1;
  look.time = file.readRows(times, row, 1).values.front();
  look.lines.push_back(energyHistoryText(file, root, row));
  const std::vector<std::string> contacts =
      file.exists(contactTablePath(mode)) ? std::vector<std::string>{} : contactNamesIn(file, mode);
  for (std::size_t i = 0; i < std::min(contacts.size(), kShownContacts); ++i)
    look.lines.push_back(describeContactState(file, contacts[i], mode, row));
  if (contacts.size() > kShownContacts)
    look.lines.push_back(fmt::format("... and {} more contacts", contacts.size() - kShownContacts));
  std::erase(look.lines, std::string());
  return look;
}

/// Reads the state of a file while another process writes to it, and repeats the reading until no commit of
/// the writer falls within it. Empty if no attempt succeeds or the file no longer exists.
std::optional<Look> readConsistentRunState(const fs::path& partial) {
  constexpr int kTries = 20;
  for (int i = 0; i < kTries; ++i) {
    const auto before = JournaledFile::readJournalStamp(partial);
    std::optional<Look> look;
    try {
      look = readRunState(partial);
    } catch (const std::exception&) {
      look.reset();  // parts of two commits, or no content yet
    }
    std::error_code ignored;
    if (!fs::exists(partial, ignored)) return std::nullopt;
    if (look && before && before == JournaledFile::readJournalStamp(partial)) return look;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return std::nullopt;
}

/// Prints states of a run; on a terminal, each state replaces the one before.
class Screen {
 public:
  explicit Screen(std::FILE* out) : out_(out), isTerminal_(isatty(fileno(out)) == 1) {}

  void printRunState(const Look& look, double rate) {
    std::vector<std::string> lines;
    const double left = rate > 0.0 ? (look.end - look.time) / rate : 0.0;
    const std::string pace = rate > 0.0 ? fmt::format(", {:.3g} {} per second, {} left", rate,
                                                      look.isBatch ? "cases" : "s", durationText(left))
                                        : "";
    const std::string done =
        look.isBatch ? fmt::format("{:.0f} of {:.0f} cases", look.time, look.end)
                     : fmt::format("t = {:.6g} s of {:.6g} s, {}, {}", look.time, look.end,
                                   numberWithNoun(look.rows, "row"), numberWithNoun(look.events, "event"));
    lines.push_back(fmt::format("{:3.0f} %  {}{}", 100.0 * look.completedFraction(), done, pace));
    for (const std::string& line : look.lines) lines.push_back("       " + printableMessage(line));
    if (isTerminal_ && shown_ > 0) fmt::print(out_, "\x1b[{}A\x1b[J", shown_);
    for (const std::string& line : lines) fmt::print(out_, "{}\n", line);
    std::fflush(out_);
    shown_ = lines.size();
  }

 private:
  std::FILE* out_;
  bool isTerminal_;
  std::size_t shown_{0};
};

bool printFinalStatus(const fs::path& result, const fs::path& partial, std::FILE* out) {
  std::error_code ignored;
  if (!fs::exists(result, ignored)) {
    fmt::print(out, "{}: the run was ended before its end; --resume goes on\n", partial.string());
    return false;
  }
  const H5File file = openRequestedResult(result);
  const std::string status = file.stringAttribute("/", "status");
  fmt::print(
      out, "{}: {}{}\n", result.string(), status,
      file.hasAttribute("/", "failure") ? ": " + printableMessage(file.stringAttribute("/", "failure")) : "");
  return status == "complete";
}

}  // namespace

bool watchResult(const fs::path& result, const WatchRequest& request, std::FILE* out) {
  const fs::path partial = JournaledFile::hasTemporaryName(result) ? result : temporaryNameOfResult(result);
  const fs::path whole =
      JournaledFile::hasTemporaryName(result) ? fs::path(result).replace_extension() : result;
  std::error_code ignored;
  if (!fs::exists(partial, ignored) && !fs::exists(whole, ignored))
    throw TargetError(fmt::format("{}: there is no such result, and no run writes one", whole.string()));
  const InterruptGuard guard;
  Screen screen(out);
  std::optional<Look> last;
  auto seen = std::chrono::steady_clock::now();
  while (JournaledFile::isOpenForWriting(partial)) {
    if (const std::optional<Look> look = readConsistentRunState(partial)) {
      const auto now = std::chrono::steady_clock::now();
      const double elapsed = std::chrono::duration<double>(now - seen).count();
      screen.printRunState(*look, last && elapsed > 0.0 ? (look->time - last->time) / elapsed : 0.0);
      if (request.once) return true;
      last = look;
      seen = now;
    }
    const auto until = std::chrono::steady_clock::now() + std::chrono::duration<double>(request.every);
    while (std::chrono::steady_clock::now() < until && JournaledFile::isOpenForWriting(partial)) {
      if (InterruptGuard::isStopRequested()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  // The writer gives the file its final name before it closes the file.
  while (JournaledFile::isOpenForWriting(whole) && !InterruptGuard::isStopRequested())
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return printFinalStatus(whole, partial, out);
}

}  // namespace ricochet
