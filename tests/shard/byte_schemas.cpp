// SPDX-License-Identifier: MIT
// What hdf5-schemas/shard.json, checkpoint.json and measured.json promise to others holds of what the program writes: a
// reader that knows nothing but them (byte_schema.hpp) finds the values that were written.
#include <gtest/gtest.h>

#include <bit>
#include <stdexcept>

#include "record/small_run.hpp"
#include "shard/byte_schema.hpp"
#include "shard/checkpoint_file.hpp"
#include "shard/measured_frame.hpp"
#include "shard/run_frame.hpp"

namespace palstudy::test {
namespace {

using Json = nlohmann::json;

/// Value by value; reals to the bit, since NaN is no value's equal.
void expect_column(const Json& read, const Column& column, const ColumnValues& values) {
  EXPECT_EQ(read.at("name"), column.name);
  EXPECT_EQ(read.at("letter"), std::string(1, static_cast<char>(column.type)));
  if (const auto* integers = std::get_if<std::vector<std::int64_t>>(&values)) {
    EXPECT_EQ(read.at("values"), Json(*integers)) << column.name;
  } else if (const auto* reals = std::get_if<std::vector<double>>(&values)) {
    ASSERT_EQ(read.at("values").size(), reals->size());
    for (std::size_t i = 0; i < reals->size(); ++i) {
      EXPECT_EQ(std::bit_cast<std::uint64_t>(read.at("values")[i].get<double>()),
                std::bit_cast<std::uint64_t>((*reals)[i]))
          << column.name << ' ' << i;
    }
  } else {
    EXPECT_EQ(read.at("names"), Json(std::get<TextColumn>(values).names)) << column.name;
    EXPECT_EQ(read.at("codes"), Json(std::get<TextColumn>(values).codes)) << column.name;
  }
}

void expect_table(const Json& read, const TableData& table) {
  ASSERT_EQ(read.at("columns").size(), table.columns.size());
  EXPECT_EQ(read.at("row_count"), table.rows());
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    expect_column(read.at("columns")[i], table.columns[i], table.values[i]);
  }
}

void expect_frame(const Json& read, const RunRecord& record) {
  EXPECT_EQ(read.at("id"), record.id);
  const Json& payload = read.at("payload");
  EXPECT_EQ(payload.at("run"), record.run);
  EXPECT_EQ(payload.at("status"), record.status == RunStatus::done ? 0 : 1);
  EXPECT_EQ(payload.at("digest"), record.digest);
  EXPECT_EQ(payload.at("reason"), record.reason);
  ASSERT_EQ(payload.at("inputs").size(), 1u);
  EXPECT_EQ(payload.at("inputs")[0].at("path"), "jobs.csv");
  EXPECT_EQ(payload.at("inputs")[0].at("sha256"), "aa");
  const Json& tables = payload.at("tables");
  ASSERT_EQ(tables.size(), all_tables().size());
  for (std::size_t t = 0; t < tables.size(); ++t) expect_table(tables[t], record.*all_tables()[t].data);
}

std::vector<std::byte> shard_of(const std::vector<RunRecord>& records) {
  const TempDir dir;
  ShardWriter writer(dir.path(), "s", 0, {{"jobs.csv", "aa"}});
  for (const auto& record : records) writer.append(record);
  writer.close();
  return bytes_of_file(writer.path());
}

// All tables, none but what must be, and a run that failed.
TEST(ByteSchemas, AShardIsReadByItsSchemaAlone) {
  const SmallRun small;
  SmallRun bare = small;
  bare.label.run = 8;
  bare.label.id = "short";
  const std::vector<RunRecord> records = {small.record(), bare.record({false, false, false}),
                                          make_failed_record(small.label, "it \"broke\"")};
  const auto bytes = shard_of(records);
  const Json read = BySchema(read_schema("shard.json"), bytes).read();
  ASSERT_EQ(read.at("frames").size(), records.size());
  for (std::size_t i = 0; i < records.size(); ++i) expect_frame(read.at("frames")[i], records[i]);
}

// The hash that every frame bears follows from the two schemas: whoever reads knows without the program whether the
// columns are those of archive.json.
TEST(ByteSchemas, TheHashOfTheColumnsFollowsFromTheSchemas) {
  const Json schema = read_schema("shard.json"), columns = read_schema("archive.json");
  const Json& rule = schema.at("schema_hash");
  std::string lines = rule.at("first_line").get<std::string>() + "\n";
  std::size_t number = 0;
  for (const Json& table : columns.at("order")) {
    for (const Json& column : columns.at("tables").at(table.get<std::string>())) {
      lines += std::to_string(number) + ' ' + column.at("name").get<std::string>() + ' ' +
               column.at("type").get<std::string>() + '\n';
    }
    ++number;
  }
  const auto bytes = shard_of({SmallRun().record()});
  EXPECT_EQ(BySchema(schema, bytes).read().at("frames")[0].at("schema_hash"), hash_of_text(lines));
}

MeasuredRepeat small_repeat() {
  MeasuredRepeat measured;
  measured.gpu.uuid = "GPU-1";
  measured.gpu.host = "node7";
  measured.gpu.local = 3;
  measured.gpu.max_sm_mhz = 1980.5;
  measured.kernel = {"sgemm", "n = 8192", "fp32", 1e12, 8e8, 9e9};
  measured.repeat.repeat = 2;
  measured.repeat.start_ns = 1'700'000'000'123'456'789;
  measured.repeat.flags = 5;
  measured.repeat.batch_ms = {100.5F, 101.25F};
  measured.repeat.telemetry.t_ns = {1, 2, 3};
  measured.repeat.telemetry.sm_mhz = {1980, 1965, 1950};
  measured.repeat.telemetry.reasons = {0, 4, -1};
  measured.remarks = "2 other processes\n";
  return measured;
}

std::vector<std::byte> small_measurement() {
  ProfileTransfer link;
  link.kernel = "link";
  link.level = "node";
  link.path = "peer";
  link.bytes = 4096;
  link.seconds = 0.25;
  ProfileTransfer sum = link;
  sum.kernel = "allreduce";
  sum.ranks = 4;
  auto bytes = encode_measured(small_repeat());
  const auto transfers = encode_measured({link, sum});
  bytes.insert(bytes.end(), transfers.begin(), transfers.end());
  return bytes;
}

// What `measure` keeps while it works: a repeat with lists of several lengths, and transfers.
TEST(ByteSchemas, AMeasurementIsReadByItsSchemaAlone) {
  const auto bytes = small_measurement();
  const Json read = BySchema(read_schema("measured.json"), bytes).read();
  ASSERT_EQ(read.at("frames").size(), 2u);
  const Json& measured = read.at("frames")[0].at("payload").at("measured");
  const MeasuredRepeat wrote = small_repeat();
  EXPECT_EQ(measured.at("gpu").at("uuid"), wrote.gpu.uuid);
  EXPECT_EQ(measured.at("gpu").at("local"), 3);
  EXPECT_EQ(measured.at("gpu").at("max_sm_mhz"), 1980.5);
  EXPECT_EQ(measured.at("kernel").at("params"), wrote.kernel.params);
  EXPECT_EQ(measured.at("kernel").at("bytes_most"), 9e9);
  const Json& repeat = measured.at("repeat");
  EXPECT_EQ(repeat.at("repeat"), 2);
  EXPECT_EQ(repeat.at("start_ns"), wrote.repeat.start_ns);
  EXPECT_EQ(repeat.at("flags"), 5);
  EXPECT_EQ(repeat.at("batch_ms"), Json(wrote.repeat.batch_ms));
  EXPECT_EQ(repeat.at("telemetry").at("t_ns"), Json(wrote.repeat.telemetry.t_ns));
  EXPECT_EQ(repeat.at("telemetry").at("sm_mhz"), Json(wrote.repeat.telemetry.sm_mhz));
  EXPECT_EQ(repeat.at("telemetry").at("power_w"), Json::array());
  EXPECT_EQ(repeat.at("telemetry").at("reasons"), Json(wrote.repeat.telemetry.reasons));
  EXPECT_EQ(measured.at("remarks"), wrote.remarks);
  const Json& transfers = read.at("frames")[1].at("payload").at("transfers");
  ASSERT_EQ(transfers.size(), 2u);
  EXPECT_EQ(transfers[0].at("path"), "peer");
  EXPECT_EQ(transfers[1].at("kernel"), "allreduce");
  EXPECT_EQ(transfers[1].at("ranks"), 4);
  EXPECT_EQ(transfers[1].at("seconds"), 0.25);
}

/// The letters of a struct's fields, those of structs in it included.
std::string letters_of(const Json& structs, const std::string& name) {
  std::string letters;
  for (const Json& field : structs.at(name)) {
    letters += field.value("letter", "");
    if (structs.contains(field.at("type").get<std::string>())) letters += letters_of(structs, field.at("type"));
  }
  return letters;
}

TEST(ByteSchemas, TheHashOfAMeasurementsLayoutFollowsFromItsSchema) {
  const Json schema = read_schema("measured.json");
  const Json& rule = schema.at("schema_hash");
  std::string lines = rule.at("first_line");
  for (const Json& name : rule.at("structs")) lines += '\n' + letters_of(schema.at("structs"), name);
  const auto bytes = small_measurement();
  EXPECT_EQ(BySchema(schema, bytes).read().at("frames")[0].at("schema_hash"), hash_of_text(lines));
}

std::vector<std::byte> small_checkpoint() {
  const TempDir dir;
  const auto path = dir.path() / "c.ckpt";
  RunState state;
  state.time_s = 86400.5;
  state.instants = 240;
  state.shared = "what all ranks share";
  state.partitions = {{PartitionId(0), 0.5, ""}, {PartitionId(1), 1.5, std::string("\0\xff two", 6)}};
  (void)write_checkpoint(path, {"0123456789abcdef", {{"jobs.csv", "aa"}}}, state);
  return bytes_of_file(path);
}

TEST(ByteSchemas, ACheckpointIsReadByItsSchemaAlone) {
  const auto bytes = small_checkpoint();
  const Json read = BySchema(read_schema("checkpoint.json"), bytes).read();
  EXPECT_EQ(read.at("build"), build_hash());
  EXPECT_EQ(read.at("run"), "0123456789abcdef");
  EXPECT_EQ(read.at("time_s"), 86400.5);
  EXPECT_EQ(read.at("instants"), 240);
  ASSERT_EQ(read.at("files").at("inputs").size(), 1u);
  EXPECT_EQ(read.at("files").at("inputs")[0].at("sha256"), "aa");
  ASSERT_EQ(read.at("frames").size(), 3u);
  EXPECT_EQ(read.at("frames")[0], "what all ranks share");
  EXPECT_EQ(read.at("frames")[1], "");
  EXPECT_EQ(read.at("frames")[2], std::string("\0\xff two", 6));
  EXPECT_EQ(read.at("entries")[0].at("partition"), -1);
  EXPECT_EQ(read.at("entries")[2].at("partition"), 1);
  EXPECT_EQ(read.at("entries")[2].at("cost_s"), 1.5);
}

// The checksums of the schemas cover every byte: whichever is another, the reader refuses.
void expect_every_byte_counts(const Json& schema, std::vector<std::byte> bytes) {
  for (auto& byte : bytes) {
    byte ^= std::byte{4};
    EXPECT_THROW((void)BySchema(schema, bytes).read(), std::exception);
    byte ^= std::byte{4};
  }
  EXPECT_NO_THROW((void)BySchema(schema, bytes).read());
}

TEST(ByteSchemas, NoByteIsOutsideTheChecksums) {
  expect_every_byte_counts(read_schema("checkpoint.json"), small_checkpoint());
  expect_every_byte_counts(read_schema("measured.json"), small_measurement());
}

}  // namespace
}  // namespace palstudy::test
