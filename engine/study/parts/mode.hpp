#pragma once

namespace ricochet {

/// Coordinates in which a study is integrated.
enum class Mode : unsigned char {
  modal,  ///< generalized coordinates of the modal basis
  direct  ///< physical dofs that have mass
};

}  // namespace ricochet
