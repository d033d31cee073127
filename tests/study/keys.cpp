// SPDX-License-Identifier: MIT
// The table of keys, from which the checks and the docs are made.
#include <algorithm>
#include <set>

#include "campaign/scratch.hpp"
#include "study/keys/key.hpp"
#include "study/keys/key_table.hpp"
#include "study/keys/run_features.hpp"
#include "variability/sources/belief.hpp"

namespace palstudy {
namespace {

TEST(Keys, AreSortedDistinctAndDescribed) {
  const auto& keys = all_keys();
  ASSERT_GT(keys.size(), 40u);
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) {
      EXPECT_LT(keys[i - 1].name, keys[i].name);
    }
    EXPECT_FALSE(keys[i].summary.empty()) << keys[i].name;
    EXPECT_EQ(keys[i].summary.back(), '.') << keys[i].name;
    EXPECT_FALSE(wanted(keys[i]).empty()) << keys[i].name;
  }
}

// Every constant default is a value that its own key would take; design: units stand in the key.
TEST(Keys, DefaultsFitTheirKeys) {
  for (const Key& key : fixed_keys()) {
    if (!key.default_value.empty()) {
      const auto value = parse_toml_value(key.default_value, key.name);
      ASSERT_TRUE(value.has_value()) << key.name;
      EXPECT_NO_THROW((void)check_value(key, *value)) << key.name;
    }
    EXPECT_EQ(key.name.ends_with("_s"), key.unit == "s" && !key.choices.size()) << key.name;
  }
}

// Every key of a run sets a member of its options, but for those whose section sets members from several of them, and
// parameters of what another key chooses.
TEST(Keys, SetAMemberOfTheOptions) {
  std::set<std::string> several = {"cluster.gpus", "cluster.gpus_per_node", "cluster.nodes",
                                   "measure.jobs", "measure.initial",       "policy.system"};
  for (const auto& belief : beliefs().entries()) {
    for (const Param& param : belief.params) several.insert("policy." + param.name);
  }
  for (const Key& key : fixed_keys()) {
    EXPECT_EQ(key.set != nullptr, !key.of_study && !several.contains(key.name)) << key.name;
  }
}

// An independent key may vary among runs with one plan, so that it is set on its own.
TEST(Keys, IndependentKeysSetAMember) {
  for (const Key& key : fixed_keys()) {
    if (key.independent) {
      EXPECT_TRUE(key.set != nullptr) << key.name;
    }
  }
}

// What goes together is asked once for all runs with one plan, so that no key that varies among them asks for a
// feature.
TEST(Keys, AFeatureIsAskedForByNoIndependentKey) {
  for (const FeatureKey& feature : feature_keys()) {
    const Key* key = find_key(feature.key);
    EXPECT_TRUE(key == nullptr || !key->independent) << feature.key;
  }
}

}  // namespace
}  // namespace palstudy
