#include "io/result/data_files.hpp"

#include "io/deck/bare_deck.hpp"
#include "io/hdf5/hdf5_axes.hpp"
#include "io/result/result_target.hpp"
#include "io/text/digest.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace ricochet {
namespace {

constexpr const char* kNamesOfFiles = "/data_files/name";
constexpr const char* kDigestsOfFiles = "/data_files/sha256";

/// The table of cases that the deck of a result names; empty if there is none. The motion does not depend on
/// this table, whose values are in the result, so that the table is no data file.
std::string readCaseTable(const H5File& file) {
  if (!file.exists("/deck")) return {};
  std::string text = file.readText("/deck");
  if (text.find("batch") == std::string::npos) return {};
  const Document deck = Document::parse(std::move(text), file.name());
  const InputValue* batch = deck.root.find("batch");
  const InputValue* table = batch == nullptr ? nullptr : batch->find("file");
  const auto* name = table == nullptr ? nullptr : std::get_if<std::string>(&table->content);
  return name == nullptr ? std::string{} : *name;
}

}  // namespace

void writeDataFiles(const H5File& file, const Deck& study) {
  if (study.dataFiles.empty()) return;
  const std::filesystem::path folder = study.deckFile.parent_path();
  std::vector<std::string> names, digests;
  for (const std::filesystem::path& each : study.dataFiles) {
    const std::filesystem::path beside = each.lexically_relative(folder);
    names.push_back(beside.empty() ? each.string() : beside.string());
    digests.push_back(sha256OfFile(each));
  }
  file.writeStrings(kNamesOfFiles, names, {"1", "files that the deck names, from its folder"});
  file.writeStrings(kDigestsOfFiles, digests, {"1", "SHA-256 of each when the run began"});
  labelAxes(file, kDigestsOfFiles, {{"name"}});
}

std::filesystem::path pathForReadingDeck(const H5File& file, const std::filesystem::path& otherwise) {
  if (!file.hasAttribute("/", "deck_folder")) return otherwise;
  const std::filesystem::path folder = file.stringAttribute("/", "deck_folder");
  std::error_code ignored;
  return std::filesystem::is_directory(folder, ignored) ? folder / otherwise.filename() : otherwise;
}

std::optional<std::filesystem::path> findChangedDataFile(const H5File& file, const Deck& study) {
  const std::vector<std::string> digests =
      file.exists(kDigestsOfFiles) ? file.readStrings(kDigestsOfFiles) : std::vector<std::string>{};
  for (std::size_t i = 0; i < study.dataFiles.size(); ++i)
    if (i >= digests.size() || sha256OfFile(study.dataFiles[i]) != digests[i]) return study.dataFiles[i];
  return std::nullopt;
}

std::vector<std::filesystem::path> dataFilesOf(const H5File& file) {
  std::vector<std::filesystem::path> files;
  const std::filesystem::path folder = pathForReadingDeck(file, file.name()).parent_path();
  if (file.exists(kNamesOfFiles))
    for (const std::string& name : file.readStrings(kNamesOfFiles)) files.push_back(folder / name);
  if (const std::string table = readCaseTable(file); !table.empty()) files.push_back(folder / table);
  return files;
}

void requireSameDataFiles(const H5File& file, const Deck& study) {
  if (const auto changed = findChangedDataFile(file, study))
    throw TargetError(fmt::format(
        "{}: the data file {} has changed since it was begun: restore that file to go on, or run without "
        "--resume and with --force to begin anew",
        file.name(), changed->string()));
}

}  // namespace ricochet
