#include "engine/model/excitation.hpp"

namespace ricochet {

double ExcitationRun::workOfLoadsUpToDisplacement(const Vector& q) noexcept {
  const Eigen::Map<const Vector> from(step_.loadBefore, q.size());
  const Eigen::Map<const Vector> to(step_.load, q.size());
  const Eigen::Map<const Vector> start(step_.qBefore, q.size());
  std::copy_n(q.data(), q.size(), step_.q);
  std::copy_n(step_.workBefore, kLanes, step_.work);
  return 0.5 * (from + to).dot(q - start);
}

std::optional<double> ExcitationRun::addMotionJumps(State& s, double tolerance) {
  std::optional<double> passed;
  jumpInstants_.visitJumpsAtTime(s.time, tolerance, [&](std::size_t jump, double instant) {
    (*jumps_)[jump].addTo(s);
    passed = instant;
  });
  if (passed) std::copy_n(s.q.data(), s.q.size(), step_.qBefore);
  return passed;
}

void ExcitationRun::addLoadJump(double t, Vector& force) noexcept {
  const Eigen::Map<const Vector> load(step_.loadBefore, force.size());
  force -= load;
  computeStartLoad(t);
  force += load;
}

}  // namespace ricochet
