#include "io/quantities/checks/checks_watch.hpp"

#include "engine/contact/followed.hpp"
#include "engine/numerics/extremes.hpp"
#include "engine/study/parts/wear_request.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ricochet {
namespace {

/// Cells of a piece in which extremes and roots are looked for before they are refined.
constexpr int kCells = 64;

/// The largest of sign f between two instants.
template <class F>
double refined(F&& f, double sign, double from, double to) {
  constexpr double kGolden = 0.6180339887498949;
  constexpr int kPasses = 50;
  double low = to - kGolden * (to - from);
  double high = from + kGolden * (to - from);
  double atLow = sign * f(low);
  double atHigh = sign * f(high);
  for (int i = 0; i < kPasses; ++i) {
    if (atLow > atHigh) {
      to = high;
      high = low;
      atHigh = atLow;
      low = to - kGolden * (to - from);
      atLow = sign * f(low);
    } else {
      from = low;
      low = high;
      atLow = atHigh;
      high = from + kGolden * (to - from);
      atHigh = sign * f(high);
    }
  }
  return std::max(atLow, atHigh);
}

/// Where f goes from f <= 0 to f > 0 between two instants.
template <class F>
double upwardRoot(F&& f, double from, double to) {
  constexpr int kPasses = 60;
  for (int i = 0; i < kPasses; ++i) {
    const double middle = 0.5 * (from + to);
    (f(middle) > 0.0 ? to : from) = middle;
  }
  return 0.5 * (from + to);
}

double phaseOf(std::string_view state) {
  if (state == "stick") return static_cast<double>(ContactPhase::stick);
  if (state == "slip") return static_cast<double>(ContactPhase::slip);
  return static_cast<double>(ContactPhase::open);
}

}  // namespace

double CheckWatch::at(const CheckPiece& piece, double time) const {
  std::array<double, kMostChannels> room{};
  const std::span<double> values(room.data(), channels());
  piece.at(time, values);
  switch (source_) {
    case Source::gap:
      return touchOf(contact().obstacle, Local<double>{values[0], values[1], values[2]}).gap;
    case Source::radius:
      return std::hypot(values[0], values[1]);
    case Source::tangentialForce:
    case Source::slipVelocity:
      if (check_->component) return values[static_cast<std::size_t>(*check_->component - 1)];
      return std::hypot(values[0], values[1]);
    case Source::friction:
      return -(values[0] * values[2] + values[1] * values[3]);
    default:
      return values[0];
  }
}

/// Energy of an elastic stick.
double CheckWatch::stored(const CheckPiece& piece, double time) const {
  if (!traitsOf(contact().friction).coneStick) return 0.0;
  std::array<double, kMostChannels> values{};
  piece.at(time, values);
  return 0.5 / closedContact(contact()).stickStiffness * (values[0] * values[0] + values[1] * values[1]);
}

void CheckWatch::take(const CheckPiece& piece) {
  const double from = std::max(from_, piece.begin());
  const double to = std::min(to_, piece.end());
  const auto f = [&](double t) { return at(piece, t); };
  switch (reduction_) {
    case Reduction::maximum:
    case Reduction::minimum:
    case Reduction::largest:
    case Reduction::peakToPeak:
      extremes(piece, from, to);
      break;
    case Reduction::mean:
    case Reduction::integral:
    case Reduction::worn:
      sum_ += piece.integral(from, to, f);
      break;
    case Reduction::rms:
      sum_ += piece.integral(from, to, [&](double t) { return f(t) * f(t); });
      break;
    case Reduction::period:
      crossings(piece, from, to);
      break;
    case Reduction::before:
      sum_ = f(from_);
      if (ahead_ > 0.0 && from_ == piece.end())
        sum_ += ahead_ * (f(piece.end()) - f(piece.begin())) / (piece.end() - piece.begin());
      break;
    case Reduction::after:
      sum_ = f(from_);
      break;
    case Reduction::timeShare: {
      const double phase = f(piece.instant(0));
      const bool closed = phase != static_cast<double>(ContactPhase::open);
      if (check_->state == "closed" ? closed : phase == phaseOf(check_->state)) sum_ += to - from;
      break;
    }
    case Reduction::friction:
      dissipation(piece, from, to);
      break;
    case Reduction::change:
      if (beginsIn(piece.begin(), piece.end(), from_)) first_ = f(from_);
      if (endsIn(piece.begin(), piece.end(), to_)) last_ = f(to_);
      break;
    case Reduction::impulses:
      if (endsIn(piece.begin(), piece.end(), from_)) first_ = f(piece.instant(0));
      if (beginsIn(piece.begin(), piece.end(), to_)) last_ = f(piece.instant(0));
      break;
    case Reduction::duration:
      break;
  }
  seen_ = true;
  length_ += to - from;
}

