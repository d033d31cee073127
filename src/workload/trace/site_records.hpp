// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workload/synthetic/drawn_models.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {

/// A record of a site's accounting: a job, or a run of one that was requeued.
struct SiteRecord {
  std::string id;     ///< as the site writes it
  std::string state;  ///< Slurm's, first word, in capitals
  double submit_s = 0;
  std::optional<double> start_s, end_s;
  double limit_s = 0;  ///< 0: none
  std::int64_t gpus = 0;
  bool gpu_shares = false;  ///< it had parts of GPUs
  bool allocated = true;    ///< something was
  std::string user, account, partition, name;
  std::size_t line = 0;
};

/// Makes jobs of a site's records. A job is what held GPUs for a time, however it ended; all else is left out and
/// counted by reason. Times count from a second before the first end: jobs that ran or waited then have ids under 0,
/// since what else was there is not known.
class SiteRecords {
 public:
  explicit SiteRecords(std::string file) : file_(std::move(file)) {}

  void add(SiteRecord record);
  /// A record that makes no job, for another reason.
  void leave_out(const std::string& reason, std::size_t line);
  /// The jobs, and notes on what was left out, how jobs ended and what their times count from. Errors (data): more GPUs
  /// than a job may want.
  void take(const TraceContext& context, TraceJobs& read);

 private:
  struct SiteJob {
    SiteRecord first;             // of its runs
    double end_s = 0, ran_s = 0;  // the last end; in all runs
    std::string state;            // of the last run
    std::size_t runs = 1;
  };

  enum class AtZero : std::uint8_t;

  void check_times(const SiteRecord& record) const;
  [[nodiscard]] static std::string unusable(const SiteRecord& record);
  /// Since 1970; known where there are records.
  [[nodiscard]] double zero_s() const { return *first_end_s_ - 1; }
  [[nodiscard]] AtZero at_zero(const SiteJob& job) const;
  [[nodiscard]] static bool numbered(const std::vector<SiteJob>& jobs);
  [[nodiscard]] Job made_of(const SiteJob& job, std::int64_t id, const DrawnModels& models, std::uint64_t seed) const;
  [[nodiscard]] std::vector<SiteJob> joined();
  void note_ends(const std::vector<SiteJob>& jobs, std::vector<Note>& notes) const;

  std::string file_;
  std::vector<SiteRecord> records_;  // that held GPUs
  SkippedRecords left_out_;
  std::size_t count_ = 0;
  std::optional<double> first_end_s_;  // of all that ran
};

}  // namespace palstudy
