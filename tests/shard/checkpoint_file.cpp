// SPDX-License-Identifier: MIT
#include "shard/checkpoint_file.hpp"

#define XXH_INLINE_ALL
#include <gtest/gtest.h>
#include <xxhash.h>

#include <array>
#include <cstring>
#include <fstream>
#include <iterator>

#include "archive/archive_runs.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

RunState three_partitions() {
  RunState state;
  state.time_s = 86400.5;
  state.instants = 240;
  state.shared = "what all ranks share";
  for (std::uint32_t p = 0; p < 3; ++p) {
    state.partitions.push_back({PartitionId(p), 0.5 + p, std::string(p * 100, static_cast<char>('a' + p))});
  }
  return state;
}

const CheckpointKey key{"0123456789abcdef", 42, {{"jobs.csv", "aa"}}};

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void put(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

/// Whether anything at all is found wrong: by the check of the whole, and by reading partitions without it.
bool refused(const std::filesystem::path& path) {
  CheckpointHead head;
  return !check_checkpoint(path, key, head).empty();
}

// What is written is read back: the head by all, the frames by whom they are for. An empty partition is one, too.
TEST(CheckpointFile, HoldsTheStateFrameByFrame) {
  const test::TempDir dir;
  const auto path = checkpoint_path(dir.path(), key.run);
  EXPECT_EQ(path.filename(), "0123456789abcdef.ckpt");
  const RunState state = three_partitions();
  const std::uint64_t size = write_checkpoint(path, key, state);
  EXPECT_EQ(size, std::filesystem::file_size(path));
  EXPECT_EQ(checkpoint_files(dir.path()), std::vector{path});  // and nothing is left beside it
  CheckpointHead head;
  EXPECT_EQ(check_checkpoint(path, key, head), "");
  EXPECT_EQ(head.time_s, 86400.5);
  EXPECT_EQ(head.instants, 240u);
  ASSERT_EQ(head.frames.size(), 4u);
  EXPECT_EQ(head.frames[3].cost_s, 2.5);
  EXPECT_EQ(check_checkpoint(path, key, head), "");
  EXPECT_EQ(head.frames.size(), 4u) << "read again into the same head";
  const RunState read = read_checkpoint(path, {PartitionId(0), PartitionId(2)});
  EXPECT_EQ(read.shared, state.shared);
  EXPECT_EQ(read.time_s, state.time_s);
  ASSERT_EQ(read.partitions.size(), 2u);
  EXPECT_EQ(read.partitions[0].bytes, "");
  EXPECT_EQ(read.partitions[1].bytes, std::string(200, 'c'));
  EXPECT_EQ(read.partitions[1].id, PartitionId(2));
  EXPECT_THROW((void)read_checkpoint(path, {PartitionId(3)}), Error);
}

TEST(CheckpointFile, NothingThereIsSaid) {
  const test::TempDir dir;
  CheckpointHead head;
  EXPECT_EQ(check_checkpoint(dir.path() / "none.ckpt", key, head), "cannot be opened");
  EXPECT_FALSE(peek_checkpoint(dir.path() / "none.ckpt"));
  EXPECT_THROW((void)read_checkpoint(dir.path() / "none.ckpt", {}), Error);
  EXPECT_TRUE(checkpoint_files(dir.path() / "none").empty());
}

// Another run's state, one of other inputs, or of another build must not be taken for this one's, whole as it is.
TEST(CheckpointFile, IsOfOneRunInputsAndBuild) {
  const test::TempDir dir;
  const auto path = checkpoint_path(dir.path(), key.run);
  write_checkpoint(path, key, three_partitions());
  CheckpointHead head;
  EXPECT_EQ(check_checkpoint(path, {"0123456789abcdee", 42, key.files}, head), "is of another run");
  EXPECT_EQ(check_checkpoint(path, {key.run, 43, key.files}, head),
            "is of other inputs: a file that the study names has changed");
  // As another build writes it: whole, checksum and all.
  std::string bytes = bytes_of(path);
  constexpr std::size_t build_at = 16, checksum_at = 88;
  bytes[build_at] = static_cast<char>(bytes[build_at] ^ 1);
  const std::string hashed = bytes.substr(0, checksum_at) + bytes.substr(checksum_at + 8);
  const std::uint64_t checksum = XXH3_64bits(hashed.data(), hashed.size());
  std::memcpy(bytes.data() + checksum_at, &checksum, sizeof checksum);
  put(path, bytes);
  EXPECT_EQ(check_checkpoint(path, key, head), "was written by another build of the program");
}

// Cut off anywhere, it is found; what was cut is not read beyond.
TEST(CheckpointFile, ACutIsFound) {
  const test::TempDir dir;
  const auto path = dir.path() / "cut.ckpt";
  write_checkpoint(path, key, three_partitions());
  const std::string good = bytes_of(path);
  for (std::size_t size = 0; size < good.size(); ++size) {
    put(path, good.substr(0, size));
    EXPECT_TRUE(refused(path)) << size;
    EXPECT_FALSE(peek_checkpoint(path)) << size;
    EXPECT_THROW((void)read_checkpoint(path, {PartitionId(2)}), Error) << size;
  }
  put(path, good + "x");
  EXPECT_TRUE(refused(path));
}

// So is a flipped bit, wherever it lies.
TEST(CheckpointFile, AFlippedBitIsFound) {
  const test::TempDir dir;
  const auto path = dir.path() / "bit.ckpt";
  write_checkpoint(path, key, three_partitions());
  const std::string good = bytes_of(path);
  for (std::size_t bit = 0; bit < good.size() * 8; bit += 7) {
    std::string bad = good;
    bad[bit / 8] = static_cast<char>(bad[bit / 8] ^ (1 << (bit % 8)));
    put(path, bad);
    EXPECT_TRUE(refused(path)) << "bit " << bit;
  }
  put(path, good);
  EXPECT_FALSE(refused(path));
}

// A rank that reads frames by itself, after the first has checked the whole, still finds one that has changed since.
TEST(CheckpointFile, AFrameIsHeldAgainstItsOwnChecksum) {
  const test::TempDir dir;
  const auto path = dir.path() / "frame.ckpt";
  write_checkpoint(path, key, three_partitions());
  std::string bad = bytes_of(path);
  bad.back() ^= 1;  // of partition 2
  put(path, bad);
  EXPECT_NO_THROW((void)read_checkpoint(path, {PartitionId(1)}));
  EXPECT_THROW((void)read_checkpoint(path, {PartitionId(2)}), Error);
}

// Any bytes as a head: the decoder returns, and where it is content, what it gives lies within the file. Half of them
// start as a good head of which a few bytes are others, since bytes at random hardly get beyond the magic.
TEST(CheckpointFile, AnyBytesAreRead) {
  const test::TempDir dir;
  const auto path = dir.path() / "any.ckpt";
  write_checkpoint(path, key, three_partitions());
  const std::string good = bytes_of(path);
  RandomStream random(5, Purpose::job_shape, 0);
  int content = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string bytes = good.substr(0, random.below(260));
    if (i % 2 == 0) {
      for (char& byte : bytes) byte = static_cast<char>(random.below(256));
    } else {
      for (std::uint32_t change = random.below(4); change > 0 && !bytes.empty(); --change) {
        bytes[random.below(static_cast<std::uint32_t>(bytes.size()))] = static_cast<char>(random.below(256));
      }
    }
    const std::uint64_t size = i % 3 == 0 ? bytes.size() : good.size();
    CheckpointHead head;
    if (!decode_checkpoint_head(std::as_bytes(std::span(bytes)), size, head).empty()) continue;
    ++content;
    for (const CheckpointFrame& frame : head.frames) {
      ASSERT_LE(frame.begin, size);
      ASSERT_LE(frame.length, size - frame.begin);
    }
  }
  EXPECT_GT(content, 0);
}

