// SPDX-License-Identifier: MIT
// The attributes by which other programs show what a code stands for (CF conventions, section 3.5).
#include "hdf5/code_names.hpp"

#include <gtest/gtest.h>

#include <array>

#include "record/small_run.hpp"

namespace palstudy::test {
namespace {

using Texts = std::vector<std::string>;

// Words are separated by blanks, so no word may hold one; "a b" and "a/b" would both be a_b, and the second is told
// apart.
TEST(CodeNames, MeaningsAreWordsOfTheirOwn) {
  EXPECT_EQ(hdf5::flag_meanings({"pal", "packed-sticky", "v1.2+x@y_z"}), "pal packed-sticky v1.2+x@y_z");
  EXPECT_EQ(hdf5::flag_meanings({"", "a b", "a/b", "a_b", "\xc3\xa9"}), "_ a_b a_b_ a_b__ __");
  EXPECT_EQ(hdf5::flag_meanings({}), "");
}

TEST(CodeNames, StandBesideTheCodes) {
  const TempDir dir;
  const auto path = dir.path() / "f.h5";
  const std::array<std::int32_t, 3> codes = {1, 0, 1};
  hdf5::make_file(path, [&](hdf5::File& file) {
    for (const char* name : {"/few", "/many", "/none"}) file.write(name, std::span(codes), {"1", "Codes."});
    hdf5::name_flags(file, "/few", {"A", "B"});
    hdf5::name_flags(file, "/many", {std::string(hdf5::longest_meanings, 'x'), "B"});
    hdf5::name_flags(file, "/none", {});
  });
  const auto file = hdf5::File::open(path);
  EXPECT_EQ(file.attribute("/few", "flag_values"), (Texts{"0", "1"}));
  EXPECT_EQ(file.attribute("/few", "flag_meanings"), Texts{"A B"});
  EXPECT_EQ(std::get<std::vector<std::int32_t>>(file.attribute_value("/few", "flag_values")), (std::vector{0, 1}));
  for (const char* name : {"/many", "/none"}) {
    EXPECT_EQ(file.attribute(name, "flag_values"), Texts{}) << name;
    EXPECT_EQ(file.attribute(name, "flag_meanings"), Texts{}) << name;
  }
}

}  // namespace
}  // namespace palstudy::test
