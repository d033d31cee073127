// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include "archive/archive_runs.hpp"
#include "core/error.hpp"
#include "hdf5/attribute.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/stream.hpp"
#include "message_of.hpp"

namespace palstudy::test {
namespace {

// A text, a list and a number come back as what they were, empty texts among them; one element of a list is not a text.
// A list of none is not stored, and what is missing reads as nothing. A name is given once.
TEST(Hdf5Attribute, ComesBackAsWhatItWas) {
  const TempDir dir;
  using Texts = std::vector<std::string>;
  hdf5::make_file(dir.path() / "f.h5", [](hdf5::File& file) {
    file.group("/g");
    write_attribute(file, "/g", "text", "a text");
    write_attribute(file, "/g", "empty", std::string());
    write_attribute(file, "/g", "number", std::int64_t{-7});
    write_attribute(file, "/g", "list", Texts{"a", "", "longer"});
    write_attribute(file, "/g", "one", Texts{"alone"});
    write_attribute(file, "/g", "none", Texts{});
    write_attribute(file, "/", "text", "of the root");
    EXPECT_THROW(write_attribute(file, "/g", "text", "again"), Error);
  });
  const hdf5::File file = hdf5::File::open(dir.path() / "f.h5");
  EXPECT_EQ(attribute_names(file, "/g"), (Texts{"empty", "list", "number", "one", "text"}));
  EXPECT_EQ(read_attribute(file, "/g", "text"), Texts{"a text"});
  EXPECT_EQ(read_attribute(file, "/", "text"), Texts{"of the root"});
  EXPECT_EQ(read_attribute(file, "/g", "empty"), Texts{""});
  EXPECT_EQ(read_attribute(file, "/g", "number"), Texts{"-7"});
  EXPECT_EQ(read_attribute(file, "/g", "list"), (Texts{"a", "", "longer"}));
  EXPECT_EQ(read_attribute(file, "/g", "none"), Texts{});
  using hdf5::AttributeValue;
  EXPECT_EQ(attribute_value(file, "/g", "text"), AttributeValue(std::string("a text")));
  EXPECT_EQ(attribute_value(file, "/g", "empty"), AttributeValue(std::string()));
  EXPECT_EQ(attribute_value(file, "/g", "number"), AttributeValue(std::int64_t{-7}));
  EXPECT_EQ(attribute_value(file, "/g", "list"), AttributeValue(Texts{"a", "", "longer"}));
  EXPECT_EQ(attribute_value(file, "/g", "one"), AttributeValue(Texts{"alone"}));
}

// The words of codes: letters, digits, _-.+@ and what is beyond ASCII stay, all else becomes _. There are at most 32
// KiB of them, blanks between them counted; of no code at all there are none. Values count from 0.
TEST(Hdf5Attribute, FlagsTakeAtMostThirtyTwoKibibytes) {
  const TempDir dir;
  using Texts = std::vector<std::string>;
  const std::vector<std::int32_t> codes = {0};
  hdf5::make_file(dir.path() / "f.h5", [&](hdf5::File& file) {
    for (const char* path : {"/most", "/more", "/none", "/kept"}) write_dataset(file, path, codes, {"1", "Codes."});
    write_flags(file, "/most", {std::string(16'383, 'a'), std::string(16'384, 'b')});
    write_flags(file, "/more", {std::string(16'384, 'a'), std::string(16'384, 'b')});
    write_flags(file, "/none", {});
    write_flags(file, "/kept", {"aZ09_-.+@\xc3\xa9!\"#$/:;<>[]{} ~"});
  });
  const hdf5::File file = hdf5::File::open(dir.path() / "f.h5");
  EXPECT_EQ(read_attribute(file, "/most", "flag_meanings"),
            Texts{std::string(16'383, 'a') + " " + std::string(16'384, 'b')});
  EXPECT_EQ(attribute_names(file, "/most"), (Texts{"flag_meanings", "flag_values", "long_name", "units"}));
  EXPECT_EQ(attribute_names(file, "/more"), (Texts{"long_name", "units"}));
  EXPECT_EQ(attribute_names(file, "/none"), (Texts{"long_name", "units"}));
  EXPECT_EQ(read_attribute(file, "/kept", "flag_meanings"), Texts{"aZ09_-.+@\xc3\xa9" + std::string(15, '_')});
  EXPECT_EQ(read_attribute(file, "/kept", "flag_values"), Texts{"0"});
  EXPECT_NE(message_of(ErrorCode::data, [&] { (void)read_attribute(file, "/most", "flag_values"); })
                .find("the attribute flag_values is of a type that no archive of ours has"),
            std::string::npos);
  EXPECT_TRUE(hdf5::is_flag("flag_values") && hdf5::is_flag("flag_meanings"));
  EXPECT_FALSE(hdf5::is_flag("flag") || hdf5::is_flag("units"));
}

}  // namespace
}  // namespace palstudy::test
