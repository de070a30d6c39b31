#include "verification/cross_check/oracle.hpp"

#include "verification/cross_check/contact_states.hpp"
#include "verification/cross_check/segment.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace ricochet::cross {
namespace {

using enum ContactState;

/// Sign of a series in powers of sqrt(tau) just after zero: the sign of its first coefficient above rounding.
int signOf(const Eigen::RowVectorXd& factors, const Eigen::VectorXd& scale,
           const std::vector<HalfSeries>& series) {
  constexpr double kRounding = 1e-10;
  for (std::size_t j = 0; j < kTerms; ++j) {
    double sum = 0.0, limit = 0.0;
    for (std::size_t k = 0; k < series.size(); ++k) {
      const auto column = static_cast<Eigen::Index>(k);
      sum += factors[column] * series[k][j];
      limit += scale[column] * std::abs(series[k][j]);
    }
    if (std::abs(sum) > kRounding * limit) return sum > 0.0 ? 1 : -1;
  }
  return 0;
}

class Follower {
 public:
  Follower(const RigidSystem& system, const std::vector<double>& instants, const OracleVariant& variant,
           bool withHistory)
      : system_(system), withHistory_(withHistory), seesPlaces_(variant.seesPlaces) {
    snap_ = mostSnap_ = 1e-11 * variant.factor * system.lengthScale;
    rest_ = 1e-11 * variant.factor * system.speedScaleOfSlipRate;
    lastBounce_ = 1e-8 * variant.factor;
    parts_ = variant.parts;
    judgeAt_ = variant.judgeAt;
    run_.times = instants;
    run_.positions.resize(system.size(), static_cast<Eigen::Index>(instants.size()));
    run_.velocities = run_.positions;
    q_ = Eigen::VectorXd::Zero(system.size());
    v_ = system.velocity;
    std::uint64_t word = 12345 + variant.sample;
    const auto random = [&] {
      word = word * 6364136223846793005ULL + 1442695040888963407ULL;
      return static_cast<double>(word >> 11U) * 0x1p-52 - 1.0;
    };
    for (Eigen::Index i = 0; i < q_.size(); ++i) {
      q_[i] += variant.perturbation * system.lengthScale * random();
      v_[i] += variant.perturbation * system.speedScaleOfSlipRate * random();
    }
    for (const RigidSystem::Row& c : system.contacts) gaps_.push_back(c.gap + c.normal.dot(q_));
  }

  /// Replaces the start of the run.
  void startFrom(const Eigen::VectorXd& q, const Eigen::VectorXd& v, double t) {
    q_ = q;
    v_ = v;
    time_ = t;
    for (std::size_t i = 0; i < gaps_.size(); ++i) {
      gaps_[i] = contact(i).gap + contact(i).normal.dot(q_);
      if (std::abs(gaps_[i]) <= snap_) gaps_[i] = 0.0;
    }
  }

  /// Decides the states that follow the present state.
  OracleRun::End judge() {
    if (const auto end = applyImpact()) return *end;
    if (const auto end = findUniqueContactStates()) return *end;
    return OracleRun::End::complete;
  }

  OracleRun run() {
    constexpr int kMostEvents = 3000, kMostStandstills = 20;
    int standstills = 0;
    while (output_ < run_.times.size()) {
      if (++run_.events > kMostEvents) return ended(OracleRun::End::many);
      if (seesPlaces_) snap_ = std::min(mostSnap_, 1e-12 * q_.cwiseAbs().maxCoeff());
      setSmallGapsToZero(system_, snap_, q_, gaps_);
      if (std::ranges::any_of(gaps_, [](double gap) { return gap < 0.0; }))
        return ended(OracleRun::End::lost);
      if (const auto end = applyImpact()) return ended(*end);
      if (const auto end = findUniqueContactStates()) return ended(*end);
      judged_ = time_;
      const double step = advance();
      standstills = step > 1e-13 * system_.duration ? 0 : standstills + 1;
      if (standstills > kMostStandstills) return ended(OracleRun::End::lost);
    }
    return ended(OracleRun::End::complete);
  }