// Where it cannot be written the one before stays.
TEST(CheckpointFile, TheOneBeforeStays) {
  const test::TempDir dir;
  const auto path = checkpoint_path(dir.path(), key.run);
  write_checkpoint(path, key, three_partitions());
  std::filesystem::create_directory(path.string() + ".part");  // in the way of the next
  EXPECT_THROW(write_checkpoint(path, key, three_partitions()), Error);
  EXPECT_FALSE(refused(path));
}

// A slowdown, a bin, a job: each change of what a run reads shows in the hash.
TEST(CheckpointFile, InputsShowInTheirHash) {
  test::SmallRun small;
  const auto hash = [&](const Slowdowns& truth, std::uint32_t bins) {
    const Bins believed(truth, {bins, false});
    const World world{.topology = small.topology,
                      .truth = truth,
                      .believed = believed,
                      .workload = small.workload,
                      .penalty = {},
                      .believed_penalty = {},
                      .engine = {},
                      .measure = {},
                      .record = {}};
    return inputs_hash(world);
  };
  const std::uint64_t before = hash(small.truth, 2);
  EXPECT_EQ(hash(small.truth, 2), before);
  EXPECT_NE(hash(Slowdowns::flat({"A", "B"}, 6), 2), before);
  EXPECT_NE(hash(small.truth, 1), before);
  small.workload.jobs[1].submit_s += 1;
  EXPECT_NE(hash(small.truth, 2), before);
}

