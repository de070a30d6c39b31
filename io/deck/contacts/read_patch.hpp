#pragma once

#include "engine/contact/laws/regularised_coulomb.hpp"
#include "io/deck/read_context.hpp"

namespace ricochet {

struct ContactRequest;
struct FrictionRequest;

/// Reads the elastic stick: stiffness, and damping, which is critical unless the deck says otherwise.
void readStick(const Section& friction, RegularisedCoulomb& law, FrictionRequest& request);

/// Reads the rest of `friction = { law = "patch", ... }` of a contact whose frame and nodes are known:
/// fills request.friction. `coefficients`: mu_s and mu_d, read by the caller.
void readPatchFriction(ReadContext& context, const Section& friction, const RegularisedCoulomb& coefficients,
                       ContactRequest& request);

}  // namespace ricochet
