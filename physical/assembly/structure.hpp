#pragma once

#include "physical/assembly/linear_relation.hpp"
#include "physical/dof.hpp"
#include "physical/elements/any_element.hpp"
#include "physical/matrix_names.hpp"

#include <vector>

namespace ricochet {

struct MatrixBlock;

/// Data of the structure: node positions [m], elements, fixed dofs and relations.
///
/// Elements and matrices are only declared here, so that a study can hold a structure without Eigen;
/// elements.hpp and assembler.hpp define them.
struct Structure {
  std::vector<Vec3> positions;
  /// Nodes of imported matrices without a position: internal to elements, or generalized coordinates.
  std::vector<NodeIndex> unplaced;
  std::vector<AnyElement> elements;
  std::vector<MatrixBlock> matrices;
  std::vector<Dof> fixed;
  std::vector<LinearRelation> relations;

  Structure();
  Structure(const Structure&);
  Structure(Structure&&) noexcept;
  Structure& operator=(const Structure&);
  Structure& operator=(Structure&&) noexcept;
  ~Structure();
};

}  // namespace ricochet
