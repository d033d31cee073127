// SPDX-License-Identifier: MIT
// The table of CONTRIBUTING.md, as it stands there: record/, hdf5/, shard/ and archive/ are compiled with the two
// headers that it changes (tests/examples.py), and nothing else of them is another.
#include <gtest/gtest.h>

#include "archive/archive_runs.hpp"
#include "archive/export.hpp"
#include "archive/reader.hpp"
#include "archive/verify.hpp"
#include "shard/run_frame.hpp"
#include "sim/output/merge_rows.hpp"
#include "verified.hpp"

namespace palstudy {

void register_usual_tables(TableRegistry& tables);  // those of the program: cmake/PalstudyRegister.cmake
void register_table_partitions(TableRegistry& tables);
void register_tables(TableRegistry& tables) {
  register_usual_tables(tables);
  register_table_partitions(tables);
}

namespace test {
namespace {

// Rows of two partitions are those of the run, in their order; shards, archives, verify and export have them, and the
// digest of the run is what it was.
TEST(Examples, OfATable) {
  MeasuredRun run(7);
  const std::string digest = run.record().digest;
  run.result.partitions = merged(std::vector<PartitionRows>{{{1}, {2}, {0.5}}, {{0}, {1}, {7}}});
  RunRecord record;
  EXPECT_EQ(decode_payload(encode_payload(run.record()), record), "");
  EXPECT_EQ(record.digest, digest);
  const TempDir dir;
  write_archive(dir.path() / "a.h5", {record}, {}, {});
  EXPECT_EQ(verified_archive(dir.path() / "a.h5"), std::vector<std::string>{});
  EXPECT_EQ(export_table(ArchiveReader(dir.path() / "a.h5"), TableId::partitions, -1, false),
            "run,partition,jobs,allocated_s\n7,0,1,7\n7,1,2,0.5\n");
}

}  // namespace
}  // namespace test
}  // namespace palstudy
