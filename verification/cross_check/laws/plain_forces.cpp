#include "verification/cross_check/laws/plain_forces.hpp"

#include "verification/cross_check/laws/numbers.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>
#include <string>

namespace ricochet::cross {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

double numberOfKeyOr(const Part& part, const std::string& key, double fallback) {
  const std::string* value = valueOf(part, key);
  if (value == nullptr) return fallback;
  const std::vector<double> numbers = numbersOfValue(*value);
  return numbers.empty() ? fallback : numbers.front();
}

Vector3d vectorOfKey(const Part& part, const std::string& key) {
  const std::string* value = valueOf(part, key);
  if (value == nullptr) return Vector3d::Zero();
  const std::vector<double> x = numbersOfValue(*value);
  return {x[0], x[1], x[2]};
}

std::string wordOfKeyOr(const Part& part, const std::string& key, const std::string& fallback) {
  const std::string* value = valueOf(part, key);
  return value == nullptr ? fallback : value->substr(1, value->size() - 2);
}

bool hasNoKeysExcept(const Part& part, const std::set<std::string>& keys) {
  return std::ranges::all_of(part.entries, [&](const Entry& e) { return keys.contains(e.key); });
}

/// A table of a function: linear between its points; beyond them constant, or linear as the first and last
/// pieces.
struct Table {
  std::vector<double> x, y;
  bool constant{false};
  double at(double t) const {
    if (constant && t <= x.front()) return y.front();
    if (constant && t >= x.back()) return y.back();
    std::size_t i = 1;
    while (i + 1 < x.size() && t > x[i]) ++i;
    return y[i - 1] + (y[i] - y[i - 1]) * (t - x[i - 1]) / (x[i] - x[i - 1]);
  }
};

/// Gap and outward unit normal of an obstacle at a displacement; the normal points to the free side.
using Geometry = std::function<double(const Vector3d& u, Vector3d& normal)>;

Geometry geometryOfObstacle(const Part& part, const Vector3d& place) {
  const std::string type = wordOfKeyOr(part, "obstacle.type", "");
  const double gap = numberOfKeyOr(part, "obstacle.gap", 0.0), matter = numberOfKeyOr(part, "thickness", 0.0);
  if (type == "plane" && hasNoKeysExcept(part, {"obstacle.type", "obstacle.normal", "obstacle.gap"})) {
    const Vector3d n = vectorOfKey(part, "obstacle.normal").normalized();
    return [=](const Vector3d& u, Vector3d& normal) {
      normal = n;
      return gap + n.dot(u);
    };
  }
  if (type == "none")
    return
        [n = Vector3d(vectorOfKey(part, "obstacle.normal").normalized())](const Vector3d&, Vector3d& normal) {
          normal = n;
          return -1.0;
        };
  if (type == "slot") {
    const Vector3d d = vectorOfKey(part, "obstacle.direction").normalized();
    return [=](const Vector3d& u, Vector3d& normal) {
      const double x = d.dot(u);
      normal = x < 0.0 ? d : Vector3d(-d);
      return gap - std::abs(x);
    };
  }
  if (type == "circle") {
    const Vector3d axis = vectorOfKey(part, "obstacle.axis").normalized();
    return [=](const Vector3d& u, Vector3d& normal) {
      const Vector3d across = u - axis.dot(u) * axis;
      const double r = across.norm();
      normal = r > 0.0 ? Vector3d(-across / r) : Vector3d::Zero();
      return gap - r;  // clearance of the body [m]
    };
  }
  if (type == "sphere") {
    const double radius = numberOfKeyOr(part, "obstacle.radius", 0.0);
    const Vector3d away = place - vectorOfKey(part, "obstacle.center");
    const bool inside = wordOfKeyOr(part, "obstacle.side", "outside") == "inside";
    return [=](const Vector3d& u, Vector3d& normal) {
      const Vector3d x = away + u;
      const double r = x.norm();
      normal = r > 0.0 ? Vector3d(x / r) : Vector3d::Zero();
      if (inside) normal = -normal;
      return inside ? radius - r - matter : r - radius - matter;
    };
  }
  return {};
}

/// Compression over the gap and its rate.
using Compression = std::function<double(double gap, double rate)>;

Compression makeCompression(const Part& part) {
  const std::string law = wordOfKeyOr(part, "normal.law", "penalty");
  const double k = numberOfKeyOr(part, "normal.stiffness", 0.0),
               c = numberOfKeyOr(part, "normal.damping", 0.0);
  const double n = numberOfKeyOr(part, "normal.exponent", 1.5);
  if (valueOf(part, "normal.force") != nullptr && law == "penalty") {
    const double value = numberOfKeyOr(part, "normal.force", 0.0);
    return [=](double, double) { return value; };
  }
  if (law == "penalty" && valueOf(part, "normal.tension") == nullptr)
    return [=](double g, double rate) { return g < 0.0 ? std::max(0.0, -k * g - c * rate) : 0.0; };
  if (law == "hertz") return [=](double g, double) { return g < 0.0 ? k * std::pow(-g, n) : 0.0; };
  if (law == "hunt_crossley")
    return [=](double g, double rate) {
      return g < 0.0 ? std::max(0.0, k * std::pow(-g, n) * (1.0 - 1.5 * c * rate)) : 0.0;
    };
  if (law == "table") {
    const Table table{numbersOfValue(*valueOf(part, "normal.penetration")),
                      numbersOfValue(*valueOf(part, "normal.force"))};
    return [=](double g, double) { return g < 0.0 ? table.at(-g) : 0.0; };
  }
  return {};
}

std::function<double(double, double)> makeLinkLaw(const Part& part, const std::string& law) {
  const std::string formula = wordOfKeyOr(part, "formula", "");
  if (formula == "1e4*x + 2e7*x^3") return [](double x, double) { return 1e4 * x + 2e7 * x * x * x; };
  if (formula == "1e4*x + 50*v*abs(v)")
    return [](double x, double v) { return 1e4 * x + 50.0 * v * std::abs(v); };
  if (formula == "3*v + 200*abs(v)*v")
    return [](double, double v) { return 3.0 * v + 200.0 * std::abs(v) * v; };
  if (!formula.empty() || valueOf(part, "before") != nullptr || valueOf(part, "after") != nullptr) return {};
  if (law == "force_displacement" || law == "force_velocity") {
    const bool ofRate = law == "force_velocity";
    const Table table{numbersOfValue(*valueOf(part, ofRate ? "velocity" : "displacement")),
                      numbersOfValue(*valueOf(part, "force"))};
    return [=](double x, double v) { return table.at(ofRate ? v : x); };
  }
  if (law == "antiseismic") {
    const double k1 = numberOfKeyOr(part, "stiffness_initial", 0.0),
                 k2 = numberOfKeyOr(part, "stiffness_final", 0.0);
    const double f = numberOfKeyOr(part, "threshold", 1.0), c = numberOfKeyOr(part, "damping", 0.0);
    const double a = numberOfKeyOr(part, "exponent", 1.0), d = numberOfKeyOr(part, "displacement_max", 1.0);
    return [=](double x, double v) {
      const double y = k1 * x / f;
      const double sign = v > 0.0 ? 1.0 : v < 0.0 ? -1.0 : 0.0;
      return k2 * x + (k1 - k2) * x / std::sqrt(1.0 + y * y) + c * sign * std::pow(std::abs(v * x / d), a);
    };
  }
  return {};
}

}  // namespace

