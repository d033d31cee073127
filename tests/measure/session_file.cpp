// SPDX-License-Identifier: MIT
#include "measure/session_file.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: mkdtemp is POSIX

#include <fstream>

#include "core/error.hpp"
#include "message_of.hpp"
#include "shard/measured_frame.hpp"

namespace palstudy {
namespace {

class SessionFiles : public ::testing::Test {
 protected:
  SessionFiles() {
    std::string name = (std::filesystem::temp_directory_path() / "palstudy-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw fault("no temporary folder");
    dir = name;
  }
  ~SessionFiles() override {
    std::error_code ignored;
    std::filesystem::remove_all(dir, ignored);
  }
  std::filesystem::path dir;
};

TEST_F(SessionFiles, RoundTrip) {
  EXPECT_FALSE(load_session(dir));
  save_session(dir, {"id", "2026-01-31T12:00:00Z", "palstudy measure", 3, {"seed = 1", "solo = false"}});
  const auto read = load_session(dir);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->id, "id");
  EXPECT_EQ(read->start_utc, "2026-01-31T12:00:00Z");
  EXPECT_EQ(read->command_line, "palstudy measure");
  EXPECT_EQ(read->launches, 3);
  EXPECT_EQ(read->what, (std::vector<std::string>{"seed = 1", "solo = false"}));
  std::ofstream(dir / "measure.json") << "{\"format\": \"palstudy-measure-0\"}";
  EXPECT_THROW((void)load_session(dir), Error);
}

// A session goes on only with what it was begun with, and the refusal says what differs.
TEST_F(SessionFiles, AnotherCommandIsRefused) {
  const SessionFile session{"id", "", "", 1, {"seed = 1", "solo = false"}};
  EXPECT_NO_THROW(require_same(session, session.what, "p.h5"));
  for (const auto& other :
       {std::vector<std::string>{"seed = 1", "solo = true"}, {"seed = 1"}, {"seed = 1", "solo = false", "x"}}) {
    EXPECT_NE(message_of(ErrorCode::usage, [&] { require_same(session, other, "p.h5"); })
                  .find(other.size() == 3 ? "\"x\"" : "\"solo = false\""),
              std::string::npos);
  }
}

TEST(SessionId, IsUniqueAndPlain) {
  const std::string a = new_session_id("monday"), b = new_session_id("");
  EXPECT_NE(a.substr(0, 25), b);
  EXPECT_TRUE(a.ends_with("-monday"));
  EXPECT_EQ(b.size(), 25U);  // 20260131T120000Z-12345678
  EXPECT_THROW((void)new_session_id("a/b"), Error);
}

}  // namespace

namespace {

class MeasuringStatus : public ::testing::Test {
 protected:
  MeasuringStatus() {
    std::string name = (std::filesystem::temp_directory_path() / "palstudy-test-XXXXXX").string();
    dir_ = mkdtemp(name.data());
  }
  ~MeasuringStatus() override { std::filesystem::remove_all(dir_); }
  [[nodiscard]] std::filesystem::path profile() const { return dir_ / "p.h5"; }
  [[nodiscard]] std::filesystem::path parts() const { return dir_ / "p.h5.parts"; }
  void keep(const std::string& gpu, int repeat) const {
    MeasuredRepeat measured;
    measured.gpu.uuid = gpu;
    measured.kernel = {"triad", "n = 4", "", 0, 0, 0};
    measured.repeat.repeat = repeat;
    measured.repeat.batch_ms = {1.0F};
    const auto bytes = encode_measured(measured);
    std::ofstream(parts() / "s-1-0.shard", std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::filesystem::path dir_;
};

// Two kernels, three repeats of each: six on each GPU that has been heard of. A frame that is cut is said.
TEST_F(MeasuringStatus, CountsTheRepeatsInTheShards) {
  EXPECT_FALSE(measurement_status(profile()).has_value());
  std::filesystem::create_directory(parts());
  save_session(parts(), {"20261121T085312Z-48213907",
                         "2026-11-21T08:53:12Z",
                         "palstudy measure",
                         2,
                         {"backend = host", "protocol: clock = thread-cpu-time, repeats = 3, batch_s = 0.1",
                          "kernel triad: n = 4", "kernel sgemm: n = 8", "link = false, allreduce = false"}});
  EXPECT_EQ(to_text(*measurement_status(profile())),
            "measuring: 0 repeats of 2 kernels on 0 GPUs so far; session 20261121T085312Z-48213907, begun "
            "2026-11-21T08:53:12Z, started 2 times\n");
  keep("host-a-0", 0), keep("host-a-0", 1), keep("host-a-1", 0);
  const std::string text = to_text(*measurement_status(profile()));
  EXPECT_EQ(text.substr(0, text.find(';')),
            "measuring: 3 repeats of 2 kernels on 2 GPUs so far, 3 of each wanted: 12 on these, and those that have to "
            "be done again");
  std::ofstream(parts() / "s-1-0.shard", std::ios::binary | std::ios::app) << "PALMEAS1";
  EXPECT_NE(to_text(*measurement_status(profile())).find("ends within a frame"), std::string::npos);
}

}  // namespace

}  // namespace palstudy
