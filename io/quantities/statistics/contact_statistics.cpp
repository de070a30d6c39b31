#include "io/quantities/statistics/contact_statistics.hpp"

#include "engine/study/coordinates.hpp"

#include <algorithm>

namespace ricochet {
namespace {

/// Gap rates of all contacts in the initial state, before any impact at the start [m/s].
std::vector<double> initialGapRates(const Simulation& simulation) {
  ContactRun run(simulation.contacts());
  const State& s = simulation.initial;
  run.start(s.time, Motion{s.q.data(), s.v.data(), 0.0, s.v.data()});
  std::vector<ContactView> views;
  fillContactViews(run, s, views);
  std::vector<double> rates;
  for (const ContactView& view : views) rates.push_back(view.gapRate);
  return rates;
}

}  // namespace

ContactStatistics::ContactStatistics(const Deck& study, const Simulation& simulation)
    : ContactStatistics(*study.statistics, study.transient->start,
                        study.transient->start + study.transient->duration, simulation) {}

ContactStatistics::ContactStatistics(const StatisticsRequest& request, double start, double end,
                                     const Simulation& simulation)
    : contacts_(request.contacts),
      grid_(simulation.scheme == kEventScheme ? PieceGrid::Kind::series : PieceGrid::Kind::step),
      parts_(grid_.parts()) {
  if (!grid_.isSeriesPiece()) {
    const std::size_t count = countPartsSampledInStep(simulation);
    parts_.clear();
    for (std::size_t i = 0; i <= count; ++i)
      parts_.push_back(static_cast<double>(i) / static_cast<double>(count));
  }
  std::vector<StatisticsWindow> windows{{start, end}};
  windows.insert(windows.end(), request.windows.begin(), request.windows.end());
  followers_.reserve(contacts_.size());
  before_.resize(contacts_.size());
  partial_.resize(contacts_.size());
  for (const std::size_t contact : contacts_)
    followers_.emplace_back(simulation.contacts().contact(static_cast<int>(contact)), request, windows,
                            grid_);
  const auto isRigid = [&](std::size_t contact) {
    return traitsOf(simulation.contacts().contact(static_cast<int>(contact)).normal).setValued;
  };
  if (std::ranges::none_of(contacts_, isRigid)) return;
  const std::vector<double> rates = initialGapRates(simulation);
  for (std::size_t i = 0; i < contacts_.size(); ++i)
    followers_[i].setInitialApproachVelocity(-rates[contacts_[i]]);
}

void ContactStatistics::onInstantInsideStep(double begin, double end, std::size_t index,
                                            const StepView& view) {
  const bool isLast = index + 1 == parts_.size();
  for (std::size_t i = 0; i < followers_.size(); ++i) {
    const ContactView& seen = view.contacts[contacts_[i]];
    if (grid_.isSeriesPiece() || index == 0) followers_[i].receiveSample(index, seen);
    if (index == 0) before_[i] = seen.phase;
    if (grid_.isSeriesPiece() ? isLast : index > 0) addSample(i, {begin, end}, index, seen);
  }
  if (isLast) seen_ = run_->events().size();
}

/// Adds the piece that ends with a sample: a series, a step, or a part of a step in which the contact keeps
/// its state.
void ContactStatistics::addSample(std::size_t i, std::pair<double, double> step, std::size_t index,
                                  const ContactView& seen) {
  const auto [begin, end] = step;
  const bool isLast = index + 1 == parts_.size();
  const double changed = instantOfStateChange(contacts_[i], begin, end);
  const bool isWhole =
      grid_.isSeriesPiece() || parts_.size() == 2 || changed < end || seen.phase != before_[i];
  if (isWhole && !isLast) return;
  const bool isPart = !isWhole || partial_[i];
  partial_[i] = !isWhole && !isLast;
  const double from = isPart ? begin + parts_[index - 1] * (end - begin) : begin;
  const double to = isLast ? end : begin + parts_[index] * (end - begin);
  if (!grid_.isSeriesPiece()) followers_[i].receiveSample(1, seen);
  followers_[i].addPiece({.begin = from,
                          .end = to,
                          .before = before_[i],
                          .after = seen.phase,
                          .change = seen.phase == before_[i] ? to : std::clamp(changed, from, to),
                          .totals = &run_->runTotals()[contacts_[i]]});
  if (!grid_.isSeriesPiece()) followers_[i].receiveSample(0, seen);
}

/// Time in a step at which a contact changes its state: the time of its last event.
double ContactStatistics::instantOfStateChange(std::size_t contact, double begin, double end) const noexcept {
  const std::vector<Event>& events = run_->events();
  for (std::size_t i = events.size(); i > seen_; --i)
    if (events[i - 1].contact == static_cast<int>(contact)) return std::clamp(events[i - 1].time, begin, end);
  return end;
}

void ContactStatistics::finishAtTime(double time) {
  for (std::size_t i = 0; i < followers_.size(); ++i)
    followers_[i].finishAtTime(time, run_->runTotals()[contacts_[i]]);
}

std::vector<ContactSummary> ContactStatistics::summaries() const {
  std::vector<ContactSummary> all;
  for (std::size_t i = 0; i < followers_.size(); ++i) {
    const auto windows = followers_[i].windowTotals();
    ContactSummary summary{
        .contact = contacts_[i], .windows = {windows.begin(), windows.end()}, .sectors = {}};
    for (std::size_t w = 0; w < windows.size(); ++w) {
      const std::span<const double> work = followers_[i].wearWorkOfSectors(w);
      summary.sectors.emplace_back(work.begin(), work.end());
    }
    all.push_back(std::move(summary));
  }
  return all;
}

const WindowTotals* ContactStatistics::findTotals(std::size_t contact, std::size_t window) const {
  const auto found = std::find(contacts_.begin(), contacts_.end(), contact);
  if (found == contacts_.end()) return nullptr;
  return &followers_[static_cast<std::size_t>(found - contacts_.begin())].windowTotals()[window];
}

std::span<const double> ContactStatistics::wearWorkOfSectors(std::size_t contact, std::size_t window) const {
  const auto found = std::find(contacts_.begin(), contacts_.end(), contact);
  if (found == contacts_.end()) return {};
  return followers_[static_cast<std::size_t>(found - contacts_.begin())].wearWorkOfSectors(window);
}

}  // namespace ricochet
