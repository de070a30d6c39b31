#pragma once

namespace ricochet {

/// In which coordinates a study is integrated.
enum class Mode : unsigned char {
  modal,  ///< generalized coordinates of the basis
  direct  ///< the physical dofs with mass
};

}  // namespace ricochet
