#pragma once

#include "engine/contact/laws/laws.hpp"
#include "engine/contact/obstacles/obstacles.hpp"
#include "engine/numerics/eight.hpp"
#include "engine/numerics/type_list.hpp"

#include <cstddef>
#include <tuple>
#include <utility>

namespace ricochet::batch {

/// Laws with the trait `lanes` (they have a vectorised form). They come first in the list of laws, so that
/// the index of a law is the same in both lists.
template <class T>
struct HasLanes : std::bool_constant<T::traits.lanes> {};

template <class List, class P>
struct InLanesOf;
template <class... Ts, class P>
struct InLanesOf<TypeList<Ts...>, P> {
  using Type = std::tuple<typename Ts::template InLanes<P>...>;
};

template <class... Ts>
constexpr bool areLawsWithLaneFormListedFirst(TypeList<Ts...> /*list*/) {
  bool first = true, isSorted = true;
  ((isSorted = isSorted && (first || !Ts::traits.lanes), first = first && Ts::traits.lanes), ...);
  return isSorted;
}
static_assert(areLawsWithLaneFormListedFirst(Obstacles{}) && areLawsWithLaneFormListedFirst(NormalLaws{}) &&
              areLawsWithLaneFormListedFirst(FrictionLaws{}));

/// The vectorised laws, whose constants differ by lane: P is `Eight` in memory and a pack in a step.
template <class P>
using LaneObstacles = typename InLanesOf<Obstacles::Where<HasLanes>, P>::Type;
template <class P>
using LaneNormalLaws = typename InLanesOf<NormalLaws::Where<HasLanes>, P>::Type;
template <class P>
using LaneFrictionLaws = typename InLanesOf<FrictionLaws::Where<HasLanes>, P>::Type;

/// Copies the constants of a scalar law of the same type to lane `i` of a vectorised law.
template <class Lanes, class Law>
void copyLawToLane(Lanes& lanes, std::size_t i, const Law& law) noexcept {
  constexpr auto to = Lanes::numericParameters();
  constexpr auto from = Law::numericParameters();
  if constexpr (to.size() > 0)
    for (std::size_t k = 0; k < to.size(); ++k) (lanes.*to[k].member).lane[i] = law.*from[k].member;
  constexpr auto switches = choiceParametersOf<Lanes>();
  constexpr auto choices = choiceParametersOf<Law>();
  if constexpr (choices.size() > 0)
    for (std::size_t k = 0; k < choices.size(); ++k)
      (lanes.*switches[k].member).set(i, law.*choices[k].member);
}

/// Loads a vectorised law from memory into registers.
template <class Packed, class Lanes>
Packed loadRegisters(const Lanes& lanes) noexcept {
  Packed law;
  constexpr auto to = Packed::numericParameters();
  constexpr auto from = Lanes::numericParameters();
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    using std::get;
    ((law.*get<k>(to).member = std::decay_t<decltype(law.*get<k>(to).member)>(lanes.*get<k>(from).member)),
     ...);
  }
  (std::make_index_sequence<to.size()>());
  constexpr auto switches = choiceParametersOf<Packed>();
  constexpr auto kept = choiceParametersOf<Lanes>();
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    using std::get;
    ((law.*get<k>(switches).member =
          std::decay_t<decltype(law.*get<k>(switches).member)>(lanes.*get<k>(kept).member)),
     ...);
  }
  (std::make_index_sequence<switches.size()>());
  return law;
}

/// Sets lane `i` of the tuple element that belongs to the law held by the variant; false if this law has no
/// vectorised form.
template <class Tuple, class Variant>
bool copyVariantLawToLane(Tuple& lanes, std::size_t i, const Variant& any) noexcept {
  bool found = false;
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    ((any.index() == k ? (copyLawToLane(std::get<k>(lanes), i, std::get<k>(any)), found = true) : false),
     ...);
  }
  (std::make_index_sequence<std::tuple_size_v<Tuple>>());
  return found;
}

}  // namespace ricochet::batch