 private:
  const RigidSystem::Row& contact(std::size_t i) const { return system_.contacts[i]; }
  OracleRun ended(OracleRun::End end) {
    run_.end = end;
    // A second motion may have become possible since the states were last checked.
    run_.until = end == OracleRun::End::complete ? system_.duration : judged_;
    return std::move(run_);
  }

  /// Rows n, t of the contacts of a problem, and its matrix G.
  StateProblem problemOf(const std::vector<std::size_t>& which, Eigen::MatrixXd& rows) const {
    StateProblem problem;
    rows.setZero(static_cast<Eigen::Index>(2 * which.size()), system_.size());
    for (std::size_t i = 0; i < which.size(); ++i) {
      const RigidSystem::Row& c = contact(which[i]);
      rows.row(static_cast<Eigen::Index>(2 * i)) = c.normal.transpose();
      if (c.tangent) rows.row(static_cast<Eigen::Index>(2 * i + 1)) = c.tangent->transpose();
      problem.friction.push_back(c.tangent ? c.friction : 0.0);
      problem.hasTangent.push_back(c.tangent.has_value());
      problem.slip.push_back(0.0);
    }
    problem.compliance = rows * system_.inverseMass.asDiagonal() * rows.transpose();
    problem.largestRank = system_.size();
    return problem;
  }

  std::optional<OracleRun::End> applyImpact();
  std::optional<OracleRun::End> findUniqueContactStates();
  bool holds(const StateProblem& problem, const StateCandidate& candidate,
             const std::vector<HalfSeries>& series, const Eigen::VectorXd& scale) const;
  std::vector<Guard> guards() const;
  double advance();

