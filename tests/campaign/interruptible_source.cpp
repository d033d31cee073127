// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <array>
#include <csignal>

#include "archive/write_archive.hpp"
#include "campaign/merged_records.hpp"
#include "campaign/scratch.hpp"
#include "record/small_run.hpp"

namespace palstudy {
namespace {

/// One record, and before it is given for the n-th time a signal.
class Signalling final : public RecordSource {
 public:
  Signalling(int signal, int before) : signal_(signal), before_(before) {}
  [[nodiscard]] std::size_t size() const override { return 1; }
  [[nodiscard]] const RunRecord& record(std::size_t) override {
    if (++asked_ == before_) std::raise(signal_);
    return record_;
  }
  [[nodiscard]] int asked() const { return asked_; }

 private:
  int signal_, before_, asked_ = 0;
  RunRecord record_ = test::SmallRun().record();
};

class Stopped : public Scratch {
 protected:
  /// The code with which the writing ended.
  static int ends(RecordSource& records, const StopSignals& signals, const std::filesystem::path& output) {
    InterruptibleSource until(records, signals, output, "palstudy merge");
    try {
      write_archive(output, until, {}, {});
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(output.string()), std::string::npos) << error.what();
      return error.exit_code();
    }
    return 0;
  }
};

// An archive is written in two passes over its records: SIGTERM in the first ends it before the second, and leaves
// neither an archive nor a part of one. SIGUSR1, and a signal after the last record, change nothing.
TEST_F(Stopped, WritingEndsWithTheRecordAtHand) {
  const auto output = dir / "x.h5";
  for (const auto& [signal, before, code] :
       {std::array{SIGTERM, 1, 4}, {SIGINT, 1, 4}, {SIGUSR1, 1, 0}, {SIGTERM, 2, 0}}) {
    const StopSignals signals;
    Signalling records(signal, before);
    EXPECT_EQ(ends(records, signals, output), code) << signal << ' ' << before;
    EXPECT_EQ(records.asked(), code == 0 ? 2 : 1);
    EXPECT_EQ(std::filesystem::exists(output), code == 0);
    EXPECT_FALSE(std::filesystem::exists(output.string() + ".part"));
    std::filesystem::remove(output);
  }
}

}  // namespace
}  // namespace palstudy
