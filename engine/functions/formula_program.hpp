#pragma once

#include "engine/numerics/real.hpp"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numbers>
#include <span>

namespace ricochet {

/// Operation of an instruction on the values on top of the stack, grouped by the number of operands.
enum class FormulaOp : std::uint8_t {
  // Operations without operand: a value is pushed onto the stack.
  constant,
  variable,
  // Operations on one operand x; c is the constant of the instruction, n its integer.
  negate,
  addConstant,   // result x + c
  fromConstant,  // result c - x
  scale,         // result c x
  overConstant,  // result x / c
  constantOver,  // result c / x
  integerPower,  // result x^n
  sin,
  cos,
  tan,
  asin,
  acos,
  atan,
  sinh,
  cosh,
  tanh,
  exp,
  log,
  log10,
  sqrt,
  abs,
  sign,
  // Operations on two operands.
  add,
  subtract,
  multiply,
  divide,
  power,
  atan2,
  min,
  max,
  // Operations on four operands: two compared values, the value if true, the value if false.
  ifLess,
  ifGreater,
  ifAtMost,
  ifAtLeast,
  ifEqual,
  ifNotEqual,
};

constexpr std::size_t operandCount(FormulaOp op) noexcept {
  if (op <= FormulaOp::variable) return 0;
  if (op <= FormulaOp::sign) return 1;
  return op <= FormulaOp::max ? 2 : 4;
}

/// True if the operation selects between values, so that its result may have kinks or jumps.
constexpr bool isBranching(FormulaOp op) noexcept {
  return op == FormulaOp::abs || op == FormulaOp::sign || op == FormulaOp::min || op == FormulaOp::max ||
         op >= FormulaOp::ifLess;
}

struct FormulaInstruction {
  FormulaOp op{FormulaOp::constant};
  int integer{0};  ///< index of a variable, or exponent of an integer power
  double constant{0.0};
};

/// Operations of a formula over any arithmetic of real.hpp whose type has the elementary functions. Every
/// branch is a comparison and a `select`, so that an arithmetic can record the compared difference.
namespace formula_arithmetic {

/// Computes x^n by repeated multiplication, without a logarithm, so that x may be zero or negative.
template <class Real>
Real integerPower(const Real& x, int n) {
  if (n == 0) return Real(1.0);
  const auto count = static_cast<unsigned>(n < 0 ? -n : n);
  unsigned bit = 1;
  while (2 * bit <= count) bit *= 2;
  Real product = x;
  while (bit /= 2, bit > 0) {
    product = product * product;
    if ((count & bit) != 0) product = product * x;
  }
  return n < 0 ? 1.0 / product : product;
}

template <class Real>
Real log10(const Real& x) {
  using std::log;
  return log(x) / std::numbers::ln10;
}
inline double log10(double x) { return std::log10(x); }

template <class Real>
Real applyFunction(FormulaOp op, const Real& x) {
  using std::sin, std::cos, std::tan, std::asin, std::acos, std::atan;
  using std::sinh, std::cosh, std::tanh, std::exp, std::log, std::sqrt;
  switch (op) {
    case FormulaOp::sin:
      return sin(x);
    case FormulaOp::cos:
      return cos(x);
    case FormulaOp::tan:
      return tan(x);
    case FormulaOp::asin:
      return asin(x);
    case FormulaOp::acos:
      return acos(x);
    case FormulaOp::atan:
      return atan(x);
    case FormulaOp::sinh:
      return sinh(x);
    case FormulaOp::cosh:
      return cosh(x);
    case FormulaOp::tanh:
      return tanh(x);
    case FormulaOp::exp:
      return exp(x);
    case FormulaOp::log:
      return log(x);
    case FormulaOp::log10:
      return formula_arithmetic::log10(x);
    case FormulaOp::sqrt:
      return sqrt(x);
    case FormulaOp::abs:
      return select(x < Real(0.0), -x, x);
    case FormulaOp::sign:
      return select(x > Real(0.0), Real(1.0), select(x < Real(0.0), Real(-1.0), Real(0.0)));
    default:
      return x;
  }
}

template <class Real>
Real resultOfUnaryOperation(const FormulaInstruction& instruction, const Real& x) {
  switch (instruction.op) {
    case FormulaOp::negate:
      return -x;
    case FormulaOp::addConstant:
      return x + instruction.constant;
    case FormulaOp::fromConstant:
      return instruction.constant - x;
    case FormulaOp::scale:
      return instruction.constant * x;
    case FormulaOp::overConstant:
      return x / instruction.constant;
    case FormulaOp::constantOver:
      return instruction.constant / x;
    case FormulaOp::integerPower:
      return integerPower(x, instruction.integer);
    default:
      return applyFunction(instruction.op, x);
  }
}

template <class Real>
Real resultOfBinaryOperation(FormulaOp op, const Real& a, const Real& b) {
  using std::atan2, std::pow;
  switch (op) {
    case FormulaOp::add:
      return a + b;
    case FormulaOp::subtract:
      return a - b;
    case FormulaOp::multiply:
      return a * b;
    case FormulaOp::divide:
      return a / b;
    case FormulaOp::power:
      return pow(a, b);
    case FormulaOp::atan2:
      return atan2(a, b);
    case FormulaOp::min:
      return select(b < a, b, a);
    default:
      return select(a < b, b, a);
  }
}

template <class Real>
Mask<Real> isComparisonTrue(FormulaOp op, const Real& a, const Real& b) {
  switch (op) {
    case FormulaOp::ifLess:
      return a < b;
    case FormulaOp::ifGreater:
      return a > b;
    case FormulaOp::ifAtMost:
      return a <= b;
    case FormulaOp::ifAtLeast:
      return a >= b;
    case FormulaOp::ifEqual:
      return a == b;
    default:
      return a != b;
  }
}

/// Runs a program whose stack depth never exceeds `depth`.
template <std::size_t depth, class Real>
Real evaluateFormulaProgram(std::span<const FormulaInstruction> program, std::span<const Real> variables) {
  std::array<Real, depth> stack{};
  std::size_t size = 0;
  for (const FormulaInstruction& instruction : program) {
    size -= operandCount(instruction.op);
    Real* top = stack.data() + size;
    ++size;
    switch (operandCount(instruction.op)) {
      case 0:
        *top = instruction.op == FormulaOp::constant
                   ? Real(instruction.constant)
                   : variables[static_cast<std::size_t>(instruction.integer)];
        break;
      case 1:
        *top = resultOfUnaryOperation(instruction, top[0]);
        break;
      case 2:
        *top = resultOfBinaryOperation(instruction.op, top[0], top[1]);
        break;
      default:
        *top = select(isComparisonTrue(instruction.op, top[0], top[1]), top[2], top[3]);
    }
  }
  return stack[0];
}

}  // namespace formula_arithmetic

}  // namespace ricochet
