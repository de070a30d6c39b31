// Reads [[matrices]]: a model that another code has assembled.

#include "io/deck/matrix_checks.hpp"
#include "io/deck/matrix_units.hpp"
#include "io/deck/read_parts.hpp"
#include "io/formats/dof_table.hpp"
#include "io/formats/matrix_file.hpp"
#include "io/text/text_lines.hpp"
#include "physical/assembly/assembler.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace ricochet {
namespace {

Located<std::filesystem::path> readLocatedFile(const ReadContext& context, const Section& section,
                                               std::string_view key) {
  return {context.pathOfDataFile(section.string(key, kRequired)), section.where(key), section.pathOf(key)};
}

/// A matrix with its key and file.
struct KeyedMatrix : ImportedMatrix {
  std::string_view key;
  Located<std::filesystem::path> file;
};

/// Reads the matrix of a key, with its rows in the order of the first matrix.
std::optional<KeyedMatrix> readMatrix(ReadContext& context, const Section& section, std::string_view key,
                                      const MatrixChoice& choice) {
  const ProblemWatch watch(section);
  Located<std::filesystem::path> file = readLocatedFile(context, section, key);
  if (!watch.isFreeOfProblems()) return std::nullopt;
  std::optional<ImportedMatrix> matrix = readMatrixFile(file, choice, section.diagnostics());
  if (!matrix) return std::nullopt;
  for (const std::filesystem::path& each : matrix->files) context.recordDataFile(each);
  return KeyedMatrix{std::move(*matrix), key, std::move(file)};
}

SparseMatrix assembledMatrix(const ImportedMatrix& matrix, const std::vector<int>& places, int size) {
  std::vector<Eigen::Triplet<double>> entries = matrix.entries;
  if (!places.empty())
    for (auto& entry : entries)
      entry = {places[static_cast<std::size_t>(entry.row())], places[static_cast<std::size_t>(entry.col())],
               entry.value()};
  SparseMatrix made(size, size);
  made.setFromTriplets(entries.begin(), entries.end());
  return made;
}

bool lacksNodePosition(const MatrixRow& row) {
  return row.place != RowPlace::atNode && row.place != RowPlace::nearNode;
}

/// Reads the matrices of one table and brings them to a common order of rows.
class MatrixModel {
 public:
  MatrixModel(ReadContext& context, const Section& section)
      : context_(context), section_(section), units_(section) {}

  std::optional<MatrixBlock> readMatrixModel() {
    const ProblemWatch watch(section_);
    auto stiffness = readMatrix(context_, section_, "stiffness", makeMatrixChoice("stiffness", 'K', true));
    auto mass = readMatrix(context_, section_, "mass", makeMatrixChoice("mass", 'M', true));
    std::optional<KeyedMatrix> damping;
    if (section_.hasKey("damping"))
      damping = readMatrix(context_, section_, "damping", makeMatrixChoice("damping", 'B', false));
    if (damping && damping->takenAsSymmetric) recordMirroredDamping(damping->file.value);
    if (section_.hasKey("dofs")) readMatrixRows();
    if (section_.hasKey("positions")) readPositions("positions");
    if (!stiffness || !mass || !watch.isFreeOfProblems()) return std::nullopt;
    requireTwoMatrices(*stiffness, *mass);
    std::vector<const KeyedMatrix*> all{&*stiffness, &*mass};
    if (damping) all.push_back(&*damping);
    if (!watch.isFreeOfProblems() || !haveMatricesSameSize(all) || !findDofsOfRows(all)) return std::nullopt;

    MatrixBlock block;
    const int size = static_cast<int>(rows_.size());
    block.stiffness = assembledMatrix(*stiffness, indicesOfRowsAmongCommonRows(*stiffness), size);
    block.mass = assembledMatrix(*mass, indicesOfRowsAmongCommonRows(*mass), size);
    block.damping = damping ? assembledMatrix(*damping, indicesOfRowsAmongCommonRows(*damping), size)
                            : SparseMatrix(size, size);
    block.rounding = std::max(stiffness->rounding, mass->rounding);
    requireSymmetric(section_, "stiffness", block.stiffness, stiffness->rounding, rows_);
    requireSymmetric(section_, "mass", block.mass, mass->rounding, rows_);
    requirePositiveDiagonal(section_, "stiffness", block.stiffness, rows_);
    requirePositiveDiagonal(section_, "mass", block.mass, rows_);
    if (!watch.isFreeOfProblems() || !declareNodes(block)) return std::nullopt;
    units_.convertBlockToSi(block);
    recordMassesWithoutPosition(block);
    recordMatrixFile("stiffness", stiffness->file, block.stiffnessFile);
    recordMatrixFile("mass", mass->file, block.massFile);
    return block;
  }

