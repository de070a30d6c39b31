#pragma once

#include "verification/cross_check/model.hpp"

#include <Eigen/Core>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace ricochet::cross {

/// Penalty law that replaces the rigid normal law of all contacts.
struct Penalty {
  double stiffness{0.0};  ///< [N/m]
  double damping{0.0};    ///< [N s/m]
};

/// Required displacement of a body, as a check of the deck.
struct ExpectedValue {
  int body{0};
  int component{0};  ///< 0 to 5: ux uy uz rx ry rz
  double time{0.0};
  double value{0.0};
  double tolerance{0.0};
  const char* source{"contact states enumerated, one motion holds; loads integrated in closed form"};
};

/// Displacements of all bodies at every fourth of `count` instants and the last one, as checks. `positions`:
/// degrees of freedom x instants; `tolerances`: one per instant.
std::vector<ExpectedValue> expectedValues(const ContactModel& model, const Eigen::MatrixXd& positions,
                                          const std::vector<double>& instants,
                                          const std::vector<double>& tolerances, std::size_t count);

struct DeckChoice {
  std::string title{"Rigid bodies on contacts"};
  std::string scheme{"event"};
  double step{0.0};  ///< step [s]; 0: no step in the deck
  std::optional<Penalty> penalty{};
  std::vector<ExpectedValue> expected{};
  bool checkGaps{false};  ///< true: checks of penetrations and of the energy balance
};

/// Writes a model as a deck with all digits of its numbers.
std::string deckOf(const ContactModel& model, const DeckChoice& choice);

}  // namespace ricochet::cross
