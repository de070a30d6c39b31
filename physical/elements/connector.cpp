#include "physical/elements/connector.hpp"

#include <utility>

namespace ricochet {

Connector Connector::connectorFromDiagonal(std::vector<NodeIndex> nodes, const Vector& coefficients) {
  const Eigen::Index n = coefficients.size();
  const ElementMatrix d = coefficients.asDiagonal().toDenseMatrix();
  Connector c{std::move(nodes), d, Mat3::Identity()};
  if (c.nodes.size() == 2) {
    c.matrix.resize(2 * n, 2 * n);
    c.matrix << d, -d, -d, d;
  }
  return c;
}

ElementMatrix Connector::rotateToGlobalAxes() const {
  ElementMatrix rotation = ElementMatrix::Zero(matrix.rows(), matrix.rows());
  for (Eigen::Index i = 0; i < matrix.rows(); i += 3) rotation.block<3, 3>(i, i) = axes;
  return rotation.transpose() * matrix * rotation;
}

}  // namespace ricochet
