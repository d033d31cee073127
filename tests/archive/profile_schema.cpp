// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "archive/profile/profile_columns.hpp"

namespace palstudy::test {
namespace {

template <class Row>
nlohmann::ordered_json column_entry(const std::string& group, const ProfileColumn<Row>& column) {
  return std::visit(
      [&](auto member) {
        using Value = std::remove_cvref_t<decltype(std::declval<Row>().*member)>;
        constexpr bool text = std::is_same_v<Value, std::string>, real = std::is_floating_point_v<Value>;
        nlohmann::ordered_json entry;
        entry["name"] = column.name;
        entry["dataset"] = group + "/" + column.name;
        entry["type"] = text ? "s" : real ? "f" : "i";
        entry["stored"] = text   ? (column.form == ProfileForm::coded ? "codes" : "text")
                          : real ? (std::is_same_v<Value, float> ? "float32" : "float64")
                                 : "int64";
        entry["units"] = column.units;
        entry["long_name"] = column.long_name;
        entry["digested"] = column.form != ProfileForm::derived;
        return entry;
      },
      column.member);
}

// What hdf5-schemas/profile.json promises to others is what the program writes; if they differ, the message is the file
// as it would have to be.
TEST(ProfileSchema, TheWrittenSchemaIsTheProgrammed) {
  nlohmann::ordered_json programmed;
  programmed["schema"] = profile_schema_name;
  programmed["version"] = profile_schema_version;
  const ProfileRows none;
  for_each_table(none, [&]<class Row>(const std::string& group, const std::vector<Row>&) {
    for (const auto& column : profile_columns<Row>()) {
      programmed["tables"][group].push_back(column_entry(group, column));
    }
  });
  std::ifstream file(std::string(PALSTUDY_SOURCE_DIR) + "/hdf5-schemas/profile.json");
  const auto written = nlohmann::ordered_json::parse(file, nullptr, false);
  EXPECT_TRUE(written == programmed) << "hdf5-schemas/profile.json should be:\n" << programmed.dump(1);
}

}  // namespace
}  // namespace palstudy::test
