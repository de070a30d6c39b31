#pragma once

#include "io/deck/read_context.hpp"

namespace ricochet {

/// The parts of a deck, in the order in which they are read: a part may point to what stands above it here.
/// Each fills its place in the study and leaves what is bad to the diagnostics.

void readNodes(ReadContext& context);
void readMeshes(ReadContext& context);    ///< mesh files, their nodes and groups that the deck can name
void readMatrices(ReadContext& context);  ///< models of other codes, and the nodes they make
void readBeams(ReadContext& context);     ///< materials, sections, beams and the nodes that they make
void readGroups(ReadContext& context);
/// The key `spin` [rad/s] of what turns about its axis: 0 without it or if it is a function (`varies`).
struct Spin {
  double speed{0.0};
  bool varies{false};
};
Spin readSpin(const Section& section);
/// The elements from `first` on have the spin of this section, which varies; `readSpins` sees to them.
void noteVaryingSpin(ReadContext& context, const Section& section, std::size_t first);
void readSpins(ReadContext& context);  ///< functions of spins, once functions and the run are read
void readMasses(ReadContext& context);
void readConnectors(ReadContext& context);  ///< springs and dampers
void readSupports(ReadContext& context);
void noteDofs(ReadContext& context);  ///< which dofs there are, once elements and supports are read
void readRelations(ReadContext& context);

void readRestart(
    ReadContext& context);  ///< the earlier run of `initial.restart`: before what starts at its end
void readTransient(ReadContext& context);
/// Parameters of the scheme; of an unknown one nobody can say which it takes.
void readScheme(ReadContext& context, const Section& section, bool known, TransientRequest& transient);
/// What a part of a deck needs of its scheme.
struct SchemeNeed {
  std::string_view what;               ///< "a rigid contact"
  std::vector<std::string_view> able;  ///< the schemes that follow it
  std::string_view remedy{};           ///< what to do instead of taking one of them
};
/// A problem where the deck names a scheme that is not one of those.
void requireScheme(const ReadContext& context, const Section& section, std::string_view key,
                   const SchemeNeed& need);
void readDirect(ReadContext& context);
void readFunctions(ReadContext& context);
void readLoads(ReadContext& context);
void readInitialState(ReadContext& context);
void readContacts(ReadContext& context);
void readLinks(ReadContext& context);
void readMotions(ReadContext& context);  ///< gravity and bases that move
/// A problem unless every base that moves says how, for `kind` of an absolute motion.
void requireAbsoluteMotion(const ReadContext& context, const Section& section, std::string_view key,
                           Kinematic kind);

void readBasis(ReadContext& context);
void readOutput(ReadContext& context);
void readWear(const Section& contact, ContactRequest& request);  ///< `wear` of a contact

}  // namespace ricochet
