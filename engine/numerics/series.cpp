#include "engine/numerics/series.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ricochet {

// ---- recording of operations ------------------------------------------------------------------------------

Series SeriesTape::recordNode(Operation operation, int a, int b, double factor, double value) {
  Series series;
  series.tape_ = this;
  series.place_ = static_cast<int>(nodes_.size());
  nodes_.push_back({operation, a, b, factor, 0});
  nodes_.back().degree = polynomialDegreeOf(nodes_.back());
  const std::size_t needed = nodes_.size() * static_cast<std::size_t>(stride_);
  if (coefficients_.size() < needed) coefficients_.resize(2 * needed);
  coefficientsAt(series.place_)[0] = value;
  return series;
}

int SeriesTape::polynomialDegreeOf(const Node& node) const noexcept {
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

Series SeriesTape::recordInput(std::span<const double> coefficients) {
  const Series series = recordNode(Operation::input, 0, 0, 0.0, coefficients.empty() ? 0.0 : coefficients[0]);
  double* all = coefficientsAt(series.place_);
  for (std::size_t k = 1; k < static_cast<std::size_t>(stride_); ++k)
    all[k] = k < coefficients.size() ? coefficients[k] : 0.0;
  nodes_.back().degree = std::max(0, static_cast<int>(coefficients.size()) - 1);
  return series;
}

Series SeriesTape::recordInputByOrder(double value) {
  const Series series = recordInput({&value, 1});
  nodes_.back().degree = kEndless;
  return series;
}

void SeriesTape::setCoefficient(const Series& input, int k, double coefficient) noexcept {
  coefficientsAt(input.place_)[k] = coefficient;
}

Series SeriesTape::recordFunctionPair(Operation first, Operation second, const Series& argument, double value,
                                      double otherValue) {
  const Series one = recordNode(first, argument.place_, 0, 0.0, value);
  const Series other = recordNode(second, argument.place_, one.place_, 0.0, otherValue);
  nodes_[static_cast<std::size_t>(one.place_)].b = other.place_;
  return one;
}

int SeriesTape::nodeIndexOfSeries(const Series& series) {
  return series.isConstant() ? recordInput({&series.constant_, 1}).place_ : series.place_;
}

double SeriesTape::coefficient(const Series& series, int k) const noexcept {
  if (series.isConstant()) return k == 0 ? series.constant_ : 0.0;
  return coefficientsAt(series.place_)[k];
}

double Series::value() const noexcept { return coefficient(0); }
double Series::coefficient(int k) const noexcept {
  if (isConstant()) return k == 0 ? constant_ : 0.0;
  return tape_->coefficient(*this, k);
}

// ---- Taylor coefficient of order k for each operation -----------------------------------------------------

/// Convolution sum over i of a_i b_{k-i}, for i >= `from` within the degrees of both series.
double SeriesTape::convolutionSum(const Node& node, int k, int from) const noexcept {
  const double* a = coefficientsAt(node.a);
  const double* b = coefficientsAt(node.b);
  const int low = std::max(from, k - nodes_[static_cast<std::size_t>(node.b)].degree);
  const int high = std::min(k, nodes_[static_cast<std::size_t>(node.a)].degree);
  double sum = 0.0;
  for (int i = low; i <= high; ++i) sum += a[i] * b[k - i];
  return sum;
}

/// Coefficient of order k of y = u^p where u starts from zero: with u = t^m w, w(0) != 0, y = t^(m p) w^p.
/// Infinite where m p is not whole, and below p = 1, where coefficients of u above order k are needed.
double SeriesTape::powerCoefficientForZeroStart(const double* u, const double* y, double p, int k) noexcept {
  const int lead = static_cast<int>(std::find_if(u, u + k + 1, [](double each) { return each != 0.0; }) - u);
  const double first = p * lead;
  if (p > 0.0 && (lead > k || k < first)) return 0.0;
  if (p < 1.0 || first != std::floor(first)) return std::numeric_limits<double>::infinity();
  const int own = k - static_cast<int>(first);
  if (own == 0) return std::pow(u[lead], p);
  double rest = 0.0;
  for (int j = 1; j <= own; ++j) rest += (p * j - (own - j)) * u[lead + j] * y[k - j];
  return rest / (own * u[lead]);
}

double SeriesTape::computeCoefficient(const Node& node, int place, int k) const noexcept {
  const double* a = coefficientsAt(node.a);
  const double* b = coefficientsAt(node.b);
  const double* y = coefficientsAt(place);
  const int degree = nodes_[static_cast<std::size_t>(node.a)].degree;
  // Sum over j of j u_j w_{k-j}: k times coefficient k of the right-hand side of y' = u' w.
  const auto driven = [&](const double* u, const double* w) {
    double sum = 0.0;
    for (int j = 1; j <= std::min(k, degree); ++j) sum += j * u[j] * w[k - j];
    return sum / k;
  };
  switch (node.operation) {
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
      if (a[0] == 0.0) return powerCoefficientForZeroStart(a, y, 0.5, k);
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
    default:  // inputs are given; for pairs of functions see computeSineAndCosine
      return 0.0;
    case Operation::power: {  // power: a y' = p u' y
      if (a[0] == 0.0) return powerCoefficientForZeroStart(a, y, node.factor, k);
      double rest = 0.0;
      for (int j = 1; j <= std::min(k, degree); ++j) rest += (node.factor * j - (k - j)) * a[j] * y[k - j];
      return rest / (k * a[0]);
    }
  }
}

/// Coefficient of order 0: the function at the value of its argument.
double SeriesTape::valueOf(const Node& node, int place) const noexcept {
  const double a = coefficientsAt(node.a)[0];
  const double b = coefficientsAt(node.b)[0];
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
    case Operation::shift:
      return a + node.factor;
    case Operation::integralOf:  // the constant of integration is unchanged
    case Operation::integrated:
    case Operation::input:
      break;
  }
  return coefficientsAt(place)[0];
}

