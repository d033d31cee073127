// SPDX-License-Identifier: MIT
// Where a bundle finds the inputs of an archived study again.
#include "bundle/bundle_inputs.hpp"

#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "core/sha256.hpp"
#include "record/small_run.hpp"
#include "study/data_dir.hpp"

namespace palstudy {
namespace {

// A study and its inputs in the folder deep, its archive in the folder away.
class FoundInputs : public Scratch {
 protected:
  FoundInputs() {
    for (const char* folder : {"deep", "away"}) std::filesystem::create_directory(dir / folder);
    write("deep/c.csv", "the cluster");
    write("deep/jobs.csv", "the jobs");
    from.input_sha256 = {{"c.csv", sha256_file(dir / "deep/c.csv")}, {"jobs.csv", sha256_file(dir / "deep/jobs.csv")}};
  }
  [[nodiscard]] std::vector<BundledInput> found(const std::string& text = minimal) const {
    const Study study = read(text);
    const auto file = dir / "away/a.h5";
    std::filesystem::remove(file);
    write_archive(file, {test::numbered_record(0)}, {}, from);
    return find_inputs(ArchiveReader(file), study, file);
  }
  /// The folder in which they were found.
  [[nodiscard]] std::filesystem::path where() const {
    const auto inputs = found();
    EXPECT_EQ(inputs.size(), 2u);
    EXPECT_EQ(inputs.at(0).source.filename(), "c.csv");
    EXPECT_EQ(inputs.at(1).source.filename(), "jobs.csv");
    EXPECT_EQ(inputs.at(0).source.parent_path(), inputs.at(1).source.parent_path());
    return inputs.at(0).source.parent_path();
  }
  [[nodiscard]] std::string refused() const {
    return message_of(ErrorCode::data, [&] { (void)found(); });
  }

  Provenance from;
};

// In the folder that the archive names, or beside the archive. What is called alike but is another file is passed over.
TEST_F(FoundInputs, LieWhereTheStudyBegan) {
  from.study_folder = (dir / "deep").string();
  EXPECT_EQ(where(), dir / "deep");
  from.study_folder = "";
  expect_parts(refused(), {"c.csv", "is not there any more"});
  for (const char* name : {"c.csv", "jobs.csv"}) std::filesystem::copy_file(dir / "deep" / name, dir / "away" / name);
  EXPECT_EQ(where(), dir / "away");
  write("deep/c.csv", "another cluster");
  write("deep/jobs.csv", "other jobs");
  from.study_folder = (dir / "deep").string();
  EXPECT_EQ(where(), dir / "away");
}

/// Goes to a folder and, at its end, back.
class InFolder {
 public:
  explicit InFolder(const std::filesystem::path& folder) { std::filesystem::current_path(folder); }
  ~InFolder() { std::filesystem::current_path(back_); }
  InFolder(const InFolder&) = delete;
  InFolder& operator=(const InFolder&) = delete;

 private:
  std::filesystem::path back_ = std::filesystem::current_path();
};

// An archive that names no folder and lies elsewhere: in the current folder.
TEST_F(FoundInputs, LieInTheCurrentFolder) {
  const InFolder in(dir / "deep");
  EXPECT_EQ(where(), dir / "deep");
}

// One that has changed wherever it is called so is refused, with both sums and the first such file; so are lines that
// name no file with its sum.
TEST_F(FoundInputs, AreThoseThatTheArchiveWasMadeFrom) {
  const std::string was = sha256_file(dir / "deep/jobs.csv");
  from.study_folder = (dir / "deep").string();
  write("deep/jobs.csv", "other jobs");
  write("away/jobs.csv", "still other jobs");
  expect_parts(refused(), {(dir / "deep/jobs.csv").string(), "has changed since the archive was written",
                           "was " + was + " and is " + sha256_file(dir / "deep/jobs.csv")});
  from.input_sha256["jobs.csv"] = "aa";
  expect_parts(refused(), {"is damaged", "input_sha256"});
}

// A name that is no path of the study and leads out of the program's data is refused, whatever lies there.
TEST_F(FoundInputs, AreNotElsewhere) {
  const std::string sum = sha256_file(dir / "deep/jobs.csv");
  const std::string outside = std::filesystem::relative(dir / "deep/jobs.csv", data_dir()).string();
  for (const std::string& name :
       {outside, "jobs/../" + outside, (dir / "deep/jobs.csv").string(), std::string(".."), std::string(".")}) {
    from.input_sha256 = {{name, sum}};
    expect_parts(refused(), {"input_sha256"});
  }
}

// What the study names is the user's, on an axis too; the rest is the program's own data, from where that lies.
TEST_F(FoundInputs, AreTheUsersOrTheProgramsOwn) {
  from.study_folder = (dir / "deep").string();
  from.input_sha256["jobs/models.toml"] = sha256_file(data_dir() / "jobs/models.toml");
  const std::string text =
      "workload.reader = \"native\"\ncluster.table = \"c.csv\"\naxes.\"workload.trace\" = [\"jobs.csv\"]\n";
  const auto inputs = found(text);
  ASSERT_EQ(inputs.size(), 3u);
  const std::vector<std::string> written = {"c.csv", "jobs.csv", "jobs/models.toml"};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(inputs[i].written, written[i]);
    EXPECT_EQ(inputs[i].sha256, from.input_sha256.at(written[i]));
    EXPECT_EQ(inputs[i].own, i == 2) << written[i];
  }
  EXPECT_EQ(inputs[2].source, data_dir() / "jobs/models.toml");
  EXPECT_EQ(paths_on_axes(read(text)), (std::set<std::pair<std::string, std::string>>{{"workload.trace", "jobs.csv"}}));
}

}  // namespace
}  // namespace palstudy
