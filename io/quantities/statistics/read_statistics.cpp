// Reads `[statistics]`, and checks of statistics.

#include "engine/study/parts/contact_request.hpp"
#include "io/deck/check_request.hpp"
#include "io/deck/read_parts.hpp"
#include "io/quantities/read_requests.hpp"
#include "io/quantities/statistics/contact_statistics.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace ricochet {
namespace {

void readWindows(const ReadContext& context, const Section& section, StatisticsRequest& request) {
  if (!section.hasKey("windows")) return;
  const ProblemWatch watch(section);
  const Matrix given = section.matrix("windows", kRequired);
  if (!watch.isFreeOfProblems()) return;
  if (given.rows() == 0 || given.cols() != 2)
    return section.problem("windows", "must be a list of windows [from, to] [s]");
  for (Eigen::Index i = 0; i < given.rows(); ++i) {
    StatisticsWindow window{given(i, 0), given(i, 1)};
    const auto index = static_cast<std::size_t>(i);
    if (!(window.to > window.from))
      section.problem("windows", index,
                      fmt::format("must end after its start, got [{}, {}]", window.from, window.to));
    for (double* instant : {&window.from, &window.to}) {
      if (!context.run) continue;
      const std::optional<double> inside = context.run->instantIfWithinRun(*instant);
      if (!inside)
        section.problem("windows", index,
                        fmt::format("{} s is outside the run, {}", *instant, context.run->description()));
      *instant = inside.value_or(*instant);
    }
    request.windows.push_back(window);
  }
}

void readChosenContacts(ReadContext& context, const Section& section, StatisticsRequest& request) {
  const std::size_t count = context.study.contacts.size();
  if (const auto names = section.strings("contacts");
      names && !(names->size() == 1 && names->front().value == "all")) {
    const std::vector<std::string>& known = context.contacts.all();
    for (std::size_t i = 0; i < names->size(); ++i) {
      const auto found = std::find(known.begin(), known.end(), (*names)[i].value);
      if (found == known.end())
        section.problem("contacts", i, unknownNameMessage("contact", (*names)[i].value, known));
      else
        request.contacts.push_back(static_cast<std::size_t>(found - known.begin()));
    }
    std::sort(request.contacts.begin(), request.contacts.end());
    if (std::adjacent_find(request.contacts.begin(), request.contacts.end()) != request.contacts.end())
      section.problem("contacts", "names a contact twice");
    return;
  }
  for (std::size_t i = 0; i < count; ++i) request.contacts.push_back(i);
}

void readHistograms(const Section& section, StatisticsRequest& request) {
  const ProblemWatch watch(section);
  request.bins = section.integer("bins", 0, rangeWithin(0.0, 100000.0));
  constexpr int kMultiple = 4;
  if (watch.isFreeOfProblems() && request.bins % kMultiple != 0)
    section.problem("bins",
                    fmt::format("must be a multiple of 4, got {}: bins are merged in pairs where a range "
                                "turns out to be too small",
                                request.bins));
  const std::optional<Section> ranges = section.section("ranges");
  if (!ranges) return;
  if (request.bins == 0 && watch.isFreeOfProblems())
    section.problem("ranges", "are of histograms: give `bins` too");
  for (std::size_t i = 0; i < kHistogrammed.size(); ++i) {
    const std::string_view key = kHistogrammed[i];
    const ProblemWatch rangeWatch(*ranges);
    const auto given = ranges->numbers(key, Sizes{2});
    if (!given || !rangeWatch.isFreeOfProblems()) continue;
    if (!((*given)[1] > (*given)[0]))
      ranges->problem(key, fmt::format("must be [low, high], got [{}, {}]", (*given)[0], (*given)[1]));
    request.ranges[i] = std::array{(*given)[0], (*given)[1]};
  }
}

bool hasContactCircumference(const ContactRequest& contact) {
  return tangentKind(contact.obstacle) == TangentKind::inPlane;
}

/// Reads the index of an angular sector.
void readWearSector(const Section& section, const StatisticsRequest& request, const ContactRequest& contact,
                    const SectorColumn& column, CheckRequest& check) {
  const ProblemWatch watch(section);
  const int sector = section.integer("sector", kRequired, rangeAtLeast(1.0));
  check.memory = static_cast<std::size_t>(sector - 1);
  if (request.sectors == 0)
    section.problem("name", "is of sectors, and [statistics] has no `sectors`");
  else if (watch.isFreeOfProblems() && sector > request.sectors)
    section.problem("sector", fmt::format("must be at most {}, the `sectors` of [statistics], got {}",
                                          request.sectors, sector));
  if (!hasContactCircumference(contact))
    section.problem("contact", "must have an axis for that: obstacle circle, disc or profile");
  if (column.ofWear) requireWearQuantity(section, "name", contact, column.name);
}

/// Why a contact does not have this worn volume or depth; empty if it does.
std::string reasonAgainstWearQuantity(const WearRequest* wear, bool ofDepth, bool ofOther, bool ofSector) {
  if (wear == nullptr) return "no `wear`";
  if (ofDepth && ofSector && !wear->hasSectorDepth()) return "no `wear` with the shape \"ring\"";
  if (ofDepth && !wear->shape) return "no `wear` with a shape";
  if (ofOther && !wear->other) return "no `wear` with `other`";
  if (ofDepth && ofOther && !wear->hasDepthOfOtherBody())
    return "no depth of the other body: its shape is that of the first body alone";
  return {};
}

/// Why a contact does not have a number of wear; empty if it does.
std::string reasonAgainstWear(const ContactRequest& contact, std::string_view name) {
  const std::string lack =
      reasonAgainstWearQuantity(contact.wear.get(), name.find("depth") != std::string_view::npos,
                                name.ends_with("_other"), name.starts_with("sector_"));
  return lack.empty() ? lack : fmt::format("contact \"{}\" has {}", contact.name, lack);
}

/// Why there is no window with this number; empty if there is one.
std::string reasonAgainstWindow(const StatisticsRequest& request, int window) {
  const std::size_t windows = request.windows.size();
  if (window <= static_cast<int>(windows)) return {};
  return windows == 0
             ? std::string("[statistics] has no `windows`; without a window it is the whole run")
             : fmt::format("must be at most {}, the windows of [statistics], got {}", windows, window);
}

std::string contactWithoutStatisticsText(const std::string& contact) {
  return fmt::format("\"{}\" is not among the `contacts` of [statistics]", contact);
}

}  // namespace

