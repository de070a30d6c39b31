#include "engine/contact/areas/fields/patch_shape.hpp"

#include "engine/contact/areas/fields/quadrature.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>
#include <utility>

namespace ricochet::patch {
namespace {

using Point = Tangential<double>;

double crossProduct(const Point& a, const Point& b) { return a.first * b.second - a.second * b.first; }

bool isCircular(Outline outline) {
  return outline == Outline::disc || outline == Outline::annulus || outline == Outline::ring ||
         outline == Outline::halfDisc;
}

/// True if the segments ab and cd cross or touch.
bool doSegmentsIntersect(const Point& a, const Point& b, const Point& c, const Point& d) {
  const double abc = crossProduct(b - a, c - a), abd = crossProduct(b - a, d - a);
  const double cda = crossProduct(d - c, a - c), cdb = crossProduct(d - c, b - c);
  return abc * abd <= 0.0 && cda * cdb <= 0.0 &&
         std::max(std::min(a.first, b.first), std::min(c.first, d.first)) <=
             std::min(std::max(a.first, b.first), std::max(c.first, d.first)) &&
         std::max(std::min(a.second, b.second), std::min(c.second, d.second)) <=
             std::min(std::max(a.second, b.second), std::max(c.second, d.second));
}

bool isSelfIntersecting(const std::vector<Point>& v) {
  const std::size_t n = v.size();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = i + 2; j < n; ++j)
      if ((j + 1) % n != i && doSegmentsIntersect(v[i], v[i + 1], v[j], v[(j + 1) % n])) return true;
  return false;
}

bool isInTriangle(const Point& p, const Point& a, const Point& b, const Point& c) {
  return crossProduct(b - a, p - a) >= 0.0 && crossProduct(c - b, p - b) >= 0.0 &&
         crossProduct(a - c, p - c) >= 0.0;
}

using Triangle = std::array<Point, 3>;

/// Divides a polygon into triangles by ear clipping (G.H. Meisters, Amer. Math. Monthly 82 (1975) 648-651).
std::vector<Triangle> triangulate(std::vector<Point> v) {
  assert(v.size() >= 3);
  if (polygonArea(v).area < 0.0) std::reverse(v.begin(), v.end());
  std::vector<Triangle> parts;
  while (v.size() > 3) {
    const std::size_t n = v.size();
    std::size_t ear = n;
    for (std::size_t i = 0; i < n && ear == n; ++i) {
      const Point &a = v[(i + n - 1) % n], &b = v[i], &c = v[(i + 1) % n];
      bool isEar = crossProduct(b - a, c - b) > 0.0;
      for (std::size_t j = 0; j < n && isEar; ++j)
        isEar = j == i || j == (i + 1) % n || j == (i + n - 1) % n || !isInTriangle(v[j], a, b, c);
      if (isEar) ear = i;
    }
    if (ear == n) ear = 0;  // the remaining polygon has no area
    parts.push_back({v[(ear + n - 1) % n], v[ear], v[(ear + 1) % n]});
    v.erase(v.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  parts.push_back({v[0], v[1], v[2]});
  return parts;
}

std::vector<Point> cornersOfOutline(const PatchShape& shape) {
  if (shape.outline == Outline::polygon) return shape.vertices;
  const auto [a, b] = shape.halfSides;
  return {{a, b}, {-a, b}, {-a, -b}, {a, -b}};
}

/// Adds the points of a Gauss rule over a triangle, mapped from the unit square (M.G. Duffy, SIAM J. Numer.
/// Anal. 19 (1982) 1260-1262).
void addTrianglePoints(std::vector<Particle>& all, const Triangle& t, const UnitRule& rule) {
  const double area = 0.5 * std::abs(crossProduct(t[1] - t[0], t[2] - t[0]));
  for (std::size_t i = 0; i < rule.points.size(); ++i)
    for (std::size_t j = 0; j < rule.points.size(); ++j) {
      const double u = rule.points[i], v = rule.points[j];
      const Point p = t[0] + scaled(u, t[1] - t[0] + scaled(v, t[2] - t[1]));
      all.push_back({p, 2.0 * area * u * rule.weights[i] * rule.weights[j]});
    }
}

/// Radius, relative to that of the rim, inside which the pressure carries the fraction u of N: dm = 2 s ds
/// (uniform), 3 t^2 dt with t = sqrt(1 - s^2) (hertz), dt (punch); 1 for the ring, between both rims for the
/// annulus.
double radiusEnclosingLoadFraction(const PatchShape& shape, double u) {
  if (shape.outline == Outline::ring) return 1.0;
  if (shape.pressure == Pressure::hertz || shape.pressure == Pressure::punch)
    return std::sqrt((1.0 - u) * (1.0 + u));
  const double rho = shape.outline == Outline::annulus ? shape.innerRadius / shape.radius : 0.0;
  return std::sqrt(rho * rho + u * (1.0 - rho * rho));
}

std::vector<Particle> integrationPointsOfRoundPatch(const PatchShape& shape, std::size_t rings,
                                                    std::size_t angles) {
  const UnitRule rule = gaussLegendreRule(shape.outline == Outline::ring ? 1 : rings);
  const bool isEllipse = shape.outline == Outline::ellipse;
  const double a = isEllipse ? shape.halfSides[0] : shape.radius;
  const double b = isEllipse ? shape.halfSides[1] : shape.radius;
  std::vector<Particle> all;
  for (std::size_t i = 0; i < rule.points.size(); ++i) {
    const double u = rule.points[i];
    const double s = radiusEnclosingLoadFraction(shape, u);
    const double weight = rule.weights[i] * (shape.pressure == Pressure::hertz ? 3.0 * u * u : 1.0);
    for (std::size_t j = 0; j < angles; ++j) {
      const double angle =
          2.0 * std::numbers::pi * (static_cast<double>(j) + 0.5) / static_cast<double>(angles);
      all.push_back({{a * s * std::cos(angle), b * s * std::sin(angle)}, weight});
    }
  }
  return all;
}

std::vector<Particle> integrationPointsOfHalfDisc(const PatchShape& shape, std::size_t rings,
                                                  std::size_t angles) {
  const UnitRule radial = gaussLegendreRule(rings), turn = gaussLegendreRule(angles);
  std::vector<Particle> all;
  for (std::size_t i = 0; i < radial.points.size(); ++i)
    for (std::size_t j = 0; j < turn.points.size(); ++j) {
      const double r = shape.radius * radial.points[i];
      const double angle = std::numbers::pi * (turn.points[j] - 0.5);
      all.push_back({{r * std::cos(angle), r * std::sin(angle)}, r * radial.weights[i] * turn.weights[j]});
    }
  return all;
}

/// Multiplies the weights by a linear pressure and scales their sum to 1.
void normaliseWeights(std::vector<Particle>& all, const PatchShape& shape, const Point& centroid) {
  double sum = 0.0;
  for (Particle& p : all) {
    if (shape.pressure == Pressure::linear) p.weight *= 1.0 + dot(shape.gradient, p.position - centroid);
    sum += p.weight;
  }
  for (Particle& p : all) p.weight /= sum;
}

Point centroidOfShape(const PatchShape& shape) {
  if (shape.outline == Outline::polygon) return polygonArea(shape.vertices).centroid;
  if (shape.outline == Outline::halfDisc) return {4.0 * shape.radius / (3.0 * std::numbers::pi), 0.0};
  return {};
}

/// Largest g.(p0 - p) over the area: the pressure is positive everywhere if this value is below 1.
double largestRelativePressureDrop(const PatchShape& shape) {
  const Point& g = shape.gradient;
  if (shape.outline == Outline::ellipse)
    return std::hypot(shape.halfSides[0] * g.first, shape.halfSides[1] * g.second);
  if (shape.outline == Outline::disc) return shape.radius * length(g);
  const Point centroid = centroidOfShape(shape);
  double most = 0.0;
  if (shape.outline == Outline::halfDisc) {
    const double size = length(g);
    for (const Point& p : {Point{0.0, shape.radius}, Point{0.0, -shape.radius}})
      most = std::max(most, dot(g, centroid - p));
    return g.first < 0.0 ? std::max(most, dot(g, centroid) + shape.radius * size) : most;
  }
  for (const Point& p : cornersOfOutline(shape)) most = std::max(most, dot(g, centroid - p));
  return most;
}

std::string polygonErrorText(const std::vector<Point>& v) {
  if (v.size() < 3) return "a polygon needs at least three vertices";
  for (const Point& p : v)
    if (!std::isfinite(p.first) || !std::isfinite(p.second)) return "a vertex is not finite";
  if (polygonArea(v).area == 0.0) return "the polygon has no area";
  return isSelfIntersecting(v) ? "the polygon crosses itself" : "";
}

}  // namespace

AreaCentroid polygonArea(const std::vector<Point>& v) {
  AreaCentroid sum;
  for (std::size_t i = 1; i + 1 < v.size(); ++i) {
    const Point a = v[i] - v[0], b = v[i + 1] - v[0];
    const double part = 0.5 * crossProduct(a, b);
    sum.area += part;
    sum.centroid = sum.centroid + scaled(part / 3.0, a + b);
  }
  sum.centroid = v[0] + scaled(1.0 / sum.area, sum.centroid);
  return sum;
}

std::string errorTextOfPatchShape(const PatchShape& shape) {
  const bool isDisc = shape.outline == Outline::disc, isEllipse = shape.outline == Outline::ellipse;
  const auto positive = [](double x) { return x > 0.0 && std::isfinite(x); };
  if (isCircular(shape.outline) && !positive(shape.radius)) return "the radius must be positive";
  if ((isEllipse || shape.outline == Outline::rectangle) &&
      !(positive(shape.halfSides[0]) && positive(shape.halfSides[1])))
    return "both half sides must be positive";
  if (shape.outline == Outline::annulus && !(shape.innerRadius >= 0.0 && shape.innerRadius < shape.radius))
    return "the inner radius must be at least 0 and below the radius";
  if (shape.outline == Outline::polygon)
    if (std::string wrong = polygonErrorText(shape.vertices); !wrong.empty()) return wrong;
  if ((shape.pressure == Pressure::hertz || shape.pressure == Pressure::punch) && !isDisc && !isEllipse)
    return "this pressure needs a disc or an ellipse";
  if (shape.pressure != Pressure::linear) return "";
  if (shape.outline == Outline::annulus || shape.outline == Outline::ring)
    return "a linear pressure needs a disc, an ellipse, a rectangle or a polygon";
  return largestRelativePressureDrop(shape) < 1.0
             ? ""
             : "the pressure must be positive everywhere: the gradient is too large";
}

std::vector<Particle> bristlePointsOfShape(const PatchShape& shape, std::size_t rings, std::size_t angles) {
  std::vector<Particle> all;
  if (shape.outline == Outline::polygon || shape.outline == Outline::rectangle) {
    const UnitRule rule = gaussLegendreRule(rings);
    for (const Triangle& t : triangulate(cornersOfOutline(shape))) addTrianglePoints(all, t, rule);
  } else if (shape.outline == Outline::halfDisc) {
    all = integrationPointsOfHalfDisc(shape, rings, angles);
  } else {
    all = integrationPointsOfRoundPatch(shape, rings, angles);
  }
  normaliseWeights(all, shape, centroidOfShape(shape));
  return all;
}

std::vector<Particle> integrationPoints(const PatchShape& shape, std::size_t order) {
  return bristlePointsOfShape(shape, order, 2 * order);
}

}  // namespace ricochet::patch
