#pragma once

#include "engine/numerics/type_list.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace ricochet::test {

/// The types of a list as googletest needs them: a typed suite runs on all listed types.
template <class List>
struct TypesOf;
template <class... Ts>
struct TypesOf<TypeList<Ts...>> {
  using type = ::testing::Types<Ts...>;
};

/// Names typed tests by the keyword of their type.
struct KeywordName {
  template <class T>
  static std::string GetName(int) {
    return std::string(T::keyword);
  }
};

/// Expects a self-description that the reader, the result file and the manual can use.
template <class T>
void expectSoundFields() {
  EXPECT_FALSE(T::keyword.empty());
  std::vector<std::string_view> names;
  for (const auto& field : T::numericParameters()) {
    EXPECT_FALSE(field.name.empty());
    EXPECT_FALSE(field.unit.empty()) << field.name;
    EXPECT_FALSE(field.meaning.empty()) << field.name;
    EXPECT_GE(field.example, field.lowest) << field.name;
    EXPECT_EQ(std::count(names.begin(), names.end(), field.name), 0) << field.name << " twice";
    names.push_back(field.name);
  }
}

/// Expects different keywords of all types of a list.
template <class List>
void expectDistinctKeywords() {
  std::vector<std::string_view> keywords;
  List::forEach([&]<class T>() { keywords.push_back(T::keyword); });
  std::sort(keywords.begin(), keywords.end());
  EXPECT_EQ(std::adjacent_find(keywords.begin(), keywords.end()), keywords.end());
}

}  // namespace ricochet::test