// Measured penalties are of the jobs' models: the same ones, dealt otherwise, are other inputs.
TEST(CheckpointFile, InputsDifferByWhichJobHasWhichPenalty) {
  test::SmallRun small;
  const Bins believed(small.truth, {1, false});
  const auto hash = [&](std::vector<std::uint16_t> of_job) {
    of_job.resize(small.workload.jobs.size());
    const Penalties penalties({LocalityPenalty{}, LocalityPenalty{}}, std::move(of_job));
    const World world{.topology = small.topology,
                      .truth = small.truth,
                      .believed = believed,
                      .workload = small.workload,
                      .penalty = penalties,
                      .believed_penalty = {},
                      .engine = {},
                      .measure = {},
                      .record = {}};
    return inputs_hash(world);
  };
  EXPECT_EQ(hash({0, 1}), hash({0, 1}));
  EXPECT_NE(hash({0, 1}), hash({1, 0}));
}

// How attempts fail is an input as well: each number of the table shows.
TEST(CheckpointFile, TheTableOfFailuresShowsInTheHash) {
  const test::SmallRun small;
  const Bins believed(small.truth, {2, false});
  const auto hash = [&](const FailureTable& table) {
    const FailureWorld failures{{table, {}}, {small.topology, small.truth, Faults::job, false, 1}};
    const World world{.topology = small.topology,
                      .truth = small.truth,
                      .believed = believed,
                      .workload = small.workload,
                      .penalty = {},
                      .believed_penalty = {},
                      .engine = {},
                      .measure = {},
                      .record = {},
                      .failures = &failures};
    return inputs_hash(world);
  };
  FailureTable table;
  table.least_gpus = {1};
  table.fails = {0.5};
  table.killed = {0.1};
  table.reasons = {{.name = "oom", .category = "U", .p50_min = 1, .p90_min = 2, .p95_min = 3, .trials = {7}}};
  const std::uint64_t before = hash(table);
  EXPECT_EQ(hash(table), before);
  const auto changed = [&](auto change) {
    FailureTable other = table;
    change(other);
    return hash(other) != before;
  };
  EXPECT_TRUE(changed([](FailureTable& other) { other.fails[0] = 0.4; }));
  EXPECT_TRUE(changed([](FailureTable& other) { other.killed[0] = 0.2; }));
  EXPECT_TRUE(changed([](FailureTable& other) { other.reasons[0].p95_min = 4; }));
  EXPECT_TRUE(changed([](FailureTable& other) { other.reasons[0].trials[0] = 8; }));
  EXPECT_TRUE(changed([](FailureTable& other) { other.reasons[0].repeats = true; }));
}

// A run whose id does not fit is not written: a longer one would be cut, and be taken for another.
TEST(CheckpointFile, AnIdIsNoLongerThanItsRoom) {
  const test::TempDir dir;
  const CheckpointKey longer{key.run + "0", 42};
  EXPECT_THROW((void)write_checkpoint(checkpoint_path(dir.path(), longer.run), longer, three_partitions()), Error);
  EXPECT_TRUE(checkpoint_files(dir.path()).empty());
}

// The whole is read a mebibyte at a time: one of several, and of a part of one, holds, and a bit that flipped in the
// last of them is found. Of the head alone nothing is seen.
TEST(CheckpointFile, EveryMebibyteOfALargeOneCounts) {
  const test::TempDir dir;
  const auto path = dir.path() / "large.ckpt";
  RunState state = three_partitions();
  state.shared = std::string((std::size_t{5} << 19) + 7, 's');
  write_checkpoint(path, key, state);
  EXPECT_FALSE(refused(path));
  std::string bad = bytes_of(path);
  bad[std::size_t{9} << 18] ^= 1;
  put(path, bad);
  CheckpointHead head;
  EXPECT_EQ(check_checkpoint(path, key, head), "is damaged: its checksum does not hold");
  EXPECT_TRUE(peek_checkpoint(path));
}

/// What a run reads from files, to be changed.
struct InputsOfARun {
  test::SmallRun small;
  LocalityPenalty penalty, believed_penalty;
  std::vector<JobModel> models{1};
  TenantRules tenants;
  FailureTable failures;
  InputsOfARun() {
    models[0].comm = {{1, 0.1}};
    tenants.quota = {4};
    failures.least_gpus = {1};
    failures.fails = {0.5};
    failures.killed = {0.1};
    failures.reasons.resize(2);
    for (FailureReason& reason : failures.reasons) reason.trials = {7};
  }
  [[nodiscard]] std::uint64_t hash() const {
    const Bins believed(small.truth, {1, false});
    const FailureWorld failing{{failures, {}}, {small.topology, small.truth, Faults::job, false, 1}};
    const World world{.topology = small.topology,
                      .truth = small.truth,
                      .believed = believed,
                      .workload = small.workload,
                      .penalty = penalty,
                      .believed_penalty = believed_penalty,
                      .engine = {},
                      .measure = {},
                      .record = {},
                      .job_models = models,
                      .tenants = &tenants,
                      .failures = &failing};
    return inputs_hash(world);
  }
};

