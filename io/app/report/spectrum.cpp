#include "io/app/report/spectrum.hpp"

#include <unsupported/Eigen/FFT>

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <numeric>

namespace ricochet {
namespace {

constexpr std::size_t kLeastRows = 16;
constexpr std::size_t kLongestSegment = 32768;
constexpr std::size_t kSingleLines = 256;  // number of frequencies drawn one by one
constexpr double kGroup = 1.02;            // ratio of the last to the first frequency of a group

}  // namespace

Spectrum::Spectrum(std::span<const double> time) : time_(time) {
  constexpr double kEven = 1e-6;  // rounding of even instants, relative to the step
  if (time.size() < kLeastRows || !(time.back() > time.front())) return;
  step_ = (time.back() - time.front()) / static_cast<double>(time.size() - 1);
  for (std::size_t i = 0; i < time.size() && !interpolates_; ++i)
    interpolates_ = std::abs(time[i] - time[0] - static_cast<double>(i) * step_) > kEven * step_;
  segment_ = kLeastRows;
  while (2 * segment_ <= std::min(time.size(), kLongestSegment)) segment_ *= 2;
}

std::size_t Spectrum::segmentCount() const noexcept {
  return empty() ? 0 : 2 * (time_.size() - segment_) / segment_ + 1;
}

std::size_t Spectrum::endOfFrequencyGroup(std::size_t line) const noexcept {
  const std::size_t end =
      line < kSingleLines ? line + 1 : static_cast<std::size_t>(static_cast<double>(line) * kGroup) + 1;
  return std::min(end, segment_ / 2 + 1);
}

std::vector<double> Spectrum::frequencies() const {
  std::vector<double> drawn;
  for (std::size_t line = 1; !empty() && line <= segment_ / 2; line = endOfFrequencyGroup(line))
    drawn.push_back(0.5 * static_cast<double>(line + endOfFrequencyGroup(line) - 1) * frequencyResolution());
  return drawn;
}

std::vector<double> Spectrum::resampleEvenly(std::span<const double> history) const {
  if (!interpolates_) return {history.begin(), history.end()};
  std::vector<double> even(history.size());
  std::size_t next = 1;
  for (std::size_t i = 0; i < even.size(); ++i) {
    const double t = time_[0] + static_cast<double>(i) * step_;
    while (next + 1 < time_.size() && time_[next] < t) ++next;
    const double length = time_[next] - time_[next - 1];
    const double share = length > 0.0 ? std::clamp((t - time_[next - 1]) / length, 0.0, 1.0) : 1.0;
    even[i] = history[next - 1] + share * (history[next] - history[next - 1]);
  }
  return even;
}

std::vector<double> Spectrum::amplitudes(std::span<const double> history) const {
  if (empty()) return {};
  const std::vector<double> even = resampleEvenly(history);
  std::vector<double> window(segment_), piece(segment_), power(segment_ / 2 + 1, 0.0);
  for (std::size_t i = 0; i < segment_; ++i)
    window[i] =
        0.5 - 0.5 * std::cos(2.0 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(segment_));
  Eigen::FFT<double> transform;
  std::vector<std::complex<double>> lines;
  for (std::size_t s = 0; s < segmentCount(); ++s) {
    const std::span<const double> part = std::span(even).subspan(s * segment_ / 2, segment_);
    const double mean = std::accumulate(part.begin(), part.end(), 0.0) / static_cast<double>(segment_);
    for (std::size_t i = 0; i < segment_; ++i) piece[i] = window[i] * (part[i] - mean);
    transform.fwd(lines, piece);
    for (std::size_t line = 0; line < power.size(); ++line) power[line] += std::norm(lines[line]);
  }
  const double sum = std::accumulate(window.begin(), window.end(), 0.0);
  // A real history shares its amplitude between the lines f and -f; the last line is both of them in one.
  for (std::size_t line = 0; line + 1 < power.size(); ++line) power[line] *= 4.0;
  std::vector<double> drawn;
  for (std::size_t line = 1; line <= segment_ / 2; line = endOfFrequencyGroup(line)) {
    const auto first = power.begin() + static_cast<std::ptrdiff_t>(line);
    const double most =
        *std::max_element(first, power.begin() + static_cast<std::ptrdiff_t>(endOfFrequencyGroup(line)));
    drawn.push_back(std::sqrt(most / static_cast<double>(segmentCount())) / sum);
  }
  return drawn;
}

}  // namespace ricochet
