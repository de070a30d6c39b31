#include "io/quantities/checks/checks.hpp"

#include "engine/study/coordinates.hpp"
#include "io/quantities/statistics/contact_statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace ricochet {
namespace {

/// Number of Gauss points of a piece: the series of the event scheme and the dense output of the other
/// schemes have lower degrees.
constexpr std::size_t kEventPoints = 28;
constexpr std::size_t kStepPoints = 6;

}  // namespace

CheckCollector::CheckCollector(const Deck& study, const Simulation& simulation, bool keepsEvents)
    : study_(study),
      simulation_(simulation),
      keepsEvents_(keepsEvents),
      points_(simulation.scheme == kEventScheme ? kEventPoints : kStepPoints),
      samplesEnds_(simulation.scheme != kEventScheme) {
  for (const CheckRequest& check : study.checks) {
    if (check.direct != (simulation.mode == Mode::direct))
      // the check belongs to the run of the other mode
      continue;
    entries_.push_back({&check, check.history(), check.time, {}});
    keepsEvents_ |=
        check.quantity->isNumberOfRun(OfRun::eventTime) || check.quantity->isNumberOfRun(OfRun::eventCount);
    if (std::holds_alternative<OfComplexMode>(check.quantity->source) && complexModes_.empty())
      complexModes_ = complexModes(simulation.basis);
    if (study.transient && CheckWatch::appliesToCheck(check))
      entries_.back().watch.emplace(check, study.basis.rayleigh, simulation);
  }
}

bool CheckCollector::needsPriorRun() const noexcept {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const Entry& e) { return e.check->at.has_value() || e.watch.has_value(); });
}

void CheckCollector::setEventsOfPriorRun(const Rehearsal& rehearsal) {
  events_ = rehearsal.events;
  for (Entry& entry : entries_) {
    if (entry.check->at) entry.time = instantAtEvent(*entry.check, rehearsal);
    if (entry.watch) entry.watch->planCheckInterval(rehearsal);
  }
  events_.clear();
  collectPieces(rehearsal);
}

/// Instant at an event. The velocity jumps where a rigid contact closes: the instant is just before the
/// impact for its closing, and just after it for the opening that may follow at once.
std::optional<double> CheckCollector::instantAtEvent(const CheckRequest& check,
                                                     const Rehearsal& rehearsal) const {
  constexpr double kBefore = 1e-6;  // fraction of a step, at whose end rigid contacts close
  const auto [contact, kind, index] = *check.at;
  const std::optional<double> time = instantOfEvent(contact, kind, index);
  const ContactSet& contacts = simulation_.contacts();
  if (!time || contact >= contacts.size() || !traitsOf(contacts.contact(contact).normal).setValued)
    return time;
  const bool isSeries = simulation_.scheme == kEventScheme;
  if (kind == EventKind::opening && isSeries)
    return std::nextafter(*time, std::numeric_limits<double>::infinity());
  const auto end = std::lower_bound(rehearsal.steps.begin(), rehearsal.steps.end(), *time);
  if (kind != EventKind::closing || isSeries || end == rehearsal.steps.begin() ||
      end == rehearsal.steps.end())
    return time;
  return std::min(*time, *end - kBefore * (*end - *std::prev(end)));
}

void CheckCollector::collectPieces(const Rehearsal& rehearsal) {
  for (std::size_t i = 1; i < rehearsal.steps.size(); ++i) {
    const double begin = rehearsal.steps[i - 1];
    const double end = rehearsal.steps[i];
    const auto wanted = [&](const Entry& e) { return e.watch && e.watch->doesCheckNeedPiece(begin, end); };
    if (!(end > begin) || !std::any_of(entries_.begin(), entries_.end(), wanted)) continue;
    constexpr double kPhase = 1.0;  // turn of the fastest mode in a part [rad]; Gauss points show it to 1e-6
    const std::size_t parts = countPartsThatResolveModes(simulation_, end - begin, kPhase);
    const auto endOf = [&](std::size_t part) {
      return part == parts ? end
                           : begin + static_cast<double>(part) / static_cast<double>(parts) * (end - begin);
    };
    for (std::size_t part = 0; part < parts; ++part)
      pieces_.emplace_back(points_, endOf(part), endOf(part + 1));
  }
}

std::vector<double> CheckCollector::samplingInstants() {
  std::vector<double> times;
  for (const Entry& entry : entries_)
    if (entry.time) times.push_back(*entry.time);
  timed_ = times.size();
  for (const CheckPiece& piece : pieces_)
    for (std::size_t i = 0; i < sampleCountOfPiece(); ++i) times.push_back(instantOfSample(piece, i));
  return times;
}

