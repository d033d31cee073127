// SPDX-License-Identifier: MIT
// What a campaign writes beside its shards, for a later start or merge, and reads again.
#include "campaign/campaign_info.hpp"

#include "campaign/merge.hpp"
#include "campaign/scratch.hpp"
#include "core/sha256.hpp"
#include "parallel/mpi.hpp"
#include "words/note_text.hpp"

namespace palstudy {
namespace {

class SavedCampaigns : public Scratch {
 protected:
  SavedCampaigns() { std::filesystem::create_directory(parts); }
  const std::filesystem::path parts = dir / "out.h5.parts";
};

// A merge knows of the campaign what the campaign knew: from its study, where its inputs lie and which these were, and
// how it began. The study may lie elsewhere than the shards.
TEST_F(SavedCampaigns, AreReadAsTheyWereWritten) {
  const Study study = read(
      minimal + "study.title = \"of seeds\"\nstudy.question = \"why?\"\npolicy.order = \"las\"\naxes.seed = [1, 2]\n");
  Provenance given;
  given.command_line = "palstudy run study.toml";
  given.start_utc = "2026-01-02T03:04:05Z";
  given.host = "n1";
  given.ranks = 7;
  given.input_sha256 = {{"c.csv", "aa"}, {"jobs.csv", "bb"}};
  given.profile_origin = "imported";
  given.notes = {{{"few-links", Severity::care, "p.h5", {{"level", "cabinet"}, {"gpus", 4}, {"load", 0.5}}}, "first"}};
  save_campaign(parts, study, given, false);
  const SavedCampaign saved = load_campaign(parts);
  ASSERT_EQ(saved.study.runs.size(), 2u);
  for (std::size_t run = 0; run < 2; ++run) EXPECT_EQ(saved.study.runs[run].id, study.runs[run].id);
  EXPECT_EQ(saved.study.file, dir / "study.toml");
  const Provenance& again = saved.provenance;
  EXPECT_EQ(again.command_line, given.command_line);
  EXPECT_EQ(again.start_utc, given.start_utc);
  EXPECT_EQ(again.host, given.host);
  EXPECT_EQ(again.ranks, given.ranks);
  EXPECT_EQ(again.input_sha256, given.input_sha256);
  EXPECT_EQ(again.profile_origin, given.profile_origin);
  EXPECT_EQ(again.notes, given.notes);
  EXPECT_EQ(again.study_title, "of seeds");
  EXPECT_EQ(again.study_question, "why?");
  EXPECT_EQ(again.study_folder, dir.string());
  EXPECT_EQ(again.resolved_study, saved.study.resolved);
  const SavedInputs inputs = load_inputs(parts);
  EXPECT_EQ(inputs.resolved_study, study.resolved);
  EXPECT_EQ(inputs.input_sha256, given.input_sha256);
}

// Whether the archive that is there goes once the shards are merged, --force has said; where nothing is said that can
// be understood it stays, and the command that is advised does not replace it.
TEST_F(SavedCampaigns, ReplaceAnArchiveOnlyIfTheySaySo) {
  const auto command = [&](bool replaces) {
    save_campaign(parts, read(minimal), {}, replaces);
    EXPECT_EQ(replaces_archive(parts), replaces);
    return merge_command(parts);
  };
  EXPECT_FALSE(replaces_archive(parts)) << "nothing is saved";
  EXPECT_EQ(command(true), "palstudy merge --force");
  EXPECT_EQ(command(false), "palstudy merge");
  for (const char* text : {"", "[true]", "{\"replaces\": 1}", "{\"replaces\": \"true\"}", "{\"replaces\": true"}) {
    write("out.h5.parts/campaign.json", text);
    EXPECT_FALSE(replaces_archive(parts)) << text;
  }
}

// What is torn, or another program's, is bad data: the file is named, and what to do.
TEST_F(SavedCampaigns, AreRefusedWhereTheyAreDamaged) {
  save_campaign(parts, read(minimal), {}, false);
  const std::string ours = "{\"format\": \"palstudy-campaign-1\"";
  for (const std::string& text :
       {std::string(), std::string("[1]"), ours, ours + "}", ours + ", \"input_sha256\": 3}",
        std::string("{\"format\": \"palstudy-campaign-2\"}"), std::string("{\"format\": 1}")}) {
    write("out.h5.parts/campaign.json", text);
    for (const bool whole : {false, true}) {
      expect_parts(message_of(ErrorCode::data, [&] { whole ? (void)load_campaign(parts) : (void)load_inputs(parts); }),
                   {"campaign.json", "--resume"});
    }
  }
}

// What an archive says of its study, and of the start that began it.
TEST_F(SavedCampaigns, BeginWithWhatIsKnownOfThem) {
  write_cluster(8);
  write("jobs.csv", "job_id,submit_s,num_gpus,iterations,iteration_s,class\n1,0,1,100,1,A\n2,50,1,100,1,A\n");
  Study study = read(minimal +
                     "cluster.gpus = 8\naxes.\"policy.placement\" = [\"pal\", \"packed-sticky\"]\n[study]\n"
                     "name = \"n\"\ntitle = \"t\"\nlicense = \"CC0-1.0\"\ncreator = \"c\"\n");
  study.bundled.renamed_ids = {{"a", "b"}};
  Inputs inputs(study);
  const auto notes = inputs.check();
  const std::string before = utc_now();
  const Provenance made = make_provenance(study, inputs, "palstudy run", 7);
  EXPECT_EQ(made.command_line, "palstudy run");
  EXPECT_LE(before, made.start_utc);
  EXPECT_EQ(made.host, host_name());
  EXPECT_EQ(made.ranks, 7);
  EXPECT_EQ(made.mpi_version, mpi_library());
  EXPECT_EQ(made.input_sha256, inputs.sha256());
  EXPECT_EQ(made.input_sha256.at("c.csv"), sha256_file(dir / "c.csv"));
  EXPECT_EQ(made.input_sha256.at("jobs.csv"), sha256_file(dir / "jobs.csv"));
  EXPECT_EQ(made.study_folder, dir.string());
  EXPECT_EQ(made.profile_origin, "") << "a table is not measured";
  EXPECT_EQ(made.notes, worded(notes));
  EXPECT_EQ(made.resolved_study, study.resolved);
  EXPECT_EQ(made.study_name + made.study_title + made.study_license + made.study_creator, "ntCC0-1.0c");
  EXPECT_EQ(made.baselines, study.baselines);
  EXPECT_EQ(made.compare_metric, study.compare_metric);
  EXPECT_EQ(made.renamed_ids, study.bundled.renamed_ids);
  save_campaign(parts, study, made, false);
  EXPECT_EQ(load_campaign(parts).provenance.mpi_version, mpi_library());
  // A cluster that is drawn from measurements, which are from elsewhere.
  const Study drawn = read(
      "[cluster]\ngpus = 8\nsource = \"bootstrap\"\nprofile = \"longhorn\"\n[workload]\n"
      "trace = \"jobs.csv\"\nreader = \"native\"\n");
  Inputs of_drawn(drawn);
  (void)of_drawn.load(drawn.runs.at(0));
  EXPECT_EQ(make_provenance(drawn, of_drawn, "", 1).profile_origin, "imported");
}

// Where a file cannot be put in its place, because a folder stands there, that is said, and nothing is left beside it.
TEST_F(SavedCampaigns, LeaveNothingOfAFileThatCannotBeWritten) {
  std::filesystem::create_directory(parts / "study.toml");
  expect_parts(message_of(ErrorCode::data, [&] { write_text_file(parts / "study.toml", "text"); }),
               {"study.toml: cannot rename ", ": Is a directory", "make room or give another place"});
  expect_parts(message_of([&] { write_text_file(parts / "none" / "study.toml", "text"); }),
               {"none/study.toml.", "cannot create the file: No such file"});
  std::filesystem::remove(parts / "study.toml");
  EXPECT_TRUE(std::filesystem::is_empty(parts));
}

}  // namespace
}  // namespace palstudy