const std::string* valueOf(const Part& part, const std::string& key) {
  const auto found = std::ranges::find(part.entries, key, &Entry::key);
  return found == part.entries.end() ? nullptr : &found->value;
}

std::vector<std::string> namesIn(const std::string& value) {
  std::vector<std::string> names;
  for (std::size_t i = value.find('"'); i != std::string::npos; i = value.find('"', i + 1)) {
    const std::size_t end = value.find('"', i + 1);
    names.push_back(value.substr(i + 1, end - i - 1));
    i = end;
  }
  return names;
}

bool makeContact(const Part& part, int node, const Vector3d& place, PlainForce& force) {
  for (const char* key : {"obstacle.surface_velocity", "obstacle.surface_spin", "rolling_radius"})
    if (valueOf(part, key) != nullptr) return false;
  Part obstacle = part;  // keys that a plane may have
  std::erase_if(obstacle.entries, [](const Entry& e) { return !e.key.starts_with("obstacle."); });
  const Geometry geometry = geometryOfObstacle(
      wordOfKeyOr(part, "obstacle.type", "") == "plane" && valueOf(part, "thickness") == nullptr ? obstacle
                                                                                                 : part,
      place);
  const Compression compression = makeCompression(part);
  if (!geometry || !compression) return false;
  const bool rubs =
      std::ranges::any_of(part.entries, [](const Entry& e) { return e.key.starts_with("friction."); });
  if (rubs && wordOfKeyOr(part, "friction.law", "") != "lugre") return false;
  const double s0 = numberOfKeyOr(part, "friction.stiffness", 0.0),
               s1 = numberOfKeyOr(part, "friction.damping", 0.0);
  const double s2 = numberOfKeyOr(part, "friction.viscous", 0.0),
               vs = numberOfKeyOr(part, "friction.stribeck_speed", 1e-3);
  const double rest = numberOfKeyOr(part, "friction.static", 0.0),
               slip = numberOfKeyOr(part, "friction.dynamic", 0.0);
  const bool flat = wordOfKeyOr(part, "obstacle.direction", "none") != "none" ||
                    valueOf(part, "obstacle.normal") != nullptr;
  if (rubs && !flat) return false;
  force.states = rubs ? 3 : 0;
  force.add = [=](double, const VectorXd& u, const VectorXd& v, const double* z, VectorXd& f, double* rates) {
    Vector3d normal;
    const double gap = geometry(u.segment<3>(3 * node), normal);
    const Vector3d velocity = v.segment<3>(3 * node);
    const double push = compression(gap, normal.dot(velocity));
    f.segment<3>(3 * node) += push * normal;
    if (!rubs) return;
    const Eigen::Map<const Vector3d> bristle(z);
    const Vector3d along = velocity - normal.dot(velocity) * normal;
    const double speed = along.norm();
    const double g = push * (slip + (rest - slip) * std::exp(-(speed / vs) * (speed / vs)));
    Vector3d rate = Vector3d::Zero();
    if (g > 0.0) rate = along - s0 * speed / g * bristle;
    if (push > 0.0) f.segment<3>(3 * node) -= s0 * bristle + s1 * rate + s2 * along;
    std::copy_n(rate.data(), 3, rates);
  };
  // The contact is open, or its force is cut off at zero by the dashpot.
  force.branch = [=](const VectorXd& u, const VectorXd& v) {
    Vector3d normal;
    const double gap = geometry(u.segment<3>(3 * node), normal);
    if (!(gap < 0.0)) return 0;
    return compression(gap, normal.dot(v.segment<3>(3 * node))) > 0.0 ? 1 : 2;
  };
  if (!rubs) return true;
  force.limit = [=](const VectorXd& u, const VectorXd& v, double* z) {  // s0 |z| <= max(mu_s, mu_d) N
    Vector3d normal;
    const double gap = geometry(u.segment<3>(3 * node), normal);
    const double most = std::max(rest, slip) * compression(gap, normal.dot(v.segment<3>(3 * node)));
    Eigen::Map<Vector3d> bristle(z);
    if (const double held = s0 * bristle.norm(); held > most) bristle *= most / held;
  };
  return true;
}

