// SPDX-License-Identifier: MIT
// What the descriptions in a bundle say of the origin of its archive and of its files.
#include "bundle/bundle_metadata.hpp"

#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
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

}  // namespace
}  // namespace palstudy
