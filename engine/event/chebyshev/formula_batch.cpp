#include "engine/event/chebyshev/formula_batch.hpp"

#include "engine/event/series/mode_kernel.hpp"
#include "engine/functions/formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace ricochet {
namespace {

enum class Wave : unsigned char { sine, cosine };

/// Sine or cosine of all values. The vectorised kernel takes arguments from 0 to kMostPhase, hence the sign
/// is applied afterwards, and larger arguments use the standard functions.
Instants sinesOrCosines(const Instants& a, Wave which) noexcept {
  alignas(64) std::array<double, Instants::kCount> size{}, sine{}, cosine{};
  double largest = 0.0;
  for (std::size_t i = 0; i < size.size(); ++i) {
    size[i] = std::abs(a.values()[i]);
    largest = std::max(largest, size[i]);
  }
  if (largest <= kernels::kMostPhase) {
    kernels::sinesAndCosines(size.data(), sine.data(), cosine.data(), static_cast<Eigen::Index>(size.size()));
    for (std::size_t i = 0; i < size.size(); ++i) sine[i] = std::signbit(a.values()[i]) ? -sine[i] : sine[i];
  } else {
    for (std::size_t i = 0; i < size.size(); ++i) {
      sine[i] = std::sin(a.values()[i]);
      cosine[i] = std::cos(a.values()[i]);
    }
  }
  return Instants(which == Wave::sine ? sine : cosine);
}

}  // namespace

Instants sin(const Instants& a) noexcept { return sinesOrCosines(a, Wave::sine); }
Instants cos(const Instants& a) noexcept { return sinesOrCosines(a, Wave::cosine); }

Instants formulaValuesAtInstants(const Formula& formula, const Instants& times) {
  return formula.evaluate<Instants>(std::span(&times, 1));
}

}  // namespace ricochet
