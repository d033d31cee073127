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

}  // namespace
}  // namespace palstudy::test
