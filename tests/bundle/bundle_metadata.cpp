// SPDX-License-Identifier: MIT
// What the descriptions in a bundle say of the origin of its archive and of its files.
#include "bundle/bundle_metadata.hpp"

#include <map>
#include <nlohmann/json.hpp>

#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "core/build_info.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

class Described : public Scratch {
 protected:
  [[nodiscard]] BundleFacts facts(const std::vector<RunRecord>& records, const Provenance& from) const {
    std::filesystem::remove(dir / "a.h5");
    write_archive(dir / "a.h5", records, {}, from);
    return BundleFacts(dir / "a.h5");
  }
  static BatchJob start(std::int64_t nodes, std::int64_t ranks, std::int64_t cores, double hours) {
    BatchJob job;
    job.nodes = nodes;
    job.ranks = ranks;
    job.cores = cores;
    job.start_s = 1e9;
    job.end_s = 1e9 + 3600 * hours;
    return job;
  }
  static BundleFile file(const std::string& path, const std::string& licence = "", const std::string& source = "") {
    return {path, "what it is", "text/plain", "aa", 1000, licence, source};
  }
};

// Two starts: 16 cores for an hour and 8 for two and a half are 36 core-hours; the most nodes that one had, and the
// most ranks, were not those of one start. Of two runs one failed.
TEST_F(Described, StartsAreAddedUp) {
  Provenance from;
  from.jobs = {start(4, 8, 16, 1), start(1, 12, 8, 2.5)};
  const BundleFacts of = facts({test::numbered_record(0), test::numbered_record(1, true)}, from);
  EXPECT_EQ(of.runs, 2);
  EXPECT_EQ(of.failed, 1);
  EXPECT_NEAR(of.core_hours, 36, 1e-9);
  EXPECT_EQ(of.starts, 2);
  EXPECT_EQ(of.nodes, 4);
  EXPECT_EQ(of.ranks, 12);
  expect_parts(artifact_description(of, {}),
               {"of 2 runs (1 failed)", " and others, up to 4 nodes |", "| ranks | 12 |",
                "| core-hours | 36 in 2 starts |", "About 36 core-hours", "No input came from elsewhere"});
}

// An archive that names no starts has the time of each run: 2 hours on 3 cores. Then the ranks are those of its last
// writer, and it is not said that there were several nodes or starts.
TEST_F(Described, WithoutStartsTheTimeIsThatOfTheRuns) {
  test::SmallRun small;
  small.label.run = 0;
  small.label.wall_s = 7200;
  small.label.cores = 3;
  Provenance from;
  from.host = "n1";
  from.ranks = 5;
  const BundleFacts of = facts({small.record()}, from);
  EXPECT_NEAR(of.core_hours, 6, 1e-9);
  EXPECT_EQ(of.starts, 0);
  expect_parts(artifact_description(of, {}),
               {"of 1 run (0 failed)", "| host | n1 |", "| ranks | 5 |", "| core-hours | 6 |"});
}

// All files are listed with their sizes, and licences where there is something to say: of data from elsewhere, and of
// facts that have none; not of the texts of licences, nor of the user's own inputs.
TEST_F(Described, LicencesAreThoseOfDataFromElsewhere) {
  const std::string text = artifact_description(
      facts({test::numbered_record(0)}, {}),
      {file("archive.h5"), file("inputs/mine.csv"), file("data/LICENSE", "NONE"),
       file("data/jobs/failures/x.csv", "NONE"), file("data/jobs/x.csv", "Apache-2.0", "https://a.example/x")});
  expect_parts(text, {"In all 0.00477 MiB (5000 bytes)", "| `inputs/mine.csv` | what it is | 1000 | `aa` |",
                      "* `data/jobs/failures/x.csv`: facts, without a licence;",
                      "* `data/jobs/x.csv`: Apache-2.0, from <https://a.example/x>\n"});
  EXPECT_EQ(text.find("* `inputs/mine.csv`"), std::string::npos);
  EXPECT_EQ(text.find("* `data/LICENSE`"), std::string::npos);
}

