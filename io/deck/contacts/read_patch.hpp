#pragma once

#include "engine/contact/laws/regularised_coulomb.hpp"
#include "io/deck/read_context.hpp"

namespace ricochet {

struct ContactRequest;
struct FrictionRequest;

/// Reads the elastic stick: its stiffness and its damping; the default damping is critical.
void readElasticStick(const Section& friction, RegularisedCoulomb& law, FrictionRequest& request);

/// Reads the other keys of `friction = { law = "patch", ... }` of a contact whose frame and nodes are known:
/// sets request.friction. `coefficients`: mu_s and mu_d, already read by the caller.
void readPatchFriction(ReadContext& context, const Section& friction, const RegularisedCoulomb& coefficients,
                       ContactRequest& request);

}  // namespace ricochet
