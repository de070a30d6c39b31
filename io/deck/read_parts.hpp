#pragma once

#include "io/deck/read_context.hpp"

namespace ricochet {

/// Readers of the parts of a deck, in the order of reading: a part may refer to parts listed above it. Each
/// reader fills its part of the study and reports problems to the diagnostics.

void readNodes(ReadContext& context);
void readMeshes(
    ReadContext& context);  ///< reads mesh files, with the nodes and groups that the deck can name
void readMatrices(ReadContext& context);  ///< reads models of other codes, with their nodes
void readBeams(ReadContext& context);     ///< reads materials, sections, beams and the nodes of beams
void readGroups(ReadContext& context);
/// The key `spin` [rad/s] of a part that rotates about its axis: 0 without the key, or if the key names a
/// function (`varies`).
struct Spin {
  double speed{0.0};
  bool varies{false};
};
Spin readSpin(const Section& section);
/// Notes that the elements from `first` on have the variable spin of this section, which `readSpins` reads.
void recordVaryingSpin(ReadContext& context, const Section& section, std::size_t first);
void readSpins(ReadContext& context);  ///< reads functions of spins, after functions and run
void readMasses(ReadContext& context);
void readSpringsAndDampers(ReadContext& context);  ///< reads springs and dampers
void recordDofsOfElements(
    ReadContext& context);  ///< determines the dofs that elements give, after all elements
/// True if elements on a node give it a mass along ux, uy and uz.
bool hasNodeMass(const Structure& structure, NodeIndex node);
void readSupports(ReadContext& context);
void readRelations(ReadContext& context);

/// Reads the earlier run of `initial.restart`, before the parts that start at its end.
void readRestart(ReadContext& context);
void readTransient(ReadContext& context);
/// Reads the parameters of the scheme; parameters of an unknown scheme are not checked.
void readScheme(ReadContext& context, const Section& section, bool known, TransientRequest& transient);
/// Schemes that a part of a deck needs.
struct SchemeNeed {
  std::string_view what;               ///< "a rigid contact"
  std::vector<std::string_view> able;  ///< schemes that support the part
  std::string_view remedy{};           ///< remedy other than another scheme
};
/// Reports a problem if the deck names a scheme that does not satisfy the need.
void requireSuitableScheme(const ReadContext& context, const Section& section, std::string_view key,
                           const SchemeNeed& need);
void readDirect(ReadContext& context);
void readFunctions(ReadContext& context);
void readLoads(ReadContext& context);
/// Reads the beams of the key `beam`, each of which begins at the end of the preceding beam. Empty if any is
/// invalid.
std::vector<std::size_t> readBeamPath(const ReadContext& context, const Section& section);
/// Place of a travelling load or contact before the key `start`: on no beam, or at its first place.
enum class BeforeStart : std::uint8_t { isAway, waits };
/// Reads a position along beams: a path, or a speed with the start time and the start position.
TimeFunction readPositionAlongBeams(ReadContext& context, const Section& section, BeforeStart before);
void readInitialState(ReadContext& context);
void readContacts(ReadContext& context);
void readLinks(ReadContext& context);
void readMotions(ReadContext& context);  ///< reads gravity and base motions
/// Reports a problem unless the motion of every base is given as `kind`, which an absolute motion needs.
void requireAbsoluteMotion(const ReadContext& context, const Section& section, std::string_view key,
                           Kinematic kind);

void readBasis(ReadContext& context);
void readOutput(ReadContext& context);
void readWear(const Section& contact, ContactRequest& request);  ///< reads the table `wear` of a contact

}  // namespace ricochet
