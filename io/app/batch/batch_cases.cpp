#include "io/deck/batch_request.hpp"

#include <cmath>
#include <numeric>
#include <random>

namespace ricochet {
namespace {

/// Uniform random number in [0, 1) with 53 random bits. The standard library's generators give the same
/// numbers on every platform; its distributions do not.
double uniformRandom(std::mt19937_64& generator) {
  constexpr double kUnit = 1.0 / 9007199254740992.0;  // 2^-53
  return static_cast<double>(generator() >> 11) * kUnit;
}

/// Uniform random integer below `bound`, without bias: draws that exceed the last whole multiple of `bound`
/// are repeated.
std::size_t uniformRandomIntegerBelow(std::size_t bound, std::mt19937_64& generator) {
  const std::uint64_t most = ~std::uint64_t{0} - ~std::uint64_t{0} % bound;
  std::uint64_t draw = generator();
  while (draw >= most) draw = generator();
  return static_cast<std::size_t>(draw % bound);
}

double parameterValueBetween(const BatchParameter& parameter, double part) {
  if (parameter.logarithmic) return parameter.from * std::exp(part * std::log(parameter.to / parameter.from));
  return parameter.from + part * (parameter.to - parameter.from);
}

/// Values of a latin hypercube. Source: M.D. McKay, R.J. Beckman, W.J. Conover, Technometrics 21 (1979)
/// 239-245.
std::vector<double> latinHypercubeSamples(const BatchRequest& request) {
  const std::size_t count = request.samples;
  const std::size_t width = request.parameters.size();
  std::vector<double> values(count * width);
  std::mt19937_64 generator(request.seed);
  std::vector<std::size_t> strata(count);
  for (std::size_t p = 0; p < width; ++p) {
    std::iota(strata.begin(), strata.end(), std::size_t{0});
    for (std::size_t i = count; i > 1; --i)
      std::swap(strata[i - 1], strata[uniformRandomIntegerBelow(i, generator)]);
    for (std::size_t i = 0; i < count; ++i)
      values[i * width + p] = parameterValueBetween(
          request.parameters[p],
          (static_cast<double>(strata[i]) + uniformRandom(generator)) / static_cast<double>(count));
  }
  return values;
}

std::vector<double> parameterValuesOfGrid(const BatchRequest& request) {
  const std::size_t width = request.parameters.size();
  std::vector<double> values(request.caseCount() * width);
  for (std::size_t i = 0; i < request.caseCount(); ++i) {
    std::size_t rest = i;
    for (std::size_t p = width; p-- > 0;) {
      const std::vector<double>& levels = request.parameters[p].levels;
      values[i * width + p] = levels[rest % levels.size()];
      rest /= levels.size();
    }
  }
  return values;
}

}  // namespace

std::size_t BatchRequest::caseCount() const {
  if (method == Method::latinHypercube) return samples;
  if (method == Method::table) return parameters.empty() ? 0 : table.size() / parameters.size();
  std::size_t count = 1;
  for (const BatchParameter& each : parameters) count *= each.levels.size();
  return count;
}

std::vector<double> parameterValuesOfCases(const BatchRequest& request) {
  if (request.method == BatchRequest::Method::grid) return parameterValuesOfGrid(request);
  return request.method == BatchRequest::Method::table ? request.table : latinHypercubeSamples(request);
}

}  // namespace ricochet
