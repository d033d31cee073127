// SPDX-License-Identifier: MIT
// The checksum that archives carry is one of the content alone, made in one way for ever: another way, even one that
// sees every byte as well, would refuse all archives that there are. So it is put together here once more, from xxHash
// and the parts themselves.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "hdf5/attribute.hpp"
#include "hdf5/content_checksum.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "record/small_run.hpp"

namespace palstudy::test {
namespace {

std::string number(std::uint64_t value) { return {reinterpret_cast<const char*>(&value), sizeof value}; }
std::string text(const std::string& characters) { return number(characters.size()) + characters; }

std::string sum(const std::string& bytes) {
  const XXH128_hash_t made = XXH3_128bits(bytes.data(), bytes.size());
  std::array<char, 33> hex{};
  (void)std::snprintf(hex.data(), hex.size(), "%016llx%016llx", static_cast<unsigned long long>(made.high64),
                      static_cast<unsigned long long>(made.low64));
  return hex.data();
}

std::string word(const std::string& name, const std::string& value) {
  return text(name) + text("text" + std::to_string(value.size()) + " 1 1") + text("value") + value;
}

TEST(ContentChecksum, IsMadeOfTypesLengthsValuesAndAttributes) {
  const TempDir dir;
  const std::string path = (dir.path() / "f.h5").string();
  const std::array<std::int64_t, 3> values = {3, 5, -7};
  hdf5::make_file(path, [&](hdf5::File& file) {
    write_attribute(file, "/", "word", "abc");
    write_dataset(file, "/numbers", values, {"s", "Numbers."});
    write_checksum(file);
  });
  const std::string bytes(reinterpret_cast<const char*>(values.data()), sizeof values);
  const std::string root = sum(text("/") + text("group") + word("word", "abc") + text("/numbers")) + "  /";
  const std::string numbers = sum(text("/numbers") + text(sum(text("int64") + number(3) + bytes)) +
                                  word("long_name", "Numbers.") + word("units", "s")) +
                              "  /numbers";
  const auto stored = stored_checksum(hdf5::File::open(path));
  EXPECT_EQ(stored.parts, (std::vector<std::string>{root, numbers}));
  EXPECT_EQ(stored.all, sum(text(root) + text(numbers)));
  EXPECT_EQ(content_checksum(hdf5::File::open(path)).all, stored.all) << "read instead of written";
}

/// Of a text as the dimension scales have it: ASCII that ends with a NUL.
std::string scale_word(const std::string& name, const std::string& value) {
  const std::size_t size = value.size() + 1;
  return text(name) + text("text" + std::to_string(size) + " 0 0") + text("value") + value + std::string(1, '\0');
}

std::string labels(const std::string& unit, const std::string& name) {
  return word("long_name", name) + word("units", unit);
}

// The references between scales and columns are in it by the paths that they lead to, with the dimension, which is the
// first; a scale without values by its length. Lists and numbers have their types, groups the names of their members.
TEST(ContentChecksum, IsMadeOfReferencesListsAndNumbersToo) {
  const TempDir dir;
  const std::string path = (dir.path() / "f.h5").string();
  const std::array<double, 2> values = {0.5, -2};
  const std::array<std::string, 2> texts = {"a", "bcd"};
  hdf5::make_file(path, [&](hdf5::File& file) {
    write_dataset(file, "/g/x", values, {"s", "X."});
    write_dataset(file, "/g/y", texts, {"1", "Y."});
    write_dataset(file, "/g/z", values, {"s", "Z."});
    write_attribute(file, "/g", "count", std::int64_t{7});
    write_attribute(file, "/g", "list", std::vector<std::string>{"q", "rs"});
    share_rows(file, "/g/x", {"/g/x", "/g/z"});
    share_rows(file, "/g/row", {"/g/y"});
    write_checksum(file);
  });
  const std::string doubles(reinterpret_cast<const char*>(values.data()), sizeof values);
  const std::int64_t seven = 7;
  const std::string of_doubles = text(sum(text("float64") + number(2) + doubles));
  const std::string group = text("/g") + text("group") + text("count") + text("int64") + text("value") +
                            std::string(reinterpret_cast<const char*>(&seven), sizeof seven) + text("list") +
                            text("text2 1 1") + text("2 values") + std::string("q\0rs", 4) + text("/g/row") +
                            text("/g/x") + text("/g/y") + text("/g/z");
  const std::string row = text("/g/row") + text("2 rows") + scale_word("CLASS", "DIMENSION_SCALE") +
                          scale_word("NAME", "This is a netCDF dimension but not a netCDF variable.         2") +
                          text("REFERENCE_LIST") + text("/g/y") + number(0) +
                          labels("1", "The rows that the columns of this table share; it has no values of its own.");
  const std::string x = text("/g/x") + of_doubles + scale_word("CLASS", "DIMENSION_SCALE") + scale_word("NAME", "x") +
                        text("REFERENCE_LIST") + text("/g/z") + number(0) + labels("s", "X.");
  const std::string y = text("/g/y") + text(sum(text("text3 1 1") + number(2) + std::string("a\0\0bcd", 6))) +
                        text("DIMENSION_LIST") + text("/g/row") + labels("1", "Y.");
  const std::string z = text("/g/z") + of_doubles + text("DIMENSION_LIST") + text("/g/x") + labels("s", "Z.");
  const std::string root = sum(text("/") + text("group") + text("/g")) + "  /";
  const std::string part = sum(group + row + x + y + z) + "  /g";
  const hdf5::File file = hdf5::File::open(path);
  EXPECT_EQ(stored_checksum(file).parts, (std::vector<std::string>{root, part}));
  EXPECT_EQ(stored_checksum(file).all, sum(text(root) + text(part)));
  EXPECT_EQ(content_checksum(file).parts, stored_checksum(file).parts) << "read instead of written";
}

}  // namespace
}  // namespace palstudy::test
