#pragma once

#include "physical/types.hpp"
#include "verification/support/units.hpp"

#include <functional>
#include <random>
#include <string>
#include <vector>

namespace ricochet::test {

/// How the same model is written: in other units, turned and moved, its nodes in another order.
struct Writing {
  Units units{};
  Mat3 turn{Mat3::Identity()};
  Vec3 shift{Vec3::Zero()};  ///< [m]
  bool reversed{false};
};

/// Numbers of a sound model, always the same for a seed.
class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  /// Within 12 % of a value.
  double near(double value) { return value * std::uniform_real_distribution<double>(0.88, 1.12)(random_); }

 private:
  std::mt19937 random_;
};

/// A part of a deck, as one writing of it.
struct Part {
  std::string name;
  std::function<std::string(Dice&, const Units&)> text;
};

/// What is registered, as decks write it: inline tables of normal and friction laws (the latter empty without
/// friction), whole [[links]] but for name and nodes.
std::vector<Part> normalParts();
std::vector<Part> frictionParts();
std::vector<Part> linkParts();
/// Keywords of obstacles.
std::vector<std::string> obstacleNames();

/// Two masses on springs in all directions, the first of which flies at an obstacle, or at the second.
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

/// What a run shows at 65 instants, in metres, newtons, global axes of the model before it was turned.
struct Histories {
  std::vector<double> displacement;  ///< and rotation [rad] of both nodes
  std::vector<double> force;         ///< of contact or link: normal force and friction, or force
  int impacts{0};
  bool touched{false};  ///< a force or an impulse has acted
};

/// Runs a deck. Throws InputError where the program refuses it.
Histories runDeck(const std::string& deck, const Writing& writing);

/// Largest difference over the largest value.
double deviation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace ricochet::test
