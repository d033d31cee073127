// SPDX-License-Identifier: MIT
// No input that is kept for other runs leaves out a key of its section.
#include "study/fingerprint.hpp"

#include <set>

#include "campaign/scratch.hpp"
#include "study/keys/key_table.hpp"

namespace palstudy {
namespace {

class Fingerprint : public Scratch {};

/// Every key of the sections that inputs are made from, the failures and the power of nodes among them.
std::vector<Key> keys_of_inputs() {
  std::vector<Key> all;
  for (const Key& key : fixed_keys()) {
    for (const std::string section : {"workload.", "failures.", "power.", "measure."}) {
      if (key.name.starts_with(section)) all.push_back(key);
    }
  }
  return all;
}

/// A value of the key that is not `now`.
TomlValue another(const Key& key, const std::string& now) {
  switch (key.type) {
    case KeyType::integer:
      return TomlValue::of(std::int64_t{now == "7" ? 8 : 7});
    case KeyType::number:
      return TomlValue::of(now == "0.5" ? 0.25 : 0.5);
    case KeyType::boolean:
      return *parse_toml_value(now == "true" ? "false" : "true", "");
    case KeyType::choice:
      return TomlValue::of(key.choices[key.choices[0] == now ? 1 : 0]);
    case KeyType::columns:
      return *parse_toml_value(R"({ submit = "other" })", "");
    default:
      return TomlValue::of(now + "other");
  }
}

// A key is set in a run and read from it again; the word of measure.jobs decides the numbers, which are.
TEST_F(Fingerprint, EveryKeyOfAnInputCanBeRead) {
  for (const Key& key : keys_of_inputs()) EXPECT_EQ(bool(key.read), key.name != "measure.jobs") << key.name;
}

// Each of them with another value is another text, but for the predictor, by which no job is made.
TEST_F(Fingerprint, AnotherValueIsAnotherText) {
  const RunPlan run = read(minimal + "cluster.gpus = 8\nworkload.estimates = \"uniform\"\n").runs.at(0);
  for (const Key& key : keys_of_inputs()) {
    if (!key.read || !key.set) continue;
    RunPlan changed = run;
    key.set(changed, another(key, key.read(run)));
    const std::string section = key.name.substr(0, key.name.find('.'));
    EXPECT_EQ(section_text(changed, section) == section_text(run, section), key.name == "workload.predictor")
        << key.name;
  }
}

// The seed makes no job of a trace that is taken as it is.
TEST_F(Fingerprint, HasNoSeedThatNothingIsDrawnBy) {
  const auto texts = [&](const std::string& more) {
    std::set<std::string> all;
    for (const RunPlan& run : read(minimal + "cluster.gpus = 8\n" + more + "[axes]\nseed = [1, 2]\n").runs) {
      all.insert(section_text(run, "workload"));
    }
    return all.size();
  };
  EXPECT_EQ(texts(""), 1U);
  EXPECT_EQ(texts("workload.estimates = \"uniform\"\n"), 2U);
}

// What a source says that it uses are keys, and each makes another cluster.
TEST_F(Fingerprint, SourcesNameKeysOfTheirs) {
  const RunPlan run = read(minimal + "cluster.gpus = 8\n").runs.at(0);
  for (const auto& source : cluster_sources().entries()) {
    for (const std::string& name : source.make.keys) {
      const Key* key = find_key("cluster." + name);
      ASSERT_NE(key, nullptr) << name;
      RunPlan changed = run;
      key->set(changed, another(*key, value_text(run, key->name)));
      EXPECT_NE(value_text(changed, key->name), value_text(run, key->name));
    }
  }
  EXPECT_THROW((void)value_text(run, "cluster.gpus"), Error) << "nodes are made of several keys";
}

// Parameters of registered things, by type.
TEST_F(Fingerprint, HasTheValuesOfParameters) {
  ParamValues values;
  values.set("a", 0.5);
  values.set("b", std::string("word"));
  EXPECT_EQ(params_text({{.name = "a", .unit = "", .summary = "", .default_value = ""},
                         {.name = "b", .type = ParamType::text, .unit = "", .summary = "", .default_value = ""}},
                        values),
            "\n0.5\nword");
}

}  // namespace
}  // namespace palstudy
