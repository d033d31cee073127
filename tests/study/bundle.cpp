// SPDX-License-Identifier: MIT
#include "study/bundle.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/error.hpp"
#include "scratch.hpp"
#include "study/anonymous_text.hpp"
#include "study/bundle_manifest.hpp"

namespace palstudy::test {
namespace {

class BundleStudy : public Scratch {};

// A study in a bundle: its file is inputs/t.csv, but its run has the id and the axis value of the study as it was.
TEST_F(BundleStudy, RunsKeepTheirIds) {
  const char* study = R"([cluster]
gpus = 4
table = "{}"
[workload]
reader = "native"
[axes]
"workload.trace" = ["{}"]
)";
  const auto text = [&](const std::string& table, const std::string& trace) {
    std::string made = study;
    made.replace(made.find("{}"), 2, table);
    return made.replace(made.find("{}"), 2, trace);
  };
  const Study before = parse_study(text("/far/c.csv", "../t.csv"), "study.toml");
  write("study.toml", text("inputs/c.csv", "inputs/t.csv"));
  BundleManifest manifest;
  manifest.digest = "d";
  manifest.inputs = {{"/far/c.csv", "inputs/c.csv", "1", false},
                     {"../t.csv", "inputs/t.csv", "2", false},
                     {"jobs/models.toml", "data/jobs/models.toml", "3", true}};
  write(bundle_manifest_name, manifest_json(manifest));
  const Study after = read_study(dir);
  ASSERT_EQ(after.runs.size(), 1U);
  EXPECT_EQ(after.runs[0].id, before.runs[0].id);
  EXPECT_EQ(after.runs[0].values, before.runs[0].values);
  EXPECT_EQ(after.resolved.substr(after.resolved.find("[workload]")),
            before.resolved.substr(before.resolved.find("[workload]")));
  EXPECT_EQ(after.resolve("../t.csv"), dir / "inputs/t.csv");
  EXPECT_EQ(after.bundled_sha256.at("/far/c.csv"), "1");

  // Where the table's path was taken away the id is another by itself, and the manifest says what it was.
  manifest.inputs[0].written = "inputs/c.csv";
  write(bundle_manifest_name, manifest_json(manifest));
  const std::string without = read_study(dir).runs[0].id;
  EXPECT_NE(without, before.runs[0].id);
  manifest.ids[without] = before.runs[0].id;
  write(bundle_manifest_name, manifest_json(manifest));
  EXPECT_EQ(read_study(dir).runs[0].id, before.runs[0].id);
  EXPECT_EQ(read_study(dir, {"cluster.gpus=8"}).runs[0].id == before.runs[0].id, false) << "another run";
}

TEST_F(BundleStudy, ChangedInputsAreRefused) {
  Study study;
  study.bundled_files["t.csv"] = "inputs/t.csv";
  study.bundled_sha256 = {{"t.csv", "1"}, {"jobs/models.toml", "3"}};
  check_bundled_inputs(study, {{"t.csv", "1"}, {"jobs/models.toml", "another, which is only said"}});
  EXPECT_THROW(check_bundled_inputs(study, {{"t.csv", "2"}}), Error);
}

TEST_F(BundleStudy, ADamagedManifestIsBadData) {
  write(bundle_manifest_name, R"({"format": "palstudy-bundle-1", "inputs": 3})");
  EXPECT_THROW((void)bundle_beside(dir / "study.toml"), Error);
  write(bundle_manifest_name, R"({"format": "palstudy-bundle-1", "inputs": [{"fi)");
  EXPECT_THROW((void)bundle_beside(dir / "study.toml"), Error);
  write(bundle_manifest_name, "somebody else's");
  EXPECT_FALSE(bundle_beside(dir / "study.toml").has_value());
}

// Columns that are read stay; hosts, GPUs and people go; a number is no name.
TEST_F(BundleStudy, TablesWithoutNames) {
  Pseudonyms names("key");
  const std::string csv =
      "gpu_id,node_id,class,score,host,User,note\n0,0,A,1.5,n7,ann,on n7\r\nG-1,1,B,2,n7,,\"x, n7\"\n";
  note_table_names(csv, names);
  const std::string host = names.of("n7");
  EXPECT_EQ(anonymous_table(csv, names), "gpu_id,node_id,class,score,host,User,note\n0,0,A,1.5," + host + "," +
                                             names.of("ann") + ",on " + host + "\r\n" + names.of("G-1") + ",1,B,2," +
                                             host + ",,\"x, " + host + "\"\n");
}

// By its heading, since a table may be called anything; a study or a list without a heading is none.
TEST_F(BundleStudy, ATableIsKnownByItsHeading) {
  EXPECT_TRUE(has_table_heading("job_id,submit_s\n1,2\n"));
  EXPECT_TRUE(has_table_heading("what,User\r\n1,ann\r\n"));
  EXPECT_FALSE(has_table_heading("user\nann\n")) << "one word may be anything";
  EXPECT_FALSE(has_table_heading("# user, host\nname = \"x\"\n"));
  EXPECT_FALSE(has_table_heading("1,2,3\n"));
  EXPECT_FALSE(has_table_heading(""));
}

TEST_F(BundleStudy, PeopleOfACommandLine) {
  Pseudonyms names("key");
  note_people("srun --account=proj9 palstudy run /home/carol-x/s.toml -A proj8", names);
  for (const char* name : {"proj9", "proj8", "carol-x"}) {
    EXPECT_EQ(names.scrub(std::string("for ") + name).find(name), std::string::npos) << name;
  }
}

}  // namespace
}  // namespace palstudy::test
