#pragma once

namespace ricochet {

/// Text of the error of a structure with a motion that neither a mass nor a stiffness determines.
inline constexpr const char* kUndetermined =
    "a motion of the structure has neither mass nor stiffness: hold it, or give it a mass; solids of reduced "
    "integration in a single layer have such motions (C3D20R of CalculiX: take C3D20)";

}  // namespace ricochet
