#pragma once

#include <cmath>
#include <type_traits>

namespace ricochet {

/// Functions of the scalar type in which a law is written once for several arithmetics: `double` (one run), a
/// pack of doubles (lanes of a batch), a dual number or a truncated power series (the event scheme). A new
/// arithmetic that compares lane by lane specialises MaskOf, and overloads `select`, `any` and `sqrt` beside
/// its type.
template <class Real>
struct MaskOf {
  using Type = bool;
};
template <class Real>
using Mask = typename MaskOf<Real>::Type;

/// Type of the plain parameters of a law in an arithmetic `Real`, such as a time step: `double`, or one
/// double per lane.
template <class Real>
struct ConstantOf {
  using Type = double;
};
template <class Real>
using Constant = typename ConstantOf<Real>::Type;

inline double select(bool condition, double yes, double no) noexcept { return condition ? yes : no; }
inline bool select(bool condition, bool yes, bool no) noexcept { return condition ? yes : no; }

/// True if a condition holds in at least one lane; work that no lane needs may be skipped.
inline bool any(bool condition) noexcept { return condition; }

/// Selection by a constant of a law: one selection for all lanes, unless the constants differ by lane.
template <class Condition, class Real>
Real selectByCondition(const Condition& condition, const Real& yes, const Real& no) noexcept {
  if constexpr (std::is_same_v<Condition, bool>)
    return condition ? yes : no;
  else
    return select(condition, yes, no);
}

using std::pow;
using std::sqrt;

/// Number that comparisons use: the value at the start of a series, the value of a dual number.
inline double valueOf(double x) noexcept { return x; }
template <class Real>
auto valueOf(const Real& x) noexcept -> decltype(x.value()) {
  return x.value();
}

/// A vector of the tangent plane, along the second and third axes of the contact frame.
template <class Real>
struct Tangential {
  Real first{};
  Real second{};

  friend Tangential operator+(const Tangential& a, const Tangential& b) noexcept {
    return {a.first + b.first, a.second + b.second};
  }
  friend Tangential operator-(const Tangential& a, const Tangential& b) noexcept {
    return {a.first - b.first, a.second - b.second};
  }
  friend Real dot(const Tangential& a, const Tangential& b) noexcept {
    return a.first * b.first + a.second * b.second;
  }
};

inline double length(const Tangential<double>& a) noexcept { return std::hypot(a.first, a.second); }

/// Converts a vector of constants to an arithmetic with derivatives or series coefficients.
template <class Real>
Tangential<Real> convertToConstants(const Tangential<double>& a) noexcept {
  return {a.first, a.second};
}

template <class Factor, class Real>
Tangential<Real> scaled(const Factor& factor, const Tangential<Real>& a) noexcept {
  return {factor * a.first, factor * a.second};
}

template <class Real>
Tangential<Real> select(const Mask<Real>& condition, const Tangential<Real>& yes,
                        const Tangential<Real>& no) noexcept {
  return {select(condition, yes.first, no.first), select(condition, yes.second, no.second)};
}

/// Unit vector t / |t|, given |t|^2. A pack of lanes overloads this function to keep the bits of `double`.
template <class Real>
Tangential<Real> unitVector(const Tangential<Real>& t, const Real& square) noexcept {
  return scaled(Real(1.0) / sqrt(square), t);
}

/// Unit vector without root and division, and exact, if t has one nonzero component.
inline Tangential<double> unitVector(const Tangential<double>& t, double square) noexcept {
  if (t.second == 0.0) return {std::copysign(1.0, t.first), 0.0};
  if (t.first == 0.0) return {0.0, std::copysign(1.0, t.second)};
  return scaled(1.0 / std::sqrt(square), t);
}

}  // namespace ricochet
