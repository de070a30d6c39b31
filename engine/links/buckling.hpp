#pragma once

#include "engine/links/link_law.hpp"
#include "engine/numerics/field.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

namespace ricochet {

/// Point of the curve of the residual crush after buckling.
struct CrushPoint {
  double total{0.0};     ///< crush at which the unloading starts [m]
  double residual{0.0};  ///< crush that remains after the unloading [m]
  double damping{0.0};   ///< damping during the unloading [N s/m]
};

/// A stop that buckles: the stop has a force once the nodes have approached by more than `gap`, and keeps a
/// residual crush.
struct Buckling {
  static constexpr std::string_view keyword = "buckling";
  static constexpr std::string_view title = "Stop that buckles";
  static constexpr std::string_view formula =
      "p = x - gap        crush [m];   P = largest p so far;   d = F_c / k\n"
      "E(P) = k P                          P <= d\n"
      "       F_c                          P <= d + plateau\n"
      "       F_c ... F_p, straight        P <= d + plateau + drop\n"
      "       F_p                          beyond\n"
      "f = max(0, K (p - S) + c p'),   K = E / (P - S),   at most E where damping counts in the criterion\n"
      "\n"
      "x   approach of the nodes along the axis [m]\n"
      "f   compression [N]\n"
      "S is what stays of the crush: 0 up to d, then P - d (unloading gives back what the elastic stop "
      "held);\n"
      "beyond the drop it passes through the points (crush_j + F_p/crush_stiffness_j, crush_j) where they "
      "are\n"
      "given, and unloads by the last stiffness after them. c passes from `damping` to crush_damping_j "
      "likewise.\n"
      "It buckles when the force first reaches F_c: k p + c p' where damping counts, k p otherwise.";
  static constexpr std::string_view source = "law FLAMBAGE of Code_Aster, R5.06.03";
  static constexpr std::string_view kEvent = "buckling";

  double stiffness{1.0};
  double damping{0.0};
  double criticalForce{1.0};
  double postBucklingForce{0.0};
  double plateau{0.0};
  double drop{0.0};
  double gap{0.0};
  bool dampingInCriterion{true};
  std::vector<CrushPoint>
      crush{};  ///< points of the residual crush; totals increase, residuals do not decrease

  static constexpr auto numericParameters() {
    using F = Field<Buckling>;
    return std::array{
        F{"stiffness", &Buckling::stiffness, "N/m", 0.0, 1.0e5, "stiffness k before buckling",
          Need::positive},
        F{"damping", &Buckling::damping, "N s/m", 0.0, 0.0, "dashpot c before buckling"},
        F{"critical_force", &Buckling::criticalForce, "N", 0.0, 500.0, "force F_c at which it buckles",
          Need::positive},
        F{"post_buckling_force", &Buckling::postBucklingForce, "N", 0.0, 200.0,
          "force F_p of a crushed stop, at most F_c", Need::required},
        F{"plateau", &Buckling::plateau, "m", 0.0, 0.0, "crush at the critical force"},
        F{"drop", &Buckling::drop, "m", 0.0, 0.0, "crush over which the force falls; 0: at once"},
        F{"gap", &Buckling::gap, "m", 0.0, 0.0, "approach before it pushes"}};
  }
  static constexpr auto deckKeys() {
    return std::array{DeckKey::optional("damping_in_criterion", "-", "false",
                                        "the damping counts in the force at which it buckles")
                          .allows("true, false")
                          .defaultsTo("true"),
                      DeckKey::optional("crush", "m", "[0.004]", "what stays of the crush, point by point")
                          .allows(">= 0, not decreasing")
                          .givenWith("crush_stiffness = [5e4]"),
                      DeckKey::optional("crush_stiffness", "N/m", "[5e4]", "of unloading there")
                          .allows("> 0")
                          .givenWith("crush = [0.004]"),
                      DeckKey::optional("crush_damping", "N s/m", "[0]", "damping there")
                          .allows(">= 0")
                          .defaultsTo("`damping`")
                          .givenWith("crush = [0.004]; crush_stiffness = [5e4]")};
  }
  static constexpr auto internalVariables() {
    return std::array{LinkVariable{"largest_crush", "m", "largest crush so far"},
                      LinkVariable{"residual_crush", "m", "crush that unloading leaves"},
                      LinkVariable{"buckled", "1", "1 once it has buckled"}};
  }
  static constexpr std::size_t kLargest = 0, kResidual = 1, kBuckled = 2;
  static constexpr LinkTraits traits{.work = LinkWork::dissipated};
  static constexpr std::string_view reasonAgainstPowerSeriesOfLaw() noexcept { return ""; }
  std::string_view reasonAgainstSpringInSeries() const noexcept {
    return damping > 0.0 ? "its dashpot makes the force depend on the velocity" : "";
  }
  std::size_t axisCount() const noexcept { return 1; }

