#pragma once

#include "io/quantities/table/expression.hpp"

#include <string>

namespace ricochet {

/// An output of a batch and its name.
struct BatchOutput {
  std::string name;
  std::string text;
  OutputExpression expression;
};

/// A history of a batch and its name.
struct BatchHistory {
  std::string name;
  std::string text;
  HistoryExpression expression;
};

}  // namespace ricochet
