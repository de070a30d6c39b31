#include "engine/functions/formula_builder.hpp"

#include "engine/functions/formula.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace ricochet {
namespace {

constexpr int kMostFactors = 16;  // largest integer exponent for which a power becomes a product of factors

constexpr std::array<std::string_view, static_cast<std::size_t>(FormulaOp::ifNotEqual) + 1> kSpellings{
    "",     "",     "-",    "",      "",     "",    "",    "",      "",     "sin", "cos",  "tan", "asin",
    "acos", "atan", "sinh", "cosh",  "tanh", "exp", "log", "log10", "sqrt", "abs", "sign", "+",   "-",
    "*",    "/",    "^",    "atan2", "min",  "max", "<",   ">",     "<=",   ">=",  "==",   "!="};

std::string joinedText(double value) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
  return {buffer.data(), end.ptr};
}

/// Text of an operation on constants for an error message: "log(-1)", "2 ^ 5000".
std::string operationText(FormulaOp op, std::span<const FormulaInstruction> operands) {
  const std::string name{operatorText(op)};
  const std::string first = joinedText(operands.front().constant);
  if (operands.size() == 1) return name + "(" + first + ")";
  const std::string second = joinedText(operands[1].constant);
  if (op <= FormulaOp::power) return first + " " + name + " " + second;
  return name + "(" + first + ", " + second + ")";
}

}  // namespace

std::string_view operatorText(FormulaOp op) noexcept { return kSpellings[static_cast<std::size_t>(op)]; }

void FormulaBuilder::appendInstruction(const FormulaInstruction& instruction, std::size_t offset) {
  program_.push_back(instruction);
  offsets_.push_back(offset);
}

void FormulaBuilder::truncateProgram(std::size_t size) {
  program_.resize(size);
  offsets_.resize(size);
}

void FormulaBuilder::appendConstant(double value, std::size_t offset) {
  appendInstruction({FormulaOp::constant, 0, value}, offset);
}

void FormulaBuilder::appendVariable(int index, std::size_t offset) {
  appendInstruction({FormulaOp::variable, index, 0.0}, offset);
}

bool FormulaBuilder::isConstant(std::size_t end) const noexcept {
  return program_[end - 1].op == FormulaOp::constant;
}

double FormulaBuilder::removeConstant(std::size_t end) {
  const double value = program_[end - 1].constant;
  const auto at = static_cast<std::ptrdiff_t>(end) - 1;
  program_.erase(program_.begin() + at);
  offsets_.erase(offsets_.begin() + at);
  return value;
}

bool FormulaBuilder::foldConstants(FormulaOp op, std::size_t operands, std::size_t offset) {
  for (std::size_t i = 0; i < operands; ++i)
    if (!isConstant(program_.size() - i)) return false;
  const std::size_t begin = program_.size() - operands;
  appendInstruction({op, 0, 0.0}, offset);
  const std::span<const FormulaInstruction> part = std::span(program_).subspan(begin);
  const double value = formula_arithmetic::evaluateFormulaProgram<4, double>(part, {});
  if (!std::isfinite(value)) {
    if (op == FormulaOp::divide && part[1].constant == 0.0) throw FormulaError(offset, "division by zero");
    throw FormulaError(offset, operationText(op, part.first(operands)) + " has no finite value");
  }
  truncateProgram(begin);
  appendConstant(value, offset);
  return true;
}

void FormulaBuilder::appendOperation(FormulaOp op, std::size_t offset) {
  if (!foldConstants(op, operandCount(op), offset)) appendInstruction({op, 0, 0.0}, offset);
}

void FormulaBuilder::appendOperation(FormulaOp op, std::size_t right, std::size_t offset) {
  if (!foldConstants(op, 2, offset) && !joinOperandsByOperation(op, right, offset))
    appendInstruction({op, 0, 0.0}, offset);
}

bool FormulaBuilder::joinOperandsByOperation(FormulaOp op, std::size_t right, std::size_t offset) {
  if (op > FormulaOp::power) return false;
  const bool first = isConstant(right);
  const bool second = isConstant(program_.size());
  if (!first && !second) return false;
  if (op == FormulaOp::power) return second && replacePower(program_.back().constant, offset);

  const double value = removeConstant(first ? right : program_.size());
  switch (op) {
    case FormulaOp::add:
      appendInstruction({FormulaOp::addConstant, 0, value}, offset);
      return true;
    case FormulaOp::subtract:
      appendInstruction(first ? FormulaInstruction{FormulaOp::fromConstant, 0, value}
                              : FormulaInstruction{FormulaOp::addConstant, 0, -value},
                        offset);
      return true;
    case FormulaOp::multiply:
      appendInstruction({FormulaOp::scale, 0, value}, offset);
      return true;
    default:
      if (second && value == 0.0) throw FormulaError(offset, "division by zero");
      appendInstruction({first ? FormulaOp::constantOver : FormulaOp::overConstant, 0, value}, offset);
      return true;
  }
}

bool FormulaBuilder::replacePower(double exponent, std::size_t offset) {
  if (std::abs(exponent) == 0.5) {
    truncateProgram(program_.size() - 1);
    appendInstruction({FormulaOp::sqrt, 0, 0.0}, offset);
    if (exponent < 0.0) appendInstruction({FormulaOp::constantOver, 0, 1.0}, offset);
    return true;
  }
  if (exponent != std::floor(exponent) || std::abs(exponent) > kMostFactors) return false;
  truncateProgram(program_.size() - 1);
  appendInstruction({FormulaOp::integerPower, static_cast<int>(exponent), 0.0}, offset);
  return true;
}

FormulaOp FormulaBuilder::convertOperandToCondition(std::size_t offset) {
  // If the operand is a comparison already converted to 0 or 1, the conversion is removed, so that the
  // comparison selects directly.
  const std::size_t size = program_.size();
  if (program_.back().op >= FormulaOp::ifLess && isConstant(size - 1) && isConstant(size - 2) &&
      program_[size - 2].constant == 0.0 && program_[size - 3].constant == 1.0) {
    const FormulaOp op = program_.back().op;
    truncateProgram(size - 3);
    return op;
  }
  appendConstant(0.0, offset);
  return FormulaOp::ifNotEqual;
}

std::size_t FormulaBuilder::requiredStackDepth(std::size_t limit) const {
  std::size_t waiting = 0;
  std::size_t most = 0;
  for (std::size_t i = 0; i < program_.size(); ++i) {
    waiting += 1 - operandCount(program_[i].op);
    most = std::max(most, waiting);
    if (most > limit) throw FormulaError(offsets_[i], "the formula nests too deeply; split it");
  }
  return most;
}

}  // namespace ricochet
