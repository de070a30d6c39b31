#include "io/app/result_info.hpp"

#include "io/app/runs/run_notes.hpp"
#include "io/archive/field_ranges.hpp"
#include "io/archive/result_names.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/result/target.hpp"
#include "io/text/counted.hpp"
#include "io/text/size_text.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace ricochet {
namespace {

constexpr std::size_t kShown = 8;  // largest number of names on a line

std::string commaSeparatedNames(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) text += (i > 0 ? ", " : "") + names[i];
  return names.size() > kShown ? fmt::format("{} ... {}", text, names.back()) : text;
}

std::string textOfAttribute(const H5File& file, const char* attribute) {
  return file.hasAttribute("/", attribute) ? file.stringAttribute("/", attribute) : "unknown";
}

/// Status of a result, and the possible actions for a result that is not complete.
std::string statusSummary(const H5File& file) {
  const std::string status = textOfAttribute(file, "status");
  if (status == "running")
    return "not complete: its run was ended before; this is its state at the last flush "
           "(ricochet run DECK --resume, or batch --resume, goes on)";
  if (file.hasAttribute("/", "failure"))
    return fmt::format("{}: {}", status, textOfAttribute(file, "failure"));
  return status;
}

std::string deckSummary(const H5File& file) {
  const std::string deck = file.readText("/deck");
  const InputValue* checks = nullptr;
  const Document document = Document::parse(deck, "the deck in " + file.name());
  if (const InputValue* found = document.root.find("checks"); found != nullptr && found->array() != nullptr)
    checks = found;
  return fmt::format("{}, from {}, with {} (ricochet reproduce runs it again)",
                     numberWithNoun(std::count(deck.begin(), deck.end(), '\n'), "line"),
                     textOfAttribute(file, "deck_folder"),
                     numberWithNoun(checks == nullptr ? 0 : checks->array()->size(), "check"));
}

/// A line per contact of a run: impacts, peak force and friction energy, where the run has ended.
std::string contactSummary(const H5File& file, Mode mode) {
  const std::string table = contactTablePath(mode), groups = std::string(runGroupPrefix(mode)) + "/contacts";
  if (file.exists(table))
    return fmt::format("  contacts     {} in a table\n", file.readStrings(table + "/name").size());
  std::string lines;
  const std::vector<std::string> contacts = groupMembers(file, groups);
  for (std::size_t i = 0; i < std::min(contacts.size(), kShown); ++i) {
    const std::string group = groups + "/" + contacts[i];
    std::vector<std::string> totals;
    if (file.hasAttribute(group, "impacts") &&
        file.stringAttribute(group, "obstacle") != "none")  // an imposed force has no impacts
      totals.push_back(numberWithNoun(file.integerAttribute(group, "impacts"), "impact"));
    if (file.hasAttribute(group, "peak_force"))
      totals.push_back(fmt::format("peak force {:.4g} N", file.numberAttribute(group, "peak_force")));
    if (file.hasAttribute(group, "friction_energy"))
      totals.push_back(
          fmt::format("friction energy {:.4g} J", file.numberAttribute(group, "friction_energy")));
    lines += fmt::format("  contact      {}{}{}\n", deckNameOfGroup(file, group), totals.empty() ? "" : ": ",
                         fmt::join(totals, ", "));
  }
  if (contacts.size() > kShown)
    lines += fmt::format("  ... and {} more contacts\n", contacts.size() - kShown);
  return lines;
}

