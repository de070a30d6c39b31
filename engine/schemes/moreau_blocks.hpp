#pragma once

#include "engine/contact/impulse/impulse_problem.hpp"
#include "engine/schemes/moreau_followed.hpp"

#include <cmath>

namespace ricochet {

/// A gap below this fraction of the coordinates from which it is computed counts as zero.
inline constexpr double kTouchingGap = 1e-12;

inline bool isNormalForceImposed(const Contact& contact) noexcept { return traitsOf(contact.normal).imposed; }
inline bool isRigidContact(const Contact& contact) noexcept { return traitsOf(contact.normal).setValued; }

/// Gap of a planar obstacle at a coordinate x [m]; normalSignAt gives the direction of its normal at x.
inline double gapAt(const Contact& contact, double x) noexcept {
  return visitPlanarObstacle(contact.obstacle, 0.0, [&](const auto& shape) { return shape.gap(x); });
}
inline double normalSignAt(const Contact& contact, double x) noexcept {
  return visitPlanarObstacle(contact.obstacle, 1.0, [&](const auto& shape) { return shape.normalSign(x); });
}
/// Sign along e1 of the normal of a planar obstacle; 1 for a curved obstacle.
inline double normalSignOf(const Contact& contact, const Touch<double>& touch) noexcept {
  return isCurved(contact.obstacle) ? 1.0 : touch.normal[0];
}

/// Compliances of the blocks of a problem and generalized impulses of its contacts. A contact with a planar
/// obstacle at rest uses the rows of its axes, the first row with the sign of its side. A followed contact
/// combines its rows by the lines of its flight, `L`, which is &FollowedFlight::mean or
/// &FollowedFlight::last.
template <ContactLines FollowedFlight::*L>
class BlockRows {
 public:
  BlockRows(const ContactSet& set, const FollowedFlights& flights) noexcept : set_(set), flights_(flights) {}

  /// Fills the compliance W of the blocks. `between(row, other row)` computes the compliance of two axes;
  /// `known` stores the result for each pair of axes, NaN where a pair is not computed yet.
  template <class F>
  void fillCompliance(ImpulseProblem& problem, Matrix& known, F&& between) const noexcept {
    const auto blocks = problem.blocks();
    for (std::size_t a = 0; a < blocks.size(); ++a)
      for (std::size_t b = 0; b <= a; ++b) {
        if (flights_.empty()) {
          fillComplianceOfPlanarContacts(problem, a, b, known, between);
          continue;
        }
        const ContactLines *first = contactDirectionsOfBlock(blocks[a]),
                           *second = contactDirectionsOfBlock(blocks[b]);
        if (first == nullptr && second == nullptr)
          fillComplianceOfPlanarContacts(problem, a, b, known, between);
        else
          fillComplianceOfFollowedContacts(problem, a, b, first, second, known, between);
      }
  }

  /// f += factor (impulse - before) along the rows of a block.
  void addImpulseOfBlock(const ImpulseBlock& block, const std::array<double, 3>& before, double factor,
                         Vector& f) const noexcept {
    const ContactLines* lines = contactDirectionsOfBlock(block);
    std::array<double, 4> along{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double difference = block.impulse[i] - before[i];
      if (lines == nullptr)
        along[i] = (i == 0 ? block.side : 1.0) * factor * difference;
      else
        for (std::size_t axis = 0; axis < 4; ++axis) along[axis] += factor * difference * (*lines)[i][axis];
    }
    for (int axis = 0; axis < (lines == nullptr ? 3 : set_.axes(block.contact)); ++axis) {
      const double force = along[static_cast<std::size_t>(axis)];
      const double* row = set_.row(block.contact, axis);
      if (row != nullptr && force != 0.0) kernels::addScaled(force, row, f.data(), f.size());
    }
  }

 private:
  const ContactLines* contactDirectionsOfBlock(const ImpulseBlock& block) const noexcept {
    if (flights_.empty()) return nullptr;
    const FollowedFlight* flight = flights_.freeFlightOfContact(block.contact);
    return flight == nullptr ? nullptr : &(flight->*L);
  }

  /// Compliance between an axis of one contact and an axis of another one.
  template <class F>
  double complianceBetweenAxes(int a, int i, int b, int j, Matrix& known, F& between) const noexcept {
    const int axes = flights_.axisCount();
    double& value = known(axes * a + i, axes * b + j);
    if (std::isnan(value)) {
      const double* left = set_.row(a, i);
      const double* right = set_.row(b, j);
      value = left == nullptr || right == nullptr ? 0.0 : between(left, right);
      known(axes * b + j, axes * a + i) = value;
    }
    return value;
  }

  template <class F>
  void fillComplianceOfPlanarContacts(ImpulseProblem& problem, std::size_t a, std::size_t b, Matrix& known,
                                      F& between) const noexcept {
    const ImpulseBlock &first = problem.blocks()[a], &second = problem.blocks()[b];
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        problem.compliance(a, i, b, j) = problem.compliance(b, j, a, i) =
            (i == 0 ? first.side : 1.0) * (j == 0 ? second.side : 1.0) *
            complianceBetweenAxes(first.contact, static_cast<int>(i), second.contact, static_cast<int>(j),
                                  known, between);
  }

  template <class F>
  void fillComplianceOfFollowedContacts(ImpulseProblem& problem, std::size_t a, std::size_t b,
                                        const ContactLines* first, const ContactLines* second, Matrix& known,
                                        F& between) const noexcept {
    const ImpulseBlock &one = problem.blocks()[a], &other = problem.blocks()[b];
    const auto line = [](const ImpulseBlock& block, const ContactLines* lines, std::size_t i) {
      if (lines != nullptr) return (*lines)[i];
      std::array<double, 4> own{};
      own[i] = i == 0 ? block.side : 1.0;
      return own;
    };
    for (std::size_t i = 0; i < 3; ++i) {
      const std::array<double, 4> left = line(one, first, i);
      std::array<double, 4> partial{};  // rates along the axes of the other contact
      for (int p = 0; p < set_.axes(one.contact); ++p)
        for (int q = 0; q < set_.axes(other.contact); ++q)
          if (const double share = left[static_cast<std::size_t>(p)]; share != 0.0)
            partial[static_cast<std::size_t>(q)] +=
                share * complianceBetweenAxes(one.contact, p, other.contact, q, known, between);
      for (std::size_t j = 0; j < (a == b ? i + 1 : 3); ++j)
        problem.compliance(a, i, b, j) = problem.compliance(b, j, a, i) =
            rateAlongContactDirection(line(other, second, j), partial);
    }
  }

  const ContactSet& set_;
  const FollowedFlights& flights_;
};

using FlightRows = BlockRows<&FollowedFlight::mean>;
using ImpactRows = BlockRows<&FollowedFlight::last>;

}  // namespace ricochet
