#include "engine/numerics/series.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {

// ---- recording of operations ------------------------------------------------------------------------------

Series SeriesTape::record(Operation operation, int a, int b, double factor, double value) {
  Series series;
  series.tape_ = this;
  series.place_ = static_cast<int>(nodes_.size());
  nodes_.push_back({operation, a, b, factor, 0});
  nodes_.back().degree = degreeOf(nodes_.back());
  const std::size_t needed = nodes_.size() * static_cast<std::size_t>(stride_);
  if (coefficients_.size() < needed) coefficients_.resize(2 * needed);
  at(series.place_)[0] = value;
  return series;
}

int SeriesTape::degreeOf(const Node& node) const noexcept {
  const auto of = [this](int place) { return nodes_[static_cast<std::size_t>(place)].degree; };
  switch (node.operation) {
    case Operation::add:
    case Operation::subtract:
      return std::max(of(node.a), of(node.b));
    case Operation::scale:
    case Operation::shift:
      return of(node.a);
    case Operation::multiply:
      return std::min(kEndless, of(node.a) + of(node.b));
    default:
      return kEndless;
  }
}

Series SeriesTape::input(std::span<const double> coefficients) {
  const Series series = record(Operation::input, 0, 0, 0.0, coefficients.empty() ? 0.0 : coefficients[0]);
  double* all = at(series.place_);
  for (std::size_t k = 1; k < static_cast<std::size_t>(stride_); ++k)
    all[k] = k < coefficients.size() ? coefficients[k] : 0.0;
  nodes_.back().degree = std::max(0, static_cast<int>(coefficients.size()) - 1);
  return series;
}

Series SeriesTape::inputByOrder(double value) {
  const Series series = input({&value, 1});
  nodes_.back().degree = kEndless;
  return series;
}

void SeriesTape::setCoefficient(const Series& input, int k, double coefficient) noexcept {
  at(input.place_)[k] = coefficient;
}

Series SeriesTape::recordPair(Operation first, Operation second, const Series& argument, double value,
                              double otherValue) {
  const Series one = record(first, argument.place_, 0, 0.0, value);
  const Series other = record(second, argument.place_, one.place_, 0.0, otherValue);
  nodes_[static_cast<std::size_t>(one.place_)].b = other.place_;
  return one;
}

int SeriesTape::placeOf(const Series& series) {
  return series.isConstant() ? input({&series.constant_, 1}).place_ : series.place_;
}

double SeriesTape::coefficient(const Series& series, int k) const noexcept {
  if (series.isConstant()) return k == 0 ? series.constant_ : 0.0;
  return at(series.place_)[k];
}

double Series::value() const noexcept { return coefficient(0); }
double Series::coefficient(int k) const noexcept {
  if (isConstant()) return k == 0 ? constant_ : 0.0;
  return tape_->coefficient(*this, k);
}

// ---- Taylor coefficient of order k for each operation -----------------------------------------------------

/// Convolution sum over i of a_i b_{k-i}, for i >= `from` within the degrees of both series.
double SeriesTape::convolutionSum(const Node& node, int k, int from) const noexcept {
  const double* a = at(node.a);
  const double* b = at(node.b);
  const int low = std::max(from, k - nodes_[static_cast<std::size_t>(node.b)].degree);
  const int high = std::min(k, nodes_[static_cast<std::size_t>(node.a)].degree);
  double sum = 0.0;
  for (int i = low; i <= high; ++i) sum += a[i] * b[k - i];
  return sum;
}

