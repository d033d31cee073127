// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "record/tables.hpp"

namespace palstudy::test {
namespace {

nlohmann::ordered_json schema_of_program() {
  nlohmann::ordered_json schema;
  schema["schema"] = archive_schema_name;
  schema["version"] = archive_schema_version;
  for (const Table& table : all_tables()) schema["order"].push_back(table.name);
  for (const Table& table : all_tables()) {
    auto& columns = schema["tables"][table.name];
    for (const Column& column : schema_columns()) {
      if (column.table != table.id) continue;
      nlohmann::ordered_json entry;
      entry["name"] = column.name;
      entry["dataset"] = column_path(table.id, column.name);
      entry["type"] = std::string(1, static_cast<char>(column.type));
      entry["units"] = column.units;
      entry["long_name"] = column.long_name;
      entry["digested"] = column.digested;
      if (column.optional) entry["optional"] = true;
      columns.push_back(entry);
    }
  }
  return schema;
}

// What hdf5-schemas/archive.json promises to others is what the program writes; if they differ, the message is the file
// as it would have to be.
TEST(ArchiveSchema, TheWrittenSchemaIsTheProgrammed) {
  std::ifstream file(std::string(PALSTUDY_SOURCE_DIR) + "/hdf5-schemas/archive.json");
  const auto written = nlohmann::ordered_json::parse(file, nullptr, false);
  const auto programmed = schema_of_program();
  EXPECT_TRUE(written == programmed) << "hdf5-schemas/archive.json should be:\n" << programmed.dump(1);
}

// hdf5-schemas/digest.md says that it suffices to compute a digest again, so its row of a table names every column that
// is digested.
TEST(ArchiveSchema, TheDigestPageNamesEveryDigestedColumn) {
  std::ifstream file(std::string(PALSTUDY_SOURCE_DIR) + "/hdf5-schemas/digest.md");
  const std::string page(std::istreambuf_iterator<char>(file), {});
  for (const Column& column : schema_columns()) {
    if (!column.digested || !table_of(column.table).digested) continue;
    const std::string group = column.table == TableId::event_gpus ? "/events" : table_of(column.table).group;
    const std::size_t begin = page.find("| `" + group + "` |");
    ASSERT_NE(begin, std::string::npos) << group;
    const std::string row = page.substr(begin, page.find('\n', begin) - begin);
    EXPECT_NE(row.find("`" + column.name + "`"), std::string::npos) << group << " " << column.name;
  }
}

}  // namespace
}  // namespace palstudy::test