 private:
  /// Stores the file of a matrix and its place in the deck, for errors found later.
  void recordMatrixFile(std::string_view key, const Located<std::filesystem::path>& file, std::string& name) {
    name = file.value.string();
    context_.study.places.addPlaceOfPart(
        fmt::format("matrices[{}].{}", context_.study.structure.matrices.size(), key), file.where);
  }

  /// Notes that a damping matrix, which may be unsymmetric, is taken as symmetric: its lines hold one
  /// triangle.
  void recordMirroredDamping(const std::filesystem::path& file) {
    context_.defaults.push_back(
        {section_.pathOf("damping"),
         fmt::format("symmetric: the lines of {} hold one triangle, which is mirrored; if the matrix is not "
                     "symmetric, give (j, i) beside (i, j), be it 0, or a Matrix Market file",
                     file.filename().string()),
         "", true});
  }

  MatrixChoice makeMatrixChoice(std::string_view key, char initial, bool symmetric) const {
    MatrixChoice choice;
    choice.initial = initial;
    choice.symmetric = symmetric;
    if (const std::optional<Section> names = section_.section("names"))
      choice.name = names->string(key).value_or("");
    return choice;
  }

  /// Stiffness and mass must not be the same matrix of a file.
  void requireTwoMatrices(const KeyedMatrix& stiffness, const KeyedMatrix& mass) const {
    if (stiffness.name == mass.name && stiffness.file.value == mass.file.value)
      section_.problem("mass", fmt::format("is the matrix {}{}{}, which is the stiffness too", mass.name,
                                           mass.name.empty() ? "" : " of ", mass.file.value.string()));
  }