double SeriesTape::next(const Node& node, int place, int k) const noexcept {
  const double* a = at(node.a);
  const double* b = at(node.b);
  const double* y = at(place);
  const int degree = nodes_[static_cast<std::size_t>(node.a)].degree;
  // Sum over j of j u_j w_{k-j}: k times coefficient k of the right-hand side of y' = u' w.
  const auto driven = [&](const double* u, const double* w) {
    double sum = 0.0;
    for (int j = 1; j <= std::min(k, degree); ++j) sum += j * u[j] * w[k - j];
    return sum / k;
  };
  switch (node.operation) {
    case Operation::input:
      return y[k];
    case Operation::add:
      return a[k] + b[k];
    case Operation::subtract:
      return a[k] - b[k];
    case Operation::scale:
      return node.factor * a[k];
    case Operation::shift:
      return a[k];
    case Operation::multiply:
      return convolutionSum(node, k, 0);
    case Operation::divide: {
      double rest = a[k];
      for (int j = 1; j <= k; ++j) rest -= b[j] * y[k - j];
      return rest / b[0];
    }
    case Operation::reciprocal: {
      double rest = 0.0;
      for (int j = 1; j <= std::min(k, degree); ++j) rest -= a[j] * y[k - j];
      return rest / a[0];
    }
    case Operation::squareRoot: {
      double rest = a[k];
      for (int j = 1; j < k; ++j) rest -= y[j] * y[k - j];
      return rest / (2.0 * y[0]);
    }
    case Operation::exponential:
      return driven(a, y);
    case Operation::logarithm: {
      double rest = k * a[k];
      for (int j = 1; j < k; ++j) rest -= j * y[j] * a[k - j];
      return rest / (k * a[0]);
    }
    case Operation::integralOf:  // integral: y' = u' w
      return driven(a, b);
    case Operation::integrated:  // y' = a
      return a[k - 1] / k;
    default:  // pairs of functions: see computePair
      return 0.0;
    case Operation::power: {  // power: a y' = p u' y
      double rest = 0.0;
      for (int j = 1; j <= std::min(k, degree); ++j) rest += (node.factor * j - (k - j)) * a[j] * y[k - j];
      return rest / (k * a[0]);
    }
  }
}

/// Coefficient of order 0: the function at the value of its argument.
double SeriesTape::valueOf(const Node& node, int place) const noexcept {
  const double a = at(node.a)[0];
  const double b = at(node.b)[0];
  switch (node.operation) {
    case Operation::add:
      return a + b;
    case Operation::subtract:
      return a - b;
    case Operation::scale:
      return node.factor * a;
    case Operation::multiply:
      return a * b;
    case Operation::divide:
      return a / b;
    case Operation::reciprocal:
      return 1.0 / a;
    case Operation::squareRoot:
      return std::sqrt(a);
    case Operation::exponential:
      return std::exp(a);
    case Operation::logarithm:
      return std::log(a);
    case Operation::sine:
      return std::sin(a);
    case Operation::cosine:
      return std::cos(a);
    case Operation::hyperbolicSine:
      return std::sinh(a);
    case Operation::hyperbolicCosine:
      return std::cosh(a);
    case Operation::power:
      return std::pow(a, node.factor);
    case Operation::shift:  // the added number, or the constant of integration, is unchanged
    case Operation::integralOf:
    case Operation::integrated:
    case Operation::input:
      break;
  }
  return at(place)[0];
}

void SeriesTape::recomputeOrder(int k) noexcept {
  if (k > 0) {
    run(k, k);
    return;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const int place = static_cast<int>(i);
    at(place)[0] = valueOf(nodes_[i], place);
  }
}

void SeriesTape::setRate(const Series& integrated, const Series& rate) {
  nodes_[static_cast<std::size_t>(integrated.place_)].a = placeOf(rate);
  isRecursive_ = true;
}

void SeriesTape::run(int first, int last) noexcept {
  first = std::max(1, first);
  if (!isRecursive_) return runNodes(first, last);
  for (int k = first; k <= last; ++k) runNodes(k, k);
}

