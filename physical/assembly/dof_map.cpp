#include "physical/assembly/dof_map.hpp"

#include "physical/model_error.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <utility>

namespace ricochet {
namespace {

using Row = std::map<int, double>;  // full dof index -> factor

/// Largest factor of a row, if possible of a tied dof (a dof given by relations alone): tied dofs have no
/// equation of motion, so that a relation must determine them.
Row::const_iterator selectPivotOfRelation(const Row& row, const std::vector<bool>& tied) {
  const auto rank = [&](const Row::value_type& term) {
    return std::pair(bool{tied[static_cast<std::size_t>(term.first)]}, std::abs(term.second));
  };
  return std::max_element(row.begin(), row.end(),
                          [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
}

/// row -= factor * other; terms that cancel up to rounding are removed.
void subtractMultipleOfRow(Row& row, double factor, const Row& other) {
  constexpr double kRounding = 1e-14;
  for (const auto& [dof, value] : other) {
    const double before = row[dof];
    const double after = before - factor * value;
    if (std::abs(after) <= kRounding * std::max(std::abs(before), std::abs(factor * value)))
      row.erase(dof);
    else
      row[dof] = after;
  }
}

/// Solves each relation for one dof (Gauss-Jordan, see `selectPivotOfRelation`): dof -> combination of other
/// dofs.
std::map<int, Row> solveRelations(std::vector<Row> rows, const std::vector<bool>& tied) {
  std::map<int, Row> solved;
  for (Row& row : rows) {
    // substitutes the dofs determined by earlier relations
    for (const auto& [dof, combination] : solved) {
      const auto found = row.find(dof);
      if (found == row.end()) continue;
      const double factor = found->second;
      row.erase(found);
      subtractMultipleOfRow(row, -factor, combination);
    }
    if (row.empty()) continue;  // redundant: follows from other relations
    const auto pivot = selectPivotOfRelation(row, tied);
    const int dof = pivot->first;
    const double factor = pivot->second;
    Row combination;
    for (const auto& [other, value] : row)
      if (other != dof) combination[other] = -value / factor;

    // substitutes the new dependent dof in the earlier solutions
    for (auto& [earlier, expression] : solved) {
      const auto found = expression.find(dof);
      if (found == expression.end()) continue;
      const double weight = found->second;
      expression.erase(found);
      subtractMultipleOfRow(expression, -weight, combination);
    }
    solved.emplace(dof, std::move(combination));
  }
  return solved;
}

using Present = std::vector<std::array<bool, kComponents>>;

/// The dofs that only relations give, to nodes without elements.
Present dofsGivenByRelations(const Present& present, const std::vector<LinearRelation>& relations) {
  Present tied(present.size());
  for (const LinearRelation& relation : relations)
    for (const LinearRelation::Term& term : relation.terms) {
      const auto node = static_cast<std::size_t>(term.dof.node.value);
      if (term.dof.node.value < 0 || node >= present.size()) continue;
      if (std::ranges::none_of(present[node], std::identity{}))
        tied[node][static_cast<std::size_t>(term.dof.component)] = true;
    }
  return tied;
}

}  // namespace

DofMap::DofMap(const std::vector<std::array<bool, kComponents>>& present, const std::vector<Dof>& fixed,
               const std::vector<LinearRelation>& relations) {
  index_.resize(present.size());
  const Present tied = dofsGivenByRelations(present, relations);
  for (std::size_t node = 0; node < present.size(); ++node)
    for (std::size_t c = 0; c < kComponents; ++c) {
      if (!present[node][c] && !tied[node][c]) continue;
      index_[node][c] = DofIndex{totalDofCount()};
      tied_.push_back(tied[node][c]);
      dofs_.push_back({NodeIndex{static_cast<int>(node)}, componentOfIndex(static_cast<int>(c))});
    }

  fixed_.assign(dofs_.size(), false);
  for (const Dof dof : fixed)
    if (const DofIndex i = find(dof); i.exists()) fixed_[static_cast<std::size_t>(i.value)] = true;

  std::vector<Row> rows;
  for (const LinearRelation& relation : relations) {
    Row row;
    for (const auto& [dof, factor] : relation.terms) {
      const DofIndex i = find(dof);
      if (!i.exists())
        throw ModelError("a relation names a degree of freedom that the node does not have", {dof});
      if (!isFixed(i)) row[i.value] += factor;  // a term on a fixed dof is zero
    }
    std::erase_if(row, [](const auto& term) { return term.second == 0.0; });
    rows.push_back(std::move(row));
  }
  const std::map<int, Row> dependent = solveRelations(std::move(rows), tied_);
  std::vector<Dof> loose;
  for (int i = 0; i < totalDofCount(); ++i)
    if (isGivenByRelation(DofIndex{i}) && !isFixed(DofIndex{i}) && !dependent.contains(i))
      loose.push_back(dof(DofIndex{i}));
  if (!loose.empty())
    throw ModelError("no element gives it, and the relations do not determine it", std::move(loose));

  std::vector<int> reduced(dofs_.size(), -1);
  for (int i = 0; i < totalDofCount(); ++i)
    if (!isFixed(DofIndex{i}) && !dependent.contains(i)) {
      reduced[static_cast<std::size_t>(i)] = independentDofCount();
      independent_.push_back(DofIndex{i});
    }

  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < totalDofCount(); ++i)
    if (reduced[static_cast<std::size_t>(i)] >= 0)
      entries.emplace_back(i, reduced[static_cast<std::size_t>(i)], 1.0);
  for (const auto& [dof, combination] : dependent)
    for (const auto& [other, factor] : combination)
      entries.emplace_back(dof, reduced[static_cast<std::size_t>(other)], factor);
  transformation_.resize(totalDofCount(), independentDofCount());
  transformation_.setFromTriplets(entries.begin(), entries.end());
}

DofIndex DofMap::find(Dof dof) const noexcept {
  if (dof.node.value < 0 || dof.node.value >= nodeCount()) return {};
  return index_[static_cast<std::size_t>(dof.node.value)][static_cast<std::size_t>(dof.component)];
}

}  // namespace ricochet
