#pragma once

#include "engine/numerics/real.hpp"

#include <span>
#include <vector>

namespace ricochet {

class SeriesTape;

/// A truncated power series of the local time as a scalar type: laws, obstacles and formulas written over
/// `Real` are evaluated on series without change. A series is a constant, or the index of a node on a tape
/// that records the operations.
///
/// Comparisons use the value (coefficient of order 0). The tape stores each compared difference, since the
/// result of the comparison holds only up to the root of this difference.
class Series {
 public:
  Series() = default;
  Series(double constant) : constant_(constant) {}  // NOLINT: implicit, as constants mix with series

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
  /// y with y(0) = `start` on the tape of a, which is no constant. Its rate is set afterwards by
  /// `setRateOfSeries`, so that the rate may depend on y: an ordinary differential equation.
  friend Series integratedSeries(const Series& a, double start);
  friend void setRateOfSeries(const Series& y, const Series& rate);

 private:
  friend class SeriesTape;
  SeriesTape* tape_{nullptr};
  int place_{0};
  double constant_{0.0};
};

/// Tape of the operations on series, in the order of evaluation. Coefficients are computed order by order, so
/// that the next coefficient of an input may depend on results of lower order.
///
/// Recursions: products by Cauchy's rule, other functions by their differential equations, for instance y =
/// sqrt(u): 2 y' y = u' (E. Hairer, S.P. Norsett, G. Wanner, Solving Ordinary Differential Equations I,
/// section I.8). Recording allocates memory until the tape has reached its largest length.
class SeriesTape {
 public:
  explicit SeriesTape(int order) : stride_(order + 1) {}

  /// Clears the tape; indices of earlier nodes become invalid.
  void clear() noexcept {
    nodes_.clear();
    decisions_.clear();
    isRecursive_ = false;
  }

  /// Input series with given coefficients; all further coefficients are zero.
  Series recordInput(std::span<const double> coefficients);
  /// Input series whose coefficients are set one by one: `value` now, coefficient k by `setCoefficient`
  /// before order k is computed.
  Series recordInputByOrder(double value);
  void setCoefficient(const Series& input, int k, double coefficient) noexcept;

  /// Computes the coefficients of orders `first` to `last` of all nodes. Order 0 is computed when a node is
  /// recorded.
  void computeSeriesOrders(int first, int last) noexcept;

  /// Recomputes order k (0 included) after the inputs of this order were changed.
  void recomputeOrder(int k) noexcept;
  /// The same for some places of the tape, in increasing order.
  void recomputeOrder(int k, std::span<const int> places) noexcept;
  /// Lists the places, without inputs, of which `series` are computed, or that are computed of `inputs`.
  void listNodesThatDetermine(std::span<const Series> series, std::vector<int>& places) const;
  void listNodesDependingOn(std::span<const Series> inputs, std::vector<int>& places) const;

  double coefficient(const Series& series, int k) const noexcept;

  // Interface for the operators of Series.
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
    power,
    integrated
  };
  Series recordNode(Operation operation, int a, int b, double factor, double value);
  /// Records two functions whose derivatives depend on each other, at consecutive places of the tape.
  Series recordFunctionPair(Operation first, Operation second, const Series& argument, double value,
                            double otherValue);
  /// Place of a series on the tape; a constant gets a new place.
  int nodeIndexOfSeries(const Series& series);
  void setRateOfSeries(const Series& integrated, const Series& rate);
  void recordBranchDecision(const Series& positive) { decisions_.push_back(positive); }

  /// Compared differences that were positive when a branch was selected; the branch is valid while they are
  /// positive. Coefficients exist up to the highest order of `computeSeriesOrders`.
  std::span<const Series> decisionsOfRecordedBranches() const noexcept { return decisions_; }

 private:
  struct Node {
    Operation operation;
    int a;
    int b;
    double factor;
    int degree;  // coefficients above this degree are zero; kEndless: unknown
  };
  static constexpr int kEndless = 1 << 20;

  double* coefficientsAt(int place) noexcept {
    return &coefficients_[static_cast<std::size_t>(place * stride_)];
  }
  const double* coefficientsAt(int place) const noexcept {
    return &coefficients_[static_cast<std::size_t>(place * stride_)];
  }
  static constexpr bool isSineOfSineCosinePair(Operation operation) noexcept {
    return operation == Operation::sine || operation == Operation::hyperbolicSine;
  }
  static constexpr bool isCosineOfSineCosinePair(Operation operation) noexcept {
    return operation == Operation::cosine || operation == Operation::hyperbolicCosine;
  }
  void computeSineAndCosine(int place, int first, int last) noexcept;
  void computeSeriesOfNodes(int first, int last) noexcept;
  void computeSeriesOfNode(int place, int first, int last) noexcept;
  static bool doesOperationUseSecondOperand(Operation operation) noexcept;
  void markNodesOfSeries(std::span<const Series> series, std::vector<int>& marks) const;
  void listMarkedTapeNodes(std::vector<int>& marks) const;
  double valueOf(const Node& node, int place) const noexcept;
  double computeCoefficient(const Node& node, int place, int k) const noexcept;
  static double powerCoefficientForZeroStart(const double* u, const double* y, double p, int k) noexcept;
  double convolutionSum(const Node& node, int k, int from) const noexcept;
  int polynomialDegreeOf(const Node& node) const noexcept;

  int stride_;
  bool isRecursive_{false};  // a rate stands behind the series that depends on it: one order after the other
  std::vector<Node> nodes_;
  std::vector<double> coefficients_;
  std::vector<Series> decisions_;
};

}  // namespace ricochet
