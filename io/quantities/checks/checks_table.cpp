
#include "io/quantities/checks/check_result.hpp"
#include "io/text/json.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>

namespace ricochet {
namespace {

constexpr std::array<std::string_view, 10> kHeadings{
    "deck", "quantity", "where", "time [s]", "reference", "published", "computed", "difference", "limit", ""};
constexpr std::size_t kDeck = 0, kPublished = 5;

std::array<std::string, 10> tableCellsOfResult(const CheckResult& r) {
  const auto number = [](const std::optional<double>& x, const char* format) {
    return x ? fmt::format(fmt::runtime(format), *x) : std::string("-");
  };
  return {r.deck,
          r.quantity,
          r.where,
          number(r.time, "{:.9g}"),
          fmt::format("{:.10g}", r.reference),
          number(r.published, "{:.6g}"),
          r.computed ? fmt::format("{:.10g}", *r.computed) : "none",
          number(r.differenceFromReference(), "{:+.2e}"),
          fmt::format("{:.2e}", r.limit),
          r.passed ? "pass" : "FAIL"};
}

}  // namespace

std::string formatChecks(const std::vector<CheckResult>& results) {
  std::vector<std::array<std::string, 10>> rows(1);
  std::ranges::copy(kHeadings, rows.front().begin());
  for (const CheckResult& r : results) rows.push_back(tableCellsOfResult(r));
  std::array<std::size_t, 10> width{};
  for (std::size_t c = 0; c < width.size(); ++c)
    for (const auto& row : rows) width[c] = std::max(width[c], row[c].size());
  // a column with one and the same deck in all rows, or without any published value, is left out
  if (std::ranges::all_of(results, [&](const CheckResult& r) { return r.deck == results.front().deck; }))
    width[kDeck] = 0;
  if (std::ranges::none_of(results, [](const CheckResult& r) { return r.published.has_value(); }))
    width[kPublished] = 0;
  // number of columns with text, left-aligned; numbers are right-aligned
  constexpr std::size_t kTextColumns = 3;
  std::string table;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t c = 0; c < width.size(); ++c) {
      const bool left = c < kTextColumns || c + 1 == width.size();
      if (width[c] == 0 && c + 1 != width.size()) continue;
      line += left ? fmt::format("{:<{}}  ", row[c], width[c]) : fmt::format("{:>{}}  ", row[c], width[c]);
    }
    line.erase(line.find_last_not_of(' ') + 1);
    table += line + '\n';
  }
  return table;
}

std::string checksAsJson(const std::vector<CheckResult>& results) {
  const auto number = [](const std::optional<double>& x) { return x ? fmt::format("{:.17g}", *x) : "null"; };
  std::string json = "[\n";
  for (std::size_t i = 0; i < results.size(); ++i) {
    const CheckResult& r = results[i];
    json += fmt::format(
        R"(  {{"deck": {}, "quantity": {}, "where": {}, "time": {}, "reference": {:.17g}, "published": {}, )"
        R"("computed": {}, "difference": {}, "limit": {:.17g}, "source": {}, "passed": {}}})",
        jsonString(r.deck), jsonString(r.quantity), jsonString(r.where), number(r.time), r.reference,
        number(r.published), number(r.computed), number(r.differenceFromReference()), r.limit,
        jsonString(r.source), r.passed);
    json += i + 1 < results.size() ? ",\n" : "\n";
  }
  return json + "]\n";
}

}  // namespace ricochet
