#include "engine/event/series/mode_planes.hpp"

#include "physical/assembly/joined_sets.hpp"

#include <algorithm>
#include <functional>

namespace ricochet {
namespace {

/// Number of modes below which sorting into planes saves no time.
constexpr Eigen::Index kFewestModes = 40;
/// Largest share of the padded modes in one plane for which sorting saves time.
constexpr double kWorthwhile = 0.75;

/// All rows of the event scheme: rows of loads, then rows of contacts.
std::vector<const double*> rowsOfLoadsAndContacts(const ModalModel& model) {
  std::vector<const double*> rows;
  const Eigen::Index size = model.linear.omegaSquared.size();
  for (Eigen::Index i = 0; i < model.loads.termCount(); ++i) rows.push_back(model.loads.shapes() + i * size);
  for (int i = 0; i < model.contacts.size(); ++i)
    for (int axis = 0; axis < ContactSet::kAxes; ++axis)
      if (const double* row = model.contacts.row(i, axis); row != nullptr) rows.push_back(row);
  return rows;
}

}  // namespace

ModePlanes::ModePlanes(const ModalModel& model)
    : linear_(&model.linear), planes_{{0, model.linear.omegaSquared.size()}} {
  const LinearSystem& linear = model.linear;
  const bool coupled = linear.damping.has_value() || !linear.spinning.empty();
  if (linear.modes < kFewestModes || coupled || !model.loads.movingLoads().empty() ||
      !model.links.links().empty())
    return;
  groupModesByPlane(model, rowsOfLoadsAndContacts(model));
}

/// Finds the planes: sets of modes that rows connect. The largest set is the first plane; all other sets, and
/// modes in which all rows are zero, are the second plane.
void ModePlanes::groupModesByPlane(const ModalModel& model, std::span<const double* const> rows) {
  const auto modes = static_cast<std::size_t>(model.linear.modes);
  JoinedSets chains(modes);
  std::vector<char> seen(modes);
  for (const double* row : rows) {
    std::size_t first = modes;
    for (std::size_t j = 0; j < modes; ++j) {
      if (row[j] == 0.0) continue;
      seen[j] = 1;
      if (first == modes) first = j;
      chains.join(first, j);
    }
  }
  std::vector<std::size_t> roots, sizes(modes);
  for (std::size_t j = 0; j < modes; ++j)
    if (seen[j] != 0 && sizes[chains.lowestMemberOfSet(j)]++ == 0)
      roots.push_back(chains.lowestMemberOfSet(j));
  if (roots.size() < 2) return;
  std::ranges::sort(roots, std::greater<>(), [&](std::size_t root) { return sizes[root]; });
  std::vector<std::size_t> planeOfMode(modes), counts(std::min(kMost, roots.size()));
  for (std::size_t j = 0; j < modes; ++j) {
    const auto at = std::ranges::find(roots, chains.lowestMemberOfSet(j)) - roots.begin();
    planeOfMode[j] = std::min(counts.size() - 1, static_cast<std::size_t>(at));
    ++counts[planeOfMode[j]];
  }
  const double largest = static_cast<double>(paddedSize(static_cast<Eigen::Index>(std::ranges::max(counts))));
  if (largest > kWorthwhile * static_cast<double>(model.linear.omegaSquared.size())) return;
  sortModes(model, rows, planeOfMode);
}

void ModePlanes::sortModes(const ModalModel& model, std::span<const double* const> rows,
                           std::span<const std::size_t> planeOfMode) {
  planes_.assign(1 + std::ranges::max(planeOfMode), {});
  for (const std::size_t plane : planeOfMode) ++planes_[plane].size;
  std::vector<Eigen::Index> next;
  Eigen::Index size = 0;
  for (ModePlane& plane : planes_) {
    plane = {size, paddedSize(plane.size)};
    next.push_back(size);
    size += plane.size;
  }
  for (const std::size_t plane : planeOfMode) place_.push_back(next[plane]++);

  own_.modes = size;
  own_.omegaSquared = own_.dampingDiagonal = Vector::Zero(size);
  for (std::size_t j = 0; j < place_.size(); ++j) {
    own_.omegaSquared[place_[j]] = model.linear.omegaSquared[static_cast<Eigen::Index>(j)];
    own_.dampingDiagonal[place_[j]] = model.linear.dampingDiagonal[static_cast<Eigen::Index>(j)];
  }
  for (std::size_t plane = 0; plane < planes_.size(); ++plane)
    for (Eigen::Index at = next[plane]; at < planes_[plane].begin + planes_[plane].size; ++at) {
      own_.omegaSquared[at] = own_.omegaSquared[next[plane] - 1];
      own_.dampingDiagonal[at] = own_.dampingDiagonal[next[plane] - 1];
    }
  linear_ = &own_;

  // Rows of the first plane come before those of the second plane.
  std::vector<std::size_t> planeNumberOfRow;
  for (const double* row : rows) {
    const double* first = std::find_if(row, row + place_.size(), [](double each) { return each != 0.0; });
    const auto j = static_cast<std::size_t>(first - row);
    planeNumberOfRow.push_back(j < place_.size() ? planeOfMode[j] : 0);
  }
  rows_ = Matrix::Zero(size, static_cast<Eigen::Index>(rows.size()));
  Eigen::Index column = 0;
  for (std::size_t plane = 0; plane < planes_.size(); ++plane) {
    if (plane == 1) second_ = rows_.data() + column * size;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (planeNumberOfRow[r] != plane) continue;
      natural_.push_back(rows[r]);
      for (std::size_t j = 0; j < place_.size(); ++j) rows_(place_[j], column) = rows[r][j];
      ++column;
    }
  }
}

const double* ModePlanes::sortedRow(const double* natural) const noexcept {
  if (natural == nullptr || !isSorted()) return natural;
  return rows_.col(std::ranges::find(natural_, natural) - natural_.begin()).data();
}

std::size_t ModePlanes::planeNumberOfSortedRow(const double* row) const noexcept {
  const double* begin = row + planes_[1].begin;
  return std::any_of(begin, begin + planes_[1].size, [](double each) { return each != 0.0; }) ? 1 : 0;
}

void ModePlanes::sortModesOfState(const State& natural, State& sorted) const {
  if (!this->isSorted()) {
    sorted = natural;
    return;
  }
  sorted.time = natural.time;
  for (Vector* each : {&sorted.q, &sorted.v, &sorted.a}) each->setZero();  // removes values of an earlier run
  for (std::size_t j = 0; j < place_.size(); ++j) {
    const auto from = static_cast<Eigen::Index>(j);
    sorted.q[place_[j]] = natural.q[from];
    sorted.v[place_[j]] = natural.v[from];
    sorted.a[place_[j]] = natural.a[from];
  }
}

void ModePlanes::restoreModeOrder(const State& sorted, State& natural) const {
  if (!this->isSorted()) {
    natural = sorted;
    return;
  }
  natural.time = sorted.time;
  for (std::size_t j = 0; j < place_.size(); ++j) {
    const auto to = static_cast<Eigen::Index>(j);
    natural.q[to] = sorted.q[place_[j]];
    natural.v[to] = sorted.v[place_[j]];
    natural.a[to] = sorted.a[place_[j]];
  }
}

}  // namespace ricochet
