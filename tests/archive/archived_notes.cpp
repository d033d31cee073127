// SPDX-License-Identifier: MIT
#include "archive/archived_notes.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "archive/archive_runs.hpp"
#include "archive/note_json.hpp"
#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "message_of.hpp"

namespace palstudy::test {
namespace {

using Json = nlohmann::ordered_json;  // the values of notes have an order

const std::vector<WordedNote> notes = {{{"missing-nodes",
                                         Severity::info,
                                         "m\xc3\xa9",
                                         {{"yes", true},
                                          {"count", 3},
                                          {"whole", 2.0},
                                          {"share", 0.1},
                                          {"unknown", Value()},
                                          {"list", ValueList{"a", ValueRecord{{"z", 1}, {"b", 2}}, ValueList()}}}},
                                        "three nodes"},
                                       {{"made-up", Severity::stop, "", {}}, "no machine"}};

std::vector<WordedNote> read(const std::filesystem::path& path) { return read_notes(hdf5::File::open(path)); }

// Every kind of value, the order of names too; a whole number and a real one stay what they are.
TEST(ArchivedNotes, AreReadAsTheyWereWritten) {
  const TempDir dir;
  const auto path = dir.path() / "f.h5";
  hdf5::make_file(path, [](hdf5::File& file) { write_notes(file, notes); });
  EXPECT_EQ(read(path), notes);
  const hdf5::File file = hdf5::File::open(path);
  EXPECT_EQ(read_texts(file, "/notes/values")[1], "{}");
  EXPECT_EQ(read_attribute(file, "/notes", "columns"),
            (std::vector<std::string>{"id", "severity", "subject", "values", "text"}));
  EXPECT_TRUE(without_scale(file).empty());
  for (const WordedNote& one : notes) EXPECT_EQ(note_of(Json(one), "here"), one);
}

TEST(ArchivedNotes, NoneLeaveNoTable) {
  const TempDir dir;
  hdf5::make_file(dir.path() / "f.h5", [](hdf5::File& file) { write_notes(file, {}); });
  EXPECT_TRUE(hdf5::File::open(dir.path() / "f.h5").groups().empty());
  EXPECT_TRUE(read(dir.path() / "f.h5").empty());
}

// Until archive 1.7 a file had the sentences alone, in an attribute: notes without an id and values.
TEST(ArchivedNotes, OfOlderProgramsAreSentences) {
  const TempDir dir;
  const std::vector<std::string> sentences = {"first", "second"};
  hdf5::make_file(dir.path() / "f.h5", [&](hdf5::File& file) { write_attribute(file, "/", "notes", sentences); });
  EXPECT_EQ(read(dir.path() / "f.h5"), (std::vector<WordedNote>{{{}, "first"}, {{}, "second"}}));
}

// What no program of ours writes is damage, with its place.
TEST(ArchivedNotes, DamageIsRefused) {
  const TempDir dir;
  const auto refused = [&](const char* severity, const char* values, std::size_t texts) -> std::string {
    hdf5::make_file(dir.path() / "f.h5", [&](hdf5::File& file) {
      const auto write = [&](const char* name, const std::vector<std::string>& column) {
        write_dataset(file, notes_group + "/" + name, column, {"1", "."});
      };
      write("id", {"a"}), write("severity", {severity}), write("subject", {""}), write("values", {values});
      write("text", std::vector<std::string>(texts, "t"));
    });
    return message_or_none(ErrorCode::data, [&] { (void)read(dir.path() / "f.h5"); });
  };
  EXPECT_EQ(refused("info", "{}", 1), "");
  EXPECT_NE(refused("grave", "{}", 1).find("\"grave\" is no severity of a note"), std::string::npos);
  EXPECT_NE(refused("info", "[1]", 1).find("/notes/values: the values of a note are no JSON object"),
            std::string::npos);
  EXPECT_NE(refused("info", "{", 1).find("no JSON object"), std::string::npos);
  EXPECT_NE(refused("info", "{}", 2).find("columns of several lengths"), std::string::npos);
  EXPECT_THROW((void)note_of(Json::object(), "here"), Error);
}

}  // namespace
}  // namespace palstudy::test
