#include "engine/transient/step_statistics.hpp"

#include "engine/numerics/kernels.hpp"

#include <cassert>
#include <cmath>

namespace ricochet {

StepStatistics::StepStatistics(std::vector<StepChannel> channels)
    : channels_(std::move(channels)), records_(channels_.size()) {}

double StepStatistics::channelValueAt(std::size_t i, const State& s) const noexcept {
  const StepChannel& channel = channels_[i];
  assert(channel.row.size() == s.q.size());
  return kernels::dot(channel.row.data(), channel.ofDisplacement ? s.q.data() : s.v.data(),
                      channel.row.size());
}

double StepStatistics::channelRateAt(std::size_t i, const State& s) const noexcept {
  const StepChannel& channel = channels_[i];
  return channel.ofDisplacement ? kernels::dot(channel.row.data(), s.v.data(), channel.row.size()) : 0.0;
}

void StepStatistics::startRecords(const State& s) noexcept {
  duration_ = 0.0;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    const double x = channelValueAt(i, s);
    records_[i] = {x, channelRateAt(i, s), x, x, 0.0, 0.0};
  }
}

void StepStatistics::addStepEnd(const State& s, double h) noexcept {
  duration_ += h;
  for (std::size_t i = 0; i < channels_.size(); ++i)
    addStepToStatistics<double>(records_[i], channelValueAt(i, s), channelRateAt(i, s), h,
                                channels_[i].ofDisplacement);
}

double StepStatistics::mean(std::size_t i) const {
  return duration_ > 0.0 ? records_[i].integral / duration_ : records_[i].x;
}

double StepStatistics::rootMeanSquare(std::size_t i) const {
  return duration_ > 0.0 ? std::sqrt(records_[i].squareIntegral / duration_) : std::abs(records_[i].x);
}

}  // namespace ricochet
