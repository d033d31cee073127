// SPDX-License-Identifier: MIT
#include "core/registry.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "message_of.hpp"

namespace palstudy {
namespace {

using Make = std::function<int()>;

Registry<Make> three() {
  Registry<Make> registry("shape");
  registry.add({"square", "four corners", {}, [] { return 4; }});
  registry.add({"circle", "none", {}, [] { return 0; }});
  registry.add({"triangle", "three corners", {}, [] { return 3; }});
  return registry;
}

TEST(Registry, IsSortedByNameWhateverTheOrderOfAdding) {
  EXPECT_EQ(three().names(), (std::vector<std::string>{"circle", "square", "triangle"}));
}

TEST(Registry, FindsByName) {
  const auto registry = three();
  EXPECT_EQ(registry.at("triangle").make(), 3);
  EXPECT_EQ(registry.at("square").make(), 4);
}

TEST(Registry, AnUnknownNameIsAUsageErrorThatNamesTheNearest) {
  const auto registry = three();
  EXPECT_EQ(message_of(ErrorCode::usage, [&] { (void)registry.at("sqare", "study.toml:3:1"); }),
            "study.toml:3:1: unknown shape \"sqare\"; did you mean \"square\"?\n  known: circle, square, triangle");
  EXPECT_EQ(message_of([&] { (void)registry.at("dodecahedron"); }),
            "unknown shape \"dodecahedron\"\n  known: circle, square, triangle");
}

TEST(Registry, ANameCannotBeTakenTwice) {
  auto registry = three();
  (void)message_of(ErrorCode::fault, [&] { registry.add({"circle", "again", {}, [] { return 1; }}); });
  EXPECT_EQ(registry.at("circle").make(), 0);
}

}  // namespace
}  // namespace palstudy