void CheckWatch::extremes(const CheckPiece& piece, double from, double to) {
  std::array<double, kCells + 1> value{};
  const auto f = [&](double t) { return at(piece, t); };
  const auto instant = [&](int i) { return i == kCells ? to : from + (to - from) * i / kCells; };
  for (int i = 0; i <= kCells; ++i) value[static_cast<std::size_t>(i)] = f(instant(i));
  for (const double each : value) {
    highest_ = larger(highest_, each);
    lowest_ = smaller(lowest_, each);
  }
  const auto look = [&](double sign, double& best) {
    for (int i = 0; i <= kCells; ++i) {
      const double here = sign * value[static_cast<std::size_t>(i)];
      const double left = sign * value[static_cast<std::size_t>(std::max(i - 1, 0))];
      const double right = sign * value[static_cast<std::size_t>(std::min(i + 1, kCells))];
      if (here < left || here < right) continue;
      // between the samples a smooth peak is no higher than this above them
      if (here + (here - left) + (here - right) < sign * best) continue;
      const double peak = refined(f, sign, instant(std::max(i - 1, 0)), instant(std::min(i + 1, kCells)));
      if (peak > sign * best) best = sign * peak;
    }
  };
  const bool low = reduction_ != Reduction::maximum;
  const bool high = reduction_ != Reduction::minimum;
  if (high) look(1.0, highest_);
  if (low) look(-1.0, lowest_);
}

/// Upward crossings of zero. What is left of a velocity at rest by rounding crosses nothing.
void CheckWatch::crossings(const CheckPiece& piece, double from, double to) {
  constexpr double kRest = 1e-9;
  const auto f = [&](double t) { return at(piece, t); };
  double before = from;
  for (int i = 0; i <= kCells; ++i) {
    const double t = i == kCells ? to : from + (to - from) * i / kCells;
    const double here = f(t);
    speed_ = std::max(speed_, std::abs(here));
    if (here < -kRest * speed_) {
      armed_ = true;
      candidate_.reset();
    }
    if (armed_ && here > 0.0 && previous_ <= 0.0) candidate_ = i == 0 ? t : upwardRoot(f, before, t);
    if (armed_ && candidate_ && here > kRest * speed_) {
      if (count_ == 0) first_ = *candidate_;
      last_ = *candidate_;
      ++count_;
      armed_ = false;
    }
    previous_ = here;
    before = t;
  }
}

/// -integral T.s' dt less what an elastic stick holds more in the end: all that slip has taken.
void CheckWatch::dissipation(const CheckPiece& piece, double from, double to) {
  if (from == from_) sum_ += stored(piece, from);
  if (to == to_) sum_ -= stored(piece, to);
  sum_ += piece.integral(from, to, [&](double t) { return at(piece, t); });
}

std::optional<double> CheckWatch::value(const ContactRun& contacts) const {
  if (!placed_) return std::nullopt;
  if (reduction_ == Reduction::duration) return ended_ ? std::optional(to_ - from_) : std::nullopt;
  if (reduction_ == Reduction::impulses) {
    const bool shown = ended_ && last_ > 0.0;
    return (shown ? last_ : contacts.totals()[contactIndex()].impulse) - first_;
  }
  if (!seen_ || (source_ == Source::gapRate && !ended_)) return std::nullopt;
  switch (reduction_) {
    case Reduction::maximum:
      return highest_;
    case Reduction::minimum:
      return lowest_;
    case Reduction::largest:
      return larger(std::abs(highest_), std::abs(lowest_));
    case Reduction::peakToPeak:
      return highest_ - lowest_;
    case Reduction::mean:
    case Reduction::timeShare:
      return sum_ / length_;
    case Reduction::rms:
      return std::sqrt(sum_ / length_);
    case Reduction::worn:
      return check_->wear->named(check_->quantity, sum_, length_);
    case Reduction::period:
      return count_ < 2 ? std::nullopt : std::optional((last_ - first_) / (count_ - 1));
    case Reduction::before:
      return -sum_;
    case Reduction::change:
      return last_ - first_;
    default:
      return sum_;
  }
}

}  // namespace ricochet