void readStatistics(ReadContext& context) {
  const std::optional<Section> section = context.root.section("statistics");
  if (!section) return;
  auto request = std::make_shared<StatisticsRequest>();
  if (section->exists() && !context.root.hasKey("transient"))
    section->problem(fmt::format("needs a run: {}", kGiveRun));
  else if (section->exists() && !context.root.hasKey("contacts"))
    section->problem("is of contacts, and this deck has none");
  readWindows(context, *section, *request);
  readChosenContacts(context, *section, *request);
  request->threshold = section->number("threshold", 0.0, rangeAtLeast(0.0, "N"));
  request->restTime = section->number("rest_time", 0.0, rangeAtLeast(0.0, "s"));
  readHistograms(*section, *request);
  request->impactTable = section->boolean("impact_table", false);
  request->sectors = section->integer("sectors", 0, rangeWithin(0.0, 3600.0));
  const std::vector<ContactRequest>& contacts = context.study.contacts;
  if (request->sectors > 0 && !request->contacts.empty() &&
      std::none_of(request->contacts.begin(), request->contacts.end(),
                   [&](std::size_t i) { return hasContactCircumference(contacts[i]); }))
    section->problem("sectors", "none of the contacts has an axis: obstacle circle, disc or profile");
  context.study.statistics = std::move(request);
}

std::vector<std::string> namesOfStatistics() {
  std::vector<std::string> names;
  for (const StatisticColumn& each : statisticColumns()) names.push_back(each.name);
  return names;
}

std::string setStatisticUnit(const ReadContext& context, OutputTerm& term) {
  if (!term.isNumberOfRun(OfRun::contactStatistic)) return {};
  const StatisticsRequest* request = context.study.statistics.get();
  if (request == nullptr) return "contact_statistic is of [statistics], which this deck does not have";
  if (std::string lack = reasonAgainstWindow(*request, term.window); !lack.empty()) return "window: " + lack;
  const auto index = static_cast<std::size_t>(term.contact);
  const ContactRequest& contact = context.study.contacts[index];
  if (!std::binary_search(request->contacts.begin(), request->contacts.end(), index))
    return contactWithoutStatisticsText(contact.name);
  const StatisticColumn* column = statisticColumn(term.statistic);
  term.unit = column->unit;
  return column->ofWear ? reasonAgainstWear(contact, term.statistic) : std::string();
}

void readContactStatistic(const ReadContext& context, const Section& section, CheckRequest& check) {
  std::vector<std::string_view> names;
  for (const StatisticColumn& each : statisticColumns()) names.push_back(each.name);
  for (const SectorColumn& each : sectorColumns()) names.push_back(each.name);
  check.part = section.choice("name", kRequired, names);
  check.index = section.hasKey("window") ? section.integer("window", kRequired, rangeAtLeast(1.0)) : 0;
  const StatisticsRequest* request = context.study.statistics.get();
  if (request == nullptr)
    return section.problem("quantity",
                           "\"contact_statistic\" is of [statistics], which this deck does not have");
  if (const std::string lack = reasonAgainstWindow(*request, check.index); !lack.empty())
    section.problem("window", lack);
  if (!check.contact) return;
  const auto contact = static_cast<std::size_t>(*check.contact);
  const std::string& name = context.study.contacts[contact].name;
  if (!std::binary_search(request->contacts.begin(), request->contacts.end(), contact))
    section.problem("contact", contactWithoutStatisticsText(name));
  if (const SectorColumn* column = sectorColumn(check.part))
    return readWearSector(section, *request, context.study.contacts[contact], *column, check);
  const StatisticColumn* column = statisticColumn(check.part);
  if (column != nullptr && column->ofWear)
    requireWearQuantity(section, "name", context.study.contacts[contact], check.part);
}

void requireWearQuantity(const Section& section, std::string_view key, const ContactRequest& contact,
                         std::string_view name) {
  if (const std::string lack = reasonAgainstWear(contact, name); !lack.empty()) section.problem(key, lack);
}

void readWearCheck(const ReadContext& context, const Section& section, CheckRequest& check) {
  const std::optional<double> after = section.number("after", rangeAbove(0.0, "s"));
  if (!check.contact) return;
  const ContactRequest& contact = context.study.contacts[static_cast<std::size_t>(*check.contact)];
  const ProblemWatch watch(section);
  requireWearQuantity(section, "contact", contact, check.quantity->keyword);
  if (!watch.isFreeOfProblems()) return;
  auto wear = std::make_shared<WearRequest>(*contact.wear);
  if (after) wear->after = after;
  check.wear = std::move(wear);
}

}  // namespace ricochet
