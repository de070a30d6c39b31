#pragma once

#include "engine/numerics/real.hpp"

#include <span>
#include <vector>

namespace ricochet {

class SeriesTape;

/// A truncated power series of the local time as a scalar type: laws, obstacles and formulas written over
/// `Real` run on it unchanged. It is a constant, or a place on a tape that records the operations.
///
/// Comparisons look at the value (the coefficient of order 0); the tape keeps what was compared, since the
/// answer holds only up to the root of the difference.
class Series {
 public:
  Series() = default;
  Series(double constant) : constant_(constant) {}  // NOLINT: numbers mix with series as with doubles

  bool isConstant() const noexcept { return tape_ == nullptr; }
  double value() const noexcept;
  double coefficient(int k) const noexcept;

  friend Series operator+(const Series& a, const Series& b);
  friend Series operator-(const Series& a, const Series& b);
  friend Series operator-(const Series& a);
  friend Series operator*(const Series& a, const Series& b);
  friend Series operator/(const Series& a, const Series& b);
  friend bool operator<(const Series& a, const Series& b);
  friend bool operator>(const Series& a, const Series& b) { return b < a; }
  friend bool operator<=(const Series& a, const Series& b) { return !(b < a); }
  friend bool operator>=(const Series& a, const Series& b) { return !(a < b); }
  friend bool operator==(const Series& a, const Series& b) { return !(a < b) && !(b < a); }
  friend bool operator!=(const Series& a, const Series& b) { return !(a == b); }
  friend Series select(bool condition, const Series& yes, const Series& no) { return condition ? yes : no; }

  friend Series sqrt(const Series& a);
  friend Series exp(const Series& a);
  friend Series log(const Series& a);
  friend Series sin(const Series& a);
  friend Series cos(const Series& a);
  friend Series tan(const Series& a);
  friend Series asin(const Series& a);
  friend Series acos(const Series& a);
  friend Series atan(const Series& a);
  friend Series atan2(const Series& y, const Series& x);
  friend Series sinh(const Series& a);
  friend Series cosh(const Series& a);
  friend Series tanh(const Series& a);
  friend Series pow(const Series& base, const Series& exponent);

 private:
  friend class SeriesTape;
  SeriesTape* tape_{nullptr};
  int place_{0};
  double constant_{0.0};
};

/// Operations on series in the order in which they were asked for. Coefficients are computed order by order,
/// so that an input whose next coefficient depends on the result can be fed as the expansion goes on.
///
/// Recursions: products by Cauchy's rule, the others by the differential equation of the function, for
/// instance y = sqrt(u): 2 y' y = u' (E. Hairer, S.P. Norsett, G. Wanner, Solving Ordinary Differential
/// Equations I, section I.8). Recording allocates until the tape has reached its longest.
class SeriesTape {
 public:
  explicit SeriesTape(int order) : stride_(order + 1) {}

  /// Forgets all; places handed out before are no longer valid.
  void clear() noexcept {
    nodes_.clear();
    decisions_.clear();
  }

  /// A series known in advance; coefficients beyond those given are zero.
  Series input(std::span<const double> coefficients);
  /// A series whose coefficients come one by one: `value` now, the others by `feed` before `run` of the
  /// order.
  Series unfolding(double value);
  void feed(const Series& input, int k, double coefficient) noexcept;

  /// Computes the coefficients of these orders in everything recorded. Order 0 is known as it is recorded.
  void run(int first, int last) noexcept;

  /// The same for one order, 0 included, after inputs of that order were fed again.
  void refresh(int k) noexcept;

  double coefficient(const Series& series, int k) const noexcept;

  // for the operators of Series
  enum class Operation : unsigned char {
    input,
    add,
    subtract,
    scale,
    shift,
    multiply,
    divide,
    reciprocal,
    squareRoot,
    exponential,
    logarithm,
    sine,
    cosine,
    hyperbolicSine,
    hyperbolicCosine,
    integralOf,
    power
  };
  Series record(Operation operation, int a, int b, double factor, double value);
  /// Two functions whose derivatives are made of each other, in places that follow one another.
  Series recordPair(Operation first, Operation second, const Series& argument, double value,
                    double otherValue);
  /// A series on the tape even if it is a constant.
  int placeOf(const Series& series);
  void decide(const Series& positive) { decisions_.push_back(positive); }

  /// What was compared: positive differences that decided (their sign is to hold). No orders beyond those
  /// run.
  std::span<const Series> decisions() const noexcept { return decisions_; }

 private:
  struct Node {
    Operation operation;
    int a;
    int b;
    double factor;
    int degree;  // coefficients above it are zero; kEndless: unknown
  };
  static constexpr int kEndless = 1 << 20;

  double* at(int place) noexcept { return &coefficients_[static_cast<std::size_t>(place * stride_)]; }
  const double* at(int place) const noexcept {
    return &coefficients_[static_cast<std::size_t>(place * stride_)];
  }
  static constexpr bool isFirstOfPair(Operation operation) noexcept {
    return operation == Operation::sine || operation == Operation::hyperbolicSine;
  }
  void runPair(int place, int first, int last) noexcept;
  double valueOf(const Node& node, int place) const noexcept;
  double next(const Node& node, int place, int k) const noexcept;
  double convolution(const Node& node, int k, int from) const noexcept;
  int degreeOf(const Node& node) const noexcept;

  int stride_;
  std::vector<Node> nodes_;
  std::vector<double> coefficients_;
  std::vector<Series> decisions_;
};

}  // namespace ricochet