  const RigidSystem& system_;
  bool withHistory_, seesPlaces_;
  OracleRun run_;
  double snap_, mostSnap_, rest_, lastBounce_;
  int parts_;
  double time_{0.0};
  double judged_{0.0};  // last instant at which all combinations were tried and a single motion was possible
  Eigen::VectorXd q_, v_;
  std::vector<double> gaps_, judgeAt_;
  double fastest_{0.0};  // approach velocity [m/s]
  std::size_t output_{0};
  std::vector<std::size_t> resting_;  // contacts that touch with g' = 0
  StateCandidate chosen_;             // states of the contacts in `resting_`
  Eigen::MatrixXd acceleration_;      // q'' per load function
};

/// True if a contact that is closed after an impact has no gap rate, and no slip rate if it sticks.
bool doesContactStayClosed(const StateCandidate& c, std::size_t contact, double limit) {
  const auto n = static_cast<Eigen::Index>(2 * contact);
  return c.states[contact] == open ||
         (std::abs(c.response(n, 0)) <= limit &&
          (slipSign(c.states[contact]) != 0.0 || std::abs(c.response(n + 1, 0)) <= limit));
}

/// Impact of all contacts at the surface, if one of them approaches: Newton's law with Coulomb's law in
/// impulses.
std::optional<OracleRun::End> Follower::applyImpact() {
  std::vector<std::size_t> touching;
  bool approaches = false;
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    if (gaps_[i] != 0.0) continue;
    touching.push_back(i);
    approaches = approaches || contact(i).normal.dot(v_) < -rest_;
  }
  if (!approaches) return std::nullopt;
  Eigen::MatrixXd rows;
  StateProblem problem = problemOf(touching, rows);
  problem.free = rows * v_;
  double speed = 0.0;
  for (std::size_t i = 0; i < touching.size(); ++i) {
    double& rate = problem.free(static_cast<Eigen::Index>(2 * i), 0);
    fastest_ = std::max(fastest_, -rate);
    speed = std::max(speed, std::abs(rate));
    const double rebound = -rate > lastBounce_ * fastest_ ? -rate * contact(touching[i]).restitution : 0.0;
    rate -= std::max(0.0, rebound);
  }
  const double limit = 1e-10 * speed, impulseLimit = limit / problem.compliance.diagonal().maxCoeff();
  std::optional<Eigen::VectorXd> after;
  int best = -1;
  bool unique = true;
  std::string states;
  visitCombinations(problem, [&](const StateCandidate& c) {
    int sticks = 0;
    for (std::size_t i = 0; i < touching.size(); ++i) {
      const auto n = static_cast<Eigen::Index>(2 * i);
      const double p = c.reactions(n, 0), pt = c.reactions(n + 1, 0);
      if (c.states[i] == open ? c.response(n, 0) < -limit : p < -impulseLimit) return;
      if (c.states[i] == stick && std::abs(pt) > problem.friction[i] * p + impulseLimit) return;
      if (slipSign(c.states[i]) * c.response(n + 1, 0) < -limit) return;
      if (c.isInexact && !doesContactStayClosed(c, i, limit)) return;
      sticks += c.states[i] == stick ? 1 : 0;
    }
    const Eigen::VectorXd v = v_ + system_.inverseMass.cwiseProduct(rows.transpose() * c.reactions.col(0));
    if (after && (v - *after).cwiseAbs().maxCoeff() > 1e-6 * std::max(speed, 1e-3 * v_.cwiseAbs().maxCoeff()))
      unique = false;
    if (sticks <= best) return;
    best = sticks;
    after = v;
    if (withHistory_) {
      states.clear();
      for (std::size_t i = 0; i < touching.size(); ++i)
        states += " c" + std::to_string(touching[i]) + "=" +
                  std::string(1, "o.+-fb"[static_cast<std::size_t>(c.states[i])]);
    }
  });
  if (withHistory_)
    run_.history +=
        "t=" + fmt::format("{:.12f}", time_) + " impact " + fmt::format("{:.4g}", speed) + states + "\n";
  if (!after) return OracleRun::End::noSolution;
  if (!unique) return OracleRun::End::notUnique;
  v_ = *after;
  run_.jumps.push_back(time_);
  return std::nullopt;
}

/// True if all inequalities of a combination hold just after the instant, order by order of the series.
bool Follower::holds(const StateProblem& problem, const StateCandidate& candidate,
                     const std::vector<HalfSeries>& series, const Eigen::VectorXd& scale) const {
  const Eigen::VectorXd forces = scale / problem.compliance.diagonal().maxCoeff();
  for (std::size_t i = 0; i < candidate.states.size(); ++i) {
    const auto n = static_cast<Eigen::Index>(2 * i);
    const ContactState state = candidate.states[i];
    if (state == open) {
      if (signOf(candidate.response.row(n), scale, series) < 0) return false;
      continue;
    }
    if (candidate.isInexact && signOf(candidate.response.row(n), scale, series) != 0) return false;
    if (signOf(candidate.reactions.row(n), forces, series) < 0) return false;
    if (!problem.hasTangent[i]) continue;
    if (slipSign(state) == 0.0 && candidate.isInexact &&
        signOf(candidate.response.row(n + 1), scale, series) != 0)
      return false;
    if (state == stick) {
      const Eigen::RowVectorXd limit = problem.friction[i] * candidate.reactions.row(n);
      if (signOf(limit - candidate.reactions.row(n + 1), forces, series) < 0 ||
          signOf(limit + candidate.reactions.row(n + 1), forces, series) < 0)
        return false;
    } else if (slipSign(state) != 0.0 && problem.slip[i] == 0.0) {
      if (signOf(slipSign(state) * candidate.response.row(n + 1), scale, series) < 0) return false;
    }
  }
  return true;
}