// The campaign was made from the study, the user's inputs and the tables of the program, not from texts of licences; an
// id is a URL, so that blanks and percent signs are escaped in it, and its name is not.
TEST_F(Described, TheCampaignNamesWhatItWasMadeFrom) {
  const std::string crate = ro_crate(facts({test::numbered_record(0)}, {}),
                                     {file("archive.h5"), file("study.toml"), file("inputs/my 100% trace"),
                                      file("data/jobs/x.csv", "MIT"), file("data/LICENSE", "NONE")});
  const auto begin = crate.find("\"object\": [");
  ASSERT_NE(begin, std::string::npos);
  const std::string objects = crate.substr(begin, crate.find(']', begin) - begin);
  expect_parts(objects, {"\"study.toml\"", "\"inputs/my%20100%25%20trace\"", "\"data/jobs/x.csv\""});
  for (const char* other : {"archive.h5", "LICENSE"}) EXPECT_EQ(objects.find(other), std::string::npos) << other;
  expect_parts(crate, {"\"name\": \"inputs/my 100% trace\""});
}

// The licence of the results: an SPDX id, a URL, or words, which have an entity of their own; without one it is still
// to be chosen.
TEST_F(Described, TheLicenceIsTheOneThatTheStudyStates) {
  const auto crate = [&](const std::string& licence) {
    Provenance from;
    from.study_license = licence;
    return ro_crate(facts({test::numbered_record(0)}, from), {file("archive.h5")});
  };
  const auto root = [](const std::string& text) {
    const auto begin = text.find("\"license\": {");
    return text.substr(begin, text.find('}', begin) - begin);
  };
  expect_parts(root(crate("CC-BY-4.0")), {"\"https://spdx.org/licenses/CC-BY-4.0\""});
  expect_parts(root(crate("https://a.example/l")), {"\"https://a.example/l\""});
  expect_parts(root(crate("")), {"\"#licence-to-choose\""});
  const std::string words = crate("ask the authors");
  expect_parts(root(words), {"\"#licence\""});
  expect_parts(words, {"\"name\": \"ask the authors\""});
}

// How the results were computed, line by line, as a paper takes it over; the title above it, the command below it, and
// at the end what was said of the inputs.
TEST_F(Described, TheDescriptionSaysHowItWasComputed) {
  const std::string bare = artifact_description(facts({test::numbered_record(0)}, {}), {});
  Provenance from;
  from.command_line = "palstudy run s.toml";
  from.host = "n1";
  from.mpi_version = "MPI 4";
  from.start_utc = "2026-01-02T03:04:05Z";
  from.end_utc = "2026-01-02T04:04:05Z";
  from.study_name = "s";
  from.study_title = "of seeds";
  from.study_license = "CC0-1.0";
  from.study_creator = "A. Author";
  from.notes = {{{}, "first"}, {{}, "second"}};
  from.jobs = {start(1, 5, 8, 1)};
  BundleFacts of = facts({test::numbered_record(0)}, from);
  of.axes = {};
  const BuildInfo& build = build_info();
  const std::string text = artifact_description(of, {file("archive.h5")});
  expect_parts(
      text,
      {"# Artifact description: s\n\nof seeds\n\nMade by `palstudy bundle`",
       "A simulation study of 1 run (0 failed) over the axes none (seeds aside). In all 0.000954 MiB (1000 bytes).\n",
       "\n## A.2 How it was computed\n\n| | |\n|---|---|\n| program | palstudy " + build.version + ", commit " +
           build.commit + " |\n| compiler | " + build.compiler + ", `" + build.flags +
           "` |\n| MPI | MPI 4 |\n| HDF5 | " + of.at("hdf5_version") +
           " |\n| host | n1 |\n| ranks | 5 |\n| from, to (UTC) | 2026-01-02T03:04:05Z, 2026-01-02T04:04:05Z |\n"
           "| core-hours | 8 |\n| archive | " +
           of.at("schema") +
           ", 0.000954 MiB (1000 bytes) |\n| creator | A. Author |\n| licence of the results | CC0-1.0 |\n"
           "\nCommand:\n\n    palstudy run s.toml\n\n## A.3",
       "About 8 core-hours, 0.00191 MiB (2000 bytes) of disk.", "\nExpected digest:\n\n    " + of.at("digest") + "\n",
       "\n## A.6 What was said of the inputs\n\nfirst\nsecond\n"});
  EXPECT_EQ(text.find("numbered or removed"), std::string::npos);
  of.anonymous = true;
  expect_parts(artifact_description(of, {}), {"are numbered or removed in all files"});
  expect_parts(bare, {"| MPI | none |"});
  for (const char* other : {"| creator |", "| licence of", "A.6"})
    EXPECT_EQ(bare.find(other), std::string::npos) << other;
}

