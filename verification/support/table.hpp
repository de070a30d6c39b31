#pragma once

#include <cstddef>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace ricochet::test {

/// Rows of a file of verification/data: the words and the numbers of each.
struct TableRow {
  std::vector<std::string> words;
  std::vector<double> numbers;
};
inline std::vector<TableRow> readTable(const std::string& file, std::size_t words) {
  std::ifstream in(std::string(RICOCHET_DATA_DIR "/") + file);
  std::vector<TableRow> rows;
  bool named = false;
  for (std::string line; std::getline(in, line);) {
    if (line.empty() || line[0] == '#') continue;
    if (!named) {
      named = true;
      continue;
    }
    TableRow row;
    std::istringstream cells(line);
    for (std::string cell; std::getline(cells, cell, ',');)
      if (row.words.size() < words)
        row.words.push_back(cell);
      else
        row.numbers.push_back(std::stod(cell));
    rows.push_back(row);
  }
  return rows;
}

}  // namespace ricochet::test
