#pragma once

#include "physical/types.hpp"
#include "verification/support/units.hpp"

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace ricochet::test {

/// Variant of the description of a model: other units, another orientation and position, another order of
/// nodes.
struct Writing {
  Units units{};
  Mat3 turn{Mat3::Identity()};
  Vec3 shift{Vec3::Zero()};  ///< [m]
  bool reversed{false};
};

/// Random parameters of a valid model, equal for equal seeds.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  /// A random number within 12 % of a value.
  double randomNumberNear(double value) {
    return value * std::uniform_real_distribution<double>(0.88, 1.12)(random_);
  }

 private:
  std::mt19937 random_;
};

/// Text of a part of a deck in one variant of the description.
struct Part {
  std::string name;
  std::function<std::string(Dice&, const Units&)> text;
};

/// The registered laws as text of a deck: inline tables of normal and friction laws (the latter empty without
/// friction), whole [[links]] except name and nodes.
std::vector<Part> textsOfNormalLaws();
std::vector<Part> textsOfFrictionLaws();
std::vector<Part> textsOfLinkLaws();
/// Keywords of obstacles.
std::vector<std::string> obstacleNames();

/// Two masses on springs in all directions; the first moves towards an obstacle, or towards the second mass.
struct Meeting {
  std::string obstacle;
  Part normal;
  Part friction;
  bool pair{false};
  std::string scheme{"kick_drift"};
  double duration{0.03};
  unsigned seed{1};
};
std::string deckOf(const Meeting& meeting, const Writing& writing);

/// The same masses with a link between them.
struct Linking {
  Part link;
  std::string scheme{"kick_drift"};
  double duration{0.05};
  unsigned seed{1};
};
std::string deckOf(const Linking& linking, const Writing& writing);

/// Recorded quantities of a run at 65 instants, in metres and newtons, in the global axes of the model before
/// its rotation.
struct Histories {
  std::vector<double> displacement;  ///< displacement [m] and rotation [rad] of both nodes
  std::vector<double> force;         ///< normal force and friction of the contact, or force of the link
  int impacts{0};
  bool touched{false};  ///< true: a force or an impulse has acted
};

/// Runs a deck. Throws InputError if the program refuses the deck.
Histories runDeck(const std::string& deck, const Writing& writing);

/// Largest difference of two runs, relative to the largest value.
double relativeDeviationOfRuns(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace ricochet::test
