#pragma once

#include <fmt/core.h>

#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet::cross {

/// A number in the syntax of a deck, with all its digits; a real number has a point or an exponent.
inline std::string numberText(double x) {
  std::string text = fmt::format("{}", x);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

/// Text of x with this number of digits; "0" for 0 digits.
inline double roundedTo(double x, int digits) {
  if (x == 0.0 || digits == 0) return 0.0;
  const double unit = std::pow(10.0, std::floor(std::log10(std::abs(x))) - digits + 1);
  const double rounded = std::round(x / unit) * unit;
  return std::stod(fmt::format("{:.{}g}", rounded, digits));
}

/// A value of a deck with every number x outside quotation marks replaced by change(x). Whole numbers stay
/// whole.
template <class Change>
std::string withChangedNumbers(std::string_view value, Change&& change) {
  std::string text;
  bool quoted = false;
  for (std::size_t i = 0; i < value.size();) {
    const char c = value[i];
    if (c == '"') quoted = !quoted;
    const bool afterWord =
        i > 0 && (std::isalnum(static_cast<unsigned char>(value[i - 1])) != 0 || value[i - 1] == '_');
    const bool begins = std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.';
    double x = 0.0;
    const char* begin = value.data() + i;
    const auto [end, error] = std::from_chars(begin, value.data() + value.size(), x);
    if (quoted || afterWord || !begins || error != std::errc{}) {
      text += c;
      ++i;
      continue;
    }
    const std::string_view old(begin, static_cast<std::size_t>(end - begin));
    const double y = change(x);
    if (y == x)
      text += old;
    else
      text += old.find_first_of(".e") == std::string_view::npos && y == std::round(y) ? fmt::format("{}", y)
                                                                                      : numberText(y);
    i += old.size();
  }
  return text;
}

/// The numbers of a value of a deck, in their order.
inline std::vector<double> numbersOfValue(std::string_view value) {
  std::vector<double> all;
  withChangedNumbers(value, [&](double x) {
    all.push_back(x);
    return x;
  });
  return all;
}

}  // namespace ricochet::cross
