#pragma once

#include "engine/accounts/events.hpp"
#include "engine/contact/contact_set.hpp"
#include "engine/functions/time_function.hpp"
#include "engine/links/links.hpp"
#include "engine/numerics/kernels.hpp"

#include <array>
#include <span>
#include <vector>

namespace ricochet {

/// Part of the motion of a link that does not come from the coordinates, such as that of moving supports:
/// factors times a function of time.
struct LinkDrive {
  TimeFunction displacement{TimeFunction::constant(0.0)};
  TimeFunction velocity{TimeFunction::constant(0.0)};
  std::array<double, kLinkAxes> factors{};
};

/// A link as the engine sees it: a law, and its motion x = rows q + drives(t), of node 1 relative to node 2.
struct Link {
  AnyLinkLaw law{};
  Eigen::Matrix<double, 2, Eigen::Dynamic> rows{};  ///< [kg^-1/2]; the second is zero for one axis
  std::vector<LinkDrive> drives{};
  LinkBounds bounds{};  ///< of its law from where it starts, along each axis

  std::size_t axes() const noexcept {
    return std::visit([](const auto& l) { return l.axes(); }, law);
  }
};

/// The links of a model and their rows, laid out like those of a ContactSet: one row per axis, padded and
/// aligned. Constant during a run and shared by the runs of a batch.
class LinkSet {
 public:
  LinkSet() = default;
  LinkSet(std::vector<Link> links, Eigen::Index modes);

  int size() const noexcept { return static_cast<int>(links_.size()); }
  const Link& link(int i) const { return links_[static_cast<std::size_t>(i)]; }
  const std::vector<Link>& links() const noexcept { return links_; }

  /// Null when no mode moves the link along the axis.
  const double* row(int link, std::size_t axis) const noexcept {
    return pointers_[kLinkAxes * static_cast<std::size_t>(link) + axis];
  }
  Eigen::Index rowSize() const noexcept { return rows_.rows(); }

  LinkMotion<double> motionOf(int link, double t, const Motion& motion) const noexcept;

  /// What drives add to a motion.
  void addDrives(int link, LinkMotion<double>& motion) const noexcept;

  // the pointers follow the storage: copies are made by construction only
  LinkSet(const LinkSet&) = delete;
  LinkSet& operator=(const LinkSet&) = delete;
  LinkSet(LinkSet&&) noexcept = default;
  LinkSet& operator=(LinkSet&&) noexcept = default;
  ~LinkSet() = default;

 private:
  std::vector<Link> links_;
  Matrix rows_;
  std::vector<const double*> pointers_;
};

/// Links of one run: accepted states and a trial, which leaves no trace until `accept`. Every evaluation
/// tries all of them.
class LinkRun {
 public:
  /// `contacts`: how many there are; the events of link i are those of contact `contacts` + i.
  LinkRun(const LinkSet& set, int contacts);

  bool empty() const noexcept { return count_ == 0; }
  const LinkSet& set() const noexcept { return *set_; }

  /// Takes up the motion at the start: a link goes there at once from where it is at rest. Energies begin at
  /// what is stored then.
  void start(double t, const Motion& motion) noexcept;

  /// Takes the states of another run at the same motion, after `start` at it. The numbers of the laws may be
  /// others than in that run.
  void restore(std::span<const LinkState> states) noexcept;

  /// Tries all links at a motion.
  void evaluate(double t, const Motion& motion) noexcept;

  /// What the last trial pushes along rows, after what pushes beside.
  kernels::RowForces forces(const kernels::RowForces& beside) noexcept;

  /// force += generalized forces of the last trial (padded).
  void addForces(double* force) noexcept;

  /// Keeps the trial: accounts, events. `velocity` (padded) takes the impulse that the scheme's quadrature
  /// missed where a force jumped inside the step, as ContactRun::accept. Returns whether there was one.
  bool accept(double h, std::vector<Event>& events, double* velocity) noexcept;

  /// As that of ContactRun.
  void setShareOfJump(double (*share)(double theta) noexcept) noexcept { shareOfJump_ = share; }

  /// A state inside the step that was accepted last, from the one before it.
  LinkState between(int link, double t, const Motion& motion) const noexcept;

  // the same of all links; no allocation when `seen` has the right size
  void view(std::vector<LinkState>& seen) const;
  void viewBetween(double t, const Motion& motion, std::vector<LinkState>& seen) const;

  const LinkState& state(int link) const noexcept { return states_[index(link, current_)]; }
  const LinkState& tried(int link) const noexcept { return states_[index(link, 1 - current_)]; }

  double stored() const noexcept { return sum(&LinkState::stored); }
  double dissipated() const noexcept { return sum(&LinkState::dissipated); }
  double external() const noexcept { return sum(&LinkState::external); }

  /// A link whose event is in the trial: where a step is hard to take; -1: none.
  int changing() const noexcept;

  template <class Archive>
  void persist(Archive& archive) {
    archive.section("LinkRun");
    archive(states_, current_);
  }

 private:
  std::size_t index(int link, int which) const noexcept {
    return static_cast<std::size_t>(which * count_ + link);
  }
  void respond(int link, const LinkMotion<double>& motion, const LinkState& from,
               LinkState& to) const noexcept;
  void account(int link, const LinkState& from, LinkState& to) const noexcept;
  void takeUp(int link, LinkState& taken) const noexcept;
  void record(int link, double h, std::vector<Event>& events) const;
  bool correctJump(int link, double h, double* velocity) const noexcept;
  double sum(double LinkState::*part) const noexcept {
    double total = 0.0;
    for (int i = 0; i < count_; ++i) total += state(i).*part;
    return total;
  }

  const LinkSet* set_;
  int count_;
  int contacts_;
  std::vector<LinkState> states_;  // of all links, twice: accepted and trial; accepting turns them over
  int current_{0};
  std::vector<const double*> rows_;  // of what pushes
  std::vector<double> forces_;
  double (*shareOfJump_)(double) noexcept = [](double) noexcept { return 0.5; };
};

}  // namespace ricochet
