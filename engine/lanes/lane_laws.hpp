#pragma once

#include "engine/contact/laws/laws.hpp"
#include "engine/contact/obstacles/obstacles.hpp"
#include "engine/numerics/eight.hpp"
#include "engine/numerics/type_list.hpp"

#include <cstddef>
#include <tuple>
#include <utility>

namespace ricochet::batch {

/// The obstacles and laws that have a form whose constants differ by lane, in the order of their lists: P is
/// `Eight` in memory and a pack in a step. Laws behind the last of these in their list have no form in lanes.
template <class P>
using LaneObstacles = std::tuple<NoObstacle, PlaneOf<P>, SlotOf<P>>;
template <class P>
using LaneNormalLaws = std::tuple<LinearPenaltyOf<P>, ImposedForce>;
template <class P>
using LaneFrictionLaws = std::tuple<Frictionless, RegularisedCoulombOf<P>>;

static_assert(std::tuple_size_v<LaneObstacles<double>> == Obstacles::kSize);
static_assert(std::tuple_size_v<LaneNormalLaws<double>> <= SteppedNormalLaws::kSize);
static_assert(std::tuple_size_v<LaneFrictionLaws<double>> <= SteppedFrictionLaws::kSize);

/// Lane `i` of a law takes the constants of another one of its kind.
template <class Lanes, class Law>
void setLane(Lanes& lanes, std::size_t i, const Law& law) noexcept {
  constexpr auto to = Lanes::fields();
  constexpr auto from = Law::fields();
  if constexpr (to.size() > 0)
    for (std::size_t k = 0; k < to.size(); ++k) (lanes.*to[k].member).lane[i] = law.*from[k].member;
  if constexpr (requires { law.tension; }) lanes.tension.set(i, law.tension);
}

/// A law in registers from one in memory.
template <class Packed, class Lanes>
Packed loaded(const Lanes& lanes) noexcept {
  Packed law;
  constexpr auto to = Packed::fields();
  constexpr auto from = Lanes::fields();
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    using std::get;
    ((law.*get<k>(to).member = std::decay_t<decltype(law.*get<k>(to).member)>(lanes.*get<k>(from).member)),
     ...);
  }
  (std::make_index_sequence<to.size()>());
  if constexpr (requires { law.tension; }) law.tension = decltype(law.tension)(lanes.tension);
  return law;
}

/// Sets lane `i` of what the alternative of a variant is called in a tuple of lane laws; false when it has no
/// form in lanes.
template <class Tuple, class Variant>
bool setLaneOf(Tuple& lanes, std::size_t i, const Variant& any) noexcept {
  bool found = false;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((any.index() == k ? (setLane(std::get<k>(lanes), i, std::get<k>(any)), found = true) : false), ...);
  }
  (std::make_index_sequence<std::tuple_size_v<Tuple>>());
  return found;
}

}  // namespace ricochet::batch
