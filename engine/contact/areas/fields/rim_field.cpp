#include "engine/contact/areas/fields/quadrature.hpp"
#include "engine/contact/areas/fields/spin_field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace ricochet::patch {
namespace {

using Point = Tangential<double>;
constexpr double kRimTolerance = 1e-13;

/// Integrals over the rim (boundary) of the area, to which the theorem of Gauss reduces the integrals over
/// the area. Lengths are divided by the square root of the area.
///
///   p      point of the rim                 q    pole, the point of the area without slip
///   rho    distance |p - q|                 e    direction (p - q)/rho
///   n      outward normal of the rim        h    (p - q).n, distance of the tangent of the rim from the pole
///   sigma  pressure, 1 at the centroid      g    gradient of the pressure
struct RimSums {
  Point normalRho{};                      ///< integral of n sigma rho
  double tripleRho{};                     ///< integral of rho h: three times the area integral of rho
  double slopeRho{};                      ///< integral of g.(p - q) rho h
  Point e{};                              ///< integral of n rho, equal to the area integral of e
  double exNx{}, exNy{}, eyNx{}, eyNy{};  ///< components of the integral of sigma e n^T
};

/// Adds the integrals over a straight edge in closed form. The points of the edge are p = q + h n + s t with
/// the unit vector t along the edge and the coordinate s from sa to sb; r0, r1 are the integrals of {1, s}
/// rho ds and e0, e1, e2 those of {1, s, s^2}/rho ds.
void addStraightEdge(RimSums& sum, const Edge& edge, const Point& q, double atPole, const Point& g) {
  const Point along = edge.to - edge.from;
  const Point t = scaled(1.0 / std::sqrt(dot(along, along)), along);
  const Point n{t.second, -t.first};
  const Point a = edge.from - q, b = edge.to - q;
  const double h = dot(a, n), sa = dot(a, t), sb = dot(b, t);
  const double ra = std::sqrt(dot(a, a)), rb = std::sqrt(dot(b, b));
  // For a pole on the line of the edge (h = 0) the logarithm e0 is infinite, but every term of e0 has the
  // factor h.
  const double e0 = std::abs(h) < 1e-100 ? 0.0 : std::asinh(sb / std::abs(h)) - std::asinh(sa / std::abs(h));
  const double e1 = rb - ra;
  const double r0 = 0.5 * (sb * rb - sa * ra + h * h * e0);
  const double e2 = 0.5 * (sb * rb - sa * ra - h * h * e0);
  const double r1 = (rb * rb * rb - ra * ra * ra) / 3.0;
  const double level = atPole + dot(g, n) * h, slope = dot(g, t);

  sum.normalRho = sum.normalRho + scaled(level * r0 + slope * r1, n);
  sum.tripleRho += h * r0;
  sum.slopeRho += h * (dot(g, n) * h * r0 + slope * r1);
  sum.e = sum.e + scaled(r0, n);
  const Point e = scaled(h * (level * e0 + slope * e1), n) + scaled(level * e1 + slope * e2, t);
  sum.exNx += e.first * n.first;
  sum.exNy += e.first * n.second;
  sum.eyNx += e.second * n.first;
  sum.eyNy += e.second * n.second;
}

/// Adds the integrals over an arc of a circle about the origin by adaptive quadrature. The arc is split at
/// the point nearest to the pole q, where the integrands change fastest.
void addArcMoments(RimSums& sum, const Edge& edge, const Point& q, double atPole, const Point& g) {
  constexpr double kTurn = 2.0 * std::numbers::pi;
  const double radius = std::sqrt(dot(edge.from, edge.from));
  const double from = std::atan2(edge.from.second, edge.from.first);
  double to = std::atan2(edge.to.second, edge.to.first);
  if (to <= from) to += kTurn;
  double nearest = std::atan2(q.second, q.first);
  while (nearest < from) nearest += kTurn;
  nearest = nearest < to ? nearest : 0.5 * (from + to);

  const auto integrand = [&](double angle) {
    const Point n{std::cos(angle), std::sin(angle)};
    const Point p = scaled(radius, n) - q;
    const double rho = std::sqrt(dot(p, p)), h = dot(p, n);
    const double sigma = atPole + dot(g, p);
    const Point e = rho > 0.0 ? scaled(1.0 / rho, p) : Point{};
    const double w = radius * sigma, r = radius * rho;
    return std::array<double, 10>{w * rho * n.first,
                                  w * rho * n.second,
                                  r * h,
                                  r * h * dot(g, p),
                                  r * n.first,
                                  r * n.second,
                                  w * e.first * n.first,
                                  w * e.first * n.second,
                                  w * e.second * n.first,
                                  w * e.second * n.second};
  };
  for (const auto [begin, end] : {std::array{from, nearest}, std::array{nearest, to}}) {
    if (end <= begin) continue;
    const std::array<double, 10> v = integrateAdaptively<10>(integrand, begin, end, kRimTolerance);
    sum.normalRho = sum.normalRho + Point{v[0], v[1]};
    sum.tripleRho += v[2];
    sum.slopeRho += v[3];
    sum.e = sum.e + Point{v[4], v[5]};
    sum.exNx += v[6];
    sum.exNy += v[7];
    sum.eyNx += v[8];
    sum.eyNy += v[9];
  }
}

}  // namespace

