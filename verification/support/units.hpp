#pragma once

#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace ricochet::test {

/// A system of units, given by the values of a metre, a kilogram and a second in this system.
struct Units {
  double length{1.0};
  double mass{1.0};
  double time{1.0};

  double velocity() const { return length / time; }
  double force() const { return mass * length / (time * time); }
  double stiffness() const { return mass / (time * time); }
  double energy() const { return force() * length; }

  /// Value of one SI unit in this system. A unit is a product of factors with blanks between them, "/" before
  /// divisors, "^" and a number or the name of the exponent of the law: "N s/m", "N/m^n", "N (s/m)^alpha".
  /// Throws std::invalid_argument for an invalid unit.
  double of(std::string_view unit, std::optional<double> exponent = {}) const;
};

namespace detail {

class UnitReader {
 public:
  UnitReader(std::string_view text, const Units& units, std::optional<double> exponent)
      : text_(text), units_(units), exponent_(exponent) {}

  /// Reads a product up to the end, or up to a closing parenthesis.
  double product() {
    double value = 1.0;
    bool divides = false;
    while (skipBlanks(), at_ < text_.size() && text_[at_] != ')') {
      if (text_[at_] == '/') {
        divides = true;
        ++at_;
        continue;
      }
      const double factor = power();
      value = divides ? value / factor : value * factor;
      divides = false;
    }
    return value;
  }
  bool atEnd() const { return at_ == text_.size(); }

 private:
  void skipBlanks() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  double power() {
    const double base = factor();
    if (at_ >= text_.size() || text_[at_] != '^') return base;
    ++at_;
    if (std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '-') {
      char* end = nullptr;
      const std::string rest(text_.substr(at_));
      const double number = std::strtod(rest.c_str(), &end);
      at_ += static_cast<std::size_t>(end - rest.c_str());
      return std::pow(base, number);
    }
    name();
    if (!exponent_) fail("its exponent has no field");
    return std::pow(base, *exponent_);
  }
  double factor() {
    if (text_[at_] == '(') {
      ++at_;
      const double inside = product();
      if (atEnd()) fail("a parenthesis is open");
      ++at_;
      return inside;
    }
    if (text_[at_] == '1' || text_[at_] == '-') {
      ++at_;
      return 1.0;
    }
    const std::string symbol = name();
    if (symbol == "m") return units_.length;
    if (symbol == "kg") return units_.mass;
    if (symbol == "s") return units_.time;
    if (symbol == "N") return units_.force();
    if (symbol == "J") return units_.energy();
    if (symbol == "W") return units_.energy() / units_.time;
    if (symbol == "Hz") return 1.0 / units_.time;
    if (symbol == "rad" || symbol == "deg") return 1.0;
    return fail("no unit \"" + symbol + "\"");
  }
  std::string name() {
    const std::size_t from = at_;
    while (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
    if (at_ == from) fail("a name is missing");
    return std::string(text_.substr(from, at_ - from));
  }
  [[noreturn]] double fail(const std::string& why) const {
    throw std::invalid_argument("unit \"" + std::string(text_) + "\": " + why);
  }

  std::string_view text_;
  const Units& units_;
  std::optional<double> exponent_;
  std::size_t at_{0};
};

}  // namespace detail

inline double Units::of(std::string_view unit, std::optional<double> exponent) const {
  detail::UnitReader reader(unit, *this, exponent);
  const double value = reader.product();
  if (!reader.atEnd())
    throw std::invalid_argument("unit \"" + std::string(unit) + "\": too many parentheses");
  return value;
}

}  // namespace ricochet::test
