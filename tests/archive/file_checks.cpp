// SPDX-License-Identifier: MIT
#include "archive/file_checks.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "archive/archive_runs.hpp"
#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/content_checksum.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "message_of.hpp"

namespace palstudy::test {
namespace {

using hdf5::File;

const std::vector<double> a_number = {1};

/// A file of two datasets, /a and /b/c, with whatever else `more` writes.
File small_file(
    const std::filesystem::path& path, const std::function<void(File&)>& more = [](File&) {}) {
  hdf5::make_file(path, [&](File& file) {
    write_dataset(file, "/a", a_number, {"1", "A."});
    write_dataset(file, "/b/c", a_number, {"1", "C."});
    more(file);
  });
  return File::open(path);
}

// The checksum of a file says which member of the root is another than it was: one that has changed, come or gone, the
// root itself, or none where only the sum over all parts is wrong. Without any, it is missing.
TEST(FileChecks, TheChecksumNamesWhatDiffers) {
  const TempDir dir;
  using Parts = std::vector<std::string>;
  hdf5::ContentChecksum made;
  const auto found = [&](const std::function<void(std::string&, Parts&)>& alter) {
    const File file = small_file(dir.path() / "f.h5", [&](File& fresh) {
      made = content_checksum(fresh);
      std::string all = made.all;
      Parts parts = made.parts;
      alter(all, parts);
      if (!all.empty()) write_attribute(fresh, "/", "checksum", all);
      write_attribute(fresh, "/", "checksum.parts", parts);
    });
    Found findings;
    check_checksum(file, "make it again", findings);
    return findings;
  };
  EXPECT_EQ(found([](auto&, auto&) {}), Found{});
  const auto none = [](std::string& all, Parts& parts) { all.clear(), parts.clear(); };
  const auto finding = [](const std::string& where, const std::string& what) {
    return Found{{what, where, "make it again"}};
  };
  const std::string attribute = "/ (attribute checksum)";
  EXPECT_EQ(found(none), finding(attribute, "is missing"));
  const std::string other(32, '0');
  EXPECT_EQ(found([&](auto& all, auto&) { all = other; }),
            finding(attribute, "says " + other + ", the content gives " + made.all));
  ASSERT_EQ(made.parts.size(), 3U) << "of the root, /a and /b";
  const auto sum = [&](std::size_t part) { return made.parts[part].substr(0, 32); };
  EXPECT_EQ(found([&](auto&, Parts& parts) { parts[2] = other + "  /b"; }),
            finding("/b", "something in it was altered: the checksum says " + other + ", the content gives " + sum(2)));
  EXPECT_EQ(found([&](auto&, Parts& parts) { parts[0] = other + "  /"; }),
            finding("/", "something of the root (attributes, names of its members) was altered: the checksum says " +
                             other + ", the content gives " + sum(0)));
  EXPECT_EQ(found([](auto&, Parts& parts) { parts.erase(parts.begin() + 1); }),
            finding("/a", "was not there when the checksum was made"));
  EXPECT_EQ(found([&](auto&, Parts& parts) { parts.push_back(other + "  /z"); }),
            finding("/z", "the checksum covers it, it is missing"));
  const Found both = found([](auto&, Parts& parts) { parts = {"torn"}; });
  ASSERT_EQ(both.size(), 4U) << "three were not there, and a line without a path is of no part";
  EXPECT_EQ(Found{both[3]}, finding("", "the checksum covers it, it is missing"));
}

// What a file is not, what it is, and which program reads it: an archive, a profile; no HDF5 file of ours; another
// first number of the version, which counts, while the second does not.
TEST(FileChecks, OtherSchemasAreNamed) {
  const TempDir dir;
  const auto refusal = [&](const std::string& schema, const char* kind) -> std::string {
    const auto path = dir.path() / "f.h5";
    const File file = small_file(path, [&](File& fresh) {
      if (!schema.empty()) write_attribute(fresh, "/", "schema", schema);
    });
    try {
      require_schema(file, "palstudy-thing", "3.1.0", kind, "palstudy do");
    } catch (const NotAnArchive& error) {
      const std::string message = error.what(), where = path.string() + ":/: ";
      EXPECT_TRUE(message.starts_with(where)) << message;
      return message.substr(where.size());
    }
    return "";
  };
  const std::string give = "\n  give the path of one that palstudy do has written";
  EXPECT_EQ(refusal("palstudy-thing 3.0.0", "profile"), "");
  EXPECT_EQ(refusal("palstudy-thing 3.22.0", "profile"), "");
  EXPECT_EQ(refusal("", "profile"), "an HDF5 file that is no profile of palstudy" + give);
  EXPECT_EQ(refusal("other 3.1.0", "profile"), "an HDF5 file of the schema \"other 3.1.0\", not a profile" + give);
  EXPECT_EQ(refusal("palstudy-things 3.1.0", "archive"),
            "an HDF5 file of the schema \"palstudy-things 3.1.0\", not an archive" + give);
  const std::string read = "\"; this program reads 3.1.0\n  read it with the palstudy that wrote it";
  EXPECT_EQ(refusal("palstudy-thing 4.1.0", "archive"), "archive of schema version \"4.1.0" + read);
  EXPECT_EQ(refusal("palstudy-thing 33.1.0", "archive"), "archive of schema version \"33.1.0" + read);
  EXPECT_EQ(refusal("palstudy-thing", "archive"), "archive of schema version \"" + read);
}

// Each dataset has a unit and a description; all that lack one are named, and all can be read nevertheless.
TEST(FileChecks, EachLabelThatIsMissingIsAFinding) {
  const TempDir dir;
  const File file = small_file(dir.path() / "f.h5", [](File& fresh) {
    write_dataset(fresh, "/d", a_number, {"", "D."});
    write_dataset(fresh, "/e", a_number, {"1", ""});
  });
  Found findings;
  EXPECT_TRUE(check_datasets(file, "make it again", findings));
  EXPECT_EQ(findings, (Found{{"has no attribute units", "/d", "make it again"},
                             {"has no attribute long_name", "/e", "make it again"}}));
}

// A file that is refused as another program's, but has a checksum of ours that does not hold, was altered in what says
// whose it is: a finding. Where the checksum holds, or there is none of ours, it is another program's.
TEST(FileChecks, AnAlteredSchemaIsAFinding) {
  const TempDir dir;
  const auto found = [&](const std::string& sum, const std::vector<std::string>& parts) {
    const auto path = dir.path() / "f.h5";
    (void)small_file(path, [&](File& file) {
      if (!sum.empty()) write_attribute(file, "/", "checksum", sum == "right" ? content_checksum(file).all : sum);
      write_attribute(file, "/", "checksum.parts", parts);
    });
    return palstudy::found_in(path, "make it again",
                              [](Found&) { throw NotAnArchive("is no archive", "f.h5", "give one"); });
  };
  EXPECT_EQ(found(std::string(32, '0'), {"a part"}),
            (Found{{"is not what the checksum covers", "/ (attribute schema)", "make it again"}}));
  EXPECT_THROW((void)found("right", {"a part"}), NotAnArchive);
  EXPECT_THROW((void)found(std::string(31, '0'), {"a part"}), NotAnArchive);
  EXPECT_THROW((void)found(std::string(32, '0'), {}), NotAnArchive);
  EXPECT_THROW((void)found("", {}), NotAnArchive);
}

// Of several findings the first is told, without its advice and the name of the file, and how many more there are.
TEST(FileChecks, ARefusalTellsTheFirstFinding) {
  const auto refusal = [](const Found& findings) -> std::string {
    return message_or_none(ErrorCode::data, [&] { refuse_damaged(findings, "x/p.h5", "profile"); });
  };
  const std::string begin = "x/p.h5: the profile is damaged: /a: differs",
                    advice = "\n  restore the profile from a copy";
  const ErrorParts first{"differs", "/a", "measure again"}, other{"too", "/b", ""};
  EXPECT_EQ(refusal({}), "");
  EXPECT_EQ(refusal({first}), begin + advice);
  EXPECT_EQ(refusal({first, other}), begin + " (and 1 more; palstudy verify lists them)" + advice);
  EXPECT_EQ(refusal({first, other, other}), begin + " (and 2 more; palstudy verify lists them)" + advice);
  EXPECT_EQ(refusal({{"differs", "x/p.h5:/a", "measure again"}}), begin + advice);
  EXPECT_EQ(refusal({{"/a: differs", "x/p.h5", ""}}), begin + advice);
  EXPECT_EQ(refusal({{"/a: differs", "", "measure again"}}), begin + advice);
}

// A file is replaced by one of its own kind where that is forced, and an empty one always as if it were; another kind,
// a damaged one and one that the command reads never are.
TEST(FileChecks, OnlyAFileOfTheSameKindIsReplaced) {
  const TempDir dir;
  const auto path = dir.path() / "o.h5";
  const auto refusal = [&](bool force, const std::vector<std::filesystem::path>& inputs = {}) -> std::string {
    try {
      require_new_hdf5(path, force, "palstudy-profile", inputs);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      const std::string message = error.what(), where = path.string() + ": ";
      EXPECT_TRUE(message.starts_with(where)) << message;
      return message.substr(where.size());
    }
    return "";
  };
  const auto of_schema = [&](const std::string& schema) {
    (void)small_file(path, [&](File& file) { write_attribute(file, "/", "schema", schema); });
  };
  const std::string force_it = "exists already\n  give another -o, or --force to replace it";
  const std::string move_it = "\n  give another -o; to write there all the same, move the file away first";
  EXPECT_EQ(refusal(false), "");
  write_file(path, "");
  EXPECT_EQ(refusal(false), force_it);
  EXPECT_EQ(refusal(true), "");
  of_schema("palstudy-profile 9.0.0");
  EXPECT_EQ(refusal(false), force_it);
  EXPECT_EQ(refusal(true), "");
  EXPECT_EQ(refusal(true, {dir.path() / "none.h5"}), "") << "an input that is not there is another";
  EXPECT_EQ(refusal(true, {dir.path() / "none.h5", dir.path() / "." / "o.h5"}),
            "is read by this command and would be lost\n  give another -o");
  for (const char* other : {"palstudy-archive 1.0.0", "palstudy-profiles 1.0.0", "palstudy"}) {
    of_schema(other);
    EXPECT_EQ(refusal(true), "is there and no profile of palstudy" + move_it) << other;
    EXPECT_EQ(refusal(false), "is there and no profile of palstudy" + move_it) << other;
  }
  const std::string bytes = read_file(path);
  write_file(path, bytes.substr(0, bytes.size() - 1));
  EXPECT_EQ(refusal(true), "is there, and so damaged that its kind cannot be read" + move_it);
  write_file(path, "job_id,num_gpus\n");
  EXPECT_EQ(refusal(true), "is there and no profile of palstudy" + move_it);
}

}  // namespace
}  // namespace palstudy::test