void SeriesTape::runNodes(int first, int last) noexcept {
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.operation == Operation::input) continue;
    const int place = static_cast<int>(i);
    if (isFirstOfPair(node.operation)) {  // the two functions of a pair need each other at every order
      computePair(place, first, last);
      ++i;
      continue;
    }
    const int high = std::min(last, node.degree);
    for (int k = first; k <= high; ++k) at(place)[k] = next(node, place, k);
    for (int k = std::max(first, high + 1); k <= last; ++k) at(place)[k] = 0.0;
  }
}

/// Recursion of a pair: sine' = u' cosine, cosine' = -u' sine (+ for hyperbolic functions).
void SeriesTape::computePair(int place, int first, int last) noexcept {
  const Node& node = nodes_[static_cast<std::size_t>(place)];
  const double* u = at(node.a);
  const int degree = nodes_[static_cast<std::size_t>(node.a)].degree;
  const double sign = node.operation == Operation::sine ? -1.0 : 1.0;
  double* s = at(place);
  double* c = at(place + 1);
  for (int k = first; k <= last; ++k) {
    double ds = 0.0, dc = 0.0;
    for (int j = 1; j <= std::min(k, degree); ++j) {
      const double rate = j * u[j];
      ds += rate * c[k - j];
      dc += rate * s[k - j];
    }
    const double inverse = 1.0 / k;
    s[k] = ds * inverse;
    c[k] = sign * dc * inverse;
  }
}

// ---- operators and functions ------------------------------------------------------------------------------

Series operator+(const Series& a, const Series& b) {
  using Op = SeriesTape::Operation;
  if (a.isConstant() && b.isConstant()) return a.constant_ + b.constant_;
  if (a.isConstant()) return b + a;
  if (b.isConstant())
    return b.constant_ == 0.0 ? a : a.tape_->record(Op::shift, a.place_, 0, 0.0, a.value() + b.constant_);
  return a.tape_->record(Op::add, a.place_, b.place_, 0.0, a.value() + b.value());
}

Series operator-(const Series& a) {
  if (a.isConstant()) return -a.constant_;
  return a.tape_->record(SeriesTape::Operation::scale, a.place_, 0, -1.0, -a.value());
}

Series operator-(const Series& a, const Series& b) {
  if (b.isConstant()) return a + Series(-b.constant_);
  if (a.isConstant()) return -b + a;
  return a.tape_->record(SeriesTape::Operation::subtract, a.place_, b.place_, 0.0, a.value() - b.value());
}

Series operator*(const Series& a, const Series& b) {
  using Op = SeriesTape::Operation;
  if (a.isConstant() && b.isConstant()) return a.constant_ * b.constant_;
  if (a.isConstant()) return b * a;
  if (b.isConstant()) return a.tape_->record(Op::scale, a.place_, 0, b.constant_, a.value() * b.constant_);
  return a.tape_->record(Op::multiply, a.place_, b.place_, 0.0, a.value() * b.value());
}

Series operator/(const Series& a, const Series& b) {
  using Op = SeriesTape::Operation;
  if (b.isConstant()) {
    if (a.isConstant()) return a.constant_ / b.constant_;
    return a.tape_->record(Op::scale, a.place_, 0, 1.0 / b.constant_, a.value() / b.constant_);
  }
  if (a.isConstant()) return b.tape_->record(Op::reciprocal, b.place_, 0, 0.0, 1.0 / b.value()) * a;
  return a.tape_->record(Op::divide, a.place_, b.place_, 0.0, a.value() / b.value());
}

bool operator<(const Series& a, const Series& b) {
  const bool less = a.value() < b.value();
  if (a.isConstant() && b.isConstant()) return less;
  const Series difference = less ? b - a : a - b;
  difference.tape_->recordBranch(difference);
  return less;
}

Series sqrt(const Series& a) {
  if (a.isConstant()) return std::sqrt(a.constant_);
  return a.tape_->record(SeriesTape::Operation::squareRoot, a.place_, 0, 0.0, std::sqrt(a.value()));
}

