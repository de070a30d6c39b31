#pragma once

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ricochet {

struct TableRequest {
  std::vector<std::string> quantities;  ///< histories, "gap(sole)"; of a batch, outputs (empty: all of them)
  std::optional<double> from, to;       ///< interval of the histories [s]
  std::size_t every{1};                 ///< every n-th archived instant is kept
};

/// The rows of a result as text.
class ResultTable {
 public:
  /// Reads the requested quantities. Throws PlotError for an unknown quantity, for quantities with different
  /// instants, and if no row remains.
  ResultTable(const std::filesystem::path& result, const TableRequest& request);

  /// Writes comma-separated values: names with units, then a row per archived instant, or per case.
  void writeCsv(std::FILE* out) const;

  std::size_t rowCount() const noexcept { return rows_; }

 private:
  struct Column {
    std::string head;
    std::vector<double> values;
    std::vector<std::string> words{};  ///< texts printed instead of the values, unless empty
  };

  std::vector<Column> columns_;
  std::size_t rows_{0};
};

}  // namespace ricochet
