// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>

#include "archive/archive_runs.hpp"
#include "archive/file_checks.hpp"
#include "core/file_bytes.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"

namespace palstudy::test {
namespace {

const std::array<double, 1> one_number = {1.5};

// By the format of HDF5 files (version 3.0, IV.A.1.b) the header of an object begins with OHDR, its version, 2, and
// flags, of which 0x20 says that times follow: no object has any, so that the same content is the same file at any
// time. A heap of links or attributes would begin with FRHP (III.F): there is none while no attribute is over 64 KiB,
// though the root has some thirty attributes and /runs as many links.
TEST(Hdf5File, ObjectsHaveNeitherTimesNorHeaps) {
  const TempDir dir;
  Provenance from = some_provenance();
  from.resolved_study = "seed = 1\n";
  write_archive(dir.path() / "a.h5", three_runs(), two_clusters(), from);
  const std::string bytes = read_file(dir.path() / "a.h5"), header = "OHDR\x02";
  std::size_t objects = 0;
  for (std::size_t at = bytes.find(header); at != std::string::npos; at = bytes.find(header, at + 1), ++objects) {
    EXPECT_EQ(bytes.at(at + header.size()) & 0x20, 0) << "object at " << at;
  }
  const hdf5::File file = hdf5::File::open(dir.path() / "a.h5");
  EXPECT_EQ(objects, 1 + file.groups().size() + file.datasets().size()) << "and the root";
  EXPECT_EQ(bytes.find("FRHP"), std::string::npos);
}

// A group is made with those above it, once; what lies under none is not there, and lists are sorted by their bytes.
TEST(Hdf5File, GroupsAreMadeWithThoseAboveThem) {
  const TempDir dir;
  hdf5::make_file(dir.path() / "f.h5", [](hdf5::File& file) {
    file.group("/b/c/d");
    file.group("/b/c/d");
    file.group("/a");
    write_dataset(file, "/a/two", one_number, {"1", "A number."});
    write_dataset(file, "/one", one_number, {"1", "A number."});
    EXPECT_TRUE(file.exists("/b/c") && file.exists("/a/two") && file.exists("/"));
  });
  using Names = std::vector<std::string>;
  const hdf5::File file = hdf5::File::open(dir.path() / "f.h5");
  EXPECT_EQ(file.groups(), (Names{"/a", "/b", "/b/c", "/b/c/d"}));
  EXPECT_EQ(file.datasets(), (Names{"/a/two", "/one"}));
  EXPECT_EQ(file.children("/"), (Names{"a", "b", "one"}));
  EXPECT_EQ(file.children("/b"), Names{"c"});
  EXPECT_EQ(file.children("/c"), Names{});
  EXPECT_EQ(file.children("/x/c"), Names{});
  EXPECT_TRUE(file.exists("/") && file.exists("/b/c/d") && file.exists("/one"));
  EXPECT_FALSE(file.exists("/c") || file.exists("/b/x/d") || file.exists("/x"));
}

// Five bytes behind the end and a user block of 512 before the content are counted, and each is a finding that says so.
TEST(Hdf5File, CountsTheBytesAroundIt) {
  const TempDir dir;
  const auto path = dir.path() / "f.h5";
  hdf5::make_file(path, [](hdf5::File& file) { write_dataset(file, "/one", one_number, {"1", "A number."}); });
  const std::string bytes = read_file(path);
  const auto found = [&](const std::string& content) {
    write_file(path, content);
    Found findings;
    check_file_end(hdf5::File::open(path), "restore it", findings);
    return findings;
  };
  EXPECT_EQ(found(bytes), Found{});
  EXPECT_EQ(found(bytes + "12345"), (Found{{"5 bytes follow the end of the HDF5 file", "", "restore it"}}));
  EXPECT_EQ(found(bytes + '\0'), (Found{{"1 bytes follow the end of the HDF5 file", "", "restore it"}}));
  write_file(path, std::string(512, '\0') + bytes);
  EXPECT_EQ(hdf5::File::open(path).bytes_before(), 512U);
}

// A rank that has the bytes of a file in memory reads them there, whatever has become of the file.
TEST(Hdf5File, IsReadFromItsCopyInMemory) {
  const TempDir dir;
  const auto path = dir.path() / "f.h5";
  hdf5::make_file(path, [](hdf5::File& file) { write_dataset(file, "/one", one_number, {"1", "A number."}); });
  add_file_copy(path, read_file(path));
  std::filesystem::remove(path);
  EXPECT_EQ(read_reals(hdf5::File::open(path), "/one"), std::vector<double>{1.5});
}

// Files are replaced by a rename, never changed, so that reading takes no lock: one that another has locked is read, as
// on a file system that knows no locks.
TEST(Hdf5File, IsReadThoughItIsLocked) {
  const TempDir dir;
  const auto path = dir.path() / "f.h5";
  hdf5::make_file(path, [](hdf5::File& file) { write_dataset(file, "/one", one_number, {"1", "A number."}); });
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_EQ(::flock(descriptor, LOCK_EX | LOCK_NB), 0);
  EXPECT_EQ(read_reals(hdf5::File::open(path), "/one"), std::vector<double>{1.5});
  ::close(descriptor);
}

// What is given in place of an archive is named by what it is, with what would be right.
TEST(Hdf5File, WhatIsNoFileIsToldApart) {
  const TempDir dir;
  const auto refusal = [](const std::filesystem::path& path) -> std::string {
    try {
      (void)hdf5::File::open(path);
    } catch (const NotAnArchive& error) {
      return error.what();
    }
    return "";
  };
  const std::string give = "give the path of an archive (palstudy run) or of a profile (palstudy measure)";
  EXPECT_EQ(refusal(dir.path()), dir.path().string() + ": is a folder\n  " + give);
  EXPECT_EQ(refusal("/dev/null"), "/dev/null: is no file\n  " + give);
  const auto none = dir.path() / "none.h5";
  EXPECT_EQ(refusal(none), none.string() + ": there is no such file\n  " + give);
}

}  // namespace
}  // namespace palstudy::test