Series exp(const Series& a) {
  if (a.isConstant()) return std::exp(a.constant_);
  return a.tape_->record(SeriesTape::Operation::exponential, a.place_, 0, 0.0, std::exp(a.value()));
}

Series log(const Series& a) {
  if (a.isConstant()) return std::log(a.constant_);
  return a.tape_->record(SeriesTape::Operation::logarithm, a.place_, 0, 0.0, std::log(a.value()));
}

Series sin(const Series& a) {
  using Op = SeriesTape::Operation;
  if (a.isConstant()) return std::sin(a.constant_);
  return a.tape_->recordPair(Op::sine, Op::cosine, a, std::sin(a.value()), std::cos(a.value()));
}

Series cos(const Series& a) {
  if (a.isConstant()) return std::cos(a.constant_);
  Series cosine = sin(a);
  ++cosine.place_;  // recorded with the sine, at the next place
  return cosine;
}

Series sinh(const Series& a) {
  using Op = SeriesTape::Operation;
  if (a.isConstant()) return std::sinh(a.constant_);
  return a.tape_->recordPair(Op::hyperbolicSine, Op::hyperbolicCosine, a, std::sinh(a.value()),
                             std::cosh(a.value()));
}

Series cosh(const Series& a) {
  if (a.isConstant()) return std::cosh(a.constant_);
  Series cosine = sinh(a);
  ++cosine.place_;  // recorded with the hyperbolic sine, at the next place
  return cosine;
}

Series tan(const Series& a) {
  if (a.isConstant()) return std::tan(a.constant_);
  return sin(a) / cos(a);
}

Series tanh(const Series& a) {
  constexpr double kSaturated = 20.0;  // 1 - tanh(20) = 8e-18
  if (a.isConstant()) return std::tanh(a.constant_);
  if (a > kSaturated || a < -kSaturated) return std::copysign(1.0, a.value());
  return sinh(a) / cosh(a);
}

Series asin(const Series& a) {
  using Op = SeriesTape::Operation;
  if (a.isConstant()) return std::asin(a.constant_);
  const int slope = a.tape_->placeOf(Series(1.0) / sqrt(Series(1.0) - a * a));
  return a.tape_->record(Op::integralOf, a.place_, slope, 0.0, std::asin(a.value()));
}

Series acos(const Series& a) {
  if (a.isConstant()) return std::acos(a.constant_);
  return Series(std::acos(0.0)) - asin(a);
}

Series atan(const Series& a) {
  using Op = SeriesTape::Operation;
  if (a.isConstant()) return std::atan(a.constant_);
  const int slope = a.tape_->placeOf(Series(1.0) / (Series(1.0) + a * a));
  return a.tape_->record(Op::integralOf, a.place_, slope, 0.0, std::atan(a.value()));
}

/// Angle of (x, y), as a quotient with the larger of the two in the denominator.
Series atan2(const Series& y, const Series& x) {
  const double angle = std::atan2(y.value(), x.value());
  if (y.isConstant() && x.isConstant()) return angle;
  if (std::abs(x.value()) >= std::abs(y.value())) {
    const Series turned = atan(y / x);
    return turned + Series(angle - turned.value());
  }
  const Series turned = -atan(x / y);
  return turned + Series(angle - turned.value());
}

Series pow(const Series& base, const Series& exponent) {
  if (base.isConstant() && exponent.isConstant()) return std::pow(base.constant_, exponent.constant_);
  if (!exponent.isConstant()) return exp(exponent * log(base));
  const double p = exponent.constant_;
  return base.tape_->record(SeriesTape::Operation::power, base.place_, 0, p, std::pow(base.value(), p));
}

Series integratedSeries(const Series& a, double start) {
  return a.tape_->record(SeriesTape::Operation::integrated, a.place_, 0, 0.0, start);
}

void setRate(const Series& y, const Series& rate) { y.tape_->setRate(y, rate); }

}  // namespace ricochet
