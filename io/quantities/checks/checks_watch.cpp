#include "io/quantities/checks/checks_watch.hpp"

#include "engine/contact/followed.hpp"
#include "engine/numerics/extremes.hpp"
#include "engine/study/parts/wear_request.hpp"
#include "io/quantities/statistics/between_instants.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace ricochet {
namespace {

/// Number of cells of a piece in which extremes and roots are searched before refinement.
constexpr int kCells = 64;

/// Time at which f goes from f <= 0 to f > 0 between two instants.
template <class F>
double instantOfUpwardCrossing(F&& f, double from, double to) {
  constexpr int kPasses = 60;
  for (int i = 0; i < kPasses; ++i) {
    const double middle = 0.5 * (from + to);
    (f(middle) > 0.0 ? to : from) = middle;
  }
  return 0.5 * (from + to);
}

/// Phase after an event of a contact; none where the event does not tell: a contact that closes sticks or
/// slips.
std::optional<ContactPhase> phaseAfterEvent(EventKind kind) {
  switch (kind) {
    case EventKind::opening:
      return ContactPhase::open;
    case EventKind::stickToSlip:
    case EventKind::slipReversal:
      return ContactPhase::slip;
    case EventKind::slipToStick:
      return ContactPhase::stick;
    case EventKind::closing:
    case EventKind::buckling:
    case EventKind::yield:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

double CheckWatch::checkedValueAt(const CheckPiece& piece, double time) const {
  std::array<double, kMostChannels> room{};
  const std::span<double> values(room.data(), sampledChannelCount());
  piece.valuesAtInstant(time, values);
  return checkedValueOf(values);
}

/// The sampled quantity, or its absolute value if the check takes that.
double CheckWatch::checkedValueOf(std::span<const double> values) const {
  const double value = valueFromChannels(values);
  return check_->ofSize ? std::abs(value) : value;
}

/// Wear work of impulses so far, the last channel of a wear work.
double CheckWatch::wearWorkOfImpulsesAt(const CheckPiece& piece, double time) const {
  std::array<double, 4> values{};
  piece.valuesAtInstant(time, values);
  return values[3];
}

/// Records a total at both ends of the interval of the check. Impacts at the start of the run count.
template <class F>
void CheckWatch::recordTotalAtEnds(const CheckPiece& piece, const F& total) {
  if (doesIntervalBeginInStep(piece.begin(), piece.end(), from_) && from_ > runStart_) first_ = total(from_);
  if (doesIntervalEndInStep(piece.begin(), piece.end(), to_)) last_ = total(to_);
}

/// Value of the sampled quantity from its channels.
double CheckWatch::valueFromChannels(std::span<const double> values) const {
  if (source_ == Source::gapRate) {
    const Local<double> place{values[0], values[1], values[2]}, velocity{values[3], values[4], values[5]};
    return innerProduct(gapAndNormalOf(contact().obstacle, place).normal, velocity);
  }
  if (source_ == Source::wear && way_ != Way::change) {
    const double force = canNormalForceBeTensile(contact()) ? values[0] : std::max(values[0], 0.0);
    return force * std::hypot(values[1], values[2]);
  }
  if (clampsForce_) return std::max(values[0], 0.0);
  if (ofContact_ == nullptr) return values[0];
  return valueFromInterpolatedNumbers(*ofContact_, contact(), values.data(), at_.part);
}

void CheckWatch::addStepPiece(const CheckPiece& piece) {
  const double from = std::max(from_, piece.begin());
  const double to = std::min(to_, piece.end());
  const auto f = [&](double t) { return checkedValueAt(piece, t); };
  // a gap, the size of a vector, the wear power and an absolute value may have a kink; motions of nodes have
  // none
  const bool mayHaveKinks =
      check_->ofSize || (simulation_->scheme == kEventScheme && check_->contact.has_value());
  const auto integral = [&](const auto& of) {
    return mayHaveKinks ? piece.integralOfKinkedFunction(from, to, of) : piece.integral(from, to, of);
  };
  switch (way_) {
    case Way::reduced:
      if (reduction_->isExtremeReduction())
        includeExtremes(piece, from, to);
      else if (reduction_->squares)
        sum_ += integral([&](double t) { return f(t) * f(t); });
      else
        sum_ += integral(f);
      break;
    case Way::integral:
      sum_ += integral(f);
      break;
    case Way::worn:
      sum_ += integral(f);
      if (wearsByImpulses_)
        recordTotalAtEnds(piece, [&](double t) { return wearWorkOfImpulsesAt(piece, t); });
      break;
    case Way::period:
      recordCrossings(piece, from, to);
      break;
    case Way::before:
      sum_ = f(from_);
      if (ahead_ > 0.0 && from_ == piece.end())
        sum_ += ahead_ * (f(piece.end()) - f(piece.begin())) / (piece.end() - piece.begin());
      break;
    case Way::after:
      sum_ = f(from_);
      break;
    case Way::timeShare:
      addTimeInState(piece, from, to);
      break;
    case Way::change:
      recordTotalAtEnds(piece, f);
      break;
    case Way::impulses:
      if (doesIntervalEndInStep(piece.begin(), piece.end(), from_)) first_ = f(piece.timeOfPoint(0));
      if (doesPieceContainWholeImpulse(piece.begin(), piece.end())) last_ = f(piece.timeOfPoint(0));
      break;
    case Way::duration:
      break;
  }
  seen_ = true;
  length_ += to - from;
}

bool CheckWatch::isContactPhaseRequested(ContactPhase phase) const {
  if (check_->state == "closed") return phase != ContactPhase::open;
  if (check_->state == "stick") return phase == ContactPhase::stick;
  return phase == (check_->state == "slip" ? ContactPhase::slip : ContactPhase::open);
}

/// Counts the time in the state that is asked for. A step shows the state at its start: the state changes at
/// its last event, and the next piece shows how a contact that closed goes on.
void CheckWatch::addTimeInState(const CheckPiece& piece, double from, double to) {
  const auto phase = static_cast<ContactPhase>(std::lround(checkedValueAt(piece, piece.timeOfPoint(0))));
  if (isContactPhaseRequested(phase)) sum_ += closing_;
  closing_ = 0.0;
  const auto last = std::upper_bound(changes_.begin(), changes_.end(), piece.end(),
                                     [](double t, const Event& event) { return t < event.time; });
  const bool changes = last != changes_.begin() && std::prev(last)->time > piece.begin();
  const double change = changes ? std::clamp(std::prev(last)->time, from, to) : to;
  if (isContactPhaseRequested(phase)) sum_ += change - from;
  if (!changes) return;
  const std::optional<ContactPhase> after = phaseAfterEvent(std::prev(last)->kind);
  if (!after)
    closing_ = to - change;
  else if (isContactPhaseRequested(*after))
    sum_ += to - change;
}

void CheckWatch::includeExtremes(const CheckPiece& piece, double from, double to) {
  constexpr int kSections = 50;
  if (simulation_->scheme != kEventScheme && !piece.areChannelsResolved())
    return includeSamples(piece, from, to);
  const EvenCells cells{from, to, kCells};
  std::array<double, kCells + 1> value{};
  for (std::size_t i = 0; i <= kCells; ++i) value[i] = checkedValueAt(piece, cells.endOfCell(i));
  const auto largest = [&](double sign, bool between, double best) {
    return largestFunctionValueOverCells(
        cells, [&](std::size_t i) { return sign * value[i]; },
        [&](double t) { return sign * checkedValueAt(piece, t); }, between ? kSections : 0, best);
  };
  highest_ = largest(1.0, reduction_->highest, highest_);
  lowest_ = -largest(-1.0, reduction_->lowest, -lowest_);
}

void CheckWatch::includeSamples(const CheckPiece& piece, double from, double to) {
  const auto include = [this](std::span<const double> values) {
    const double value = checkedValueOf(values);
    highest_ = largerValueOrNan(highest_, value);
    lowest_ = smallerValueOrNan(lowest_, value);
  };
  if (from == piece.begin()) include(piece.valuesAtBegin());
  if (to == piece.end()) include(piece.valuesAtEnd());
  for (std::size_t i = 0; i < piece.numberOfPoints(); ++i)
    if (piece.timeOfPoint(i) >= from && piece.timeOfPoint(i) <= to) include(piece.valuesAtPoint(i));
}

/// Records upward zero crossings of the piece. Rounding errors of a velocity at rest do not count as
/// crossings.
void CheckWatch::recordCrossings(const CheckPiece& piece, double from, double to) {
  constexpr double kRest = 1e-9;
  const auto f = [&](double t) { return checkedValueAt(piece, t); };
  double before = from;
  for (int i = 0; i <= kCells; ++i) {
    const double t = i == kCells ? to : from + (to - from) * i / kCells;
    const double here = f(t);
    speed_ = std::max(speed_, std::abs(here));
    if (here < -kRest * speed_) {
      armed_ = true;
      candidate_.reset();
    }
    if (armed_ && here > 0.0 && previous_ <= 0.0)
      candidate_ = i == 0 ? t : instantOfUpwardCrossing(f, before, t);
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

/// Wear power, or the worn volume or depth that a check asks for, of the wear work of its interval.
double CheckWatch::wearFromWork(double work) const {
  const double length = to_ - from_;
  return check_->wear ? check_->wear->wearQuantity(check_->quantity->keyword, work, length) : work / length;
}

std::optional<double> CheckWatch::valueOfCheck(const ContactRun& contacts) const {
  if (!placed_) return std::nullopt;
  if (way_ == Way::duration) return ended_ ? std::optional(to_ - from_) : std::nullopt;
  if (way_ == Way::impulses) {
    const bool shown = ended_ && last_ > 0.0;
    return (shown ? last_ : contacts.runTotals()[contactIndex()].impulse) - first_;
  }
  if (!seen_ || (source_ == Source::gapRate && !ended_)) return std::nullopt;
  switch (way_) {
    case Way::reduced:
      return reduction_->value({highest_, lowest_, sum_, length_});
    case Way::timeShare:
      return (sum_ + (isContactPhaseRequested(ContactPhase::slip) ? closing_ : 0.0)) / length_;
    case Way::worn:
      return wearFromWork(sum_ + last_ - first_);
    case Way::period:
      return count_ < 2 ? std::nullopt : std::optional((last_ - first_) / (count_ - 1));
    case Way::before:
      return -sum_;
    case Way::change:
      return wearsByImpulses_ ? wearFromWork(last_ - first_) : last_ - first_;
    default:
      return sum_;
  }
}

}  // namespace ricochet
