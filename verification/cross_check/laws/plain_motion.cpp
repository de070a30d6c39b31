#include "verification/cross_check/laws/plain_motion.hpp"

#include "verification/cross_check/laws/numbers.hpp"
#include "verification/cross_check/laws/plain_forces.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>

namespace ricochet::cross {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

struct TimedForce {
  VectorXd force;
  std::function<double(double)> scale;
};

/// u'' = M^-1 (f - K u - C u'), z' from the laws; fixed dofs stay at rest.
struct PlainSystem {
  std::vector<std::string> nodes;
  std::vector<Vector3d> places;
  VectorXd mass, free;
  MatrixXd stiffness, damping;
  std::vector<TimedForce> loads;
  std::vector<PlainForce> laws;
  std::vector<double> breakpoints;
  VectorXd start;  ///< u, v, z
  int states{0};

  int indexOf(const std::string& name) const {
    const auto found = std::ranges::find(nodes, name);
    return found == nodes.end() ? -1 : static_cast<int>(found - nodes.begin());
  }
  Eigen::Index dofs() const { return 3 * static_cast<Eigen::Index>(nodes.size()); }

  void limitInternalStates(VectorXd& y) const {
    const Eigen::Index n = dofs();
    Eigen::Index at = 2 * n;
    for (const PlainForce& law : laws) {
      if (law.limit) law.limit(y.head(n), y.segment(n, n), y.data() + at);
      at += law.states;
    }
  }

  bool haveSameBranches(const VectorXd& y, const VectorXd& other) const {
    const Eigen::Index n = dofs();
    return std::ranges::all_of(laws, [&](const PlainForce& law) {
      return !law.branch ||
             law.branch(y.head(n), y.segment(n, n)) == law.branch(other.head(n), other.segment(n, n));
    });
  }

