#include "physical/elements/beam_forces.hpp"

namespace ricochet {

Eigen::Matrix<double, 12, 12> sectionForceMatrix(const Beam& beam) {
  Eigen::Matrix<double, 12, 12> made = Eigen::Matrix<double, 12, 12>::Zero();
  for (int i = 0; i < 4; ++i) made.block<3, 3>(3 * i, 3 * i) = i < 2 ? Mat3(-beam.axes) : beam.axes;
  return made;
}

}  // namespace ricochet