std::string runSummary(const H5File& file, Mode mode) {
  const std::string root{runGroupPrefix(mode)};
  std::string lines;
  for (const std::string& group : {root + "/physical", root + "/transient", root + "/energy"}) {
    if (!lines.empty() || !file.exists(group + "/time")) continue;
    const std::size_t rows = file.rows(group + "/time");
    lines = fmt::format("  {:<11}  {}", mode == Mode::direct ? "direct run" : "modal run",
                        numberWithNoun(rows, "row"));
    if (rows > 0)
      lines += fmt::format(" from {} s to {} s", file.readRows(group + "/time", 0, 1).values.front(),
                           file.readRows(group + "/time", rows - 1, 1).values.front());
    lines += '\n';
  }
  if (lines.empty()) return lines;
  if (const std::string nodes = root + "/physical/node"; file.exists(nodes)) {
    const std::vector<std::string> names = file.readStrings(nodes);
    lines += fmt::format("  histories    of {}: {}\n", numberWithNoun(names.size(), "node"),
                         commaSeparatedNames(names));
  }
  lines += contactSummary(file, mode);
  if (std::vector<std::string> links = groupMembers(file, root + "/links"); !links.empty()) {
    for (std::string& each : links) each = deckNameOfGroup(file, root + "/links/" + each);
    lines += fmt::format("  links        {}\n", commaSeparatedNames(links));
  }
  if (const std::string events = root + "/events/time"; file.exists(events))
    lines += fmt::format("  events       {}\n", file.rows(events));
  if (const std::string energy = root + "/energy"; file.exists(energy) && file.hasAttribute(energy, "error"))
    lines += fmt::format("  energy       residual {} of the largest energy\n",
                         energyResidualText(file.numberAttribute(energy, "error")));
  return lines;
}

std::string batchSummary(const H5File& file) {
  const H5Array<std::int8_t> status = file.read<std::int8_t>("/batch/status", {kAny});
  std::string outcomes;
  for (const auto& [word, value] : file.valueNames("/batch/status"))
    if (const auto count = std::count(status.values.begin(), status.values.end(), value); count > 0)
      outcomes += fmt::format("{}{} {}", outcomes.empty() ? "" : ", ", count, word);
  std::string lines =
      fmt::format("  batch        {}: {}\n", numberWithNoun(status.values.size(), "case"), outcomes);
  lines += fmt::format("  parameters   {}\n",
                       commaSeparatedNames(file.stringsAttribute("/batch/parameters", "names")));
  lines += fmt::format("  outputs      {}\n",
                       commaSeparatedNames(file.stringsAttribute("/batch/outputs", "names")));
  std::vector<std::string> histories = groupMembers(file, "/batch/histories");
  std::erase(histories, "time");
  if (!histories.empty()) lines += fmt::format("  histories    {}\n", commaSeparatedNames(histories));
  return lines;
}

}  // namespace

std::string summaryTextOfResult(const std::filesystem::path& result) {
  const H5File file = openRequestedResult(result);
  std::string lines = fmt::format("{}: {}\n", result.string(), statusSummary(file));
  if (const std::string title = textOfAttribute(file, "title"); !title.empty())
    lines += fmt::format("  title        {}\n", title);
  if (file.exists("/deck")) lines += fmt::format("  deck         {}\n", deckSummary(file));
  lines += fmt::format("  written      {} by ricochet {}, {}\n", textOfAttribute(file, "created"),
                       textOfAttribute(file, "software_version"),
                       byteCountText(static_cast<double>(std::filesystem::file_size(result))));
  if (file.hasAttribute("/", "restored_from"))
    lines += fmt::format("  restored     from {}\n", textOfAttribute(file, "restored_from"));
  if (file.exists("/modal/frequency")) {
    const std::vector<double> frequency = file.read("/modal/frequency", {kAny}).values;
    if (!frequency.empty())
      lines += fmt::format("  basis        {}, {:.4g} to {:.4g} Hz\n",
                           numberWithNoun(frequency.size(), "mode"), frequency.front(), frequency.back());
  }
  lines += runSummary(file, Mode::modal) + runSummary(file, Mode::direct);
  if (file.exists("/batch/status")) lines += batchSummary(file);
  lines += fmt::format("  groups       {}\n", commaSeparatedNames(file.namesOfGroupMembers("/")));
  return lines;
}

}  // namespace ricochet
