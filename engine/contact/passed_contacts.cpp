#include "engine/contact/passed_contacts.hpp"

#include "engine/contact/contact_tangent.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace ricochet {
namespace {

/// Cubic x(t) of one local coordinate through the positions x0, x1 and rates v0, v1 at both ends of a step.
struct LocalCubic {
  double x0{0.0}, v0{0.0}, x1{0.0}, v1{0.0};

  double coordinateAtStepFraction(double theta, double h) const noexcept {
    const double s = 1.0 - theta;
    return s * s * (1.0 + 2.0 * theta) * x0 + theta * theta * (3.0 - 2.0 * theta) * x1 +
           h * theta * s * (s * v0 - theta * v1);
  }
  /// Middle control point of the rate x'. The rate stays between the smallest and the largest of v0,
  /// rateAtMiddleControlPoint and v1.
  double rateAtMiddleControlPoint(double h) const noexcept { return 3.0 * (x1 - x0) / h - v0 - v1; }
};

/// Bound of the speed along a path: the largest norm of the rates at the three control points.
double upperBoundOfPathSpeed(std::span<const LocalCubic> path, double h) noexcept {
  double first = 0.0, middle = 0.0, last = 0.0;
  for (const LocalCubic& x : path) {
    first += x.v0 * x.v0;
    middle += x.rateAtMiddleControlPoint(h) * x.rateAtMiddleControlPoint(h);
    last += x.v1 * x.v1;
  }
  return std::sqrt(std::max({first, middle, last}));
}

/// True if a contact that was open inside the step closes in the step. A gap changes at most by the path
/// length of the contact point. While the gap decreases, the distance to the next evaluation is therefore
/// proportional to the gap, down to `kNear`; while the gap increases, and after `kMost` evaluations, it is at
/// least 1/256 of the step. `shift`: gaps at both ends of the step less those of the path, where forces shift
/// a point without inertia.
bool doesOpenContactCloseInsideStep(const Contact& contact, const std::array<LocalCubic, 3>& path,
                                    double from, double h, const std::array<double, 2>& shift) noexcept {
  constexpr double kNear = 1e-9;    // gap that counts as zero, relative to the coordinates
  constexpr double kBeside = 1e-7;  // offset in the step at which a decrease of the gap is seen
  constexpr double kApart = 1.0 / 256.0;
  constexpr int kMost = 400;
  const std::size_t axes = isCurved(contact.obstacle) ? path.size() : 1;
  double fastest = upperBoundOfPathSpeed(std::span(path).first(axes), h) + std::abs(shift[1] - shift[0]) / h;
  if (!contact.drift.empty())
    for (const double theta : {0.0, 0.5, 1.0}) {
      const Local<double> carried = supportDriftAtTime(contact, from + theta * h, theta * h).velocity;
      fastest += std::sqrt(innerProduct(carried, carried));
    }
  double near = 0.0;
  for (const LocalCubic& x : std::span(path).first(axes)) near += kNear * (std::abs(x.x0) + std::abs(x.x1));
  const auto gapAt = [&](double theta) {
    LocalMotion motion;
    for (std::size_t axis = 0; axis < path.size(); ++axis)
      motion.position[axis] = path[axis].coordinateAtStepFraction(theta, h);
    return gapOfContactAtMotion(contact, motion, from + theta * h, theta * h) + (1.0 - theta) * shift[0] +
           theta * shift[1];
  };
  bool wasFree = false;  // the gap has been positive: laws with dashpots open while the gap is negative
  double theta = 0.0;
  for (int looks = 0; theta < 1.0; ++looks) {
    const double gap = gapAt(theta);
    const bool falls = gapAt(std::min(1.0, theta + kBeside)) < gap;
    if (wasFree && falls && gap <= near) return true;
    wasFree = wasFree || gap > near;
    const double safe = std::max(gap, near) / (fastest * h);
    theta += falls && wasFree && looks < kMost ? safe : std::max(safe, kApart);
  }
  return false;
}

/// Bound of the path length of a step in the norm of GapNorm, from the velocities at three control points.
double upperBoundOfPathLength(const ContactSet& set, const StepEnds& step) noexcept {
  const double* weight = set.gapNorm().modeWeightsOfGapNorm();
  double first = 0.0, middle = 0.0, last = 0.0;
  for (Eigen::Index i = 0; i < set.rowSize(); ++i) {
    const double between =
        LocalCubic{step.q0[i], step.v0[i], step.q1[i], step.v1[i]}.rateAtMiddleControlPoint(step.h);
    first += weight[i] * step.v0[i] * step.v0[i];
    middle += weight[i] * between * between;
    last += weight[i] * step.v1[i] * step.v1[i];
  }
  return step.h * std::sqrt(std::max({first, middle, last}));
}

/// Cubic of a local coordinate of a contact over the step; without `whole`, only its value at the start.
LocalCubic cubicOfCoordinateOverStep(const ContactSet& set, int contact, int axis, const StepEnds& step,
                                     bool whole) noexcept {
  LocalCubic x;
  x.x0 = x.x1 = set.contact(contact).offset[axis];
  const double* row = set.row(contact, axis);
  if (row == nullptr) return x;
  const auto along = [&](const Vector& y) { return kernels::dot(row, y.data(), set.rowSize()); };
  x.x0 += along(step.q0);
  if (!whole) return x;
  x.x1 += along(step.q1);
  x.v0 = along(step.v0);
  x.v1 = along(step.v1);
  return x;
}

}  // namespace

bool doesAnyContactCloseAndOpenWithinStep(const ContactRun& contacts, const StepEnds& step) noexcept {
  const ContactSet& set = contacts.contactSet();
  if (set.size() == 0) return false;
  const double way = upperBoundOfPathLength(set, step);
  for (int i = 0; i < set.size(); ++i) {
    const Contact& contact = set.contact(i);
    const auto index = static_cast<std::size_t>(i);
    if (!hasGap(contact.obstacle) || contact.isTravelling() || contacts.state(index).isClosed() ||
        contacts.trialState(index).isClosed())
      continue;
    LocalMotion start;
    for (int axis = 0; axis < 3; ++axis)
      start.position[static_cast<std::size_t>(axis)] =
          cubicOfCoordinateOverStep(set, i, axis, step, false).x0;
    const double free = gapOfContactAtMotion(contact, start, contacts.time());
    const double least =
        contact.coupled ? std::min(contacts.state(index).gap, contacts.trialState(index).gap) : free;
    if (contact.drift.empty() && least * set.gapNorm().modalDistancePerMetreOfGap(index) > way) continue;
    std::array<LocalCubic, 3> path{};
    for (int axis = 0; axis < 3; ++axis)
      path[static_cast<std::size_t>(axis)] = cubicOfCoordinateOverStep(set, i, axis, step, true);
    std::array<double, 2> shift{};
    if (contact.coupled) {
      LocalMotion end;
      for (std::size_t axis = 0; axis < path.size(); ++axis) end.position[axis] = path[axis].x1;
      const double last = gapOfContactAtMotion(contact, end, contacts.time() + step.h, step.h);
      shift = {contacts.state(index).gap - free, contacts.trialState(index).gap - last};
    }
    if (doesOpenContactCloseInsideStep(contact, path, contacts.time(), step.h, shift)) return true;
  }
  return false;
}

}  // namespace ricochet
