#pragma once

#include "engine/contact/obstacles/planar.hpp"
#include "engine/numerics/kernels.hpp"
#include "engine/numerics/state.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace ricochet {

class ContactSet;

/// Bound of the change of gaps for a change of the generalized displacements, in a norm that all rows b
/// share:
///
///     |b.(p - q)| <= |b|* |p - q|     |x|^2 = sum of w_i x_i^2,  |b|*^2 = sum of b_i^2/w_i
///
/// (Cauchy-Schwarz), with w_i the sum over rows of b_i^2: modes that move no gap have no influence.
class GapNorm {
 public:
  GapNorm() = default;
  /// Takes `count` padded rows of length `size` that follow each other in memory.
  GapNorm(const double* rows, Eigen::Index count, Eigen::Index size);

  /// Row of a second or third axis of a contact with a curved obstacle: its gap changes by at most the
  /// displacement of the contact point along all of its rows.
  struct Further {
    std::size_t contact;
    const double* row;
  };
  GapNorm(const double* rows, Eigen::Index count, Eigen::Index size, std::span<const Further> further);

  const double* modeWeightsOfGapNorm() const noexcept { return weights_.data(); }

  /// Distance in the norm that changes the gap of contact i by at most one metre, 1/|b|*; infinite if no mode
  /// moves the gap.
  double modalDistancePerMetreOfGap(std::size_t i) const noexcept { return perMetre_[i]; }

 private:
  Vector weights_;
  std::vector<double> perMetre_;
};

/// Local coordinates b.q of the contacts of a run, computed only for contacts that can close.
///
/// An open contact is skipped ("asleep") while q stays in a ball in which the contact remains open: at the
/// centre of the ball b.q is a distance d inside the free interval, and |q - centre| < d/|b|* - rounding. The
/// condition depends on q only, so stages of a scheme, refused steps and velocity jumps need no special
/// treatment. When q leaves the ball, all contacts are evaluated and a new ball is determined; computed
/// values have the bits of an evaluation of all contacts.
class GapWatch {
 public:
  /// Takes `count` padded rows of the gap direction, which follow each other in memory and are the first of
  /// `all` rows.
  GapWatch(const GapNorm& norm, const double* rows, Eigen::Index count, Eigen::Index size,
           Eigen::Index all = 0);

  /// Indices of the rows of the second and third axis of a contact whose gap depends on them, or kNoRow.
  using Further = std::array<Eigen::Index, 2>;
  static constexpr Eigen::Index kNoRow = -1;
  /// Registers the contacts of a set whose gaps depend on several rows; the set computes their gaps.
  void registerContactsWithSeveralRows(const ContactSet& set);

  // A copy would keep pointers into the places_ and storage_ of the original.
  GapWatch(const GapWatch&) = delete;
  GapWatch& operator=(const GapWatch&) = delete;
  GapWatch(GapWatch&&) noexcept = default;
  GapWatch& operator=(GapWatch&&) noexcept = default;
  ~GapWatch() = default;

  /// Computes b.q of the awake contacts at a trial q and returns their indices; all others are open.
  std::span<const std::size_t> evaluateGaps(const double* q) noexcept {
    return completeTrialGaps(q, kernels::computeRowProductsAndDistance(rowsMultipliedByKernel(), q, size_));
  }

  /// `evaluateGaps` in two parts: `rowsMultipliedByKernel` lists the rows that a kernel multiplies,
  /// `completeTrialGaps` completes the trial with the squared distance that the kernel returned.
  const kernels::Look& rowsMultipliedByKernel() const noexcept { return look_; }
  std::span<const std::size_t> completeTrialGaps(const double* q, double squared) noexcept {
    if (!lazy_) {
      if (--rest_ <= 0) return evaluateAllGaps(q, computeProductsAndDistance(q));
    } else {
      ++looks_;
      if (!(squared < reachSquared_)) [[unlikely]]
        return evaluateAllGaps(q, squared);
    }
    return {awake_.data(), static_cast<std::size_t>(awakeCount_)};
  }

  /// Sets additional rows (of held contacts) whose products every trial computes.
  void setRowsOfStickBatch(std::span<const std::size_t> rows) noexcept;

  /// Displacements b.q along the rows at the last trial and at the accepted instant, 64-byte aligned.
  const double* trialDisplacementsAlongRows() const noexcept { return along_; }
  const double* acceptedDisplacementsAlongRows() const noexcept { return acceptedAlong_; }

  /// Evaluates all contacts at an accepted q, and again at every following trial until some contacts can be
  /// skipped.
  void start(const double* q) noexcept;

