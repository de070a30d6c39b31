#pragma once

#include "physical/assembly/linear_relation.hpp"
#include "physical/dof.hpp"
#include "physical/elements/any_element.hpp"
#include "physical/matrix_names.hpp"

#include <vector>

namespace ricochet {

struct MatrixBlock;

/// What the structure is made of: node positions [m], elements, fixed dofs and relations.
///
/// Its elements and matrices are declared only, so that a study can hold a structure without Eigen: they are
/// defined by elements.hpp and assembler.hpp, which those include who look inside.
struct Structure {
  std::vector<Vec3> positions;
  std::vector<NodeIndex> unplaced;  ///< of imported matrices: internal to elements, generalized coordinates
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