RimField::RimField(const PatchShape& shape) {
  std::vector<Point> v = shape.vertices;
  double area = 0.0;
  if (shape.outline == Outline::rectangle) {
    const auto [a, b] = shape.halfSides;
    v = {{a, b}, {-a, b}, {-a, -b}, {a, -b}};
  }
  if (shape.outline == Outline::halfDisc) {
    const double r = shape.radius;
    edges_ = {{{0.0, -r}, {0.0, r}, true}, {{0.0, r}, {0.0, -r}, false}};
    centroid_ = {4.0 * r / (3.0 * std::numbers::pi), 0.0};
    area = 0.5 * std::numbers::pi * r * r;
  } else {
    const AreaCentroid whole = polygonArea(v);
    if (whole.area < 0.0) std::reverse(v.begin(), v.end());
    for (std::size_t i = 0; i < v.size(); ++i) edges_.push_back({v[i], v[(i + 1) % v.size()], false});
    centroid_ = whole.centroid;
    area = std::abs(whole.area);
  }
  size_ = std::sqrt(area);
  for (Edge& edge : edges_) {
    edge.from = scaled(1.0 / size_, edge.from);
    edge.to = scaled(1.0 / size_, edge.to);
  }
  centroid_ = scaled(1.0 / size_, centroid_);
  if (shape.pressure == Pressure::linear) gradient_ = scaled(size_, shape.gradient);
}

PoleMeans RimField::meanSlipAboutPole(const Point& pole, PoleWork work) const noexcept {
  const Point q = scaled(1.0 / size_, pole);
  const double atPole = 1.0 + dot(gradient_, q - centroid_);
  RimSums sum;
  for (const Edge& edge : edges_) {
    if (edge.isArc)
      addArcMoments(sum, edge, q, atPole, gradient_);
    else
      addStraightEdge(sum, edge, q, atPole, gradient_);
  }
  const double rho = sum.tripleRho / 3.0;
  PoleMeans means{sum.normalRho - scaled(rho, gradient_), size_ * (atPole * rho + 0.25 * sum.slopeRho), {}};
  if (work == PoleWork::means) return means;
  // The sums give the integral of sigma (I - e e^T)/rho; turned by a right angle this tensor is the spread
  // e e^T/rho.
  const double xx = sum.exNx - sum.e.first * gradient_.first;
  const double yy = sum.eyNy - sum.e.second * gradient_.second;
  const double xy =
      0.5 * (sum.exNy + sum.eyNx - sum.e.first * gradient_.second - sum.e.second * gradient_.first);
  means.spread = {yy / size_, -xy / size_, xx / size_};
  return means;
}

}  // namespace ricochet::patch
