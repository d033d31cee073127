// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>

#include "archive/archive_runs.hpp"
#include "archive/note_json.hpp"
#include "archive/provenance.hpp"
#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "archive/write_archive.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "message_of.hpp"
#include "record/tables.hpp"
#include "verified.hpp"

namespace palstudy::test {
namespace {

namespace fs = std::filesystem;

/// The message with which a file is refused; fails the test if it is not, or not as bad data.
std::string refusal(const fs::path& path) {
  const std::string message = message_of(ErrorCode::data, [&] { const ArchiveReader archive(path); });
  EXPECT_NE(message.find(path.filename().string()), std::string::npos) << message;
  return message;
}

/// All that can be read of an archive, in one text.
std::string all_of(const fs::path& path) {
  const ArchiveReader archive(path);
  std::string out;
  for (const Table& table : all_tables()) {
    if (archive.has(table.id)) out += dump(archive.table(table.id));
  }
  out += archive.resolved_study();
  for (const char* name : {"digest", "study", "input_sha256", "command_line", "ranks"}) {
    out += archive.attribute(name) + "\n";
  }
  using Json = nlohmann::ordered_json;
  for (const WordedNote& note : archive.notes()) out += Json(note).dump(-1, ' ', false, Json::error_handler_t::replace);
  for (const ClusterRecord& cluster : archive.clusters()) {
    out += cluster.key;
    for (std::size_t c = 0; c < cluster.slowdowns.classes(); ++c) {
      for (const double value : cluster.slowdowns.of(ClassId(c))) out.append(" ").append(shortest(value));
    }
  }
  return out;
}

/// Flips a bit of each of `tries` random bytes; counts those that change nothing that can be read.
int unused_bytes(const Provenance& provenance, int tries) {
  const TempDir dir;
  const fs::path good = dir.path() / "good.h5", bad = dir.path() / "bad.h5";
  write_archive(good, three_runs(), two_clusters(), provenance);
  const std::string bytes = read_file(good);
  const std::string content = all_of(good);
  EXPECT_EQ(verified_archive(good), std::vector<std::string>{});
  RandomStream stream(1, Purpose::random_placement, 0);
  int unused = 0;
  for (int i = 0; i < tries; ++i) {
    const std::size_t place = stream.below(static_cast<std::uint32_t>(bytes.size()));
    std::string damaged = bytes;
    damaged[place] = static_cast<char>(damaged[place] ^ (1 << stream.below(8)));
    write_file(bad, damaged);
    try {
      if (!verified_archive(bad).empty()) continue;
      EXPECT_TRUE(all_of(bad) == content) << "byte " << place;
      ++unused;
    } catch (const NotAnArchive& error) {
      EXPECT_LT(place, hdf5_signature) << "only what HDF5 files begin with says whether it is one: " << error.what();
    }
  }
  return unused;
}

// Whatever byte of the file is hit, it is no HDF5 file any more, or verify has a finding, or the byte was of no use and
// all that can be read is as it was. The last must be rare: checksums cover data and metadata alike.
TEST(ArchiveDamage, NoFlippedByteGoesUnseen) {
  Provenance small = some_provenance();
  small.resolved_study = "seed = 1\n";
  EXPECT_LT(unused_bytes(small, 150), 38);
}

// A study of more than 64 KiB lies in a part of the file that HDF5 keeps no checksum of.
TEST(ArchiveDamage, NoFlippedByteOfALongStudyGoesUnseen) { EXPECT_LT(unused_bytes(some_provenance(), 80), 20); }

// Cut at any length, the file is refused: HDF5 knows how long it was.
TEST(ArchiveDamage, TruncatedFilesAreRefused) {
  const TempDir dir;
  write_archive(dir.path() / "good.h5", three_runs(), {}, {});
  const std::string bytes = read_file(dir.path() / "good.h5");
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{10}, std::size_t{100}, bytes.size() / 2, bytes.size() - 1}) {
    write_file(dir.path() / "cut.h5", bytes.substr(0, length));
    EXPECT_NE(refusal(dir.path() / "cut.h5"), "") << length;
    if (length < hdf5_signature) {
      EXPECT_THROW((void)verified_archive(dir.path() / "cut.h5"), NotAnArchive);
    } else {
      EXPECT_EQ(verified_archive(dir.path() / "cut.h5").size(), 1u) << "damage is a finding of verify: " << length;
    }
  }
}

// Whose campaign has begun but has not written its archive is told so.
TEST(ArchiveDamage, AnArchiveNotYetWrittenIsToldFromNone) {
  const TempDir dir;
  fs::create_directory(dir.path() / "begun.h5.parts");
  EXPECT_NE(refusal(dir.path() / "begun.h5").find("--resume"), std::string::npos);
  EXPECT_EQ(refusal(dir.path() / "none.h5").find("--resume"), std::string::npos);
}

/// An HDF5 file that says it is of that schema, or says nothing.
void write_other(const fs::path& path, const std::string& schema) {
  hdf5::make_file(path, [&](hdf5::File& file) {
    if (!schema.empty()) write_attribute(file, "/", "schema", schema);
  });
}