/// States of all contacts at the surface without gap rate. Fails unless exactly one motion is possible.
std::optional<OracleRun::End> Follower::findUniqueContactStates() {
  resting_.clear();
  for (std::size_t i = 0; i < gaps_.size(); ++i)
    if (gaps_[i] == 0.0 && contact(i).normal.dot(v_) <= rest_) resting_.push_back(i);
  Eigen::MatrixXd rows;
  StateProblem problem = problemOf(resting_, rows);
  const auto loads = static_cast<Eigen::Index>(system_.forces.size());
  Eigen::MatrixXd freeMotion(system_.size(), loads);
  std::vector<HalfSeries> series;
  for (Eigen::Index k = 0; k < loads; ++k) {
    freeMotion.col(k) = system_.inverseMass.cwiseProduct(system_.forces[static_cast<std::size_t>(k)]);
    series.push_back(system_.functions[static_cast<std::size_t>(k)].seriesAt(time_));
  }
  problem.free = rows * freeMotion;
  for (std::size_t i = 0; i < resting_.size(); ++i) {
    const double slip = rows.row(static_cast<Eigen::Index>(2 * i + 1)).dot(v_);
    problem.slip[i] = std::abs(slip) <= rest_ ? 0.0 : slip;
  }
  acceleration_ = freeMotion;
  chosen_ = {};
  if (resting_.empty()) return std::nullopt;
  const Eigen::VectorXd scale = freeMotion.cwiseAbs().colwise().maxCoeff().transpose();
  int best = -1;
  bool unique = true;
  visitCombinations(problem, [&](const StateCandidate& c) {
    if (!holds(problem, c, series, scale)) return;
    const Eigen::MatrixXd a =
        freeMotion + system_.inverseMass.asDiagonal() * (rows.transpose() * c.reactions);
    if (best >= 0)
      for (Eigen::Index i = 0; i < a.rows(); ++i)
        if (signOf(1e-3 * (a.row(i) - acceleration_.row(i)), scale, series) != 0) unique = false;
    int rank = 0;
    for (ContactState s : c.states) rank += s == open ? 0 : s == stick ? 2 : 1;
    if (c.isInexact) rank = 0;  // true: other reactions for the same motion are preferred
    if (rank <= best) return;
    best = rank;
    acceleration_ = a;
    chosen_ = c;
  });
  if (withHistory_) {
    run_.history += "t=" + fmt::format("{:.12f}", time_);
    for (std::size_t i = 0; i < chosen_.states.size(); ++i)
      run_.history += " c" + std::to_string(resting_[i]) + "=" +
                      std::string(1, "o.+-fb"[static_cast<std::size_t>(chosen_.states[i])]);
    run_.history += "\n";
  }
  if (best < 0) return OracleRun::End::noSolution;
  if (!unique) return OracleRun::End::notUnique;
  return std::nullopt;
}

std::vector<Guard> Follower::guards() const {
  std::vector<Guard> guards;
  const double forces = [&] {
    double largest = 0.0;
    for (std::size_t k = 0; k < system_.forces.size(); ++k)
      largest += system_.forces[k].cwiseAbs().maxCoeff() *
                 std::abs(system_.functions[k].values(0.0, system_.duration).value);
    return std::max(largest, 1e-3 / system_.inverseMass.maxCoeff());
  }();
  std::vector<int> place(gaps_.size(), -1);
  for (std::size_t i = 0; i < resting_.size(); ++i) place[resting_[i]] = static_cast<int>(i);
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const RigidSystem::Row& c = contact(i);
    const int p = place[i];
    const ContactState state = p < 0 ? open : chosen_.states[static_cast<std::size_t>(p)];
    if (state == open) {
      guards.push_back({.constant = gaps_[i],
                        .slope = p < 0 ? c.normal.dot(v_) : 0.0,
                        .factors = acceleration_.transpose() * c.normal,
                        .integrals = 2,
                        .tolerance = p < 0 ? 0.0 : 1e-2 * snap_,
                        .contact = i});
      continue;
    }
    const Eigen::VectorXd normal = chosen_.reactions.row(2 * p).transpose();
    const Eigen::VectorXd tangential = chosen_.reactions.row(2 * p + 1).transpose();
    const auto addForce = [&](const Eigen::VectorXd& factors) {
      guards.push_back({.factors = factors, .integrals = 0, .tolerance = 1e-11 * forces, .contact = i});
    };
    addForce(normal);
    if (!c.tangent || isHeld(state)) continue;  // the traction of a held contact is at its bound throughout
    if (state == stick) {
      addForce(c.friction * normal - tangential);
      addForce(c.friction * normal + tangential);
      continue;
    }
    const double sign = slipSign(state), slip = c.tangent->dot(v_);
    guards.push_back({.constant = std::abs(slip) <= rest_ ? 0.0 : sign * slip,
                      .factors = sign * (acceleration_.transpose() * *c.tangent),
                      .integrals = 1,
                      .tolerance = 1e-2 * rest_,
                      .contact = i});
  }
  return guards;
}

