#include "io/deck/output_expression.hpp"

#include "io/toml/read_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

namespace ricochet {
namespace {

constexpr std::array<std::string_view, 9> kChannelNames{"displacement",  "velocity",     "acceleration",
                                                        "gap",           "normal_force", "tangential_force",
                                                        "slip_velocity", "link_force",   "link_displacement"};
constexpr std::array<std::string_view, 13> kTermNames{
    "max",         "min",        "mean",        "rms",     "peak_to_peak",    "at",
    "last",        "event_time", "event_count", "impulse", "friction_energy", "wear_power",
    "energy_error"};
constexpr std::string_view kReductions = "max, min, mean, rms, peak_to_peak, last or at(..., t)";

template <std::size_t N>
std::optional<std::size_t> indexIn(const std::array<std::string_view, N>& names, std::string_view written) {
  const auto found = std::find(names.begin(), names.end(), written);
  if (found == names.end()) return std::nullopt;
  return static_cast<std::size_t>(found - names.begin());
}

bool isWord(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool isBlank(char c) { return c == ' ' || c == '\t' || c == '\n'; }

/// Part of a text and its place there.
struct Piece {
  std::string_view text;
  std::size_t offset;
};

Piece trimmed(Piece piece) {
  while (!piece.text.empty() && isBlank(piece.text.front())) {
    piece.text.remove_prefix(1);
    ++piece.offset;
  }
  while (!piece.text.empty() && isBlank(piece.text.back())) piece.text.remove_suffix(1);
  return piece;
}

/// A function, its place, and what stands between its parentheses.
struct Call {
  Piece name;
  std::vector<Piece> arguments;
  std::size_t end;  // one past the closing parenthesis
};

/// The call whose name begins at `offset`; nothing if a word stands there without parentheses.
std::optional<Call> callAt(std::string_view text, std::size_t offset) {
  std::size_t i = offset;
  while (i < text.size() && isWord(text[i])) ++i;
  Call call{{text.substr(offset, i - offset), offset}, {}, 0};
  while (i < text.size() && isBlank(text[i])) ++i;
  if (i == text.size() || text[i] != '(') return std::nullopt;
  const std::size_t open = i;
  std::size_t begin = ++i;
  bool quoted = false;
  for (int depth = 1; i < text.size(); ++i) {
    if (text[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth > 1 || (depth == 1 && text[i] != ',')) continue;
    call.arguments.push_back(trimmed({text.substr(begin, i - begin), begin}));
    begin = i + 1;
    if (depth > 0) continue;
    if (call.arguments.size() == 1 && call.arguments[0].text.empty()) call.arguments.clear();
    call.end = i + 1;
    return call;
  }
  throw FormulaError(open, "this parenthesis is not closed");
}

/// Puts the name of a variable where a call stood, and blanks up to its end: places stay what they were.
void replace(std::string& text, const Call& call, const std::string& variable) {
  const std::size_t length = call.end - call.name.offset;
  text.replace(call.name.offset, length, variable + std::string(length - variable.size(), ' '));
}

void requireArguments(const Call& call, std::size_t least, std::size_t most, std::string_view what) {
  const std::size_t given = call.arguments.size();
  if (given >= least && given <= most) return;
  throw FormulaError(call.name.offset, fmt::format("{} takes {}, got {} argument{}", call.name.text, what,
                                                   given, given == 1 ? "" : "s"));
}

int indexOf(const Piece& written, const std::vector<std::string>& names, std::string_view kind) {
  std::string_view name = written.text;
  if (name.size() > 1 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw FormulaError(written.offset, unknownName(kind, name, names));
  return static_cast<int>(found - names.begin());
}

int nodeIn(const Piece& written, const ExpressionNames& names) {
  if (const auto other = names.otherNodes.find(written.text); other != names.otherNodes.end())
    return other->second;
  return indexOf(written, names.nodes, "node");
}

int smallInteger(const Piece& written, int least, int most, std::string_view what) {
  int value = 0;
  for (const char c : written.text)
    value =
        std::isdigit(static_cast<unsigned char>(c)) != 0 && value < 100000000 ? 10 * value + (c - '0') : -1;
  if (written.text.empty() || value < least || value > most)
    throw FormulaError(written.offset, fmt::format("{}, got {}", what, written.text));
  return value;
}

OutputChannel channelOf(const Call& call, OutputChannel::Kind kind, const ExpressionNames& names) {
  OutputChannel channel;
  channel.kind = kind;
  if (channel.isKinematic()) {
    requireArguments(call, 2, 2, "a node and a dof");
    channel.dof.node = NodeIndex{nodeIn(call.arguments[0], names)};
    const auto dof = indexIn(kComponentNames, call.arguments[1].text);
    if (!dof)
      throw FormulaError(
          call.arguments[1].offset,
          fmt::format("must be one of {}, got {}", joinNames(kComponentNames), call.arguments[1].text));
    channel.dof.component = componentAt(static_cast<int>(*dof));
    if (names.hasDof && !names.hasDof(channel.dof))
      throw FormulaError(call.arguments[1].offset,
                         fmt::format("node {} has no {}: no element gives it one", call.arguments[0].text,
                                     call.arguments[1].text));
    return channel;
  }
  if (channel.isOfLink()) {
    requireArguments(call, 1, 2, "a link, and 1 or 2");
    channel.contact = indexOf(call.arguments[0], names.links, "link");
    if (call.arguments.size() > 1)
      channel.component = smallInteger(call.arguments[1], 1, 2, "must be axis 1 or 2");
    return channel;
  }
  const bool isVector =
      kind == OutputChannel::Kind::tangentialForce || kind == OutputChannel::Kind::slipVelocity;
  requireArguments(call, 1, isVector ? 2 : 1, isVector ? "a contact, and 1 or 2" : "a contact");
  channel.contact = indexOf(call.arguments[0], names.contacts, "contact");
  if (call.arguments.size() > 1)
    channel.component = smallInteger(call.arguments[1], 1, 2, "must be tangent 1 or 2");
  return channel;
}

/// A formula whose calls of certain functions are variables; `take` makes a variable of a call, or leaves it.
template <class Take>
Formula parseAround(std::string_view text, std::string_view prefix, Take&& take) {
  std::string rest(text);
  std::vector<std::string> variables;
  for (std::size_t i = 0; i < text.size();) {
    if (!isWord(text[i])) {
      ++i;
      continue;
    }
    std::size_t end = i;
    while (end < text.size() && (isWord(text[end]) || text[end] == '.')) ++end;
    const bool isName = std::isdigit(static_cast<unsigned char>(text[i])) == 0;
    const std::optional<Call> call = isName ? callAt(text, i) : std::nullopt;
    if (call && take(*call)) {
      variables.push_back(fmt::format("{}{}", prefix, variables.size()));
      replace(rest, *call, variables.back());
      end = call->end;
    }
    i = end;
  }
  const std::vector<std::string_view> views(variables.begin(), variables.end());
  return Formula::parse(rest, views);
}

HistoryExpression historyIn(const Piece& piece, const ExpressionNames& names) {
  std::vector<OutputChannel> channels;
  try {
    Formula formula = parseAround(piece.text, "h", [&](const Call& call) {
      const auto kind = indexIn(kChannelNames, call.name.text);
      if (!kind) return false;
      channels.push_back(channelOf(call, static_cast<OutputChannel::Kind>(*kind), names));
      return true;
    });
    if (channels.empty())
      throw FormulaError(0, fmt::format("names no history: one of {}", joinNames(kChannelNames)));
    return {std::string(piece.text), std::move(formula), std::move(channels)};
  } catch (const FormulaError& error) {
    throw FormulaError(piece.offset + error.offset(), error.what());
  }
}

double constantIn(const Piece& piece) {
  try {
    return Formula::parse(piece.text, {})(0.0);
  } catch (const FormulaError& error) {
    throw FormulaError(piece.offset + error.offset(), error.what());
  }
}

/// The number of an argument `name = number`; false where it is none.
bool takeNamed(const Piece& piece, std::string_view name, std::optional<double>& value) {
  Piece rest = trimmed(piece);
  if (!rest.text.starts_with(name)) return false;
  rest = trimmed({rest.text.substr(name.size()), rest.offset + name.size()});
  if (!rest.text.starts_with('=') || rest.text.starts_with("==")) return false;
  value = constantIn(trimmed({rest.text.substr(1), rest.offset + 1}));
  return true;
}

/// A history summed up over the run, or from and to instants of it. Nothing where `max` and `min` are of
/// numbers.
std::optional<OutputTerm> statisticTerm(Call call, OutputTerm::Kind kind, const ExpressionNames& names) {
  OutputTerm term;
  term.kind = kind;
  while (call.arguments.size() > 1 && (takeNamed(call.arguments.back(), "from", term.from) ||
                                       takeNamed(call.arguments.back(), "to", term.to)))
    call.arguments.pop_back();
  const bool isOfNumbers = kind == OutputTerm::Kind::max || kind == OutputTerm::Kind::min;
  if (isOfNumbers && call.arguments.size() != 1) return std::nullopt;
  requireArguments(call, 1, 1, "a history, and perhaps from = and to =");
  if (term.from && term.to && !(*term.to > *term.from))
    throw FormulaError(call.name.offset,
                       fmt::format("`to`, {} s, must be after `from`, {} s", *term.to, *term.from));
  term.history = historyIn(call.arguments[0], names);
  return term;
}

OutputTerm eventTerm(const Call& call, OutputTerm::Kind kind, const ExpressionNames& names) {
  OutputTerm term;
  term.kind = kind;
  const bool isTime = kind == OutputTerm::Kind::eventTime;
  requireArguments(
      call, 2, isTime ? 3 : 2,
      isTime ? "a contact, a kind of event and its number (1)" : "a contact and a kind of event");
  std::vector<std::string> bodies = names.contacts;
  bodies.insert(bodies.end(), names.links.begin(), names.links.end());
  term.contact = indexOf(call.arguments[0], bodies, names.links.empty() ? "contact" : "contact or link");
  const auto event = indexIn(kEventNames, call.arguments[1].text);
  if (!event)
    throw FormulaError(call.arguments[1].offset, fmt::format("must be one of {}, got {}",
                                                             joinNames(kEventNames), call.arguments[1].text));
  term.event = static_cast<EventKind>(*event);
  constexpr int kMost = 100000000;
  if (call.arguments.size() > 2)
    term.index = smallInteger(call.arguments[2], 1, kMost, "must be the number of an event, from 1");
  return term;
}

/// What a call stands for; nothing for those of the formula language (max of two numbers, sqrt).
std::optional<OutputTerm> termOf(const Call& call, const ExpressionNames& names) {
  const auto which = indexIn(kTermNames, call.name.text);
  if (!which) return std::nullopt;
  OutputTerm term;
  term.kind = static_cast<OutputTerm::Kind>(*which);
  switch (term.kind) {
    case OutputTerm::Kind::max:
    case OutputTerm::Kind::min:
    case OutputTerm::Kind::mean:
    case OutputTerm::Kind::rms:
    case OutputTerm::Kind::peakToPeak:
      return statisticTerm(call, term.kind, names);
    case OutputTerm::Kind::last:
      requireArguments(call, 1, 1, "a history");
      term.history = historyIn(call.arguments[0], names);
      break;
    case OutputTerm::Kind::at:
      requireArguments(call, 2, 2, "a history and an instant");
      term.history = historyIn(call.arguments[0], names);
      term.time = constantIn(call.arguments[1]);
      break;
    case OutputTerm::Kind::eventTime:
    case OutputTerm::Kind::eventCount:
      return eventTerm(call, term.kind, names);
    case OutputTerm::Kind::impulse:
    case OutputTerm::Kind::frictionEnergy:
    case OutputTerm::Kind::wearPower:
      requireArguments(call, 1, 1, "a contact");
      term.contact = indexOf(call.arguments[0], names.contacts, "contact");
      break;
    case OutputTerm::Kind::energyError:
      requireArguments(call, 0, 0, "nothing");
      break;
  }
  return term;
}

}  // namespace

/// Whether a formula is its first variable, or the absolute value of it.
FormulaShape shapeOf(const Formula& formula) {
  const auto program = formula.program();
  if (program.empty() || program[0].op != FormulaOp::variable) return FormulaShape::other;
  if (program.size() == 1) return FormulaShape::variable;
  return program.size() == 2 && program[1].op == FormulaOp::abs ? FormulaShape::absolute
                                                                : FormulaShape::other;
}

OutputExpression parseOutput(std::string_view text, const ExpressionNames& names) {
  std::vector<OutputTerm> terms;
  Formula formula = parseAround(text, "s", [&](const Call& call) {
    if (indexIn(kChannelNames, call.name.text))
      throw FormulaError(call.name.offset,
                         fmt::format("is a history, not a number: reduce it with {}", kReductions));
    std::optional<OutputTerm> term = termOf(call, names);
    if (!term) return false;
    terms.push_back(std::move(*term));
    return true;
  });
  if (terms.empty()) throw FormulaError(0, "names nothing of the run: it is the same for every case");
  return {std::move(formula), std::move(terms)};
}

HistoryExpression parseHistory(std::string_view text, const ExpressionNames& names) {
  return historyIn(trimmed({text, 0}), names);
}

}  // namespace ricochet
