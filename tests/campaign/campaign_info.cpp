// SPDX-License-Identifier: MIT
// What a campaign writes beside its shards, for a later start or merge, and reads again.
#include "campaign/campaign_info.hpp"

#include "campaign/merge.hpp"
#include "campaign/scratch.hpp"

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
  const Study study = read(minimal + "study.title = \"of seeds\"\npolicy.order = \"las\"\naxes.seed = [1, 2]\n");
  Provenance given;
  given.command_line = "palstudy run study.toml";
  given.start_utc = "2026-01-02T03:04:05Z";
  given.host = "n1";
  given.ranks = 7;
  given.input_sha256 = {{"c.csv", "aa"}, {"jobs.csv", "bb"}};
  given.profile_origin = "imported";
  given.notes = {"first", "second"};
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
      try {
        whole ? (void)load_campaign(parts) : (void)load_inputs(parts);
        ADD_FAILURE() << "was read: " << text;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ErrorCode::data) << text;
        expect_parts(error.what(), {"campaign.json", "--resume"});
      }
    }
  }
}

}  // namespace
}  // namespace palstudy
