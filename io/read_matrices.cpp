// [[matrices]]: a model that another code has assembled.

#include "io/matrix_file.hpp"
#include "io/read_parts.hpp"
#include "physical/assembler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace ricochet {
namespace {

constexpr double kEntryRounding = 1e-9;  // of what is printed, over the largest entry

Located<std::filesystem::path> locatedFile(const ReadContext& context, const Section& section,
                                           std::string_view key) {
  return {context.dataFile(section.string(key, kRequired)), section.where(key), section.pathOf(key)};
}

/// A matrix, and the key and the file that it is of.
struct KeyedMatrix : ImportedMatrix {
  std::string_view key;
  Located<std::filesystem::path> file;
};

/// The matrix of a key; its rows are those of the others, in the order of the first.
std::optional<KeyedMatrix> readMatrix(ReadContext& context, const Section& section, std::string_view key) {
  const ProblemWatch watch(section);
  Located<std::filesystem::path> file = locatedFile(context, section, key);
  if (!watch.isClean()) return std::nullopt;
  std::optional<ImportedMatrix> matrix = readMatrixFile(file, section.diagnostics());
  if (!matrix) return std::nullopt;
  return KeyedMatrix{std::move(*matrix), key, std::move(file)};
}

SparseMatrix assembled(const ImportedMatrix& matrix, const std::vector<int>& places, int size) {
  std::vector<Eigen::Triplet<double>> entries = matrix.entries;
  if (!places.empty())
    for (auto& entry : entries)
      entry = {places[static_cast<std::size_t>(entry.row())], places[static_cast<std::size_t>(entry.col())],
               entry.value()};
  SparseMatrix made(size, size);
  made.setFromTriplets(entries.begin(), entries.end());
  return made;
}

void requireSymmetric(const Section& section, std::string_view key, SparseMatrix& matrix,
                      const std::vector<MatrixRow>& rows) {
  const SparseMatrix difference = matrix - SparseMatrix(matrix.transpose());
  double largest = 0.0, worst = 0.0;
  Eigen::Index row = 0, column = 0;
  for (Eigen::Index j = 0; j < matrix.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(matrix, j); it; ++it)
      largest = std::max(largest, std::abs(it.value()));
  for (Eigen::Index j = 0; j < difference.outerSize(); ++j)
    for (SparseMatrix::InnerIterator it(difference, j); it; ++it)
      if (std::abs(it.value()) > worst) {
        worst = std::abs(it.value());
        row = it.row();
        column = it.col();
      }
  const auto text = [&](Eigen::Index i) {
    const MatrixRow& r = rows[static_cast<std::size_t>(i)];
    return fmt::format("{} of node {}", name(r.component), r.node);
  };
  if (worst > kEntryRounding * largest)
    return section.problem(key, fmt::format("must be symmetric: the entries of {} and {} differ by {:.3g}",
                                            text(row), text(column), worst));
  matrix = SparseMatrix(0.5 * (matrix + SparseMatrix(matrix.transpose())));
}

/// No motion has a negative energy: not one dof by itself has, at least. The modes tell the rest.
void requirePositiveDiagonal(const Section& section, std::string_view key, const SparseMatrix& matrix,
                             const std::vector<MatrixRow>& rows) {
  const Vector diagonal = matrix.diagonal();
  Eigen::Index worst = 0;
  if (diagonal.size() > 0 && diagonal.minCoeff(&worst) < -kEntryRounding * diagonal.cwiseAbs().maxCoeff()) {
    const MatrixRow& row = rows[static_cast<std::size_t>(worst)];
    section.problem(key, fmt::format("must not be negative on the diagonal: {:.6g} for {} of node {}",
                                     diagonal[worst], name(row.component), row.node));
  }
}

/// Reads the matrices of one entry and brings them to one order of rows.
class MatrixModel {
 public:
  MatrixModel(ReadContext& context, const Section& section) : context_(context), section_(section) {}

  std::optional<MatrixBlock> read() {
    auto stiffness = readMatrix(context_, section_, "stiffness");
    auto mass = readMatrix(context_, section_, "mass");
    std::optional<KeyedMatrix> damping;
    if (section_.has("damping")) damping = readMatrix(context_, section_, "damping");
    const ProblemWatch watch(section_);
    if (section_.has("dofs")) readRows();
    if (section_.has("positions")) readPositions();
    if (!stiffness || !mass || !watch.isClean()) return std::nullopt;
    std::vector<const KeyedMatrix*> all{&*stiffness, &*mass};
    if (damping) all.push_back(&*damping);
    if (!haveOneSize(all) || !findRows(all)) return std::nullopt;

    MatrixBlock block;
    const int size = static_cast<int>(rows_.size());
    block.stiffness = assembled(*stiffness, placesOf(*stiffness), size);
    block.mass = assembled(*mass, placesOf(*mass), size);
    block.damping = damping ? assembled(*damping, placesOf(*damping), size) : SparseMatrix(size, size);
    requireSymmetric(section_, "stiffness", block.stiffness, rows_);
    requireSymmetric(section_, "mass", block.mass, rows_);
    requirePositiveDiagonal(section_, "stiffness", block.stiffness, rows_);
    requirePositiveDiagonal(section_, "mass", block.mass, rows_);
    if (!watch.isClean() || !declareNodes(block)) return std::nullopt;
    context_.study.matrixFiles.push_back({stiffness->file, mass->file});
    return block;
  }