bool makeLink(const Part& part, int first, int second, PlainForce& force) {
  const std::string law = wordOfKeyOr(part, "law", "");
  if (valueOf(part, "dof") != nullptr || valueOf(part, "axis") == nullptr) return false;
  const Vector3d axis = vectorOfKey(part, "axis").normalized();
  const auto put = [=](VectorXd& f, double pull) {
    f.segment<3>(3 * first) -= pull * axis;
    if (second >= 0) f.segment<3>(3 * second) += pull * axis;
  };
  const auto along = [=](const VectorXd& u) {
    return axis.dot(u.segment<3>(3 * first)) - (second >= 0 ? axis.dot(u.segment<3>(3 * second)) : 0.0);
  };
  if (law == "zener") {
    const auto flexibility = [&](const std::string& i) {
      const double k = numberOfKeyOr(part, "stiffness_" + i, 0.0);
      return k > 0.0 ? 1.0 / k : numberOfKeyOr(part, "flexibility_" + i, 0.0);
    };
    const double s1 = flexibility("1"), s2 = flexibility("2"), s3 = flexibility("3");
    const double k2 = s2 > 0.0 ? 1.0 / s2 : 0.0;
    const double beta = 1.0 / (1.0 + k2 * s1), stiffness = 1.0 / (s3 + s1 * beta);
    const double c = numberOfKeyOr(part, "damping", 1.0), a = numberOfKeyOr(part, "exponent", 1.0);
    force.states = 1;
    force.add = [=](double, const VectorXd& u, const VectorXd&, const double* z, VectorXd& f, double* rates) {
      const double x = along(u);
      const double s = stiffness * (beta * x - z[0]);
      rates[0] = std::copysign(std::pow(std::abs(s) / c, 1.0 / a), s);
      put(f, beta * (k2 * x + s));
    };
    return true;
  }
  const auto law1 = makeLinkLaw(part, law);
  if (!law1) return false;
  force.add = [=](double, const VectorXd& u, const VectorXd& v, const double*, VectorXd& f, double*) {
    put(f, law1(along(u), along(v)));
  };
  return true;
}

std::function<double(double)> makeFunction(const std::string& table, std::vector<double>& breakpoints) {
  const auto lineOf = [&](const std::string& key) {
    const std::size_t at = table.find(key + " = ");
    return at == std::string::npos
               ? std::string{}
               : table.substr(at + key.size() + 3, table.find('\n', at) - at - key.size() - 3);
  };
  const std::string formula = lineOf("formula");
  if (const std::size_t sine = formula.find("sin("); sine != std::string::npos) {
    const double size = formula[1] == 's' ? 1.0 : std::stod(formula.substr(1));
    const double rate = std::stod(formula.substr(sine + 4));
    return [=](double t) { return size * std::sin(rate * t); };
  }
  if (!formula.empty()) {
    const double value = std::stod(formula.substr(1));
    return [=](double) { return value; };
  }
  const std::vector<double> x = numbersOfValue(lineOf("times")), y = numbersOfValue(lineOf("values"));
  const bool stays = lineOf("after").find("constant") != std::string::npos;
  breakpoints.insert(breakpoints.end(), x.begin(), x.end());
  return [=](double t) {  // within a step that does not pass a breakpoint
    for (std::size_t i = 1; i < x.size(); ++i)
      if (t >= x[i - 1] && t < x[i] && x[i] > x[i - 1])
        return y[i - 1] + (y[i] - y[i - 1]) * (t - x[i - 1]) / (x[i] - x[i - 1]);
    return stays ? y.back() : 0.0;
  };
}

}  // namespace ricochet::cross