void SeriesTape::recomputeOrder(int k) noexcept {
  if (k > 0) {
    computeSeriesOrders(k, k);
    return;
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const int place = static_cast<int>(i);
    coefficientsAt(place)[0] = valueOf(nodes_[i], place);
  }
}

void SeriesTape::recomputeOrder(int k, std::span<const int> places) noexcept {
  for (const int place : places) {
    if (k > 0)
      computeSeriesOfNode(place, k, k);
    else
      coefficientsAt(place)[0] = valueOf(nodes_[static_cast<std::size_t>(place)], place);
  }
}

bool SeriesTape::doesOperationUseSecondOperand(Operation operation) noexcept {
  switch (operation) {
    case Operation::add:
    case Operation::subtract:
    case Operation::multiply:
    case Operation::divide:
    case Operation::integralOf:
      return true;
    default:
      return false;
  }
}

/// Sets a mark for each node: 1 for these series, or for all where the order of the tape is not that of the
/// evaluation.
void SeriesTape::markNodesOfSeries(std::span<const Series> series, std::vector<int>& marks) const {
  marks.assign(nodes_.size(), isRecursive_ ? 1 : 0);
  for (const Series& each : series)
    if (!each.isConstant()) marks[static_cast<std::size_t>(each.place_)] = 1;
}

/// Replaces the marks by the places of the marked nodes, without inputs.
void SeriesTape::listMarkedTapeNodes(std::vector<int>& marks) const {
  std::size_t count = 0;
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    if (marks[i] != 0 && nodes_[i].operation != Operation::input) marks[count++] = static_cast<int>(i);
  marks.resize(count);
}

void SeriesTape::listNodesThatDetermine(std::span<const Series> series, std::vector<int>& places) const {
  std::vector<int>& marks = places;
  markNodesOfSeries(series, marks);
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    const Node& node = nodes_[i];
    if (isSineOfSineCosinePair(node.operation) && (marks[i] != 0 || marks[i + 1] != 0))
      marks[i] = marks[i + 1] = 1;
    if (marks[i] == 0 || node.operation == Operation::input) continue;
    marks[static_cast<std::size_t>(node.a)] = 1;
    if (doesOperationUseSecondOperand(node.operation)) marks[static_cast<std::size_t>(node.b)] = 1;
  }
  listMarkedTapeNodes(marks);
}

void SeriesTape::listNodesDependingOn(std::span<const Series> inputs, std::vector<int>& places) const {
  std::vector<int>& marks = places;
  markNodesOfSeries(inputs, marks);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    if (node.operation == Operation::input) continue;
    if (marks[static_cast<std::size_t>(node.a)] != 0 ||
        (doesOperationUseSecondOperand(node.operation) && marks[static_cast<std::size_t>(node.b)] != 0))
      marks[i] = 1;
  }
  listMarkedTapeNodes(marks);
}

void SeriesTape::setRateOfSeries(const Series& integrated, const Series& rate) {
  nodes_[static_cast<std::size_t>(integrated.place_)].a = nodeIndexOfSeries(rate);
  isRecursive_ = true;
}

void SeriesTape::computeSeriesOrders(int first, int last) noexcept {
  first = std::max(1, first);
  if (!isRecursive_) return computeSeriesOfNodes(first, last);
  for (int k = first; k <= last; ++k) computeSeriesOfNodes(k, k);
}

void SeriesTape::computeSeriesOfNodes(int first, int last) noexcept {
  for (int place = 0; place < static_cast<int>(nodes_.size()); ++place)
    computeSeriesOfNode(place, first, last);
}

/// Computes a node; the first of a pair computes both, as they need each other at every order.
void SeriesTape::computeSeriesOfNode(int place, int first, int last) noexcept {
  const Node& node = nodes_[static_cast<std::size_t>(place)];
  if (node.operation == Operation::input || isCosineOfSineCosinePair(node.operation)) return;
  if (isSineOfSineCosinePair(node.operation)) return computeSineAndCosine(place, first, last);
  const int high = std::min(last, node.degree);
  for (int k = first; k <= high; ++k) coefficientsAt(place)[k] = computeCoefficient(node, place, k);
  for (int k = std::max(first, high + 1); k <= last; ++k) coefficientsAt(place)[k] = 0.0;
}

/// Recursion of a pair: sine' = u' cosine, cosine' = -u' sine (+ for hyperbolic functions).
void SeriesTape::computeSineAndCosine(int place, int first, int last) noexcept {
  const Node& node = nodes_[static_cast<std::size_t>(place)];
  const double* u = coefficientsAt(node.a);
  const int degree = nodes_[static_cast<std::size_t>(node.a)].degree;
  const double sign = node.operation == Operation::sine ? -1.0 : 1.0;
  double* s = coefficientsAt(place);
  double* c = coefficientsAt(place + 1);
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

}  // namespace ricochet
