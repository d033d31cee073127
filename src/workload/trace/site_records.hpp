// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "workload/synthetic/drawn_models.hpp"
#include "workload/trace/trace_reader.hpp"

namespace palstudy {

/// A record of a site: a job, or a run of one that was requeued.
struct SiteRecord {
  std::string id;     ///< as the site writes it
  std::string state;  ///< Slurm's, first word, in capitals; "" where it is not known
  double submit_s = 0;
  std::optional<double> start_s, end_s;
  bool start_known = true;  ///< the record says when it started; else it is taken to have waited for nothing
  double limit_s = 0;       ///< 0: none
  std::int64_t gpus = 0;
  bool gpu_shares = false;  ///< it had parts of GPUs
  bool allocated = true;    ///< something was
  std::string tenant, user, account, partition, name;
  std::string cls, model;  ///< "" where the record does not say
  std::size_t line = 0;
};

/// Whether a job in that state of Slurm had not ended.
[[nodiscard]] bool runs_still(std::string_view state);

/// What records a file has: all, or, as a dump of accounting, those that ran in a window of time.
enum class RecordsOf : std::uint8_t { all_time, window };

/// Makes jobs of a site's records. A job is what held GPUs for a time, however it ended; all else is left out and
/// counted by reason. In a window times count from a second before the first end: jobs that ran or waited then have ids
/// under 0, since what else was there is not known.
class SiteRecords {
 public:
  SiteRecords(std::string file, RecordsOf of) : file_(std::move(file)), of_(of) {}

  void add(SiteRecord record);
  /// A record that makes no job, for another reason.
  void leave_out(const std::string& reason, std::size_t line);
  /// Times had no zone.
  void take_as_utc() { zoneless_ = true; }
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
  /// Known where there are records; of a window since 1970.
  [[nodiscard]] double zero_s() const { return of_ == RecordsOf::window ? *first_end_s_ - 1 : 0; }
  [[nodiscard]] AtZero at_zero(const SiteJob& job) const;
  [[nodiscard]] static bool numbered(const std::vector<SiteJob>& jobs);
  [[nodiscard]] Job made_of(const SiteJob& job, std::int64_t id) const;
  [[nodiscard]] std::vector<SiteJob> joined();
  void note_ends(const std::vector<SiteJob>& jobs, std::vector<Note>& notes) const;

  std::string file_;
  RecordsOf of_;
  std::vector<SiteRecord> records_;  // that held GPUs
  SkippedRecords left_out_;
  std::size_t count_ = 0;
  bool zoneless_ = false;
  std::optional<double> first_end_s_;  // of all that ran
};

}  // namespace palstudy