  /// `side`: a small time shift by which loads are evaluated after their jumps.
  VectorXd rate(double t, const VectorXd& y) const {
    const Eigen::Index n = dofs();
    const VectorXd u = y.head(n), v = y.segment(n, n);
    VectorXd force = -stiffness * u - damping * v;
    for (const TimedForce& load : loads) force += load.scale(t) * load.force;
    VectorXd rates = VectorXd::Zero(y.size());
    Eigen::Index at = 2 * n;
    for (const PlainForce& law : laws) {
      law.add(t, u, v, y.data() + at, force, rates.data() + at);
      at += law.states;
    }
    rates.head(n) = v;
    rates.segment(n, n) = force.cwiseQuotient(mass).cwiseProduct(free);
    return rates;
  }
};

void addMatrix(const PlainSystem& s, const Part& part, const std::string& key, MatrixXd& matrix) {
  const std::vector<std::string> names = namesIn(*valueOf(part, "nodes"));
  const std::vector<double> values = numbersOfValue(*valueOf(part, key));
  const int a = s.indexOf(names[0]), b = names.size() > 1 ? s.indexOf(names[1]) : -1;
  for (int axis = 0; axis < 3; ++axis) {
    const double k = values[static_cast<std::size_t>(axis)];
    matrix(3 * a + axis, 3 * a + axis) += k;
    if (b < 0) continue;
    matrix(3 * b + axis, 3 * b + axis) += k;
    matrix(3 * a + axis, 3 * b + axis) -= k;
    matrix(3 * b + axis, 3 * a + axis) -= k;
  }
}

bool addLoad(PlainSystem& s, const Part& part) {
  TimedForce load{VectorXd::Zero(s.dofs()), makeFunction(part.tables, s.breakpoints)};
  const std::vector<double> f = numbersOfValue(*valueOf(part, "force"));
  const int node = s.indexOf(namesIn(*valueOf(part, "nodes"))[0]);
  load.force.segment<3>(3 * node) = Vector3d(f[0], f[1], f[2]);
  s.loads.push_back(load);
  return true;
}

/// Gravity, or minus the acceleration of the base, on all masses.
void addInertiaLoad(PlainSystem& s, const std::vector<double>& direction,
                    std::function<double(double)> scale) {
  TimedForce load{s.mass, std::move(scale)};
  for (Eigen::Index i = 0; i < s.dofs(); ++i) load.force[i] *= direction[static_cast<std::size_t>(i % 3)];
  s.loads.push_back(load);
}

bool addInitialState(PlainSystem& s, const Part& part) {
  for (const Entry& entry : part.entries) {
    if (entry.key != "displacement" && entry.key != "velocity") return false;
    const std::vector<std::string> names = namesIn(entry.value);
    const std::vector<double> values = numbersOfValue(entry.value);  // three dofs for each node
    const Eigen::Index first = entry.key == "velocity" ? s.dofs() : 0;
    for (std::size_t i = 0; i < names.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis)
        s.start[first + 3 * s.indexOf(names[i]) + static_cast<Eigen::Index>(axis)] = values[3 * i + axis];
  }
  return true;
}

/// Adds the tables that are not laws; false if this program does not know a table.
bool addPart(PlainSystem& s, const Part& part) {
  if (part.head == "[[nodes]]" || part.head == "[basis]") return true;
  if (part.head == "[[masses]]") {
    if (valueOf(part, "inertia") != nullptr) return false;
    s.mass.segment<3>(3 * s.indexOf(namesIn(*valueOf(part, "nodes"))[0]))
        .setConstant(std::stod(*valueOf(part, "mass")));
    return true;
  }
  if (part.head == "[[springs]]") return addMatrix(s, part, "stiffness", s.stiffness), true;
  if (part.head == "[[dampers]]") return addMatrix(s, part, "damping", s.damping), true;
  if (part.head == "[[supports]]") {
    for (const std::string& dof : namesIn(*valueOf(part, "fixed")))
      for (Eigen::Index node = 0; node < s.dofs() / 3; ++node) s.free[3 * node + (dof[1] - 'x')] = 0.0;
    return true;
  }
  if (part.head == "[[loads]]") return addLoad(s, part);
  if (part.head == "[gravity]")
    return addInertiaLoad(s, numbersOfValue(*valueOf(part, "acceleration")), [](double) { return 1.0; }),
           true;
  if (part.head == "[[base_motions]]") {
    const auto a = makeFunction(part.tables, s.breakpoints);
    return addInertiaLoad(s, numbersOfValue(*valueOf(part, "direction")), [a](double t) { return -a(t); }),
           true;
  }
  if (part.head == "[initial]") return addInitialState(s, part);
  return false;
}

bool addLaw(PlainSystem& s, const Part& part) {
  const std::string* nodes = valueOf(part, "nodes");
  const std::vector<std::string> names = namesIn(nodes != nullptr ? *nodes : *valueOf(part, "node"));
  const int first = s.indexOf(names[0]), second = names.size() > 1 ? s.indexOf(names[1]) : -1;
  PlainForce force;
  const bool made =
      part.head == "[[links]]"
          ? makeLink(part, first, second, force)
          : second < 0 && makeContact(part, first, s.places[static_cast<std::size_t>(first)], force);
  if (!made) return false;
  s.states += force.states;
  s.laws.push_back(std::move(force));
  return true;
}

/// Rayleigh damping of masses and springs; false for modal damping.
bool addDamping(PlainSystem& s, const Part& basis) {
  if (valueOf(basis, "damping_ratio") != nullptr) return false;
  if (const std::string* rayleigh = valueOf(basis, "rayleigh")) {
    const std::vector<double> x = numbersOfValue(*rayleigh);
    s.damping += x[1] * s.stiffness;
    s.damping.diagonal() += x[0] * s.mass;
  }
  return true;
}

std::optional<PlainSystem> makeSystem(const PartModel& model) {
  PlainSystem s;
  for (const Part& part : model.parts)
    if (part.head == "[[nodes]]") {
      s.nodes.push_back(namesIn(*valueOf(part, "name"))[0]);
      const std::vector<double> x = numbersOfValue(*valueOf(part, "position"));
      s.places.emplace_back(x[0], x[1], x[2]);
    }
  const Eigen::Index n = s.dofs();
  s.mass = VectorXd::Zero(n);
  s.free = VectorXd::Ones(n);
  s.stiffness = s.damping = MatrixXd::Zero(n, n);
  s.start = VectorXd::Zero(2 * n);
  const auto isLaw = [](const Part& part) { return part.head == "[[contacts]]" || part.head == "[[links]]"; };
  const auto isInertia = [](const Part& part) {
    return part.head == "[gravity]" || part.head == "[[base_motions]]";
  };
  for (const bool inertia : {false, true})  // inertia loads follow all masses
    for (const Part& part : model.parts)
      if (!isLaw(part) && isInertia(part) == inertia && !addPart(s, part)) return {};
  for (const Part& part : model.parts)
    if (isLaw(part) ? !addLaw(s, part) : part.head == "[basis]" && !addDamping(s, part)) return {};
  if (!(s.mass.minCoeff() > 0.0)) return {};
  s.start.conservativeResizeLike(VectorXd::Zero(2 * n + s.states));
  s.start.head(n) = s.start.head(n).cwiseProduct(s.free);
  s.start.segment(n, n) = s.start.segment(n, n).cwiseProduct(s.free);
  return s;
}

/// One step of the pair of orders 5 and 4 of Dormand and Prince; returns the estimate of its error.
VectorXd dormandPrinceStep(const PlainSystem& s, double t, const VectorXd& y, double h, VectorXd& error) {
  const VectorXd k1 = s.rate(t, y);
  const VectorXd k2 = s.rate(t + h / 5, y + h / 5 * k1);
  const VectorXd k3 = s.rate(t + 3 * h / 10, y + h * (3.0 / 40 * k1 + 9.0 / 40 * k2));
  const VectorXd k4 = s.rate(t + 4 * h / 5, y + h * (44.0 / 45 * k1 - 56.0 / 15 * k2 + 32.0 / 9 * k3));
  const VectorXd k5 = s.rate(t + 8 * h / 9, y + h * (19372.0 / 6561 * k1 - 25360.0 / 2187 * k2 +
                                                     64448.0 / 6561 * k3 - 212.0 / 729 * k4));
  constexpr double kEnd = 1.0 - 1e-12;  // at the end of a step, loads have their value before a jump
  const VectorXd k6 =
      s.rate(t + kEnd * h, y + h * (9017.0 / 3168 * k1 - 355.0 / 33 * k2 + 46732.0 / 5247 * k3 +
                                    49.0 / 176 * k4 - 5103.0 / 18656 * k5));
  const VectorXd next =
      y + h * (35.0 / 384 * k1 + 500.0 / 1113 * k3 + 125.0 / 192 * k4 - 2187.0 / 6784 * k5 + 11.0 / 84 * k6);
  const VectorXd k7 = s.rate(t + kEnd * h, next);
  error = h * (71.0 / 57600 * k1 - 71.0 / 16695 * k3 + 71.0 / 1920 * k4 - 17253.0 / 339200 * k5 +
               22.0 / 525 * k6 - 1.0 / 40 * k7);
  return next;
}

}  // namespace