/// Moves to the next event or breakpoint of a load and writes output. Returns the step [s].
double Follower::advance() {
  double longest = std::min(system_.duration - time_, system_.duration / parts_);
  if (const auto next = std::ranges::upper_bound(judgeAt_, time_); next != judgeAt_.end())
    longest = std::min(longest, *next - time_);
  const Segment segment(system_, time_, longest);
  const std::vector<Guard> all = guards();
  int fired = -1;
  const double step = segment.firstRoot(all, fired);
  const auto positionAt = [&](const Eigen::MatrixX3d& x, double tau) {
    return Eigen::VectorXd(q_ + tau * v_ + acceleration_ * x.col(2));
  };
  const bool ends = fired < 0 && time_ + step >= system_.duration * (1.0 - 1e-14);
  for (; output_ < run_.times.size() && (ends || run_.times[output_] <= time_ + step); ++output_) {
    const double tau = std::min(step, run_.times[output_] - time_);
    const Eigen::MatrixX3d x = segment.valuesAt(tau);
    run_.positions.col(static_cast<Eigen::Index>(output_)) = positionAt(x, tau);
    run_.velocities.col(static_cast<Eigen::Index>(output_)) = v_ + acceleration_ * x.col(1);
  }
  const Eigen::MatrixX3d x = segment.valuesAt(step);
  for (std::size_t i = 0; i < gaps_.size(); ++i) {
    const Eigen::VectorXd& n = contact(i).normal;
    gaps_[i] += step * n.dot(v_) + n.dot(acceleration_ * x.col(2));
  }
  for (std::size_t i = 0; i < resting_.size(); ++i)
    if (chosen_.states[i] != open) gaps_[resting_[i]] = 0.0;
  if (fired >= 0 && all[static_cast<std::size_t>(fired)].integrals == 2)
    gaps_[all[static_cast<std::size_t>(fired)].contact] = 0.0;
  q_ = positionAt(x, step);
  v_ += acceleration_ * x.col(1);
  time_ += step;
  return step;
}

}  // namespace

std::vector<double> outputInstants(double duration, int count) {
  std::vector<double> instants;
  for (int i = 1; i <= count; ++i) instants.push_back(i == count ? duration : duration * i / count);
  return instants;
}

OracleRun computeOracleMotion(const RigidSystem& system, const std::vector<double>& instants,
                              const OracleVariant& variant, bool withHistory) {
  return Follower(system, instants, variant, withHistory).run();
}

OracleRun::End judgeState(const RigidSystem& system, const Eigen::VectorXd& q, const Eigen::VectorXd& v,
                          double t) {
  constexpr double kOtherRounding = 1e3;
  Follower follower(system, {}, {.factor = kOtherRounding}, false);
  follower.startFrom(q, v, t);
  return follower.judge();
}

}  // namespace ricochet::cross