 private:
  /// Rows that one of them lacks would count as zero.
  bool haveOneSize(const std::vector<const KeyedMatrix*>& all) {
    const KeyedMatrix* first = nullptr;
    for (const KeyedMatrix* matrix : all) {
      if (!matrix->tellsSize) continue;
      if (first == nullptr) first = matrix;
      if (matrix->size == first->size) continue;
      section_.problem(matrix->key, fmt::format("must have as many rows as `{}`: {} has {}, {} has {}",
                                                first->key, first->file.value.string(), first->size,
                                                matrix->file.value.string(), matrix->size));
      return false;
    }
    return true;
  }

  void readRows() {
    if (auto read = readDofTable(locatedFile(context_, section_, "dofs"), section_.diagnostics()))
      rows_ = std::move(*read);
  }
  void readPositions() {
    const auto read = readMeshNodes(locatedFile(context_, section_, "positions"), section_.diagnostics());
    if (!read) return;
    for (const MeshNode& node : *read) positions_.emplace(node.name, node.position);
  }

  /// The rows of a format that names dofs are those of all its files; others need the table.
  bool findRows(const std::vector<const KeyedMatrix*>& all) {
    for (const KeyedMatrix* matrix : all) {
      if (matrix->rows.empty()) {
        if (section_.has("dofs")) continue;
        section_.problem("`dofs` is missing: nothing says what the rows are");
        return false;
      }
      if (rows_.empty() && !section_.has("dofs")) named_ = true;
    }
    for (const KeyedMatrix* matrix : all) {
      for (const MatrixRow& row : matrix->rows) {
        if (!named_) continue;
        if (known_.try_emplace({row.node, row.component}, static_cast<int>(rows_.size())).second)
          rows_.push_back(row);
      }
    }
    if (!named_)
      for (std::size_t i = 0; i < rows_.size(); ++i)
        if (!known_.try_emplace({rows_[i].node, rows_[i].component}, static_cast<int>(i)).second) {
          section_.problem("dofs",
                           fmt::format("names {} of node {} twice", name(rows_[i].component), rows_[i].node));
          return false;
        }
    for (const KeyedMatrix* matrix : all)
      if (matrix->rows.empty() && (matrix->size > static_cast<int>(rows_.size()) ||
                                   (matrix->tellsSize && matrix->size < static_cast<int>(rows_.size())))) {
        section_.problem("dofs", fmt::format("must have as many rows as the matrices: {}, not {}",
                                             matrix->size, rows_.size()));
        return false;
      }
    return true;
  }

  /// Where each row of a matrix is among those of all; empty: where it stands.
  std::vector<int> placesOf(const ImportedMatrix& matrix) {
    std::vector<int> places;
    for (const MatrixRow& row : matrix.rows) {
      const auto found = known_.find({row.node, row.component});
      if (found == known_.end()) {
        section_.problem("dofs", fmt::format("does not name {} of node {}, which a matrix has",
                                             name(row.component), row.node));
        return {};
      }
      places.push_back(found->second);
    }
    return places;
  }

  std::optional<Vec3> positionOf(const MatrixRow& row) const {
    if (row.position) return row.position;
    const auto found = positions_.find(row.node);
    return found != positions_.end() ? std::optional(found->second) : std::nullopt;
  }

  bool declareNodes(MatrixBlock& block) {
    std::unordered_map<std::string, NodeIndex> made;
    for (const MatrixRow& row : rows_) {
      const auto known = made.find(row.node);
      if (known != made.end()) {
        block.dofs.push_back({known->second, row.component});
        continue;
      }
      std::optional<int> index = context_.nodes.find(row.node);
      if (!index) {
        const std::optional<Vec3> position = positionOf(row);
        if (!position) {
          section_.problem(
              fmt::format("nothing says where node {} is: give `positions`, or a [[nodes]] of "
                          "that name",
                          row.node));
          return false;
        }
        index = context_.nodes.declare({row.node, section_.where(), section_.path()}, section_.diagnostics());
        context_.study.nodes.push_back({row.node, section_.where()});
        context_.study.structure.positions.push_back(*position);
      }
      made.emplace(row.node, NodeIndex{*index});
      block.dofs.push_back({NodeIndex{*index}, row.component});
    }
    return true;
  }

  ReadContext& context_;
  const Section& section_;
  std::vector<MatrixRow> rows_;
  std::map<std::pair<std::string, Component>, int> known_;
  std::unordered_map<std::string, Vec3> positions_;
  bool named_{false};  // the files name their dofs
};

}  // namespace

void readMatrices(ReadContext& context) {
  for (const Section& section : context.root.sections("matrices")) {
    const ProblemWatch watch(section);
    if (auto block = MatrixModel(context, section).read())
      context.study.structure.matrices.push_back(std::move(*block));
    if (!watch.isClean()) context.nodes.markIncomplete();
  }
}

}  // namespace ricochet