// An HDF5 file of somebody else, a profile of ours, and an archive of a later major version are told apart; a later
// minor version is read.
TEST(ArchiveDamage, OtherSchemasAreRefused) {
  const TempDir dir;
  write_other(dir.path() / "alien.h5", "");
  EXPECT_NE(refusal(dir.path() / "alien.h5").find("no archive of palstudy"), std::string::npos);
  write_other(dir.path() / "profile.h5", "palstudy-profile 1.0.0");
  EXPECT_NE(refusal(dir.path() / "profile.h5").find("palstudy-profile"), std::string::npos);
  write_other(dir.path() / "later.h5", "palstudy-archive 2.0.0");
  EXPECT_NE(refusal(dir.path() / "later.h5").find("2.0.0"), std::string::npos);
  write_other(dir.path() / "minor.h5", "palstudy-archive 1.999.0");
  EXPECT_EQ(ArchiveReader(dir.path() / "minor.h5").attribute("schema"), "palstudy-archive 1.999.0");
}

// Whoever reads single columns takes them to be of one length, that of the first: a column is refused if it is longer
// than the first, also where it is as long as the others; and a table of one column can be read.
TEST(ArchiveDamage, AColumnIsAsLongAsTheFirst) {
  const TempDir dir;
  const auto with_columns = [&](const std::vector<std::string>& names) {
    hdf5::make_file(dir.path() / "short.h5", [&](hdf5::File& file) {
      write_attribute(file, "/", "schema", std::string("palstudy-archive ") + archive_schema_version);
      for (const std::string& name : names) {
        const std::vector<double> values(name == "first" ? 1 : 2);
        write_dataset(file, column_path(TableId::runs, name), std::span<const double>(values), {"s", name});
      }
      write_attribute(file, table_of(TableId::runs).group, table_of(TableId::runs).column_list, names);
    });
    return ArchiveReader(dir.path() / "short.h5");
  };
  EXPECT_THROW((void)with_columns({"first", "second", "third"}).column(TableId::runs, "third"), Error);
  EXPECT_NO_THROW((void)with_columns({"first"}).column(TableId::runs, "first"));
}

/// No file may grow beyond `bytes` while it lives: what a full disk does to write().
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit before_{};
  void (*handler_)(int);
};

// A full disk is a data error that names the file; nothing is left, an older archive stays, and the process can go on
// to write once there is room.
TEST(ArchiveDamage, AFullDiskLeavesNothing) {
  const TempDir dir;
  const fs::path path = dir.path() / "a.h5", old = dir.path() / "old.h5";
  write_file(old, "older");
  for (const fs::path& target : {path, old}) {
    const std::string message = message_of(ErrorCode::data, [&] {
      const FileSizeLimit limit(4096);
      write_archive(target, three_runs(), {}, {});
    });
    EXPECT_NE(message.find(target.filename().string()), std::string::npos) << message;
  }
  EXPECT_FALSE(fs::exists(path));
  EXPECT_EQ(read_file(old), "older");
  EXPECT_EQ(std::distance(fs::directory_iterator(dir.path()), {}), 1);
  write_archive(path, three_runs(), {}, {});
  EXPECT_EQ(verified_archive(path), std::vector<std::string>{});
}

TEST(ArchiveDamage, AMissingDirectoryIsADataError) {
  const TempDir dir;
  (void)message_of(ErrorCode::data, [&] { write_archive(dir.path() / "nowhere" / "a.h5", three_runs(), {}, {}); });
}

// Columns as no archive of ours has them are refused by name: of another type than the schema says, of a type that no
// column has, and codes whose names are not told, are not there, or do not reach so far.
TEST(ArchiveDamage, ColumnsOfAnotherKindAreRefused) {
  const TempDir dir;
  const fs::path path = dir.path() / "forged.h5";
  using Put = std::function<void(hdf5::File&, const std::string&)>;
  const auto message = [&](const std::string& column, const Put& put) -> std::string {
    const std::string place = column_path(TableId::runs, column);
    hdf5::make_file(path, [&](hdf5::File& file) {
      write_attribute(file, "/", "schema", std::string("palstudy-archive ") + archive_schema_version);
      const std::vector<std::string> names = {"done", "failed"};
      write_dataset(file, "/names/two", names, {"1", "Names."});
      put(file, place);
      write_attribute(file, "/runs", "columns", std::vector<std::string>{column});
    });
    try {
      (void)ArchiveReader(path).column(TableId::runs, column);
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(place), std::string::npos) << error.what();
      return error.what();
    }
    return "";
  };
  const auto codes = [](const std::vector<std::int32_t>& values, const std::string& names) -> Put {
    return [=](hdf5::File& file, const std::string& place) {
      write_dataset(file, place, values, {"1", "Codes."});
      if (!names.empty()) write_attribute(file, place, "names", names);
    };
  };
  const std::vector<double> reals = {1, 2};
  const std::vector<float> singles = {1, 2};
  const Put real = [&](hdf5::File& file, const std::string& at) { write_dataset(file, at, reals, {"1", "Reals."}); };
  const Put single = [&](hdf5::File& file, const std::string& at) { write_dataset(file, at, singles, {"1", "Real."}); };
  EXPECT_EQ(message("status", codes({1, 0}, "/names/two")), "");
  EXPECT_NE(message("run", real).find("of another type than schema"), std::string::npos);
  EXPECT_NE(message("an.axis", single).find("of a type that no archive of ours has"), std::string::npos);
  EXPECT_NE(message("status", codes({1, 0}, "")).find("names of the codes are missing"), std::string::npos);
  EXPECT_NE(message("status", codes({1, 0}, "/names/none")).find("names of the codes are missing"), std::string::npos);
  EXPECT_NE(message("status", codes({1, 2}, "/names/two")).find("code 2 has no name"), std::string::npos);
  EXPECT_NE(message("status", codes({-1, 0}, "/names/two")).find("code -1 has no name"), std::string::npos);
}

}  // namespace
}  // namespace palstudy::test
