#pragma once

#include "engine/contact/contact_set.hpp"
#include "engine/links/link_set.hpp"

#include <vector>

namespace ricochet {

/// Stored state of the contacts and links at the end of a run, from which another run of the same contacts
/// and links starts.
struct RunMemory {
  /// Allocates memory for the states of all contacts and links of these sets.
  RunMemory(const ContactSet& contactSet, const LinkSet& linkSet)
      : contacts(static_cast<std::size_t>(contactSet.size())),
        areas(contactSet.contacts()),
        followed(contactSet.contacts()),
        links(static_cast<std::size_t>(linkSet.size())) {}
  RunMemory(const ContactRun& contactRun, const LinkRun& linkRun)
      : contacts(contactRun.states()),
        areas(contactRun.acceptedAreaStates()),
        followed(contactRun.followedContacts()) {
    links = linkRun.states();
  }

  /// Passes the stored state to a run that has started at this motion; the totals of that run begin with the
  /// stored values.
  void restoreRuns(ContactRun& contactRun, LinkRun& linkRun, double t, const Motion& motion) const {
    contactRun.restore(contacts, areas, followed);
    setPositionsOfFollowedContacts(contactRun, t, motion);
    contactRun.initialiseContactTotals();
    linkRun.restore(links, t, motion);
  }

  template <class Archive>
  void serialise(Archive& archive) {
    archive.beginSection("RunMemory");
    archive(contacts, areas, followed, links);
    archive.beginSection("end");
  }

  std::vector<ContactState> contacts;
  ContactAreas areas;
  FollowedContacts followed;
  std::vector<LinkState> links;
};

}  // namespace ricochet
