// SPDX-License-Identifier: MIT
// The table of keys, from which the checks and the docs are made.
#include <algorithm>

#include "campaign/scratch.hpp"
#include "study/keys/key_checks.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {
namespace {

TEST(Keys, AreSortedDistinctAndDescribed) {
  const auto& keys = study_keys();
  ASSERT_GT(keys.size(), 40u);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(keys[i - 1].key, keys[i].key);
    }
    EXPECT_FALSE(keys[i].summary.empty()) << keys[i].key;
    EXPECT_EQ(keys[i].summary.back(), '.') << keys[i].key;
    EXPECT_FALSE(keys[i].wants.empty()) << keys[i].key;
  }
}

// Every constant default is a value that its own key would take; design: units stand in the key.
TEST(Keys, DefaultsFitTheirKeys) {
  for (const auto& spec : fixed_keys()) {
    if (!spec.default_value.empty()) {
      const auto value = parse_toml_value(spec.default_value, spec.name);
      ASSERT_TRUE(value.has_value()) << spec.name;
      EXPECT_NO_THROW((void)check_value(spec, *value)) << spec.name;
    }
    EXPECT_EQ(spec.name.ends_with("_s"), spec.unit == "s" && !spec.choices.size()) << spec.name;
  }
}

}  // namespace
}  // namespace palstudy