std::optional<PlainMotion> integratePlainModel(const PartModel& model, const std::vector<double>& instants,
                                               double tolerance) {
  std::optional<PlainSystem> system = makeSystem(model);
  if (!system) return {};
  PlainMotion motion{system->nodes,
                     MatrixXd::Zero(system->dofs(), static_cast<Eigen::Index>(instants.size()))};
  std::vector<double> stops = instants;
  for (double t : system->breakpoints)
    if (t > 0.0 && t < model.duration) stops.push_back(t);
  std::ranges::sort(stops);
  VectorXd y = system->start, error, largest = y.cwiseAbs();
  double t = 0.0, h = 1e-6 * model.duration;
  long long steps = 0;
  constexpr long long kMostSteps = 400000;
  // A step with a jump of a force must be this short, because the estimate of its error does not contain the
  // whole jump.
  const double shortest = 1e-11 * model.duration;
  for (double stop : stops) {
    while (t < stop && ++steps < kMostSteps) {
      const bool last = t + 1.0000001 * h >= stop;
      const double length = last ? stop - t : h;
      const VectorXd next = dormandPrinceStep(*system, t, y, length, error);
      const VectorXd scale = (largest.cwiseMax(next.cwiseAbs()) * tolerance).array() + 1e-16;
      const double size = error.cwiseQuotient(scale).cwiseAbs().maxCoeff();
      if (!std::isfinite(size) || length < 1e-16) return {};
      if (size <= 1.0 && length > shortest && !system->haveSameBranches(y, next)) {
        h = 0.5 * length;
        continue;
      }
      if (size <= 1.0) {
        t = last ? stop : t + length;
        y = next;
        system->limitInternalStates(y);
        largest = largest.cwiseMax(y.cwiseAbs());
      }
      const double change = 0.9 * std::pow(std::max(size, 1e-10), -0.2);
      if (!last || size > 1.0 || change < 1.0) h = length * std::clamp(change, 0.2, 5.0);
    }
    if (t < stop) return {};
    for (std::size_t i = 0; i < instants.size(); ++i)
      if (instants[i] == stop) motion.positions.col(static_cast<Eigen::Index>(i)) = y.head(system->dofs());
  }
  return motion;
}

}  // namespace ricochet::cross
