#pragma once

#include "io/deck/read_context.hpp"

#include <string>
#include <string_view>

namespace ricochet {

struct ContactRequest;
struct FrictionRequest;

/// Reads `normal` of a contact with this type of obstacle.
void readNormalLaw(ReadContext& context, const Section& contact, const std::string& obstacle,
                   ContactRequest& request);

/// Reads `friction` of a contact whose obstacle has been read.
void readFriction(ReadContext& context, const Section& contact, ContactRequest& request);

/// `damping` of an elastic stick: a number, or "critical", which it is without the key.
double readStickDamping(const Section& friction, FrictionRequest& request);

/// What only schemes that solve for reactions can do, refused with the others by name.
void requireSetValuedScheme(const ReadContext& context, const Section& section, std::string_view key,
                            std::string_view what, std::string_view remedy);

}  // namespace ricochet
