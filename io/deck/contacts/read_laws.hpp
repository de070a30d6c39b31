#pragma once

#include "engine/study/supports.hpp"
#include "io/deck/read_context.hpp"
#include "io/deck/read_parts.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace ricochet {

struct ContactRequest;
struct FrictionRequest;

/// Reads the table `normal` of a contact with this type of obstacle.
void readNormalLaw(ReadContext& context, const Section& contact, const std::string& obstacle,
                   ContactRequest& request);

/// Reads the table `friction` of a contact whose obstacle has already been read.
void readFriction(ReadContext& context, const Section& contact, ContactRequest& request);

/// Reads the key `damping` of an elastic stick: a number, or "critical", which is the default.
double readStickDamping(const Section& friction, FrictionRequest& request);

/// Keywords of all laws in a list: each is a word of the key `law`, also if other keys select the law.
template <class Laws>
std::vector<std::string_view> keywordsOfLaws() {
  std::vector<std::string_view> names;
  Laws::forEach([&names]<class L>() { names.push_back(L::keyword); });
  return names;
}

/// True if the point of a contact may move without inertia, so that a set-valued law may be elastic: a law in
/// series with a spring. The prepared study decides then which schemes support the contact.
bool mayContactMoveWithoutInertia(const ReadContext& context, const ContactRequest& request);

/// Reports a problem if the deck names a scheme that does not support a law with these traits. `yielding`: a
/// contact whose law may be elastic instead (mayContactMoveWithoutInertia).
template <class LawTraits>
void requireSchemeForLaw(const ReadContext& context, const Section& section, std::string_view key,
                         const LawTraits& law, std::string_view remedy = {},
                         const ContactRequest* yielding = nullptr) {
  const SchemeTraits* named =
      context.study.transient ? schemeTraits(context.study.transient->scheme) : nullptr;
  if (named == nullptr || reasonAgainstScheme(*named, law).empty()) return;
  if (yielding != nullptr && mayContactMoveWithoutInertia(context, *yielding)) return;
  requireSuitableScheme(context, section, key,
                        {reasonAgainstScheme(*named, law), schemesWithTraits([&](const SchemeTraits& scheme) {
                           return reasonAgainstScheme(scheme, law).empty();
                         }),
                         remedy});
}

}  // namespace ricochet
