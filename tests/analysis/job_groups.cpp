// SPDX-License-Identifier: MIT
#include "analysis/job_groups.hpp"

#include <utility>

#include "archive/reader.hpp"
#include "archive/write_records.hpp"
#include "campaign/scratch.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

class RowsOfRuns : public Scratch {};

// The rows of a run are those that /runs says, up to the last one of /jobs and also none at all. A damaged place
// outside of them is refused with the run, and neither read nor taken for an empty one.
TEST_F(RowsOfRuns, LieWithinTheTableOfJobs) {
  write_archive(dir / "a.h5", {test::numbered_record(0), test::numbered_record(1)}, {}, {});
  const ArchiveReader archive(dir / "a.h5");
  using Integers = std::vector<std::int64_t>;
  using Rows = std::vector<std::pair<std::size_t, std::size_t>>;
  const auto rows = [&](const Integers& begin, const Integers& count) {
    RunValues runs(archive);
    runs.add("job_begin", begin);
    runs.add("job_count", count);
    return job_rows(runs, 6);
  };
  EXPECT_EQ(rows({0, 3}, {3, 3}), (Rows{{0, 3}, {3, 6}}));
  EXPECT_EQ(rows({0, 6}, {6, 0}), (Rows{{0, 6}, {6, 6}}));
  for (const auto& [begin, count] : {std::pair<std::int64_t, std::int64_t>{3, 4}, {7, 0}, {3, -1}, {-1, 1}}) {
    expect_parts(message_of(ErrorCode::data,
                            [&] {
                              (void)rows({0, begin}, {3, count});
                            }),
                 {"/runs/job_begin", "run 1 points outside"});
  }
}

}  // namespace
}  // namespace palstudy