using CrateJson = nlohmann::json;

/// The entities of a crate by their ids, of which none comes twice.
std::map<std::string, CrateJson> entities(const std::string& crate) {
  std::map<std::string, CrateJson> all;
  const CrateJson whole = CrateJson::parse(crate);
  for (const CrateJson& entity : whole.at("@graph")) {
    EXPECT_TRUE(all.emplace(entity.at("@id"), entity).second) << entity.at("@id");
  }
  return all;
}

/// What is only referred to by its id.
void references_in(const CrateJson& value, std::vector<std::string>& found) {
  if (value.is_object() && value.size() == 1 && value.contains("@id")) found.push_back(value.at("@id"));
  if (value.is_structured()) {
    for (const CrateJson& inner : value) references_in(inner, found);
  }
}

// Every licence, source, person and file that is referred to is described; files have their own licences, several of
// one too, facts have none, and what is the user's is theirs to choose.
TEST_F(Described, WhateverTheCrateRefersToIsInIt) {
  const auto plain = entities(ro_crate(facts({test::numbered_record(0)}, {}), {file("archive.h5")}));
  Provenance from;
  from.study_name = "s";
  from.study_title = "of seeds";
  from.study_license = "ask us";
  from.study_creator = "A. Author";
  from.host = "n1";
  from.start_utc = "2026-01-01T00:00:00Z";
  from.end_utc = "2026-01-02T00:00:00Z";
  BundleFacts of = facts({test::numbered_record(0), test::numbered_record(1)}, from);
  of.bundled_utc = "2026-03-04T05:06:07Z";
  of.agent = "ann";
  const auto graph = entities(ro_crate(of, {file("archive.h5"), file("study.toml"), file("data/b.csv", "NONE"),
                                            file("data/a.csv", "Apache-2.0 AND CC-BY-4.0", "https://a.example/a")}));
  std::vector<std::string> referred;
  for (const auto& [id, entity] : graph) references_in(entity, referred);
  for (const std::string& id : referred) {
    EXPECT_TRUE(graph.contains(id) || id.starts_with("http://schema.org/") || id.starts_with("https://w3id.org/"))
        << id;
  }
  const auto id = [](const std::string& name) { return CrateJson{{"@id", name}}; };
  const std::string spdx = "https://spdx.org/licenses/";
  const CrateJson& root = graph.at("./");
  EXPECT_EQ(root.at("name"), "of seeds");
  EXPECT_EQ(root.at("datePublished"), "2026-03-04");
  EXPECT_EQ(root.at("identifier"), of.at("digest"));
  EXPECT_EQ(root.at("creator"), id("#creator"));
  EXPECT_EQ(root.at("license"), id("#licence"));
  EXPECT_EQ(root.at("hasPart").size(), 4u);
  EXPECT_EQ(graph.at("archive.h5").at("license"), id("#licence"));
  EXPECT_EQ(graph.at("study.toml").at("license"), id("#licence-to-choose"));
  EXPECT_EQ(graph.at("data/a.csv").at("license"), CrateJson::array({id(spdx + "Apache-2.0"), id(spdx + "CC-BY-4.0")}));
  EXPECT_EQ(graph.at("data/a.csv").at("isBasedOn"), id("https://a.example/a"));
  EXPECT_EQ(graph.at("data/a.csv").at("contentSize"), "1000");
  EXPECT_FALSE(graph.at("data/b.csv").contains("license"));
  EXPECT_FALSE(graph.at("data/b.csv").contains("isBasedOn"));
  EXPECT_EQ(graph.at(spdx + "CC-BY-4.0").at("name"), "CC-BY-4.0");
  EXPECT_EQ(graph.at("#agent").at("name"), "ann");
  EXPECT_EQ(graph.at("#creator").at("name"), "A. Author");
  EXPECT_EQ(graph.at("#host").at("name"), "n1");
  EXPECT_EQ(graph.at("#campaign").at("name"), "2 runs of the study s");
  EXPECT_EQ(graph.at("#campaign").at("startTime"), from.start_utc);
  EXPECT_EQ(graph.at("#campaign").at("endTime"), from.end_utc);
  EXPECT_EQ(plain.at("./").at("creator"), id("#agent"));
  EXPECT_FALSE(plain.contains("#creator"));
}

}  // namespace
}  // namespace palstudy
