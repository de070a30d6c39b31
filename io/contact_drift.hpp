#pragma once

#include "io/imposed_field.hpp"
#include "io/study.hpp"

namespace ricochet {

/// Adds to a contact what supports that move give to its place: their static modes at its nodes, less the way
/// of the supports that carry its obstacle. Throws InputError (a motion whose displacement or velocity the
/// deck does not give; carriers that turn, or that nothing moves).
void addDrift(const ContactRequest& request, const Study& study, const PhysicalModel& physical,
              const std::vector<ImposedField>& imposed, Contact& contact);

}  // namespace ricochet
