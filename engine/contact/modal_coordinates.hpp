#pragma once

#include "engine/contact/contact_set.hpp"

namespace ricochet {

/// Local coordinates of a contact, computed from its dense rows b and the generalized coordinates.
class ModalCoordinates {
 public:
  /// `along`: row product b_0 q, which GapWatch computes for all contacts together.
  ModalCoordinates(const ContactSet& set, int contact, const Motion& motion, double along) noexcept
      : set_(set), contact_(contact), motion_(motion), along_(along) {}

  double position(int axis) const noexcept {
    const double offset = set_.contact(contact_).offset[axis];
    if (axis == 0) return offset + along_;
    const double* row = set_.row(contact_, axis);
    return row == nullptr ? offset : offset + kernels::dot(row, motion_.q, set_.rowSize());
  }
  double rate(int axis) const noexcept { return motion(axis).rate; }
  AxisMotion motion(int axis) const noexcept {
    const double offset = set_.contact(contact_).offset[axis];
    const double* row = set_.row(contact_, axis);
    if (row == nullptr) return {offset, 0.0};
    const kernels::RowMotion along =
        kernels::motionAlongRow(row, motion_.q, motion_.v, motion_.dv, motion_.a, set_.rowSize());
    return {offset + along.displacement, along.velocity};
  }

 private:
  const ContactSet& set_;
  int contact_;
  const Motion& motion_;
  double along_;
};

}  // namespace ricochet
