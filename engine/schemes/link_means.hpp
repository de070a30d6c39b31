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
/// found in as many iterations as there are links, at any step.
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
  /// the guess.
  Verdict compare(const LinkRun& run) noexcept;

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("LinkMeans");
    archive(inverse_, largest_, step_);
  }

 private:
  struct Axis {
    int link;
    std::size_t index;
    const double* row;
  };
  void restart() noexcept;
  void improveInverse() noexcept;

  int count_{0};
  std::vector<Axis> axes_;
  Vector before_, guess_, change_;  // f_0, f_1, the last change of f_1 [N]
  Vector wrong_, wrongBefore_;      // f(motion) - f_1 [N]
  Vector image_, shadow_;           // scratch of `improveInverse`
  Matrix inverse_;                  // of the derivative of `wrong_` with respect to f_1
  double largest_{0.0};             // force of the run [N]
  double step_{-1.0};               // [s]
  int iterations_{0};
};

}  // namespace ricochet
