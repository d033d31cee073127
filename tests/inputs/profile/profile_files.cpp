// SPDX-License-Identifier: MIT
// What `palstudy profile` is given as FILE.
#include "inputs/profile/profile_files.hpp"

#include "archive/profile/profile_file.hpp"
#include "campaign/scratch.hpp"
#include "variability/profile/profile_of_sessions.hpp"

namespace palstudy {
namespace {

class ProfileFiles : public Scratch {
 protected:
  static std::pair<ErrorCode, std::string> refusal(const std::string& file) {
    try {
      (void)load_profile(file);
    } catch (const Error& error) {
      return {error.code(), error.what()};
    }
    return {ErrorCode::fault, "accepted"};
  }
};

// A machine is all of its measurements by name, not one whose name merely begins alike.
TEST_F(ProfileFiles, BundledByMachineOrMeasurement) {
  const auto longhorn = load_profile("longhorn").measured;
  ASSERT_EQ(longhorn.size(), 4U);
  EXPECT_EQ(longhorn[0].name, "longhorn-bert");
  EXPECT_EQ(longhorn[3].name, "longhorn-sgemm");
  ASSERT_EQ(load_profile("frontera-bert").measured.size(), 1U);
  EXPECT_EQ(refusal("long").first, ErrorCode::usage);
}

TEST_F(ProfileFiles, CsvWithItsRuns) {
  std::filesystem::create_directories(dir / "runs");
  write("mine.csv", "gpu_id,host\na,h\nb,h\n");
  EXPECT_EQ(refusal((dir / "mine.csv").string()).first, ErrorCode::data);
  EXPECT_NE(refusal((dir / "mine.csv").string()).second.find("runs/mine.csv"), std::string::npos);
  write("runs/mine.csv", "gpu_id,time_ms\na,1\nb,2\na,3\n");
  const auto mine = load_profile((dir / "mine.csv").string()).measured;
  ASSERT_EQ(mine.size(), 1U);
  EXPECT_EQ(mine[0].name, "mine");
  EXPECT_EQ(mine[0].gpus[0].median, 2);
}

TEST_F(ProfileFiles, OthersAreRefused) {
  const auto [code, said] = refusal("longhorn-sgem");
  EXPECT_TRUE(
      said.starts_with("no profile \"longhorn-sgem\"; did you mean \"longhorn-sgemm\"?\n  give a machine "
                       "(frontera, lonestar6, longhorn), one of"))
      << said;
  EXPECT_EQ(refusal("").first, ErrorCode::usage);
  EXPECT_EQ(refusal((dir / "none.csv").string()).first, ErrorCode::data);
  EXPECT_EQ(refusal(dir.string()).first, ErrorCode::data);
  expect_parts(refusal(dir.string()).second, {"is a folder", "give a machine (frontera, lonestar6, longhorn), one of"});
}

// A profile file is a measurement a kernel, by name.
TEST_F(ProfileFiles, AProfileIsItsKernels) {
  write_profile(dir / "p.h5", made_up::profile_of(2, 2, {"1"}), {});
  const auto [all, notes] = load_profile((dir / "p.h5").string());
  EXPECT_TRUE(notes.empty());
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].name, "pagerank");
  EXPECT_EQ(all[2].gpus.size(), 4U);
  write_profile(dir / "one.h5", made_up::profile_of(1, 1, {"1"}), {});
  EXPECT_EQ(load_profile((dir / "one.h5").string()).notes.at(0).id, "one-gpu");
  write_profile(dir / "p.h5", {}, {});
  EXPECT_EQ(refusal((dir / "p.h5").string()).first, ErrorCode::data);
  EXPECT_EQ(refusal((dir / "none.h5").string()).first, ErrorCode::data);
}

TEST_F(ProfileFiles, ClassesThatStandOnThem) {
  const auto classes = classes_of_measurements();
  EXPECT_EQ(classes.at("longhorn-bert"), "pal: B C");
  EXPECT_EQ(classes.at("longhorn-pagerank"), "pal: D; reliable: D; trusted: C");
  EXPECT_EQ(classes.at("transformer"), "measured: B C");
}

}  // namespace
}  // namespace palstudy
