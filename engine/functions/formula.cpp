#include "engine/functions/formula.hpp"

#include "engine/functions/formula_builder.hpp"
#include "engine/numerics/dual_functions.hpp"
#include "engine/numerics/near_name.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>
#include <numbers>
#include <optional>

namespace ricochet {
namespace {

constexpr int kNesting = 100;  // largest nesting of parentheses, signs and powers in the text

constexpr std::array kFunctions{FormulaOp::sin,   FormulaOp::cos,  FormulaOp::tan,   FormulaOp::asin,
                                FormulaOp::acos,  FormulaOp::atan, FormulaOp::atan2, FormulaOp::sinh,
                                FormulaOp::cosh,  FormulaOp::tanh, FormulaOp::exp,   FormulaOp::log,
                                FormulaOp::log10, FormulaOp::sqrt, FormulaOp::abs,   FormulaOp::sign,
                                FormulaOp::power, FormulaOp::min,  FormulaOp::max};

/// Name of an operation as written in a deck; the operator ^ is named `pow`.
std::string_view functionName(FormulaOp op) { return op == FormulaOp::power ? "pow" : operatorText(op); }

std::optional<FormulaOp> functionNamed(std::string_view name) {
  const auto* const found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                         [name](FormulaOp op) { return functionName(op) == name; });
  return found == kFunctions.end() ? std::nullopt : std::optional(*found);
}

std::string joinedText(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return text;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }
bool canCharacterBeginName(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// Recursive-descent parser with one function per level of operator precedence. Each function appends the
/// program of the text that it has parsed to the program of the formula.
class FormulaParser {
 public:
  FormulaParser(std::string_view text, std::span<const std::string_view> variables)
      : text_(text), variables_(variables) {
    skipBlanks();
  }

  FormulaBuilder parse() {
    parseExpression();
    if (position_ < text_.size()) throwSyntaxError("an operator is needed here or the end");
    return std::move(builder_);
  }

 private:
  void enterNesting();
  void leaveNesting() { --nesting_; }

  void parseExpression();
  void parseSum();
  void parseProduct();
  void parseSignedFactor();
  void parsePower();
  void rejectMissingProductSign() const;
  void parsePrimary();
  void parseNumber();
  void parseName();
  void parseCall(FormulaOp op, std::size_t offset);
  void parseConditional(std::size_t offset);
  [[noreturn]] void throwUnknownName(std::string_view name, std::size_t offset) const;

  void skipBlanks() {
    while (position_ < text_.size() && isBlank(text_[position_])) ++position_;
  }
  char nextCharacter() const { return position_ < text_.size() ? text_[position_] : '\0'; }
  bool startsWithToken(std::string_view token) const { return text_.substr(position_).starts_with(token); }
  bool skipToken(std::string_view token) {
    if (!startsWithToken(token)) return false;
    position_ += token.size();
    skipBlanks();
    return true;
  }
  void requireToken(std::string_view token, std::string_view where) {
    if (!skipToken(token)) throwSyntaxError(joinedText({"\"", token, "\" is needed here ", where}));
  }
  std::size_t nameEnd() const {
    std::size_t end = position_;
    while (end < text_.size() && (canCharacterBeginName(text_[end]) || isDigit(text_[end]))) ++end;
    return end;
  }
  std::optional<FormulaOp> readComparison();
  std::string tokenText() const;
  [[noreturn]] void throwSyntaxError(std::string_view needed) const {
    throw FormulaError(position_, joinedText({needed, ", found ", tokenText()}));
  }

  std::string_view text_;
  std::span<const std::string_view> variables_;
  std::size_t position_{0};
  int nesting_{0};
  FormulaBuilder builder_;
};

/// Increments the nesting level and limits it, so that the text cannot exhaust the call stack.
void FormulaParser::enterNesting() {
  if (++nesting_ > kNesting) throw FormulaError(position_, "the formula nests too deeply; split it");
}

/// Token at the current position, for an error message: a whole name or number, or one character.
std::string FormulaParser::tokenText() const {
  if (position_ >= text_.size()) return "the end of the formula";
  std::size_t end = nameEnd();
  if (end == position_) {
    // A character of UTF-8 is never cut.
    const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
    for (++end; end < text_.size() && continues(text_[end]);) ++end;
  }
  return joinedText({"\"", text_.substr(position_, end - position_), "\""});
}

std::optional<FormulaOp> FormulaParser::readComparison() {
  using enum FormulaOp;
  for (const FormulaOp op : {ifAtMost, ifAtLeast, ifEqual, ifNotEqual, ifLess, ifGreater})
    if (skipToken(operatorText(op))) return op;
  if (nextCharacter() == '=') throwSyntaxError("an operator is needed here (equality is written ==)");
  return std::nullopt;
}

void FormulaParser::parseExpression() {
  enterNesting();
  parseSum();
  leaveNesting();
  const std::size_t offset = position_;
  const std::optional<FormulaOp> comparison = readComparison();
  if (!comparison) return;
  parseSum();
  const std::size_t end = position_;
  if (readComparison())
    throw FormulaError(end, "comparisons do not chain; write if(a < b, b < c, 0) for a < b < c");
  builder_.appendConstant(1.0, offset);
  builder_.appendConstant(0.0, offset);
  builder_.appendOperation(*comparison, offset);
}

void FormulaParser::parseSum() {
  parseProduct();
  while (nextCharacter() == '+' || nextCharacter() == '-') {
    const std::size_t offset = position_;
    const FormulaOp op = nextCharacter() == '+' ? FormulaOp::add : FormulaOp::subtract;
    skipToken(operatorText(op));
    const std::size_t right = builder_.nextInstruction();
    parseProduct();
    builder_.appendOperation(op, right, offset);
  }
}

void FormulaParser::parseProduct() {
  parseSignedFactor();
  while (nextCharacter() == '*' || nextCharacter() == '/') {
    const std::size_t offset = position_;
    if (startsWithToken("**")) throwSyntaxError("an operator is needed here (a power is written ^)");
    const FormulaOp op = nextCharacter() == '*' ? FormulaOp::multiply : FormulaOp::divide;
    skipToken(operatorText(op));
    const std::size_t right = builder_.nextInstruction();
    parseSignedFactor();
    builder_.appendOperation(op, right, offset);
  }
}

void FormulaParser::parseSignedFactor() {
  enterNesting();
  const std::size_t offset = position_;
  if (skipToken("-")) {
    parseSignedFactor();
    builder_.appendOperation(FormulaOp::negate, offset);
  } else if (skipToken("+")) {
    parseSignedFactor();
  } else {
    parsePower();
  }
  leaveNesting();
}

void FormulaParser::parsePower() {
  parsePrimary();
  const std::size_t offset = position_;
  rejectMissingProductSign();
  if (!skipToken("^")) return;
  const std::size_t right = builder_.nextInstruction();
  parseSignedFactor();
  builder_.appendOperation(FormulaOp::power, right, offset);
}

/// Reports a number, a known name or a parenthesis right after a factor, as in 10 t: an operator follows a
/// factor.
void FormulaParser::rejectMissingProductSign() const {
  const std::string_view next = text_.substr(position_, nameEnd() - position_);
  const bool beginsFactor = next.empty() ? nextCharacter() == '('
                                         : isDigit(next.front()) || Formula::isReservedWord(next) ||
                                               std::ranges::find(variables_, next) != variables_.end();
  if (beginsFactor) throwSyntaxError("an operator is needed here (a product is written *, as in 10*t)");
}

void FormulaParser::parsePrimary() {
  if (isDigit(nextCharacter()) || nextCharacter() == '.') return parseNumber();
  if (canCharacterBeginName(nextCharacter())) return parseName();
  if (!skipToken("(")) throwSyntaxError("a number, a variable, a function or \"(\" is needed here");
  parseExpression();
  requireToken(")", "to close a parenthesis");
}

void FormulaParser::parseNumber() {
  double value = 0.0;
  const char* const begin = text_.data() + position_;
  const auto read = std::from_chars(begin, text_.data() + text_.size(), value);
  if (read.ec == std::errc::invalid_argument) throwSyntaxError("a number needs a digit");
  const auto size = static_cast<std::size_t>(read.ptr - begin);
  if (read.ec == std::errc::result_out_of_range) {
    throw FormulaError(position_,
                       joinedText({text_.substr(position_, size), " is beyond the range of numbers"}));
  }
  constexpr double kLargest = 1e100;  // limit of all numbers of a deck
  if (value > kLargest)
    throw FormulaError(position_, joinedText({text_.substr(position_, size), " must be at most 1e100"}));
  builder_.appendConstant(value, position_);
  position_ += size;
  skipBlanks();
}

void FormulaParser::parseName() {
  const std::size_t offset = position_;
  const std::size_t end = nameEnd();
  const std::string_view name = text_.substr(offset, end - offset);
  const auto variable = std::find(variables_.begin(), variables_.end(), name);
  const std::optional<FormulaOp> function = functionNamed(name);
  if (variable == variables_.end() && !Formula::isReservedWord(name)) throwUnknownName(name, offset);
  position_ = end;
  skipBlanks();
  if (variable != variables_.end())
    return builder_.appendVariable(static_cast<int>(variable - variables_.begin()), offset);
  if (name == "pi") return builder_.appendConstant(std::numbers::pi, offset);
  requireToken("(", joinedText({"after ", name, ", which is a function"}));
  if (name == "if") return parseConditional(offset);
  parseCall(*function, offset);
}

void FormulaParser::parseCall(FormulaOp op, std::size_t offset) {
  const std::string_view name = functionName(op);
  parseExpression();
  if (operandCount(op) == 1) {
    requireToken(")", joinedText({"(", name, " takes 1 argument)"}));
    return builder_.appendOperation(op, offset);
  }
  const bool takesMore = op == FormulaOp::min || op == FormulaOp::max;
  const std::string takes = joinedText({"(", name, " takes 2 arguments", takesMore ? " or more)" : ")"});
  do {
    requireToken(",", takes);
    const std::size_t right = builder_.nextInstruction();
    parseExpression();
    builder_.appendOperation(op, right, offset);
  } while (takesMore && nextCharacter() == ',');
  requireToken(")", takes);
}

void FormulaParser::parseConditional(std::size_t offset) {
  constexpr std::string_view kTakes = "(if takes 3 arguments: a condition, the value if it holds, the other)";
  parseExpression();
  const FormulaOp op = builder_.convertOperandToCondition(offset);
  requireToken(",", kTakes);
  parseExpression();
  requireToken(",", kTakes);
  parseExpression();
  requireToken(")", kTakes);
  builder_.appendOperation(op, offset);
}

void FormulaParser::throwUnknownName(std::string_view name, std::size_t offset) const {
  std::vector<std::string_view> known(variables_.begin(), variables_.end());
  known.emplace_back("pi");
  for (const FormulaOp op : kFunctions) known.push_back(functionName(op));
  known.emplace_back("if");
  std::string text = joinedText({"no variable or function \"", name, "\"; "});
  if (const std::string nearest = nearestName(name, known); !nearest.empty()) {
    text += joinedText({"did you mean \"", nearest, "\"?"});
  } else {
    text += joinedText({"known are ", joinNames(known)});
  }
  throw FormulaError(offset, text);
}

}  // namespace

bool Formula::isReservedWord(std::string_view word) {
  return word == "pi" || word == "if" || functionNamed(word).has_value();
}

Formula Formula::parse(std::string_view text, std::span<const std::string_view> variables) {
  FormulaBuilder built = FormulaParser(text, variables).parse();
  Formula formula;
  formula.depth_ = built.requiredStackDepth(kDepth);
  formula.program_ = built.releaseProgram();
  formula.variables_ = variables.size();
  return formula;
}

double Formula::rateAt(std::span<const double> values, std::span<const double> rates) const {
  const Dual<1> time(0.0, 0);
  std::vector<Dual<1>> variables;
  for (std::size_t i = 0; i < values.size(); ++i)
    variables.push_back(Dual<1>::dualFromValueAndSlopes(values[i], rates[i], time));
  return evaluate(std::span<const Dual<1>>(variables)).slope(0);
}

double Formula::operator()(double t) const noexcept { return evaluate<double>(std::span(&t, 1)); }

bool Formula::isSmooth() const noexcept {
  return std::none_of(program_.begin(), program_.end(),
                      [](const FormulaInstruction& i) { return isBranching(i.op); });
}

bool Formula::containsVariable(std::size_t variable) const noexcept {
  return std::any_of(program_.begin(), program_.end(), [variable](const FormulaInstruction& i) {
    return i.op == FormulaOp::variable && static_cast<std::size_t>(i.integer) == variable;
  });
}

}  // namespace ricochet