  /// True if all matrices have the same number of rows: missing rows would count as zero.
  bool haveMatricesSameSize(const std::vector<const KeyedMatrix*>& all) {
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

  void readMatrixRows() {
    if (isAbaqusInputFile(context_.pathOfDataFile(section_.string("dofs", kRequired)))) {
      dofsAreOfElements_ = true;
      if (!section_.hasKey("positions")) readPositions("dofs");
      return;
    }
    if (auto read = readDofTable(readLocatedFile(context_, section_, "dofs"), section_.diagnostics()))
      rows_ = std::move(*read);
  }

  void readPositions(std::string_view key) {
    auto read = readNodePositionFile(readLocatedFile(context_, section_, key), section_.diagnostics());
    if (!read) return;
    places_ = std::move(*read);
    if (places_.model)
      for (const std::filesystem::path& file : places_.model->files) context_.recordDataFile(file);
  }

  /// Finds the dofs of rows that are only numbered, from the elements of an .inp file or from a table.
  bool findDofsOfRows(const std::vector<const KeyedMatrix*>& all) {
    bool isCounted = false;
    int size = 0;
    for (const KeyedMatrix* matrix : all) {
      isCounted = isCounted || matrix->rows.empty();
      size = std::max(size, matrix->size);
    }
    const bool hasTable = section_.hasKey("dofs") && !dofsAreOfElements_;
    if (!hasTable && isCounted && !deriveMatrixRowsFromElements(size)) return false;
    if (!hasTable && !isCounted) {
      for (const KeyedMatrix* matrix : all)
        for (const MatrixRow& row : matrix->rows)
          if (known_.try_emplace({row.node, row.component}, static_cast<int>(rows_.size())).second)
            rows_.push_back(row);
      return true;
    }
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (!known_.try_emplace({rows_[i].node, rows_[i].component}, static_cast<int>(i)).second) {
        section_.problem("dofs", fmt::format("names {} of node {} twice", componentName(rows_[i].component),
                                             rows_[i].node));
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

  bool deriveMatrixRowsFromElements(int size) {
    std::string why = "nothing says what the rows are";
    if (places_.model)
      if (auto rows = matrixRowsOfElements(*places_.model, size, why)) {
        rows_ = std::move(*rows);
        return true;
      }
    section_.problem(
        fmt::format("`dofs` is missing: {}; give a table with the columns row, node, dof, x, y, z, "
                    "or CalculiX's .dof",
                    why));
    return false;
  }

  /// Index of each row of a matrix among the common rows; empty if the orders agree.
  std::vector<int> indicesOfRowsAmongCommonRows(const ImportedMatrix& matrix) {
    std::vector<int> places;
    for (const MatrixRow& row : matrix.rows) {
      const auto found = known_.find({row.node, row.component});
      if (found == known_.end()) {
        section_.problem("dofs", fmt::format("does not name {} of node {}, which a matrix has",
                                             componentName(row.component), row.node));
        return {};
      }
      places.push_back(found->second);
    }
    return places;
  }

  /// True if a node number is higher than all numbers with a position: CalculiX gives such numbers to
  /// internal nodes of elements.
  bool isBeyondListedNodes(const std::string& node) {
    if (!highest_) {
      highest_ = 0;
      for (const auto& [each, position] : places_.positions)
        highest_ = std::max(*highest_, parseInteger(each).value_or(0));
    }
    const std::optional<std::int64_t> number = parseInteger(node);
    return number && *highest_ > 0 && *number > *highest_ && places_.missing.empty();
  }

  /// Position of the node of a row. A node without a position: marks the row as unplaced and returns zero, or
  /// reports a problem and returns empty.
  std::optional<Vec3> positionOfMatrixRow(MatrixRow& row) {
    if (row.position) return row.position;
    if (lacksNodePosition(row)) return Vec3::Zero();
    const std::string& node = row.place == RowPlace::nearNode ? row.origin : row.node;
    const auto fail = [&](const std::string& why) {
      section_.problem(fmt::format("nothing says where node {} is: {}", node, why));
      return std::nullopt;
    };
    if (const auto unclear = places_.unclear.find(node); unclear != places_.unclear.end())
      return fail(
          fmt::format("{}, and nothing says which of them the matrices mean; write the model without "
                      "parts and instances, or give `positions` as a table",
                      unclear->second));
    const auto found = places_.positions.find(node);
    if (found != places_.positions.end()) return found->second;
    if (row.place == RowPlace::atNode && isBeyondListedNodes(node)) {
      row.place = section_.hasKey("dofs") ? RowPlace::insideElement : RowPlace::nowhere;
      return Vec3::Zero();
    }
    if (!places_.missing.empty()) return fail(places_.missing);
    return fail("give `positions`, or a [[nodes]] of that name");
  }

  /// Place that a file gives to a node, in units of the file, and the key that names the file.
  struct GivenPlace {
    std::string_view key;
    Vec3 position;
  };

  /// Places of the node of a row by the table of dofs and by `positions`; without those that are not exact.
  std::vector<GivenPlace> positionsOfRow(const MatrixRow& row) const {
    std::vector<GivenPlace> given;
    if (row.position) given.push_back({"dofs", *row.position});
    if (row.place != RowPlace::atNode) return given;
    const auto found = places_.positions.find(row.node);
    if (found != places_.positions.end())
      given.push_back({section_.hasKey("positions") ? "positions" : "dofs", found->second});
    return given;
  }

  /// Reports a problem if the files and the deck put the node of a row at different places. Where none of
  /// them gives a place there is nothing to contradict.
  bool hasConsistentPosition(const MatrixRow& row, NodeIndex node) const {
    if (context_.inexact.contains(node.value)) return true;
    constexpr double kRounding = 1e-9;
    const Vec3& known = context_.study.structure.positions[static_cast<std::size_t>(node.value)];
    for (const GivenPlace& given : positionsOfRow(row)) {
      const Vec3 place = units_.lengthUnit() * given.position;
      if ((place - known).norm() <= kRounding * std::max(place.norm(), known.norm())) continue;
      const auto text = [](const Vec3& at) { return fmt::format("({}, {}, {})", at[0], at[1], at[2]); };
      const SourceLocation where = context_.study.places.locationOfPart(fmt::format("node[{}]", node.value));
      const bool isOwn = where.line == section_.where().line;
      section_.problem(
          given.key,
          fmt::format("puts node {} at two places: {}{} and {} m; give it one place, or "
                      "two names",
                      row.node, text(known),
                      isOwn ? "" : fmt::format(" m by line {} of the deck", where.line), text(place)));
      return false;
    }
    return true;
  }

  bool declareNodes(MatrixBlock& block) {
    for (MatrixRow& row : rows_) {
      std::optional<int> index = context_.nodes.find(row.node);
      if (!index) {
        const std::optional<Vec3> position = positionOfMatrixRow(row);
        if (!position) return false;
        index =
            context_.nodes.declareName({row.node, section_.where(), section_.path()}, section_.diagnostics());
        context_.addNode(row.node, section_.where());
        context_.study.structure.positions.push_back(units_.lengthUnit() * *position);
        recordPosition(row, NodeIndex{*index});
      }
      if (!hasConsistentPosition(row, NodeIndex{*index})) return false;
      block.dofs.push_back({NodeIndex{*index}, row.component});
    }
    return true;
  }

  void recordPosition(const MatrixRow& row, NodeIndex node) {
    if (lacksNodePosition(row)) {
      context_.study.structure.unplaced.push_back(node);
      context_.inexact[node.value] = fmt::format(
          "node {} has no place: it is internal to elements, or a "
          "generalized coordinate",
          row.node);
    } else if (row.place == RowPlace::nearNode) {
      const std::string why = fmt::format(
          "node {} was expanded into several, {}#1 and so on around it, and no file says which of "
          "them is where",
          row.origin, row.origin);
      context_.inexact[node.value] = why;
      context_.unclear.emplace(row.origin, why + "; take solid elements where the model is touched");
    }
  }

  /// Notes that the motion of a mass without position cannot be derived from the frame's motion.
  void recordMassesWithoutPosition(const MatrixBlock& block) {
    for (Eigen::Index j = 0; j < block.mass.outerSize(); ++j) {
      const MatrixRow& row = rows_[static_cast<std::size_t>(j)];
      if (row.place == RowPlace::atNode || row.place == RowPlace::generalized) continue;
      for (SparseMatrix::InnerIterator it(block.mass, j); it; ++it) {
        if (it.value() == 0.0) continue;
        std::string& why = row.place == RowPlace::nowhere ? context_.inertiaNowhere : context_.inertiaNearby;
        if (why.empty())
          why = fmt::format("node {} of [[matrices]] has mass, and nothing says {}", row.node,
                            row.place == RowPlace::nowhere ? "how it moves as the frame does"
                                                           : "where it is: the frame cannot turn");
        break;
      }
    }
  }

  ReadContext& context_;
  const Section& section_;
  MatrixUnits units_;
  std::vector<MatrixRow> rows_;
  std::map<std::pair<std::string, Component>, int> known_;
  NodePlaces places_;
  std::optional<std::int64_t> highest_;  // highest number of a node with a position
  bool dofsAreOfElements_{false};        // the dofs come from the elements of an .inp file
};

}  // namespace

void readMatrices(ReadContext& context) {
  for (const Section& section : context.root.sections("matrices")) {
    const ProblemWatch watch(section);
    if (auto block = MatrixModel(context, section).readMatrixModel())
      context.study.structure.matrices.push_back(std::move(*block));
    if (!watch.isFreeOfProblems()) context.nodes.markNamesAsIncomplete();
  }
}

}  // namespace ricochet
