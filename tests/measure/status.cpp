// SPDX-License-Identifier: MIT
// How far a measurement is, from what it keeps: repeats in shards, and measure.json.
#include "measure/status.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>  // NOLINT: mkdtemp is POSIX

#include <fstream>

#include "measure/session_file.hpp"
#include "shard/measured_frame.hpp"

namespace palstudy {
namespace {

class MeasuringStatus : public ::testing::Test {
 protected:
  MeasuringStatus() {
    std::string name = (std::filesystem::temp_directory_path() / "palstudy-test-XXXXXX").string();
    dir_ = mkdtemp(name.data());
  }
  ~MeasuringStatus() override { std::filesystem::remove_all(dir_); }
  [[nodiscard]] std::filesystem::path profile() const { return dir_ / "p.h5"; }
  [[nodiscard]] std::filesystem::path parts() const { return dir_ / "p.h5.parts"; }
  void keep(const std::string& gpu, int repeat) const {
    MeasuredRepeat measured;
    measured.gpu.uuid = gpu;
    measured.kernel = {"triad", "n = 4", "", 0, 0, 0};
    measured.repeat.repeat = repeat;
    measured.repeat.batch_ms = {1.0F};
    const auto bytes = encode_measured(measured);
    std::ofstream(parts() / "s-1-0.shard", std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  std::filesystem::path dir_;
};

// Two kernels, three repeats of each: six on each GPU that has been heard of. A frame that is cut is said.
TEST_F(MeasuringStatus, CountsTheRepeatsInTheShards) {
  EXPECT_FALSE(measurement_status(profile()).has_value());
  std::filesystem::create_directory(parts());
  save_session(parts(), {"20261121T085312Z-48213907",
                         "2026-11-21T08:53:12Z",
                         "palstudy measure",
                         2,
                         {"backend = host", "protocol: clock = thread-cpu-time, repeats = 3, batch_s = 0.1",
                          "kernel triad: n = 4", "kernel sgemm: n = 8", "link = false, allreduce = false"}});
  EXPECT_EQ(to_text(*measurement_status(profile())),
            "measuring: 0 repeats of 2 kernels on 0 GPUs so far; session 20261121T085312Z-48213907, begun "
            "2026-11-21T08:53:12Z, started 2 times\n");
  keep("host-a-0", 0), keep("host-a-0", 1), keep("host-a-1", 0);
  const std::string text = to_text(*measurement_status(profile()));
  EXPECT_EQ(text.substr(0, text.find(';')),
            "measuring: 3 repeats of 2 kernels on 2 GPUs so far, 3 of each wanted: 12 on these, and those that have to "
            "be done again");
  std::ofstream(parts() / "s-1-0.shard", std::ios::binary | std::ios::app) << "PALMEAS1";
  EXPECT_NE(to_text(*measurement_status(profile())).find("ends within a frame"), std::string::npos);
}

}  // namespace
}  // namespace palstudy