// A file that has changed in one number or name gives a run of the same id other inputs, and its checkpoint must not be
// gone on from: every field that is read enters, one at a time.
TEST(CheckpointFile, EveryFieldOfTheInputsShowsInTheirHash) {
  using Inputs = InputsOfARun;
  const std::vector<std::pair<const char*, void (*)(Inputs&)>> changes = {
      {"id", [](Inputs& in) { in.small.workload.jobs[1].id = 51; }},
      {"submit_s", [](Inputs& in) { in.small.workload.jobs[1].submit_s = 21; }},
      {"iterations", [](Inputs& in) { in.small.workload.jobs[1].iterations = 1001; }},
      {"iteration_s", [](Inputs& in) { in.small.workload.jobs[1].iteration_s = 2; }},
      {"gpus", [](Inputs& in) { in.small.workload.jobs[1].gpus = 2; }},
      {"class", [](Inputs& in) { in.small.workload.jobs[1].cls = ClassId(0); }},
      {"model", [](Inputs& in) { in.small.workload.jobs[1].model = 1; }},
      {"tenant", [](Inputs& in) { in.small.workload.jobs[1].tenant = 1; }},
      {"classes", [](Inputs& in) { in.small.workload.classes[0] = "C"; }},
      {"models", [](Inputs& in) { in.small.workload.models[1] = "vgg"; }},
      {"tenants", [](Inputs& in) { in.small.workload.tenants[0] = "t"; }},
      {"penalty, node", [](Inputs& in) { in.penalty.node = 1.1; }},
      {"penalty, cabinet", [](Inputs& in) { in.penalty.cabinet = 1.1; }},
      {"penalty, cluster", [](Inputs& in) { in.penalty.cluster = 1.1; }},
      {"believed penalty", [](Inputs& in) { in.believed_penalty.cluster = 1.1; }},
      {"kind", [](Inputs& in) { in.models[0].kind = JobModelKind::bulk; }},
      {"tensor", [](Inputs& in) { in.models[0].tensor = 2; }},
      {"pipeline", [](Inputs& in) { in.models[0].pipeline = 2; }},
      {"microbatches", [](Inputs& in) { in.models[0].microbatches = 2; }},
      {"interleave", [](Inputs& in) { in.models[0].interleave = 2; }},
      {"tensor_share", [](Inputs& in) { in.models[0].tensor_share = 0.5; }},
      {"exchange_share", [](Inputs& in) { in.models[0].exchange_share = 0.5; }},
      {"comm, nodes", [](Inputs& in) { in.models[0].comm[0].nodes = 2; }},
      {"comm, share", [](Inputs& in) { in.models[0].comm[0].share = 0.2; }},
      {"quota", [](Inputs& in) { in.tenants.quota[0] = 5; }},
      {"least_gpus", [](Inputs& in) { in.failures.least_gpus[0] = 2; }},
      {"name of a reason", [](Inputs& in) { in.failures.reasons[1].name = "oom"; }},
      {"of_place", [](Inputs& in) { in.failures.reasons[1].of_place = true; }},
      {"drawn", [](Inputs& in) { in.failures.reasons[1].drawn = false; }},
      {"validated", [](Inputs& in) { in.failures.reasons[1].validated = true; }},
      {"p50_min", [](Inputs& in) { in.failures.reasons[1].p50_min = 1; }},
      {"p90_min", [](Inputs& in) { in.failures.reasons[1].p90_min = 1; }}};
  const std::uint64_t before = Inputs().hash();
  EXPECT_EQ(Inputs().hash(), before);
  for (const auto& [field, change] : changes) {
    Inputs other;
    change(other);
    EXPECT_NE(other.hash(), before) << field;
  }
}

// What is believed is an input of its own: the value of a bin, and which GPUs are in it, show each by itself.
TEST(CheckpointFile, WhatIsBelievedShowsInItsHash) {
  const test::SmallRun small;
  const auto hash = [&](std::vector<double> values, std::vector<std::uint16_t> of_gpu) {
    const Bins believed({ClassBins{std::move(values), std::move(of_gpu), {0, 1}, 1}});
    return inputs_hash({.topology = small.topology,
                        .truth = small.truth,
                        .believed = believed,
                        .workload = small.workload,
                        .penalty = {},
                        .believed_penalty = {},
                        .engine = {},
                        .measure = {},
                        .record = {}});
  };
  const std::uint64_t before = hash({1, 2}, {0, 0, 0, 0, 1, 0});
  EXPECT_EQ(hash({1, 2}, {0, 0, 0, 0, 1, 0}), before);
  EXPECT_NE(hash({1, 3}, {0, 0, 0, 0, 1, 0}), before);
  EXPECT_NE(hash({1, 2}, {0, 0, 0, 0, 0, 1}), before);
}

}  // namespace
}  // namespace palstudy
