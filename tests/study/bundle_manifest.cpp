// SPDX-License-Identifier: MIT
// The list of a bundle's inputs: it comes from another machine, so that nothing in it is taken on trust.
#include "study/bundle_manifest.hpp"

#include "campaign/scratch.hpp"

namespace palstudy {
namespace {

class BundleManifests : public Scratch {
 protected:
  /// The message about bundle.json with this text; it must be that of bad data.
  [[nodiscard]] std::string refused(const std::string& text) const {
    write(bundle_manifest_name, text);
    return message_of(ErrorCode::data, [&] { (void)bundle_beside(dir / "study.toml"); });
  }
  /// The message about a bundle whose one input is this file.
  [[nodiscard]] std::string refused_input(const std::string& file) const {
    BundleManifest manifest;
    manifest.inputs = {{"t.csv", file, "1", false}};
    return refused(manifest_json(manifest));
  }
};

// By the text alone: no way up, none from the root, nothing that is no file's name.
TEST(BundlePaths, StayBelowTheFolder) {
  for (const char* path : {"t.csv", "inputs/t.csv", "inputs/..t", "a/.b"}) EXPECT_TRUE(stays_below(path)) << path;
  for (const char* path : {"", "/t.csv", "inputs/", "../t.csv", "inputs/../t.csv", "./t.csv", "a/./t.csv", ".."}) {
    EXPECT_FALSE(stays_below(path)) << path;
  }
}

// All that is written is read again.
TEST_F(BundleManifests, ReadBack) {
  EXPECT_FALSE(bundle_beside(dir / "study.toml")) << "no bundle yet";
  for (const bool anonymous : {false, true}) {
    BundleManifest manifest;
    manifest.digest = "0123";
    manifest.anonymous = anonymous;
    manifest.inputs = {{"/far/c.csv", "inputs/c.csv", "1", false}, {"jobs/models.toml", "data/m.toml", "2", true}};
    if (anonymous) manifest.ids = {{"new", "old"}};
    write(bundle_manifest_name, manifest_json(manifest));
    const auto read = bundle_beside(dir / "study.toml");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->digest, "0123");
    EXPECT_EQ(read->anonymous, anonymous);
    ASSERT_EQ(read->inputs.size(), 2u);
    for (std::size_t i = 0; i < 2; ++i) {
      EXPECT_EQ(read->inputs[i].written, manifest.inputs[i].written);
      EXPECT_EQ(read->inputs[i].file, manifest.inputs[i].file);
      EXPECT_EQ(read->inputs[i].sha256, manifest.inputs[i].sha256);
      EXPECT_EQ(read->inputs[i].own, manifest.inputs[i].own);
    }
    EXPECT_EQ(read->ids, manifest.ids);
  }
}

// A bundle of a later version and one that is damaged each get their reason; a file of that name that is no bundle's
// is left alone, unless the folder is given as one.
TEST_F(BundleManifests, OfOthersOrDamaged) {
  expect_parts(refused(R"({"format": "palstudy-bundle-2"})"),
               {"bundle.json: has the format \"palstudy-bundle-2\", which this program does not know",
                "the version of palstudy that made the bundle"});
  expect_parts(refused(R"({"format": "palstudy-bundle-1", "inp)"),
               {"bundle.json: is damaged (it ends too early, or is no JSON)", copy_bundle_again});
  expect_parts(refused(R"({"format": "palstudy-bundle-1"})"), {"bundle.json: is damaged (", copy_bundle_again});
  for (const char* text :
       {R"({"format": "mine"})", R"({"format": 3})", R"([1, 2])", R"({"digest": "0"})", "no JSON", ""}) {
    write(bundle_manifest_name, text);
    EXPECT_FALSE(bundle_beside(dir / "study.toml")) << text;
    expect_parts(message_of(ErrorCode::data, [&] { (void)study_file_of_bundle(dir); }),
                 {"bundle.json: is not the list of inputs of a bundle", copy_bundle_again});
  }
}

// Neither by its text nor through a link may an input lie outside, and it has to be a file, which a folder is not.
TEST_F(BundleManifests, NameFilesOfTheBundleAlone) {
  std::filesystem::create_directories(dir / "inputs");
  std::filesystem::create_directory_symlink("/proc", dir / "out");
  for (const char* file : {"", "/etc/t.csv", "../t.csv", "inputs/../../t.csv", "out/t.csv"}) {
    expect_parts(refused_input(file), {"bundle.json: names \"" + std::string(file) + "\", which lies outside"});
  }
  expect_parts(refused_input("inputs"), {"inputs: is no file", copy_bundle_again});
}

// A file that is not there is left to who reads it, and a folder without a list is no bundle.
TEST_F(BundleManifests, GiveTheStudyOfAFolder) {
  EXPECT_EQ(study_file_of_bundle(dir), dir);
  EXPECT_EQ(study_file_of_bundle(dir / "other.toml"), dir / "other.toml");
  BundleManifest manifest;
  manifest.inputs = {{"t.csv", "inputs/none.csv", "1", false}};
  write(bundle_manifest_name, manifest_json(manifest));
  EXPECT_EQ(study_file_of_bundle(dir), dir / "study.toml");
  std::filesystem::create_directory(dir / "study.toml");
  EXPECT_THROW((void)study_file_of_bundle(dir), Error) << "its study is a folder";
}

// The study reads the files of the bundle, but the program's own data, and runs get back the ids that they had.
TEST_F(BundleManifests, AreAdopted) {
  BundleManifest manifest;
  manifest.inputs = {{"../t.csv", "inputs/t.csv", "1", false}, {"jobs/models.toml", "data/m.toml", "2", true}};
  manifest.ids = {{"b", "old"}, {"c", "of no run"}};
  Study study;
  study.file = "bundle/study.toml";
  study.runs.resize(2);
  study.runs[0].id = "a";
  study.runs[1].id = "b";
  adopt_bundle(study, manifest);
  EXPECT_EQ(study.resolve("../t.csv"), std::filesystem::path("bundle/inputs/t.csv"));
  EXPECT_EQ(study.resolve("jobs/models.toml"), std::filesystem::path("bundle/jobs/models.toml"));
  EXPECT_EQ(study.bundled.sha256, (std::map<std::string, std::string>{{"../t.csv", "1"}, {"jobs/models.toml", "2"}}));
  EXPECT_EQ(study.runs[0].id, "a");
  EXPECT_EQ(study.runs[1].id, "old");
  EXPECT_EQ(study.bundled.renamed_ids, (std::map<std::string, std::string>{{"b", "old"}}));
  expect_parts(message_of(ErrorCode::data,
                          [&] {
                            check_bundled_inputs(study, {{"../t.csv", "3"}, {"not bundled", "4"}});
                          }),
               {"bundle/inputs/t.csv: is not what was bundled: its SHA-256 was 1 and is 3"});
  EXPECT_NO_THROW(check_bundled_inputs(study, {{"../t.csv", "1"}, {"not bundled", "4"}}));
}

}  // namespace
}  // namespace palstudy
