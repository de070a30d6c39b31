#include "engine/model/implicit_contact.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

namespace ricochet {
namespace {

/// Numbers as whole numbers of the same order, so that halving an interval of them also halves powers of ten.
std::uint64_t orderOf(double x) noexcept {
  const auto bits = std::bit_cast<std::uint64_t>(x);
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return (bits & kSign) != 0 ? ~bits : bits | kSign;
}
double numberAt(std::uint64_t order) noexcept {
  constexpr std::uint64_t kSign = std::uint64_t{1} << 63U;
  return std::bit_cast<double>((order & kSign) != 0 ? order & ~kSign : ~order);
}

/// Root of a function that grows from below zero at `low` to above zero at `high`, to the last bit.
template <class F>
double rootBetween(double low, double high, F&& f) noexcept {
  std::uint64_t a = orderOf(low), b = orderOf(high);
  while (b - a > 1) {
    const std::uint64_t middle = a + (b - a) / 2;
    (f(numberAt(middle)) < 0.0 ? a : b) = middle;
  }
  return numberAt(b);
}

}  // namespace

/// Acceleration w of one row such that w = base + W lambda(w), the other rows held: by bisection, which needs
/// no slope. NaN if no interval with a root was found.
double ImplicitContact::rowSolution(const ContactRun& run, const Row& row, double base,
                                    double ownCompliance) noexcept {
  Active& active = active_[row.active];
  double& w = w_[static_cast<Eigen::Index>(active.firstRow + row.axis)];
  const auto excess = [&](double trial) {
    w = trial;
    evaluateLaw(run, active);
    return trial - base - ownCompliance * active.law.force[row.axis];
  };
  const double start = w;
  double reach = std::abs(excess(base));
  double low = base, high = base;
  constexpr int kDoublings = 60;
  for (int i = 0; i < kDoublings && !(excess(low) < 0.0); ++i, reach *= 2.0) low -= reach;
  for (int i = 0; i < kDoublings && !(excess(high) >= 0.0); ++i, reach *= 2.0) high += reach;
  const bool found = excess(low) < 0.0 && excess(high) >= 0.0;
  const double root = found ? rootBetween(low, high, excess) : start;
  w = root;
  return found ? root : std::numeric_limits<double>::quiet_NaN();
}

/// Balances one row after the other until all are in balance. Slower than Newton's method, but laws with
/// infinite slopes, such as dashpots |v|^a with a below 1, do not lead it astray.
bool ImplicitContact::sweepRows(const ContactRun& run) noexcept {
  constexpr int kSweeps = 30;
  w_ = free_;
  for (Active& active : active_) active.predicted = {};
  evaluateLaws(run);
  for (int sweep = 0; sweep < kSweeps; ++sweep) {
    for (const Row& row : rows_) {
      if (row.coefficients == nullptr) continue;
      double base = free_[&row - rows_.data()];
      for (const Row& other : rows_)
        if (&other != &row && other.coefficients != nullptr)
          base += compliance(row, other) * active_[other.active].predicted[other.axis];
      const double own = compliance(row, row);
      if (!(own > 0.0)) return false;
      const double w = rowSolution(run, row, base, own);
      if (std::isnan(w)) return false;
      active_[row.active].predicted[row.axis] = (w - base) / own;
    }
    evaluateLaws(run);
    residual();
    if (isInBalance()) return true;
  }
  return false;
}

}  // namespace ricochet
