#include "modal/solvers/fill_ordering.hpp"

#include "physical/sparse.hpp"

#ifdef RICOCHET_WITH_METIS
#include <metis.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace ricochet {
namespace {

/// Row indices of the entries of a column, the diagonal included, increasing.
void findColumnPattern(const SparseMatrix& matrix, int column, std::vector<int>& rows) {
  rows.clear();
  for (SparseMatrix::InnerIterator entry(matrix, column); entry; ++entry)
    rows.push_back(static_cast<int>(entry.row()));
  const auto place = std::lower_bound(rows.begin(), rows.end(), column);
  if (place == rows.end() || *place != column) rows.insert(place, column);
}

#ifdef RICOCHET_WITH_METIS

/// Adjacency lists of the vertices, in the format of METIS.
struct Graph {
  std::vector<idx_t> start{0};
  std::vector<idx_t> neighbours;
  std::vector<idx_t> weights;  ///< number of rows per vertex
};

Graph buildAdjacencyGraph(const SparseMatrix& matrix, const std::vector<int>& vertex) {
  Graph graph;
  std::vector<int> rows;
  std::vector<bool> seen(vertex.size(), false);
  for (int column = 0; column < matrix.cols(); ++column) {
    const auto own = static_cast<std::size_t>(vertex[static_cast<std::size_t>(column)]);
    if (own < graph.weights.size()) {  // this row belongs to an existing vertex
      ++graph.weights[own];
      continue;
    }
    findColumnPattern(matrix, column, rows);
    const std::size_t first = graph.neighbours.size();
    for (const int row : rows) {
      const auto other = static_cast<std::size_t>(vertex[static_cast<std::size_t>(row)]);
      if (other == own || seen[other]) continue;
      seen[other] = true;
      graph.neighbours.push_back(static_cast<idx_t>(other));
    }
    for (std::size_t i = first; i < graph.neighbours.size(); ++i)
      seen[static_cast<std::size_t>(graph.neighbours[i])] = false;
    graph.start.push_back(static_cast<idx_t>(graph.neighbours.size()));
    graph.weights.push_back(1);
  }
  return graph;
}

#endif

}  // namespace

std::vector<int> groupRowsByPattern(const SparseMatrix& symmetric) {
  std::vector<int> vertex(static_cast<std::size_t>(symmetric.cols()));
  std::vector<int> firstRow;  // first row of each vertex
  std::unordered_multimap<std::uint64_t, int> vertexOfHash;
  std::vector<int> rows, others;
  for (int column = 0; column < symmetric.cols(); ++column) {
    findColumnPattern(symmetric, column, rows);
    std::uint64_t hash = rows.size();
    for (const int row : rows)  // hash: a sum of numbers with mixed bits (Fibonacci hashing)
      hash = (hash ^ static_cast<std::uint64_t>(row)) * 0x9E3779B97F4A7C15ULL;
    auto& own = vertex[static_cast<std::size_t>(column)];
    own = -1;
    const auto [begin, end] = vertexOfHash.equal_range(hash);
    for (auto same = begin; same != end && own < 0; ++same) {
      findColumnPattern(symmetric, firstRow[static_cast<std::size_t>(same->second)], others);
      if (others == rows) own = same->second;
    }
    if (own >= 0) continue;
    own = static_cast<int>(firstRow.size());
    firstRow.push_back(column);
    vertexOfHash.emplace(hash, own);
  }
  return vertex;
}

#ifdef RICOCHET_WITH_METIS

std::vector<int> nestedDissectionOrdering(const SparseMatrix& symmetric) {
  const std::vector<int> vertex = groupRowsByPattern(symmetric);
  Graph graph = buildAdjacencyGraph(symmetric, vertex);
  auto vertices = static_cast<idx_t>(graph.weights.size());
  std::vector<idx_t> order(graph.weights.size()), place(graph.weights.size());
  // A diagonal matrix has no neighbours: this avoids a null pointer.
  if (graph.neighbours.empty()) graph.neighbours.push_back(0);
  std::vector<idx_t> options(METIS_NOPTIONS);
  METIS_SetDefaultOptions(options.data());
  options[METIS_OPTION_SEED] = 1;
  // METIS uses the random numbers of the C library, which all threads share: concurrent calls would give
  // other orders.
  static std::mutex oneAtATime;
  const std::scoped_lock lock(oneAtATime);
  if (METIS_NodeND(&vertices, graph.start.data(), graph.neighbours.data(), graph.weights.data(),
                   options.data(), order.data(), place.data()) != METIS_OK)
    return {};
  std::vector<std::vector<int>> rowsOf(graph.weights.size());
  for (std::size_t row = 0; row < vertex.size(); ++row)
    rowsOf[static_cast<std::size_t>(vertex[row])].push_back(static_cast<int>(row));
  std::vector<int> rows;
  rows.reserve(vertex.size());
  for (const idx_t each : order)
    for (const int row : rowsOf[static_cast<std::size_t>(each)]) rows.push_back(row);
  return rows;
}

#else

std::vector<int> nestedDissectionOrdering(const SparseMatrix&) { return {}; }

#endif

}  // namespace ricochet
