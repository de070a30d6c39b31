#pragma once

#include "engine/links/link_function.hpp"
#include "engine/links/link_law.hpp"
#include "engine/numerics/field.hpp"

#include <array>
#include <string_view>

namespace ricochet {

/// A stop that is crushed when the spring force reaches a limit. The residual crush never decreases, since
/// the limit rises more slowly than the spring force. The dashpot acts in parallel and does not count in the
/// limit.
struct Crushing {
  static constexpr std::string_view keyword = "crushing";
  static constexpr std::string_view title = "Stop that is crushed";
  static constexpr std::string_view formula =
      "f = max(0, k (p - S) + c p') for p > S, otherwise 0;   p = x - gap\n"
      "S = max(0, P - F(P)/k): no more than F(P) is carried by the spring\n"
      "\n"
      "x   approach of the nodes [m];   P  largest penetration p so far [m]\n"
      "S   penetration that unloading leaves [m]\n"
      "F   limit [N]: straight between its points, constant beyond them\n"
      "f   pushes the nodes apart [N]";
  static constexpr std::string_view source = "law CHOC_ENDO of Code_Aster, R5.03.17, with constant k and c";
  static constexpr std::string_view kEvent = "yield";

  double stiffness{1.0};
  double damping{0.0};
  double gap{0.0};
  LinkFunction limit{};  ///< limit force F [N] over the penetration p >= 0 [m], positive at 0

  static constexpr auto numericParameters() {
    using F = Field<Crushing>;
    return std::array{F{"stiffness", &Crushing::stiffness, "N/m", 0.0, 1.0e5, "stiffness k", Need::positive},
                      F{"damping", &Crushing::damping, "N s/m", 0.0, 0.0, "dashpot c"},
                      F{"gap", &Crushing::gap, "m", 0.0, 0.0, "approach before it pushes"}};
  }
  static constexpr auto deckKeys() {
    return std::array{
        DeckKey::optional("penetration", "m", "[0.0, 0.01, 0.02]", "p of the points of the limit")
            .required()
            .allows(">= 0, increasing"),
        DeckKey::optional("force", "N", "[400, 500, 300]", "F there; slopes below k")
            .required()
            .allows(">= 0, the first > 0")};
  }
  static constexpr auto internalVariables() {
    return std::array{LinkVariable{"largest_crush", "m", "largest penetration so far"},
                      LinkVariable{"residual_crush", "m", "penetration that unloading leaves"},
                      LinkVariable{"crushing", "1", "1 where the last step crushed"}};
  }
  static constexpr std::size_t kLargest = 0, kResidual = 1, kCrushes = 2;
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
    Real residual = Real(from.memory[kResidual]);
    if (const Real left = largest - limit.at(largest) / stiffness; left > residual) residual = left;
    LinkResponse<Real> response;
    response.memory = from.memory;
    response.memory[kLargest] = valueOf(largest);
    response.memory[kResidual] = valueOf(residual);
    if (p > residual) {
      const Real f = stiffness * (p - residual) + damping * to.v[0];
      if (f > Real(0.0)) response.force[0] = f;
    }
    setCrushingEvent(from, response.memory, response.event);
    return response;
  }

  void addEnergiesOfStep(const LinkState& from, LinkState& to) const noexcept;

  LinkBounds slopeBounds(const LinkMotion<double>& /*at*/) const noexcept { return {stiffness, damping}; }

 private:
  void setCrushingEvent(const LinkState& from, std::array<double, kLinkMemory>& memory,
                        double& event) const noexcept;
  double penetrationAtCrushingStart(const std::array<double, kLinkMemory>& memory, double top) const noexcept;
  double springEnergy(double p, double residual) const noexcept;
};

}  // namespace ricochet