/// Instant of a sample of a piece: the Gauss points; of a step, before and after them, instants close to its
/// ends but farther than the distance within which instants are equal.
double CheckCollector::instantOfSample(const CheckPiece& piece, std::size_t sample) const noexcept {
  constexpr double kClose = 1e-4, kApart = 4e-9;  // fractions of the step and of the nominal step
  if (!samplesEnds_) return piece.timeOfPoint(sample);
  const double h = piece.end() - piece.begin();
  const double close = std::min(std::max(kClose * h, kApart * simulation_.step), 0.01 * h);
  if (sample == 0) return piece.begin() + close;
  return sample > piece.numberOfPoints() ? piece.end() - close : piece.timeOfPoint(sample - 1);
}

void CheckCollector::onInstant(std::size_t index, const StepView& view) {
  if (index >= timed_) {
    samplePiece(index - timed_, view);
    return;
  }
  // `index` counts the entries that have an instant
  for (Entry& entry : entries_) {
    if (!entry.time) continue;
    if (index == 0) {
      const double value = readCheckedValue(entry, view);
      entry.value = entry.check->ofSize ? std::abs(value) : value;
      return;
    }
    --index;
  }
}

void CheckCollector::samplePiece(std::size_t index, const StepView& view) {
  const std::size_t count = sampleCountOfPiece();
  const CheckPiece& piece = pieces_[index / count];
  watched_.resize(entries_.size(), piece);
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    std::optional<CheckWatch>& watch = entries_[i].watch;
    if (!watch || !watch->doesCheckNeedPiece(piece.begin(), piece.end())) continue;
    if (index % count == 0) watched_[i].beginPiece(piece.begin(), piece.end());
    std::array<double, CheckWatch::kMostChannels> values{};
    watch->sample(view, *contacts_, values);
    const bool isFirst = index % count == 0, isLast = index % count == count - 1;
    const auto channels = std::span(values).first(watch->sampledChannelCount());
    if (samplesEnds_ && (isFirst || isLast))
      watched_[i].addValuesAtEnd(channels);
    else
      watched_[i].addPoint(channels);
    if (isLast) watch->addStepPiece(watched_[i]);
  }
}

void CheckCollector::onEvents(std::span<const Event> events) {
  if (!keepsEvents_)
    events = events.first(std::min(events.size(), kFirstEvents - std::min(events_.size(), kFirstEvents)));
  events_.insert(events_.end(), events.begin(), events.end());
}

double CheckCollector::readCheckedValue(const Entry& entry, const StepView& view) const {
  const CheckRequest& check = *entry.check;
  if (const OfNode* node = entry.seen.nodeQuantityOrNull()) {
    Eigen::RowVectorXd row = simulation_.row({*check.node, *check.dof});
    if (check.node2) row -= simulation_.row({*check.node2, *check.dof});
    return row.dot(kinematicVector(view.state, node->kind).head(simulation_.size())) +
           imposedMotionOfCheck(check, node->kind, simulation_).at(view);
  }
  if (check.beamForce)
    return BeamForceRow(*check.beamForce, study_.basis.rayleigh, simulation_).forceInView(view);
  return entry.seen.valueInView(view);
}

std::optional<double> CheckCollector::instantOfEvent(int contact, EventKind kind, int index) const {
  for (const Event& event : events_)
    if (event.contact == contact && event.kind == kind && --index == 0) return event.time;
  return std::nullopt;
}

std::optional<double> CheckCollector::valueOfMode(const CheckRequest& check) const {
  const Eigen::Index i = check.mode - 1;
  if (const auto* complex = std::get_if<OfComplexMode>(&check.quantity->source)) {
    if (i >= static_cast<Eigen::Index>(complexModes_.size())) return std::nullopt;
    return complexModes_[static_cast<std::size_t>(i)].*complex->member;
  }
  if (i < 0 || i >= simulation_.basis.modes()) return std::nullopt;
  const auto dof = static_cast<Eigen::Index>(check.dof.value_or(Component::ux));
  return std::get<OfMode>(check.quantity->source).value(simulation_.basis, i, dof);
}

