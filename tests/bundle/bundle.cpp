// SPDX-License-Identifier: MIT
#include "bundle/bundle.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "archive/write_records.hpp"
#include "bundle/anonymous_copy.hpp"
#include "bundle/data_source.hpp"
#include "bundle/verification.hpp"
#include "campaign/scratch.hpp"
#include "core/error.hpp"
#include "core/files.hpp"
#include "study/bundle_manifest.hpp"
#include "study/data_dir.hpp"

namespace palstudy::test {
namespace {

class BundleStudy : public Scratch {
 protected:
  /// The archive a.h5 of two classes on eight GPUs, with its inputs beside it.
  void archive(const std::string& table = "c.csv", const std::string& trace = "jobs.csv") const {
    std::string rows = "host,gpu_id,node_id,class,score\n";
    for (const char* cls : {"A", "B"}) {
      for (int gpu = 0; gpu < 8; ++gpu) rows += fmt::format("[h{}],{},{},{},1\n", gpu / 4, gpu, gpu / 4, cls);
    }
    write(table, rows);
    write(trace, "job_id,submit_s,num_gpus,iterations,iteration_s,class\n0,0,2,1000,1,A\n1,10,1,2000,1,B\n");
    const Study study = read(
        fmt::format("workload.reader = \"native\"\ncluster.table = \"{}\"\ncluster.gpus = 8\naxes.\"workload.trace\" = "
                    "[\"{}\"]\npolicy.placement = \"packed-sticky\"\nstudy.name = \"secret\"\nstudy.title = \"by "
                    "ann\"\nstudy.question = \"is bob slow?\"\n",
                    table, trace));
    Inputs inputs(study);
    (void)inputs.check();
    Provenance from;
    from.resolved_study = study.resolved;
    from.study_name = study.name;
    from.study_title = study.title;
    from.study_question = study.question;
    from.study_folder = dir.string();
    from.input_sha256 = inputs.sha256();
    write_archive(dir / "a.h5", simulate_all(study), {}, from);
    ASSERT_EQ(verify_file(dir / "a.h5").findings, Found{});
  }
};

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
  EXPECT_EQ(after.bundled.sha256.at("/far/c.csv"), "1");

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

// Columns that are read stay; the texts of every other column are numbered; a number is no name, but that of a user.
TEST_F(BundleStudy, TablesWithoutNames) {
  const std::string csv =
      "gpu_id,node_id,class,score,host,User,note\n0,0,A,1.5,n7,4711,on n7\r\nG-1,1,B,2,n3,,\"x, n7\"\n";
  NumberedNames names;
  (void)anonymous_records(csv, names);
  names.number();
  EXPECT_EQ(
      anonymous_records(csv, names),
      "gpu_id,node_id,class,score,host,User,note\n0,0,A,1.5,host-2,user-1,note-1\ngpu_id-1,1,B,2,host-1,,note-2\n");
}

// Philly's log: virtual clusters, states and times are read, users and hosts are not.
TEST_F(BundleStudy, RecordsWithoutNames) {
  const std::string json =
      R"([{"vc": "ee9e8c", "user": "mallory", "attempts": [{"detail": [{"ip": "m7", "gpus": ["gpu0", "gpu1"]}]}]}])";
  NumberedNames names;
  (void)anonymous_records(json, names);
  names.number();
  const std::string made = anonymous_records(json, names);
  for (const char* name : {"mallory", "m7"}) EXPECT_EQ(made.find(name), std::string::npos) << made;
  for (const char* kept : {"ee9e8c", "user-1", "ip-1", "gpu0", "gpu1"}) EXPECT_NE(made.find(kept), std::string::npos);
}

// By its heading, since a table may be called anything; a study or a list without a heading is none.
TEST_F(BundleStudy, ATableIsKnownByItsHeading) {
  NumberedNames names;
  for (const char* table : {"job_id,submit_s\n1,2\n", "what,User\r\n1,ann\r\n"}) {
    EXPECT_NE(anonymous_records(table, names), "") << table;
  }
  for (const char* other :
       {"user\nann\n", "# user, host\nname = \"x\"\n", "1,2,3\n", "", "[classes.mine]\nA = \"k\"\n"}) {
    EXPECT_EQ(anonymous_records(other, names), "") << other;
  }
  EXPECT_EQ(without_comments("; Computer: at ours\n# by ann\nA = \"k\"\n1 2 3\n"), "A = \"k\"\n1 2 3\n");
}

// By the table of licences: each file of a folder may have one of its own, several may hold, facts have none; READMEs
// and what the table does not name are the program's.
TEST_F(BundleStudy, LicencesAreThoseOfTheTable) {
  const auto of = [](const char* path) { return source_of_data(data_dir() / path); };
  EXPECT_EQ(of("jobs/traces/philly/philly_vc.csv").licence, "MIT AND CC-BY-4.0");
  EXPECT_EQ(of("jobs/traces/philly/philly_vc.csv").url, "https://github.com/S-Lab-System-Group/HeliosArtifact");
  EXPECT_EQ(of("jobs/traces/philly/philly_82k.csv.gz").licence, "Apache-2.0 AND CC-BY-4.0");
  EXPECT_EQ(of("jobs/traces/sia-philly/continued/sia1.csv").licence, "MIT AND CC-BY-4.0");
  EXPECT_EQ(of("jobs/failures/philly.csv").licence, "NONE");
  EXPECT_EQ(of("jobs/models.toml").licence, "MIT");
  EXPECT_EQ(of("jobs/traces/philly/README.md").licence, "MIT");
  EXPECT_EQ(of("kernels/measurements/longhorn-sgemm.csv").url, "https://github.com/hal-uw/blox-pal");
  EXPECT_EQ(licences_of("Apache-2.0 AND CC-BY-4.0"), (std::vector<std::string>{"Apache-2.0", "CC-BY-4.0"}));
  EXPECT_TRUE(licences_of("NONE").empty());
}

// Of the rows that a path begins with the longest holds, wherever it stands in the table; a row without a link has no
// source. What no row names, and every README, is the program's own.
TEST_F(BundleStudy, TheLongestRowOfTheTableHolds) {
  const std::string table =
      "| data | licence | source |\n|---|---|---|\n| `jobs/` | Apache-2.0 | Their site <https://a.example/x> |\n"
      "| `jobs/own.csv` | NONE | their paper |\n| `jobs/own` | CC0-1.0 | <https://b.example> |\n";
  const auto of = [&](const char* path) {
    const DataSource found = source_in_table(table, path);
    return found.licence + " " + found.url;
  };
  EXPECT_EQ(of("jobs/other.csv"), "Apache-2.0 https://a.example/x");
  EXPECT_EQ(of("jobs/own.csv"), "NONE ");
  EXPECT_EQ(of("jobs/own.toml"), "CC0-1.0 https://b.example");
  EXPECT_EQ(of("kernels/own.csv"), "MIT ");
  EXPECT_EQ(of("jobs/README.md"), "MIT ");
}

// The README that lies beside data of the program, or nearest above it, goes along with it; other files have none.
TEST_F(BundleStudy, DataHasTheNearestReadme) {
  const auto of = [](const std::filesystem::path& path) { return source_of_data(path).readme; };
  EXPECT_EQ(of(data_dir() / "kernels/measurements/longhorn-sgemm.csv"), "kernels/measurements/README.md");
  EXPECT_EQ(of(data_dir() / "jobs/traces/sia-philly/continued/sia1.csv"), "jobs/traces/sia-philly/README.md");
  EXPECT_EQ(of(data_dir() / "jobs/models.toml"), "jobs/README.md");
  EXPECT_EQ(of(write("models.toml", "")), "");
}

// What an anonymous bundle keeps is told, a line each: classes, and paths on an axis. A table has no sections, though a
// line of it begins with a bracket; and there are no models to tell of. Its study names its own files, and nobody. An
// open bundle has the names that there were, and nothing to tell.
TEST_F(BundleStudy, WhatIsKeptIsTold) {
  archive();
  EXPECT_EQ(make_bundle({dir / "a.h5", dir / "blind", true}).kept,
            (std::vector<std::string>{"kept: the classes A, B of the jobs",
                                      "kept: the axis workload.trace with \"jobs.csv\""}));
  const std::string text = read_text_file(dir / "blind/study.toml");
  expect_parts(text, {"\"inputs/input.csv\"", "\"inputs/input-2.csv\"", "name = \"anonymous\"\ntitle = \"\"\n"});
  for (const char* name : {"\"c.csv\"", "\"jobs.csv\"", "secret", "by ann", "bob"}) {
    EXPECT_EQ(text.find(name), std::string::npos) << name;
  }
  EXPECT_EQ(verify_file(dir / "blind").findings, Found{});
  EXPECT_TRUE(make_bundle({dir / "a.h5", dir / "open/", false}).kept.empty());
  for (const char* file : {"c.csv", "jobs.csv"}) {
    EXPECT_EQ(read_text_file(dir / "open/inputs" / file), read_text_file(dir / file));
  }
  EXPECT_TRUE(read_text_file(dir / "blind/inputs/input.csv")
                  .starts_with("host,gpu_id,node_id,class,score\nhost-1,0,0,A,1\nhost-1,1,0,A,1\n"));
  expect_parts(message_of(ErrorCode::usage,
                          [&] {
                            (void)make_bundle({dir / "a.h5", dir / "open", true});
                          }),
               {"open: exists already", "give another -o, or remove it"});
}

// What a bundle is made of is put aside and takes its place at once: what is given up leaves nothing. The folders above
// are made; what somebody else has put aside is left to them.
TEST_F(BundleStudy, AppearsCompleteOrNotAtAll) {
  archive();
  const auto target = dir / "new/deep/bundle";
  const auto others = target.string() + fmt::format(".{}.part", getpid());
  std::filesystem::create_directories(others);
  EXPECT_THROW(make_bundle({dir / "a.h5", target, false}), Error);
  EXPECT_TRUE(std::filesystem::exists(others)) << "it is another's, and stays theirs";
  std::filesystem::remove(others);
  std::filesystem::rename(dir / "jobs.csv", dir / "elsewhere.csv");
  EXPECT_THROW(make_bundle({dir / "a.h5", target, false}), Error) << "an input is missing";
  EXPECT_TRUE(std::filesystem::is_empty(target.parent_path()));
  std::filesystem::rename(dir / "elsewhere.csv", dir / "jobs.csv");
  (void)make_bundle({dir / "a.h5", target, false});
  const Verification sound = verify_file(target);
  EXPECT_EQ(sound.findings, Found{});
  EXPECT_EQ(find(sound.notes, "extra-file"), nullptr);
  std::ofstream(target / "mine.txt") << "a remark\n";
  const Verification with_more = verify_file(target);
  EXPECT_EQ(with_more.findings, Found{}) << "a file more is no damage";
  EXPECT_NE(find(with_more.notes, "extra-file", "mine.txt"), nullptr);
}

// Two inputs of one name, of which one lies in a folder that is called as that of the bundle: each is put into the
// study in place of its own path alone, so that the bundle gives the runs that the archive has.
TEST_F(BundleStudy, APathIsReplacedOnce) {
  std::filesystem::create_directory(dir / "inputs");
  archive("inputs/a.csv", "a.csv");
  const std::vector<std::string> ids =
      std::get<TextColumn>(ArchiveReader(dir / "a.h5").column(TableId::runs, "id")).names;
  for (const bool anonymous : {false, true}) {
    const auto bundle = dir / (anonymous ? "blind" : "open");
    (void)make_bundle({dir / "a.h5", bundle, anonymous});
    EXPECT_EQ(verify_file(bundle).findings, Found{});
    const Study study = read_study(bundle);
    ASSERT_EQ(study.runs.size(), 1U);
    EXPECT_EQ(std::vector<std::string>{study.runs[0].id}, ids);
    EXPECT_EQ(study.bundled.files.size(), 2U);
    EXPECT_TRUE(read_text_file(study.resolve(study.runs[0].cluster.table)).starts_with("host,"));
    EXPECT_TRUE(read_text_file(study.resolve(study.runs[0].workload.trace)).starts_with("job_id,"));
  }
}

}  // namespace
}  // namespace palstudy::test
