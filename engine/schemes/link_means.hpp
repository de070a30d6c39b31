#pragma once

#include "engine/links/link_set.hpp"
#include "engine/numerics/state.hpp"

#include <vector>

namespace ricochet {

/// Mean forces of links over a step of a scheme whose force is constant within steps. With f_0, f_1 the
/// forces of the laws at both ends of the step,
///
///     mean = (f_0 + f_1)/2,      f_1 = f(motion at the end under these means)
///
/// f_1 is found by Broyden's method: C.G. Broyden, Math. Comput. 19 (1965) 577-593. A linear spring is
/// found in as many iterations as there are links, at any step. Where the method does not converge, as for
/// laws with infinite slopes (|v|^a), one force after the other is found by bisection: the force of a law
/// that resists the motion falls as its guess grows. Links with parallel rows, as two dashpots on one dof,
/// are found together: only their sum moves the structure, and each takes what its law gives there.
class LinkMeans {
 public:
  LinkMeans() = default;
  explicit LinkMeans(const LinkSet& set);

  bool empty() const noexcept { return count_ == 0; }

  /// Begins a step of h [s]: the first guess of f_1.
  void begin(const LinkRun& run, double h) noexcept;

  /// force += the mean forces along the rows of the links.
  void addTo(Vector& force) const noexcept;

  enum class Verdict { found, again, none };
  /// Compares the guess with the forces of the trial of `run`, of the flight under the means, and improves
  /// the guess. What bisection has found becomes the force of the trial.
  Verdict compareForces(LinkRun& run) noexcept;

  template <class Archive>
  void persist(Archive& archive) {
    archive.beginSection("LinkMeans");
    archive(inverse_, largest_, step_);
  }

 private:
  struct Axis {
    int link;
    std::size_t index;
    const double* row;
    int leader;    ///< first axis with a parallel row
    double share;  ///< this row = share * row of the leader
  };
  template <class Visitor>
  void forGroup(int leader, const Visitor& visit) const noexcept {
    for (int i = leader; i < count_; ++i)
      if (const Axis& axis = axes_[static_cast<std::size_t>(i)]; axis.leader == leader) visit(i, axis.share);
  }
  double sumAlong(int leader, const Vector& forces) const noexcept;
  void shareForce(int leader) noexcept;
  void restart() noexcept;
  void improveInverse() noexcept;
  void beginBisection() noexcept;
  void bisectNextAxis() noexcept;
  Verdict bisectForces(LinkRun& run) noexcept;

  int count_{0};
  std::vector<Axis> axes_;
  Vector before_, guess_, change_;  // f_0, f_1, the last change of f_1 [N]
  Vector wrong_, wrongBefore_;      // f(motion) - f_1 [N]
  Vector lowForces_, highForces_;   // f(motion) at both ends of a bisection [N]
  Vector image_, shadow_;           // scratch of `improveInverse`
  Matrix inverse_;                  // of the derivative of `wrong_` with respect to f_1
  double largest_{0.0};             // force of the run [N]
  double step_{-1.0};               // [s]
  int iterations_{0};

  /// Search for the force along one row, the others held, row after row until a sweep changes none.
  struct Bisection {
    int axis{-1};     ///< -1: Broyden's method
    int sweeps{0};    ///< completed
    double low{0.0};  ///< a guess that is too small, if `isAbove`
    double high{0.0};
    double reach{0.0};  ///< next distance in which a bound is looked for [N]
    double start{0.0};  ///< sum along the row at the start of the search [N]
    bool isAbove{false}, isBelow{false};
    bool changed{false};  ///< a force of this sweep
  };
  Bisection bisection_;
};

}  // namespace ricochet
