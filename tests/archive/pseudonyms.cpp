// SPDX-License-Identifier: MIT
#include "archive/pseudonyms.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace palstudy::test {
namespace {

// Hash by `printf node1 | openssl dgst -sha256 -hmac key`: a9e1... would say so; here only what must hold of it is
// asked: one name, one pseudonym; another key, another pseudonym.
TEST(Pseudonyms, EqualStaysEqualAndTheKeyDecides) {
  Pseudonyms a("key"), b("another");
  for (Pseudonyms* names : {&a, &b}) names->add("node1");
  EXPECT_EQ(a.of("node1"), a.of("node1"));
  EXPECT_NE(a.of("node1"), b.of("node1"));
  EXPECT_EQ(a.of("").size(), 0U);
  Pseudonyms fresh, other;  // two keys of 256 random bits
  for (Pseudonyms* names : {&fresh, &other}) names->add("node1");
  EXPECT_NE(fresh.of("node1"), other.of("node1"));
}

// Clusters are drawn from nodes in the order of their names, so that order has to stay: 12 names, whose ranks have two
// digits.
TEST(Pseudonyms, OrderStays) {
  Pseudonyms names("key");
  std::vector<std::string> hosts;
  for (int i = 0; i < 12; ++i) hosts.push_back("c" + std::to_string(i * 7));
  std::sort(hosts.begin(), hosts.end());
  for (const auto& host : hosts) names.add(host);
  std::vector<std::string> made;
  for (const auto& host : hosts) made.push_back(names.of(host));
  EXPECT_TRUE(std::is_sorted(made.begin(), made.end()));
  EXPECT_EQ(std::adjacent_find(made.begin(), made.end()), made.end());
}

// What is replaced in free text, and what must not be.
TEST(Pseudonyms, TextsAreScrubbed) {
  Pseudonyms names("key");
  names.add("node1");
  names.add("1");
  names.add_secret("mallory");
  names.add_secret("al");
  names.add_secret("root");  // every system has it
  const std::string host = names.of("node1"), user = names.of("mallory");
  EXPECT_EQ(names.scrub("on node1: 2 processes; node12 has 1."), "on " + host + ": 2 processes; node12 has 1.");
  EXPECT_EQ(names.scrub("node1.site.edu."), host + ".");
  EXPECT_EQ(names.scrub("xmallory_2"), "x" + user + "_2");
  EXPECT_EQ(names.scrub("al alone, also"), names.of("al") + " alone, also");
  EXPECT_EQ(names.scrub("root of 3/4 at https://example.org/a/b, 5 events/s"),
            "root of 3/4 at https://example.org/a/b, 5 events/s");
  for (const char* path : {"/home/x/a.csv", "~/a.csv", "--out=/x/y", "'/with a blank/b'", "(/x)", "file:/x/y"}) {
    const std::string made = names.scrub(std::string("read ") + path + " twice");
    EXPECT_NE(made.find("path-"), std::string::npos) << path;
    EXPECT_EQ(made.find("/"), std::string::npos) << made;
    EXPECT_TRUE(made.ends_with(" twice")) << made;
  }
  EXPECT_EQ(names.scrub("/home/x/a.csv"), names.scrub("/home/x/a.csv"));
  EXPECT_EQ(names.scrub("GPU-8f0c1e2d-0123-4567-89ab-0123456789ab").rfind("uuid-", 0), 0U);
  EXPECT_EQ(names.scrub("built by someone@build.host").find("someone"), std::string::npos);
}

TEST(Pseudonyms, CommandLines) {
  Pseudonyms names("key");
  const std::string made =
      names.scrub_command("palstudy run deep/study.toml -o out.h5 --set workload.trace=../x/t.csv");
  EXPECT_EQ(made.find("deep"), std::string::npos) << made;
  EXPECT_EQ(made.find("../x"), std::string::npos) << made;
  EXPECT_TRUE(made.starts_with("palstudy run path-")) << made;
  EXPECT_NE(made.find(" -o out.h5 "), std::string::npos) << made;
  // Words with blanks stand in quotes, as palstudy keeps them.
  const std::string blanks =
      names.scrub_command("palstudy run '/data/Acme Labs/s.toml' -o '--x=/a/Jane Doe.h5' 'a [1]'");
  EXPECT_EQ(blanks.find("Labs"), std::string::npos) << blanks;
  EXPECT_EQ(blanks.find("Doe"), std::string::npos) << blanks;
  EXPECT_TRUE(blanks.ends_with(" 'a [1]'")) << blanks;
}

TEST(Pseudonyms, RenamedPathsAreNoSecrets) {
  Pseudonyms names("key");
  names.rename("../far/t.csv", "inputs/input.csv");
  EXPECT_EQ(names.scrub("../far/t.csv: 2 rows dropped"), "inputs/input.csv: 2 rows dropped");
  EXPECT_FALSE(names.tells("../far/t.csv"));
  EXPECT_TRUE(names.tells("/far/t.csv"));
}

}  // namespace
}  // namespace palstudy::test
