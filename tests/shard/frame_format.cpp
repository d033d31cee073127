// SPDX-License-Identifier: MIT
#include "shard/frame_format.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "record/small_run.hpp"

namespace palstudy {
namespace {

using FrameBytes = std::vector<std::byte>;

constexpr std::size_t header_size = 48;
const FrameKind kind_of_test{{'P', 'A', 'L', 'T', 'E', 'S', 'T', '1'}, 7};

FrameBytes payload_of(std::size_t size) { return FrameBytes(size, std::byte{'p'}); }

FrameBytes frame_of(const std::string& id, std::size_t size) { return pack_frame(kind_of_test, id, payload_of(size)); }

FrameBytes joined(FrameBytes a, const FrameBytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

std::filesystem::path file_of(const test::TempDir& dir, const FrameBytes& bytes) {
  const auto path = dir.path() / "a.shard";
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return path;
}

/// What is said of a file of these bytes. A payload of three bytes is one that cannot be.
std::string said_of(const FrameBytes& bytes) {
  const test::TempDir dir;
  const auto refuse = [](const std::string&, std::span<const std::byte> payload, std::uint64_t) {
    return std::string(payload.size() == 3 ? "it is odd" : "");
  };
  const auto read = read_frames(kind_of_test, file_of(dir, bytes), refuse);
  EXPECT_TRUE(read.has_value());
  return read ? read->wrong : "";
}

// Whoever is told of a damaged shard learns what is wrong first and at which byte: each way to be wrong has a sentence
// of its own.
TEST(FrameFormat, EachDamageHasItsSentence) {
  const FrameBytes good = frame_of("one", 4);
  EXPECT_EQ(said_of(good), "");
  EXPECT_EQ(said_of({}), "");
  const FrameBytes first(good.begin(), good.begin() + header_size - 1), most(good.begin(), good.end() - 1);
  EXPECT_EQ(said_of(first), "ends within a frame (at byte 0)") << "its header is cut";
  EXPECT_EQ(said_of(most), "ends within a frame (at byte 0)") << "its payload is cut";
  FrameBytes other = good;
  other[0] = std::byte{'x'};
  EXPECT_EQ(said_of(other), "holds something that is no frame (at byte 0)");
  other = good;
  other.back() ^= std::byte{1};
  EXPECT_EQ(said_of(other), "holds a frame whose checksum does not hold (at byte 0)");
  const FrameKind newer{kind_of_test.magic, kind_of_test.schema + 1};
  EXPECT_EQ(said_of(pack_frame(newer, "one", payload_of(4))),
            "was written by a version of the program with other columns (at byte 0)");
  EXPECT_EQ(said_of(frame_of("one", 3)), "holds a frame that cannot be: it is odd (at byte 0)");
  // Behind a frame that holds, and before another that does not either.
  EXPECT_EQ(said_of(joined(joined(good, most), other)), "holds a frame whose checksum does not hold (at byte 52)");
  EXPECT_EQ(said_of(joined(joined(good, frame_of("two", 3)), first)),
            "holds a frame that cannot be: it is odd (at byte 52)");
}

// Three frames of a file, from wherever reading goes on: each with its id, which may have all sixteen characters, and
// the place of its payload. What was not whole at the end is not counted as read.
TEST(FrameFormat, FramesAreReadFromWhereReadingGoesOn) {
  const test::TempDir dir;
  const FrameBytes three = joined(joined(frame_of("0123456789abcdef", 2), frame_of("b", 0)), frame_of("", 5));
  const auto path = file_of(dir, joined(three, FrameBytes(10)));
  const auto read_from = [&](std::uint64_t from) {
    std::string seen;
    const auto read = read_frames(
        kind_of_test, path,
        [&](const std::string& id, std::span<const std::byte> payload, std::uint64_t place) {
          seen += id + " " + std::to_string(place) + "+" + std::to_string(payload.size()) + "; ";
          return std::string();
        },
        from);
    EXPECT_TRUE(read.has_value());
    EXPECT_EQ(read ? read->size : 0, three.size() + 10);
    return seen + (read ? std::to_string(read->end) + " " + read->wrong : "");
  };
  ASSERT_EQ(three.size(), 3 * header_size + 7);
  EXPECT_EQ(read_from(0), "0123456789abcdef 48+2; b 98+0;  146+5; 151 ends within a frame (at byte 151)");
  EXPECT_EQ(read_from(50), "b 98+0;  146+5; 151 ends within a frame (at byte 151)");
  EXPECT_EQ(read_from(151), "151 ends within a frame (at byte 151)");
  EXPECT_EQ(read_from(161), "161 ");
  EXPECT_EQ(read_from(1000), "161 ") << "the file has become shorter since";
  EXPECT_FALSE(read_frames(kind_of_test, dir.path() / "none.shard",
                           [](const std::string&, auto, std::uint64_t) { return std::string(); }));
}

}  // namespace
}  // namespace palstudy
