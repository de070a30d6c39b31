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
/// f_1 is found by Broyden's method: C.G. Broyden, Math. Comput. 19 (1965) 577-593. For linear springs it
/// needs as many iterations as there are links, whatever the step. If the method does not converge, as for
/// laws with infinite slopes (|v|^a), the forces are found by bisection one after another: the force of a law
/// that resists the motion decreases as its guess increases. Links with parallel rows, such as two dashpots
/// on one dof, are solved together: only the sum of their forces moves the structure, and each law gives its
/// own share.
class LinkMeans {
 public:
  LinkMeans() = default;
  explicit LinkMeans(const LinkSet& set);

  bool empty() const noexcept { return count_ == 0; }

  /// Begins a step of h [s] with the first guess of the forces f_1.
  void begin(const LinkRun& run, double h) noexcept;

  /// Adds the mean forces of the links to `force`, along their rows.
  void addMeanLinkForcesTo(Vector& force) const noexcept;

  enum class Verdict { found, again, none };
  /// Compares the guess of the forces f_1 with the forces of the trial of `run` after a flight under the mean
  /// forces, and improves the guess. A force found by bisection becomes the force of the trial.
  Verdict correctGuessOfLinkForces(LinkRun& run) noexcept;

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("LinkMeans");
    archive(inverse_, largest_, step_);
  }

 private:
  struct Axis {
    int link;
    std::size_t index;
    const double* row;
    int leader;    ///< index of the first axis with a parallel row
    double share;  ///< factor c: this row = c * row of the leader
  };
  template <class Visitor>
  void forEachLinkAxisInGroup(int leader, const Visitor& visit) const noexcept {
    for (int i = leader; i < count_; ++i)
      if (const Axis& axis = axes_[static_cast<std::size_t>(i)]; axis.leader == leader) visit(i, axis.share);
  }
  double sumForcesAlongGroupRow(int leader, const Vector& forces) const noexcept;
  void distributeForceInLinkGroup(int leader) noexcept;
  void restart() noexcept;
  void updateInverseJacobian() noexcept;
  void beginBisectionOfLinkForces() noexcept;
  void beginBisectionOfNextLinkAxis() noexcept;
  Verdict bisectLinkForces(LinkRun& run) noexcept;

  int count_{0};
  std::vector<Axis> axes_;
  Vector before_, guess_, change_;  // f_0, f_1, the last change of f_1 [N]
  Vector wrong_, wrongBefore_;      // f(motion) - f_1 [N]
  Vector lowForces_, highForces_;   // f(motion) at both ends of a bisection [N]
  Vector image_, shadow_;           // work vectors of `updateInverseJacobian`
  Matrix inverse_;                  // inverse of the derivative of `wrong_` with respect to f_1
  double largest_{0.0};             // largest link force of the run [N]
  double step_{-1.0};               // step for which inverse_ is valid [s]
  int iterations_{0};

  /// Search for the forces along one row with all others fixed, row after row until a sweep changes no force.
  struct Bisection {
    int axis{-1};     ///< row of the present search; -1: Broyden's method is used
    int sweeps{0};    ///< number of completed sweeps
    double low{0.0};  ///< lower bound of the force if `isAbove` [N]
    double high{0.0};
    double reach{0.0};  ///< next distance at which a bound is sought [N]
    double start{0.0};  ///< sum along the row at the start of the search [N]
    bool isAbove{false}, isBelow{false};
    bool changed{false};  ///< this sweep has changed a force
  };
  Bisection bisection_;
};

}  // namespace ricochet
