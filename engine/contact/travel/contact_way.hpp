#pragma once

#include "engine/functions/time_function.hpp"
#include "physical/types.hpp"

#include <memory>
#include <vector>

namespace ricochet {

/// A chain of N beam elements along which a contact travels. The place x = position(t) [m] on the chain moves
/// along e1 of the contact by
///
///     u(x) = sum_j sigma^j c_ej q,   sigma = (x - x_e)/(x_e+1 - x_e),   j = 0..3
///
/// in the element e that contains x: the interpolation functions of a beam are cubics, and the form is that
/// of MovingLoad. Beyond both ends the surface is at rest. Travelling at the speed x', the contact sees u
/// change by x' du/dx beside the motion of the beam itself, as on a slope.
class ContactTravelPath {
 public:
  static constexpr int kTerms = 4;  ///< number of coefficients of the cubic in an element of the chain

  /// `borders`: positions of the ends of the elements, increasing, N + 1 values [m]. `shapes`: coordinates x
  /// 4 N, column 4 e + j is c_ej. `own`: row of the first node of the contact along e1.
  ContactTravelPath(TimeFunction position, std::vector<double> borders, const SparseMatrix& shapes,
                    Eigen::RowVectorXd own);

  /// Chain of length 1 m on which a contact rests: its row is the row `own` of the first node everywhere.
  static ContactTravelPath makePathOfContactAtRest(Eigen::RowVectorXd own);

  const TimeFunction& position() const noexcept { return position_; }
  double length() const noexcept { return borders_.back(); }
  Eigen::Index generalizedCoordinateCount() const noexcept { return own_.size(); }

  /// Row b of the local coordinate x1 = offset + b q at t, and its rate b': x1' = b q' + b' q. Both have
  /// `generalizedCoordinateCount()` entries.
  void computeNormalRowAndItsRateAtTime(double t, double* row, double* rate) const noexcept;

  /// Row b of the local coordinate x1 = offset + b q of a contact at x [m] on the chain.
  Eigen::RowVectorXd rowAlongNormalAtPosition(double x) const;

  /// Row of largest norm along the chain, for bounds of stiffness.
  Eigen::RowVectorXd rowAlongNormalOfLargestNorm() const;

  /// True if the begin (doesChainStartMoveAlongNormal) or the end of the chain moves along e1, so that the
  /// surface has a step there.
  bool doesChainStartMoveAlongNormal() const;
  bool doesChainEndMoveAlongNormal() const;

 private:
  void subtractShapeFunctionsOfChain(double x, double speed, double* row, double* rate) const noexcept;

  TimeFunction position_;
  std::vector<double> borders_;
  std::shared_ptr<const SparseMatrix> shapes_;
  Eigen::RowVectorXd own_;
};

}  // namespace ricochet
