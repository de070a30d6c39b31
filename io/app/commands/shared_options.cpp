#include "io/app/commands/shared_options.hpp"

#include "io/deck/deck.hpp"
#include "io/quantities/batch/changed_deck.hpp"
#include "io/result/result_target.hpp"
#include "io/text/progress.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>

namespace ricochet {

Document DeckArgument::loadDocument() const { return loadChangedDeck(file, changes); }

Deck DeckArgument::readStudy() const { return readDeck(file, loadDocument()); }

void addSetOption(CLI::App& command, std::vector<std::string>& changes, std::string_view more) {
  command
      .add_option("--set", changes,
                  fmt::format("PATH=VALUE replaces a value of the deck, or adds a key to one of its tables: "
                              "contacts.stop.normal.stiffness=1e6, "
                              "masses.0.mass=2; once for each of them; {}",
                              more))
      ->allow_extra_args(false);
}

void addDeckArgument(CLI::App& command, DeckArgument& deck) {
  command.add_option("DECK", deck.file, "The study, a TOML file; - reads it from standard input")->required();
  addSetOption(command, deck.changes, "the result holds the deck as it was run");
}

void addOutputFileOptions(CLI::App& command, std::optional<std::filesystem::path>& output, bool& force,
                          std::string_view what) {
  command.add_option("-o,--output", output,
                     fmt::format("{} (default: [output] file of the deck, or its name with .h5)", what));
  command.add_flag(
      "-f,--force", force,
      "Replace a complete result that is already there, or begin anew where one was left unfinished");
}

void addQuietOption(CLI::App& command, bool& quiet, std::string_view but) {
  command.add_flag("-q,--quiet", quiet, fmt::format("Print nothing but {}", but));
}

void addLimitOptions(CLI::App& command) {
  command
      .add_option_function<double>("--max-time", InterruptGuard::setTimeLimit,
                                   "Stop as at Ctrl-C after so long: 90, 90s, 15min, 2h; --resume goes on")
      ->transform(
          CLI::AsNumberWithUnit(std::map<std::string, double>{{"s", 1.0}, {"min", 60.0}, {"h", 3600.0}}))
      ->check(CLI::NonNegativeNumber);
  command
      .add_option_function<std::uint64_t>(
          "--max-size", InterruptGuard::setFileSizeLimit,
          "Stop as at Ctrl-C when the result holds so much: 500000, 200MB, 2GB; --resume goes on")
      ->transform(CLI::AsSizeValue(true));
}

void writeTextFile(const std::filesystem::path& file, const std::function<void(std::FILE*)>& write) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::fopen(file.c_str(), "w"), &std::fclose);
  if (!out) throw TargetError(fmt::format("{}: cannot be written", file.string()));
  write(out.get());
  if (std::fflush(out.get()) != 0 || std::ferror(out.get()) != 0)
    throw std::runtime_error(fmt::format("{}: cannot be written to its end", file.string()));
}

}  // namespace ricochet
