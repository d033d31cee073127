// SPDX-License-Identifier: MIT
// Chunks that workers pack (archive/hdf5_chunks.hpp): the file is, byte for byte, the one that HDF5's own filters make.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <iterator>
#include <map>

#include "archive/archive_runs.hpp"
#include "archive/write_archive.hpp"
#include "core/error.hpp"
#include "hdf5/chunk_filters.hpp"
#include "hdf5/dataset.hpp"
#include "hdf5/file.hpp"
#include "hdf5/stream.hpp"
#include "parallel/worker_ranks.hpp"
#include "record/record.hpp"

namespace palstudy::test {
namespace {

/// WorkerRanks in this process: they do the work when the answer is taken, and seem ready only now and then.
class Fakes final : public WorkerRanks {
 public:
  explicit Fakes(int count, bool fail = false, bool slow = false) : count_(count), fail_(fail), slow_(slow) {}
  [[nodiscard]] int count() const override { return count_; }
  void give(int helper, const std::vector<std::byte>& work) override {
    EXPECT_TRUE(work_.emplace(helper, work).second) << "a helper has one piece of work at a time";
    ++given;
  }
  [[nodiscard]] bool ready(int helper) override { return !slow_ && (++asked_ + helper) % 3 == 0; }
  [[nodiscard]] std::vector<std::byte> take(int helper) override {
    if (fail_) throw fault("a helper that cannot");
    const auto work = work_.extract(helper);
    EXPECT_FALSE(work.empty());
    ++taken;
    return filter_chunk_task(work.mapped());
  }
  int given = 0, taken = 0;

 private:
  int count_, asked_ = 0;
  bool fail_, slow_;
  std::map<int, std::vector<std::byte>> work_;
};

/// Digits that deflate finds little in.
double noise_at(std::size_t row) { return static_cast<double>(row * 2654435761U % 1000003U) / 7; }

/// Datasets of all elements, of several chunks and a part of one, written in turns as a merge does; and small ones.
void fill_file(hdf5::File& file) {
  constexpr std::size_t rows = 300'001;
  hdf5::Stream integers = hdf5::Stream(file, "/a/integers", hdf5::Element::integer, rows, {"1", "Integers."});
  hdf5::Stream reals = hdf5::Stream(file, "/a/reals", hdf5::Element::real, rows, {"s", "Reals that do not pack."});
  hdf5::Stream codes = hdf5::Stream(file, "/a/codes", hdf5::Element::code, rows, {"1", "Codes."});
  hdf5::Stream texts = hdf5::Stream(file, "/a/texts", hdf5::Element::text, rows, {"1", "Texts."}, 7);
  for (std::size_t begin = 0; begin < rows;) {
    const std::size_t end = std::min(rows, begin + 70'001);
    std::vector<std::int64_t> i;
    std::vector<double> r;
    std::vector<std::int32_t> c;
    std::vector<std::string> t;
    for (; begin < end; ++begin) {
      i.push_back(static_cast<std::int64_t>(begin / 3));
      r.push_back(noise_at(begin));
      c.push_back(static_cast<std::int32_t>(begin % 5));
      t.push_back("t" + std::to_string(begin % 1000));
    }
    integers.append(i), reals.append(r), codes.append(c), texts.append(t);
  }
  integers.close(), reals.close(), codes.close(), texts.close();
  write_dataset(file, "/b/one", std::span<const double>(std::array{1.5}), {"1", "One."});
  write_dataset(file, "/b/none", std::span<const double>(), {"1", "None."});
}

std::string file_with(WorkerRanks* workers) {
  const TempDir dir;
  const auto path = dir.path() / "f.h5";
  const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC, 0666);
  hdf5::File file = hdf5::File::create(descriptor, path.string());
  if (workers != nullptr) file.share_work(*workers);
  fill_file(file);
  file.close();
  ::close(descriptor);
  // Every chunk is read, and with it the checksum that the filters put there.
  const hdf5::File read = hdf5::File::open(path);
  for (const char* name : {"/a/integers", "/a/reals", "/a/codes", "/a/texts"}) {
    EXPECT_EQ(read_through(read, name), 300'001u) << name;
  }
  EXPECT_EQ(read_reals(read, "/a/reals").back(), noise_at(300'000));
  std::ifstream bytes(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(bytes), {}};
}

TEST(SharedChunks, TheFileIsTheSameByteForByte) {
  const std::string alone = file_with(nullptr);
  for (const int count : {0, 1, 2, 5}) {
    Fakes workers(count);
    EXPECT_TRUE(file_with(&workers) == alone) << count << " workers";
    EXPECT_TRUE(count == 0 ? workers.given == 0 : workers.given > count) << "each works again: " << count;
  }
}

// An archive of runs is such a file: whoever writes one with workers has them at work, and it is the same.
TEST(SharedChunks, ArchivesAreWrittenWithHelpers) {
  const TempDir dir;
  const auto runs = three_runs();
  const auto bytes = [&](WorkerRanks* workers) {
    RecordsInMemory records(runs);
    const auto path = dir.path() / "a.h5";
    write_archive(path, records, two_clusters(), {}, {}, workers);
    std::ifstream file(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  Fakes workers(2);
  EXPECT_TRUE(bytes(&workers) == bytes(nullptr));
  EXPECT_GT(workers.given, 0);
}

// Chunks pass in their order, so those that this process packs meanwhile wait behind the one of a worker that takes
// long. Four wait for each worker, which is little memory; only at the next is the answer waited for, and a dataset
// that is closed has everything in the file. A chunk of doubles has 131,072 rows.
TEST(SharedChunks, ASlowWorkerIsWaitedForWhenFourChunksWait) {
  const TempDir dir;
  Fakes slow(1, false, true);
  hdf5::make_file(dir.path() / "f.h5", [&](hdf5::File& file) {
    file.share_work(slow);
    constexpr std::size_t chunk = 131'072;
    hdf5::Stream out(file, "/reals", hdf5::Element::real, 6 * chunk, {"1", "Reals."});
    out.append(std::vector<double>(4 * chunk));
    EXPECT_EQ(slow.given, 1);
    EXPECT_EQ(slow.taken, 0);
    out.append(std::vector<double>(chunk));
    EXPECT_EQ(slow.taken, 1);
    out.append(std::vector<double>(chunk));
    EXPECT_EQ(slow.given, 2);
    EXPECT_EQ(slow.taken, 1);
    out.close();
    EXPECT_EQ(slow.taken, 2);
  });
  EXPECT_EQ(read_through(hdf5::File::open(dir.path() / "f.h5"), "/reals"), 6u * 131'072);
}

TEST(SharedChunks, AHelperThatCannotIsAnErrorAndNoHang) {
  Fakes workers(2, true);
  EXPECT_THROW((void)file_with(&workers), Error);
}

// Of bytes whose sums overflow 16 bits, of an odd number of them, and of the smallest chunk there is: HDF5 itself is
// the twin in the test above; here the work is that of its pieces.
TEST(SharedChunks, WorkIsTheChunkAndTheSizeOfItsValues) {
  const std::vector<std::byte> chunk(4801, std::byte{0xff});
  EXPECT_EQ(filter_chunk_task(filter_work(chunk, 1)), filter_chunk(chunk, 1));
  EXPECT_EQ(filter_chunk_task(filter_work(std::span(chunk).first(8), 8)), filter_chunk(std::span(chunk).first(8), 8));
  EXPECT_THROW((void)filter_chunk_task(std::span(chunk).first(2)), Error);
}

}  // namespace
}  // namespace palstudy::test
