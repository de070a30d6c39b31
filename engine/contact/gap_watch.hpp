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

/// How far the gaps of contacts can move while the generalized displacements do, in a norm that all their
/// rows share:
///
///     |b.(p - q)| <= |b|* |p - q|     |x|^2 = sum of w_i x_i^2,  |b|*^2 = sum of b_i^2/w_i
///
/// (Cauchy-Schwarz), with w_i the sum of the squares of the rows: modes that move no gap do not count.
class GapNorm {
 public:
  GapNorm() = default;
  /// `count` padded rows, one after the other.
  GapNorm(const double* rows, Eigen::Index count, Eigen::Index size);

  /// A further row of a contact: its gap moves by no more than its place along all of its rows.
  struct Further {
    std::size_t contact;
    const double* row;
  };
  GapNorm(const double* rows, Eigen::Index count, Eigen::Index size, std::span<const Further> further);

  const double* weights() const noexcept { return weights_.data(); }

  /// Distance that a gap of a metre stands for, 1/|b|*; infinite when nothing moves it.
  double perMetre(std::size_t i) const noexcept { return perMetre_[i]; }

 private:
  Vector weights_;
  std::vector<double> perMetre_;
};

/// Places b.q of the contacts of a run along their obstacles' axes, computed only where they are needed.
///
/// An open contact sleeps while the motion q stays within a ball that keeps it open for certain: it lies d
/// inside its free interval at the centre, and |q - centre| < d/|b|* - rounding. Nothing is asked of q but
/// that, so stages of a scheme, refused steps and jumps need no care. Where the ball is left all contacts are
/// looked at and it is drawn anew; what is looked at has the bits that looking at all would give.
class GapWatch {
 public:
  /// `count` padded rows one after the other, the first of `all` rows.
  GapWatch(const GapNorm& norm, const double* rows, Eigen::Index count, Eigen::Index size,
           Eigen::Index all = 0);

  /// A contact whose gap depends on more than its first row: the others, numbers of rows, or kNoRow.
  using Further = std::array<Eigen::Index, 2>;
  static constexpr Eigen::Index kNoRow = -1;
  /// Such contacts of a set, looked at with all of their rows; the set tells their gaps.
  void ask(const ContactSet& set);

  // pointers follow the storage
  GapWatch(const GapWatch&) = delete;
  GapWatch& operator=(const GapWatch&) = delete;
  GapWatch(GapWatch&&) noexcept = default;
  GapWatch& operator=(GapWatch&&) noexcept = default;
  ~GapWatch() = default;

  /// Places the contacts at a trial q; the ones returned were looked at, all others are open.
  std::span<const std::size_t> look(const double* q) noexcept {
    return seen(q, kernels::lookAt(next(), q, size_));
  }

  /// The same in two halves: what a kernel has to look at, and what follows from what it returned.
  const kernels::Look& next() const noexcept { return look_; }
  std::span<const std::size_t> seen(const double* q, double squared) noexcept {
    if (!lazy_) {
      if (--rest_ <= 0) return lookAtAll(q, distance(q));
    } else {
      ++looks_;
      if (!(squared < reachSquared_)) [[unlikely]]
        return lookAtAll(q, squared);
    }
    return {awake_.data(), static_cast<std::size_t>(awakeCount_)};
  }

  /// Rows beyond the gaps' that every look takes in from now on.
  void follow(std::span<const std::size_t> rows) noexcept;

  /// rows . q of the last trial and of the accepted instant, 64-byte aligned.
  const double* places() const noexcept { return along_; }
  const double* acceptedPlaces() const noexcept { return acceptedAlong_; }

  /// Looks at all contacts at an accepted q, and from there on until some are seen to be free.
  void start(const double* q) noexcept;

  /// Keeps the last trial.
  void accept() noexcept {
    std::swap(along_, acceptedAlong_);
    look_.products = along_;
    std::swap(kept_, accepted_);
    look_.kept = kept_;
    ++accepts_;
  }