  template <class Real>
  LinkResponse<Real> computeResponse(const LinkState& from, const LinkMotion<Real>& to) const noexcept {
    const Real p = to.x[0] - gap;
    const Real largest = largestPenetrationInStep(from.memory[kLargest], gap, from.motion, to);
    const Branch<Real> branch = unloadingBranchAfterCrush(largest);
    LinkResponse<Real> response;
    response.memory = from.memory;
    if (p > branch.residual) {
      Real f = branch.stiffness * (p - branch.residual) + branch.damping * to.v[0];
      if (dampingInCriterion && isDamped() && f > branch.envelope) f = branch.envelope;
      if (f > Real(0.0)) response.force[0] = f;
    }
    response.memory[kLargest] = valueOf(largest);
    response.memory[kResidual] = valueOf(branch.residual);
    setBucklingEvent(from, valueOf(p), valueOf(to.v[0]), response.memory, response.event);
    setForceJump(from, valueOf(largest), valueOf(p), response.jump[0], response.jumpAt);
    return response;
  }

  void addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept;

  LinkBounds slopeBounds(const LinkMotion<double>& at) const noexcept;

 private:
  /// Envelope force, residual crush, stiffness and damping of the unloading line for a largest crush P.
  template <class Real>
  struct Branch {
    Real envelope;
    Real residual;
    Real stiffness;
    Real damping;
  };

  bool isDamped() const noexcept {
    return damping > 0.0 ||
           std::ranges::any_of(crush, [](const CrushPoint& point) { return point.damping > 0.0; });
  }
  double crushDepthAtBuckling() const noexcept { return criticalForce / stiffness; }
  double crushDepthAtDropStart() const noexcept { return crushDepthAtBuckling() + plateau; }
  double crushDepthAtDropEnd() const noexcept { return crushDepthAtDropStart() + drop; }

  template <class Real>
  Branch<Real> unloadingBranchAfterCrush(const Real& largest) const noexcept {
    const double elastic = crushDepthAtBuckling();
    if (largest <= Real(elastic)) return {Real(criticalForce), Real(0.0), Real(stiffness), Real(damping)};
    Branch<Real> branch{Real(postBucklingForce), largest - elastic, Real(0.0), Real(damping)};
    if (largest <= Real(crushDepthAtDropStart()))
      branch.envelope = Real(criticalForce);
    else if (largest < Real(crushDepthAtDropEnd()))
      branch.envelope =
          criticalForce + (postBucklingForce - criticalForce) / drop * (largest - crushDepthAtDropStart());
    else if (!crush.empty())
      interpolateCrushTable(largest, branch);
    branch.stiffness = branch.envelope / (largest - branch.residual);
    return branch;
  }

  /// Interpolates the residual crush and the damping between the points of `crush`.
  template <class Real>
  void interpolateCrushTable(const Real& largest, Branch<Real>& branch) const noexcept {
    CrushPoint before{crushDepthAtDropEnd(), crushDepthAtDropEnd() - crushDepthAtBuckling(), damping};
    for (const CrushPoint& point : crush) {
      if (largest < Real(point.total)) {
        if (point.total > before.total) {
          const Real share = (largest - before.total) / (point.total - before.total);
          branch.residual = before.residual + (point.residual - before.residual) * share;
          branch.damping = before.damping + (point.damping - before.damping) * share;
        }
        return;
      }
      before = point;
    }
    branch.residual = largest - (before.total - before.residual);
    branch.damping = Real(before.damping);
  }

  void setBucklingEvent(const LinkState& from, double p, double rate, std::array<double, kLinkMemory>& memory,
                        double& event) const noexcept;
  void setForceJump(const LinkState& from, double largest, double p, double& jump, double& at) const noexcept;
  double forceOfBucklingCriterion(double p, double rate) const noexcept;
  double envelopeWork(double from, double to) const noexcept;
};

}  // namespace ricochet
