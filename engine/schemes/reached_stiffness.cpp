#include "engine/schemes/reached_stiffness.hpp"

#include "engine/contact/followed.hpp"
#include "engine/links/link_in_series.hpp"
#include "engine/numerics/dual.hpp"
#include "engine/schemes/integrators.hpp"
#include "engine/schemes/stability.hpp"

#include <algorithm>
#include <cmath>

namespace ricochet {
namespace {

/// Bounds of a law that change with the motion; only laws by formulas have no global bound.
bool doSlopeBoundsDependOnMotion(const AnyLinkLaw& any) noexcept {
  return std::visit(
      []<class L>(const L& law) {
        if constexpr (requires { law.function; }) return law.function.isFormula();
        return requires { law.expression; };
      },
      any);
}

ReachedStiffness::Sum contactStiffnessAboveItsBound(const Contact& contact, const ContactState& s) noexcept {
  if (!s.isClosed()) return {};
  return std::visit(
      [&](const auto& law) -> ReachedStiffness::Sum {
        using D = Dual<2>;
        const NormalKinematics<D> k{.gap = D(s.gap, 0),
                                    .gapRate = D(s.gapRate, 1),
                                    .imposed = D(s.imposed),
                                    .approach = D(s.approach)};
        const D force = law.template force<D>(s.normal, k);
        return {std::max(0.0, -force.slope(0) - law.contactStiffness()),
                std::max(0.0, -force.slope(1) - law.contactDamping())};
      },
      contact.normal);
}

double linkStiffnessAboveItsBound(const Link& link, const LinkState& s) noexcept {
  const double slope = slopeBoundsOfLinkAt(link, s.motion).stiffness;
  return std::isfinite(slope) ? std::max(0.0, slope - link.bounds.stiffness) : 0.0;
}

}  // namespace

ReachedStiffness::ReachedStiffness(const ModalModel& model) {
  const auto& contacts = model.contacts.contacts();
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (traitsOf(contacts[i].normal).stiffens)
      contacts_.push_back({i, contacts[i].rows.topRows(gapAxisCount(contacts[i].obstacle)).squaredNorm()});
  const auto& links = model.links.links();
  for (std::size_t i = 0; i < links.size(); ++i)
    if (doSlopeBoundsDependOnMotion(links[i].law)) links_.push_back({i, links[i].rows.squaredNorm()});
}

ReachedStiffness::Sum ReachedStiffness::stiffnessAboveBounds(const ContactRun& contacts,
                                                             const LinkRun& links) const noexcept {
  Sum before, after;
  const auto add = [](Sum& sum, double mobility, const Sum& slopes) {
    sum.stiffness += mobility * slopes.stiffness;
    sum.damping += mobility * slopes.damping;
  };
  for (const Law& law : contacts_) {
    const Contact& contact = contacts.contactSet().contact(static_cast<int>(law.index));
    add(before, law.mobility, contactStiffnessAboveItsBound(contact, contacts.state(law.index)));
    add(after, law.mobility, contactStiffnessAboveItsBound(contact, contacts.trialState(law.index)));
  }
  for (const Law& law : links_) {
    const int i = static_cast<int>(law.index);
    add(before, law.mobility, {linkStiffnessAboveItsBound(links.linkSet().link(i), links.state(i)), 0.0});
    add(after, law.mobility, {linkStiffnessAboveItsBound(links.linkSet().link(i), links.trialState(i)), 0.0});
  }
  return {std::max(before.stiffness, after.stiffness), std::max(before.damping, after.damping)};
}

ReachedLimit::ReachedLimit(const ModalModel& model, std::string_view scheme, const SchemeOptions& options,
                           double nominalStep)
    : laws_(model) {
  if (laws_.isEmpty()) return;
  constexpr double kUsual = 0.1, kLargest = 0.9;
  const bool limited = hasStableStepLimit(scheme, options);
  StiffnessBounds unit;
  unit.omegaSquared = unit.contact = 1.0;
  const double stable =
      limited ? largestSafeStep(unit, scheme, options) : largestSafeStep(unit, CentralDifference::keyword);
  const StiffnessBounds bounds = stiffnessBounds(model);
  known_ = scheme == KickDrift::keyword ? bounds.contact : bounds.omegaSquared;
  angle_ = std::max(kUsual * stable, nominalStep * std::sqrt(known_));
  if (limited) angle_ = std::min(angle_, kLargest * stable);
}

}  // namespace ricochet
