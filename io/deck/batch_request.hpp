#pragma once

#include "io/deck/batch_output.hpp"
#include "io/text/input_error.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace ricochet {

/// A number of the deck that varies, and its values.
struct BatchParameter {
  std::string path;
  SourceLocation where;
  std::vector<double> levels;  ///< levels of a grid
  int count{0};                ///< number of levels
  double from{0.0}, to{0.0};   ///< interval of the levels, or of the strata of a latin hypercube
  bool logarithmic{false};
  std::string column;  ///< column of a table that gives the values
  std::string unit{};  ///< "m"; empty: none, or not known
};

/// Request of the table `[batch]` of a deck.
struct BatchRequest {
  enum class Method : unsigned char {
    grid,  ///< every combination of levels; the last parameter varies fastest
    /// `samples` cases; the range of each parameter has as many equal strata, and each stratum has one case.
    latinHypercube,
    table  ///< rows of a file
  };
  Method method{Method::grid};
  std::size_t samples{0};
  std::uint64_t seed{1};
  std::vector<BatchParameter> parameters;
  std::vector<double> table;  ///< values of a table: cases x parameters
  std::filesystem::path tableFile{};
  std::vector<BatchOutput> outputs;
  std::vector<BatchHistory> histories;
  SourceLocation where;

  std::size_t caseCount() const;
};

/// Values of all cases, cases x parameters, case by case. Equal requests give equal values on every machine.
std::vector<double> parameterValuesOfCases(const BatchRequest& request);

}  // namespace ricochet
