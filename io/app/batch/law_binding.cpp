#include "io/app/batch/law_binding.hpp"

#include "engine/study/parts/contact_request.hpp"
#include "io/quantities/batch/parameter_path.hpp"

#include <algorithm>
#include <variant>

namespace ricochet {
namespace {

/// The parameter values of a law, in the order of its fields.
template <class Any>
std::vector<double> parameterValuesOfLaw(const Any& any) {
  return std::visit(
      []<class L>(const L& law) {
        std::vector<double> numbers;
        for (const auto& field : L::numericParameters()) numbers.push_back(law.*field.member);
        return numbers;
      },
      any);
}

template <class Any>
void setParameterOfLaw(Any& any, std::size_t index, double value) {
  std::visit(
      [&]<class L>(L& law) {
        const auto fields = L::numericParameters();
        if constexpr (fields.size() > 0) law.*fields[index].member = value;
      },
      any);
}

std::vector<double> parameterValuesOfLaw(const ContactRequest& c, int part) {
  if (part == 0) return parameterValuesOfLaw(c.obstacle);
  return part == 1 ? parameterValuesOfLaw(c.normal) : parameterValuesOfLaw(c.friction.law);
}

bool isSameFunction(const TimeFunction& a, const TimeFunction& b) {
  if (a.formulaOrNull() != nullptr || b.formulaOrNull() != nullptr || a.lastPiece() != b.lastPiece())
    return false;
  for (std::size_t k = 0; k <= a.lastPiece(); ++k) {
    const TimeFunction::Piece p = a.piece(k);
    const TimeFunction::Piece q = b.piece(k);
    if (p.begin != q.begin || p.value != q.value || p.slope != q.slope) return false;
  }
  return true;
}

/// True if two contact requests agree in everything but the parameters of their laws and obstacles, as far as
/// a number in the tables of a contact can change them.
bool areContactsEqualExceptLaws(const ContactRequest& a, const ContactRequest& b) {
  if (a.isFollowed() || b.isFollowed() || !traitsOf(a.normal).numbersOnly) return false;
  if (a.obstacle.index() != b.obstacle.index() || a.normal.index() != b.normal.index() ||
      a.friction.law.index() != b.friction.law.index() || a.friction.patch || b.friction.patch ||
      a.frame != b.frame || a.origin != b.origin || a.tangentScale.first != b.tangentScale.first ||
      a.tangentScale.second != b.tangentScale.second || !traitsOf(a.friction.law).numbersOnly ||
      a.surface.size() != b.surface.size() || !isSameFunction(a.imposedForce, b.imposedForce))
    return false;
  for (std::size_t i = 0; i < a.surface.size(); ++i)
    if (!isSameFunction(a.surface[i].speed, b.surface[i].speed) ||
        a.surface[i].direction.first != b.surface[i].direction.first ||
        a.surface[i].direction.second != b.surface[i].direction.second)
      return false;
  return true;
}

bool doesDifferenceAffectStableStep(const ContactRequest& a, const ContactRequest& b) {
  const auto closed = [](const ContactRequest& request) {
    Contact contact;
    contact.obstacle = request.obstacle;
    contact.normal = request.normal;
    contact.friction = request.friction.law;
    return stiffnessAndDampingOfClosedContact(contact);
  };
  const ClosedContact p = closed(a);
  const ClosedContact q = closed(b);
  return p.normalStiffness != q.normalStiffness || p.normalDamping != q.normalDamping ||
         p.stickStiffness != q.stickStiffness || p.stickDamping != q.stickDamping;
}

/// A number of a contact that differs between two decks: indices of contact, part and field.
struct DeckDifference {
  int contact;
  int part;
  std::size_t field;
  double value;
  auto locationOfDifference() const { return std::tuple(contact, part, field); }
};

/// The numbers that differ between two decks. Empty if anything else than parameters of laws differs, or if
/// one of the differing numbers is not equal to `value`.
std::optional<std::vector<DeckDifference>> deckDifferences(const Deck& base, const Deck& changed,
                                                           double value, bool fixedSteps) {
  std::vector<DeckDifference> found;
  if (base.contacts.size() != changed.contacts.size()) return std::nullopt;
  for (std::size_t i = 0; i < base.contacts.size(); ++i) {
    const ContactRequest& a = base.contacts[i];
    const ContactRequest& b = changed.contacts[i];
    if (!areContactsEqualExceptLaws(a, b)) return std::nullopt;
    if ((fixedSteps || a.friction.criticalDamping) && doesDifferenceAffectStableStep(a, b))
      return std::nullopt;
    for (int part = 0; part < 3; ++part) {
      const std::vector<double> before = parameterValuesOfLaw(a, part);
      const std::vector<double> after = parameterValuesOfLaw(b, part);
      for (std::size_t field = 0; field < before.size(); ++field) {
        if (before[field] == after[field]) continue;
        if (after[field] != value) return std::nullopt;
        found.push_back({static_cast<int>(i), part, field, value});
      }
    }
  }
  return found;
}

}  // namespace

std::optional<LawBindings> LawBindings::bindingsOfParameters(const VariantPlan& plan, bool fixedSteps) {
  LawBindings bindings;
  for (std::size_t p = 0; p < plan.parameterCount(); ++p) {
    if (plan.doesParameterChangeStructure(p)) continue;
    const std::string& path = plan.batchRequest().parameters[p].path;
    if (!path.starts_with("contacts.")) return std::nullopt;
    double lowest = plan.valuesOfVariant(0)[p];
    double highest = lowest;
    for (std::size_t i = 1; i < plan.size(); ++i) {
      lowest = std::min(lowest, plan.valuesOfVariant(i)[p]);
      highest = std::max(highest, plan.valuesOfVariant(i)[p]);
    }
    std::optional<std::vector<DeckDifference>> found[2];
    try {
      for (int side = 0; side < 2; ++side) {
        Document document = plan.documentForVariants();
        const double value = side == 0 ? lowest : highest;
        replaceNumberInDeck(*findNumericValue(document, path), value);
        found[side] =
            deckDifferences(plan.study(), readDeck(plan.study().deckFile, document), value, fixedSteps);
        if (!found[side]) return std::nullopt;
      }
    } catch (const InputError&) {
      return std::nullopt;  // such a parameter is applied by reading the deck of every case
    }
    // a bound that equals the value of the deck shows no difference
    const auto& places = found[0]->size() >= found[1]->size() ? *found[0] : *found[1];
    const auto& others = found[0]->size() >= found[1]->size() ? *found[1] : *found[0];
    if (places.empty()) return std::nullopt;
    const bool agree =
        others.empty() || std::equal(places.begin(), places.end(), others.begin(), others.end(),
                                     [](const DeckDifference& a, const DeckDifference& b) {
                                       return a.locationOfDifference() == b.locationOfDifference();
                                     });
    if (!agree) return std::nullopt;
    for (const DeckDifference& each : places)
      bindings.places_.push_back({p, each.contact, each.part, each.field});
  }
  return bindings;
}

bool LawBindings::applyToContactLaws(std::span<const double> values, ContactSet& contacts) const {
  for (const Place& place : places_) {
    const Contact& contact = contacts.contact(place.contact);
    AnyObstacle obstacle = contact.obstacle;
    AnyNormalLaw normal = contact.normal;
    AnyFrictionLaw friction = contact.friction;
    const double value = values[place.parameter];
    if (place.part == 0) setParameterOfLaw(obstacle, place.field, value);
    if (place.part == 1) setParameterOfLaw(normal, place.field, value);
    if (place.part == 2) setParameterOfLaw(friction, place.field, value);
    contacts.setParameters(place.contact, obstacle, normal, friction);
  }
  for (const Contact& contact : contacts.contacts()) {
    const bool sound = std::visit(
        []<class L>(const L& law) {
          if constexpr (L::traits.coefficients) return law.muStatic >= law.muDynamic;
          return true;
        },
        contact.friction);
    if (!sound) return false;
  }
  return true;
}

}  // namespace ricochet
