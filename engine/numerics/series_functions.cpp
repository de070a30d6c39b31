// Operators and functions of series, each recorded as an operation on the tape.

#include "engine/numerics/series.hpp"

#include <cmath>

namespace ricochet {

Series operator+(const Series& a, const Series& b) {
  using Op = SeriesTape::Operation;
  if (a.isConstant() && b.isConstant()) return a.constant_ + b.constant_;
  if (a.isConstant()) return b + a;
  if (b.isConstant())
    return b.constant_ == 0.0
               ? a
               : a.tape_->recordNode(Op::shift, a.place_, 0, b.constant_, a.value() + b.constant_);
  return a.tape_->recordNode(Op::add, a.place_, b.place_, 0.0, a.value() + b.value());
}

Series operator-(const Series& a) {
  if (a.isConstant()) return -a.constant_;
  return a.tape_->recordNode(SeriesTape::Operation::scale, a.place_, 0, -1.0, -a.value());
}

Series operator-(const Series& a, const Series& b) {
  if (b.isConstant()) return a + Series(-b.constant_);
  if (a.isConstant()) return -b + a;
  return a.tape_->recordNode(SeriesTape::Operation::subtract, a.place_, b.place_, 0.0, a.value() - b.value());
}

Series operator*(const Series& a, const Series& b) {
  using Op = SeriesTape::Operation;
  if (a.isConstant() && b.isConstant()) return a.constant_ * b.constant_;
  if (a.isConstant()) return b * a;
  if (b.isConstant() && b.constant_ == 0.0) return b;  // components of directions along an axis
  if (b.isConstant() && b.constant_ == 1.0) return a;
  if (b.isConstant())
    return a.tape_->recordNode(Op::scale, a.place_, 0, b.constant_, a.value() * b.constant_);
  return a.tape_->recordNode(Op::multiply, a.place_, b.place_, 0.0, a.value() * b.value());
}

Series operator/(const Series& a, const Series& b) {
  using Op = SeriesTape::Operation;
  if (b.isConstant()) {
    if (a.isConstant()) return a.constant_ / b.constant_;
    return a.tape_->recordNode(Op::scale, a.place_, 0, 1.0 / b.constant_, a.value() / b.constant_);
  }
  if (a.isConstant()) return b.tape_->recordNode(Op::reciprocal, b.place_, 0, 0.0, 1.0 / b.value()) * a;
  return a.tape_->recordNode(Op::divide, a.place_, b.place_, 0.0, a.value() / b.value());
}

bool operator<(const Series& a, const Series& b) {
  const bool less = a.value() < b.value();
  if (a.isConstant() && b.isConstant()) return less;
  const Series difference = less ? b - a : a - b;
  difference.tape_->recordBranchDecision(difference);
  return less;
}

Series sqrt(const Series& a) {
  if (a.isConstant()) return std::sqrt(a.constant_);
  return a.tape_->recordNode(SeriesTape::Operation::squareRoot, a.place_, 0, 0.0, std::sqrt(a.value()));
}

Series exp(const Series& a) {
  if (a.isConstant()) return std::exp(a.constant_);
  return a.tape_->recordNode(SeriesTape::Operation::exponential, a.place_, 0, 0.0, std::exp(a.value()));
}

Series log(const Series& a) {
  if (a.isConstant()) return std::log(a.constant_);
  return a.tape_->recordNode(SeriesTape::Operation::logarithm, a.place_, 0, 0.0, std::log(a.value()));
}

Series sin(const Series& a) {
  using Op = SeriesTape::Operation;
  if (a.isConstant()) return std::sin(a.constant_);
  return a.tape_->recordFunctionPair(Op::sine, Op::cosine, a, std::sin(a.value()), std::cos(a.value()));
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
  return a.tape_->recordFunctionPair(Op::hyperbolicSine, Op::hyperbolicCosine, a, std::sinh(a.value()),
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
  const int slope = a.tape_->nodeIndexOfSeries(Series(1.0) / sqrt(Series(1.0) - a * a));
  return a.tape_->recordNode(Op::integralOf, a.place_, slope, 0.0, std::asin(a.value()));
}

Series acos(const Series& a) {
  if (a.isConstant()) return std::acos(a.constant_);
  return Series(std::acos(0.0)) - asin(a);
}

Series atan(const Series& a) {
  using Op = SeriesTape::Operation;
  if (a.isConstant()) return std::atan(a.constant_);
  const int slope = a.tape_->nodeIndexOfSeries(Series(1.0) / (Series(1.0) + a * a));
  return a.tape_->recordNode(Op::integralOf, a.place_, slope, 0.0, std::atan(a.value()));
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
  return base.tape_->recordNode(SeriesTape::Operation::power, base.place_, 0, p, std::pow(base.value(), p));
}

Series integratedSeries(const Series& a, double start) {
  return a.tape_->recordNode(SeriesTape::Operation::integrated, a.place_, 0, 0.0, start);
}

void setRateOfSeries(const Series& y, const Series& rate) { y.tape_->setRateOfSeries(y, rate); }

}  // namespace ricochet
