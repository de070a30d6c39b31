#pragma once

#include <cstddef>
#include <type_traits>
#include <variant>

namespace ricochet {

template <class... Ts>
struct TypeList;

namespace detail {

template <class Found, template <class> class Has, class... Rest>
struct Kept {
  using List = Found;
};
template <class... Found, template <class> class Has, class First, class... Rest>
struct Kept<TypeList<Found...>, Has, First, Rest...> {
  using List =
      typename Kept<std::conditional_t<Has<First>::value, TypeList<Found..., First>, TypeList<Found...>>, Has,
                    Rest...>::List;
};

}  // namespace detail

/// A list of interchangeable types (laws, obstacles, schemes). Deck reader, result file, conformance tests
/// and manual iterate over the list, so that a new type needs one file and one name in a list.
template <class... Ts>
struct TypeList {
  using Variant = std::variant<Ts...>;
  static constexpr std::size_t kSize = sizeof...(Ts);
  // std::visit of libstdc++ 12 is inlined up to 11 alternatives; beyond, it uses a table of pointers.
  static_assert(sizeof...(Ts) <= 11, "split the list: std::visit would no longer be inlined in the hot loop");

  /// Calls f.template operator()<T>() for each type T of the list.
  template <class F>
  static constexpr void forEach(F&& f) {
    (f.template operator()<Ts>(), ...);
  }

  /// The list with the type T added in front.
  template <class T>
  using After = TypeList<T, Ts...>;

  /// The types T of the list for which Has<T>::value is true.
  template <template <class> class Has>
  using Where = typename detail::Kept<TypeList<>, Has, Ts...>::List;
};

}  // namespace ricochet