std::optional<double> CheckCollector::valueAfterRun(const CheckRequest& check, const Report* report,
                                                    const ContactRun* contacts) const {
  if (check.mode > 0) return valueOfMode(check);
  if (report == nullptr) return std::nullopt;
  const auto contact = check.link ? study_.contacts.size() + static_cast<std::size_t>(*check.link)
                                  : static_cast<std::size_t>(check.contact.value_or(0));
  const auto counted = [&](const Event& e) {
    return e.contact == static_cast<int>(contact) && e.kind == *check.kind &&
           (!check.from || e.time >= *check.from) && (!check.to || e.time <= *check.to);
  };
  const OfRun* number = check.quantity->runNumberOrNull();
  if (number == nullptr) return std::nullopt;
  switch (*number) {
    case OfRun::energyError:
      return report->energyError;
    case OfRun::contactStatistic:
      return statisticValue(check);
    case OfRun::frictionEnergy:
      return contacts->runTotals()[contact].frictionEnergy;
    case OfRun::totalImpulse:
      return contacts->runTotals()[contact].impulse;
    case OfRun::eventTime:
      return instantOfEvent(static_cast<int>(contact), *check.kind, check.index);
    case OfRun::eventCount:
      return static_cast<double>(std::count_if(events_.begin(), events_.end(), counted));
    default:
      return std::nullopt;
  }
}

std::optional<double> CheckCollector::statisticValue(const CheckRequest& check) const {
  const auto contact = static_cast<std::size_t>(*check.contact);
  const WindowTotals* window = statistics_ == nullptr
                                   ? nullptr
                                   : statistics_->findTotals(contact, static_cast<std::size_t>(check.index));
  if (window == nullptr) return std::nullopt;
  const WearRequest* wear = study_.contacts[contact].wear.get();
  if (const SectorColumn* ofSectors = sectorColumn(check.part)) {
    const auto work = statistics_->wearWorkOfSectors(contact, static_cast<std::size_t>(check.index));
    return ofSectors->value(work[check.memory], window->covered, static_cast<int>(work.size()), wear);
  }
  const StatisticColumn* column = statisticColumn(check.part);
  if (column == nullptr) return std::nullopt;
  return column->value(*window, wear);
}

std::string CheckCollector::placeTextOfCheck(const CheckRequest& check) const {
  const auto nodeName = [&](NodeIndex node) {
    return study_.nodes[static_cast<std::size_t>(node.value)].name;
  };
  std::string place;
  if (check.contact) place = study_.contacts[static_cast<std::size_t>(*check.contact)].name;
  if (check.link) place = study_.links[static_cast<std::size_t>(*check.link)].name;
  if (check.node) place = nodeName(*check.node);
  if (check.beamForce) place = check.beamForce->name;
  if (check.node2) place += " - " + nodeName(*check.node2);
  if (check.mode > 0) place = fmt::format("mode {}", check.mode);
  if (check.dof) place += fmt::format(" {}", componentName(*check.dof));
  if (check.component) place += fmt::format(" {}", *check.component);
  if (check.kind) place += fmt::format(" {}", nameOfEventKind(*check.kind));
  const QuantityPlace of = check.quantity->place;
  if (of == QuantityPlace::event || of == QuantityPlace::impact) place += fmt::format(" {}", check.index);
  if (!check.part.empty()) place += (check.link || check.contact ? " " : "") + check.part;
  if (of == QuantityPlace::contactWindow && check.index > 0) place += fmt::format(" {}", check.index);
  if (sectorColumn(check.part) != nullptr) place += fmt::format(" sector {}", check.memory + 1);
  if (!check.variable.empty()) place += " " + check.variable;
  if (!check.state.empty()) place += fmt::format(" {}", check.state);
  if (check.ofSize) place += " abs";
  if (check.statistic != nullptr) place += fmt::format(" {}", check.statistic->keyword);
  return place;
}

std::vector<CheckResult> CheckCollector::evaluateChecks(const Report* report,
                                                        const ContactRun* contacts) const {
  std::vector<CheckResult> results;
  const bool complete = report != nullptr && report->status == RunStatus::complete;
  for (const Entry& entry : entries_) {
    const CheckRequest& check = *entry.check;
    CheckResult result;
    result.deck = study_.deckFile.stem().string();
    result.quantity = check.quantity->keyword;
    result.where = placeTextOfCheck(check);
    result.time = entry.time;
    result.reference = check.reference;
    result.published = check.published;
    result.source = check.source;
    result.limit =
        check.absolute ? *check.absolute : check.relative.value_or(0.0) * std::abs(check.reference);
    if (entry.watch)
      result.computed = complete ? entry.watch->valueOfCheck(*contacts) : std::nullopt;
    else
      result.computed = check.time || check.at ? entry.value : valueAfterRun(check, report, contacts);
    if (result.computed && !std::isfinite(*result.computed)) result.computed.reset();
    result.passed = result.computed && std::abs(*result.differenceFromReference()) <= result.limit;
    results.push_back(std::move(result));
  }
  return results;
}

}  // namespace ricochet
