#pragma once

#include "engine/functions/formula_program.hpp"

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace ricochet {

/// Text of an operation in a formula: "log", "+". Empty for operations that no text names.
std::string_view operatorText(FormulaOp op) noexcept;

/// Builds the postfix program of a formula operand by operand and simplifies the program meanwhile:
/// operations on constants are evaluated, and a constant operand is merged into its operation.
///
/// In a postfix program the last instruction of an operand is the operation that is executed last. An operand
/// whose last instruction is a constant is therefore that constant, and k constants at the end of the program
/// are the last k operands.
class FormulaBuilder {
 public:
  void appendConstant(double value, std::size_t offset);
  void appendVariable(int index, std::size_t offset);

  /// Index of the instruction at which the next operand begins.
  std::size_t nextInstruction() const noexcept { return program_.size(); }

  /// Appends an operation on one or on four operands; `offset` is the position of the operation in the text.
  void appendOperation(FormulaOp op, std::size_t offset);

  /// Appends an operation on two operands, the second of which begins at instruction `right`.
  void appendOperation(FormulaOp op, std::size_t right, std::size_t offset);

  /// Converts the last operand into a condition and returns the comparison that selects by this condition.
  FormulaOp convertOperandToCondition(std::size_t offset);

  /// Largest stack depth of the program. Throws FormulaError if the depth exceeds `limit`.
  std::size_t requiredStackDepth(std::size_t limit) const;

  std::vector<FormulaInstruction> releaseProgram() noexcept { return std::move(program_); }

 private:
  bool isConstant(std::size_t end) const noexcept;
  double removeConstant(std::size_t end);
  bool foldConstants(FormulaOp op, std::size_t operands, std::size_t offset);
  bool joinOperandsByOperation(FormulaOp op, std::size_t right, std::size_t offset);
  bool replacePower(double exponent, std::size_t offset);
  void appendInstruction(const FormulaInstruction& instruction, std::size_t offset);
  void truncateProgram(std::size_t size);

  std::vector<FormulaInstruction> program_;
  std::vector<std::size_t> offsets_;  // position of each instruction in the text
};

}  // namespace ricochet
