#pragma once

#include "engine/functions/formula_program.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

/// How an operation is written: "log", "+". Empty for those that no text names.
std::string_view spelling(FormulaOp op) noexcept;

/// Puts the postfix program of a formula together, operand by operand, and simplifies it on the way:
/// operations on constants are done at once, constant operands join their operation.
///
/// In a postfix program the last instruction of an operand is the operation that is done last. An operand
/// that ends in a constant is therefore that constant, and k constants at the end are the last k operands.
class FormulaBuilder {
 public:
  void constant(double value, std::size_t offset);
  void variable(int index, std::size_t offset);

  /// Where the next operand will begin.
  std::size_t here() const noexcept { return program_.size(); }

  /// An operation on one or on four operands; `offset` is its place in the text.
  void apply(FormulaOp op, std::size_t offset);

  /// An operation on two operands, the second of which begins at `right`.
  void apply(FormulaOp op, std::size_t right, std::size_t offset);

  /// Turns the last operand into a condition: the operation that chooses by it.
  FormulaOp condition(std::size_t offset);

  /// Most values that wait at a time. Throws FormulaError if they are more than `limit`.
  std::size_t depth(std::size_t limit) const;

  std::vector<FormulaInstruction> take() noexcept { return std::move(program_); }

 private:
  bool isConstant(std::size_t end) const noexcept;
  double removeConstant(std::size_t end);
  bool fold(FormulaOp op, std::size_t operands, std::size_t offset);
  bool join(FormulaOp op, std::size_t right, std::size_t offset);
  bool raise(double exponent, std::size_t offset);
  void push(const FormulaInstruction& instruction, std::size_t offset);
  void truncate(std::size_t size);

  std::vector<FormulaInstruction> program_;
  std::vector<std::size_t> offsets_;  // of each instruction, in the text
};

}  // namespace ricochet
