#include "engine/contact/impulse/resting_reactions.hpp"

#include "physical/dense_solvers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace ricochet {
namespace {

/// A cone of the unknowns x, |side| <= axis: both are affine in x, with their constant terms last.
struct ConeOfUnknowns {
  Vector axis;
  std::array<Vector, 2> side;
  std::size_t sides{0};

  /// Value of an affine form at x.
  static double valueAt(const Vector& form, const Vector& x) {
    return form.head(x.size()).dot(x) + form[x.size()];
  }
  /// axis^2 - |side|^2 at x, negative outside the cone.
  double coneMarginAt(const Vector& x) const {
    const double along = valueAt(axis, x);
    double rest = along * along;
    for (std::size_t a = 0; a < sides; ++a) rest -= std::pow(valueAt(side[a], x), 2);
    return along > 0.0 ? rest : -1.0;
  }
};

/// Maximizes the last unknown within cones, from a point inside all of them.
class BarrierSolver {
 public:
  explicit BarrierSolver(std::vector<ConeOfUnknowns> cones) : cones_(std::move(cones)) {}

  /// Moves x to the maximum, to 1e-11 of the size of the last unknown, which is of order one; stops as soon
  /// as that unknown reaches `enough`.
  void maximiseLastUnknown(Vector& x, double enough) {
    constexpr double kFirst = 1.0;
    constexpr double kLast = 1e12;
    constexpr double kFactor = 20.0;
    constexpr int kMostNewtonSteps = 60;
    for (double weight = kFirst; weight <= kLast; weight *= kFactor)
      for (int i = 0; i < kMostNewtonSteps && takeNewtonStep(x, weight); ++i)
        if (x[x.size() - 1] >= enough) return;
  }

 private:
  // The unknowns that no cone bounds stay small: weight of |x|^2/2 in the barrier.
  static constexpr double kCentre = 1e-3;

  /// Barrier -weight x_last - sum log(axis^2 - |side|^2) + kCentre |y|^2 / 2; infinite outside the cones.
  double valueAt(const Vector& x, double weight) const {
    double value = -weight * x[x.size() - 1] + 0.5 * kCentre * x.head(x.size() - 1).squaredNorm();
    for (const ConeOfUnknowns& cone : cones_) {
      const double inside = cone.coneMarginAt(x);
      if (!(inside > 0.0)) return std::numeric_limits<double>::infinity();
      value -= std::log(inside);
    }
    return value;
  }

  /// Takes one damped Newton step; false once it no longer lowers the barrier.
  bool takeNewtonStep(Vector& x, double weight) const {
    constexpr double kDone = 1e-10;
    constexpr double kArmijo = 0.1;
    const Eigen::Index n = x.size();
    Vector gradient = Vector::Zero(n);
    Matrix hessian = Matrix::Zero(n, n);
    gradient[n - 1] = -weight;
    gradient.head(n - 1) += kCentre * x.head(n - 1);
    hessian.diagonal().head(n - 1).array() += kCentre;
    for (const ConeOfUnknowns& cone : cones_) {
      // d = u^2 - |w|^2:  grad = -d'/d,  Hessian = d' d'^T / d^2 - d''/d
      const double u = ConeOfUnknowns::valueAt(cone.axis, x);
      const double d = cone.coneMarginAt(x);
      Vector slope = 2.0 * u * cone.axis.head(n);
      Matrix curvature = 2.0 * cone.axis.head(n) * cone.axis.head(n).transpose();
      for (std::size_t a = 0; a < cone.sides; ++a) {
        slope -= 2.0 * ConeOfUnknowns::valueAt(cone.side[a], x) * cone.side[a].head(n);
        curvature -= 2.0 * cone.side[a].head(n) * cone.side[a].head(n).transpose();
      }
      gradient -= slope / d;
      hessian += slope * slope.transpose() / (d * d) - curvature / d;
    }
    const Vector step = -Eigen::LDLT<Matrix>(hessian).solve(gradient);
    const double decrement = -gradient.dot(step);
    if (!(decrement > kDone)) return false;
    const double before = valueAt(x, weight);
    double length = 1.0;
    Vector next = x + step;
    while (!(valueAt(next, weight) <= before - kArmijo * length * decrement)) {
      length *= 0.5;
      if (length < 1e-12) return false;
      next = x + length * step;
    }
    x = std::move(next);
    return true;
  }

