#include "io/app/report/report.hpp"

#include "io/app/report/histories.hpp"
#include "io/app/report/model_page.hpp"
#include "io/app/report/page_assets.hpp"
#include "io/app/report/page_data.hpp"
#include "io/app/runs/checks_file.hpp"
#include "io/archive/result_names.hpp"
#include "io/deck/deck.hpp"
#include "io/hdf5/hdf5.hpp"
#include "io/result/data_files.hpp"
#include "io/result/target.hpp"
#include "io/text/json.hpp"
#include "io/toml/document.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>
#include <vector>

namespace ricochet {
namespace {

constexpr std::size_t kHistoryNumbers = 300000;  // largest number of values of all histories of a page
constexpr std::size_t kLeastBuckets = 250, kMostBuckets = 6000;
constexpr std::size_t kMostModalNumbers = 4000;    // largest number of values of a dataset of the basis
constexpr std::size_t kMostBatchNumbers = 120000;  // largest number of values of a dataset of a batch
constexpr std::size_t kMostCompared = 20000;       // largest number of values of a dataset of a comparison

/// The deck of a result, or the reason why the deck cannot be read.
struct DeckOfResult {
  std::string text;
  std::optional<Deck> study;
  std::string missing;
};

bool hasResultSameNodes(const H5File& file, const Deck& study) {
  std::vector<double> now;
  for (const Vec3& place : study.structure.positions) now.insert(now.end(), place.begin(), place.end());
  return !file.exists("/model/nodes/position") || file.read("/model/nodes/position", {kAny, 3}).values == now;
}

DeckOfResult readDeckOfResult(const H5File& file, const std::filesystem::path& result) {
  DeckOfResult deck;
  if (!file.exists("/deck")) return deck;
  deck.text = file.readText("/deck");
  try {
    const std::filesystem::path place =
        pathForReadingDeck(file, std::filesystem::path(result).concat(":deck"));
    deck.study = readDeck(place, Document::parse(deck.text, place.string()));
    if (hasResultSameNodes(file, *deck.study)) return deck;
    deck.study.reset();
    deck.missing = "files that the deck names have other nodes than those of the run";
  } catch (const std::runtime_error& error) {  // a data file of the deck no longer exists
    deck.missing = error.what();
  }
  return deck;
}

std::string checkResultsAsJson(const H5File& file, const DeckOfResult& deck) {
  const auto number = [](const std::optional<double>& x) { return x ? jsonNumber(*x) : std::string("null"); };
  std::vector<std::string> checks;
  for (const CheckResult& check : readCheckResults(file)) {
    JsonObject object;
    object.addText("quantity", check.quantity).addText("where", check.where).add("time", number(check.time));
    object.addNumber("reference", check.reference).add("published", number(check.published));
    object.add("computed", number(check.computed)).add("difference", number(check.differenceFromReference()));
    object.addNumber("limit", check.limit).add("passed", check.passed ? "true" : "false");
    checks.push_back(object.addText("source", check.source).text());
  }
  JsonObject object;
  object.add("judged", jsonArray(checks));
  return object.addNumber("inDeck", deck.study ? static_cast<double>(deck.study->checks.size()) : 0.0).text();
}

std::string deckAsJson(const DeckOfResult& deck) {
  std::vector<std::string> defaults;
  if (deck.study)
    for (const DefaultTaken& taken : deck.study->defaults)
      defaults.push_back(jsonArrayOfStrings(std::array{taken.path, taken.value, taken.unit}));
  JsonObject object;
  object.addText("text", deck.text).add("defaults", jsonArray(defaults)).addText("missing", deck.missing);
  return object.text();
}

std::string runsAsJson(const H5File& file, PageData& data) {
  std::vector<std::pair<Mode, ShownHistories>> shown;
  std::size_t sources = 0;
  for (const Mode mode : {Mode::modal, Mode::direct}) {
    const std::string root(runGroupPrefix(mode));
    const std::array groups{root + "/energy/time", root + "/physical/time", root + "/events/time"};
    if (std::ranges::none_of(groups, [&](const std::string& each) { return file.exists(each); })) continue;
    shown.emplace_back(mode, selectShownHistories(file, mode));
    sources += shown.back().second.sources.size();
  }
  const std::size_t buckets =
      std::clamp(kHistoryNumbers / std::max<std::size_t>(3 * sources, 1), kLeastBuckets, kMostBuckets);
  std::vector<std::string> runs;
  for (const auto& [mode, histories] : shown) runs.push_back(runAsJson(file, mode, histories, buckets, data));
  return jsonArray(runs);
}

/// All data of a result that the page shows, as JSON; its arrays are in `data`.
std::string reportContentAsJson(const H5File& file, const std::filesystem::path& result, PageData& data) {
  const DeckOfResult deck = readDeckOfResult(file, result);
  std::vector<std::string> notes;
  JsonObject object;
  object.addText("file", result.filename().string());
  object.addNumber("size", static_cast<double>(std::filesystem::file_size(result)));
  object.add("attributes", attributesAsJson(file, "/")).add("deck", deckAsJson(deck));
  object.add("checks", checkResultsAsJson(file, deck));
  object.add("model", modelAsJson(file, deck.study ? &*deck.study : nullptr, data));
  object.add("motion", motionAsJson(file, data, notes));
  if (file.exists("/modal/frequency"))
    object.add("modal", groupAsJson(file, "/modal", data, kMostModalNumbers));
  object.add("runs", runsAsJson(file, data));
  if (file.exists("/comparison"))
    object.add("comparison", groupAsJson(file, "/comparison", data, kMostCompared));
  if (file.exists("/batch")) object.add("batch", groupAsJson(file, "/batch", data, kMostBatchNumbers));
  return object.add("notes", jsonArrayOfStrings(notes)).text();
}

/// A text as content of HTML.
std::string escapedHtml(std::string_view text) {
  std::string html;
  for (const char c : text)
    html += c == '<'   ? "&lt;"
            : c == '>' ? "&gt;"
            : c == '&' ? "&amp;"
            : c == '"' ? "&quot;"
                       : std::string(1, c);
  return html;
}

/// Page: the template with a part instead of each mark {{name}}. Marks within the parts are not replaced.
std::string filledTemplate(std::string_view page,
                           const std::vector<std::pair<std::string_view, std::string>>& parts) {
  std::string text;
  for (std::size_t at = 0;;) {
    const std::size_t mark = page.find("{{", at);
    text += page.substr(at, mark - at);
    if (mark == std::string_view::npos) return text;
    const std::size_t end = page.find("}}", mark);
    const std::string_view name = page.substr(mark + 2, end - mark - 2);
    for (const auto& [known, part] : parts)
      if (known == name) text += part;
    at = end + 2;
  }
}

}  // namespace

void requirePageLibraries() {
  if (!page_assets::kMissing.empty())
    throw ReportError(fmt::format(
        "this program was built without {}, whose scripts a report holds: install them (apt-get install "
        "{}) and build it again",
        page_assets::kMissing, page_assets::kMissing));
}

std::string reportPage(const std::filesystem::path& result) {
  requirePageLibraries();
  const H5File file = openRequestedResult(result);
  PageData data;
  const std::string content = reportContentAsJson(file, result, data);
  const std::string title = file.hasAttribute("/", "title") ? file.stringAttribute("/", "title") : "";
  return filledTemplate(page_assets::kPage,
                        {{"title", escapedHtml(title.empty() ? result.filename().string() : title)},
                         {"style", std::string(page_assets::kStyle)},
                         {"libraries", std::string(page_assets::kLibraries)},
                         {"scripts", std::string(page_assets::kScripts)},
                         {"licences", escapedHtml(page_assets::kLicences)},
                         {"content", content},
                         {"arrays", data.base64()}});
}

}  // namespace ricochet