  /// Makes the last trial the accepted one.
  void acceptStep() noexcept {
    std::swap(along_, acceptedAlong_);
    look_.products = along_;
    std::swap(kept_, accepted_);
    look_.kept = kept_;
    ++accepts_;
  }

  /// Ends the skipping of all contacts.
  void stopSkippingGapsOfContacts() noexcept;

  /// Sets the interval of b.q in which contact i needs no evaluation: empty unless the accepted state is
  /// open.
  void setContactFreeInterval(std::size_t i, const FreeInterval& interval) noexcept {
    passedOver_[i] = interval;
  }
  /// Allows a contact whose gap depends on several rows to be skipped while it is open.
  void allowSkippingCurvedContact(std::size_t i, bool open) noexcept { openCurved_[i] = open ? 1 : 0; }
  bool canSkipCurvedContact(std::size_t i) const noexcept { return openCurved_[i] != 0; }
  bool isContactCertainlyOpen(std::size_t i) const noexcept {
    if (openCurved_[i] == 0) return passedOver_[i].contains(along_[i]);
    const Round& round = round_[i];
    const double x = along_[i] + round.first;
    const double y = along_[round.row] + round.second;
    return x * x + y * y < round.square || isCurvedGapOpen(i);
  }
  /// Gap at the accepted instant of an open contact with a curved obstacle.
  double acceptedGap(std::size_t i) const noexcept;

  double rowProduct(std::size_t i) const noexcept { return along_[i]; }
  /// b_0 q at the accepted instant; valid for contacts that the last trial evaluated.
  double acceptedCoordinateAlongGapRow(std::size_t i) const noexcept { return acceptedAlong_[i]; }
  /// Copies the accepted coordinates of contact i to the trial.
  void copyAcceptedToTrial(std::size_t i) noexcept;

  /// Evaluates all contacts first: which contacts are skipped changes no bits of the results, and then only
  /// the coordinates need to be written.
  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("GapWatch");
    stopSkippingGapsOfContacts();
    archive.transferArray(along_, places_.rows());
    archive.transferArray(acceptedAlong_, places_.rows());
    archive(passedOver_);
  }

 private:
  std::span<const std::size_t> evaluateAllGaps(const double* q, double squared) noexcept;
  void computeAllRowProducts(const double* q) noexcept;
  void findCircularHoles() noexcept;
  double computeProductsAndDistance(const double* q) noexcept;
  void stopSkippingGapOfContact(std::size_t i) noexcept;
  bool findBallWhereGapsStayOpen(double least, double rounding) noexcept;
  double modalDistanceToClosing(std::size_t i) const noexcept;
  bool isCurvedGapOpen(std::size_t i) const noexcept;
  template <class Visit>
  void visitAdditionalRowsOfContact(std::size_t i, Visit&& visit) const noexcept {
    if (further_.empty()) return;
    for (const Eigen::Index row : further_[i])
      if (row != kNoRow) visit(row);
  }
  void listRowsToEvaluate() noexcept;

  const GapNorm* norm_;
  const double* rows_;
  Eigen::Index count_;
  Eigen::Index size_;
  Matrix places_;          // products of all rows, column 0: trial, column 1: accepted instant
  double* along_;          // b.q at the trial, for awake contacts
  double* acceptedAlong_;  // b.q at the accepted instant, for awake contacts
  // interval of b.q for which an open contact needs no trial; else empty
  std::vector<FreeInterval> passedOver_;

  const ContactSet* set_{nullptr};
  std::vector<char> openCurved_;
  std::vector<Further> further_;  // one entry per contact; empty if no gap depends on several rows

  /// A contact in a round hole is open while x^2 + y^2 < square.
  struct Round {
    double first{0.0}, second{0.0};  ///< offsets of the axis from the centre [m]
    double square{0.0};              ///< see above [m^2]; 0: the obstacle is no round hole
    double clearance{0.0};           ///< radial clearance of the hole [m]
    std::size_t row{0};              ///< index of the row of the second coordinate y
  };
  std::vector<Round> round_;

  std::vector<std::size_t> awake_;  // awake contacts, then followed rows, then rows of the other axes
  Eigen::Index awakeCount_;
  std::vector<std::size_t> followed_;
  std::size_t followedCount_{0};
  // Number of accepted steps when evaluations of the contact were first left out, or kAwake.
  std::vector<long> asleepSince_;
  static constexpr long kAwake = -1;
  bool lazy_{false};
  double reachSquared_{0.0};
  long looks_{0};  // number of evaluations since the ball was determined
  long rest_{0};   // evaluations of all contacts until a ball is tried again
  long accepts_{0};

  Matrix storage_;  // columns: centre of the ball, q of the trial, q of the accepted instant
  double* kept_;
  double* accepted_;
  kernels::Look look_;
};

}  // namespace ricochet