  std::vector<ConeOfUnknowns> cones_;
};

/// Orthonormal basis of the shifts of the reactions that have no effect on the motion.
Matrix nullSpaceOf(const Matrix& compliance) {
  constexpr double kNone = 1e-11;  // the same rank threshold as in TaylorExpansion::factorise
  // One relative threshold suits all constraints: their compliances are of comparable size whatever their
  // stiffness and lever.
  const Eigen::JacobiSVD<Matrix> decomposition(compliance, Eigen::ComputeFullU | Eigen::ComputeFullV);
  const auto& values = decomposition.singularValues();
  Eigen::Index rank = 0;
  while (rank < values.size() && values[rank] > kNone * values[0]) ++rank;
  return decomposition.matrixV().rightCols(values.size() - rank);
}

/// Cones of the unknowns (y, last), in units of `scale`: reactions r + Z y + perLast last, of which each cone
/// keeps a margin of `margin` times the last unknown.
std::vector<ConeOfUnknowns> frictionConesOf(std::span<const RestingContact> contacts, const Matrix& shifts,
                                            const Vector& reaction, const Vector& perLast, double lastSpan,
                                            double margin, double scale) {
  std::vector<ConeOfUnknowns> cones;
  const Eigen::Index free = shifts.cols();
  const auto entry = [&](int index, double factor) {
    Vector form(free + 2);
    form.head(free) = factor * shifts.row(index).transpose();
    form[free] = factor * perLast[index] / scale;
    form[free + 1] = factor * reaction[index] / scale;
    return form;
  };
  for (const RestingContact& c : contacts) {
    Vector pressed = Vector::Zero(free + 2);
    if (c.normal >= 0) {
      pressed = entry(c.normal, c.side);
    } else {
      pressed[free] = c.compression[1] * lastSpan / scale;
      pressed[free + 1] = c.compression[0] / scale;
    }
    ConeOfUnknowns cone{.axis = c.coefficient * pressed, .side = {}, .sides = 0};
    for (const int tangent : c.tangent)
      if (tangent >= 0) cone.side[cone.sides++] = entry(tangent, 1.0);
    cone.axis[free] -= margin;
    cones.push_back(std::move(cone));
  }
  ConeOfUnknowns most{.axis = Vector::Zero(free + 2), .side = {}, .sides = 0};  // last <= 1
  most.axis[free] = -1.0;
  most.axis[free + 1] = 1.0;
  cones.push_back(std::move(most));
  return cones;
}

}  // namespace

std::optional<ReactionShift> findRestingReactions(const Matrix& compliance, const Vector& reaction,
                                                  const Vector& rate,
                                                  std::span<const RestingContact> contacts, double horizon) {
  constexpr double kLeast = 1e-9;   // margin of the reactions, relative to the largest
  constexpr double kInside = 1e-3;  // margin at which the reactions count as inside all cones
  const Matrix shifts = nullSpaceOf(compliance);
  const Eigen::Index free = shifts.cols();
  double scale = std::max(reaction.cwiseAbs().maxCoeff(), horizon * rate.cwiseAbs().maxCoeff());
  for (const RestingContact& c : contacts) scale = std::max(scale, std::abs(c.compression[0]));
  if (free == 0 || !(scale > 0.0)) return {};
  const Vector none = Vector::Zero(reaction.size());
  std::vector<ConeOfUnknowns> first = frictionConesOf(contacts, shifts, reaction, none, 0.0, 1.0, scale);
  Vector x = Vector::Zero(free + 1);
  double least = 0.0;
  for (const ConeOfUnknowns& cone : first) {
    double size = 0.0;
    for (std::size_t a = 0; a < cone.sides; ++a) size = std::hypot(size, cone.side[a][free + 1]);
    least = std::min(least, cone.axis[free + 1] - size);
  }
  x[free] = least - 1.0;
  BarrierSolver(std::move(first)).maximiseLastUnknown(x, kInside);
  if (!(x[free] > kLeast)) return {};
  const Vector inside = shifts * (scale * x.head(free));
  x[free] = 0.0;
  const Vector most = rate * horizon;
  BarrierSolver(frictionConesOf(contacts, shifts, reaction, most, horizon, 0.0, scale))
      .maximiseLastUnknown(x, std::numeric_limits<double>::infinity());
  const Vector last = shifts * (scale * x.head(free));
  return ReactionShift{.start = inside, .rate = (last - inside) / (x[free] * horizon)};
}

}  // namespace ricochet
