#include "verification/cross_check/segment.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet::cross {
namespace {

/// Distance of samples, so that the guards are smooth between them [s].
double sampleSpacing(const RigidSystem& system) {
  double step = system.duration / 64.0;
  for (const LoadFunction& f : system.functions)
    if (f.kind == LoadFunction::Kind::sine) step = std::min(step, std::numbers::pi / (8.0 * f.parameter));
  return step;
}

}  // namespace

Segment::Segment(const RigidSystem& system, double start, double longest)
    : system_(system), start_(start), length_(longest) {
  for (const LoadFunction& f : system.functions)
    if (f.kind == LoadFunction::Kind::ramp && f.parameter > start)
      length_ = std::min(length_, f.parameter - start);
  // The first samples are dense, because events follow each other closely where bouncing ends.
  constexpr int kHalvings = 24;
  const double step = std::min(sampleSpacing(system), length_);
  for (int i = kHalvings; i > 0; --i) nodes_.push_back(std::ldexp(step, -i));
  const int count = std::max(1, static_cast<int>(std::ceil(length_ / step)));
  for (int i = 1; i <= count; ++i) nodes_.push_back(length_ * i / count);
  for (double tau : nodes_) sampled_.push_back(valuesAt(tau));
}

Eigen::MatrixX3d Segment::valuesAt(double tau) const {
  Eigen::MatrixX3d values(static_cast<Eigen::Index>(system_.functions.size()), 3);
  for (std::size_t k = 0; k < system_.functions.size(); ++k) {
    const LoadFunction::Values v = system_.functions[k].values(start_, tau);
    values.row(static_cast<Eigen::Index>(k)) << v.value, v.integral, v.twice;
  }
  return values;
}

double Segment::evaluate(const Guard& guard, double tau) const {
  double sum = guard.constant + guard.slope * tau;
  for (std::size_t k = 0; k < system_.functions.size(); ++k) {
    const double factor = guard.factors[static_cast<Eigen::Index>(k)];
    if (factor == 0.0) continue;
    const LoadFunction::Values v = system_.functions[k].values(start_, tau);
    sum += factor * (guard.integrals == 0 ? v.value : guard.integrals == 1 ? v.integral : v.twice);
  }
  return sum;
}

double Segment::valueAt(const Guard& guard, std::size_t node) const {
  return guard.constant + guard.slope * nodes_[node] + guard.factors.dot(sampled_[node].col(guard.integrals));
}

/// First root of a guard before `best`, else `best`. A guard that is zero at the start is positive just after
/// the start, by the choice of the states.
double Segment::rootOf(const Guard& guard, double best) const {
  constexpr int kBisections = 100;
  const auto bisect = [&](double low, double high, double level) {
    for (int i = 0; i < kBisections && high - low > 1e-16 * high; ++i) {
      const double middle = 0.5 * (low + high);
      (evaluate(guard, middle) >= level ? low : high) = middle;
    }
    return high;
  };
  double before = evaluate(guard, 0.0), beforeThat = before;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const double low = i == 0 ? 0.0 : nodes_[i - 1];
    // One sample beyond `best` is included: it shows a minimum before `best`.
    if (i > 1 && nodes_[i - 2] >= best) return best;
    const double value = valueAt(guard, i);
    // The level is below zero if the function is zero within rounding at the start of the bracket.
    const double level = i == 0 || before > guard.tolerance ? 0.0 : -guard.tolerance;
    if (value < -guard.tolerance) return std::min(best, bisect(low, nodes_[i], level));
    // A minimum between samples may be negative, and one beside the last sample has no sample after it.
    const bool dips = i > 0 && before < beforeThat && before <= value &&
                      before < 2.0 * std::max(beforeThat - before, value - before);
    const bool dipsAtEnd = i + 1 == nodes_.size() && value < before;
    if (dips || dipsAtEnd) {
      double left = dipsAtEnd ? low : i > 1 ? nodes_[i - 2] : 0.0, right = nodes_[i];
      const double start = left;
      for (int step = 0; step < 60; ++step) {
        const double a = left + (right - left) / 3.0, b = right - (right - left) / 3.0;
        if (evaluate(guard, a) < evaluate(guard, b))
          right = b;
        else
          left = a;
      }
      const double lowest = 0.5 * (left + right);
      if (evaluate(guard, lowest) < -guard.tolerance) return std::min(best, bisect(start, lowest, 0.0));
    }
    beforeThat = before;
    before = value;
  }
  return best;
}

double Segment::firstRoot(const std::vector<Guard>& guards, int& fired) const {
  double best = length_;
  fired = -1;
  for (std::size_t i = 0; i < guards.size(); ++i) {
    const double root = rootOf(guards[i], best);
    if (root < best) {
      best = root;
      fired = static_cast<int>(i);
    }
  }
  return best;
}

}  // namespace ricochet::cross
