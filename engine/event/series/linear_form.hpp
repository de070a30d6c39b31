#pragma once

#include "engine/contact/laws/friction_law.hpp"
#include "engine/contact/laws/normal_law.hpp"

#include <cassert>

namespace ricochet {

/// A linear form of the motion and the inputs of a contact. A piecewise-linear law that is evaluated in this
/// arithmetic gives its coefficients, so that the event scheme needs no second implementation of the law.
///
///     constant + position x + rate x' + input u + reaction r
///
/// Normal laws: x is the gap, u the imposed force. Friction laws: x is the tangential position, u the
/// compression; `inputRate` multiplies u'. A product of two quantities that both vary is not a linear form.
struct LinearForm {
  double constant{0.0};
  double position{0.0};
  double rate{0.0};
  double input{0.0};
  double inputRate{0.0};
  double reaction{0.0};

  LinearForm() = default;
  LinearForm(double value) : constant(value) {}  // NOLINT: numbers mix with forms as they do with doubles

  bool isConstant() const noexcept {
    return position == 0.0 && rate == 0.0 && input == 0.0 && inputRate == 0.0 && reaction == 0.0;
  }

  friend LinearForm linearCombination(double a, const LinearForm& x, double b, const LinearForm& y) noexcept {
    LinearForm form(a * x.constant + b * y.constant);
    form.position = a * x.position + b * y.position;
    form.rate = a * x.rate + b * y.rate;
    form.input = a * x.input + b * y.input;
    form.inputRate = a * x.inputRate + b * y.inputRate;
    form.reaction = a * x.reaction + b * y.reaction;
    return form;
  }
  friend LinearForm operator+(const LinearForm& x, const LinearForm& y) noexcept {
    return linearCombination(1.0, x, 1.0, y);
  }
  friend LinearForm operator-(const LinearForm& x, const LinearForm& y) noexcept {
    return linearCombination(1.0, x, -1.0, y);
  }
  friend LinearForm operator-(const LinearForm& x) noexcept { return linearCombination(-1.0, x, 0.0, x); }
  friend LinearForm operator*(const LinearForm& x, const LinearForm& y) noexcept {
    assert(x.isConstant() || y.isConstant());
    return x.isConstant() ? linearCombination(x.constant, y, 0.0, y)
                          : linearCombination(y.constant, x, 0.0, x);
  }
};

inline Tangential<LinearForm> constantLinearForm(const Tangential<double>& t) noexcept {
  return {t.first, t.second};
}

/// Gap x, gap rate x' and imposed force u of a normal law as linear forms.
inline NormalKinematics<LinearForm> normalKinematicsAsLinearForms() noexcept {
  NormalKinematics<LinearForm> k;
  k.gap.position = 1.0;
  k.gapRate.rate = 1.0;
  k.imposed.input = 1.0;
  k.reaction.reaction = 1.0;
  return k;
}

/// Position, rate and inputs of a friction law for a motion along the unit vector `along` through `origin`.
inline FrictionKinematics<LinearForm> frictionKinematicsAsLinearForms(
    const Tangential<double>& along, const Tangential<double>& origin) noexcept {
  LinearForm x, rate, reaction;
  x.position = 1.0;
  rate.rate = 1.0;
  reaction.reaction = 1.0;
  FrictionKinematics<LinearForm> k;
  k.position = constantLinearForm(origin) + Tangential<LinearForm>{along.first * x, along.second * x};
  k.slipRate = {along.first * rate, along.second * rate};
  k.compression.input = 1.0;
  k.compressionRate.inputRate = 1.0;
  k.reaction = {along.first * reaction, along.second * reaction};
  return k;
}

inline FrictionMemory<LinearForm> constantLinearForms(const FrictionMemory<double>& memory) noexcept {
  return {.anchorForce = constantLinearForm(memory.anchorForce),
          .anchorPosition = constantLinearForm(memory.anchorPosition),
          .direction = constantLinearForm(memory.direction),
          .slipping = memory.slipping,
          .onStaticCone = memory.onStaticCone};
}

}  // namespace ricochet
