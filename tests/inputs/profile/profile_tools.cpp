// SPDX-License-Identifier: MIT
// What is written beside a profile, and what an import takes.
#include "inputs/profile/profile_tools.hpp"

#include "campaign/scratch.hpp"
#include "core/sha256.hpp"
#include "variability/profile/importer.hpp"

namespace palstudy {
namespace {

class ProfileTools : public Scratch {
 protected:
  ProfileTools() {
    std::filesystem::create_directories(dir / "runs");
    write("mine.csv", "gpu_id,host\na,h\nb,h\n");
    write("runs/mine.csv", "gpu_id,time_ms\na,1\nb,2\na,3\nb,4\n");
  }
  [[nodiscard]] std::string refused(const std::string& file) const {
    return message_of(ErrorCode::data, [&] { (void)import_files({dir / file}); });
  }
};

// The command, its inputs by their content, the remarks, and one time: a profile is written at once.
TEST_F(ProfileTools, SayHowAProfileCameToBe) {
  const auto file = dir / "mine.csv";
  const Provenance from = profile_provenance("palstudy profile import mine.csv", {file}, {{{}, "a remark"}});
  EXPECT_EQ(from.command_line, "palstudy profile import mine.csv");
  EXPECT_EQ(from.notes, (std::vector<WordedNote>{{{}, "a remark"}}));
  EXPECT_EQ(from.input_sha256, (std::map<std::string, std::string>{{file.string(), sha256_file(file)}}));
  EXPECT_FALSE(from.host.empty());
  EXPECT_FALSE(from.start_utc.empty());
  EXPECT_EQ(from.start_utc, from.end_utc);
}

// A session is named by what was measured: the same files give it again, other runs another.
TEST_F(ProfileTools, AnImportIsASessionOfItsContent) {
  const auto session = [&] {
    const Imported imported = import_files({dir / "mine.csv"});
    EXPECT_EQ(imported.read, (std::vector<std::filesystem::path>{dir / "mine.csv", dir / "runs/mine.csv"}));
    EXPECT_EQ(imported.merged.profile.sessions.size(), 1u);
    return imported.merged.profile.sessions.at(0).id;
  };
  const std::string first = session();
  EXPECT_EQ(first.rfind("import-mine-", 0), 0u) << first;
  EXPECT_EQ(first.size(), std::string("import-mine-").size() + 12) << first;
  EXPECT_EQ(session(), first);
  write("runs/mine.csv", "gpu_id,time_ms\na,1\nb,2\na,3\nb,5\n");
  EXPECT_NE(session(), first);
}

// Another kind of file is told what it is before anything is said of its runs.
TEST_F(ProfileTools, OtherFilesAreRefused) {
  write("p.csv", "\x89HDF\r\n\x1a\n");
  expect_parts(refused("p.csv"), {"p.csv: is no table or log but HDF5", "palstudy profile merge joins profiles"});
  write("other.csv", "name,value\ngpu_id,1\n");
  expect_parts(refused("other.csv"), {"other.csv: is of no known format", "--columns"});
  write("alone.csv", "gpu_id,host\na,h\n");
  expect_parts(refused("alone.csv"), {"runs/alone.csv: the runs of this measurement are missing", "gpu_id,time_ms"});
}

}  // namespace
}  // namespace palstudy