  /// No contact sleeps any more.
  void wakeAll() noexcept;

  /// Interval in which contact i needs no trial: empty unless its accepted state is open.
  void passOver(std::size_t i, const FreeInterval& interval) noexcept { passedOver_[i] = interval; }
  /// The same of a contact whose gap depends on more: it may sleep while it is open.
  void passOverCurved(std::size_t i, bool open) noexcept { openCurved_[i] = open ? 1 : 0; }
  bool isOpenCurved(std::size_t i) const noexcept { return openCurved_[i] != 0; }
  bool isFree(std::size_t i) const noexcept {
    if (openCurved_[i] == 0) return passedOver_[i].contains(along_[i]);
    const Round& round = round_[i];
    const double x = along_[i] + round.first;
    const double y = along_[round.row] + round.second;
    return x * x + y * y < round.square || isFreeCurved(i);
  }
  /// Gap at the accepted instant of a contact that is passed over as curved.
  double acceptedGap(std::size_t i) const noexcept;

  double along(std::size_t i) const noexcept { return along_[i]; }
  /// At the accepted instant; of a contact that was looked at in the last trial.
  double acceptedAlong(std::size_t i) const noexcept { return acceptedAlong_[i]; }
  /// The trial is where the accepted instant is.
  void stay(std::size_t i) noexcept;

  /// Wakes all contacts: who looks at them changes no bits, and where they stand is then all there is.
  template <class Archive>
  void persist(Archive& archive) {
    archive.section("GapWatch");
    wakeAll();
    archive.array(along_, places_.rows());
    archive.array(acceptedAlong_, places_.rows());
    archive(passedOver_);
  }

 private:
  std::span<const std::size_t> lookAtAll(const double* q, double squared) noexcept;
  void lookAtRows(const double* q) noexcept;
  void findRound() noexcept;
  double distance(const double* q) noexcept;
  void wake(std::size_t i) noexcept;
  bool drawBall(double least, double rounding) noexcept;
  double depth(std::size_t i) const noexcept;
  bool isFreeCurved(std::size_t i) const noexcept;
  template <class Visit>
  void forFurther(std::size_t i, Visit&& visit) const noexcept {
    if (further_.empty()) return;
    for (const Eigen::Index row : further_[i])
      if (row != kNoRow) visit(row);
  }
  void list() noexcept;

  const GapNorm* norm_;
  const double* rows_;
  Eigen::Index count_;
  Eigen::Index size_;
  Matrix places_;                         // of all rows, at the trial and at the accepted instant
  double* along_;                         // b.q at the trial
  double* acceptedAlong_;                 // and at the accepted instant; these two for the awake only
  std::vector<FreeInterval> passedOver_;  // b.q of an accepted open contact that needs no trial; else empty

  const ContactSet* set_{nullptr};
  std::vector<char> openCurved_;
  std::vector<Further> further_;  // of every contact; empty if there are none

  /// A contact in a round hole is open for certain while (x, y) is nearer to the centre than this.
  struct Round {
    double first{0.0}, second{0.0};  ///< offset [m]
    double square{0.0};              ///< [m^2]; 0: not known
    double clearance{0.0};           ///< of the hole [m]
    std::size_t row{0};              ///< of y
  };
  std::vector<Round> round_;

  std::vector<std::size_t> awake_;  // in order, then the rows that are followed, then their further rows
  Eigen::Index awakeCount_;
  std::vector<std::size_t> followed_;
  std::size_t followedCount_{0};
  std::vector<long> asleepSince_;  // the number of accepted steps then; kAwake
  static constexpr long kAwake = -1;
  bool lazy_{false};
  double reachSquared_{0.0};
  long looks_{0};  // since the ball was drawn
  long rest_{0};   // looks at all contacts until a ball is tried again
  long accepts_{0};

  Matrix storage_;  // centre of the ball, q of the trial and of the accepted instant
  double* kept_;
  double* accepted_;
  kernels::Look look_;
};

}  // namespace ricochet
