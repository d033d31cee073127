// SPDX-License-Identifier: MIT
#include "measure/session_file.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: mkdtemp is POSIX

#include <fstream>

#include "core/error.hpp"

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
    try {
      require_same(session, other, "p.h5");
      ADD_FAILURE() << "was accepted";
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::usage);
      EXPECT_NE(std::string(error.what()).find(other.size() == 3 ? "\"x\"" : "\"solo = false\""), std::string::npos);
    }
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
}  // namespace palstudy
